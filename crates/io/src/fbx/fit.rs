//! Keys of three FBX curves that follow a function of time within a tolerance.
//!
//! FBX interpolates each number on its own: constant, straight, or a cubic with a slope at each end. A
//! turn at constant speed is neither in Euler angles. On each stretch between two key times:
//!
//! ```text
//! straight   where f(1/3), f(1/2) and f(2/3) are near the line from f(0) to f(1)
//! cubic      with the slopes of f, where they are known and the middle is near f(1/2)
//! cubic      through f(0), f(1/3), f(2/3), f(1), where f(1/2) is near it:
//!            slopes (-11 f(0) + 18 f(1/3) - 9 f(2/3) + 2 f(1)) / 2
//!               and (-2 f(0) + 9 f(1/3) - 18 f(2/3) + 11 f(1)) / 2 a stretch
//! else       the same on both halves
//! ```
//!
//! A cubic function comes out as itself. Where the function jumps, a key stands one unit of time (20 ps)
//! before the next one.

/// The halves of a stretch are halved again at most so often.
const MAX_HALVINGS: u32 = 10;

/// A function of time with three values, known stretch by stretch.
pub(super) trait Curve {
    /// Key times, seconds, rising.
    fn times(&self) -> &[f32];
    /// True where its value can jump at a key time.
    fn jumps(&self) -> bool;
    /// Goes to the stretch that begins at the key time with this index.
    fn enter(&mut self, index: usize);
    /// How it moves on this stretch.
    fn shape(&self) -> Shape;
    /// The value at a time (seconds) of this stretch. It must be near to the one asked for before.
    fn at(&mut self, time: f64) -> [f64; 3];
    /// Says that the next value asked for shall be near to this one.
    fn resume_at(&mut self, value: [f64; 3]);
    /// True where a straight line from `from` to `to` is known to be near enough.
    fn is_straight(&self, from: [f64; 3], to: [f64; 3]) -> bool;
    /// The slopes of the function itself, a second, at two times of this stretch where it has the values
    /// `from` and `to`; `None` where they are not known.
    fn slopes(&self, _start: (f64, [f64; 3]), _end: (f64, [f64; 3])) -> Option<[[f64; 3]; 2]> {
        None
    }
    /// How far a value is off at a time of this stretch. Only asked for where slopes are known.
    fn error_at(&self, _time: f64, _value: [f64; 3]) -> f64 {
        f64::INFINITY
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
    fn push(&mut self, time: i64, value: [f64; 3], onward: Onward) {
        // Different times of a clip may be the same unit of time; the later one counts.
        if self.times.last().is_some_and(|&last| last >= time) {
            self.times.pop();
            self.values.pop();
            self.onward.pop();
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

/// From seconds to units of FBX time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// Units of time a second.
    pub(super) ticks: i64,
    /// Frames a second of the clip, where it states them.
    pub(super) rate: Option<f64>,
}

impl Clock {
    /// Usual frame rates; the first three divide a second of most others.
    const RATES: [f64; 8] = [30.0, 24.0, 25.0, 60.0, 120.0, 48.0, 50.0, 100.0];

    /// A time that is a frame's, but for the rounding of single precision, becomes exactly that: other
    /// programs look at frames, and would see a step a frame late if its key stood 10 ns behind.
    pub(super) fn ticks_at(&self, time: f64) -> i64 {
        let ticks = self.ticks as f64;
        let rounding = time.abs() * f64::from(f32::EPSILON);
        for rate in self.rate.into_iter().chain(Self::RATES) {
            let frame = (time * rate).round() / rate;
            if (frame - time).abs() <= rounding {
                return (frame * ticks).round() as i64;
            }
        }
        (time * ticks).round() as i64
    }
}

/// Finds keys whose curves are off from `curve` by at most `tolerance`, in the unit of its values.
pub(super) fn fit(curve: &mut impl Curve, tolerance: f64, clock: Clock) -> Keys {
    let count = curve.times().len();
    let mut fitter = Fitter {
        keys: Keys::default(),
        tolerance,
        clock,
    };
    let jumps = curve.jumps();
    let mut value = [0.0; 3];
    for index in 0..count {
        let start = f64::from(curve.times()[index]);
        curve.enter(index);
        if index == 0 || jumps {
            let before = value;
            value = curve.at(start);
            let moved = largest_difference(before, value);
            if index > 0 && moved > tolerance * 1e-3 {
                fitter.jump_at(start, before);
            }
        }
        let Some(&end) = curve.times().get(index + 1) else {
            fitter.push(start, value, Onward::Straight);
            break;
        };
        let end = f64::from(end);
        if curve.shape() == Shape::Held {
            fitter.push(start, value, Onward::Constant);
        } else {
            value = fitter.stretch(curve, start, end, value, MAX_HALVINGS);
        }
    }
    fitter.keys
}

struct Fitter {
    keys: Keys,
    tolerance: f64,
    clock: Clock,
}

impl Fitter {
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

    /// Adds the keys from `start` to just before `end`; returns the value at the end.
    fn stretch(
        &mut self,
        curve: &mut impl Curve,
        start: f64,
        end: f64,
        value: [f64; 3],
        halvings: u32,
    ) -> [f64; 3] {
        if curve.shape() == Shape::Straight {
            self.push(start, value, Onward::Straight);
            return curve.at(end);
        }
        let last = curve.at(end);
        if curve.is_straight(value, last) {
            self.push(start, value, Onward::Straight);
            return last;
        }
        let span = end - start;
        if let Some([out, into]) = curve.slopes((start, value), (end, last)) {
            let bend = span / 8.0;
            let middle = mix([value, last, out, into], [0.5, 0.5, bend, -bend]);
            if curve.error_at(start + span / 2.0, middle) <= self.tolerance {
                self.push(start, value, Onward::Cubic([out, into]));
                return last;
            }
        }
        curve.resume_at(value);
        let third = curve.at(start + span / 3.0);
        let middle = curve.at(start + span / 2.0);
        let other = curve.at(start + span * 2.0 / 3.0);
        let last = curve.at(end);
        let line = |fraction: f64| mix([value, last], [1.0 - fraction, fraction]);
        let straight = largest_difference(line(1.0 / 3.0), third)
            .max(largest_difference(line(0.5), middle))
            .max(largest_difference(line(2.0 / 3.0), other));
        let points = [value, third, other, last];
        let cubic_middle = mix(points, [-0.0625, 0.5625, 0.5625, -0.0625]);
        if straight <= self.tolerance || halvings == 0 {
            self.push(start, value, Onward::Straight);
        } else if largest_difference(cubic_middle, middle) <= self.tolerance {
            let slopes = [[-5.5, 9.0, -4.5, 1.0], [-1.0, 4.5, -9.0, 5.5]]
                .map(|weights| mix(points, weights.map(|weight| weight / span)));
            self.push(start, value, Onward::Cubic(slopes));
        } else {
            curve.resume_at(value);
            let half = start + span * 0.5;
            let middle = self.stretch(curve, start, half, value, halvings - 1);
            return self.stretch(curve, half, end, middle, halvings - 1);
        }
        last
    }
}

fn mix<const N: usize>(values: [[f64; 3]; N], weights: [f64; N]) -> [f64; 3] {
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
        fn at(&mut self, time: f64) -> [f64; 3] {
            [time.powi(3) - time, (3.0 * time).sin(), 0.0]
        }
        fn resume_at(&mut self, _: [f64; 3]) {}
        fn is_straight(&self, _: [f64; 3], _: [f64; 3]) -> bool {
            false
        }
    }

    #[test]
    fn cubics_stay_within_the_tolerance() {
        let mut wave = Wave(vec![0.0, 1.0, 2.0]);
        let clock = Clock {
            ticks: 1_000_000_000,
            rate: None,
        };
        let keys = fit(&mut wave, 1e-6, clock);
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
                let wanted = wave.at(time);
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
