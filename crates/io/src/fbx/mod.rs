//! FBX, Autodesk's exchange format: binary and text, of any age.
//!
//! Reading is done by ufbx and ends in metres, +Y up; what a node's pivots, pre-rotations, rotation
//! order and scale inheritance amount to is folded into plain local transforms. Writing is Rebone's own:
//! [`write_clips_into`] replaces the animation of an existing file and keeps everything else,
//! [`write_character`] makes a new one.

mod read;
mod scene;
mod syntax;
mod write;

pub use read::read;
pub use write::{Version, WriteOptions, write_character, write_clips_into};
