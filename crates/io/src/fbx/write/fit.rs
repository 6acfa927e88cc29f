//! Keys of three FBX curves that follow a function of time within a tolerance.
//!
//! FBX interpolates each number on its own: constant, straight, or a cubic with a slope at each end. A
//! turn at constant speed is neither in Euler angles. On each stretch between two key times:
//!
//! ```text
//! straight   where f is known to be near the line from f(0) to f(1), or f(1/3), f(1/2), f(2/3) are
//! cubic      with the slopes of f, where they are known and known to do
//! cubic      through f(0), f(1/3), f(2/3), f(1), where f(1/6), f(1/2), f(5/6) are near it:
//!            slopes (-11 f(0) + 18 f(1/3) - 9 f(2/3) + 2 f(1)) / 2
//!               and (-2 f(0) + 9 f(1/3) - 18 f(2/3) + 11 f(1)) / 2 a stretch
//! else       the same on both halves; a stretch with whole frames in it is cut at one of them
//! ```
//!
//! A cubic function comes out as itself. Where the function jumps, a key stands one unit of time (20 ps)
//! before the next one.

use super::clock::Clock;

/// The halves of a stretch are halved again at most so often.
const MAX_HALVINGS: u32 = 10;

/// A function of time with three values, known stretch by stretch.
pub(super) trait Curve {
    /// The three values at a time, and what was found with them.
    type Point: Copy;
    /// Key times, seconds, rising.
    fn times(&self) -> &[f32];
    /// True where its value can jump at a key time.
    fn jumps(&self) -> bool;
    /// Goes to the stretch that begins at the key time with this index.
    fn enter(&mut self, index: usize);
    /// How it moves on this stretch.
    fn shape(&self) -> Shape;
    /// Where it rests, whatever the stretch.
    fn rest(&self) -> Self::Point;
    /// The point at a time (seconds) of this stretch. Where several would do, that nearest to `near`.
    fn at(&self, time: f64, near: &Self::Point) -> Self::Point;
    /// The values of a point.
    fn values(&self, point: &Self::Point) -> [f64; 3];
    /// How far these values are off from the function's at a time of this stretch.
    fn error_at(&self, time: f64, values: [f64; 3], near: &Self::Point) -> f64 {
        largest_difference(values, self.values(&self.at(time, near)))
    }
    /// True where a straight line between two points of this stretch is known to be near enough.
    fn is_straight(&self, _from: &Self::Point, _to: &Self::Point) -> bool {
        false
    }
    /// Slopes, a second, at two times of this stretch of a cubic that is known to be near enough between
    /// them.
    fn slopes(
        &self,
        _from: Timed<'_, Self::Point>,
        _to: Timed<'_, Self::Point>,
    ) -> Option<[[f64; 3]; 2]> {
        None
    }
}

/// A point of a curve, and when it is there.
#[derive(Clone, Copy)]
pub(super) struct Timed<'p, P> {
    pub(super) seconds: f64,
    pub(super) point: &'p P,
}

impl<'p, P> Timed<'p, P> {
    pub(super) fn new(seconds: f64, point: &'p P) -> Self {
        Self { seconds, point }
    }
}

/// How a function moves on a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Not at all, and then it jumps.
    Held,
    /// In straight lines, or not at all.
    Straight,
    /// In another way.
    Bent,
}

/// How an FBX curve goes on from a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Onward {
    /// Constant up to the next key.
    Constant,
    /// Straight to the next key.
    Straight,
    /// Cubic, with these slopes a second at this key and at the next one.
    Cubic([[f64; 3]; 2]),
}

/// Keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Keys {
    /// Units of FBX time, rising.
    pub(super) times: Vec<i64>,
    /// One entry a key.
    pub(super) values: Vec<[f64; 3]>,
    /// One entry a key.
    pub(super) onward: Vec<Onward>,
}

impl Keys {
    fn with_capacity(count: usize) -> Self {
        Self {
            times: Vec::with_capacity(count),
            values: Vec::with_capacity(count),
            onward: Vec::with_capacity(count),
        }
    }

