//! Damaged and hostile glTF: an error at worst, never a panic.

#![cfg(feature = "gltf")]

use rebone_corpus::stride;
use rebone_io::gltf::{self, Container};
use rebone_io::{Error, ReadOptions};
use rebone_model::{
    Affine3A, Character, Clip, ImageData, Interpolation, JointLabel, Material, Mesh, NewJoint,
    Quat, SkeletonBuilder, Skin, Track, Transform, Vec2, Vec3,
};
use std::sync::Arc;

/// Two joints, a skinned and textured triangle, labels and two clips.
fn small_character() -> Character {
    let mut builder = SkeletonBuilder::new();
    builder.add(NewJoint::new("hips", None, Transform::IDENTITY));
    let raised = Transform::from_translation(Vec3::Y);
    builder.add(NewJoint::new("spine", Some(0), raised));
    let (skeleton, _) = builder.build().unwrap();
    let times: Arc<[f32]> = [0.0, 0.5, 1.0].into();
    let mut clip = Clip::new("wave", 2);
    let turns = vec![
        Quat::IDENTITY,
        Quat::from_rotation_x(0.5),
        Quat::from_rotation_x(1.0),
    ];
    let turns = Track::new(Interpolation::Linear, Arc::clone(&times), turns);
    clip.joints[1].rotation = Some(turns.unwrap());
    let spline = Track::new(Interpolation::CubicSpline, times, vec![Vec3::X; 9]);
    clip.joints[0].translation = Some(spline.unwrap());
    Character {
        name: "hips".into(),
        skeleton,
        poses: Vec::new(),
        left_out: Default::default(),
        hull: Vec::new(),
        is_unbound: false,
        skins: vec![Skin {
            name: "skin".into(),
            joints: vec![0, 1],
            inverse_bind: vec![Affine3A::IDENTITY; 2],
        }],
        meshes: vec![Mesh {
            name: "body".into(),
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            uvs: vec![Vec2::ZERO; 3],
            colors: vec![[1.0; 4]; 3],
            joint_slots: vec![[0, 1, 0, 0]; 3],
            joint_weights: vec![[0.25, 0.75, 0.0, 0.0]; 3],
            indices: vec![0, 1, 2],
            material: Some(0),
            skin: Some(0),
            joint: None,
        }],
        materials: vec![Material {
            name: "red".into(),
            base_color: [1.0, 0.0, 0.0, 1.0],
            base_color_image: Some(0),
            alpha_cutoff: Some(0.5),
            double_sided: true,
        }],
        images: vec![ImageData {
            bytes: b"\x89PNG\r\n\x1a\n".to_vec(),
        }],
        label_system: "vrm-1".into(),
        labels: vec![JointLabel {
            joint: 0,
            label: "hips".into(),
        }],
        hinges: Vec::new(),
        clips: vec![clip],
    }
}

fn try_all(bytes: &[u8]) -> bool {
    let options = ReadOptions {
        meshes: true,
        ..ReadOptions::default()
    };
    let resources = |uri: &str| -> Result<Vec<u8>, String> { Err(uri.to_owned()) };
    let Ok(document) = gltf::read(bytes, &options, &resources) else {
        return false;
    };
    for character in &document.characters {
        let clips = character.clips.as_slice();
        let _ = gltf::write_clips_into(bytes, &resources, character, clips, Container::Glb);
        let _ = gltf::write_character(character, Container::Glb);
    }
    true
}

fn samples() -> [Vec<u8>; 2] {
    [Container::Glb, Container::Gltf].map(|container| {
        gltf::write_character(&small_character(), container)
            .unwrap()
            .bytes
    })
}

