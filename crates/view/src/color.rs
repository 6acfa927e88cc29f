//! From sRGB bytes to linear light and back.

use glam::Vec3A;
use rebone_model::elementary::Elementary as _;

/// Steps of the table from linear light to sRGB.
const STEPS: usize = 4096;

/// Conversion tables between sRGB bytes and linear light.
pub(crate) struct Transfer {
    to_linear: [f32; 256],
    to_srgb: Vec<u8>,
}

impl Transfer {
    pub(crate) fn new() -> Self {
        let mut to_linear = [0.0; 256];
        for (byte, value) in to_linear.iter_mut().enumerate() {
            *value = linear_from_srgb(byte as f32 / 255.0);
        }
        let to_srgb = (0..=STEPS)
            .map(|step| {
                let value = srgb_from_linear(step as f32 / STEPS as f32);
                (value * 255.0 + 0.5) as u8
            })
            .collect();
        Self { to_linear, to_srgb }
    }

    #[inline]
    pub(crate) fn linear(&self, byte: u8) -> f32 {
        self.to_linear[byte as usize]
    }

    #[inline]
    pub(crate) fn linear3(&self, bytes: [u8; 3]) -> Vec3A {
        Vec3A::new(
            self.linear(bytes[0]),
            self.linear(bytes[1]),
            self.linear(bytes[2]),
        )
    }

    #[inline]
    pub(crate) fn srgb3(&self, color: Vec3A) -> [u8; 3] {
        // NaN becomes 0 in the cast.
        let steps = (color * STEPS as f32 + 0.5).max(Vec3A::ZERO);
        [steps.x, steps.y, steps.z].map(|step| self.to_srgb[(step as usize).min(STEPS)])
    }
}

fn linear_from_srgb(value: f32) -> f32 {
    if value <= 0.040_45 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).power(2.4)
    }
}

fn srgb_from_linear(value: f32) -> f32 {
    if value <= 0.003_130_8 {
        value * 12.92
    } else {
        1.055 * value.power(1.0 / 2.4) - 0.055
    }
}

/// Mixes two sRGB colours as bytes.
pub(crate) fn mix(from: [u8; 3], to: [u8; 3], fraction: f32) -> [u8; 3] {
    let mut mixed = [0; 3];
    for (value, (&a, &b)) in mixed.iter_mut().zip(from.iter().zip(&to)) {
        *value = (f32::from(a) + (f32::from(b) - f32::from(a)) * fraction + 0.5) as u8;
    }
    mixed
}

/// The colours of a picture, derived from its paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    pub(crate) paper: [u8; 3],
    pub(crate) panel_top: [u8; 3],
    pub(crate) panel_bottom: [u8; 3],
    /// Titles.
    pub(crate) ink: [u8; 3],
    /// Time labels.
    pub(crate) faint_ink: [u8; 3],
    /// Grid lines and the floor line.
    pub(crate) line: [u8; 3],
    /// The arrow that shows the rest facing.
    pub(crate) arrow: [u8; 3],
    /// How much of a shadow's depth is seen.
    pub(crate) shadow: f32,
}

impl Theme {
    pub(crate) fn new(paper: [u8; 3]) -> Self {
        let [r, g, b] = paper.map(f32::from);
        let dark = 0.3 * r + 0.59 * g + 0.11 * b < 120.0;
        if dark {
            Self {
                paper,
                panel_top: mix(paper, [196, 210, 235], 0.13),
                panel_bottom: mix(paper, [196, 210, 235], 0.19),
                ink: mix(paper, [255, 255, 255], 0.92),
                faint_ink: mix(paper, [255, 255, 255], 0.60),
                line: [148, 160, 184],
                arrow: [122, 178, 255],
                shadow: 1.25,
            }
        } else {
            Self {
                paper,
                panel_top: mix(paper, [120, 140, 175], 0.10),
                panel_bottom: mix(paper, [106, 122, 152], 0.21),
                ink: mix(paper, [24, 30, 42], 0.96),
                faint_ink: mix(paper, [60, 72, 94], 0.82),
                line: [74, 88, 116],
                arrow: [24, 92, 214],
                shadow: 1.0,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_the_round_trip() {
        let transfer = Transfer::new();
        for byte in 0..=255u8 {
            let [again, ..] = transfer.srgb3(transfer.linear3([byte; 3]));
            assert!(again.abs_diff(byte) <= 1, "{byte} became {again}");
        }
        assert_eq!(transfer.srgb3(Vec3A::new(f32::NAN, -1.0, 9.0)), [0, 0, 255]);
    }
}