    fn push(&mut self, time: i64, value: [f64; 3], onward: Onward) {
        // Different times of a clip may be the same unit of time, above all the two of a jump. The earlier one then ends
        // a unit before, where there is room.
        if let Some(last) = self.times.last_mut().filter(|last| **last >= time) {
            *last = time - 1;
            let has_room = match self.times.as_slice() {
                [.., before, last] => before < last,
                _ => time > 0,
            };
            if has_room {
                self.turn_constant();
            } else {
                self.times.pop();
                self.values.pop();
                self.onward.pop();
            }
        }
        self.times.push(time);
        self.values.push(value);
        self.onward.push(onward);
    }

    fn turn_constant(&mut self) {
        if let Some(last) = self.onward.last_mut() {
            *last = Onward::Constant;
        }
    }
}

/// Finds keys whose curves are off from `curve` by at most `tolerance`, in the unit of its values.
pub(super) fn fit(curve: &mut impl Curve, tolerance: f64, clock: &Clock) -> Keys {
    let count = curve.times().len();
    let mut fitter = Fitter {
        keys: Keys::with_capacity(count),
        tolerance,
        clock,
    };
    let jumps = curve.jumps();
    let mut point = curve.rest();
    for index in 0..count {
        let start = f64::from(curve.times()[index]);
        curve.enter(index);
        if index == 0 || jumps {
            let before = curve.values(&point);
            point = curve.at(start, &point);
            let moved = largest_difference(before, curve.values(&point));
            if index > 0 && moved > tolerance * 1e-3 {
                fitter.jump_at(start, before);
            }
        }
        let Some(&end) = curve.times().get(index + 1) else {
            fitter.push(start, curve.values(&point), Onward::Straight);
            break;
        };
        let end = f64::from(end);
        if curve.shape() == Shape::Held {
            fitter.push(start, curve.values(&point), Onward::Constant);
        } else {
            point = fitter.stretch(curve, Timed::new(start, &point), end, MAX_HALVINGS);
        }
    }
    fitter.keys
}

struct Fitter<'c> {
    keys: Keys,
    tolerance: f64,
    clock: &'c Clock,
}

impl Fitter<'_> {
    fn push(&mut self, time: f64, value: [f64; 3], onward: Onward) {
        let ticks = self.clock.ticks_at(time);
        self.keys.push(ticks, value, onward);
    }

    /// Ends the stretch before `time` with `value`.
    fn jump_at(&mut self, time: f64, value: [f64; 3]) {
        if self.keys.onward.last() == Some(&Onward::Constant) {
            return;
        }
        let ticks = self.clock.ticks_at(time) - 1;
        if self.keys.times.last().is_some_and(|&last| last < ticks) {
            self.keys.push(ticks, value, Onward::Constant);
        } else {
            self.keys.turn_constant();
        }
    }

    /// Adds the keys from the start of a stretch to just before its end; returns the point at the end.
    fn stretch<C: Curve>(
        &mut self,
        curve: &C,
        from: Timed<'_, C::Point>,
        end: f64,
        halvings: u32,
    ) -> C::Point {
        let Timed {
            seconds: start,
            point: first,
        } = from;
        let last = curve.at(end, first);
        if curve.shape() == Shape::Straight || curve.is_straight(first, &last) {
            self.push(start, curve.values(first), Onward::Straight);
            return last;
        }
        if let Some(slopes) = curve.slopes(from, Timed::new(end, &last)) {
            self.push(start, curve.values(first), Onward::Cubic(slopes));
            return last;
        }
        let (onward, error, last) = nearest_of_line_and_cubic(curve, from, end, self.tolerance);
        if error <= self.tolerance || halvings == 0 {
            self.push(start, curve.values(first), onward);
            return last;
        }
        let cut = self.clock.cut(start, end);
        let middle = self.stretch(curve, from, cut, halvings - 1);
        self.stretch(curve, Timed::new(cut, &middle), end, halvings - 1)
    }
}

