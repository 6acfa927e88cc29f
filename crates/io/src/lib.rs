//! Files to characters and clips, and back. Bytes in, bytes out: this crate never opens a file.
//!
//! Readers convert to Rebone's own space (right-handed, +Y up, +Z forward, metres) whatever the
//! format states; what it does not state (BVH: unit and axes) stays as it is and
//! [`FileSpace`] says so. Readers never panic and never trust a length.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod document;
pub mod error;
#[cfg(any(feature = "gltf", feature = "fbx"))]
mod fits;
pub mod format;
pub mod limits;

#[cfg(any(feature = "bvh", feature = "fbx"))]
mod angles;
#[cfg(feature = "bvh")]
pub mod bvh;
#[cfg(any(feature = "bvh", feature = "fbx"))]
mod euler;
#[cfg(feature = "fbx")]
pub mod fbx;
#[cfg(feature = "gltf")]
pub mod gltf;
#[cfg(any(feature = "gltf", feature = "fbx"))]
mod grouping;
#[cfg(any(feature = "gltf", feature = "fbx"))]
mod morph_names;

#[cfg(feature = "robot")]
pub mod robot;

pub use document::{Document, FileSpace, Output, ReadOptions, Resources};
pub use error::{Error, Problem};
pub use format::Format;
pub use limits::Limits;

/// Reads a file of any supported format, told apart by content.
pub fn read(
    bytes: &[u8],
    options: &ReadOptions,
    resources: Resources<'_>,
) -> Result<Document, Error> {
    // Without any format's feature neither is looked at.
    let _ = (options, resources);
    match Format::detect(bytes)? {
        #[cfg(feature = "gltf")]
        Format::Glb | Format::Gltf | Format::Vrm | Format::Vrma => {
            gltf::read(bytes, options, resources)
        }
        #[cfg(feature = "bvh")]
        Format::Bvh => bvh::read(bytes, options),
        #[cfg(feature = "fbx")]
        Format::Fbx => fbx::read(bytes, options, resources),
        #[cfg(feature = "robot")]
        Format::Urdf | Format::Mjcf => robot::read(bytes, options),
        #[allow(unreachable_patterns)]
        other => Err(Error::unsupported(
            format!("this build cannot read {}", other.name()),
            "file",
            "build rebone with the feature of that format",
        )),
    }
}
