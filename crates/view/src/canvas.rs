//! The picture that everything is drawn on.

use crate::color::{Theme, Transfer, mix};
use crate::error::Error;
use crate::font;
use crate::layout::{Anchor, Panel, Text};
use crate::picture_file::encode_png;
use glam::{Vec2, Vec3A};
use png::ColorType;
use rebone_model::Clamp as _;
use std::ops::Range;

/// sRGB pixels in rows, three bytes each.
#[derive(Clone)]
pub(crate) struct Canvas {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<[u8; 3]>,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize, color: [u8; 3]) -> Self {
        Self {
            width,
            height,
            pixels: vec![color; width * height],
        }
    }

    /// Lays a linear colour (times alpha) over a pixel.
    #[inline]
    pub(crate) fn blend(
        &mut self,
        transfer: &Transfer,
        x: usize,
        y: usize,
        color: Vec3A,
        alpha: f32,
    ) {
        if x >= self.width {
            return;
        }
        if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
            let behind = if alpha < 0.999 {
                transfer.linear3(*pixel) * (1.0 - alpha)
            } else {
                Vec3A::ZERO
            };
            *pixel = transfer.srgb3(color + behind);
        }
    }

    /// Mixes an sRGB colour into a pixel as designers' tools do, by bytes.
    fn tint(&mut self, x: i32, y: i32, color: [u8; 3], share: f32) {
        if x < 0 || y < 0 || x as usize >= self.width {
            return;
        }
        if let Some(pixel) = self.pixels.get_mut(y as usize * self.width + x as usize) {
            *pixel = mix(*pixel, color, share);
        }
    }

    /// A rectangle with round corners and a vertical gradient.
    pub(crate) fn panel(&mut self, panel: &Panel, theme: &Theme, gradient: bool) {
        let half = Vec2::new(panel.width, panel.height) * 0.5;
        let middle = Vec2::new(panel.x, panel.y) + half;
        let (left, top) = (panel.x as i32, panel.y as i32);
        for y in top..(top + panel.height as i32 + 1) {
            let down = ((y as f32 - panel.y) / panel.height).clamped(0.0, 1.0);
            let down = if gradient { down } else { 0.45 };
            let color = mix(theme.panel_top, theme.panel_bottom, down);
            for x in left..(left + panel.width as i32 + 1) {
                let point = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let corner = (point - middle).abs() - half + panel.radius;
                let outside = corner.max(Vec2::ZERO).length() + corner.max_element().min(0.0);
                let share = (0.5 - (outside - panel.radius)).clamped(0.0, 1.0);
                if share > 0.0 {
                    self.tint(x, y, color, share);
                }
            }
        }
    }

    /// A horizontal line one pixel thick, at any height.
    pub(crate) fn level_line(&mut self, x: Range<f32>, y: f32, color: [u8; 3], opacity: f32) {
        let top = (y - 0.5).floor();
        let lower = y - 0.5 - top;
        for column in x.start.round() as i32..x.end.round() as i32 {
            self.tint(column, top as i32, color, opacity * (1.0 - lower));
            self.tint(column, top as i32 + 1, color, opacity * lower);
        }
    }

    pub(crate) fn text(&mut self, text: &Text, theme: &Theme) {
        let width = font::text_width(&text.text, text.size);
        let left = match text.anchor {
            Anchor::Start => text.x,
            Anchor::Middle => text.x - 0.5 * width,
        };
        let color = if text.faint {
            theme.faint_ink
        } else {
            theme.ink
        };
        font::draw_text(&text.text, left, text.baseline, text.size, |x, y, share| {
            self.tint(x, y, color, share);
        });
    }

    pub(crate) fn to_png(&self) -> Result<Vec<u8>, Error> {
        encode_png(
            self.pixels.as_flattened(),
            self.width,
            self.height,
            ColorType::Rgb,
        )
    }
}
