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
//! | v, v_0 | how fast the source's hips go up or down, [`STILL`] |
//! | w_0 | [`BETWEEN`], [`BETWEEN_ARMS`]: what a body on its way down or up asks for hardly counts |
//! | T | [`SECONDS`] |
//! | l | the least rise with which nothing is in the floor, and no leg on the way folds too far: to less than 0.36 of its length, or 0.9 of what it was |
//!
//! A pose tells that the trunk carries when it is there; a body that falls is there within a tenth of a second, and may have a fifth of its
//! height to go, more than legs that are folded below it can. Standing and lying are certain, what is between them is free: it is filled in without a jerk. Where a clip
//! shows nobody who lies, sits, kneels or crawls, there is nothing.

use super::low::{fade, share};
use super::wants::{MOST, THERE, Want, Work};
use super::{GroundStage, Lift};
use crate::solve::calm::Calm;
use crate::solve::steady::{Moves, settle_stretches};
use crate::stage::View;
use crate::stage::kinematics::Placed;
use crate::stage::limb::JointTurn;
use glam::{DVec3, Quat, Vec3};
use rebone_model::Clamp as _;
use rebone_model::rotation::{exp, log};
use std::collections::BTreeMap;

/// T.
const SECONDS: f64 = 0.1;

/// w_0.
const BETWEEN: f64 = 1e-4;

/// w_0 of arms, which have a shorter way.
const BETWEEN_ARMS: f64 = 0.02;

/// w_0 of trunks that tip.
const BETWEEN_TIPS: f64 = 0.02;

/// v_0, thicknesses a second.
const STILL: f32 = 1.0;

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

/// One frame.
pub(crate) struct GroundLook<'a> {
    pub(crate) source: View<'a>,
    /// Its joints behind all stages before, placed.
    pub(crate) target: Vec<Placed>,
}

/// What a clip does on the floor.
#[derive(Default)]
pub(crate) struct GroundMotion {
    /// How far the body goes up in each frame.
    pub(crate) lifts: Vec<Lift>,
    /// How arms then turn.
    pub(crate) arms: Vec<Option<Moves>>,
    /// The joints of trunk and arms that turn, and how in each frame: rotation vectors in the axes of the joint above.
    pub(crate) turned: Vec<(usize, Vec<Vec3>)>,
}

/// Gathers how joints turn.
struct Turned<'a> {
    stage: &'a GroundStage,
    frames: usize,
    /// By place.
    turns: BTreeMap<usize, Vec<Vec3>>,
}

impl<'a> Turned<'a> {
    fn new(stage: &'a GroundStage, frames: usize) -> Self {
        Self {
            stage,
            frames,
            turns: BTreeMap::new(),
        }
    }

    /// Notes how a joint turns in a frame; `placed` shows where joints were before.
    fn note(&mut self, frame: usize, turn: JointTurn, placed: &[Placed]) {
        let JointTurn { place, by, above } = turn;
        let parent = self.stage.target.above(place);
        let parent = parent.map_or(Quat::IDENTITY, |parent| placed[parent].rotation);
        let turn = parent.conjugate() * log(above.conjugate() * by);
        let frames = self.turns.entry(place);
        let frames = frames.or_insert_with(|| vec![Vec3::ZERO; self.frames]);
        let before = exp(frames[frame]);
        frames[frame] = log(exp(turn) * before);
    }

    fn joints(self) -> Vec<(usize, Vec<Vec3>)> {
        let turns = self.turns.into_iter();
        turns
            .map(|(place, turns)| (self.stage.target.joint(place), turns))
            .collect()
    }
}

impl GroundStage {
    /// True where the source stands upright.
    pub(crate) fn is_upright(&self, source: &View<'_>) -> bool {
        !self.is_whole() || self.low(source).is_upright()
    }

