//! Angles from rotations, in any channel order, frame after frame without jumps.
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
//!
//! A joint with fewer than three different axes cannot take every rotation. Two axes: the missing third
//! one is solved for and dropped. One axis: the rotation's twist about it.

use glam::{DMat3, DQuat};

/// Below this length of (sin, cos) the first angle is undefined: gimbal lock.
const LOCKED: f64 = 1e-6;

/// The angles of one joint over the frames.
#[derive(Clone, Debug)]
pub(crate) struct EulerSolver {
    /// Axes that take part, at most three, neighbours different.
    axes: Vec<usize>,
    /// Place of each of `axes` among the joint's rotation channels.
    places: Vec<usize>,
    /// Angles of the frame before, radians.
    before: [f64; 3],
}

impl EulerSolver {
    /// For rotation channels about these axes (0 for X, 1 for Y, 2 for Z), the first leftmost.
    pub(crate) fn new(order: &[usize]) -> Self {
        let mut axes: Vec<usize> = Vec::new();
        let mut places = Vec::new();
        for (place, axis) in order.iter().enumerate() {
            let axis = *axis;
            // A second channel about the same axis adds nothing, nor does a fourth.
            if axes.len() < 3 && axes.last() != Some(&axis) {
                axes.push(axis);
                places.push(place);
            }
        }
        Self {
            axes,
            places,
            before: [0.0; 3],
        }
    }

    /// Finds angles for `rotation` (unit) near those of the frame before and writes them, in degrees,
    /// to their places in `degrees`. Returns how far the angles' rotation is off, radians.
    pub(crate) fn solve(&mut self, rotation: DQuat, degrees: &mut [f64]) -> f64 {
        let (angles, error) = match *self.axes.as_slice() {
            [] => ([0.0; 3], rotation_angle(rotation)),
            [a] => {
                let along = rotation.to_array()[a];
                let twist = if along.hypot(rotation.w) < LOCKED {
                    self.before[0]
                } else {
                    2.0 * along.atan2(rotation.w)
                };
                let angles = [near(twist, self.before[0]), 0.0, 0.0];
                (angles, self.error(rotation, angles))
            }
            [a, b] => {
                let mut angles = self.nearest(rotation, [a, b, 3 - a - b]);
                angles[2] = 0.0;
                (angles, self.error(rotation, angles))
            }
            [a, b, c, ..] => (self.nearest(rotation, [a, b, c]), 0.0),
        };
        self.before = angles;
        for (place, angle) in self.places.iter().zip(angles) {
            degrees[*place] = angle.to_degrees();
        }
        error
    }

    /// Says that the frame before had these angles, in degrees.
    #[cfg(feature = "fbx")]
    pub(crate) fn resume_at(&mut self, degrees: &[f64]) {
        for (before, place) in self.before.iter_mut().zip(&self.places) {
            *before = degrees[*place].to_radians();
        }
    }

    fn error(&self, rotation: DQuat, angles: [f64; 3]) -> f64 {
        let reached = self
            .axes
            .iter()
            .zip(angles)
            .fold(DQuat::IDENTITY, |product, (axis, angle)| {
                product * about(*axis, angle)
            });
        rotation_angle(reached.conjugate() * rotation)
    }

    /// Of both solutions the one nearer to the frame before.
    fn nearest(&self, rotation: DQuat, [a, b, c]: [usize; 3]) -> [f64; 3] {
        let matrix = DMat3::from_quat(rotation);
        let entry = |row: usize, column: usize| matrix.col(column)[row];
        let k = 3 - a - b;
        let e = if (a + 1) % 3 == b { 1.0 } else { -1.0 };
        let (sine, cosine) = if c == a {
            (entry(b, a), -e * entry(k, a))
        } else {
            (-e * entry(b, c), entry(c, c))
        };
        let length = sine.hypot(cosine);
        let (alpha, sine, cosine) = if length < LOCKED {
            let (sine, cosine) = self.before[0].sin_cos();
            (self.before[0], sine, cosine)
        } else {
            (sine.atan2(cosine), sine / length, cosine / length)
        };
        // Rows b and k of S; its row a is that of R.
        let row_b = |column: usize| cosine * entry(b, column) + e * sine * entry(k, column);
        let row_k = |column: usize| cosine * entry(k, column) - e * sine * entry(b, column);
        let (beta, gamma, other_beta) = if c == a {
            let beta = (-e * row_k(a)).atan2(entry(a, a));
            (beta, (-e * row_b(k)).atan2(row_b(b)), -beta)
        } else {
            let beta = (e * entry(a, c)).atan2(row_k(c));
            let other = std::f64::consts::PI - beta;
            (beta, (e * row_b(a)).atan2(row_b(b)), other)
        };
        let half_turn = std::f64::consts::PI;
        let before = self.before;
        let candidates = [
            [alpha, beta, gamma],
            [alpha + half_turn, other_beta, gamma + half_turn],
        ]
        .map(|[alpha, beta, gamma]| {
            [
                near(alpha, before[0]),
                near(beta, before[1]),
                near(gamma, before[2]),
            ]
        });
        let distance = |angles: &[f64; 3]| {
            angles
                .iter()
                .zip(self.before)
                .map(|(angle, before)| (angle - before).abs())
                .sum::<f64>()
        };
        if distance(&candidates[1]) < distance(&candidates[0]) {
            candidates[1]
        } else {
            candidates[0]
        }
    }
}

