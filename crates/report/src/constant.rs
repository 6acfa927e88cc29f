//! What is off all the time: the mark of a wrong retarget pose.
//!
//! ```text
//! constant error of a part = angle between the means over the frames of T⁻¹ · a and of T⁻¹ · b
//! ```
//!
//! T is the turn of the target's joint, a what the source's part shows and b what the target's shows, both canonical. A limb
//! shows where its bone points, a hand where its knuckles lie (along and across the palm), a head which way it looks. All of
//! these are read off the places of joints and off the pose in which a body was modelled, and nothing off the alignment: a
//! limb that is aligned wrong is off by the same angle in every frame. What planting and reaching change comes and goes, and
//! most of it cancels out. An arm that was turned so that it leaves the body is off on purpose: what the source's arm shows is
//! turned as far.
//!
//! A head shows where it looks if the file has a pose in which a person stands. Else it shows where its bone points, if that
//! has an end; then only its bow and its lean are compared. At most [`FRAMES`] frames are looked at. Only bodies that stand
//! upright are compared: animals keep their own way of standing.

use super::direction::{Ends, ends, is_upright, limb_slots};
use super::sampled::Sampled;
use super::turned::TurnedPart;
use super::{Pair, Performance};
use glam::{DMat3, DQuat, DVec3};
use rebone_model::elementary::Angle as _;
use rebone_runtime::TurnedJoints;
use rebone_setup::align::palm::{Across, Knuckles, first_joints, knuckles};
use rebone_setup::align::{level_head, unit};
use rebone_setup::mapping::RigMap;
use rebone_setup::profile::{Part, Slot};

/// Frames that are looked at.
const FRAMES: usize = 40;

/// Heads whose end is in line with the neck by less than this (a cosine) on average have no end.
const ALONG_NECK: f64 = 0.7;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantKind {
    /// Where a bone of an arm points.
    Arm,
    /// Where a bone of a leg points.
    Leg,
    /// Which way the head looks.
    Head,
    /// How a palm lies.
    Palm,
}

impl ConstantKind {
    /// `arm`, `leg`, `head`, `palm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Arm => "arm",
            Self::Leg => "leg",
            Self::Head => "head",
            Self::Palm => "palm",
        }
    }

    /// From here on something is wrong, degrees. Wrists are modelled by taste, and legs that are shorter stand wider.
    pub const fn good_to(self) -> f64 {
        match self {
            Self::Arm | Self::Head => 12.0,
            Self::Leg => 25.0,
            Self::Palm => 13.0,
        }
    }

    /// From here on anybody sees it, degrees.
    pub const fn fails_from(self) -> f64 {
        2.5 * self.good_to()
    }
}

/// How far a part is off all the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantError {
    /// The slot.
    pub slot: Slot,
    /// What is compared.
    pub kind: ConstantKind,
    /// The angle, degrees.
    pub degrees: f64,
}

impl ConstantError {
    /// True for errors of one part in two clips.
    pub fn is_of(&self, other: &Self) -> bool {
        (self.slot, self.kind) == (other.slot, other.kind)
    }
}

/// The constant errors of all parts that both bodies show.
pub(super) fn errors(pair: &Pair<'_>, turned: Option<&TurnedJoints>) -> Vec<ConstantError> {
    let sides = [&pair.source.performance, &pair.target.performance];
    if !sides.iter().all(|side| is_upright(side)) {
        return Vec::new();
    }
    let frames = pair.frames.spread(FRAMES);
    let times = [&pair.frames.source, &pair.frames.target]
        .map(|times| -> Vec<f32> { frames.iter().map(|&frame| times[frame]).collect() });
    let [source, target] = [0, 1].map(|side| Shown::new(sides[side], &times[side]));
    let turned = |slot: Slot, ways: Ways| match turned {
        Some(turned) => target.turned(slot, ways, turned, &times[1]),
        None => ways,
    };
    let mut found = Vec::new();
    for (slot, next) in limb_slots(source.side.map, target.side.map) {
        let kind = match target.side.map.profile.info(slot).part {
            Part::UpperArm | Part::LowerArm => ConstantKind::Arm,
            Part::UpperLeg | Part::LowerLeg => ConstantKind::Leg,
            _ => continue,
        };
        let wanted = source.limb(slot, next).map(|ways| turned(slot, ways));
        let ways = [wanted, target.limb(slot, next)];
        found.extend(constant(&target, slot, kind, ways));
    }
    for &slot in target.side.map.slots.keys() {
        let kind = match target.side.map.profile.info(slot).part {
            Part::Head => ConstantKind::Head,
            Part::Hand => ConstantKind::Palm,
            _ => continue,
        };
        let ways = match kind {
            ConstantKind::Palm => [&source, &target].map(|body| body.palm(slot)),
            _ if source.level.is_some() && target.level.is_some() => {
                [&source, &target].map(|body| body.look(slot))
            }
            _ => [&source, &target].map(|body| body.bow(slot)),
        };
        let [wanted, made] = ways;
        let ways = [wanted.map(|ways| turned(slot, ways)), made];
        found.extend(constant(&target, slot, kind, ways));
    }
    found.sort_by(|one, other| other.degrees.total_cmp(&one.degrees));
    found
}

/// What a part shows in each frame: one direction, or two.
type Ways = Vec<[DVec3; 2]>;

