//! Motions that are hard to move to other bodies: legs that fold up or become straight, hands that meet quickly, bodies that are
//! upside down. They are for tests only and are not among the files.

use super::arm_ik::HandGoal;
use super::curve::Curve;
use super::foot::Stand;
use super::puppet::{ArmPose, Pose, Puppet, SIDES};
use glam::Vec3;
use rebone_model::{Clip, Skeleton};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// Seconds over which starts and stops are softened.
pub(super) const SOFT: f32 = 0.2;

/// Who poses, and how it stands.
pub(super) struct Stage {
    puppet: Puppet,
    still: Pose,
}

impl Stage {
    pub(super) fn new(puppet: Puppet) -> Self {
        let arm = ArmPose {
            lower: 1.38,
            swing: 0.05,
            elbow: 0.3,
            ..ArmPose::default()
        };
        let feet = [0, 1].map(|side| {
            let stand = Stand {
                ankle: puppet.ankle(side, 0.0),
                ball_from_ankle: puppet.ball_from_ankle(),
                yaw: 0.15,
                sign: SIDES[side].1,
            };
            stand.flat()
        });
        Self {
            still: Pose {
                hips: puppet.at("Hips") - Vec3::Y * 0.012,
                pelvis: Vec3::ZERO,
                chest: Vec3::ZERO,
                head: Vec3::ZERO,
                arms: [arm, arm],
                feet,
                curl: [1.0; 2],
                knees_apart: 0.1,
            },
            puppet,
        }
    }

    pub(super) fn clip(&self, name: &str, seconds: f32, pose: &dyn Fn(f32, &mut Pose)) -> Clip {
        self.record(name, seconds, pose, None)
    }

    /// Who poses.
    pub(super) fn skeleton(&self) -> &Skeleton {
        self.puppet.skeleton()
    }

    /// Where a joint of who poses rests, the hips being as low as when standing.
    pub(super) fn at(&self, joint: &str) -> Vec3 {
        self.puppet.at(joint) + self.still.hips - self.puppet.at("Hips")
    }

    pub(super) fn clip_with_hands(
        &self,
        name: &str,
        seconds: f32,
        pose: &dyn Fn(f32, &mut Pose),
        hands: &dyn Fn(f32) -> [HandGoal; 2],
    ) -> Clip {
        self.record(name, seconds, pose, Some(hands))
    }

    /// `pose` says how the pose at a time differs from standing still.
    fn record(
        &self,
        name: &str,
        seconds: f32,
        pose: &dyn Fn(f32, &mut Pose),
        hands: Option<&dyn Fn(f32) -> [HandGoal; 2]>,
    ) -> Clip {
        let pose = |time: f32| {
            let mut now = self.still.clone();
            pose(time, &mut now);
            now
        };
        self.puppet.record(name, seconds, &pose, hands).0
    }
}

/// From 0 to 1 and back, at these seconds.
pub(super) fn there_and_back([from, there, back, to]: [f32; 4]) -> Curve {
    Curve::new(&[(from, 0.0), (there, 1.0), (back, 1.0), (to, 0.0)])
}

/// Ten motions of the adult's skeleton, 60 keys a second.
pub fn hard_clips() -> Vec<Clip> {
    let stage = Stage::new(Puppet::new(60.0));
    vec![
        squat(&stage),
        split(&stage),
        high_kick(&stage),
        cross_legged(&stage),
        quick_clap(&stage),
        passing_hands(&stage),
        handstand(&stage),
        push_up(&stage),
        fall(&stage),
        ladder(&stage),
    ]
}

/// Down until the thighs lie on the calves, and up again.
fn squat(stage: &Stage) -> Clip {
    let down = there_and_back([0.2, 1.0, 1.4, 2.1]);
    stage.clip("squat", 2.4, &|time, pose| {
        let down = down.soft(time, SOFT);
        pose.hips += Vec3::new(0.0, -0.74, -0.06) * down;
        pose.pelvis.x = 0.5 * down;
        pose.chest.x = 0.7 * down;
        pose.head.x = 0.2 * down;
        pose.knees_apart = 0.1 + 0.5 * down;
        for (arm, foot) in pose.arms.iter_mut().zip(&mut pose.feet) {
            arm.swing += 1.2 * down;
            foot.ankle.x *= 1.0 + 0.6 * down;
        }
    })
}

/// One foot to the front, the other to the back, to the floor.
fn split(stage: &Stage) -> Clip {
    let down = there_and_back([0.2, 1.4, 1.8, 3.0]);
    stage.clip("split", 3.3, &|time, pose| {
        let down = down.soft(time, SOFT);
        pose.hips.y -= 0.72 * down;
        for (foot, ahead) in pose.feet.iter_mut().zip([0.78, -0.78]) {
            foot.ankle.z += ahead * down;
            foot.ankle.y += 0.02 * down;
            foot.pitch = if ahead > 0.0 { -0.7 } else { 1.3 } * down;
            foot.toe_pitch = foot.pitch;
        }
        for arm in &mut pose.arms {
            arm.lower -= 1.0 * down;
        }
    })
}

