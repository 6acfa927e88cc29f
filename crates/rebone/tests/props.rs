//! A hand on a rail, on a wall, on a ball that moves: the hands of other bodies go there too.

use crate::common::arms::{SIDES, joint, palm};
use crate::common::{retarget, rig};
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::{
    Character, Clip, Interpolation, JointTracks, ModelPose, NewJoint, SkeletonBuilder, Track,
    Transform, Vec3,
};
use rebone::setup::hands::HandsMode;
use rebone::setup::pins::Pin;
use rebone::{Recipe, Rig, Role};
use std::path::Path;
use std::sync::Arc;

const TARGETS: [&str; 3] = ["adult.glb", "brute.glb", "chibi.vrm"];

fn sample(name: &str, role: Role) -> Rig {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    rig(&data.join(name), role)
}

fn pose(rig: &Rig, clip: &Clip, time: f32) -> ModelPose {
    let skeleton = &rig.character.skeleton;
    model_pose(skeleton, &sample_clip(skeleton, clip, time))
}

/// Metres to the left, up and forwards.
fn canonical(rig: &Rig, place: Vec3) -> Vec3 {
    let turned = rig.alignment.canonical_from_file * place.as_dvec3();
    (turned * rig.space.meters_per_unit).as_vec3()
}

fn height(rig: &Rig) -> f32 {
    (rig.alignment.measures.height * rig.space.meters_per_unit) as f32
}

fn left_palm(rig: &Rig, clip: &Clip, time: f32) -> Vec3 {
    canonical(rig, palm(rig, &pose(rig, clip, time), "left"))
}

/// Somewhere in front of the left shoulder, within reach of any body: shares of the arm to the left, up, forwards.
fn in_reach(rig: &Rig, shares: Vec3) -> Vec3 {
    let skeleton = &rig.character.skeleton;
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let at = |part: &str| canonical(rig, rest.position(joint(rig, "left", part)));
    let arm = at("UpperArm").distance(at("LowerArm")) + at("LowerArm").distance(at("Hand"));
    at("UpperArm") + shares * arm
}

/// The largest turn of an arm's joint from one frame to the next, degrees.
fn largest_step(rig: &Rig, clip: &Clip) -> f32 {
    let joints: Vec<usize> = SIDES
        .iter()
        .flat_map(|side| ["UpperArm", "LowerArm", "Hand"].map(|part| joint(rig, side, part)))
        .collect();
    let mut worst = 0.0f32;
    let times = frames(clip);
    for pair in times.windows(2) {
        let [a, b] = [0, 1].map(|at: usize| pose(rig, clip, pair[at]));
        for &joint in &joints {
            worst = worst.max(angle_between(a.rotation(joint), b.rotation(joint)).to_degrees());
        }
    }
    worst
}

/// Thirty a second.
fn frames(clip: &Clip) -> Vec<f32> {
    let (start, end) = clip.time_span();
    let count = ((end - start) * 30.0).floor() as usize;
    (0..=count)
        .map(|frame| start + frame as f32 / 30.0)
        .collect()
}

fn made(source: &Rig, target: &Rig, recipe: &Recipe) -> Clip {
    let name = source.character.clips[0].name.clone();
    let mut result = retarget(source, target, &[name], recipe).unwrap();
    result.clips.remove(0).clip
}

fn pinned(pin: &str, hands: HandsMode) -> Recipe {
    let mut recipe = Recipe::default();
    recipe.pins = vec![Pin::parse(pin).unwrap()];
    recipe.hands.mode = hands;
    recipe
}

/// Seconds in which the hand is held, and those in which it comes and goes.
const HELD: (f32, f32) = (0.9, 1.6);
const SPAN: &str = "@0.9..1.6 blend(0.4,0.4)";

