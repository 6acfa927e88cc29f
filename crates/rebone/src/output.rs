//! From clips to files.

use crate::error::Error;
use crate::input_file::{InputFile, meshes_are_rewritten};
use crate::rig::Rig;
pub use rebone_io::Output;
use rebone_io::{Format, Resources};
use rebone_model::check::{check_character, check_clip};
use rebone_model::{Action, Character, Clip, Remedy, axes};

/// Writes clips of a rig into its own file, where the formats are of one family, or into a new one.
pub(crate) fn write_clips(rig: &Rig, clips: &[Clip], format: Format) -> Result<Output, Error> {
    let skeleton = &rig.character.skeleton;
    for clip in clips {
        check_clip(clip).map_err(|problem| Error::unusable(&problem, skeleton))?;
    }
    let is_gltf = |format| {
        matches!(
            format,
            Format::Glb | Format::Vrm | Format::Gltf | Format::Vrma
        )
    };
    match (&rig.file, rig.format, format) {
        (_, _, Format::Urdf | Format::Mjcf) => Err(no_motion(format)),
        (Some(file), Format::Bvh, Format::Bvh) => {
            bvh::write_into(file.bytes(), &rig.character, only_clip(clips)?)
        }
        (Some(file), Format::Fbx, Format::Fbx) => {
            fbx::write_into(file.bytes(), &rig.character, clips)
        }
        (Some(file), from, Format::Glb | Format::Vrm | Format::Gltf) if is_gltf(from) => {
            let resources = |name: &str| file.beside(name);
            gltf::write_into(file.bytes(), &resources, &rig.character, clips, format)
        }
        _ => {
            let mut character = match with_meshes(rig, format)? {
                Some(whole) => whole,
                None => rig.character.clone(),
            };
            character.clips = clips.to_vec();
            write_motion(rig, character, format)
        }
    }
}

/// The rig's character with its meshes, read now where they have to be written anew and were left out.
fn with_meshes(rig: &Rig, format: Format) -> Result<Option<Character>, Error> {
    let is_left_out =
        |file: &&InputFile| !rig.meshes_are_read && meshes_are_rewritten(file.bytes(), format);
    let Some(file) = rig.file.as_ref().filter(is_left_out) else {
        return Ok(None);
    };
    Ok(file.read_with_meshes(&rig.character)?.0)
}

/// Writes a character with its clips as a new file, in the axes and the unit of the format.
///
/// Where the rig's own file states no unit (BVH), the result is in metres, +Y up, +Z forward.
pub fn write_motion(rig: &Rig, mut character: Character, format: Format) -> Result<Output, Error> {
    if !rig.space.unit_is_stated && format != Format::Bvh {
        let turn = rig.canonical_from_file().as_quat();
        let scale = rig.space.meters_per_unit as f32;
        axes::change_axes(&mut character.skeleton, &mut character.clips, turn, scale);
    }
    write_character(&character, format)
}

/// Writes a character with its clips as a new file, in the numbers that it has.
pub fn write_character(character: &Character, format: Format) -> Result<Output, Error> {
    check_character(character).map_err(|problem| Error::unusable(&problem, &character.skeleton))?;
    match format {
        Format::Bvh => bvh::write_new(character, only_clip(&character.clips)?),
        Format::Fbx => fbx::write_new(character),
        Format::Glb | Format::Gltf | Format::Vrm | Format::Vrma => {
            gltf::write_new(character, format)
        }
        Format::Urdf | Format::Mjcf => Err(no_motion(format)),
    }
}

/// Descriptions of robots are read only.
fn no_motion(format: Format) -> Error {
    Error::request(
        format!("{} holds no motion", format.name()),
        "write FBX, GLB or BVH",
    )
}

fn only_clip(clips: &[Clip]) -> Result<&Clip, Error> {
    match clips {
        [clip] => Ok(clip),
        [] => Err(Error::request(
            "there is no clip to write",
            "choose a source with a clip",
        )),
        several => Err(Error::request(
            format!("a BVH holds one clip, but there are {}", several.len()),
            Remedy::new("choose one of them", &[Action::ChooseClip]),
        )),
    }
}

#[cfg(feature = "bvh")]
mod bvh {
    use super::{Character, Clip, Error, Output};
    use rebone_io::bvh::{self, WriteOptions};

    pub(super) fn write_into(
        target: &[u8],
        character: &Character,
        clip: &Clip,
    ) -> Result<Output, Error> {
        Ok(bvh::write_clip_into(
            target,
            character,
            clip,
            &WriteOptions::default(),
        )?)
    }

    pub(super) fn write_new(character: &Character, clip: &Clip) -> Result<Output, Error> {
        Ok(bvh::write_character(
            character,
            Some(clip),
            &WriteOptions::default(),
        )?)
    }
}

#[cfg(not(feature = "bvh"))]
mod bvh {
    use super::{Character, Clip, Error, Output};

    pub(super) fn write_into(_: &[u8], _: &Character, _: &Clip) -> Result<Output, Error> {
        Err(super::not_built("BVH"))
    }

    pub(super) fn write_new(_: &Character, _: &Clip) -> Result<Output, Error> {
        Err(super::not_built("BVH"))
    }
}

#[cfg(feature = "fbx")]
mod fbx {
    use super::{Character, Clip, Error, Output};
    use rebone_io::fbx::{self, WriteOptions};

    pub(super) fn write_into(
        target: &[u8],
        character: &Character,
        clips: &[Clip],
    ) -> Result<Output, Error> {
        Ok(fbx::write_clips_into(target, character, clips)?)
    }

    pub(super) fn write_new(character: &Character) -> Result<Output, Error> {
        Ok(fbx::write_character(character, &WriteOptions::default())?)
    }
}

#[cfg(not(feature = "fbx"))]
mod fbx {
    use super::{Character, Clip, Error, Output};

    pub(super) fn write_into(_: &[u8], _: &Character, _: &[Clip]) -> Result<Output, Error> {
        Err(super::not_built("FBX"))
    }

    pub(super) fn write_new(_: &Character) -> Result<Output, Error> {
        Err(super::not_built("FBX"))
    }
}

#[cfg(feature = "gltf")]
mod gltf {
    use super::{Character, Clip, Error, Format, Output, Resources};
    use rebone_io::gltf::{self, Container};

    pub(super) fn write_into(
        target: &[u8],
        resources: Resources<'_>,
        character: &Character,
        clips: &[Clip],
        format: Format,
    ) -> Result<Output, Error> {
        Ok(gltf::write_clips_into(
            target,
            resources,
            character,
            clips,
            container(format),
        )?)
    }

    pub(super) fn write_new(character: &Character, format: Format) -> Result<Output, Error> {
        Ok(gltf::write_character(character, container(format))?)
    }

    fn container(format: Format) -> Container {
        if format == Format::Gltf {
            Container::Gltf
        } else {
            Container::Glb
        }
    }
}

#[cfg(not(feature = "gltf"))]
mod gltf {
    use super::{Character, Clip, Error, Format, Output, Resources};

    pub(super) fn write_into(
        _: &[u8],
        _: Resources<'_>,
        _: &Character,
        _: &[Clip],
        _: Format,
    ) -> Result<Output, Error> {
        Err(super::not_built("glTF"))
    }

    pub(super) fn write_new(_: &Character, _: Format) -> Result<Output, Error> {
        Err(super::not_built("glTF"))
    }
}

#[cfg(not(all(feature = "bvh", feature = "fbx", feature = "gltf")))]
fn not_built(format: &str) -> Error {
    Error::request(
        format!("this build cannot write {format}"),
        "build rebone with the feature of that format",
    )
}
