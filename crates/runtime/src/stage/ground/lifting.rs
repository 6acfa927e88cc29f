//! Bodies on the floor in a clip that is known as a whole: they begin to go to their height on the floor before they are there.
//!
//! ```text
//! x = argmin Σ h w |x − y|² + T⁶ Σ h |x‴|²,   l ≤ x, min y ≤ x ≤ max y within [`REACH`]
//! w = w_0 + max(s, W² / (1 + (v / v_0)²)),    of hands and elbows also: or a hand's own
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | y | what the pose of a frame asks for by itself: the body, each foot, each hand, then each elbow |
//! | W | how much the body lies on what is not its feet |
//! | s | how much it stands |
//! | v, v_0 | how fast the source's hips go up or down, [`STILL`](super::clip) |
//! | w_0 | [`BETWEEN`], [`BETWEEN_ARMS`]: what a body on its way down or up asks for hardly counts |
//! | T | [`SECONDS`] |
//! | l | the least rise with which nothing is in the floor, and no leg on the way folds too far: to less than 0.36 of its length, or 0.9 of what it was |
//!
//! A pose tells that the trunk carries when it is there; a body that falls is there within a tenth of a second, and may have a fifth of its
//! height to go, more than legs that are folded below it can. Standing and lying are certain, what is between them is free: it is filled in
//! without a jerk. Where a clip shows nobody who lies, sits, kneels or crawls, there is nothing.

use super::low::{fade, share};
use super::wants::{MOST, THERE, Want, Work};
use super::{GroundStage, Lift};
use crate::solve::calm::Calm;
use crate::solve::steady::{Moves, settle_stretches};
use glam::{DVec3, Vec3};
use rebone_model::Clamp as _;

/// Time scale of the smoothing, seconds.
pub(super) const SECONDS: f64 = 0.1;

/// Weight of a frame in which a body neither stands nor lies: on its way, what its pose asks for hardly counts.
const BETWEEN: f64 = 1e-4;

/// The same of arms, which have a shorter way to go.
const BETWEEN_ARMS: f64 = 0.02;

/// A leg may fold as it likes where the body lies still: 1 − (W² / (1 + (v / v_0)²)) to this power of the bound is left.
const RESTS: i32 = 8;

/// Seconds around a frame in which x is not beyond y.
const REACH: f32 = 0.5;

/// Speeds of a hand of the source, thicknesses a second, between which it glides and holds nothing.
const GLIDES: [f32; 2] = [2.0, 6.0];

/// Seconds without a frame behind which a motion begins anew.
const CUT: f32 = 1.0;

/// How often x is brought within its bounds.
const ROUNDS: usize = 60;

/// How often l is found: it depends on x.
const BOUNDS: usize = 3;

/// A clip whose trunk has tipped, while its lifts are found.
pub(super) struct Lifting<'a> {
    stage: &'a GroundStage,
    times: &'a [f32],
    works: &'a [Work<'a>],
    /// y of the body.
    asked: Vec<f64>,
    /// How much the body lies still.
    lies: Vec<f32>,
    /// w of body and feet.
    leg_weights: Vec<f64>,
    /// w of hands and elbows.
    arm_weights: Vec<f64>,
}

