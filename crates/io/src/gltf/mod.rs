//! glTF 2.0, GLB, VRM and VRMA.
//!
//! Reading looks only at what animation needs (nodes, skins, animations, VRM's humanoid map, the names
//! of morph targets) and, on request, at meshes; everything else in the file is neither parsed nor
//! refused. Writing into a file splices new elements into its JSON text and appends to its binary chunk,
//! so that whatever Rebone does not know stays as it was.
//!
//! NOTE: glTF is right-handed, +Y up and in metres, as Rebone is, so no number is converted. VRM 0.x
//! avatars look along -Z; [`FileSpace::forward`](crate::FileSpace::forward) says so and the numbers
//! stay as they are.

mod buffers;
mod curve_places;
mod glb;
mod json;
mod morphs;
mod pointers;
mod read;
mod splice;
mod vrm;
mod write;

pub use curve_places::{NodeWeights, ShownCurves, shown_curves};
pub use read::read;
pub use write::{write_character, write_clips_into};

/// The two ways in which glTF stands in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// One binary file (`.glb`, `.vrm`, `.vrma`).
    Glb,
    /// JSON with all data embedded as base64 (`.gltf`); a third larger.
    Gltf,
}

/// The usual remedy for a broken file.
const EXPORT_AGAIN: &str = "export the file again, or check it with the glTF validator";
/// The usual remedy for compressed data.
const DECOMPRESS: &str = "decompress the file first (npx @gltf-transform/cli copy in.glb out.glb), \
    or export it without compression";
