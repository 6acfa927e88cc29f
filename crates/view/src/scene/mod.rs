//! The triangles of one cell at one time, in world space and on the screen.

mod solids;

use crate::camera::Eye;
use crate::color::Transfer;
use crate::raster::{NOTHING, SAMPLES_PER_SIDE, Samples, doubled_area};
use crate::sides::{bone_color, joint_color};
use crate::stage::{Posed, Stage};
use glam::{Vec2, Vec3, Vec3A};
use rebone_setup::profile::Side;

/// What a triangle's surface looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    /// Linear.
    pub(crate) color: Vec3A,
    pub(crate) alpha: f32,
    /// Index of the character's image.
    pub(crate) image: Option<usize>,
    /// Alpha below which nothing is seen.
    pub(crate) cutoff: Option<f32>,
    pub(crate) double_sided: bool,
    /// Strength of the highlight.
    pub(crate) gloss: f32,
}

/// Three corners with a paint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    pub(crate) corners: [u32; 3],
    pub(crate) paint: u16,
    /// Copy of the texture to use.
    pub(crate) level: u8,
    /// Seen from its front (or painted on both sides), and wholly in front of the camera.
    pub(crate) visible: bool,
}

/// Vertices and triangles; buffers are kept from cell to cell.
#[derive(Default)]
pub(crate) struct Scene {
    pub(crate) positions: Vec<Vec3A>,
    pub(crate) normals: Vec<Vec3A>,
    pub(crate) uvs: Vec<Vec2>,
    /// Linear, one a vertex.
    pub(crate) colors: Vec<Vec3A>,
    /// False where all vertices are white.
    pub(crate) has_colors: bool,
    /// Samples right, samples down, reciprocal depth; 0 depth for what is not seen.
    pub(crate) screen: Vec<Vec3>,
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) paints: Vec<Paint>,
    /// Triangles from here on shine through the ones before.
    pub(crate) overlay_start: usize,
    seen: Vec<usize>,
}

const PLAIN: Vec3A = Vec3A::new(0.50, 0.53, 0.58);

impl Scene {
    /// Fills the scene with what an actor shows of itself.
    pub(crate) fn fill(
        &mut self,
        stage: &Stage<'_>,
        posed: &Posed,
        eye: &Eye,
        transfer: &Transfer,
        bones: bool,
    ) {
        self.positions.clear();
        self.normals.clear();
        self.uvs.clear();
        self.colors.clear();
        self.has_colors = false;
        self.triangles.clear();
        self.paints.clear();
        self.paints_of(stage, transfer);
        if stage.shows_mesh {
            for index in 0..stage.surfaces.len() {
                self.add_surface(stage, posed, index);
            }
        }
        self.overlay_start = self.triangles.len();
        if stage.shows_bones && bones {
            self.add_bones(stage, posed);
            if !stage.shows_mesh {
                self.overlay_start = self.triangles.len();
            }
        }
        self.project(stage, eye);
    }

    fn paints_of(&mut self, stage: &Stage<'_>, transfer: &Transfer) {
        for material in &stage.character.materials {
            let [r, g, b, a] = material.base_color;
            let color = Vec3A::new(r, g, b);
            let image = material.base_color_image;
            self.paints.push(Paint {
                color: if color.is_finite() { color } else { PLAIN },
                alpha: a,
                image: image.filter(|&image| stage.textures.get(image).is_some()),
                cutoff: material.alpha_cutoff,
                double_sided: material.double_sided,
                gloss: 0.05,
            });
        }
        let solid = |color| Paint {
            color,
            alpha: 1.0,
            image: None,
            cutoff: None,
            double_sided: true,
            gloss: 0.05,
        };
        self.paints.push(solid(PLAIN));
        for side in [Side::Left, Side::Right, Side::Center] {
            for color in [bone_color(side), joint_color(side)] {
                self.paints.push(Paint {
                    gloss: 0.22,
                    ..solid(transfer.linear3(color))
                });
            }
        }
    }

    fn add_surface(&mut self, stage: &Stage<'_>, posed: &Posed, index: usize) {
        let surface = &stage.surfaces[index];
        let mesh = surface.mesh;
        let first = self.vertex_count();
        let base = stage.world_from_model;
        surface.place(
            &posed.palettes,
            &posed.world,
            base,
            1,
            |position, normal| {
                self.positions.push(position);
                self.normals.push(normal);
            },
        );
        let count = mesh.positions.len();
        if mesh.uvs.len() == count {
            self.uvs.extend_from_slice(&mesh.uvs);
        } else {
            self.uvs.resize(self.positions.len(), Vec2::ZERO);
        }
        if mesh.colors.len() == count {
            self.has_colors = true;
            let colors = mesh.colors.iter();
            self.colors
                .extend(colors.map(|&[r, g, b, _]| Vec3A::new(r, g, b)));
        } else {
            self.colors.resize(self.positions.len(), Vec3A::ONE);
        }
        let known = stage.character.materials.len();
        let paint = mesh.material.map_or(known, |material| material.min(known));
        let paint = u16::try_from(paint).unwrap_or(0);
        self.triangles
            .extend(surface.triangles.iter().map(|corners| Triangle {
                corners: corners.map(|corner| corner + first),
                paint,
                level: 0,
                visible: true,
            }));
        if surface.is_mirrored(&posed.palettes, &posed.world, base) {
            let added = self.triangles.len() - surface.triangles.len();
            for triangle in &mut self.triangles[added..] {
                triangle.corners.swap(1, 2);
            }
        }
    }

