//! Rest poses that are not what they should be: which pose is chosen, and whether the limbs of the
//! retarget pose point where those of a T-pose do.

use crate::common::{corpus, retarget, rig};
use glam::DVec3;
use rebone::setup::align::{Alignment, PoseSource, RestKind};
use rebone::{Recipe, Rig, Role};
use std::path::Path;

/// Directions of the limbs in the retarget pose, by forward kinematics along the skeleton: slot, the
/// direction that a T-pose has there, the direction found. Canonical.
fn limbs(rig: &Rig, alignment: &Alignment) -> Vec<(String, DVec3, DVec3)> {
    let skeleton = &rig.character.skeleton;
    let mut places: Vec<DVec3> = Vec::with_capacity(skeleton.len());
    for joint in 0..skeleton.len() {
        let reference = &alignment.reference;
        let place = skeleton.parent(joint).map_or(DVec3::ZERO, |above| {
            let bone = reference[joint].position - reference[above].position;
            let turn = alignment.retarget_rotation(above) * reference[above].rotation.conjugate();
            places[above] + turn * bone
        });
        places.push(place);
    }
    let mut found = Vec::new();
    for (side, out) in [("left", DVec3::X), ("right", DVec3::NEG_X)] {
        for (from, to, expected) in [
            ("UpperArm", "LowerArm", out),
            ("LowerArm", "Hand", out),
            ("UpperLeg", "LowerLeg", DVec3::NEG_Y),
            ("LowerLeg", "Foot", DVec3::NEG_Y),
        ] {
            let at = |part: &str| rig.map.joint_named(&format!("{side}{part}"));
            // A foot that hangs from an IK joint is not moved by its shin.
            if let (Some(from_joint), Some(to_joint)) = (at(from), at(to))
                && skeleton
                    .ancestors(to_joint)
                    .any(|above| above == from_joint)
            {
                let bone = (places[to_joint] - places[from_joint]).normalize_or_zero();
                found.push((format!("{side}{from}"), expected, bone));
            }
        }
    }
    found
}

/// File, the pose that is to be chosen, what it shows.
const CASES: [(&str, &str, RestKind); 13] = [
    (
        "quaternius/public/glb/single_knight_pack/KnightCharacter.glb",
        "bind",
        RestKind::TPose,
    ),
    (
        "quaternius/public/glb/cyberpunk_pack/Character.glb",
        "bind",
        RestKind::TPose,
    ),
    (
        "quaternius/public/glb/platformer_game_pack/Character.glb",
        "bind",
        RestKind::TPose,
    ),
    (
        "vrm/saturday06/tests/resources/template/node_constraint/hips_spine_twisting.vrma",
        "first",
        RestKind::TPose,
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh",
        "frame",
        RestKind::TPose,
    ),
    (
        "derived/walk01_six_channels_x_rest.bvh",
        "offsets",
        RestKind::TPose,
    ),
    (
        "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
        "rest",
        RestKind::TPose,
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/cmu1/jumping_jacks.bvh",
        "rest",
        RestKind::ArmsDown,
    ),
    (
        "ufbx/data/blender_293_barbarian_7400_binary.fbx",
        "bind",
        RestKind::TPose,
    ),
    (
        "bvh_misc/bvhtoolbox/tests/example_files/source/template.fbx",
        "bind",
        RestKind::TPose,
    ),
    (
        "ufbx/data/maya_kenney_character_7700_binary.fbx",
        "bind",
        RestKind::TPose,
    ),
    ("ozz/media/fbx/pab/arnaud.fbx", "rest", RestKind::TPose),
    ("ozz/media/fbx/pab/skeleton.fbx", "rest", RestKind::TPose),
];

