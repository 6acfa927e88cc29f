//! Bodies that lie, sit and roll on the floor do so on other bodies.

use crate::common::{corpus, retarget, rig, with_meshes};
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::{Clip, ModelPose};
use rebone::setup::profile::Part;
use rebone::{Recipe, Rig, Role};
use rebone_model::Clamp as _;
use rebone_testkit::skin::PosedSkin;
use std::path::Path;

fn sample(name: &str, role: Role) -> Rig {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    rig(&data.join(name), role)
}

fn with() -> Recipe {
    Recipe::parse("ground = true").unwrap()
}

fn without() -> Recipe {
    Recipe::parse("ground = false").unwrap()
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

/// What does not go below the floor.
const POINTS: [&str; 6] = [
    "hips",
    "head",
    "leftLowerLeg",
    "rightLowerLeg",
    "leftHand",
    "rightHand",
];

/// Vertices of a body: what of its skin moves with joints of slots, hands and fingers aside; or with trunk and thighs alone.
fn flesh(rig: &Rig, seat: bool) -> Vec<usize> {
    let slots = rig.map.slots.iter().filter(|(slot, _)| {
        let part = rig.map.profile.info(**slot).part;
        if seat {
            matches!(part, Part::Hips | Part::Torso | Part::UpperLeg)
        } else {
            !matches!(part, Part::Hand | Part::Finger | Part::Thumb)
        }
    });
    let of_slots: Vec<usize> = slots
        .flat_map(|(_, found)| found.joints.iter().copied())
        .collect();
    let (mut all, mut first) = (Vec::new(), 0);
    for own in &rig.character.meshes {
        let before = first;
        first += own.positions.len();
        let Some(skin) = own.skin else { continue };
        for vertex in 0..own.positions.len() {
            let weights = own.joint_slots[vertex]
                .iter()
                .zip(own.joint_weights[vertex]);
            let of_body = weights.filter(|(slot, _)| {
                let joint = rig.character.skins[skin].joints[usize::from(**slot)];
                of_slots.contains(&joint)
            });
            if of_body.map(|(_, weight)| weight).sum::<f32>() > 0.9 {
                all.push(before + vertex);
            }
        }
    }
    all
}

/// Height of the lowest point of the skin over the floor.
fn lowest(rig: &Rig, flesh: &[usize], pose: &ModelPose, floor: f64) -> f64 {
    let turn = rig.alignment.canonical_from_file;
    let skin = PosedSkin::new(&rig.character, pose);
    let heights = flesh.iter().map(|&vertex| (turn * skin.vertices[vertex]).y);
    heights.fold(f64::INFINITY, f64::min) - floor
}

/// Sitting down on the floor, lying there, dying and rolling, onto four other characters: while the source rests on the floor, the skin
/// of the target does, no deeper than 0.7 % of the height and no higher than 1.5 %; no joint goes below the floor by more than 0.5 % of
/// the height beyond what the source's does; and from frame to frame (30 a second, a body that falls
/// within 0.3 s) the hips step no further than the source's do, times the larger of both scales, and 8 % of the height.
#[test]
fn who_sits_on_the_floor_sits_on_the_floor() {
    let Some(corpus) = corpus() else { return };
    let pack = "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb";
    let knight = "quaternius/public/glb/single_knight_pack/KnightCharacter.glb";
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let targets = [
        with_meshes(&data.join("chibi.vrm"), Role::Target),
        with_meshes(&data.join("brute.glb"), Role::Target),
        with_meshes(&data.join("adult.glb"), Role::Target),
        with_meshes(&corpus.join(knight), Role::Target),
    ];
    let (mut resting, mut copies) = (0, 0);
    for (file, clip) in [
        (pack, "Sit_Floor_Down"),
        (pack, "Sit_Floor_Idle"),
        (pack, "Lie_Idle"),
        (pack, "Lie_Pose"),
        (pack, "Death_A"),
        (pack, "Death_B"),
        (knight, "HumanArmature|Roll"),
        (knight, "HumanArmature|Death"),
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
            // Whoever sits touches the floor with the heels, too, whether or not the seat does.
            let skin = flesh(target, clip.starts_with("Sit"));
            let (mut off, mut before, mut jump) = ([0.0f64; 2], [0.0f64; 2], 0.0f64);
            let mut below = (0.0f64, "nothing");
            let mut last: Option<(f64, f64)> = None;
            for time in own.key_times() {
                let a = pose(&source, own, time);
                let [b, c] = [&made, &plain].map(|of| pose(target, &of.clips[0].clip, time));
                let hips = height(&source, &a, "hips", own_floor);
                // A quarter of a second before and after, it is there within a hundredth of its thickness.
                let rests = [-0.25f32, 0.25].iter().all(|by| {
                    let (start, end) = own.time_span();
                    let near = pose(&source, own, (time + by).clamped(start, end));
                    let moved = height(&source, &near, "hips", own_floor) - hips;
                    moved.abs() < 0.01 * thick
                });
                if hips < 1.2 * thick && rests {
                    resting += 1;
                    for (sum, pose) in [(&mut off, &b), (&mut before, &c)] {
                        let lowest = lowest(target, &skin, pose, floor) / size;
                        sum[0] = sum[0].max(-lowest);
                        sum[1] = sum[1].max(lowest);
                    }
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
            let percent = |parts: [f64; 2]| parts.map(|part| format!("{:.1}", 100.0 * part));
            println!(
                "{clip} on {}: skin in the floor, over it, % of the height {:?} (without {:?}), joints below the floor {:.1} % ({}), step {:.2} %",
                target.character.name,
                percent(off),
                percent(before),
                100.0 * below.0,
                below.1,
                100.0 * jump
            );
            // A copy of the source keeps what it does to its floor.
            let is_copy = file == knight && target.character.name == source.character.name;
            if !is_copy {
                assert!(off[0] < 0.007 && off[1] < 0.015, "{clip}: {off:?}");
            }
            copies += usize::from(is_copy);
            assert!(below.0 < 0.005, "{clip}: {below:?}");
            assert!(jump < 0.08, "{clip}: {jump}");
        }
    }
    assert!(resting > 800 && copies == 2, "{resting}, {copies}");
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
/// default adds no pop (the largest turn of any joint from key to key is at most 1.4 times that without the stage, or 4.2 degrees).
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
                let ratio = own / without.max(3.0);
                worst = worst.max(ratio);
                if ratio > 1.4 {
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
