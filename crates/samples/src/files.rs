//! The sample data as files.

use super::{characters, clips};
use rebone_io::Error;
use rebone_io::bvh::{self, WriteOptions};
use rebone_io::gltf::{Container, write_character};
use rebone_model::Character;

/// Names below `data/` and contents of all generated files: the three characters without clips
/// (`adult.glb`, `brute.glb`, `chibi.vrm`), and every clip as skeleton and motion without mesh, once as
/// GLB in metres and once as BVH in centimetres.
///
/// Fails only where a writer refuses a character, which would be a mistake in this crate.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, Error> {
    let mut files = Vec::new();
    let characters = characters();
    for character in &characters {
        let ending = if character.labels.is_empty() {
            "glb"
        } else {
            "vrm"
        };
        let bytes = write_character(character, Container::Glb)?.bytes;
        files.push((format!("{}.{ending}", character.name), bytes));
    }
    let Some(adult) = characters.into_iter().next() else {
        return Ok(files);
    };
    let skeleton_only = Character {
        name: adult.name,
        skeleton: adult.skeleton,
        ..Character::default()
    };
    for sample in clips() {
        let name = sample.clip.name.clone();
        let mut moving = skeleton_only.clone();
        moving.clips = vec![sample.clip];
        files.push((
            format!("{name}.glb"),
            write_character(&moving, Container::Glb)?.bytes,
        ));
        let options = WriteOptions {
            units_per_unit: 100.0,
            ..WriteOptions::default()
        };
        let written = bvh::write_character(&skeleton_only, moving.clips.first(), &options)?;
        files.push((format!("{name}.bvh"), written.bytes));
    }
    Ok(files)
}
