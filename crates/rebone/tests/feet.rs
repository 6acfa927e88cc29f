//! Feet on the floor: every source of the corpus on every target, by the report's own figures.
//!
//! Prints a table, and the outliers by name.

#![allow(clippy::unwrap_used)]

mod common;

use common::{corpus, rig};
use rebone::core::recipe::Recipe;
use rebone::model::Clip;
use rebone::{Rig, Role, retarget};
use std::path::Path;

/// Source file and clip ("" takes the first).
const SOURCES: [(&str, &str); 25] = [
    ("bvh_misc/animateddrawings/examples/bvh/fair1/dab.bvh", ""),
    (
        "bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh",
        "",
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/cmu1/jumping_jacks.bvh",
        "",
    ),
    ("assimp/test/models/BVH/01_01.bvh", ""),
    ("assimp/test/models/BVH/Boxing_Toes.bvh", ""),
    (
        "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
        "",
    ),
    ("derived/walk01_six_channels_x_rest.bvh", ""),
    ("bvh_misc/pybvh/bvh_data/bvh_example.bvh", ""),
    ("bvh_misc/pybvh/bvh_data/bvh_test2.bvh", ""),
    ("bvh_misc/pybvh/bvh_data/bvh_test3.bvh", ""),
    (
        "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb",
        "Walking_A",
    ),
    ("kaykit_anim/res/anim/Med_MovementBasic.glb", ""),
    (
        "mesh2motion/static/animations/human-addon-animations.glb",
        "",
    ),
    (
        "raylib/examples/models/resources/models/gltf/robot.glb",
        "Dance",
    ),
    (
        "quaternius/public/glb/cyberpunk_pack/Character.glb",
        "CharacterArmature|Run",
    ),
    (
        "quaternius/public/glb/platformer_game_pack/Character.glb",
        "CharacterArmature|Walk",
    ),
    (
        "quaternius/public/glb/single_knight_pack/KnightCharacter.glb",
        "",
    ),
    ("gltf_misc/gdquest/Player/model/gdbot.glb", "run"),
    ("ozz/media/fbx/pab/walk.fbx", ""),
    ("ozz/media/fbx/pab/crossarms.fbx", ""),
    ("ozz/media/fbx/pab/jog.fbx", ""),
    ("ozz/media/fbx/pab/run.fbx", ""),
    ("vrm/chatvrm/public/idle_loop.vrma", ""),
    (
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_50.fbx",
        "",
    ),
    ("ufbx/data/maya_kenney_character_7700_binary.fbx", ""),
];

const TARGETS: [&str; 21] = [
    "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb",
    "kaykit_anim/res/models/mannequin_v2/manny_med_mod.gltf",
    "mesh2motion/static/skeletons/human-skeleton.glb",
    "gltf_misc/sketchbook/build/assets/boxman.glb",
    "vrm/saturday06/tests/resources/unity/VrmaInspector/Assets/StreamingAssets/Example.vrm",
    "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
    "vrm/bevy_vrm/assets/cool_loops.vrm",
    "raylib/examples/models/resources/models/gltf/robot.glb",
    "gltf_misc/wicked/Content/models/CesiumMan.glb",
    "mpfb/derived/mpfb_game_engine.glb",
    "mpfb/derived/mpfb_mixamo.glb",
    "mpfb/derived/mpfb_default.glb",
    "quaternius/public/glb/platformer_game_pack/Character_HumanoidRig.glb",
    "ozz/media/fbx/pab/arnaud.fbx",
    "ufbx/data/maya_kenney_character_7700_binary.fbx",
    "ufbx/data/blender_293_barbarian_7400_binary.fbx",
    "ufbx/data/maya_human_ik_7400_binary.fbx",
    "vrm/univrm/Assets/VRM10_Samples/ModelSetup_SeedSan/Models/new_seedsan_betterfbx.fbx",
    "project/adult.glb",
    "project/brute.glb",
    "project/chibi.vrm",
];

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

fn clip_of<'a>(source: &'a Rig, name: &str) -> &'a Clip {
    let clips = &source.character.clips;
    clips
        .iter()
        .find(|clip| clip.name == name)
        .unwrap_or(&clips[0])
}

#[test]
fn feet_stay_on_their_floor() {
    let Some(corpus) = corpus() else { return };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let path_of = |file: &str| match file.strip_prefix("project/") {
        Some(name) => own.join(name),
        None => corpus.join(file),
    };
    let targets: Vec<(String, Rig)> = TARGETS
        .iter()
        .map(|file| (stem(&path_of(file)), rig(&path_of(file), Role::Target)))
        .collect();
    println!(
        "pair | slide source, target | penetration frames source, target; max | step ratio, added | knee ratio | jerk ratio | F1"
    );
    let mut counts = [0usize; 5];
    for (file, clip_name) in SOURCES {
        let source = rig(&corpus.join(file), Role::Source);
        let clip = clip_of(&source, clip_name);
        for (name, target) in &targets {
            let names = std::slice::from_ref(&clip.name);
            let result = retarget(&source, target, names, &Recipe::default()).unwrap();
            let report = &result.clips[0].report;
            let pair = format!("{} on {name}", stem(Path::new(file)));
            counts[0] += 1;
            let (Some(feet), Some(floor), Some(pops)) = (&report.feet, &report.floor, &report.pops)
            else {
                println!("{pair} | no feet");
                continue;
            };
            let mut off = Recipe::default();
            off.feet.weight = Some(0.0);
            let plain = retarget(&source, target, names, &off).unwrap();
            let plain = &plain.clips[0].report;
            let ratio = |jerk: rebone::core::report::Sides| jerk.target / jerk.source.max(1e-9);
            let plain_jerk = plain.jerk.map_or(0.0, ratio);
            let plain_slide = plain
                .feet
                .as_ref()
                .map_or(0.0, |feet| feet.slide_percent_per_second.target);
            let plain_step = plain.pops.as_ref().map_or(0.0, |pops| pops.step_ratio);
            let jerk = report
                .jerk
                .map_or(0.0, |jerk| jerk.target / jerk.source.max(1e-9));
            let (slide, deep) = (
                feet.slide_percent_per_second,
                floor.penetration_frames_percent,
            );
            println!(
                "{pair} | {:.2} {:.2} | {:.1} {:.1}; {:.2} | {:.2} {:.1} | {:.2} | {jerk:.2} | {:.3} | transferred: slide {plain_slide:.2} steps {plain_step:.2} jerk {plain_jerk:.2}",
                slide.source,
                slide.target,
                deep.source,
                deep.target,
                floor.penetration_max_percent.target,
                pops.step_ratio,
                pops.step_added_degrees,
                pops.knee_ratio.unwrap_or(0.0),
                feet.contact_f1
            );
            let bad = [
                slide.target > 1.05 * slide.source.max(1.0),
                deep.target > 1.0,
                pops.step_ratio > 1.3,
                jerk > 1.15,
            ];
            for (count, bad) in counts[1..].iter_mut().zip(bad) {
                *count += usize::from(bad);
            }
        }
    }
    println!(
        "of {} pairs too much: slide {}, penetration {}, steps {}, jerk {}",
        counts[0], counts[1], counts[2], counts[3], counts[4]
    );
    // Scaled copies of the source keep what it does to its floor; the others are known by name in the table.
    let [all, slide, deep, steps, jerk] = counts;
    assert!(all == SOURCES.len() * TARGETS.len());
    assert!(
        slide * 50 < all && deep * 20 < all && steps * 20 < all,
        "{counts:?}"
    );
    assert!(jerk * 4 < 3 * all, "{counts:?}");
}
