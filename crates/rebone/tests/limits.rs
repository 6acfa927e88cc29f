//! Joint limits over real motions, rigs and robots (S3.4, must show 5).

use crate::common::{corpus, retarget, rig};
use rebone::model::Quat;
use rebone::model::sampling::sample_clip;
use rebone::runtime::stage::{LimitStage, StageOp};
use rebone::setup::hands::HandsMode;
use rebone::setup::limits::LimitsChoice;
use rebone::{Clip, Recipe, Rig, Role};

const MOTIONS: [&str; 5] = [
    "bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh",
    "bvh_misc/pybvh/bvh_data/cmu_12_01_walk.bvh",
    "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
    "ozz/media/fbx/pab/walk.fbx",
    "ozz/media/fbx/pab/run.fbx",
];

const RIGS: [&str; 3] = [
    "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
    "mesh2motion/static/animations/human-addon-animations.glb",
    "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb",
];

/// The largest excess of any joint over the clip, as a share of its soft zone (of a degree for hard stops), and how many of the
/// limited joints' frames are outside.
fn excess(rig: &Rig, stage: &LimitStage, clip: &Clip) -> (f32, f64) {
    let skeleton = &rig.character.skeleton;
    let (mut worst, mut outside, mut all) = (0f32, 0usize, 0usize);
    for time in clip.key_times() {
        let pose = sample_clip(skeleton, clip, time);
        for joint in &stage.joints {
            let between = skeleton
                .ancestors(joint.joint)
                .take_while(|&at| Some(at) != joint.above)
                .fold(Quat::IDENTITY, |below, at| {
                    pose.transforms()[at].rotation * below
                });
            let own = pose.transforms()[joint.joint].rotation;
            let turn = joint.before * between * own * joint.after;
            let [swing, twist] = joint.excess(joint.angles(turn));
            let zone = joint.soft.max(0.01f32.to_radians());
            worst = worst.max(swing.max(twist) / zone);
            outside += usize::from(swing.max(twist) > 1e-4);
            all += 1;
        }
    }
    (worst, outside as f64 / all as f64)
}

#[test]
fn motions_of_the_corpus_stay_inside() {
    let Some(corpus) = corpus() else { return };
    for motion in MOTIONS {
        let source = rig(&corpus.join(motion), Role::Source);
        for target in RIGS {
            let target_rig = rig(&corpus.join(target), Role::Target);
            let mut plain = Recipe::default();
            plain.feet.weight = 0.0;
            plain.hands.mode = HandsMode::Off;
            plain.ground = 0.0;
            plain.own_body = 0.0;
            let mut human = plain.clone();
            human.limits.choice = LimitsChoice::Human;
            let [plain, human] =
                [plain, human].map(|recipe| retarget(&source, &target_rig, &[], &recipe).unwrap());
            assert!(plain.compiled.plan.stages.is_empty());
            let stages = &human.compiled.plan.stages;
            let [StageOp::Limits(stage)] = [&stages[0].op] else {
                panic!("the last stage limits");
            };
            assert!(stage.joints.len() > 15, "{target}: {}", stage.joints.len());
            for (before, after) in plain.clips.iter().zip(&human.clips) {
                let (was, share) = excess(&target_rig, stage, &before.clip);
                let (is, _) = excess(&target_rig, stage, &after.clip);
                println!(
                    "{motion} on {target}: {:.2} % of the joints' frames outside, {was:.1} zones before, {is:.3} after",
                    100.0 * share
                );
                // At the keys, to the exactness of the angles.
                assert!(
                    is <= 1.02,
                    "{motion} on {target}: {is} zones beyond a limit"
                );
                assert!(share < 0.1, "{motion} on {target}: the table fits people");
            }
        }
    }
}

/// Each joint of a robot turns about its motor's axis alone, as far as the motor goes, without being asked.
#[test]
fn robots_move_as_their_motors_can() {
    let Some(corpus) = corpus() else { return };
    for robot in [
        "robots/unitree/robots/g1_description/g1_29dof_rev_1_0.urdf",
        "robots/unitree/robots/g1_description/g1_29dof_rev_1_0.xml",
        "robots/unitree/robots/h1_description/mjcf/h1.xml",
    ] {
        let target = rig(&corpus.join(robot), Role::Target);
        let skeleton = &target.character.skeleton;
        for motion in MOTIONS {
            let source = rig(&corpus.join(motion), Role::Source);
            let result = retarget(&source, &target, &[], &Recipe::default()).unwrap();
            let (mut moving, mut off) = (0, 0f64);
            for made in &result.clips {
                off = off.max(made.report.mean_direction_degrees);
                for time in made.clip.key_times() {
                    let pose = sample_clip(skeleton, &made.clip, time);
                    for hinge in &target.character.hinges {
                        let rest = skeleton.joints()[hinge.joint].rest.rotation;
                        let turn = rest.conjugate() * pose.transforms()[hinge.joint].rotation;
                        let turn = if turn.w < 0.0 { -turn } else { turn };
                        let angle = 2.0 * turn.xyz().dot(hinge.axis).atan2(turn.w);
                        let across = turn.xyz().reject_from(hinge.axis).length();
                        assert!(across < 1e-4, "{robot}: {across} across the axis");
                        let [least, most] = hinge.range.unwrap_or([-7.0, 7.0]);
                        let inside = (least - 1e-3..=most + 1e-3).contains(&angle);
                        assert!(
                            inside,
                            "{robot}, {motion}: {angle} is not in {least} to {most}"
                        );
                        moving += usize::from(angle.abs() > 0.05);
                    }
                }
            }
            println!("{motion} on {robot}: limbs {off:.1} degrees off on average");
            assert!(moving > 100, "{robot} moves");
        }
    }
}
