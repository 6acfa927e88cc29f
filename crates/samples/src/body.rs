//! A character's skin from pieces: garments, head, hands, features, each a smooth solid of its own.
//!
//! A piece may lie on another one like a sticker (`on`): it is then the shell of that piece within its
//! own parts. Triangles that lie inside another piece are left out.

use super::polygonise::{Solid, Surface, polygonise};
use super::rig::{Rig, on_side};
use super::sdf::{Shape, smooth_max, smooth_min, smoothstep};
use super::weights::{Chain, NamedChain, chains, top_four};
use glam::Vec3;
use rebone_model::Clamp as _;
use rebone_model::{Character, Material, Mesh, Skin};

/// A primitive of a piece.
#[derive(Clone, Debug)]
pub(super) struct Part {
    shape: Shape,
    chain: String,
    blend: f32,
    both: bool,
    ghost: bool,
}

/// A primitive that moves with a chain, once a side where the chain's name holds a `*`. `blend` is
/// the width over which it melts into the parts before it.
pub(super) fn part(chain: &str, shape: Shape, blend: f32) -> Part {
    Part {
        shape,
        chain: chain.to_owned(),
        blend,
        both: chain.contains('*'),
        ghost: false,
    }
}

impl Part {
    /// Also on the other side.
    pub(super) fn both(mut self) -> Self {
        self.both = true;
        self
    }

    /// Takes part in the weights but not in the shape.
    pub(super) fn ghost(mut self) -> Self {
        self.ghost = true;
        self
    }
}

/// A connected solid of one colour.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    parts: Vec<Part>,
    cuts: Vec<Shape>,
    carvings: Vec<(Shape, f32)>,
    shell: Option<(usize, f32)>,
    color: [f32; 3],
    tints: Vec<(Shape, f32, [f32; 3])>,
    cell: f32,
    softness: f32,
    hidden_below: f32,
}

impl Piece {
    /// Parts in one colour (sRGB as `0xRRGGBB`), polygonised in cells of `cell` metres.
    pub(super) fn new(color: u32, cell: f32, parts: Vec<Part>) -> Self {
        Self {
            parts,
            cuts: Vec::new(),
            carvings: Vec::new(),
            shell: None,
            color: linear(color),
            tints: Vec::new(),
            cell,
            softness: 0.03,
            hidden_below: 0.5 * cell,
        }
    }

    /// Keeps only what lies within the shape. Stated for the left side, done on both.
    pub(super) fn within(mut self, shape: Shape) -> Self {
        self.cuts.push(shape);
        self
    }

    /// Takes a shape away, with an edge rounded over `blend`. Stated for the left side, done on both.
    pub(super) fn without(mut self, shape: Shape, blend: f32) -> Self {
        self.carvings.push((shape, blend));
        self
    }

    /// Makes the piece a layer of this thickness on an earlier piece, where its parts are.
    pub(super) fn on(mut self, piece: usize, thickness: f32) -> Self {
        self.shell = Some((piece, thickness));
        self.hidden_below = 0.0;
        self
    }

    /// Another colour within a shape, with a border of this softness. Stated for the left side, done
    /// on both.
    pub(super) fn tint(mut self, shape: Shape, softness: f32, color: u32) -> Self {
        self.tints.push((shape, softness, linear(color)));
        self
    }

    /// The distance over which one limb gives way to the next; 0.03 m unless told.
    pub(super) fn soft(mut self, softness: f32) -> Self {
        self.softness = softness;
        self
    }

    /// The same piece, larger by `factor` about a point.
    pub(super) fn scaled(mut self, about: [f32; 3], factor: f32) -> Self {
        let about = Vec3::from(about);
        for part in &mut self.parts {
            part.shape = part.shape.scaled(about, factor);
            part.blend *= factor;
        }
        for shape in self
            .cuts
            .iter_mut()
            .chain(self.carvings.iter_mut().map(|(s, _)| s))
        {
            *shape = shape.scaled(about, factor);
        }
        for (shape, _, _) in &mut self.tints {
            *shape = shape.scaled(about, factor);
        }
        self
    }

    /// True where the first part moves with this chain.
    pub(super) fn is_of(&self, chain: &str) -> bool {
        self.parts.first().is_some_and(|part| part.chain == chain)
    }

