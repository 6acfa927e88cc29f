//! Arms in the own body, measured on the posed skin.

use crate::common::arms::{SIDES, joint, palm};
use crate::common::{corpus, keep, made_here, mover, retarget, retargeted, rig, with_meshes};
use glam::{DVec3, Quat};
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::{Clip, ModelPose};
use rebone::setup::profile::Part;
use rebone::{Recipe, Rig, Role};
use rebone_samples::{characters, gripping_clips};
use rebone_testkit::skin::{PosedSkin, winding};
use std::path::Path;

/// Frames of a clip that are looked at.
const FRAMES: usize = 12;

/// Of so many vertices of an arm one is looked at.
const STRIDE: usize = 5;

const KNIGHT: &str = "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb";
const GIRL: &str = "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm";
const RUNNER: &str = "quaternius/public/glb/cyberpunk_pack/Character.glb";
const DANCES: &str = "bvh_misc/animateddrawings/examples/bvh/fair1/";

/// What arms are kept out of, and legs.
const TRUNK: [Part; 4] = [Part::Hips, Part::Torso, Part::Neck, Part::Head];
const LEGS: [Part; 2] = [Part::UpperLeg, Part::LowerLeg];

/// True for the joints of slots of these parts.
fn joints_of(rig: &Rig, parts: &[Part]) -> Vec<bool> {
    let mut all = vec![false; rig.character.skeleton.len()];
    for (slot, found) in &rig.map.slots {
        if parts.contains(&rig.map.profile.info(*slot).part) {
            found.joints.iter().for_each(|&joint| all[joint] = true);
        }
    }
    all
}

/// The arms of a body, and what they should not be in: vertices of lower arms, hands and fingers that are outside of it at rest.
struct Arms {
    vertices: Vec<usize>,
    body: Vec<bool>,
}

impl Arms {
    fn new(rig: &Rig, parts: &[Part]) -> Self {
        use Part::{Finger, Hand, LowerArm, Thumb};
        let of_arms = joints_of(rig, &[LowerArm, Hand, Finger, Thumb]);
        let body = joints_of(rig, parts);
        let skeleton = &rig.character.skeleton;
        let rest = model_pose(skeleton, &skeleton.rest_pose());
        let skin = PosedSkin::new(&rig.character, &rest);
        let vertices = skin.vertices_of(|joint| of_arms[joint]);
        let mut arms = Self {
            vertices: vertices.into_iter().step_by(STRIDE).collect(),
            body,
        };
        let is_in = arms.inside(&skin);
        let outside = arms.vertices.iter().zip(is_in);
        arms.vertices = outside
            .filter(|(_, is_in)| !is_in)
            .map(|(&vertex, _)| vertex)
            .collect();
        arms
    }

    /// Which of the vertices are in the body.
    fn inside(&self, skin: &PosedSkin) -> Vec<bool> {
        let body = skin.triangles_of(|joint| self.body[joint]);
        let corners = || body.iter().flatten();
        let low = corners().copied().reduce(DVec3::min);
        let high = corners().copied().reduce(DVec3::max);
        let (Some(low), Some(high)) = (low, high) else {
            return vec![false; self.vertices.len()];
        };
        let is_in = |&vertex: &usize| {
            let place = skin.vertices[vertex];
            let is_near = place.cmpge(low).all() && place.cmple(high).all();
            is_near && winding(&body, place) > 0.5
        };
        self.vertices.iter().map(is_in).collect()
    }

    /// Percent of the vertices that are in the body, all over a clip and in its worst frame; and when that is.
    fn share(&self, rig: &Rig, clip: &Clip) -> [f64; 3] {
        let (start, end) = clip.time_span();
        let (mut sum, mut worst) = (0.0, [0.0, 0.0]);
        for frame in 0..FRAMES {
            let time = start + (end - start) * frame as f32 / (FRAMES - 1) as f32;
            let skin = PosedSkin::new(&rig.character, &pose(rig, clip, time));
            let count = self
                .inside(&skin)
                .into_iter()
                .filter(|is_in| *is_in)
                .count();
            let share = 100.0 * count as f64 / self.vertices.len() as f64;
            sum += share;
            if share > worst[0] {
                worst = [share, f64::from(time)];
            }
        }
        [sum / FRAMES as f64, worst[0], worst[1]]
    }
}

