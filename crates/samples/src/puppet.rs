//! Posing the adult as if no joint were turned in the rest pose.
//!
//! With R a joint's rest rotation in model space and D the turn given here, in model axes as seen from the
//! parent, the carried turn is `C = C_parent D`, the model rotation `C R`, and the local one
//! `R_parent⁻¹ D R`.

use super::arm_ik::{Arm, HandGoal};
use super::leg_ik::solve;
use super::rig::{Rig, on_side};
use super::{Contact, SampleClip};
use glam::{Quat, Vec3};
use rebone_model::rotation::same_hemisphere;
use rebone_model::{Clip, Interpolation, Skeleton, Track};
use std::sync::Arc;

/// The two sides: name and sign of X.
pub(super) const SIDES: [(&str, f32); 2] = [("Left", 1.0), ("Right", -1.0)];

/// Where a foot shall be. Angles in radians; positive pitch points the toes down.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootGoal {
    pub(super) ankle: Vec3,
    pub(super) pitch: f32,
    /// Pitch of the toes in model space; 0 lies flat.
    pub(super) toe_pitch: f32,
    /// Toes outwards.
    pub(super) yaw: f32,
    /// About the way ahead, before the others: the left side up.
    pub(super) roll: f32,
}

/// Angles of an arm in radians, the same words for both sides.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ArmPose {
    /// Below the horizontal.
    pub(super) lower: f32,
    /// Forward from the side.
    pub(super) forward: f32,
    /// Hanging arm swung to the front.
    pub(super) swing: f32,
    /// About its own length; positive turns the elbow's bend upwards.
    pub(super) roll: f32,
    pub(super) elbow: f32,
    /// Hand towards the thumb.
    pub(super) wrist: f32,
    /// Palm turned back and down, half in the forearm and half in the hand.
    pub(super) pronate: f32,
    /// Collar bone raised.
    pub(super) shrug: f32,
}

/// How the body is held at one moment.
#[derive(Clone, Debug)]
pub(super) struct Pose {
    /// Position of the hips, model space.
    pub(super) hips: Vec3,
    /// Pitch (forward), yaw (to the left), roll (left side up) of pelvis, chest and head in model space.
    pub(super) pelvis: Vec3,
    pub(super) chest: Vec3,
    pub(super) head: Vec3,
    pub(super) arms: [ArmPose; 2],
    pub(super) feet: [FootGoal; 2],
    /// Curl of the fingers, 1 = relaxed.
    pub(super) curl: [f32; 2],
    /// Knees apart, as a part of the way forward.
    pub(super) knees_apart: f32,
}

/// The adult's rig with what posing it needs.
#[derive(Clone, Debug)]
pub(super) struct Puppet {
    rig: Rig,
    /// Keys a second.
    rate_hz: f32,
}

/// One frame: local rotations, the hips' translation, and how far the legs are stretched.
struct Frame {
    rotations: Vec<Quat>,
    hips: Vec3,
    stretch: f32,
}

fn model(angles: Vec3) -> Quat {
    Quat::from_rotation_y(angles.y)
        * Quat::from_rotation_z(angles.z)
        * Quat::from_rotation_x(angles.x)
}

impl Puppet {
    /// The adult, recorded at this many keys a second.
    pub(super) fn new(rate_hz: f32) -> Self {
        Self {
            rig: super::adult::rig(),
            rate_hz,
        }
    }

    /// A joint by its name without the prefix.
    pub(super) fn skeleton(&self) -> &Skeleton {
        &self.rig.skeleton
    }

    pub(super) fn joint(&self, name: &str) -> usize {
        self.rig.joint(&format!("mixamorig:{name}"))
    }

    /// Rest position of a joint, model space.
    pub(super) fn at(&self, name: &str) -> Vec3 {
        self.rig.positions[self.joint(name)]
    }

    /// From the ankle to the ball of the foot in the rest pose.
    pub(super) fn ball_from_ankle(&self) -> Vec3 {
        self.at("LeftToeBase") - self.at("LeftFoot")
    }

    /// Rest position of an ankle, at a distance along Z.
    pub(super) fn ankle(&self, side: usize, forward: f32) -> Vec3 {
        self.at(&on_side("*Foot", SIDES[side].0)) + Vec3::Z * forward
    }

