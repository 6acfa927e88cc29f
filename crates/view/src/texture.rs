//! Base colour images, decoded and in smaller and smaller copies.

use crate::color::Transfer;
use crate::picture_file;
use glam::{Vec2, Vec3A};
use rebone_model::Character;
use rebone_model::elementary::Elementary as _;

/// Sides longer than this are halved until they are not.
const LARGEST_SIDE: usize = 2048;

/// One image with its halved copies, sRGB with straight alpha.
pub(crate) struct Texture {
    levels: Vec<Level>,
}

struct Level {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
}

/// The images of a character that its materials use; `None` where one cannot be decoded.
#[derive(Default)]
pub(crate) struct Textures {
    images: Vec<Option<Texture>>,
}

impl Textures {
    pub(crate) fn of(character: &Character) -> Self {
        let mut images: Vec<Option<Texture>> = Vec::new();
        images.resize_with(character.images.len(), || None);
        let transfer = Transfer::new();
        let used = character
            .meshes
            .iter()
            .filter_map(|mesh| character.materials.get(mesh.material?)?.base_color_image);
        let mut used: Vec<usize> = used.collect();
        used.sort_unstable();
        used.dedup();
        for index in used {
            if let Some(data) = character.images.get(index) {
                images[index] = Texture::decode(&data.bytes, &transfer);
            }
        }
        Self { images }
    }

    pub(crate) fn get(&self, image: usize) -> Option<&Texture> {
        self.images.get(image)?.as_ref()
    }
}

impl Texture {
    fn decode(bytes: &[u8], transfer: &Transfer) -> Option<Self> {
        let picture = picture_file::decode(bytes)?;
        let mut level = Level {
            width: picture.width,
            height: picture.height,
            texels: picture.pixels,
        };
        while level.width.max(level.height) > LARGEST_SIDE {
            level = level.halved(transfer);
        }
        let mut levels = vec![level];
        while let Some(last) = levels.last().filter(|last| last.width.max(last.height) > 1) {
            let next = last.halved(transfer);
            levels.push(next);
        }
        Some(Self { levels })
    }

    /// The copy whose texels are about as large as pixels, where a triangle covers `uv_area` of the
    /// texture (1 is all of it) and `pixel_area` pixels.
    pub(crate) fn level_for(&self, uv_area: f32, pixel_area: f32) -> u8 {
        let Some(full) = self.levels.first() else {
            return 0;
        };
        let texels = uv_area * (full.width * full.height) as f32;
        let ratio = texels / pixel_area.max(1e-3);
        if ratio.is_nan() || ratio <= 1.0 {
            return 0;
        }
        // Half a level sharper than exact: the pixel is averaged over four samples at edges anyway.
        let level = (0.5 * ratio.binary_logarithm() - 0.3).max(0.0).round() as usize;
        level.min(self.levels.len() - 1) as u8
    }

    /// Linear colour and alpha, bilinear, repeating.
    #[inline]
    pub(crate) fn sample(&self, uv: Vec2, level: u8, transfer: &Transfer) -> (Vec3A, f32) {
        let Some(level) = self.levels.get(usize::from(level)).or(self.levels.last()) else {
            return (Vec3A::ONE, 1.0);
        };
        let (width, height) = (level.width, level.height);
        let x = (uv.x - uv.x.floor()) * width as f32 - 0.5;
        let y = (uv.y - uv.y.floor()) * height as f32 - 0.5;
        let (x0, y0) = (x.floor(), y.floor());
        let (fx, fy) = (x - x0, y - y0);
        // NaN casts to 0; -1 wraps to the far side.
        let wrap = |at: i32, size: usize| {
            if at < 0 {
                size - 1
            } else if at as usize >= size {
                0
            } else {
                at as usize
            }
        };
        let (x0, y0) = (x0 as i32, y0 as i32);
        let (left, right) = (wrap(x0, width), wrap(x0.saturating_add(1), width));
        let (top, bottom) = (wrap(y0, height), wrap(y0.saturating_add(1), height));
        let mut color = Vec3A::ZERO;
        let mut alpha = 0.0;
        for (column, row, weight) in [
            (left, top, (1.0 - fx) * (1.0 - fy)),
            (right, top, fx * (1.0 - fy)),
            (left, bottom, (1.0 - fx) * fy),
            (right, bottom, fx * fy),
        ] {
            let [r, g, b, a] = level.texels[row * width + column];
            color += transfer.linear3([r, g, b]) * weight;
            alpha += f32::from(a) * (weight / 255.0);
        }
        (color, alpha)
    }
}

impl Level {
    fn halved(&self, transfer: &Transfer) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut texels = Vec::with_capacity(width * height);
        for row in 0..height {
            for column in 0..width {
                let mut color = Vec3A::ZERO;
                let mut alpha = 0.0;
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let x = (2 * column + dx).min(self.width - 1);
                    let y = (2 * row + dy).min(self.height - 1);
                    let [r, g, b, a] = self.texels[y * self.width + x];
                    // Transparent texels often hold an unrelated colour.
                    let weight = f32::from(a) / 255.0 + 1e-4;
                    color += transfer.linear3([r, g, b]) * weight;
                    alpha += weight;
                }
                let [r, g, b] = transfer.srgb3(color / alpha);
                let a = ((alpha - 4e-4) / 4.0 * 255.0 + 0.5) as u8;
                texels.push([r, g, b, a]);
            }
        }
        Self {
            width,
            height,
            texels,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_images_are_none_and_samples_wrap() {
        let transfer = Transfer::new();
        assert!(Texture::decode(b"no image", &transfer).is_none());
        let texture = Texture {
            levels: vec![Level {
                width: 2,
                height: 1,
                texels: vec![[255, 0, 0, 255], [0, 0, 255, 255]],
            }],
        };
        let (color, alpha) = texture.sample(Vec2::new(0.25, 0.5), 0, &transfer);
        assert!(color.x > 0.99 && color.z < 0.01 && alpha > 0.99);
        let (wrapped, _) = texture.sample(Vec2::new(1.25, -7.5), 0, &transfer);
        assert!(wrapped.abs_diff_eq(color, 1e-6));
        let (between, _) = texture.sample(Vec2::new(0.0, 0.5), 0, &transfer);
        assert!((between.x - 0.5).abs() < 1e-3);
        let _ = texture.sample(Vec2::new(f32::NAN, f32::INFINITY), 9, &transfer);
    }
}