fn pose(rig: &Rig, clip: &Clip, time: f32) -> ModelPose {
    let skeleton = &rig.character.skeleton;
    model_pose(skeleton, &sample_clip(skeleton, clip, time))
}

/// Clips with hands near the body, on bodies from slim to wide, with large heads and in armour. 0.5 % of the arms' vertices stay in the
/// body, and no arm trembles or jumps. Where no arm was inside, none is afterwards. The report tells of arms in the
/// body where they are, and nowhere else.
#[test]
fn arms_stay_out_of_bodies() {
    let Some(corpus) = corpus() else { return };
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let of_corpus = |file: &'static str| (corpus.join(file), file);
    let of_samples = |file: &'static str| (data.join(file), file);
    let targets = [
        of_samples("adult.glb"),
        of_samples("brute.glb"),
        of_samples("chibi.vrm"),
        of_corpus(GIRL),
        of_corpus(KNIGHT),
        of_corpus(RUNNER),
    ];
    let targets = targets.map(|(path, name)| {
        let rig = with_meshes(&path, Role::Target);
        let arms = [&TRUNK[..], &LEGS].map(|parts| Arms::new(&rig, parts));
        for arms in &arms {
            assert!(arms.vertices.len() > 20, "{name}: {}", arms.vertices.len());
        }
        (name.rsplit('/').next().unwrap(), rig, arms)
    });
    let off = Recipe::parse("own_body = false").unwrap();
    let (mut sums, mut of_legs, mut count) = ([0.0; 2], [0.0; 2], 0);
    for (file, clips) in [
        (
            KNIGHT,
            &["Idle", "Sit_Chair_Idle", "Cheer", "Block", "Interact"][..],
        ),
        (
            RUNNER,
            &[
                "CharacterArmature|Idle_Gun_Pointing",
                "CharacterArmature|Idle_Neutral",
            ][..],
        ),
        (
            "bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh",
            &[][..],
        ),
        (&format!("{DANCES}dab.bvh"), &[][..]),
        (&format!("{DANCES}zombie.bvh"), &[][..]),
    ] {
        let source = rig(&corpus.join(file), Role::Source);
        let clips: Vec<String> = clips.iter().map(|clip| (*clip).to_owned()).collect();
        for (name, target, [arms, in_legs]) in &targets {
            if file.ends_with(name) {
                continue;
            }
            let made = |recipe: &Recipe| retarget(&source, target, &clips, recipe).unwrap();
            let (before, after) = (made(&off), made(&Recipe::default()));
            for (before, after) in before.clips.iter().zip(&after.clips) {
                let pair = format!("{} of {file} on {name}", after.clip.name);
                let both = [before, after].map(|made| {
                    let report = &made.report;
                    let jerk = report.jerk.map_or(0.0, |jerk| jerk.target);
                    let step = report.pops.as_ref().unwrap().step_added_degrees;
                    let told = report.own_body.unwrap().percent.target;
                    (arms.share(target, &made.clip), told, jerk, step)
                });
                let [(was, told, own_jerk, own_step), (is, _, jerk, step)] = both;
                println!(
                    "{pair}: {:.2} % in the body ({:.1} at worst), now {:.2} ({:.1} at {:.2} s); jerk {:.2}; steps {own_step:.1} to {step:.1} degrees",
                    was[0],
                    was[1],
                    is[0],
                    is[1],
                    is[2],
                    jerk / own_jerk
                );
                assert!(was[0] > 0.0 || told < 1.0, "{pair}: {told} % of 0 told");
                assert!(was[0] < 1.0 || told > 0.3 * was[0], "{pair}: {told} % told");
                if told == 0.0 && was[0] == 0.0 {
                    assert!(is[0] == 0.0, "{pair}: {}", is[0]);
                }
                assert!(
                    jerk < 1.1 * own_jerk + 0.3,
                    "{pair}: jerk {own_jerk} to {jerk}"
                );
                assert!(step < own_step + 5.0, "{pair}: steps {own_step} to {step}");
                sums = [sums[0] + was[0], sums[1] + is[0]];
                let legs = [before, after].map(|made| in_legs.share(target, &made.clip)[0]);
                if legs[0] > 0.5 {
                    println!("    in the legs {:.2} %, now {:.2}", legs[0], legs[1]);
                }
                of_legs = [of_legs[0] + legs[0], of_legs[1] + legs[1]];
                count += 1;
            }
        }
    }
    let [was, is] = sums.map(|sum| sum / f64::from(count));
    println!("{count} pairs: {was:.2} % in the body, now {is:.2}");
    assert!(was > 5.0 && is < 0.3, "{was} to {is}");
    let [was, is] = of_legs.map(|sum| sum / f64::from(count));
    println!("{was:.2} % in the legs, now {is:.2}");
    assert!(was > 0.9 && is < 0.1, "{was} to {is}");
}