    /// The lifts of all frames, and how arms then turn.
    pub(crate) fn lifts(&self, times: &[f32], mut looks: Vec<GroundLook<'_>>) -> GroundMotion {
        let tips = self.tips(times, &looks);
        let mut turned = Turned::new(self, times.len());
        for (frame, (look, tip)) in looks.iter_mut().zip(&tips).enumerate() {
            if *tip != Vec3::ZERO {
                let turns = self.tip_turns(exp(*tip));
                turns.for_each(|turn| turned.note(frame, turn, &look.target));
            }
            self.tip_placed(*tip, &mut look.target);
        }
        let looks = &looks[..];
        let works: Vec<Work<'_>> = looks.iter().map(|look| self.work(look)).collect();
        let wants: Vec<Want> = works.iter().map(Work::want).collect();
        let still = self.still(times, looks);
        let lies: Vec<f32> = wants
            .iter()
            .zip(&still)
            .map(|(want, still)| want.carried * want.carried * still)
            .collect();
        let certain = |limbs: LimbOf| -> Vec<f64> {
            let frames = looks.iter().zip(&wants).zip(&lies);
            let weight = |((look, want), lies): ((&GroundLook<'_>, &Want), &f32)| {
                let low = self.low(&look.source);
                let of_limb = match limbs {
                    LimbOf::Leg => low.stands(),
                    // A hand that has left the floor, or is on its way there, is free.
                    _ => want.palms.max(low.stands() * (1.0 - low.hands)),
                };
                let between = match limbs {
                    LimbOf::Leg => BETWEEN,
                    _ => BETWEEN_ARMS,
                };
                between + f64::from(of_limb.max(*lies))
            };
            frames.map(weight).collect()
        };
        let weights = certain(LimbOf::Leg);
        let asked: Vec<f64> = wants.iter().map(|want| want.lift.rise.into()).collect();
        let free = vec![None; times.len()];
        let mut rises = gentle(times, &weights, &asked, &free);
        let mut least = free.clone();
        for _ in 0..BOUNDS {
            let more = self.least(&works, &rises, &lies);
            if more.iter().all(Option::is_none) {
                break;
            }
            for (least, more) in least.iter_mut().zip(more) {
                *least = [*least, more].into_iter().flatten().reduce(f64::max);
            }
            rises = gentle(times, &weights, &asked, &least);
        }
        let mut lifts: Vec<Lift> = works
            .iter()
            .zip(&rises)
            .map(|(work, rise)| work.with_rise(*rise as f32))
            .collect();
        let palms = certain(LimbOf::Arm);
        let gentler = |lifts: &mut [Lift], limbs: LimbOf| {
            let (weights, count) = match limbs {
                LimbOf::Leg => (&weights, self.legs.len()),
                LimbOf::Arm | LimbOf::Elbow => (&palms, self.arms.len()),
            };
            for limb in 0..count {
                let own = lifts
                    .iter_mut()
                    .map(|lift| f64::from(*limbs.of(lift, limb)));
                let asked: Vec<f64> = own.collect();
                let least = |(work, lift): (&Work<'_>, &Lift)| limbs.least(work, limb, lift);
                let least: Vec<Option<f64>> = works.iter().zip(&*lifts).map(least).collect();
                let made = gentle(times, weights, &asked, &least);
                let room = THERE * self.size();
                for (lift, made) in lifts.iter_mut().zip(made) {
                    let made = made as f32;
                    *limbs.of(lift, limb) = if made.abs() <= room { 0.0 } else { made };
                }
            }
        };
        let shifts = self.shifts(times, &works);
        for (lift, shift) in lifts.iter_mut().zip(shifts) {
            lift.shift = shift;
        }
        gentler(&mut lifts, LimbOf::Leg);
        // No axis of the space counts more than another, so nothing bounds the axes of the lean one by one.
        let leans: Vec<DVec3> = lifts.iter().map(|lift| lift.lean.as_dvec3()).collect();
        let leans = match leans.iter().any(|lean| *lean != DVec3::ZERO) {
            true => Calm::new(times, &palms, SECONDS).calm(&leans),
            false => leans,
        };
        for ((lift, work), lean) in lifts.iter_mut().zip(&works).zip(&leans) {
            let is_there = lean.length() > f64::from(THERE);
            lift.lean = if is_there { lean.as_vec3() } else { Vec3::ZERO };
            *lift = work.with_hands(*lift);
        }
        gentler(&mut lifts, LimbOf::Arm);
        let arms = works.iter().zip(&lifts);
        let arms = arms.map(|(work, lift)| work.arms(lift));
        let moves = settle_stretches(times, arms);
        for ((lift, work), moves) in lifts.iter_mut().zip(&works).zip(&moves) {
            *lift = work.with_elbows(*lift, moves.as_ref());
        }
        gentler(&mut lifts, LimbOf::Elbow);
        let room = THERE * self.size();
        for (lift, tip) in lifts.iter_mut().zip(tips) {
            lift.tip = tip;
            if lift.rise.abs() <= room {
                lift.rise = 0.0;
            }
        }
        for (frame, look) in looks.iter().enumerate() {
            let frame_moves = (&lifts[frame], moves[frame].as_ref());
            self.turns(frame_moves, &look.target, |turn| {
                turned.note(frame, turn, &look.target);
            });
        }
        GroundMotion {
            turned: turned.joints(),
            lifts,
            arms: moves,
        }
    }

    /// How the trunk tips in each frame.
    fn tips(&self, times: &[f32], looks: &[GroundLook<'_>]) -> Vec<Vec3> {
        let works: Vec<Work<'_>> = looks.iter().map(|look| self.work(look)).collect();
        let asked: Vec<DVec3> = works.iter().map(|work| work.tip().as_dvec3()).collect();
        if asked.iter().all(|tip| *tip == DVec3::ZERO) {
            return vec![Vec3::ZERO; looks.len()];
        }
        let still = self.still(times, looks);
        let certain = |(work, still): (&Work<'_>, &f32)| {
            BETWEEN_TIPS + f64::from(work.low.stands().max(work.lies() * still))
        };
        let weights: Vec<f64> = works.iter().zip(&still).map(certain).collect();
        let made = Calm::new(times, &weights, SECONDS).calm(&asked);
        let is_there = |tip: &DVec3| tip.length() > f64::from(THERE);
        let there = |tip: DVec3| {
            if is_there(&tip) {
                tip.as_vec3()
            } else {
                Vec3::ZERO
            }
        };
        made.into_iter().map(there).collect()
    }

    /// How far the body goes along the floor until each frame, so that hands that carry it stay where they are.
    fn shifts(&self, times: &[f32], works: &[Work<'_>]) -> Vec<Vec3> {
        let mut shift = Vec3::ZERO;
        let mut shifts = vec![shift; times.len()];
        let carry: Vec<[f32; MOST]> = works.iter().map(Work::hands_that_carry).collect();
        for frame in 1..times.len() {
            let seconds = times[frame] - times[frame - 1];
            let (mut way, mut sum, mut most) = (Vec3::ZERO, f32::MIN_POSITIVE, 0.0f32);
            let both = carry[frame - 1].iter().zip(&carry[frame]);
            for (arm, (last, own)) in both.enumerate().take(self.arms.len()) {
                let [before, now] = [frame - 1, frame].map(|frame| works[frame].hand_places(arm));
                let speed = share(now[0].distance(before[0]), seconds * self.thickness);
                let weight = last.min(*own) * fade(speed, GLIDES);
                way += weight * (now[1] - before[1]);
                sum += weight;
                most = most.max(weight);
            }
            if seconds < CUT {
                let along = way - self.up * way.dot(self.up);
                shift -= along * (most / sum);
            }
            shifts[frame] = shift;
        }
        shifts
    }

    fn work<'a>(&'a self, look: &'a GroundLook<'_>) -> Work<'a> {
        Work::new(self, look.source, &look.target, self.low(&look.source))
    }

    /// How still the source's hips are, frame by frame.
    fn still(&self, times: &[f32], looks: &[GroundLook<'_>]) -> Vec<f32> {
        let hips = |frame: usize| looks[frame].source.position(self.trunk[0].source.joint);
        let last = times.len().saturating_sub(1);
        let still = |frame: usize| {
            let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
            let way = (hips(after) - hips(before)).dot(self.source_up);
            let seconds = (times[after] - times[before]).max(1e-3);
            let speed = way / (seconds * self.thickness).max(f32::MIN_POSITIVE);
            1.0 / (1.0 + (speed / STILL).powi(2))
        };
        (0..times.len()).map(still).collect()
    }

    /// Rises below which something is in the floor or a leg too folded, where these are.
    fn least(&self, works: &[Work<'_>], rises: &[f64], lies: &[f32]) -> Vec<Option<f64>> {
        let least = |((work, rise), lies): ((&Work<'_>, &f64), &f32)| {
            let lift = work.with_rise(*rise as f32);
            let lack = work.lack(&lift);
            let lack = (lack > THERE * self.size()).then(|| rise + f64::from(lack));
            // Hips never go up for it.
            let folded = work.folded(&lift, 1.0 - lies.powi(RESTS));
            let folded = folded.map(|folded| f64::from(folded).min(0.0));
            let folded = folded.filter(|folded| folded > rise);
            [lack, folded].into_iter().flatten().reduce(f64::max)
        };
        works.iter().zip(rises).zip(lies).map(least).collect()
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
    let made = Calm::firm(times, weights, SECONDS).within(&asked, (ROUNDS, 0.0), nearest);
    made.iter().map(|value| value.x).collect()
}
