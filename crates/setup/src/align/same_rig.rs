//! Two files of one rig: the same joints, with the same bones in the same axes, whatever their rest poses are.
//!
//! A joint's place in the axes of the joint above says how its own axes lie in the limb. Where these places agree, equal
//! local rotations are equal poses, also if the node transforms of one file are a frame of a motion.
//!
//! A format may lose the axes: BVH has no rest rotations, so a file of the same rig has other ones. Then the rest poses tell,
//! if one is the other, turned and enlarged as a whole:
//!
//! ```text
//! G · p = s · q     C = R⁻¹ · G⁻¹ · Q     V = W · C     v = C_above⁻¹ · w · C
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | p, q | way from joint to joint in the rest pose of the one file and of the other, model space |
//! | R, Q | model-space rotations there |
//! | G, s | the turn from file to file, and the quotient of their units |
//! | C | what leads from a joint's axes in the one file to those in the other |
//! | W, V, w, v | the rotations in a motion, in model space and in local space |

use super::canonical::quarter_turns;
use super::given::{given_pose, joints_by_name};
use super::placement::{Placement, bind_placements, placements, unit};
use super::{AlignOptions, Aligned, Alignment, PoseChoice, align};
use crate::mapping::{RigMap, SlotMatch};
use crate::profile::{Part, Side};
use glam::{DQuat, DVec3};
use rebone_model::axes::Axis;
use rebone_model::elementary::Angle as _;
use rebone_model::{Character, Clip, JointTracks, Skeleton, Track, Transform};
use std::collections::BTreeMap;

/// Bones may differ by this part of their length, and by [`OF_LONGEST`].
const OF_OWN: f64 = 0.01;

/// Bones may differ by this part of the longest bone.
const OF_LONGEST: f64 = 1e-3;

/// Nodes above the hips that differ by less than this (radians) are turned alike.
const ALIKE: f64 = 1e-3;

/// How far a bone of one rest pose may be from that of the other (radians), and by which part of its length.
const SAME_BONE: f64 = 2e-3;

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
    /// What leads from the one file's axes to those of the other. `None` where they are the same.
    pub change: Option<ChangeOfAxes>,
}

/// What leads from the axes of one file to those of another of the same rig.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeOfAxes {
    /// From file to file (G).
    pub file: DQuat,
    /// From each joint's axes to those of its joint in the other file (C).
    pub joints: Vec<DQuat>,
    /// For each joint whether all that is above it stands still and has no joint in the other file.
    pub tops: Vec<bool>,
}

/// Whether two files hold one rig; `None` where they do not, or where nothing is known of the other's body.
///
/// Joints are compared by their places at rest, and by those in the `clips` in which they stay. The hips may be anywhere. Joints that slide in
/// a clip are compared only where fewer than six others stay.
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
    let files = Files {
        one,
        clips,
        other,
        joints,
        hips: (own_hips, hips),
    };
    let joints = &files.joints;
    let mut pairs = Vec::new();
    let mapped = other_map.slots.values().flat_map(|found| &found.joints);
    for &joint in mapped {
        if joint == hips || other.skeleton.is_ancestor(joint, hips) {
            continue;
        }
        // Legs and feet that do not hang from the hips must hang from the same joint in both files. Those that hang from no joint may be
        // missing: a reader takes them for skeletons of their own.
        let is_below = other.skeleton.is_ancestor(hips, joint);
        let Some(own) = own_of[joint] else {
            if is_below {
                return None;
            }
            continue;
        };
        let carrier = one.skeleton.parent(own).and_then(|above| joints[above]);
        let carried_alike = match (carrier, other.skeleton.parent(joint)) {
            (None, above) if !is_below => {
                files.is_top(own) && above.is_none_or(|above| own_of[above].is_none())
            }
            (carrier, above) => carrier == above,
        };
        if !carried_alike {
            return None;
        }
        if is_below {
            pairs.push((own, joint));
        }
    }
    files
        .in_equal_axes(&pairs)
        .or_else(|| files.in_other_axes(&pairs))
}

/// Two files whose joints have the same names and the same tree.
struct Files<'a> {
    one: &'a Character,
    clips: &'a [&'a Clip],
    other: &'a Character,
    /// For each joint of the one its joint in the other.
    joints: Vec<Option<usize>>,
    hips: (usize, usize),
}

