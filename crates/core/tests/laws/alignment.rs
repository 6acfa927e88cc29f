//! What alignment finds out about a character, against what is true.

use crate::full_body;
use glam::{DQuat, DVec3};
use rebone_core::align::{AlignOptions, Alignment, PoseSource, RestKind, align};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{
    Body, Container, Convention, Generator, Rigged, Stance, axis_conventions, random_convention,
};

fn aligned(rigged: &Rigged) -> Alignment {
    align(
        &rigged.character,
        &rigged.map,
        &[],
        &AlignOptions::default(),
    )
}

/// Degrees between the retarget pose that was found and the T-pose, for one slot.
fn error(rigged: &Rigged, alignment: &Alignment, slot: &str) -> f64 {
    let joint = rigged.body.slot(slot).unwrap();
    let found = alignment.retarget_rotation(rigged.joint_of[joint]);
    degrees_between(found, rigged.frames[joint])
}

#[test]
fn up_and_forward_are_found_in_every_axis_convention() {
    for (seed, turn) in axis_conventions().into_iter().enumerate() {
        let generator = &mut Generator::new(seed as u64);
        for arms_down_degrees in [0.0, 45.0, 88.0] {
            let convention = Convention {
                file_from_canonical: turn,
                stance: Stance {
                    arms_down_degrees,
                    ..Stance::default()
                },
                ..random_convention(generator)
            };
            let rigged = Rigged::new(&full_body(generator), &convention);
            let found = aligned(&rigged);
            assert!(degrees_between(found.canonical_from_file, turn.conjugate()) < 1e-4);
            assert!((found.up() - turn * DVec3::Y).length() < 1e-6);
            assert!((found.forward() - turn * DVec3::Z).length() < 1e-6);
            assert_eq!(found.pose_source, PoseSource::Rest);
        }
    }
}

#[test]
fn a_turned_container_shows_where_up_is() {
    for seed in 0..60 {
        let generator = &mut Generator::new(seed);
        let turn = generator.rotation();
        let convention = Convention {
            file_from_canonical: turn,
            containers: vec![Container {
                rotation: turn * axis_conventions()[seed as usize % 24],
                scale: 0.01,
                translation: DVec3::ZERO,
            }],
            joint_axes: Some(seed),
            ..Convention::default()
        };
        let rigged = Rigged::new(&full_body(generator), &convention);
        let off = degrees_between(aligned(&rigged).canonical_from_file, turn.conjugate());
        assert!(off < 1e-4, "seed {seed}: {off}");
    }
}

/// A symmetric body shows its axes itself: no container is needed, unless the body leans by so little
/// that the file's own up axis is taken for true (by design: a rest pose may lean).
#[test]
fn a_symmetric_body_shows_its_own_heading() {
    for seed in 0..40 {
        let generator = &mut Generator::new(seed);
        let turn = DQuat::from_rotation_y(generator.between(-3.1, 3.1));
        let quarter = turn
            .to_euler(glam::EulerRot::YXZ)
            .0
            .to_degrees()
            .rem_euclid(90.0);
        let convention = Convention {
            file_from_canonical: turn,
            joint_axes: Some(seed),
            ..Convention::default()
        };
        let rigged = Rigged::new(&full_body(generator), &convention);
        let off = degrees_between(aligned(&rigged).canonical_from_file, turn.conjugate());
        // Within 20 degrees of a quarter turn the heading is rounded to it, by design.
        let rounded = quarter.min(90.0 - quarter);
        let wanted = if rounded <= 20.0 { rounded } else { 0.0 };
        assert!((off - wanted).abs() < 1e-3, "seed {seed}: {off} {wanted}");
    }
}

#[test]
fn straight_arms_are_brought_to_the_t_pose_from_any_height() {
    let mut worst = 0.0f64;
    for seed in 0..300 {
        let generator = &mut Generator::new(seed);
        let rigged = Rigged::new(&full_body(generator), &random_convention(generator));
        let found = aligned(&rigged);
        for joint in &rigged.body.joints {
            if let rebone_testkit::random::Place::Slot(slot, 0) = joint.place {
                worst = worst.max(error(&rigged, &found, slot));
            }
        }
        let kind = match rigged.convention.stance.arms_down_degrees {
            below if below < 25.0 => RestKind::TPose,
            below if below < 65.0 => RestKind::APose,
            _ => RestKind::ArmsDown,
        };
        assert_eq!(found.rest_kind, kind);
    }
    eprintln!("straight arms: {worst:.2e} degrees");
    assert!(worst < 1e-4, "{worst}");
}

fn stance(body: &Body, seed: u64, stance: Stance) -> [f64; 3] {
    let convention = Convention {
        stance,
        joint_axes: Some(seed),
        ..Convention::default()
    };
    let rigged = Rigged::new(body, &convention);
    let found = aligned(&rigged);
    let worst = |part: &str| {
        ["left", "right"]
            .map(|side| error(&rigged, &found, &format!("{side}{part}")))
            .into_iter()
            .fold(0.0, f64::max)
    };
    ["UpperArm", "LowerArm", "Hand"].map(worst)
}

/// The arm tests of E30: degrees off at upper arm, forearm and hand.
///
/// Bent elbows and palms that turn in with them are found. A palm turned against its forearm is found
/// where it is clear (fully from 16 degrees on), and half of the turn is given to the forearm, by design:
/// joints do not show whether hand or forearm was turned, and in life it is both.
#[test]
fn bent_and_pronated_arms() {
    let body = full_body(&mut Generator::new(11));
    let table = [
        // arms down, elbow, palm; wanted: upper arm, forearm, hand
        ([45.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        ([88.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        ([45.0, 10.0, 0.0], [0.0, 0.0, 0.0]),
        ([45.0, 20.0, 0.0], [0.0, 0.0, 0.0]),
        ([75.0, 15.0, 0.0], [0.0, 0.0, 0.0]),
        ([0.0, 45.0, 0.0], [0.0, 0.0, 0.0]),
        ([45.0, 0.0, 45.0], [0.0, 22.5, 0.0]),
        ([45.0, 10.0, 45.0], [0.0, 22.5, 0.0]),
        ([75.0, 15.0, 90.0], [0.0, 45.0, 0.0]),
        ([45.0, 0.0, 20.0], [0.0, 10.0, 0.0]),
        ([45.0, 0.0, 7.0], [0.0, 0.0, 7.0]),
    ];
    for ([arms_down_degrees, elbow_degrees, palm_degrees], wanted) in table {
        let pose = Stance {
            arms_down_degrees,
            elbow_degrees,
            palm_degrees,
            ..Stance::default()
        };
        let found = stance(&body, 3, pose);
        eprintln!("{pose:?}: {found:.3?}");
        for (found, wanted) in found.into_iter().zip(wanted) {
            assert!((found - wanted).abs() < 0.1, "{pose:?}: {found} {wanted}");
        }
    }
}

/// Knees bent in the rest pose are straightened; the feet keep their own pitch and heading.
#[test]
fn bent_knees_are_straightened() {
    let body = full_body(&mut Generator::new(12));
    for knee_degrees in [5.0, 15.0, 25.0] {
        let convention = Convention {
            stance: Stance {
                knee_degrees,
                ..Stance::default()
            },
            joint_axes: Some(1),
            ..Convention::default()
        };
        let rigged = Rigged::new(&body, &convention);
        let found = aligned(&rigged);
        for slot in ["leftUpperLeg", "rightLowerLeg", "leftFoot", "rightToes"] {
            let off = error(&rigged, &found, slot);
            assert!(off < 1e-3, "{slot} at {knee_degrees}: {off}");
        }
    }
}
