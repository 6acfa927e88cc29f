//! Where the points of a body that can touch something go, from its joints.

use super::rig::Rig;
use super::stage::PlacedFrames;
use crate::contact::{ContactMotion, ContactPoints};
use glam::Vec3;
use rebone_model::Clip;
use rebone_model::joint_frames::JointFrames;

impl ContactMotion {
    /// The motion of a character in a clip, at these times.
    pub fn new(points: &ContactPoints, rig: &Rig, clip: &Clip, times: &[f32]) -> Self {
        let joints = clip.joints.iter().zip(&rig.rest);
        let frames: Vec<JointFrames<'_>> = joints
            .map(|(tracks, rest)| JointFrames::new(tracks, *rest, times))
            .collect();
        let placed = PlacedFrames::new(rig, points.joints(), &frames, times.len());
        Self::of_placed(points, &placed, times)
    }

    /// The same, where the joints were placed at these times.
    pub(crate) fn of_placed(points: &ContactPoints, placed: &PlacedFrames, times: &[f32]) -> Self {
        let turn = points.canonical_from_file;
        let path = |joint: usize, offset: Vec3| -> Vec<Vec3> {
            let place = |frame: usize| {
                let placed = placed.at(joint, frame);
                // Offsets are in file units, so that the scale of a container must not touch them.
                turn * (placed.position() + placed.rotation * offset)
            };
            (0..times.len()).map(place).collect()
        };
        let ends = points.points.iter();
        let hips = points.hips.map(|hips| path(hips, Vec3::ZERO));
        Self {
            times: times.to_vec(),
            points: ends.map(|point| path(point.joint, point.offset)).collect(),
            hips: hips.unwrap_or_default(),
        }
    }
}
