//! What goes wrong with a retarget is said, or refused with a remedy (S1.11): wrong names, keys of joints that drive
//! nothing, poses that are not alike.
use crate::common::retarget;
use rebone::io::FileSpace;
use rebone::model::axes::Axis;
use rebone::model::{
    Character, Clip, Interpolation, NewJoint, Quat, SkeletonBuilder, Track, Transform, Vec3,
};
use rebone::output::write_character;
use rebone::stillness::moves;
use rebone::{Format, ReadOptions, Recipe, Rig, Role, read};
use std::path::Path;
use std::sync::Arc;

/// A rod of two joints, and a control beside it, as rigs of animators have them. The clip turns the joints named.
fn rod(moved: &[&str]) -> Rig {
    let mut builder = SkeletonBuilder::new();
    for (name, parent) in [("base", None), ("top", Some(0)), ("control", Some(0))] {
        let translation = Vec3::new(0.0, 1.0, 0.0);
        builder.add(NewJoint::new(
            name,
            parent,
            Transform {
                translation,
                ..Transform::IDENTITY
            },
        ));
    }
    let (skeleton, _) = builder.build().unwrap();
    let mut clip = Clip::new("bend", skeleton.len());
    for name in ["base", "top", "control"] {
        let angle = if moved.contains(&name) { 0.5 } else { 0.0 };
        let times: Arc<[f32]> = Arc::new([0.0, 1.0]);
        let values = vec![Quat::IDENTITY, Quat::from_rotation_x(angle)];
        let track = Track::new(Interpolation::Linear, times, values).unwrap();
        clip.joints[skeleton.find(name).unwrap()].rotation = Some(track);
    }
    let character = Character {
        name: "rod".to_owned(),
        skeleton,
        clips: vec![clip],
        ..Character::default()
    };
    let stated = FileSpace {
        meters_per_unit: Some(1.0),
        up: Some(Axis::PositiveY),
        ..FileSpace::default()
    };
    Rig::from_character(character, Format::Glb, stated, Vec::new())
}

fn codes(source: &Rig, target: &Rig, recipe: &str) -> Vec<&'static str> {
    let result = retarget(source, target, &[], &Recipe::parse(recipe).unwrap()).unwrap();
    result.warnings.iter().map(|warning| warning.code).collect()
}

/// A result that is the rest pose in every frame is a clip all the same, as long as its source, and can be written.
#[test]
fn a_result_at_rest_is_a_clip() {
    let (source, target) = (rod(&["control"]), rod(&[]));
    let recipe = Recipe::parse("[links]\ntop = \"top\"\n").unwrap();
    let made = retarget(&source, &target, &[], &recipe).unwrap();
    let clip = &made.clips[0].clip;
    assert!(!moves(clip) && !clip.is_empty());
    assert_eq!(clip.time_span(), source.character.clips[0].time_span());
    let mut character = target.character.clone();
    character.clips = vec![clip.clone()];
    for format in [Format::Glb, Format::Fbx, Format::Bvh] {
        write_character(&character, format).unwrap();
    }
}

/// Keys of joints that drive nothing, the commonest reason for a result that stands still.
#[test]
fn a_result_that_stands_still_is_told() {
    let target = rod(&[]);
    let linked = "[links]\ntop = \"top\"\n";
    for (moved, is_still) in [
        (&["control"][..], true),
        (&["top"], false),
        (&["control", "top"], false),
        // A source at rest is a pose, and its retarget one too.
        (&[], false),
    ] {
        let found = codes(&rod(moved), &target, linked);
        assert_eq!(
            found.contains(&"nothing-moves"),
            is_still,
            "{moved:?}: {found:?}"
        );
    }
}

#[test]
fn names_that_no_joint_has_are_refused_with_the_nearest() {
    let (source, target) = (rod(&["top"]), rod(&[]));
    for recipe in ["[links]\ntop = \"tpo\"\n", "[links]\ntpo = \"top\"\n"] {
        let recipe = Recipe::parse(recipe).unwrap();
        let error = retarget(&source, &target, &[], &recipe).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("tpo") && text.contains("\"top\""), "{text}");
    }
}

/// Limbs that point elsewhere than the source's are told of; those of a usual retarget are not.
#[test]
fn odd_rotations_are_told() {
    let open = |name: &str, role| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../data")
            .join(name);
        let alone = |uri: &str| Err(format!("{uri} is not needed"));
        let bytes = std::fs::read(path).unwrap();
        let document = read(&bytes, &ReadOptions::default(), &alone).unwrap();
        Rig::new(document, role, None).unwrap()
    };
    let source = open("walk.glb", Role::Source);
    for name in ["adult.glb", "brute.glb", "chibi.vrm"] {
        let target = open(name, Role::Target);
        let found = codes(&source, &target, "");
        assert!(!found.contains(&"limbs-far-off"), "{name}: {found:?}");
        assert!(!found.contains(&"nothing-moves"), "{name}: {found:?}");
    }
    // Its numbers do not look at the target's axes, which differ here.
    let brute = open("brute.glb", Role::Target);
    let found = codes(&source, &brute, "method = \"parent-delta\"\n");
    assert!(found.contains(&"limbs-far-off"), "{found:?}");
}