impl Files<'_> {
    /// One rig whose joints have the same axes in both files.
    fn in_equal_axes(&self, pairs: &[(usize, usize)]) -> Option<SameRig> {
        let bones = pairs.iter().map(|&(own, joint)| {
            let rest = self.other.skeleton.joints()[joint].rest.translation;
            (places(self.one, self.clips, own), rest.as_dvec3())
        });
        let mut bones: Vec<(Places, DVec3)> = bones.collect();
        // Where a body grows in one of many clips, all joints slide, and only the rest pose can tell.
        let stays = |bone: &(Places, DVec3)| !bone.0.slides;
        if bones.iter().filter(|bone| stays(bone)).count() >= LEAST_BONES {
            bones.retain(stays);
        }
        let longest = bones.iter().map(|bone| bone.1.length()).fold(0.0, f64::max);
        let lengths = bones
            .iter()
            .map(|(own, other)| (own.rest().length(), other.length()));
        let bone_scale = median_ratio(lengths)?;
        let agree = |(own, other): &(Places, DVec3)| {
            let within = OF_OWN * other.length() + OF_LONGEST * longest;
            own.all
                .iter()
                .any(|place| (bone_scale * place).distance(*other) <= within)
        };
        if bones.len() < LEAST_BONES || !bones.iter().all(agree) {
            return None;
        }
        let in_same_axes = self.has_same_axes_above_hips();
        let enlarged = if in_same_axes { 1.0 } else { self.enlarged() };
        Some(SameRig {
            bone_scale,
            scale: bone_scale * enlarged,
            in_same_axes,
            change: None,
            joints: self.joints.clone(),
        })
    }

    /// True where the same nodes stand above both hips, turned alike unless they move.
    fn has_same_axes_above_hips(&self) -> bool {
        let (own_hips, hips) = self.hips;
        let own_above: Vec<usize> = self.one.skeleton.ancestors(own_hips).collect();
        let above: Vec<usize> = self.other.skeleton.ancestors(hips).collect();
        let clips = self.clips;
        let tracks = |joint: usize| clips.iter().filter_map(move |clip| clip.joints.get(joint));
        let turns = |joint: usize| tracks(joint).any(|tracks| tracks.rotation.is_some());
        let grows = |joint: usize| tracks(joint).any(|tracks| tracks.scale.is_some());
        own_above.len() == above.len()
            && own_above.iter().zip(&above).all(|(&own, &joint)| {
                let rest = self.one.skeleton.joints()[own].rest;
                let theirs = self.other.skeleton.joints()[joint].rest;
                let turn = rest
                    .rotation
                    .as_dquat()
                    .angle_apart(theirs.rotation.as_dquat());
                let alike = rest.scale.distance(theirs.scale) < 1e-3 * theirs.scale.length();
                let is_same = self.joints[own] == Some(joint);
                is_same && (turns(own) || turn < ALIKE) && (grows(own) || alike)
            })
    }

    /// How much the nodes above the hips enlarge the other file's body more than this one's.
    fn enlarged(&self) -> f64 {
        size_at(self.other, self.hips.1) / size_at(self.one, self.hips.0)
    }

    /// One rig whose joints have other axes in each file, in the same rest pose.
    fn in_other_axes(&self, pairs: &[(usize, usize)]) -> Option<SameRig> {
        let own = placements(self.one, &self.one.skeleton.rest_pose());
        let rest = placements(self.other, &self.other.skeleton.rest_pose());
        let bind = bind_placements(self.other, &rest);
        let (pose, turn, scale) = std::iter::once(rest).chain(bind).find_map(|pose| {
            let (turn, scale) = self.turn_of(pairs, &own, &pose)?;
            Some((pose, turn, scale))
        })?;
        let axes = self.joints.iter().enumerate().map(|(joint, found)| {
            let other = found.map_or(DQuat::IDENTITY, |found| pose[found].rotation);
            unit((turn * own[joint].rotation).conjugate() * other)
        });
        Some(SameRig {
            bone_scale: scale / self.enlarged(),
            scale,
            in_same_axes: false,
            change: Some(ChangeOfAxes {
                file: turn,
                joints: axes.collect(),
                tops: (0..self.joints.len())
                    .map(|joint| self.is_top(joint))
                    .collect(),
            }),
            joints: self.joints.clone(),
        })
    }

    fn is_top(&self, joint: usize) -> bool {
        let rests = |joint: usize| {
            let rest = self.one.skeleton.joints()[joint].rest;
            let mut tracks = self.clips.iter().filter_map(|clip| clip.joints.get(joint));
            tracks.all(|tracks| is_at(tracks, &rest))
        };
        let mut above = self.one.skeleton.ancestors(joint);
        above.all(|above| self.joints[above].is_none() && rests(above))
    }

    /// The turn and the quotient of units that lead from one rest pose to the other; `None` where none does.
    fn turn_of(
        &self,
        pairs: &[(usize, usize)],
        own: &[Placement],
        other: &[Placement],
    ) -> Option<(DQuat, f64)> {
        let way = |pose: &[Placement], skeleton: &Skeleton, joint: usize| {
            let above = skeleton.parent(joint)?;
            Some(pose[joint].position - pose[above].position)
        };
        let bones = pairs.iter().filter_map(|&(joint, found)| {
            if places(self.one, self.clips, joint).slides {
                return None;
            }
            let own = way(own, &self.one.skeleton, joint)?;
            Some((own, way(other, &self.other.skeleton, found)?))
        });
        let bones: Vec<(DVec3, DVec3)> = bones.collect();
        let lengths = bones
            .iter()
            .map(|(own, other)| (own.length(), other.length()));
        let scale = median_ratio(lengths)?;
        let longest = bones.iter().map(|bone| bone.1.length()).fold(0.0, f64::max);
        let agree = |turn: &DQuat| {
            bones.iter().all(|(own, other)| {
                let within = SAME_BONE * other.length() + OF_LONGEST * longest;
                (scale * (*turn * *own)).distance(*other) <= within
            })
        };
        // Files that differ in their axes differ by a quarter turn.
        let turn = std::iter::once(DQuat::IDENTITY)
            .chain(quarter_turns())
            .find(agree)?;
        (bones.len() >= LEAST_BONES).then_some((turn, scale))
    }
}

