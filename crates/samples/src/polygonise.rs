//! Surface nets: one vertex a grid cell that the surface passes, one quad a grid edge that it cuts,
//! then evened out along the surface. Where the solid is the intersection of two fields, the vertices of
//! the cells that their edge passes are put onto that edge.

use super::sdf::gradient;
use glam::{UVec3, Vec3};
use rebone_model::Clamp as _;

/// Triangles of a surface, outside to the front.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) indices: Vec<u32>,
}

/// Cells along one edge of a block that is skipped where the surface is far.
const BLOCK: u32 = 8;
/// Steps of evening out.
const RELAXATIONS: usize = 4;
const NO_VERTEX: u32 = u32::MAX;

struct Grid {
    origin: Vec3,
    cell: f32,
    /// Corners along each axis.
    size: UVec3,
    values: Vec<f32>,
}

impl Grid {
    fn index(&self, at: UVec3) -> usize {
        ((at.z * self.size.y + at.y) * self.size.x + at.x) as usize
    }

    fn point(&self, at: UVec3) -> Vec3 {
        self.origin + at.as_vec3() * self.cell
    }

    fn sample(field: &dyn Fn(Vec3) -> f32, low: Vec3, high: Vec3, cell: f32) -> Self {
        let origin = low - 2.0 * cell;
        let size = ((high - low) / cell).ceil().as_uvec3() + 5;
        let mut grid = Self {
            origin,
            cell,
            size,
            values: vec![0.0; (size.x * size.y * size.z) as usize],
        };
        for block_z in 0..size.z.div_ceil(BLOCK) {
            for block_y in 0..size.y.div_ceil(BLOCK) {
                for block_x in 0..size.x.div_ceil(BLOCK) {
                    grid.sample_block(field, UVec3::new(block_x, block_y, block_z) * BLOCK);
                }
            }
        }
        grid
    }

    fn sample_block(&mut self, field: &dyn Fn(Vec3) -> f32, start: UVec3) {
        let middle = self.point(start) + 0.5 * BLOCK as f32 * self.cell;
        let far = field(middle);
        // The fields are not exact distances (ellipsoids, blends), hence twice the half diagonal.
        let skip = far.abs() > 2.0 * 0.87 * BLOCK as f32 * self.cell;
        let end = (start + BLOCK).min(self.size);
        for z in start.z..end.z {
            for y in start.y..end.y {
                for x in start.x..end.x {
                    let at = UVec3::new(x, y, z);
                    let index = self.index(at);
                    self.values[index] = if skip { far } else { field(self.point(at)) };
                }
            }
        }
    }

    fn inside(&self, at: UVec3) -> bool {
        self.values[self.index(at)] < 0.0
    }

    /// Mean of the points where the surface cuts the edges of a cell.
    fn cell_vertex(&self, cell: UVec3) -> Option<Vec3> {
        let corner = |number: u32| cell + UVec3::new(number & 1, number >> 1 & 1, number >> 2);
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for number in 0..8u32 {
            for bit in [1, 2, 4] {
                if number & bit != 0 {
                    continue;
                }
                let (from, to) = (corner(number), corner(number | bit));
                let (a, b) = (self.values[self.index(from)], self.values[self.index(to)]);
                if (a < 0.0) != (b < 0.0) {
                    sum += self.point(from).lerp(self.point(to), a / (a - b));
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| sum / count)
    }
}

/// A distance field.
pub(super) type Field<'a> = &'a dyn Fn(Vec3) -> f32;

/// A solid: the intersection of its fields. The edge between them is kept sharp, and lit like the first.
#[derive(Clone, Copy)]
pub(super) struct Solid<'a> {
    pub(super) skin: Field<'a>,
    pub(super) cut: Option<Field<'a>>,
}

impl Solid<'_> {
    fn distance(&self, point: Vec3) -> f32 {
        let skin = (self.skin)(point);
        self.cut.map_or(skin, |cut| skin.max(cut(point)))
    }

    /// True where both fields change sign within a cell.
    fn has_edge_in(&self, grid: &Grid, cell: UVec3) -> bool {
        let Some(cut) = self.cut else {
            return false;
        };
        [self.skin, cut].into_iter().all(|field| {
            let mut inside = 0;
            for number in 0..8u32 {
                let corner = cell + UVec3::new(number & 1, number >> 1 & 1, number >> 2);
                inside += u32::from(field(grid.point(corner)) < 0.0);
            }
            inside > 0 && inside < 8
        })
    }

    /// The point of the edge next to a point, where it is near.
    fn on_edge(&self, point: Vec3, cell: f32) -> Option<Vec3> {
        let cut = self.cut?;
        let mut moved = point;
        for _ in 0..6 {
            for field in [cut, self.skin] {
                moved -= gradient(field, moved, 0.1 * cell) * field(moved);
            }
        }
        (moved.distance(point) < 1.2 * cell).then_some(moved)
    }
}

