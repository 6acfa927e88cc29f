//! Corrections X: what turns the reference pose into the retarget pose.
//!
//! In the retarget pose arms point sideways (±X), legs down (−Y), fingers along the hand. Each slot is
//! swung by the shortest arc from where its parent's correction left it, so that roll stays relative to
//! the parent; where something shows the roll ([`Evidence`]), roll is corrected too. Torso, neck and head keep
//! their natural curvature, clavicles their slope, feet their pitch.
//!
//! Where the reference pose is a moment of a motion, its trunk and hands are those of the mean over the
//! clip, and joints whose axes are near those of the body get exactly these.
//! Source: docs/laws.md, "Corrections of the retarget pose".

mod axes;
mod hand;
mod hinge;
mod limb;
mod means;
mod splay;
mod turns;

use super::canonical::rotation_arc;
use super::evidence::{Evidence, Reason};
use super::placement::{Placement, unit};
use super::reference::Reference;
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Slot, Stance};
use axes::lies_along;
use glam::{DQuat, DVec3};
use means::{Means, means};
use rebone_model::elementary::Angle as _;
use rebone_model::elementary::{Elementary as _, Turn as _};
use rebone_model::{Character, Clip};
use std::collections::BTreeMap;
use turns::{swing, swing_into_cone, twist_angle};

/// A last joint whose axis turns away further than this has other axes than those above.
const SHARPEST_DEGREES: f64 = 75.0;

/// Differences between two characters' corrections below this angle (radians) are noise. Source: docs/laws.md,
/// "Dead band of corrections".
pub(crate) fn dead_band(part: Part) -> f64 {
    let degrees: f64 = match part {
        Part::Hips | Part::Torso | Part::Neck | Part::Head | Part::Face => 2.0,
        Part::UpperArm | Part::LowerArm | Part::UpperLeg | Part::LowerLeg => 2.0,
        Part::Hand | Part::Thumb => 5.0,
        // What remains adds up from joint to joint.
        Part::Finger => 1.0,
        Part::Shoulder | Part::Foot | Part::Toes => 10.0,
        Part::Cannon | Part::Ear | Part::Trunk | Part::Tail | Part::Limb => 10.0,
    };
    degrees.to_radians()
}

/// True for parts whose rest direction is a matter of the part above: a hand is bent or straight against
/// its forearm, whatever the forearm does.
pub(crate) fn hangs_from_parent(part: Part) -> bool {
    matches!(part, Part::Hand | Part::Thumb | Part::Finger | Part::Toes)
}

/// What is corrected: a character with its reference pose.
pub(super) struct Subject<'a> {
    pub(super) character: &'a Character,
    pub(super) map: &'a RigMap,
    pub(super) clips: &'a [&'a Clip],
    pub(super) reference: &'a Reference,
}

/// Corrections of slots, canonical, and what they rest on.
#[derive(Default)]
pub(super) struct Corrections {
    pub(super) turns: BTreeMap<Slot, DQuat>,
    pub(super) reasons: BTreeMap<Slot, Reason>,
}

/// Corrections of all slots. Bodies that do not stand upright have no common pose and get none.
pub(super) fn corrections(subject: &Subject<'_>) -> Corrections {
    let (map, reference) = (subject.map, subject.reference);
    if map.profile.stance != Stance::Upright {
        return Corrections::default();
    }
    let mut body = Body::new(subject);
    if reference.moves {
        body.means = means(
            subject.character,
            map,
            subject.clips,
            reference.canonical_from_file,
        );
    }
    body.hinges = body.learnt_hinges();
    body.foot_rolls = splay::rolls(subject, &body);
    let mut done: BTreeMap<Slot, (DQuat, Evidence)> = BTreeMap::new();
    for &slot in map.slots.keys() {
        let parent = map
            .present_parent(slot)
            .and_then(|above| done.get(&above))
            .map_or(DQuat::IDENTITY, |(turn, _)| *turn);
        let found = body.correction(slot, parent);
        done.insert(slot, found);
    }
    body.share_palm_roll(&mut done);
    body.told(done)
}

