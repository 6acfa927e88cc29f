//! Mapping of four-legged animals, by shape first.
//!
//! An animal has exactly two mirrored pairs of legs that reach the same ground, and between them a body
//! that lies level. Which pair is the front one is told by the tree (the pelvis carries the spine), by the
//! bends of stifle and hock, by ears, and by names. A person never fits: arms do not reach the ground that
//! the feet stand on, and one who crawls has hands with fingers.

use super::draft::{Draft, fill_chains};
use super::quadruped_legs::{Animal, Ground, LegPair, Stand, knees_forward, leg_pairs, parts_of};
use super::quadruped_trunk::{put_trunk, trunk_of};
use super::quadruped_words::{Word, front_or_hind, is};
use super::rig::Rig;
use crate::names::NameSide;
use crate::profile::QUADRUPED;
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{Vec3, Warning};

/// Sum of votes from which the front counts as told from the back.
const SURE_FRONT: f32 = 0.5;

/// The slots of a four-legged animal; `None` where the body is none.
///
/// `by_clips`: if neither rest nor bind pose shows an animal, the clips decide. Motion files often lay all joints along one
/// axis in the rest pose, or have a frame of the motion for it.
pub(super) fn map_quadruped(rig: &Rig, by_clips: bool) -> Option<Draft> {
    let standing = map_positions(rig, &rig.rest, Stand::Still).or_else(|| {
        let is_other = rig.bind != rig.rest;
        is_other
            .then(|| map_positions(rig, &rig.bind, Stand::Still))
            .flatten()
    });
    standing
        .or_else(|| map_positions(rig, &moment(rig)?, Stand::Still))
        .or_else(|| {
            let mean = by_clips.then(|| rig.mean_positions()).flatten()?;
            map_positions(rig, &mean, Stand::Mean)
        })
}

/// Joint positions in the middle of the first clip, where the rest pose has no depth or a tail tells that
/// this is an animal whose rest pose is no stance.
fn moment(rig: &Rig) -> Option<Vec<Vec3>> {
    let clip = rig.character.clips.first()?;
    let joints = || (0..rig.len()).filter(|&joint| rig.is_joint(joint));
    let low = joints().map(|joint| rig.rest[joint]).reduce(Vec3::min)?;
    let high = joints().map(|joint| rig.rest[joint]).reduce(Vec3::max)?;
    let mut extents = (high - low).to_array();
    extents.sort_by(f32::total_cmp);
    let has_tail = || joints().any(|joint| is(rig, joint, Word::Tail));
    if extents[1] > 0.2 * extents[2] && (!has_tail() || is_upright(rig)) {
        return None;
    }
    let (start, end) = clip.time_span();
    let pose = sample_clip(rig.skeleton, clip, (start + end) / 2.0);
    let model = model_pose(rig.skeleton, &pose);
    Some((0..rig.len()).map(|joint| model.position(joint)).collect())
}

/// True where the head is straight above a pair of legs in the rest pose: a person, with a tail or without.
fn is_upright(rig: &Rig) -> bool {
    let head = (0..rig.len()).find(|&joint| rig.is_joint(joint) && is(rig, joint, Word::Head));
    let Some(head) = head else { return false };
    leg_pairs(rig, &rig.rest, Stand::Still).iter().any(|pair| {
        let top = pair.top(&rig.rest);
        let down = (pair.bottom(&rig.rest) - top).normalize_or_zero();
        let up = (rig.rest[head] - top).normalize_or_zero();
        up.dot(down) < -0.7
    })
}

fn map_positions(rig: &Rig, positions: &[Vec3], stand: Stand) -> Option<Draft> {
    let pairs = leg_pairs(rig, positions, stand);
    let mut best: Option<(f32, usize, usize, Ground)> = None;
    for (first, one) in pairs.iter().enumerate() {
        for (second, other) in pairs.iter().enumerate().skip(first + 1) {
            let Some(ground) = stands_on(rig, positions, one, other) else {
                continue;
            };
            let reach = one.length(positions) + other.length(positions);
            if best.as_ref().is_none_or(|(known, ..)| reach > *known) {
                best = Some((reach, first, second, ground));
            }
        }
    }
    let (_, first, second, ground) = best?;
    let (one, other) = (&pairs[first], &pairs[second]);
    if has_more_legs(positions, &pairs, [one, other], &ground) || has_hands(rig, [one, other]) {
        return None;
    }
    let votes = front_votes(rig, positions, one, other, &ground);
    let (hind, front) = if votes >= 0.0 {
        (one, other)
    } else {
        (other, one)
    };
    let forward = if votes >= 0.0 {
        ground.forward
    } else {
        -ground.forward
    };
    let animal = Animal {
        rig,
        positions,
        hind,
        front,
        ground: Ground { forward, ..ground },
    };
    let trunk = trunk_of(rig, hind, front)?;
    let mut draft = Draft::new(&QUADRUPED, "none", "shape");
    let named = put_legs(&animal, &mut draft)?;
    put_trunk(&animal, &trunk, &mut draft);
    draft.first("head")?;
    fill_chains(rig, &mut draft);
    finish(rig, &mut draft, named, votes.abs() >= SURE_FRONT);
    Some(draft)
}

