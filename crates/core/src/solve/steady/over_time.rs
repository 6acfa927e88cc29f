//! Steady limbs over time: frame by frame, and all frames of a clip together.

use super::{Firm, Moves, SWEEP, SteadyLimbs};
use crate::solve::calm::Calm;
use crate::solve::four::{LANES, smooth};
use glam::{DVec3, Vec4};
use rebone_model::elementary::Elementary as _;

/// How often frames and smoother take turns.
const ROUNDS: usize = 8;

/// Seconds in which the speed of a limb is forgotten.
const FORGOTTEN: f32 = 0.05;

/// Over how long turns are steady: seconds, and frames where those are longer.
const STEADY: [f64; 2] = [0.04, 1.5];

/// The same of the shift of the roots.
const ROOT_STEADY: [f64; 2] = [0.06, 2.0];

/// Seconds without a frame behind which a motion begins anew.
const CUT: f32 = 1.0;

/// How much steadier a folded limb is.
const FOLDED: f64 = 100.0;

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
        (is_first, elapsed): (bool, Option<f32>),
    ) -> Moves {
        if is_first {
            *self = Self::default();
        }
        match elapsed {
            Some(seconds) => self.next(limbs, seconds),
            None => limbs.alone(),
        }
    }

    /// The next frame, so many seconds later: near where the limbs were going.
    pub(crate) fn next(&mut self, limbs: &SteadyLimbs, seconds: f32) -> Moves {
        let last = self.last.filter(|_| seconds < CUT);
        let turns = match last {
            None => limbs.alone(),
            Some((last, before, between)) => {
                let kept = if between > 0.0 {
                    (seconds / between).min(1.0)
                } else {
                    0.0
                };
                let speed = (-seconds / FORGOTTEN).exponential() * kept;
                let near = last.plus(last.minus(before), speed);
                let once = limbs.step(last, near, SWEEP);
                limbs.step(once, near, SWEEP)
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
    let mut moves: Vec<Moves> = frames
        .iter()
        .zip(times)
        .map(|(limbs, &time)| history.next(limbs, time - std::mem::replace(&mut before, time)))
        .collect();
    if frames.len() < 4 {
        return moves;
    }
    let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
    let steps = steps.filter(|step| *step < CUT);
    let (count, whole) = steps.fold((0u32, 0.0), |(count, whole), step| {
        (count + 1, whole + step)
    });
    let frame = f64::from(whole / count.max(1) as f32);
    let seconds = |[seconds, frames]: [f64; 2]| seconds.max(frames * frame);
    let [long, short] = FOLDS;
    let smoothers: [Calm; LANES] = std::array::from_fn(|lane| {
        let weight = |limbs: &SteadyLimbs| {
            let fold = smooth((Vec4::splat(long) - limbs.line()) / (long - short))[lane];
            f64::from(TOGETHER.rho) / (1.0 + FOLDED * f64::from(fold))
        };
        let weights: Vec<f64> = frames.iter().map(weight).collect();
        Calm::new(times, &weights, seconds(STEADY))
    });
    let roots = vec![f64::from(TOGETHER.rho * TOGETHER.root); times.len()];
    let roots = Calm::new(times, &roots, seconds(ROOT_STEADY));
    let mut owed = vec![Moves::NONE; frames.len()];
    for round in 0..ROUNDS {
        let wanted: Vec<Moves> = moves
            .iter()
            .zip(&owed)
            .map(|(moves, owed)| moves.plus(*owed, 1.0))
            .collect();
        let calm = smoothed((&smoothers, &roots), &wanted);
        for (frame, calm) in calm.into_iter().enumerate() {
            let near = if round == 0 {
                calm
            } else {
                owed[frame] = wanted[frame].minus(calm);
                calm.minus(owed[frame])
            };
            moves[frame] = frames[frame].step(moves[frame], near, TOGETHER);
        }
    }
    moves
}

/// Turns made steady, limb by limb.
fn smoothed((smoothers, roots): (&[Calm; LANES], &Calm), moves: &[Moves]) -> Vec<Moves> {
    let mut result = moves.to_vec();
    for (lane, smoother) in smoothers.iter().enumerate() {
        for bone in 0..2 {
            let wanted: Vec<DVec3> = moves
                .iter()
                .map(|moves| moves.turns.0[bone].lane(lane).as_dvec3())
                .collect();
            if wanted.iter().all(|wanted| *wanted == DVec3::ZERO) {
                continue;
            }
            for (moves, calm) in result.iter_mut().zip(smoother.calm(&wanted)) {
                moves.turns.0[bone].set_lane(lane, calm.as_vec3());
            }
        }
    }
    let shifts: Vec<DVec3> = moves.iter().map(|moves| moves.shift.as_dvec3()).collect();
    for (moves, calm) in result.iter_mut().zip(roots.calm(&shifts)) {
        moves.shift = calm.as_vec3();
    }
    result
}
