//! `.retarget` files: a plan with the names of the joints on both sides, so that a program without the
//! authoring half can load and run it.
//!
//! All numbers are little-endian. The file is
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `RETARGET` |
//! | 4 | version, `u32` |
//! | 4 | length of the file in bytes, `u32` |
//! | 8 | FNV-1a hash, 64 bits, of all that follows |
//! | rest | both rigs, then the plan, field by field in the order of their types, then the re-based skin if there is one |
//!
//! A joint is a `u16`, 65535 stands for none; lists have a `u16` count in front, texts a `u16` count of bytes;
//! vectors, quaternions (x, y, z, w) and matrices (column by column) are `f32`. Enums are a `u8`.
//!
//! A reader takes nothing on trust: every count is checked against the bytes that are left, every joint
//! against its rig, every number for being finite, and the order of the joints for being one in which a plan
//! can run.

mod blends;
mod body;
mod contacts;
mod feet;
mod ground;
mod mirror;
mod pins;
mod reach;
mod read;
mod rebind;
mod stages;
mod write;

pub use read::read_asset;
pub use write::write_asset;

use crate::Plan;
use crate::rebind::Rebind;
use glam::Quat;
use rebone_model::JointKind;

/// The version that is written; all up to it are read. 1 had no stages, no blends and no re-based skin, 2 no rules for
/// contacts, 4 no steady legs, 5 no skin on the floor, 6 no steady legs of animals. In 7 arms left the body by their
/// wrists, in 8 grips were found relative to the chest only, and in 9 hands touched nothing of the own body.
pub const VERSION: u32 = 10;

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"RETARGET";

/// Bytes before the body.
const HEADER: usize = 24;

/// Stands for no joint.
const NONE: u16 = u16::MAX;

/// One side of an asset: what a program needs to match a clip's joints, or to write a file.
#[derive(Clone, Debug, Default, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
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

/// Why bytes are no asset, or an asset does not become bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssetError {
    /// The bytes are something else.
    #[error("this is no .retarget file")]
    NoAsset,
    /// The file is of a later version.
    #[error(
        "the .retarget file has version {found}, but this program reads up to {VERSION}; use a newer program, or compile it again"
    )]
    Version {
        /// Its version.
        found: u32,
    },
    /// The content does not make sense.
    #[error("the .retarget file is damaged at byte {at}: {what}; compile it again")]
    Damaged {
        /// What is wrong.
        what: &'static str,
        /// Byte where reading stopped.
        at: usize,
    },
    /// The plan holds what must not be in a file.
    #[error(
        "the pair makes a .retarget file that could not be read: {what}; look for odd sizes and scales in both files, and export them again"
    )]
    Unreadable {
        /// What is wrong.
        what: &'static str,
    },
    /// More joints, operations or letters than the format can count.
    #[error("{what}: a .retarget file holds up to 65534")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
    },
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits: finds damage, not malice.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
