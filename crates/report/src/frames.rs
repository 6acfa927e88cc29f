//! Which frames of a clip are measured.
//!
//! The source's own key times where they are even; else a regular grid at the clip's rate (24 to 240 a second), because
//! speeds and jerks of uneven frames mean nothing. Of a clip with more frames than are wanted [`RUNS`] stretches of
//! consecutive frames are taken, the first at its start, the last at its end, the others evenly between.
//!
//! The result is measured at the same times. Where it is as long as the source but starts elsewhere, it is shifted; where
//! its length differs by more than [`SAME_LENGTH_FRAMES`] frames, only what both have is measured.

use rebone_model::Clamp as _;
use rebone_model::Clip;
use rebone_model::sampling::{RegularTimes, frame_rate_hz};
use std::ops::Range;

/// Stretches of consecutive frames of a clip that is too long to be measured as a whole.
pub const RUNS: usize = 5;

/// Frames by which two clips may differ in length and still be measured from start to start.
pub(super) const SAME_LENGTH_FRAMES: f64 = 1.5;

/// Rate of frames where a clip states none, and the bounds of what it may state.
const RATES_HZ: (f64, f64, f64) = (24.0, 30.0, 240.0);

/// The measured frames of a pair of clips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frames {
    /// Times in the source, seconds, rising.
    pub source: Vec<f32>,
    /// The same times in the target.
    pub target: Vec<f32>,
    /// Stretches of consecutive frames, in order; all frames are in one.
    pub runs: Vec<Range<usize>>,
    /// How many frames the clip has, of which these are some.
    pub of: usize,
    /// Where the source is longer or shorter than the target: the seconds of each.
    pub lengths_differ: Option<(f32, f32)>,
}

impl Frames {
    /// The frames of these clips, at most about `most` of them.
    pub(super) fn new(source: &Clip, target: &Clip, most: usize) -> Self {
        let times = Times::of(source);
        let (from, to) = (joint_span(source), joint_span(target));
        let (Some(from), Some(to)) = (from, to) else {
            // A clip without keys is its rest pose at any time.
            return Self::of_times(&times, 0..times.len(), 0.0, most);
        };
        let step = match times.len() {
            0 | 1 => 1.0 / RATES_HZ.1,
            several => f64::from(times.at(several - 1) - times.at(0)) / (several - 1) as f64,
        };
        let (long, other) = (from.1 - from.0, to.1 - to.0);
        if f64::from((long - other).abs()) <= SAME_LENGTH_FRAMES * step {
            let shift = to.0 - from.0;
            let shift = if f64::from(shift.abs()) < 1e-4 {
                0.0
            } else {
                shift
            };
            return Self::of_times(&times, 0..times.len(), shift, most);
        }
        let slack = (0.01 * step) as f32;
        let first = times.count_before(|time| time < to.0 - slack);
        let end = times.count_before(|time| time <= to.1 + slack);
        Self {
            lengths_differ: Some((long, other)),
            ..Self::of_times(&times, first..end, 0.0, most)
        }
    }

    /// Of these frames at most `most`, `shift` seconds later in the target.
    fn of_times(times: &Times, frames: Range<usize>, shift: f32, most: usize) -> Self {
        let of = frames.len();
        let at = |frame: usize| times.at(frames.start + frame);
        let (times, runs) = if of <= most.max(1) {
            let whole = (of > 0).then_some(0..of);
            ((0..of).map(at).collect(), whole.into_iter().collect())
        } else {
            stretches(of, at, most)
        };
        Self {
            target: times.iter().map(|time| time + shift).collect(),
            source: times,
            runs,
            of,
            lengths_differ: None,
        }
    }

    /// Begins a new stretch at each of these frames.
    pub(super) fn cut(&mut self, cuts: &[usize]) {
        let runs = std::mem::take(&mut self.runs);
        for mut run in runs {
            let range = run.clone();
            for &cut in cuts
                .iter()
                .filter(|&&cut| range.start < cut && cut < range.end)
            {
                self.runs.push(run.start..cut);
                run.start = cut;
            }
            self.runs.push(run);
        }
    }

    /// Number of measured frames.
    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// True where nothing can be measured.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    /// Consecutive pairs of frames: the numbers of both and the seconds between, more than 0.
    pub(super) fn steps(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.runs
            .iter()
            .flat_map(|run| run.clone().skip(1))
            .map(|frame| (frame - 1, frame, self.seconds(frame - 1, frame)))
            .filter(|step| step.2 > 1e-9)
    }

    /// Seconds from one frame to another.
    pub(super) fn seconds(&self, first: usize, last: usize) -> f64 {
        f64::from(self.source[last]) - f64::from(self.source[first])
    }

    /// An interval of frames, divided where it runs over the end of a stretch.
    pub(super) fn within_runs(&self, first: usize, last: usize) -> Vec<(usize, usize)> {
        let both = |run: &Range<usize>| (first.max(run.start), (last + 1).min(run.end));
        self.runs
            .iter()
            .map(both)
            .filter(|(start, end)| start < end)
            .map(|(start, end)| (start, end - 1))
            .collect()
    }

    /// At most `most` frame numbers, spread evenly.
    pub(super) fn spread(&self, most: usize) -> Vec<usize> {
        let count = self.len().min(most);
        let last = self.len().saturating_sub(1);
        (0..count)
            .map(|index| index * last / (count - 1).max(1))
            .collect()
    }
}

