//! There and back again through every pair of formats: the motion stays where it was.
//!
//! `convert` does the work, so what is tested is what users get. Skipped where the corpus is not there.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod common;

use common::{Scratch, corpus, rebone};
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::{frame_rate_hz, regular_times, sample_clip};
use rebone::model::{JointKind, Vec3};
use rebone::{Format, ReadOptions, Rig, Role};
use std::collections::BTreeMap;
use std::path::Path;

/// Farthest that a joint may be from where it was, metres.
const TOLERANCE: f32 = 1e-4;
/// Frames of a long clip that are compared; all of a shorter one.
const FRAMES: usize = 400;

/// File, clip. Of each kind of body, tool and trap one.
const CLIPS: [(&str, Option<&str>); 12] = [
    (
        "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
        None,
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh",
        None,
    ),
    ("bvh_misc/animateddrawings/examples/bvh/fair1/dab.bvh", None),
    ("bvh_misc/pybvh/bvh_data/bvh_test3.bvh", None),
    ("derived/walk01_six_channels_x_rest.bvh", None),
    (
        "kaykit_anim/res/anim/Med_MovementBasic.glb",
        Some("Rig_Medium|Running_A"),
    ),
    (
        "mesh2motion/static/animations/human-addon-animations.glb",
        None,
    ),
    (
        "raylib/examples/models/resources/models/gltf/robot.glb",
        None,
    ),
    ("ozz/media/fbx/pab/walk.fbx", None),
    ("ozz/media/fbx/pab/crossarms.fbx", None),
    (
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_50.fbx",
        None,
    ),
    ("ufbx/data/maya_kenney_character_7700_binary.fbx", None),
];

/// The formats that hold any motion whole.
const FORMATS: [Format; 4] = [Format::Glb, Format::Gltf, Format::Fbx, Format::Bvh];

/// A character with its first clip.
struct Motion {
    rig: Rig,
}

impl Motion {
    fn read(path: &str) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let folder = Path::new(path).parent().unwrap();
        let beside = |name: &str| std::fs::read(folder.join(name)).map_err(|e| e.to_string());
        let document = rebone::read(&bytes, &ReadOptions::default(), &beside)
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        Self {
            rig: Rig::new(document, Role::Source, None).unwrap(),
        }
    }

    fn start(&self) -> f32 {
        self.rig.character.clips[0].time_span().0
    }

    /// The clip's frames, thinned out if there are many.
    fn times(&self) -> Vec<f32> {
        let clip = &self.rig.character.clips[0];
        let (start, end) = clip.time_span();
        let times = regular_times(start, end, frame_rate_hz(clip).unwrap());
        let step = times.len().div_ceil(FRAMES);
        times.into_iter().step_by(step).collect()
    }

    /// Canonical positions in metres, by name of joint (BVH has no spaces in names); joints whose names
    /// are not unique are left out. Giants, whose unit must be wrong, are compared at a man's size, for a
    /// BVH states no unit and is taken for a man's.
    fn positions(&self, time: f32) -> BTreeMap<String, Vec3> {
        let skeleton = &self.rig.character.skeleton;
        let pose = sample_clip(skeleton, &self.rig.character.clips[0], time);
        let model = model_pose(skeleton, &pose);
        let turn = self.rig.canonical_from_file().as_quat();
        let (unit, height) = (
            self.rig.space.meters_per_unit,
            self.rig.alignment.measures.height,
        );
        let is_giant = unit * height > 20.0;
        let scale = if is_giant { 0.01 * unit } else { unit } as f32;
        let mut positions = BTreeMap::new();
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let mut others = skeleton.joints().iter().enumerate();
            let is_unique = !others.any(|(other, o)| other != index && o.name == joint.name);
            if joint.kind == JointKind::Joint && is_unique {
                positions.insert(
                    joint.name.replace(' ', "_"),
                    turn * model.position(index) * scale,
                );
            }
        }
        positions
    }
}

/// What a trip did.
struct Difference {
    /// Metres.
    farthest: f32,
    place: String,
    /// Joints found again, and joints that there were.
    found: usize,
    of: usize,
}

fn difference(before: &Motion, after: &Motion) -> Difference {
    let mut result = Difference {
        farthest: 0.0,
        place: String::new(),
        found: 0,
        of: 0,
    };
    // A file that knows no time before its first key starts with that key.
    let shift = after.start() - before.start();
    for time in before.times() {
        let old = before.positions(time);
        let new = after.positions(time + shift);
        let pairs = old
            .iter()
            .filter_map(|(name, position)| Some((name, position.distance(*new.get(name)?))));
        (result.found, result.of) = (0, old.len());
        for (name, distance) in pairs {
            result.found += 1;
            if distance.is_nan() || distance > result.farthest {
                result.farthest = distance;
                result.place = format!("{name} at {time:.3} s");
            }
        }
    }
    result
}

fn convert(from: &str, to: &str, clip: Option<&str>) {
    let mut arguments = vec!["convert", from, to];
    arguments.extend(clip.iter().flat_map(|name| ["--clip", name]));
    rebone(arguments).done();
}

fn is_gltf(format: Format) -> bool {
    matches!(format, Format::Glb | Format::Gltf)
}

/// The clip alone in a format. From glTF to glTF everything is kept, all clips too, so the way leads
/// through another family there.
fn alone(original: &str, clip: &str, format: Format, scratch: &Scratch) -> String {
    let start = scratch.path(&format!("start.{}", format.name()));
    let from = Format::from_extension(original.rsplit('.').next().unwrap()).unwrap();
    let choice = (from != Format::Bvh).then_some(clip);
    if from == Format::Bvh && format == Format::Bvh {
        std::fs::copy(original, &start).unwrap();
    } else if from == format || (is_gltf(from) && is_gltf(format)) {
        let ending = if is_gltf(format) { "fbx" } else { "glb" };
        let between = scratch.path(&format!("between.{ending}"));
        convert(original, &between, choice);
        convert(&between, &start, None);
    } else {
        convert(original, &start, choice);
    }
    start
}

#[test]
fn every_pair_of_formats_keeps_the_motion() {
    let Some(corpus) = corpus() else { return };
    let mut failures = Vec::new();
    for (file, clip) in CLIPS {
        let scratch = Scratch::new();
        let original = corpus.join(file).to_str().unwrap().to_owned();
        let first = Motion::read(&original).rig.character.clips[0].name.clone();
        for a in FORMATS {
            let start = alone(&original, clip.unwrap_or(&first), a, &scratch);
            let before = Motion::read(&start);
            for b in FORMATS.into_iter().filter(|b| *b != a) {
                let there = scratch.path(&format!("there.{}", b.name()));
                let back = scratch.path(&format!("back.{}", a.name()));
                convert(&start, &there, None);
                convert(&there, &back, None);
                let found = difference(&before, &Motion::read(&back));
                let line = format!(
                    "{file}: {} -> {} -> {}: {:.2e} m ({}), {} of {} joints",
                    a.name(),
                    b.name(),
                    a.name(),
                    found.farthest,
                    found.place,
                    found.found,
                    found.of
                );
                println!("{line}");
                if found.farthest.is_nan()
                    || found.farthest > TOLERANCE
                    || found.found < found.of
                    || found.of < 10
                {
                    failures.push(line);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
