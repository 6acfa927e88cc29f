//! What glTF files may hold, case by case, in files of a few lines.

#![cfg(feature = "gltf")]

use rebone_io::gltf::{self, Container};
use rebone_io::{Document, Error, Format, Limits, ReadOptions};
use rebone_model::axes::Axis;
use rebone_model::{Interpolation, JointKind, Quat, Vec3};

/// A GLB of JSON members (without `asset`) and binary data.
fn glb(members: &str, bin: &[u8]) -> Vec<u8> {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{}}}],{members}}}"#,
        bin.len()
    );
    let mut json = json.into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bin = bin.to_vec();
    bin.resize(bin.len().next_multiple_of(4), 0);
    let word = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    let total = 28 + json.len() + bin.len();
    let header = [*b"glTF", word(2), word(total), word(json.len()), *b"JSON"];
    let middle = [word(bin.len()), *b"BIN\0"];
    [header.as_flattened(), &json, middle.as_flattened(), &bin].concat()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// The bytes with a text replaced by one of the same length.
fn replaced(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut windows = bytes.windows(old.len());
    let at = windows.position(|window| window == old.as_bytes()).unwrap();
    [&bytes[..at], new.as_bytes(), &bytes[at + old.len()..]].concat()
}

fn read(bytes: &[u8]) -> Result<Document, Error> {
    let options = ReadOptions {
        meshes: true,
        ..ReadOptions::default()
    };
    gltf::read(bytes, &options, &|uri| Err(format!("no {uri}")))
}

fn place(result: Result<Document, Error>) -> String {
    match result {
        Err(Error::Malformed(problem)) => problem.place,
        other => panic!("should be malformed: {other:?}"),
    }
}

/// Names of the joints of each character; ancestors in brackets.
fn groups(document: &Document) -> Vec<String> {
    let names = |character: &rebone_model::Character| {
        let joints = character.skeleton.joints().iter();
        let names: Vec<String> = joints
            .map(|joint| match joint.kind {
                JointKind::Joint => joint.name.clone(),
                JointKind::Ancestor => format!("({})", joint.name),
            })
            .collect();
        names.join(" ")
    };
    document.characters.iter().map(names).collect()
}

const ONE_JOINT: &str = r#""nodes":[{"name":"a"}],"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"PATH"}}],"samplers":[{"input":0,"output":1,"interpolation":"HOW"}]}]"#;

/// One node with one track: two keys at 0.5 s and 1 s, and what is said of the values.
fn track(path: &str, how: &str, values: &str, value_bytes: &[u8]) -> Vec<u8> {
    let members = ONE_JOINT.replace("PATH", path).replace("HOW", how);
    let members = format!(
        r#"{members},"accessors":[{{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"}},{{"bufferView":1,{values}}}],"bufferViews":[{{"buffer":0,"byteLength":8}},{{"buffer":0,"byteOffset":8,"byteLength":{}}}]"#,
        value_bytes.len()
    );
    glb(
        &members,
        &[floats(&[0.5, 1.0]), value_bytes.to_vec()].concat(),
    )
}

#[test]
fn interpolations_and_start_times_are_kept() {
    let vec3 = r#""componentType":5126,"count":COUNT,"type":"VEC3""#;
    for (how, count, interpolation) in [
        ("LINEAR", 2u8, Interpolation::Linear),
        ("STEP", 2, Interpolation::Step),
        ("CUBICSPLINE", 6, Interpolation::CubicSpline),
    ] {
        let values: Vec<f32> = (0..count * 3).map(f32::from).collect();
        let description = vec3.replace("COUNT", &count.to_string());
        let bytes = track("translation", how, &description, &floats(&values));
        let document = read(&bytes).unwrap();
        let clip = &document.characters[0].clips[0];
        assert_eq!(clip.name, "animation_0");
        let track = clip.joints[0].translation.as_ref().unwrap();
        assert_eq!(track.interpolation(), interpolation);
        assert_eq!(track.times(), [0.5, 1.0]);
        assert_eq!(track.values()[1], Vec3::new(3.0, 4.0, 5.0));
    }
}