/// Arm calibration: each upper arm and forearm by its own shortest arc to ±X; everything below moves along, and is
/// therefore listed with the identity. Source: docs/laws.md, "Arm calibration".
pub(super) fn arm_corrections(subject: &Subject<'_>) -> Corrections {
    let body = Body::new(subject);
    let mut done: BTreeMap<Slot, (DQuat, Evidence)> = BTreeMap::new();
    for &slot in subject.map.slots.keys() {
        let info = subject.map.profile.info(slot);
        let is_arm = matches!(info.part, Part::UpperArm | Part::LowerArm);
        let found = match body.direction_of(slot).filter(|_| is_arm) {
            Some(direction) => (rotation_arc(direction, out(info.side)), Evidence::Direction),
            None => (DQuat::IDENTITY, Evidence::None),
        };
        done.insert(slot, found);
    }
    body.told(done)
}

/// The tail of an animal, turned up or down so that it leads straight back from the body. Kinds of animals carry their
/// tails in unlike ways at rest; what a motion shows is how the tail leads away from the spine.
pub(super) fn tail_corrections(subject: &Subject<'_>) -> Corrections {
    let body = Body::new(subject);
    let mut done: BTreeMap<Slot, (DQuat, Evidence)> = BTreeMap::new();
    for (&slot, found) in &subject.map.slots {
        let is_tail = subject.map.profile.info(slot).part == Part::Tail;
        let (Some(&first), Some(&last)) = (found.joints.first(), found.joints.last()) else {
            continue;
        };
        if !is_tail || first == last {
            continue;
        }
        let along = body.placements[last].position - body.placements[first].position;
        // A tail that leads aside is none to turn up or down.
        if along.y.hypotenuse(along.z) > 0.5 * along.length() {
            let angle = -along.y.arc_tangent(-along.z);
            done.insert(slot, (DQuat::about_x(angle), Evidence::Direction));
        }
    }
    body.told(done)
}

/// The direction sideways from the body.
fn out(side: Side) -> DVec3 {
    DVec3::X * f64::from(side.sign())
}

struct Body<'a> {
    character: &'a Character,
    map: &'a RigMap,
    clips: &'a [&'a Clip],
    placements: &'a [Placement],
    /// True where the pose is a moment of a motion.
    moves: bool,
    /// True where the torso is brought upright.
    upright: bool,
    /// True where the joints' axes lie along their segments, by the rig's convention and not by chance.
    lawful_axes: bool,
    means: Means,
    /// Bending axes of the limbs in the axes of their upper joints, learnt from the clips.
    hinges: BTreeMap<Slot, DVec3>,
    /// How far each foot rolls with its leg, radians about +Z, left and right.
    foot_rolls: [f64; 2],
}

impl<'a> Body<'a> {
    fn new(subject: &Subject<'a>) -> Self {
        let mut body = Self {
            character: subject.character,
            map: subject.map,
            clips: subject.clips,
            placements: &subject.reference.placements,
            moves: subject.reference.moves,
            upright: subject.reference.correct_torso,
            lawful_axes: false,
            means: Means::default(),
            hinges: BTreeMap::new(),
            foot_rolls: [0.0; 2],
        };
        body.lawful_axes = body.has_lawful_axes();
        body
    }

    /// True where most limbs and fingers lie along an axis of their joints.
    fn has_lawful_axes(&self) -> bool {
        let (mut along, mut all) = (0, 0);
        for &slot in self.map.slots.keys() {
            let part = self.map.profile.info(slot).part;
            let next = self.next_slot(slot).and_then(|next| self.map.joint(next));
            if let (true, Some(joint), Some(next)) = (is_segment(part), self.map.joint(slot), next)
            {
                let place = self.placements[next].position;
                all += 1;
                along += usize::from(segment_axis(&self.placements[joint], place).is_some());
            }
        }
        10 * along >= 6 * all
    }

