//! What plants feet touches legs alone: every other slot keeps the orientation of the pure transfer.

use crate::common::{corpus, retarget, rig};
use rebone::Role;
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::setup::hands::HandsMode;
use rebone::setup::profile::Part;
use rebone::setup::recipe::Recipe;

const PAIRS: [(&str, &str); 10] = [
    (
        "assimp/test/models/BVH/01_01.bvh",
        "mpfb/derived/mpfb_mixamo.glb",
    ),
    (
        "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
        "mpfb/derived/mpfb_game_engine.glb",
    ),
    (
        "mesh2motion/static/animations/human-addon-animations.glb",
        "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
    ),
    (
        "quaternius/public/glb/cyberpunk_pack/Character.glb",
        "ufbx/data/maya_human_ik_7400_binary.fbx",
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/fair1/dab.bvh",
        "kaykit_anim/res/models/mannequin_v2/manny_med_mod.gltf",
    ),
    (
        "kaykit_anim/res/anim/Med_MovementBasic.glb",
        "mpfb/derived/mpfb_cmu_mb.glb",
    ),
    (
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_50.fbx",
        "ozz/media/fbx/pab/arnaud.fbx",
    ),
    (
        "vrm/chatvrm/public/idle_loop.vrma",
        "quaternius/public/glb/platformer_game_pack/Character_HumanoidRig.glb",
    ),
    (
        "ozz/media/fbx/pab/run.fbx",
        "raylib/examples/models/resources/models/gltf/robot.glb",
    ),
    (
        "quaternius/public/glb/animals_pack/Husky.glb",
        "quaternius/public/glb/animals_pack/Horse.glb",
    ),
];

#[test]
fn all_but_legs_turn_as_transferred() {
    let Some(corpus) = corpus() else { return };
    for (from, to) in PAIRS {
        let source = rig(&corpus.join(from), Role::Source);
        let target = rig(&corpus.join(to), Role::Target);
        let clip = source.character.clips[0].name.clone();
        let run = |feet: f64| {
            // They put palms on the floor, and on legs.
            let mut recipe = Recipe::parse("ground = false\nown_body = false").unwrap();
            recipe.hands.mode = HandsMode::Off;
            // Toes bend out of the floor by themselves.
            recipe.feet.toes = 0.0;
            recipe.feet.weight = feet;
            let mut result =
                retarget(&source, &target, std::slice::from_ref(&clip), &recipe).unwrap();
            result.clips.swap_remove(0).clip
        };
        let (planted, plain) = (run(1.0), run(0.0));
        let skeleton = &target.character.skeleton;
        let legs = [Part::UpperLeg, Part::LowerLeg];
        let fronts = [Part::UpperArm, Part::LowerArm];
        let is_animal = target.map.profile.stance == rebone::setup::profile::Stance::FourLegged;
        let (mut worst, mut place, mut moved) = (0.0f32, String::new(), 0.0f32);
        for time in plain.key_times() {
            let [a, b] = [&planted, &plain]
                .map(|clip| model_pose(skeleton, &sample_clip(skeleton, clip, time)));
            for (slot, found) in &target.map.slots {
                let info = target.map.profile.info(*slot);
                for &joint in &found.joints {
                    let off = angle_between(a.rotation(joint), b.rotation(joint)).to_degrees();
                    let of_leg = legs.contains(&info.part)
                        || is_animal && (fronts.contains(&info.part) || info.part == Part::Cannon);
                    if of_leg {
                        moved = moved.max(off);
                    } else if off > worst {
                        worst = off;
                        place = format!("{} at {time:.3} s", info.name);
                    }
                }
            }
        }
        println!("{from} to {to}: {worst:.4} degrees ({place}); legs {moved:.1}");
        assert!(worst < 0.1, "{from} to {to}: {worst} degrees, {place}");
        assert!(moved > 0.1, "{from} to {to}: no leg was touched");
    }
}