/// The ground on which two pairs of legs stand, with `forward` from the first pair to the second; `None`
/// where they are no legs of one level body.
fn stands_on(rig: &Rig, positions: &[Vec3], one: &LegPair, other: &LegPair) -> Option<Ground> {
    let disjoint = !one.legs.iter().flatten().any(|&joint| other.uses(joint));
    let tops = [one.top(positions), other.top(positions)];
    let bottoms = [one.bottom(positions), other.bottom(positions)];
    let lengths = [one.length(positions), other.length(positions)];
    let (short, long) = (lengths[0].min(lengths[1]), lengths[0].max(lengths[1]));
    let across = one.across + other.across * one.across.dot(other.across).signum();
    let across = across.try_normalize()?;
    if !disjoint || one.across.dot(other.across).abs() < 0.95 || short < 0.4 * long {
        return None;
    }
    let along = bottoms[1] - bottoms[0];
    let forward = along.reject_from_normalized(across).try_normalize()?;
    let legs = [bottoms[0] - tops[0], bottoms[1] - tops[1]];
    let up = across.cross(forward);
    let up = if up.dot(legs[0] + legs[1]) > 0.0 {
        -up
    } else {
        up
    };
    let go_down = legs
        .iter()
        .zip(lengths)
        .all(|(leg, length)| -leg.dot(up) > 0.55 * length && -leg.dot(up) > 0.8 * leg.length());
    let body = tops[1] - tops[0];
    let is_level = body.dot(forward) > 0.8 * body.length();
    let is_long = body.length() > 0.3 * long && along.length() > 0.3 * long;
    if !(go_down && is_level && is_long) {
        return None;
    }
    let height = bottoms[0].dot(up).min(bottoms[1].dot(up));
    let lowest = (0..rig.len())
        .filter(|&joint| rig.is_joint(joint) && rig.in_skin[joint])
        .map(|joint| positions[joint].dot(up))
        .fold(f32::INFINITY, f32::min);
    let reaches = lowest > height - 0.2 * long;
    reaches.then_some(Ground {
        up,
        forward,
        height,
    })
}

/// True where a further pair reaches the same ground: insects and spiders.
fn has_more_legs(
    positions: &[Vec3],
    pairs: &[LegPair],
    known: [&LegPair; 2],
    ground: &Ground,
) -> bool {
    let leg = known[0].length(positions).min(known[1].length(positions));
    pairs.iter().any(|pair| {
        let apart = known
            .iter()
            .all(|known| !pair.legs.iter().flatten().any(|&joint| known.uses(joint)));
        let bottom = pair.bottom(positions).dot(ground.up) - ground.height;
        let drop = (pair.top(positions) - pair.bottom(positions)).dot(ground.up);
        apart && bottom < 0.2 * leg && drop > 0.4 * leg
    })
}

/// True where limbs end in hands: a person who crawls. Toes of animals are short, and alike on all legs.
fn has_hands(rig: &Rig, pairs: [&LegPair; 2]) -> bool {
    let fingers = pairs.map(|pair| {
        let last = pair.legs[0][pair.count() - 1];
        let chains = rig.children[last]
            .iter()
            .filter(|&&child| rig.is_joint(child) && rig.below[child] >= 1);
        chains.count()
    });
    fingers[0].abs_diff(fingers[1]) >= 3
}

