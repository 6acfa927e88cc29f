//! A file that hides its rest pose is retargeted as the file that shows it, and takes of one rig are read alike.

use crate::common::disguise::{Disguise, disguised};
use crate::common::{corpus, read_file, retarget, rig};
use rebone::model::axes::Axis;
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::{Action, Interpolation, Track, Warning};
use rebone::setup::align::{PoseChoice, PoseSource};
use rebone::takes::{best_take, needs_rest, with_rest_of_take};
use rebone::{Clip, Format, Recipe, Rig, Role};
use rebone_testkit::random::Generator;
use std::path::Path;

/// A file, one of its clips, and how far the result may be from that of the clean file: degrees on average and at most, and
/// places over the height.
type Case = (&'static str, usize, [f32; 3]);

/// What the same means.
const SAME: [f32; 3] = [1.0, 1.0, 0.005];

/// The last four lose something that nothing shows: the height of the soles, or the lengths of legs that slide.
const SOURCES: [Case; 16] = [
    ("assimp/test/models/BVH/01_01.bvh", 0, SAME),
    ("assimp/test/models/BVH/Boxing_Toes.bvh", 0, SAME),
    (
        "bvh_misc/animateddrawings/examples/bvh/fair1/jumping.bvh",
        0,
        SAME,
    ),
    (
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_49.fbx",
        0,
        SAME,
    ),
    ("bvh_misc/pybvh/bvh_data/bvh_test1.bvh", 0, SAME),
    (
        "bandai/dataset/Bandai-Namco-Research-Motiondataset-1/data/dataset-1_slash_normal_001.bvh",
        0,
        SAME,
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/cmu1/jumping_jacks.bvh",
        0,
        SAME,
    ),
    (
        "bandai/dataset/Bandai-Namco-Research-Motiondataset-2/data/dataset-2_wave-both-hands_normal_001.bvh",
        0,
        SAME,
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/fair1/zombie.bvh",
        0,
        SAME,
    ),
    (
        "bandai/dataset/Bandai-Namco-Research-Motiondataset-2/data/dataset-2_walk-turn-left_normal_001.bvh",
        0,
        SAME,
    ),
    ("bvh_misc/npybvh/example.bvh", 0, SAME),
    ("bvh_misc/pybvh/bvh_data/bvh_test2.bvh", 0, SAME),
    (
        "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
        0,
        [0.3, 4.0, 0.03],
    ),
    (
        "kaykit_anim/res/anim/Med_MovementBasic.glb",
        6,
        [0.4, 8.0, 0.075],
    ),
    (
        "quaternius/public/glb/single_knight_pack/KnightCharacter.glb",
        4,
        [0.3, 5.0, 0.07],
    ),
    (
        "quaternius/public/glb/platformer_game_pack/Character.glb",
        9,
        [0.4, 4.0, 0.03],
    ),
];

/// A source with just one of its clips.
fn with_one_clip(source: &Rig, number: usize) -> Rig {
    let mut character = source.character.clone();
    character.clips = vec![character.clips[number].clone()];
    Rig::from_character(character, source.format, source.stated, Vec::new())
}

/// The source in a file that states neither its rest pose nor its axes.
fn hidden(source: &Rig, disguise: Disguise, seed: u64) -> Rig {
    let made = disguised(&source.character, disguise, &mut Generator::new(seed));
    let mut stated = source.stated;
    stated.up = None;
    stated.forward = None;
    Rig::from_character(made, Format::Bvh, stated, Vec::new())
}

/// Degrees on average and at most, and places over the height.
fn apart(target: &Rig, joints: &[usize], one: &Clip, other: &Clip) -> [f32; 3] {
    let skeleton = &target.character.skeleton;
    let height = target.alignment.measures.height as f32;
    let (start, end) = one.time_span();
    let [mut sum, mut turned, mut moved] = [0.0_f32; 3];
    let steps = 24;
    for step in 0..steps {
        let time = start + (end - start) * step as f32 / (steps - 1) as f32;
        let one = model_pose(skeleton, &sample_clip(skeleton, one, time));
        let other = model_pose(skeleton, &sample_clip(skeleton, other, time));
        for &joint in joints {
            let degrees = angle_between(one.rotation(joint), other.rotation(joint)).to_degrees();
            sum += degrees;
            turned = turned.max(degrees);
            moved = moved.max(one.position(joint).distance(other.position(joint)) / height);
        }
    }
    [sum / (steps * joints.len()) as f32, turned, moved]
}

/// The character onto whom all is put, and the clean source's result.
struct Expected {
    target: Rig,
    joints: Vec<usize>,
    clip: Clip,
}

impl Expected {
    fn new(corpus: &Path, source: &Rig) -> Self {
        let target = rig(
            &corpus.join("mpfb/derived/mpfb_game_engine.glb"),
            Role::Target,
        );
        let mut done = retarget(source, &target, &[], &Recipe::default()).unwrap();
        let links = done.compiled.links.iter();
        let joints = links.flat_map(|link| link.target.clone()).collect();
        let clip = done.clips.swap_remove(0).clip;
        Self {
            target,
            joints,
            clip,
        }
    }

    /// How far the result of a hidden source is off, and whether somebody is told that its pose is guessed.
    fn off(&self, hidden: &Rig) -> Result<([f32; 3], bool), rebone::Error> {
        self.off_with(hidden, &Recipe::default())
    }

    /// The same with the user's choices.
    fn off_with(&self, hidden: &Rig, recipe: &Recipe) -> Result<([f32; 3], bool), rebone::Error> {
        let done = retarget(hidden, &self.target, &[], recipe)?;
        let off = apart(&self.target, &self.joints, &self.clip, &done.clips[0].clip);
        let mut warnings = done.warnings.iter();
        Ok((
            off,
            warnings.any(|warning| {
                matches!(
                    warning.code,
                    "rest-from-clip" | "rest-from-system" | "rest-from-zero" | "rest-is-moment"
                )
            }),
        ))
    }
}

fn is_within(off: [f32; 3], bounds: [f32; 3]) -> bool {
    off.iter().zip(bounds).all(|(off, bound)| *off <= bound)
}

#[test]
fn a_hidden_rest_pose_changes_nothing() {
    let Some(corpus) = corpus() else { return };
    let mut problems = Vec::new();
    for (file, number, bounds) in SOURCES {
        let source = with_one_clip(&rig(&corpus.join(file), Role::Source), number);
        let expected = Expected::new(&corpus, &source);
        for disguise in [
            Disguise::AnyRest,
            Disguise::MidMotion,
            Disguise::MidMotionZUp,
        ] {
            // A file whose up is another axis is no clean Z-up file after a turn.
            if disguise == Disguise::MidMotionZUp && source.alignment.up().y < 0.9 {
                continue;
            }
            for seed in rebone_corpus::seeds(0..20) {
                let hidden = hidden(&source, disguise, seed);
                let found = hidden.alignment.explain_pose();
                let off = expected.off(&hidden);
                if let Ok((off, false)) = off
                    && !is_within(off, SAME)
                {
                    problems.push(format!(
                        "{file} {disguise:?} {seed}: nobody is told of {off:?}, {found}"
                    ));
                }
                if !off.as_ref().is_ok_and(|(off, _)| is_within(*off, bounds)) {
                    problems.push(format!("{file} {disguise:?} {seed}: {off:?}, {found}"));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}: {problems:#?}", problems.len());
}

/// Nothing shows the rest pose of these files. Whoever is not refused is told.
#[test]
fn a_pose_that_is_guessed_is_told() {
    let Some(corpus) = corpus() else { return };
    for (file, number, _) in SOURCES {
        let source = with_one_clip(&rig(&corpus.join(file), Role::Source), number);
        let expected = Expected::new(&corpus, &source);
        for seed in rebone_corpus::seeds(0..20) {
            let hidden = hidden(&source, Disguise::OneAxis, seed);
            let Ok((off, is_told)) = expected.off(&hidden) else {
                continue;
            };
            let found = hidden.alignment.explain_pose();
            assert!(is_told, "{file} {seed}: {off:?}, {found}");
        }
    }
}

/// A file that says +Y is up, and in which somebody lies all the time.
#[test]
fn a_file_in_which_nobody_stands_is_refused_until_somebody_decides() {
    let Some(corpus) = corpus() else { return };
    let file = corpus.join("bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh");
    let source = with_one_clip(&rig(&file, Role::Source), 0);
    let expected = Expected::new(&corpus, &source);
    for seed in rebone_corpus::seeds(0..20) {
        let Rig {
            character,
            format,
            mut stated,
            ..
        } = hidden(&source, Disguise::OneAxisLying, seed);
        stated.up = Some(Axis::PositiveY);
        let lying = Rig::from_character(character, format, stated, Vec::new());
        let error = expected.off(&lying).unwrap_err();
        let (what, remedy) = error.parts();
        assert!(what.contains("does a person stand"), "{what}");
        assert!(remedy.actions.contains(&Action::ChooseRestFrame));
        let mut recipe = Recipe::default();
        recipe.source.pose = Some(PoseChoice::FrameNumber(0));
        retarget(&lying, &expected.target, &[], &recipe).unwrap();
        let mut recipe = Recipe::default();
        recipe.source.up = Some(Axis::PositiveZ);
        let done = retarget(&lying, &expected.target, &[], &recipe).unwrap();
        let off = apart(
            &expected.target,
            &expected.joints,
            &expected.clip,
            &done.clips[0].clip,
        );
        println!("{seed}: {off:?}");
        assert!(off[0] < 15.0, "{off:?}");
    }
}

/// What the user says of a file's axes comes before what is found.
#[test]
fn axes_can_be_stated() {
    let Some(corpus) = corpus() else { return };
    let file = corpus.join("bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh");
    let source = rig(&file, Role::Source);
    let expected = Expected::new(&corpus, &source);
    let ahead = Axis::nearest(source.alignment.forward().as_vec3());
    let back = Axis::nearest(-ahead.direction());
    let made = |forward: Axis| {
        let mut recipe = Recipe::default();
        recipe.source.up = Some(Axis::PositiveY);
        recipe.source.forward = Some(forward);
        let mut done = retarget(&source, &expected.target, &[], &recipe).unwrap();
        done.clips.swap_remove(0).clip
    };
    let off = |clip: &Clip| apart(&expected.target, &expected.joints, &expected.clip, clip);
    assert!(
        is_within(off(&made(ahead)), [0.01, 0.01, 1e-4]),
        "{:?}",
        off(&made(ahead))
    );
    let [mean, most, _] = off(&made(back));
    assert!(mean > 179.0 && most < 180.1, "{mean} {most}");
}

/// Folders with takes of one rig.
const TAKES: [&str; 2] = ["bandai/dataset", "ozz/media/fbx/pab"];

#[test]
fn takes_of_one_rig_are_read_alike() {
    let Some(corpus) = corpus() else { return };
    for folder in TAKES {
        let files = rebone_corpus::files_below(&corpus.join(folder), &["bvh", "fbx"]).unwrap();
        let rigs: Vec<Rig> = files.iter().map(|file| rig(file, Role::Source)).collect();
        let is_take = |rig: &&Rig| rig.character.skins.is_empty();
        let rigs: Vec<&Rig> = rigs.iter().filter(is_take).collect();
        assert!(rigs.len() > 4, "{folder}");
        let first = rigs[0];
        for other in &rigs[1..] {
            let turned = first.map.slots.values().map(|found| {
                let rotation = |rig: &Rig| rig.alignment.retarget_rotation(found.joints[0]);
                rotation(first).angle_between(rotation(other)).to_degrees()
            });
            let furthest = turned.fold(0.0, f64::max);
            let name = &other.character.clips[0].name;
            assert!(
                furthest < 1.0,
                "{folder}: {name} is read {furthest} degrees apart"
            );
            assert_eq!(first.space.up, other.space.up, "{folder}: {name}");
            assert_eq!(first.space.forward, other.space.forward, "{folder}: {name}");
        }
    }
}

/// Files larger than this are left out: they take long, and hold no other systems.
const LARGEST_BYTES: u64 = 12_000_000;

/// Each clip of a file in a file of its own is read as it is among all others.
#[test]
fn a_clip_alone_is_read_as_among_others() {
    let Some(corpus) = corpus() else { return };
    let endings = ["bvh", "fbx", "glb", "gltf", "vrma"];
    let (mut clips, mut libraries) = (0, 0);
    for path in rebone_corpus::files_below(&corpus, &endings).unwrap() {
        if std::fs::metadata(&path).unwrap().len() > LARGEST_BYTES {
            continue;
        }
        let Ok(document) = read_file(&path) else {
            continue;
        };
        let Ok(all) = Rig::new(document, Role::Source, None) else {
            continue;
        };
        let count = all.character.clips.len();
        if count < 2 || all.map.slots.is_empty() {
            continue;
        }
        libraries += 1;
        for number in 0..count {
            let one = with_one_clip(&all, number);
            let name = format!("{} {}", path.display(), one.character.clips[0].name);
            assert!(one.map.slots.keys().eq(all.map.slots.keys()), "{name}");
            let turned = all.map.slots.values().map(|found| {
                let rotation = |rig: &Rig| rig.alignment.retarget_rotation(found.joints[0]);
                rotation(&one).angle_between(rotation(&all)).to_degrees()
            });
            let furthest = turned.fold(0.0, f64::max);
            assert!(furthest < 1.0, "{name} is read {furthest} degrees apart");
            assert_eq!(one.space.up, all.space.up, "{name}");
            assert_eq!(one.space.forward, all.space.forward, "{name}");
            clips += 1;
        }
    }
    println!("{clips} clips of {libraries} files");
    assert!(libraries > 20 && clips > 400, "{clips} {libraries}");
}

/// The source with one clip: it stands in its rest pose for a second.
fn standing(source: &Rig) -> Rig {
    let mut character = source.character.clone();
    let mut clip = Clip::new("standing", character.skeleton.len());
    for (tracks, joint) in clip.joints.iter_mut().zip(character.skeleton.joints()) {
        let times = vec![0.0, 1.0];
        let turns = vec![joint.rest.rotation; 2];
        tracks.rotation = Track::new(Interpolation::Linear, times.into(), turns).ok();
    }
    character.clips = vec![clip];
    Rig::from_character(character, source.format, source.stated, Vec::new())
}

/// Files whose bones lie along one axis show nothing of the rest pose; one of several takes in which somebody stands shows it
/// for all.
#[test]
fn a_take_that_stands_shows_how_the_joints_of_all_lie() {
    let Some(corpus) = corpus() else { return };
    let (mut needed, mut worst_alone, mut problems) = (0, 0.0_f32, Vec::new());
    for (file, number, bounds) in SOURCES {
        let source = with_one_clip(&rig(&corpus.join(file), Role::Source), number);
        // Other takes are only given a pose in which somebody clearly stands, and the bound is that of `best_take`.
        if source.alignment.pose_source != PoseSource::Rest || source.alignment.plausibility < 0.85
        {
            continue;
        }
        let expected = Expected::new(&corpus, &source);
        let still = standing(&source);
        for seed in rebone_corpus::seeds(0..20) {
            let alone = hidden(&source, Disguise::OneAxis, seed);
            if !needs_rest(&alone) {
                continue;
            }
            needed += 1;
            let take = hidden(&still, Disguise::OneAxis, seed);
            let other = hidden(&still, Disguise::OneAxis, seed + 1);
            let before = expected.off(&alone).map(|(off, _)| off);
            let Some(best) = best_take(&alone, [&alone, &take, &other]) else {
                problems.push(format!("{file} {seed}: nobody stands in the other take"));
                continue;
            };
            assert_eq!(best, 1, "{file} {seed}");
            let together = with_rest_of_take(alone, &take, "standing").unwrap();
            assert!(
                together
                    .warnings
                    .iter()
                    .any(|warning| warning.code == "rest-from-take")
            );
            // Somebody who stands in a moment of a take may face anywhere, and so may all its takes.
            let mut recipe = Recipe::default();
            recipe.source.forward = Some(Axis::nearest(source.alignment.forward().as_vec3()));
            let off = expected.off_with(&together, &recipe);
            if let Ok(before) = before {
                worst_alone = worst_alone.max(before[1]);
            }
            if !off.as_ref().is_ok_and(|(off, _)| is_within(*off, bounds)) {
                problems.push(format!("{file} {seed}: {off:?}"));
            }
        }
    }
    println!(
        "{needed} files needed another take; alone they are up to {worst_alone:.0} degrees off"
    );
    assert!(problems.is_empty(), "{}: {problems:#?}", problems.len());
}

/// A body that lies through a whole clip looks like one that stands along another axis. Another take of its rig shows the axes.
#[test]
fn a_take_that_stands_shows_which_way_is_up() {
    let Some(corpus) = corpus() else { return };
    let (mut needed, mut read_otherwise) = (0, 0);
    for (file, number, _) in SOURCES {
        let source = with_one_clip(&rig(&corpus.join(file), Role::Source), number);
        for seed in rebone_corpus::seeds(0..20) {
            let lying = hidden(&source, Disguise::OneAxisLying, seed);
            let take = hidden(&standing(&source), Disguise::OneAxis, seed);
            if !needs_rest(&lying) || best_take(&lying, [&take]).is_none() {
                continue;
            }
            needed += 1;
            let axes = |rig: &Rig| [rig.alignment.up(), rig.alignment.forward()];
            read_otherwise += usize::from(axes(&lying)[0].dot(axes(&take)[0]) < 0.5);
            let together = with_rest_of_take(lying, &take, "standing").unwrap();
            assert_eq!(axes(&together), axes(&take), "{file} {seed}");
            let told = format!("its up axis, {},", take.space.up);
            let is_told = |warning: &Warning| warning.message.contains(&told);
            assert!(together.warnings.iter().any(is_told), "{file} {seed}");
        }
    }
    println!(
        "{needed} files needed another take; {read_otherwise} of them show another axis as up alone"
    );
    assert!(needed > 0);
    assert_eq!(read_otherwise, needed);
}
