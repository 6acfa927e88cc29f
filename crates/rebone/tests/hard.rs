//! Motions that break sequences of repairs: legs that fold up or become straight, hands that meet quickly, bodies upside down.
//!
//! Prints what each body makes of each; `REBONE_HARD=FOLDER` also writes the results there, to be looked at.

use crate::common::legs::with_legs;
use crate::common::{keep, made_here, mover, retargeted};
use rebone::Rig;
use rebone::model::elementary::Elementary as _;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::model::{Clip, Vec3};
use rebone::setup::hands::HandsMode;
use rebone::setup::recipe::Recipe;
use rebone_samples::{characters, hard_clips};

/// Degrees that a bone of arm or leg may turn within a frame beyond what the same bone does without feet and hands.
const STEP: f32 = 12.0;

/// Degrees that the plane of a bent limb may turn likewise.
const FLIP: f32 = 5.0;

/// Degrees that a limb is bent at least for its plane to be seen.
const BENT: f32 = 15.0;

const LIMBS: [[&str; 3]; 4] = [
    ["leftUpperLeg", "leftLowerLeg", "leftFoot"],
    ["rightUpperLeg", "rightLowerLeg", "rightFoot"],
    ["leftUpperArm", "leftLowerArm", "leftHand"],
    ["rightUpperArm", "rightLowerArm", "rightHand"],
];

/// Of a limb in a frame: the directions of its bones, and the normal of its plane where that is seen.
struct Seen {
    bones: [Vec3; 2],
    plane: Option<Vec3>,
}

fn seen(target: &Rig, clip: &Clip) -> Vec<Vec<Seen>> {
    let skeleton = &target.character.skeleton;
    let limbs = LIMBS.map(|slots| slots.map(|slot| target.map.joint_named(slot).unwrap()));
    let look = |time: f32| {
        let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
        let limb = |[upper, lower, end]: [usize; 3]| {
            let [a, b, c] = [upper, lower, end].map(|joint| pose.position(joint));
            let bones = [b - a, c - b].map(Vec3::normalize_or_zero);
            let is_bent = bones[0].angle_between(bones[1]).to_degrees() > BENT;
            let plane = is_bent.then(|| bones[0].cross(bones[1]).normalize_or_zero());
            Seen { bones, plane }
        };
        limbs.into_iter().map(limb).collect()
    };
    clip.key_times().into_iter().map(look).collect()
}

/// The largest turn of a bone and of a limb's plane within a frame, beyond the same of the plain transfer; with the frames.
fn added(ours: &[Vec<Seen>], plain: &[Vec<Seen>]) -> [(f32, usize); 2] {
    let mut worst = [(0.0, 0); 2];
    let angle = |a: Vec3, b: Vec3| a.angle_between(b).to_degrees();
    for frame in 1..ours.len() {
        for limb in 0..LIMBS.len() {
            let step = |all: &[Vec<Seen>], bone: usize| {
                angle(
                    all[frame - 1][limb].bones[bone],
                    all[frame][limb].bones[bone],
                )
            };
            let more = [0, 1].map(|bone| step(ours, bone) - step(plain, bone));
            let more = more[0].max(more[1]);
            if more > worst[0].0 {
                worst[0] = (more, frame);
            }
            let flip = |all: &[Vec<Seen>]| {
                let [from, to] = [frame - 1, frame].map(|frame| all[frame][limb].plane);
                from.zip(to).map(|(from, to)| angle(from, to))
            };
            if let Some(own) = flip(ours) {
                let more = own - flip(plain).unwrap_or(0.0);
                if more > worst[1].0 {
                    worst[1] = (more, frame);
                }
            }
        }
    }
    worst
}

