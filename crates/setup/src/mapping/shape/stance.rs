//! How two pairs of limbs stand in a pose: as a person's legs and arms, or not.

use super::limbs::{Cut, Pair};
use super::poses::{Places, Poses};
use crate::mapping::rig::Rig;
use rebone_model::Clamp as _;
use rebone_model::Vec3;
use rebone_model::elementary::Elementary as _;

/// Least height of a standing body's hands above its feet, in legs.
const LEAST_HANDS: f32 = 0.2;

/// Legs and arms of one guess.
#[derive(Clone, Copy)]
pub(super) struct Limbs<'a> {
    pub(super) legs: (&'a Pair, &'a Cut),
    pub(super) arms: (&'a Pair, &'a Cut),
    /// Joints beside the legs that are their feet.
    pub(super) feet: Option<[usize; 2]>,
}

impl Limbs<'_> {
    /// The last known joint of a leg.
    pub(super) fn foot(&self, side: usize) -> usize {
        let cut = self.legs.1;
        let end = cut.end.or(self.feet);
        end.map_or(cut.lower[side], |end| end[side])
    }

    /// From between the hips to the joint that carries the arms; zero where no joint does.
    fn spine(&self, places: &Places, hips: Vec3) -> Vec3 {
        let chest = places.get(self.arms.0.parent).copied();
        chest.map_or(Vec3::ZERO, |chest| chest - hips)
    }

    /// From the second branch of a limb to the first: between hips or shoulders, or where these coincide
    /// between knees or elbows.
    fn apart(places: &Places, cut: &Cut) -> Vec3 {
        let between = |joints: [usize; 2]| places[joints[0]] - places[joints[1]];
        let upper = between(cut.upper);
        if upper.length() > 0.05 * cut.length {
            upper
        } else {
            between(cut.lower)
        }
    }

    /// The last known joint of an arm.
    pub(super) fn hand(&self, side: usize) -> usize {
        let cut = self.arms.1;
        cut.end.map_or(cut.lower[side], |end| end[side])
    }
}

/// The body's own directions in one pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// From the hips to the shoulders.
    pub(super) up: Vec3,
    /// From the second branches to the first.
    pub(super) across: Vec3,
    /// Where the legs would look if their first branch were the left one.
    pub(super) looks: Vec3,
    /// Between the hips.
    pub(super) hips: Vec3,
    /// How surely the body stands, -1 to 1: the cosine between the trunk and the legs turned round.
    pub(super) stand: f32,
    /// How well the limbs lie as limbs of a standing body, 0 to 1.
    pub(super) order: f32,
    /// How far the hands are above the feet, in legs.
    hands: f32,
    /// True where both hips or both shoulders are in one place: a rest that shows no body.
    flat: bool,
}

fn middle(places: &Places, joints: [usize; 2]) -> Vec3 {
    (places[joints[0]] + places[joints[1]]) / 2.0
}

/// The frame of a body in one pose; `None` where its joints coincide.
pub(super) fn frame(limbs: &Limbs, places: &Places) -> Option<Frame> {
    let (legs, arms) = (limbs.legs.1, limbs.arms.1);
    let hips = middle(places, legs.upper);
    let shoulders = middle(places, arms.upper);
    let feet = middle(places, [limbs.foot(0), limbs.foot(1)]);
    let hands = middle(places, [limbs.hand(0), limbs.hand(1)]);
    let up = (shoulders - hips).try_normalize()?;
    let leg = feet - hips;
    let down = leg.try_normalize()?;
    let apart = |cut: &Cut| Limbs::apart(places, cut).reject_from_normalized(up);
    let (legs_apart, arms_apart) = (apart(legs), apart(arms));
    let parallel = legs_apart
        .normalize_or_zero()
        .dot(arms_apart.normalize_or_zero());
    let across = (legs_apart * parallel.signum() + arms_apart).try_normalize()?;
    let length = leg.length();
    let trunk = (shoulders - hips).length() / length;
    // Limbs spread wide, as arms are in a T, lead nowhere together.
    let known = limbs.legs.1.length.max(f32::MIN_POSITIVE);
    let together = (2.0 * length / known).min(1.0);
    let hands = (hands - feet).dot(up) / length;
    let high_hands = hands.clamped(-0.5, 0.5);
    let flat = [legs, arms]
        .iter()
        .any(|cut| Limbs::apart(places, cut).length() < 0.02 * cut.length);
    let order = 0.4 * parallel.abs()
        + 0.3 * (high_hands + 0.5)
        + 0.3 * ((trunk - 0.1) / 0.2).clamped(0.0, 1.0);
    // Wings and front legs lie above the hips too; a spine that lies across tells them.
    let spine = limbs.spine(places, hips);
    let upright = if spine.length() > 0.25 * length {
        -spine.normalize_or_zero().dot(down)
    } else {
        1.0
    };
    Some(Frame {
        up,
        across,
        looks: (Limbs::apart(places, legs) * parallel.signum()).cross(-down),
        hips,
        stand: upright.min(-up.dot(down)) * together,
        order,
        hands,
        flat,
    })
}

