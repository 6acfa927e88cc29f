//! A foot on the floor: flat, on its heel, on its ball; and through the air from one stand to the next.

use super::curve::hermite_path;
use super::puppet::FootGoal;
use glam::{Quat, Vec3};
use rebone_model::Clamp as _;

/// How far behind the ankle the heel touches the floor, metres.
const HEEL_BEHIND: f32 = 0.05;

/// A foot standing flat at a place, with the point about which it rolls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    /// Ankle of the flat foot.
    pub(super) ankle: Vec3,
    /// From the ankle to the ball, for a foot without yaw.
    pub(super) ball_from_ankle: Vec3,
    /// Toes outwards, radians, with the sign of the side.
    pub(super) yaw: f32,
    /// Sign of X of the side.
    pub(super) sign: f32,
}

impl Stand {
    fn roll(&self, about: Vec3, pitch: f32) -> Vec3 {
        let yaw = Quat::from_rotation_y(self.sign * self.yaw);
        self.ankle + yaw * (about - Quat::from_rotation_x(pitch) * about)
    }

    /// The foot with its sole on the floor.
    pub(super) fn flat(&self) -> FootGoal {
        FootGoal {
            ankle: self.ankle,
            pitch: 0.0,
            toe_pitch: 0.0,
            yaw: self.yaw,
            roll: 0.0,
        }
    }

    /// The foot with the heel raised by `pitch`, toes flat, the ball where it is when flat.
    pub(super) fn on_ball(&self, pitch: f32) -> FootGoal {
        FootGoal {
            ankle: self.roll(self.ball_from_ankle, pitch),
            pitch,
            ..self.flat()
        }
    }

    /// The foot with the toes raised (`pitch` below 0), the heel where it is when flat.
    pub(super) fn on_heel(&self, pitch: f32) -> FootGoal {
        let heel = Vec3::new(0.0, -self.ankle.y, -HEEL_BEHIND);
        FootGoal {
            ankle: self.roll(heel, pitch),
            pitch,
            toe_pitch: pitch,
            yaw: self.yaw,
            roll: 0.0,
        }
    }
}

/// A way through the air that leaves and arrives with the speeds of the ground on both ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swing {
    pub(super) start: f32,
    pub(super) end: f32,
    /// Place and speed at the start, place and speed at the end.
    pub(super) ends: [Vec3; 4],
    /// Added in the middle.
    pub(super) lift: Vec3,
}

impl Swing {
    /// The place at a time between start and end.
    pub(super) fn at(&self, time: f32) -> Vec3 {
        let span = self.end - self.start;
        let unit = ((time - self.start) / span).clamped(0.0, 1.0);
        let bump = 16.0 * unit * unit * (1.0 - unit) * (1.0 - unit);
        hermite_path(self.ends, span, unit) + self.lift * bump
    }
}

/// Speed of a point at a time, from its places just before (or, with a negative step, after) it.
pub(super) fn speed(place: &dyn Fn(f32) -> Vec3, time: f32, step: f32) -> Vec3 {
    (place(time) - place(time - step)) / step
}
