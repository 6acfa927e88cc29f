//! The skin of a character in a pose, and what is inside of it: written from the definitions, in double precision.
//!
//! ```text
//! p' = Σ wᵢ Wᵢ Bᵢ p                                              a vertex, moved by its joints
//! w(x) = Σ Ω(a, b, c) / 4π                                       how often triangles wind around a point
//! tan(Ω / 2) = a · (b × c) / (|a||b||c| + (a · b)|c| + (b · c)|a| + (c · a)|b|)
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | W, B, w | model from joint in the pose, joint from mesh in the bind pose, weight |
//! | a, b, c | the corners of a triangle as seen from x |
//! | Ω | the solid angle under which the triangle is seen |
//!
//! w is 1 inside a closed surface and 0 outside of it; of an open one it goes from one to the other near the hole, and of two layers it is
//! 2. Sources: the generalised winding number (Jacobson and others), the solid angle of a triangle (Van Oosterom and Strackee).

use glam::DVec3;
use rebone_model::{Character, Mesh, ModelPose};
use std::f64::consts::PI;

/// All meshes of a character as they are in a pose, model space; vertices and triangles mesh by mesh.
#[derive(Clone, Debug, Default)]
pub struct PosedSkin {
    /// The vertices.
    pub vertices: Vec<DVec3>,
    /// The joint that moves each vertex most.
    pub joints: Vec<Option<usize>>,
    /// Corners of the triangles.
    pub triangles: Vec<[usize; 3]>,
}

impl PosedSkin {
    /// The skin in a pose.
    pub fn new(character: &Character, pose: &ModelPose) -> Self {
        let mut all = Self::default();
        for mesh in &character.meshes {
            let first = all.vertices.len();
            for vertex in 0..mesh.positions.len() {
                let (place, joint) = placed(character, pose, mesh, vertex);
                all.vertices.push(place);
                all.joints.push(joint);
            }
            let corners = mesh.indices.chunks_exact(3);
            let triangle = |three: &[u32]| [0, 1, 2].map(|at: usize| first + three[at] as usize);
            all.triangles.extend(corners.map(triangle));
        }
        all
    }

    /// Places of the corners of those triangles of which each corner is moved most by a joint that counts.
    pub fn triangles_of(&self, counts: impl Fn(usize) -> bool) -> Vec<[DVec3; 3]> {
        let is_of = |corner: &usize| self.joints[*corner].is_some_and(&counts);
        let of_it = self
            .triangles
            .iter()
            .filter(|triangle| triangle.iter().all(is_of));
        of_it
            .map(|triangle| triangle.map(|corner| self.vertices[corner]))
            .collect()
    }

    /// The vertices that are moved most by a joint that counts.
    pub fn vertices_of(&self, counts: impl Fn(usize) -> bool) -> Vec<usize> {
        let is_of = |vertex: &usize| self.joints[*vertex].is_some_and(&counts);
        (0..self.vertices.len()).filter(is_of).collect()
    }
}

fn placed(
    character: &Character,
    pose: &ModelPose,
    mesh: &Mesh,
    vertex: usize,
) -> (DVec3, Option<usize>) {
    let at = mesh.positions[vertex];
    let skin = mesh.skin.and_then(|skin| character.skins.get(skin));
    let (Some(skin), Some(slots)) = (skin, mesh.joint_slots.get(vertex)) else {
        let place = mesh.joint.map_or(at, |joint| {
            pose.model_from_joint(joint).transform_point3(at)
        });
        return (place.as_dvec3(), mesh.joint);
    };
    let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
    let mut strongest: Option<(f32, usize)> = None;
    for (slot, &weight) in slots.iter().zip(&mesh.joint_weights[vertex]) {
        let slot = usize::from(*slot);
        let joint = skin.joints[slot];
        let bind = skin.inverse_bind[slot].transform_point3(at);
        let place = pose.model_from_joint(joint).transform_point3(bind);
        sum += place.as_dvec3() * f64::from(weight);
        weights += f64::from(weight);
        if strongest.is_none_or(|(most, _)| weight > most) {
            strongest = Some((weight, joint));
        }
    }
    (sum / weights, strongest.map(|(_, joint)| joint))
}

/// How often triangles wind around a point.
pub fn winding(triangles: &[[DVec3; 3]], point: DVec3) -> f64 {
    let angle = |triangle: &[DVec3; 3]| {
        let [a, b, c] = triangle.map(|corner| corner - point);
        let [x, y, z] = [a, b, c].map(DVec3::length);
        let around = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
        2.0 * a.dot(b.cross(c)).atan2(around)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An octahedron whose faces are cut into 4ⁿ, on the unit sphere.
    fn sphere(cuts: usize) -> Vec<[DVec3; 3]> {
        let mut faces = Vec::new();
        for (x, y, z) in (0..8).map(|at| (at & 1, at >> 1 & 1, at >> 2)) {
            let signs = [x, y, z].map(|bit| 1.0 - 2.0 * f64::from(bit));
            let mut face = [0, 1, 2].map(|axis| DVec3::AXES[axis] * signs[axis]);
            if signs.iter().product::<f64>() < 0.0 {
                face.swap(1, 2);
            }
            faces.push(face);
        }
        for _ in 0..cuts {
            let cut = |[a, b, c]: [DVec3; 3]| {
                let [d, e, f] = [(a + b), (b + c), (c + a)].map(DVec3::normalize_or_zero);
                [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
            };
            faces = faces.into_iter().flat_map(cut).collect();
        }
        faces
    }

    #[test]
    fn a_closed_surface_winds_once_around_what_is_inside() {
        let sphere = sphere(3);
        for step in 0..100 {
            let angle = f64::from(step);
            let way = DVec3::new(angle.sin(), (2.3 * angle).cos(), (0.7 * angle).sin())
                .normalize_or_zero();
            let near = |radius: f64| winding(&sphere, way * radius);
            assert!((near(0.9) - 1.0).abs() < 1e-9);
            assert!(near(1.05).abs() < 1e-9);
        }
    }

    /// A surface that turns inside out, has two layers or a hole.
    #[test]
    fn broken_surfaces_wind_as_they_are() {
        let whole = sphere(3);
        let turned: Vec<_> = whole.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        assert!((winding(&turned, DVec3::ZERO) + 1.0).abs() < 1e-9);
        let twice = [whole.clone(), whole.clone()].concat();
        assert!((winding(&twice, DVec3::ZERO) - 2.0).abs() < 1e-9);
        let bowl: Vec<_> = whole
            .into_iter()
            .filter(|face| face[0].y + face[1].y + face[2].y < 0.0)
            .collect();
        // The hole is a disc of radius 1; with it, the surface would wind once around what is inside.
        for height in [-0.9, 0.0, 1.0] {
            let disc = 0.5 * (1.0 - f64::abs(height) / f64::hypot(1.0, height));
            let wanted = if height <= 0.0 { 1.0 - disc } else { disc };
            let around = winding(&bowl, DVec3::Y * height);
            assert!((around - wanted).abs() < 0.01, "{height}: {around}");
        }
    }
}
