//! What stretch of a chain each of its bones covers.
//!
//! Bone k reaches from s_k to s_{k+1}; s is the length along the chain in the retarget pose, 0 at its root and 1 at
//! its tip. The last bone leads to the joint that the chain carries (the neck, of a torso); where there is none it is
//! as long as the mean of the others and goes on in the direction of the one before. Chains without any length are
//! cut evenly.

use crate::align::Alignment;
use glam::DVec3;

/// One bone of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bone {
    /// The joint at its root.
    pub(super) joint: usize,
    /// Where it begins, 0 to 1.
    pub(super) start: f64,
    /// Where it ends, 0 to 1.
    pub(super) end: f64,
    /// Unit direction in the retarget pose, canonical; zero for a bone without length.
    pub(super) direction: DVec3,
}

impl Bone {
    pub(super) fn middle(&self) -> f64 {
        0.5 * (self.start + self.end)
    }

    /// How much of this bone and of another lies side by side.
    pub(super) fn overlap(&self, other: &Self) -> f64 {
        (self.end.min(other.end) - self.start.max(other.start)).max(0.0)
    }
}

/// The bones of a chain of joints that ends in `tip`.
pub(super) fn bones(alignment: &Alignment, joints: &[usize], tip: Option<usize>) -> Vec<Bone> {
    let place = |joint: usize| alignment.reference[joint].position;
    let ends = joints.iter().skip(1).copied().map(Some).chain([tip]);
    let mut ways: Vec<Option<DVec3>> = joints
        .iter()
        .zip(ends)
        .map(|(&joint, end)| Some(place(end?) - place(joint)))
        .collect();
    if let Some(open @ None) = ways.last_mut() {
        *open = Some(DVec3::ZERO);
        let known = &ways[..ways.len() - 1];
        let sum: f64 = known.iter().flatten().map(|way| way.length()).sum();
        let before = known.last().copied().flatten().unwrap_or(DVec3::ZERO);
        let along = before.normalize_or_zero() * (sum / known.len().max(1) as f64);
        if let Some(last) = ways.last_mut() {
            *last = Some(along);
        }
    }
    let ways: Vec<DVec3> = ways.into_iter().flatten().collect();
    let total: f64 = ways.iter().map(|way| way.length()).sum();
    let count = ways.len().max(1) as f64;
    let mut start = 0.0;
    joints
        .iter()
        .zip(ways)
        .map(|(&joint, way)| {
            let part = if total < 1e-9 {
                1.0 / count
            } else {
                way.length() / total
            };
            // The way as the retarget pose has it: it turns with the joint.
            let turn = alignment.retarget_rotation(joint)
                * alignment.reference[joint].rotation.conjugate();
            let bone = Bone {
                joint,
                start,
                end: start + part,
                direction: (turn * way).normalize_or_zero(),
            };
            start = bone.end;
            bone
        })
        .collect()
}
