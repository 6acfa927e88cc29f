//! Mirrored motions of real rigs (joint axes of Mixamo, Unreal, VRM 0, Blender, Biped and plain BVH) against
//! the mirror in model space, computed here in double precision from the equation.

use crate::common::{corpus, retarget, rig};
use glam::{DQuat, DVec3};
use rebone::model::sampling::{sample_clip, sample_clip_into};
use rebone::model::{Clip, JointKind};
use rebone::runtime::{Workspace, apply_pose};
use rebone::setup::hands::HandsMode;
use rebone::setup::mirror::compat::{CompatMirror, compat_clip, compat_joints, unfit};
use rebone::setup::mirror::{MirrorChoice, asymmetry_degrees, find_twins, mirror_clip, mirror_for};
use rebone::{Recipe, Rig, Role};

const SOURCE: &str = "assimp/test/models/BVH/01_03.bvh";

/// Rigs whose joint axes are unlike; onto each the source is retargeted, and the result mirrored.
const RIGS: [&str; 8] = [
    "mpfb/derived/mpfb_mixamo.glb",
    "mpfb/derived/mpfb_game_engine.glb",
    "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
    "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb",
    "quaternius/public/glb/platformer_game_pack/Character.glb",
    "ozz/media/fbx/pab/crossarms.fbx",
    "mesh2motion/static/skeletons/human-skeleton.glb",
    "raylib/examples/models/resources/models/gltf/robot.glb",
];

fn reflected(rotation: DQuat) -> DQuat {
    DQuat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}

/// Model-space rotations of a clip's joints in canonical space.
fn turns(rig: &Rig, clip: &Clip, time: f32) -> Vec<DQuat> {
    let skeleton = &rig.character.skeleton;
    let pose = sample_clip(skeleton, clip, time);
    let mut model: Vec<DQuat> = Vec::new();
    for (joint, local) in skeleton.joints().iter().zip(pose.transforms()) {
        let above = joint
            .parent
            .map_or(rig.canonical_from_file(), |parent| model[parent]);
        let turn = above * local.rotation.as_dquat();
        model.push(turn * (1.0 / turn.length()));
    }
    model
}

fn degrees_between(a: DQuat, b: DQuat) -> f64 {
    let apart = a.conjugate() * b;
    (2.0 * apart.xyz().length().atan2(apart.w.abs())).to_degrees()
}

#[test]
fn real_rigs_are_mirrored_as_in_model_space() {
    let Some(corpus) = corpus() else { return };
    let source = rig(&corpus.join(SOURCE), Role::Source);
    let mut worst = (0.0f64, String::new());
    let mut worst_twice = (0.0f64, String::new());
    for file in RIGS {
        let target = rig(&corpus.join(file), Role::Target);
        let made = retarget(&source, &target, &[], &Recipe::default()).unwrap();
        let clip = &made.clips[0].clip;
        let (character, alignment) = (&target.character, &target.alignment);
        let (twins, _) = find_twins(character, &target.map, alignment);
        let mirror = mirror_for(character, alignment, &twins);
        let mirrored = mirror_clip(character, &mirror, clip);
        let twice = mirror_clip(character, &mirror, &mirrored);
        let is_symmetric = asymmetry_degrees(character, alignment, &twins) <= 8.0;
        let standing = |joint: usize| {
            if is_symmetric {
                alignment.reference[joint].rotation
            } else {
                alignment.retarget_rotation(joint)
            }
        };
        let mut slots = 0;
        for time in clip.key_times().into_iter().step_by(23) {
            let (before, after) = (turns(&target, clip, time), turns(&target, &mirrored, time));
            for found in target.map.slots.values() {
                let joint = found.joints[0];
                let twin = twins.of(joint).unwrap();
                slots += 1;
                let delta = reflected(before[twin] * standing(twin).conjugate());
                let off = degrees_between(delta * standing(joint), after[joint]);
                if off > worst.0 {
                    let name = character.skeleton.unique_name(joint);
                    worst = (off, format!("{name} of {file} at {time} s"));
                }
            }
            let [one, two] =
                [clip, &twice].map(|clip| sample_clip(&character.skeleton, clip, time));
            for (joint, (a, b)) in one.transforms().iter().zip(two.transforms()).enumerate() {
                if twins.of(joint).is_none() {
                    continue;
                }
                let off = degrees_between(a.rotation.as_dquat(), b.rotation.as_dquat());
                if off > worst_twice.0 {
                    let name = character.skeleton.unique_name(joint);
                    worst_twice = (off, format!("{name} of {file} at {time} s"));
                }
            }
        }
        assert!(slots > 500, "{file}: {slots}");
        let skeleton = &character.skeleton;
        let lonely = (0..skeleton.len())
            .filter(|&joint| skeleton.joints()[joint].kind == JointKind::Joint)
            .filter(|&joint| twins.of(joint).is_none());
        println!(
            "{file}: {} joints, {} without twin",
            skeleton.len(),
            lonely.count()
        );
    }
    println!("mirror: {:.1e} degrees, {}", worst.0, worst.1);
    println!("twice: {:.1e} degrees, {}", worst_twice.0, worst_twice.1);
    assert!(worst.0 < 1e-4 && worst_twice.0 < 1e-4);
}

