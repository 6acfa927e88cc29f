//! A person's own turns of the retarget pose.

use crate::full_body;
use glam::{DQuat, EulerRot};
use rebone_model::{Character, NewJoint, SkeletonBuilder};
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::align::{
    AlignOptions, Calibration, CalibrationAxes, Calibrations, Correction, calibrate,
};
use rebone_setup::compile::{Mapped, NO_CALIBRATIONS, compile};
use rebone_setup::profile::HUMANOID;
use rebone_testkit::check::{aligned, mapped, transfer_alone};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{
    Convention, Generator, Keys, Motion, Rigged, Stance, random_convention,
};

fn one(slot: &str, axes: CalibrationAxes, degrees: [f64; 3]) -> Calibrations {
    let calibration = Calibration::about(axes, degrees);
    Calibrations::from([(HUMANOID.find(slot).unwrap(), calibration)])
}

/// The character with another rest rotation of one joint; what hangs from it stays where it was.
fn spoilt(character: &Character, joint: usize, turn: DQuat) -> Character {
    let mut builder = SkeletonBuilder::new();
    for (index, old) in character.skeleton.joints().iter().enumerate() {
        let mut rest = old.rest;
        if index == joint {
            rest.rotation = (rest.rotation.as_dquat() * turn).normalize_or_zero();
        } else if old.parent == Some(joint) {
            let back = turn.conjugate();
            rest.translation = (back * rest.translation.as_dvec3()).as_vec3();
            rest.rotation = (back * rest.rotation.as_dquat()).normalize_or_zero();
        }
        builder.add(NewJoint {
            kind: old.kind,
            ..NewJoint::new(&old.name, old.parent, rest)
        });
    }
    Character {
        skeleton: builder.build().unwrap().0,
        ..character.clone()
    }
}

trait NormalizeOrZero {
    fn normalize_or_zero(self) -> glam::Quat;
}

impl NormalizeOrZero for DQuat {
    fn normalize_or_zero(self) -> glam::Quat {
        (self * (1.0 / self.length())).as_quat()
    }
}

/// A head that was turned in the rest pose without anybody noticing: no joint shows it. Its calibration makes
/// the result that of the right rest pose, and without it the head is off by just that turn.
#[test]
fn a_calibration_undoes_a_wrong_rest() {
    for seed in rebone_corpus::seeds(0..12) {
        let generator = &mut Generator::new(seed);
        let source = Rigged::new(&full_body(generator), &random_convention(generator));
        let right = Rigged::new(&full_body(generator), &random_convention(generator));
        let clip = source.clip(&Motion::random(generator, &source.body), Keys::Linear);
        let head = right.map.joint_named("head").unwrap();
        let degrees: [f64; 3] = std::array::from_fn(|_| generator.between(-60.0, 60.0));
        let [x, y, z] = degrees.map(f64::to_radians);
        let undo = DQuat::from_euler(EulerRot::ZXY, z, x, y);
        let wrong = Rigged {
            character: spoilt(&right.character, head, undo.conjugate()),
            ..right.clone()
        };
        let calibrations = one("head", CalibrationAxes::Local, degrees);
        let options = AlignOptions::default();
        let from = aligned(&source, &[&clip], &options);
        let moved = |rigged: &Rigged, calibrations: &Calibrations| {
            let to = aligned(rigged, &[], &options);
            let target = Mapped {
                calibrations,
                ..mapped(rigged, &to)
            };
            let source = mapped(&source, &from);
            let made = compile(&source, &target, &[&clip], &transfer_alone()).unwrap();
            let clip = apply_clip(&made.plan, &clip, &ClipOptions::default()).unwrap();
            let pose = rebone_model::sampling::sample_clip(&rigged.character.skeleton, &clip, 0.4);
            let pose = rebone_model::kinematics::model_pose(&rigged.character.skeleton, &pose);
            let heads = pose.rotation(head).as_dquat();
            (heads, made.target)
        };
        let (wanted, _) = moved(&right, &NO_CALIBRATIONS);
        let (found, told) = moved(&wrong, &calibrations);
        let (without, _) = moved(&wrong, &NO_CALIBRATIONS);
        assert!(degrees_between(found, wanted) < 1e-2, "seed {seed}");
        let off = degrees_between(without, wanted);
        let turn = degrees_between(undo, DQuat::IDENTITY);
        assert!((off - turn).abs() < 1e-2, "seed {seed}: {off} {turn}");
        let slot = HUMANOID.find("head").unwrap();
        assert_eq!(told.reasons[&slot].evidence.name(), "calibration");
    }
}

/// Where both stances are taken as given, arms that hang in one of them are lifted by hand, and the forearms,
/// hands and fingers come along.
#[test]
fn what_hangs_from_a_calibrated_slot_moves_along() {
    let generator = &mut Generator::new(5);
    let convention = Convention {
        stance: Stance {
            arms_down_degrees: 40.0,
            ..Stance::default()
        },
        ..random_convention(generator)
    };
    let rigged = Rigged::new(&full_body(generator), &convention);
    let options = AlignOptions {
        correction: Correction::None,
        ..AlignOptions::default()
    };
    let plain = aligned(&rigged, &[], &options);
    let mut by_hand = plain.clone();
    let mut turns = one("leftUpperArm", CalibrationAxes::World, [0.0, 0.0, 40.0]);
    turns.extend(one(
        "rightUpperArm",
        CalibrationAxes::World,
        [0.0, 0.0, -40.0],
    ));
    calibrate(&mut by_hand, &rigged.map, &turns);
    for (joint, frame) in rigged.joint_of.iter().zip(&rigged.frames) {
        let off = degrees_between(by_hand.retarget_rotation(*joint), *frame);
        assert!(off < 1e-3, "{off}");
    }
    // Instead of what was found: the same from the full alignment, whatever it found for the arms.
    let mut replaced = aligned(&rigged, &[], &AlignOptions::default());
    for turn in turns.values_mut() {
        turn.replace = true;
    }
    calibrate(&mut replaced, &rigged.map, &turns);
    let arm = rigged.map.joint_named("leftUpperArm").unwrap();
    let same = degrees_between(
        replaced.retarget_rotation(arm),
        by_hand.retarget_rotation(arm),
    );
    assert!(same < 1e-3, "{same}");
    // Nothing else moves.
    let leg = rigged.map.joint_named("leftUpperLeg").unwrap();
    assert_eq!(plain.retarget_rotation(leg), by_hand.retarget_rotation(leg));
}
