//! From the twist joints of a target to the stage that turns them.

use crate::compile::Both;
use crate::error::Error;
use crate::mapping::twist::{TwistLine, twist_lines};
use crate::profile::Part;
use crate::recipe::Recipe;
use glam::{Quat, Vec3};
use rebone_model::kinematics::model_pose;
use rebone_model::{ModelPose, Skeleton, Warning};
use rebone_runtime::RotationOp;
use rebone_runtime::stage::{StageOp, TwistJoint, TwistOf, TwistSegment, TwistStage};
use std::collections::BTreeMap;

/// The stage of all twist joints that nothing drives; `None` where there are none.
///
/// Fails with [`Error::Recipe`] where a share is given to a joint that the target does not have.
pub(super) fn twist(
    both: &Both<'_>,
    rotations: &[RotationOp],
    left_out: impl Fn(usize) -> bool,
    recipe: &Recipe,
    warnings: &mut Vec<Warning>,
) -> Result<Option<StageOp>, Error> {
    let character = both.target.character;
    let skeleton = &character.skeleton;
    let mut shares: BTreeMap<usize, f32> = BTreeMap::new();
    for (name, &share) in &recipe.twist_shares {
        let joint = skeleton.find(name).map_err(|error| Error::Recipe {
            what: error.to_string(),
            place: format!("twist_shares.{name}"),
            remedy: "name a twist joint of the target".into(),
        })?;
        shares.insert(joint, share as f32);
    }
    if recipe.twist <= 0.0 {
        return Ok(None);
    }
    let pose = model_pose(skeleton, &skeleton.rest_pose());
    let lines = twist_lines(character, both.target.map, |joint| {
        shares.contains_key(&joint)
    });
    let is_free = |joint: usize| matches!(rotations[joint], RotationOp::Rest) && !left_out(joint);
    let mut used = Vec::new();
    let mut segments = Vec::new();
    for mut line in lines {
        line.joints.retain(|place| is_free(place.joint));
        if line.joints.is_empty() || matches!(rotations[line.joint], RotationOp::Rest) {
            continue;
        }
        used.push(line.joint);
        used.extend(line.joints.iter().map(|place| place.joint));
        let is_upper = matches!(
            both.target.map.profile.info(line.slot).part,
            Part::UpperArm | Part::UpperLeg
        );
        let making = Making {
            skeleton,
            pose: &pose,
            rotations,
            shares: &shares,
            is_upper,
        };
        segments.extend(making.segment(&line));
    }
    let unused = shares.keys().filter(|joint| !used.contains(joint));
    for &joint in unused {
        warnings.push(
            Warning::new(
                "twist-share-unused",
                "the recipe gives it a share of a limb's twist, but it is no free joint of an upper arm, forearm, thigh or shin",
                "delete the line, or take the joint out of its slot",
            )
            .at_joint(skeleton.unique_name(joint)),
        );
    }
    let has_any = !segments.is_empty();
    Ok(has_any.then_some(StageOp::Twist(TwistStage::new(segments))))
}

/// Where a part of a segment ends that begins so far along it: at the next joint in line.
fn end_of(line: &TwistLine, along: f32) -> f32 {
    let joints = line.joints.iter().filter(|place| place.is_in_line);
    let beyond = joints
        .map(|place| place.along)
        .filter(|other| *other > along);
    beyond.fold(1.0, f32::min)
}

struct Making<'a> {
    skeleton: &'a Skeleton,
    pose: &'a ModelPose,
    rotations: &'a [RotationOp],
    shares: &'a BTreeMap<usize, f32>,
    /// True for upper arms and thighs.
    is_upper: bool,
}