    fn at(&self, part: Part, side: Side) -> Option<DVec3> {
        let joint = self.map.joint_of(part, side)?;
        Some(self.placements[joint].position)
    }

    /// Direction from one part's joint to another's; `None` where either is missing or they coincide.
    fn between(&self, from: Part, to: Part, side: Side) -> Option<DVec3> {
        (self.at(to, side)? - self.at(from, side)?).try_normalize()
    }

    /// Where a slot's segment points: to the next slot's joint; where there is none, to the joint's stated
    /// end, or along the axis that leads from joint to joint above it.
    fn direction_of(&self, slot: Slot) -> Option<DVec3> {
        let joint = self.map.joint(slot)?;
        let own = self.placements[joint];
        if let Some(next) = self.next_slot(slot).and_then(|next| self.map.joint(next)) {
            return (self.placements[next].position - own.position).try_normalize();
        }
        if let Some(end) = self.character.skeleton.joints()[joint].end {
            return (own.rotation * end.as_dvec3()).try_normalize();
        }
        let above = self.map.present_parent(slot).filter(|_| self.lawful_axes)?;
        let further = self.map.present_parent(above)?;
        let [above, further] = [self.map.joint(above)?, self.map.joint(further)?];
        let [above, further] = [above, further].map(|joint| self.placements[joint]);
        let axis = segment_axis(&above, own.position)?;
        let same = segment_axis(&further, above.position)? == axis;
        let direction = own.rotation * axis;
        let bend = direction.angle_apart(own.position - above.position);
        (same && bend < SHARPEST_DEGREES.to_radians()).then_some(direction)
    }

    /// The next slot of the same limb or finger that the rig has.
    fn next_slot(&self, slot: Slot) -> Option<Slot> {
        let profile = self.map.profile;
        let info = profile.info(slot);
        let next_part = match info.part {
            Part::Shoulder => Part::UpperArm,
            Part::UpperArm => Part::LowerArm,
            Part::LowerArm => Part::Hand,
            Part::UpperLeg => Part::LowerLeg,
            Part::LowerLeg => Part::Foot,
            Part::Foot => Part::Toes,
            Part::Hips => Part::Torso,
            Part::Torso if !self.has_below(slot, Part::Torso) => Part::Neck,
            Part::Neck => Part::Head,
            Part::Hand | Part::Toes | Part::Head | Part::Face => return None,
            same => same,
        };
        self.map.slots.keys().copied().find(|&below| {
            let next = profile.info(below);
            next.part == next_part
                && next.side == info.side
                && below != slot
                && self.map.present_parent(below) == Some(slot)
        })
    }

    fn has_below(&self, slot: Slot, part: Part) -> bool {
        let mut slots = self.map.slots.keys();
        slots.any(|&below| {
            self.map.profile.info(below).part == part
                && self.map.present_parent(below) == Some(slot)
        })
    }

    fn correction(&self, slot: Slot, parent: DQuat) -> (DQuat, Evidence) {
        let info = self.map.profile.info(slot);
        let side = info.side;
        let swung = |wanted: DVec3| match self.direction_of(slot) {
            Some(direction) => (swing(parent, direction, wanted), Evidence::Direction),
            None => (parent, Evidence::None),
        };
        let found = match info.part {
            Part::Hips | Part::Torso | Part::Neck | Part::Head => self.trunk(slot, parent),
            Part::Shoulder => {
                let direction = self.between(Part::Shoulder, Part::UpperArm, side);
                let cone = |d| swing_into_cone(parent, d, out(side), 35.0);
                (direction.map_or(parent, cone), Evidence::Direction)
            }
            Part::UpperArm | Part::UpperLeg => self.limb(slot, parent),
            Part::LowerArm => swung(out(side)),
            Part::LowerLeg => swung(DVec3::NEG_Y),
            Part::Hand => self.hand(slot, side, parent),
            Part::Thumb => self.thumb(slot, side, parent),
            Part::Finger => self.finger(slot, side, parent),
            Part::Foot => self.foot(side, self.foot_roll(side)),
            Part::Face | Part::Toes => (parent, Evidence::None),
            Part::Cannon | Part::Ear | Part::Trunk | Part::Tail | Part::Limb => {
                (parent, Evidence::None)
            }
        };
        if self.moves {
            let (turn, evidence) = found;
            self.by_axes(slot, turn, evidence)
        } else {
            found
        }
    }

