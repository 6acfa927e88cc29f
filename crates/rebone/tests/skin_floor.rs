//! The skin in the floor: what the report says of it, and hands and toes that stay out of it.

use crate::common::legs::metres;
use crate::common::{self, corpus, retarget};
use glam::{Affine3A, Vec3};
use rebone::io::Format;
use rebone::measuring::{Comparison, finished};
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::model::{Character, HullPart, HullPoint, Track, hull_of};
use rebone::report::{FigureKind, MomentKind};
use rebone::{Motion, Recipe, Rig, Role, json};
use rebone_samples::{characters, clips};

fn rig(character: Character) -> Rig {
    Rig::from_character(character, Format::Glb, metres(), Vec::new())
}

fn figure(made: &Motion<'_>, name: &str) -> f64 {
    let kind = FigureKind::find(name).unwrap();
    kind.of(&made.clips[0].report).unwrap().value
}

fn walker() -> Rig {
    let sample = clips()
        .into_iter()
        .find(|sample| sample.clip.name == "walk");
    rig(Character {
        clips: vec![sample.unwrap().clip],
        ..characters()[0].clone()
    })
}

/// A body that is moved down by a twentieth of its height is told to be so deep in the floor.
#[test]
fn a_body_in_the_floor_is_told() {
    let (source, target) = (walker(), rig(characters()[1].clone()));
    let made = retarget(&source, &target, &[], &Recipe::default()).unwrap();
    let sound = figure(&made, "skin_floor_max");
    let height = target.alignment.measures.height as f32;
    let hips = target.map.joint_named("hips").unwrap();
    let mut clip = made.clips[0].clip.clone();
    let track = clip.joints[hips].translation.as_ref().unwrap();
    let lower = track
        .values()
        .iter()
        .map(|place| *place - 0.05 * height * Vec3::Y);
    clip.joints[hips].translation = Track::new(
        track.interpolation(),
        track.shared_times().clone(),
        lower.collect(),
    )
    .ok();
    let (recipe, own) = (Recipe::default(), &source.character.clips[0]);
    let pair = finished(&source, &target, &[own], &recipe).unwrap();
    let (compiled, map) = (&pair.compiled, &pair.target_map);
    let comparison = Comparison::new(&source, &target, compiled, map, &recipe);
    let report = comparison.report(own, &clip);
    let kind = FigureKind::find("skin_floor_max").unwrap();
    let depth = kind.of(&report).unwrap().value;
    assert!((depth - sound - 5.0).abs() < 0.1, "{depth} {sound}");
    let moments = report.moments.iter();
    let deepest = moments.filter(|moment| moment.kind == MomentKind::SkinFloor);
    let slots = deepest.map(|moment| json::slot_name(&target.map, moment.slot.unwrap()));
    let slots: Vec<&str> = slots.collect();
    assert!(
        matches!(slots[..], [one] if one.ends_with("Foot") || one.ends_with("Toes")),
        "{slots:?}"
    );
}

/// Arms that are longer than the legs below them leave hands on the floor, not in it.
#[test]
fn hands_that_hang_low_stay_out_of_the_floor() {
    let Some(corpus) = corpus() else { return };
    let source = walker();
    let robot = "raylib/examples/models/resources/models/gltf/robot.glb";
    let target = common::rig(&corpus.join(robot), Role::Target);
    let skeleton = &target.character.skeleton;
    let height = target.alignment.measures.height as f32;
    let fingers: Vec<usize> = (0..skeleton.len())
        .filter(|&joint| skeleton.joints()[joint].name.starts_with("Middle2"))
        .collect();
    let deepest = |ground: f64| {
        let mut recipe = Recipe::default();
        recipe.ground = ground;
        let made = retarget(&source, &target, &[], &recipe).unwrap();
        let clip = &made.clips[0].clip;
        let lowest = clip.key_times().into_iter().flat_map(|time| {
            let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
            fingers
                .iter()
                .map(move |&finger| pose.position(finger).y)
                .collect::<Vec<f32>>()
        });
        -100.0 * lowest.fold(f32::INFINITY, f32::min) / height
    };
    let (with, without) = (deepest(1.0), deepest(0.0));
    println!(
        "fingers of arms longer than the legs: {with:.2} % of the height in the floor, {without:.2} without"
    );
    assert!(with < 0.5 && without > 3.0, "{with} {without}");
}

/// Walks and runs of people whose toes do not move, onto boots and shoes: with toes that bend they are less deep in the floor.
#[test]
fn toes_that_bend_stay_out_of_the_floor() {
    let Some(corpus) = corpus() else { return };
    let targets = [
        "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb",
        "mesh2motion/static/animations/human-addon-animations.glb",
    ];
    let sources = [
        "bandai/dataset/Bandai-Namco-Research-Motiondataset-1/data/dataset-1_run_normal_001.bvh",
        "bandai/dataset/Bandai-Namco-Research-Motiondataset-2/data/dataset-2_walk_normal_002.bvh",
        "ozz/media/fbx/pab/walk.fbx",
    ];
    for source in sources {
        let source = common::rig(&corpus.join(source), Role::Source);
        for name in targets {
            let target = common::rig(&corpus.join(name), Role::Target);
            let depth = |toes: f64| {
                let mut recipe = Recipe::default();
                recipe.feet.toes = toes;
                let made = retarget(&source, &target, &[], &recipe).unwrap();
                figure(&made, "skin_floor_max")
            };
            let (with, without) = (depth(1.0), depth(0.0));
            println!("{name}: {with:.2} % of the height in the floor, {without:.2} without");
            assert!(
                with < 4.0 && with < 0.7 * without.max(1.5),
                "{name}: {with} {without}"
            );
        }
    }
}