    fn frame(&self, pose: &Pose, hands: Option<[HandGoal; 2]>) -> Frame {
        let mut turns = vec![Quat::IDENTITY; self.rig.skeleton.len()];
        let pelvis = model(pose.pelvis);
        turns[self.joint("Hips")] = pelvis;
        self.bend(
            &mut turns,
            &["Spine", "Spine1", "Spine2"],
            pelvis,
            model(pose.chest),
        );
        self.bend(
            &mut turns,
            &["Neck", "Head"],
            model(pose.chest),
            model(pose.head),
        );
        let mut stretch = 0.0f32;
        for (side, (name, sign)) in SIDES.into_iter().enumerate() {
            let joint = |pattern: &str| self.joint(&on_side(pattern, name));
            let arm = pose.arms[side];
            let about_y = |angle: f32| Quat::from_rotation_y(-sign * angle);
            let about_z = |angle: f32| Quat::from_rotation_z(-sign * angle);
            turns[joint("*Shoulder")] = about_z(-arm.shrug);
            turns[joint("*Arm")] = Quat::from_rotation_x(-arm.swing)
                * about_y(arm.forward)
                * about_z(arm.lower)
                * Quat::from_rotation_x(-arm.roll);
            let half_pronation = Quat::from_rotation_x(0.5 * arm.pronate);
            turns[joint("*ForeArm")] = about_y(arm.elbow) * half_pronation;
            turns[joint("*Hand")] = half_pronation * about_y(arm.wrist);
            self.curl(&mut turns, name, sign, pose.curl[side]);
            let reach = self.leg(&mut turns, side, pose, pelvis);
            stretch = stretch.max(reach);
        }
        for (side, goal) in hands.into_iter().flatten().enumerate() {
            stretch = stretch.max(self.reach(&mut turns, side, pose.hips, &goal));
        }
        let rotations = self.local_rotations(&turns);
        Frame {
            rotations,
            hips: pose.hips,
            stretch,
        }
    }

    /// Spreads the way from one model-space turn to another evenly over joints.
    fn bend(&self, turns: &mut [Quat], joints: &[&str], from: Quat, to: Quat) {
        let whole = from.conjugate() * to;
        let share = Quat::IDENTITY.slerp(whole, 1.0 / joints.len() as f32);
        for name in joints {
            turns[self.joint(name)] = share;
        }
    }

    fn curl(&self, turns: &mut [Quat], side: &str, sign: f32, curl: f32) {
        let fingers = [
            ("Index", 0.8),
            ("Middle", 1.0),
            ("Ring", 1.15),
            ("Pinky", 1.25),
        ];
        for (finger, amount) in fingers {
            for (joint, angle) in [(1, 0.26), (2, 0.36), (3, 0.20)] {
                let name = format!("{side}Hand{finger}{joint}");
                turns[self.joint(&name)] = Quat::from_rotation_z(-sign * angle * amount * curl);
            }
        }
        for (joint, angle) in [(1, 0.18), (2, 0.16), (3, 0.14)] {
            let name = format!("{side}HandThumb{joint}");
            let axis = Vec3::new(0.3, sign, -0.5 * sign).normalize_or_zero();
            turns[self.joint(&name)] = Quat::from_axis_angle(axis, angle * curl);
        }
    }

    fn leg(&self, turns: &mut [Quat], side: usize, pose: &Pose, pelvis: Quat) -> f32 {
        let (name, sign) = SIDES[side];
        let joints = ["*UpLeg", "*Leg", "*Foot", "*ToeBase"]
            .map(|pattern| self.joint(&on_side(pattern, name)));
        let rest = [0, 1, 2].map(|index| self.rig.positions[joints[index]]);
        let goal = pose.feet[side];
        let hip = pose.hips + pelvis * (rest[0] - self.at("Hips"));
        let foot_yaw = Quat::from_rotation_y(sign * goal.yaw);
        let ahead = Vec3::new(sign * pose.knees_apart, 0.0, 1.0);
        let pole = (foot_yaw * ahead + pelvis * Vec3::Z).normalize_or(Vec3::Z);
        let (thigh, shin, stretch) = solve(rest, hip, goal.ankle, pole);
        let foot_turn = foot_yaw * Quat::from_rotation_z(goal.roll);
        let foot = foot_turn * Quat::from_rotation_x(goal.pitch);
        let toes = foot_turn * Quat::from_rotation_x(goal.toe_pitch);
        let carried = [pelvis, thigh, shin, foot, toes];
        for index in 0..4 {
            turns[joints[index]] = carried[index].conjugate() * carried[index + 1];
        }
        stretch
    }

    /// What the joints above a joint, and it, have turned since the rest pose, and where it is.
    fn carried(&self, turns: &[Quat], joint: usize, hips: Vec3) -> (Quat, Vec3) {
        let Some(parent) = self.rig.skeleton.parent(joint) else {
            return (turns[joint], hips);
        };
        let (turn, place) = self.carried(turns, parent, hips);
        let way = self.rig.positions[joint] - self.rig.positions[parent];
        (turn * turns[joint], place + turn * way)
    }

