//! Bodies on the floor in a clip that is known as a whole: how trunks tip, and which joints turn. The lifts come from [`super::lifting`].

use super::lifting::{Lifting, SECONDS};
use super::wants::{THERE, Work};
use super::{GroundStage, Lift};
use crate::solve::calm::Calm;
use crate::solve::steady::Moves;
use crate::stage::View;
use crate::stage::kinematics::Placed;
use crate::stage::limb::JointTurn;
use glam::{DVec3, Quat, Vec3};
use rebone_model::rotation::{exp, log};
use std::collections::BTreeMap;

/// Weight of a frame in which a trunk that tips neither stands nor lies.
const BETWEEN_TIPS: f64 = 0.02;

/// v_0 of [`super::lifting`], thicknesses per second.
const STILL: f32 = 1.0;

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
        let works: Vec<Work<'_>> = looks.iter().map(|look| self.work(look)).collect();
        let lifting = Lifting::new(self, times, &works, &self.still(times, &looks));
        let mut lifts = lifting.bodies();
        lifting.add_hands(&mut lifts);
        let moves = lifting.add_elbows(&mut lifts);
        let room = THERE * self.size();
        for (lift, tip) in lifts.iter_mut().zip(tips) {
            lift.tip = tip;
            if lift.rise.abs() <= room {
                lift.rise = 0.0;
            }
        }
        for (frame, look) in looks.iter().enumerate() {
            let (lift, moves) = (&lifts[frame], moves[frame].as_ref());
            self.turns(lift, moves, &look.target, |turn| {
                turned.note(frame, turn, &look.target);
            });
        }
        GroundMotion {
            turned: turned.joints(),
            lifts,
            arms: moves,
        }
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
}
