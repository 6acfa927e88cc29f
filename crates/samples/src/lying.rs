//! Motions of bodies that lie, crawl or sit on the floor. They are for tests only and are not among the files.

use super::arm_ik::HandGoal;
use super::hard::{SOFT, Stage, sit_cross_legged, there_and_back};
use super::puppet::{Pose, Puppet, SIDES};
use glam::Vec3;
use rebone_model::Clip;
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use std::f32::consts::{FRAC_PI_2, TAU};

/// Lying on the back, the belly and a side, crawling, and sitting cross-legged with the hands on the knees: motions of the adult's
/// skeleton, 60 keys a second.
pub fn lying_clips() -> Vec<Clip> {
    let stage = Stage::new(Puppet::new(60.0));
    vec![
        on_back(&stage),
        on_belly(&stage),
        on_side(&stage),
        crawl(&stage),
        hands_on_knees(&stage),
    ]
}

/// Trunk and head turned forwards by one angle.
fn pitch(pose: &mut Pose, angle: f32) {
    pose.pelvis.x = angle;
    pose.chest.x = angle;
    pose.head.x = angle;
}

/// On the back, the left knee drawn up; the hands come from the floor onto the belly and back.
fn on_back(stage: &Stage) -> Clip {
    let onto = there_and_back([0.3, 1.0, 2.0, 2.7]);
    let pose = |_: f32, pose: &mut Pose| {
        pose.hips = Vec3::new(0.0, 0.13, 0.0);
        pitch(pose, -FRAC_PI_2);
        pose.chest.x += 0.06;
        pose.head.x += 0.1;
        let [left, right] = &mut pose.feet;
        left.ankle.z = 0.42;
        right.ankle.y = 0.075;
        right.ankle.z = 0.83;
        right.pitch = -1.2;
        right.toe_pitch = -1.2;
    };
    let hands = |time: f32| {
        let onto = onto.soft(time, SOFT);
        [0, 1].map(|side| {
            let sign = SIDES[side].1;
            let beside = Vec3::new(0.32 * sign, 0.05, -0.02);
            let belly = Vec3::new(0.05 * sign, 0.245, -0.1);
            let over = Vec3::Y * (0.15 * 4.0 * onto * (1.0 - onto));
            HandGoal {
                knuckles: beside.lerp(belly, onto) + over,
                fingers: Vec3::new(0.1 * sign, 0.0, 1.0).lerp(Vec3::new(-sign, 0.0, 0.3), onto),
                palm: Vec3::NEG_Y,
                elbow: Vec3::new(sign, -0.2, 0.0),
                weight: 1.0,
            }
        })
    };
    stage.clip_with_hands("lying on the back", 3.0, &pose, &hands)
}

/// On the belly, hands flat beside the head; chest and head come up and go down.
fn on_belly(stage: &Stage) -> Clip {
    let up = there_and_back([0.4, 1.2, 1.8, 2.6]);
    let pose = |time: f32, pose: &mut Pose| {
        let up = up.soft(time, SOFT);
        pose.hips = Vec3::new(0.0, 0.12, 0.0);
        pitch(pose, FRAC_PI_2);
        pose.chest.x -= 0.5 * up;
        pose.head.x -= 0.5 + 0.6 * up;
        for foot in &mut pose.feet {
            foot.ankle.y = 0.1;
            foot.ankle.z = -0.95;
            foot.pitch = 2.55;
            foot.toe_pitch = 2.3;
        }
    };
    let hands = |_: f32| {
        [0, 1].map(|side| {
            let sign = SIDES[side].1;
            HandGoal {
                knuckles: Vec3::new(0.3 * sign, 0.025, 0.6),
                fingers: Vec3::Z,
                palm: Vec3::NEG_Y,
                elbow: Vec3::new(sign, 0.1, -0.5),
                weight: 1.0,
            }
        })
    };
    stage.clip_with_hands("lying on the belly", 3.0, &pose, &hands)
}

