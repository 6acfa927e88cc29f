//! Writes glTF files. `patch` adds clips to an existing file, and `scratch` writes a character as a new file.

mod meshes;
mod motion_json;
mod nodes;
mod patch;
mod scratch;
mod target_buffers;
mod vrm;
mod vrma_motion;

pub use patch::write_clips_into;
pub use scratch::write_character;
