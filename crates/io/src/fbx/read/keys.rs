//! Keys of a channel: at the file's own key times, and between two of them only where a straight
//! line would leave the curve.
//!
//! Between two keys of the file the curve is looked at on every whole frame. The stretch stays empty
//! where all these lie on the straight line (slerp, for rotations) within [`Tolerance::frames`]; else it
//! is halved. So the motion is the file's on every whole frame. Where such a stretch is longer than a
//! frame, its neighbouring frames get keys between them, down to an eighth of a frame, only where the
//! line is off by more than [`Tolerance::between`]. Keys that the file itself has a frame apart are taken
//! as they are: angles that jump from one frame to the next by half a turn or more mean the short way.

use super::timing::{Range, Timing};
use glam::{DQuat, DVec3};
use rebone_model::elementary::Elementary as _;
use rebone_model::elementary::Turn as _;
use rebone_model::track::{TrackValue, separated};
use rebone_model::{Interpolation, Quat, Track, TrackError, Vec3};
use std::sync::Arc;

/// A stretch may be this much longer than a frame and still count as one, relative.
const A_FRAME: f64 = 1.02;
/// A frame is cut in half this often, at most.
const HALVINGS: u32 = 3;

/// How far a straight line may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    /// On whole frames: radians, metres or factors.
    pub frames: f64,
    /// Between two neighbouring frames.
    pub between: f64,
    /// What moves less than this in a frame is not looked at between frames.
    pub step: f64,
}

/// A value of a channel in double precision.
pub(super) trait KeyValue: Copy + PartialEq {
    /// The same in a track.
    type Single: TrackValue;
    fn single(self) -> Self::Single;
    fn distance(self, other: Self) -> f64;
    fn between(self, other: Self, fraction: f64) -> Self;
}

impl KeyValue for DVec3 {
    type Single = Vec3;
    fn single(self) -> Vec3 {
        self.as_vec3()
    }
    fn distance(self, other: Self) -> f64 {
        (self - other).abs().max_element()
    }
    fn between(self, other: Self, fraction: f64) -> Self {
        self.lerp(other, fraction)
    }
}

impl KeyValue for DQuat {
    type Single = Quat;
    fn single(self) -> Quat {
        self.as_quat()
    }
    fn distance(self, other: Self) -> f64 {
        let relative = self.conjugate() * other;
        2.0 * relative.xyz().length().arc_tangent(relative.w.abs())
    }
    fn between(self, other: Self, fraction: f64) -> Self {
        self.arc_to(other, fraction)
    }
}

/// Where a channel's values come from.
pub(super) trait Values<V> {
    /// Value at any time, seconds.
    fn at(&mut self, time: f64) -> V;
    /// Values at rising times.
    fn at_all(&mut self, times: &[f64]) -> Vec<V> {
        times.iter().map(|&time| self.at(time)).collect()
    }
    /// True where no more values may be computed; what is between keys is then left out.
    fn is_exhausted(&self) -> bool {
        false
    }
}

/// Key times that tracks of one clip share.
#[derive(Default)]
pub(super) struct SharedTimes {
    recent: Vec<Arc<[f32]>>,
}

impl SharedTimes {
    /// How many lists are looked through.
    const KEPT: usize = 8;

    fn share(&mut self, times: Vec<f32>) -> Arc<[f32]> {
        if let Some(known) = self.recent.iter().find(|known| known[..] == times[..]) {
            return Arc::clone(known);
        }
        let shared: Arc<[f32]> = times.into();
        if self.recent.len() == Self::KEPT {
            self.recent.remove(0);
        }
        self.recent.push(Arc::clone(&shared));
        shared
    }
}

/// The track of a channel; `None` where it never leaves `rest`, bit for bit.
pub(super) fn track<V: KeyValue>(
    timing: &Timing,
    range: &Range,
    tolerance: Tolerance,
    rest: V::Single,
    shared: &mut SharedTimes,
    values: &mut impl Values<V>,
) -> Result<Option<Track<V::Single>>, TrackError> {
    let clip_time = |time: f64| ((time - range.begin) as f32).max(0.0);
    if timing.is_flat {
        let time = timing.times.first().copied().unwrap_or(range.begin);
        let value = values.at(time).single();
        if value == rest {
            return Ok(None);
        }
        return Track::new(Interpolation::Step, Arc::from([0.0]), vec![value]).map(Some);
    }
    let found = values.at_all(&timing.times);
    let is_plain = timing.is_stepped
        || timing.jumps_to.is_empty() && timing.jumps_after.is_empty() && timing.bends.is_empty();
    let (times, keys) = if is_plain {
        let times = timing.times.iter().map(|&time| clip_time(time)).collect();
        (times, found.into_iter().map(V::single).collect())
    } else {
        let mut writer = Writer {
            range: *range,
            tolerance,
            values,
            times: Vec::with_capacity(found.len()),
            keys: Vec::with_capacity(found.len()),
        };
        writer.write(timing, &found);
        (writer.times, writer.keys)
    };
    let (times, keys): (Vec<f32>, Vec<V::Single>) = (times, keys);
    // Times of the file may be one time in single precision.
    let (times, keys) = match separated(&times) {
        None => (times, keys),
        Some(told_apart) => {
            let keys = told_apart.pick(&keys);
            (told_apart.times, keys)
        }
    };
    if keys.iter().all(|key| *key == rest) {
        return Ok(None);
    }
    let interpolation = if timing.is_stepped {
        Interpolation::Step
    } else {
        Interpolation::Linear
    };
    Track::new(interpolation, shared.share(times), keys).map(Some)
}

