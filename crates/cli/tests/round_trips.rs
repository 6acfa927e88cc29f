//! There and back again through every pair of formats: the motion stays where it was.
//!
//! `convert` does the work, so what is tested is what users get. Skipped where the corpus is not there.

use crate::common::{Scratch, corpus, rebone};
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::{frame_rate_hz, regular_times, sample_clip};
use rebone::model::{JointKind, Vec3};
use rebone::{Format, ReadOptions, Rig, Role};
use std::collections::BTreeMap;
use std::path::Path;

/// Farthest that a joint may be from where it was, metres.
const TOLERANCE: f32 = 1e-4;
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

    /// The clip's frames.
    fn times(&self) -> Vec<f32> {
        let clip = &self.rig.character.clips[0];
        let (start, end) = clip.time_span();
        regular_times(start, end, frame_rate_hz(clip).unwrap())
    }

    /// The same of the joints that carry a slot: what a VRM animation holds.
    fn body_positions(&self, time: f32) -> BTreeMap<String, Vec3> {
        let skeleton = &self.rig.character.skeleton;
        let slots = self.rig.map.slots.values();
        let names: Vec<String> = slots
            .flat_map(|found| found.joints.first())
            .map(|&joint| skeleton.joints()[joint].name.replace(' ', "_"))
            .collect();
        let mut positions = self.positions(time);
        positions.retain(|name, _| names.contains(name));
        positions
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

impl Difference {
    /// Prints what was found; the line again where it is too much.
    fn failure(&self, way: &str) -> Option<String> {
        let Self {
            farthest,
            place,
            found,
            of,
        } = self;
        let line = format!("{way}: {farthest:.2e} m ({place}), {found} of {of} joints");
        println!("{line}");
        let is_right = *farthest <= TOLERANCE && found == of && *of >= 10;
        (!is_right).then_some(line)
    }
}

/// Compares all joints after a trip through a format.
fn difference(before: &Motion, after: &Motion, through: Format) -> Difference {
    difference_of(before, after, through, Motion::positions)
}

fn difference_of(
    before: &Motion,
    after: &Motion,
    through: Format,
    positions: impl Fn(&Motion, f32) -> BTreeMap<String, Vec3>,
) -> Difference {
    let mut result = Difference {
        farthest: 0.0,
        place: String::new(),
        found: 0,
        of: 0,
    };
    // A BVH knows no time before its first frame.
    let shift = match through {
        Format::Bvh => after.start() - before.start(),
        _ => 0.0,
    };
    for time in before.times() {
        let old = positions(before, time);
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

/// Returns the remarks.
fn convert(from: &str, to: &str, clip: Option<&str>) -> String {
    let mut arguments = vec!["convert", from, to];
    arguments.extend(clip.iter().flat_map(|name| ["--clip", name]));
    rebone(arguments).done().err
}

fn is_gltf(format: Format) -> bool {
    matches!(format, Format::Glb | Format::Gltf | Format::Vrma)
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
                let found = difference(&before, &Motion::read(&back), b);
                let way = [a.name(), b.name(), a.name()].join(" -> ");
                failures.extend(found.failure(&format!("{file}: {way}")));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Clips that a VRM animation can hold: turning joints and travelling hips.
const HUMAN_CLIPS: [&str; 5] = [
    "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
    "bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh",
    "assimp/test/models/BVH/Boxing_Toes.bvh",
    "mesh2motion/static/animations/human-addon-animations.glb",
    "vrm/chatvrm/public/idle_loop.vrma",
];

/// What a VRM animation cannot hold (real files hold it all the same) is no failure if it was told.
fn untold(failure: Option<String>, told: &str) -> Option<String> {
    failure.filter(|_| !told.contains("[vrma-motion-lost]"))
}

#[test]
fn vrm_animations_keep_the_body_s_motion() {
    let Some(corpus) = corpus() else { return };
    let mut failures = Vec::new();
    for file in HUMAN_CLIPS {
        let scratch = Scratch::new();
        let original = corpus.join(file).to_str().unwrap().to_owned();
        let name = Motion::read(&original).rig.character.clips[0].name.clone();
        let vrma = scratch.path("start.vrma");
        let choice = file.ends_with(".glb").then_some(name.as_str());
        convert(&original, &vrma, choice);
        let before = Motion::read(&vrma);
        for format in FORMATS {
            let there = scratch.path(&format!("there.{}", format.name()));
            let back = scratch.path("back.vrma");
            convert(&vrma, &there, None);
            let told = convert(&there, &back, None);
            let after = Motion::read(&back);
            let found = difference_of(&before, &after, format, Motion::body_positions);
            let way = format!("{file}: vrma -> {} -> vrma", format.name());
            failures.extend(untold(found.failure(&way), &told));

            let start = alone(&original, &name, format, &scratch);
            let there = scratch.path("there.vrma");
            let back = scratch.path(&format!("back.{}", format.name()));
            let told = convert(&start, &there, None);
            convert(&there, &back, None);
            let (before, after) = (Motion::read(&start), Motion::read(&back));
            let found = difference_of(&before, &after, format, Motion::body_positions);
            let way = format!("{file}: {} -> vrma -> {}", format.name(), format.name());
            failures.extend(untold(found.failure(&way), &told));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Avatars of both kinds; each dances in its own file, then by way of another.
#[test]
fn avatars_keep_their_motion() {
    let Some(corpus) = corpus() else { return };
    let mut failures = Vec::new();
    let dance = corpus.join("bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh");
    let dance = dance.to_str().unwrap();
    for file in [
        "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
        "vrm/bevy_vrm/assets/cool_loops.vrm",
    ] {
        let scratch = Scratch::new();
        let avatar = corpus.join(file).to_str().unwrap().to_owned();
        let start = scratch.path("start.vrm");
        rebone(["retarget", dance, &avatar, "-o", &start]).done();
        let before = Motion::read(&start);
        for format in FORMATS {
            let there = scratch.path(&format!("there.{}", format.name()));
            convert(&start, &there, None);
            let found = difference(&before, &Motion::read(&there), format);
            failures.extend(found.failure(&format!("{file}: vrm -> {}", format.name())));
            // Into an avatar the way back is a retarget onto itself.
            let back = scratch.path("back.vrm");
            rebone(["retarget", &there, &avatar, "-o", &back]).done();
            let found = difference(&before, &Motion::read(&back), format);
            failures.extend(found.failure(&format!("{file}: vrm -> {} -> vrm", format.name())));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
