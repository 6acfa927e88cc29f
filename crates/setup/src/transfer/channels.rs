//! Method `channels` (seed 4, Wicked Engine): each channel alone, by matrices.
//!
//! L̂ = P̂_B⁻¹ · P̂_A · l̂(t) · Â_i⁻¹ · B̂_j, then the wanted part of L̂ is kept.
//!
//! | symbol | meaning |
//! |---|---|
//! | l̂(t) | source joint's local matrix: the animated channel, rest values in the two others |
//! | Â_i, P̂_A | model matrices of the source joint and of its parent, rest pose |
//! | B̂_j, P̂_B | the same of the target joint |
//!
//! Closed forms (column vectors; the seed writes row vectors, so its products stand in reverse order):
//! rotation as by `rest-delta`; translation t_B = t_B0 + M · (t_A − t_A0) with M the linear part of P̂_B⁻¹ · P̂_A;
//! scale = lengths of the columns of M · R_A · diag(s) · (linear part of Â_i⁻¹ · B̂_j).
//!
//! Degenerate cases: units and axes are handled, proportions are not: a large source drives a small
//! target by its own metres. Non-uniform scale across unlike axes leaves shear, which is dropped.
//! Source: docs/laws.md, "Other methods of transfer".

use crate::align::Alignment;
use crate::links::Link;
use glam::{Mat3, Mat4, Quat, Vec3};
use rebone_model::{Character, Transform};
use rebone_runtime::{LinearOp, ScaleOp};

/// One animated channel with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Channel {
    /// Local translation.
    Translation(Vec3),
    /// Local rotation.
    Rotation(Quat),
    /// Local scale.
    Scale(Vec3),
}

/// The seed's function for one key: matrices, literally.
pub fn transfer_key(
    channel: Channel,
    source_rest: Transform,
    source_parent: Mat4,
    target_parent: Mat4,
    target: Mat4,
) -> Channel {
    let mut local = source_rest;
    match channel {
        Channel::Translation(value) => local.translation = value,
        Channel::Rotation(value) => local.rotation = value,
        Channel::Scale(value) => local.scale = value,
    }
    let source = source_parent * Mat4::from(source_rest.to_affine());
    let animated = source_parent * Mat4::from(local.to_affine());
    let result = target_parent.inverse() * animated * source.inverse() * target;
    let parts = Transform::from_matrix(result).0;
    match channel {
        Channel::Translation(_) => Channel::Translation(parts.translation),
        Channel::Rotation(_) => Channel::Rotation(parts.rotation),
        Channel::Scale(_) => Channel::Scale(parts.scale),
    }
}

/// Translation and scale operations of all linked joints.
pub fn translations_and_scales(
    source: &Character,
    target: &Character,
    links: &[Link],
) -> (Vec<LinearOp>, Vec<ScaleOp>) {
    let source_rest =
        rebone_model::kinematics::model_pose(&source.skeleton, &source.skeleton.rest_pose());
    let target_rest =
        rebone_model::kinematics::model_pose(&target.skeleton, &target.skeleton.rest_pose());
    let parent = |character: &Character, pose: &rebone_model::ModelPose, joint: usize| {
        character
            .skeleton
            .parent(joint)
            .map_or(Mat3::IDENTITY, |above| {
                Mat3::from(pose.model_from_joint(above).matrix3)
            })
    };
    let (mut slides, mut scales) = (Vec::new(), Vec::new());
    for link in links {
        for (&from, &to) in link.source.iter().zip(&link.target) {
            let linear =
                parent(target, &target_rest, to).inverse() * parent(source, &source_rest, from);
            let own = source.skeleton.joints()[from].rest;
            slides.push(LinearOp {
                source: from,
                target: to,
                linear,
                offset: target.skeleton.joints()[to].rest.translation - linear * own.translation,
            });
            let right = Mat3::from(source_rest.model_from_joint(from).matrix3).inverse()
                * Mat3::from(target_rest.model_from_joint(to).matrix3);
            scales.push(ScaleOp {
                source: from,
                target: to,
                frame: Quat::IDENTITY,
                matrices: Some((linear * Mat3::from_quat(own.rotation), right)),
            });
        }
    }
    (slides, scales)
}

/// Rotation operations: those of `rest-delta` with embedding.
pub fn rotations(
    source: (&Character, &Alignment),
    target: (&Character, &Alignment),
    links: &[Link],
) -> Vec<rebone_runtime::RotationOp> {
    super::rest_delta::rotations(
        source,
        target,
        links,
        super::rest_delta::Embedding::default(),
    )
}
