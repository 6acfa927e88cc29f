//! Clips in few bytes. Each key is stored as its difference to the rest pose, with 16 bits a number.
//!
//! ```text
//! δ = b⁻¹ · v        number = least + extent · n / 65535,  n = 0 … 65535
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | v, b | local rotation of a joint at a key, and in the rest pose |
//! | least, extent | range of one component of δ over the track |
//!
//! Of the four components of δ one is left out, for the whole track the one that is farthest from 0 at its least; it
//! follows from the length 1. Near the rest pose that is w, and the ranges are narrow. Translations are differences to the
//! rest pose, scales factors, three numbers each. Times are kept as they are, once for all tracks that share them.
//!
//! Error: a number is off by at most half a step, extent / 131070. With q the left-out component (at least
//! [`LEAST_LEFT_OUT`]) a rotation is off by at most 2 · √3 · extent / (131070 · q) radians, which is below 1.6e-4: a skin
//! point 3 cm from its joint moves by less than 0.005 mm. A translation is off by at most √3 · extent / 131070. Tracks for
//! which no component may be left out (turns all round), splines and tracks of one key are kept as they are.
//!
//! The bytes hold no rest pose. Read with that of another character with equal joint axes, they give its motion: one clip
//! serves characters of any size and rest pose. Curves of other things than joints are not in them.
//!
//! Layout, little-endian: `RBCL`, version (u16), joints (u16), hash of what follows (u64); name (u16 and UTF-8), frames
//! a second (f64, 0 for none); times: count (u16), each count (u32) and f32s; then for each joint rotation,
//! translation and scale: kind (u8: none, kept, packed), interpolation (u8), number of its times (u16), and keys.
//! Source: docs/laws.md, "Motion layers".

mod read;
mod write;

use crate::asset::hash;
use crate::layers::{absolute_clip, relative_clip};
use read::Reader;
use rebone_model::check::check_clip;
use rebone_model::{Clip, JointTracks, Track, Transform};
use std::sync::Arc;
use write::Writer;

/// The version that is written.
pub const VERSION: u16 = 1;

/// A component of a rotation may be left out where it stays as far from 0.
pub const LEAST_LEFT_OUT: f32 = 0.35;

const MAGIC: [u8; 4] = *b"RBCL";
const HEADER: usize = 4 + 2 + 2 + 8;
const STEPS: f32 = 65535.0;

/// Why there are no bytes, or no clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompactError {
    /// The clip has more joints, keys or different times than can be numbered.
    TooLarge {
        /// What there is too much of.
        what: &'static str,
    },
    /// The bytes are no such clip.
    NoClip,
    /// They are of a later version.
    Version {
        /// The version that they state.
        found: u16,
    },
    /// They are for a rig with another number of joints.
    Joints {
        /// Joints in the bytes.
        stored: usize,
        /// Joints of the rest pose given.
        given: usize,
    },
    /// Something in them cannot be.
    Damaged {
        /// What is wrong.
        what: &'static str,
        /// Byte at which it was seen.
        at: usize,
    },
}

impl std::fmt::Display for CompactError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge { what } => write!(
                formatter,
                "the clip has too many {what}; cut it into several"
            ),
            Self::NoClip => formatter.write_str("these are no bytes of a compact clip"),
            Self::Version { found } => write!(
                formatter,
                "the compact clip has version {found}, but this program reads up to {VERSION}; use a newer one"
            ),
            Self::Joints { stored, given } => write!(
                formatter,
                "the compact clip is for {stored} joints, but the rest pose has {given}; give that of its rig"
            ),
            Self::Damaged { what, at } => {
                write!(
                    formatter,
                    "the compact clip is damaged at byte {at}: {what}"
                )
            }
        }
    }
}

impl std::error::Error for CompactError {}

