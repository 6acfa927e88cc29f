//! One rig in two files: every joint of the target does what its own self does in the source.

use super::{Both, attach};
use crate::align::SameRig;
use crate::runtime::{LinearOp, Plan, RotationOp, ScaleOp};
use glam::{Mat3, Quat, Vec3};
use rebone_model::{Clip, JointTracks, Track};

/// Places and scales that differ by less than this part are alike.
const ALIKE: f32 = 1e-3;

/// Makes the plan one that copies. Where the bodies stand in unlike axes, the hips and what is above them stay as they were
/// planned.
pub(super) fn copy(same: &SameRig, both: &Both<'_>, clips: &[&Clip], plan: &mut Plan) {
    let ratio = same.bone_scale as f32;
    for (own, joint) in copied(same, both) {
        plan.rotations[joint] = RotationOp::Local {
            source: own,
            left: Quat::IDENTITY,
            right: Quat::IDENTITY,
        };
        plan.slides.retain(|slide| slide.target != joint);
        plan.scales.retain(|scale| scale.target != joint);
        if plan.travel.is_some_and(|travel| travel.target == joint) {
            plan.travel = None;
        }
        let rest = both.source.character.skeleton.joints()[own].rest;
        let theirs = both.target.character.skeleton.joints()[joint].rest;
        let tracks = || clips.iter().filter_map(|clip| clip.joints.get(own));
        // The bones were found to be alike; another joint may rest where the motion has put it.
        let is_bone = is_below_hips(both, joint) && !both.target.map.unmapped.contains(&joint);
        let is_elsewhere = unlike(ratio * rest.translation, theirs.translation);
        if tracks().any(|tracks| slides(tracks, rest.translation)) || (is_elsewhere && !is_bone) {
            plan.slides.push(LinearOp {
                source: own,
                target: joint,
                linear: Mat3::from_diagonal(Vec3::splat(ratio)),
                offset: Vec3::ZERO,
            });
        }
        if tracks().any(|tracks| tracks.scale.is_some()) || unlike(rest.scale, theirs.scale) {
            plan.scales.push(ScaleOp {
                source: own,
                target: joint,
                frame: Quat::IDENTITY,
                matrices: Some((Mat3::IDENTITY, Mat3::IDENTITY)),
            });
        }
    }
    plan.attachments.clear();
    plan.order = attach::order(both.target.character, &plan.attachments);
}

/// True where a clip puts a joint elsewhere than its rest pose.
fn slides(tracks: &JointTracks, rest: Vec3) -> bool {
    let values = tracks.translation.iter().flat_map(Track::values);
    values.copied().any(|value| unlike(value, rest))
}

fn unlike(one: Vec3, other: Vec3) -> bool {
    one.distance(other) > ALIKE * other.length()
}

/// The joints that are copied, each with the joint of the target that it drives.
pub(super) fn copied(same: &SameRig, both: &Both<'_>) -> Vec<(usize, usize)> {
    let (source, target) = (both.source.character, both.target.character);
    let pairs = same.joints.iter().enumerate();
    pairs
        .filter_map(|(own, joint)| Some((own, (*joint)?)))
        .filter(|&(own, joint)| {
            let above = source.skeleton.parent(own).map(|above| same.joints[above]);
            let same_parent = above.unwrap_or(None) == target.skeleton.parent(joint);
            same_parent && (same.in_same_axes || is_below_hips(both, joint))
        })
        .collect()
}

/// True for the target's joints below the hips.
fn is_below_hips(both: &Both<'_>, joint: usize) -> bool {
    let hips = super::hips_of(both.target.map);
    let mut above = both.target.character.skeleton.ancestors(joint);
    above.any(|at| Some(at) == hips)
}
