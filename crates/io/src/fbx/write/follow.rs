//! Tracks of a clip between two neighbouring key times, in double precision.
//!
//! A [`Follower`] stands on one stretch of time, within which its track has one formula. So the value
//! just before a key and the value at the key can both be asked for, which differ where a track steps.

use super::channels::{wide, wide_rotation};
use glam::{DQuat, DVec3};
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;
use rebone_model::track::TrackValue;
use rebone_model::{Interpolation, Quat, Track, Vec3};
use std::borrow::Cow;

/// Half the angle below which a rotation between two keys is a straight line.
const STRAIGHT: f64 = 1e-7;

/// A value of a track in double precision.
pub(super) trait Wide: TrackValue {
    /// The wide type.
    type Value: Copy + PartialEq;
    /// The same value.
    fn wide(self) -> Self::Value;
    /// Between two values.
    fn between(from: Self::Value, to: Self::Value, fraction: f64) -> Self::Value;
    /// The sum of four values (of which tangents are no valid ones) times weights, made valid.
    fn hermite(values: [Self; 4], weights: [f64; 4]) -> Self::Value;
}

impl Wide for Vec3 {
    type Value = DVec3;
    fn wide(self) -> DVec3 {
        wide(self)
    }
    fn between(from: DVec3, to: DVec3, fraction: f64) -> DVec3 {
        from + (to - from) * fraction
    }
    fn hermite(values: [Self; 4], weights: [f64; 4]) -> DVec3 {
        let terms = values.iter().zip(weights);
        terms.map(|(value, weight)| wide(*value) * weight).sum()
    }
}

impl Wide for Quat {
    type Value = DQuat;
    fn wide(self) -> DQuat {
        wide_rotation(self)
    }
    fn between(from: DQuat, to: DQuat, fraction: f64) -> DQuat {
        if fraction == 0.0 {
            return from;
        }
        let to = if from.dot(to) < 0.0 { -to } else { to };
        if fraction == 1.0 {
            return to;
        }
        let half = ((to - from).length() * 0.5).min(1.0).arc_sine() * 2.0;
        if half < STRAIGHT {
            return crate::euler::unit(from + (to - from) * fraction);
        }
        let sine = half.sine();
        from * (((1.0 - fraction) * half).sine() / sine) + to * ((fraction * half).sine() / sine)
    }
    fn hermite(values: [Self; 4], weights: [f64; 4]) -> DQuat {
        let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let terms = values.iter().zip(weights);
        let sum = terms.fold(zero, |sum, (value, weight)| sum + value.as_dquat() * weight);
        crate::euler::unit(sum)
    }
}

/// A track, or a value that stands still, on a stretch of time.
pub(super) struct Follower<'a, V: Wide> {
    track: Option<&'a Track<V>>,
    rest: V::Value,
    /// Index of the first key behind the beginning of the stretch.
    after: usize,
}

impl<'a, V: Wide> Follower<'a, V> {
    /// Follows a track; without one, `rest` for ever.
    pub(super) fn new(track: Option<&'a Track<V>>, rest: V) -> Self {
        Self {
            track,
            rest: rest.wide(),
            after: 0,
        }
    }

    /// Key times of the track; the first and the last where it never changes.
    pub(super) fn times(&self) -> Cow<'a, [f32]> {
        match (self.track, self.track.map_or(&[][..], Track::times)) {
            (Some(track), [first, .., last]) if track.is_constant() => {
                Cow::Owned(vec![*first, *last])
            }
            (_, times) => Cow::Borrowed(times),
        }
    }

    /// True where the value can be another one from one moment to the next.
    pub(super) fn jumps(&self) -> bool {
        self.track
            .is_some_and(|track| track.interpolation() == Interpolation::Step)
    }

    /// Goes to the stretch that begins at `time`; times must not fall.
    pub(super) fn enter(&mut self, time: f32) {
        let times = self.track.map_or(&[][..], Track::times);
        while times.get(self.after).is_some_and(|&key| key <= time) {
            self.after += 1;
        }
    }

    /// How the value changes on this stretch; `None` where it does not.
    pub(super) fn change(&self) -> Option<Interpolation> {
        let track = self.track?;
        (self.after > 0 && self.after < track.key_count()).then_some(track.interpolation())
    }

    /// The value at a time of this stretch; at its end, that just before the end.
    pub(super) fn at(&self, time: f64) -> V::Value {
        let Some(track) = self.track else {
            return self.rest;
        };
        let times = track.times();
        let Some(before) = self.after.checked_sub(1) else {
            return track.key_value(0).wide();
        };
        let from = track.key_value(before);
        if self.after == times.len() || track.interpolation() == Interpolation::Step {
            return from.wide();
        }
        let start = f64::from(times[before]);
        let span = f64::from(times[self.after]) - start;
        let t = ((time - start) / span).clamped(0.0, 1.0);
        let to = track.key_value(self.after);
        if track.interpolation() == Interpolation::Linear {
            if t == 1.0 {
                return to.wide();
            }
            return V::between(from.wide(), to.wide(), t);
        }
        let (t2, t3) = (t * t, t * t * t);
        let values = track.values();
        <V as Wide>::hermite(
            [from, values[3 * before + 2], to, values[3 * self.after]],
            [
                2.0 * t3 - 3.0 * t2 + 1.0,
                span * (t3 - 2.0 * t2 + t),
                -2.0 * t3 + 3.0 * t2,
                span * (t3 - t2),
            ],
        )
    }
}

/// All different times of several lists, rising.
pub(super) fn times_of<'a>(lists: &[Cow<'a, [f32]>]) -> Cow<'a, [f32]> {
    let mut different: Vec<&Cow<'a, [f32]>> = Vec::new();
    for list in lists {
        if !list.is_empty() && !different.contains(&list) {
            different.push(list);
        }
    }
    match different.as_slice() {
        [only] => (*only).clone(),
        several => {
            let mut times: Vec<f32> = several
                .iter()
                .flat_map(|list| list.iter().copied())
                .collect();
            times.sort_by(f32::total_cmp);
            times.dedup();
            Cow::Owned(times)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_a_key_are_known() {
        let step = Track::new(
            Interpolation::Step,
            [0.0, 1.0].into(),
            vec![Vec3::ZERO, Vec3::X],
        )
        .unwrap();
        let mut follower = Follower::new(Some(&step), Vec3::ZERO);
        assert!(follower.jumps());
        follower.enter(0.0);
        assert_eq!(follower.at(1.0).x, 0.0);
        follower.enter(1.0);
        assert_eq!(follower.at(1.0).x, 1.0);
        let lists = [&[0.0, 1.0][..], &[0.0, 0.5, 2.0]].map(Cow::Borrowed);
        assert_eq!(*times_of(&lists), [0.0, 0.5, 1.0, 2.0]);
    }

    #[test]
    fn turns_are_even() {
        let (from, to) = (DQuat::from_rotation_x(0.2), -DQuat::from_rotation_x(1.4));
        let third = <Quat as Wide>::between(from, to, 1.0 / 3.0);
        assert!(third.angle_between(DQuat::from_rotation_x(0.6)) < 1e-7);
    }
}
