//! Angles from rotations, in any channel order, frame after frame without jumps.
//!
//! Formulas and degenerate cases are those of [`angles`](crate::angles).
//!
//! A joint with fewer than three different axes cannot take every rotation. Two axes: the missing third
//! one is solved for and dropped. One axis: the rotation's twist about it.

use crate::angles::{Angles, LOCKED, angles_after, angles_near, near};
use glam::DQuat;
use rebone_model::elementary::Elementary as _;

/// The angles of one joint over the frames.
#[derive(Clone, Debug)]
pub(crate) struct EulerSolver {
    /// Axes that take part, at most three, neighbours different.
    axes: Vec<usize>,
    /// Place of each of `axes` among the joint's rotation channels.
    places: Vec<usize>,
    /// Angles of the frame before.
    before: Angles,
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
            before: Angles::of([0.0; 3]),
        }
    }

    /// Finds angles for `rotation` (unit) near those of the frame before and writes them, in degrees,
    /// to their places in `degrees`. Returns how far the angles' rotation is off, radians.
    pub(crate) fn solve(&mut self, rotation: DQuat, degrees: &mut [f64]) -> f64 {
        let (angles, error) = match *self.axes.as_slice() {
            [] => (Angles::of([0.0; 3]), rotation_angle(rotation)),
            [a] => {
                let along = rotation.to_array()[a];
                let twist = if along.hypotenuse(rotation.w) < LOCKED {
                    self.before.radians[0]
                } else {
                    2.0 * along.arc_tangent(rotation.w)
                };
                let angles = [near(twist, self.before.radians[0]), 0.0, 0.0];
                (Angles::of(angles), self.error(rotation, angles))
            }
            [a, b] => {
                let order = [a, b, 3 - a - b];
                let mut angles = angles_near(rotation, order, self.before.radians).radians;
                angles[2] = 0.0;
                (Angles::of(angles), self.error(rotation, angles))
            }
            [a, b, c, ..] => (angles_after(rotation, [a, b, c], &self.before), 0.0),
        };
        self.before = angles;
        for (place, angle) in self.places.iter().zip(angles.radians) {
            degrees[*place] = angle.to_degrees();
        }
        error
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
}

fn about(axis: usize, angle: f64) -> DQuat {
    let (sine, cosine) = (0.5 * angle).sine_cosine();
    let mut parts = [0.0, 0.0, 0.0, cosine];
    parts[axis] = sine;
    DQuat::from_array(parts)
}

/// The angle of a unit quaternion, 0 to π.
fn rotation_angle(rotation: DQuat) -> f64 {
    2.0 * rotation.xyz().length().arc_tangent(rotation.w.abs())
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
    use crate::angles::arcsine_by_sine;

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
                        let before = [first, second, third].map(f64::to_radians);
                        let angles = angles_near(rotation, order, before);
                        for place in AXES {
                            let (sine, cosine) = angles.radians[place].sin_cos();
                            let off = sine - angles.sines[place];
                            assert!(off.abs() < 1e-6, "{order:?} {before:?} {angles:?}");
                            let off = cosine - angles.cosines[place];
                            assert!(off.abs() < 1e-6, "{order:?} {before:?} {angles:?}");
                        }
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
                    solver.before = Angles::of(angles.map(f64::to_radians));
                }
                solver.solve(product(&order, &angles), &mut degrees);
                for (found, wanted) in degrees.iter().zip(angles) {
                    assert!((found - wanted).abs() < 1e-6, "{order:?} frame {frame}");
                }
            }
        }
    }

    #[test]
    fn the_quick_way_finds_the_same_angles() {
        for sine in [1e-9, 0.01, 0.099_999, 0.100_001, 0.7, 1.0] {
            let cosine = f64::sqrt(1.0 - sine * sine);
            let found = sine * arcsine_by_sine(sine * sine, cosine);
            assert!((found - sine.asin()).abs() < 1e-15 + 1e-15 * sine, "{sine}");
        }
        for order in orders() {
            let mut before = Angles::of([0.3, 0.4, -3.0]);
            for frame in 0..4_000 {
                let time = f64::from(frame) * 0.01;
                // Slow and quick, with half turns and gimbal lock on the way.
                let angles = [60.0 * time, 100.0 * (time * time * 0.2).sin(), -30.0 * time];
                let rotation = product(&order, &angles);
                let slow = angles_near(rotation, order, before.radians);
                let quick = angles_after(rotation, order, &before);
                for place in AXES {
                    let off = slow.radians[place] - quick.radians[place];
                    assert!(off.abs() < 1e-9, "{order:?} {frame}: {slow:?} {quick:?}");
                }
                before = quick;
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
                solver.before = Angles::of(angles.map(f64::to_radians));
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