#[test]
fn small_character_round_trips() {
    let character = small_character();
    for bytes in samples() {
        let options = ReadOptions {
            meshes: true,
            ..ReadOptions::default()
        };
        let again = gltf::read(&bytes, &options, &|uri| Err(uri.to_owned())).unwrap();
        let again = &again.characters[0];
        assert_eq!(again.skeleton, character.skeleton);
        assert_eq!(again.meshes, character.meshes);
        assert_eq!(again.materials, character.materials);
        assert_eq!(again.images, character.images);
        assert_eq!(again.skins, character.skins);
        assert_eq!(again.labels, character.labels);
        assert_eq!(again.clips, character.clips);
        let tracks = &again.clips[0].joints;
        assert!(Arc::ptr_eq(
            tracks[1].rotation.as_ref().unwrap().shared_times(),
            tracks[0].translation.as_ref().unwrap().shared_times()
        ));
    }
}

#[test]
fn every_prefix() {
    for bytes in samples() {
        for end in 0..bytes.len() {
            assert!(!try_all(&bytes[..end]), "{end} bytes should not read");
        }
    }
}

#[test]
fn every_byte_flipped() {
    let mut read = 0usize;
    let mut tried = 0usize;
    for sample in samples() {
        for at in (0..sample.len()).step_by(stride()) {
            for flip in [0x01, 0x10, 0x80, 0xFF] {
                let mut bytes = sample.clone();
                bytes[at] ^= flip;
                tried += 1;
                read += usize::from(try_all(&bytes));
            }
        }
    }
    println!("{read} of {tried} damaged files read");
}

#[test]
fn every_number_replaced() {
    let [_, sample] = samples();
    let text = String::from_utf8(sample).unwrap();
    let digits = |c: char| c.is_ascii_digit();
    for (at, _) in text.match_indices(digits) {
        let end = at + text[at..].find(|c| !digits(c)).unwrap_or(0);
        if text[..at].ends_with(digits) || text[..at].contains("base64") {
            continue;
        }
        for number in [
            "0",
            "-1",
            "3",
            "1e3",
            "4294967295",
            "18446744073709551615",
            "1e999",
            "null",
            "[]",
        ] {
            try_all(format!("{}{number}{}", &text[..at], &text[end..]).as_bytes());
        }
    }
}

#[test]
fn lies_about_lengths() {
    let [glb, _] = samples();
    for at in [8, 12] {
        let mut bytes = glb.clone();
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(!try_all(&bytes));
    }
    assert!(!try_all(b"glTF"));
    assert!(!try_all(b"glTF\x01\0\0\0\x0c\0\0\0"));
}

#[test]
fn deep_json_is_an_error_or_skipped() {
    let deep = "[".repeat(200_000);
    assert!(!try_all(
        format!(r#"{{"asset":{{"version":"2.0"}},"nodes":{deep}"#).as_bytes()
    ));
    let closed = format!("{deep}{}", "]".repeat(200_000));
    assert!(!try_all(
        format!(r#"{{"asset":{{"version":"2.0"}},"nodes":{closed}}}"#).as_bytes()
    ));
    assert!(try_all(
        format!(r#"{{"asset":{{"version":"2.0"}},"extras":{closed}}}"#).as_bytes()
    ));
}

#[test]
fn clips_by_the_thousand_over_wide_skeletons_meet_the_limit() {
    let nodes = vec!["{}"; 20_000].join(",");
    let joints: Vec<String> = (0..20_000).map(|node| node.to_string()).collect();
    let animation = r#"{"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}],"samplers":[{"input":0,"output":1}]}"#;
    let animations = vec![animation; 5_000].join(",");
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"skins":[{{"joints":[{}]}}],"animations":[{animations}],"accessors":[{{"componentType":5126,"count":1,"type":"SCALAR"}},{{"componentType":5126,"count":1,"type":"VEC3"}}]}}"#,
        joints.join(",")
    );
    let options = ReadOptions {
        limits: rebone_io::Limits {
            animation_values: 10_000_000,
            ..Default::default()
        },
        ..ReadOptions::default()
    };
    let result = gltf::read(json.as_bytes(), &options, &|_| Err(String::new()));
    assert!(matches!(result, Err(Error::Limit(_))), "{result:?}");
}
