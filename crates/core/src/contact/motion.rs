//! Where the points of a body go in a clip.

use super::points::ContactPoints;
use crate::runtime::{Kinematics, Placed, Rig};
use glam::Vec3;
use rebone_model::Clip;
use rebone_model::joint_frames::JointFrames;

/// The paths of the points of a body: canonical axes, file units, as in the clip (the floor need not be at 0).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactMotion {
    /// When, seconds, rising.
    pub times: Vec<f32>,
    /// For every point where it is at each time.
    pub points: Vec<Vec<Vec3>>,
    /// Where the hips are at each time; empty without hips.
    pub hips: Vec<Vec3>,
}

impl ContactMotion {
    /// The motion of a character in a clip, at these times.
    pub fn new(points: &ContactPoints, rig: &Rig, clip: &Clip, times: &[f32]) -> Self {
        let joints = clip.joints.iter().zip(&rig.rest);
        let frames: Vec<JointFrames<'_>> = joints
            .map(|(tracks, rest)| JointFrames::new(tracks, *rest, times))
            .collect();
        Self::of_frames(points, rig, &frames, times)
    }

    /// The same, of joints that were sampled at these times.
    pub fn of_frames(
        points: &ContactPoints,
        rig: &Rig,
        frames: &[JointFrames<'_>],
        times: &[f32],
    ) -> Self {
        let ends = points.points.iter().map(|point| point.joint);
        let kinematics = Kinematics::new(rig, ends.chain(points.hips));
        let mut placed = vec![Placed::ROOT; kinematics.len()];
        let place_of = |joint: usize| kinematics.find(joint).unwrap_or(0);
        let ends: Vec<(usize, Vec3)> = points
            .points
            .iter()
            .map(|point| (place_of(point.joint), point.offset))
            .collect();
        let hips = points.hips.map(place_of);
        let mut motion = Self {
            times: times.to_vec(),
            points: vec![Vec::with_capacity(times.len()); points.points.len()],
            hips: Vec::new(),
        };
        for frame in 0..times.len() {
            kinematics.place_by(|joint| frames[joint].at(frame), &mut placed);
            for (path, &(end, offset)) in motion.points.iter_mut().zip(&ends) {
                // Offsets are in file units, so that the scale of a container must not touch them.
                let place = placed[end].position() + placed[end].rotation * offset;
                path.push(points.canonical_from_file * place);
            }
            if let Some(hips) = hips {
                let place = placed[hips].position();
                motion.hips.push(points.canonical_from_file * place);
            }
        }
        motion
    }
}
