//! The retarget pose turned by hand: further turns, the other side, the T-pose.

use crate::full_body;
use glam::{DQuat, DVec3};
use rebone_setup::align::{
    AlignOptions, Alignment, Calibration, CalibrationAxes, Calibrations, align, calibrate,
    mirrored, retarget_placements, t_pose, turned,
};
use rebone_setup::mapping::RigMap;
use rebone_setup::profile::{HUMANOID, Slot};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{Generator, Rigged, random_convention};

const AXES: [CalibrationAxes; 2] = [CalibrationAxes::Local, CalibrationAxes::World];
const SLOTS: [&str; 4] = ["leftUpperArm", "rightHand", "spine", "leftUpperLeg"];

fn slot(name: &str) -> Slot {
    HUMANOID.find(name).unwrap()
}

fn posed(rigged: &Rigged, map: &RigMap, calibrations: &Calibrations) -> Alignment {
    let mut own = align(&rigged.character, map, &[], &AlignOptions::default());
    calibrate(&mut own, map, calibrations);
    own
}

fn any_calibrations(generator: &mut Generator) -> Calibrations {
    let angle = |generator: &mut Generator| generator.between(-40.0, 40.0);
    let mut one = |name: &str, axes| {
        let degrees = [0; 3].map(|_| angle(generator));
        let replace = false;
        (
            slot(name),
            Calibration {
                replace,
                ..Calibration::about(axes, degrees)
            },
        )
    };
    Calibrations::from([
        one("leftShoulder", CalibrationAxes::World),
        one("leftUpperArm", CalibrationAxes::Local),
        one("rightHand", CalibrationAxes::World),
    ])
}

/// S0.11: a further turn about the body's axes turns exactly the slot and what hangs from it, whatever the joints' axes are, and
/// a slot may be told about either axes without being moved.
#[test]
fn a_further_turn_is_that_turn() {
    let mut generator = Generator::new(811);
    for _ in 0..20 {
        let body = full_body(&mut generator);
        let rigged = Rigged::new(&body, &random_convention(&mut generator));
        let map = rigged.map.clone();
        let before = any_calibrations(&mut generator);
        let old = posed(&rigged, &map, &before);
        for (name, axes) in SLOTS
            .into_iter()
            .flat_map(|name| AXES.map(|axes| (name, axes)))
        {
            let slot = slot(name);
            let joint = map.joint(slot).unwrap();
            for by in [DQuat::IDENTITY, generator.rotation()] {
                let own = before.get(&slot);
                let made = turned(&old, &map, slot, own, by, axes).unwrap();
                assert_eq!(made.turns().0, axes);
                let mut after = before.clone();
                after.insert(slot, made);
                let new = posed(&rigged, &map, &after);
                let wanted = by * old.retarget_rotation(joint);
                let off = degrees_between(new.retarget_rotation(joint), wanted);
                assert!(off < 1e-3, "{name}, {axes:?}: {off}");
            }
        }
    }
}

/// S0.11: what is mirrored turns the other side as a mirror shows it, and mirrored back is what it was.
#[test]
fn the_other_side_is_the_mirror_image() {
    let mut generator = Generator::new(812);
    for _ in 0..20 {
        let body = full_body(&mut generator);
        let rigged = Rigged::new(&body, &random_convention(&mut generator));
        let map = rigged.map.clone();
        let none = Calibrations::new();
        let plain = posed(&rigged, &map, &none);
        for (own, calibration) in any_calibrations(&mut generator) {
            let before = Calibrations::from([(own, calibration)]);
            let old = posed(&rigged, &map, &before);
            let (twin, made) = mirrored(&old, &map, &before, own).unwrap();
            let mut after = before.clone();
            after.insert(twin, made.unwrap());
            let new = posed(&rigged, &map, &after);
            let turn = |slot: Slot| {
                let joint = map.joint(slot).unwrap();
                new.retarget_rotation(joint) * plain.retarget_rotation(joint).conjugate()
            };
            let seen = turn(own);
            let seen = DQuat::from_xyzw(seen.x, -seen.y, -seen.z, seen.w);
            assert!(degrees_between(turn(twin), seen) < 1e-3);
            let (back, again) = mirrored(&new, &map, &after, twin).unwrap();
            assert_eq!(back, own);
            let off = (0..3)
                .map(|axis| (again.unwrap().turns().1[axis] - before[&own].turns().1[axis]).abs());
            assert!(off.fold(0.0, f64::max) < 1e-3);
            assert_eq!(mirrored(&new, &map, &after, slot("spine")), None);
        }
    }
}

/// S0.11, "snap to T": limbs point straight out and down whatever the rest pose, the joints' axes and earlier turns are; what stands so
/// is left alone, and slots that nobody asked for keep their own turns.
#[test]
fn the_t_pose_is_straight() {
    let mut generator = Generator::new(813);
    for _ in 0..20 {
        let body = full_body(&mut generator);
        let rigged = Rigged::new(&body, &random_convention(&mut generator));
        let map = rigged.map.clone();
        let before = any_calibrations(&mut generator);
        let old = posed(&rigged, &map, &before);
        let made = t_pose(&rigged.character, &map, &old, &before, &[]);
        let mut after = before.clone();
        after.extend(made);
        let new = posed(&rigged, &map, &after);
        let places = retarget_placements(&rigged.character, &map, &new);
        let at = |name: &str| places[map.joint(slot(name)).unwrap()].position;
        for (from, to, wanted) in [
            ("leftUpperArm", "leftLowerArm", DVec3::X),
            ("leftLowerArm", "leftHand", DVec3::X),
            ("rightUpperArm", "rightLowerArm", DVec3::NEG_X),
            ("rightLowerArm", "rightHand", DVec3::NEG_X),
            ("leftUpperLeg", "leftLowerLeg", DVec3::NEG_Y),
            ("rightLowerLeg", "rightFoot", DVec3::NEG_Y),
        ] {
            let way = at(to) - at(from);
            let off = way.cross(wanted).length() / way.length();
            assert!(way.dot(wanted) > 0.0 && off < 1e-5, "{from}: {off}");
        }
        let again = t_pose(&rigged.character, &map, &new, &after, &[]);
        for (slot, own) in &again {
            let first = after[slot].turns().1;
            let off = (0..3).map(|axis| (own.turns().1[axis] - first[axis]).abs());
            let off = off.fold(0.0, f64::max);
            assert!(off < 1e-3, "{}: {off}", HUMANOID.info(*slot).name);
        }
        let one = t_pose(
            &rigged.character,
            &map,
            &old,
            &before,
            &[slot("leftLowerArm")],
        );
        assert!(
            one.keys().all(|&own| own == slot("leftLowerArm")),
            "{one:?}"
        );
    }
}
