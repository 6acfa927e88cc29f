//! A joint's local transform at many times, each channel sampled in one pass.

use crate::clip::JointTracks;
use crate::sampling::sample_track_at;
use crate::track::{Interpolation, Track, TrackValue, same_times};
use crate::transform::Transform;
use glam::{Quat, Vec3};
use std::borrow::Cow;

/// A joint at given times: what [`sample_joint`](crate::sampling::sample_joint) says of each, to the bit.
#[derive(Clone, Debug)]
pub struct JointFrames<'a> {
    translation: Channel<'a, Vec3>,
    rotation: Channel<'a, Quat>,
    scale: Channel<'a, Vec3>,
}

#[derive(Clone, Debug)]
enum Channel<'a, V: TrackValue> {
    Still(V),
    /// A value a frame; the track's own where its keys are the frames.
    Moving(Cow<'a, [V]>),
}

impl<'a, V: TrackValue> Channel<'a, V> {
    fn new(track: Option<&'a Track<V>>, rest: V, times: &[f32]) -> Self {
        let Some(track) = track else {
            return Self::Still(rest);
        };
        if track.times().len() == 1 {
            return Self::Still(track.key_value(0));
        }
        if same_times(track.times(), times) && track.interpolation() != Interpolation::CubicSpline {
            return Self::Moving(Cow::Borrowed(track.values()));
        }
        Self::Moving(Cow::Owned(sample_track_at(track, times)))
    }

    #[inline]
    fn at(&self, frame: usize) -> V {
        match self {
            Self::Still(value) => *value,
            Self::Moving(values) => values[frame],
        }
    }

    fn still(&self) -> Option<V> {
        match self {
            Self::Still(value) => Some(*value),
            Self::Moving(_) => None,
        }
    }

    fn moving(&self) -> Option<&[V]> {
        match self {
            Self::Still(_) => None,
            Self::Moving(values) => Some(values),
        }
    }

    #[inline]
    fn many<const N: usize>(&self, first: usize) -> [V; N] {
        match self {
            Self::Still(value) => [*value; N],
            Self::Moving(values) => match values[first..].first_chunk() {
                Some(all) => *all,
                None => std::array::from_fn(|index| values[(first + index).min(values.len() - 1)]),
            },
        }
    }
}

impl<'a> JointFrames<'a> {
    /// The joint at rising `times`; channels without track keep their value of `rest`.
    pub fn new(tracks: &'a JointTracks, rest: Transform, times: &[f32]) -> Self {
        Self {
            translation: Channel::new(tracks.translation.as_ref(), rest.translation, times),
            rotation: Channel::new(tracks.rotation.as_ref(), rest.rotation, times),
            scale: Channel::new(tracks.scale.as_ref(), rest.scale, times),
        }
    }

    /// The local transform at the time with this number.
    ///
    /// # Panics
    /// Where there is no such time and the joint moves.
    #[inline]
    pub fn at(&self, frame: usize) -> Transform {
        Transform {
            translation: self.translation.at(frame),
            rotation: self.rotation.at(frame),
            scale: self.scale.at(frame),
        }
    }

    /// The rotations of N frames from `first`; beyond the last frame it is the last one again.
    ///
    /// # Panics
    /// Where there is no such first frame and the joint turns.
    #[inline]
    pub fn rotations<const N: usize>(&self, first: usize) -> [Quat; N] {
        self.rotation.many(first)
    }

    /// The translations, as [`rotations`](Self::rotations).
    ///
    /// # Panics
    /// Where there is no such first frame and the joint slides.
    #[inline]
    pub fn translations<const N: usize>(&self, first: usize) -> [Vec3; N] {
        self.translation.many(first)
    }

    /// The scales, as [`rotations`](Self::rotations).
    ///
    /// # Panics
    /// Where there is no such first frame and the joint stretches.
    #[inline]
    pub fn scales<const N: usize>(&self, first: usize) -> [Vec3; N] {
        self.scale.many(first)
    }

    /// The rotation of all frames; `None` where it changes.
    pub fn still_rotation(&self) -> Option<Quat> {
        self.rotation.still()
    }

    /// The translation of all frames; `None` where it changes.
    pub fn still_translation(&self) -> Option<Vec3> {
        self.translation.still()
    }

    /// The scale of all frames; `None` where it changes.
    pub fn still_scale(&self) -> Option<Vec3> {
        self.scale.still()
    }

    /// The channels that stay, and those of `rest` in place of the others.
    pub fn still(&self, rest: Transform) -> Transform {
        Transform {
            translation: self.translation.still().unwrap_or(rest.translation),
            rotation: self.rotation.still().unwrap_or(rest.rotation),
            scale: self.scale.still().unwrap_or(rest.scale),
        }
    }

    /// The rotation of each frame; `None` where it stays.
    pub fn moving_rotations(&self) -> Option<&[Quat]> {
        self.rotation.moving()
    }

    /// The translation of each frame; `None` where it stays.
    pub fn moving_translations(&self) -> Option<&[Vec3]> {
        self.translation.moving()
    }

    /// The scale of each frame; `None` where it stays.
    pub fn moving_scales(&self) -> Option<&[Vec3]> {
        self.scale.moving()
    }

    /// True where no channel changes.
    pub fn is_still(&self) -> bool {
        let Self {
            translation,
            rotation,
            scale,
        } = self;
        matches!(translation, Channel::Still(_))
            && matches!(rotation, Channel::Still(_))
            && matches!(scale, Channel::Still(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::sample_joint;
    use std::sync::Arc;

    #[test]
    fn the_bits_are_those_of_single_samples() {
        let keys: Arc<[f32]> = [0.0, 0.5, 2.0].into();
        let turns = [0.1f32, -0.7, 3.0].map(Quat::from_rotation_y).to_vec();
        let splines: Vec<Vec3> = (0..9).map(|at| Vec3::new(at as f32, 0.3, -1.0)).collect();
        let tracks = JointTracks {
            translation: Track::new(Interpolation::CubicSpline, Arc::clone(&keys), splines).ok(),
            rotation: Track::new(Interpolation::Linear, Arc::clone(&keys), turns).ok(),
            scale: Track::new(Interpolation::Step, [1.0].into(), vec![Vec3::splat(2.0)]).ok(),
        };
        let one = Track::new(Interpolation::Linear, [9.0].into(), vec![Vec3::X]);
        let still = JointTracks {
            translation: one.ok(),
            ..JointTracks::default()
        };
        let others = [-1.0, 0.0, 0.2, 0.5, 1.9, 2.0, 5.0];
        for times in [&keys[..], &others] {
            let (moving, idle) = (
                JointFrames::new(&tracks, Transform::IDENTITY, times),
                JointFrames::new(&still, Transform::IDENTITY, times),
            );
            assert!(idle.is_still() && !moving.is_still());
            for (frame, &time) in times.iter().enumerate() {
                let single = |tracks| sample_joint(tracks, Transform::IDENTITY, time);
                assert_eq!(moving.at(frame), single(&tracks));
                assert_eq!(idle.at(frame), single(&still));
            }
        }
    }
}
