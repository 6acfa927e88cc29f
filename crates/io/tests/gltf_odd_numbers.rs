//! glTF files whose numbers are odd: key times that are equal or negative, counts without data, buffers without bytes,
//! values near the largest float.

#![cfg(feature = "gltf")]

use rebone_io::gltf::{self, Container};
use rebone_io::{Document, Error, Limits, ReadOptions};
use rebone_model::{Clip, Interpolation, Track, Vec3};

fn no_files(uri: &str) -> Result<Vec<u8>, String> {
    Err(format!("no {uri}"))
}

/// A GLB of JSON members and a binary chunk.
fn glb(members: &str, bin: &[u8]) -> Vec<u8> {
    let word = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    let mut json = format!("{{{members}}}").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = 28 + json.len() + bin.len();
    let parts = [*b"glTF", word(2), word(length), word(json.len()), *b"JSON"];
    let bin_header = [word(bin.len()), *b"BIN\0"];
    [parts.as_flattened(), &json, bin_header.as_flattened(), bin].concat()
}

fn read(bytes: &[u8]) -> Result<Document, Error> {
    gltf::read(bytes, &ReadOptions::default(), &no_files)
}

/// Two joints, whose first has a linear translation along x with these keys and the second the same times in an
/// animation of its own.
fn moving(times: &[f32], x: &[f32]) -> Vec<u8> {
    let count = times.len();
    let values = x.iter().flat_map(|x| [*x, 0.0, 0.0]);
    let bin: Vec<u8> = times
        .iter()
        .copied()
        .chain(values)
        .flat_map(f32::to_le_bytes)
        .collect();
    let (of_times, of_values) = (4 * count, 12 * x.len());
    let members = format!(
        r#""asset":{{"version":"2.0"}},"nodes":[{{"name":"a","children":[1]}},{{"name":"b"}}],
        "buffers":[{{"byteLength":{}}}],
        "bufferViews":[{{"buffer":0,"byteLength":{of_times}}},{{"buffer":0,"byteOffset":{of_times},"byteLength":{of_values}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{count},"type":"SCALAR"}},
            {{"bufferView":1,"componentType":5126,"count":{},"type":"VEC3"}}],
        "animations":[{{"name":"walk","samplers":[{{"input":0,"output":1}}],
            "channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}},
                {{"sampler":0,"target":{{"node":1,"path":"scale"}}}}]}}]"#,
        bin.len(),
        x.len(),
    );
    glb(&members, &bin)
}

/// Times and x of the first joint, and the codes of all warnings.
fn keys(bytes: &[u8]) -> (Vec<f32>, Vec<f32>, Vec<String>) {
    let document = read(bytes).unwrap();
    let track = document.characters[0].clips[0].joints[0]
        .translation
        .clone()
        .unwrap();
    let x = track.values().iter().map(|value| value.x).collect();
    let codes = document
        .warnings
        .iter()
        .map(|warning| warning.code.to_owned());
    (track.times().to_vec(), x, codes.collect())
}

