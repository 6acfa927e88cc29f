//! Skin deformers to skins, and stored poses.

use super::nodes::{Places, name};
use rebone_model::{Affine3A, Character, Mat4, Skin, StoredPose, Warning};
use ufbx::{Matrix, Scene};

/// Puts each skin into its character. Returns where each deformer of the file has gone: the character,
/// the place there, and for each of its clusters the slot.
pub(super) fn read_skins(
    scene: &Scene,
    places: &Places,
    characters: &mut [Character],
    warnings: &mut Vec<Warning>,
) -> Vec<Option<SkinPlace>> {
    let connected = (&scene.skin_deformers)
        .into_iter()
        .map(|skin| skin.clusters.count)
        .sum::<usize>();
    let loose = scene.skin_clusters.count.saturating_sub(connected);
    if loose > 0 {
        warnings.push(Warning::new(
            "cluster-without-joint",
            format!("{loose} clusters of the skins name no joint"),
            "they are left out; bind the skin again where vertices stay behind",
        ));
    }
    (&scene.skin_deformers)
        .into_iter()
        .map(|skin| {
            let mut joints = Vec::new();
            let mut inverse_bind = Vec::new();
            let mut slots = Vec::with_capacity(skin.clusters.count);
            let mut owner = None;
            for cluster in &skin.clusters {
                let node = cluster.bone_node.as_ref();
                let place = node.and_then(|node| {
                    let place = places.of_node.get(node.element.typed_id as usize);
                    place.copied().flatten()
                });
                let matrix = affine(&cluster.geometry_to_bone);
                let usable = place.filter(|(character, _)| {
                    matrix.is_finite() && owner.is_none_or(|owner| owner == *character)
                });
                let Some((character, joint)) = usable else {
                    slots.push(None);
                    continue;
                };
                owner = Some(character);
                slots.push(u16::try_from(joints.len()).ok());
                joints.push(joint);
                inverse_bind.push(matrix);
            }
            let character = owner?;
            let target = &mut characters.get_mut(character)?.skins;
            target.push(Skin {
                name: skin.element.name.to_string(),
                joints,
                inverse_bind,
            });
            Some(SkinPlace {
                character,
                skin: target.len() - 1,
                slots,
            })
        })
        .collect()
}

/// Where a skin deformer has gone.
pub(super) struct SkinPlace {
    pub character: usize,
    pub skin: usize,
    /// Slot of each cluster; `None` for one that is left out.
    pub slots: Vec<Option<u16>>,
}

/// Puts each stored pose into the characters whose joints it places.
pub(super) fn read_poses(scene: &Scene, characters: &mut [Character]) {
    for (index, pose) in (&scene.poses).into_iter().enumerate() {
        let mut of_node: Vec<Option<Affine3A>> = vec![None; scene.nodes.count];
        for entry in &pose.bone_poses {
            let matrix = affine(&entry.bone_to_world);
            let place = of_node.get_mut(entry.bone_node.element.typed_id as usize);
            if let Some(place) = place.filter(|_| matrix.is_finite()) {
                *place = Some(matrix);
            }
        }
        for character in characters.iter_mut() {
            let joints = character.skeleton.joints();
            let model_from_joint: Vec<Option<Affine3A>> = joints
                .iter()
                .map(|joint| of_node.get(joint.node as usize).copied().flatten())
                .collect();
            if model_from_joint.iter().any(Option::is_some) {
                character.poses.push(StoredPose {
                    name: match &*pose.element.name {
                        "" => format!("pose_{index}"),
                        name => name.to_owned(),
                    },
                    model_from_joint,
                });
            }
        }
    }
}

/// As our matrix.
pub(super) fn affine(matrix: &Matrix) -> Affine3A {
    let columns = [
        [matrix.m00, matrix.m10, matrix.m20, 0.0],
        [matrix.m01, matrix.m11, matrix.m21, 0.0],
        [matrix.m02, matrix.m12, matrix.m22, 0.0],
        [matrix.m03, matrix.m13, matrix.m23, 1.0],
    ];
    let columns = columns.map(|column| column.map(|number| number as f32));
    Affine3A::from_mat4(Mat4::from_cols_array_2d(&columns))
}

/// A node's name, for messages.
pub(super) fn place_of(node: &ufbx::Node) -> String {
    format!("Model \"{}\"", name(node))
}
