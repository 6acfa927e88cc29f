//! The tracks of a compact clip, from bytes.

use super::{CompactError, KEPT, NONE, PACKED, STEPS, others};
use rebone_model::{Interpolation, Quat, Track, Vec3};
use std::sync::Arc;

/// Whether a track is packed, its interpolation and its times.
type Head = (bool, Interpolation, Arc<[f32]>);

/// Takes bytes from the front.
pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn damaged(&self, what: &'static str) -> CompactError {
        CompactError::Damaged { what, at: self.at }
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], CompactError> {
        let end = self
            .at
            .checked_add(count)
            .filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| self.damaged("it ends too early"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], CompactError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn byte(&mut self) -> Result<u8, CompactError> {
        self.array().map(|[byte]: [u8; 1]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, CompactError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, CompactError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn floats(&mut self, count: usize) -> Result<Vec<f32>, CompactError> {
        let bytes = count
            .checked_mul(4)
            .ok_or_else(|| self.damaged("it ends too early"))?;
        let taken = self.take(bytes)?;
        let float = |part: &[u8]| f32::from_le_bytes([part[0], part[1], part[2], part[3]]);
        Ok(taken.chunks_exact(4).map(float).collect())
    }

    /// Kind, interpolation and times of a track; `None` for no track.
    fn head(&mut self, times: &[Arc<[f32]>]) -> Result<Option<Head>, CompactError> {
        let is_packed = match self.byte()? {
            NONE => return Ok(None),
            KEPT => false,
            PACKED => true,
            _ => return Err(self.damaged("a track is of no known kind")),
        };
        let interpolation = match self.byte()? {
            0 => Interpolation::Step,
            1 => Interpolation::Linear,
            2 if !is_packed => Interpolation::CubicSpline,
            _ => return Err(self.damaged("a track has no known interpolation")),
        };
        let number = usize::from(self.u16()?);
        let own = times.get(number).map(Arc::clone);
        let own = own.ok_or_else(|| self.damaged("a track has no times"))?;
        Ok(Some((is_packed, interpolation, own)))
    }

    pub(super) fn rotation(
        &mut self,
        times: &[Arc<[f32]>],
    ) -> Result<Option<Track<Quat>>, CompactError> {
        let Some((is_packed, interpolation, times)) = self.head(times)? else {
            return Ok(None);
        };
        let values: Vec<Quat> = if is_packed {
            let out = usize::from(self.byte()?);
            if out > 3 {
                return Err(self.damaged("a rotation leaves out a component that it does not have"));
            }
            let kept = others(out);
            let whole = |parts: [f32; 3]| {
                let mut all = [0.0; 4];
                for (place, part) in kept.into_iter().zip(parts) {
                    all[place] = part;
                }
                let squares: f32 = parts.iter().map(|part| part * part).sum();
                all[out] = (1.0 - squares).max(0.0).sqrt();
                Quat::from_array(all)
            };
            self.packed(times.len())?.into_iter().map(whole).collect()
        } else {
            let count = times.len() * interpolation.values_per_key();
            let numbers = self.floats(count.saturating_mul(4))?;
            numbers.chunks_exact(4).map(Quat::from_slice).collect()
        };
        let track = Track::new(interpolation, times, values);
        track
            .map(Some)
            .map_err(|_| self.damaged("times or values of a track cannot be"))
    }

    pub(super) fn vector(
        &mut self,
        times: &[Arc<[f32]>],
    ) -> Result<Option<Track<Vec3>>, CompactError> {
        let Some((is_packed, interpolation, times)) = self.head(times)? else {
            return Ok(None);
        };
        let values: Vec<Vec3> = if is_packed {
            self.packed(times.len())?
                .into_iter()
                .map(Vec3::from_array)
                .collect()
        } else {
            let count = times.len() * interpolation.values_per_key();
            let numbers = self.floats(count.saturating_mul(3))?;
            numbers.chunks_exact(3).map(Vec3::from_slice).collect()
        };
        let track = Track::new(interpolation, times, values);
        track
            .map(Some)
            .map_err(|_| self.damaged("times or values of a track cannot be"))
    }

    fn packed(&mut self, keys: usize) -> Result<Vec<[f32; 3]>, CompactError> {
        let ranges = self.floats(6)?;
        let bytes = keys
            .checked_mul(6)
            .ok_or_else(|| self.damaged("it ends too early"))?;
        let steps = self.take(bytes)?;
        let value = |key: &[u8]| {
            std::array::from_fn(|axis| {
                let step = u16::from_le_bytes([key[2 * axis], key[2 * axis + 1]]);
                ranges[axis] + ranges[3 + axis] * (f32::from(step) / STEPS)
            })
        };
        Ok(steps.chunks_exact(6).map(value).collect())
    }
}
