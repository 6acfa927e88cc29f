//! How far and how fast an arm may turn in each frame of a clip.

use super::outside::ArmFrame;
use glam::Vec3;

/// How fast an arm may turn that does not move by itself: radians a second. It is 1.9 degrees in a frame at 24 frames a second.
pub(super) const SLOW: f32 = 0.8;

/// How much faster it may turn where the arm itself moves, as a share of its speed: a turn does not show in a fast motion.
pub(super) const SPEED_SHARE: f32 = 0.6;

/// A wrist that is off by less, in arm lengths, is in the same place.
const SAME: f32 = 0.03;

/// An arm in all frames of a clip.
pub(super) struct ArmClip<'a> {
    /// `None` where it is not near the body.
    pub(super) frames: Vec<Option<ArmFrame<'a>>>,
    /// How far it may turn.
    pub(super) allowed: Vec<f32>,
    /// How far its palm shall move to touch what the source's touches, and how much that counts, 0 to 1.
    pub(super) pulls: Vec<(Vec3, f32)>,
    /// How much its hand stays.
    pub(super) stay: Vec<f32>,
    /// How much its hand keeps its rotation in model space.
    pub(super) keeps_rotation: Vec<f32>,
    /// How fast it may turn, against what it may about its shoulder.
    pub(super) pace: f32,
    /// True where it ends as it began, or the arm does to whose hand it may hold on.
    pub(super) loops: bool,
}

impl ArmClip<'_> {
    /// How far it may turn between two frames, so many seconds apart.
    pub(super) fn most(&self, one: usize, other: usize, seconds: f32) -> f32 {
        let lines = self.frames[one].as_ref().zip(self.frames[other].as_ref());
        let moved = lines.map_or(0.0, |(one, other)| one.line.distance(other.line));
        self.pace * (SLOW * seconds + SPEED_SHARE * moved)
    }

    /// Brings down how far it may turn in each frame: the less the more its hand stays, and from there on as fast as it may.
    pub(super) fn allow(&mut self, times: &[f32]) {
        let mut allowed = std::mem::take(&mut self.allowed);
        for (allowed, stay) in allowed.iter_mut().zip(&self.stay) {
            *allowed *= 1.0 - stay;
        }
        let mut follow = |[before, frame]: [usize; 2]| {
            let seconds = (times[frame] - times[before]).abs();
            let bound = allowed[before] + self.most(before, frame, seconds);
            allowed[frame] = allowed[frame].min(bound);
        };
        (1..times.len()).for_each(|frame| follow([frame - 1, frame]));
        (1..times.len())
            .rev()
            .for_each(|frame| follow([frame, frame - 1]));
        self.allowed = allowed;
    }
}

/// True where the arm is in the last frame where it was in the first.
pub(super) fn ends_as_it_began(frames: &[Option<ArmFrame<'_>>]) -> bool {
    match frames {
        [Some(first), .., Some(last)] => first.line.distance(last.line) < SAME,
        _ => false,
    }
}
