//! Where the transfer reads the source's poses.

use super::affine_lanes::Transforms;
use crate::lanes::{Rotations, Vectors};
use rebone_model::Transform;
use rebone_model::joint_frames::JointFrames;

/// N poses of the source.
pub(super) trait Sources<const N: usize> {
    /// The local rotations of a joint.
    fn rotation(&self, joint: usize) -> Rotations<N>;

    /// The local transforms of a joint.
    fn local(&self, joint: usize) -> Transforms<N>;
}

/// Poses as they are.
impl<const N: usize> Sources<N> for [&[Transform]; N] {
    #[inline(always)]
    fn rotation(&self, joint: usize) -> Rotations<N> {
        Rotations::gather(self.map(|source| source[joint].rotation))
    }

    #[inline(always)]
    fn local(&self, joint: usize) -> Transforms<N> {
        Transforms {
            translation: Vectors::gather(self.map(|source| source[joint].translation)),
            rotation: self.rotation(joint),
            scale: Vectors::gather(self.map(|source| source[joint].scale)),
        }
    }
}

/// N frames of a clip, from one on.
pub(super) struct FramesFrom<'a> {
    pub(super) joints: &'a [JointFrames<'a>],
    pub(super) first: usize,
}

impl<const N: usize> Sources<N> for FramesFrom<'_> {
    #[inline(always)]
    fn rotation(&self, joint: usize) -> Rotations<N> {
        let joint = &self.joints[joint];
        match joint.still_rotation() {
            Some(rotation) => Rotations::splat(rotation),
            None => Rotations::gather(joint.rotations(self.first)),
        }
    }

    #[inline(always)]
    fn local(&self, joint: usize) -> Transforms<N> {
        let frames = &self.joints[joint];
        let translation = match frames.still_translation() {
            Some(translation) => Vectors::splat(translation),
            None => Vectors::gather(frames.translations(self.first)),
        };
        let scale = match frames.still_scale() {
            Some(scale) => Vectors::splat(scale),
            None => Vectors::gather(frames.scales(self.first)),
        };
        Transforms {
            translation,
            rotation: self.rotation(joint),
            scale,
        }
    }
}
