//! Presets `humanik` and `mixamo` against the testkit's naive implementation of the motion laws, on real files.
//!
//! Twist joints rest here: the laws do not know them.

use crate::common::{corpus, retarget, rig};
use glam::DQuat;
use rebone::setup::profile::{Part, Side as BodySide};
use rebone::{Preset, Recipe, Rig, Role};
use rebone_testkit::check::Worst;
use rebone_testkit::laws::{Laws, Side, retarget_pose};
use rebone_testkit::oracle::{degrees_between, model, sample};
use std::path::Path;

const SIDES: [BodySide; 2] = [BodySide::Left, BodySide::Right];

/// Source file, its clip ("" takes the first) and target file: unlike proportions, names, axes, units and spines.
const PAIRS: [(&str, &str, &str); 10] = [
    // CMU's names, legs apart at rest, on Mixamo's; three joints of the spine each.
    (
        "assimp/test/models/BVH/01_01.bvh",
        "",
        "mpfb/derived/mpfb_mixamo.glb",
    ),
    // HumanIK's names in a T-pose on Unreal's in an A-pose; two joints on three.
    (
        "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
        "",
        "mpfb/derived/mpfb_game_engine.glb",
    ),
    // Rigify's names on a VRM 1; three joints on two.
    (
        "mesh2motion/static/animations/human-addon-animations.glb",
        "",
        "vrm/saturday06/tests/resources/unity/VrmaInspector/Assets/StreamingAssets/Example.vrm",
    ),
    // Quaternius, from its bind pose, feet beside the legs; on CMU's names.
    (
        "quaternius/public/glb/cyberpunk_pack/Character.glb",
        "CharacterArmature|Run",
        "mpfb/derived/mpfb_cmu_mb.glb",
    ),
    // Z up, on a VRM 0 that faces backwards, with short legs; four joints on two.
    (
        "bvh_misc/animateddrawings/examples/bvh/fair1/dab.bvh",
        "",
        "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
    ),
    // Poser's names, numbers 100 times too large, on HumanIK's; two joints on three.
    (
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_50.fbx",
        "",
        "ufbx/data/maya_human_ik_7400_binary.fbx",
    ),
    // KayKit: a chibi whose joints slide, on an adult.
    (
        "kaykit_anim/res/anim/Med_MovementBasic.glb",
        "",
        "mpfb/derived/mpfb_mixamo.glb",
    ),
    // An armature of scale 0.01, an adult on the chibi; six joints on two.
    (
        "vrm/chatvrm/public/idle_loop.vrma",
        "",
        "kaykit_anim/res/models/mannequin_v2/manny_med_mod.gltf",
    ),
    // Quaternius, four metres tall: falls down and lies.
    (
        "quaternius/public/glb/single_knight_pack/KnightCharacter.glb",
        "HumanArmature|Death",
        "mpfb/derived/mpfb_game_engine.glb",
    ),
    // Z up, on MakeHuman's names with two joints in each segment of a limb; four joints of the spine on five.
    (
        "bvh_misc/pybvh/bvh_data/bvh_example.bvh",
        "",
        "mpfb/derived/mpfb_default.glb",
    ),
];

const PRESETS: [(Preset, Laws); 2] = [
    (Preset::Humanik, Laws::HUMANIK),
    (Preset::Mixamo, Laws::MIXAMO),
];

/// What differs between the product and the laws.
#[derive(Default)]
struct Differences {
    /// Turns of all joints but thighs and shins, and their places as seen from the hips; legs left out.
    upper: Worst,
    /// Places of all joints.
    all: Worst,
    /// Places of the hips, of the knees and of the ankles, relative to the height.
    hips_knees_ankles: [f64; 3],
    /// Legs over all frames; of these, by the laws, not at their goals, and so short that they pull the hips.
    legs: [usize; 3],
    /// Frames in which legs do not follow the laws because these jump, and all frames.
    calmed: [usize; 2],
}

/// What differs in a frame.
#[derive(Default)]
struct FrameDifferences {
    all: Worst,
    hips_knees_ankles: [f64; 3],
    /// By how many degrees a thigh or shin of the laws turns more than the copied one since the frame before.
    added: f64,
}

