//! The colour of what is visible.
//!
//! A warm key light from over the camera's left shoulder, wrapped a little around the body and held
//! back by its shadow; light from the sky above and the floor below; a faint bright rim at edges seen
//! from the side; a small highlight. All in linear light.

use crate::color::Transfer;
use crate::scene::{Scene, perspective, weighted};
use crate::shadow::Shadows;
use crate::stage::Stage;
use glam::{Vec2, Vec3, Vec3A};

const KEY: Vec3A = Vec3A::new(0.98, 0.94, 0.87);
const SKY: Vec3A = Vec3A::new(0.38, 0.41, 0.46);
const GROUND: Vec3A = Vec3A::new(0.19, 0.18, 0.18);
const RIM: Vec3A = Vec3A::new(0.17, 0.19, 0.22);
/// Share of the key light that a shadow of the body on itself leaves.
const SHADOW_LEAVES: f32 = 0.25;

/// Shades visible triangles of one scene.
pub(crate) struct Shader<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) stage: &'a Stage<'a>,
    pub(crate) shadows: &'a Shadows,
    pub(crate) transfer: &'a Transfer,
    pub(crate) to_light: Vec3A,
    /// Direction to the eye. The lens is long enough for one to serve the whole body.
    pub(crate) to_eye: Vec3A,
    /// Unit vector halfway between both.
    pub(crate) halfway: Vec3A,
    /// Lower than this is under the floor, metres.
    pub(crate) sunk_below: f32,
}

impl Shader<'_> {
    /// Linear colour of a triangle at a place on the screen (in samples), and whether that is under
    /// the floor.
    #[inline]
    pub(crate) fn shade(&self, triangle: u32, at: Vec2) -> (Vec3A, bool) {
        let scene = self.scene;
        let triangle = &scene.triangles[triangle as usize];
        let corners = triangle.corners.map(|corner| corner as usize);
        let screen = corners.map(|corner| scene.screen[corner]);
        let weights = weights_at(screen.map(Vec3::truncate), at);
        let weights = perspective(weights, screen.map(|corner| corner.z));
        let position = weighted(corners.map(|corner| scene.positions[corner]), weights);
        let normal = weighted(corners.map(|corner| scene.normals[corner]), weights);
        let paint = &scene.paints[usize::from(triangle.paint)];
        let mut albedo = paint.color;
        if scene.has_colors {
            albedo *= weighted(corners.map(|corner| scene.colors[corner]), weights);
        }
        if let Some(texture) = paint.image.and_then(|image| self.stage.textures.get(image)) {
            let uv = weighted(corners.map(|corner| scene.uvs[corner]), weights);
            albedo *= texture.sample(uv, triangle.level, self.transfer).0;
        }
        let mut normal = normal.normalize_or(self.to_eye);
        if paint.double_sided && normal.dot(self.to_eye) < -0.15 {
            normal = -normal;
        }
        let color = self.light(albedo, position, normal, paint.gloss);
        (color, position.y < self.sunk_below)
    }

    #[inline]
    fn light(&self, albedo: Vec3A, position: Vec3A, normal: Vec3A, gloss: f32) -> Vec3A {
        let toward = normal.dot(self.to_light);
        let wrapped = ((toward + 0.18) / 1.18).max(0.0);
        let lit = if wrapped > 0.0 {
            SHADOW_LEAVES + (1.0 - SHADOW_LEAVES) * self.shadows.lit(position, normal)
        } else {
            1.0
        };
        let key = wrapped * lit;
        let ambient = GROUND + (SKY - GROUND) * (0.5 + 0.5 * normal.y);
        let facing = normal.dot(self.to_eye).clamp(0.0, 1.0);
        let edge = 1.0 - facing;
        let rim = RIM * (edge * edge * edge * (0.6 + 0.4 * normal.y));
        let shine = normal.dot(self.halfway).max(0.0).powi(24) * gloss * lit;
        soften(albedo * (KEY * key + ambient) + rim * (albedo + 0.15) + Vec3A::splat(shine))
    }
}

/// Bends what is brighter than 0.8 so that it reaches 1 late and without a hard edge.
#[inline]
fn soften(color: Vec3A) -> Vec3A {
    let over = (color - 0.8).max(Vec3A::ZERO);
    color.min(Vec3A::splat(0.8)) + over / (Vec3A::ONE + over * 4.0)
}

/// Barycentric weights of a point, drawn to the triangle where it lies a little outside.
#[inline]
fn weights_at(corners: [Vec2; 3], at: Vec2) -> [f32; 3] {
    let [a, b, c] = corners;
    let area = (b - a).perp_dot(c - a);
    let scale = 1.0 / area;
    let first = ((c - b).perp_dot(at - b) * scale).clamp(0.0, 1.0);
    let second = ((a - c).perp_dot(at - c) * scale).clamp(0.0, 1.0 - first);
    [first, second, 1.0 - first - second]
}
