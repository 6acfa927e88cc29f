//! Corrections that change gently over time.
//!
//! ```text
//! x = argmin Σ h w |x − y|² + T⁶ Σ h |x‴|²                     near what is wanted, without a jerk
//! the same, with x(t) in C(t)                                  by alternating directions:
//!   x ← argmin Σ h (w |x − y|² + ρ |x − z + u|²) + T⁶ Σ h |x‴|²,  z ← P(x + u),  u ← u + x − z
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | y, w | what is wanted in each frame, and how much; not all w are 0 |
//! | h | seconds that a frame stands for, in steps |
//! | x‴ | third divided difference of four neighbouring frames, times six |
//! | T | the time over which x is gentle: waves slower than 2πT pass, quicker ones fade with the sixth power |
//! | P | brings a value to the nearest of C(t), where that is known |
//! | ρ | `FIRM` |
//!
//! The system has seven diagonals and is decomposed once (L D Lᵀ), whatever is asked of it afterwards. A signal that is zero
//! where zero is wanted and allowed stays zero, bit by bit. What is returned is x: it is gentle, and as good as within C.
//!
//! Degenerate cases: fewer than four frames, also those between two steps of more than `BREAK` T, have no third difference and are what
//! is wanted; frames at the same time are taken for a
//! tenth of the mean step. Sources: smoothing splines (Reinsch), the alternating direction method of multipliers (Boyd and
//! others); docs/laws.md, "Gentle corrections".

use glam::DVec3;
use rebone_model::Clamp as _;
use std::ops::{Add, Mul, Sub};

/// What can be made gentle: numbers and vectors.
pub trait Value:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self>
{
    /// The square of its length.
    fn square(self) -> f64;
}

impl Value for f64 {
    fn square(self) -> f64 {
        self * self
    }
}

impl Value for DVec3 {
    fn square(self) -> f64 {
        self.length_squared()
    }
}

/// ρ.
const FIRM: f64 = 20.0;

/// What the last round may still move, and be off what is allowed, as a share of the largest value, for there to be no other;
/// or less than what nobody sees.
const SETTLED: f64 = 1e-4;

/// T in mean steps, at most: beyond, double precision would not do.
const MOST_STEPS: f64 = 60.0;

/// Steps longer than so many T break a motion: what is before does not touch what is behind.
const BREAK: f64 = 20.0;

/// Least weight of a frame: a stretch between two breaks may want nothing.
const LEAST: f64 = 1e-12;

/// The decomposed system.
#[derive(Clone, Debug)]
pub struct Calm {
    /// h.
    shares: Vec<f64>,
    /// w.
    weights: Vec<f64>,
    /// Of each frame its row of L (three to the left, 0 before the first frame) and 1 / D.
    rows: Vec<[f64; 4]>,
    firm: f64,
}

impl Calm {
    /// For frames at these times, rising, with these weights; one of each a frame. `seconds` is T.
    pub fn new(times: &[f32], weights: &[f64], seconds: f64) -> Self {
        Self::with(times, weights, seconds, 0.0)
    }

    /// For [`Self::within`].
    pub fn firm(times: &[f32], weights: &[f64], seconds: f64) -> Self {
        Self::with(times, weights, seconds, FIRM)
    }

    fn with(times: &[f32], weights: &[f64], seconds: f64, firm: f64) -> Self {
        let count = times.len().min(weights.len());
        let steps = steps(&times[..count], seconds);
        let is_near = |step: &&f64| **step <= BREAK;
        let half = |index: Option<usize>| index.and_then(|index| steps.get(index)).filter(is_near);
        let shares: Vec<f64> = (0..count)
            .map(|frame| {
                let around = [half(frame.checked_sub(1)), half(Some(frame))];
                let whole: f64 = around.into_iter().flatten().sum();
                if whole > 0.0 { 0.5 * whole } else { 1.0 }
            })
            .collect();
        let mut rows: Vec<[f64; 4]> = shares
            .iter()
            .zip(weights)
            .map(|(share, weight)| [0.0, 0.0, 0.0, (share * (weight + firm)).max(LEAST)])
            .collect();
        for (first, three) in steps.windows(3).enumerate() {
            if three.iter().any(|step| *step > BREAK) {
                continue;
            }
            let (factors, share) = (third(three), (three[0] + three[1] + three[2]) / 3.0);
            for (row, a) in factors.iter().enumerate() {
                for (column, b) in factors[..=row].iter().enumerate() {
                    rows[first + row][3 + column - row] += share * a * b;
                }
            }
        }
        decompose(&mut rows);
        for row in &mut rows {
            row[3] = row[3].recip();
        }
        Self {
            shares,
            weights: weights[..count].to_vec(),
            rows,
            firm,
        }
    }

