//! Data compressed with meshopt: every mode and filter, and files that lie about it.
#![cfg(all(feature = "gltf", feature = "meshopt"))]

use meshopt::EncodeExpMode;
use rebone_corpus::stride;
use rebone_io::gltf;
use rebone_io::{Document, Error, Limits, ReadOptions};
use rebone_model::{Quat, Vec3};

const KEYS: usize = 300;

/// A buffer view as it is compressed.
struct View {
    encoded: Vec<u8>,
    count: usize,
    stride: usize,
    mode: &'static str,
    filter: &'static str,
}

impl View {
    fn attributes(encoded: Vec<u8>, count: usize, stride: usize, filter: &'static str) -> Self {
        Self {
            encoded,
            count,
            stride,
            mode: "ATTRIBUTES",
            filter,
        }
    }
}

/// Accessors over the views: component type, shape and whether it is normalised.
type Shapes = Vec<(usize, &'static str, bool)>;

/// A GLB of one joint with the views, an accessor over each, and further members.
fn file(extension: &str, views: &[View], shapes: &Shapes, members: &str) -> Vec<u8> {
    let (mut bin, mut view_texts, mut decoded) = (Vec::new(), Vec::new(), 0);
    for view in views {
        let (at, length) = (bin.len(), view.encoded.len());
        bin.extend_from_slice(&view.encoded);
        bin.resize(bin.len().next_multiple_of(4), 0);
        let size = view.count * view.stride;
        let stride = match view.mode {
            "ATTRIBUTES" => format!(r#""byteStride":{},"#, view.stride),
            _ => String::new(),
        };
        view_texts.push(format!(
            r#"{{"buffer":1,{stride}"byteOffset":{decoded},"byteLength":{size},"extensions":{{"{extension}":{{"buffer":0,"byteOffset":{at},"byteLength":{length},"byteStride":{},"count":{},"mode":"{}","filter":"{}"}}}}}}"#,
            view.stride, view.count, view.mode, view.filter
        ));
        decoded += size.next_multiple_of(4);
    }
    let accessors: Vec<String> = shapes
        .iter()
        .zip(views)
        .enumerate()
        .map(|(index, ((component, shape, normalized), view))| {
            let count = view.count;
            format!(
                r#"{{"bufferView":{index},"componentType":{component},"count":{count},"type":"{shape}","normalized":{normalized}}}"#
            )
        })
        .collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{}}},{{"byteLength":{decoded},"extensions":{{"{extension}":{{"fallback":true}}}}}}],"bufferViews":[{}],"accessors":[{}],{members}}}"#,
        bin.len(),
        view_texts.join(","),
        accessors.join(",")
    );
    glb(&json, &bin)
}

fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let word = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + json.len() + 8 + bin.len();
    let header = [*b"glTF", word(2), word(length), word(json.len()), *b"JSON"];
    let bin_header = [word(bin.len()), *b"BIN\0"];
    [header.as_flattened(), &json, bin_header.as_flattened(), bin].concat()
}

fn read(bytes: &[u8], limits: Limits) -> Result<Document, Error> {
    let options = ReadOptions {
        meshes: true,
        limits,
    };
    gltf::read(bytes, &options, &|uri| Err(uri.to_owned()))
}

fn turn(key: usize) -> Quat {
    let angle = key as f32 * 0.02;
    Quat::from_rotation_y(angle) * Quat::from_rotation_x(0.5 * angle)
}

fn place(key: usize) -> Vec3 {
    let angle = key as f32 * 0.03;
    Vec3::new(angle.sin(), 2.0 * angle.cos(), angle)
}

const ANIMATION: &str = r#""nodes":[{"name":"a"}],"animations":[{"channels":[
    {"sampler":0,"target":{"node":0,"path":"rotation"}},{"sampler":1,"target":{"node":0,"path":"translation"}}],
    "samplers":[{"input":0,"output":1},{"input":0,"output":2}]}]"#;

