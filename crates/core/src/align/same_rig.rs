//! Two files of one rig: the same joints, with the same bones in the same axes, whatever their rest poses are.
//!
//! A joint's place in the axes of the joint above says how its own axes lie in the limb. Where these places agree, equal
//! local rotations are equal poses, also if the node transforms of one file are a frame of a motion.

use super::given::{GivenPose, given_pose, joints_by_name};
use super::{AlignOptions, Aligned, Alignment, PoseChoice, align};
use crate::mapping::{RigMap, SlotMatch};
use crate::profile::{Part, Side};
use glam::DVec3;
use rebone_model::axes::Axis;
use rebone_model::elementary::Angle as _;
use rebone_model::{Character, Clip};
use std::collections::BTreeMap;

/// Bones may differ by this part of their length, and by [`OF_LONGEST`].
const OF_OWN: f64 = 0.01;

/// Bones may differ by this part of the longest bone.
const OF_LONGEST: f64 = 1e-3;

/// Nodes above the hips that differ by less than this (radians) are turned alike.
const ALIKE: f64 = 1e-3;

/// Fewer bones than this show no rig.
const LEAST_BONES: usize = 6;

/// How the joints of two files of one rig go together.
#[derive(Clone, Debug, PartialEq)]
pub struct SameRig {
    /// For each joint of the one file its joint in the other.
    pub joints: Vec<Option<usize>>,
    /// Units of the other file a unit of the one, in the axes of joints below the hips.
    pub bone_scale: f64,
    /// Units of the other file a unit of the one.
    pub scale: f64,
    /// True where the nodes above the hips turn and enlarge both bodies alike.
    pub in_same_axes: bool,
}

/// Whether two files hold one rig; `None` where they do not, or where nothing is known of the other's body.
///
/// A joint is where the one file's rest pose or its `clips` put it. The hips may be anywhere, and joints that slide along in
/// the clips show nothing.
pub fn same_rig(
    one: &Character,
    clips: &[&Clip],
    other: &Character,
    other_map: &RigMap,
) -> Option<SameRig> {
    let joints = joints_by_name(&one.skeleton, &other.skeleton);
    let mut own_of = vec![None; other.skeleton.len()];
    for (own, found) in joints.iter().enumerate() {
        if let Some(found) = found {
            own_of[*found] = Some(own);
        }
    }
    let hips = other_map.joint_of(Part::Hips, Side::Center)?;
    let own_hips = own_of[hips]?;
    let mut bones: Vec<([DVec3; 2], DVec3)> = Vec::new();
    let mapped = other_map.slots.values().flat_map(|found| &found.joints);
    for &joint in mapped {
        let below_hips = other.skeleton.ancestors(joint).any(|above| above == hips);
        if !below_hips {
            continue;
        }
        let own = own_of[joint]?;
        let above = one.skeleton.parent(own)?;
        if joints[above] != other.skeleton.parent(joint) {
            return None;
        }
        let rest = other.skeleton.joints()[joint].rest.translation;
        bones.extend(places(one, clips, own).map(|places| (places, rest.as_dvec3())));
    }
    let longest = bones.iter().map(|bone| bone.1.length()).fold(0.0, f64::max);
    let mut ratios: Vec<f64> = bones
        .iter()
        .map(|(own, other)| other.length() / own[0].length())
        .filter(|ratio| ratio.is_normal())
        .collect();
    ratios.sort_by(f64::total_cmp);
    let bone_scale = *ratios.get(ratios.len() / 2)?;
    let agree = |(own, other): &([DVec3; 2], DVec3)| {
        let within = OF_OWN * other.length() + OF_LONGEST * longest;
        own.iter()
            .any(|place| (bone_scale * place).distance(*other) <= within)
    };
    if bones.len() < LEAST_BONES || !bones.iter().all(agree) {
        return None;
    }
    let in_same_axes = in_same_axes(one, clips, other, &joints, (own_hips, hips));
    let enlarged = if in_same_axes {
        1.0
    } else {
        size_at(other, hips) / size_at(one, own_hips)
    };
    Some(SameRig {
        bone_scale,
        scale: bone_scale * enlarged,
        in_same_axes,
        joints,
    })
}

