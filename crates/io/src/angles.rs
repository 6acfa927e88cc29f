//! Angles about three axes from a rotation: both solutions, and the one nearer to the angles before.
//!
//! ```text
//! R = R_a(α) R_b(β) R_c(γ)       a, b, c: axes of the channels, first channel leftmost
//! e = +1 where (a, b, third axis) is cyclic, else -1
//! c ≠ a:  α = atan2(-e R[b][c], R[c][c])        c = a, k the third axis:  α = atan2(R[b][a], -e R[k][a])
//! S = R_a(-α) R = R_b(β) R_c(γ)
//! c ≠ a:  β = atan2(e S[a][c], S[c][c])         c = a:  β = atan2(-e S[k][a], S[a][a])
//!         γ = atan2(e S[b][a], S[b][b])                 γ = atan2(-e S[b][k], S[b][b])
//! ```
//!
//! β and γ come from S, so the product is R whatever α was taken. That makes the two degenerate cases
//! harmless. Gimbal lock: where α is undefined it stays what it was a frame ago. Two solutions: with
//! (α, β, γ) also (α + π, π - β, γ + π), or (α + π, -β, γ + π) for c = a, leads to R; the one nearer to the
//! previous frame is taken, after whole turns are added.

use glam::{DMat3, DQuat};
use rebone_model::elementary::Elementary as _;

/// Below this length of (sin, cos) the first angle is undefined: gimbal lock.
pub(crate) const LOCKED: f64 = 1e-6;

/// The angles of three channels, with their sines and cosines, which solving yields anyway.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Angles {
    pub(crate) radians: [f64; 3],
    pub(crate) sines: [f64; 3],
    pub(crate) cosines: [f64; 3],
}

impl Angles {
    /// These angles, radians.
    pub(crate) fn of(radians: [f64; 3]) -> Self {
        Self {
            radians,
            sines: radians.map(f64::sine),
            cosines: radians.map(f64::cosine),
        }
    }
}

/// Angles for `rotation` (unit) about three axes, neighbours different: of both solutions the one nearer to
/// the angles `before`, radians.
pub(crate) fn angles_near(rotation: DQuat, order: [usize; 3], before: [f64; 3]) -> Angles {
    let first = Parts::of(rotation, order, || before[0].sine_cosine());
    let second = first.other(order[0] == order[2]);
    let (angles, other_angles) = (first.angles(before), second.angles(before));
    let distance = |angles: &[f64; 3]| {
        (angles[0] - before[0]).abs()
            + (angles[1] - before[1]).abs()
            + (angles[2] - before[2]).abs()
    };
    if distance(&other_angles) < distance(&angles) {
        second.with(other_angles)
    } else {
        first.with(angles)
    }
}

/// The same as [`angles_near`], quicker where the angles are hardly others than before.
pub(crate) fn angles_after(rotation: DQuat, order: [usize; 3], before: &Angles) -> Angles {
    let first = Parts::of(rotation, order, || (before.sines[0], before.cosines[0]));
    if let Some(angles) = first.shortly_after(before) {
        return first.with(angles);
    }
    let second = first.other(order[0] == order[2]);
    if let Some(angles) = second.shortly_after(before) {
        return second.with(angles);
    }
    angles_near(rotation, order, before.radians)
}

/// Sines and cosines of one solution.
#[derive(Clone, Copy)]
struct Parts {
    sines: [f64; 3],
    cosines: [f64; 3],
}

impl Parts {
    /// `locked` gives sine and cosine of the first angle for gimbal lock.
    #[inline]
    fn of(rotation: DQuat, [a, b, c]: [usize; 3], locked: impl FnOnce() -> (f64, f64)) -> Self {
        let columns = DMat3::from_quat(rotation).to_cols_array_2d();
        let k = 3 - a - b;
        let e = if (a + 1) % 3 == b { 1.0 } else { -1.0 };
        let (sine, cosine) = if c == a {
            (columns[a][b], -e * columns[a][k])
        } else {
            (-e * columns[c][b], columns[c][c])
        };
        let length = (sine * sine + cosine * cosine).sqrt();
        let (sine, cosine) = if length < LOCKED {
            locked()
        } else {
            let by_length = 1.0 / length;
            (sine * by_length, cosine * by_length)
        };
        // Rows b and k of S; its row a is that of R.
        let row_b = |column: usize| cosine * columns[column][b] + e * sine * columns[column][k];
        let row_k = |column: usize| cosine * columns[column][k] - e * sine * columns[column][b];
        if c == a {
            Self {
                sines: [sine, -e * row_k(a), -e * row_b(k)],
                cosines: [cosine, columns[a][a], row_b(b)],
            }
        } else {
            Self {
                sines: [sine, e * columns[c][a], e * row_b(a)],
                cosines: [cosine, row_k(c), row_b(b)],
            }
        }
    }

    /// Those of the other solution.
    fn other(&self, is_proper: bool) -> Self {
        let ([sine_a, sine_b, sine_c], [cosine_a, cosine_b, cosine_c]) = (self.sines, self.cosines);
        let (sine_b, cosine_b) = if is_proper {
            (-sine_b, cosine_b)
        } else {
            (sine_b, -cosine_b)
        };
        Self {
            sines: [-sine_a, sine_b, -sine_c],
            cosines: [-cosine_a, cosine_b, -cosine_c],
        }
    }

    fn angles(&self, before: [f64; 3]) -> [f64; 3] {
        let mut angles = before;
        for (place, angle) in angles.iter_mut().enumerate() {
            *angle = near(self.sines[place].arc_tangent(self.cosines[place]), *angle);
        }
        angles
    }

    /// The angles, where each has changed by less than [`SHORT`].
    fn shortly_after(&self, before: &Angles) -> Option<[f64; 3]> {
        let mut angles = before.radians;
        for (place, angle) in angles.iter_mut().enumerate() {
            let (sine, cosine) = (self.sines[place], self.cosines[place]);
            let (sine_before, cosine_before) = (before.sines[place], before.cosines[place]);
            let turned = sine * cosine_before - cosine * sine_before;
            let is_ahead = cosine * cosine_before + sine * sine_before > 0.0;
            if !(turned.abs() < SHORT && is_ahead) {
                return None;
            }
            *angle += turned * arcsine_by_sine(turned * turned, 1.0);
        }
        Some(angles)
    }

    fn with(&self, radians: [f64; 3]) -> Angles {
        Angles {
            radians,
            sines: self.sines,
            cosines: self.cosines,
        }
    }
}

/// Sines below this have a quick arcsine.
const SHORT: f64 = 0.1;

/// An angle of at most a quarter turn divided by its sine, from the sine's square and the cosine. That of a
/// small angle is a series, right to double precision.
pub(crate) fn arcsine_by_sine(square: f64, cosine: f64) -> f64 {
    const PARTS: [f64; 7] = [
        231.0 / 13_312.0,
        63.0 / 2_816.0,
        35.0 / 1_152.0,
        5.0 / 112.0,
        3.0 / 40.0,
        1.0 / 6.0,
        1.0,
    ];
    if square < SHORT * SHORT {
        PARTS.iter().fold(0.0, |sum, part| sum * square + part)
    } else {
        let sine = square.sqrt();
        sine.arc_tangent(cosine) / sine
    }
}

/// The angle plus as many whole turns as bring it nearest to `reference`.
pub(crate) fn near(angle: f64, reference: f64) -> f64 {
    const TURN: f64 = std::f64::consts::TAU;
    if (reference - angle).abs() <= 0.5 * TURN {
        return angle;
    }
    angle + TURN * ((reference - angle) / TURN).round()
}
