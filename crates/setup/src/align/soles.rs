//! Where the floor is below a body that stands, and how high its ankles are above it.
//!
//! | found by | where |
//! |---|---|
//! | [`Found::Joints`] | the lowest joint, or the origin where that is near: a rig that goes on below the ankles, or was put on the floor |
//! | [`Found::Mesh`] | the ankles are the lowest joints: the lowest point of the skin of the legs |
//! | [`Found::Clip`] | the same without a skin: so high above the origin the ankles are in the clips when they are low |
//! | [`Found::Table`] | the same, and no clip shows it: [`USUAL`] leg lengths |
//!
//! The skin counts in the reference pose, each point by its strongest joint, and for bare ankles alone. An ankle may be the sole
//! itself (an IK joint under the foot): skin and clips tell that, too.
//!
//! Source of [`USUAL`]: stature shares of ankle 0.039, shin 0.246 and thigh 0.245 (Drillis and Contini 1966).

use super::limbs::{LEG, SIDES};
use super::motion_up::sampled;
use super::placement::{Placement, clip_placements, lowest};
use super::reference::Reference;
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Stance};
use glam::DVec3;
use rebone_model::{Character, Clip, HullPart, HullPoint};

/// How the height of the ankles was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Found {
    /// By the joints.
    #[default]
    Joints,
    /// By the skin.
    Mesh,
    /// By the clips.
    Clip,
    /// It is a guess: that of a usual person.
    Table,
}

impl Found {
    /// `joints`, `mesh`, `clip`, `table`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Joints => "joints",
            Self::Mesh => "mesh",
            Self::Clip => "clip",
            Self::Table => "table",
        }
    }
}

/// How far below its ankles the skin may go, leg lengths: else it is not that of the feet.
const DEEPEST: f64 = 0.3;
/// An ankle less above the lowest joint than this share of the leg has no foot below it.
const BARE: f64 = 0.04;
/// Height of the ankle of a person over thigh and shin.
const USUAL: f64 = 0.08;
/// Heights of low ankles above the origin if the floor is there, leg lengths.
const HEIGHTS: [f64; 2] = [-0.02, 0.2];

/// The floor below a standing body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Floor {
    /// Canonical.
    pub(super) height: f64,
    pub(super) found: Found,
}

/// What the joints say of the floor.
pub(super) struct ByJoints {
    /// Height of the floor: that of the lowest joint, or of the origin.
    pub(super) floor: f64,
    /// Height of the lowest joint.
    pub(super) lowest: f64,
    /// Length of a leg.
    pub(super) leg: f64,
}

/// Looks for the floor.
pub(super) fn floor(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    reference: &Reference,
    by_joints: &ByJoints,
) -> Floor {
    let ByJoints { lowest, leg, .. } = *by_joints;
    let floor = |height: f64, found: Found| Floor { height, found };
    if let Some(sole) = reference.sole {
        return floor(lowest - sole * leg, Found::Joints);
    }
    let feet: Vec<usize> = SIDES
        .into_iter()
        .filter_map(|side| map.joint_of(Part::Foot, side))
        .collect();
    let joints = floor(by_joints.floor, Found::Joints);
    let heights = feet
        .iter()
        .map(|&foot| reference.placements[foot].position.y);
    let Some(ankles) = heights.reduce(f64::min).filter(|_| leg > 0.0) else {
        return joints;
    };
    let has_toes = SIDES
        .into_iter()
        .any(|side| map.joint_of(Part::Toes, side).is_some());
    let is_bare = !has_toes && by_joints.floor == lowest && by_joints.floor != 0.0;
    if !is_bare || ankles - lowest > BARE * leg || reference.moves {
        return joints;
    }
    let skin = skin_of_legs(character, map, &reference.placements);
    let is_of_feet = |skin: &f64| (0.0..DEEPEST).contains(&((ankles - skin) / leg + 0.01));
    if let Some(skin) = skin.filter(is_of_feet) {
        return floor(skin.min(ankles), Found::Mesh);
    }
    match lowest_in_clips(character, clips, reference, &feet) {
        Some(height) if height > HEIGHTS[0] * leg && height < HEIGHTS[1] * leg => {
            floor(ankles - height.max(0.0), Found::Clip)
        }
        _ => floor(ankles - USUAL * leg, Found::Table),
    }
}

/// Where a leg ends that has no joint for its foot, in the reference pose: where the file says that its shin ends, or at the one joint below
/// the knee, or at the lowest point of the skin of its shin, or a thigh's length below the knee. `None` of a leg with a foot, and of what
/// is no leg.
pub(super) fn end_of_shin(
    character: &Character,
    map: &RigMap,
    places: &[Placement],
    side: Side,
) -> Option<DVec3> {
    let [thigh, knee, foot] = LEG.map(|part| map.joint_of(part, side));
    let ([thigh, knee], None) = ([thigh?, knee?], foot) else {
        return None;
    };
    let own = &places[knee];
    let joints = character.skeleton.joints();
    if let Some(end) = joints[knee].end {
        return Some(own.position + own.rotation * end.as_dvec3());
    }
    let mut below = (0..joints.len()).filter(|joint| joints[*joint].parent == Some(knee));
    if let (Some(end), None) = (below.next(), below.next()) {
        return Some(places[end].position);
    }
    let way = own.position - places[thigh].position;
    let skin = lowest_skin(character, places, &[knee]).filter(|skin| *skin < own.position.y);
    let length = skin.map_or(way.length(), |skin| own.position.y - skin);
    Some(own.position - DVec3::Y * length)
}

