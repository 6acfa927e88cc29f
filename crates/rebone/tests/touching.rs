//! Hands that touch the own body touch it on other bodies, measured on the posed skin.
//!
//! Prints what each body makes of each clip; `REBONE_HARD=FOLDER` also writes the results there, to be looked at.

use crate::common::legs::metres;
use crate::common::{keep, made_here, mover, retargeted};
use rebone::io::Format;
use rebone::model::Clip;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::setup::profile::{Part, Side};
use rebone::{Recipe, Rig};
use rebone_samples::{TOUCHING, TouchingClip, characters, touching_clips};
use rebone_testkit::skin::{PosedSkin, winding};

/// Frames that are looked at while hands touch.
const FRAMES: usize = 4;

/// Distances from hand to body, shares of the height, up to which a hand touches.
const NEAR: f64 = 0.025;

/// A hand of which more than this share is in the body does not touch it.
const IN: f64 = 0.3;

/// Of so many vertices of a hand one is looked at.
const STRIDE: usize = 6;

/// The joints of a hand.
fn hand_of(rig: &Rig, side: Side) -> Vec<usize> {
    let slots = rig.map.slots.iter().filter(|(slot, _)| {
        let info = rig.map.profile.info(**slot);
        info.side == side && matches!(info.part, Part::Hand | Part::Finger | Part::Thumb)
    });
    slots
        .flat_map(|(_, found)| found.joints.iter().copied())
        .collect()
}

/// How far a hand is from what it touches, a share of the height, and which share of it is in the body; the most of both while it touches.
fn gaps(rig: &Rig, clip: &Clip, side: Side, touched: &[usize]) -> [f64; 2] {
    let (skeleton, hand) = (&rig.character.skeleton, hand_of(rig, side));
    let of_body = |joint: usize| {
        let mut slots = rig.map.slots.iter();
        let of_trunk = slots.any(|(slot, found)| {
            use Part::{Head, Hips, Neck, Torso, UpperLeg};
            let part = rig.map.profile.info(*slot).part;
            let is_trunk = [Hips, Torso, Neck, Head, UpperLeg].contains(&part);
            is_trunk && found.joints.contains(&joint)
        });
        of_trunk || touched.contains(&joint)
    };
    let mut most = [0.0_f64; 2];
    for frame in 0..FRAMES {
        let share = frame as f32 / (FRAMES - 1) as f32;
        let time = TOUCHING[0] + (TOUCHING[1] - TOUCHING[0]) * share;
        let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
        let skin = PosedSkin::new(&rig.character, &pose);
        let body = skin.vertices_of(|joint| touched.contains(&joint));
        let solid = skin.triangles_of(of_body);
        let vertices = skin.vertices_of(|joint| hand.contains(&joint));
        let places = vertices.iter().step_by(STRIDE).map(|&at| skin.vertices[at]);
        let (mut least, mut inside, mut count) = (f64::INFINITY, 0, 0);
        for place in places {
            let ways = body.iter().map(|&at| place.distance(skin.vertices[at]));
            least = ways.fold(least, f64::min);
            inside += usize::from(winding(&solid, place) > 0.7);
            count += 1;
        }
        most[0] = most[0].max(least / rig.alignment.measures.height);
        most[1] = most[1].max(inside as f64 / count as f64);
    }
    most
}

/// The joints of some slots, as far as a body has them.
fn joints(rig: &Rig, slots: &[&str]) -> Vec<usize> {
    let slots = slots.iter();
    slots.filter_map(|slot| rig.map.joint_named(slot)).collect()
}

#[test]
fn hands_touch_what_they_touched() {
    let all = characters();
    let bodies = [("brute", all[1].clone()), ("chibi", all[2].clone())];
    let off = Recipe::parse("own_body = false").unwrap();
    let (mut count, mut kept) = (0, [0; 2]);
    for TouchingClip {
        clip,
        hands,
        touched,
    } in touching_clips()
    {
        let source = mover(&all[0], &clip);
        for (body, character) in &bodies {
            let target = made_here(character.clone());
            let made = |recipe: &Recipe| retargeted(&source, &target, recipe);
            let results = [made(&Recipe::default()), made(&off)];
            let name = format!("{} on {body}", clip.name);
            keep(&name, &target, &results[0].clip);
            let pops = results[0].report.pops.as_ref().unwrap();
            let step = pops.step_added_degrees;
            assert!(step < 2.0, "{name}: {step} degrees added in a frame");
            for (number, side) in [Side::Left, Side::Right].into_iter().enumerate() {
                if !hands[number] {
                    continue;
                }
                let slots = &touched[number];
                let own = gaps(&source, &clip, side, &joints(&source, slots));
                let other = joints(&target, slots);
                let found = results
                    .each_ref()
                    .map(|made| gaps(&target, &made.clip, side, &other));
                println!(
                    "{name}, {side:?}: away and in {own:.3?}; {:.3?}, without {:.3?}",
                    found[0], found[1]
                );
                let touches = |[away, inside]: [f64; 2]| away < NEAR && inside < IN;
                if !touches(own) {
                    println!("SOURCE {name}: {own:?}");
                }
                count += 1;
                for (kept, found) in kept.iter_mut().zip(found) {
                    *kept += usize::from(touches(found));
                }
            }
        }
    }
    println!("of {count} hands {} touch, without {}", kept[0], kept[1]);
    assert!(kept[0] >= 21 && kept[0] > kept[1] + 5, "{kept:?}");
}

/// A source whose forearms end in nothing still moves arms that leave the body.
#[test]
fn hands_leave_the_body_where_the_source_has_none() {
    let all = characters();
    let target = made_here(all[2].clone());
    for TouchingClip { clip, .. } in touching_clips().into_iter().take(2) {
        let Rig { character, map, .. } = mover(&all[0], &clip);
        let mut handless = map.clone();
        handless.slots.retain(|slot, _| {
            let part = map.profile.info(*slot).part;
            !matches!(part, Part::Hand | Part::Finger | Part::Thumb)
        });
        let source = Rig::from_map(character, handless, Format::Glb, metres(), vec![]);
        let result = retargeted(&source, &target, &Recipe::default());
        for side in [Side::Left, Side::Right] {
            let [_, inside] = gaps(&target, &result.clip, side, &[]);
            assert!(inside < IN, "{}, {side:?}: {inside}", clip.name);
        }
    }
}
