//! A trot: the legs of each diagonal pair do the same, half a cycle after the other pair; in between the body flies for
//! a moment.
//!
//! Phase 0 of a leg is its landing. The paw stands flat until [`HEEL_OFF`], rolls over its toes until [`TOE_OFF`], and
//! swings until 1.

use super::body::{Animal, Limb};
use super::leg::{PawGoal, place};
use super::{Pose, Writing};
use glam::{DQuat, DVec3};
use rebone_model::Clip;
use std::f64::consts::TAU;

/// Keys a second.
pub const RATE_HZ: f64 = 60.0;
/// Frames of a cycle.
const CYCLE: usize = 48;
const CYCLES: usize = 3;
/// Frames of a cycle until the paw rolls, and until the toes leave.
const HEEL_OFF: usize = 16;
const TOE_OFF: usize = 22;
/// Way of a cycle, heights of the hip joints.
const STRIDE: f64 = 1.15;
/// Pitch of the paw when the toes leave.
const ROLL: f64 = 0.7;

/// Frames in which a joint stays exactly where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PawContact {
    /// Number of the limb.
    pub limb: usize,
    /// True where the toes stand, false where the paw stands as well.
    pub toes: bool,
    /// First frame.
    pub first: usize,
    /// Last frame.
    pub last: usize,
}

/// A trot of an animal, as a clip of the character that `writing` makes of it, with the truth about its contacts.
///
/// # Panics
/// Where a leg does not reach the floor.
pub fn trot(animal: &Animal, writing: &Writing) -> (Clip, Vec<PawContact>) {
    let frames = CYCLE * CYCLES + 1;
    let mut drop = 0.02;
    let poses = loop {
        let made: Vec<(Pose, f64)> = (0..frames).map(|frame| pose(animal, frame, drop)).collect();
        if made.iter().all(|(_, stretch)| *stretch < 0.99) {
            break made;
        }
        drop += 0.005;
        assert!(drop < 0.3, "legs do not reach the floor");
    };
    let poses: Vec<Pose> = poses.into_iter().map(|(pose, _)| pose).collect();
    let mut contacts = Vec::new();
    for (index, limb) in animal.limbs.iter().enumerate() {
        let start = landing(limb);
        for (toes, from, to) in [(false, 0, HEEL_OFF), (true, 0, TOE_OFF)] {
            for cycle in 0..=CYCLES {
                let at = |frame: usize| (start + cycle * CYCLE + frame).checked_sub(CYCLE);
                let last = at(to).map(|last| last.min(frames - 1));
                let first = at(from).unwrap_or(0);
                if let Some(last) = last.filter(|&last| last > first) {
                    contacts.push(PawContact {
                        limb: index,
                        toes,
                        first,
                        last,
                    });
                }
            }
        }
    }
    (writing.clip(animal, "trot", RATE_HZ, &poses), contacts)
}

/// Frame in which a leg lands: left hind and right front at first, the others half a cycle later.
fn landing(limb: &Limb) -> usize {
    if limb.front == (limb.sign < 0.0) {
        0
    } else {
        CYCLE / 2
    }
}

fn pose(animal: &Animal, frame: usize, drop: f64) -> (Pose, f64) {
    let cycles = frame as f64 / CYCLE as f64;
    let wave = |times: f64, shift: f64| (TAU * (times * cycles - shift)).sin();
    let hind = animal.build.hind;
    let mut pose = Pose {
        turns: vec![DQuat::IDENTITY; animal.joints.len()],
        places: vec![DVec3::ZERO; animal.joints.len()],
    };
    let travel = DVec3::Z * (STRIDE * hind * cycles);
    let bob = DVec3::Y * (hind * (0.015 * wave(2.0, 0.1) - drop));
    // The trunk nods twice a cycle, the neck against it, the tail sways.
    let nods = [0.02 * wave(2.0, 0.0), 0.015 * wave(2.0, 0.2)];
    for (index, joint) in animal.joints.iter().enumerate() {
        let own = match joint.name.as_str() {
            "Hips" => DQuat::from_rotation_x(nods[0]),
            "Spine1" => DQuat::from_rotation_x(-nods[0] - nods[1]),
            "Head" => DQuat::from_rotation_x(0.08 * wave(2.0, 0.3)),
            name if name.starts_with("Neck") => DQuat::from_rotation_x(0.05 * wave(2.0, 0.4)),
            name if name.starts_with("Tail") => DQuat::from_rotation_y(0.2 * wave(1.0, 0.0)),
            _ => DQuat::IDENTITY,
        };
        let Some(above) = joint.parent else {
            pose.turns[index] = own;
            pose.places[index] = joint.place + travel + bob;
            continue;
        };
        pose.turns[index] = pose.turns[above] * own;
        let way = joint.place - animal.place(above);
        pose.places[index] = pose.places[above] + pose.turns[above] * way;
    }
    let mut stretch = 0.0f64;
    for limb in &animal.limbs {
        let root = pose.places[limb.joints[0]];
        let goal = paw(animal, limb, frame);
        stretch = stretch.max(place(animal, limb, root, goal, &mut pose));
    }
    (pose, stretch)
}

/// Where a paw is in a frame.
fn paw(animal: &Animal, limb: &Limb, frame: usize) -> PawGoal {
    let (hind, height) = (animal.build.hind, animal.place(limb.joints[0]).y);
    let since = frame + CYCLE - landing(limb);
    let (cycle, phase) = (since / CYCLE, since % CYCLE);
    let standing = animal.place(limb.paw());
    let toes = animal.place(limb.toes()) - standing;
    let stride = STRIDE * hind;
    let cycles = |frames: usize| frames as f64 / CYCLE as f64;
    // Half of the stand lies behind where the leg stands below the body.
    let stand = |cycle: usize| {
        let landed = cycles(cycle * CYCLE + landing(limb)) - 1.0;
        standing + DVec3::Z * (stride * (landed + 0.5 * cycles(TOE_OFF)))
    };
    let rolled = |place: DVec3, pitch: f64| place + toes - DQuat::from_rotation_x(pitch) * toes;
    if phase <= TOE_OFF {
        let roll = phase.saturating_sub(HEEL_OFF) as f64 / (TOE_OFF - HEEL_OFF) as f64;
        let pitch = ROLL * roll * roll;
        return PawGoal {
            place: rolled(stand(cycle), pitch),
            pitch,
            toes_pitch: 0.0,
        };
    }
    let u = (phase - TOE_OFF) as f64 / (CYCLE - TOE_OFF) as f64;
    let smooth = u * u * (3.0 - 2.0 * u);
    let (from, to) = (rolled(stand(cycle), ROLL), stand(cycle + 1));
    let bump = 16.0 * u * u * (1.0 - u) * (1.0 - u);
    // The paw goes on turning for a moment, and is flat before it lands.
    let pitch = ROLL * (1.0 - smooth) + 0.5 * bump;
    PawGoal {
        place: from.lerp(to, smooth) + DVec3::Y * (0.13 * height * bump),
        pitch,
        toes_pitch: pitch * smooth,
    }
}