/// On the right side with the knees bent; the upper arm's hand lies on the floor before the chest, then on the thigh.
fn on_side(stage: &Stage) -> Clip {
    let across = there_and_back([0.4, 1.2, 1.8, 2.6]);
    let pose = |_: f32, pose: &mut Pose| {
        pose.hips = Vec3::new(0.0, 0.2, 0.0);
        for part in [&mut pose.pelvis, &mut pose.chest, &mut pose.head] {
            part.z = FRAC_PI_2;
        }
        pose.head.z -= 0.25;
        for (side, foot) in pose.feet.iter_mut().enumerate() {
            let high = [0.22, 0.05][side];
            foot.ankle = Vec3::new(0.66, high, 0.12 + 0.1 * side as f32);
            foot.roll = FRAC_PI_2;
            foot.pitch = 0.4;
            foot.toe_pitch = 0.4;
            foot.yaw = 0.0;
        }
    };
    let hands = |time: f32| {
        let across = across.soft(time, SOFT);
        let [floor, thigh] = [Vec3::new(-0.3, 0.03, 0.3), Vec3::new(0.2, 0.34, 0.12)];
        let over = Vec3::Y * (0.1 * 4.0 * across * (1.0 - across));
        let upper = HandGoal {
            knuckles: floor.lerp(thigh, across) + over,
            fingers: Vec3::new(-0.4, 0.0, 1.0).lerp(Vec3::new(1.0, 0.0, 0.2), across),
            palm: Vec3::NEG_Y,
            elbow: Vec3::new(0.2, 1.0, 0.4),
            weight: 1.0,
        };
        let lower = HandGoal {
            knuckles: Vec3::new(-0.62, 0.05, 0.36),
            fingers: Vec3::new(-0.6, 0.0, 1.0),
            palm: Vec3::Y,
            elbow: Vec3::new(0.3, 0.0, 1.0),
            weight: 1.0,
        };
        [upper, lower]
    };
    stage.clip_with_hands("lying on the side", 3.0, &pose, &hands)
}

/// On hands and knees, four steps ahead.
fn crawl(stage: &Stage) -> Clip {
    let (stride, step) = (0.36, 0.6);
    let seconds = 4.0 * step;
    // How far a hand or a knee has gone that moves in every second step, and how high it is.
    let gone = move |time: f32, late: f32| {
        let steps = time / step - late;
        let going = (steps.rem_euclid(2.0)).min(1.0);
        let share = going * going * (3.0 - 2.0 * going);
        let whole = (0.5 * steps).floor() + share;
        (stride * whole, (going * (1.0 - going) * 4.0).max(0.0))
    };
    let pose = move |time: f32, pose: &mut Pose| {
        let body = stride * (0.5 * time / step - 0.25);
        pose.hips = Vec3::new(0.0, 0.49, body);
        pitch(pose, FRAC_PI_2 - 0.1);
        pose.head.x -= 0.6;
        pose.pelvis.y = 0.06 * (TAU * time / (2.0 * step)).sin();
        for (side, foot) in pose.feet.iter_mut().enumerate() {
            let (ahead, high) = gone(time, side as f32);
            foot.ankle.y = 0.1 + 0.02 * high;
            foot.ankle.z = ahead - 0.44;
            foot.pitch = 2.6;
            foot.toe_pitch = 2.3;
        }
    };
    let hands = move |time: f32| {
        [0, 1].map(|side| {
            let sign = SIDES[side].1;
            let (ahead, high) = gone(time, 1.0 - side as f32);
            HandGoal {
                knuckles: Vec3::new(0.18 * sign, 0.025 + 0.07 * high, ahead + 0.6),
                fingers: Vec3::Z,
                palm: Vec3::NEG_Y,
                elbow: Vec3::new(0.6 * sign, 0.0, -0.8),
                weight: 1.0,
            }
        })
    };
    stage.clip_with_hands("crawl", seconds, &pose, &hands)
}

/// Down onto the floor, hands onto the knees, and up.
fn hands_on_knees(stage: &Stage) -> Clip {
    let seconds = 3.8;
    let sat = stage.clip("", seconds, &sit_cross_legged);
    let skeleton = stage.skeleton();
    let sitting = model_pose(skeleton, &sample_clip(skeleton, &sat, 1.9));
    let knees = ["mixamorig:LeftLeg", "mixamorig:RightLeg"].map(|name| {
        let mut joints = skeleton.joints().iter();
        let joint = joints.position(|joint| joint.name == name);
        joint.map_or(Vec3::ZERO, |joint| sitting.position(joint))
    });
    let onto = there_and_back([0.9, 1.6, 2.2, 2.9]);
    let hands = move |time: f32| {
        [0, 1].map(|side| {
            let sign = SIDES[side].1;
            HandGoal {
                knuckles: knees[side] + Vec3::new(-0.02 * sign, 0.085, -0.02),
                fingers: Vec3::new(0.4 * sign, -0.3, 1.0),
                palm: Vec3::NEG_Y,
                elbow: Vec3::new(sign, -0.3, -0.3),
                weight: onto.soft(time, SOFT),
            }
        })
    };
    stage.clip_with_hands("hands on knees", seconds, &sit_cross_legged, &hands)
}