/// Where a joint is in the axes of the joint above, at rest and as the clips begin. `None` where it slides.
fn places(character: &Character, clips: &[&Clip], joint: usize) -> Option<[DVec3; 2]> {
    let rest = character.skeleton.joints()[joint].rest.translation;
    let tracks = clips.iter().filter_map(|clip| clip.joints.get(joint));
    let mut values = tracks
        .filter_map(|tracks| tracks.translation.as_ref())
        .flat_map(|track| track.values().iter().map(|value| value.as_dvec3()));
    let first = values.next().unwrap_or(rest.as_dvec3());
    let slides = values.any(|value| value.distance(first) > OF_OWN * first.length());
    (!slides).then_some([rest.as_dvec3(), first])
}

/// File units a unit of a joint's own axes, at rest.
fn size_at(character: &Character, joint: usize) -> f64 {
    let skeleton = &character.skeleton;
    let scale =
        |joint: usize| f64::from(skeleton.joints()[joint].rest.scale.length()) / 3f64.sqrt();
    scale(joint) * skeleton.ancestors(joint).map(scale).product::<f64>()
}

/// True where the same nodes stand above both hips, turned alike unless they move.
fn in_same_axes(
    one: &Character,
    clips: &[&Clip],
    other: &Character,
    joints: &[Option<usize>],
    (own_hips, hips): (usize, usize),
) -> bool {
    let own_above: Vec<usize> = one.skeleton.ancestors(own_hips).collect();
    let above: Vec<usize> = other.skeleton.ancestors(hips).collect();
    let tracks = |joint: usize| clips.iter().filter_map(move |clip| clip.joints.get(joint));
    let turns = |joint: usize| tracks(joint).any(|tracks| tracks.rotation.is_some());
    let grows = |joint: usize| tracks(joint).any(|tracks| tracks.scale.is_some());
    own_above.len() == above.len()
        && own_above.iter().zip(&above).all(|(&own, &joint)| {
            let rest = one.skeleton.joints()[own].rest;
            let theirs = other.skeleton.joints()[joint].rest;
            let turn = rest
                .rotation
                .as_dquat()
                .angle_apart(theirs.rotation.as_dquat());
            let alike = rest.scale.distance(theirs.scale) < 1e-3 * theirs.scale.length();
            joints[own] == Some(joint) && (turns(own) || turn < ALIKE) && (grows(own) || alike)
        })
}

impl SameRig {
    /// The map of the other file, in the joints of this one.
    pub fn map(&self, other: &RigMap, joints: usize) -> RigMap {
        let mut own_of = BTreeMap::new();
        for (own, found) in self.joints.iter().enumerate() {
            if let Some(found) = found {
                own_of.entry(*found).or_insert(own);
            }
        }
        let translated = |found: &SlotMatch| -> Option<SlotMatch> {
            let joints: Option<Vec<usize>> = found
                .joints
                .iter()
                .map(|joint| own_of.get(joint).copied())
                .collect();
            Some(SlotMatch {
                joints: joints?,
                runner_up: None,
                ..found.clone()
            })
        };
        let slots: BTreeMap<_, _> = other
            .slots
            .iter()
            .filter_map(|(slot, found)| Some((*slot, translated(found)?)))
            .collect();
        let mut unmapped: Vec<usize> = (0..joints).collect();
        unmapped.retain(|joint| !slots.values().any(|found| found.joints.contains(joint)));
        RigMap {
            slots,
            unmapped,
            warnings: Vec::new(),
            ..other.clone()
        }
    }

    /// The retarget pose of the other file, in the joints of `character`, which has the map `map`.
    ///
    /// `options` say what is known of its own file, `other_up` the up axis that the other file states.
    pub fn alignment(
        &self,
        character: &Character,
        map: &RigMap,
        clips: &[&Clip],
        options: &AlignOptions,
        other: &Aligned<'_>,
        other_up: Option<Axis>,
    ) -> Alignment {
        let theirs = other.alignment;
        let same_axes = self.in_same_axes && options.up == other_up;
        let given = GivenPose {
            canonical_from_file: same_axes.then_some(theirs.canonical_from_file),
            ..given_pose(character, other.character, theirs)
        };
        let options = AlignOptions {
            pose: Some(PoseChoice::Given),
            given: Some(given),
            ..options.clone()
        };
        // What one of the files shows better than the other parts them nowhere.
        Alignment {
            corrections: theirs.corrections.clone(),
            reasons: theirs.reasons.clone(),
            measures: theirs.measures.scaled(1.0 / self.scale),
            rest_kind: theirs.rest_kind,
            ..align(character, map, clips, &options)
        }
    }
}
