//! A character at every time of a clip.

use super::op::Rig;
use super::stage::PlacedFrames;
use rebone_model::joint_frames::JointFrames;
use rebone_model::{JointTracks, Transform};

static STILL: JointTracks = JointTracks {
    translation: None,
    rotation: None,
    scale: None,
};

/// All joints of a rig at the times of a clip.
pub(super) struct RigFrames<'a> {
    pub(super) joints: Vec<JointFrames<'a>>,
    rest: &'a [Transform],
    /// Joints that do not keep one place.
    pub(super) moving: Vec<usize>,
    /// Those that stages look at in model space.
    pub(super) placed: PlacedFrames,
}

impl<'a> RigFrames<'a> {
    /// Joints that nobody looks at stay at rest; `placed` are looked at in model space.
    pub(super) fn new(
        rig: &'a Rig,
        joints: &'a [JointTracks],
        times: &[f32],
        (is_seen, placed): (&[bool], &[usize]),
    ) -> Self {
        let joints = joints.iter().zip(&rig.rest).zip(is_seen);
        let joints: Vec<JointFrames<'a>> = joints
            .map(|((tracks, rest), &is_seen)| {
                let tracks = if is_seen { tracks } else { &STILL };
                JointFrames::new(tracks, *rest, times)
            })
            .collect();
        let moving = (0..joints.len()).filter(|&joint| !joints[joint].is_still());
        Self {
            moving: moving.collect(),
            placed: PlacedFrames::new(rig, placed.iter().copied(), &joints, times.len()),
            rest: &rig.rest,
            joints,
        }
    }

    /// A pose in which all that never moves is where it stays.
    pub(super) fn pose(&self) -> Vec<Transform> {
        let mut pose = self.rest.to_vec();
        for (local, joint) in pose.iter_mut().zip(&self.joints) {
            if joint.is_still() {
                *local = joint.at(0);
            }
        }
        pose
    }

    /// Brings some joints of a pose to a frame.
    pub(super) fn fill(&self, frame: usize, joints: &[usize], pose: &mut [Transform]) {
        for &joint in joints {
            pose[joint] = self.joints[joint].at(frame);
        }
    }
}