#[test]
fn keys_of_one_time_are_a_jump() {
    let before = 1.0_f32.next_down();
    let (times, x, codes) = keys(&moving(
        &[0.0, 1.0, 1.0, 1.0, 2.0],
        &[0.0, 1.0, 7.0, 2.0, 3.0],
    ));
    assert_eq!(times, [0.0, before, 1.0, 2.0]);
    assert_eq!(x, [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(codes, ["times-equal"]);
    let (times, x, codes) = keys(&moving(&[0.0, 0.0, 2.0], &[5.0, 1.0, 2.0]));
    assert_eq!((times, x), (vec![0.0, 2.0], vec![1.0, 2.0]));
    assert_eq!(codes, ["times-equal"]);
    // A rounding error is no doubt of its own.
    let (times, _, codes) = keys(&moving(&[0.0, 1.0, 0.999_99, 2.0], &[0.0, 1.0, 2.0, 3.0]));
    assert_eq!(times, [0.0, before, 1.0, 2.0]);
    assert_eq!(codes, ["times-fall"]);
    // The number of values is still looked at.
    assert!(matches!(
        read(&moving(&[0.0, 1.0, 1.0], &[0.0, 1.0, 2.0, 3.0])),
        Err(Error::Malformed(_))
    ));
}

#[test]
fn clips_that_begin_before_zero_begin_at_zero() {
    let bytes = moving(&[-0.5, 0.0, 1.0], &[0.0, 1.0, 2.0]);
    let (times, x, codes) = keys(&bytes);
    assert_eq!((times, x), (vec![0.0, 0.5, 1.5], vec![0.0, 1.0, 2.0]));
    assert_eq!(codes, ["times-negative"]);
    let document = read(&bytes).unwrap();
    let clip = &document.characters[0].clips[0];
    let scale = clip.joints[1].scale.as_ref().unwrap();
    assert_eq!(scale.times(), [0.0, 0.5, 1.5]);
}

#[test]
fn times_before_zero_are_not_written() {
    let bytes = moving(&[0.0, 1.0], &[0.0, 1.0]);
    let character = &read(&bytes).unwrap().characters[0];
    let mut clip = Clip::new("early", 2);
    let values = vec![Vec3::ZERO, Vec3::X];
    clip.joints[0].translation = Track::new(Interpolation::Linear, [-1.0, 0.0].into(), values).ok();
    let write = |clip: &Clip| {
        let clips = std::slice::from_ref(clip);
        gltf::write_clips_into(&bytes, &no_files, character, clips, Container::Glb)
    };
    assert!(matches!(write(&clip), Err(Error::Caller(_))));
    assert!(write(&clip.shifted(1.0)).is_ok());
    let mut alone = character.clone();
    alone.clips = vec![clip];
    assert!(matches!(
        gltf::write_character(&alone, Container::Glb),
        Err(Error::Caller(_))
    ));
}

/// What accessors without data claim counts before memory is taken, all of them together.
#[test]
fn zeros_are_limited_together() {
    let claims = |count: usize, channels: usize| {
        let channel = r#"{"sampler":0,"target":{"node":0,"path":"translation"}}"#;
        let scale = r#"{"sampler":1,"target":{"node":0,"path":"scale"}}"#;
        let channels = [channel, scale][..channels].join(",");
        let members = format!(
            r#""asset":{{"version":"2.0"}},"nodes":[{{"name":"a"}}],"buffers":[{{"byteLength":4}}],
            "bufferViews":[{{"buffer":0,"byteLength":4}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"}},
                {{"componentType":5126,"count":{count},"type":"VEC3"}},
                {{"componentType":5126,"count":{count},"type":"VEC3"}}],
            "animations":[{{"samplers":[{{"input":0,"output":1}},{{"input":0,"output":2}}],"channels":[{channels}]}}]"#
        );
        glb(&members, &[0; 4])
    };
    let limits = |values_without_data| ReadOptions {
        limits: Limits {
            values_without_data,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let read = |bytes: &[u8], most| gltf::read(bytes, &limits(most), &no_files);
    assert!(read(&claims(1, 2), 6).is_ok());
    assert!(matches!(read(&claims(1, 2), 5), Err(Error::Limit(_))));
    assert!(read(&claims(1, 1), 5).is_ok());
    for count in [400_000, usize::MAX / 3, usize::MAX] {
        let read = gltf::read(&claims(count, 1), &ReadOptions::default(), &no_files);
        assert!(
            matches!(read, Err(Error::Limit(_) | Error::Malformed(_))),
            "{count}"
        );
    }
}

/// A `.gltf` may have a buffer without data; a GLB cannot.
#[test]
fn buffers_without_data_do_not_make_broken_glbs() {
    let text = |views: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"name":"a","children":[1]}},{{"name":"b"}}],"buffers":[{{"byteLength":8}}]{views}}}"#
        )
    };
    let mut clip = Clip::new("move", 2);
    let values = vec![Vec3::ZERO, Vec3::X];
    clip.joints[0].translation = Track::new(Interpolation::Linear, [0.0, 1.0].into(), values).ok();
    let write = |text: &str, container| {
        let document = gltf::read(text.as_bytes(), &ReadOptions::default(), &no_files).unwrap();
        let clips = std::slice::from_ref(&clip);
        let character = &document.characters[0];
        gltf::write_clips_into(text.as_bytes(), &no_files, character, clips, container)
    };
    let written = write(&text(""), Container::Glb).unwrap().bytes;
    let again = read(&written).unwrap();
    assert_eq!(again.characters[0].clips, std::slice::from_ref(&clip));
    let json = String::from_utf8_lossy(&written);
    assert!(json.contains(r#""buffers":[{"byteLength":32}]"#), "{json}");
    let used = text(r#","bufferViews":[{"buffer":0,"byteLength":8}]"#);
    assert!(matches!(
        write(&used, Container::Glb),
        Err(Error::Caller(_))
    ));
    assert!(write(&used, Container::Gltf).is_ok());
}

#[test]
fn numbers_near_the_largest_are_refused() {
    for x in [3e38, 1e19] {
        let result = read(&moving(&[0.0, 1.0], &[0.0, x]));
        assert!(matches!(result, Err(Error::Malformed(_))), "{x}");
        let members = format!(
            r#""asset":{{"version":"2.0"}},"nodes":[{{"name":"a","translation":[{x},0,0],"children":[1]}},{{}}]"#
        );
        assert!(
            matches!(read(&glb(&members, &[])), Err(Error::Malformed(_))),
            "{x}"
        );
    }
    assert!(read(&moving(&[0.0, 1.0], &[0.0, 1e18])).is_ok());
}
