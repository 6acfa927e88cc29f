//! Shadows: of the body on itself, of the body on the floor, and the dark close under what touches it.

use crate::camera::Eye;
use crate::raster::cover;
use crate::scene::Scene;
use glam::{Vec2, Vec3A};
use rebone_model::Clamp as _;

const SIZE: usize = 320;
const SOFT_SIZE: usize = SIZE / 2;

/// Shadow maps of one scene.
#[derive(Default)]
pub(crate) struct Shadows {
    right: Vec3A,
    up: Vec3A,
    to_light: Vec3A,
    /// Corner of the light's map and metres a texel.
    light_corner: Vec2,
    light_texel: f32,
    /// Height along the light of the first thing it meets.
    first: Vec<f32>,
    /// How much of the light is blocked; what is high above the floor counts less.
    blocked: Vec<f32>,
    /// The same, blurred.
    soft: Vec<f32>,
    floor_corner: Vec2,
    floor_texel: f32,
    /// Nearness of the body over the floor, blurred.
    contact: Vec<f32>,
    flat: Vec<Vec2>,
    scratch: Vec<f32>,
}

impl Shadows {
    /// Casts the shadows of all triangles of a scene whose body is `height` metres tall.
    pub(crate) fn cast(&mut self, scene: &Scene, eye: &Eye, height: f32) {
        self.to_light = eye.light();
        self.right = Vec3A::Y.cross(self.to_light).normalize_or(Vec3A::X);
        self.up = self.to_light.cross(self.right);
        self.cast_light(scene, height);
        self.cast_contact(scene, height);
    }

    fn cast_light(&mut self, scene: &Scene, height: f32) {
        self.flat.clear();
        let (right, up) = (self.right, self.up);
        self.flat.extend(
            scene
                .positions
                .iter()
                .map(|point| Vec2::new(point.dot(right), point.dot(up))),
        );
        (self.light_corner, self.light_texel) = frame(&self.flat, 0.14 * height, height, SIZE);
        self.first.clear();
        self.first.resize(SIZE * SIZE, f32::NEG_INFINITY);
        self.blocked.clear();
        self.blocked.resize(SIZE * SIZE, 0.0);
        for triangle in &scene.triangles {
            let at = triangle.corners.map(|corner| corner as usize);
            let corners = at.map(|at| (self.flat[at] - self.light_corner) / self.light_texel);
            let lowest = at
                .iter()
                .fold(f32::INFINITY, |low, &at| low.min(scene.positions[at].y));
            let blocks = (1.0 - 0.85 * lowest / height).clamped(0.12, 1.0);
            let heights = at.map(|at| scene.positions[at].dot(self.to_light));
            splat(corners, SIZE, |texel, weights| {
                let along =
                    heights[0] * weights[0] + heights[1] * weights[1] + heights[2] * weights[2];
                let first = &mut self.first[texel];
                *first = first.max(along);
                let blocked = &mut self.blocked[texel];
                *blocked = blocked.max(blocks);
            });
        }
        self.soft.clear();
        self.soft.resize(SOFT_SIZE * SOFT_SIZE, 0.0);
        for (at, value) in self.soft.iter_mut().enumerate() {
            let (x, y) = (at % SOFT_SIZE * 2, at / SOFT_SIZE * 2);
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                *value += 0.25 * self.blocked[(y + dy) * SIZE + x + dx];
            }
        }
        let radius = (0.022 * height / (2.0 * self.light_texel)).round() as usize;
        blur(&mut self.soft, &mut self.scratch, SOFT_SIZE, radius);
    }

    fn cast_contact(&mut self, scene: &Scene, height: f32) {
        let reach = 0.11 * height;
        self.flat.clear();
        self.flat.extend(
            scene
                .positions
                .iter()
                .map(|point| Vec2::new(point.x, point.z)),
        );
        let low: Vec<Vec2> = scene
            .positions
            .iter()
            .zip(&self.flat)
            .filter(|(point, _)| point.y < reach)
            .map(|(_, flat)| *flat)
            .collect();
        (self.floor_corner, self.floor_texel) = frame(&low, 0.12 * height, height, SOFT_SIZE);
        self.contact.clear();
        self.contact.resize(SOFT_SIZE * SOFT_SIZE, 0.0);
        for triangle in &scene.triangles {
            let at = triangle.corners.map(|corner| corner as usize);
            let heights = at.map(|at| scene.positions[at].y);
            if heights.iter().all(|&height| height > reach) {
                continue;
            }
            let corners = at.map(|at| (self.flat[at] - self.floor_corner) / self.floor_texel);
            splat(corners, SOFT_SIZE, |texel, weights| {
                let above =
                    heights[0] * weights[0] + heights[1] * weights[1] + heights[2] * weights[2];
                let near = (1.0 - above.max(0.0) / reach).max(0.0);
                let value = &mut self.contact[texel];
                *value = value.max(near * near);
            });
        }
        let radius = (0.010 * height / self.floor_texel).round() as usize;
        blur(&mut self.contact, &mut self.scratch, SOFT_SIZE, radius);
    }

    /// Share of the key light that reaches a point of the body with unit normal `normal`.
    #[inline]
    pub(crate) fn lit(&self, point: Vec3A, normal: Vec3A) -> f32 {
        let lifted = point + normal * (2.0 * self.light_texel) + self.to_light * self.light_texel;
        let flat = Vec2::new(lifted.dot(self.right), lifted.dot(self.up));
        let at = (flat - self.light_corner) / self.light_texel - 0.5;
        let along = lifted.dot(self.to_light);
        bilinear(at, SIZE, |texel| {
            f32::from(u8::from(self.first[texel] <= along))
        })
        .unwrap_or(1.0)
    }

    /// How dark the floor is at a point: (shadow of the light, contact), each 0 to 1.
    #[inline]
    pub(crate) fn on_floor(&self, point: Vec3A) -> (f32, f32) {
        let flat = Vec2::new(point.dot(self.right), point.dot(self.up));
        let at = (flat - self.light_corner) / (2.0 * self.light_texel) - 0.5;
        let light = bilinear(at, SOFT_SIZE, |texel| self.soft[texel]);
        let flat = Vec2::new(point.x, point.z);
        let at = (flat - self.floor_corner) / self.floor_texel - 0.5;
        let contact = bilinear(at, SOFT_SIZE, |texel| self.contact[texel]);
        (light.unwrap_or(0.0), contact.unwrap_or(0.0))
    }
}