/// How much says that `other` is the front pair, with `ground.forward` leading to it.
fn front_votes(
    rig: &Rig,
    positions: &[Vec3],
    one: &LegPair,
    other: &LegPair,
    ground: &Ground,
) -> f32 {
    let above = |pair: &LegPair| {
        let tops = pair.legs.each_ref().map(|leg| leg[0]);
        rig.common_ancestor(&tops)
    };
    let mut votes = 0.0;
    if let (Some(behind), Some(ahead)) = (above(one), above(other)) {
        votes += f32::from(u8::from(rig.skeleton.is_ancestor(behind, ahead)));
        votes -= f32::from(u8::from(rig.skeleton.is_ancestor(ahead, behind)));
    }
    // The hind leg is the one that zigzags.
    votes += 3.0 * knees_forward(one, positions, ground.forward);
    votes += 3.0 * knees_forward(other, positions, ground.forward);
    let names = |pair: &LegPair| front_or_hind(rig, &pair.legs.concat());
    votes += 2.0 * (names(other) - names(one));
    // A named head or tail.
    let middle = (one.top(positions) + other.top(positions)) / 2.0;
    for (word, sign) in [(Word::Head, 1.0), (Word::Tail, -1.0)] {
        let joint = (0..rig.len()).find(|&joint| rig.is_joint(joint) && is(rig, joint, word));
        if let Some(joint) = joint {
            let ahead = (positions[joint] - middle).dot(ground.forward);
            votes += 2.0 * sign * ahead.signum();
        }
    }
    votes
}

/// Fills the legs. True where names confirm which leg is which.
fn put_legs(animal: &Animal<'_>, draft: &mut Draft) -> Option<bool> {
    let rig = animal.rig;
    let pairs = [animal.hind, animal.front];
    let left = animal.ground.up.cross(animal.ground.forward);
    let mut named = 0;
    let mut contradicted = 0;
    for pair in pairs {
        let shape = if pair.across.dot(left) > 0.0 { 1 } else { -1 };
        let [first, second] = pair.legs.each_ref().map(|leg| named_side(rig, leg));
        let names = (first - second).signum();
        named += i32::from(names != 0);
        contradicted += i32::from(names != 0 && names != shape);
    }
    // Names that say the opposite of the shape on both pairs are believed, and doubted aloud.
    let swapped = contradicted == 2;
    if swapped {
        draft.warnings.push(Warning::new(
            "sides-swapped",
            "the joints named left are on the body's right, going by where its legs bend and its head is",
            "if the animal walks backwards or crosses its legs, swap the sides in a recipe",
        ));
    }
    let mut limbs_named = true;
    for (pair, limb) in pairs.into_iter().zip(["Hind", "Front"]) {
        let is_front = limb == "Front";
        let parts = parts_of(pair, animal.positions, &animal.ground, is_front)?;
        let word = front_or_hind(rig, &pair.legs.concat());
        let agrees = if is_front { word > 0.0 } else { word < 0.0 };
        limbs_named &= agrees;
        let is_left = (pair.across.dot(left) > 0.0) != swapped;
        let sides = if is_left {
            ["left", "right"]
        } else {
            ["right", "left"]
        };
        for (leg, side) in pair.legs.iter().zip(sides) {
            for (part, place) in parts.named(is_front) {
                let confidence = match (agrees, place >= pair.attached) {
                    (true, false) => 0.93,
                    (true, true) => 0.88,
                    (false, false) => 0.75,
                    (false, true) => 0.7,
                };
                draft.put(&format!("{side}{limb}{part}"), vec![leg[place]], confidence);
            }
        }
    }
    Some(limbs_named && named == 2)
}

/// The side that most joints of a leg name: 1 is left, -1 right, 0 neither.
fn named_side(rig: &Rig, leg: &[usize]) -> i32 {
    let votes: i32 = leg
        .iter()
        .map(|&joint| match rig.own_keys[joint].side {
            Some(NameSide::Left) => 1,
            Some(NameSide::Right) => -1,
            None => 0,
        })
        .sum();
    votes.signum()
}

/// Says how much of the map rests on names.
fn finish(rig: &Rig, draft: &mut Draft, named: bool, sure: bool) {
    if named {
        draft.evidence = "shape, name";
        for found in draft.slots.values_mut() {
            found.evidence = "shape, name".to_owned();
        }
        draft.dialect = "animal".to_owned();
    } else {
        draft.warnings.push(Warning::new(
            "mapped-by-shape",
            "the names tell too little of the body; the slots were guessed from the shape",
            "check the map, and write what is wrong into a recipe",
        ));
    }
    if !sure {
        draft.warnings.push(Warning::new(
            "sides-unsure",
            "nothing in the shape tells front from back, so left and right may be swapped",
            "if they are, swap the slots of both sides in a recipe",
        ));
        for found in draft.slots.values_mut() {
            found.confidence = found.confidence.min(0.5);
        }
    }
    debug_assert!(
        draft
            .slots
            .values()
            .all(|found| { found.joints.iter().all(|&joint| joint < rig.len()) })
    );
}