/// Where a limb ends, fixed to a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LimbEnd {
    /// The foot or hand; of a leg without a foot, the shin.
    pub(crate) joint: usize,
    /// Where the limb ends in the joint's axes, file units; zero of a foot or hand.
    pub(crate) offset: DVec3,
}

impl LimbEnd {
    /// A joint.
    pub(crate) fn of_joint(joint: usize) -> Self {
        let offset = DVec3::ZERO;
        Self { joint, offset }
    }

    /// The foot or hand of a body whose joints stand at these places, on a floor at 0. A leg without a foot ends on the floor. `None` of what
    /// is no limb.
    pub(crate) fn new(
        character: &Character,
        map: &RigMap,
        places: &[Placement],
        part: Part,
        side: Side,
    ) -> Option<Self> {
        if let Some(joint) = map.joint_of(part, side) {
            return Some(Self::of_joint(joint));
        }
        if part != Part::Foot || map.profile.stance == Stance::FourLegged {
            return None;
        }
        let end = end_of_shin(character, map, places, side)?;
        let end = end - DVec3::Y * end.y.max(0.0);
        let joint = map.joint_of(Part::LowerLeg, side)?;
        let shin = places[joint];
        let offset = shin.rotation.conjugate() * (end - shin.position);
        Some(Self { joint, offset })
    }

    /// Where it is in a pose.
    pub(crate) fn at(&self, places: &[Placement]) -> DVec3 {
        let own = places[self.joint];
        own.position + own.rotation * self.offset
    }
}

/// Height of the lowest point of the skin that thighs, shins, feet and what is below them move most.
fn skin_of_legs(character: &Character, map: &RigMap, places: &[Placement]) -> Option<f64> {
    let legs = SIDES
        .into_iter()
        .flat_map(|side| LEG.map(|part| map.joint_of(part, side)));
    lowest_skin(character, places, &legs.flatten().collect::<Vec<_>>())
}

/// Height of the lowest point of the skin that these joints and what is below them move most.
fn lowest_skin(character: &Character, places: &[Placement], tops: &[usize]) -> Option<f64> {
    let skeleton = &character.skeleton;
    let of_leg: Vec<bool> = (0..skeleton.len())
        .map(|joint| {
            let is_below = |&top: &usize| top == joint || skeleton.is_ancestor(top, joint);
            tops.iter().any(is_below)
        })
        .collect();
    let of_legs = character.hull.iter();
    let of_legs = of_legs.filter(|point| of_leg[point.parts[0].joint]);
    let heights = of_legs.map(|point| in_pose(point, places).y);
    heights.filter(|height| height.is_finite()).reduce(f64::min)
}

/// Where a point of the skin is in a pose.
pub(crate) fn in_pose(point: &HullPoint, places: &[Placement]) -> DVec3 {
    let part = |part: &HullPart| {
        let own = places[part.joint];
        (own.position + own.rotation * part.place.as_dvec3()) * f64::from(part.weight)
    };
    point.parts().map(part).sum()
}

/// A low height of the lower ankle over the clips, above the origin.
fn lowest_in_clips(
    character: &Character,
    clips: &[&Clip],
    reference: &Reference,
    feet: &[usize],
) -> Option<f64> {
    let mut heights: Vec<f64> = sampled(clips)
        .filter(|(clip, _)| clip.animated_joint_count() > 0)
        .filter_map(|(clip, time)| {
            let pose = clip_placements(character, clip, time);
            let height =
                |&foot: &usize| pose[foot].turned(reference.canonical_from_file).position.y;
            feet.iter().map(height).reduce(f64::min)
        })
        .collect();
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 10).copied()
}

/// Height of an ankle over its own foot in the moment of the clips in which one foot's ankle and toes together are lowest: so it is when the
/// foot stands, wherever the feet are in the reference pose. The other foot may never stand flat. `None` without toes, and where
/// no foot stands.
pub(super) fn standing_ankle(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    reference: &Reference,
) -> Option<f64> {
    let feet = SIDES.map(|side| {
        let foot = map.joint_of(Part::Foot, side)?;
        Some((foot, map.joint_of(Part::Toes, side)?))
    });
    let feet: Vec<(usize, usize)> = feet.into_iter().flatten().collect();
    let skeleton = &character.skeleton;
    let mut best: Option<(f64, f64)> = None;
    for (clip, time) in sampled(clips) {
        let pose: Vec<Placement> = clip_placements(character, clip, time)
            .into_iter()
            .map(|place| place.turned(reference.canonical_from_file))
            .collect();
        let at = |joint: usize| -> DVec3 { pose[joint].position };
        for &(foot, toes) in &feet {
            let sum = at(foot).y + at(toes).y;
            if best.is_none_or(|(least, _)| sum < least) {
                let is_below = |joint| joint == foot || skeleton.is_ancestor(foot, joint);
                let sole = lowest(character, &pose, is_below)?;
                best = Some((sum, at(foot).y - sole));
            }
        }
    }
    best.map(|(_, height)| height)
        .filter(|height| *height > 0.0)
}
