//! The tracks of a compact clip, to bytes.

use super::{CompactError, KEPT, LEAST_LEFT_OUT, NONE, PACKED, STEPS, others};
use rebone_model::Clamp as _;
use rebone_model::{Interpolation, Quat, Track, Vec3};

/// Puts bytes behind each other.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn text(&mut self, text: &str) -> Result<(), CompactError> {
        self.count16(text.len(), "bytes in its name")?;
        self.bytes.extend(text.as_bytes());
        Ok(())
    }

    pub(super) fn count16(&mut self, count: usize, what: &'static str) -> Result<(), CompactError> {
        let count = u16::try_from(count).map_err(|_| CompactError::TooLarge { what })?;
        self.bytes.extend(count.to_le_bytes());
        Ok(())
    }

    pub(super) fn floats(&mut self, values: impl Iterator<Item = f32>) {
        self.bytes.extend(values.flat_map(f32::to_le_bytes));
    }

    /// Kind, interpolation and times of a track.
    fn head(&mut self, kind: u8, interpolation: Interpolation, times: &[&[f32]], own: &[f32]) {
        let number = times.iter().position(|known| *known == own).unwrap_or(0);
        self.bytes.push(kind);
        self.bytes.push(match interpolation {
            Interpolation::Step => 0,
            Interpolation::Linear => 1,
            Interpolation::CubicSpline => 2,
        });
        // There are at most 65,535 different ones.
        self.bytes.extend((number as u16).to_le_bytes());
    }

    pub(super) fn rotation(&mut self, times: &[&[f32]], track: Option<&Track<Quat>>) {
        let Some(track) = track else {
            self.bytes.push(NONE);
            return;
        };
        let left_out =
            left_out(track).filter(|_| is_packed(track.interpolation(), track.key_count()));
        let kind = if left_out.is_some() { PACKED } else { KEPT };
        self.head(kind, track.interpolation(), times, track.times());
        match left_out {
            None => self.floats(track.values().iter().flat_map(Quat::to_array)),
            Some(out) => {
                self.bytes.push(out as u8);
                let kept = |value: &Quat| {
                    let parts = if value.to_array()[out] < 0.0 {
                        -*value
                    } else {
                        *value
                    }
                    .to_array();
                    let [a, b, c] = others(out);
                    [parts[a], parts[b], parts[c]]
                };
                self.packed(track.values().iter().map(kept).collect());
            }
        }
    }

    pub(super) fn vector(&mut self, times: &[&[f32]], track: Option<&Track<Vec3>>) {
        let Some(track) = track else {
            self.bytes.push(NONE);
            return;
        };
        let packed = is_packed(track.interpolation(), track.key_count());
        let kind = if packed { PACKED } else { KEPT };
        self.head(kind, track.interpolation(), times, track.times());
        let values = track.values().iter().map(Vec3::to_array);
        if packed {
            self.packed(values.collect());
        } else {
            self.floats(values.flatten());
        }
    }

    fn packed(&mut self, values: Vec<[f32; 3]>) {
        let least: [f32; 3] = std::array::from_fn(|axis| {
            values
                .iter()
                .map(|value| value[axis])
                .fold(f32::INFINITY, f32::min)
        });
        let extent: [f32; 3] = std::array::from_fn(|axis| {
            let most = values
                .iter()
                .map(|value| value[axis])
                .fold(f32::NEG_INFINITY, f32::max);
            most - least[axis]
        });
        self.floats(least.into_iter().chain(extent));
        for value in values {
            for axis in 0..3 {
                let share = (value[axis] - least[axis]) / extent[axis].max(f32::MIN_POSITIVE);
                let step = (share * STEPS).round().clamped(0.0, STEPS) as u16;
                self.bytes.extend(step.to_le_bytes());
            }
        }
    }
}

fn is_packed(interpolation: Interpolation, keys: usize) -> bool {
    // A track of few keys is shorter as it is than with its ranges.
    interpolation != Interpolation::CubicSpline && keys > 4
}

/// The component that can be left out of all keys.
fn left_out(track: &Track<Quat>) -> Option<usize> {
    let least = |part: usize| {
        let parts = track
            .values()
            .iter()
            .map(|value| value.to_array()[part].abs());
        parts.fold(f32::INFINITY, f32::min)
    };
    let best = (0..4).max_by(|&a, &b| least(a).total_cmp(&least(b)))?;
    (least(best) >= LEAST_LEFT_OUT).then_some(best)
}
