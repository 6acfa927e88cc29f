//! Where the vertices of meshes are at one time.
//!
//! Linear blend skinning: a vertex p with slots i and weights w moves to
//! `(Σ wᵢ · W_joint(i) · B_i) p / Σ wᵢ`, where W is world from joint and B joint from mesh in the bind
//! pose. A vertex without weight, and a mesh without skin, moves with its joint, else not at all.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use rebone_model::{Character, Mesh};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A mesh made ready for drawing: valid triangles only, normals for every vertex.
pub(crate) struct Surface<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) normals: Cow<'a, [Vec3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
    skinned: bool,
}

/// World from mesh for every slot of every skin, at one time.
#[derive(Default)]
pub(crate) struct Palettes {
    matrices: Vec<Affine3A>,
    starts: Vec<usize>,
}

impl Palettes {
    pub(crate) fn update(&mut self, character: &Character, world: &[Affine3A]) {
        self.matrices.clear();
        self.starts.clear();
        for skin in &character.skins {
            self.starts.push(self.matrices.len());
            for (slot, &joint) in skin.joints.iter().enumerate() {
                let bind = skin.inverse_bind.get(slot).copied();
                let place = world.get(joint).copied().unwrap_or(Affine3A::IDENTITY);
                self.matrices
                    .push(place * bind.unwrap_or(Affine3A::IDENTITY));
            }
        }
        self.starts.push(self.matrices.len());
    }

    fn of(&self, skin: usize) -> &[Affine3A] {
        match (self.starts.get(skin), self.starts.get(skin + 1)) {
            (Some(&start), Some(&end)) => &self.matrices[start..end],
            _ => &[],
        }
    }
}

impl<'a> Surface<'a> {
    pub(crate) fn new(character: &Character, mesh: &'a Mesh) -> Self {
        let count = mesh.positions.len();
        let triangles: Vec<[u32; 3]> = mesh
            .indices
            .chunks_exact(3)
            .map(|corners| [corners[0], corners[1], corners[2]])
            .filter(|corners| {
                let [a, b, c] = *corners;
                a != b && b != c && a != c && corners.iter().all(|&at| (at as usize) < count)
            })
            .collect();
        let normals = if mesh.normals.len() == count {
            Cow::Borrowed(mesh.normals.as_slice())
        } else {
            Cow::Owned(smooth_normals(&mesh.positions, &triangles))
        };
        let skinned = mesh.skin.is_some_and(|skin| skin < character.skins.len())
            && mesh.joint_slots.len() == count
            && mesh.joint_weights.len() == count;
        Self {
            mesh,
            normals,
            triangles,
            skinned,
        }
    }

    /// World from mesh where the whole mesh moves rigidly.
    fn rigid(&self, palettes: &Palettes, world: &[Affine3A], base: Affine3A) -> Affine3A {
        match (self.mesh.joint, self.mesh.skin) {
            (Some(joint), _) => world.get(joint).copied().unwrap_or(base),
            (None, Some(skin)) => palettes.of(skin).first().copied().unwrap_or(base),
            (None, None) => base,
        }
    }

    /// True where the surface is seen mirrored, so that its triangles turn the other way.
    pub(crate) fn is_mirrored(
        &self,
        palettes: &Palettes,
        world: &[Affine3A],
        base: Affine3A,
    ) -> bool {
        self.rigid(palettes, world, base).matrix3.determinant() < 0.0
    }

    /// Calls `visit` with position and normal (of any length) of every `stride`-th vertex, world space.
    pub(crate) fn place(
        &self,
        palettes: &Palettes,
        world: &[Affine3A],
        base: Affine3A,
        stride: usize,
        mut visit: impl FnMut(Vec3A, Vec3A),
    ) {
        let rigid = self.rigid(palettes, world, base);
        let palette = self.mesh.skin.map_or(&[][..], |skin| palettes.of(skin));
        let vertices = self.mesh.positions.iter().zip(self.normals.iter());
        for (index, (&position, &normal)) in vertices.enumerate().step_by(stride.max(1)) {
            let matrix = if self.skinned {
                let slots = self.mesh.joint_slots[index];
                let weights = self.mesh.joint_weights[index];
                blend(palette, slots, weights).unwrap_or(rigid)
            } else {
                rigid
            };
            visit(
                matrix.transform_point3a(position.into()),
                matrix.matrix3 * Vec3A::from(normal),
            );
        }
    }
}