    /// What is wanted, made gentle.
    pub fn calm<V: Value>(&self, wanted: &[V]) -> Vec<V> {
        let mut values = wanted.to_vec();
        self.calm_in_place(&mut values);
        values
    }

    /// [`Self::calm`], where what is wanted stands.
    #[inline(always)]
    pub(crate) fn calm_in_place<V: Value>(&self, values: &mut [V]) {
        self.forwards(values, |frame, wanted| {
            wanted * (self.weights[frame] * self.shares[frame])
        });
        self.backwards(values, |_, _| {});
    }

    /// Makes what is wanted gentle and brings it to what `nearest` allows in each frame. Stops after `rounds` rounds, or when no value
    /// moves or is off by more than `least`.
    pub fn within<V: Value>(
        &self,
        wanted: &[V],
        rounds: usize,
        least: f64,
        nearest: impl Fn(usize, V) -> V,
    ) -> Vec<V> {
        let mut frames: Vec<Allowed<V>> = wanted
            .iter()
            .enumerate()
            .map(|(frame, wanted)| Allowed {
                place: nearest(frame, *wanted),
                owed: V::default(),
            })
            .collect();
        let mut values = wanted.to_vec();
        for _ in 0..rounds {
            let pulled = |frame: usize| {
                let Allowed { place, owed } = frames[frame];
                let pulled = (place - owed) * self.firm;
                (wanted[frame] * self.weights[frame] + pulled) * self.shares[frame]
            };
            self.forwards(&mut values, |frame, _| pulled(frame));
            let (mut off, mut largest) = (0.0f64, 0.0f64);
            self.backwards(&mut values, |frame, value| {
                let Allowed { place, owed } = &mut frames[frame];
                let there = value + *owed;
                let now = nearest(frame, there);
                off = off.max((now - *place).square()).max((now - value).square());
                largest = largest.max(value.square());
                (*place, *owed) = (now, there - now);
            });
            if off <= (SETTLED * SETTLED * largest).max(least * least) {
                break;
            }
        }
        values
    }

    /// The first half of a solution: `of` says what stands on the right, from the frame and the value that is there.
    #[inline(always)]
    fn forwards<V: Value>(&self, values: &mut [V], of: impl Fn(usize, V) -> V) {
        // The three values before: nearest first.
        let mut near = [V::default(); 3];
        for (frame, (value, row)) in values.iter_mut().zip(&self.rows).enumerate() {
            let far = near[1] * row[1] + near[2] * row[0];
            *value = of(frame, *value) - far - near[0] * row[2];
            near = [*value, near[0], near[1]];
        }
    }

    /// The second half; `then` is shown each value as it is found, the last first.
    #[inline(always)]
    fn backwards<V: Value>(&self, values: &mut [V], mut then: impl FnMut(usize, V)) {
        let mut near = [V::default(); 3];
        let mut rows = [[0.0; 4]; 3];
        for (frame, (value, row)) in values.iter_mut().zip(&self.rows).enumerate().rev() {
            let far = near[1] * rows[1][1] + near[2] * rows[2][0];
            *value = *value * row[3] - far - near[0] * rows[0][2];
            near = [*value, near[0], near[1]];
            rows = [*row, rows[0], rows[1]];
            then(frame, *value);
        }
    }
}

/// What [`Calm::within`] knows of a frame: z and u.
#[derive(Clone, Copy)]
struct Allowed<V> {
    place: V,
    owed: V,
}

/// Steps between frames, in units of `seconds`.
fn steps(times: &[f32], seconds: f64) -> Vec<f64> {
    let gap = |pair: &[f32]| f64::from(pair[1]) - f64::from(pair[0]);
    let near = times
        .windows(2)
        .map(gap)
        .filter(|gap| *gap <= BREAK * seconds);
    let (count, whole) = near.fold((0u32, 0.0), |(count, whole), gap| (count + 1, whole + gap));
    let mean = (whole / f64::from(count.max(1))).max(1e-9);
    let unit = seconds.clamped(1e-3 * mean, MOST_STEPS * mean);
    let steps = times.windows(2).map(|pair| gap(pair).max(0.1 * mean));
    steps.map(|step| step / unit).collect()
}

