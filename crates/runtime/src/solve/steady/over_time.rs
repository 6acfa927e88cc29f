//! Steady limbs over time: frame by frame, and all frames of a clip together.

use super::step::Scratch;
use super::{Firm, Limbs, Moves, SWEEP, SteadyLimb, SteadyLimbs, Turns};
use crate::lanes::limbs::{self, LANES, Numbers};
use crate::lanes::{Kernel, Lanes, Vectors, WIDTH};
use crate::solve::calm::{Calm, Value};
use crate::solve::smooth;
use glam::DVec3;
use rebone_model::elementary::Elementary as _;
use std::ops::{Add, Mul, Sub};

/// How often frames and smoother take turns.
const ROUNDS: usize = 8;

/// How limbs go on from frame to frame.
struct Pace {
    /// How near to where they were going.
    firm: Firm,
    /// Seconds in which the speed of turns, and of the shift of the roots, is forgotten.
    forgotten: [f32; 2],
}

/// A clip that is known, before all its frames go together.
const SWEEPING: Pace = Pace {
    firm: SWEEP,
    forgotten: [0.05, 0.05],
};

/// A motion that runs: what comes is not known, so limbs, and their roots above all, stay nearer to where they were going.
const RUNNING: Pace = Pace {
    firm: Firm {
        rho: 400.0,
        root: 0.1,
        ..SWEEP
    },
    forgotten: [0.05, 0.1],
};

/// Over how long turns are steady: seconds, and frames where those are longer.
pub(super) const STEADY: [f64; 2] = [0.04, 1.5];

/// The same of the shift of the roots.
pub(super) const ROOT_STEADY: [f64; 2] = [0.06, 2.0];

/// Seconds without a frame behind which a motion begins anew.
const CUT: f32 = 1.0;

/// How much steadier a folded limb is.
const FOLDED: f32 = 100.0;

/// Limb lengths from root to end between which a limb becomes a folded one.
const FOLDS: [f32; 2] = [0.5, 0.25];

/// All frames together.
const TOGETHER: Firm = Firm {
    rho: 300.0,
    root: 0.4,
    most: 0.3,
};

/// What limbs remember from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct History {
    /// The last turns, those before, and the seconds between.
    last: Option<(Moves, Moves, f32)>,
}

impl History {
    /// A frame of a motion that runs: where it is not the first, and where it is known how many seconds have passed, near where the
    /// limbs were going.
    pub(crate) fn follow(
        &mut self,
        limbs: &SteadyLimbs,
        is_first: bool,
        elapsed: Option<f32>,
    ) -> Moves {
        if is_first {
            *self = Self::default();
        }
        match elapsed {
            Some(seconds) => self.paced(limbs, seconds, &RUNNING),
            None => limbs.alone(),
        }
    }

    /// The next frame of a clip that is known, so many seconds later.
    pub(crate) fn next(&mut self, limbs: &SteadyLimbs, seconds: f32) -> Moves {
        self.paced(limbs, seconds, &SWEEPING)
    }

    /// The next frame, so many seconds later: near where the limbs were going.
    fn paced(&mut self, limbs: &SteadyLimbs, seconds: f32, pace: &Pace) -> Moves {
        let last = self.last.filter(|_| seconds < CUT);
        let turns = match last {
            None => limbs.alone(),
            Some((last, before, between)) => {
                let kept = if between > 0.0 {
                    (seconds / between).min(1.0)
                } else {
                    0.0
                };
                let speeds = pace
                    .forgotten
                    .map(|time| (-seconds / time).exponential() * kept);
                let mut near = last.plus(&last.minus(&before), speeds[0]);
                near.shift = last.shift + (last.shift - before.shift) * Numbers::splat(speeds[1]);
                limbs.expected(last, near, pace.firm)
            }
        };
        let before = last.map_or(turns, |(last, ..)| last);
        self.last = Some((turns, before, seconds));
        turns
    }
}