#[inline]
fn blend(palette: &[Affine3A], slots: [u16; 4], weights: [f32; 4]) -> Option<Affine3A> {
    let mut sum = Affine3A {
        matrix3: Mat3A::ZERO,
        translation: Vec3A::ZERO,
    };
    let mut total = 0.0;
    for (slot, weight) in slots.into_iter().zip(weights) {
        if weight > 0.0
            && let Some(matrix) = palette.get(usize::from(slot))
        {
            sum.matrix3 += matrix.matrix3 * weight;
            sum.translation += matrix.translation * weight;
            total += weight;
        }
    }
    if total <= 0.0 {
        return None;
    }
    if (total - 1.0).abs() > 1e-3 {
        sum.matrix3 *= 1.0 / total;
        sum.translation *= 1.0 / total;
    }
    Some(sum)
}

/// Normals that are smooth over vertices at equal positions, weighted by area: unit, one a position; +Y where no triangle has any area.
/// Every corner of a triangle has to be a position.
pub fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut groups: BTreeMap<[u32; 3], usize> = BTreeMap::new();
    let group_of: Vec<usize> = positions
        .iter()
        .map(|position| {
            // Adding zero makes -0 and 0 the same place.
            let key = (*position + Vec3::ZERO).to_array().map(f32::to_bits);
            let next = groups.len();
            *groups.entry(key).or_insert(next)
        })
        .collect();
    let mut sums = vec![Vec3::ZERO; groups.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| positions[corner as usize]);
        let normal = (b - a).cross(c - a);
        if normal.is_finite() {
            for corner in corners {
                sums[group_of[*corner as usize]] += normal;
            }
        }
    }
    group_of
        .iter()
        .map(|&group| sums[group].normalize_or(Vec3::Y))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use glam::Quat;
    use rebone_model::kinematics::model_pose;

    #[test]
    fn a_bent_tube_follows_its_joints() {
        let character = samples::tube();
        let surface = Surface::new(&character, &character.meshes[0]);
        let mut pose = character.skeleton.rest_pose();
        pose.transforms_mut()[1].rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let model = model_pose(&character.skeleton, &pose);
        let world: Vec<Affine3A> = (0..model.len())
            .map(|joint| model.model_from_joint(joint))
            .collect();
        let mut palettes = Palettes::default();
        palettes.update(&character, &world);
        let mut placed = Vec::new();
        surface.place(&palettes, &world, Affine3A::IDENTITY, 1, |position, _| {
            placed.push(Vec3::from(position));
        });
        for (vertex, &position) in character.meshes[0].positions.iter().enumerate() {
            let turned = Vec3::Y + pose.transforms()[1].rotation * (position - Vec3::Y);
            let share = character.meshes[0].joint_weights[vertex][1];
            let expected = position.lerp(turned, share);
            assert!(placed[vertex].abs_diff_eq(expected, 1e-5));
        }
        let top = placed.iter().fold(
            Vec3::ZERO,
            |top, place| {
                if place.x < top.x { *place } else { top }
            },
        );
        assert!((top.x + 1.0).abs() < 0.05, "the upper half lies along -X");
    }

    #[test]
    fn broken_weights_and_indices_are_survived() {
        let mut character = samples::tube();
        character.meshes[0].joint_slots[0] = [999, 1, 65535, 0];
        character.meshes[0].joint_weights[1] = [0.0; 4];
        character.meshes[0].joint_weights[2] = [f32::NAN; 4];
        character.meshes[0].indices.extend([0, 1, 1_000_000, 7]);
        character.meshes[0].normals.clear();
        let surface = Surface::new(&character, &character.meshes[0]);
        assert!(surface.triangles.iter().flatten().all(|&at| at < 1000));
        assert_eq!(surface.normals.len(), character.meshes[0].positions.len());
        let mut palettes = Palettes::default();
        palettes.update(&character, &[]);
        let mut count = 0;
        surface.place(&palettes, &[], Affine3A::IDENTITY, 1, |_, _| count += 1);
        assert_eq!(count, character.meshes[0].positions.len());
    }

    #[test]
    fn computed_normals_point_outwards() {
        let mut character = samples::tube();
        character.meshes[0].normals.clear();
        let surface = Surface::new(&character, &character.meshes[0]);
        for (position, normal) in character.meshes[0]
            .positions
            .iter()
            .zip(surface.normals.iter())
        {
            let outward = Vec3::new(position.x, 0.0, position.z);
            assert!(normal.dot(outward) > 0.0);
        }
    }
}
