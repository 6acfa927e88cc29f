//! What alignment finds out about a character, against what is true.

use crate::{any_clip, full_body};
use glam::{DAffine3, DQuat, DVec3};
use rebone_model::axes::Axis;
use rebone_model::{NewJoint, Skeleton, SkeletonBuilder, Skin};
use rebone_setup::align::{AlignOptions, Alignment, PoseSource, RestKind, align};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{
    Body, Container, Convention, Generator, Keys, Rigged, Stance, axis_conventions,
    random_convention,
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
    for seed in rebone_corpus::seeds(0..60) {
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
    for seed in rebone_corpus::seeds(0..40) {
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
    for seed in rebone_corpus::seeds(0..300) {
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

/// Arms of bent and pronated rest poses: degrees off at upper arm, forearm and hand.
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

/// The same joints at rest with every bone along +X, as some capture systems write them, and the skin bound in the
/// T-pose, turned as a whole by `turn`.
fn laid_along_x(rigged: &mut Rigged, turn: DQuat) {
    let joints = rigged.character.skeleton.joints().to_vec();
    let mut standing: Vec<(DVec3, DQuat)> = Vec::new();
    for joint in &joints {
        let (place, rotation) = (joint.rest.translation.as_dvec3(), joint.rest.rotation);
        let (above, by) = joint
            .parent
            .map_or((DVec3::ZERO, DQuat::IDENTITY), |parent| standing[parent]);
        standing.push((above + by * place, by * rotation.as_dquat()));
    }
    let mut lying: Vec<DQuat> = Vec::new();
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in joints.iter().enumerate() {
        let below = (0..joints.len()).find(|&other| {
            joints[other].parent == Some(index) && standing[other].0 != standing[index].0
        });
        let rotation = match below {
            Some(below) => {
                let bone = (standing[below].0 - standing[index].0).normalize_or_zero();
                DQuat::from_rotation_arc(bone, DVec3::X) * standing[index].1
            }
            None => standing[index].1,
        };
        let above = joint.parent.map_or(DQuat::IDENTITY, |up| lying[up]);
        lying.push(rotation);
        let mut rest = joint.rest;
        rest.rotation = (above.inverse() * rotation).as_quat();
        builder.add(NewJoint::new(joint.name.clone(), joint.parent, rest));
    }
    let (skeleton, index_of): (Skeleton, Vec<usize>) = builder.build().unwrap();
    assert!(index_of.iter().enumerate().all(|(old, &new)| old == new));
    rigged.character.skeleton = skeleton;
    let bind = standing.iter().map(|&(place, rotation)| {
        let model = DAffine3::from_rotation_translation(turn * rotation, turn * place);
        model.inverse().as_affine3a()
    });
    rigged.character.skins = vec![Skin {
        name: "skin".to_owned(),
        joints: (0..joints.len()).collect(),
        inverse_bind: bind.collect(),
    }];
}

/// A rest pose in which nobody stands tells nothing about the space of the motion, even where the skin was bound in a
/// T-pose: the motion tells, or, without any, a bind pose that stands as the file states.
#[test]
fn a_lying_rest_pose_does_not_say_where_up_is() {
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let convention = Convention {
            joint_axes: Some(seed),
            ..Convention::default()
        };
        let mut rigged = Rigged::new(&full_body(generator), &convention);
        let clip = any_clip(generator, &rigged, Keys::Linear);
        let turn = generator.rotation();
        let options = AlignOptions {
            up: Some(Axis::PositiveY),
            ..AlignOptions::default()
        };
        for (turn, clips) in [(turn, vec![&clip]), (DQuat::IDENTITY, Vec::new())] {
            laid_along_x(&mut rigged, turn);
            let found = align(&rigged.character, &rigged.map, &clips, &options);
            assert_eq!(found.pose_source, PoseSource::Bind, "seed {seed}");
            let up = found.up();
            assert!((up - DVec3::Y).length() < 1e-6, "seed {seed}: {up}");
            if clips.is_empty() {
                assert!((found.forward() - DVec3::Z).length() < 1e-6, "seed {seed}");
            }
            rigged = Rigged::new(&rigged.body, &convention);
        }
    }
}
