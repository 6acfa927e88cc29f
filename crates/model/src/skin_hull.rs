//! The points of a character's meshes that stand out.

use crate::character::Character;
use crate::elementary::Elementary as _;
use crate::hull::{HullPart, HullPoint, SLICES, furthest_by};
use crate::kinematics::model_pose;
use crate::pose::ModelPose;
use crate::skin::Mesh;
use glam::Vec3;

/// The points of a character's meshes that stand out: of each quarter of what a joint moves most, the
/// furthest one in each of 26 directions. Quarters are slices across the longest side: cloth that hangs far below a joint does not
/// hide the flesh around it. Nothing where there are no meshes.
///
/// Weights of a vertex count as shares of their sum. A vertex does not count that has a broken number or a joint which is not there, or that is
/// further from its joint than the joints are apart and than four times the median of all vertices.
///
/// A round part of radius r is at most 0.12 r further out than its points.
pub fn hull_of(character: &Character) -> Vec<HullPoint> {
    let skeleton = &character.skeleton;
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let sizes: Vec<f32> = (0..skeleton.len())
        .map(|joint| {
            let linear = rest.model_from_joint(joint).matrix3;
            linear.determinant().abs().cube_root()
        })
        .collect();
    let mut all: Vec<Vec<Candidate>> = vec![Vec::new(); skeleton.len()];
    for mesh in &character.meshes {
        for (vertex, &at) in mesh.positions.iter().enumerate() {
            let parts = parts_of(character, &sizes, mesh, vertex, at);
            let is_usable = parts.iter().all(|part| part.place.is_finite());
            if parts[0].weight > 0.0 && is_usable {
                all[parts[0].joint].push(Candidate {
                    mesh,
                    vertex,
                    place: parts[0].place,
                });
            }
        }
    }
    let far = far(&rest, all.iter().flatten());
    for points in &mut all {
        points.retain(|point| point.place.length() <= far);
    }
    let found = all.iter();
    let found = found.flat_map(|points| furthest_by(points, SLICES, |point| point.place));
    let point = |candidate: Candidate<'_>| {
        let Candidate { mesh, vertex, .. } = candidate;
        HullPoint {
            parts: parts_of(character, &sizes, mesh, vertex, mesh.positions[vertex]),
        }
    };
    found.map(point).collect()
}

/// Notes in all characters of a file that none of them has a hull, where the file has meshes.
pub fn tell_unbound(characters: &mut [Character], has_meshes: bool) {
    let is_unbound = has_meshes && characters.iter().all(|own| own.hull.is_empty());
    for character in characters {
        character.is_unbound = is_unbound;
    }
}

/// Times the median distance from vertex to joint: nearer vertices are of the body, however small its skeleton is.
const FAR: f32 = 4.0;

/// The distance from its joint beyond which a vertex is a stray one: as far as the joints are apart.
fn far<'a>(rest: &ModelPose, vertices: impl Iterator<Item = &'a Candidate<'a>>) -> f32 {
    let places = (0..rest.affines.len()).map(|joint| rest.position(joint));
    let all = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    let [low, high] = places.fold(all, |[low, high], at| [low.min(at), high.max(at)]);
    let mut distances: Vec<f32> = vertices.map(|vertex| vertex.place.length()).collect();
    if distances.is_empty() {
        return 0.0;
    }
    let middle = distances.len() / 2;
    let (_, median, _) = distances.select_nth_unstable_by(middle, f32::total_cmp);
    low.distance(high).max(FAR * *median)
}

/// A vertex, and where it is in the axes of the joint that moves it most.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    mesh: &'a Mesh,
    vertex: usize,
    place: Vec3,
}

/// What moves a vertex, the strongest first; nothing where that is broken.
fn parts_of(
    character: &Character,
    sizes: &[f32],
    mesh: &Mesh,
    vertex: usize,
    at: Vec3,
) -> [HullPart; 4] {
    let mut parts = [HullPart::default(); 4];
    if let (None, Some(joint)) = (mesh.skin, mesh.joint) {
        parts[0] = HullPart {
            joint,
            weight: sizes.get(joint).map_or(0.0, |_| 1.0),
            place: at * sizes.get(joint).copied().unwrap_or_default(),
        };
    }
    let skin = mesh.skin.and_then(|skin| character.skins.get(skin));
    let slots = mesh
        .joint_slots
        .get(vertex)
        .zip(mesh.joint_weights.get(vertex));
    if let (Some(skin), Some((slots, weights))) = (skin, slots) {
        for (part, (slot, &weight)) in parts.iter_mut().zip(slots.iter().zip(weights)) {
            if weight <= 0.0 {
                continue;
            }
            let slot = usize::from(*slot);
            let bind = skin.joints.get(slot).zip(skin.inverse_bind.get(slot));
            let Some((&joint, bind)) = bind.filter(|_| weight.is_finite()) else {
                return [HullPart::default(); 4];
            };
            let Some(size) = sizes.get(joint) else {
                return [HullPart::default(); 4];
            };
            *part = HullPart {
                joint,
                weight,
                place: bind.transform_point3(at) * *size,
            };
        }
        let whole: f32 = parts.iter().map(|part| part.weight).sum();
        for part in parts.iter_mut().filter(|part| part.weight > 0.0) {
            part.weight /= whole;
        }
        parts.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton_builder::{NewJoint, SkeletonBuilder};
    use crate::skin::Skin;
    use crate::transform::Transform;
    use glam::Affine3A;

    /// A ball of 5,000 points below a joint: it stands on its points within 12 % of its radius, however it is turned, and few are
    /// left of them.
    #[test]
    fn a_ball_rolls_on_its_points() {
        let mut builder = SkeletonBuilder::new();
        builder.add(NewJoint::new("ball", None, Transform::IDENTITY));
        let (skeleton, _) = builder.build().unwrap();
        let place = |index: u32| {
            let turn = index as f32 * 2.399_963;
            let height = 1.0 - (index as f32 + 0.5) / 2500.0;
            let round = (1.0 - height * height).sqrt();
            let (sine, cosine) = turn.sine_cosine();
            Vec3::new(round * cosine, height, round * sine)
        };
        let positions: Vec<Vec3> = (0..5000).map(place).collect();
        let count = positions.len();
        let character = Character {
            skeleton,
            skins: vec![Skin {
                name: String::new(),
                joints: vec![0],
                inverse_bind: vec![Affine3A::IDENTITY],
            }],
            meshes: vec![Mesh {
                positions,
                skin: Some(0),
                joint_slots: vec![[0; 4]; count],
                joint_weights: vec![[1.0, 0.0, 0.0, 0.0]; count],
                ..Mesh::default()
            }],
            ..Character::default()
        };
        let hull = hull_of(&character);
        assert!(hull.len() <= 26 * SLICES, "{}", hull.len());
        for index in 0..5000 {
            let way = place(index);
            let far = hull.iter().map(|point| point.parts[0].place.dot(way));
            let far = far.fold(0.0, f32::max);
            assert!((0.88..1.001).contains(&far), "{way}: {far}");
        }
    }
}
