//! Smooth curves through points: what an animator would draw.

use glam::Vec3;

/// A curve through points, level at every turning point and never overshooting (Fritsch and Carlson's
/// monotone cubic). Constant before the first and after the last point.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    points: Vec<(f32, f32)>,
    slopes: Vec<f32>,
}

impl Curve {
    /// A curve through `(time, value)` points in rising order of time; level at both ends.
    pub(super) fn new(points: &[(f32, f32)]) -> Self {
        let secant = |index: usize| {
            let (a, b) = (points[index], points[index + 1]);
            (b.1 - a.1) / (b.0 - a.0)
        };
        let slopes = (0..points.len())
            .map(|index| {
                if index == 0 || index + 1 == points.len() {
                    return 0.0;
                }
                let (before, after) = (secant(index - 1), secant(index));
                if before * after <= 0.0 {
                    return 0.0;
                }
                // The harmonic mean keeps the curve between its points.
                2.0 * before * after / (before + after)
            })
            .collect();
        Self {
            points: points.to_vec(),
            slopes,
        }
    }

    /// The value at a time.
    pub(super) fn at(&self, time: f32) -> f32 {
        let after = self.points.partition_point(|point| point.0 <= time);
        if after == 0 {
            return self.points[0].1;
        }
        if after == self.points.len() {
            return self.points[after - 1].1;
        }
        let (start, end) = (self.points[after - 1], self.points[after]);
        let ends = [start.1, self.slopes[after - 1], end.1, self.slopes[after]];
        hermite(ends, end.0 - start.0, (time - start.0) / (end.0 - start.0))
    }

    /// The value averaged over a bell of about `width` seconds: no hard starts.
    pub(super) fn soft(&self, time: f32, width: f32) -> f32 {
        const BELL: [f32; 9] = [1.0, 8.0, 28.0, 56.0, 70.0, 56.0, 28.0, 8.0, 1.0];
        let step = width / 8.0;
        let sample = |(index, share): (usize, &f32)| {
            share / 256.0 * self.at(time + (index as f32 - 4.0) * step)
        };
        BELL.iter().enumerate().map(sample).sum()
    }
}

/// Cubic through `[value, slope, value, slope]` over `span` seconds, at a fraction of it.
pub(super) fn hermite([from, from_slope, to, to_slope]: [f32; 4], span: f32, unit: f32) -> f32 {
    let (square, cube) = (unit * unit, unit * unit * unit);
    (2.0 * cube - 3.0 * square + 1.0) * from
        + (cube - 2.0 * square + unit) * span * from_slope
        + (3.0 * square - 2.0 * cube) * to
        + (cube - square) * span * to_slope
}

/// [`hermite`] of points.
pub(super) fn hermite_path(ends: [Vec3; 4], span: f32, unit: f32) -> Vec3 {
    let along = |axis: usize| hermite(ends.map(|end| end[axis]), span, unit);
    Vec3::new(along(0), along(1), along(2))
}

/// Value, slope and acceleration at one end of a [`quintic`].
pub(super) type Knot = [f32; 3];

/// The polynomial of degree five between two knots `span` seconds apart, at a fraction of the way.
pub(super) fn quintic(from: Knot, to: Knot, span: f32, unit: f32) -> f32 {
    let [p0, v0, a0] = [from[0], from[1] * span, from[2] * span * span];
    let [p1, v1, a1] = [to[0], to[1] * span, to[2] * span * span];
    let way = p1 - p0;
    let c3 = 10.0 * way - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1;
    let c4 = -15.0 * way + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1;
    let c5 = 6.0 * way - 3.0 * (v0 + v1) - 0.5 * (a0 - a1);
    p0 + unit * (v0 + unit * (0.5 * a0 + unit * (c3 + unit * (c4 + unit * c5))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_pass_their_points_without_overshoot() {
        let curve = Curve::new(&[(0.0, 1.0), (1.0, 1.0), (2.0, 3.0), (4.0, 2.0)]);
        for (time, value) in [(-1.0, 1.0), (0.5, 1.0), (2.0, 3.0), (9.0, 2.0)] {
            assert!((curve.at(time) - value).abs() < 1e-6);
        }
        assert!((0..400).all(|i| (1.0..=3.0).contains(&curve.at(i as f32 * 0.01))));
    }

    #[test]
    fn a_quintic_keeps_its_ends() {
        let (from, to) = ([1.0, 2.0, -9.81], [0.5, -1.0, 3.0]);
        assert_eq!(quintic(from, to, 0.4, 0.0), 1.0);
        assert!((quintic(from, to, 0.4, 1.0) - 0.5).abs() < 1e-5);
        let slope = (quintic(from, to, 0.4, 1.0) - quintic(from, to, 0.4, 0.999)) / 0.0004;
        assert!((slope + 1.0).abs() < 0.02, "{slope}");
    }
}
