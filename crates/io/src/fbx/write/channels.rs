//! From a joint's local transform back to the numbers of its FBX object.
//!
//! ```text
//! local = A · T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹ · B
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | T, R, S | `Lcl Translation`, `Lcl Rotation`, `Lcl Scaling`: what a curve may move |
//! | Rpre, Rpost | `PreRotation` and `PostRotation`, always in the order XYZ; not there where `RotationActive` is off |
//! | Rp, Sp | `RotationPivot`, `ScalingPivot`; Rp⁻¹ and Sp⁻¹ move back |
//! | Roff, Soff | `RotationOffset`, `ScalingOffset` |
//! | A, B | what the reader puts around it: turn of the axes, metres a unit, undone scale of the parent |
//!
//! The rotation of `local` is that of `A Rpre R Rpost⁻¹ B` and its scale that of `S` times the factors of A
//! and B, so R and S follow from them at once, and T from what is left. Where pivots or offsets are not
//! zero, T depends on R and S. The formula is Autodesk's; ufbx, which reads, does the same.
//!
//! Where a parent's scale has a node of its own (a scale helper of the reader), T is multiplied by that
//! scale, component by component. Where one of its components is 0, T cannot be found; it stays at rest.

use crate::euler::unit;
use glam::{DQuat, DVec3};
use rebone_model::elementary::Elementary as _;
use rebone_model::{Quat, Vec3};

/// Below this a factor counts as zero and is not divided by.
const NO_FACTOR: f64 = 1e-12;

/// How one FBX object's numbers make a local transform.
#[derive(Clone, Debug)]
pub(super) struct Channels {
    /// Axes of the rotation, the leftmost of the product first.
    pub(super) order: [usize; 3],
    /// T at rest, units of the file.
    pub(super) translation: DVec3,
    /// R at rest, degrees about X, Y and Z.
    pub(super) rotation: DVec3,
    /// S at rest.
    pub(super) scaling: DVec3,
    rotation_offset: DVec3,
    rotation_pivot: DVec3,
    scaling_offset: DVec3,
    scaling_pivot: DVec3,
    pre: DQuat,
    post: DQuat,
    /// Of A: moves, turns, scales, and the last factor of the translation.
    pre_translation: DVec3,
    pre_rotation: DQuat,
    pre_scale: f64,
    /// Metres a unit of the translation.
    pub(super) translation_factor: f64,
    /// Of B.
    post_rotation: DQuat,
    post_scale: f64,
    /// Axis that is mirrored at last.
    mirror: Option<usize>,
    /// What stands left and right of a local rotation in R; `None` where neither turns.
    around: Option<(DQuat, DQuat)>,
}

impl Channels {
    /// For an object without pivots in a file of this many metres a unit.
    pub(super) fn plain(meters_per_unit: f64) -> Self {
        Self {
            order: [2, 1, 0],
            translation: DVec3::ZERO,
            rotation: DVec3::ZERO,
            scaling: DVec3::ONE,
            rotation_offset: DVec3::ZERO,
            rotation_pivot: DVec3::ZERO,
            scaling_offset: DVec3::ZERO,
            scaling_pivot: DVec3::ZERO,
            pre: DQuat::IDENTITY,
            post: DQuat::IDENTITY,
            pre_translation: DVec3::ZERO,
            pre_rotation: DQuat::IDENTITY,
            pre_scale: 1.0,
            translation_factor: meters_per_unit,
            post_rotation: DQuat::IDENTITY,
            post_scale: 1.0,
            mirror: None,
            around: None,
        }
    }

    /// For a node of a loaded file.
    pub(super) fn of(node: &ufbx::Node) -> Self {
        let vector = |name: &str, otherwise: DVec3| {
            let property = ufbx::find_prop(&node.element.props, name);
            property.map_or(otherwise, |property| {
                let value = &property.value_vec4;
                finite(DVec3::new(value.x, value.y, value.z), otherwise)
            })
        };
        let zero = |name: &str| vector(name, DVec3::ZERO);
        let turn = |degrees: DVec3| from_degrees(degrees, [2, 1, 0]);
        let space = node.use_rotation_space;
        let mut this = Self::plain(1.0);
        this.order = if space {
            axes(node.rotation_order)
        } else {
            [2, 1, 0]
        };
        this.translation = zero("Lcl Translation");
        this.rotation = zero("Lcl Rotation");
        // Where the scale has a node of its own, this one's has become 1.
        let scaled = node.scale_helper.as_ref().map_or(node, |helper| helper);
        this.scaling =
            ufbx::find_prop(&scaled.element.props, "Lcl Scaling").map_or(DVec3::ONE, |property| {
                let value = &property.value_vec4;
                finite(DVec3::new(value.x, value.y, value.z), DVec3::ONE)
            });
        this.rotation_offset = zero("RotationOffset");
        this.rotation_pivot = zero("RotationPivot");
        this.scaling_offset = zero("ScalingOffset");
        // Where the reader gave the scale a node of its own, the pivot of the scale has no effect.
        if node.scale_helper.is_none() {
            this.scaling_pivot = zero("ScalingPivot");
        }
        if space {
            this.pre = turn(zero("PreRotation"));
            this.post = turn(zero("PostRotation"));
        }
        if node.has_adjust_transform {
            let factor = |value: f64| {
                if value.is_finite() && value.abs() > NO_FACTOR {
                    value
                } else {
                    1.0
                }
            };
            let quaternion = |q: ufbx::Quat| unit(DQuat::from_xyzw(q.x, q.y, q.z, q.w));
            let moved = &node.adjust_pre_translation;
            this.pre_translation = finite(DVec3::new(moved.x, moved.y, moved.z), DVec3::ZERO);
            this.pre_rotation = quaternion(node.adjust_pre_rotation);
            this.pre_scale = factor(node.adjust_pre_scale);
            this.translation_factor = factor(node.adjust_translation_scale);
            this.post_rotation = quaternion(node.adjust_post_rotation);
            this.post_scale = factor(node.adjust_post_scale);
        }
        this.mirror = match node.adjust_mirror_axis {
            ufbx::MirrorAxis::None => None,
            ufbx::MirrorAxis::X => Some(0),
            ufbx::MirrorAxis::Y => Some(1),
            ufbx::MirrorAxis::Z => Some(2),
        };
        this.put_around();
        this
    }