/// A foot above the head and down within 0.7 seconds.
fn high_kick(stage: &Stage) -> Clip {
    let up = there_and_back([0.4, 0.75, 0.8, 1.2]);
    stage.clip("high kick", 1.6, &|time, pose| {
        let up = up.soft(time, 0.5 * SOFT);
        let angle = 2.2 * up;
        let foot = &mut pose.feet[1];
        let hip = Vec3::new(foot.ankle.x, stage.still.hips.y - 0.06, foot.ankle.z);
        let length = (hip.y - foot.ankle.y) * (1.0 - 0.02 * up);
        foot.ankle = hip + Vec3::new(0.0, -angle.cos(), angle.sin()) * length;
        foot.pitch = -angle + 0.6 * up;
        foot.toe_pitch = foot.pitch;
        pose.pelvis.x = -0.5 * up;
        pose.chest.x = -0.3 * up;
        pose.arms[0].swing += 0.9 * up;
    })
}

/// Down onto the floor with the feet crossed under the knees, and up.
fn cross_legged(stage: &Stage) -> Clip {
    stage.clip("cross-legged sit", 3.8, &sit_cross_legged)
}

/// The pose of [`cross_legged`] at a time.
pub(super) fn sit_cross_legged(time: f32, pose: &mut Pose) {
    let down = there_and_back([0.2, 1.5, 2.3, 3.5]).soft(time, SOFT);
    pose.hips += Vec3::new(0.0, -0.83, -0.2) * down;
    pose.chest.x = 0.6 * down * (1.0 - down) * 4.0;
    pose.knees_apart = 0.1 + 2.0 * down;
    for (side, foot) in pose.feet.iter_mut().enumerate() {
        let crossed = Vec3::new(-0.13 * SIDES[side].1, 0.07, 0.08 + 0.1 * side as f32);
        foot.ankle = foot.ankle.lerp(crossed, down);
        foot.yaw += 0.7 * down;
    }
}

/// Hands in front of the chest, by the places of their knuckles.
fn in_front(places: [Vec3; 2], weight: f32) -> [HandGoal; 2] {
    [0, 1].map(|side| {
        let sign = SIDES[side].1;
        HandGoal {
            knuckles: Vec3::new(0.0, 1.22, 0.33) + places[side],
            fingers: Vec3::new(-0.1 * sign, 0.6, 0.75),
            palm: Vec3::new(-sign, 0.06, 0.0),
            elbow: Vec3::new(0.75 * sign, -0.8, -0.35),
            weight,
        }
    })
}

/// Four claps a second.
fn quick_clap(stage: &Stage) -> Clip {
    let raise = there_and_back([0.1, 0.6, 2.6, 3.1]);
    let hands = |time: f32| {
        let gap = 0.034 + 0.11 * (1.0 + (TAU * 4.0 * time).cos());
        let places = SIDES.map(|(_, sign)| Vec3::X * (0.5 * sign * gap));
        in_front(places, raise.soft(time, SOFT))
    };
    stage.clip_with_hands("quick clap", 3.3, &|_, _| {}, &hands)
}

/// Hands that pass each other up and down, four centimetres apart.
fn passing_hands(stage: &Stage) -> Clip {
    let raise = there_and_back([0.1, 0.6, 2.6, 3.1]);
    let hands = |time: f32| {
        let swing = 0.22 * (TAU * 0.8 * time).sin();
        let places = SIDES.map(|(_, sign)| Vec3::new(0.02 * sign, sign * swing, 0.0));
        in_front(places, raise.soft(time, SOFT))
    };
    stage.clip_with_hands("passing hands", 3.3, &|_, _| {}, &hands)
}

/// Hands on the floor, at these distances before the feet.
fn on_floor(ahead: f32, weight: f32) -> [HandGoal; 2] {
    [0, 1].map(|side| {
        let sign = SIDES[side].1;
        HandGoal {
            knuckles: Vec3::new(0.22 * sign, 0.025, ahead),
            fingers: Vec3::new(0.1 * sign, 0.0, 1.0),
            palm: Vec3::NEG_Y,
            elbow: Vec3::new(0.5 * sign, 0.5, -0.6),
            weight,
        }
    })
}