    /// Hips, torso, neck and head.
    fn trunk(&self, slot: Slot, parent: DQuat) -> (DQuat, Evidence) {
        let joint = self.map.joint(slot);
        let up = || {
            let (hips, side) = (Part::Hips, Side::Center);
            self.between(hips, Part::Neck, side)
                .or_else(|| self.between(hips, Part::Head, side))
        };
        let part = self.map.profile.info(slot).part;
        if self.moves
            && let Some(joint) = joint
            && let Some(mean) = self.means.trunk.get(&joint)
        {
            let turn = *mean * self.placements[joint].rotation.conjugate();
            return (unit(turn), Evidence::MeanOfClip);
        }
        match part {
            Part::Hips | Part::Torso if self.upright => match up() {
                Some(up) => (swing(DQuat::IDENTITY, up, DVec3::Y), Evidence::Direction),
                None => (parent, Evidence::None),
            },
            _ => (parent, Evidence::None),
        }
    }

    fn foot_roll(&self, side: Side) -> f64 {
        let [left, right] = self.foot_rolls;
        if side == Side::Left { left } else { right }
    }

    /// Feet keep their pitch and are only turned to point forwards, once they have rolled with their legs. Source: docs/laws.md,
    /// "Pitch of the feet".
    fn foot(&self, side: Side, roll: f64) -> (DQuat, Evidence) {
        let rolled = DQuat::about_z(roll);
        let Some(direction) = self.between(Part::Foot, Part::Toes, side) else {
            return (rolled, Evidence::None);
        };
        let direction = rolled * direction;
        let flat = DVec3::new(direction.x, 0.0, direction.z);
        if flat.length() < 0.3 || flat.z < 0.0 {
            return (rolled, Evidence::None);
        }
        let turn = DQuat::about_y(-flat.x.arc_tangent(flat.z));
        (turn * rolled, Evidence::Toes)
    }

    /// Adds what was done to each slot.
    fn told(&self, done: BTreeMap<Slot, (DQuat, Evidence)>) -> Corrections {
        let mut result = Corrections::default();
        for (&slot, &(turn, evidence)) in &done {
            let part = self.map.profile.info(slot).part;
            // Feet and the trunk do not move along.
            let above = match part {
                Part::Foot => None,
                _ => self
                    .map
                    .present_parent(slot)
                    .and_then(|above| done.get(&above)),
            };
            let own = unit(turn * above.map_or(DQuat::IDENTITY, |(above, _)| above.conjugate()));
            let reason = match self.direction_of(slot).filter(|_| part != Part::Foot) {
                Some(direction) => {
                    let along = (turn * direction).normalize_or_zero();
                    let roll = twist_angle(own, along);
                    let swung = DQuat::about(along, -roll) * own;
                    Reason {
                        swing_degrees: swung.angle_apart(DQuat::IDENTITY).to_degrees(),
                        roll_degrees: roll.to_degrees(),
                        evidence,
                    }
                }
                None => Reason {
                    swing_degrees: own.angle_apart(DQuat::IDENTITY).to_degrees(),
                    roll_degrees: 0.0,
                    evidence,
                },
            };
            result.turns.insert(slot, turn);
            result.reasons.insert(slot, reason);
        }
        result
    }
}

/// Arms, legs and fingers: what is straight.
fn is_segment(part: Part) -> bool {
    matches!(
        part,
        Part::UpperArm | Part::LowerArm | Part::UpperLeg | Part::LowerLeg | Part::Finger
    )
}

/// The axis of a joint that leads to a place.
fn segment_axis(joint: &Placement, place: DVec3) -> Option<DVec3> {
    lies_along(joint.rotation.conjugate() * (place - joint.position))
}