/// How limbs turn in those frames of a clip in which they have goals: in each stretch of such frames by itself.
pub(crate) fn settle_stretches(
    times: &[f32],
    frames: impl Iterator<Item = Option<SteadyLimbs>>,
) -> Vec<Option<Moves>> {
    let mut moves = Vec::with_capacity(times.len());
    let mut stretch: Vec<SteadyLimbs> = Vec::new();
    let settled = |moves: &mut Vec<Option<Moves>>, stretch: &mut Vec<SteadyLimbs>| {
        let first = moves.len();
        let found = settle(&times[first..first + stretch.len()], stretch);
        moves.extend(found.into_iter().map(Some));
        stretch.clear();
    };
    for limbs in frames {
        match limbs {
            Some(limbs) => stretch.push(limbs),
            None => {
                settled(&mut moves, &mut stretch);
                moves.push(None);
            }
        }
    }
    settled(&mut moves, &mut stretch);
    moves
}

/// How limbs turn in all frames of a clip.
pub(crate) fn settle(times: &[f32], frames: &[SteadyLimbs]) -> Vec<Moves> {
    let mut history = History::default();
    let mut before = times.first().copied().unwrap_or_default();
    let moves: Vec<Moves> = frames
        .iter()
        .zip(times)
        .map(|(limbs, &time)| history.next(limbs, time - std::mem::replace(&mut before, time)))
        .collect();
    if frames.len() < 4 {
        return moves;
    }
    let smoothers = Smoothers::new(times, frames);
    Together {
        smoothers,
        frames,
        moves,
    }
    .run_widest()
}

/// The frames of a clip, and how their limbs move so far.
struct Together<'a> {
    smoothers: Smoothers,
    frames: &'a [SteadyLimbs],
    moves: Vec<Moves>,
}

impl Kernel for Together<'_> {
    type Output = Vec<Moves>;

    #[inline(always)]
    fn run(mut self) -> Vec<Moves> {
        let count = self.smoothers.limbs.len();
        let mut all: Vec<Wide> = self
            .frames
            .chunks(WIDTH)
            .zip(self.moves.chunks(WIDTH))
            .map(|(limbs, moves)| Wide {
                limbs: Limbs::gather(limbs, count),
                moves: Moves::gather(moves),
                calm: Moves::NONE,
                owed: Moves::NONE,
            })
            .collect();
        let mut scratch = Scratch::new(count);
        for round in 0..ROUNDS {
            self.smoothers.smooth(&mut all);
            for wide in &mut all {
                let mut near = wide.calm;
                if round > 0 {
                    wide.owed = wide.moves.plus(&wide.owed, 1.0).minus(&near);
                    near = near.minus(&wide.owed);
                }
                wide.moves = wide.limbs.step(&wide.moves, &near, TOGETHER, &mut scratch);
            }
        }
        for (moves, wide) in self.moves.chunks_mut(WIDTH).zip(&all) {
            for (lane, moves) in moves.iter_mut().enumerate() {
                *moves = wide.moves.lane(lane);
            }
        }
        self.moves
    }
}

/// Frames of a clip side by side.
struct Wide {
    limbs: Limbs<WIDTH, LANES>,
    moves: Moves<WIDTH, LANES>,
    /// What is wanted, made steady: the moves and what is owed.
    calm: Moves<WIDTH, LANES>,
    owed: Moves<WIDTH, LANES>,
}

/// What makes the moves of a clip steady.
struct Smoothers {
    limbs: Vec<Calm>,
    /// `None` where the roots stay.
    roots: Option<Calm>,
    /// What is wanted of a limb, and of the roots: kept, so that no round has to make room for it.
    turns: Vec<LimbTurns>,
    shifts: Vec<DVec3>,
}

