//! Two-bone IK in closed form.
//!
//! With the goal at distance d from the first joint and links a and b, the middle joint lies at
//! `x = (d² + a² - b²) / 2d` along the way and `sqrt(a² - x²)` aside, on the side of the pole. A goal out of
//! reach is drawn in to the length of the stretched leg.

use glam::{Mat3, Quat, Vec3};
use rebone_model::Clamp as _;

/// A leg of the rest pose: positions of hip, knee and ankle.
pub(super) type LegRest = [Vec3; 3];

/// Model-space turns of thigh and shin relative to the rest pose that bring the ankle to `goal`, the
/// knee towards `pole`; and how far the leg is stretched, 1 = straight.
pub(super) fn solve(rest: LegRest, hip: Vec3, goal: Vec3, pole: Vec3) -> (Quat, Quat, f32) {
    let [rest_hip, rest_knee, rest_ankle] = rest;
    let (thigh, shin) = (rest_knee - rest_hip, rest_ankle - rest_knee);
    let (a, b) = (thigh.length(), shin.length());
    let longest = 0.9999 * (a + b);
    let way = goal - hip;
    let distance = way.length().clamped(1e-4, longest);
    let along = way.normalize_or(Vec3::NEG_Y);
    let rest_along = (rest_ankle - rest_hip).normalize_or(Vec3::NEG_Y);
    let hinge = pole.cross(along).normalize_or(Vec3::X);
    let rest_hinge = thigh.cross(rest_along).normalize_or(Vec3::X);
    let x = (distance * distance + a * a - b * b) / (2.0 * distance);
    let aside = (a * a - x * x).max(0.0).sqrt();
    let knee = hip + along * x + along.cross(hinge) * aside;
    let ankle = hip + along * distance;
    let turn = |rest_link: Vec3, link: Vec3| {
        let from = frame(rest_link, rest_hinge);
        let to = frame(link, hinge);
        Quat::from_mat3(&(to * from.transpose()))
    };
    let stretch = way.length() / (a + b);
    (turn(thigh, knee - hip), turn(shin, ankle - knee), stretch)
}

fn frame(link: Vec3, hinge: Vec3) -> Mat3 {
    let along = link.normalize_or(Vec3::NEG_Y);
    let hinge = hinge.reject_from_normalized(along).normalize_or(Vec3::X);
    Mat3::from_cols(along, hinge, along.cross(hinge))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ankle_reaches_the_goal_and_the_knee_bends_forward() {
        let rest = [
            Vec3::new(0.1, 0.92, 0.0),
            Vec3::new(0.1, 0.5, 0.01),
            Vec3::new(0.1, 0.08, -0.02),
        ];
        let hip = Vec3::new(0.12, 0.8, 0.1);
        let goal = Vec3::new(0.05, 0.1, 0.3);
        let (thigh, shin, stretch) = solve(rest, hip, goal, Vec3::Z);
        let knee = hip + thigh * (rest[1] - rest[0]);
        let ankle = knee + shin * (rest[2] - rest[1]);
        assert!(ankle.abs_diff_eq(goal, 1e-5));
        assert!(knee.z > 0.5 * (hip.z + ankle.z) + 0.05);
        assert!(stretch < 1.0);
    }
}