    fn distance(&self, pieces: &[Self], point: Vec3) -> f32 {
        self.skin(pieces, point).max(self.cut(point))
    }

    /// Union of the parts.
    fn union(&self, point: Vec3) -> f32 {
        let mut distance = f32::INFINITY;
        for part in self.parts.iter().filter(|part| !part.ghost) {
            let next = part.shape.distance(point);
            distance = if distance == f32::INFINITY {
                next
            } else {
                smooth_min(distance, next, part.blend)
            };
        }
        distance
    }

    /// The smooth surface of the piece before it is cut: of a layer its upper side, else its parts less
    /// the carvings.
    fn skin(&self, pieces: &[Self], point: Vec3) -> f32 {
        if let Some((base, thickness)) = self.shell {
            return pieces[base].distance(pieces, point) - thickness;
        }
        let left = point.with_x(point.x.abs());
        self.carvings
            .iter()
            .fold(self.union(point), |distance, (carving, blend)| {
                smooth_max(distance, -carving.distance(left), *blend)
            })
    }

    /// What cuts the surface off with a sharp edge.
    fn cut(&self, point: Vec3) -> f32 {
        let left = point.with_x(point.x.abs());
        let outline = match self.shell {
            Some(_) => self.union(point),
            None => f32::NEG_INFINITY,
        };
        self.cuts
            .iter()
            .fold(outline, |most, cut| most.max(cut.distance(left)))
    }

    fn is_cut(&self) -> bool {
        self.shell.is_some() || !self.cuts.is_empty()
    }

    fn bounds(&self) -> (Vec3, Vec3) {
        let boxes = |shapes: &mut dyn Iterator<Item = Shape>| {
            shapes
                .filter_map(|shape| shape.bounds())
                .reduce(|(low, high), (l, h)| (low.min(l), high.max(h)))
        };
        let mut parts = self.parts.iter().filter(|p| !p.ghost).map(|p| p.shape);
        let (low, high) = boxes(&mut parts).unwrap_or((Vec3::ZERO, Vec3::ZERO));
        (low - 0.25 * self.cell, high + 0.25 * self.cell)
    }

    fn color_at(&self, point: Vec3) -> [f32; 3] {
        let mut color = self.color;
        let point = point.with_x(point.x.abs());
        for (shape, softness, tint) in &self.tints {
            let amount = smoothstep(*softness, -*softness, shape.distance(point));
            for (own, other) in color.iter_mut().zip(tint) {
                *own += (other - *own) * amount;
            }
        }
        color
    }
}

/// Everything that makes a character.
#[derive(Clone, Debug)]
pub(super) struct Body<'a> {
    pub(super) name: &'a str,
    pub(super) rig: &'a Rig,
    pub(super) chains: Vec<NamedChain>,
    pub(super) pieces: Vec<Piece>,
}

/// The character: its skeleton with one skin and one mesh over all joints.
pub(super) fn character(body: Body<'_>) -> Character {
    let chains = chains(body.rig, &body.chains);
    let pieces: Vec<Piece> = body
        .pieces
        .into_iter()
        .map(|piece| both_sides(piece, body.rig.sides))
        .collect();
    let mut mesh = Mesh {
        name: body.name.to_owned(),
        material: Some(0),
        skin: Some(0),
        ..Mesh::default()
    };
    for index in 0..pieces.len() {
        let piece = &pieces[index];
        let skin = |point: Vec3| piece.skin(&pieces, point);
        let cut = |point: Vec3| piece.cut(point);
        let solid = Solid {
            skin: &skin,
            cut: piece.is_cut().then_some(&cut),
        };
        let (low, high) = piece.bounds();
        let surface = polygonise(solid, low, high, piece.cell);
        let surface = visible(surface, &pieces, index);
        append(&mut mesh, &surface, &pieces, index, &chains, body.rig);
    }
    Character {
        name: body.name.to_owned(),
        skeleton: body.rig.skeleton.clone(),
        skins: vec![Skin {
            name: body.name.to_owned(),
            joints: (0..body.rig.skeleton.len()).collect(),
            inverse_bind: body.rig.inverse_bind(),
        }],
        meshes: vec![mesh],
        materials: vec![Material {
            name: "vertex_colours".to_owned(),
            base_color: [1.0; 4],
            base_color_image: None,
            alpha_cutoff: None,
            double_sided: false,
        }],
        ..Character::default()
    }
}

