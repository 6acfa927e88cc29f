//! The colour of what is visible.
//!
//! A warm key light from over the camera's left shoulder, wrapped a little around the body and held
//! back by its shadow; light from the sky above and the floor below; a faint bright rim at edges seen
//! from the side; a small highlight. All in linear light.

use crate::color::Transfer;
use crate::scene::{Paint, Scene, weighted};
use crate::shadow::Shadows;
use crate::stage::Stage;
use glam::{Vec2, Vec3, Vec3A};
use rebone_model::Clamp as _;

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

/// What the pixels of one triangle have in common; neighbours mostly lie in the same one.
#[derive(Clone, Copy)]
pub(crate) struct Setup {
    triangle: u32,
    /// Weights times nearness at the screen's origin, and their change a sample right and down.
    origin: Vec3A,
    right: Vec3A,
    down: Vec3A,
    positions: [Vec3A; 3],
    normals: [Vec3A; 3],
    colors: [Vec3A; 3],
    uvs: [Vec2; 3],
    paint: Paint,
    level: u8,
}

impl Setup {
    fn new(scene: &Scene, id: u32) -> Self {
        let triangle = &scene.triangles[id as usize];
        let corners = triangle.corners.map(|corner| corner as usize);
        let screen = corners.map(|corner| scene.screen[corner]);
        let [a, b, c] = screen.map(Vec3::truncate);
        let scale = 1.0 / (b - a).perp_dot(c - a);
        // The weight of a corner at p is perp_dot(edge, p - start) / area of the opposite edge.
        let planes = [(c - b, b), (a - c, c), (b - a, a)].map(|(edge, start)| {
            let edge = edge * scale;
            Vec3::new(edge.perp_dot(-start), -edge.y, edge.x)
        });
        let nearness = Vec3A::from_array(screen.map(|corner| corner.z));
        let part = |part: usize| Vec3A::from_array(planes.map(|plane| plane[part])) * nearness;
        Self {
            triangle: id,
            origin: part(0),
            right: part(1),
            down: part(2),
            positions: corners.map(|corner| scene.positions[corner]),
            normals: corners.map(|corner| scene.normals[corner]),
            colors: if scene.has_colors {
                corners.map(|corner| scene.colors[corner])
            } else {
                [Vec3A::ONE; 3]
            },
            uvs: corners.map(|corner| scene.uvs[corner]),
            paint: scene.paints[usize::from(triangle.paint)],
            level: triangle.level,
        }
    }
}

impl Shader<'_> {
    /// Linear colour of a triangle at a place on the screen (in samples), and whether that is under
    /// the floor. `setup` is kept from call to call.
    #[inline]
    pub(crate) fn shade(&self, setup: &mut Option<Setup>, id: u32, at: Vec2) -> (Vec3A, bool) {
        let setup = match setup {
            Some(setup) if setup.triangle == id => setup,
            other => other.insert(Setup::new(self.scene, id)),
        };
        // A pixel's middle may lie a little outside of the triangle that covers its samples.
        let weights = setup.origin + setup.right * at.x + setup.down * at.y;
        let weights = weights.max(Vec3A::splat(0.0));
        let weights = (weights / weights.element_sum()).to_array();
        let position = weighted(setup.positions, weights);
        let normal = weighted(setup.normals, weights);
        let paint = &setup.paint;
        let mut albedo = paint.color * weighted(setup.colors, weights);
        if let Some(texture) = paint.image.and_then(|image| self.stage.textures.get(image)) {
            let uv = weighted(setup.uvs, weights);
            albedo *= texture.sample(uv, setup.level, self.transfer).0;
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
        let facing = normal.dot(self.to_eye).clamped(0.0, 1.0);
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
