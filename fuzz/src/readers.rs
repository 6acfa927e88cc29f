//! The readers, with their default limits.

use crate::promises::{check_document, check_written, no_files};
use rebone::io::{Document, Error, bvh, fbx, gltf, robot};
use rebone::{ReadOptions, read};

/// How a reader is called.
type Reader = fn(&[u8], &ReadOptions) -> Result<Document, Error>;

fn with_and_without_meshes(bytes: &[u8], reader: Reader) {
    for meshes in [false, true] {
        let options = ReadOptions {
            meshes,
            ..ReadOptions::default()
        };
        if let Ok(document) = reader(bytes, &options) {
            check_document(&document);
        }
    }
}

/// Biovision hierarchies.
pub fn bvh(bytes: &[u8]) {
    if let Ok(document) = bvh::read(bytes, &ReadOptions::default()) {
        check_document(&document);
    }
}

/// glTF as JSON: also VRM and VRMA, whose data stand in the same document.
pub fn gltf(bytes: &[u8]) {
    with_and_without_meshes(bytes, |bytes, options| {
        gltf::read(bytes, options, &no_files)
    });
}

/// GLB: JSON up to the first zero byte, then the binary part, which are put into a container. Without a zero byte the
/// input is the whole file.
pub fn glb(bytes: &[u8]) {
    gltf(&glb_of(bytes));
}

fn glb_of(bytes: &[u8]) -> Vec<u8> {
    let Some(end) = bytes.iter().position(|byte| *byte == 0) else {
        return bytes.to_vec();
    };
    if bytes.starts_with(b"glTF") {
        return bytes.to_vec();
    }
    crate::raw_glb::container(&bytes[..end], &bytes[end + 1..])
}

/// FBX, binary and text.
pub fn fbx(bytes: &[u8]) {
    with_and_without_meshes(bytes, |bytes, options| fbx::read(bytes, options, &no_files));
}

/// Robots: URDF and MJCF.
pub fn robot(bytes: &[u8]) {
    if let Ok(document) = robot::read(bytes, &ReadOptions::default()) {
        check_document(&document);
    }
}

/// Any format; what is read is written in every format and read again.
pub fn round_trip(bytes: &[u8]) {
    let bytes = if bytes.starts_with(b"{") {
        glb_of(bytes)
    } else {
        bytes.to_vec()
    };
    let options = ReadOptions {
        meshes: true,
        ..ReadOptions::default()
    };
    let Ok(document) = read(&bytes, &options, &no_files) else {
        return;
    };
    check_document(&document);
    document.characters.iter().take(4).for_each(check_written);
}
