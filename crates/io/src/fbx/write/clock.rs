//! From seconds to units of FBX time, and where whole frames are.

/// What lies this near to a frame, in frames, lies on it.
const GAP: f64 = 0.02;
/// Usual frame rates; the first three divide a second of most others.
const RATES: [f64; 8] = [30.0, 24.0, 25.0, 60.0, 120.0, 48.0, 50.0, 100.0];

/// From seconds to units of FBX time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    ticks: f64,
    rate: Option<f64>,
}

impl Clock {
    /// With so many units of time a second, for a clip of so many frames a second (finite, above 0).
    pub(super) fn new(ticks: i64, rate: Option<f64>) -> Self {
        Self {
            ticks: ticks as f64,
            rate,
        }
    }

    /// A time that is a frame's, but for the rounding of single precision, becomes exactly that: other
    /// programs look at frames, and would see a step a frame late if its key stood 10 ns behind.
    pub(super) fn ticks_at(&self, time: f64) -> i64 {
        let rounding = time.abs() * f64::from(f32::EPSILON);
        for rate in self.rate.into_iter().chain(RATES) {
            let frame = (time * rate).round() / rate;
            if (frame - time).abs() <= rounding {
                return (frame * self.ticks).round() as i64;
            }
        }
        (time * self.ticks).round() as i64
    }

    /// Where to cut a stretch of time in two: at the whole frame nearest to its middle, or in the middle
    /// where there is no frame inside.
    pub(super) fn cut(&self, start: f64, end: f64) -> f64 {
        let middle = start + 0.5 * (end - start);
        let frame = self.rate.map(|rate| {
            let slack = GAP / rate;
            ((middle * rate).round() / rate, slack)
        });
        match frame {
            Some((frame, slack)) if frame > start + slack && frame < end - slack => frame,
            _ => middle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_times_are_exact_frames() {
        let clock = Clock::new(46_186_158_000, Some(29.97));
        for frame in [0, 1, 7, 1_000, 12_345] {
            let exact = f64::from(frame) / 29.97;
            let found = clock.ticks_at(f64::from(exact as f32));
            assert_eq!(found, (exact * 46_186_158_000.0).round() as i64);
        }
        // A tenth of a second is a frame of 30 a second, 0.11 is none of any rate but 100.
        assert_eq!(clock.ticks_at(f64::from(0.1f32)), 4_618_615_800);
        assert_eq!(clock.ticks_at(0.1234), 5_699_371_897);
    }

    #[test]
    fn stretches_are_cut_at_frames() {
        let clock = Clock::new(1_000, Some(10.0));
        assert_eq!(clock.cut(0.0, 0.5), 0.3);
        assert_eq!(clock.cut(0.1, 0.2), 0.1 + 0.5 * (0.2 - 0.1));
        assert_eq!(Clock::new(1_000, None).cut(1.0, 2.0), 1.5);
    }
}