/// A hand of the source that stays on a fixed spot of the world while the body moves: pinned to `source`, that of each body
/// stays on the same spot, scaled as the travel is, to 2 % of its height, and comes and goes without a jump.
#[test]
fn a_hand_on_a_rail_stays_on_the_rail() {
    let mut source = sample("wave.glb", Role::Source);
    let plain = made(
        &source,
        &source,
        &pinned("leftHand=own weight(0)", HandsMode::Off),
    );
    let rail = in_reach(&source, Vec3::new(0.1, -0.35, 0.6));
    let pin = format!("leftHand=point({},{},{}) {SPAN}", rail.x, rail.y, rail.z);
    source.character.clips = vec![made(&source, &source, &pinned(&pin, HandsMode::Off))];
    let own = &source.character.clips[0];
    let is_held = |time: &f32| (HELD.0..=HELD.1).contains(time);
    let times: Vec<f32> = frames(own).into_iter().filter(is_held).collect();
    assert!(times.len() > 15);
    for &time in &times {
        let off = left_palm(&source, own, time).distance(rail) / height(&source);
        assert!(off < 0.001, "the source: {off}");
    }
    let steps = [&plain, own].map(|clip| largest_step(&source, clip));
    assert!(steps[1] < 1.3 * steps[0], "the source: {steps:?}");
    for name in TARGETS {
        let target = sample(name, Role::Target);
        let recipe = pinned(&format!("leftHand=source {SPAN}"), HandsMode::Auto);
        let clips = [own.name.clone()];
        let result = retarget(&source, &target, &clips, &recipe).unwrap();
        let copy = made(&source, &target, &Recipe::default());
        let clip = &result.clips[0].clip;
        let wanted = rail * result.compiled.root_scales.as_vec3();
        let worst = |clip: &Clip| {
            let off = |&time: &f32| left_palm(&target, clip, time).distance(wanted);
            times.iter().map(off).fold(0.0, f32::max) / height(&target)
        };
        let steps = [&copy, clip].map(|clip| largest_step(&target, clip));
        println!(
            "rail, {name}: {:.2} % of the height off (copy {:.2}), steps {steps:?}",
            100.0 * worst(clip),
            100.0 * worst(&copy)
        );
        assert!(worst(clip) < 0.02, "{name}: {}", worst(clip));
        assert!(steps[1] < 1.3 * steps[0], "{name}: {steps:?}");
        if name != "adult.glb" {
            assert!(worst(&copy) > 0.02, "{name}: {}", worst(&copy));
        }
    }
}

/// A spot of the target's own world, a wall in front of each body: the hand is there to 2 % of the height, and goes there and back no faster than
/// a smooth way in that time asks for.
#[test]
fn a_hand_goes_to_a_wall() {
    let source = sample("wave.glb", Role::Source);
    for name in TARGETS {
        let target = sample(name, Role::Target);
        let wall = in_reach(&target, Vec3::new(0.3, 0.1, 0.6));
        let pin = format!("leftHand=point({},{},{}) {SPAN}", wall.x, wall.y, wall.z);
        let clip = made(&source, &target, &pinned(&pin, HandsMode::Auto));
        let copy = made(&source, &target, &Recipe::default());
        let times = frames(&clip);
        let held = times.iter().filter(|time| (HELD.0..=HELD.1).contains(time));
        let off = held.map(|&time| left_palm(&target, &clip, time).distance(wall));
        let worst = off.fold(0.0, f32::max) / height(&target);
        let steps = [&copy, &clip].map(|clip| largest_step(&target, clip));
        println!(
            "wall, {name}: {:.2} % of the height off, steps {steps:?}",
            100.0 * worst
        );
        // The way there and back, by a cubic step in 0.4 s.
        let arm = ["UpperArm", "LowerArm"].map(|part| joint(&target, "left", part));
        let turn = times.iter().flat_map(|&time| {
            let [a, b] = [&copy, &clip].map(|clip| pose(&target, clip, time));
            arm.map(|joint| angle_between(a.rotation(joint), b.rotation(joint)).to_degrees())
        });
        let fastest = 1.5 * turn.fold(0.0, f32::max) / (0.4 * 30.0);
        assert!(worst < 0.02, "{name}: {worst}");
        assert!(
            steps[1] < 1.3 * steps[0] + fastest,
            "{name}: {steps:?} {fastest}"
        );
        // Before and behind it, every bit is that without.
        for time in [0.0, 0.4, 2.1] {
            let [a, b] = [&copy, &clip].map(|clip| pose(&target, clip, time));
            let arm = joint(&target, "left", "LowerArm");
            assert!(
                angle_between(a.rotation(arm), b.rotation(arm)) < 1e-3,
                "{name}"
            );
        }
    }
}

