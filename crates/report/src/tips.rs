//! The tips of toes, and how deep they come into the floor.
//!
//! ```text
//! tip   = where the joint of the toes ends, put on the floor as the body stands
//! depth = max(0, floor − y) / h                                            percent, floors as those of soles
//! ```
//!
//! A toe that bends or a foot that points brings its tip lower than the ball, on which soles are measured. The end of the toes is what the
//! file says (an `End Site`), else the furthest joint that hangs from them and is in no slot. Where one side has no such end nothing is
//! known there, and nothing is told of either.
//!
//! The floor below a tip is that below its ball. Depths are told beside those of soles and not in them.

use super::body::Body;
use super::floor::{DEEP_PERCENT, floors};
use super::{Pair, Sides};
use glam::{DVec3, Vec3};
use rebone_model::Character;
use rebone_runtime::contact::{ContactPoint, Touch};
use rebone_setup::align::{Alignment, retarget_placements};
use rebone_setup::mapping::RigMap;

/// Toes shorter than this share of a leg have no tip.
const LEAST: f64 = 0.02;

/// How deep the tips of toes come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TipFigures {
    /// Deepest of all tips and frames, percent of the height.
    pub max_percent: Sides,
    /// Share of frames with a tip deeper than 0.1 percent, percent.
    pub frames_percent: Sides,
}

/// The tips that belong to the balls among these points, where the rig says where its toes end.
pub(super) fn tips(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
    points: &[ContactPoint],
) -> Vec<ContactPoint> {
    let skeleton = &character.skeleton;
    let joints = skeleton.joints();
    let placed = retarget_placements(character, map, alignment);
    let balls = points.iter().filter(|point| point.touch == Touch::Toes);
    let tip = |ball: &ContactPoint| {
        let at = placed[ball.joint];
        let is_below = |&joint: &usize| {
            let mut slots = map.slots.values();
            skeleton.is_ancestor(ball.joint, joint)
                && slots.all(|found| !found.joints.contains(&joint))
        };
        let below: Vec<usize> = (ball.joint + 1..joints.len()).filter(is_below).collect();
        let marked = std::iter::once(&ball.joint)
            .chain(&below)
            .filter_map(|&joint| {
                let end = joints[joint].end?.as_dvec3();
                Some(placed[joint].position + placed[joint].rotation * end)
            });
        let over_ground = |place: &DVec3| (*place - at.position).with_y(0.0).length();
        let end = below
            .iter()
            .map(|&joint| placed[joint].position)
            .chain(marked)
            .max_by(|one, other| over_ground(one).total_cmp(&over_ground(other)))?;
        let on_floor = end.with_y(end.y.min(0.0)) - at.position;
        // An end that is where the toes begin shows nothing.
        (over_ground(&end) > LEAST * alignment.measures.leg).then(|| ContactPoint {
            touch: Touch::ToeTip,
            offset: (at.rotation.conjugate() * on_floor).as_vec3(),
            ..*ball
        })
    };
    balls.filter_map(tip).collect()
}

/// `None` where no foot has a tip on both sides.
pub(super) fn measure(pair: &Pair<'_>) -> Option<TipFigures> {
    let frames = pair.frames.len();
    let mut figures = TipFigures::default();
    let mut deep = [vec![false; frames], vec![false; frames]];
    let mut count = 0usize;
    for foot in &pair.touching.feet {
        let Some((from, to)) =
            own_tip(&pair.source, foot.points.0).zip(own_tip(&pair.target, foot.points.1))
        else {
            continue;
        };
        count += 1;
        let floors = floors(foot, pair.touching.ground, frames);
        for (frame, &floor) in floors.iter().enumerate() {
            let depths = [
                depth(&pair.source, &from, frame, floor),
                depth(&pair.target, &to, frame, pair.target_height(floor)),
            ];
            let most = &mut figures.max_percent;
            most.source = most.source.max(depths[0]);
            most.target = most.target.max(depths[1]);
            for (deep, depth) in deep.iter_mut().zip(depths) {
                deep[frame] |= depth > DEEP_PERCENT;
            }
        }
    }
    let share = |deep: &Vec<bool>| {
        100.0 * deep.iter().filter(|deep| **deep).count() as f64 / frames.max(1) as f64
    };
    let [source, target] = deep.each_ref().map(share);
    figures.frames_percent = Sides { source, target };
    (count > 0).then_some(figures)
}

/// The tip of the foot of which this point is the ball.
fn own_tip(body: &Body<'_>, point: usize) -> Option<ContactPoint> {
    let ball = &body.points.points[point];
    let kind = |tip: &&ContactPoint| (tip.side, tip.front) == (ball.side, ball.front);
    let tip = body.tips.iter().find(kind)?;
    (ball.touch == Touch::Toes).then_some(*tip)
}

fn depth(body: &Body<'_>, tip: &ContactPoint, frame: usize, floor: f64) -> f64 {
    let joint = body.sampled.at(tip.joint, frame);
    let turn = body.sampled.rotations[tip.joint][frame];
    let place: Vec3 = joint + turn * tip.offset;
    100.0 * (floor - f64::from(place.y)).max(0.0) / body.height
}
