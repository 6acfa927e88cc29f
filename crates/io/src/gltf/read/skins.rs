//! Skins of characters.

use super::accessor::Accessors;
use super::clips::JointOfNode;
use crate::Error;
use crate::gltf::json::Skin as JsonSkin;
use crate::gltf::{DECOMPRESS, EXPORT_AGAIN};
use rebone_model::{Affine3A, Character, Mat4, Skin, Warning};

/// Where a skin of the file has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkinPlace {
    /// Character and place there.
    Character(usize, usize),
    /// Left out, for its matrices cannot be read.
    Compressed,
    /// Left out, for its joints belong to no character.
    Nowhere,
}

/// Puts each skin into its character; compressed ones are left out with a warning. Returns where each
/// skin of the file has gone.
pub(super) fn read_skins(
    skins: &[JsonSkin],
    accessors: &Accessors<'_>,
    joint_of_node: &JointOfNode,
    characters: &mut [Character],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<SkinPlace>, Error> {
    let mut places = Vec::with_capacity(skins.len());
    for (index, skin) in skins.iter().enumerate() {
        let owners: Option<Vec<(usize, usize)>> = skin
            .joints
            .iter()
            .map(|&node| joint_of_node.get(node).copied().flatten())
            .collect();
        let Some((owners, &(character, _))) = owners
            .as_ref()
            .and_then(|owners| Some((owners, owners.first()?)))
        else {
            places.push(SkinPlace::Nowhere);
            continue;
        };
        let place = format_args!("skins[{index}].inverseBindMatrices");
        let inverse_bind = match skin.inverse_bind_matrices {
            None => vec![Affine3A::IDENTITY; owners.len()],
            Some(accessor) => {
                let count = accessors.describe(accessor, place)?.count;
                if count < owners.len() {
                    return Err(Error::malformed(
                        format!("there are {count} matrices for {} joints", owners.len()),
                        place.to_string(),
                        EXPORT_AGAIN,
                    ));
                }
                let read = accessors.floats(accessor, place, false, |numbers: [f32; 16]| {
                    Affine3A::from_mat4(Mat4::from_cols_array(&numbers))
                });
                let mut matrices = match read {
                    Ok(matrices) => matrices,
                    Err(Error::Unsupported(_)) => {
                        warnings.push(compressed(index));
                        places.push(SkinPlace::Compressed);
                        continue;
                    }
                    Err(other) => return Err(other),
                };
                matrices.truncate(owners.len());
                if let Some(slot) = matrices.iter().position(|matrix| !matrix.is_finite()) {
                    return Err(Error::malformed(
                        format!("matrix {slot} is not finite"),
                        place.to_string(),
                        EXPORT_AGAIN,
                    ));
                }
                matrices
            }
        };
        let target = &mut characters[character].skins;
        places.push(SkinPlace::Character(character, target.len()));
        target.push(Skin {
            name: skin.name.clone().unwrap_or_default(),
            joints: owners.iter().map(|&(_, joint)| joint).collect(),
            inverse_bind,
        });
    }
    Ok(places)
}

fn compressed(skin: usize) -> Warning {
    Warning::new(
        "skin-compressed",
        format!("skin {skin} is compressed, so the pose in which it was bound is unknown"),
        format!("the rest pose is used; where that is wrong, {DECOMPRESS}"),
    )
}