/// Bends down, goes up on the hands, and comes down again.
fn handstand(stage: &Stage) -> Clip {
    let bow = there_and_back([0.2, 1.1, 3.2, 4.2]);
    let up = there_and_back([1.1, 2.0, 2.5, 3.3]);
    let ahead = 0.55;
    let pose = |time: f32, pose: &mut Pose| {
        let (bow, up) = (bow.soft(time, SOFT), up.soft(time, SOFT));
        let standing = pose.hips;
        let bent = Vec3::new(0.0, 0.68, -0.06);
        let inverted = Vec3::new(0.0, 1.0, ahead);
        pose.hips = standing.lerp(bent, bow).lerp(inverted, up);
        pose.pelvis.x = 1.2 * bow + (PI - 1.2) * up;
        pose.chest.x = 2.2 * bow + (PI - 2.2) * up;
        pose.head.x = 1.6 * bow + (2.6 - 1.6) * up;
        for foot in &mut pose.feet {
            let high = Vec3::new(0.6 * foot.ankle.x, 1.78, ahead);
            foot.ankle = foot.ankle.lerp(high, up);
            foot.pitch = (PI + 0.9) * up;
            foot.toe_pitch = foot.pitch;
        }
    };
    let hands = |time: f32| on_floor(ahead, bow.soft(time, SOFT));
    stage.clip_with_hands("handstand", 4.5, &pose, &hands)
}

/// Four push-ups.
fn push_up(stage: &Stage) -> Clip {
    let seconds = 4.0;
    let pose = |time: f32, pose: &mut Pose| {
        let down = 0.5 - 0.5 * (TAU * time).cos();
        let lean = FRAC_PI_2 - 0.36 + 0.24 * down;
        pose.hips = Vec3::new(0.0, 0.36 - 0.16 * down, 0.0);
        pose.pelvis.x = lean;
        pose.chest.x = lean;
        pose.head.x = lean - 0.4;
        for foot in &mut pose.feet {
            foot.ankle = Vec3::new(0.8 * foot.ankle.x, 0.13, -0.82);
            foot.pitch = 1.25;
            foot.toe_pitch = 0.0;
        }
    };
    stage.clip_with_hands("push-up", seconds, &pose, &|_| on_floor(0.46, 1.0))
}

/// Knees give way, and the body falls onto its front.
fn fall(stage: &Stage) -> Clip {
    let kneels = Curve::new(&[(0.2, 0.0), (0.8, 1.0)]);
    let lies = Curve::new(&[(0.75, 0.0), (1.25, 1.0)]);
    stage.clip("fall", 2.2, &|time, pose| {
        let (kneels, lies) = (kneels.soft(time, SOFT), lies.soft(time, 0.5 * SOFT));
        let kneeling = Vec3::new(0.0, 0.52, 0.12);
        let lying = Vec3::new(0.0, 0.13, 0.42);
        pose.hips = pose.hips.lerp(kneeling, kneels).lerp(lying, lies);
        pose.pelvis.x = 0.15 * kneels + (FRAC_PI_2 - 0.15) * lies;
        pose.chest.x = 0.3 * kneels + (FRAC_PI_2 - 0.3) * lies;
        pose.head.x = 0.3 * kneels + (1.2 - 0.3) * lies;
        for (arm, foot) in pose.arms.iter_mut().zip(&mut pose.feet) {
            arm.swing += 0.6 * kneels + 2.2 * lies;
            let back = Vec3::new(foot.ankle.x, 0.1, -0.38);
            let behind = Vec3::new(foot.ankle.x, 0.1, -0.43);
            foot.ankle = foot.ankle.lerp(back, kneels).lerp(behind, lies);
            foot.pitch = 1.4 * kneels;
            foot.toe_pitch = 1.2 * kneels;
        }
    })
}

/// Eight rungs up a ladder, hand over hand.
fn ladder(stage: &Stage) -> Clip {
    let (rung, step) = (0.28, 0.45);
    // How many rungs something has climbed that goes on every second step.
    let climbed = move |time: f32, late: f32| {
        let steps = (time / step - late).max(0.0) * 0.5;
        let going = (2.0 * steps.fract()).min(1.0);
        rung * 2.0 * (steps.floor() + going * going * (3.0 - 2.0 * going))
    };
    let pose = move |time: f32, pose: &mut Pose| {
        let mut up = 0.0;
        for (side, foot) in pose.feet.iter_mut().enumerate() {
            let height = climbed(time, side as f32);
            foot.ankle += Vec3::new(0.0, height, 0.12);
            up += 0.5 * height;
        }
        pose.hips += Vec3::new(0.0, up - 0.06, -0.12);
        pose.knees_apart = 0.3;
    };
    let hands = move |time: f32| {
        [0, 1].map(|side| {
            let sign = SIDES[side].1;
            let height = climbed(time, 1.0 - side as f32);
            HandGoal {
                knuckles: Vec3::new(0.2 * sign, 1.25 + height, 0.3),
                fingers: Vec3::new(0.0, 0.5, 0.8),
                palm: Vec3::new(0.0, -0.5, 0.8),
                elbow: Vec3::new(0.5 * sign, -0.8, -0.2),
                weight: 1.0,
            }
        })
    };
    stage.clip_with_hands("ladder", 3.4, &pose, &hands)
}
