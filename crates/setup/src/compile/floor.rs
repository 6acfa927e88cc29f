//! Where the floor is in a character's motions.

use super::Mapped;
use crate::align::Alignment;
use crate::align::limbs::feet;
use crate::align::{FLOOR_WITHIN, contact_points};
use crate::feet::FeetChoice;
use crate::profile::{Part, Slot};
use rebone_model::Clip;
use rebone_model::kinematics::model_pose;
use rebone_runtime::Rig;
use rebone_runtime::contact::{ContactMotion, ContactRules, Touch};
use rebone_runtime::stage::FloorRule;

/// Clips, and frames of each, in which contacts are looked for.
const CLIPS: usize = 8;
/// See [`CLIPS`].
const FRAMES: usize = 4_000;

/// Height of the floor in the source's motions, canonical: where feet are planted, the height at which they were found to
/// stand, so that soles meet the target's floor as they met their own. `None` where no feet are planted, or none stand.
pub(super) fn source_floor(
    side: &Mapped<'_>,
    alignment: &Alignment,
    clips: &[&Clip],
    feet: &FeetChoice,
    rules: &ContactRules,
) -> Option<f64> {
    if feet.lock <= 0.0 && feet.floor != FloorRule::Soles {
        return None;
    }
    let usual = motion_floor(side, alignment, clips);
    let points = contact_points(side.character, side.map, alignment, usual);
    let rig = Rig::new(&side.character.skeleton);
    // Heights of the floors of the clips, each as often as a foot stands on it.
    let mut heights: Vec<(f64, usize)> = Vec::new();
    for clip in clips.iter().take(CLIPS) {
        let mut times = clip.key_times();
        times.truncate(FRAMES);
        let motion = ContactMotion::new(&points, &rig, clip, &times);
        let contacts = rules.find(&points, &motion, &clip.name);
        let frames = points.points.iter().zip(&contacts.points);
        let of_feet = frames.filter(|(point, _)| matches!(point.touch, Touch::Heel | Touch::Toes));
        let stands = of_feet.flat_map(|(_, intervals)| intervals);
        let count: usize = stands.map(|stand| stand.last + 1 - stand.first).sum();
        if count > 0 {
            heights.push((f64::from(contacts.ground), count));
        }
    }
    heights.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all: usize = heights.iter().map(|(_, count)| count).sum();
    let mut seen = 0;
    for (height, count) in heights {
        seen += count;
        if 2 * seen >= all {
            return Some(height);
        }
    }
    None
}

/// Height of the floor in a character's motions, canonical: that of its rest pose where it stands on the
/// origin, unless its feet are below that for most of the time; else that of its rest pose or the origin, whichever is
/// nearer to where its feet go; where both are far off, where its feet go.
pub(super) fn motion_floor(side: &Mapped<'_>, alignment: &Alignment, clips: &[&Clip]) -> f64 {
    let measures = &alignment.measures;
    let lowest = foot_heights(side, alignment, clips);
    if measures.floor == 0.0 {
        let middle = lowest.get(lowest.len() / 2).copied().unwrap_or(0.0);
        let is_under = alignment.shows_floor() && middle < -FLOOR_WITHIN * measures.leg;
        // Nothing shows where the floor of such a motion is; so low it presses no foot up.
        return if is_under { lowest[0] } else { 0.0 };
    }
    let Some(&found) = lowest.get(lowest.len() / 8) else {
        return measures.floor;
    };
    let near = 0.3 * measures.leg.max(1e-9);
    let (rest, origin) = ((found - measures.floor).abs(), found.abs());
    if rest <= origin && rest < near {
        measures.floor
    } else if origin < near {
        0.0
    } else {
        found
    }
}

/// Where the feet are lowest in the clips, canonical; `None` without clips.
pub(super) fn lowest_floor(
    side: &Mapped<'_>,
    alignment: &Alignment,
    clips: &[&Clip],
) -> Option<f64> {
    foot_heights(side, alignment, clips).first().copied()
}

/// How high the lower foot is above where it is when the body stands on a floor at zero, at moments of the clips, lowest
/// first; canonical.
fn foot_heights(side: &Mapped<'_>, alignment: &Alignment, clips: &[&Clip]) -> Vec<f64> {
    let measures = &alignment.measures;
    let mut feet = feet(side.map);
    let toes = |slot: &&Slot| side.map.profile.info(**slot).part == Part::Toes;
    feet.extend(
        side.map
            .slots
            .keys()
            .filter(toes)
            .filter_map(|&slot| side.map.joint(slot)),
    );
    let Some(standing) = feet
        .iter()
        .map(|&foot| alignment.reference[foot].position.y - measures.floor)
        .min_by(f64::total_cmp)
    else {
        return Vec::new();
    };
    let mut lowest = Vec::new();
    for clip in clips.iter().take(16) {
        let (start, end) = clip.time_span();
        for step in 0..24 {
            let time = start + (end - start) * step as f32 / 23.0;
            let pose = rebone_model::sampling::sample_clip(&side.character.skeleton, clip, time);
            let model = model_pose(&side.character.skeleton, &pose);
            let height = |joint: &usize| {
                (alignment.canonical_from_file * model.position(*joint).as_dvec3()).y
            };
            if let Some(low) = feet.iter().map(height).min_by(f64::total_cmp) {
                lowest.push(low - standing);
            }
        }
    }
    lowest.sort_by(f64::total_cmp);
    lowest
}