    fn add_bones(&mut self, stage: &Stage<'_>, posed: &Posed) {
        let base = stage.character.materials.len() + 1;
        let paint = |side: Side, joint: bool| {
            let offset = match side {
                Side::Left => 0,
                Side::Right => 2,
                Side::Center => 4,
            };
            u16::try_from(base + offset + usize::from(joint)).unwrap_or(0)
        };
        for bone in &stage.drawing.bones {
            if let Some((from, to)) = bone.ends(&posed.world) {
                solids::add_bone(self, from, to, bone.radius, paint(bone.side, false));
            }
        }
        for knob in &stage.drawing.knobs {
            if let Some(place) = posed.world.get(knob.joint) {
                let center = place.translation;
                solids::add_sphere(self, center, knob.radius, paint(knob.side, true));
            }
        }
    }

    fn project(&mut self, stage: &Stage<'_>, eye: &Eye) {
        let samples = SAMPLES_PER_SIDE as f32;
        self.screen.clear();
        self.screen.extend(self.positions.iter().map(|&position| {
            eye.project(position).map_or(Vec3::ZERO, |pixel| {
                Vec3::new(pixel.x * samples, pixel.y * samples, pixel.z)
            })
        }));
        for triangle in &mut self.triangles {
            let corners = triangle.corners.map(|corner| self.screen[corner as usize]);
            let area = doubled_area(corners.map(Vec3::truncate));
            let Some(paint) = self.paints.get(usize::from(triangle.paint)) else {
                triangle.visible = false;
                continue;
            };
            triangle.visible =
                corners.iter().all(|corner| corner.z > 0.0) && (area < 0.0 || paint.double_sided);
            if let Some(texture) = paint.image.and_then(|image| stage.textures.get(image)) {
                let uvs = triangle.corners.map(|corner| self.uvs[corner as usize]);
                let pixels = area.abs() / (samples * samples);
                triangle.level = texture.level_for(doubled_area(uvs).abs(), pixels);
            }
        }
    }

    /// Enters a range of triangles where they are seen.
    pub(crate) fn rasterize(
        &mut self,
        samples: &mut Samples,
        stage: &Stage<'_>,
        transfer: &Transfer,
        overlay: bool,
    ) {
        let range = if overlay {
            self.overlay_start..self.triangles.len()
        } else {
            0..self.overlay_start
        };
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        seen.extend(range.filter(|&index| self.triangles[index].visible));
        for &index in &seen {
            let triangle = self.triangles[index];
            let corners = triangle.corners.map(|corner| self.screen[corner as usize]);
            let nearness = corners.map(|corner| corner.z);
            let flat = corners.map(Vec3::truncate);
            let paint = &self.paints[usize::from(triangle.paint)];
            let id = index as u32;
            let Some(cutoff) = paint.cutoff else {
                samples.enter(flat, nearness, id, |_| true);
                continue;
            };
            let texture = paint.image.and_then(|image| stage.textures.get(image));
            let uvs = triangle.corners.map(|corner| self.uvs[corner as usize]);
            samples.enter(flat, nearness, id, |weights| {
                let alpha = texture.map_or(1.0, |texture| {
                    let uv = weighted(uvs, perspective(weights, nearness));
                    texture.sample(uv, triangle.level, transfer).1
                });
                alpha * paint.alpha >= cutoff
            });
        }
        self.seen = seen;
    }

    /// True where the triangles of four samples are one, or meet in shared vertices: their surface has
    /// no edge there.
    #[inline]
    pub(crate) fn is_smooth(&self, seen: [u32; 4]) -> bool {
        let [first, others @ ..] = seen;
        if first == NOTHING {
            return false;
        }
        others.iter().all(|&other| {
            other == first
                || (other != NOTHING && {
                    let corners = self.triangles[first as usize].corners;
                    let others = self.triangles[other as usize].corners;
                    corners.iter().any(|corner| others.contains(corner))
                })
        })
    }

    pub(crate) fn vertex_count(&self) -> u32 {
        self.positions.len() as u32
    }

    pub(crate) fn add_vertex(&mut self, position: Vec3A, normal: Vec3A, uv: Vec2, color: Vec3A) {
        self.positions.push(position);
        self.normals.push(normal);
        self.uvs.push(uv);
        self.colors.push(color);
    }

    pub(crate) fn add_triangle(&mut self, corners: [u32; 3], paint: u16) {
        self.triangles.push(Triangle {
            corners,
            paint,
            level: 0,
            visible: true,
        });
    }
}

/// Weights in space from weights on the screen.
#[inline]
pub(crate) fn perspective(weights: [f32; 3], nearness: [f32; 3]) -> [f32; 3] {
    let scaled = [
        weights[0] * nearness[0],
        weights[1] * nearness[1],
        weights[2] * nearness[2],
    ];
    let total = 1.0 / (scaled[0] + scaled[1] + scaled[2]);
    scaled.map(|weight| weight * total)
}

#[inline]
pub(crate) fn weighted<V>(values: [V; 3], weights: [f32; 3]) -> V
where
    V: std::ops::Mul<f32, Output = V> + std::ops::Add<Output = V> + Copy,
{
    values[0] * weights[0] + values[1] * weights[1] + values[2] * weights[2]
}
