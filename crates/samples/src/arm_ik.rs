//! Arms whose knuckles go to a place, in closed form, for clips whose hands touch.
//!
//! With the wrist at distance d from the shoulder and links a and b, the elbow lies at `x = (d² + a² - b²) / 2d` along
//! the way and `sqrt(a² - x²)` aside, towards the pole. Half of what the hand is turned about the forearm is given to the
//! forearm.

use glam::{Mat3, Quat, Vec3};
use rebone_model::Clamp as _;
use rebone_model::rotation::{exp, log, slerp, swing_twist};

/// Where a hand shall be, model space.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandGoal {
    /// The middle of the knuckles.
    pub(super) knuckles: Vec3,
    /// Along the fingers.
    pub(super) fingers: Vec3,
    /// Out of the palm.
    pub(super) palm: Vec3,
    /// Where the elbow points to.
    pub(super) elbow: Vec3,
    /// How much of that counts, beside the pose's own angles: 0 to 1.
    pub(super) weight: f32,
}

/// An arm in the rest pose and as its angles put it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    /// Rest places of shoulder, elbow, wrist and the middle of the knuckles.
    pub(super) rest: [Vec3; 4],
    /// Where the shoulder is.
    pub(super) shoulder: Vec3,
    /// Turns since the rest pose, model space: upper arm, forearm, hand.
    pub(super) turns: [Quat; 3],
}

impl Arm {
    /// The turns that bring the knuckles to the goal; and how far the arm is stretched.
    pub(super) fn reach(&self, goal: &HandGoal) -> ([Quat; 3], f32) {
        let [shoulder, elbow, wrist, knuckles] = self.rest;
        let side = (wrist - shoulder).x.signum();
        // In the rest pose fingers point sideways and palms down.
        let aim = frame(goal.fingers, goal.palm) * frame(Vec3::X * side, Vec3::NEG_Y).transpose();
        let [own_upper, own_lower, own_hand] = self.turns;
        let hand = slerp(own_hand, Quat::from_mat3(&aim), goal.weight);
        let own_elbow = self.shoulder + own_upper * (elbow - shoulder);
        let own_wrist = own_elbow + own_lower * (wrist - elbow);
        let own = own_wrist + own_hand * (knuckles - wrist);
        let end = own.lerp(goal.knuckles, goal.weight) - hand * (knuckles - wrist);
        let way = end - self.shoulder;
        let (a, b) = (elbow.distance(shoulder), wrist.distance(elbow));
        let distance = way.length().clamped(1e-4, 0.9999 * (a + b));
        let along = way.normalize_or(Vec3::NEG_Y);
        let own_pole = (own_elbow - 0.5 * (self.shoulder + own_wrist)).normalize_or(goal.elbow);
        let pole = own_pole.lerp(goal.elbow.normalize_or(Vec3::NEG_Y), goal.weight);
        let aside = pole.reject_from(along).normalize_or(Vec3::NEG_Y);
        let x = (distance * distance + a * a - b * b) / (2.0 * distance);
        let y = (a * a - x * x).max(0.0).sqrt();
        let upper = along * x + aside * y;
        let lower = along * distance - upper;
        // Elbows bend forwards in the rest pose.
        let turn = |rest: Vec3, link: Vec3| {
            let hinge = link.cross(-aside);
            let rest_hinge = rest.cross(Vec3::Z);
            Quat::from_mat3(&(frame(link, hinge) * frame(rest, rest_hinge).transpose()))
        };
        let (upper, lower) = (turn(elbow - shoulder, upper), turn(wrist - elbow, lower));
        let (_, roll) = swing_twist(
            lower.conjugate() * hand,
            (wrist - elbow).normalize_or(Vec3::X),
        );
        let lower = lower * exp(log(roll) * 0.5);
        ([upper, lower, hand], way.length() / (a + b))
    }
}

fn frame(along: Vec3, beside: Vec3) -> Mat3 {
    let along = along.normalize_or(Vec3::X);
    let beside = beside.reject_from(along).normalize_or(Vec3::Y);
    Mat3::from_cols(along, beside, along.cross(beside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_knuckles_reach_the_goal() {
        for side in [1.0, -1.0] {
            let at = |x: f32| Vec3::new(side * x, 1.4, -0.03);
            let arm = Arm {
                rest: [at(0.17), at(0.45), at(0.7), at(0.79)],
                shoulder: at(0.18),
                turns: [Quat::from_rotation_z(-side); 3],
            };
            let goal = HandGoal {
                knuckles: Vec3::new(0.02 * side, 1.2, 0.35),
                fingers: Vec3::new(0.0, 0.7, 0.7),
                palm: Vec3::X * -side,
                elbow: Vec3::new(side, -1.0, -0.3),
                weight: 1.0,
            };
            let ([upper, lower, hand], stretch) = arm.reach(&goal);
            let [shoulder, elbow, wrist, knuckles] = arm.rest;
            let found = arm.shoulder
                + upper * (elbow - shoulder)
                + lower * (wrist - elbow)
                + hand * (knuckles - wrist);
            assert!(found.abs_diff_eq(goal.knuckles, 1e-5), "{found}");
            assert!((hand * Vec3::NEG_Y).abs_diff_eq(goal.palm, 1e-5));
            assert!(stretch < 0.95);
        }
    }
}
