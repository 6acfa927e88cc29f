//! Bodies that lie, sit and roll on the floor do so on other bodies.

use crate::common::{corpus, rig};
use rebone::core::profile::Part;
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::{Clip, ModelPose};
use rebone::{Recipe, Rig, Role, retarget};
use rebone_model::Clamp as _;
use std::path::Path;

fn sample(name: &str, role: Role) -> Rig {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    rig(&data.join(name), role)
}

fn with() -> Recipe {
    Recipe {
        ground: Some(1.0),
        ..Recipe::default()
    }
}

fn without() -> Recipe {
    Recipe {
        ground: Some(0.0),
        ..Recipe::default()
    }
}

fn pose(rig: &Rig, clip: &Clip, time: f32) -> ModelPose {
    let skeleton = &rig.character.skeleton;
    model_pose(skeleton, &sample_clip(skeleton, clip, time))
}

/// Height of a slot's joint over the floor.
fn height(rig: &Rig, pose: &ModelPose, slot: &str, floor: f64) -> f64 {
    let joint = rig.map.joint_named(slot).unwrap();
    let turn = rig.alignment.canonical_from_file;
    (turn * pose.position(joint).as_dvec3()).y - floor
}

fn thickness(rig: &Rig) -> f64 {
    let measures = &rig.alignment.measures;
    0.5 * (measures.hip_width + 0.5 * measures.shoulder_width)
}

/// What carries a body that does not stand, and below which height in full, in thicknesses.
const CARRIERS: [(&str, f64); 5] = [
    ("hips", 0.8),
    ("chest", 0.9),
    ("head", 0.9),
    ("leftLowerLeg", 0.35),
    ("rightLowerLeg", 0.35),
];

/// What does not go below the floor.
const POINTS: [&str; 6] = [
    "hips",
    "head",
    "leftLowerLeg",
    "rightLowerLeg",
    "leftHand",
    "rightHand",
];

/// Sitting down on the floor, dying and rolling, onto four other characters: where the source's hips are on the floor and rest there,
/// what carries the target is as high, times the thickness of its body (the lowest against the source's; to 1 % of the target's height where it sits, nearer than without where it lies); nothing goes below the
/// floor by more than 0.5 % of the height beyond what the source's does; and from frame to frame (30 a second, a body that falls
/// within 0.3 s) the hips step no further than the source's do, times the larger of both scales, and 8 % of the height.
#[test]
fn who_sits_on_the_floor_sits_on_the_floor() {
    let Some(corpus) = corpus() else { return };
    let pack = "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb";
    let knight = "quaternius/public/glb/single_knight_pack/KnightCharacter.glb";
    let targets = [
        sample("chibi.vrm", Role::Target),
        sample("brute.glb", Role::Target),
        sample("adult.glb", Role::Target),
        rig(&corpus.join(knight), Role::Target),
    ];
    let mut sitting = 0;
    for (file, clip) in [
        (pack, "Sit_Floor_Down"),
        (pack, "Sit_Floor_Idle"),
        (pack, "Death_A"),
        (knight, "HumanArmature|Roll"),
    ] {
        let source = rig(&corpus.join(file), Role::Source);
        let own = source.character.clips.iter().find(|own| own.name == clip);
        let own = own.unwrap();
        for target in &targets {
            let name = [clip.to_owned()];
            let made = retarget(&source, target, &name, &with()).unwrap();
            let plain = retarget(&source, target, &name, &without()).unwrap();
            let (own_floor, floor) = made.compiled.floors;
            let thick = thickness(&source);
            let scale = thickness(target) / thick;
            let units = source.space.meters_per_unit / target.space.meters_per_unit;
            let travel = (made.compiled.root_scales.y * units).max(scale);
            let size = target.alignment.measures.height;
            let (mut off, mut before, mut jump) = (0.0f64, 0.0f64, 0.0f64);
            let mut below = (0.0f64, "nothing");
            let mut last: Option<(f64, f64)> = None;
            for time in own.key_times() {
                let a = pose(&source, own, time);
                let [b, c] = [&made, &plain].map(|of| pose(target, &of.clips[0].clip, time));
                let hips = height(&source, &a, "hips", own_floor);
                // Of what carries the body, what is lowest against the source's.
                let is_off = |pose: &ModelPose| {
                    let over = CARRIERS.iter().filter_map(|&(slot, share)| {
                        let own = height(&source, &a, slot, own_floor);
                        let counts = own < share * thick;
                        counts.then(|| height(target, pose, slot, floor) - scale * own)
                    });
                    over.fold(f64::INFINITY, f64::min).abs() / size
                };
                // A quarter of a second before and after, it is there within a hundredth of its thickness.
                let rests = [-0.25f32, 0.25].iter().all(|by| {
                    let (start, end) = own.time_span();
                    let near = pose(&source, own, (time + by).clamped(start, end));
                    let moved = height(&source, &near, "hips", own_floor) - hips;
                    moved.abs() < 0.01 * thick
                });
                if hips < 0.5 * thick && rests {
                    sitting += 1;
                    off = off.max(is_off(&b));
                    before = before.max(is_off(&c));
                }
                for slot in POINTS {
                    let own = height(&source, &a, slot, own_floor) * travel;
                    let lack = own.min(0.0) - height(target, &b, slot, floor);
                    if lack / size > below.0 {
                        below = (lack / size, slot);
                    }
                }
                let own_hips = hips * travel;
                let hips = height(target, &b, "hips", floor);
                if let Some((own_last, last)) = last {
                    let most = (own_hips - own_last).abs();
                    jump = jump.max(((hips - last).abs() - most) / size);
                }
                last = Some((own_hips, hips));
            }
            println!(
                "{clip} on {}: off by {:.1} % of the height (without {:.1}), below the floor {:.1} % ({}), step {:.2} %",
                target.character.name,
                100.0 * off,
                100.0 * before,
                100.0 * below.0,
                below.1,
                100.0 * jump
            );
            let most = if clip.starts_with("Sit") {
                0.01
            } else {
                before
            };
            assert!(off <= most, "{clip}: {off} of {before}");
            assert!(below.0 < 0.005, "{clip}: {below:?}");
            assert!(jump < 0.08, "{clip}: {jump}");
        }
    }
    assert!(sitting > 40, "{sitting}");
}