/// Corner and texel size of a square map that holds all points and a border.
fn frame(points: &[Vec2], border: f32, height: f32, size: usize) -> (Vec2, f32) {
    let mut low = Vec2::INFINITY;
    let mut high = Vec2::NEG_INFINITY;
    for point in points.iter().filter(|point| point.is_finite()) {
        low = low.min(*point);
        high = high.max(*point);
    }
    if !low.cmple(high).all() {
        (low, high) = (Vec2::ZERO, Vec2::ZERO);
    }
    // Stray vertices must not cost the body its sharpness.
    let side = ((high - low).max_element() + 2.0 * border).min(8.0 * height);
    let texel = (side / size as f32).max(1e-6);
    (
        (low + high) * 0.5 - Vec2::splat(texel * size as f32 * 0.5),
        texel,
    )
}

/// Like [`cover`], and also the texel of the first corner, so that small triangles leave a mark.
#[inline]
fn splat(corners: [Vec2; 3], size: usize, mut visit: impl FnMut(usize, [f32; 3])) {
    let [x, y] = corners[0].to_array();
    if x >= 0.0 && y >= 0.0 && x < size as f32 && y < size as f32 {
        visit(y as usize * size + x as usize, [1.0, 0.0, 0.0]);
    }
    cover(corners, size, size, visit);
}

#[inline]
fn bilinear(at: Vec2, size: usize, value: impl Fn(usize) -> f32) -> Option<f32> {
    let limit = (size - 1) as f32;
    if !(at.x >= 0.0 && at.y >= 0.0 && at.x < limit && at.y < limit) {
        return None;
    }
    let (x, y) = (at.x as usize, at.y as usize);
    let (fx, fy) = (at.x - x as f32, at.y - y as f32);
    let texel = y * size + x;
    let top = value(texel) * (1.0 - fx) + value(texel + 1) * fx;
    let bottom = value(texel + size) * (1.0 - fx) + value(texel + size + 1) * fx;
    Some(top * (1.0 - fy) + bottom * fy)
}

/// Three box blurs in each direction: nearly a Gaussian.
fn blur(values: &mut Vec<f32>, scratch: &mut Vec<f32>, size: usize, radius: usize) {
    let radius = radius.clamped(1, size / 8);
    for _ in 0..3 {
        // Each pass writes transposed, so that two of them blur both directions.
        for _ in 0..2 {
            scratch.clear();
            scratch.resize(values.len(), 0.0);
            blur_rows_transposed(values, scratch, size, radius);
            std::mem::swap(values, scratch);
        }
    }
}

fn blur_rows_transposed(values: &[f32], result: &mut [f32], size: usize, radius: usize) {
    let share = 1.0 / (2 * radius + 1) as f32;
    for (y, row) in values.chunks_exact(size).enumerate() {
        let mut sum: f32 = row[..radius].iter().sum();
        for x in 0..size {
            if let Some(entering) = row.get(x + radius) {
                sum += entering;
            }
            if x > radius {
                sum -= row[x - radius - 1];
            }
            result[x * size + y] = sum * share;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blur_keeps_the_sum_and_spreads() {
        let mut values = vec![0.0; 64 * 64];
        values[32 * 64 + 32] = 1.0;
        blur(&mut values, &mut Vec::new(), 64, 3);
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(values[32 * 64 + 32] < 0.1);
        assert!((values[32 * 64 + 28] - values[28 * 64 + 32]).abs() < 1e-6);
    }
}