impl Making<'_> {
    fn segment(&self, line: &TwistLine) -> Option<TwistSegment> {
        // Without the limb's next joint below it, a forearm does not see the hand.
        if !self.is_upper && line.path.is_empty() {
            return None;
        }
        let in_line = line.joints.iter().any(|place| place.is_in_line);
        let own_share = if in_line && self.is_upper && self.hangs_by_the_end(line) {
            let share = self.shares.get(&line.joint).copied();
            self.applied(share.unwrap_or_else(|| end_of(line, 0.0)))
        } else {
            0.0
        };
        let axis = self.axis(line, line.joint, line.end);
        let mut joints = self.leaves(line, line.joint, axis);
        let mut above = own_share;
        let is_below = |joint: usize| self.skeleton.parent(joint) != Some(line.joint);
        let walks = in_line || line.joints.iter().any(|place| is_below(place.joint));
        let path = if walks { line.path.as_slice() } else { &[] };
        for (index, &joint) in path.iter().enumerate() {
            let is_driven = !matches!(self.rotations[joint], RotationOp::Rest);
            // A joint that rests and is no twist joint moves with the one above.
            let share = match self.share(line, joint) {
                _ if is_driven => 0.0,
                Some(share) => share,
                None => above,
            };
            above = share;
            joints.push(TwistJoint {
                joint,
                is_leaf: false,
                share,
                axis: self.axis(line, joint, path.get(index + 1).copied().unwrap_or(joint)),
            });
            if joint != line.end {
                joints.extend(self.leaves(line, joint, axis));
            }
        }
        let rest = |joint: usize| self.skeleton.joints()[joint].rest.rotation;
        let (of, rest) = if self.is_upper {
            (TwistOf::Own, rest(line.joint))
        } else {
            let path = line.path.iter();
            let turn = path.fold(Quat::IDENTITY, |turn, &joint| turn * rest(joint));
            (TwistOf::End(line.path.clone()), turn)
        };
        Some(TwistSegment {
            joint: line.joint,
            of,
            rest,
            axis,
            own_share,
            own_axis: self.axis(line, line.joint, path.first().copied().unwrap_or(line.end)),
            joints,
        })
    }

    /// The share of a twist joint; `None` of any other joint.
    fn share(&self, line: &TwistLine, joint: usize) -> Option<f32> {
        let place = line.joints.iter().find(|place| place.joint == joint)?;
        let own = if self.is_upper && place.is_in_line {
            end_of(line, place.along)
        } else {
            place.along
        };
        Some(self.applied(self.shares.get(&joint).copied().unwrap_or(own)))
    }

    /// The twist joints beside the line that hang from a joint of it.
    fn leaves(&self, line: &TwistLine, above: usize, axis: Vec3) -> Vec<TwistJoint> {
        let beside = line.joints.iter().filter(|place| !place.is_in_line);
        let joints = beside.map(|place| place.joint);
        let below = joints.filter(|joint| self.skeleton.parent(*joint) == Some(above));
        let leaves = below.filter_map(|joint| {
            Some(TwistJoint {
                joint,
                is_leaf: true,
                share: self.share(line, joint)?,
                axis,
            })
        });
        leaves.collect()
    }

    /// p from f.
    fn applied(&self, share: f32) -> f32 {
        if self.is_upper { share - 1.0 } else { share }
    }

    /// From one joint to another, in the axes of the segment's own joint; along the segment where they are in one place.
    fn axis(&self, line: &TwistLine, from: usize, to: usize) -> Vec3 {
        let way = |from: usize, to: usize| self.pose.position(to) - self.pose.position(from);
        let (own, whole) = (way(from, to), way(line.joint, line.end));
        let is_apart = own.length() > 1e-3 * whole.length();
        let turn = self.pose.rotation(line.joint);
        (turn.conjugate() * if is_apart { own } else { whole }).normalize_or_zero()
    }

    /// True where nothing below the segment's own joint is driven but by way of its lower end.
    fn hangs_by_the_end(&self, line: &TwistLine) -> bool {
        (0..self.skeleton.len()).all(|joint| {
            matches!(self.rotations[joint], RotationOp::Rest)
                || line.path.contains(&joint)
                || !self.skeleton.is_ancestor(line.joint, joint)
                || self.skeleton.is_ancestor(line.end, joint)
        })
    }
}
