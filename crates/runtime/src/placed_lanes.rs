//! A source joint in model space, in N poses at a time.

use super::affine_lanes::Transforms;
use super::stage::{Shape, even_size, is_even};
use crate::lanes::{Lanes, Rotations, Vectors};
use glam::{Mat3A, Quat, Vec3, Vec3A};

/// A joint of N poses in its file's model space: [`Placed`](super::stage::Placed) lane by lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedLanes<const N: usize> {
    pub(super) rotation: Rotations<N>,
    pub(super) position: Vectors<N>,
    /// How much longer it makes lengths, in lanes where it only does that.
    size: Lanes<N>,
    /// True where the scale of some lane is uneven.
    has_uneven: bool,
    /// What those lanes make of vectors; means nothing without `has_uneven`.
    uneven: [Option<Mat3A>; N],
}

impl<const N: usize> PlacedLanes<N> {
    /// What stands above the roots.
    pub(super) fn root() -> Self {
        Self {
            rotation: Rotations::splat(Quat::IDENTITY),
            position: Vectors::splat(Vec3::ZERO),
            size: Lanes::splat(1.0),
            has_uneven: false,
            uneven: [None; N],
        }
    }

    /// Becomes a joint below another, of these local transforms.
    #[inline(always)]
    pub(super) fn put_below(&mut self, above: &Self, local: &Transforms<N>) {
        let way = local.translation * above.size;
        self.rotation = above.rotation * local.rotation;
        self.position = above.position + above.rotation.turned(way);
        let [size, ..] = local.scale.0;
        self.size = above.size * size;
        self.has_uneven = above.has_uneven | !are_even(local.scale);
        if self.has_uneven {
            self.put_uneven(above, local);
        }
    }

    /// The lanes whose scale is uneven.
    #[cold]
    fn put_uneven(&mut self, above: &Self, local: &Transforms<N>) {
        for lane in 0..N {
            let local = local.lane(lane);
            let is_even = above.uneven(lane).is_none() && even_size(local.scale).is_some();
            self.uneven[lane] = None;
            if is_even {
                continue;
            }
            let linear = above.linear(lane);
            let way = linear * Vec3A::from(local.translation);
            let position = Vec3A::from(above.position.lane(lane)) + way;
            self.position.set_lane(lane, position.into());
            self.uneven[lane] = Some(linear * local.to_affine().matrix3);
        }
    }

    /// What it makes of lengths in one lane.
    pub(super) fn shape(&self, lane: usize) -> Shape {
        let even = Shape::Even(self.size.0[lane]);
        self.uneven(lane).map_or(even, Shape::Uneven)
    }

    /// What it makes of vectors in one lane whose scale is uneven.
    fn uneven(&self, lane: usize) -> Option<Mat3A> {
        self.uneven[lane].filter(|_| self.has_uneven)
    }

    /// What it makes of vectors in one lane.
    fn linear(&self, lane: usize) -> Mat3A {
        let own = || Mat3A::from_quat(self.rotation.lane(lane)) * self.size.0[lane];
        self.uneven(lane).unwrap_or_else(own)
    }

    /// How much larger it makes things in one lane.
    pub(super) fn volume(&self, lane: usize) -> f32 {
        let own = || self.size.0[lane].powi(3);
        self.uneven(lane)
            .map_or_else(own, |linear| linear.determinant())
            .abs()
    }
}

/// True where the scales of all lanes are the same along all axes.
#[inline(always)]
fn are_even<const N: usize>(scales: Vectors<N>) -> bool {
    let [x, y, z] = scales.0;
    let mut all = true;
    for lane in 0..N {
        all &= is_even(x.0[lane], y.0[lane], z.0[lane]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Rig;
    use crate::sources::Sources as _;
    use crate::stage::{Kinematics, Placed};
    use rebone_model::Transform;

    /// Whatever other lanes do, and whatever was uneven in the frame before.
    #[test]
    fn every_lane_is_placed_as_if_alone() {
        let local = |lane: usize, joint: usize, frame: usize| {
            let angle = (1 + lane) as f32 * 0.7 + joint as f32 + frame as f32 * 0.3;
            // Three of four frames and half of the lanes are uneven, at the first or the second joint.
            let uneven = lane % 2 == 1 && !frame.is_multiple_of(4) && joint == frame % 2;
            Transform {
                translation: Vec3::new(angle.sin(), 1.0, angle.cos()),
                rotation: Quat::from_euler(glam::EulerRot::XYZ, angle, 0.4, -angle),
                scale: if uneven {
                    Vec3::new(1.0, 2.0, 0.5)
                } else {
                    Vec3::splat(1.5)
                },
            }
        };
        let rig = Rig {
            parents: vec![None, Some(0), Some(1)],
            rest: vec![Transform::IDENTITY; 3],
        };
        let kinematics = Kinematics::new(&rig, [2]);
        let mut lanes = [PlacedLanes::<8>::root(); 3];
        for frame in 0..12 {
            for joint in 0..3 {
                let root = PlacedLanes::root();
                let (before, own) = lanes.split_at_mut(joint);
                let locals: [Transform; 8] = std::array::from_fn(|lane| local(lane, joint, frame));
                let poses: [&[Transform]; 8] = locals.each_ref().map(std::slice::from_ref);
                own[0].put_below(before.last().unwrap_or(&root), &poses.local(0));
            }
            for lane in 0..8 {
                let mut alone = [Placed::ROOT; 3];
                kinematics.place_by(|joint| local(lane, joint, frame), &mut alone);
                for (lanes, alone) in lanes.iter().zip(&alone) {
                    assert_eq!(lanes.position.lane(lane), alone.position());
                    assert_eq!(lanes.rotation.lane(lane), alone.rotation);
                    let volume = alone.linear().determinant().abs();
                    let apart = (lanes.volume(lane) / volume - 1.0).abs();
                    assert!(apart < 1e-4, "frame {frame}, lane {lane}: {apart}");
                }
            }
        }
    }
}