impl Smoothers {
    fn new(times: &[f32], frames: &[SteadyLimbs]) -> Self {
        let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
        let steps = steps.filter(|step| *step < CUT);
        let (count, whole) = steps.fold((0u32, 0.0), |(count, whole), step| {
            (count + 1, whole + step)
        });
        let frame = f64::from(whole / count.max(1) as f32);
        let seconds = |[seconds, frames]: [f64; 2]| seconds.max(frames * frame);
        let [long, short] = FOLDS;
        let lines: Vec<Numbers> = frames
            .iter()
            .map(|limbs| limbs.body.limbs[0].line())
            .collect();
        let limb = |limb: usize| {
            let weight = |line: &Numbers| {
                let fold = smooth((long - line.0[limb]) / (long - short));
                f64::from(TOGETHER.rho / (1.0 + FOLDED * fold))
            };
            let weights: Vec<f64> = lines.iter().map(weight).collect();
            Calm::new(times, &weights, seconds(STEADY))
        };
        let has_roots = frames.iter().any(|limbs| limbs.body.stiffness > 0.0);
        let roots = has_roots.then(|| {
            let weights = vec![f64::from(TOGETHER.rho * TOGETHER.root); times.len()];
            Calm::new(times, &weights, seconds(ROOT_STEADY))
        });
        Self {
            limbs: (0..count_of(frames)).map(limb).collect(),
            roots,
            turns: vec![LimbTurns::default(); times.len()],
            shifts: vec![DVec3::ZERO; times.len()],
        }
    }

    #[inline(always)]
    fn smooth(&mut self, all: &mut [Wide]) {
        for (limb, smoother) in self.limbs.iter().enumerate() {
            let mut is_still = true;
            for (wide, turns) in all.iter_mut().zip(self.turns.chunks_mut(WIDTH)) {
                let wanted = wide.moves.turns[limb].plus(wide.owed.turns[limb], Lanes::ONE);
                is_still &= wanted == Turns::NONE;
                wanted.read(turns);
                wide.calm.turns[limb] = Turns::NONE;
            }
            if is_still {
                continue;
            }
            smoother.calm_in_place(&mut self.turns);
            for (wide, turns) in all.iter_mut().zip(self.turns.chunks(WIDTH)) {
                wide.calm.turns[limb].write(turns);
            }
        }
        let Some(smoother) = &self.roots else {
            return;
        };
        for (wide, shifts) in all.iter().zip(self.shifts.chunks_mut(WIDTH)) {
            let wanted = wide.moves.shift + wide.owed.shift;
            for (lane, shift) in shifts.iter_mut().enumerate() {
                *shift = wanted.lane(lane).as_dvec3();
            }
        }
        smoother.calm_in_place(&mut self.shifts);
        for (wide, shifts) in all.iter_mut().zip(self.shifts.chunks(WIDTH)) {
            for (lane, shift) in shifts.iter().enumerate() {
                wide.calm.shift.set_lane(lane, shift.as_vec3());
            }
        }
    }
}

/// How many limbs the bodies of some frames have.
fn count_of(frames: &[SteadyLimbs]) -> usize {
    let counts = |limb: &usize| {
        let mut all = frames.iter().map(|limbs| &limbs.body.limbs[0].counts);
        all.any(|counts| counts.0[*limb] > 0.0)
    };
    let last = (0..LANES).rfind(counts);
    last.map_or(0, |last| last + 1)
}

/// The rotation vectors of both bones of a limb.
#[derive(Clone, Copy, Default)]
struct LimbTurns([f64; 6]);

impl LimbTurns {
    #[inline(always)]
    fn with(mut self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = operation(*own, other);
        }
        self
    }
}

impl Add for LimbTurns {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
}

impl Sub for LimbTurns {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}

impl Mul<f64> for LimbTurns {
    type Output = Self;
    #[inline(always)]
    fn mul(self, size: f64) -> Self {
        self.with(self, |a, _| a * size)
    }
}

impl Value for LimbTurns {
    fn square(self) -> f64 {
        self.0.iter().map(|value| value * value).sum()
    }
}