/// The bytes of a clip of a rig with this rest pose.
pub fn encode(clip: &Clip, rest: &[Transform]) -> Result<Vec<u8>, CompactError> {
    let layer = relative_clip(clip, rest, rest);
    let joints =
        u16::try_from(rest.len()).map_err(|_| CompactError::TooLarge { what: "joints" })?;
    let mut writer = Writer::default();
    writer.text(&clip.name)?;
    writer
        .bytes
        .extend(clip.rate_hz.unwrap_or(0.0).to_le_bytes());
    let mut times: Vec<&[f32]> = Vec::new();
    for tracks in &layer.joints {
        let rotation = tracks.rotation.as_ref().map(Track::times);
        let others =
            [&tracks.translation, &tracks.scale].map(|track| track.as_ref().map(Track::times));
        for own in std::iter::once(rotation).chain(others).flatten() {
            if !times.contains(&own) {
                times.push(own);
            }
        }
    }
    writer.count16(times.len(), "different times")?;
    for own in &times {
        let count =
            u32::try_from(own.len()).map_err(|_| CompactError::TooLarge { what: "keys" })?;
        writer.bytes.extend(count.to_le_bytes());
        writer.floats(own.iter().copied());
    }
    let nothing = JointTracks::default();
    for joint in 0..rest.len() {
        let tracks = layer.joints.get(joint).unwrap_or(&nothing);
        writer.rotation(&times, tracks.rotation.as_ref());
        writer.vector(&times, tracks.translation.as_ref());
        writer.vector(&times, tracks.scale.as_ref());
    }
    let mut result = Vec::with_capacity(HEADER + writer.bytes.len());
    result.extend(MAGIC);
    result.extend(VERSION.to_le_bytes());
    result.extend(joints.to_le_bytes());
    result.extend(hash(&writer.bytes).to_le_bytes());
    result.extend(writer.bytes);
    Ok(result)
}

/// The clip in these bytes, for a rig with this rest pose. Whatever the bytes are, the result is an error or a clip.
pub fn decode(bytes: &[u8], rest: &[Transform]) -> Result<Clip, CompactError> {
    let mut reader = Reader { bytes, at: 0 };
    if reader.array::<4>() != Ok(MAGIC) {
        return Err(CompactError::NoClip);
    }
    let version = reader.u16()?;
    if version == 0 || version > VERSION {
        return Err(CompactError::Version { found: version });
    }
    let stored = usize::from(reader.u16()?);
    let sum = u64::from_le_bytes(reader.array()?);
    if hash(&bytes[reader.at..]) != sum {
        return Err(reader.damaged("its content is not what was written"));
    }
    if stored != rest.len() {
        return Err(CompactError::Joints {
            stored,
            given: rest.len(),
        });
    }
    let length = usize::from(reader.u16()?);
    let name = std::str::from_utf8(reader.take(length)?).map(str::to_owned);
    let name = name.map_err(|_| reader.damaged("its name is no text"))?;
    let rate_hz = f64::from_le_bytes(reader.array()?);
    let mut times: Vec<Arc<[f32]>> = Vec::new();
    for _ in 0..reader.u16()? {
        let count = reader.u32()? as usize;
        times.push(reader.floats(count)?.into());
    }
    let mut layer = Clip::new(name, 0);
    layer.rate_hz = (rate_hz.is_finite() && rate_hz > 0.0).then_some(rate_hz);
    for _ in 0..stored {
        let tracks = JointTracks {
            rotation: reader.rotation(&times)?,
            translation: reader.vector(&times)?,
            scale: reader.vector(&times)?,
        };
        layer.joints.push(tracks);
    }
    if reader.at != bytes.len() {
        return Err(reader.damaged("there is more than a clip"));
    }
    let clip = absolute_clip(&layer, rest);
    check_clip(&clip).map_err(|problem| reader.damaged(problem.what))?;
    Ok(clip)
}

const NONE: u8 = 0;
const KEPT: u8 = 1;
const PACKED: u8 = 2;

/// The three components that are kept.
fn others(left_out: usize) -> [usize; 3] {
    std::array::from_fn(|index| if index < left_out { index } else { index + 1 })
}
