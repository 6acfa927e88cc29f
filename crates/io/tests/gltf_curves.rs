//! What clips move besides joints: morph weights, expressions, gaze and properties.
#![cfg(feature = "gltf")]

use rebone_io::gltf::{self, Container};
use rebone_io::{Document, Output, ReadOptions};
use rebone_model::{
    Character, Clip, Curve, CurveTarget, Interpolation, JointLabel, NewJoint, Quat,
    SkeletonBuilder, Track, Transform, Vec3,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn no_files(uri: &str) -> Result<Vec<u8>, String> {
    Err(uri.to_owned())
}

fn read(bytes: &[u8]) -> Document {
    gltf::read(bytes, &ReadOptions::default(), &no_files).unwrap()
}

/// Keeps a written file for the glTF validator.
fn keep(name: &str, bytes: &[u8]) {
    if let Some(folder) = std::env::var_os("REBONE_TEST_OUTPUT") {
        let folder = Path::new(&folder).join("gltf_curves");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}

fn codes(document: &Document) -> Vec<&str> {
    document.warnings.iter().map(|w| w.code).collect()
}

/// A .gltf with a joint, a face of three morph targets, and whatever a test changes.
fn face(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut file = json!({
        "asset": {"version": "2.0"},
        "nodes": [
            {"name": "hips", "children": [1]},
            {"name": "head", "children": [2]},
            {"name": "Face", "mesh": 0},
        ],
        "skins": [{"joints": [0, 1]}],
        "meshes": [{
            "name": "face",
            "primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}, {"POSITION": 0}, {"POSITION": 0}]}],
            "extras": {"targetNames": ["smile", "jawOpen", "eyeBlink_L"]},
            "weights": [0.0, 0.25, 0.0],
        }],
        "materials": [{"name": "skin"}, {"name": "eyes"}],
        "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}],
        "bufferViews": [], "buffers": [], "animations": [],
    });
    change(&mut file);
    for key in ["accessors", "bufferViews", "buffers", "animations"] {
        if file[key] == json!([]) {
            file.as_object_mut().unwrap().remove(key);
        }
    }
    file.to_string().into_bytes()
}

/// Adds numbers as an accessor; returns its index.
fn accessor(file: &mut Value, shape: &str, width: usize, numbers: &[f32]) -> usize {
    use base64::Engine;
    let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    let text = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let list = |file: &mut Value, key: &str, value: Value| {
        let list = file[key].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    };
    let uri = format!("data:application/octet-stream;base64,{text}");
    let buffer = list(
        file,
        "buffers",
        json!({"byteLength": bytes.len(), "uri": uri}),
    );
    let view = json!({"buffer": buffer, "byteLength": bytes.len()});
    let view = list(file, "bufferViews", view);
    let count = numbers.len() / width;
    let accessor =
        json!({"bufferView": view, "componentType": 5126, "count": count, "type": shape});
    list(file, "accessors", accessor)
}

/// Adds an animation with one channel.
fn animate(
    file: &mut Value,
    target: Value,
    kind: &str,
    times: &[f32],
    values: (&str, usize, &[f32]),
) {
    let input = accessor(file, "SCALAR", 1, times);
    let output = accessor(file, values.0, values.1, values.2);
    let animation = json!({
        "channels": [{"sampler": 0, "target": target}],
        "samplers": [{"input": input, "output": output, "interpolation": kind}],
    });
    file["animations"].as_array_mut().unwrap().push(animation);
}

fn pointer(path: &str) -> Value {
    json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": path}}})
}

fn morph(mesh: &str, name: &str) -> CurveTarget {
    CurveTarget::Morph {
        mesh: mesh.to_owned(),
        name: name.to_owned(),
    }
}

fn expression(name: &str, preset: bool) -> CurveTarget {
    CurveTarget::Expression {
        name: name.to_owned(),
        preset,
    }
}

fn curve(target: CurveTarget, kind: Interpolation, times: &[f32], values: &[f32]) -> Curve {
    let elements = times.len() * kind.values_per_key();
    let components = values.len() / elements;
    Curve::new(target, kind, components, times.into(), values.to_vec()).unwrap()
}

/// A clip of curves alone, for a character.
fn clip_of(character: &Character, curves: Vec<Curve>) -> Clip {
    Clip {
        curves,
        ..Clip::new("mood", character.skeleton.len())
    }
}

fn write_into(target: &[u8], curves: Vec<Curve>) -> (Output, Document) {
    let character = &read(target).characters[0];
    let clips = [clip_of(character, curves)];
    let output =
        gltf::write_clips_into(target, &no_files, character, &clips, Container::Glb).unwrap();
    let document = read(&output.bytes);
    assert_eq!(codes(&document), [""; 0]);
    (output, document)
}

#[test]
fn weights_are_a_curve_a_morph_target() {
    let values: Vec<f32> = (0..18u8).map(f32::from).collect();
    let bytes = face(|file| {
        let target = json!({"node": 2, "path": "weights"});
        animate(
            file,
            target.clone(),
            "LINEAR",
            &[0.0, 1.0],
            ("SCALAR", 1, &values[..6]),
        );
        animate(
            file,
            target.clone(),
            "CUBICSPLINE",
            &[0.5, 2.0],
            ("SCALAR", 1, &values),
        );
        // Too few: left out, and told.
        animate(
            file,
            target,
            "LINEAR",
            &[0.0, 1.0],
            ("SCALAR", 1, &values[..5]),
        );
        animate(
            file,
            pointer("/nodes/2/weights/1"),
            "STEP",
            &[0.0, 1.0],
            ("SCALAR", 1, &[0.0, 1.0]),
        );
    });
    let document = read(&bytes);
    assert_eq!(codes(&document), ["curve-unreadable"]);
    let clips = &document.characters[0].clips;
    assert_eq!(clips.len(), 3);
    let linear = Interpolation::Linear;
    assert_eq!(
        clips[0].curves,
        [
            curve(morph("face", "smile"), linear, &[0.0, 1.0], &[0.0, 3.0]),
            curve(morph("face", "jawOpen"), linear, &[0.0, 1.0], &[1.0, 4.0]),
            curve(
                morph("face", "eyeBlink_L"),
                linear,
                &[0.0, 1.0],
                &[2.0, 5.0]
            ),
        ]
    );
    let cubic = &clips[1].curves[1];
    assert_eq!(cubic.interpolation(), Interpolation::CubicSpline);
    assert_eq!(cubic.values(), [1.0, 4.0, 7.0, 10.0, 13.0, 16.0]);
    assert_eq!(clips[2].curves[0].target(), &morph("face", "jawOpen"));
}

#[test]
fn pointers_are_tracks_or_properties() {
    let turn = Quat::from_rotation_x(0.5);
    let bytes = face(|file| {
        let values: Vec<f32> = [Quat::IDENTITY, turn]
            .iter()
            .flat_map(Quat::to_array)
            .collect();
        animate(
            file,
            pointer("/nodes/1/rotation"),
            "LINEAR",
            &[0.0, 1.0],
            ("VEC4", 4, &values),
        );
        let color = [0.0, 0.5, 1.0, 1.0, 0.5, 0.0];
        let path = pointer("/materials/1/emissiveFactor");
        animate(file, path, "LINEAR", &[0.0, 1.0], ("VEC3", 3, &color));
    });
    let document = read(&bytes);
    assert_eq!(codes(&document), [""; 0]);
    let clips = &document.characters[0].clips;
    let track = clips[0].joints[1].rotation.as_ref().unwrap();
    assert_eq!(track.values(), [Quat::IDENTITY, turn]);
    assert!(clips[0].curves.is_empty());
    let path = "/materials/eyes/emissiveFactor".to_owned();
    let property = &clips[1].curves[0];
    assert_eq!(property.target(), &CurveTarget::Property { path });
    assert_eq!(property.components(), 3);

    // In another file the material of that name stands elsewhere.
    let other = face(|file| file["materials"] = json!([{"name": "eyes"}, {"name": "skin"}]));
    let (output, again) = write_into(&other, clips[1].curves.clone());
    keep("property.glb", &output.bytes);
    assert_eq!(output.warnings, []);
    assert_eq!(again.characters[0].clips[0].curves, clips[1].curves);
    let json = String::from_utf8_lossy(&output.bytes).into_owned();
    assert!(json.contains(r#""pointer":"/materials/0/emissiveFactor""#));
    assert!(json.contains(r#""extensionsUsed":["KHR_animation_pointer"]"#));

    let none = face(|file| file["materials"] = json!([{"name": "skin"}]));
    let (output, again) = write_into(&none, clips[1].curves.clone());
    assert_eq!(output.warnings[0].code, "curve-not-kept");
    assert!(
        output.warnings[0]
            .message
            .contains("/materials/eyes/emissiveFactor")
    );
    assert!(again.characters[0].clips.is_empty());
}

/// A property that is true or false is written as the bytes that glTF wants.
#[test]
fn flags_stay_flags() {
    let lamp = |file: &mut Value| {
        file["nodes"][1]["extensions"] = json!({"KHR_node_visibility": {"visible": true}});
        file["extensionsUsed"] = json!(["KHR_node_visibility"]);
    };
    let path = "/nodes/head/extensions/KHR_node_visibility/visible".to_owned();
    let blink = curve(
        CurveTarget::Property { path },
        Interpolation::Step,
        &[0.0, 1.0, 2.0],
        &[1.0, 0.0, 1.0],
    );
    let (output, again) = write_into(&face(lamp), vec![blink.clone()]);
    keep("flag.glb", &output.bytes);
    assert_eq!(output.warnings, []);
    let text = String::from_utf8_lossy(&output.bytes).into_owned();
    assert!(text.contains(r#""componentType":5121,"count":3"#));
    assert!(text.contains(r#"["KHR_node_visibility","KHR_animation_pointer"]"#));
    assert_eq!(again.characters[0].clips[0].curves, [blink]);
}

#[test]
fn morphs_find_their_mesh_by_name() {
    let linear = Interpolation::Linear;
    let smile = |mesh: &str| curve(morph(mesh, "smile"), linear, &[0.0, 1.0], &[0.0, 1.0]);
    // What has no curve keeps the weight of the mesh.
    let (output, again) = write_into(&face(|_| ()), vec![smile("face")]);
    assert_eq!(output.warnings, []);
    let curves = &again.characters[0].clips[0].curves;
    assert_eq!(curves[0], smile("face"));
    assert_eq!(curves[1].values(), [0.25, 0.25]);
    assert_eq!(curves[2].values(), [0.0, 0.0]);

    // Another mesh, another spelling; other key times.
    let blink = curve(
        morph("Head_Mesh", "EyeBlinkLeft"),
        Interpolation::Step,
        &[0.25, 0.5],
        &[1.0, 0.0],
    );
    let (output, again) = write_into(&face(|_| ()), vec![smile("Head_Mesh"), blink]);
    assert_eq!(output.warnings, []);
    keep("morphs.glb", &output.bytes);
    let curves = &again.characters[0].clips[0].curves;
    let half = 0.5f32;
    assert_eq!(curves[0].times(), [0.0, 0.25, half.next_down(), half, 1.0]);
    assert_eq!(curves[2].values(), [1.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(curves[0].values()[1..4], [0.25, half.next_down(), 0.5]);

    // The mesh of that name goes first, although another has the target too.
    let two = face(|file| {
        let mut other = file["meshes"][0].clone();
        other["name"] = json!("body");
        file["meshes"].as_array_mut().unwrap().push(other);
        let node = json!({"name": "Body", "mesh": 1});
        file["nodes"].as_array_mut().unwrap().push(node);
    });
    let meshes = |curves: &[Curve]| -> Vec<String> {
        let mesh = |curve: &Curve| match curve.target() {
            CurveTarget::Morph { mesh, .. } => mesh.clone(),
            other => panic!("{other:?}"),
        };
        curves.iter().map(mesh).collect()
    };
    let (_, again) = write_into(&two, vec![smile("body")]);
    assert_eq!(meshes(&again.characters[0].clips[0].curves), ["body"; 3]);
    let (_, again) = write_into(&two, vec![smile("elsewhere")]);
    let all = meshes(&again.characters[0].clips[0].curves);
    assert_eq!(all, ["face", "face", "face", "body", "body", "body"]);

    let (output, _) = write_into(
        &face(|_| ()),
        vec![curve(morph("face", "frown"), linear, &[0.0], &[1.0])],
    );
    assert_eq!(output.warnings.len(), 1);
    assert!(
        output.warnings[0].message.contains("\"frown\""),
        "{}",
        output.warnings[0]
    );
}

/// An avatar with a preset and an expression of its own, as VRM 1.0 and as VRM 0.x say it.
fn avatars() -> [Vec<u8>; 2] {
    let new = |file: &mut Value| {
        file["extensions"] = json!({"VRMC_vrm": {
            "specVersion": "1.0",
            "humanoid": {"humanBones": {"hips": {"node": 0}, "head": {"node": 1}}},
            "expressions": {
                "preset": {"happy": {"morphTargetBinds": [
                    {"node": 2, "index": 0, "weight": 0.5}, {"node": 2, "index": 1, "weight": 1.0}]}},
                "custom": {"Grin": {"morphTargetBinds": [{"node": 2, "index": 0, "weight": 0.25}]}},
            },
        }});
    };
    let old = |file: &mut Value| {
        file["extensions"] = json!({"VRM": {
            "humanoid": {"humanBones": [{"bone": "hips", "node": 0}, {"bone": "head", "node": 1}]},
            "blendShapeMaster": {"blendShapeGroups": [
                {"name": "Joy", "presetName": "joy", "binds": [
                    {"mesh": 0, "index": 0, "weight": 50.0}, {"mesh": 0, "index": 1, "weight": 100.0}]},
                {"name": "GRIN", "presetName": "unknown", "binds": [{"mesh": 0, "index": 0, "weight": 25.0}]},
            ]},
        }});
    };
    [face(new), face(old)]
}

#[test]
fn expressions_drive_the_morph_targets_of_avatars() {
    let linear = Interpolation::Linear;
    for bytes in avatars() {
        let curves = vec![
            curve(expression("happy", true), linear, &[0.0, 1.0], &[0.0, 1.0]),
            curve(expression("Grin", false), linear, &[0.0, 1.0], &[1.0, 0.0]),
            curve(expression("sad", true), linear, &[0.0, 1.0], &[1.0, 0.0]),
            // An expression that no one has bound, but a morph target is called so.
            curve(
                expression("eyeBlinkLeft", false),
                linear,
                &[0.0, 1.0],
                &[0.0, 0.75],
            ),
        ];
        let (output, again) = write_into(&bytes, curves);
        let told: Vec<String> = output.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 1);
        assert!(
            told[0].contains("expression \"sad\"") && !told[0].contains("happy"),
            "{told:?}"
        );
        let curves = &again.characters[0].clips[0].curves;
        assert_eq!(curves[0].values(), [0.25, 0.5]);
        assert_eq!(curves[1].values(), [0.0, 1.0]);
        assert_eq!(curves[2].values(), [0.0, 0.75]);
    }
}

#[test]
fn who_draws_an_avatar_gets_expressions_and_other_weights_apart() {
    let linear = Interpolation::Linear;
    for bytes in avatars() {
        let curves = vec![
            curve(expression("happy", true), linear, &[0.0, 1.0], &[0.0, 1.0]),
            curve(expression("grin", false), linear, &[0.0, 1.0], &[1.0, 0.0]),
            curve(
                expression("eyeBlinkLeft", false),
                linear,
                &[0.0, 1.0],
                &[0.0, 0.75],
            ),
            curve(
                morph("elsewhere", "JawOpen"),
                linear,
                &[0.0, 1.0],
                &[0.5, 1.0],
            ),
            curve(morph("elsewhere", "tail"), linear, &[0.0, 1.0], &[0.5, 1.0]),
        ];
        let clip = clip_of(&read(&bytes).characters[0], curves);
        let shown = gltf::shown_curves(&bytes, &clip).unwrap();
        let names: Vec<&CurveTarget> = shown.expressions.iter().map(Curve::target).collect();
        let own = |name: &CurveTarget| match name {
            CurveTarget::Expression { name, .. } => name.to_lowercase(),
            _ => String::new(),
        };
        assert_eq!(
            names.into_iter().map(own).collect::<Vec<_>>(),
            ["happy", "grin"]
        );
        let [weights] = shown.weights.as_slice() else {
            panic!("one node has a face");
        };
        assert_eq!((weights.node, weights.targets), (2, 3));
        assert_eq!(*weights.times, [0.0, 1.0]);
        assert_eq!(weights.values, [0.0, 0.5, 0.0, 0.0, 1.0, 0.75]);
        let still = clip_of(&read(&bytes).characters[0], Vec::new());
        assert_eq!(
            gltf::shown_curves(&bytes, &still).unwrap(),
            gltf::ShownCurves::default()
        );
    }
    let nothing = clip_of(
        &humanoid(),
        vec![curve(expression("happy", true), linear, &[0.0], &[1.0])],
    );
    assert!(gltf::shown_curves(b"no file", &nothing).is_err());
}

/// Hips, spine without label, head; a VRM animation in the making.
fn humanoid() -> Character {
    let mut builder = SkeletonBuilder::new();
    let up = |meters: f32| Transform::from_translation(Vec3::Y * meters);
    builder.add(NewJoint::new("root", None, up(0.0)));
    builder.add(NewJoint::new("Hips", Some(0), up(1.0)));
    builder.add(NewJoint::new("Spine", Some(1), up(0.2)));
    builder.add(NewJoint::new("Head", Some(2), up(0.4)));
    let (skeleton, _) = builder.build().unwrap();
    let label = |joint: usize, label: &str| JointLabel {
        joint,
        label: label.to_owned(),
    };
    Character {
        skeleton,
        label_system: "vrma".to_owned(),
        labels: vec![label(1, "hips"), label(3, "head")],
        ..Character::default()
    }
}

#[test]
fn moods_of_a_vrm_animation_come_back() {
    let mut character = humanoid();
    let curves = vec![
        curve(
            expression("happy", true),
            Interpolation::Linear,
            &[0.0, 1.0],
            &[0.0, 1.0],
        ),
        curve(
            expression("Grin!", false),
            Interpolation::CubicSpline,
            &[0.0, 2.0],
            &[0.0, 1.0, 0.0, 0.5, 0.25, 0.0],
        ),
        curve(
            CurveTarget::LookAt {
                offset_from_head: [0.0, 0.0625, 0.125],
            },
            Interpolation::Step,
            &[0.0, 1.0],
            &[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0],
        ),
        curve(
            morph("face", "smile"),
            Interpolation::Linear,
            &[0.0],
            &[1.0],
        ),
    ];
    character.clips = vec![clip_of(&character, curves.clone())];
    let output = gltf::write_character(&character, Container::Glb).unwrap();
    assert_eq!(output.warnings.len(), 1);
    assert!(output.warnings[0].message.contains("\"smile\""));
    keep("moods.vrma", &output.bytes);
    let again = read(&output.bytes);
    assert_eq!(codes(&again), [""; 0]);
    let clips = &again.characters[0].clips;
    assert_eq!(again.characters[0].labels, character.labels);
    assert_eq!(clips[0].curves, curves[..3]);

    // A VRM animation is also a file to write into.
    let (output, third) = write_into(&output.bytes, curves[..3].to_vec());
    assert_eq!(output.warnings, []);
    assert_eq!(third.characters[0].clips[1].curves, curves[..3]);
}

/// What carries the hips, and joints without label, move in the labelled ones; other motion is told.
#[test]
fn a_vrm_animation_loses_no_turn_and_tells_the_rest() {
    let mut character = humanoid();
    let times: Arc<[f32]> = [0.0, 1.0].into();
    let vectors = |to: Vec3| {
        Some(
            Track::new(
                Interpolation::Linear,
                Arc::clone(&times),
                vec![Vec3::ZERO, to],
            )
            .unwrap(),
        )
    };
    let mut clip = Clip::new("a", 4);
    clip.joints[0].translation = vectors(Vec3::new(2.0, 0.0, 0.0));
    let quarter = Quat::from_rotation_z(1.0);
    let turns = vec![Quat::IDENTITY, quarter];
    let turns = Track::new(Interpolation::Linear, Arc::clone(&times), turns).unwrap();
    clip.joints[2].rotation = Some(turns);
    character.clips = vec![clip];
    let output = gltf::write_character(&character, Container::Glb).unwrap();
    let again = read(&output.bytes);
    let tracks = &again.characters[0].clips[0].joints;
    let hips = tracks[1].translation.as_ref().unwrap();
    assert_eq!(hips.values(), [Vec3::Y, Vec3::new(2.0, 1.0, 0.0)]);
    let head = tracks[3].rotation.as_ref().unwrap();
    assert!(rebone_model::rotation::angle_between(head.values()[1], quarter) < 1e-6);
    assert!(tracks[0].is_empty() && tracks[2].is_empty());
    // The head is carried by the turned spine, 0.4 m away from it.
    let told = output.warnings[0].to_string();
    assert_eq!(output.warnings[0].code, "vrma-motion-lost");
    assert!(told.contains("\"Head\" moves 383.5 mm"), "{told}");

    // Noise is no loss.
    let mut still = Clip::new("b", 4);
    let near = vec![Vec3::Y * 0.4, Vec3::Y * 0.40005];
    let near = Track::new(Interpolation::Linear, times, near).unwrap();
    still.joints[3].translation = Some(near);
    character.clips = vec![still];
    let output = gltf::write_character(&character, Container::Glb).unwrap();
    assert_eq!(output.warnings, []);
}

#[test]
fn a_new_file_without_morph_targets_tells_what_it_lacks() {
    let mut character = humanoid();
    character.label_system = String::new();
    let smile = curve(
        morph("face", "smile"),
        Interpolation::Linear,
        &[0.0],
        &[1.0],
    );
    character.clips = vec![clip_of(&character, vec![smile])];
    let output = gltf::write_character(&character, Container::Glb).unwrap();
    assert_eq!(output.warnings[0].code, "curve-not-kept");
    assert!(
        read(&output.bytes)
            .characters
            .iter()
            .all(|c| c.clips.is_empty())
    );
}

fn corpus(path: &str) -> Option<Vec<u8>> {
    let path: PathBuf = rebone_corpus::corpus()?.join(path);
    Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

#[test]
fn a_real_avatar_smiles_in_a_real_animation() {
    let path = "vrm/three-vrm/packages/three-vrm-animation/examples/models/test.vrma";
    let Some(animation) = corpus(path) else {
        return;
    };
    let animation = read(&animation);
    let curves = &animation.characters[0].clips[0].curves;
    assert_eq!(curves[0].target(), &expression("happy", true));
    assert_eq!(curves[0].values(), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    assert!(matches!(curves[1].target(), CurveTarget::LookAt { .. }));

    // What rests is not missed.
    let still = |target: CurveTarget| {
        let values: &[f32] = match target {
            CurveTarget::LookAt { .. } => &[0.0, 0.0, 0.0, 1.0],
            _ => &[0.0],
        };
        curve(target, Interpolation::Linear, &[0.0], values)
    };
    let gaze = CurveTarget::LookAt {
        offset_from_head: [0.0; 3],
    };
    let resting = vec![
        still(gaze),
        still(morph("a", "b")),
        still(expression("c", true)),
    ];
    let (output, _) = write_into(&face(|_| ()), resting);
    assert_eq!(output.warnings, []);

    let godette = corpus("vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm").unwrap();
    let (output, again) = write_into(&godette, curves.clone());
    keep("smile.vrm", &output.bytes);
    assert_eq!(output.warnings.len(), 1);
    assert!(output.warnings[0].message.contains("the gaze"));
    let mut moved: Vec<(String, f32)> = Vec::new();
    for curve in &again.characters[0].clips[0].curves {
        let most = curve.values().iter().copied().fold(0.0, f32::max);
        if let CurveTarget::Morph { name, .. } = curve.target()
            && most > 0.0
        {
            moved.push((name.clone(), most));
        }
    }
    // As the avatar's "Joy" is bound.
    let most: Vec<f32> = moved.iter().map(|(_, most)| *most).collect();
    assert_eq!(most, [0.5, 0.25], "{moved:?}");
}
