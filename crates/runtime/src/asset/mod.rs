//! `.retarget` files: a plan with the names of the joints on both sides, so that a program without the
//! authoring half can load and run it.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `RETARGET` |
//! | 4 | version, `u32`, little-endian as the next two |
//! | 4 | length of the file in bytes, `u32` |
//! | 8 | FNV-1a hash, 64 bits, of all that follows |
//! | rest | [`Asset`], as [postcard](https://postcard.jamesmunns.com/wire-format) writes its fields |
//!
//! A reader takes nothing on trust: every number must be finite and every rotation a unit quaternion, and the plan is checked as a
//! whole: its joints are there, its lists are as long as the rigs, and joints are placed in an order that can run.

mod numbers;

use crate::Plan;
use crate::check::{Sizes, ensure};
use crate::rebind::Rebind;
use glam::Quat;
use rebone_model::JointKind;
use serde::{Deserialize, Serialize};

/// The version that is written, and the only one that is read: a plan is compiled again in less time than an old one is understood.
pub const VERSION: u32 = 16;

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"RETARGET";

/// Bytes before the body.
const HEADER: usize = 24;

/// One side of an asset: what a program needs to match a clip's joints, or to write a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssetRig {
    /// Name of the character.
    pub name: String,
    /// Names of the joints, one for each joint of the plan's rig.
    pub joints: Vec<String>,
    /// Whether each is a joint of the body or a node above it.
    pub kinds: Vec<JointKind>,
    /// Metres a unit of the rig's own numbers.
    pub meters_per_unit: f64,
    /// Turns the rig's axes to +Y up, +Z forward.
    pub canonical_from_file: Quat,
}

/// A plan, ready to run anywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asset {
    /// The side that moves.
    pub source: AssetRig,
    /// The side that is moved.
    pub target: AssetRig,
    /// The constants.
    pub plan: Plan,
    /// The target's skin on the source's skeleton, for programs that play raw keys. Default: none.
    pub rebind: Option<Rebind>,
}

impl Asset {
    /// Fails where it could not run.
    fn check(&self) -> Result<(), &'static str> {
        self.plan.check()?;
        let sizes = Sizes {
            source: self.plan.source.len(),
            target: self.plan.target.len(),
        };
        for (side, joints) in [(&self.source, sizes.source), (&self.target, sizes.target)] {
            ensure(
                [side.joints.len(), side.kinds.len()] == [joints; 2],
                "a rig has other names than joints",
            )?;
            ensure(side.meters_per_unit > 0.0, "a unit has no length")?;
        }
        self.rebind
            .as_ref()
            .map_or(Ok(()), |rebind| rebind.check(sizes))
    }
}

/// Why bytes are no asset, or an asset does not become bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssetError {
    /// The bytes are something else.
    #[error("this is no .retarget file")]
    NoAsset,
    /// The file is of another version.
    #[error(
        "the .retarget file has version {found}, but this program reads version {VERSION}; compile it again, or use the program that wrote it"
    )]
    Version {
        /// Its version.
        found: u32,
    },
    /// The content does not make sense.
    #[error("the .retarget file is damaged: {what}; compile it again")]
    Damaged {
        /// What is wrong.
        what: String,
    },
    /// The plan holds what must not be in a file.
    #[error(
        "the pair makes a .retarget file that could not be read: {what}; look for odd sizes and scales in both files, and export them again"
    )]
    Unreadable {
        /// What is wrong.
        what: String,
    },
}

fn damaged(what: impl std::fmt::Display) -> AssetError {
    AssetError::Damaged {
        what: what.to_string(),
    }
}

/// The bytes of an asset.
///
/// # Errors
/// [`AssetError::Unreadable`] where [`read_asset`] would refuse the bytes: characters of odd sizes may give constants that are not finite.
pub fn write_asset(asset: &Asset) -> Result<Vec<u8>, AssetError> {
    let unreadable = |what: String| AssetError::Unreadable { what };
    numbers::check(asset).map_err(|error| unreadable(error.to_string()))?;
    asset.check().map_err(|what| unreadable(what.to_owned()))?;
    let body = postcard::to_allocvec(asset).map_err(|error| unreadable(error.to_string()))?;
    let length = u32::try_from(HEADER + body.len());
    let length = length.map_err(|_| unreadable("it is longer than four gigabytes".to_owned()))?;
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend(hash(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

/// The asset in these bytes.
///
/// # Errors
/// Whatever the bytes are, the result is an error or a plan that runs.
pub fn read_asset(bytes: &[u8]) -> Result<Asset, AssetError> {
    let header = bytes.first_chunk::<HEADER>().ok_or(AssetError::NoAsset)?;
    if !header.starts_with(&MAGIC) {
        return Err(AssetError::NoAsset);
    }
    let body = &bytes[HEADER..];
    let word = |at: usize| {
        header[at..]
            .first_chunk()
            .map_or(0, |word| u32::from_le_bytes(*word))
    };
    if word(8) != VERSION {
        return Err(AssetError::Version { found: word(8) });
    }
    if usize::try_from(word(12)).ok() != Some(bytes.len()) {
        return Err(damaged("its length is not the one that it states"));
    }
    if hash(body).to_le_bytes() != header[16..] {
        return Err(damaged("its content is not what was written"));
    }
    let (asset, rest): (Asset, _) = postcard::take_from_bytes(body).map_err(damaged)?;
    if !rest.is_empty() {
        return Err(damaged("there is more than a plan"));
    }
    numbers::check(&asset).map_err(damaged)?;
    asset.check().map_err(damaged)?;
    Ok(asset)
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits: finds damage, not malice.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