/// How far the palms are from each other, and how the right hand is turned against the left.
fn hold(rig: &Rig, clip: &Clip, time: f32) -> (f32, Quat) {
    let pose = pose(rig, clip, time);
    let [left, right] = SIDES.map(|side| palm(rig, &pose, side));
    let [own, other] = SIDES.map(|side| pose.rotation(joint(rig, side, "Hand")));
    (left.distance(right), own.conjugate() * other)
}

/// A staff at the belly, a rifle at the cheek, a sword over the head: hands that hold one thing leave the body together, and what they
/// hold stays in both of them.
#[test]
fn hands_that_hold_one_thing_leave_the_body() {
    let all = characters();
    let off = Recipe::parse("own_body = false").unwrap();
    let mut sums = [0.0; 2];
    for clip in gripping_clips() {
        let source = mover(&all[0], &clip);
        for (body, character) in [("brute", &all[1]), ("chibi", &all[2])] {
            let target = made_here(character.clone());
            let name = format!("{} on {body}", clip.name);
            let results =
                [&off, &Recipe::default()].map(|recipe| retargeted(&source, &target, recipe));
            keep(&name, &target, &results[1].clip);
            let arms = Arms::new(&target, &TRUNK);
            let [was, is] = results
                .each_ref()
                .map(|made| arms.share(&target, &made.clip));
            let (mut apart, mut turned) = (0.0_f32, 0.0_f32);
            for time in results[0].clip.key_times() {
                let [before, after] = results
                    .each_ref()
                    .map(|made| hold(&target, &made.clip, time));
                apart = apart.max((before.0 - after.0).abs());
                turned = turned.max(angle_between(before.1, after.1).to_degrees());
            }
            apart /= target.alignment.measures.height as f32;
            let [.., step] = results
                .each_ref()
                .map(|made| made.report.pops.as_ref().unwrap().step_added_degrees);
            println!(
                "{name}: {:.2} % in the body ({:.1} at worst), now {:.2} ({:.1} at {:.2} s); palms off by {:.2} % of the height, hands by {turned:.2} degrees; steps {step:.1}",
                was[0],
                was[1],
                is[0],
                is[1],
                is[2],
                100.0 * apart
            );
            assert!(turned < 0.1, "{name}: hands by {turned} degrees");
            // What is as broad as the chibi's head cannot be passed with both hands on one thing: they let go there.
            assert!(body == "chibi" || apart < 0.01, "{name}: {apart}");
            assert!(step < 5.0, "{name}: steps {step}");
            sums = [sums[0] + was[0], sums[1] + is[0]];
        }
    }
    let [was, is] = sums.map(|sum| sum / 6.0);
    println!("{was:.2} % in the body, now {is:.2}");
    assert!(was > 15.0 && is < 2.0, "{was} to {is}");
}

/// A clip in a file without a skin is copied onto the character for which it was made: that its arms are in the body is no fault.
#[test]
fn copies_are_not_told_to_be_in_the_body() {
    let all = characters();
    let chibi = made_here(all[2].clone());
    let off = Recipe::parse("own_body = false").unwrap();
    let sword = gripping_clips().remove(2);
    let made = retargeted(&mover(&all[0], &sword), &chibi, &off);
    let told = made.report.own_body.unwrap().percent;
    assert!(told.target > 20.0, "{told:?}");
    let mut clip_only = chibi.character.clone();
    clip_only.clips = vec![made.clip];
    clip_only.meshes.clear();
    clip_only.skins.clear();
    clip_only.hull.clear();
    let copied = retargeted(&made_here(clip_only), &chibi, &Recipe::default());
    let told = copied.report.own_body.unwrap().percent;
    assert!(told.target > 20.0 && told.source == told.target, "{told:?}");
}
