//! What the tests of FBX writing share: corpus files, lively clips, and ufbx as oracle.

use rebone_io::{Document, ReadOptions};
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{Character, Clip, Interpolation, JointKind, Quat, Track, Vec3};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use ufbx::{
    CoordinateAxes, CoordinateAxis, GeometryTransformHandling, InheritModeHandling, LoadOpts,
    PivotHandling, SceneRoot, SpaceConversion,
};

/// All FBX files of the corpus, sorted; empty where it is missing.
pub fn corpus() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open: Vec<PathBuf> = rebone_corpus::corpus().into_iter().collect();
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("fbx"))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

pub fn short(path: &Path) -> String {
    let name = path.to_string_lossy();
    let below = name.rsplit_once("/corpus/").map(|(_, below)| below);
    below.unwrap_or(&name).to_owned()
}

pub fn read(bytes: &[u8], meshes: bool) -> Result<Document, rebone_io::Error> {
    let options = ReadOptions {
        meshes,
        ..ReadOptions::default()
    };
    rebone_io::read(bytes, &options, &|_| Err("no files here".to_owned()))
}

/// A clip in which every joint turns in its own way, and some move.
pub fn lively(character: &Character, rate_hz: f32, seconds: f32) -> Clip {
    let skeleton = &character.skeleton;
    let mut clip = Clip::new("lively", skeleton.len());
    let frames = (rate_hz * seconds).round().max(0.0) as usize;
    let times: Arc<[f32]> = (0..=frames).map(|frame| frame as f32 / rate_hz).collect();
    let linear = Interpolation::Linear;
    for (index, joint) in skeleton.joints().iter().enumerate() {
        if joint.kind == JointKind::Ancestor || joint.name.ends_with("_scale") {
            continue;
        }
        let phase = index as f32 * 0.7;
        let reach = 0.3 + 0.2 * (index % 4) as f32;
        let turn = |time: f32| {
            let x = reach * (2.1 * time + phase).sin();
            let y = reach * (1.3 * time - phase).cos();
            // Some joints go round and round.
            let z = if index % 7 == 3 {
                2.5 * time
            } else {
                0.4 * (3.7 * time).sin()
            };
            Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x)
        };
        let values = times.iter().map(|&time| joint.rest.rotation * turn(time));
        clip.joints[index].rotation = Track::new(linear, Arc::clone(&times), values.collect()).ok();
        if index % 5 == 0 {
            let values = times.iter().map(|&time| {
                let move_ = Vec3::new((time * 2.0).sin(), time * 0.3, (time + phase).cos());
                joint.rest.translation + move_ * reach * joint.rest.translation.length()
            });
            clip.joints[index].translation =
                Track::new(linear, Arc::clone(&times), values.collect()).ok();
        }
    }
    clip
}

/// How far from the origin the clip leads a joint, metres, at least 1.
pub fn size_of(character: &Character, clip: &Clip) -> f32 {
    let mut largest = 1.0f32;
    for time in probes(clip, 10) {
        let pose = sample_clip(&character.skeleton, clip, time);
        let model = model_pose(&character.skeleton, &pose);
        for joint in 0..model.len() {
            largest = largest.max(model.position(joint).length());
        }
    }
    largest
}

/// ufbx with the options that fix the numbers of nodes.
pub fn load_as_read(bytes: &[u8]) -> SceneRoot {
    ufbx::load_memory(
        bytes,
        LoadOpts {
            ignore_geometry: true,
            retain_dom: true,
            target_axes: CoordinateAxes::right_handed_y_up(),
            target_unit_meters: 1.0,
            space_conversion: SpaceConversion::ModifyGeometry,
            inherit_mode_handling: InheritModeHandling::Compensate,
            geometry_transform_handling: GeometryTransformHandling::Preserve,
            pivot_handling: PivotHandling::Retain,
            ..LoadOpts::default()
        },
    )
    .unwrap_or_else(|error| panic!("{}", error.description))
}

/// ufbx as it comes.
pub fn load_plainly(bytes: &[u8]) -> Result<SceneRoot, String> {
    ufbx::load_memory(
        bytes,
        LoadOpts {
            retain_dom: true,
            ..LoadOpts::default()
        },
    )
    .map_err(|error| format!("{}: {}", error.description, error.info()))
}

