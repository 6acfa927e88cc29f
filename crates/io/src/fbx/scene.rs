//! Loading: the one way in which ufbx is called, its limits, and its errors in our words.
//!
//! Reader and writer both load through here, so that a node has the same index in both. The scene is
//! in metres and +Y up; a node's pivots, pre- and post-rotations and rotation order are what ufbx
//! evaluates; uncommon scale inheritance is compensated, or moved to a helper node below its owner.

use crate::{Error, Limits};
use rebone_model::SkeletonBuilder;
use ufbx::{
    AllocatorOpts, CoordinateAxes, ErrorType, FileFormat, GeometryTransformHandling,
    InheritModeHandling, LoadOpts, MirrorAxis, PivotHandling, SceneRoot, SpaceConversion,
};

/// What each of ufbx's two allocators may hold, bytes.
const MOST_MEMORY: usize = 384 << 20;
/// The same for each byte of a larger file. A file of 438 MB with 7.4 million keys is read with 1.4 GB in all.
const MEMORY_PER_BYTE: usize = 4;
/// In files of lower versions, skins and blend shapes are part of the vertices.
const SEPARATE_GEOMETRY: u32 = 7_000;
/// How binary files begin.
const BINARY_MAGIC: &[u8] = b"Kaydara FBX Binary  \0\x1a";
/// The beginning of that which a transfer as text leaves alone.
const BINARY_NAME: &[u8] = b"Kaydara FBX Binary";
/// What to do about a file that is broken.
pub(super) const EXPORT_AGAIN: &str = "export the file again";

/// What is loaded beside nodes, deformers, poses and animation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LoadOptions {
    /// Vertices. Default false.
    pub vertices: bool,
    /// Also normals, and the images that the file holds. Default false.
    pub meshes: bool,
    /// The file's own syntax tree (`element.dom_node`), where its object ids stand. Default false.
    pub dom: bool,
}

/// Loads a file of any version. Nodes have the same indices whatever the options; other files are never
/// opened.
pub(super) fn load(
    bytes: &[u8],
    limits: &Limits,
    options: LoadOptions,
) -> Result<SceneRoot, Error> {
    check_header(bytes)?;
    let with_meshes = LoadOptions {
        vertices: true,
        meshes: true,
        ..options
    };
    let is_old = binary_version(bytes).is_some_and(|version| version < SEPARATE_GEOMETRY);
    let mut scene = load_with(bytes, limits, if is_old { with_meshes } else { options })?;
    if scene.metadata.version < SEPARATE_GEOMETRY && scene.metadata.geometry_ignored {
        drop(scene);
        scene = load_with(bytes, limits, with_meshes)?;
    }
    if scene.nodes.count > limits.nodes {
        return Err(Error::limit(
            format!(
                "{} nodes are more than the limit of {}",
                scene.nodes.count, limits.nodes
            ),
            "Objects",
            "raise the limit, or split the file",
        ));
    }
    Ok(scene)
}

/// The version that the header of a binary file states. `None` for text.
fn binary_version(bytes: &[u8]) -> Option<u32> {
    let after = bytes.strip_prefix(BINARY_MAGIC)?;
    let (&endianness, after) = after.split_first()?;
    let version = *after.first_chunk::<4>()?;
    Some(if endianness == 0 {
        u32::from_le_bytes(version)
    } else {
        u32::from_be_bytes(version)
    })
}

fn load_with(bytes: &[u8], limits: &Limits, options: LoadOptions) -> Result<SceneRoot, Error> {
    // What a file really holds may be read, whatever files may claim.
    let held = bytes.len().saturating_mul(MEMORY_PER_BYTE);
    let most = MOST_MEMORY.min(limits.buffer_bytes.max(1)).max(held);
    let memory = || AllocatorOpts {
        memory_limit: most,
        ..AllocatorOpts::default()
    };
    ufbx::load_memory(
        bytes,
        LoadOpts {
            temp_allocator: memory(),
            result_allocator: memory(),
            ignore_geometry: !options.vertices,
            ignore_embedded: !options.meshes,
            retain_dom: options.dom,
            skip_mesh_parts: false,
            generate_missing_normals: options.meshes,
            file_format: FileFormat::Fbx,
            path_separator: b'/',
            node_depth_limit: u32::try_from(SkeletonBuilder::MAX_DEPTH).unwrap_or(u32::MAX),
            target_axes: CoordinateAxes::right_handed_y_up(),
            target_unit_meters: 1.0,
            space_conversion: SpaceConversion::ModifyGeometry,
            handedness_conversion_axis: MirrorAxis::X,
            inherit_mode_handling: InheritModeHandling::Compensate,
            geometry_transform_handling: GeometryTransformHandling::Preserve,
            pivot_handling: PivotHandling::Retain,
            ..LoadOpts::default()
        },
    )
    .map_err(|error| in_our_words(&error, most))
}