#[test]
fn the_best_pose_is_chosen_and_its_limbs_are_straightened() {
    let Some(corpus) = corpus() else { return };
    let mut problems = Vec::new();
    for (file, source, kind) in CASES {
        let rig = rig(&corpus.join(file), Role::Target);
        let alignment = &rig.alignment;
        let told = alignment.explain_pose();
        println!("{file}: {told}");
        if (alignment.pose_source.name(), alignment.rest_kind) != (source, kind) {
            problems.push(format!(
                "{file}: {} is {:?}, not {source} {kind:?}: {told}",
                alignment.pose_source.name(),
                alignment.rest_kind
            ));
        }
        let chosen = alignment.candidates.iter();
        let mut chosen = chosen.filter(|entry| entry.source == alignment.pose_source);
        if chosen.next().is_none_or(|entry| entry.rest_kind != kind) {
            problems.push(format!(
                "{file}: the chosen pose is not among the candidates"
            ));
        }
        let limbs = limbs(&rig, alignment);
        assert!(limbs.len() >= 4, "{file}: {limbs:?}");
        for (slot, expected, bone) in limbs {
            let degrees = bone.angle_between(expected).to_degrees();
            if degrees > 1.0 {
                problems.push(format!("{file}: {slot} is {degrees:.1} degrees off"));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// Degrees between what two alignments of one rig take for the retarget pose of a slot's joint, as seen
/// by a target: the turn that both would put on it for one and the same motion.
fn difference(a: (&Rig, &Alignment), b: (&Rig, &Alignment), slot: &str) -> Option<f64> {
    let turn = |(rig, alignment): (&Rig, &Alignment)| {
        let joint = rig.map.joint_named(slot)?;
        // Canonical space of the motion may be turned too; only the whole counts.
        Some(alignment.canonical_from_file.conjugate() * alignment.retarget_rotation(joint))
    };
    Some(turn(a)?.angle_between(turn(b)?).to_degrees())
}

const LIMBS: [&str; 8] = [
    "leftUpperArm",
    "rightUpperArm",
    "leftLowerArm",
    "rightLowerArm",
    "leftUpperLeg",
    "rightUpperLeg",
    "leftLowerLeg",
    "rightLowerLeg",
];

/// Clips without a skin whose nodes stand in a frame of a run or walk, and the T-pose of the same rig in
/// another file.
#[test]
fn the_pose_of_another_file_is_the_pose_of_that_file() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("ozz/media/fbx/pab");
    let hero = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/adult.glb");
    let hero = rig(&hero, Role::Target);
    for rest in ["skeleton.fbx", "arnaud.fbx"] {
        let model = rig(&folder.join(rest), Role::Target);
        for file in [
            "walk.fbx",
            "jog.fbx",
            "run.fbx",
            "crossarms.fbx",
            "locomotions.fbx",
        ] {
            let plain = rig(&folder.join(file), Role::Source);
            let given = rig(&folder.join(file), Role::Source)
                .with_rest_of(&model)
                .unwrap();
            assert_eq!(given.alignment.pose_source, PoseSource::Given);
            assert_eq!(given.alignment.rest_kind, RestKind::TPose);
            let (mut worst, mut own) = (0.0f64, Vec::new());
            for slot in LIMBS {
                let a = (&given, &given.alignment);
                let truth = (&model, &model.alignment);
                worst = worst.max(difference(a, truth, slot).unwrap());
                let guessed = difference((&plain, &plain.alignment), truth, slot).unwrap();
                // How far limbs may be off where the file has only itself to go by.
                assert!(guessed < 4.0, "{file}: {slot} is {guessed} degrees off");
                own.push(format!("{slot} {guessed:.1}"));
            }
            for slot in [
                "hips",
                "chest",
                "head",
                "leftHand",
                "rightHand",
                "leftFoot",
                "rightFoot",
            ] {
                let guessed =
                    difference((&plain, &plain.alignment), (&model, &model.alignment), slot);
                let guessed = guessed.unwrap();
                assert!(guessed < 6.5, "{file}: {slot} is {guessed} degrees off");
                own.push(format!("{slot} {guessed:.1}"));
            }
            println!(
                "{file} by {rest}: {worst:.2}; by itself ({}): {}",
                plain.alignment.pose_source.describe(),
                own.join(", ")
            );
            assert!(worst < 0.5, "{file} by {rest}: {worst} degrees");
            // How limbs follow is told of the transfer; legs that reach for their feet's places turn further.
            let mut recipe = Recipe::default();
            recipe.feet.weight = 0.0;
            recipe.hands.mode = rebone::setup::hands::HandsMode::Off;
            recipe.own_body = 0.0;
            let result = retarget(&given, &hero, &[], &recipe).unwrap();
            let off = result.clips[0].report.max_direction_degrees;
            assert!(off < 2.1, "{file} by {rest}: {off} degrees");
        }
    }
}

#[test]
fn a_file_of_another_rig_gives_no_pose() {
    let Some(corpus) = corpus() else { return };
    let walk = rig(&corpus.join("ozz/media/fbx/pab/walk.fbx"), Role::Source);
    let other = rig(&corpus.join(CASES[0].0), Role::Target);
    let error = walk.with_rest_of(&other).unwrap_err().to_string();
    assert!(error.contains("the same rig"), "{error}");
}

/// A dance on one foot's toes that ends with the other foot flat on the floor: that one tells how high ankles are.
#[test]
fn ankles_are_as_high_as_those_of_the_foot_that_stands() {
    let Some(corpus) = corpus() else { return };
    let file = "bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh";
    let dancer = rig(&corpus.join(file), Role::Source);
    let ankle = dancer.alignment.measures.ankle_height;
    println!("ankles of the dancer: {ankle:.2} cm");
    // After 9.5 s the left ankle is 9.3 to 9.9 cm above the end of its toes. The right one is never less than 11.8 cm above its own.
    assert!((8.5..10.0).contains(&ankle), "{ankle}");
}
