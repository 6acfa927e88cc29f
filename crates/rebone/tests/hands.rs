//! Hands that touch in the source touch in the target (item 4 of what must be shown).

use crate::common::arms::{SIDES, joint, palm, span};
use crate::common::{corpus, retarget, rig};
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::{Clip, Vec3};
use rebone::setup::hands::HandsMode;
use rebone::{Recipe, Rig, Role};
use std::path::Path;

fn sample(name: &str, role: Role) -> Rig {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    rig(&data.join(name), role)
}

/// From the left palm to the right one.
fn between(rig: &Rig, clip: &Clip, time: f32) -> Vec3 {
    let skeleton = &rig.character.skeleton;
    let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
    palm(rig, &pose, "right") - palm(rig, &pose, "left")
}

fn height(rig: &Rig) -> f32 {
    rig.alignment.measures.height as f32
}

/// Largest error of the distance of the palms, and of the way between them, in % of the target's height, over frames
/// in which the source's palms are nearer than `within` of its span.
fn errors(source: &Rig, target: &Rig, own: &Clip, made: &Clip, within: f32) -> (f32, f32, usize) {
    let (span_a, scale) = (span(source), span(target) / span(source));
    let turn = |rig: &Rig| rig.alignment.canonical_from_file.as_quat();
    let (mut length, mut way, mut frames) = (0.0f32, 0.0f32, 0);
    for time in own.key_times() {
        let a = turn(source) * between(source, own, time);
        let b = turn(target) * between(target, made, time);
        if a.length() < within * span_a {
            frames += 1;
            length = length.max((b.length() - scale * a.length()).abs());
            way = way.max(b.distance(a * scale));
        }
    }
    let percent = 100.0 / height(target);
    (length * percent, way * percent, frames)
}

/// The largest turn of an arm's joint from one frame to the next, degrees.
fn largest_step(rig: &Rig, clip: &Clip) -> f32 {
    let skeleton = &rig.character.skeleton;
    let joints: Vec<usize> = SIDES
        .iter()
        .flat_map(|side| ["UpperArm", "LowerArm", "Hand"].map(|part| joint(rig, side, part)))
        .collect();
    let poses: Vec<_> = clip
        .key_times()
        .iter()
        .map(|&time| sample_clip(skeleton, clip, time))
        .collect();
    let step = |pair: &[rebone::model::LocalPose]| {
        let turn = |&joint: &usize| {
            let [a, b] = [0, 1].map(|at: usize| pair[at].transforms()[joint].rotation);
            angle_between(a, b).to_degrees()
        };
        joints.iter().map(turn).fold(0.0, f32::max)
    };
    poses.windows(2).map(step).fold(0.0, f32::max)
}

fn with(mode: HandsMode) -> Recipe {
    let mut recipe = Recipe::default();
    recipe.hands.mode = mode;
    recipe.own_body = 0.0;
    recipe
}

fn made(source: &Rig, target: &Rig, clip: &str, recipe: &Recipe) -> Clip {
    let mut result = retarget(source, target, &[clip.to_owned()], recipe).unwrap();
    result.clips.remove(0).clip
}

/// A clap and a box that is carried, on the broad and on the small character: hands as far apart as in the source, to
/// 2 % of height, and no larger step from frame to frame than 1.3 times that of arms that are only copied.
#[test]
fn hands_meet_on_other_bodies() {
    for (clip, within) in [("clap", 0.2), ("carry", 0.3)] {
        let source = sample(&format!("{clip}.glb"), Role::Source);
        let own = &source.character.clips[0];
        for name in ["brute.glb", "chibi.vrm"] {
            let target = sample(name, Role::Target);
            let copy = made(&source, &target, clip, &with(HandsMode::Off));
            let ours = made(&source, &target, clip, &Recipe::default());
            let (copied, copied_way, _) = errors(&source, &target, own, &copy, within);
            let (length, way, frames) = errors(&source, &target, own, &ours, within);
            let steps = [&copy, &ours].map(|clip| largest_step(&target, clip));
            println!(
                "{clip} on {name}: distance {length:.2} % of height (copy {copied:.2}), way {way:.2} % (copy {copied_way:.2}), \
                 steps {:.1} and {:.1} degrees, {frames} frames",
                steps[0], steps[1]
            );
            assert!(frames >= 12, "{frames}");
            assert!(
                length < 2.0 && way < 2.0,
                "{clip} on {name}: {length} {way}"
            );
            assert!(copied_way > way, "{clip} on {name}");
            assert!(steps[1] < 1.3 * steps[0], "{clip} on {name}: {steps:?}");
        }
    }
}

