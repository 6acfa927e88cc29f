//! Model space for a stage: only the joints that it looks at, and those above them.

use crate::check::{Checked, within};
use crate::lanes::{product, turned};
use crate::rig::{POINT, Rig, local_place};
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use rebone_model::Transform;
use serde::{Deserialize, Serialize};

/// A joint in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Product of the local rotations.
    pub rotation: Quat,
    pub(super) position: Vec3A,
    pub(super) shape: Shape,
}

/// What a joint makes of lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// It turns them and makes all as much longer, which is what nearly every joint does.
    Even(f32),
    /// It also stretches.
    Uneven(Mat3A),
}

/// Scales of the three axes that differ by less, as a share, are the same.
const EVEN: f32 = 1e-6;

impl Placed {
    /// The identity: what stands above the roots.
    pub const ROOT: Self = Self {
        rotation: Quat::IDENTITY,
        position: Vec3A::ZERO,
        shape: Shape::Even(1.0),
    };

    pub(super) fn new(rotation: Quat, position: Vec3A, shape: Shape) -> Self {
        Self {
            rotation,
            position,
            shape,
        }
    }

    /// Where the joint is.
    pub fn position(&self) -> Vec3 {
        self.position.into()
    }

    /// Turns and stretches what is in joint space to model space.
    pub fn linear(&self) -> Mat3A {
        match self.shape {
            Shape::Even(size) => Mat3A::from_quat(self.rotation) * size,
            Shape::Uneven(linear) => linear,
        }
    }

    /// A way in model space, in joint space; none where the joint is shrunk to a point.
    pub(super) fn local_way(&self, way: Vec3) -> Vec3 {
        match self.shape {
            Shape::Even(size) if size.abs() > POINT => self.rotation.conjugate() * way / size,
            Shape::Even(_) => Vec3::ZERO,
            Shape::Uneven(linear) => local_place(&Affine3A::from_mat3(linear.into()), way),
        }
    }

    /// Where the joint is and how it is turned, without its scale.
    pub(crate) fn unscaled(&self) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotation, self.position())
    }

    /// Turns the joint about a point.
    pub(super) fn turn_about(&mut self, pivot: Vec3, turn: Quat) {
        let way = turn * (self.position() - pivot);
        self.position = (pivot + way).into();
        self.rotation = product(turn, self.rotation);
        if let Shape::Uneven(linear) = &mut self.shape {
            *linear = Mat3A::from_quat(turn) * *linear;
        }
    }

    /// Moves the joint by a way.
    pub(super) fn shift(&mut self, way: Vec3) {
        self.position += Vec3A::from(way);
    }

    /// Model space from joint space.
    pub fn affine(&self) -> Affine3A {
        Affine3A {
            matrix3: self.linear(),
            translation: self.position,
        }
    }

    /// Becomes a joint below another. In place: a whole one is large, and most of it is for the few that stretch.
    #[inline]
    fn put_below(&mut self, above: &Self, local: &Transform) {
        let way = Vec3A::from(local.translation);
        let way = match (&above.shape, even_size(local.scale)) {
            (&Shape::Even(size), Some(own)) => {
                self.shape = Shape::Even(size * own);
                turned(above.rotation, way * size)
            }
            _ => {
                let linear = above.linear();
                self.shape = Shape::Uneven(linear * local.to_affine().matrix3);
                linear * way
            }
        };
        self.rotation = product(above.rotation, local.rotation);
        self.position = above.position + way;
    }
}

/// The one scale of all axes; `None` where they differ.
pub(crate) fn even_size(scale: Vec3) -> Option<f32> {
    is_even(scale.x, scale.y, scale.z).then_some(scale.x)
}

/// True for the scales of three axes that are the same.
#[inline(always)]
pub(crate) fn is_even(x: f32, y: f32, z: f32) -> bool {
    let most = EVEN * x.abs();
    ((y - x).abs() <= most) & ((z - x).abs() <= most)
}

/// Joints of a rig that a stage looks at, with all above them; each behind its parent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(
    try_from = "Vec<(usize, Option<usize>)>",
    into = "Vec<(usize, Option<usize>)>"
)]
pub struct Kinematics {
    joints: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    joint: usize,
    /// Where in the list its parent is.
    above: Option<usize>,
}

impl From<Kinematics> for Vec<(usize, Option<usize>)> {
    fn from(kinematics: Kinematics) -> Self {
        let steps = kinematics.joints.iter();
        steps.map(|step| (step.joint, step.above)).collect()
    }
}

impl TryFrom<Vec<(usize, Option<usize>)>> for Kinematics {
    type Error = &'static str;

    fn try_from(steps: Vec<(usize, Option<usize>)>) -> Result<Self, Self::Error> {
        let mut joints: Vec<Step> = Vec::with_capacity(steps.len());
        for (joint, above) in steps {
            let is_behind = joints.last().is_none_or(|last| last.joint < joint);
            if !is_behind || above.is_some_and(|above| above >= joints.len()) {
                return Err("joints that a stage looks at are out of order");
            }
            joints.push(Step { joint, above });
        }
        Ok(Self { joints })
    }
}

impl Kinematics {
    /// For these joints.
    pub fn new(rig: &Rig, wanted: impl IntoIterator<Item = usize>) -> Self {
        let mut is_wanted = vec![false; rig.len()];
        super::mark(rig, wanted, &mut is_wanted);
        let mut place = vec![0; rig.len()];
        let mut joints = Vec::new();
        for joint in (0..rig.len()).filter(|&joint| is_wanted[joint]) {
            place[joint] = joints.len();
            let above = rig.parents[joint].map(|parent| place[parent]);
            joints.push(Step { joint, above });
        }
        Self { joints }
    }

    /// Every joint is one of a rig of so many.
    pub(crate) fn check(&self, joints: usize) -> Checked {
        within(self.joints.iter().map(|step| step.joint), joints)
    }

    /// How many joints it places.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// True for no joints.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The number of a joint among the placed ones; `None` where it is not looked at.
    pub fn find(&self, joint: usize) -> Option<usize> {
        let found = self.joints.binary_search_by_key(&joint, |step| step.joint);
        found.ok()
    }

    /// The joint of a place.
    pub fn joint(&self, place: usize) -> usize {
        self.joints[place].joint
    }

    /// The place of the joint above the one of a place.
    pub fn above(&self, place: usize) -> Option<usize> {
        self.joints[place].above
    }

    /// The joints, in the order of their places.
    pub fn joints(&self) -> impl Iterator<Item = usize> + '_ {
        self.joints.iter().map(|step| step.joint)
    }

    /// Places all of them; `placed` has [`len`](Self::len) entries.
    pub fn place(&self, pose: &[Transform], placed: &mut [Placed]) {
        self.place_by(|joint| pose[joint], placed);
    }

    /// Places all of them by the local transform of each.
    #[inline]
    pub fn place_by(&self, local: impl Fn(usize) -> Transform, placed: &mut [Placed]) {
        for (index, step) in self.joints.iter().enumerate() {
            let (before, own) = placed.split_at_mut(index);
            let above = step.above.map_or(&Placed::ROOT, |above| &before[above]);
            own[0].put_below(above, &local(step.joint));
        }
    }
}