impl<'a> Lifting<'a> {
    /// `still` says how still the source's hips are in each frame.
    pub(super) fn new(
        stage: &'a GroundStage,
        times: &'a [f32],
        works: &'a [Work<'a>],
        still: &[f32],
    ) -> Self {
        let wants: Vec<Want> = works.iter().map(Work::want).collect();
        let lies = wants.iter().zip(still);
        let lies: Vec<f32> = lies
            .map(|(want, still)| want.carried * want.carried * still)
            .collect();
        let of_leg = |(work, lies): (&Work<'_>, &f32)| {
            let of_limb = work.low.stands();
            BETWEEN + f64::from(of_limb.max(*lies))
        };
        let of_arm = |((work, lies), want): ((&Work<'_>, &f32), &Want)| {
            // A hand that has left the floor, or is on its way there, is free.
            let of_limb = want.palms.max(work.low.stands() * (1.0 - work.low.hands));
            BETWEEN_ARMS + f64::from(of_limb.max(*lies))
        };
        let frames = works.iter().zip(&lies);
        Self {
            stage,
            times,
            works,
            asked: wants.iter().map(|want| want.lift.rise.into()).collect(),
            leg_weights: frames.clone().map(of_leg).collect(),
            arm_weights: frames.zip(&wants).map(of_arm).collect(),
            lies,
        }
    }

    /// What bodies and feet do.
    pub(super) fn bodies(&self) -> Vec<Lift> {
        let mut lifts: Vec<Lift> = self
            .works
            .iter()
            .zip(&self.rises())
            .map(|(work, rise)| work.with_rise(*rise as f32))
            .collect();
        for (lift, shift) in lifts.iter_mut().zip(self.shifts()) {
            lift.shift = shift;
        }
        self.make_gentle(&mut lifts, LimbOf::Leg);
        lifts
    }

    /// How far bodies go up: x.
    fn rises(&self) -> Vec<f64> {
        let mut least = vec![None; self.times.len()];
        let gentle =
            |least: &[Option<f64>]| gentle(self.times, &self.leg_weights, &self.asked, least);
        let mut rises = gentle(&least);
        for _ in 0..BOUNDS {
            let more = self.least(&rises);
            if more.iter().all(Option::is_none) {
                break;
            }
            for (least, more) in least.iter_mut().zip(more) {
                *least = [*least, more].into_iter().flatten().reduce(f64::max);
            }
            rises = gentle(&least);
        }
        rises
    }

    /// Leans trunks calmly, and puts hands where they then belong.
    pub(super) fn add_hands(&self, lifts: &mut [Lift]) {
        // No axis of the space counts more than another, so nothing bounds the axes of the lean one by one.
        let leans: Vec<DVec3> = lifts.iter().map(|lift| lift.lean.as_dvec3()).collect();
        let leans = match leans.iter().any(|lean| *lean != DVec3::ZERO) {
            true => Calm::new(self.times, &self.arm_weights, SECONDS).calm(&leans),
            false => leans,
        };
        for ((lift, work), lean) in lifts.iter_mut().zip(self.works).zip(&leans) {
            let is_there = lean.length() > f64::from(THERE);
            lift.lean = if is_there { lean.as_vec3() } else { Vec3::ZERO };
            *lift = work.with_hands(*lift);
        }
        self.make_gentle(lifts, LimbOf::Arm);
    }

    /// Puts elbows where they belong once the hands have gone, and says how arms turn.
    pub(super) fn add_elbows(&self, lifts: &mut [Lift]) -> Vec<Option<Moves>> {
        let arms = self.works.iter().zip(&*lifts);
        let arms = arms.map(|(work, lift)| work.arms(lift));
        let moves = settle_stretches(self.times, arms);
        for ((lift, work), moves) in lifts.iter_mut().zip(self.works).zip(&moves) {
            *lift = work.with_elbows(*lift, moves.as_ref());
        }
        self.make_gentle(lifts, LimbOf::Elbow);
        moves
    }

    /// Makes these numbers of the lifts gentle, limb by limb.
    fn make_gentle(&self, lifts: &mut [Lift], limbs: LimbOf) {
        let (weights, count) = match limbs {
            LimbOf::Leg => (&self.leg_weights, self.stage.legs.len()),
            LimbOf::Arm | LimbOf::Elbow => (&self.arm_weights, self.stage.arms.len()),
        };
        for limb in 0..count {
            let own = lifts
                .iter_mut()
                .map(|lift| f64::from(*limbs.of(lift, limb)));
            let asked: Vec<f64> = own.collect();
            let least = |(work, lift): (&Work<'_>, &Lift)| limbs.least(work, limb, lift);
            let least: Vec<Option<f64>> = self.works.iter().zip(&*lifts).map(least).collect();
            let made = gentle(self.times, weights, &asked, &least);
            let room = THERE * self.stage.size();
            for (lift, made) in lifts.iter_mut().zip(made) {
                let made = made as f32;
                *limbs.of(lift, limb) = if made.abs() <= room { 0.0 } else { made };
            }
        }
    }

    /// How far the body goes along the floor until each frame, so that hands that carry it stay where they are.
    fn shifts(&self) -> Vec<Vec3> {
        let (stage, times, works) = (self.stage, self.times, self.works);
        let mut shift = Vec3::ZERO;
        let mut shifts = vec![shift; times.len()];
        let carry: Vec<[f32; MOST]> = works.iter().map(Work::hands_that_carry).collect();
        for frame in 1..times.len() {
            let seconds = times[frame] - times[frame - 1];
            let (mut way, mut sum, mut most) = (Vec3::ZERO, f32::MIN_POSITIVE, 0.0f32);
            let both = carry[frame - 1].iter().zip(&carry[frame]);
            for (arm, (last, own)) in both.enumerate().take(stage.arms.len()) {
                let [before, now] = [frame - 1, frame].map(|frame| works[frame].hand_places(arm));
                let speed = share(now[0].distance(before[0]), seconds * stage.thickness);
                let weight = last.min(*own) * fade(speed, GLIDES);
                way += weight * (now[1] - before[1]);
                sum += weight;
                most = most.max(weight);
            }
            if seconds < CUT {
                let along = way - stage.up * way.dot(stage.up);
                shift -= along * (most / sum);
            }
            shifts[frame] = shift;
        }
        shifts
    }

    /// Rises below which something is in the floor or a leg too folded, where these are.
    fn least(&self, rises: &[f64]) -> Vec<Option<f64>> {
        let least = |((work, rise), lies): ((&Work<'_>, &f64), &f32)| {
            let lift = work.with_rise(*rise as f32);
            let lack = work.lack(&lift);
            let lack = (lack > THERE * self.stage.size()).then(|| rise + f64::from(lack));
            // Hips never go up for it.
            let folded = work.folded(&lift, 1.0 - lies.powi(RESTS));
            let folded = folded.map(|folded| f64::from(folded).min(0.0));
            let folded = folded.filter(|folded| folded > rise);
            [lack, folded].into_iter().flatten().reduce(f64::max)
        };
        self.works
            .iter()
            .zip(rises)
            .zip(&self.lies)
            .map(least)
            .collect()
    }
}

/// Which number of a lift.
#[derive(Clone, Copy)]
enum LimbOf {
    Leg,
    Arm,
    Elbow,
}

impl LimbOf {
    fn of(self, lift: &mut Lift, limb: usize) -> &mut f32 {
        match self {
            Self::Leg => &mut lift.feet[limb],
            Self::Arm => &mut lift.hands[limb],
            Self::Elbow => &mut lift.elbows[limb],
        }
    }

    /// The least that it may be: nothing of it goes into the floor.
    fn least(self, work: &Work<'_>, limb: usize, lift: &Lift) -> Option<f64> {
        match self {
            Self::Leg => Some(-f64::from(work.room(limb))),
            Self::Arm => {
                let least = work.least_of_hand(limb, lift);
                (least > 0.0).then_some(least.into())
            }
            Self::Elbow => Some(lift.elbows[limb].into()),
        }
    }
}

/// x, from y, w and l.
fn gentle(times: &[f32], weights: &[f64], asked: &[f64], least: &[Option<f64>]) -> Vec<f64> {
    if asked.iter().all(|asked| *asked == 0.0) && least.iter().flatten().all(|least| *least <= 0.0)
    {
        return asked.to_vec();
    }
    let bounds: Vec<[f64; 2]> = (0..times.len())
        .map(|frame| {
            let first = times.partition_point(|&time| time < times[frame] - REACH);
            let end = times.partition_point(|&time| time <= times[frame] + REACH);
            let near = &asked[first..end];
            let low = near.iter().copied().fold(f64::INFINITY, f64::min);
            let high = near.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let low = least[frame].map_or(low, |least| low.max(least));
            [low, high.max(low)]
        })
        .collect();
    let nearest = |frame: usize, value: DVec3| {
        let [low, high] = bounds[frame];
        DVec3::splat(value.x.clamped(low, high))
    };
    let asked: Vec<DVec3> = asked.iter().copied().map(DVec3::splat).collect();
    let made = Calm::firm(times, weights, SECONDS).within(&asked, ROUNDS, 0.0, nearest);
    made.iter().map(|value| value.x).collect()
}
