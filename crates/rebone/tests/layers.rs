//! Root motion, layers and compact clips on files of the corpus.

use crate::common::{corpus, retarget, rig};
use rebone::layering::{LayerOptions, put_layer};
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::{sample_clip, sample_joint};
use rebone::runtime::compact::{decode, encode};
use rebone::runtime::layers::LayerBase;
use rebone::setup::root_motion::{RootMode, root_joint};
use rebone::{Clip, Recipe, Rig, Role};

const KNIGHT: &str = "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb";
const BARBARIAN: &str =
    "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb";
const HUMAN: &str = "mesh2motion/static/skeletons/human-skeleton.glb";
const WALK: &str = "bvh_misc/bvhtoolbox";
const CMU: &str = "assimp";
const RUN: &str = "ozz/media/fbx/pab/run.fbx";

/// The file of this name below a folder of the corpus.
fn find(folder: &str, name: &str) -> Option<std::path::PathBuf> {
    let extension = name.rsplit_once('.')?.1;
    let files = rebone_corpus::files_below(&corpus()?.join(folder), &[extension]).ok()?;
    files
        .into_iter()
        .find(|path| path.file_name().is_some_and(|own| own == name))
}

fn made(source: &Rig, target: &Rig, clips: &[String], mode: RootMode) -> Vec<Clip> {
    let mut recipe = Recipe::default();
    recipe.root_motion.mode = mode;
    let done = retarget(source, target, clips, &recipe).unwrap();
    done.clips.into_iter().map(|made| made.clip).collect()
}

/// How far the slots' joints are apart in two clips, of the body's height.
fn apart(rig: &Rig, one: &Clip, two: &Clip) -> f32 {
    let skeleton = &rig.character.skeleton;
    let mut worst = 0.0f32;
    for time in one.key_times() {
        let [a, b] =
            [one, two].map(|clip| model_pose(skeleton, &sample_clip(skeleton, clip, time)));
        for &joint in rig.map.slots.values().flat_map(|found| &found.joints) {
            worst = worst.max(a.position(joint).distance(b.position(joint)));
        }
    }
    worst / rig.alignment.measures.height as f32
}

/// S3.2: rigs with and without a root joint that travels, both ways.
#[test]
fn who_carries_the_travel_moves_no_joint_of_real_rigs() {
    let Some(corpus) = corpus() else {
        return;
    };
    let walk = rig(&find(WALK, "walk01.bvh").unwrap(), Role::Source);
    let barbarian = rig(&corpus.join(BARBARIAN), Role::Source);
    let human = rig(&corpus.join(HUMAN), Role::Target);
    let knight = rig(&corpus.join(KNIGHT), Role::Target);
    let runner = rig(&corpus.join(RUN), Role::Target);
    let root = |rig: &Rig| root_joint(&rig.character, &rig.map, &rig.alignment, &[]);
    assert!(root(&barbarian).is_some() && root(&human).is_some());
    assert!(root(&walk).is_none() && root(&runner).is_none());
    let own_root = root(&barbarian).unwrap().joint;
    let moving = |clip: &&Clip| {
        let tracks = &clip.joints[own_root];
        tracks
            .rotation
            .as_ref()
            .is_some_and(|track| !track.is_constant())
            || tracks
                .translation
                .as_ref()
                .is_some_and(|track| !track.is_constant())
    };
    let moving: Vec<String> = barbarian
        .character
        .clips
        .iter()
        .filter(moving)
        .take(4)
        .map(|clip| clip.name.clone())
        .collect();
    assert!(!moving.is_empty(), "its root moves");
    for (name, source, target, clips) in [
        ("walk onto human", &walk, &human, vec![]),
        ("walk onto knight", &walk, &knight, vec![]),
        ("barbarian onto human", &barbarian, &human, moving.clone()),
        ("barbarian onto knight", &barbarian, &knight, moving.clone()),
        ("barbarian onto runner", &barbarian, &runner, moving),
    ] {
        let plain = made(source, target, &clips, RootMode::Hips);
        for mode in [RootMode::AsSource, RootMode::Extract, RootMode::Project] {
            for (one, two) in plain.iter().zip(made(source, target, &clips, mode)) {
                let off = apart(target, one, &two);
                eprintln!("{name}, {mode:?}, {}: {off:.1e}", two.name);
                assert!(off < 1e-5, "{name}: {off}");
                let moved = root(target).map(|root| !two.joints[root.joint].is_empty());
                if mode == RootMode::Extract {
                    assert_ne!(moved, Some(false), "{name}: the root has the path");
                }
            }
        }
    }
    // A root that moves in the source moves in a target of the same rig as it does there.
    let clips: Vec<String> = barbarian
        .character
        .clips
        .iter()
        .map(|clip| clip.name.clone())
        .collect();
    let twin_root = root(&knight).unwrap().joint;
    for (own, two) in
        barbarian
            .character
            .clips
            .iter()
            .zip(made(&barbarian, &knight, &clips, RootMode::AsSource))
    {
        for time in own.key_times() {
            let rest = |rig: &Rig, joint: usize| rig.character.skeleton.joints()[joint].rest;
            let a = sample_joint(&own.joints[own_root], rest(&barbarian, own_root), time);
            let b = sample_joint(&two.joints[twin_root], rest(&knight, twin_root), time);
            assert!(angle_between(a.rotation, b.rotation) < 1e-4, "{}", own.name);
        }
    }
}

