//! Where the floor is in a character's motions.

use super::Mapped;
use crate::align::Alignment;
use crate::align::limbs::feet;
use crate::profile::{Part, Slot};
use rebone_model::Clip;
use rebone_model::kinematics::model_pose;

/// Height of the floor in a character's motions, canonical: that of its rest pose where it stands on the
/// origin; else that of its rest pose or the origin, whichever is nearer to where its feet go; where both
/// are far off, where its feet go.
pub(super) fn motion_floor(side: &Mapped<'_>, alignment: &Alignment, clips: &[&Clip]) -> f64 {
    let measures = &alignment.measures;
    if measures.floor == 0.0 {
        return 0.0;
    }
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
        return measures.floor;
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
