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

use super::body::is_counted;
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
    let (source, target) = (&pair.source, &pair.target);
    let (from, to) = (&source.performance, &target.performance);
    let keeps_stance = !is_upright(from) || !is_upright(to);
    let limbs = limb_slots(from.map, to.map);
    let frames = pair.frames.len();
    let mut result = Directions {
        slots: Vec::with_capacity(limbs.len()),
        worst: None,
        by_frame: vec![0.0; frames],
    };
    for &(slot, next) in &limbs {
        let (mut sum, mut count, mut worst) = (0.0, 0usize, 0.0);
        if let (Some(a), Some(b)) = (ends(from.map, slot, next), ends(to.map, slot, next)) {
            let part = turned.map(|turned| TurnedPart::new(turned, to, slot));
            let standing = standing(from, slot, next).zip(standing(to, slot, next));
            for frame in 0..frames {
                let along = |(first, last): (usize, usize), body: &super::Body<'_>| {
                    (body.sampled.at(last, frame) - body.sampled.at(first, frame)).as_dvec3()
                };
                let (way, made) = (along(a, source), along(b, target));
                let expected = if keeps_stance {
                    let Some((own, other)) = standing else {
                        continue;
                    };
                    let Some(way) = way.try_normalize() else {
                        continue;
                    };
                    let own_turn = source.sampled.rotations[a.0][frame].as_dquat();
                    let turn = unit(own_turn * from.alignment.retarget_rotation(a.0).conjugate());
                    // Where further joints bend within the limb, it points elsewhere than its first one says.
                    rotation_arc(turn * own, way) * turn * other
                } else {
                    let at = (frame, pair.frames.target[frame]);
                    let turn = |part: &TurnedPart<'_>| part.at(&target.sampled, at) * way;
                    part.as_ref().map_or(way, turn)
                };
                let Some(error) = angle_degrees(expected, made) else {
                    continue;
                };
                sum += error;
                count += 1;
                result.by_frame[frame] += error / limbs.len() as f64;
                if error > worst {
                    worst = error;
                    if result.worst.is_none_or(|known| error > known.value) {
                        result.worst = Some(Worst {
                            frame,
                            value: error,
                            slot: Some(slot),
                            point: None,
                        });
                    }
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
pub(super) fn ends(map: &RigMap, slot: Slot, next: Option<Slot>) -> Option<(usize, usize)> {
    let joints = &map.slots.get(&slot)?.joints;
    let to = match next {
        Some(next) => map.joint(next)?,
        None => *joints.last()?,
    };
    Some((*joints.first()?, to))
}

/// Direction of a limb in the retarget pose, canonical.
fn standing(performance: &Performance<'_>, slot: Slot, next: Option<Slot>) -> Option<DVec3> {
    let alignment = performance.alignment;
    let (from, to) = ends(performance.map, slot, next)?;
    let along = alignment.reference[to].position - alignment.reference[from].position;
    let along = along.try_normalize()?;
    Some(match alignment.corrections.get(&slot) {
        Some(correction) => *correction * along,
        None => along,
    })
}