/// The surface of a solid within a box, in cells of the given edge length.
pub(super) fn polygonise(solid: Solid<'_>, low: Vec3, high: Vec3, cell: f32) -> Surface {
    let field: Field<'_> = &|point| solid.distance(point);
    let grid = Grid::sample(field, low, high, cell);
    let mut on_edge = Vec::new();
    let mut vertex_of = vec![NO_VERTEX; grid.values.len()];
    let mut positions = Vec::new();
    for z in 0..grid.size.z - 1 {
        for y in 0..grid.size.y - 1 {
            for x in 0..grid.size.x - 1 {
                let at = UVec3::new(x, y, z);
                if let Some(vertex) = grid.cell_vertex(at) {
                    vertex_of[grid.index(at)] = positions.len() as u32;
                    positions.push(vertex);
                    on_edge.push(solid.has_edge_in(&grid, at));
                }
            }
        }
    }
    let quads = quads(&grid, &vertex_of);
    relax(solid, &mut positions, &quads, &on_edge, cell);
    let normals = positions
        .iter()
        .zip(&on_edge)
        .map(|(&point, &on_edge)| {
            let lit = if on_edge { solid.skin } else { field };
            gradient(lit, point, 0.3 * cell)
        })
        .collect();
    Surface {
        indices: triangles(&positions, &quads),
        positions,
        normals,
    }
}

fn quads(grid: &Grid, vertex_of: &[u32]) -> Vec<[u32; 4]> {
    let mut quads = Vec::new();
    let axes = [
        (UVec3::X, UVec3::Y, UVec3::Z),
        (UVec3::Y, UVec3::Z, UVec3::X),
        (UVec3::Z, UVec3::X, UVec3::Y),
    ];
    for z in 1..grid.size.z - 1 {
        for y in 1..grid.size.y - 1 {
            for x in 1..grid.size.x - 1 {
                let at = UVec3::new(x, y, z);
                for (along, side, other) in axes {
                    let inside = grid.inside(at);
                    if inside == grid.inside(at + along) {
                        continue;
                    }
                    let mut quad = [at - side - other, at - other, at, at - side]
                        .map(|cell| vertex_of[grid.index(cell)]);
                    if quad.contains(&NO_VERTEX) {
                        continue;
                    }
                    if !inside {
                        quad.reverse();
                    }
                    quads.push(quad);
                }
            }
        }
    }
    quads
}

/// Moves every vertex towards the mean of its neighbours and back onto the surface; vertices on an edge
/// only mind neighbours on the edge, and go back onto it.
fn relax(
    solid: Solid<'_>,
    positions: &mut [Vec3],
    quads: &[[u32; 4]],
    on_edge: &[bool],
    cell: f32,
) {
    let field: Field<'_> = &|point| solid.distance(point);
    for _ in 0..RELAXATIONS {
        let mut sums = vec![(Vec3::ZERO, 0.0f32); positions.len()];
        for quad in quads {
            for corner in 0..4 {
                let (a, b) = (quad[corner] as usize, quad[(corner + 1) % 4] as usize);
                for (own, other) in [(a, b), (b, a)] {
                    if on_edge[other] || !on_edge[own] {
                        sums[own].0 += positions[other];
                        sums[own].1 += 1.0;
                    }
                }
            }
        }
        for ((position, (sum, count)), &on_edge) in positions.iter_mut().zip(sums).zip(on_edge) {
            if count > 0.0 {
                *position = position.lerp(sum / count, if on_edge { 0.3 } else { 0.6 });
            }
            if on_edge && let Some(snapped) = solid.on_edge(*position, cell) {
                *position = snapped;
                continue;
            }
            for _ in 0..2 {
                let step = field(*position).clamped(-0.5 * cell, 0.5 * cell);
                *position -= gradient(field, *position, 0.2 * cell) * step;
            }
        }
    }
}

/// Splits every quad along its shorter diagonal.
fn triangles(positions: &[Vec3], quads: &[[u32; 4]]) -> Vec<u32> {
    let mut indices = Vec::with_capacity(quads.len() * 6);
    for &[a, b, c, d] in quads {
        let length =
            |from: u32, to: u32| positions[from as usize].distance_squared(positions[to as usize]);
        if length(a, c) <= length(b, d) {
            indices.extend([a, b, c, a, c, d]);
        } else {
            indices.extend([a, b, d, b, c, d]);
        }
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_is_round_closed_and_faces_outwards() {
        let field = |point: Vec3| point.length() - 0.1;
        let solid = Solid {
            skin: &field,
            cut: None,
        };
        let surface = polygonise(solid, Vec3::splat(-0.1), Vec3::splat(0.1), 0.02);
        assert!(surface.positions.len() > 200);
        for (position, normal) in surface.positions.iter().zip(&surface.normals) {
            assert!((position.length() - 0.1).abs() < 1e-4);
            assert!(position.dot(*normal) > 0.0999);
        }
        let mut volume = 0.0;
        for triangle in surface.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| surface.positions[triangle[corner] as usize]);
            volume += a.cross(b).dot(c) / 6.0;
        }
        assert!(volume > 0.0039 && volume < 0.0042, "{volume}");
    }
}