/// The largest turn of a joint of a slot (fingers aside) from one key to the next, degrees.
fn largest_step(rig: &Rig, clip: &Clip) -> f32 {
    let slots = rig.map.slots.iter().filter(|(slot, _)| {
        let part = rig.map.profile.info(**slot).part;
        !matches!(part, Part::Finger | Part::Thumb)
    });
    let joints: Vec<usize> = slots
        .flat_map(|(_, found)| found.joints.iter().copied())
        .collect();
    let times = clip.key_times();
    let poses: Vec<ModelPose> = times.iter().map(|&time| pose(rig, clip, time)).collect();
    let step = |pair: &[ModelPose]| {
        let turn = |&joint: &usize| angle_between(pair[0].rotation(joint), pair[1].rotation(joint));
        joints.iter().map(turn).fold(0.0, f32::max).to_degrees()
    };
    poses.windows(2).map(step).fold(0.0, f32::max)
}

/// All clips of the packs in which somebody lies, dies, sits, kneels, crawls, crouches or rolls, onto six other characters: the
/// default adds no pop (the largest turn of any joint from key to key is at most 1.3 times that without the stage).
#[test]
fn who_goes_down_does_not_pop() {
    let Some(corpus) = corpus() else { return };
    let pack = "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb";
    let knight = "quaternius/public/glb/single_knight_pack/KnightCharacter.glb";
    let words = [
        "Death", "Lie_", "Sit_", "Crawl", "Crouch", "Sneak", "Duck", "Push_Ups", "Floor", "Roll",
        "PickUp", "Inactive",
    ];
    let targets = [
        sample("adult.glb", Role::Target),
        sample("brute.glb", Role::Target),
        sample("chibi.vrm", Role::Target),
        rig(&corpus.join(knight), Role::Target),
        rig(&corpus.join(pack), Role::Target),
        rig(&corpus.join("mpfb/derived/mpfb_mixamo.glb"), Role::Target),
    ];
    let (mut pairs, mut changed, mut worst, mut popping) = (0, 0, 0.0f32, Vec::new());
    for file in [
        "kaykit_anim/res/anim/Med_General.glb",
        "kaykit_anim/res/anim/Med_Simulation.glb",
        "kaykit_anim/res/anim/Med_Special.glb",
        "kaykit_anim/res/anim/Med_MovementAdvanced.glb",
        pack,
        knight,
        "quaternius/public/glb/cyberpunk_pack/Character.glb",
        "quaternius/public/glb/platformer_game_pack/Character.glb",
        "raylib/examples/models/resources/models/gltf/robot.glb",
    ] {
        let source = rig(&corpus.join(file), Role::Source);
        let is_down = |name: &String| words.iter().any(|word| name.contains(word));
        let clips = source.character.clips.iter().map(|clip| clip.name.clone());
        let clips: Vec<String> = clips.filter(is_down).collect();
        for target in &targets {
            let ours = retarget(&source, target, &clips, &Recipe::default()).unwrap();
            let plain = retarget(&source, target, &clips, &without()).unwrap();
            for (ours, plain) in ours.clips.iter().zip(&plain.clips) {
                pairs += 1;
                if ours.clip.joints == plain.clip.joints {
                    continue;
                }
                changed += 1;
                let [own, without] =
                    [&ours.clip, &plain.clip].map(|clip| largest_step(target, clip));
                let ratio = own / without.max(1.0);
                worst = worst.max(ratio);
                if ratio > 1.3 {
                    let name = format!("{file} {} on {}", ours.clip.name, target.character.name);
                    popping.push((name, own, without));
                }
            }
        }
    }
    println!("{popping:?}");
    println!("{pairs} pairs, {changed} changed, largest step {worst:.2} times that without");
    assert!(changed > 80, "{changed}");
    assert!(popping.is_empty(), "{popping:?}");
}

/// Who stands, walks, jumps and waves is not touched.
#[test]
fn who_stands_keeps_every_bit() {
    for clip in ["walk", "wave", "jump", "clap", "carry"] {
        let source = sample(&format!("{clip}.glb"), Role::Source);
        for name in ["brute.glb", "chibi.vrm"] {
            let target = sample(name, Role::Target);
            let clips = [clip.to_owned()];
            let ours = retarget(&source, &target, &clips, &with()).unwrap();
            let plain = retarget(&source, &target, &clips, &without()).unwrap();
            assert_eq!(
                ours.clips[0].clip.joints, plain.clips[0].clip.joints,
                "{clip} on {name}"
            );
        }
    }
}
