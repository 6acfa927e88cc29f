//! The vocabulary of Rebone: transforms, skeletons, poses, clips, skins.
//!
//! Everything here is inert data with free functions beside it. There is no IO, no clock and no
//! thread in this crate, and it depends on `glam` and, for sines and their like, on `libm` only.
//!
//! Conventions: right-handed, +Y up, +Z forward, metres, seconds, radians. Rotations are unit
//! quaternions; transforms and rotations are named `a_from_b` and chain by product. A joint's
//! *local* transform is relative to its parent; *model* space is the space of the skeleton's roots.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod axes;
pub mod bake;
pub mod character;
pub mod check;
pub mod clamp;
pub mod clip;
pub mod curve;
pub mod elementary;
pub mod hull;
pub mod joint_frames;
pub mod kinematics;
pub mod pose;
pub mod reduction;
pub mod remedy;
pub mod rotation;
pub mod sampling;
pub mod skeleton;
pub mod skeleton_builder;
pub mod skin;
pub mod skin_hull;
pub mod track;
pub mod transform;
pub mod usable;
pub mod warning;

pub use character::{Character, Hinge, JointLabel, StoredPose};
pub use clamp::Clamp;
pub use clip::{Clip, JointTracks};
pub use curve::{Curve, CurveError, CurveTarget};
pub use glam::{Affine3A, Mat4, Quat, Vec2, Vec3};
pub use hull::{HullPart, HullPoint, furthest};
pub use pose::{LocalPose, ModelPose};
pub use remedy::{Action, Remedy};
pub use skeleton::{FindJointError, Joint, JointKind, Skeleton};
pub use skeleton_builder::{NewJoint, SkeletonBuilder, SkeletonError};
pub use skin::{ImageData, Material, Mesh, Skin};
pub use skin_hull::hull_of;
pub use track::{Interpolation, Track, TrackError};
pub use transform::Transform;
pub use warning::Warning;
