//! Figures of a finished retarget.
//!
//! Direction error of a slot: the angle between the source's limb (from the slot's joint to that of the
//! next slot) and the target's, both in canonical space, over the frames of the clip. Feet are left out: they
//! keep their own pitch (heels, paws), so their directions differ by design.
//!
//! Animals keep their own way of standing as well: there the error is the angle between the target's limb and
//! where it would be if it were turned from its standing pose as the source's limb is from its own.

use crate::align::{Alignment, RestKind, rotation_arc, unit};
use crate::mapping::RigMap;
use crate::profile::{Part, Slot, Stance};
use glam::{DQuat, DVec3};
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{Character, Clip, ModelPose};

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

/// Figures of one clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Limb slots that both rigs have.
    pub direction: Vec<SlotError>,
    /// Mean of the slots' means, degrees.
    pub mean_direction_degrees: f64,
    /// Worst of the slots' worst, degrees.
    pub max_direction_degrees: f64,
}

/// A character, its slots, its alignment and its clip.
#[derive(Clone, Copy, Debug)]
pub struct Performance<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its slots.
    pub map: &'a RigMap,
    /// Its alignment.
    pub alignment: &'a Alignment,
    /// What it does.
    pub clip: &'a Clip,
}

/// Compares a target's limb directions with the source's at up to `samples` times.
pub fn report(source: &Performance<'_>, target: &Performance<'_>, samples: usize) -> Report {
    let slots = limb_slots(source.map, target.map);
    let is_upright = |side: &Performance<'_>| {
        side.map.profile.stance == Stance::Upright
            && side.alignment.rest_kind != RestKind::FourLegged
    };
    let keeps_stance = !is_upright(source) || !is_upright(target);
    let mut sums = vec![(0.0f64, 0.0f64); slots.len()];
    let times = sample_times(source.clip, samples);
    for &time in &times {
        let from = pose(source, time);
        let to = pose(target, time);
        for ((slot, next), sum) in slots.iter().zip(&mut sums) {
            let (Some(a), Some(b)) = (
                direction(source, &from, *slot, *next),
                direction(target, &to, *slot, *next),
            ) else {
                continue;
            };
            let expected = if keeps_stance {
                let (Some(standing), Some(own), Some(turn)) = (
                    standing(source, *slot, *next),
                    standing(target, *slot, *next),
                    turned(source, &from, *slot),
                ) else {
                    continue;
                };
                // Where further joints bend within the limb, it points elsewhere than its first one says.
                rotation_arc(turn * standing, a) * turn * own
            } else {
                a
            };
            let error = expected.angle_between(b).to_degrees();
            sum.0 += error / times.len() as f64;
            sum.1 = sum.1.max(error);
        }
    }
    let direction: Vec<SlotError> = slots
        .iter()
        .zip(sums)
        .map(|((slot, _), (mean_degrees, max_degrees))| SlotError {
            slot: *slot,
            mean_degrees,
            max_degrees,
        })
        .collect();
    let count = direction.len().max(1) as f64;
    Report {
        mean_direction_degrees: direction
            .iter()
            .fold(0.0, |sum, entry| sum + entry.mean_degrees)
            / count,
        max_direction_degrees: direction
            .iter()
            .map(|entry| entry.max_degrees)
            .fold(0.0, f64::max),
        direction,
    }
}

/// Slots of limbs that both rigs have, each with the slot to which its bone leads: the next that both have.
/// A limb of several joints that leads nowhere (`None`) points from its first joint to its last.
fn limb_slots(source: &RigMap, target: &RigMap) -> Vec<(Slot, Option<Slot>)> {
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
        profile
            .all()
            .find(|&below| shared(below) && above(below) == Some(slot))
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
fn ends(map: &RigMap, slot: Slot, next: Option<Slot>) -> Option<(usize, usize)> {
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

/// What a slot's joint turned from the retarget pose, canonical.
fn turned(performance: &Performance<'_>, pose: &ModelPose, slot: Slot) -> Option<DQuat> {
    let joint = performance.map.joint(slot)?;
    let alignment = performance.alignment;
    let now = alignment.canonical_from_file * pose.rotation(joint).as_dquat();
    Some(unit(now * alignment.retarget_rotation(joint).conjugate()))
}

fn sample_times(clip: &Clip, samples: usize) -> Vec<f32> {
    let times = clip.key_times();
    if times.len() <= samples || samples == 0 {
        return times;
    }
    (0..samples)
        .map(|index| times[index * (times.len() - 1) / (samples - 1).max(1)])
        .collect()
}

fn pose(performance: &Performance<'_>, time: f32) -> ModelPose {
    let skeleton = &performance.character.skeleton;
    model_pose(skeleton, &sample_clip(skeleton, performance.clip, time))
}

fn direction(
    performance: &Performance<'_>,
    pose: &ModelPose,
    slot: Slot,
    next: Option<Slot>,
) -> Option<DVec3> {
    let (from, to) = ends(performance.map, slot, next)?;
    let (from, to) = (pose.position(from).as_dvec3(), pose.position(to).as_dvec3());
    (performance.alignment.canonical_from_file * (to - from)).try_normalize()
}
