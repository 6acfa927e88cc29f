//! Whether the parts of a character fit together, before a new file is written from them.

use crate::Error;
use rebone_model::Character;

pub(crate) fn unfit(what: impl Into<String>, place: impl Into<String>) -> Error {
    Error::caller(what, place, "write only what belongs to one skeleton")
}

/// Fails where skins or meshes name joints, skins, materials or vertices that do not exist.
pub(crate) fn check_parts(character: &Character) -> Result<(), Error> {
    let joints = character.skeleton.len();
    for (index, skin) in character.skins.iter().enumerate() {
        let fits = skin.inverse_bind.len() == skin.joints.len()
            && skin.joints.iter().all(|&joint| joint < joints);
        if !fits {
            return Err(unfit(
                "the skin names joints or matrices that do not exist",
                format!("skins[{index}]"),
            ));
        }
    }
    for (index, mesh) in character.meshes.iter().enumerate() {
        let vertices = mesh.positions.len();
        let fits = mesh.skin.is_none_or(|skin| skin < character.skins.len())
            && mesh.joint.is_none_or(|joint| joint < joints)
            && mesh
                .material
                .is_none_or(|material| material < character.materials.len())
            && mesh.positions.iter().all(|position| position.is_finite())
            && mesh
                .indices
                .iter()
                .all(|&index| (index as usize) < vertices);
        if !fits {
            return Err(unfit(
                "the mesh names something that does not exist, or a position is not finite",
                format!("meshes[{index}]"),
            ));
        }
    }
    Ok(())
}