/// A value of a channel, and when it has it.
#[derive(Clone, Copy)]
struct Sample<V> {
    time: f64,
    value: V,
}

/// Writes keys with jumps and bends.
struct Writer<'v, V: KeyValue, S> {
    range: Range,
    tolerance: Tolerance,
    values: &'v mut S,
    times: Vec<f32>,
    keys: Vec<V::Single>,
}

impl<V: KeyValue, S: Values<V>> Writer<'_, V, S> {
    fn write(&mut self, timing: &Timing, found: &[V]) {
        let jumps =
            |list: &[f64], time: f64| list.binary_search_by(|at| at.total_cmp(&time)).is_ok();
        let mut bend = 0;
        // The end of a stretch that bends, the furthest begun so far.
        let mut bends_until = f64::NEG_INFINITY;
        let mut before: Option<Sample<V>> = None;
        for (&time, &value) in timing.times.iter().zip(found) {
            let end = if jumps(&timing.jumps_to, time) {
                self.values.at(time.next_down())
            } else {
                value
            };
            if let Some(from) = before {
                while let Some(&(begin, until)) = timing.bends.get(bend) {
                    if begin > from.time {
                        break;
                    }
                    bends_until = bends_until.max(until);
                    bend += 1;
                }
                if bends_until > from.time {
                    self.fill(from, Sample { time, value: end });
                }
                if end != value {
                    self.push_just_before(time, end);
                }
            }
            self.push(Sample { time, value });
            let after = if jumps(&timing.jumps_after, time) {
                let after = self.values.at(time.next_up());
                self.push_just_after(time, after);
                after
            } else {
                value
            };
            before = Some(Sample { time, value: after });
        }
    }

    fn push(&mut self, sample: Sample<V>) {
        let time = ((sample.time - self.range.begin) as f32).max(0.0);
        let floor = self.times.last().copied().unwrap_or(0.0);
        self.times.push(time.max(floor));
        self.keys.push(sample.value.single());
    }

    /// The nearest time that a track can tell from `time`.
    fn push_just_before(&mut self, time: f64, value: V) {
        let time = ((time - self.range.begin) as f32).max(0.0).next_down();
        if self.times.last().is_none_or(|&last| last < time) {
            self.times.push(time.max(0.0));
            self.keys.push(value.single());
        }
    }

    fn push_just_after(&mut self, time: f64, value: V) {
        let time = ((time - self.range.begin) as f32).max(0.0).next_up();
        self.times.push(time);
        self.keys.push(value.single());
    }

    /// Keys between two others, both of which are written by the caller.
    fn fill(&mut self, from: Sample<V>, to: Sample<V>) {
        if self.values.is_exhausted() {
            return;
        }
        let frames = self.range.frames_between(from.time, to.time);
        let values = self.values.at_all(&frames);
        let mut samples = Vec::with_capacity(frames.len() + 2);
        samples.push(from);
        let frames = frames.into_iter().zip(values);
        samples.extend(frames.map(|(time, value)| Sample { time, value }));
        samples.push(to);
        let is_long = to.time - from.time > A_FRAME * self.range.frame;
        // Stretches still to look at, the earliest on top.
        let mut open = vec![(0, samples.len() - 1)];
        while let Some((first, last)) = open.pop() {
            let is_straight = is_straight(&samples[first..=last], self.tolerance.frames);
            if last - first > 1 && !is_straight {
                let middle = first.midpoint(last);
                open.push((middle, last));
                open.push((first, middle));
                continue;
            }
            if last - first == 1 && is_long {
                self.halve(samples[first], samples[last], HALVINGS);
            }
            if last + 1 < samples.len() {
                self.push(samples[last]);
            }
        }
    }

    /// Keys within a frame.
    fn halve(&mut self, from: Sample<V>, to: Sample<V>, halvings: u32) {
        let is_small = from.value.distance(to.value) < self.tolerance.step;
        if halvings == 0 || is_small {
            return;
        }
        let time = 0.5 * (from.time + to.time);
        let value = self.values.at(time);
        if from.value.between(to.value, 0.5).distance(value) <= self.tolerance.between {
            return;
        }
        let middle = Sample { time, value };
        self.halve(from, middle, halvings - 1);
        self.push(middle);
        self.halve(middle, to, halvings - 1);
    }
}

/// Whether all samples lie on the line between the first and the last.
fn is_straight<V: KeyValue>(samples: &[Sample<V>], tolerance: f64) -> bool {
    let ([first, inner @ ..], Some(last)) = (samples, samples.last()) else {
        return true;
    };
    let span = last.time - first.time;
    inner.iter().all(|sample| {
        let fraction = if span > 0.0 {
            (sample.time - first.time) / span
        } else {
            1.0
        };
        let straight = first.value.between(last.value, fraction);
        // Written so that what is no number is not straight.
        straight.distance(sample.value) <= tolerance
    })
}