/// First and last key time of the joints.
fn joint_span(clip: &Clip) -> Option<(f32, f32)> {
    let times = clip.key_times();
    Some((*times.first()?, *times.last()?))
}

/// The frames of a clip. A regular grid is no list: a file may claim that a clip lasts for years.
enum Times {
    Keys(Vec<f32>),
    Regular(RegularTimes),
}

impl Times {
    /// The clip's key times where they are even, else a grid.
    fn of(clip: &Clip) -> Self {
        let times = clip.key_times();
        let [first, .., last] = times.as_slice() else {
            return Self::Keys(times);
        };
        let (first, last) = (*first, *last);
        let mean = f64::from(last - first) / (times.len() - 1) as f64;
        let steps = times.windows(2).map(|pair| f64::from(pair[1] - pair[0]));
        let is_even = steps.clone().all(|step| (step / mean - 1.0).abs() < 0.05);
        let (least, usual, most) = RATES_HZ;
        if is_even && mean * least < 1.01 {
            return Self::Keys(times);
        }
        let rate_hz = frame_rate_hz(clip).unwrap_or(usual).clamped(least, most);
        Self::Regular(RegularTimes::new(first, last, rate_hz))
    }

    fn len(&self) -> usize {
        match self {
            Self::Keys(times) => times.len(),
            Self::Regular(times) => times.len(),
        }
    }

    /// The time of a frame of these.
    fn at(&self, frame: usize) -> f32 {
        match self {
            Self::Keys(times) => times[frame],
            Self::Regular(times) => times.at(frame),
        }
    }

    /// Number of frames from the first on for which `is` holds.
    fn count_before(&self, is: impl Fn(f32) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if is(self.at(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Of `of` frames at most `most`, in stretches.
fn stretches(of: usize, at: impl Fn(usize) -> f32, most: usize) -> (Vec<f32>, Vec<Range<usize>>) {
    let count = RUNS.min(most.max(1));
    let length = most / count;
    let spare = of - length;
    let (mut taken, mut runs) = (Vec::with_capacity(most), Vec::new());
    for run in 0..count {
        let start = (run as u128 * spare as u128 / (count - 1).max(1) as u128) as usize;
        runs.push(taken.len()..taken.len() + length);
        taken.extend((start..start + length).map(&at));
    }
    (taken, runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use rebone_model::{Interpolation, Track};

    fn clip(times: &[f32]) -> Clip {
        let mut clip = Clip::new("a", 1);
        let values = vec![Quat::IDENTITY; times.len()];
        clip.joints[0].rotation = Track::new(Interpolation::Linear, times.into(), values).ok();
        clip
    }

    fn evenly(count: usize, start: f32) -> Vec<f32> {
        (0..count)
            .map(|frame| start + frame as f32 / 30.0)
            .collect()
    }

    #[test]
    fn even_keys_are_the_frames_and_uneven_ones_are_not() {
        let own = evenly(31, 0.0);
        assert_eq!(Frames::new(&clip(&own), &clip(&own), 600).source, own);
        let frames = Frames::new(&clip(&[0.0, 0.1, 0.7, 1.0]), &clip(&own), 600);
        assert!(frames.len() >= 24, "{}", frames.len());
        assert_eq!(frames.source[0], 0.0);
        assert_eq!(frames.source[frames.len() - 1], 1.0);
    }

    #[test]
    fn long_clips_are_measured_in_stretches_up_to_their_end() {
        let own = evenly(5000, 0.0);
        let frames = Frames::new(&clip(&own), &clip(&own), 600);
        assert_eq!(
            (frames.len(), frames.of, frames.runs.len()),
            (600, 5000, RUNS)
        );
        assert_eq!(frames.source[0], own[0]);
        assert_eq!(frames.source[599], own[4999]);
        assert_eq!(frames.steps().count(), 600 - RUNS);
        assert!(frames.steps().all(|(_, _, seconds)| seconds < 0.04));
        assert_eq!(frames.within_runs(100, 130), [(100, 119), (120, 130)]);
    }

    #[test]
    fn years_between_two_keys_take_no_memory() {
        let long = clip(&[0.0, 1e9]);
        let frames = Frames::new(&long, &long, 600);
        assert_eq!((frames.len(), frames.of), (600, 24_000_000_001));
        assert_eq!((frames.source[0], frames.source[599]), (0.0, 1e9));
        let short = Frames::new(&long, &clip(&[0.0, 2.0]), 600);
        assert_eq!(short.len(), 49);
    }

    #[test]
    fn results_that_start_elsewhere_are_shifted_and_shorter_ones_cut() {
        let frames = Frames::new(&clip(&evenly(31, 0.5)), &clip(&evenly(31, 0.0)), 600);
        assert_eq!((frames.source[0], frames.target[0]), (0.5, 0.0));
        assert_eq!(frames.lengths_differ, None);
        let frames = Frames::new(&clip(&evenly(61, 0.0)), &clip(&evenly(31, 0.0)), 600);
        assert_eq!(frames.len(), 31);
        assert!(frames.lengths_differ.is_some());
    }

    #[test]
    fn clips_of_no_frame_and_of_one_are_survived() {
        let nothing = Clip::new("a", 1);
        assert!(Frames::new(&nothing, &nothing, 600).is_empty());
        let one = Frames::new(&clip(&[0.0]), &clip(&[0.0]), 600);
        assert_eq!((one.len(), one.steps().count()), (1, 0));
        assert_eq!(one.spread(60), [0]);
    }
}
