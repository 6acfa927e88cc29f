//! The tests of the readers and writers in one program, which links a tenth as often as one program per file.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub
)]

mod blender;
mod bvh_corpus;
mod bvh_read;
mod bvh_write;
mod fbx_corpus;
mod fbx_read;
mod fbx_scratch;
mod fbx_write;
#[cfg(all(feature = "fbx", feature = "gltf", feature = "bvh"))]
mod fbx_write_support;
mod gltf_corpus;
mod gltf_curves;
mod gltf_meshopt;
mod gltf_odd_numbers;
mod gltf_read;
mod gltf_robust;
mod gltf_variants;
mod gltf_write;
#[cfg(all(feature = "gltf", feature = "fbx", feature = "bvh"))]
mod hulls;
mod robots;
mod samples_broken;