    /// Brings a hand to its goal; how far the arm is stretched.
    fn reach(&self, turns: &mut [Quat], side: usize, hips: Vec3, goal: &HandGoal) -> f32 {
        let name = SIDES[side].0;
        let joint = |pattern: &str| self.joint(&on_side(pattern, name));
        let joints = ["*Arm", "*ForeArm", "*Hand"].map(joint);
        let rest = joints.map(|joint| self.rig.positions[joint]);
        let carried = joints.map(|joint| self.carried(turns, joint, hips));
        let arm = Arm {
            rest: [rest[0], rest[1], rest[2], self.knuckles(side)],
            shoulder: carried[0].1,
            turns: carried.map(|(turn, _)| turn),
        };
        let (reached, stretch) = arm.reach(goal);
        let (above, _) = self.carried(turns, joint("*Shoulder"), hips);
        for (index, &joint) in joints.iter().enumerate() {
            let above = if index == 0 {
                above
            } else {
                reached[index - 1]
            };
            turns[joint] = above.conjugate() * reached[index];
        }
        stretch * goal.weight
    }

    /// Rest place of the middle of a hand's knuckles.
    fn knuckles(&self, side: usize) -> Vec3 {
        let knuckle = |finger: &str| self.at(&on_side(&format!("*Hand{finger}1"), SIDES[side].0));
        ["Index", "Middle", "Ring", "Pinky"]
            .map(knuckle)
            .into_iter()
            .sum::<Vec3>()
            / 4.0
    }

    fn local_rotations(&self, turns: &[Quat]) -> Vec<Quat> {
        let rest = &self.rig.rotations;
        let joints = self.rig.skeleton.joints().iter();
        joints
            .zip(turns)
            .enumerate()
            .map(|(joint, (info, &turn))| {
                let parent = info.parent.map_or(Quat::IDENTITY, |parent| rest[parent]);
                rebone_model::rotation::normalized_or_identity(
                    parent.conjugate() * turn * rest[joint],
                )
            })
            .collect()
    }

    /// Records a clip; the second value is the largest stretch of a leg on the way.
    pub(super) fn record(
        &self,
        name: &str,
        seconds: f32,
        pose_at: &dyn Fn(f32) -> Pose,
        hands_at: Option<&dyn Fn(f32) -> [HandGoal; 2]>,
    ) -> (Clip, f32) {
        let count = (seconds * self.rate_hz).round() as usize + 1;
        let times: Arc<[f32]> = (0..count).map(|key| key as f32 / self.rate_hz).collect();
        let frames: Vec<Frame> = times
            .iter()
            .map(|&t| self.frame(&pose_at(t), hands_at.map(|hands| hands(t))))
            .collect();
        let stretch = frames
            .iter()
            .fold(0.0f32, |most, frame| most.max(frame.stretch));
        let mut clip = Clip::new(name, self.rig.skeleton.len());
        clip.rate_hz = Some(f64::from(self.rate_hz));
        for (joint, tracks) in clip.joints.iter_mut().enumerate() {
            let mut values: Vec<Quat> = frames.iter().map(|f| f.rotations[joint]).collect();
            for key in 1..values.len() {
                values[key] = same_hemisphere(values[key], values[key - 1]);
            }
            let first = values[0];
            tracks.rotation = if values.iter().all(|value| value.abs_diff_eq(first, 1e-6)) {
                let rest = self.rig.skeleton.joints()[joint].rest.rotation;
                (!rest.abs_diff_eq(first, 1e-6)).then(|| Track::constant(first))
            } else {
                Track::new(Interpolation::Linear, Arc::clone(&times), values).ok()
            };
        }
        let hips = frames.iter().map(|frame| frame.hips).collect();
        clip.joints[self.joint("Hips")].translation =
            Track::new(Interpolation::Linear, times, hips).ok();
        (clip, stretch)
    }

    /// A contact of a joint from the first key not before `start` to the last key not after `end`.
    pub(super) fn contact(&self, joint: &str, start: f32, end: f32) -> Contact {
        Contact {
            joint: self.joint(joint),
            start: (start * self.rate_hz - 1e-3).ceil().max(0.0) / self.rate_hz,
            end: (end * self.rate_hz + 1e-3).floor() / self.rate_hz,
        }
    }

    /// Records a clip whose hands go to places, with its contacts.
    pub(super) fn sample_reaching(
        &self,
        name: &str,
        seconds: f32,
        pose_at: &dyn Fn(f32) -> Pose,
        hands_at: &dyn Fn(f32) -> [HandGoal; 2],
        contacts: Vec<Contact>,
    ) -> SampleClip {
        let (clip, stretch) = self.record(name, seconds, pose_at, Some(hands_at));
        debug_assert!(stretch < 0.9999, "{name}: a limb is stretched to {stretch}");
        SampleClip { clip, contacts }
    }

    /// Records a clip with its contacts.
    pub(super) fn sample(
        &self,
        name: &str,
        seconds: f32,
        pose_at: &dyn Fn(f32) -> Pose,
        contacts: Vec<Contact>,
    ) -> SampleClip {
        let (clip, stretch) = self.record(name, seconds, pose_at, None);
        debug_assert!(stretch < 0.9999, "{name}: a leg is stretched to {stretch}");
        SampleClip { clip, contacts }
    }
}
