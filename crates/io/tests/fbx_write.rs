//! Clips written into real FBX files and read back by ufbx, which knows nothing of our writer.

#![cfg(feature = "fbx")]

use crate::fbx_write_support::*;
use rebone_io::fbx::write_clips_into;
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{
    Character, Clip, Curve, CurveTarget, Interpolation, NewJoint, Quat, SkeletonBuilder, Track,
    Transform, Vec3,
};
use std::sync::Arc;

/// Every file of version 7 in the corpus with a skeleton takes a lively clip.
#[test]
fn patched_files_move_as_the_clip_does() {
    let mut patched = 0;
    let mut failures = Vec::new();
    for path in corpus() {
        let name = short(&path);
        if name.contains("/fuzz/") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let Ok(document) = read(&bytes, false) else {
            continue;
        };
        let mut characters: Vec<_> = document.characters.iter().collect();
        characters.sort_by_key(|character| std::cmp::Reverse(character.skeleton.len()));
        for character in characters.into_iter().take(2) {
            let clip = lively(character, 30.0, 1.5);
            let size = size_of(character, &clip);
            let output = match write_clips_into(&bytes, character, std::slice::from_ref(&clip)) {
                Ok(output) => output,
                Err(error) => {
                    failures.push(format!("{name}: {error}"));
                    continue;
                }
            };
            if output.warnings.iter().any(|w| w.code == "fbx-rewritten") {
                continue;
            }
            let ids = ids_of(&bytes, character);
            let scene = match load_plainly(&output.bytes) {
                Ok(scene) => scene,
                Err(error) => {
                    failures.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let (error, place) =
                largest_error(&scene, 0, &ids, character, &clip, &probes(&clip, 37));
            println!(
                "{name} [{}] {} joints: {error:.2e} m of {size:.1} ({place}), {} -> {} bytes",
                character.name,
                character.skeleton.len(),
                bytes.len(),
                output.bytes.len()
            );
            if error.is_nan() || error > 1e-5 * size {
                failures.push(format!("{name}: {error} m, {place}"));
            }
            patched += 1;
        }
    }
    if patched == 0 {
        println!("SKIPPED: no corpus");
        return;
    }
    println!("{patched} characters");
    assert!(failures.is_empty(), "{failures:#?}");
}

/// A character of all nodes of a file, whatever a reader makes of them.
fn all_nodes(bytes: &[u8]) -> Character {
    let scene = load_as_read(bytes);
    let mut builder = SkeletonBuilder::new();
    let mut places = vec![None; scene.nodes.len()];
    for (index, node) in (&scene.nodes).into_iter().enumerate() {
        if node.is_root {
            continue;
        }
        let parent = node.parent.as_ref().map(|p| p.element.typed_id as usize);
        let local = &node.local_transform;
        let vector = |v: &ufbx::Vec3| Vec3::new(v.x as f32, v.y as f32, v.z as f32);
        let q = &local.rotation;
        let rest = Transform {
            translation: vector(&local.translation),
            rotation: Quat::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32),
            scale: vector(&local.scale),
        };
        let mut joint = NewJoint::new(node.element.name.to_string(), None, rest);
        if node.is_scale_helper {
            joint.name = format!("{index}_scale");
        }
        joint.parent = parent.and_then(|parent| places[parent]);
        joint.node = node.element.typed_id;
        places[index] = Some(builder.add(joint));
    }
    let (skeleton, _) = builder.build().unwrap();
    Character {
        skeleton,
        ..Character::default()
    }
}

/// Every node of these files moves: all 24 axis systems, six rotation orders, pre- and post-rotation,
/// pivots and offsets, cameras and lights.
#[test]
fn every_node_can_be_moved() {
    let mut moved = 0;
    for path in corpus() {
        let name = short(&path);
        let special = [
            "blender_axes",
            "casegen_rotation_order",
            "casegen_rotation_space",
            "maya_rotation_order_7",
            "pivot",
            "geometric_transform",
            "max_geometry_transform",
            "maya_camera_light_axes",
            "maya_mixed_inherit",
            "maya_scale_no_inherit_7",
            "motionbuilder_pivot",
            "global_settings",
        ];
        if !special.iter().any(|part| name.contains(part)) || name.contains("_6100_") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let character = all_nodes(&bytes);
        let clip = lively(&character, 24.0, 1.0);
        let output = write_clips_into(&bytes, &character, std::slice::from_ref(&clip)).unwrap();
        let scene = load_plainly(&output.bytes).unwrap();
        let ids = ids_of(&bytes, &character);
        let size = size_of(&character, &clip);
        let (error, place) = largest_error(&scene, 0, &ids, &character, &clip, &probes(&clip, 31));
        println!(
            "{name}: {} nodes, {error:.2e} m of {size:.1} ({place})",
            ids.len()
        );
        assert!(error <= 1e-5 * size, "{name}: {error} m of {size}, {place}");
        moved += 1;
    }
    if moved == 0 {
        println!("SKIPPED: no corpus");
    } else {
        assert!(moved > 40, "{moved}");
    }
}

/// What the tests of details write into.
fn sausage(kind: &str) -> Option<(Vec<u8>, Character)> {
    let name = format!("maya_game_sausage_7500_{kind}.fbx");
    let bytes = find(&name).or_else(|| {
        println!("SKIPPED: no corpus");
        None
    })?;
    let character = read(&bytes, false).unwrap().characters.remove(0);
    Some((bytes, character))
}

/// The largest error of a clip just before its keys, just behind them and between them.
fn error_of(bytes: &[u8], character: &Character, clip: &Clip) -> f32 {
    let output = write_clips_into(bytes, character, std::slice::from_ref(clip)).unwrap();
    let scene = load_plainly(&output.bytes).unwrap();
    let ids = ids_of(bytes, character);
    let keys = clip.key_times();
    let mut times = probes(clip, 23);
    // The key of a frame stands on the frame, not on its time in single precision.
    times.retain(|time| keys.iter().all(|key| (key - time).abs() > 1e-6));
    for time in keys {
        times.extend([time + 1e-4, (time - 1e-4).max(0.0)]);
    }
    largest_error(&scene, 0, &ids, character, clip, &times).0
}

/// Steps, splines, late beginnings, single keys, jumps and rates of any kind keep their shape.
#[test]
fn keys_of_any_kind_keep_their_shape() {
    for kind in ["ascii", "binary"] {
        let Some((bytes, character)) = sausage(kind) else {
            return;
        };
        let count = character.skeleton.len();
        let turns = |n: usize| -> Vec<Quat> {
            (0..n)
                .map(|i| {
                    Quat::from_rotation_y(0.9 * i as f32) * Quat::from_rotation_x(0.5 * i as f32)
                })
                .collect()
        };
        let places = |n: usize| -> Vec<Vec3> {
            (0..n)
                .map(|i| Vec3::new(i as f32, (i * i) as f32, 1.0) * 0.01)
                .collect()
        };
        for (what, interpolation, times) in [
            ("steps", Interpolation::Step, vec![0.0, 0.1, 0.5, 0.7]),
            ("lines", Interpolation::Linear, vec![0.0, 0.1, 0.5, 0.7]),
            (
                "splines",
                Interpolation::CubicSpline,
                vec![0.0, 0.1, 0.5, 0.7],
            ),
            ("late", Interpolation::Linear, vec![0.5, 0.75, 2.0]),
            (
                "jump",
                Interpolation::Linear,
                vec![0.0, 0.5_f32.next_down(), 0.5, 1.0],
            ),
            ("one key", Interpolation::Linear, vec![0.0]),
            ("one late key", Interpolation::Step, vec![1.25]),
            (
                "fast",
                Interpolation::Linear,
                (0..60).map(|i| i as f32 / 120.0).collect(),
            ),
            (
                "odd",
                Interpolation::Linear,
                (0..60).map(|i| i as f32 / 119.88).collect(),
            ),
        ] {
            let times: Arc<[f32]> = times.into();
            let values = times.len() * interpolation.values_per_key();
            let mut clip = Clip::new(what, count);
            let last = count - 1;
            clip.joints[1].rotation =
                Track::new(interpolation, Arc::clone(&times), turns(values)).ok();
            clip.joints[last].translation =
                Track::new(interpolation, Arc::clone(&times), places(values)).ok();
            clip.joints[0].scale = Track::new(
                interpolation,
                Arc::clone(&times),
                places(values)
                    .iter()
                    .map(|place| Vec3::splat(1.0 + place.x))
                    .collect(),
            )
            .ok();
            assert!(clip.joints[1].rotation.is_some(), "{what}");
            let error = error_of(&bytes, &character, &clip);
            println!("{kind}, {what}: {error:.2e} m");
            let size = size_of(&character, &clip);
            assert!(error < 1e-5 * size, "{kind}, {what}: {error} of {size}");
            // And read again by ourselves: length and beginning.
            let output = write_clips_into(&bytes, &character, std::slice::from_ref(&clip)).unwrap();
            let again = read(&output.bytes, false).unwrap();
            let own = &again.characters[0].clips[0];
            assert_eq!(own.name, what);
            assert!(
                (own.time_span().1 - clip.time_span().1).abs() < 1e-5,
                "{what}"
            );
        }
    }
}

/// Several clips are several stacks, whatever they are called; those without tracks are left out.
#[test]
fn several_clips_are_several_stacks() {
    for kind in ["ascii", "binary"] {
        let Some((bytes, character)) = sausage(kind) else {
            return;
        };
        let mut clips = vec![lively(&character, 30.0, 0.5), lively(&character, 60.0, 1.0)];
        clips[1].joints[0] = Default::default();
        clips.push(Clip::new("empty", character.skeleton.len()));
        clips.push(Clip {
            name: "Ünïcode \"quoted\" a:b".to_owned(),
            ..clips[0].clone()
        });
        let output = write_clips_into(&bytes, &character, &clips).unwrap();
        let scene = load_plainly(&output.bytes).unwrap();
        let names: Vec<&str> = scene
            .anim_stacks
            .into_iter()
            .map(|stack| &*stack.element.name)
            .collect();
        assert_eq!(names, ["lively", "lively_2", "Ünïcode \"quoted\" a:b"]);
        assert_eq!(scene.anim_stacks[1].time_end, 1.0);
        let ids = ids_of(&bytes, &character);
        for (stack, clip) in [(0, &clips[0]), (1, &clips[1]), (2, &clips[3])] {
            let (error, _) =
                largest_error(&scene, stack, &ids, &character, clip, &probes(clip, 11));
            assert!(error < 1e-5, "{kind} {stack}: {error}");
        }
        // Writing into what was written gives what writing into the first file gave.
        let twice = write_clips_into(&output.bytes, &character, &clips).unwrap();
        assert!(
            twice
                .warnings
                .iter()
                .any(|w| w.code == "fbx-animation-replaced")
        );
        assert_eq!(twice.bytes.len(), output.bytes.len(), "{kind}");
        assert_eq!(twice.bytes, output.bytes, "{kind}");
        // No clip at all: a file without animation.
        let none = write_clips_into(&output.bytes, &character, &[]).unwrap();
        let scene = load_plainly(&none.bytes).unwrap();
        assert_eq!(scene.anim_curves.len() + scene.anim_stacks.len(), 0);
    }
}

/// Geometry, weights, materials and rest are what they were.
#[test]
fn everything_else_stays() {
    let mut compared = 0;
    for name in [
        "arnaud.fbx",
        "walk.fbx",
        "template.fbx",
        "blender_293_barbarian_7400_binary.fbx",
        "maya_kenney_character_7700_binary.fbx",
        "new_seedsan_betterfbx.fbx",
        "maya_character_7500_ascii.fbx",
        "max_transformed_skin_7500_ascii.fbx",
        "max_transformed_skin_7500_binary.fbx",
        "motionbuilder_sausage_rrss_7700_ascii.fbx",
    ] {
        let Some(bytes) = find(name) else { continue };
        let character = read(&bytes, false).unwrap().characters.remove(0);
        let clip = lively(&character, 30.0, 0.5);
        let output = write_clips_into(&bytes, &character, &[clip]).unwrap();
        let (old, new) = (blocks(&bytes), blocks(&output.bytes));
        assert!(old.len() > 5, "{name}: {}", old.len());
        for (what, block) in &old {
            assert!(
                new.contains(&(what.clone(), block.clone())),
                "{name}: {what} is another"
            );
        }
        let (old, new) = (
            load_plainly(&bytes).unwrap(),
            load_plainly(&output.bytes).unwrap(),
        );
        assert_eq!(old.meshes.len(), new.meshes.len());
        for (old, new) in old.meshes.into_iter().zip(&new.meshes) {
            assert_eq!(old.vertices.len(), new.vertices.len(), "{name}");
        }
        for (old, new) in old.skin_clusters.into_iter().zip(&new.skin_clusters) {
            assert_eq!(old.weights.as_ref(), new.weights.as_ref(), "{name}");
        }
        assert_eq!(old.materials.len(), new.materials.len());
        for (old, new) in old.nodes.into_iter().zip(&new.nodes) {
            assert_eq!(
                format!("{:?}", old.node_to_world),
                format!("{:?}", new.node_to_world)
            );
        }
        compared += 1;
    }
    if compared == 0 {
        println!("SKIPPED: no corpus");
    }
}

/// The objects of a file that are no animation, each as its bytes without offsets into the file.
fn blocks(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let animation = |name: &str| name.starts_with("Animation");
    if !bytes.starts_with(b"Kaydara") {
        let text = String::from_utf8_lossy(bytes);
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let objects = text.split(&format!("{newline}Objects:")).nth(1).unwrap();
        let objects = objects
            .split(&format!("{newline}}}{newline}"))
            .next()
            .unwrap();
        return objects
            .split(&format!("{newline}\t}}"))
            .map(|block| {
                let block = block.trim_start();
                (
                    block.split(',').next().unwrap().to_owned(),
                    block.as_bytes().to_vec(),
                )
            })
            .filter(|(name, _)| !animation(name) && !name.is_empty() && name != "}")
            .collect();
    }
    let wide = u32::from_le_bytes(bytes[23..27].try_into().unwrap()) >= 7500;
    let mut found = Vec::new();
    let objects = children(bytes, 27, bytes.len(), wide)
        .into_iter()
        .find(|node| node.name == "Objects")
        .unwrap();
    for node in children(bytes, objects.inside, objects.end, wide) {
        if !animation(&node.name) {
            let mut content = Vec::new();
            flatten(bytes, &node, wide, &mut content);
            found.push((node.name.clone(), content));
        }
    }
    found
}

struct Record {
    name: String,
    values: std::ops::Range<usize>,
    inside: usize,
    end: usize,
}

fn children(bytes: &[u8], mut at: usize, end: usize, wide: bool) -> Vec<Record> {
    let size = if wide { 8 } else { 4 };
    let number = |at: usize| {
        let mut eight = [0; 8];
        eight[..size].copy_from_slice(&bytes[at..at + size]);
        u64::from_le_bytes(eight) as usize
    };
    let mut records = Vec::new();
    while at < end {
        let record_end = number(at);
        if record_end == 0 {
            break;
        }
        let name_at = at + 3 * size + 1;
        let values_at = name_at + usize::from(bytes[name_at - 1]);
        let inside = values_at + number(at + 2 * size);
        records.push(Record {
            name: String::from_utf8_lossy(&bytes[name_at..values_at]).into_owned(),
            values: values_at..inside,
            inside,
            end: record_end,
        });
        at = record_end;
    }
    records
}

fn flatten(bytes: &[u8], node: &Record, wide: bool, content: &mut Vec<u8>) {
    content.extend_from_slice(node.name.as_bytes());
    content.extend_from_slice(&bytes[node.values.clone()]);
    for child in children(bytes, node.inside, node.end, wide) {
        flatten(bytes, &child, wide, content);
    }
    content.push(b'}');
}

/// Old versions and big-endian files are written anew, and that is said.
#[test]
fn old_files_are_written_anew() {
    let mut written = 0;
    for name in [
        "maya_game_sausage_6100_ascii_wiggle.fbx",
        "maya_game_sausage_6100_binary_wiggle.fbx",
        "max_transformed_skin_6100_binary.fbx",
        "max7_skin_5000_binary.fbx",
        "max2009_cube_anim_5800_binary.fbx",
        "maya_human_ik_6100_binary.fbx",
    ] {
        let Some(bytes) = find(name) else { continue };
        let document = read(&bytes, true).unwrap();
        let Some(character) = document
            .characters
            .iter()
            .max_by_key(|character| character.skeleton.len())
        else {
            println!("{name} has no character");
            continue;
        };
        let clip = lively(character, 30.0, 1.0);
        // The caller's character need not have its meshes.
        let mut without = character.clone();
        without.meshes.clear();
        let output = write_clips_into(&bytes, &without, std::slice::from_ref(&clip)).unwrap();
        assert_eq!(output.warnings[0].code, "fbx-rewritten", "{name}");
        let again = read(&output.bytes, true).unwrap();
        let again = &again.characters[0];
        assert_eq!(again.meshes.len(), character.meshes.len(), "{name}");
        let own = &again.clips[0];
        let joints = character.skeleton.joints();
        for time in probes(&clip, 9) {
            let wanted = model_pose(
                &character.skeleton,
                &sample_clip(&character.skeleton, &clip, time),
            );
            let found = model_pose(&again.skeleton, &sample_clip(&again.skeleton, own, time));
            for (index, joint) in joints.iter().enumerate() {
                let same: Vec<usize> = (0..again.skeleton.len())
                    .filter(|&other| again.skeleton.joints()[other].name == joint.name)
                    .collect();
                if let [same] = same[..] {
                    let distance = found.position(same).distance(wanted.position(index));
                    assert!(
                        distance < 1e-5 * size_of(character, &clip),
                        "{name}: {distance}"
                    );
                }
            }
        }
        written += 1;
    }
    if written == 0 {
        println!("SKIPPED: no corpus");
    }
}

/// Morph weights go to the channel of their name; what has no place is named.
#[test]
fn morphs_find_their_channel() {
    let Some(bytes) = find("blender440_shape_weight_anim_7400_binary.fbx") else {
        println!("SKIPPED: no corpus");
        return;
    };
    let scene = load_plainly(&bytes).unwrap();
    let channel = &scene.blend_channels[0].element.name;
    let mesh = (&scene.meshes)
        .into_iter()
        .find(|mesh| !mesh.blend_deformers.is_empty())
        .unwrap();
    let character = all_nodes(&bytes);
    let mut clip = Clip::new("morph", character.skeleton.len());
    let curve = |target| {
        Curve::new(
            target,
            Interpolation::Linear,
            1,
            [0.0, 1.0].into(),
            vec![0.25, 0.75],
        )
        .unwrap()
    };
    let morph = |name: &str| CurveTarget::Morph {
        mesh: mesh.element.name.to_string(),
        name: name.to_owned(),
    };
    clip.curves = vec![
        curve(morph(channel)),
        curve(morph("nothing of this name")),
        curve(CurveTarget::Expression {
            name: "happy".to_owned(),
            preset: true,
        }),
    ];
    let output = write_clips_into(&bytes, &character, &[clip]).unwrap();
    let lost = output
        .warnings
        .iter()
        .find(|w| w.code == "curve-not-kept")
        .unwrap();
    assert!(lost.message.contains("nothing of this name") && lost.message.contains("happy"));
    let scene = load_plainly(&output.bytes).unwrap();
    let anim = &scene.anim_stacks[0].anim;
    let weight = ufbx::evaluate_blend_weight(anim, &scene.blend_channels[0], 0.5);
    assert!((weight - 0.5).abs() < 1e-6, "{weight}");
    // A name that is nearly the same, on a mesh of another name.
    let mut clip = Clip::new("morph", character.skeleton.len());
    clip.curves = vec![curve(CurveTarget::Morph {
        mesh: "other".to_owned(),
        name: format!("shapes.{}", channel.to_uppercase()),
    })];
    let output = write_clips_into(&bytes, &character, &[clip]).unwrap();
    assert!(output.warnings.iter().all(|w| w.code != "curve-not-kept"));
}

/// A character of another file is refused.
#[test]
fn what_does_not_fit_is_refused() {
    let Some((bytes, character)) = sausage("binary") else {
        return;
    };
    let wrong = Clip::new("x", character.skeleton.len() + 1);
    assert!(write_clips_into(&bytes, &character, &[wrong]).is_err());
    let mut builder = SkeletonBuilder::new();
    let mut joint = NewJoint::new("far", None, Transform::IDENTITY);
    joint.node = 5_000;
    builder.add(joint);
    let other = Character {
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    };
    assert!(write_clips_into(&bytes, &other, &[]).is_err());
    assert!(write_clips_into(b"; FBX 7.4.0 project file\nObjects: {", &character, &[]).is_err());
    assert!(write_clips_into(&bytes[..bytes.len() / 2], &character, &[]).is_err());
}

/// A damaged target ends in a file or an error.
#[test]
fn damaged_targets_do_no_harm() {
    for kind in ["ascii", "binary"] {
        let Some((bytes, character)) = sausage(kind) else {
            return;
        };
        let clip = lively(&character, 30.0, 0.2);
        let mut state = 0x2545_F491_u32;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state as usize
        };
        let mut written = 0;
        for _ in 0..200 {
            let mut broken = bytes.clone();
            for _ in 0..1 + random() % 4 {
                let place = random() % broken.len();
                broken[place] = random() as u8;
            }
            let clips = std::slice::from_ref(&clip);
            written += usize::from(write_clips_into(&broken, &character, clips).is_ok());
        }
        println!("{kind}: {written} of 200 damaged targets could be written into");
        assert!(written > 0);
    }
}