/// Times without a filter, rotations and translations with theirs.
fn animation(extension: &str) -> Vec<u8> {
    let times: Vec<[f32; 1]> = (0..KEYS).map(|key| [key as f32 * 0.1]).collect();
    let turns: Vec<[f32; 4]> = (0..KEYS).map(|key| turn(key).to_array()).collect();
    let places: Vec<[f32; 3]> = (0..KEYS).map(|key| place(key).to_array()).collect();
    let turns = meshopt::encode_filter_quat(&turns, 16);
    let places = meshopt::encode_filter_exp(&places, 24, EncodeExpMode::Separate);
    let views = [
        View::attributes(
            meshopt::encode_vertex_buffer(&times).unwrap(),
            KEYS,
            4,
            "NONE",
        ),
        View::attributes(
            meshopt::encode_vertex_buffer(&turns).unwrap(),
            KEYS,
            8,
            "QUATERNION",
        ),
        View::attributes(
            meshopt::encode_vertex_buffer(&places).unwrap(),
            KEYS,
            12,
            "EXPONENTIAL",
        ),
    ];
    let shapes = vec![
        (5126, "SCALAR", false),
        (5122, "VEC4", true),
        (5126, "VEC3", false),
    ];
    file(extension, &views, &shapes, ANIMATION)
}

#[test]
fn animations_decompress() {
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let document = read(&animation(extension), Limits::default()).unwrap();
        assert_eq!(document.warnings, []);
        let tracks = &document.characters[0].clips[0].joints[0];
        let rotation = tracks.rotation.as_ref().unwrap();
        let translation = tracks.translation.as_ref().unwrap();
        assert_eq!(rotation.key_count(), KEYS);
        for key in 0..KEYS {
            assert_eq!(rotation.times()[key], key as f32 * 0.1);
            let off = rebone_model::rotation::angle_between(rotation.key_value(key), turn(key));
            assert!(off < 2e-4, "{key}: {off}");
            let off = translation.key_value(key).distance(place(key));
            assert!(off < 2e-6, "{key}: {off}");
        }
    }
}

#[test]
fn meshes_decompress() {
    // A grid of 20 by 20 vertices.
    let side = 20u16;
    let count = usize::from(side) * usize::from(side);
    let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
    let corners = cells.flat_map(|at| [at, at + 1, at + side, at + 1, at + side + 1, at + side]);
    let indices: Vec<u32> = corners.map(u32::from).collect();
    let positions: Vec<[f32; 3]> = (0..count).map(|n| place(n).to_array()).collect();
    let directions: Vec<Vec3> = (0..count).map(|n| turn(n) * Vec3::X).collect();
    let normals: Vec<[f32; 4]> = directions
        .iter()
        .map(|n| n.extend(0.0).to_array())
        .collect();
    let colors: Vec<[f32; 4]> = (0..count)
        .map(|n| [n as f32 / count as f32, 0.5, 0.25, 1.0])
        .collect();
    let packed_normals = meshopt::encode_filter_oct::<i8>(&normals, 8);
    let packed_colors = meshopt::encode_filter_color::<u8>(&colors, 8);
    let encoded_positions = meshopt::encode_vertex_buffer(&positions).unwrap();
    for (mode, stride, component) in [
        ("TRIANGLES", 2, 5123),
        ("TRIANGLES", 4, 5125),
        ("INDICES", 2, 5123),
        ("INDICES", 4, 5125),
    ] {
        let encoded = match mode {
            "TRIANGLES" => meshopt::encode_index_buffer(&indices, count).unwrap(),
            _ => meshopt::encode_index_sequence(&indices, count).unwrap(),
        };
        let views = [
            View::attributes(encoded_positions.clone(), count, 12, "NONE"),
            View::attributes(
                meshopt::encode_vertex_buffer(&packed_normals).unwrap(),
                count,
                4,
                "OCTAHEDRAL",
            ),
            View::attributes(
                meshopt::encode_vertex_buffer(&packed_colors).unwrap(),
                count,
                4,
                "COLOR",
            ),
            View {
                encoded,
                count: indices.len(),
                stride,
                mode,
                filter: "NONE",
            },
        ];
        let shapes = vec![
            (5126, "VEC3", false),
            (5120, "VEC3", true),
            (5121, "VEC4", true),
            (component, "SCALAR", false),
        ];
        let members = r#""nodes":[{"name":"a","children":[1]},{"name":"b","mesh":0}],"skins":[{"joints":[0]}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":1,"COLOR_0":2},"indices":3}]}]"#;
        let bytes = file("KHR_meshopt_compression", &views, &shapes, members);
        let document = read(&bytes, Limits::default()).unwrap();
        assert_eq!(document.warnings, []);
        let mesh = &document.characters[0].meshes[0];
        assert_eq!(mesh.positions[7].to_array(), positions[7]);
        let sorted = |indices: &[u32]| {
            // The codec may begin a triangle with another of its corners.
            let mut triangles: Vec<[u32; 3]> = indices
                .chunks_exact(3)
                .map(|t| {
                    let first = (0..3).min_by_key(|&corner| t[corner]).unwrap();
                    [t[first], t[(first + 1) % 3], t[(first + 2) % 3]]
                })
                .collect();
            triangles.sort_unstable();
            triangles
        };
        assert_eq!(sorted(&mesh.indices), sorted(&indices), "{mode} {stride}");
        for vertex in 0..count {
            assert!(mesh.normals[vertex].distance(directions[vertex]) < 0.03);
            for (a, b) in mesh.colors[vertex].iter().zip(colors[vertex]) {
                assert!((a - b).abs() < 0.015, "{vertex}: {a} {b}");
            }
        }
    }
}