/// A straight line where that does, else what is nearer, the line or a cubic; how far it is off; and the
/// point at the end, for which the function is followed on its way.
fn nearest_of_line_and_cubic<C: Curve>(
    curve: &C,
    from: Timed<'_, C::Point>,
    end: f64,
    tolerance: f64,
) -> (Onward, f64, C::Point) {
    let Timed {
        seconds: start,
        point: first,
    } = from;
    let span = end - start;
    let time = |fraction: f64| start + span * fraction;
    let third = curve.at(time(1.0 / 3.0), first);
    let middle = curve.at(time(0.5), &third);
    let other = curve.at(time(2.0 / 3.0), &middle);
    let last = curve.at(end, &other);
    let points = [first, &third, &other, &last].map(|point| curve.values(point));
    let near = [first, &third, &middle, &other];
    let largest_error = |fractions: [f64; 3], value: &dyn Fn(f64) -> [f64; 3]| {
        let errors = fractions.map(|fraction| {
            let near = near[((fraction * 4.0) as usize).min(3)];
            curve.error_at(time(fraction), value(fraction), near)
        });
        errors.into_iter().fold(0.0, f64::max)
    };
    let line = |t: f64| mix([points[0], points[3]], [1.0 - t, t]);
    let straight = largest_error([1.0 / 3.0, 0.5, 2.0 / 3.0], &line);
    if straight <= tolerance {
        return (Onward::Straight, straight, last);
    }
    let through = |t: f64| {
        let factors = [t, t - 1.0 / 3.0, t - 2.0 / 3.0, t - 1.0];
        let but = |place: usize| {
            let others = factors.iter().enumerate();
            others
                .filter(|(other, _)| *other != place)
                .map(|(_, factor)| factor)
                .product::<f64>()
        };
        mix(
            points,
            [-4.5 * but(0), 13.5 * but(1), -13.5 * but(2), 4.5 * but(3)],
        )
    };
    let cubic = largest_error([1.0 / 6.0, 0.5, 5.0 / 6.0], &through);
    if straight <= cubic {
        return (Onward::Straight, straight, last);
    }
    let slopes = [[-5.5, 9.0, -4.5, 1.0], [-1.0, 4.5, -9.0, 5.5]]
        .map(|weights| mix(points, weights.map(|weight| weight / span)));
    (Onward::Cubic(slopes), cubic, last)
}

/// The sum of values times weights.
pub(super) fn mix<const N: usize>(values: [[f64; 3]; N], weights: [f64; N]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (value, weight) in values.iter().zip(weights) {
        for (sum, part) in sum.iter_mut().zip(value) {
            *sum += part * weight;
        }
    }
    sum
}

fn largest_difference(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter()
        .zip(b)
        .fold(0.0, |largest, (a, b)| largest.max((a - b).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x(t) = t³ - t, y = sin 3t, z = 0.
    struct Wave(Vec<f32>);

    impl Curve for Wave {
        type Point = [f64; 3];
        fn times(&self) -> &[f32] {
            &self.0
        }
        fn jumps(&self) -> bool {
            false
        }
        fn enter(&mut self, _: usize) {}
        fn shape(&self) -> Shape {
            Shape::Bent
        }
        fn rest(&self) -> [f64; 3] {
            [0.0; 3]
        }
        fn at(&self, time: f64, _: &[f64; 3]) -> [f64; 3] {
            [time.powi(3) - time, (3.0 * time).sin(), 0.0]
        }
        fn values(&self, point: &[f64; 3]) -> [f64; 3] {
            *point
        }
    }

    #[test]
    fn cubics_stay_within_the_tolerance() {
        let mut wave = Wave(vec![0.0, 1.0, 2.0]);
        let clock = Clock::new(1_000_000_000, None);
        let keys = fit(&mut wave, 1e-6, &clock);
        assert!(keys.times.len() < 80, "{}", keys.times.len());
        for (index, pair) in keys.times.windows(2).enumerate() {
            let span = (pair[1] - pair[0]) as f64 * 1e-9;
            for step in 0..10 {
                let t = f64::from(step) / 10.0;
                let time = pair[0] as f64 * 1e-9 + t * span;
                let (from, to) = (keys.values[index], keys.values[index + 1]);
                let Onward::Cubic([out, into]) = keys.onward[index] else {
                    panic!("{:?}", keys.onward[index]);
                };
                let wanted = wave.at(time, &[0.0; 3]);
                for axis in 0..3 {
                    let found = (2.0 * t.powi(3) - 3.0 * t * t + 1.0) * from[axis]
                        + span * (t.powi(3) - 2.0 * t * t + t) * out[axis]
                        + (3.0 * t * t - 2.0 * t.powi(3)) * to[axis]
                        + span * (t.powi(3) - t * t) * into[axis];
                    assert!((found - wanted[axis]).abs() < 2e-6, "{time}");
                }
            }
        }
    }
}
