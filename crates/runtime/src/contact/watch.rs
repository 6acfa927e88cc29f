//! Contacts while a motion runs: what is known is the past.
//!
//! | symbol | meaning |
//! |---|---|
//! | v | the slower bound of both: way since the frame before, and since two frames before, over the time it took |
//! | h | height of the point above the floor |
//!
//! A point begins to touch where both v are at most 0.12 leg lengths a second (less where the options say so) and
//! h ≤ h_on, and has left where the way since the last frame is faster than v_off = 2 v_on or h > h_off. Nothing is filled
//! in, and nothing is told later: a contact is told two frames after it began, and its end at once. Noise is not known
//! beforehand, so bounds do not follow it as those of [`super::detect()`] do.
//!
//! Degenerate: a step of no time changes nothing; a place that is not a number touches nothing.
//! Source: docs/laws.md, "Contact detection".

use super::detect::DetectOptions;
use super::points::{ContactPoints, Touch};
use glam::Vec3;

/// v_on, leg lengths a second.
const SPEED_ON: f32 = 0.12;

/// What is remembered of a point.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// The last two places, the newer one first.
    places: [Vec3; 2],
    /// The time between them, seconds.
    seconds: f32,
    /// How many places are known.
    count: u8,
    touches: bool,
}

/// Watches the feet of one body.
#[derive(Clone, Debug)]
pub struct Watch {
    seen: Vec<Seen>,
    touches: Vec<bool>,
    /// Highest height at which each point may begin to touch, file units; none of points that are not watched.
    heights: Vec<Option<f32>>,
    /// v_on and v_off, file units a second.
    speeds: [f32; 2],
    height_release: f32,
    /// Height of the floor: canonical, file units.
    pub floor: f32,
    /// Velocity of the floor: canonical, file units a second. Zero by default.
    pub drift: Vec3,
}

impl Watch {
    /// Watches heels and toes; hands, knees and seat never touch.
    pub fn new(points: &ContactPoints, options: &DetectOptions) -> Self {
        let options = options.sound();
        let leg = if points.leg.is_finite() {
            points.leg.max(0.0)
        } else {
            0.0
        };
        let heights = points.points.iter().map(|point| {
            let has_toes = || points.find(Touch::Toes, point.side, point.front).is_some();
            match point.touch {
                Touch::Toes => Some(options.height_on * leg),
                // The sole below the ankle rises while the ball of the foot still stands.
                Touch::Heel if has_toes() => Some(options.height_on * leg),
                Touch::Heel => Some(2.0 * options.height_on * leg),
                _ => None,
            }
        });
        let on = SPEED_ON.min(options.speed_on) * leg;
        Self {
            seen: vec![Seen::default(); points.points.len()],
            touches: vec![false; points.points.len()],
            heights: heights.collect(),
            speeds: [on, on * options.speed_release],
            height_release: options.height_release,
            floor: options.ground.unwrap_or(points.floor),
            drift: Vec3::ZERO,
        }
    }

    /// False for a point that never touches.
    pub fn watches(&self, point: usize) -> bool {
        self.heights.get(point).is_some_and(Option::is_some)
    }

    /// Forgets what was seen, as after a cut.
    pub fn restart(&mut self) {
        self.seen.fill(Seen::default());
        self.touches.fill(false);
    }

    /// The places of all points a frame later (canonical, file units), and how many seconds that was. Gives for every
    /// point whether it touches. Points without a place keep their state.
    pub fn step(&mut self, places: &[Vec3], seconds: f32) -> &[bool] {
        if !(seconds > 0.0 && seconds.is_finite()) {
            return &self.touches;
        }
        let drift = self.drift * seconds;
        for (point, &place) in places.iter().enumerate().take(self.seen.len()) {
            let Some(height_on) = self.heights[point] else {
                continue;
            };
            let seen = &mut self.seen[point];
            if !place.is_finite() {
                *seen = Seen::default();
                self.touches[point] = false;
                continue;
            }
            // The past moves with the floor, so that what stands on it stands still.
            let [last, first] = seen.places.map(|old| old + drift);
            let height = place.y - self.floor;
            // No quicker than a speed.
            let is_slow = |from: Vec3, seconds: f32, speed: f32| {
                place.distance_squared(from) <= (speed * seconds) * (speed * seconds)
            };
            let both = seconds + seen.seconds;
            let [on, off] = self.speeds;
            seen.touches = if seen.touches {
                is_slow(last, seconds, off) && height <= height_on * self.height_release
            } else {
                let known = seen.count >= 2 && height <= height_on;
                known && is_slow(last, seconds, on) && is_slow(first, both, on)
            };
            seen.places = [place, last];
            seen.seconds = seconds;
            seen.count = (seen.count + 1).min(2);
            self.touches[point] = seen.touches;
        }
        &self.touches
    }
}
