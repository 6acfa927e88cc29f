//! Local transform of a node from its FBX properties, without a search for each value.
//!
//! ```text
//! local = s · A · T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹ · u
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | T, R, S | `Lcl Translation`, `Lcl Rotation` (degrees, in the node's order), `Lcl Scaling` |
//! | Rpre, Rpost | `PreRotation`, `PostRotation` (XYZ); without `RotationActive` neither they nor the order count |
//! | Rp, Sp, Roff, Soff | pivots and offsets |
//! | A, s, u | turn to +Y up at the top, metres a unit, undone scale of the parent |
//!
//! Where only these three properties move, on one layer, this is what ufbx would evaluate, several times
//! as fast. Everything else (layers, scale helpers, moving pivots, properties linked to others) is ufbx's.

use super::rotation_order::from_degrees;
use glam::{DQuat, DVec3};
use ufbx::{Anim, MirrorAxis, Node, RotationOrder};

/// A local transform in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Local {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

impl Local {
    pub(super) fn from_ufbx(transform: &ufbx::Transform) -> Self {
        Self {
            translation: vector(transform.translation),
            rotation: quaternion(transform.rotation),
            scale: vector(transform.scale),
        }
    }
}

/// Values of the three animated properties, as they stand in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Values {
    pub translation: DVec3,
    /// Degrees.
    pub rotation: DVec3,
    pub scale: DVec3,
}

impl Values {
    /// What the node has when nothing moves it.
    pub(super) fn of(node: &Node) -> Self {
        let property = |name, otherwise| vector_property(node, name, otherwise);
        Self {
            translation: property("Lcl Translation", DVec3::ZERO),
            rotation: property("Lcl Rotation", DVec3::ZERO),
            scale: property("Lcl Scaling", DVec3::ONE),
        }
    }
}

/// The constant part of a node's local transform.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    /// Rpre, with A in front.
    turned_pre: DQuat,
    /// Rpost⁻¹ with what is turned after it.
    post: DQuat,
    top: DQuat,
    order: RotationOrder,
    rotation_pivot: DVec3,
    rotation_offset: DVec3,
    scaling_pivot: DVec3,
    scaling_offset: DVec3,
    metres: f64,
    inherited_scale: f64,
    mirror: MirrorAxis,
}

impl Constants {
    /// `None` for a node whose transform depends on other nodes' properties, which ufbx evaluates.
    pub(super) fn of(node: &Node) -> Option<Self> {
        let parent_is_scaled_aside = node.parent.as_ref().is_some_and(|parent| {
            parent.scale_helper.as_ref().is_some() || parent.inherit_scale_node.as_ref().is_some()
        });
        let unit = ufbx::Quat::identity();
        let odd = node.is_root
            || node.is_scale_helper
            || parent_is_scaled_aside
            || node.adjust_pre_scale != 1.0
            || node.rotation_order == RotationOrder::Spheric
            || vector(node.adjust_pre_translation) != DVec3::ZERO
            || quaternion(node.adjust_post_rotation) != quaternion(unit);
        if odd {
            return None;
        }
        let property = |name| vector_property(node, name, DVec3::ZERO);
        let (pre, post) = if node.use_rotation_space {
            (property("PreRotation"), property("PostRotation"))
        } else {
            (DVec3::ZERO, DVec3::ZERO)
        };
        let order = if node.use_rotation_space {
            node.rotation_order
        } else {
            RotationOrder::Xyz
        };
        let top = quaternion(node.adjust_pre_rotation);
        Some(Self {
            turned_pre: top * from_degrees(pre, RotationOrder::Xyz),
            post: from_degrees(post, RotationOrder::Xyz).conjugate(),
            top,
            order,
            rotation_pivot: property("RotationPivot"),
            rotation_offset: property("RotationOffset"),
            scaling_pivot: property("ScalingPivot"),
            scaling_offset: property("ScalingOffset"),
            metres: node.adjust_translation_scale,
            inherited_scale: node.adjust_post_scale,
            mirror: node.adjust_mirror_axis,
        })
    }

    /// True where turning or scaling the node also moves it.
    pub(super) fn has_pivots(&self) -> bool {
        self.rotation_pivot != DVec3::ZERO
            || self.scaling_pivot != DVec3::ZERO
            || self.scaling_offset != DVec3::ZERO
    }

    /// The local rotation of these angles.
    pub(super) fn rotation(&self, degrees: DVec3) -> DQuat {
        let rotation = self.turned_pre * from_degrees(degrees, self.order) * self.post;
        mirrored_rotation(rotation, self.mirror)
    }

    /// The local scale of these factors.
    pub(super) fn scale(&self, factors: DVec3) -> DVec3 {
        factors * self.inherited_scale
    }

    /// The local translation of these values, metres.
    pub(super) fn translation(&self, values: &Values) -> DVec3 {
        let mut point = values.translation + self.rotation_offset;
        if self.has_pivots() {
            let rotation = self.top.conjugate()
                * self.turned_pre
                * from_degrees(values.rotation, self.order)
                * self.post;
            let scaled = self.scaling_offset + self.scaling_pivot
                - values.scale * self.scaling_pivot
                - self.rotation_pivot;
            point += self.rotation_pivot + rotation * scaled;
        }
        let point = self.top * point * self.metres;
        match self.mirror {
            MirrorAxis::None => point,
            MirrorAxis::X => point * DVec3::new(-1.0, 1.0, 1.0),
            MirrorAxis::Y => point * DVec3::new(1.0, -1.0, 1.0),
            MirrorAxis::Z => point * DVec3::new(1.0, 1.0, -1.0),
        }
    }
}

/// A part of a local transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Translation,
    Rotation,
    Scale,
}

impl Part {
    /// The bits of ufbx's `UFBX_TRANSFORM_FLAG_EXPLICIT_INCLUDES` and of `..._INCLUDE_...` for the part,
    /// which the crate keeps to itself.
    fn flags(self) -> u32 {
        0x4 | match self {
            Self::Translation => 0x10,
            Self::Rotation => 0x20,
            Self::Scale => 0x40,
        }
    }
}

/// What ufbx says that part of the node's local transform is at `time`; the other parts are identities.
pub(super) fn evaluate(anim: &Anim, node: &Node, part: Part, time: f64) -> Local {
    let transform = ufbx::evaluate_transform_flags(anim, node, time, part.flags());
    Local::from_ufbx(&transform)
}

/// A property of three numbers.
pub(super) fn vector_property(node: &Node, name: &str, otherwise: DVec3) -> DVec3 {
    let found = node.element.props.find_prop(name);
    found.map_or(otherwise, |property| {
        let value = property.value_vec4;
        DVec3::new(value.x, value.y, value.z)
    })
}

fn mirrored_rotation(rotation: DQuat, axis: MirrorAxis) -> DQuat {
    let DQuat { x, y, z, w } = rotation;
    match axis {
        MirrorAxis::None => rotation,
        MirrorAxis::X => DQuat::from_xyzw(x, -y, -z, w),
        MirrorAxis::Y => DQuat::from_xyzw(-x, y, -z, w),
        MirrorAxis::Z => DQuat::from_xyzw(-x, -y, z, w),
    }
}

/// As our vector.
pub(super) fn vector(vector: ufbx::Vec3) -> DVec3 {
    DVec3::new(vector.x, vector.y, vector.z)
}

/// As our quaternion.
pub(super) fn quaternion(rotation: ufbx::Quat) -> DQuat {
    DQuat::from_xyzw(rotation.x, rotation.y, rotation.z, rotation.w)
}