/// The angle plus as many whole turns as bring it nearest to `reference`.
fn near(angle: f64, reference: f64) -> f64 {
    const TURN: f64 = std::f64::consts::TAU;
    angle + TURN * ((reference - angle) / TURN).round()
}

fn about(axis: usize, angle: f64) -> DQuat {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let mut parts = [0.0, 0.0, 0.0, cosine];
    parts[axis] = sine;
    DQuat::from_array(parts)
}

/// The angle of a unit quaternion, 0 to π.
fn rotation_angle(rotation: DQuat) -> f64 {
    2.0 * rotation.xyz().length().atan2(rotation.w.abs())
}

/// A single-precision rotation as unit quaternion in double precision; a zero one as the identity.
pub(crate) fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length > f64::MIN_POSITIVE && length.is_finite() {
        rotation * (1.0 / length)
    } else {
        DQuat::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: [usize; 3] = [0, 1, 2];

    fn product(order: &[usize], degrees: &[f64]) -> DQuat {
        order
            .iter()
            .zip(degrees)
            .fold(DQuat::IDENTITY, |product, (axis, angle)| {
                product * about(*axis, angle.to_radians())
            })
    }

    /// All orders of three channels with different neighbours: 6 of three axes, 6 of two.
    fn orders() -> Vec<[usize; 3]> {
        let mut orders = Vec::new();
        for a in AXES {
            for b in AXES {
                for c in AXES {
                    if a != b && b != c {
                        orders.push([a, b, c]);
                    }
                }
            }
        }
        assert_eq!(orders.len(), 12);
        orders
    }

    #[test]
    fn every_order_reaches_every_rotation_even_in_gimbal_lock() {
        for order in orders() {
            for first in [-170.0, -30.0, 0.0, 75.0] {
                for second in [-180.0, -90.0, -89.999_99, -20.0, 0.0, 90.0, 100.0, 180.0] {
                    for third in [-100.0, 0.0, 5.0, 179.0] {
                        let rotation = product(&order, &[first, second, third]);
                        let mut degrees = [0.0; 3];
                        EulerSolver::new(&order).solve(rotation, &mut degrees);
                        let again = product(&order, &degrees);
                        let error = rotation_angle(again.conjugate() * rotation);
                        assert!(error < 3e-6, "{order:?} {first} {second} {third}: {error}");
                    }
                }
            }
        }
    }

    #[test]
    fn slow_turns_have_no_jumps_over_many_revolutions() {
        for order in orders() {
            let proper = order[0] == order[2];
            let mut solver = EulerSolver::new(&order);
            for frame in 0..2_000 {
                let time = f64::from(frame);
                let middle = if proper { 60.0 } else { 0.0 };
                let angles = [time * 1.7, middle + 25.0 * (time * 0.01).sin(), -time * 2.3];
                let mut degrees = [0.0; 3];
                if frame == 0 {
                    solver.before = angles.map(f64::to_radians);
                }
                solver.solve(product(&order, &angles), &mut degrees);
                for (found, wanted) in degrees.iter().zip(angles) {
                    assert!((found - wanted).abs() < 1e-6, "{order:?} frame {frame}");
                }
            }
        }
    }

    #[test]
    fn passing_through_gimbal_lock_takes_the_other_solution() {
        let order = [2, 0, 1];
        let mut solver = EulerSolver::new(&order);
        for frame in 0..180 {
            let angles = [10.0, f64::from(frame), -30.0];
            let mut degrees = [0.0; 3];
            if frame == 0 {
                solver.before = angles.map(f64::to_radians);
            }
            solver.solve(product(&order, &angles), &mut degrees);
            for (found, wanted) in degrees.iter().zip(angles) {
                assert!((found - wanted).abs() < 1e-4, "frame {frame}: {degrees:?}");
            }
        }
    }

    #[test]
    fn few_channels_do_what_they_can() {
        let [x, y, _] = AXES;
        let mut degrees = [0.0; 2];
        let error = EulerSolver::new(&[x, y]).solve(product(&[x, y], &[40.0, -70.0]), &mut degrees);
        assert!(error < 1e-9 && (degrees[0] - 40.0).abs() + (degrees[1] + 70.0).abs() < 1e-9);
        let error = EulerSolver::new(&[x]).solve(product(&[x], &[-130.0]), &mut degrees);
        assert!(error < 1e-9 && (degrees[0] + 130.0).abs() < 1e-9);
        let error = EulerSolver::new(&[x]).solve(product(&[y], &[50.0]), &mut degrees);
        assert!((error.to_degrees() - 50.0).abs() < 1e-9);
        let error = EulerSolver::new(&[]).solve(product(&[y], &[50.0]), &mut []);
        assert!((error.to_degrees() - 50.0).abs() < 1e-9);
        let mut four = [9.0; 4];
        let error = EulerSolver::new(&[x, x, y, x]).solve(product(&[y], &[50.0]), &mut four);
        assert!(error < 1e-9 && four[1] == 9.0);
    }
}
