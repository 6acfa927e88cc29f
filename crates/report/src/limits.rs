//! Joints that turn further than they can.
//!
//! ```text
//! excess of a joint = max(how far bend and side are beyond their range, how far the twist is)          degrees
//! hit               : excess > [`SLACK_DEGREES`]
//! ```
//!
//! in the axes of [`crate::limits`] (docs/laws.md, "Joint limits"). The limits are those of the recipe, and people's
//! where it has none; of other bodies nothing is known. The source is measured against people's, too: what it does beyond, the target is
//! asked to do. At most [`FRAMES`] frames are looked at.

use super::body::Body;
use super::{Pair, Sides};
use glam::Quat;
use rebone_model::rotation::normalized_or_identity;
use rebone_model::sampling::sample_track;
use rebone_runtime::stage::LimitedJoint;
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
    let joints = seen(
        performance.character,
        performance.map,
        performance.alignment,
        limits,
    );
    let mut all = Excess::new(frames.len());
    let mut by_slot: BTreeMap<Slot, Excess> = BTreeMap::new();
    for limited in &joints {
        let Some(slot) = performance.alignment.slot_of_joint[limited.joint] else {
            continue;
        };
        let Some(turning) = TurningJoint::new(body, limited) else {
            continue;
        };
        for (index, &frame) in frames.iter().enumerate() {
            let excess = turning.excess_degrees(frame, times[frame]);
            if excess > SLACK_DEGREES {
                all.add(index, excess);
                let own = by_slot.entry(slot);
                own.or_insert_with(|| Excess::new(frames.len()))
                    .add(index, excess);
            }
        }
    }
    let mut slots: Vec<SlotHits> = by_slot
        .into_iter()
        .map(|(slot, own)| SlotHits {
            slot,
            frames_percent: own.frames_percent(),
            max_degrees: own.most,
        })
        .collect();
    slots.sort_by(|one, other| other.max_degrees.total_cmp(&one.max_degrees));
    Hits {
        frames_percent: all.frames_percent(),
        mean_degrees: all.sum / all.count.max(1) as f64,
        max_degrees: all.most,
        slots,
    }
}

/// How far hits are beyond the limits, degrees.
struct Excess {
    /// Whether each looked-at frame has a hit.
    in_frame: Vec<bool>,
    sum: f64,
    count: usize,
    most: f64,
}

impl Excess {
    fn new(frames: usize) -> Self {
        Self {
            in_frame: vec![false; frames],
            sum: 0.0,
            count: 0,
            most: 0.0,
        }
    }

    fn add(&mut self, frame: usize, degrees: f64) {
        self.in_frame[frame] = true;
        self.sum += degrees;
        self.count += 1;
        self.most = self.most.max(degrees);
    }

    /// Share of the looked-at frames with a hit, percent.
    fn frames_percent(&self) -> f64 {
        let hit = self.in_frame.iter().filter(|mark| **mark).count();
        100.0 * hit as f64 / self.in_frame.len().max(1) as f64
    }
}

/// A limited joint of a body, and how it turns against the joint above.
struct TurningJoint<'a> {
    body: &'a Body<'a>,
    limited: &'a LimitedJoint,
    /// The joints below the one above, down to this one. `None` if their turns are sampled.
    chain: Option<Vec<usize>>,
}

impl<'a> TurningJoint<'a> {
    /// `None` if the joint is not sampled and does not hang from the one above.
    fn new(body: &'a Body<'a>, limited: &'a LimitedJoint) -> Option<Self> {
        let skeleton = &body.performance.character.skeleton;
        // Fingers and face are not sampled as a whole.
        let known = |joint: usize| !body.sampled.rotations[joint].is_empty();
        let is_known = known(limited.joint) && limited.above.is_none_or(known);
        let hangs = |above: usize| skeleton.is_ancestor(above, limited.joint);
        if !is_known && !limited.above.is_none_or(hangs) {
            return None;
        }
        let chain = (!is_known).then(|| {
            let between = skeleton.ancestors(limited.joint);
            let mut chain: Vec<usize> = between
                .take_while(|&at| Some(at) != limited.above)
                .collect();
            chain.reverse();
            chain.push(limited.joint);
            chain
        });
        Some(Self {
            body,
            limited,
            chain,
        })
    }

    /// The turn against the joint above; `seconds` is the time of the frame.
    fn turn(&self, frame: usize, seconds: f32) -> Quat {
        let performance = &self.body.performance;
        let Some(chain) = &self.chain else {
            let sampled = &self.body.sampled.rotations;
            let root = performance.alignment.canonical_from_file.as_quat();
            let above = self
                .limited
                .above
                .map_or(root, |above| sampled[above][frame]);
            return above.conjugate() * sampled[self.limited.joint][frame];
        };
        chain.iter().fold(Quat::IDENTITY, |turn, &joint| {
            let tracks = performance.clip.joints.get(joint);
            let local = match tracks.and_then(|tracks| tracks.rotation.as_ref()) {
                Some(track) => sample_track(track, seconds),
                None => performance.character.skeleton.joints()[joint].rest.rotation,
            };
            turn * local
        })
    }

    /// How far the joint is beyond its limits in a frame.
    fn excess_degrees(&self, frame: usize, seconds: f32) -> f64 {
        let limited = self.limited;
        let turn = limited.before * self.turn(frame, seconds) * limited.after;
        let angles = limited.angles(normalized_or_identity(turn));
        let excess = limited.excess(angles).into_iter().fold(0.0, f32::max);
        f64::from(excess).to_degrees()
    }
}
