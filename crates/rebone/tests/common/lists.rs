//! The characters of the corpus that retargets are judged on.

use rebone::Rig;
use rebone::model::Clip;
use std::path::{Path, PathBuf};

/// Source file and clip ("" takes the first).
pub const SOURCES: [(&str, &str); 22] = [
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
    (
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_50.fbx",
        "",
    ),
    ("ufbx/data/maya_kenney_character_7700_binary.fbx", ""),
];

/// More of them, for what needs no files to be written.
pub const MORE_SOURCES: [(&str, &str); 12] = [
    ("ozz/media/fbx/pab/jog.fbx", ""),
    ("ozz/media/fbx/pab/run.fbx", ""),
    ("vrm/chatvrm/public/idle_loop.vrma", ""),
    ("ozz/media/fbx/pab/locomotions.fbx", ""),
    (
        "bvh_misc/animateddrawings/examples/bvh/fair1/jumping.bvh",
        "",
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/fair1/zombie.bvh",
        "",
    ),
    ("vrm/tk256/VRMA/original_01.vrma", ""),
    ("vrm/tk256/VRMA/original_02.vrma", ""),
    (
        "vrm/three-vrm/packages/three-vrm-animation/examples/models/test.vrma",
        "",
    ),
    (
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_48.fbx",
        "",
    ),
    (
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_52.fbx",
        "",
    ),
    (
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_54.fbx",
        "",
    ),
];

/// Target files; those of `project/` are our own.
pub const TARGETS: [&str; 21] = [
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

/// Where a target is.
pub fn target_path(corpus: &Path, file: &str) -> PathBuf {
    match file.strip_prefix("project/") {
        Some(name) => Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../data")
            .join(name),
        None => corpus.join(file),
    }
}

/// The file's name.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// A clip by name; the first where there is none.
pub fn clip_of<'a>(source: &'a Rig, name: &str) -> &'a Clip {
    let clips = &source.character.clips;
    clips
        .iter()
        .find(|clip| clip.name == name)
        .unwrap_or(&clips[0])
}