/// Shoes with heels that are longer by 6 % of the height land flatter, and feet without toes push off flatter: both come out of the
/// floor, and slide no more than the source's.
#[test]
fn edges_of_soles_stay_out_of_the_floor() {
    let source = walker();
    for character in characters().into_iter().skip(1) {
        let (character, heels) = long_heeled(character);
        let target = rig(character);
        let measured = |points: &[HullPoint], mut recipe: Recipe, toes: f64| {
            recipe.feet.toes = toes;
            let made = retarget(&source, &target, &[], &recipe).unwrap();
            let slides = figure(&made, "slide_ratio");
            assert!(toes == 0.0 || slides < 1.05, "{slides}");
            depth(&target, &made, points, 0.0)
        };
        let mut without_toes = Recipe::default();
        for slot in ["leftToes", "rightToes"] {
            without_toes
                .target
                .slots
                .insert(slot.to_owned(), Vec::new());
        }
        let skeleton = &target.character.skeleton;
        let feet = ["leftFoot", "rightFoot"].map(|slot| target.map.joint_named(slot).unwrap());
        let soles = target.character.hull.iter().filter(|point| {
            let own = point.parts[0].joint;
            feet.iter()
                .any(|foot| own == *foot || skeleton.is_ancestor(*foot, own))
        });
        let soles: Vec<HullPoint> = soles.copied().collect();
        for (name, points, recipe) in [
            ("heels", &heels, Recipe::default()),
            ("feet without toes", &soles, without_toes),
        ] {
            let [with, without] = [1.0, 0.0].map(|toes| measured(points, recipe.clone(), toes));
            println!("{name}: {with:.2} % of the height in the floor, {without:.2} without");
            assert!(
                without > 1.0 && with < 0.3 * without,
                "{name}: {with} {without}"
            );
        }
    }
}

/// The same body with longer heels, and their skin.
fn long_heeled(mut character: Character) -> (Character, Vec<HullPoint>) {
    let rest = model_pose(&character.skeleton, &character.skeleton.rest_pose());
    let own = rig(character.clone());
    let longer = -0.06 * own.alignment.measures.height as f32 * Vec3::Z;
    let feet = ["leftFoot", "rightFoot"].map(|slot| own.map.joint_named(slot).unwrap());
    let behind = |part: &HullPart| (rest.rotation(part.joint) * part.place).z < 0.0;
    let mut heels = Vec::new();
    character.hull = hull_of(&character);
    for point in &mut character.hull {
        if feet.contains(&point.parts[0].joint) && behind(&point.parts[0]) {
            for part in &mut point.parts {
                part.place += rest.rotation(part.joint).inverse() * longer;
            }
            heels.push(*point);
        }
    }
    assert!(heels.len() > 4, "{}", heels.len());
    (character, heels)
}

/// How deep these points are in the floor in the worst frame after this moment (seconds), percent of the height.
fn depth(target: &Rig, made: &Motion<'_>, points: &[HullPoint], after: f32) -> f32 {
    let (skeleton, clip) = (&target.character.skeleton, &made.clips[0].clip);
    let times = clip.key_times().into_iter();
    let lowest = times.filter(|time| *time >= after).map(|time| {
        let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
        let at = |joint: usize| {
            Affine3A::from_rotation_translation(pose.rotation(joint), pose.position(joint))
        };
        let heights = points.iter().map(|point| point.place(at).y);
        heights.fold(f32::INFINITY, f32::min)
    });
    let height = target.alignment.measures.height as f32;
    -100.0 * lowest.fold(f32::INFINITY, f32::min) / height
}

/// Weapons of short bodies, to which nobody in the source held any.
#[test]
fn what_hands_hold_stays_out_of_the_floor() {
    let Some(corpus) = corpus() else { return };
    let source = "quaternius/public/glb/platformer_game_pack/Character.glb";
    let source = common::rig(&corpus.join(source), Role::Source);
    let target = "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb";
    let target = common::rig(&corpus.join(target), Role::Target);
    let skeleton = &target.character.skeleton;
    let hands = ["leftHand", "rightHand"].map(|slot| target.map.joint_named(slot).unwrap());
    let is_held = |joint: usize| hands.iter().any(|hand| skeleton.is_ancestor(*hand, joint));
    let held = target.character.hull.iter();
    let held: Vec<HullPoint> = held
        .filter(|point| is_held(point.parts[0].joint))
        .copied()
        .collect();
    assert!(held.len() > 10, "{}", held.len());
    let deepest = |lift: f64| {
        let mut recipe = Recipe::default();
        recipe.hands.lift = lift;
        let names = ["CharacterArmature|HitReact".to_owned()];
        let made = retarget(&source, &target, &names, &recipe).unwrap();
        // Before, the arm swings so that the axe points straight down.
        depth(&target, &made, &held, 0.2)
    };
    let (with, without) = (deepest(1.0), deepest(0.0));
    println!("weapons: {with:.2} % of the height in the floor, {without:.2} without");
    assert!(without > 5.0 && with < 1.0, "{with} {without}");
}
