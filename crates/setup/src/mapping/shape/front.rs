//! Where a body looks, from its shape and from how it moves.
//!
//! Each sign is a vote along `across × up`, which is forward where the first branches are the left ones:
//! positive votes say that they are.

use super::poses::{Moment, Places, Poses};
use super::stance::{Frame, Limbs, frame};
use crate::mapping::rig::Rig;
use rebone_model::Clamp as _;
use rebone_model::Vec3;
use rebone_model::axes::Axis;

/// What speaks for the first branches being the body's left ones; negative for the right ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    /// Sum of the votes.
    pub(super) vote: f32,
    /// Sum of their sizes.
    pub(super) said: f32,
    /// True where motion had a say.
    pub(super) moved: bool,
    /// What holds where no sign is clear: bodies mostly look along +Z.
    by_custom: bool,
}

impl Front {
    fn add(&mut self, vote: f32) {
        self.vote += vote;
        self.said += vote.abs();
    }

    /// Whether the first branches are the left ones, as far as the signs tell.
    pub(super) fn is_left(&self) -> bool {
        if self.is_sure() {
            self.vote > 0.0
        } else {
            self.by_custom
        }
    }

    /// Whether the signs suffice.
    pub(super) fn is_sure(&self) -> bool {
        self.vote.abs() > 0.45 && self.vote.abs() > 0.4 * self.said
    }
}

/// Joints whose place tells the front.
pub(super) struct Signs {
    /// Joints beyond each foot.
    pub(super) toes: [Vec<usize>; 2],
    /// First thumb joint of each hand.
    pub(super) thumbs: [Option<usize>; 2],
    /// Neck and head.
    pub(super) neck: Option<(usize, usize)>,
}

/// All votes for the front. Where bodies of the file look decides if nothing else does.
pub(super) fn front(
    rig: &Rig,
    poses: &Poses,
    limbs: &Limbs,
    signs: &Signs,
    forward: Option<Axis>,
) -> Front {
    let mut front = Front::default();
    let standing = poses
        .all()
        .filter_map(|places| frame(limbs, places))
        .find(|frame| frame.stand > 0.5);
    let custom = forward.unwrap_or(Axis::PositiveZ).direction();
    front.by_custom = standing.is_none_or(|frame| frame.looks.dot(custom) >= 0.0);

    let mut still: Vec<Vote> = Vec::new();
    for (index, places) in poses.still.iter().enumerate() {
        if let Some(frame) = frame(limbs, places).filter(|frame| frame.stand > 0.7) {
            let is_rest = index == 0;
            still.push(votes(places, &frame, limbs, signs, is_rest.then_some(rig)));
        }
    }
    let mut moving: Vec<Vote> = Vec::new();
    for moment in &poses.moving {
        if let Some(frame) = frame(limbs, &moment.now).filter(|frame| frame.stand > 0.5) {
            let mut vote = votes(&moment.now, &frame, limbs, signs, None);
            vote.walk = walk(rig, moment, &frame, limbs);
            moving.push(vote);
        }
    }
    for (votes, is_moving) in [(&still, false), (&moving, true)] {
        if votes.is_empty() {
            continue;
        }
        // A sign counts where it mostly says the same, not where it goes to and fro.
        let mean = |of: &dyn Fn(&Vote) -> f32| {
            let sum: f32 = votes.iter().map(of).sum();
            let sizes: f32 = votes.iter().map(|vote| of(vote).abs()).sum();
            if sum.abs() > 0.6 * sizes {
                sum / votes.len() as f32
            } else {
                0.0
            }
        };
        let before = front.said;
        // A foot points forward whatever it does; the other signs are weaker.
        front.add(1.2 * steady(mean(&|vote| vote.toes), 0.15));
        // A knee is a hinge: one that bends to the sides as well is none, and says nothing.
        let bends: f32 = votes.iter().map(|vote| vote.knee_size).sum();
        let forward: f32 = votes.iter().map(|vote| vote.knees).sum();
        if forward.abs() > 0.6 * bends {
            let weight = if is_moving { 1.2 } else { 0.6 };
            front.add(weight * steady(mean(&|vote| vote.knees), 0.03));
        }
        front.add(0.5 * steady(mean(&|vote| vote.thumbs), 0.25));
        front.add(0.25 * steady(mean(&|vote| vote.elbows), 0.03));
        front.add(0.3 * steady(mean(&|vote| vote.head), 0.06));
        front.add(0.5 * steady(mean(&|vote| vote.walk), 0.15));
        front.moved |= is_moving && front.said > before;
    }
    front
}