fn constant(
    target: &Shown<'_>,
    slot: Slot,
    kind: ConstantKind,
    ways: [Option<Ways>; 2],
) -> Option<ConstantError> {
    let [wanted, made] = ways;
    let (wanted, made) = (wanted?, made?);
    let turns = &target.sampled.rotations[target.side.map.joint(slot)?];
    let mut means = [[DVec3::ZERO; 2]; 2];
    for (frame, turn) in turns.iter().enumerate() {
        let back = turn.as_dquat().conjugate();
        for (mean, shown) in means.iter_mut().zip([wanted[frame], made[frame]]) {
            *mean = [0, 1].map(|way| mean[way] + back * shown[way]);
        }
    }
    let [wanted, made] = means;
    let angle = match (frame_of(wanted), frame_of(made)) {
        (Some(wanted), Some(made)) => wanted.angle_apart(made),
        _ => wanted[0]
            .try_normalize()?
            .angle_apart(made[0].try_normalize()?),
    };
    Some(ConstantError {
        slot,
        kind,
        degrees: angle.to_degrees(),
    })
}

/// The axes along two directions that are about square to each other; `None` where the second is none.
fn frame_of([first, second]: [DVec3; 2]) -> Option<DQuat> {
    let x = first.try_normalize()?;
    let y = second.reject_from_normalized(x).try_normalize()?;
    Some(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))))
}

/// What a body shows of itself in the frames that are looked at.
struct Shown<'a> {
    side: &'a Performance<'a>,
    sampled: Sampled,
    /// Canonical rotation of the head's joint when it looks ahead.
    level: Option<DQuat>,
    frames: usize,
}

impl<'a> Shown<'a> {
    fn new(side: &'a Performance<'a>, times: &[f32]) -> Self {
        let wanted: Vec<usize> = wanted(side.map).collect();
        Self {
            side,
            sampled: Sampled::new(side, &wanted, times),
            level: level_head(side.character, side.map),
            frames: times.len(),
        }
    }

    /// What a part of the body shows, turned as it was on purpose.
    fn turned(&self, slot: Slot, mut ways: Ways, joints: &TurnedJoints, times: &[f32]) -> Ways {
        let part = TurnedPart::new(joints, self.side, slot);
        for ((frame, ways), time) in ways.iter_mut().enumerate().zip(times) {
            let turn = part.at(&self.sampled, frame, *time);
            *ways = ways.map(|way| turn * way);
        }
        ways
    }

    fn place(&self, joint: usize, frame: usize) -> DVec3 {
        self.sampled.at(joint, frame).as_dvec3()
    }

    fn limb(&self, slot: Slot, next: Option<Slot>) -> Option<Ways> {
        let Ends { from, to } = ends(self.side.map, slot, next)?;
        let way = |frame| self.place(to, frame) - self.place(from, frame);
        let ways = (0..self.frames).map(way);
        ways.map(|way| Some([way.try_normalize()?, DVec3::ZERO]))
            .collect()
    }

    fn palm(&self, hand: Slot) -> Option<Ways> {
        let wrist = self.side.map.joint(hand)?;
        let in_frame = |frame: usize| {
            let place = |joint: usize| self.place(joint, frame);
            let Knuckles { center, across } = knuckles(self.side.map, hand, &place)?;
            let Across::Palm(across) = across else {
                return None;
            };
            let along = (center - place(wrist)).try_normalize()?;
            Some([along, across.try_normalize()?])
        };
        (0..self.frames).map(in_frame).collect()
    }

    fn look(&self, head: Slot) -> Option<Ways> {
        let joint = self.side.map.joint(head)?;
        let level = self.level?.conjugate();
        let in_frame = |frame: usize| {
            let turned = unit(self.sampled.rotations[joint][frame].as_dquat() * level);
            [turned * DVec3::Z, turned * DVec3::Y]
        };
        Some((0..self.frames).map(in_frame).collect())
    }

    /// Where the head's bone points, or which way is up for a head that is known to look ahead.
    fn bow(&self, head: Slot) -> Option<Ways> {
        let map = self.side.map;
        let joint = map.joint(head)?;
        let up = match (self.level, self.side.character.skeleton.joints()[joint].end) {
            (Some(level), _) => level.conjugate() * DVec3::Y,
            (None, Some(end)) => end.as_dvec3().try_normalize()?,
            (None, None) => return None,
        };
        let turn = |frame: usize| self.sampled.rotations[joint][frame].as_dquat();
        let ways: Ways = (0..self.frames)
            .map(|frame| [turn(frame) * up, DVec3::ZERO])
            .collect();
        let neck = map.joint(map.present_parent(head)?)?;
        let along_neck = (0..self.frames).map(|frame| {
            let neck = self.place(joint, frame) - self.place(neck, frame);
            ways[frame][0].dot(neck.normalize_or_zero())
        });
        // Some files fill in an end that is none: it leads aside from the neck.
        let is_end = along_neck.sum::<f64>() > ALONG_NECK * self.frames as f64;
        is_end.then_some(ways)
    }
}

/// Every joint whose place or turn is looked at.
fn wanted(map: &RigMap) -> impl Iterator<Item = usize> + '_ {
    map.slots.iter().flat_map(|(&slot, found)| {
        let part = map.profile.info(slot).part;
        let mut joints = match part {
            Part::Face | Part::Ear | Part::Finger => Vec::new(),
            _ => found.joints.clone(),
        };
        if part == Part::Hand {
            joints.extend(first_joints(map, slot, Part::Finger));
        }
        joints
    })
}
