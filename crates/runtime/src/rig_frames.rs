//! A character at every time of a clip.

use super::rig::Rig;
use super::stage::PlacedFrames;
use crate::solve::jumps;
use glam::Vec4;
use rebone_model::joint_frames::JointFrames;
use rebone_model::rotation::same_hemisphere;
use rebone_model::{JointTracks, Quat, Transform, Vec3};

static STILL: JointTracks = JointTracks {
    translation: None,
    rotation: None,
    scale: None,
};

/// The joints of a rig at the times of a clip, those that nobody looks at at rest.
pub(super) fn joint_frames<'a>(
    rig: &Rig,
    joints: &'a [JointTracks],
    times: &[f32],
    is_seen: &[bool],
) -> Vec<JointFrames<'a>> {
    let frames = |(joint, rest): (usize, &Transform)| {
        let tracks = joints.get(joint).filter(|_| is_seen[joint]);
        JointFrames::new(tracks.unwrap_or(&STILL), *rest, times)
    };
    rig.rest.iter().enumerate().map(frames).collect()
}

/// All joints of a rig at the times of a clip.
pub(super) struct RigFrames<'a> {
    pub(super) joints: Vec<JointFrames<'a>>,
    rest: &'a [Transform],
    /// Joints that do not keep one place.
    moving: Vec<usize>,
    /// Those that stages look at in model space.
    pub(super) placed: PlacedFrames,
}

impl<'a> RigFrames<'a> {
    /// Joints that are not `is_seen` stay at rest; stages look at `placed` in model space.
    pub(super) fn new(
        rig: &'a Rig,
        joints: &'a [JointTracks],
        times: &[f32],
        is_seen: &[bool],
        placed: &[usize],
    ) -> Self {
        let joints = joint_frames(rig, joints, times, is_seen);
        let moving = (0..joints.len()).filter(|&joint| !joints[joint].is_still());
        Self {
            moving: moving.collect(),
            placed: PlacedFrames::new(rig, placed.iter().copied(), &joints, times.len()),
            rest: &rig.rest,
            joints,
        }
    }

    /// The frames in which the motion jumps as a whole, by the joints that stages look at.
    pub(super) fn cuts(&self) -> Vec<usize> {
        let turning = self.moving.iter().copied();
        let turning: Vec<&[Quat]> = turning
            .filter_map(|joint| self.joints[joint].moving_rotations())
            .collect();
        let count = turning.first().map_or(0, |rotations| rotations.len());
        let turn = |frame: usize| {
            let turns = turning.iter().map(|rotations| {
                let [before, now] = [rotations[frame - 1], rotations[frame]];
                // Twice the straight way between both is nearly the angle.
                let way = Vec4::from(now) - Vec4::from(same_hemisphere(before, now));
                2.0 * way.length()
            });
            (turns.sum::<f32>() / turning.len() as f32).to_degrees()
        };
        let turns: Vec<f32> = (1..count).map(turn).collect();
        jumps(&turns)
    }

    /// Poses frame by frame, between which some joints are changed.
    pub(super) fn poses(&self, changed: &[usize]) -> Poses<'_> {
        let still = |joint: usize| self.joints[joint].still(self.rest[joint]);
        let mut poses = Poses {
            pose: (0..self.joints.len()).map(still).collect(),
            changed: changed.iter().map(|&joint| (joint, still(joint))).collect(),
            rotations: Vec::new(),
            translations: Vec::new(),
            scales: Vec::new(),
        };
        for &joint in &self.moving {
            let frames = &self.joints[joint];
            let rotations = frames.moving_rotations().map(|all| (joint, all));
            let translations = frames.moving_translations().map(|all| (joint, all));
            poses.rotations.extend(rotations);
            poses.translations.extend(translations);
            poses
                .scales
                .extend(frames.moving_scales().map(|all| (joint, all)));
        }
        poses
    }
}

/// The poses of a clip, one after another.
pub(super) struct Poses<'a> {
    /// The last one.
    pose: Vec<Transform>,
    /// What the channels that stay are in joints that others change.
    changed: Vec<(usize, Transform)>,
    rotations: Vec<(usize, &'a [Quat])>,
    translations: Vec<(usize, &'a [Vec3])>,
    scales: Vec<(usize, &'a [Vec3])>,
}

impl Poses<'_> {
    /// Becomes the pose of a frame.
    pub(super) fn go_to(&mut self, frame: usize) -> &mut [Transform] {
        for &(joint, still) in &self.changed {
            self.pose[joint] = still;
        }
        for &(joint, values) in &self.rotations {
            self.pose[joint].rotation = values[frame];
        }
        for &(joint, values) in &self.translations {
            self.pose[joint].translation = values[frame];
        }
        for &(joint, values) in &self.scales {
            self.pose[joint].scale = values[frame];
        }
        &mut self.pose
    }
}