/// How a guess stands in all poses: the best of the still ones, or the moving ones taken together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    pub(super) stand: f32,
    pub(super) order: f32,
    /// True where the first branch of the legs is on the side of the first branch of the arms.
    pub(super) same_side: bool,
    /// Index of the best still pose.
    pub(super) best: usize,
}

pub(super) fn stance(limbs: &Limbs, poses: &Poses) -> Stance {
    let judged: Vec<Option<Frame>> = poses.all().map(|places| frame(limbs, places)).collect();
    let (still, moving) = judged.split_at(poses.still.len());
    let value = |frame: &Option<Frame>| {
        frame.map_or((-1.0, 0.0), |f| {
            // Where the hands are on the ground, a body stands on all fours.
            let stand = if f.hands > LEAST_HANDS {
                f.stand
            } else {
                f.stand.min(0.0)
            };
            (stand, f.order)
        })
    };
    let mut best = 0;
    for index in 1..still.len() {
        let sum = |index: usize| value(&still[index]).0 + value(&still[index]).1;
        if sum(index) > sum(best) + 0.05 {
            best = index;
        }
    }
    let (mut stand, mut order) = still.get(best).map_or((-1.0, 0.0), value);
    if !moving.is_empty() {
        let count = moving.len() as f32;
        let add = |a: (f32, f32), b: (f32, f32)| (a.0 + b.0, a.1 + b.1);
        let sums = moving.iter().map(value).fold((0.0, 0.0), add);
        let mean = (sums.0 / count, sums.1 / count);
        // Motion decides where the still poses show no body, or where it is plain.
        let blank = still
            .iter()
            .all(|frame| frame.is_none_or(|frame| frame.flat || frame.stand < -0.5));
        if mean.0 > stand && (blank || mean.0 > 0.9) {
            (stand, order) = mean;
        }
    }
    let agree: f32 = poses
        .all()
        .map(|places| {
            let apart = |cut: &Cut| Limbs::apart(places, cut).normalize_or_zero();
            apart(limbs.legs.1).dot(apart(limbs.arms.1))
        })
        .sum();
    Stance {
        stand,
        order,
        same_side: agree >= 0.0,
        best,
    }
}

/// Joints beside the legs that keep their distance from the knees: feet that hang from helpers.
pub(super) fn loose_feet(rig: &Rig, poses: &Poses, cut: &Cut, size: f32) -> Option<[usize; 2]> {
    let find = |side: usize| {
        let (knee, hip) = (cut.lower[side], cut.upper[side]);
        let other_knee = cut.lower[1 - side];
        let mut best: Option<(f32, usize)> = None;
        for joint in (0..rig.len()).filter(|&joint| rig.is_joint(joint)) {
            if rig.is_within(hip, joint) || rig.is_within(joint, hip) {
                continue;
            }
            let distances: Vec<f32> = poses
                .all()
                .map(|places| places[joint].distance(places[knee]))
                .collect();
            let upper = poses.distance(hip, knee);
            let count = distances.len() as f32;
            let mean = distances.iter().sum::<f32>() / count;
            let spread = (distances.iter().map(|d| (d - mean).powi(2)).sum::<f32>() / count).sqrt();
            let Some(places) = poses.still.first() else {
                continue;
            };
            let nearer = poses
                .all()
                .filter(|places| {
                    places[joint].distance(places[knee])
                        < places[joint].distance(places[other_knee])
                })
                .count();
            let below = (places[knee] - places[hip])
                .normalize_or_zero()
                .dot((places[joint] - places[knee]).normalize_or_zero());
            if mean < 0.3 * upper
                || mean > 2.0 * upper
                || spread > 0.15 * mean
                || 2 * nearer < distances.len()
                || below < 0.2
            {
                continue;
            }
            let score = below - 4.0 * spread / mean - (mean / upper).binary_logarithm().abs()
                + if rig.in_skin[joint] { 0.2 } else { 0.0 }
                - 0.02 * rig.skeleton.ancestors(joint).count() as f32;
            if best.is_none_or(|(known, _)| score > known + 1e-4) {
                best = Some((score, joint));
            }
        }
        best.map(|(_, joint)| joint)
    };
    let feet = [find(0)?, find(1)?];
    let differ = feet[0] != feet[1] && size > 0.0;
    differ.then_some(feet)
}
