//! Where limbs point.
//!
//! ```text
//! error of a slot in a frame = angle between a and b          a, b: from the slot's joint to that of the next slot
//! ```
//!
//! Both in canonical space. Feet are left out: they keep their own pitch (heels, paws), so their directions differ by design.
//!
//! Animals keep their own way of standing as well: there the error is the angle between the target's limb and
//! where it would be if it were turned from its standing pose as the source's limb is from its own.
//!
//! An arm of a person that was turned so that it leaves the body is off on purpose: what the source's arm shows is turned as far.
//!
//! Degenerate cases: a limb without length has no direction, and its frames do not count.

use super::body::{Body, is_counted};
use super::moments::Worst;
use super::turned::TurnedPart;
use super::{Pair, Performance};
use glam::DVec3;
use rebone_model::elementary::Elementary as _;
use rebone_runtime::TurnedJoints;
use rebone_setup::align::{RestKind, rotation_arc, unit};
use rebone_setup::mapping::RigMap;
use rebone_setup::profile::{Part, Slot, Stance};

/// How far a slot's direction is off, degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotError {
    /// The slot.
    pub slot: Slot,
    /// Mean over the frames.
    pub mean_degrees: f64,
    /// Worst frame.
    pub max_degrees: f64,
}

/// The errors of all limbs.
pub(super) struct Directions {
    pub(super) slots: Vec<SlotError>,
    /// The worst slot and frame.
    pub(super) worst: Option<Worst>,
    /// Mean over the slots in each frame, degrees.
    pub(super) by_frame: Vec<f64>,
}

impl Directions {
    /// Mean of the slots' means; 0 without slots.
    pub(super) fn mean_degrees(&self) -> f64 {
        // The sum of nothing would be -0.
        let sum = self
            .slots
            .iter()
            .fold(0.0, |sum, slot| sum + slot.mean_degrees);
        sum / self.slots.len().max(1) as f64
    }

    /// Worst of the slots' worst; 0 without slots.
    pub(super) fn max_degrees(&self) -> f64 {
        self.slots
            .iter()
            .map(|slot| slot.max_degrees)
            .fold(0.0, f64::max)
    }
}

/// The direction errors of the limbs that both have.
pub(super) fn errors(pair: &Pair<'_>, turned: Option<&TurnedJoints>) -> Directions {
    let limbs = limb_slots(pair.source.performance.map, pair.target.performance.map);
    let frames = pair.frames.len();
    let mut result = Directions {
        slots: Vec::with_capacity(limbs.len()),
        worst: None,
        by_frame: vec![0.0; frames],
    };
    for &(slot, next) in &limbs {
        let (mut sum, mut count, mut worst) = (0.0, 0usize, 0.0);
        if let Some(limb) = Limb::new(pair, slot, next, turned) {
            for frame in 0..frames {
                let Some(error) = limb.error_degrees(frame) else {
                    continue;
                };
                sum += error;
                count += 1;
                result.by_frame[frame] += error / limbs.len() as f64;
                if error > worst {
                    worst = error;
                    let found = Worst {
                        frame,
                        value: error,
                        slot: Some(slot),
                        point: None,
                    };
                    Worst::keep(&mut result.worst, found);
                }
            }
        }
        result.slots.push(SlotError {
            slot,
            mean_degrees: sum / count.max(1) as f64,
            max_degrees: worst,
        });
    }
    result
}

/// A limb of both sides.
struct Limb<'a> {
    pair: &'a Pair<'a>,
    source: Ends,
    target: Ends,
    expected: Expected<'a>,
}

/// Where the target's limb should point.
enum Expected<'a> {
    /// Where the source's points, turned as far as the part was turned on purpose.
    AsSource(Option<TurnedPart<'a>>),
    /// Where it would point if it were turned from its standing pose as the source's limb is from its own. Holds the
    /// directions of both in the retarget pose.
    FromStanding { source: DVec3, target: DVec3 },
}

impl<'a> Limb<'a> {
    /// `None` if the limb lacks a joint on one side, or has no direction in a retarget pose that is needed.
    fn new(
        pair: &'a Pair<'a>,
        slot: Slot,
        next: Option<Slot>,
        turned: Option<&'a TurnedJoints>,
    ) -> Option<Self> {
        let (from, to) = (&pair.source.performance, &pair.target.performance);
        Some(Self {
            pair,
            source: ends(from.map, slot, next)?,
            target: ends(to.map, slot, next)?,
            expected: if is_upright(from) && is_upright(to) {
                Expected::AsSource(turned.map(|turned| TurnedPart::new(turned, to, slot)))
            } else {
                Expected::FromStanding {
                    source: standing(from, slot, next)?,
                    target: standing(to, slot, next)?,
                }
            },
        })
    }

