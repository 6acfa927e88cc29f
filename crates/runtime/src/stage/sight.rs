//! Where joints of a rig are in model space and how they are turned, in the frames of a clip or in single poses: what stages
//! look at.

use super::kinematics::Kinematics;
use crate::lanes::WIDTH;
use glam::{Quat, Vec3, Vec3A};

/// Joints of a rig in some frames.
///
/// Frames lie in blocks of so many side by side; in a block joint by joint.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    joints: Vec<usize>,
    /// The place of each joint of the rig in the list; means nothing where nobody looks.
    places: Vec<u32>,
    /// Frames of a block.
    width: usize,
    rotations: Vec<Quat>,
    positions: Vec<Vec3A>,
}

impl Sight {
    /// Of these joints of a rig of `count`, before any frame; `width` is 1 or [`WIDTH`].
    pub(super) fn new(kinematics: &Kinematics, count: usize, width: usize) -> Self {
        let joints: Vec<usize> = kinematics.joints().collect();
        let mut places = vec![0; count];
        for (place, &joint) in joints.iter().enumerate() {
            places[joint] = place as u32;
        }
        Self {
            joints,
            places,
            width,
            rotations: Vec::new(),
            positions: Vec::new(),
        }
    }

    /// The same with one block, which [`renew`](Self::renew) fills.
    pub(super) fn of_poses(kinematics: &Kinematics, count: usize, width: usize) -> Self {
        let mut sight = Self::new(kinematics, count, width);
        let room = sight.joints.len() * width;
        sight.rotations = vec![Quat::IDENTITY; room];
        sight.positions = vec![Vec3A::ZERO; room];
        sight
    }

    pub(super) fn reserve(&mut self, frames: usize) {
        let room = self.joints.len() * frames.next_multiple_of(self.width);
        self.rotations.reserve_exact(room);
        self.positions.reserve_exact(room);
    }

    /// The next joint of the next block.
    #[inline(always)]
    pub(super) fn push<const N: usize>(&mut self, rotations: [Quat; N], positions: [Vec3A; N]) {
        self.rotations.extend_from_slice(&rotations);
        self.positions.extend_from_slice(&positions);
    }

    /// Puts one block in place of all, which each joint tells.
    #[inline(always)]
    pub(crate) fn renew<const N: usize>(
        &mut self,
        joint: impl Fn(usize) -> ([Quat; N], [Vec3A; N]),
    ) {
        let rotations = self.rotations.as_chunks_mut().0.iter_mut();
        let positions = self.positions.as_chunks_mut().0.iter_mut();
        for (&at, to) in self.joints.iter().zip(rotations.zip(positions)) {
            (*to.0, *to.1) = joint(at);
        }
    }

    /// Where a frame begins in the lists.
    #[inline(always)]
    fn start(&self, frame: usize) -> usize {
        match self.width {
            WIDTH => frame / WIDTH * self.joints.len() * WIDTH + frame % WIDTH,
            _ => frame * self.joints.len(),
        }
    }

    /// Where a joint's frame is in the lists.
    #[inline(always)]
    pub(super) fn index(&self, joint: usize, frame: usize) -> usize {
        self.start(frame) + self.place(joint) * self.width
    }

    /// The place of a joint in the list.
    #[inline(always)]
    pub(super) fn place(&self, joint: usize) -> usize {
        self.places[joint] as usize
    }

    /// Where a joint is in one frame, and how it is turned.
    ///
    /// # Panics
    /// Where there is no such frame.
    #[inline(always)]
    pub(super) fn at(&self, joint: usize, frame: usize) -> (Quat, Vec3A) {
        let at = self.index(joint, frame);
        (self.rotations[at], self.positions[at])
    }

    /// What a stage looks at in a frame.
    #[inline(always)]
    pub(super) fn view<'a>(&'a self, frame: usize, wanted: &'a Kinematics) -> View<'a> {
        View {
            joints: wanted,
            sight: self,
            start: self.start(frame),
        }
    }
}

/// The joints that a stage looks at in one frame, each by its place in the stage's list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    joints: &'a Kinematics,
    sight: &'a Sight,
    start: usize,
}

impl View<'_> {
    #[inline(always)]
    fn index(&self, place: usize) -> usize {
        self.start + self.sight.place(self.joints.joint(place)) * self.sight.width
    }

    /// Where a joint is.
    #[inline(always)]
    pub(crate) fn position(&self, place: usize) -> Vec3 {
        self.place(place).into()
    }

    /// The same, as it fills a register.
    #[inline(always)]
    pub(super) fn place(&self, place: usize) -> Vec3A {
        self.sight.positions[self.index(place)]
    }

    /// Product of the local rotations of a joint and all above it.
    #[inline(always)]
    pub(crate) fn rotation(&self, place: usize) -> Quat {
        self.sight.rotations[self.index(place)]
    }

    /// A point in a joint's axes, in model space; the joint's scale does not count.
    #[inline(always)]
    pub(crate) fn point(&self, place: usize, point: Vec3) -> Vec3 {
        self.position(place) + self.rotation(place) * point
    }
}