/// S3.14: a layer on a real clip, and its retarget.
#[test]
fn a_layer_of_a_real_clip_is_put_on_and_taken_off() {
    let Some(corpus) = corpus() else {
        return;
    };
    let knight = rig(&corpus.join(KNIGHT), Role::Source);
    let human = rig(&corpus.join(HUMAN), Role::Target);
    let clip = |name: &str| knight.clips(&[name.to_owned()]).unwrap()[0];
    let base = vec!["Walking_A".to_owned()];
    let wave = clip("Cheer");
    let put = |options: &LayerOptions| put_layer(&knight, &base, &knight, wave, options).unwrap();
    let none = LayerOptions {
        weight: 0.0,
        ..LayerOptions::default()
    };
    assert_eq!(put(&none)[0], *clip("Walking_A"));
    let blend = LayerOptions {
        blend: true,
        ..LayerOptions::default()
    };
    assert_eq!(put(&blend)[0].joints, wave.joints);
    let chest = LayerOptions {
        below: vec!["chest".to_owned()],
        base: LayerBase::First,
        ..LayerOptions::default()
    };
    let upper = &put(&chest)[0];
    let skeleton = &knight.character.skeleton;
    let hips = skeleton.find("hips").unwrap();
    assert_eq!(upper.joints[hips], clip("Walking_A").joints[hips]);
    let arm = knight.map.joint_named("leftUpperArm").unwrap();
    assert_ne!(upper.joints[arm], clip("Walking_A").joints[arm]);
    let mut recipe = Recipe::default();
    recipe.additive = Some(LayerBase::First);
    let layer = retarget(&knight, &human, &["Cheer".to_owned()], &recipe).unwrap();
    let hips = human.map.joint_named("hips").unwrap();
    assert!(layer.clips[0].clip.joints[hips].translation.is_none());
    let first = layer.clips[0].clip.time_span().0;
    for (tracks, joint) in layer.clips[0]
        .clip
        .joints
        .iter()
        .zip(human.character.skeleton.joints())
    {
        let at = sample_joint(tracks, joint.rest, first);
        let off = angle_between(at.rotation, joint.rest.rotation).to_degrees();
        assert!(
            off < 0.01,
            "{}: {off} degrees: at its first frame a layer is nothing",
            joint.name
        );
    }
}

/// S3.7, S3.13: bytes and errors of real clips, the table of docs/methods/layers.md.
#[test]
fn real_clips_take_few_bytes() {
    let Some(corpus) = corpus() else {
        return;
    };
    for (path, name) in [
        (find(WALK, "walk01.bvh").unwrap(), ""),
        (find(CMU, "01_01.bvh").unwrap(), ""),
        (corpus.join(RUN), ""),
        (corpus.join(BARBARIAN), "Walking_A"),
        (corpus.join(BARBARIAN), "Cheer"),
    ] {
        let rig = rig(&path, Role::Source);
        let names: Vec<String> = (!name.is_empty())
            .then(|| name.to_owned())
            .into_iter()
            .collect();
        let clip = rig.clips(&names).unwrap()[0];
        let joints = rig.character.skeleton.joints();
        let rest: Vec<_> = joints.iter().map(|joint| joint.rest).collect();
        let bytes = encode(clip, &rest).unwrap();
        let read = decode(&bytes, &rest).unwrap();
        let mut worst = 0.0f32;
        for time in clip.key_times() {
            for (joint, &rest) in rest.iter().enumerate() {
                let [a, b] =
                    [clip, &read].map(|clip| sample_joint(&clip.joints[joint], rest, time));
                worst = worst.max(angle_between(a.rotation, b.rotation));
            }
        }
        let numbers = clip.joints.iter().map(|tracks| {
            let rotation = tracks
                .rotation
                .as_ref()
                .map_or(0, |track| 4 * track.values().len());
            let vectors = [&tracks.translation, &tracks.scale];
            let vectors =
                vectors.map(|track| track.as_ref().map_or(0, |track| 3 * track.values().len()));
            4 * (rotation + vectors[0] + vectors[1])
        });
        let numbers: usize = numbers.sum();
        let height = rig.alignment.measures.height as f32;
        eprintln!(
            "| {} {} | {:.1} kB | {:.1} kB | {:.4}° | apart {:.1e} of the height",
            path.file_name().unwrap().to_string_lossy(),
            clip.name,
            numbers as f32 / 1000.0,
            bytes.len() as f32 / 1000.0,
            worst.to_degrees(),
            apart(&rig, clip, &read),
        );
        assert!(worst < 1.6e-4, "{worst} radians");
        assert!(apart(&rig, clip, &read) < 1e-3, "{height}");
        assert!(bytes.len() < numbers, "{} of {numbers}", bytes.len());
    }
}
