//! A leg in its plane: from where it hangs and where the paw stands to the turns of its joints.
//!
//! A long bone above the paw (the cannon of a hind leg) turns with the whole leg; what is above it is two bones, by the
//! law of cosines, bent to the side to which they are bent when standing.

use super::Pose;
use super::body::{Animal, Limb};
use glam::{DQuat, DVec3};

/// Share of the whole leg's turn that the cannon takes part in.
const CANNON: f64 = 0.7;

/// Puts a leg into a pose; how far it is stretched, 1 for straight.
pub(super) fn place(
    animal: &Animal,
    limb: &Limb,
    root: DVec3,
    paw: PawGoal,
    pose: &mut Pose,
) -> f64 {
    let rest = |joint: usize| animal.place(joint);
    let joints = &limb.joints;
    let (paw_joint, toes) = (limb.paw(), limb.toes());
    let about_x = DQuat::from_rotation_x;
    let swing = angle(paw.place - root) - angle(rest(paw_joint) - rest(joints[0]));
    let mut end = paw.place;
    let mut end_joint = paw_joint;
    if joints.len() == 5 {
        end_joint = joints[2];
        let turn = CANNON * wrapped(swing) + 0.3 * paw.pitch;
        end += about_x(turn) * (rest(end_joint) - rest(paw_joint));
        pose.turns[end_joint] = about_x(turn);
        pose.places[end_joint] = end;
    }
    let (upper, lower) = (
        rest(joints[1]) - rest(joints[0]),
        rest(end_joint) - rest(joints[1]),
    );
    let (a, b) = (upper.length(), lower.length());
    let line = end - root;
    let far = line.length();
    let length = far.min(0.9999 * (a + b));
    let x = (length * length + a * a - b * b) / (2.0 * length);
    let aside = (a * a - x * x).max(0.0).sqrt();
    let across = |along: DVec3| DVec3::new(0.0, -along.z, along.y);
    let standing = (rest(end_joint) - rest(joints[0])).normalize_or_zero();
    let side = across(standing).dot(upper).signum();
    let along = line.normalize_or_zero();
    let middle = root + along * x + across(along) * (aside * side);
    let turned = |from: DVec3, to: DVec3| about_x(wrapped(angle(to) - angle(from)));
    pose.turns[joints[0]] = turned(upper, middle - root);
    pose.turns[joints[1]] = turned(lower, end - middle);
    pose.places[joints[0]] = root;
    pose.places[joints[1]] = middle;
    pose.turns[paw_joint] = about_x(paw.pitch);
    pose.places[paw_joint] = paw.place;
    pose.turns[toes] = about_x(paw.toes_pitch);
    pose.places[toes] = paw.place + about_x(paw.pitch) * (rest(toes) - rest(paw_joint));
    far / (a + b)
}

/// Where a paw shall be. Positive pitch turns the toes down.
#[derive(Clone, Copy, Debug)]
pub(super) struct PawGoal {
    pub(super) place: DVec3,
    pub(super) pitch: f64,
    pub(super) toes_pitch: f64,
}

/// Angle of a direction about X, from +Y.
fn angle(way: DVec3) -> f64 {
    way.z.atan2(way.y)
}

/// The same angle from -π to π.
fn wrapped(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    (angle + PI).rem_euclid(TAU) - PI
}