/// A character with a joint `ball` beside its body, at rest where `shares` of the left arm say.
fn with_ball(rig: &Rig, shares: Vec3) -> Character {
    let character = &rig.character;
    let mut builder = SkeletonBuilder::new();
    for joint in character.skeleton.joints() {
        let mut new = NewJoint::new(joint.name.clone(), joint.parent, joint.rest);
        new.kind = joint.kind;
        builder.add(new);
    }
    let place = in_reach(rig, shares).as_dvec3() / rig.space.meters_per_unit;
    let place = rig.alignment.canonical_from_file.conjugate() * place;
    let rest = Transform {
        translation: place.as_vec3(),
        ..Transform::IDENTITY
    };
    let stage = NewJoint::new("stage", None, Transform::IDENTITY);
    let stage = builder.add(stage);
    builder.add(NewJoint::new("ball", Some(stage), rest));
    let (skeleton, order) = builder.build().unwrap();
    assert!(order.iter().enumerate().all(|(old, &new)| old == new));
    let mut changed = Character {
        skeleton,
        skins: Vec::new(),
        ..character.clone()
    };
    for clip in &mut changed.clips {
        clip.joints
            .extend([JointTracks::default(), JointTracks::default()]);
    }
    changed
}

fn again(rig: &Rig, character: Character) -> Rig {
    Rig::from_character(
        character,
        rig.format,
        crate::common::legs::metres(),
        Vec::new(),
    )
}

/// A ball that no hand carries moves about, the source's hand on it all the time: by default the hand of each body is on its own
/// ball, to 2 % of its height.
#[test]
fn a_hand_on_a_moving_ball_stays_on_it() {
    let shares = Vec3::new(0.1, -0.3, 0.55);
    let wave = sample("wave.glb", Role::Source);
    let mut source = again(&wave, with_ball(&wave, shares));
    let ball = source.character.skeleton.find("ball").unwrap();
    // Up, down and sideways by a fifth of the arm.
    let times: Arc<[f32]> = frames(&source.character.clips[0]).into();
    let rest = source.character.skeleton.joints()[ball].rest.translation;
    let sway = |&time: &f32| rest + 0.1 * Vec3::new((2.0 * time).sin(), (3.0 * time).sin(), 0.0);
    let places = times.iter().map(sway).collect();
    let moving = Track::new(Interpolation::Linear, times, places).unwrap();
    source.character.clips[0].joints[ball].translation = Some(moving);
    let pin = pinned("leftHand=joint(ball)", HandsMode::Off);
    source.character.clips = vec![made(&source, &source, &pin)];
    let own = &source.character.clips[0];
    let off = |rig: &Rig, clip: &Clip| {
        let ball = rig.character.skeleton.find("ball").unwrap();
        let at = |time: f32| canonical(rig, pose(rig, clip, time).position(ball));
        let off = |&time: &f32| left_palm(rig, clip, time).distance(at(time)) / height(rig);
        let moves = frames(clip)
            .iter()
            .map(|&time| at(time).distance(at(0.0)) / height(rig))
            .fold(0.0, f32::max);
        (frames(clip).iter().map(off).fold(0.0, f32::max), moves)
    };
    let (held, moves) = off(&source, own);
    assert!(held < 0.001 && moves > 0.05, "the source: {held} {moves}");
    for name in TARGETS.into_iter().skip(1) {
        let plain = sample(name, Role::Target);
        let target = again(&plain, with_ball(&plain, shares));
        let copy = made(
            &source,
            &target,
            &pinned("leftHand=own weight(0)", HandsMode::Off),
        );
        let clip = made(&source, &target, &Recipe::default());
        let [(worst, moves), (copied, _)] = [&clip, &copy].map(|clip| off(&target, clip));
        let steps = [&copy, &clip].map(|clip| largest_step(&target, clip));
        println!(
            "ball, {name}: {:.2} % of the height off (copy {:.2}), which moves by {:.1} %, steps {steps:?}",
            100.0 * worst,
            100.0 * copied,
            100.0 * moves
        );
        assert!(moves > 0.02, "{name}: {moves}");
        assert!(worst < 0.02 && copied > worst, "{name}: {worst} {copied}");
        assert!(steps[1] < 1.3 * steps[0].max(5.0), "{name}: {steps:?}");
    }
}