/// How four values make their third derivative, `steps` apart.
fn third(steps: &[f64]) -> [f64; 4] {
    let at = [
        0.0,
        steps[0],
        steps[0] + steps[1],
        steps[0] + steps[1] + steps[2],
    ];
    [0, 1, 2, 3].map(|one| {
        let others = (0..4).filter(|other| *other != one);
        6.0 / others.map(|other| at[one] - at[other]).product::<f64>()
    })
}

/// L D Lᵀ in place of a symmetric matrix of seven diagonals, given by its lower rows.
fn decompose(rows: &mut [[f64; 4]]) {
    for frame in 0..rows.len() {
        for back in (1..=frame.min(3)).rev() {
            let other = frame - back;
            let mut value = rows[frame][3 - back];
            for further in back + 1..=frame.min(3) {
                let column = frame - further;
                value -=
                    rows[frame][3 - further] * rows[column][3] * rows[other][3 + column - other];
            }
            rows[frame][3 - back] = value / rows[other][3];
        }
        let mut own = rows[frame][3];
        for back in 1..=frame.min(3) {
            let left = rows[frame][3 - back];
            own -= left * left * rows[frame - back][3];
        }
        rows[frame][3] = own.max(f64::MIN_POSITIVE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(count: usize, uneven: f32) -> Vec<f32> {
        let time = |frame: usize| frame as f32 / 60.0 + uneven * (frame as f32).sin() / 120.0;
        (0..count).map(time).collect()
    }

    fn jerk(values: &[DVec3]) -> f64 {
        let third = |four: &[DVec3]| (four[3] - four[0]) - (four[2] - four[1]) * 3.0;
        values.windows(4).map(|four| third(four).length()).sum()
    }

    /// Waves that only turn on halfway, and nothing before.
    fn corners(count: usize) -> Vec<DVec3> {
        let value = |frame: usize| (0.2 * frame as f64).sin().max(0.0) * 0.01;
        (0..count).map(|frame| DVec3::Y * value(frame)).collect()
    }

    #[test]
    fn what_has_no_jerk_stays() {
        for (count, uneven) in [
            (0, 0.0),
            (1, 0.0),
            (3, 0.0),
            (4, 0.5),
            (200, 0.0),
            (200, 0.7),
        ] {
            let times = times(count, uneven);
            let value = |time: &f32| {
                let time = f64::from(*time);
                DVec3::new(1.0, time, time * time - 2.0 * time)
            };
            let wanted: Vec<DVec3> = times.iter().map(value).collect();
            let calm = Calm::new(&times, &vec![1.0; count], 0.1);
            for (value, wanted) in calm.calm(&wanted).iter().zip(&wanted) {
                assert!(value.distance(*wanted) < 1e-6, "{count} {value} {wanted}");
            }
        }
    }

    #[test]
    fn nothing_stays_nothing() {
        let times = times(90, 0.3);
        let calm = Calm::firm(&times, &[1.0; 90], 0.1);
        let still = calm.within(&[DVec3::ZERO; 90], 20, 0.0, |_, value| value);
        assert!(still.iter().all(|value| *value == DVec3::ZERO));
    }

    #[test]
    fn corners_are_rounded_and_what_weighs_more_is_kept() {
        let wanted = corners(240);
        let times = times(240, 0.0);
        let calm = Calm::new(&times, &[1.0; 240], 0.06).calm(&wanted);
        assert!(
            jerk(&calm) < 0.2 * jerk(&wanted),
            "{} {}",
            jerk(&calm),
            jerk(&wanted)
        );
        let mut weights = vec![1.0; 240];
        weights[100..140].fill(1e9);
        let held = Calm::new(&times, &weights, 0.06).calm(&wanted);
        for frame in 100..140 {
            assert!(held[frame].distance(wanted[frame]) < 1e-5, "{frame}");
        }
    }

    #[test]
    fn a_bound_is_kept_gently() {
        let (least, times) = (corners(240), times(240, 0.0));
        let calm = Calm::firm(&times, &[1.0; 240], 0.1);
        let nearest = |frame: usize, value: DVec3| DVec3::Y * value.y.max(least[frame].y);
        let within = calm.within(&vec![DVec3::ZERO; 240], 20, 0.0, nearest);
        for (value, least) in within.iter().zip(&least) {
            assert!(value.y > least.y - 0.001, "{value} {least}");
        }
        assert!(
            jerk(&within) < 0.2 * jerk(&least),
            "{} {}",
            jerk(&within),
            jerk(&least)
        );
    }
}
