//! Writes FBX files. `patch` replaces the animation of an existing file, and `scratch` writes a character as a new file.

mod animation;
mod channels;
mod clock;
mod fit;
mod follow;
mod geometry;
mod joints;
mod motion;
mod objects;
mod patch;
mod scratch;
mod surfaces;
mod target;
mod targets;
mod turning;

use crate::fbx::syntax::{is_big_endian, parse};
use crate::fits::{check_parts, unfit};
use crate::{Error, Output, ReadOptions};
use rebone_model::{Character, Clip, Warning};

/// Files of older versions have another structure.
const OLDEST_TO_PATCH: u32 = 7000;

/// Times beyond this, seconds, do not fit into FBX's count of 20 ps with some room left: a year and a half.
const LONGEST: f32 = 5e7;

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

impl Version {
    fn number(self) -> u32 {
        match self {
            Self::V7400 => 7400,
            Self::V7500 => 7500,
            Self::V7700 => 7700,
        }
    }
}

/// How a new file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Default 7.4.
    pub version: Version,
}

/// Replaces the animation of the FBX file `target` by `clips`, one stack each.
///
/// `character` is what was read from this very file, and the clips are of its skeleton. Objects of
/// animation, their connections, their numbers in `Definitions`, the entries of `Takes`, the span of
/// time in `GlobalSettings` and the name of the active animation are replaced; everything else stays as
/// it is, byte for byte, whether the file is binary or text. Curves of morphs move the blend shape
/// channels of the same name. Clips without anything are left out.
///
/// Keys stand where those of the clips do; between them the curves are off from the clips by at most two
/// millionths of a radian or one of a metre, for which cubic keys and, rarely, further keys are used.
///
/// Files before version 7 and big-endian ones are written anew, as by [`write_character`], with the
/// warning `fbx-rewritten`.
///
/// Fails where the target is damaged, or is not the file of the character, and for clips of another
/// skeleton or with times beyond a year and a half.
pub fn write_clips_into(
    target: &[u8],
    character: &Character,
    clips: &[Clip],
) -> Result<Output, Error> {
    check_clips(character, clips)?;
    let reason = if is_big_endian(target) {
        "big-endian"
    } else {
        let tree = parse(target)?;
        if tree.version >= OLDEST_TO_PATCH {
            return patch::patch(target, tree, character, clips);
        }
        "of a version before 7"
    };
    let mut anew = with_meshes(target, character)?;
    anew.clips = clips.to_vec();
    let mut output = write_character(&anew, &WriteOptions::default())?;
    let rewritten = Warning::new(
        "fbx-rewritten",
        format!(
            "the target is {reason}, so it was written anew: skeleton, meshes, skins and base colours, \
             but nothing else of it"
        ),
        "save the target as FBX 7.4 binary first, to keep all of it",
    );
    output.warnings.insert(0, rewritten);
    Ok(output)
}

/// Writes a character with its skins, meshes, materials, images and clips as a new binary file:
/// right-handed, +Y up, centimetres.
///
/// Joints become limb nodes, nodes above them nulls. Ends of leaves, labels and stored poses are not
/// written; the bind pose follows from the skins. Curves of anything but joints are left out with the
/// warning `curve-not-kept`, clips without tracks of joints silently. Equal input gives equal bytes.
///
/// Fails for a skeleton without joints, for clips, skins or meshes that do not fit it, for times beyond a
/// year and a half, and for more than 4 GiB in version 7.4.
pub fn write_character(character: &Character, options: &WriteOptions) -> Result<Output, Error> {
    check_clips(character, &character.clips)?;
    check_parts(character)?;
    scratch::write(character, options.version.number())
}

/// The character of the target that `character` is, with its meshes.
fn with_meshes(target: &[u8], character: &Character) -> Result<Character, Error> {
    let options = ReadOptions {
        meshes: true,
        ..ReadOptions::default()
    };
    let document = crate::fbx::read(target, &options, &|_| {
        Err("it lies outside of the file".to_owned())
    })?;
    let mut found = document.characters.into_iter();
    Ok(found
        .find(|other| other.skeleton == character.skeleton)
        .unwrap_or_else(|| character.clone()))
}

fn check_clips(character: &Character, clips: &[Clip]) -> Result<(), Error> {
    let joints = character.skeleton.len();
    if joints == 0 {
        return Err(unfit("the skeleton has no joints", "character".to_owned()));
    }
    for (index, clip) in clips.iter().enumerate() {
        let place = || format!("clips[{index}] \"{}\"", clip.name);
        if clip.joints.len() != joints {
            let what = format!("the clip is for {} joints of {joints}", clip.joints.len());
            return Err(unfit(what, place()));
        }
        let (first, last) = clip.time_span();
        if first < -LONGEST || last > LONGEST {
            return Err(Error::limit(
                format!(
                    "the clip has keys at {first} s to {last} s, and FBX counts to {LONGEST} s"
                ),
                place(),
                "check the unit of its times, or shift them towards 0",
            ));
        }
    }
    Ok(())
}
