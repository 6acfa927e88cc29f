//! What moves in the picture besides joints: morph weights and expressions of a clip, as lists of numbers.

use crate::failure::Failure;
use crate::json;
use crate::poses::frame_count;
use crate::rig::{Opened, Rig};
use crate::session::{Session, side};
use js_sys::{Array, Float32Array, Object, Reflect};
use rebone::io::gltf::{ShownCurves, shown_curves};
use rebone::model::{CurveTarget, Interpolation};
use rebone::{Clip, Format};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Numbers that one call hands over at most for a node: a quarter of a gigabyte.
const MOST: usize = 1 << 26;

/// Keys of some numbers that move together, in glTF's own layout.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a> {
    /// Between keys.
    pub interpolation: Interpolation,
    /// Numbers a value.
    pub components: usize,
    /// Seconds, not falling.
    pub times: &'a [f32],
    /// Values; of a spline in-tangent, value and out-tangent a key.
    pub values: &'a [f32],
}

impl Keys<'_> {
    /// A number at a time; before the first key and behind the last it stays.
    fn at(&self, component: usize, seconds: f32) -> f32 {
        let parts = self.interpolation.values_per_key();
        let number = |key: usize, part: usize| {
            let at = (key * parts + part) * self.components + component;
            self.values.get(at).copied().unwrap_or(0.0)
        };
        let value = |key: usize| number(key, usize::from(parts == 3));
        let after = self.times.partition_point(|&time| time <= seconds);
        if after == 0 || after == self.times.len() {
            return value(after.saturating_sub(1));
        }
        let before = after - 1;
        let span = self.times[after] - self.times[before];
        let share = (seconds - self.times[before]) / span;
        match self.interpolation {
            Interpolation::Step => value(before),
            Interpolation::Linear => value(before) + (value(after) - value(before)) * share,
            Interpolation::CubicSpline => {
                let (square, cube) = (share * share, share * share * share);
                value(before) * (2.0 * cube - 3.0 * square + 1.0)
                    + number(before, 2) * span * (cube - 2.0 * square + share)
                    + value(after) * (3.0 * square - 2.0 * cube)
                    + number(after, 0) * span * (cube - square)
            }
        }
    }
}

/// The numbers at every frame of a clip, as [`poses`](crate::poses::poses) counts them. `None` where they are too many.
pub fn sampled(keys: Keys<'_>, start: f32, end: f32, rate_hz: f64) -> Option<Vec<f32>> {
    let frames = frame_count(f64::from(end - start), rate_hz)?;
    if frames.checked_mul(keys.components)? > MOST {
        return None;
    }
    let mut numbers = Vec::with_capacity(frames * keys.components);
    for frame in 0..frames {
        let seconds = (f64::from(start) + frame as f64 / rate_hz) as f32;
        numbers.extend((0..keys.components).map(|component| keys.at(component, seconds)));
    }
    Some(numbers)
}

#[derive(Serialize)]
struct WeightsJson {
    node: usize,
    targets: usize,
}

#[derive(Serialize)]
struct ExpressionJson<'a> {
    name: &'a str,
}

#[wasm_bindgen]
impl Rig {
    /// Morph weights and expressions of one of the file's own clips at a rate, frame after frame like its poses.
    #[wasm_bindgen(unchecked_return_type = "ClipCurves")]
    pub fn curves(&self, clip: &str, rate_hz: f64) -> Result<JsValue, JsValue> {
        Ok(curves(&self.opened, self.clip(clip)?, rate_hz)?)
    }
}

#[wasm_bindgen]
impl Session {
    /// Morph weights and expressions of a clip at a rate, frame after frame like its poses: what of them the side's own file has.
    #[wasm_bindgen(unchecked_return_type = "ClipCurves")]
    pub fn curves(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Side")] of: &str,
        clip: &str,
        rate_hz: f64,
    ) -> Result<JsValue, JsValue> {
        let of = side(of)?;
        Ok(curves(self.opened(of), self.clip(of, clip)?, rate_hz)?)
    }
}

fn curves(opened: &Opened, clip: &Clip, rate_hz: f64) -> Result<JsValue, Failure> {
    let is_drawn = matches!(opened.rig.format, Format::Glb | Format::Gltf | Format::Vrm);
    let shown = match is_drawn {
        true => shown_curves(opened.file.bytes(), clip).map_err(rebone::Error::from)?,
        false => ShownCurves::default(),
    };
    let numbers = |keys: Keys<'_>| -> Result<JsValue, Failure> {
        let (start, end) = clip.time_span();
        let sampled = sampled(keys, start, end, rate_hz).ok_or_else(|| {
            Failure::request(
                format!(
                    "the curves of \"{}\" are too many at {rate_hz} Hz",
                    clip.name
                ),
                "ask for a lower rate above 0",
            )
        })?;
        Ok(Float32Array::from(sampled.as_slice()).into())
    };
    let with = |shape: JsValue, numbers: JsValue| {
        // A fresh object takes any property.
        let _ = Reflect::set(&shape, &"numbers".into(), &numbers);
        shape
    };
    let weights = Array::new();
    for own in &shown.weights {
        let shape = json::value(&WeightsJson {
            node: own.node,
            targets: own.targets,
        })?;
        weights.push(&with(
            shape,
            numbers(Keys {
                interpolation: own.interpolation,
                components: own.targets,
                times: &own.times,
                values: &own.values,
            })?,
        ));
    }
    let expressions = Array::new();
    for own in &shown.expressions {
        let CurveTarget::Expression { name, .. } = own.target() else {
            continue;
        };
        expressions.push(&with(
            json::value(&ExpressionJson { name })?,
            numbers(Keys {
                interpolation: own.interpolation(),
                components: own.components(),
                times: own.times(),
                values: own.values(),
            })?,
        ));
    }
    let all = Object::new().into();
    for (key, list) in [("weights", weights), ("expressions", expressions)] {
        let _ = Reflect::set(&all, &key.into(), &list);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(interpolation: Interpolation, values: &[f32], seconds: f32) -> f32 {
        let keys = Keys {
            interpolation,
            components: 1,
            times: &[1.0, 3.0],
            values,
        };
        keys.at(0, seconds)
    }

    #[test]
    fn numbers_between_keys_and_beyond() {
        let two = [0.0, 1.0];
        for (seconds, linear, step) in [
            (0.0, 0.0, 0.0),
            (1.5, 0.25, 0.0),
            (3.0, 1.0, 1.0),
            (9.0, 1.0, 1.0),
        ] {
            assert_eq!(at(Interpolation::Linear, &two, seconds), linear);
            assert_eq!(at(Interpolation::Step, &two, seconds), step);
        }
        // A straight line told as a spline: both slopes are those of the line.
        let line = [0.5, 0.0, 0.5, 0.5, 1.0, 0.5];
        assert_eq!(at(Interpolation::CubicSpline, &line, 1.5), 0.25);
    }

    #[test]
    fn frames_are_those_of_the_poses() {
        let keys = Keys {
            interpolation: Interpolation::Linear,
            components: 2,
            times: &[0.0, 1.0],
            values: &[0.0, 1.0, 1.0, 0.0],
        };
        let numbers = sampled(keys, 0.0, 1.0, 4.0).unwrap();
        assert_eq!(
            numbers,
            [0.0, 1.0, 0.25, 0.75, 0.5, 0.5, 0.75, 0.25, 1.0, 0.0]
        );
        assert_eq!(sampled(keys, 0.0, 1.0, 0.0), None);
    }
}