/// -1 to 1: the sign of a share, less where it is below what is clear.
fn steady(share: f32, clear: f32) -> f32 {
    (share / clear).clamped(-1.0, 1.0)
}

#[derive(Clone, Copy, Debug, Default)]
struct Vote {
    toes: f32,
    knees: f32,
    /// How far the knees bend, whatever the way.
    knee_size: f32,
    thumbs: f32,
    elbows: f32,
    head: f32,
    walk: f32,
}

fn forward_of(frame: &Frame) -> Vec3 {
    // Left × up looks forward.
    frame.across.cross(frame.up)
}

/// The signs in one pose; end points of joints are known in the rest pose, where `rest` is given.
fn votes(places: &Places, frame: &Frame, limbs: &Limbs, signs: &Signs, rest: Option<&Rig>) -> Vote {
    let forward = forward_of(frame);
    let mut vote = Vote::default();
    for side in 0..2 {
        let foot = limbs.foot(side);
        let size = places[limbs.legs.1.upper[side]]
            .distance(places[limbs.legs.1.lower[side]])
            .max(f32::MIN_POSITIVE);
        let toes = &signs.toes[side];
        let tip = if toes.is_empty() {
            rest.and_then(|rig| rig.ends[foot])
        } else {
            // The farthest of what hangs from the foot.
            toes.iter().map(|&toe| places[toe]).max_by(|a, b| {
                let from = places[foot];
                a.distance(from).total_cmp(&b.distance(from))
            })
        };
        if let Some(tip) = tip {
            vote.toes += (tip - places[foot]).dot(forward) / size / 2.0;
        }
        let cut = limbs.legs.1;
        let knee = bulge(places, cut.upper[side], cut.lower[side], foot);
        vote.knees += knee.dot(forward) / 2.0;
        vote.knee_size += knee.length() / 2.0;
        let arm = limbs.arms.1;
        let hand = limbs.hand(side);
        let elbow = bulge(places, arm.upper[side], arm.lower[side], hand);
        vote.elbows -= elbow.dot(forward) / 2.0;
        if let Some(thumb) = signs.thumbs[side] {
            let along = (places[hand] - places[arm.lower[side]]).normalize_or_zero();
            let way = places[thumb] - places[hand];
            vote.thumbs += way.reject_from(along).normalize_or_zero().dot(forward) / 2.0;
        }
    }
    if let Some((neck, head)) = signs.neck {
        let way = places[head] - places[neck];
        vote.head = way.normalize_or_zero().dot(forward);
    }
    vote
}

/// How far the middle of a limb stands off the line between its ends, as a share of that limb.
fn bulge(places: &Places, upper: usize, lower: usize, end: usize) -> Vec3 {
    let line = places[end] - places[upper];
    let way = places[lower] - places[upper];
    let length = way.length() + places[end].distance(places[lower]);
    match line.try_normalize() {
        Some(line) if end != lower && length > 0.0 => way.reject_from_normalized(line) / length,
        _ => Vec3::ZERO,
    }
}

/// How the body walks: against the way of the foot that stands, seen from the hips.
fn walk(rig: &Rig, moment: &Moment, frame: &Frame, limbs: &Limbs) -> f32 {
    if limbs.legs.1.end.is_none() && limbs.feet.is_none() {
        return 0.0;
    }
    let forward = forward_of(frame);
    let now = |joint: usize| moment.now[joint];
    let next = |joint: usize| moment.next(rig, joint);
    let feet = [limbs.foot(0), limbs.foot(1)];
    let low = feet.map(|foot| (now(foot) + next(foot)).dot(frame.up));
    let standing = if low[0] < low[1] { feet[0] } else { feet[1] };
    let [a, b] = limbs.legs.1.upper;
    let hips = (next(a) + next(b) - now(a) - now(b)) / 2.0;
    let step = next(standing) - now(standing) - hips;
    let length = limbs.legs.1.length.max(f32::MIN_POSITIVE);
    // A twentieth of the leg in a thirtieth of a second is a brisk walk.
    (-step.dot(forward) / length / 0.05).clamped(-1.0, 1.0)
}
