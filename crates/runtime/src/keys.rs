//! Where the keys of a clip in the making stand.

use glam::{Quat, Vec3};
use rebone_model::rotation::same_hemisphere;
use rebone_model::track::TrackValue;
use rebone_model::{Interpolation, Track};
use std::sync::Arc;

/// When a clip has keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyTimes<'a> {
    /// Rising.
    pub(super) times: &'a Arc<[f32]>,
    /// How tracks go from key to key that do not keep those of the source.
    pub(super) between: Interpolation,
    /// False where every channel that moves has a key at every time.
    pub(super) keeps_source: bool,
}

impl KeyTimes<'_> {
    /// A track of a value a time, or of one where all are the same; `None` without values.
    pub(super) fn track<V: TrackValue>(self, mut values: Vec<V>) -> Option<Track<V>> {
        let first = *values.first()?;
        if values.iter().any(|value| *value != first) {
            return Track::computed(self.between, Arc::clone(self.times), values);
        }
        values.truncate(1);
        Track::computed(Interpolation::Step, Arc::from([self.times[0]]), values)
    }
}

/// Gives each rotation the sign that is nearer to the one before it, and the first that nearer to `before`.
pub(super) fn keep_signs(rotations: &mut [Quat], mut before: Quat) {
    for rotation in rotations {
        *rotation = same_hemisphere(*rotation, before);
        before = *rotation;
    }
}

/// The same keys with other values; tangents are differences, and go another way.
pub(super) fn mapped(
    track: &Track<Vec3>,
    value: impl Fn(Vec3) -> Vec3,
    tangent: impl Fn(Vec3) -> Vec3,
) -> Track<Vec3> {
    let is_spline = track.interpolation() == Interpolation::CubicSpline;
    let mut index = 0usize;
    track.map_linear(|from| {
        let is_tangent = is_spline && index % 3 != 1;
        index += 1;
        if is_tangent {
            tangent(from)
        } else {
            value(from)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A smooth turn of more than a whole one: the rest pose, as reference, would break it where its sign changes.
    #[test]
    fn keys_have_the_sign_that_is_nearer_to_the_key_before() {
        let smooth = |key: usize| Quat::from_rotation_y(0.3 * key as f32 + 0.1);
        let given = |key: usize| match key % 3 {
            0 => -smooth(key),
            _ => smooth(key),
        };
        let mut keys: Vec<Quat> = (0..60).map(given).collect();
        keep_signs(&mut keys, Quat::IDENTITY);
        assert!(keys[0].dot(Quat::IDENTITY) > 0.0);
        for pair in keys.windows(2) {
            assert!(pair[0].dot(pair[1]) > 0.98, "{pair:?}");
        }
        let is_kept = |key: usize| keys[key] == given(key) || keys[key] == -given(key);
        assert!((0..60).all(is_kept));
        assert!(keys.iter().any(|key| key.dot(Quat::IDENTITY) < -0.9));
    }
}
