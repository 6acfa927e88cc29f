//! One rig in two files: every joint of the target does what its own self does in the source.

use super::{Both, attach};
use crate::align::{SameRig, affine, unit};
use glam::{DAffine3, DMat3, DQuat, DVec3, Mat3, Quat, Vec3};
use rebone_model::{Clip, JointKind, JointTracks, Skeleton, Track};
use rebone_runtime::{LinearOp, Plan, RotationOp, ScaleOp};

/// Places and scales that differ by less than this part are alike.
const ALIKE: f32 = 1e-3;

/// Makes the plan one that copies. Where the bodies stand in unlike axes, the hips and what is above them stay as they were
/// planned.
pub(super) fn copy(same: &SameRig, both: &Both<'_>, clips: &[&Clip], plan: &mut Plan) {
    for (own, joint) in copied(same, both) {
        let way = Way::new(same, both, own, joint);
        plan.rotations[joint] = RotationOp::Local {
            source: own,
            left: way.turn.as_quat(),
            right: same.axes_of(own).as_quat(),
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
        let is_elsewhere = unlike(
            way.places
                .transform_point3(rest.translation.as_dvec3())
                .as_vec3(),
            theirs.translation,
        );
        if tracks().any(|tracks| slides(tracks, rest.translation)) || (is_elsewhere && !is_bone) {
            plan.slides.push(LinearOp {
                source: own,
                target: joint,
                linear: way.places.matrix3.as_mat3(),
                offset: way.places.translation.as_vec3(),
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

/// What leads from the space of a joint's parent to that of its joint's parent in the other file.
struct Way {
    /// For rotations.
    turn: DQuat,
    /// For places.
    places: DAffine3,
}

impl Way {
    /// The way from a joint of the source to a joint of the target.
    fn new(same: &SameRig, both: &Both<'_>, own: usize, joint: usize) -> Self {
        let (source, target) = (
            &both.source.character.skeleton,
            &both.target.character.skeleton,
        );
        let Some(change) = &same.change else {
            return Self {
                turn: DQuat::IDENTITY,
                places: DAffine3::from_scale(DVec3::splat(same.bone_scale)),
            };
        };
        match source.parent(own).filter(|_| !change.tops[own]) {
            Some(above) => {
                let turn = change.joints[above].conjugate();
                let places = DMat3::from_quat(turn) * same.bone_scale;
                Self {
                    turn,
                    places: DAffine3::from_mat3(places),
                }
            }
            None => {
                let [own, other] = [above_top(source, own), above_top(target, joint)];
                let file = DAffine3::from_mat3(DMat3::from_quat(change.file) * same.scale);
                Self {
                    turn: unit(other.1.conjugate() * change.file * own.1),
                    places: other.0.inverse() * file * own.0,
                }
            }
        }
    }
}

/// True where nothing but nodes above the skeleton is above a joint.
fn is_top(skeleton: &Skeleton, joint: usize) -> bool {
    let mut above = skeleton.ancestors(joint);
    above.all(|above| skeleton.joints()[above].kind == JointKind::Ancestor)
}

/// Model space from the space of a joint's parent, at rest; and its turn.
fn above_top(skeleton: &Skeleton, joint: usize) -> (DAffine3, DQuat) {
    let rests = skeleton
        .ancestors(joint)
        .map(|above| skeleton.joints()[above].rest);
    rests.fold(
        (DAffine3::IDENTITY, DQuat::IDENTITY),
        |(model, turn), rest| {
            let rotation = unit(rest.rotation.as_dquat());
            (affine(&rest) * model, unit(rotation * turn))
        },
    )
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
            if let Some(change) = &same.change {
                let are_tops = change.tops[own] && is_top(&target.skeleton, joint);
                return are_tops || (same_parent && above.is_some());
            }
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