/// Where no hand touches another, every bit is that of the transfer, and where they do, only arms, collar bones, chest
/// and neck move.
#[test]
fn other_joints_and_other_clips_keep_their_bits() {
    for clip in ["walk", "wave", "jump", "sit_stand", "clap"] {
        let source = sample(&format!("{clip}.glb"), Role::Source);
        for name in ["brute.glb", "chibi.vrm"] {
            let target = sample(name, Role::Target);
            let copy = made(&source, &target, clip, &with(HandsMode::Off));
            let ours = made(&source, &target, clip, &with(HandsMode::Auto));
            let slot_of = |joint: usize| {
                let mut slots = target.map.slots.iter();
                slots
                    .find(|(_, found)| found.joints.contains(&joint))
                    .map(|found| found.0)
            };
            let mut moved = Vec::new();
            for (joint, (a, b)) in copy.joints.iter().zip(&ours.joints).enumerate() {
                if a != b {
                    let name = slot_of(joint).map(|slot| target.map.profile.info(*slot).name);
                    moved.push(name.unwrap_or("twist joint"));
                }
            }
            println!("{clip} on {name}: {moved:?}");
            let may = ["Arm", "Hand", "Shoulder", "hest", "neck", "twist"];
            assert!(
                moved
                    .iter()
                    .all(|name| may.iter().any(|may| name.contains(may)))
            );
            assert_eq!(moved.is_empty(), clip != "clap", "{clip} on {name}");
        }
    }
}

/// KayKit's two-handed melee clips, on three other characters. Their grips are wide (0.2 to 0.5 of the span) and slide, but
/// their names say that both hands hold: by default and with `mode = "always"` the distance of the hands is the source's to 2 % of the
/// height.
#[test]
fn two_handed_weapons_stay_in_both_hands() {
    let Some(corpus) = corpus() else { return };
    let source = rig(
        &corpus.join("kaykit_anim/res/anim/Med_CombatMelee.glb"),
        Role::Source,
    );
    let targets = [
        sample("adult.glb", Role::Target),
        sample("brute.glb", Role::Target),
        sample("chibi.vrm", Role::Target),
    ];
    let mut clips = 0;
    for own in source
        .character
        .clips
        .iter()
        .filter(|clip| clip.name.contains("_2H_"))
    {
        clips += 1;
        for target in &targets {
            let figures = [HandsMode::Off, HandsMode::Auto, HandsMode::Always].map(|mode| {
                let made = made(&source, target, &own.name, &with(mode));
                let (all, way, _) = errors(&source, target, own, &made, 9.0);
                let (near, _, frames) = errors(&source, target, own, &made, 0.22);
                (all, way, near, frames, largest_step(target, &made))
            });
            let [off, auto, always] = figures;
            println!(
                "{} on {}: distance {:.2} % (copy {:.2}, auto {:.2}), way {:.2} % (copy {:.2}); {} near frames {:.2} (copy {:.2}); steps {:.1} {:.1} {:.1}",
                own.name,
                target.character.name,
                always.0,
                off.0,
                auto.0,
                always.1,
                off.1,
                auto.3,
                auto.2,
                off.2,
                off.4,
                auto.4,
                always.4
            );
            let name = &target.character.name;
            assert!(always.0 < 2.0 && auto.0 < 2.0, "{} on {name}", own.name);
        }
    }
    assert!(clips >= 6, "{clips}");
}

/// Hands on the other side's arms are near each other and hold nothing: while arms are crossed, they are as copied.
#[test]
fn crossed_arms_hold_nothing() {
    let Some(corpus) = corpus() else { return };
    let source = rig(
        &corpus.join("ozz/media/fbx/pab/crossarms.fbx"),
        Role::Source,
    );
    let own = source.character.clips[0].clone();
    for name in ["adult.glb", "brute.glb", "chibi.vrm"] {
        let target = sample(name, Role::Target);
        let skeleton = &target.character.skeleton;
        let [copy, ours] = [HandsMode::Off, HandsMode::Auto]
            .map(|mode| made(&source, &target, &own.name, &with(mode)));
        let mut same = 0;
        for time in own.key_times() {
            let [a, b] = [&copy, &ours].map(|clip| sample_clip(skeleton, clip, time));
            // The whole of the middle of the clip, 2.5 to 6 seconds, is crossed.
            if (2.5..6.0).contains(&time) {
                same += usize::from(a == b);
            }
        }
        println!("{name}: {same} frames as copied");
        assert!(same > 100, "{name}: {same}");
    }
}

/// Hands that are near each other at the ends of stretched arms bend no elbow: to turn an arm a little takes no help of the shoulder.
#[test]
fn stretched_arms_stay_stretched() {
    let Some(corpus) = corpus() else { return };
    let source = "bvh_misc/animateddrawings/examples/bvh/fair1/zombie.bvh";
    let source = rig(&corpus.join(source), Role::Source);
    let pops = |target: &Rig, mode: HandsMode| {
        let result = retarget(&source, target, &[], &with(mode)).unwrap();
        let pops = result.clips[0].report.pops.as_ref().unwrap();
        pops.step_added_degrees
    };
    for name in ["adult.glb", "brute.glb", "chibi.vrm"] {
        let target = sample(name, Role::Target);
        let [copied, ours] = [HandsMode::Off, HandsMode::Auto].map(|mode| pops(&target, mode));
        println!("{name}: {ours:.1} degrees a frame added (arms copied: {copied:.1})");
        assert!(ours < copied + 1.0, "{name}: {ours} of {copied}");
    }
}
