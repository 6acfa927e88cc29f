//! Where new data goes when a clip is written into a file, for every way a file can hold its data.

#![cfg(feature = "gltf")]

use rebone_io::gltf::{self, Container};
use rebone_io::{Error, ReadOptions};
use rebone_model::{
    Affine3A, Character, Clip, Interpolation, JointKind, Mesh, NewJoint, Skeleton, SkeletonBuilder,
    Skin, Track, Transform, Vec3,
};
use serde_json::Value;
use std::sync::Arc;

const NODES: &str = r#""asset":{"version":"2.0"},"nodes":[{"children":[1]},{}]"#;

fn no_files(uri: &str) -> Result<Vec<u8>, String> {
    Err(format!("no {uri}"))
}

/// A GLB of JSON members and further chunks, each with a kind.
fn glb(members: &str, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let word = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    let mut json = format!("{{{members}}}").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = [word(json.len()), *b"JSON"].as_flattened().to_vec();
    bytes.extend(json);
    for (kind, content) in chunks {
        bytes.extend([word(content.len()), **kind].as_flattened());
        bytes.extend(*content);
    }
    let header = [*b"glTF", word(2), word(12 + bytes.len())];
    [header.as_flattened(), &bytes].concat()
}

fn json(bytes: &[u8]) -> Value {
    if !bytes.starts_with(b"glTF") {
        return serde_json::from_slice(bytes).unwrap();
    }
    let size = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + size]).unwrap()
}

/// Four tracks that share their times: some by the same array, some by equal ones.
fn clip(joints: usize) -> Clip {
    let mut clip = Clip::new("clip", joints);
    let times: Arc<[f32]> = [0.25, 1.0].into();
    let track = |times: &Arc<[f32]>| {
        Track::new(Interpolation::Linear, Arc::clone(times), vec![Vec3::ONE; 2]).unwrap()
    };
    let equal: Arc<[f32]> = [0.25, 1.0].into();
    clip.joints[0].translation = Some(track(&times));
    clip.joints[0].scale = Some(track(&times));
    clip.joints[1].translation = Some(track(&equal));
    clip.joints[1].scale = Some(track(&[0.25, 2.0].into()));
    clip
}

/// Writes the clip into a file and checks that it reads back, alone.
fn write(target: &[u8], files: &dyn Fn(&str) -> Result<Vec<u8>, String>, to: Container) -> Vec<u8> {
    let document = gltf::read(target, &ReadOptions::default(), files).unwrap();
    let character = &document.characters[0];
    let clips = [clip(character.skeleton.len())];
    let new = gltf::write_clips_into(target, files, character, &clips, to)
        .unwrap()
        .bytes;
    let twice = gltf::write_clips_into(target, files, character, &clips, to)
        .unwrap()
        .bytes;
    assert_eq!(new, twice);
    let again = gltf::read(&new, &ReadOptions::default(), &no_files).unwrap();
    assert_eq!(again.characters[0].clips.last(), clips.last());
    new
}

#[test]
fn binary_chunk_grows_and_times_are_shared() {
    let members = format!(
        r#"{NODES},"buffers":[{{"name":"b","byteLength":5}}],"bufferViews":[{{"buffer":0,"byteLength":5}}]"#
    );
    let target = glb(
        &members,
        &[(b"BIN\0", &[1, 2, 3, 4, 5, 0, 0, 0]), (b"MINE", &[7; 4])],
    );
    let new = write(&target, &no_files, Container::Glb);
    let read = json(&new);
    // 8 old bytes, 2 different times of 2 keys, 4 tracks of 2 vectors.
    assert_eq!(read["buffers"][0]["byteLength"], 8 + 16 + 96);
    assert_eq!(read["accessors"].as_array().unwrap().len(), 2 + 4);
    assert_eq!(read["bufferViews"].as_array().unwrap().len(), 3);
    assert_eq!(read["accessors"][0]["min"][0], 0.25);
    // A chunk of unknown kind stays behind the binary one.
    assert!(new.ends_with(&[4, 0, 0, 0, b'M', b'I', b'N', b'E', 7, 7, 7, 7]));
    let read = json(&write(&target, &no_files, Container::Gltf));
    assert_eq!(
        read["buffers"][0]["uri"],
        "data:application/octet-stream;base64,AQIDBAU="
    );
    assert_eq!(read["bufferViews"][1]["buffer"], 1);
}

#[test]
fn files_without_data_get_some() {
    for target in [glb(NODES, &[]), format!("{{{NODES}}}").into_bytes()] {
        for container in [Container::Glb, Container::Gltf] {
            let read = json(&write(&target, &no_files, container));
            assert_eq!(read["buffers"].as_array().unwrap().len(), 1);
        }
    }
}