    /// How far the target's limb is off in a frame. `None` if a limb has no length.
    fn error_degrees(&self, frame: usize) -> Option<f64> {
        let (source, target) = (&self.pair.source, &self.pair.target);
        let way = self.source.way(source, frame);
        let expected = match &self.expected {
            Expected::AsSource(None) => way,
            Expected::AsSource(Some(part)) => {
                let seconds = self.pair.frames.target[frame];
                part.at(&target.sampled, frame, seconds) * way
            }
            Expected::FromStanding {
                source: own,
                target: other,
            } => {
                let way = way.try_normalize()?;
                let first = self.source.from;
                let own_turn = source.sampled.rotations[first][frame].as_dquat();
                let retarget = source.performance.alignment.retarget_rotation(first);
                let turn = unit(own_turn * retarget.conjugate());
                // Where further joints bend within the limb, it points elsewhere than its first one says.
                rotation_arc(turn * *own, way) * turn * *other
            }
        };
        angle_degrees(expected, self.target.way(target, frame))
    }
}

/// True for a body that stands on two legs and hangs its limbs as people do.
pub(super) fn is_upright(side: &Performance<'_>) -> bool {
    side.map.profile.stance == Stance::Upright && side.alignment.rest_kind != RestKind::FourLegged
}

/// The angle between two ways; exact near 0 and near 180, `None` where one has no length.
fn angle_degrees(a: DVec3, b: DVec3) -> Option<f64> {
    let (across, along) = (a.cross(b).length(), a.dot(b));
    let size = a.length_squared() * b.length_squared();
    (size > 1e-30).then(|| across.arc_tangent(along).to_degrees())
}

/// Slots of limbs that both rigs have, each with the slot to which its bone leads: the next that both have.
/// A limb of several joints that leads nowhere (`None`) points from its first joint to its last.
pub(super) fn limb_slots(source: &RigMap, target: &RigMap) -> Vec<(Slot, Option<Slot>)> {
    let profile = source.profile;
    let shared = |slot: Slot| source.slots.contains_key(&slot) && target.slots.contains_key(&slot);
    let above = |slot: Slot| {
        let mut at = profile.parent(slot);
        while let Some(above) = at.filter(|&above| !shared(above)) {
            at = profile.parent(above);
        }
        at
    };
    let limb = |slot: &Slot| {
        matches!(
            profile.info(*slot).part,
            Part::UpperArm
                | Part::LowerArm
                | Part::UpperLeg
                | Part::LowerLeg
                | Part::Cannon
                | Part::Limb
        )
    };
    let next = |slot: Slot| {
        profile.all().find(|&below| {
            let is_counted = is_counted(profile.info(below).part);
            is_counted && shared(below) && above(below) == Some(slot)
        })
    };
    profile
        .all()
        .filter(|&slot| shared(slot) && limb(&slot))
        .map(|slot| (slot, next(slot)))
        .filter(|(slot, next)| {
            let is_chain = |map: &RigMap| map.slots[slot].joints.len() > 1;
            next.is_some()
                || profile.info(*slot).part == Part::Limb && is_chain(source) && is_chain(target)
        })
        .collect()
}

/// The joints from and to which a limb points.
pub(super) struct Ends {
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Ends {
    fn way(&self, body: &Body<'_>, frame: usize) -> DVec3 {
        (body.sampled.at(self.to, frame) - body.sampled.at(self.from, frame)).as_dvec3()
    }
}

/// The ends of a limb. `None` if the rig lacks one.
pub(super) fn ends(map: &RigMap, slot: Slot, next: Option<Slot>) -> Option<Ends> {
    let joints = &map.slots.get(&slot)?.joints;
    let to = match next {
        Some(next) => map.joint(next)?,
        None => *joints.last()?,
    };
    let from = *joints.first()?;
    Some(Ends { from, to })
}

/// Direction of a limb in the retarget pose, canonical.
fn standing(performance: &Performance<'_>, slot: Slot, next: Option<Slot>) -> Option<DVec3> {
    let alignment = performance.alignment;
    let Ends { from, to } = ends(performance.map, slot, next)?;
    let along = alignment.reference[to].position - alignment.reference[from].position;
    let along = along.try_normalize()?;
    Some(match alignment.corrections.get(&slot) {
        Some(correction) => *correction * along,
        None => along,
    })
}
