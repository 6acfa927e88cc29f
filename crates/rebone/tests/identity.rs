//! A clip retargeted onto its own character comes back.

use crate::common::{corpus, retarget, rig};
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::{Recipe, Role};

const FILES: [&str; 13] = [
    "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb",
    "kaykit_anim/res/anim/Med_General.glb",
    "mesh2motion/static/animations/human-addon-animations.glb",
    "raylib/examples/models/resources/models/gltf/robot.glb",
    "quaternius/public/glb/cyberpunk_pack/Character.glb",
    "quaternius/public/glb/platformer_game_pack/Character.glb",
    "quaternius/public/glb/single_knight_pack/KnightCharacter.glb",
    "gltf_misc/gdquest/Player/model/gdbot.glb",
    "gltf_misc/sketchbook/build/assets/boxman.glb",
    "gltf_misc/wicked/Content/models/CesiumMan.glb",
    "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
    "bvh_misc/animateddrawings/examples/bvh/fair1/zombie.bvh",
    "assimp/test/models/BVH/01_01.bvh",
];

#[test]
fn own_clips_come_back() {
    let Some(corpus) = corpus() else { return };
    let mut problems = Vec::new();
    for file in FILES {
        let path = corpus.join(file);
        let source = rig(&path, Role::Source);
        let target = source.clone();
        let result = retarget(&source, &target, &[], &Recipe::default()).unwrap();
        let skeleton = &source.character.skeleton;
        let (mut worst_angle, mut worst_place, mut kept, mut mapped) = (0.0f32, 0.0f32, 0, 0);
        for (original, retargeted) in source.character.clips.iter().zip(&result.clips) {
            let times = original.key_times();
            for link in &result.compiled.links {
                for &joint in &link.target {
                    let (before, after) = (
                        &original.joints[joint].rotation,
                        &retargeted.clip.joints[joint].rotation,
                    );
                    if before.as_ref().is_some_and(|track| !track.is_constant()) {
                        mapped += 1;
                        kept += usize::from(before == after);
                    }
                }
            }
            for step in 0..12 {
                let time = times[step * (times.len() - 1) / 11];
                let before = model_pose(skeleton, &sample_clip(skeleton, original, time));
                let after = model_pose(skeleton, &sample_clip(skeleton, &retargeted.clip, time));
                for link in &result.compiled.links {
                    for &joint in &link.target {
                        let place = before.position(joint).distance(after.position(joint));
                        if std::env::var_os("VERBOSE").is_some()
                            && (place > 1e-3
                                || angle_between(before.rotation(joint), after.rotation(joint))
                                    > 1e-3)
                        {
                            println!(
                                "{} {time} {} {place} {}",
                                original.name,
                                skeleton.unique_name(joint),
                                angle_between(before.rotation(joint), after.rotation(joint))
                                    .to_degrees()
                            );
                        }
                        worst_angle = worst_angle.max(
                            angle_between(before.rotation(joint), after.rotation(joint))
                                .to_degrees(),
                        );
                        worst_place =
                            worst_place.max(before.position(joint).distance(after.position(joint)));
                    }
                }
            }
        }
        let place = worst_place / source.alignment.measures.height as f32;
        println!(
            "{file}: worst rotation {worst_angle:.6} degrees, place {place:.2e} of height, {kept} of {mapped} tracks bit-equal"
        );
        if worst_angle > 1e-3 || place > 1e-4 {
            problems.push(format!("{file}: {worst_angle} degrees, {place} of height"));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}