pub fn object_id(element: &ufbx::Element) -> Option<i64> {
    Some(
        element
            .dom_node
            .as_ref()?
            .values
            .as_ref()
            .first()?
            .value_int,
    )
}

/// Metres and +Y up from the file's own numbers.
pub fn placement(scene: &ufbx::Scene) -> impl Fn([f64; 3]) -> Vec3 + use<> {
    let axes = &scene.settings.axes;
    let pick = |axis: CoordinateAxis| {
        let index = axis as usize;
        (index / 2, if index.is_multiple_of(2) { 1.0 } else { -1.0 })
    };
    let rows = [pick(axes.right), pick(axes.up), pick(axes.front)];
    let unit = scene.settings.unit_meters;
    move |position| {
        let [x, y, z] = rows.map(|(axis, sign)| (position[axis] * sign * unit) as f32);
        Vec3::new(x, y, z)
    }
}

/// Positions of all joints that stand for objects, by plain ufbx: `(joint, position)`.
pub fn oracle_positions(
    scene: &SceneRoot,
    stack: usize,
    time: f64,
    ids: &[Option<i64>],
) -> Vec<(usize, Vec3)> {
    let stack = &scene.anim_stacks[stack];
    let posed = ufbx::evaluate_scene(
        scene,
        &stack.anim,
        stack.time_begin + time,
        ufbx::EvaluateOpts::default(),
    )
    .unwrap_or_else(|error| panic!("{}", error.description));
    let place = placement(&posed);
    let mut by_id = BTreeMap::new();
    for node in &posed.nodes {
        if let Some(id) = object_id(&node.element) {
            let world = &node.node_to_world;
            by_id.insert(id, place([world.m03, world.m13, world.m23]));
        }
    }
    ids.iter()
        .enumerate()
        .filter_map(|(joint, id)| Some((joint, *by_id.get(&(*id)?)?)))
        .collect()
}

/// The object of each joint; `None` for scale helpers.
pub fn ids_of(bytes: &[u8], character: &Character) -> Vec<Option<i64>> {
    let scene = load_as_read(bytes);
    let joints = character.skeleton.joints().iter();
    joints
        .map(|joint| {
            let node = &scene.nodes[joint.node as usize];
            object_id(&node.element).filter(|_| !node.is_scale_helper)
        })
        .collect()
}

/// The largest distance between the file's joints and those of the clip, and where it is.
pub fn largest_error(
    scene: &SceneRoot,
    stack: usize,
    ids: &[Option<i64>],
    character: &Character,
    clip: &Clip,
    times: &[f32],
) -> (f32, String) {
    let mut worst = (0.0, String::new());
    let mut compared = 0;
    for &time in times {
        let pose = sample_clip(&character.skeleton, clip, time);
        let model = model_pose(&character.skeleton, &pose);
        for (joint, position) in oracle_positions(scene, stack, f64::from(time), ids) {
            let distance = position.distance(model.position(joint));
            compared += 1;
            if distance > worst.0 || distance.is_nan() {
                let name = character.skeleton.unique_name(joint);
                worst = (distance, format!("{name} at {time} s"));
            }
        }
    }
    assert!(compared > 0, "nothing to compare");
    worst
}

/// Times at and between the keys of a clip.
pub fn probes(clip: &Clip, count: usize) -> Vec<f32> {
    let (start, end) = clip.time_span();
    let step = (end - start) / count.max(1) as f32;
    (0..=count)
        .map(|index| (start + step * index as f32).min(end))
        .collect()
}

/// The content of the file of this name, wherever it lies in the corpus.
pub fn find(name: &str) -> Option<Vec<u8>> {
    let mut open: Vec<PathBuf> = rebone_corpus::corpus().into_iter().collect();
    while let Some(folder) = open.pop() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
            .ok()?
            .flatten()
            .map(|entry| entry.path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                open.push(path);
            } else if path.file_name().is_some_and(|file| file == name) {
                return std::fs::read(path).ok();
            }
        }
    }
    None
}
