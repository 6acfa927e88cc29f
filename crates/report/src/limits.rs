//! Joints that turn further than they can.
//!
//! ```text
//! excess of a joint = max(how far bend and side are beyond their range, how far the twist is)          degrees
//! hit               : excess > [`SLACK_DEGREES`]
//! ```
//!
//! in the axes of [`crate::limits`]: E17 and 6.2 of the project's algorithm notes (Q13). The limits are those of the recipe, and people's
//! where it has none; of other bodies nothing is known. The source is measured against people's, too: what it does beyond, the target is
//! asked to do. At most [`FRAMES`] frames are looked at.

use super::body::Body;
use super::{Pair, Sides};
use glam::Quat;
use rebone_model::rotation::normalized_or_identity;
use rebone_model::sampling::sample_track;
use rebone_setup::limits::{Limits, LimitsChoice, limits, seen};
use rebone_setup::profile::Slot;
use std::collections::BTreeMap;

/// Frames that are looked at, each with every limited joint of both sides.
const FRAMES: usize = 40;

/// What is beyond by less is not seen.
pub(super) const SLACK_DEGREES: f64 = 5.0;

/// Figures of joint limits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LimitFigures {
    /// Share of the looked-at frames in which some joint is beyond, percent.
    pub frames_percent: Sides,
    /// Mean excess of the hits, degrees; 0 without any.
    pub mean_degrees: Sides,
    /// Largest excess, degrees.
    pub max_degrees: Sides,
    /// The target's slots with hits, the worst first.
    pub slots: Vec<SlotHits>,
}

/// Hits of one slot of the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotHits {
    /// The slot.
    pub slot: Slot,
    /// Share of the looked-at frames, percent.
    pub frames_percent: f64,
    /// Largest excess, degrees.
    pub max_degrees: f64,
}

/// What one side does.
#[derive(Default)]
struct Hits {
    frames_percent: f64,
    mean_degrees: f64,
    max_degrees: f64,
    slots: Vec<SlotHits>,
}

pub(super) fn measure(pair: &Pair<'_>, own: Option<&Limits>) -> Option<LimitFigures> {
    let frames = pair.frames.spread(FRAMES);
    let human = |body: &Body<'_>| {
        let map = body.performance.map;
        let found = limits(map, LimitsChoice::Human, &BTreeMap::new()).ok()?;
        Some(found.0)
    };
    let own = match own {
        Some(own) if !own.is_empty() => Some(own.clone()),
        _ => human(&pair.target),
    };
    let target_limits = own.filter(|own| !own.is_empty() && !frames.is_empty())?;
    let target = hits(&pair.target, &target_limits, &pair.frames.target, &frames);
    let source = human(&pair.source)
        .map(|limits| hits(&pair.source, &limits, &pair.frames.source, &frames))
        .unwrap_or_default();
    Some(LimitFigures {
        frames_percent: Sides {
            source: source.frames_percent,
            target: target.frames_percent,
        },
        mean_degrees: Sides {
            source: source.mean_degrees,
            target: target.mean_degrees,
        },
        max_degrees: Sides {
            source: source.max_degrees,
            target: target.max_degrees,
        },
        slots: target.slots,
    })
}

fn hits(body: &Body<'_>, limits: &Limits, times: &[f32], frames: &[usize]) -> Hits {
    let performance = &body.performance;
    let skeleton = &performance.character.skeleton;
    let sampled = &body.sampled.rotations;
    let root = performance.alignment.canonical_from_file.as_quat();
    let joints = seen(
        performance.character,
        performance.map,
        performance.alignment,
        limits,
    );
    let mut in_frame = vec![false; frames.len()];
    let mut by_slot: BTreeMap<Slot, (Vec<bool>, f64)> = BTreeMap::new();
    let (mut sum, mut count, mut most) = (0.0, 0usize, 0.0f64);
    for limited in &joints {
        let Some(slot) = performance.alignment.slot_of_joint[limited.joint] else {
            continue;
        };
        // Fingers and face are not sampled as a whole.
        let known = |joint: usize| !sampled[joint].is_empty();
        let is_known = known(limited.joint) && limited.above.is_none_or(known);
        let hangs = |above: usize| skeleton.is_ancestor(above, limited.joint);
        if !is_known && !limited.above.is_none_or(hangs) {
            continue;
        }
        // The joints between the one above and this one, from above.
        let between = skeleton.ancestors(limited.joint);
        let mut chain: Vec<usize> = between
            .take_while(|&at| Some(at) != limited.above)
            .collect();
        chain.reverse();
        chain.push(limited.joint);
        for (index, &frame) in frames.iter().enumerate() {
            let local = |joint: usize| {
                let track = performance
                    .clip
                    .joints
                    .get(joint)
                    .and_then(|own| own.rotation.as_ref());
                match track {
                    Some(track) => sample_track(track, times[frame]),
                    None => skeleton.joints()[joint].rest.rotation,
                }
            };
            let turn = if is_known {
                let above = limited.above.map_or(root, |above| sampled[above][frame]);
                above.conjugate() * sampled[limited.joint][frame]
            } else {
                chain
                    .iter()
                    .fold(Quat::IDENTITY, |turn, &joint| turn * local(joint))
            };
            let turn = normalized_or_identity(limited.before * turn * limited.after);
            let excess = limited
                .excess(limited.angles(turn))
                .into_iter()
                .fold(0.0, f32::max);
            let excess = f64::from(excess).to_degrees();
            if excess > SLACK_DEGREES {
                in_frame[index] = true;
                let own = by_slot
                    .entry(slot)
                    .or_insert_with(|| (vec![false; frames.len()], 0.0));
                own.0[index] = true;
                own.1 = own.1.max(excess);
                (sum, count, most) = (sum + excess, count + 1, most.max(excess));
            }
        }
    }
    let share = |marks: &[bool]| {
        100.0 * marks.iter().filter(|mark| **mark).count() as f64 / frames.len().max(1) as f64
    };
    let mut slots: Vec<SlotHits> = by_slot
        .into_iter()
        .map(|(slot, (marks, max_degrees))| SlotHits {
            slot,
            frames_percent: share(&marks),
            max_degrees,
        })
        .collect();
    slots.sort_by(|one, other| other.max_degrees.total_cmp(&one.max_degrees));
    Hits {
        frames_percent: share(&in_frame),
        mean_degrees: sum / count.max(1) as f64,
        max_degrees: most,
        slots,
    }
}
