//! Feet of a reference pose in which nobody stands.
//!
//! Corrections keep the pitch of a foot, because heels, paws and shoes differ. In a moment of a run the
//! foot in the air points anywhere, so its pitch says nothing; but somewhere in the clip it stands on the
//! floor, and what it looks like there is what it looks like in a standing pose.
//!
//! | symbol | meaning |
//! |---|---|
//! | t | the moment at which ankle and toes together are lowest: a heel that rises and a toe that lifts both add to the sum |
//! | F | rotation of the foot at t, canonical |
//! | Y | turn about +Y that brings the way from ankle to toes at t over +Z |
//! | Y · F | rotation of the foot in the reference pose from then on |
//!
//! A foot without toes, and one that is never below the hips or never lies (a swimmer's), stays as it is.

use super::canonical::rotation_arc;
use super::limbs::SIDES;
use super::motion_up::sampled;
use super::placement::{Placement, clip_placements, unit};
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use glam::{DQuat, DVec3};
use rebone_model::{Character, Clip};

/// Cosine between the way from hips to ankle and down, below which a body does not stand on the foot.
const BELOW_HIPS: f64 = 0.6;

/// Sine of the steepest pitch of a foot that stands.
const STEEPEST: f64 = 0.85;

/// Puts both feet of a canonical reference pose as they are when they stand in the clips.
pub(super) fn put_flat(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    canonical_from_file: DQuat,
    reference: &mut [Placement],
) {
    let sides = SIDES.map(|side| {
        let foot = map.joint_of(Part::Foot, side);
        foot.zip(map.joint_of(Part::Toes, side))
    });
    let Some(hips) = map.joint_of(Part::Hips, Side::Center) else {
        return;
    };
    let mut lowest: [Option<(f64, DQuat)>; 2] = [None; 2];
    for (clip, time) in sampled(clips) {
        let pose = clip_placements(character, clip, time);
        let at = |joint: usize| pose[joint].turned(canonical_from_file);
        for (side, best) in sides.iter().zip(&mut lowest) {
            let Some((foot, toes)) = *side else { continue };
            let (ankle, tip) = (at(foot), at(toes).position);
            let height = ankle.position.y + tip.y;
            if best.is_none_or(|(least, _)| height < least)
                && let Some(turn) = standing(at(hips).position, &ankle, tip)
            {
                *best = Some((height, turn));
            }
        }
    }
    for (side, best) in sides.into_iter().zip(lowest) {
        if let (Some((foot, _)), Some((_, rotation))) = (side, best) {
            turn_branch(character, foot, rotation, reference);
        }
    }
}

/// Rotation of a foot that points along +Z as it stands here; `None` where nobody stands on it.
fn standing(hips: DVec3, ankle: &Placement, toes: DVec3) -> Option<DQuat> {
    let leg = (ankle.position - hips).try_normalize()?;
    let foot = (toes - ankle.position).try_normalize()?;
    if -leg.y < BELOW_HIPS || foot.y.abs() > STEEPEST {
        return None;
    }
    let ahead = DVec3::new(foot.x, 0.0, foot.z);
    Some(unit(rotation_arc(ahead, DVec3::Z) * ankle.rotation))
}

/// Gives a joint another rotation; everything below it moves along.
fn turn_branch(character: &Character, joint: usize, rotation: DQuat, placements: &mut [Placement]) {
    let turn = unit(rotation * placements[joint].rotation.conjugate());
    let pivot = placements[joint].position;
    for (below, place) in placements.iter_mut().enumerate().skip(joint) {
        if below == joint || character.skeleton.is_ancestor(joint, below) {
            *place = Placement {
                rotation: unit(turn * place.rotation),
                position: pivot + turn * (place.position - pivot),
            };
        }
    }
}