/// A place this far off, relative to the height, is not what the laws say.
const OFF: f64 = 1e-5;

/// Legs of the laws that turn so much more than the copied ones in a frame jump, degrees. Single precision may see a bit less.
const JUMP: f64 = 4.98;

impl Differences {
    /// Takes in the frames of a clip. Stretches that differ from the laws must hold a jump of theirs, and then do not count.
    fn add(&mut self, frames: &[FrameDifferences], what: &str) {
        self.calmed[1] += frames.len();
        for stretch in frames.chunk_by(|a, b| (a.all.position > OFF) == (b.all.position > OFF)) {
            if stretch[0].all.position > OFF {
                let jumps = stretch.iter().any(|frame| frame.added > JUMP);
                assert!(jumps, "{what}: {} and no jump", stretch[0].all);
                self.calmed[0] += stretch.len();
                continue;
            }
            for frame in stretch {
                self.all.merge(&frame.all);
                for (most, own) in self
                    .hips_knees_ankles
                    .iter_mut()
                    .zip(frame.hips_knees_ankles)
                {
                    *most = most.max(own);
                }
            }
        }
    }
}

fn compare(source: &Rig, target: &Rig, clip: &str, preset: Preset, laws: Laws) -> Differences {
    let run = |preset| {
        let mut recipe = Recipe::of(preset);
        recipe.twist = 0.0;
        retarget(source, target, &[clip.to_owned()], &recipe).unwrap()
    };
    // This preset takes the stances as they are.
    let stances = run(Preset::Humanik).compiled;
    let from = Side::new(&source.character, &source.map, &stances.source);
    let to = Side::new(&target.character, &target.map, &stances.target);
    let result = run(preset).clips.swap_remove(0).clip;
    let clip_name = clip;
    let clip = source.clips(&[clip.to_owned()]).unwrap()[0];
    let height = stances.target.measures.height;
    let hips = target.map.joint_of(Part::Hips, BodySide::Center).unwrap();
    let mut differences = Differences::default();
    let copied = Laws {
        legs: false,
        ..laws
    };
    let legs: Vec<usize> = [Part::UpperLeg, Part::LowerLeg]
        .into_iter()
        .flat_map(|part| SIDES.map(|side| target.map.joint_of(part, side).unwrap()))
        .collect();
    let mut before: Option<Vec<[DQuat; 2]>> = None;
    let mut frames = Vec::new();
    for time in clip.key_times() {
        let mut frame = FrameDifferences::default();
        let locals = sample(&source.character.skeleton, clip, time);
        let posed = retarget_pose(&from, &to, &laws, &locals).unwrap();
        let as_copied = retarget_pose(&from, &to, &copied, &locals).unwrap();
        let turns: Vec<[DQuat; 2]> = legs
            .iter()
            .map(|&joint| [&posed, &as_copied].map(|pose| pose.joints[joint].rotation))
            .collect();
        for (old, new) in before.iter().flatten().zip(&turns) {
            let [law, copy] = [0, 1].map(|at: usize| degrees_between(old[at], new[at]));
            frame.added = frame.added.max(law - copy);
        }
        before = Some(turns);
        for leg in posed.legs {
            differences.legs[0] += 1;
            differences.legs[1] += usize::from(!leg.reaches);
            differences.legs[2] += usize::from(leg.over_stretch > 1e-9 * height);
        }
        let wanted = posed.joints;
        let skeleton = &target.character.skeleton;
        let found = model(skeleton, &sample(skeleton, &result, time));
        let off = |joint: usize| found[joint].affine.translation - wanted[joint].affine.translation;
        for (slot, own) in &target.map.slots {
            if !source.map.slots.contains_key(slot) {
                continue;
            }
            let info = target.map.profile.info(*slot);
            let place = || format!("{} at {time:.3} s", info.name);
            for &joint in &own.joints {
                let apart = off(joint).length() / height;
                frame.all.add(apart, 0.0, place);
                let which = match info.part {
                    Part::Hips => Some(0),
                    Part::LowerLeg => Some(1),
                    Part::Foot => Some(2),
                    _ => None,
                };
                if let Some(which) = which {
                    let own = &mut frame.hips_knees_ankles[which];
                    *own = own.max(apart);
                }
                let turned = degrees_between(found[joint].rotation, wanted[joint].rotation);
                let from_hips = (off(joint) - off(hips)).length() / height;
                match info.part {
                    Part::UpperLeg | Part::LowerLeg => {}
                    Part::Foot | Part::Toes => differences.upper.add(0.0, turned, place),
                    _ => differences.upper.add(from_hips, turned, place),
                }
            }
        }
        frames.push(frame);
    }
    differences.add(&frames, &format!("{clip_name}, {}", preset.name()));
    differences
}