/// Replaces every two-sided part by a left and a right one.
fn both_sides(mut piece: Piece, sides: [&str; 2]) -> Piece {
    let mut parts = Vec::new();
    for part in piece.parts {
        let left = Part {
            chain: on_side(&part.chain, sides[0]),
            ..part.clone()
        };
        parts.push(left);
        if part.both {
            parts.push(Part {
                chain: on_side(&part.chain, sides[1]),
                shape: part.shape.mirrored(),
                ..part
            });
        }
    }
    piece.parts = parts;
    piece
}

/// Leaves out what lies inside other pieces.
fn visible(surface: Surface, pieces: &[Piece], own: usize) -> Surface {
    let hidden: Vec<bool> = surface
        .positions
        .iter()
        .map(|&point| {
            pieces.iter().enumerate().any(|(index, piece)| {
                // A layer lies on its base, so it hides nothing of it reliably.
                index != own
                    && piece.shell.is_none()
                    && piece.distance(pieces, point) < -pieces[own].hidden_below
            })
        })
        .collect();
    let mut new_index = vec![u32::MAX; surface.positions.len()];
    let mut result = Surface::default();
    for triangle in surface.indices.chunks_exact(3) {
        if triangle.iter().all(|&vertex| hidden[vertex as usize]) {
            continue;
        }
        for &vertex in triangle {
            let slot = &mut new_index[vertex as usize];
            if *slot == u32::MAX {
                *slot = result.positions.len() as u32;
                result.positions.push(surface.positions[vertex as usize]);
                result.normals.push(surface.normals[vertex as usize]);
            }
            result.indices.push(*slot);
        }
    }
    result
}

fn append(
    mesh: &mut Mesh,
    surface: &Surface,
    pieces: &[Piece],
    own: usize,
    chains: &[Chain],
    rig: &Rig,
) {
    let first = mesh.positions.len() as u32;
    let piece = &pieces[own];
    let chain_of: Vec<usize> = piece
        .parts
        .iter()
        .map(|part| {
            let found = chains.iter().position(|chain| chain.name == part.chain);
            debug_assert!(found.is_some(), "no chain {}", part.chain);
            found.unwrap_or(0)
        })
        .collect();
    for (&position, &normal) in surface.positions.iter().zip(&surface.normals) {
        let distances: Vec<(usize, f32)> = (0..chains.len())
            .filter_map(|chain| {
                let parts = piece.parts.iter().zip(&chain_of);
                let own = parts.filter(|&(_, &part_chain)| part_chain == chain);
                own.map(|(part, _)| part.shape.distance(position))
                    .reduce(f32::min)
                    .map(|distance| (chain, distance))
            })
            .collect();
        let joint_count = rig.skeleton.len();
        let (slots, weights) = top_four(chains, &distances, piece.softness, position, joint_count);
        let light = openness(pieces, position, normal);
        let color = piece.color_at(position).map(|part| quantised(part * light));
        mesh.positions.push((position * 1e5).round() / 1e5);
        mesh.normals.push(normal);
        mesh.colors.push([color[0], color[1], color[2], 1.0]);
        mesh.joint_slots.push(slots);
        mesh.joint_weights.push(weights);
    }
    mesh.indices
        .extend(surface.indices.iter().map(|&index| first + index));
}

/// How much light reaches a point past the other parts of the body: 1 in the open, less in folds.
fn openness(pieces: &[Piece], position: Vec3, normal: Vec3) -> f32 {
    let mut shade = 0.0;
    for (reach, amount) in [(0.015f32, 0.35), (0.04, 0.35), (0.09, 0.3)] {
        let probe = position + normal * reach;
        let room = pieces
            .iter()
            .filter(|piece| piece.shell.is_none())
            .map(|piece| piece.distance(pieces, probe))
            .fold(reach, f32::min);
        shade += amount * (1.0 - room.max(0.0) / reach);
    }
    1.0 - 0.55 * shade
}

/// Linear RGB of an sRGB colour `0xRRGGBB`.
fn linear(color: u32) -> [f32; 3] {
    [16, 8, 0].map(|shift| {
        let value = (color >> shift & 0xff) as f32 / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    })
}

/// Whole 65535ths: what the files hold.
fn quantised(value: f32) -> f32 {
    (value.clamped(0.0, 1.0) * 65535.0).round() / 65535.0
}