#[test]
fn outside_data_is_embedded() {
    let members = format!(
        r#"{{{NODES},"buffers":[{{"uri":"a%20b.bin","byteLength":6}},{{"uri":"c.bin","byteLength":3}}],"images":[{{"uri":"d.png"}},{{"uri":"missing.png"}}]}}"#
    );
    let files = |uri: &str| match uri {
        "a b.bin" => Ok(vec![1, 2, 3, 4, 5, 6]),
        "c.bin" => Ok(vec![7, 8, 9, 10]),
        "d.png" => Ok(b"\x89PNG".to_vec()),
        other => no_files(other),
    };
    let new = write(members.as_bytes(), &files, Container::Glb);
    let read = json(&new);
    assert_eq!(read["buffers"][0].get("uri"), None);
    assert_eq!(read["buffers"][0]["byteLength"], 8 + 16 + 96);
    assert_eq!(
        read["buffers"][1]["uri"],
        "data:application/octet-stream;base64,BwgJ"
    );
    assert_eq!(read["images"][0]["uri"], "data:image/png;base64,iVBORw==");
    assert_eq!(read["images"][1]["uri"], "missing.png");
    let read = json(&write(members.as_bytes(), &files, Container::Gltf));
    assert_eq!(read["buffers"].as_array().unwrap().len(), 3);
    assert_eq!(read["bufferViews"][0]["buffer"], 2);

    let document = gltf::read(members.as_bytes(), &ReadOptions::default(), &no_files).unwrap();
    let character = &document.characters[0];
    let result = gltf::write_clips_into(
        members.as_bytes(),
        &no_files,
        character,
        &[clip(2)],
        Container::Glb,
    );
    assert!(
        matches!(result, Err(Error::Caller(problem)) if problem.what.contains(".bin\" cannot be opened"))
    );
}

#[test]
fn place_holders_of_compressed_data_keep_their_index() {
    let fallback =
        r#"{"byteLength":64,"extensions":{"EXT_meshopt_compression":{"fallback":true}}}"#;
    let behind = format!(r#"{NODES},"buffers":[{{"byteLength":4}},{fallback}]"#);
    let read = json(&write(
        &glb(&behind, &[(b"BIN\0", &[1; 4])]),
        &no_files,
        Container::Glb,
    ));
    assert_eq!(
        read["buffers"][1],
        serde_json::from_str::<Value>(fallback).unwrap()
    );
    assert_eq!(read["bufferViews"][0]["buffer"], 0);
    let front = format!(r#"{NODES},"buffers":[{fallback}]"#);
    for container in [Container::Glb, Container::Gltf] {
        let read = json(&write(&glb(&front, &[]), &no_files, container));
        assert_eq!(
            read["buffers"][0],
            serde_json::from_str::<Value>(fallback).unwrap()
        );
        assert_eq!(read["bufferViews"][0]["buffer"], 1);
    }
}

#[test]
fn character_of_another_file_is_refused() {
    let large = format!(r#"{{{}}}"#, NODES.replace("{}]", r#"{"children":[2]},{}]"#));
    let document = gltf::read(large.as_bytes(), &ReadOptions::default(), &no_files).unwrap();
    let small = format!("{{{NODES}}}");
    let result = gltf::write_clips_into(
        small.as_bytes(),
        &no_files,
        &document.characters[0],
        &[clip(3)],
        Container::Glb,
    );
    assert!(matches!(result, Err(Error::Caller(_))));
}

fn two_roots() -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(NewJoint::new("a", None, Transform::IDENTITY));
    builder.add(NewJoint::new(
        "b",
        None,
        Transform::from_translation(Vec3::X),
    ));
    builder.build().unwrap().0
}

#[test]
fn skin_over_two_roots_gets_a_common_one() {
    let character = Character {
        name: "both".into(),
        skeleton: two_roots(),
        skins: vec![Skin {
            name: String::new(),
            joints: vec![0, 1],
            inverse_bind: vec![Affine3A::IDENTITY; 2],
        }],
        clips: vec![clip(2), Clip::new("empty", 2)],
        ..Character::default()
    };
    let bytes = gltf::write_character(&character, Container::Glb)
        .unwrap()
        .bytes;
    let document = gltf::read(&bytes, &ReadOptions::default(), &no_files).unwrap();
    let joints = document.characters[0].skeleton.joints();
    assert_eq!(joints.len(), 3);
    assert_eq!(
        (joints[0].name.as_str(), joints[0].kind),
        ("both", JointKind::Ancestor)
    );
    assert_eq!(document.characters[0].clips.len(), 1);
    assert_eq!(
        document.characters[0].clips[0].joints[1..],
        character.clips[0].joints
    );
}

#[test]
fn characters_that_contradict_themselves_are_refused() {
    let good = Character {
        skeleton: two_roots(),
        ..Character::default()
    };
    let refused = |character: &Character| {
        matches!(
            gltf::write_character(character, Container::Gltf),
            Err(Error::Caller(_))
        )
    };
    assert!(!refused(&good));
    assert!(refused(&Character::default()));
    let mut bad = good.clone();
    bad.clips.push(Clip::new("short", 1));
    assert!(refused(&bad));
    let mut bad = good.clone();
    bad.meshes.push(Mesh {
        positions: vec![Vec3::NAN],
        ..Mesh::default()
    });
    assert!(refused(&bad));
    bad.meshes[0] = Mesh {
        indices: vec![0, 0, 0],
        ..Mesh::default()
    };
    assert!(refused(&bad));
}