#[test]
fn quantised_values_become_floats() {
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let as_i16 = quarter
        .to_array()
        .map(|part| (part * 32767.0).round() as i16);
    let as_i8 = quarter.to_array().map(|part| (part * 127.0).round() as i8);
    let shorts: Vec<u8> = [as_i16, as_i16]
        .as_flattened()
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let bytes: Vec<u8> = [as_i8, as_i8]
        .as_flattened()
        .iter()
        .map(|&value| value as u8)
        .collect();
    for (code, data) in [(5122, shorts), (5120, bytes)] {
        let description =
            format!(r#""componentType":{code},"normalized":true,"count":2,"type":"VEC4""#);
        let document = read(&track("rotation", "LINEAR", &description, &data)).unwrap();
        let track = document.characters[0].clips[0].joints[0]
            .rotation
            .clone()
            .unwrap();
        let rotation = track.values()[0];
        assert!(rotation.angle_between(quarter) < 0.01);
        assert!((rotation.length() - 1.0).abs() < 1e-4);
    }
    let description = r#""componentType":5123,"normalized":true,"count":2,"type":"VEC3""#;
    let data: Vec<u8> = [0u16, 65535, 13107, 0, 0, 0]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let document = read(&track("scale", "LINEAR", description, &data)).unwrap();
    let track = document.characters[0].clips[0].joints[0]
        .scale
        .clone()
        .unwrap();
    assert_eq!(track.values()[0], Vec3::new(0.0, 1.0, 0.2));
}

#[test]
fn rotations_keep_their_bits_unless_they_are_off() {
    let description = r#""componentType":5126,"count":2,"type":"VEC4""#;
    let nearly = [0.0, 0.0, 0.600_01, 0.8];
    let far = [0.0, 0.0, 6.0, 8.0];
    let bytes = track(
        "rotation",
        "LINEAR",
        description,
        &floats([nearly, far].as_flattened()),
    );
    let document = read(&bytes).unwrap();
    let rotation = document.characters[0].clips[0].joints[0]
        .rotation
        .clone()
        .unwrap();
    assert_eq!(rotation.values()[0].to_array(), nearly);
    assert!((rotation.values()[1].length() - 1.0).abs() < 1e-6);

    let zero = floats([[0.0; 4], nearly].as_flattened());
    let document = read(&track("rotation", "LINEAR", description, &zero)).unwrap();
    let rotation = document.characters[0].clips[0].joints[0]
        .rotation
        .clone()
        .unwrap();
    assert_eq!(rotation.values()[0], Quat::IDENTITY);
    assert_eq!(document.warnings[0].code, "zero-rotation");
}

#[test]
fn sparse_and_strided_accessors() {
    let members = ONE_JOINT
        .replace("PATH", "translation")
        .replace("HOW", "LINEAR");
    let members = format!(
        r#"{members},"accessors":[
            {{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"}},
            {{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3","sparse":{{"count":1,"indices":{{"bufferView":2,"componentType":5121}},"values":{{"bufferView":3}}}}}}],
        "bufferViews":[{{"buffer":0,"byteLength":12,"byteStride":8}},{{"buffer":0,"byteOffset":12,"byteLength":28,"byteStride":16}},{{"buffer":0,"byteOffset":40,"byteLength":1}},{{"buffer":0,"byteOffset":44,"byteLength":12}}]"#
    );
    let mut bin = floats(&[0.5, 9.0, 1.0, 1.0, 2.0, 3.0, 9.0, 4.0, 5.0, 6.0]);
    bin.extend([1, 0, 0, 0]);
    bin.extend(floats(&[7.0, 8.0, 9.0]));
    let document = read(&glb(&members, &bin)).unwrap();
    let track = document.characters[0].clips[0].joints[0]
        .translation
        .clone()
        .unwrap();
    assert_eq!(track.times(), [0.5, 1.0]);
    assert_eq!(
        track.values(),
        [Vec3::new(1.0, 2.0, 3.0), Vec3::new(7.0, 8.0, 9.0)]
    );

    // Sparse without a base starts from zeros; an index beyond the end is an error.
    let no_base = members.replace(
        r#"{"bufferView":1,"componentType":5126,"count":2"#,
        r#"{"componentType":5126,"count":2"#,
    );
    let document = read(&glb(&no_base, &bin)).unwrap();
    let track = document.characters[0].clips[0].joints[0]
        .translation
        .clone()
        .unwrap();
    assert_eq!(track.values(), [Vec3::ZERO, Vec3::new(7.0, 8.0, 9.0)]);
    bin[40] = 2;
    assert_eq!(
        place(read(&glb(&members, &bin))),
        "animations[0].samplers[0].output"
    );
}

#[test]
fn malformed_tracks_name_their_place() {
    let vec3 = r#""componentType":5126,"count":2,"type":"VEC3""#;
    let good = floats(&[0.0; 6]);
    let output = "animations[0].samplers[0].output";
    let input = "animations[0].samplers[0].input";
    let broken = |how: &str, description: &str, data: &[u8]| {
        place(read(&track("translation", how, description, data)))
    };
    assert_eq!(
        broken(
            "LINEAR",
            vec3,
            &floats(&[0.0, f32::NAN, 0.0, 0.0, 0.0, 0.0])
        ),
        output
    );
    assert_eq!(broken("LINEAR", vec3, &good[..20]), output);
    assert_eq!(broken("CUBICSPLINE", vec3, &good), output);
    assert_eq!(
        broken("LINEAR", &vec3.replace("VEC3", "VEC4"), &good),
        output
    );
    assert_eq!(broken("LINEAR", &vec3.replace("5126", "1"), &good), output);
    assert_eq!(
        broken("WILD", vec3, &good),
        "animations[0].samplers[0].interpolation"
    );
    let mut falling = track("translation", "LINEAR", vec3, &good);
    let at = falling.len() - 32;
    falling[at..at + 4].copy_from_slice(&3.0f32.to_le_bytes());
    assert_eq!(place(read(&falling)), input);
    falling[at..at + 4].copy_from_slice(&1.000_001f32.to_le_bytes());
    assert_eq!(read(&falling).unwrap().warnings[0].code, "times-fall");
    let missing = track("translation", "LINEAR", vec3, &good);
    let missing = replaced(&missing, r#""input":0"#, r#""input":7"#);
    assert_eq!(place(read(&missing)), input);
}

#[test]
fn broken_trees_name_their_node() {
    let broken = |nodes: &str| {
        let json = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":{nodes}}}"#);
        place(read(json.as_bytes()))
    };
    assert_eq!(broken(r#"[{"children":[1]},{"children":[0]}]"#), "nodes[0]");
    assert_eq!(broken(r#"[{"children":[0]}]"#), "nodes[0]");
    assert_eq!(
        broken(r#"[{"children":[2]},{"children":[2]},{}]"#),
        "nodes[1].children[0]"
    );
    assert_eq!(broken(r#"[{"children":[1,9]},{}]"#), "nodes[0].children[1]");
    assert_eq!(broken(r#"[{},{"matrix":[1]}]"#), "nodes[1]");
    let deep: Vec<String> = (1..=3000)
        .map(|child| format!(r#"{{"children":[{child}]}}"#))
        .collect();
    assert_eq!(broken(&format!("[{},{{}}]", deep.join(","))), "nodes[2048]");
}

#[test]
fn duplicate_keys_and_loose_numbers_are_tolerated() {
    let json = r#"{"asset":{"version":"2.0"},"nodes":[{"name":"x","name":"a","children":[1],"mesh":-1},{"name":"b","skin":null}],"nodes":[{"name":"x","name":"a","children":[1],"mesh":-1},{"name":"b","skin":null}],"extensionsRequired":["X_unheard_of"]}"#;
    assert_eq!(groups(&read(json.as_bytes()).unwrap()), ["a b"]);
}

#[test]
fn joints_are_grouped_by_skin_and_path() {
    let read = |nodes: &str, skins: &str, animated: &[usize]| {
        let channels: Vec<String> = animated
            .iter()
            .map(|node| format!(r#"{{"sampler":0,"target":{{"node":{node},"path":"scale"}}}}"#))
            .collect();
        let members = format!(
            r#""nodes":[{nodes}],"skins":[{skins}],"animations":[{{"channels":[{}],"samplers":[{{"input":0,"output":1}}]}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"}},{{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}}],"bufferViews":[{{"buffer":0,"byteLength":12}}]"#,
            channels.join(",")
        );
        groups(&read(&glb(&members, &[0; 12])).unwrap())
    };
    // Two characters beneath a mere container stay two; a node between joints is one.
    let nodes = r#"{"name":"scene","children":[1,4]},{"name":"a","children":[2]},{"name":"between","children":[3]},{"name":"b"},{"name":"c","children":[5]},{"name":"d"}"#;
    let two = r#"{"joints":[4,5]},{"joints":[1,3]}"#;
    assert_eq!(
        read(nodes, two, &[]),
        ["(scene) c d", "(scene) a between b"]
    );
    // An animated container is a joint of both, which makes them one.
    assert_eq!(read(nodes, two, &[0]), ["scene a between b c d"]);
    // One skin over several roots unites them; skins that share a joint too.
    assert_eq!(read(nodes, r#"{"joints":[1,4]}"#, &[]), ["(scene) a c"]);
    assert_eq!(
        read(nodes, r#"{"joints":[1,3]},{"joints":[4,3]}"#, &[]),
        ["(scene) a between b c"]
    );
    // A moving prop is a character of its own, behind those with skins.
    assert_eq!(
        read(nodes, r#"{"joints":[4]}"#, &[1]),
        ["(scene) c", "(scene) a"]
    );
    // Without skins one tree is one skeleton, and joints that keep still are joints too.
    assert_eq!(read(nodes, "", &[2, 4]), ["(scene) (a) between b c d"]);
    // Joints need not come after their parents.
    let turned = r#"{"name":"hand"},{"name":"arm","children":[0]}"#;
    assert_eq!(read(turned, r#"{"joints":[0,1]}"#, &[]), ["arm hand"]);
    // Without any evidence all trees of two nodes without mere meshes are skeletons.
    let still = r#"{"name":"a","children":[1,2]},{"name":"b"},{"mesh":0},{"name":"alone"}"#;
    assert_eq!(read(still, "", &[]), ["a b"]);
}

#[test]
fn labels_of_three_systems() {
    let document = |extension: &str| {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"children":[1]}},{{}},{{}}],"extensions":{{{extension}}}}}"#
        );
        read(json.as_bytes()).unwrap()
    };
    let map =
        r#""humanoid":{"humanBones":{"hips":{"node":0},"spine":{"node":1},"head":{"node":9}}}"#;
    let vrm0 = document(
        r#""VRM":{"humanoid":{"humanBones":[{"bone":"hips","node":0,"useDefaultValues":true},{"bone":"spine","node":1}]}}"#,
    );
    let vrm1 = document(&format!(r#""VRMC_vrm":{{"specVersion":"1.0",{map}}}"#));
    let vrma = document(&format!(
        r#""VRMC_vrm_animation":{{"specVersion":"1.0",{map}}}"#
    ));
    for (document, system, format, forward) in [
        (&vrm0, "vrm-0", Format::Vrm, Axis::NegativeZ),
        (&vrm1, "vrm-1", Format::Vrm, Axis::PositiveZ),
        (&vrma, "vrma", Format::Vrma, Axis::PositiveZ),
    ] {
        assert_eq!(document.format, format);
        assert_eq!(document.space.forward, Some(forward));
        let character = &document.characters[0];
        assert_eq!(character.label_system, system);
        let labels: Vec<(usize, &str)> = character
            .labels
            .iter()
            .map(|label| (label.joint, label.label.as_str()))
            .collect();
        assert_eq!(labels, [(0, "hips"), (1, "spine")]);
        assert_eq!(character.skeleton.joints()[1].name, "node_1");
    }
    assert_eq!(vrm1.warnings[0].code, "label-without-node");
}

#[test]
fn expressions_of_a_vrm_animation_are_no_joints() {
    let members = r#""nodes":[{"name":"scene","children":[1,3]},{"name":"hips","children":[2]},{"name":"spine"},{"name":"happy"}],
        "extensions":{"VRMC_vrm_animation":{"humanoid":{"humanBones":{"hips":{"node":1}}},"expressions":{"preset":{"happy":{"node":3}}}}},
        "animations":[{"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}},{"sampler":0,"target":{"node":3,"path":"translation"}}],"samplers":[{"input":0,"output":1}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"},{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":12}]"#;
    let document = read(&glb(members, &[0; 12])).unwrap();
    assert_eq!(groups(&document), ["(scene) hips spine"]);
    assert_eq!(document.characters[0].clips[0].animated_joint_count(), 1);
}

#[test]
fn matrices_are_taken_apart_and_shear_is_told() {
    let read = |matrix: &str| {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"children":[1],"matrix":[{matrix}]}},{{}}]}}"#
        );
        read(json.as_bytes()).unwrap()
    };
    let document = read("2,0,0,0, 0,2,0,0, 0,0,2,0, 1,2,3,1");
    let rest = document.characters[0].skeleton.joints()[0].rest;
    assert_eq!(
        (rest.scale, rest.translation),
        (Vec3::splat(2.0), Vec3::new(1.0, 2.0, 3.0))
    );
    assert!(document.warnings.is_empty());
    assert_eq!(
        read("1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1").warnings[0].code,
        "sheared-matrix"
    );
}

#[test]
fn missing_buffers_matter_only_where_they_are_needed() {
    let vec3 = r#""componentType":5126,"count":2,"type":"VEC3""#;
    let bytes = track("translation", "LINEAR", vec3, &floats(&[0.0; 6]));
    let external = |json: &str| {
        json.replace(
            r#"[{"byteLength""#,
            r#"[{"uri":"far%20away.bin","byteLength""#,
        )
    };
    let json_size = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json = external(std::str::from_utf8(&bytes[20..20 + json_size]).unwrap());
    let Err(Error::Caller(problem)) = read(json.as_bytes()) else {
        panic!("the buffer is needed");
    };
    assert!(problem.what.contains("far away.bin"), "{problem}");
    let unused = json.replace("animations", "x");
    assert!(read(unused.as_bytes()).is_ok());
    let bin = &bytes[28 + json_size..];
    let found = gltf::read(json.as_bytes(), &ReadOptions::default(), &|uri| {
        assert_eq!(uri, "far away.bin");
        Ok(bin.to_vec())
    });
    assert_eq!(found.unwrap().characters[0].clips.len(), 1);
}

#[test]
fn compressed_animations_and_meshes_are_warnings() {
    let vec3 = r#""componentType":5126,"count":2,"type":"VEC3""#;
    let bytes = track("translation", "LINEAR", vec3, &floats(&[0.0; 6]));
    let json_size = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json = std::str::from_utf8(&bytes[20..20 + json_size]).unwrap();
    // As far as any build knows; what it can decompress it does.
    let future = r#""extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":8,"byteStride":4,"count":2,"mode":"FUTURE"}}"#;
    let marked = json
        .replace(
            r#"[{"byteLength":32}]"#,
            r#"[{"byteLength":32,"extensions":{"EXT_meshopt_compression":{"fallback":true}}}]"#,
        )
        .replace(r#""byteOffset":8"#, &format!(r#"{future},"byteOffset":8"#))
        .replace(
            r#"{"buffer":0,"byteLength":8}"#,
            &format!(r#"{{"buffer":0,{future},"byteLength":8}}"#),
        );
    let document = read(marked.as_bytes()).unwrap();
    assert_eq!(document.characters[0].clips, []);
    assert_eq!(document.warnings[0].code, "animation-compressed");
    let draco = r#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"],"nodes":[{"children":[1]},{"children":[2]},{"mesh":0}],"accessors":[{"componentType":5126,"count":3,"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{}}}}]}]}"#;
    assert_eq!(
        read(draco.as_bytes()).unwrap().warnings[0].code,
        "mesh-compressed"
    );
}

#[test]
fn rigid_meshes_stand_in_the_space_of_their_joint() {
    let members = r#""nodes":[{"name":"a","children":[1]},{"name":"b","children":[2]},{"mesh":0,"translation":[1,0,0],"scale":[2,2,-2]}],
        "meshes":[{"name":"m","primitives":[{"attributes":{"POSITION":0},"mode":5},{"attributes":{"POSITION":0},"mode":6},{"attributes":{"POSITION":0},"indices":1}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],
        "bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":3}]"#;
    let mut bin = floats(&[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    bin.extend([3, 2, 1]);
    let document = read(&glb(members, &bin)).unwrap();
    let meshes = &document.characters[0].meshes;
    assert_eq!(meshes[0].joint, Some(1));
    assert_eq!(meshes[0].positions[0], Vec3::new(1.0, 0.0, -2.0));
    // Mirrored, so every triangle turns round.
    assert_eq!(meshes[0].indices, [0, 2, 1, 2, 3, 1]);
    assert_eq!(meshes[1].indices, [1, 0, 2, 2, 0, 3]);
    assert_eq!(meshes[2].indices, [3, 1, 2]);
}

#[test]
fn eight_weights_become_the_four_strongest() {
    let weights: [f32; 8] = [0.05, 0.3, 0.05, 0.2, 0.1, 0.2, 0.05, 0.05];
    let members = r#""nodes":[{"children":[1]},{"children":[2]},{"children":[3]},{"children":[4]},{"children":[5]},{"children":[6]},{"children":[7]},{},{"mesh":0,"skin":0}],
        "skins":[{"joints":[0,1,2,3,4,5,6,7]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"JOINTS_1":2,"WEIGHTS_0":3,"WEIGHTS_1":4}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"},{"bufferView":1,"componentType":5121,"count":1,"type":"VEC4"},{"bufferView":1,"byteOffset":4,"componentType":5121,"count":1,"type":"VEC4"},{"bufferView":2,"componentType":5126,"count":1,"type":"VEC4"},{"bufferView":2,"byteOffset":16,"componentType":5126,"count":1,"type":"VEC4"}],
        "bufferViews":[{"buffer":0,"byteLength":12},{"buffer":0,"byteOffset":12,"byteLength":8},{"buffer":0,"byteOffset":20,"byteLength":32}]"#;
    let bin = [vec![0; 12], (0..8).collect(), floats(&weights)].concat();
    let document = read(&glb(members, &bin)).unwrap();
    let mesh = &document.characters[0].meshes[0];
    assert_eq!(mesh.joint_slots, [[1, 3, 5, 4]]);
    let sum: f32 = mesh.joint_weights[0].iter().sum();
    assert!((sum - 1.0).abs() < 1e-6 && (mesh.joint_weights[0][0] - 0.375).abs() < 1e-6);
    assert_eq!(document.characters[0].skins[0].inverse_bind.len(), 8);
}

#[test]
fn limits_are_kept() {
    let vec3 = r#""componentType":5126,"count":2,"type":"VEC3""#;
    let bytes = track("translation", "LINEAR", vec3, &floats(&[0.0; 6]));
    for limits in [
        Limits {
            nodes: 0,
            ..Limits::default()
        },
        Limits {
            animation_values: 7,
            ..Limits::default()
        },
    ] {
        let options = ReadOptions {
            limits,
            ..ReadOptions::default()
        };
        let result = gltf::read(&bytes, &options, &|_| Err(String::new()));
        assert!(matches!(result, Err(Error::Limit(_))));
    }
    let huge = r#""componentType":5126,"count":4000000000,"type":"VEC3""#;
    let bytes = track("translation", "LINEAR", huge, &floats(&[0.0; 6]));
    assert!(matches!(read(&bytes), Err(Error::Limit(_))));
    // Without data nothing bounds the number but the limit on zeros.
    let bytes = replaced(&bytes, r#""bufferView":1"#, r#""name":"zeros""#);
    let bytes = replaced(&bytes, "4000000000", "  40000000");
    assert!(matches!(read(&bytes), Err(Error::Limit(_))));
}

#[test]
fn writing_into_unfolds_matrices_and_refuses_what_does_not_fit() {
    let json = r#"{ "asset" : {"version":"2.0"}, "nodes":[ {"children":[1], "name":"a\u0062", "matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 1,2,3,1], "extras":{"k":[1e2]}},{"matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}] , "extras":1.50 }"#;
    let document = read(json.as_bytes()).unwrap();
    let character = &document.characters[0];
    let mut clip = rebone_model::Clip::new("c", 2);
    let resources = |uri: &str| -> Result<Vec<u8>, String> { Err(uri.to_owned()) };
    let write = |clips: &[rebone_model::Clip]| {
        gltf::write_clips_into(
            json.as_bytes(),
            &resources,
            character,
            clips,
            Container::Gltf,
        )
    };
    assert!(matches!(write(&[clip.clone()]), Err(Error::Caller(_))));
    assert!(matches!(
        write(&[rebone_model::Clip::new("c", 1)]),
        Err(Error::Caller(_))
    ));
    assert_eq!(write(&[]).unwrap().bytes, json.as_bytes());
    clip.joints[0].scale = Some(rebone_model::Track::constant(Vec3::ONE));
    let new = String::from_utf8(write(&[clip]).unwrap().bytes).unwrap();
    assert!(new.starts_with(r#"{ "asset" : {"version":"2.0"}, "nodes":[ {"children":[1],"name":"a\u0062","extras":{"k":[1e2]},"translation":[1,2,3],"rotation":[0,0,0,1],"scale":[1,1,1]},{"matrix":["#), "{new}");
    assert!(new.contains(r#""extras":1.50,"buffers":[{"byteLength":16,"uri":"data:application/octet-stream;base64,AAAAAAAAgD8AAIA/AACAPw=="}]"#), "{new}");
    let again = read(new.as_bytes()).unwrap();
    assert_eq!(again.characters[0].clips[0].animated_joint_count(), 1);
}