/// What a view claims is checked before memory is taken, and the decoder never sees what does not fit.
#[test]
fn lies_end_in_errors() {
    let good = animation("EXT_meshopt_compression");
    let end = 20 + u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    let json = std::str::from_utf8(&good[20..end]).unwrap();
    let bin = &good[end + 8..];
    let lie = |from: &str, to: &str| {
        assert!(json.contains(from), "{from}");
        read(&glb(&json.replacen(from, to, 1), bin), Limits::default())
    };
    for (from, to) in [
        (
            r#""byteStride":4,"count":300"#,
            r#""byteStride":4,"count":299"#,
        ),
        (
            r#""byteStride":4,"count":300"#,
            r#""byteStride":4,"count":1000000000000"#,
        ),
        (
            r#""byteStride":4,"count":300"#,
            r#""byteStride":4,"count":500000000"#,
        ),
        (
            r#""byteStride":4,"count":300"#,
            r#""byteStride":0,"count":300"#,
        ),
        (
            r#""byteStride":4,"count":300"#,
            r#""byteStride":6,"count":300"#,
        ),
        (
            r#""byteStride":4,"count":300"#,
            r#""byteStride":260,"count":300"#,
        ),
        (
            r#""byteStride":4,"count":300"#,
            r#""byteStride":256,"count":18446744073709551615"#,
        ),
        (r#""mode":"ATTRIBUTES""#, r#""mode":"TRIANGLES""#),
        (r#""mode":"ATTRIBUTES""#, r#""mode":"INDICES""#),
        (r#""filter":"NONE""#, r#""filter":"QUATERNION""#),
        (r#""filter":"NONE""#, r#""filter":"COLOR","byteStride":12"#),
        (
            r#""buffer":0,"byteOffset":0"#,
            r#""buffer":0,"byteOffset":99999999"#,
        ),
        (
            r#""buffer":0,"byteOffset":0"#,
            r#""buffer":7,"byteOffset":0"#,
        ),
        (r#""buffer":0,"byteOffset":0"#, r#""byteOffset":0"#),
    ] {
        match lie(from, to) {
            Err(Error::Malformed(problem)) => assert!(!problem.place.is_empty(), "{to}"),
            Err(other) => panic!("{to}: {other}"),
            // Another filter of the same stride gives numbers, but none that are times.
            Ok(_) => panic!("{to} is read"),
        }
    }
    let small = Limits {
        buffer_bytes: 4000,
        ..Limits::default()
    };
    assert!(matches!(read(&good, small), Err(Error::Limit(_))));
    // Formats of tomorrow are not broken.
    let document = lie(r#""filter":"QUATERNION""#, r#""filter":"TOMORROW""#).unwrap();
    assert_eq!(document.warnings[0].code, "animation-compressed");
}

/// Broken bytes never hurt: they end in an error or in numbers.
#[test]
fn broken_bytes_are_survived() {
    let good = animation("EXT_meshopt_compression");
    let end = 28 + u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    let mut refused = 0;
    for at in (end..good.len()).step_by(stride()) {
        for value in [0, 0xff, good[at] ^ 1, good[at].wrapping_add(16)] {
            let mut broken = good.clone();
            broken[at] = value;
            refused += usize::from(read(&broken, Limits::default()).is_err());
        }
    }
    assert!(refused > 0);
}
