//! Where the points of a body go in a clip.

use super::points::ContactPoints;
use crate::runtime::Rig;
use glam::{Affine3A, Quat, Vec3};
use rebone_model::Clip;
use rebone_model::sampling::sample_joint;

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
        let mut wanted = vec![false; rig.len()];
        let ends = points.points.iter().map(|point| point.joint);
        for joint in ends.chain(points.hips) {
            let mut at = Some(joint);
            while let Some(open) = at.filter(|&open| !wanted[open]) {
                wanted[open] = true;
                at = rig.parents[open];
            }
        }
        let mut model = vec![Affine3A::IDENTITY; rig.len()];
        // Offsets are in file units, so that the scale of a container must not touch them.
        let mut turns = vec![Quat::IDENTITY; rig.len()];
        let mut motion = Self {
            times: times.to_vec(),
            points: vec![Vec::with_capacity(times.len()); points.points.len()],
            hips: Vec::new(),
        };
        for &time in times {
            for joint in (0..rig.len()).filter(|&joint| wanted[joint]) {
                let local = sample_joint(&clip.joints[joint], rig.rest[joint], time);
                (model[joint], turns[joint]) = match rig.parents[joint] {
                    Some(parent) => (
                        model[parent] * local.to_affine(),
                        turns[parent] * local.rotation,
                    ),
                    None => (local.to_affine(), local.rotation),
                };
            }
            for (path, point) in motion.points.iter_mut().zip(&points.points) {
                let joint = Vec3::from(model[point.joint].translation);
                let place = joint + turns[point.joint] * point.offset;
                path.push(points.canonical_from_file * place);
            }
            if let Some(hips) = points.hips {
                let place = Vec3::from(model[hips].translation);
                motion.hips.push(points.canonical_from_file * place);
            }
        }
        motion
    }
}