#[test]
fn a_walk_to_the_left_becomes_a_walk_to_the_right() {
    let Some(corpus) = corpus() else { return };
    let walker = rig(&corpus.join(SOURCE), Role::Source);
    let mirrored = rebone::mirror(&walker, &[], &[]).unwrap();
    let hips = walker.map.joint_named("hips").unwrap();
    let end = walker.character.clips[0].seconds();
    let way = |clip: &Clip| -> DVec3 {
        let at = |time: f32| sample_clip(&walker.character.skeleton, clip, time).transforms()[hips];
        let way = at(end).translation - at(0.0).translation;
        walker.canonical_from_file() * way.as_dvec3()
    };
    let (before, after) = (way(&walker.character.clips[0]), way(&mirrored.clips[0]));
    assert!(
        (before.x + after.x).abs() < 1e-3 * before.length(),
        "{before} {after}"
    );
    assert!(
        (before.z - after.z).abs() < 1e-3 * before.length(),
        "{before} {after}"
    );
}

/// Must show 3 on real rigs: inside a retarget, and one pose at a time with the switch of the run time (S3.5, S3.11).
#[test]
fn a_retarget_onto_real_rigs_can_be_mirrored() {
    let Some(corpus) = corpus() else { return };
    let source = rig(&corpus.join(SOURCE), Role::Source);
    let mut worst = (0.0f64, String::new());
    for file in RIGS {
        let target = rig(&corpus.join(file), Role::Target);
        let with = |mirror: MirrorChoice| {
            let mut recipe = Recipe::default();
            recipe.mirror = mirror;
            // Legs that are nearly straight make much of little, and a single pose does not know where feet will stand.
            recipe.feet.weight = 0.0;
            recipe.hands.mode = HandsMode::Off;
            recipe.own_body = 0.0;
            recipe.ground = 0.0;
            retarget(&source, &target, &[], &recipe).unwrap()
        };
        let [plain, ready, made] =
            [MirrorChoice::Off, MirrorChoice::Ready, MirrorChoice::On].map(with);
        assert_eq!(plain.clips[0].clip, ready.clips[0].clip, "{file}");
        // The figures are those of the motion that is not mirrored.
        let [before, after] =
            [&plain, &made].map(|made| made.clips[0].report.mean_direction_degrees);
        assert!((before - after).abs() < 1e-3, "{file}: {before} {after}");
        let (character, alignment) = (&target.character, &made.compiled.target);
        let (twins, _) = find_twins(character, &target.map, alignment);
        let mirror = mirror_for(character, alignment, &twins);
        let clip = &plain.clips[0].clip;
        let wanted = mirror_clip(character, &mirror, clip);
        let plan = &ready.compiled.plan;
        let mut workspace = Workspace::new(plan);
        workspace.set_stage_weight(plan.mirror_stage().unwrap(), 1.0);
        let (mut from, mut to) = (plan.source.rest_pose(), plan.target.rest_pose());
        let motion = &source.character.clips[0];
        for time in clip.key_times().into_iter().step_by(23) {
            sample_clip_into(motion, time, &mut from);
            apply_pose(plan, &from, &mut to, &mut workspace);
            let [wanted, whole] = [&wanted, &made.clips[0].clip]
                .map(|clip| sample_clip(&character.skeleton, clip, time));
            for joint in 0..character.skeleton.len() {
                for found in [&whole, &to] {
                    let off = degrees_between(
                        wanted.transforms()[joint].rotation.as_dquat(),
                        found.transforms()[joint].rotation.as_dquat(),
                    );
                    if off > worst.0 {
                        let name = character.skeleton.unique_name(joint);
                        worst = (off, format!("{name} of {file} at {time} s"));
                    }
                }
            }
        }
    }
    println!("in a retarget: {:.1e} degrees, {}", worst.0, worst.1);
    assert!(worst.0 < 2e-4);
}

/// S3.8 to S3.10 on real rigs: what the lesser method makes, and that it says how far it is off.
#[test]
fn the_lesser_method_says_how_far_it_is_off() {
    let Some(corpus) = corpus() else { return };
    let source = rig(&corpus.join(SOURCE), Role::Source);
    let axes = CompatMirror::parse("[mirror]\naxis = \"x\"\nside = \"x\"\n").unwrap();
    let mut told = 0;
    for file in RIGS {
        let target = rig(&corpus.join(file), Role::Target);
        let made = retarget(&source, &target, &[], &Recipe::default()).unwrap();
        let clip = &made.clips[0].clip;
        let (character, map) = (&target.character, &target.map);
        let (twins, _) = find_twins(character, map, &target.alignment);
        let mirror = mirror_for(character, &target.alignment, &twins);
        let joints = compat_joints(&axes, character, map, &twins).unwrap();
        let (degrees, warning) = unfit(character, &mirror, &joints, &[clip]);
        println!("{file}: {degrees:.0} degrees off");
        assert_eq!(warning.is_some(), degrees > 1.0);
        told += usize::from(warning.is_some());
        // Above the hips nothing is done.
        let hips = map.joint_named("hips").unwrap();
        let lesser = compat_clip(character, &joints, clip);
        let [before, after] =
            [clip, &lesser].map(|clip| sample_clip(&character.skeleton, clip, 1.0));
        for above in character.skeleton.ancestors(hips) {
            assert_eq!(before.transforms()[above], after.transforms()[above]);
        }
    }
    assert!(
        told > 0,
        "no rig of these is mirrored by behaviour throughout"
    );
}
