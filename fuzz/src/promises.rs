//! What holds of everything that a reader accepts and a writer writes.

use rebone::io::Document;
use rebone::model::JointTracks;
use rebone::model::check::check_character;
use rebone::model::usable::is_usable;
use rebone::{Character, Clip, Format, ReadOptions, Warning, read};

/// No file has another beside it.
pub(crate) fn no_files(uri: &str) -> Result<Vec<u8>, String> {
    Err(format!("no {uri}"))
}

/// Checks all that was read: numbers are finite, rotations unit, times rise, and indices lead to something.
///
/// # Panics
///
/// Where one of them does not hold.
pub(crate) fn check_document(document: &Document) {
    for character in &document.characters {
        check(character);
    }
}

/// [`check_document`] for one character.
pub(crate) fn check(character: &Character) {
    assert_eq!(check_character(character), Ok(()));
    let joints = character.skeleton.joints();
    for (index, joint) in joints.iter().enumerate() {
        assert!(joint.parent.is_none_or(|parent| parent < index));
    }
    for skin in &character.skins {
        assert!(skin.joints.iter().all(|&joint| joint < joints.len()));
        assert!(skin.inverse_bind.is_empty() || skin.inverse_bind.len() == skin.joints.len());
    }
    for label in &character.labels {
        assert!(label.joint < joints.len());
    }
    for pose in &character.poses {
        assert_eq!(pose.model_from_joint.len(), joints.len());
        let mut places = pose.model_from_joint.iter().flatten();
        assert!(
            places.all(rebone::model::Affine3A::is_finite),
            "a stored pose"
        );
    }
    for hinge in &character.hinges {
        assert!(hinge.joint < joints.len());
        let ends = hinge.range.unwrap_or_default();
        assert!(
            ends.into_iter().all(f32::is_finite) && ends[0] <= ends[1],
            "a motor's range"
        );
        assert!((hinge.axis.length() - 1.0).abs() < 1e-3, "a motor's axis");
    }
    check_meshes(character);
    for clip in &character.clips {
        assert_eq!(clip.joints.len(), joints.len());
        check_times(clip);
    }
}

fn check_meshes(character: &Character) {
    for mesh in &character.meshes {
        let vertices = mesh.positions.len();
        assert!(
            mesh.indices
                .iter()
                .all(|&index| (index as usize) < vertices)
        );
        for length in [mesh.normals.len(), mesh.uvs.len(), mesh.colors.len()] {
            assert!(length == 0 || length == vertices);
        }
        assert!(mesh.normals.iter().all(|normal| normal.is_finite()));
        assert!(mesh.uvs.iter().all(|uv| uv.is_finite()));
        let mut numbers = mesh.colors.iter().chain(&mesh.joint_weights).flatten();
        assert!(numbers.all(|number| number.is_finite()));
        assert_eq!(mesh.joint_slots.len(), mesh.joint_weights.len());
        assert!(mesh.joint_slots.is_empty() || mesh.joint_slots.len() == vertices);
        assert!(
            mesh.material
                .is_none_or(|material| material < character.materials.len())
        );
        assert!(mesh.skin.is_none_or(|skin| skin < character.skins.len()));
        assert!(
            mesh.joint
                .is_none_or(|joint| joint < character.skeleton.len())
        );
    }
    for material in &character.materials {
        assert!(
            material
                .base_color_image
                .is_none_or(|image| image < character.images.len())
        );
    }
}

/// Checks that the times of a clip are finite and rise, and that its values are usable.
pub(crate) fn check_times(clip: &Clip) {
    let times = |tracks: &JointTracks| {
        [
            tracks
                .translation
                .as_ref()
                .map(|track| track.shared_times().clone()),
            tracks
                .rotation
                .as_ref()
                .map(|track| track.shared_times().clone()),
            tracks
                .scale
                .as_ref()
                .map(|track| track.shared_times().clone()),
        ]
    };
    for own in clip.joints.iter().flat_map(times).flatten() {
        check_rising(&own);
    }
    for curve in &clip.curves {
        check_rising(curve.times());
        assert!(curve.values().iter().all(|value| is_usable(*value)));
    }
    assert!(
        clip.rate_hz
            .is_none_or(|rate| rate.is_finite() && rate > 0.0),
        "{:?}",
        clip.rate_hz
    );
}

fn check_rising(times: &[f32]) {
    assert!(!times.is_empty());
    assert!(times.iter().all(|time| time.is_finite()));
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
}

/// True where a reader has put times in order.
pub(crate) fn times_are_odd(warnings: &[Warning]) -> bool {
    warnings
        .iter()
        .any(|warning| warning.code.starts_with("times-"))
}

/// Reads a file of ours, with and without meshes. All in it must keep the promises, and its times must be in order,
/// unless they are another's (`may_be_odd`: a clip of the file into which ours was written).
pub(crate) fn check_readable(bytes: &[u8], format: Format, may_be_odd: bool) {
    for meshes in [false, true] {
        let options = ReadOptions {
            meshes,
            ..ReadOptions::default()
        };
        let document = read(bytes, &options, &no_files)
            .unwrap_or_else(|error| panic!("our own {} is not read: {error}", format.name()));
        let is_odd = times_are_odd(&document.warnings);
        assert!(
            may_be_odd || !is_odd,
            "{}: {:?}",
            format.name(),
            document.warnings
        );
        check_document(&document);
    }
}

/// Writes a character in every format that has a place for it; each file must be readable.
pub(crate) fn check_written(character: &Character) {
    for format in [Format::Glb, Format::Gltf, Format::Fbx] {
        if let Ok(output) = rebone::output::write_character(character, format) {
            check_readable(&output.bytes, format, false);
        }
    }
    for clip in character.clips.iter().take(2) {
        let alone = Character {
            clips: vec![clip.clone()],
            ..character.clone()
        };
        if let Ok(output) = rebone::output::write_character(&alone, Format::Bvh) {
            check_readable(&output.bytes, Format::Bvh, false);
        }
    }
}