    /// True where the translation depends on rotation and scale.
    pub(super) fn has_pivots(&self) -> bool {
        self.scaling_pivot != DVec3::ZERO
            || self.scaling_offset + self.scaling_pivot != self.rotation_pivot
    }

    /// R, of a local rotation (unit).
    pub(super) fn lcl_rotation(&self, local: DQuat) -> DQuat {
        let rotation = match self.mirror {
            Some(axis) => mirrored(local, axis),
            None => local,
        };
        match self.around {
            Some((left, right)) => left * rotation * right,
            None => rotation,
        }
    }

    /// Sets `around` to what the parts say.
    fn put_around(&mut self) {
        let left = self.pre.conjugate() * self.pre_rotation.conjugate();
        let right = self.post_rotation.conjugate() * self.post;
        let turns = left != DQuat::IDENTITY || right != DQuat::IDENTITY;
        self.around = turns.then_some((left, right));
    }

    /// S, of a local scale.
    pub(super) fn lcl_scaling(&self, local: DVec3) -> DVec3 {
        local / (self.pre_scale * self.post_scale)
    }

    /// T, of a local translation in metres, with R and S at the same time, and the factors of the
    /// parent's scale helper (1 without one).
    pub(super) fn lcl_translation(
        &self,
        local: DVec3,
        rotation: DQuat,
        scaling: DVec3,
        parent_factors: DVec3,
    ) -> DVec3 {
        let mut moved = local;
        if let Some(axis) = self.mirror {
            moved[axis] = -moved[axis];
        }
        moved /= self.translation_factor * self.pre_scale;
        moved = self.pre_rotation.conjugate() * moved - self.pre_translation;
        let turned = self.scaling_offset + self.scaling_pivot
            - scaling * self.scaling_pivot
            - self.rotation_pivot;
        if turned != DVec3::ZERO {
            moved -= self.pre * rotation * self.post.conjugate() * turned;
        }
        moved -= self.rotation_offset + self.rotation_pivot;
        for axis in 0..3 {
            moved[axis] = if parent_factors[axis].abs() > NO_FACTOR {
                moved[axis] / parent_factors[axis]
            } else {
                self.translation[axis]
            };
        }
        moved
    }
}

/// The axes of a rotation order, the leftmost of the product first. FBX names the first one applied first.
fn axes(order: ufbx::RotationOrder) -> [usize; 3] {
    match order {
        ufbx::RotationOrder::Xyz | ufbx::RotationOrder::Spheric => [2, 1, 0],
        ufbx::RotationOrder::Xzy => [1, 2, 0],
        ufbx::RotationOrder::Yzx => [0, 2, 1],
        ufbx::RotationOrder::Yxz => [2, 0, 1],
        ufbx::RotationOrder::Zxy => [1, 0, 2],
        ufbx::RotationOrder::Zyx => [0, 1, 2],
    }
}

/// The rotation of angles about X, Y and Z, multiplied in an order of axes (leftmost first).
pub(super) fn from_degrees(degrees: DVec3, order: [usize; 3]) -> DQuat {
    order.iter().fold(DQuat::IDENTITY, |product, &axis| {
        let (sine, cosine) = (0.5 * degrees[axis].to_radians()).sine_cosine();
        let mut parts = [0.0, 0.0, 0.0, cosine];
        parts[axis] = sine;
        product * DQuat::from_array(parts)
    })
}

fn mirrored(rotation: DQuat, axis: usize) -> DQuat {
    let mut parts = rotation.to_array();
    parts[(axis + 1) % 3] = -parts[(axis + 1) % 3];
    parts[(axis + 2) % 3] = -parts[(axis + 2) % 3];
    DQuat::from_array(parts)
}

fn finite(value: DVec3, otherwise: DVec3) -> DVec3 {
    if value.is_finite() { value } else { otherwise }
}

/// In double precision.
pub(super) fn wide(value: Vec3) -> DVec3 {
    value.as_dvec3()
}

/// In double precision, unit.
pub(super) fn wide_rotation(value: Quat) -> DQuat {
    unit(value.as_dquat())
}