/// How high the wrists are at most while the body stands on its hands, and how far they go meanwhile, shares of its height.
fn hands_on_floor(target: &Rig, clip: &Clip) -> [f32; 2] {
    let skeleton = &target.character.skeleton;
    let height = target.alignment.measures.height as f32;
    let (mut high, mut way) = (0.0f32, 0.0f32);
    for slot in ["leftHand", "rightHand"] {
        let joint = target.map.joint_named(slot).unwrap();
        let at = |time: f32| {
            let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
            pose.position(joint)
        };
        let first = at(1.7);
        for time in (0..60).map(|step| 1.7 + step as f32 / 60.0) {
            let now = at(time);
            high = high.max(now.y);
            way = way.max((now.x - first.x).hypotenuse(now.z - first.z));
        }
    }
    [high / height, way / height]
}

/// How far the left elbow is bent at a time, degrees.
fn elbow(rig: &Rig, clip: &Clip, time: f32) -> f32 {
    let skeleton = &rig.character.skeleton;
    let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
    let [upper, lower, hand] =
        LIMBS[2].map(|slot| pose.position(rig.map.joint_named(slot).unwrap()));
    (lower - upper).angle_between(hand - lower).to_degrees()
}

#[test]
fn hard_motions_break_no_body() {
    let all = characters();
    let bodies = [
        ("adult, long legs", with_legs(&all[0], 1.7)),
        ("brute", all[1].clone()),
        ("brute, short legs", with_legs(&all[1], 0.5)),
        ("chibi", all[2].clone()),
        ("chibi, long legs", with_legs(&all[2], 2.0)),
    ];
    let mut plain_recipe = Recipe::default();
    plain_recipe.feet.weight = 0.0;
    plain_recipe.hands.mode = HandsMode::Off;
    let mut wrong = Vec::new();
    let mut worst = [0.0f32; 2];
    for clip in hard_clips() {
        let source = mover(&all[0], &clip);
        for (body, character) in &bodies {
            let target = made_here(character.clone());
            let made = |recipe: &Recipe| retargeted(&source, &target, recipe);
            let (ours, plain) = (made(&Recipe::default()), made(&plain_recipe));
            let [step, flip] = added(&seen(&target, &ours.clip), &seen(&target, &plain.clip));
            let name = format!("{} on {body}", clip.name);
            let report = &ours.report;
            let deep = report
                .floor
                .as_ref()
                .map_or(0.0, |floor| floor.penetration_max_percent.target);
            let jerk = report
                .jerk
                .map_or(0.0, |jerk| jerk.target / jerk.source.max(2.5));
            println!(
                "{name}: step {:.1} degrees at {:.2} s, plane {:.1} at {:.2} s, {deep:.2} % in the floor, jerk {jerk:.2}",
                step.0,
                step.1 as f32 / 60.0,
                flip.0,
                flip.1 as f32 / 60.0
            );
            keep(&name, &target, &ours.clip);
            if clip.name == "handstand" {
                let [high, way] = hands_on_floor(&target, &ours.clip);
                println!("{name}: hands {high:.3} of the height over the floor, slide {way:.3}");
                // A chibi's head is longer than its arms, and stands on the floor itself.
                let reaches = !body.starts_with("chibi");
                assert!(
                    (high < 0.08 || !reaches) && way < 0.04,
                    "{name}: {high} {way}"
                );
            }
            if clip.name == "push-up" {
                let bent = [(&source, &clip), (&target, &ours.clip)];
                let bent = bent.map(|(rig, clip)| elbow(rig, clip, 0.0));
                println!("{name}: elbow of source and target {bent:.0?} degrees");
                // On long legs with short arms no hand is on the floor.
                let is_far = body.contains("long legs");
                assert!(is_far || bent[1] < bent[0] + 50.0, "{name}: {bent:?}");
            }
            worst = [worst[0].max(step.0), worst[1].max(flip.0)];
            if step.0 > STEP || flip.0 > FLIP {
                wrong.push(name);
            }
        }
    }
    println!("worst: step {:.1} degrees, plane {:.1}", worst[0], worst[1]);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