/// Finds what a transfer as text does to a binary file.
fn check_header(bytes: &[u8]) -> Result<(), Error> {
    if bytes.starts_with(BINARY_NAME) && !bytes.starts_with(BINARY_MAGIC) {
        return Err(Error::malformed(
            "the binary header is damaged: the file was damaged by a text-mode transfer \
             (its zero bytes have become other characters), or cut off",
            format!("byte {}", BINARY_NAME.len()),
            "copy the original again, as binary",
        ));
    }
    Ok(())
}

/// What ufbx says, as what, where and what to do. `most_memory`: bytes that it could take.
fn in_our_words(error: &ufbx::Error, most_memory: usize) -> Error {
    let place = match error.info() {
        "" => "file".to_owned(),
        info => info.to_owned(),
    };
    let said = error.description.to_lowercase();
    match error.type_ {
        ErrorType::EmptyFile => Error::malformed("the file is empty", place, EXPORT_AGAIN),
        ErrorType::TruncatedFile => Error::malformed(
            "the file ends in the middle of its data",
            place,
            "copy or export the file again",
        ),
        ErrorType::UnsupportedVersion => Error::unsupported(
            "this version of FBX is not supported",
            place,
            "export the file as FBX 7.4 (FBX 2014 or later)",
        ),
        ErrorType::UnrecognizedFileFormat => Error::malformed(
            "the content is no FBX that can be told apart",
            place,
            EXPORT_AGAIN,
        ),
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
            Error::limit(
                format!(
                    "the file needs more than {} MiB of memory",
                    most_memory >> 20
                ),
                place,
                "read it without meshes, or split the file",
            )
        }
        ErrorType::NodeDepthLimit => Error::limit(
            format!(
                "the nodes lie deeper than {} levels",
                SkeletonBuilder::MAX_DEPTH
            ),
            place,
            "flatten the hierarchy",
        ),
        _ => Error::malformed(
            format!("the FBX data is broken ({said})"),
            place,
            EXPORT_AGAIN,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(bytes: &[u8]) -> Error {
        match load(bytes, &Limits::default(), LoadOptions::default()) {
            Ok(_) => panic!("loaded"),
            Err(error) => error,
        }
    }

    #[test]
    fn damage_is_named() {
        let error = refusal(b"Kaydara FBX Binary   \x1a \x84\x1c");
        assert!(error.to_string().contains("text-mode transfer"), "{error}");
        let error = refusal(b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0");
        assert!(matches!(error, Error::Malformed(_)), "{error}");
    }

    /// Vertices of all meshes in world space.
    fn world_vertices(bytes: &[u8]) -> Vec<[f64; 3]> {
        let options = LoadOptions {
            vertices: true,
            meshes: true,
            ..LoadOptions::default()
        };
        let scene = load(bytes, &Limits::default(), options).unwrap();
        let root = &scene.root_node.local_transform;
        assert_eq!(
            [root.rotation.w, root.scale.x, root.translation.x],
            [1.0, 1.0, 0.0]
        );
        let mut found = Vec::new();
        for node in &scene.nodes {
            for &vertex in node.mesh.iter().flat_map(|mesh| &mesh.vertices) {
                let world = ufbx::transform_position(&node.geometry_to_world, vertex);
                found.push([world.x, world.y, world.z]);
            }
        }
        found
    }

    /// Requirement: 24 axis systems end in the same picture.
    #[test]
    fn all_axis_systems_end_in_the_same_picture() {
        let Some(corpus) = rebone_corpus::corpus() else {
            return;
        };
        let entries = std::fs::read_dir(corpus.join("ufbx/data/blender_axes")).unwrap();
        let mut pictures: Vec<Vec<[f64; 3]>> = entries
            .map(|entry| world_vertices(&std::fs::read(entry.unwrap().path()).unwrap()))
            .collect();
        assert_eq!(pictures.len(), 24);
        let first = pictures.remove(0);
        assert!(first.len() >= 3, "{first:?}");
        for other in pictures {
            assert_eq!(other.len(), first.len());
            for (a, b) in first.iter().flatten().zip(other.iter().flatten()) {
                assert!((a - b).abs() < 1e-6, "{a} is not {b}");
            }
        }
    }
}