/// Compares all pairs in both presets and prints what was found.
fn each(mut look: impl FnMut(&str, &Differences)) {
    let Some(corpus) = corpus() else { return };
    for (from, clip, to) in PAIRS {
        let source = rig(&corpus.join(from), Role::Source);
        let target = rig(&corpus.join(to), Role::Target);
        let clip = match clip {
            "" => source.character.clips[0].name.clone(),
            named => named.to_owned(),
        };
        for (preset, laws) in PRESETS {
            let name = format!("{from} to {to}, {}", preset.name());
            look(&name, &compare(&source, &target, &clip, preset, laws));
        }
    }
}

/// The rig of a file, as if nothing were known of its system.
fn rig_of_no_system(path: &Path) -> Rig {
    let Rig {
        character,
        mut map,
        format,
        stated,
        ..
    } = rig(path, Role::Source);
    map.dialect = String::new();
    Rig::from_map(character, map, format, stated, Vec::new())
}

/// A rest pose in mid-stride: ankles are as high as where the feet stand, so that goals are met to the letter, and legs as long
/// as their joints say.
#[test]
fn a_stride_for_a_rest_pose_meets_its_goals() {
    let Some(corpus) = corpus() else { return };
    let source = rig_of_no_system(&corpus.join("ozz/media/fbx/pab/walk.fbx"));
    let target = rig(&corpus.join("mpfb/derived/mpfb_mixamo.glb"), Role::Target);
    let clip = source.character.clips[0].name.clone();
    let (preset, laws) = PRESETS[0];
    let found = compare(&source, &target, &clip, preset, laws);
    let [hips, _, ankles] = found.hips_knees_ankles;
    println!("hips {hips:.1e}, ankles {ankles:.1e}");
    assert!(ankles < 1e-5, "{ankles}");
    // The same skeleton standing in a T-pose tells the height of the ankles.
    let standing = rig(&corpus.join("ozz/media/fbx/pab/arnaud.fbx"), Role::Source);
    let height = |rig: &Rig| rig.alignment.measures.ankle_height * rig.space.meters_per_unit;
    for file in ["walk", "jog", "run", "crossarms", "locomotions"] {
        let moving = rig_of_no_system(&corpus.join(format!("ozz/media/fbx/pab/{file}.fbx")));
        let off = (height(&moving) / height(&standing) - 1.0).abs();
        println!("{file}: ankles {:.2} % off", 100.0 * off);
        assert!(off < 0.1, "{file}: {off}");
    }
}

/// Rotations of all joints but thighs and shins, and where they are above the hips.
#[test]
fn bodies_turn_as_the_laws_say() {
    each(|name, found| {
        println!("{name}: {}", found.upper);
        found.upper.assert_within(1e-5, 1e-3, name);
    });
}

/// Every joint of every frame, legs and hips too, but where legs would jump.
#[test]
fn every_joint_is_where_the_laws_say() {
    let mut worst = Worst::default();
    each(|name, found| {
        let [hips, knees, ankles] = found.hips_knees_ankles;
        let [legs, short, pulling] = found.legs;
        println!(
            "{name}: {:.1e} of the height at {}; hips {hips:.1e}, knees {knees:.1e}, ankles {ankles:.1e}; of {legs} legs \
             {short} end before their goals, {pulling} pull the hips; calmed in {} of {} frames",
            found.all.position, found.all.position_place, found.calmed[0], found.calmed[1],
        );
        worst.merge(&found.all);
    });
    worst.assert_within(1e-5, 0.0, "every joint");
}
