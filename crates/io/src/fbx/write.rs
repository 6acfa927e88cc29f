//! Writing.

use crate::{Error, Output};
use rebone_model::{Character, Clip};

/// Version of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// 7.4 (FBX 2014/2015), which nearly every program reads.
    #[default]
    V7400,
    /// 7.5 (FBX 2016 and later): 64-bit offsets.
    V7500,
    /// 7.7 (FBX 2019 and later).
    V7700,
}

/// How a new file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Default 7.4.
    pub version: Version,
}

/// Replaces the animation of the FBX file `target` by `clips`.
pub fn write_clips_into(
    target: &[u8],
    character: &Character,
    clips: &[Clip],
) -> Result<Output, Error> {
    let _ = (target, character, clips);
    Err(Error::unsupported("not yet", "file", "wait"))
}

/// Writes a character with its skins, meshes and clips as a new file.
pub fn write_character(character: &Character, options: &WriteOptions) -> Result<Output, Error> {
    let _ = (character, options);
    Err(Error::unsupported("not yet", "file", "wait"))
}
