//! Written FBX, GLB and BVH files as Blender sees them. Runs only where `REBONE_BLENDER_PYTHON` names a Python that
//! has Blender as a module (`pip install bpy==4.2.0`, Python 3.11).

#![cfg(all(feature = "fbx", feature = "gltf", feature = "bvh"))]

use crate::fbx_write_support::*;
use rebone_io::fbx::{Version, WriteOptions, write_character, write_clips_into};
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{Character, Clip, JointKind, Vec3};
use std::path::Path;
use std::process::Command;

/// Farthest that a joint may be from where we say it is, metres.
const BOUND: f32 = 1e-4;
const RATE: f32 = 30.0;

/// A clip in which only the topmost joints move from their place: Blender connects a bone whose head lies
/// at its parent's tail, and a connected bone cannot move.
fn turning(character: &Character) -> Clip {
    let mut clip = lively(character, RATE, 1.5);
    let joints = character.skeleton.joints();
    for (joint, tracks) in joints.iter().zip(&mut clip.joints) {
        let below = joint
            .parent
            .is_some_and(|p| joints[p].kind == JointKind::Joint);
        if below {
            tracks.translation = None;
        }
    }
    clip
}

/// The largest distance between Blender's bone heads and our joints, over ten frames.
fn compare(python: &str, what: &str, bytes: &[u8], character: &Character, clip: &Clip) -> bool {
    let ending = rebone_io::Format::detect(bytes).unwrap().name();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("written.{ending}"));
    std::fs::write(&file, bytes).unwrap();
    let last = clip.seconds() * RATE;
    let frames: Vec<f32> = (0..10)
        .map(|step| (step as f32 * last / 9.0).round())
        .collect();
    let seconds: Vec<String> = frames
        .iter()
        .map(|frame| format!("{}", f64::from(*frame) / f64::from(RATE)))
        .collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/blender_positions.py");
    let output = Command::new(python)
        .arg(script)
        .arg(&file)
        .args(&seconds)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{what}: {said}");
    let result: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    let joints = character.skeleton.joints();
    let mut first = String::new();
    let (mut worst, mut compared, mut missing) = ((0.0f32, String::new()), 0, Vec::new());
    for (index, joint) in joints.iter().enumerate() {
        // Blender makes names unique in its own way.
        if joints
            .iter()
            .filter(|other| other.name == joint.name)
            .count()
            > 1
        {
            continue;
        }
        let bone = result["bones"][&joint.name].as_array();
        let Some(positions) = bone.or_else(|| result["objects"][&joint.name].as_array()) else {
            missing.push(joint.name.as_str());
            continue;
        };
        for (frame, position) in frames.iter().zip(positions) {
            let part = |axis: usize| position[axis].as_f64().unwrap() as f32;
            let position = Vec3::new(part(0), part(1), part(2));
            let pose = sample_clip(&character.skeleton, clip, frame / RATE);
            let ours = model_pose(&character.skeleton, &pose).position(index);
            let distance = ours.distance(position);
            compared += 1;
            if distance > 1e-4 && first.is_empty() {
                first = joint.name.clone();
            }
            if distance > worst.0 || distance.is_nan() {
                worst = (
                    distance,
                    format!("{} in frame {frame}: {ours} {position}", joint.name),
                );
            }
        }
    }
    let size = size_of(character, clip);
    println!(
        "{what}: {compared} positions, {:.2e} m of {size:.1} ({}), not there: {missing:?}, {first}",
        worst.0, worst.1
    );
    compared >= 10 * joints.len() / 2 && worst.0 <= BOUND * size
}

/// New GLB and BVH files. A BVH is written without scale and in its own units, which Blender takes for metres.
fn others(python: &str) -> usize {
    let mut written = 0;
    for name in [
        "Barbarian.glb",
        "CesiumMan.glb",
        "walk.fbx",
        "walk01.bvh",
        "Knight.glb",
    ] {
        let Some(bytes) = find(name) else {
            println!("{name} is missing");
            continue;
        };
        let mut character = read(&bytes, true).unwrap().characters.remove(0);
        let clip = turning(&character);
        character.clips = vec![clip.clone()];
        let glb = rebone_io::gltf::write_character(&character, rebone_io::gltf::Container::Glb);
        let what = format!("{name}, new GLB");
        assert!(
            compare(python, &what, &glb.unwrap().bytes, &character, &clip),
            "{what}"
        );
        let options = rebone_io::bvh::WriteOptions::default();
        let bvh = rebone_io::bvh::write_character(&character, Some(&clip), &options);
        let what = format!("{name}, new BVH");
        assert!(
            compare(python, &what, &bvh.unwrap().bytes, &character, &clip),
            "{what}"
        );
        written += 2;
    }
    written
}

#[test]
fn blender_puts_joints_where_we_do() {
    let Ok(python) = std::env::var("REBONE_BLENDER_PYTHON") else {
        println!("SKIPPED: REBONE_BLENDER_PYTHON names no Python with Blender as a module");
        return;
    };
    let Some(root) = rebone_corpus::corpus() else {
        return;
    };
    let mut written = others(&python);
    let mut good = true;
    for name in [
        "ozz/media/fbx/pab/walk.fbx",
        "ozz/media/fbx/pab/arnaud.fbx",
        "bvh_misc/bvhtoolbox/tests/example_files/source/template.fbx",
        "ufbx/data/blender_293_barbarian_7400_binary.fbx",
        "ufbx/data/maya_kenney_character_7700_binary.fbx",
        "ufbx/data/maya_game_sausage_7500_binary_combined.fbx",
        "vrm/univrm/Assets/VRM10_Samples/ModelSetup_SeedSan/Models/new_seedsan_betterfbx.fbx",
    ] {
        let Ok(bytes) = std::fs::read(root.join(name)) else {
            continue;
        };
        let document = read(&bytes, true).unwrap();
        let character = document
            .characters
            .iter()
            .max_by_key(|character| character.skeleton.len())
            .unwrap();
        let clip = turning(character);
        let patched = write_clips_into(&bytes, character, std::slice::from_ref(&clip)).unwrap();
        good &= compare(
            &python,
            &format!("{name}, patched"),
            &patched.bytes,
            character,
            &clip,
        );
        written += 1;
    }
    for (name, version) in [
        ("ozz/media/fbx/pab/arnaud.fbx", Version::V7400),
        ("kaykit/Barbarian.glb", Version::V7500),
        ("gltf_misc/CesiumMan.glb", Version::V7700),
        ("quaternius/animals_pack/Horse.glb", Version::V7400),
        ("gltf_misc/boxman.glb", Version::V7700),
    ] {
        let file = Path::new(name).file_name().unwrap();
        let Some(bytes) = find(file.to_str().unwrap()) else {
            println!("{name} is missing");
            continue;
        };
        let mut character = read(&bytes, true).unwrap().characters.remove(0);
        let clip = turning(&character);
        character.clips = vec![clip.clone()];
        let scratch = write_character(&character, &WriteOptions { version }).unwrap();
        let what = format!("{name}, new, {version:?}");
        good &= compare(&python, &what, &scratch.bytes, &character, &clip);
        written += 1;
    }
    if written == 0 {
        println!("SKIPPED: no corpus");
    }
    assert!(good);
}