/// True where tracks hold a joint at its rest.
fn is_at(tracks: &JointTracks, rest: &Transform) -> bool {
    let mut turns = tracks.rotation.iter().flat_map(Track::values);
    let mut places = tracks.translation.iter().flat_map(Track::values);
    let turn = rest.rotation.as_dquat();
    turns.all(|value| value.as_dquat().angle_apart(turn) < ALIKE)
        && places.all(|value| {
            value.distance(rest.translation) < 1e-4 * (1.0 + rest.translation.length())
        })
        && tracks.scale.is_none()
}

/// The median of second / first.
fn median_ratio(lengths: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let ratios = lengths.map(|(own, other)| other / own);
    let mut ratios: Vec<f64> = ratios.filter(|ratio| ratio.is_normal()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied()
}

/// Where a joint is in the axes of the joint above.
struct Places {
    /// At rest, then in each clip in which it stays.
    all: Vec<DVec3>,
    /// True where it slides in a clip, or is elsewhere in another: each of these places may be a moment of that.
    slides: bool,
}

impl Places {
    fn rest(&self) -> DVec3 {
        self.all[0]
    }
}

fn places(character: &Character, clips: &[&Clip], joint: usize) -> Places {
    let rest = character.skeleton.joints()[joint].rest.translation;
    let mut places = Places {
        all: vec![rest.as_dvec3()],
        slides: false,
    };
    let tracks = clips.iter().filter_map(|clip| clip.joints.get(joint));
    for track in tracks.filter_map(|tracks| tracks.translation.as_ref()) {
        let mut values = track.values().iter().map(|value| value.as_dvec3());
        let Some(first) = values.next() else {
            continue;
        };
        let is_at = |place: DVec3| place.distance(first) <= OF_OWN * first.length();
        let stays = values.all(is_at);
        places.slides |= !stays || !places.all[1..].iter().copied().all(is_at);
        if stays {
            places.all.push(first);
        }
    }
    places
}

/// File units a unit of a joint's own axes, at rest.
fn size_at(character: &Character, joint: usize) -> f64 {
    let skeleton = &character.skeleton;
    let scale =
        |joint: usize| f64::from(skeleton.joints()[joint].rest.scale.length()) / 3f64.sqrt();
    scale(joint) * skeleton.ancestors(joint).map(scale).product::<f64>()
}

impl SameRig {
    /// What leads from a joint's axes to those of its joint in the other file (C).
    pub(crate) fn axes_of(&self, joint: usize) -> DQuat {
        let change = self.change.as_ref();
        change.map_or(DQuat::IDENTITY, |change| change.joints[joint])
    }

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
        let mut given = given_pose(character, other.character, theirs);
        if same_axes {
            given = given.with_axes_of(theirs);
        }
        for (joint, place) in given.placements.iter_mut().enumerate() {
            if let Some(place) = place {
                place.rotation = unit(place.rotation * self.axes_of(joint).conjugate());
            }
        }
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