impl Turns<WIDTH> {
    /// Frame by frame.
    fn read(&self, frames: &mut [LimbTurns]) {
        let channels = self.0.iter().flat_map(|bone| bone.0);
        for (channel, lanes) in channels.enumerate() {
            for (frame, value) in frames.iter_mut().zip(lanes.0) {
                frame.0[channel] = f64::from(value);
            }
        }
    }

    /// From frame by frame; lanes that are left stay.
    fn write(&mut self, frames: &[LimbTurns]) {
        let channels = self.0.iter_mut().flat_map(|bone| &mut bone.0);
        for (channel, lanes) in channels.enumerate() {
            for (value, frame) in lanes.0.iter_mut().zip(frames) {
                *value = frame.0[channel] as f32;
            }
        }
    }
}

impl Moves<WIDTH, LANES> {
    /// At least one frame; the last one fills lanes that are left.
    fn gather(frames: &[Moves]) -> Self {
        let at = |lane: usize| &frames[lane.min(frames.len() - 1)];
        let turn = |limb: usize, bone: usize| {
            Vectors::gather(std::array::from_fn(|lane| at(lane).turns(limb)[bone]))
        };
        Self {
            turns: std::array::from_fn(|limb| Turns([turn(limb, 0), turn(limb, 1)])),
            shift: Vectors::gather(std::array::from_fn(|lane| at(lane).shift.lane(0))),
        }
    }

    /// One frame, whose limbs are lanes.
    fn lane(&self, lane: usize) -> Moves {
        let mut moves = Moves {
            shift: Vectors::splat(self.shift.lane(lane)),
            ..Moves::NONE
        };
        let [Turns(bones)] = &mut moves.turns;
        for (limb, turns) in self.turns.iter().enumerate() {
            for (bone, turn) in bones.iter_mut().zip(turns.0) {
                bone.set_lane(limb, turn.lane(lane));
            }
        }
        moves
    }
}

impl Limbs<WIDTH, LANES> {
    /// At least one frame, of so many limbs; the last one fills lanes that are left.
    fn gather(frames: &[SteadyLimbs], count: usize) -> Self {
        let at = |lane: usize| &frames[lane.min(frames.len() - 1)].body.limbs[0];
        let limb = |limb: usize| {
            let number = |of: &dyn Fn(&SteadyLimb<LANES>) -> &Numbers| {
                Lanes(std::array::from_fn(|lane| of(at(lane)).0[limb]))
            };
            let vector = |of: &dyn Fn(&SteadyLimb<LANES>) -> &limbs::Vectors| {
                Vectors::gather(std::array::from_fn(|lane| of(at(lane)).lane(limb)))
            };
            SteadyLimb {
                bones: [0, 1].map(|bone: usize| vector(&|of| &of.bones[bone])),
                hinge: vector(&|of| &of.hinge),
                goal: vector(&|of| &of.goal),
                weight: number(&|of| &of.weight),
                limits: [0, 1].map(|limit: usize| number(&|of| &of.limits[limit])),
                counts: number(&|of| &of.counts),
                lowest: number(&|of| &of.lowest),
            }
        };
        let Limbs {
            stiffness,
            nearness,
            up,
            ..
        } = frames[0].body;
        Self {
            limbs: std::array::from_fn(limb),
            count,
            stiffness,
            nearness,
            up,
        }
    }
}

/// [`SteadyLimbs::alone`] of up to eight frames at once.
#[cfg(test)]
pub(super) fn together(frames: &[SteadyLimbs]) -> Vec<Moves> {
    let limbs = Limbs::<WIDTH, LANES>::gather(frames, LANES);
    let mut scratch = Scratch::new(LANES);
    let steps = 0..super::FIRST_STEPS;
    let mut from = Moves::NONE;
    for (turns, limb) in from.turns.iter_mut().zip(&limbs.limbs) {
        *turns = limb.bent(Turns::NONE, Vectors::ZERO, super::BENDS[0]);
    }
    let moves = steps.fold(from, |at, _| {
        limbs.step(&at, &at, super::FIRST, &mut scratch)
    });
    (0..frames.len()).map(|lane| moves.lane(lane)).collect()
}
