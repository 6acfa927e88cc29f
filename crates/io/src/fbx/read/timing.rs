//! When a channel has keys: the times of all its curves within the range that is played, where they
//! jump, and where they bend.

use super::sources::curves;
use ufbx::{AnimCurve, AnimValue, ExtrapolationMode, Interpolation, Keyframe};

/// Key times this near to an end of the range count as lying on it, seconds.
const NEAR: f64 = 1e-6;
/// What lies this near to a key, in frames, needs no key of its own.
const GAP: f64 = 0.02;
/// Whole frames that are looked at between two keys, at most; beyond that they are spaced wider.
pub(super) const MOST_FRAMES: usize = 4_096;

/// The range that is played, and its frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    /// Seconds.
    pub begin: f64,
    /// Seconds.
    pub end: f64,
    /// Length of a frame, seconds.
    pub frame: f64,
}

impl Range {
    /// True where a whole frame lies between two times.
    fn has_frame_between(&self, from: f64, to: f64) -> bool {
        let first = ((from - self.begin) / self.frame + GAP).floor() + 1.0;
        first < (to - self.begin) / self.frame - GAP
    }

    /// Times of whole frames between two times, both excluded.
    pub(super) fn frames_between(&self, from: f64, to: f64) -> Vec<f64> {
        let first = ((from - self.begin) / self.frame + GAP).floor() + 1.0;
        let last = ((to - self.begin) / self.frame - GAP).ceil() - 1.0;
        if !(first.is_finite() && last.is_finite() && last >= first) {
            return Vec::new();
        }
        let stride = ((last - first + 1.0) / MOST_FRAMES as f64).ceil().max(1.0);
        let count = ((last - first) / stride).floor() as usize + 1;
        (0..count)
            .map(|step| self.begin + (first + step as f64 * stride) * self.frame)
            .collect()
    }
}

/// Where straight lines between keys may not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Straight {
    /// A linear curve is a straight line of the channel.
    Linear,
    /// A linear curve is none (angles).
    Never,
}

/// When a channel has keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Timing {
    /// Rising, within the range; at least one.
    pub times: Vec<f64>,
    /// Times at which a value jumps, being the old one just before. Rising.
    pub jumps_to: Vec<f64>,
    /// Times just after which a value jumps. Rising.
    pub jumps_after: Vec<f64>,
    /// Stretches with a whole frame in them that may bend. By begin.
    pub bends: Vec<(f64, f64)>,
    /// True where nothing changes at all.
    pub is_flat: bool,
    /// True where all that changes jumps at a key and holds in between.
    pub is_stepped: bool,
}

impl Timing {
    /// The timing of a channel that all these values move.
    pub(super) fn of<'a>(
        values: impl Iterator<Item = (&'a AnimValue, Straight)>,
        range: &Range,
    ) -> Self {
        let mut timing = Self {
            is_flat: true,
            is_stepped: true,
            ..Self::default()
        };
        let mut known: Vec<&[Keyframe]> = Vec::new();
        for (value, straight) in values {
            for curve in curves(value) {
                let keys = curve.keyframes.as_ref();
                timing.add_segments(keys, straight, range);
                timing.add_outside(curve, range);
                let is_known = known.iter().any(|other| same_times(other, keys));
                if !is_known {
                    known.push(keys);
                }
            }
        }
        timing.merge(&known);
        timing.cut(range);
        timing
    }

    /// A channel that is looked at on every frame.
    pub(super) fn every_frame(range: &Range) -> Self {
        let mut times = vec![range.begin];
        times.extend(range.frames_between(range.begin, range.end));
        if range.end > range.begin {
            times.push(range.end);
        }
        Self {
            times,
            ..Self::default()
        }
    }

    fn add_segments(&mut self, keys: &[Keyframe], straight: Straight, range: &Range) {
        for pair in keys.windows(2) {
            let [from, to] = pair else { continue };
            let jumps = matches!(
                from.interpolation,
                Interpolation::ConstantPrev | Interpolation::ConstantNext
            );
            let is_level = jumps
                || from.interpolation == Interpolation::Linear
                || (from.right.dy == 0.0 && to.left.dy == 0.0);
            if from.value == to.value && is_level {
                continue;
            }
            self.is_flat = false;
            match from.interpolation {
                Interpolation::ConstantPrev => self.jumps_to.push(to.time),
                Interpolation::ConstantNext => {
                    self.is_stepped = false;
                    self.jumps_after.push(from.time);
                }
                Interpolation::Linear | Interpolation::Cubic => {
                    self.is_stepped = false;
                    let bends =
                        from.interpolation == Interpolation::Cubic || straight == Straight::Never;
                    if bends && range.has_frame_between(from.time, to.time) {
                        self.bends.push((from.time, to.time));
                    }
                }
            }
        }
    }

    /// What a curve does before its first and after its last key, where the range reaches there.
    fn add_outside(&mut self, curve: &AnimCurve, range: &Range) {
        let moves = |mode: ExtrapolationMode, count: i32| match mode {
            ExtrapolationMode::Constant => false,
            ExtrapolationMode::Slope => true,
            _ => count != 0 && curve.max_time > curve.min_time,
        };
        let before = &curve.pre_extrapolation;
        let after = &curve.post_extrapolation;
        let mut outside = Vec::new();
        if moves(before.mode, before.repeat_count) && range.begin < curve.min_time - NEAR {
            outside.push((range.begin, curve.min_time.min(range.end)));
        }
        if moves(after.mode, after.repeat_count) && range.end > curve.max_time + NEAR {
            outside.push((curve.max_time.max(range.begin), range.end));
        }
        for (from, to) in outside {
            self.is_flat = false;
            self.is_stepped = false;
            self.times.push(from);
            self.times.extend(range.frames_between(from, to));
            self.times.push(to);
        }
    }

    fn merge(&mut self, lists: &[&[Keyframe]]) {
        let is_single = self.times.is_empty() && lists.len() == 1;
        for keys in lists {
            self.times.extend(keys.iter().map(|key| key.time));
        }
        let rises = self.times.windows(2).all(|pair| pair[0] < pair[1]);
        if !is_single || !rises {
            self.times.sort_by(f64::total_cmp);
            self.times.dedup();
        }
        for list in [&mut self.jumps_to, &mut self.jumps_after] {
            list.sort_by(f64::total_cmp);
            list.dedup();
        }
        self.bends.sort_by(|a, b| a.0.total_cmp(&b.0));
    }

    /// Leaves what is in the range, with keys on its ends where there are keys beyond them.
    fn cut(&mut self, range: &Range) {
        self.times.retain(|time| time.is_finite());
        let before = self
            .times
            .iter()
            .take_while(|&&time| time < range.begin - NEAR)
            .count();
        self.times.drain(..before);
        if before > 0
            && self
                .times
                .first()
                .is_none_or(|&time| time > range.begin + NEAR)
        {
            self.times.insert(0, range.begin);
        }
        let inside = self.times.partition_point(|&time| time <= range.end + NEAR);
        let is_cut = inside < self.times.len();
        self.times.truncate(inside);
        if is_cut
            && self
                .times
                .last()
                .is_none_or(|&time| time < range.end - NEAR)
        {
            self.times.push(range.end);
        }
        if self.times.is_empty() {
            self.times.push(range.begin);
        }
        let (begin, end) = (range.begin, range.end);
        self.jumps_to
            .retain(|&time| time > begin && time <= end + NEAR);
        self.jumps_after
            .retain(|&time| time >= begin - NEAR && time < end);
    }
}

fn same_times(a: &[Keyframe], b: &[Keyframe]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.time == b.time)
}
