//! Clips that have lost the path of the hips: the body folds its legs and stays in the air.

use super::Mapped;
use crate::align::limbs::feet;
use crate::align::{Alignment, clip_placements};
use crate::profile::{Part, Side, Stance};
use glam::DVec3;
use rebone_model::{Clip, Warning};

/// How many clips are looked at.
const CLIPS: usize = 16;

/// How many moments of a clip are looked at, evenly over its time.
const MOMENTS: usize = 24;

/// Hips that stay within this share of a leg do not move.
const STILL: f64 = 1e-3;

/// A body whose lowest joint rises by more than this share of a leg has left the floor. In a walk the lower foot rises by less.
const RISES: f64 = 0.3;

/// Tells of clips in which feet stand, and later nothing is near the floor, though the hips have not moved: bodies in the air fall.
pub(super) fn still_hips(
    side: &Mapped<'_>,
    alignment: &Alignment,
    clips: &[&Clip],
) -> Option<Warning> {
    let hips = side.map.joint_of(Part::Hips, Side::Center)?;
    if side.map.profile.stance != Stance::Upright || feet(side.map).is_empty() {
        return None;
    }
    let leg = alignment.measures.leg;
    let clips = clips.iter().take(CLIPS);
    let found: Vec<(&str, f64)> = clips
        .filter_map(|clip| {
            let rise = rise_with_still_hips(side, alignment, clip, hips, STILL * leg)?;
            (rise > RISES * leg).then_some((clip.name.as_str(), rise / leg))
        })
        .collect();
    let (clip, rise) = *found.first()?;
    let others = match found.len() {
        1 => String::new(),
        count => format!(" (and in {} more clips)", count - 1),
    };
    Some(Warning::new(
        "hips-still",
        format!(
            "in \"{clip}\"{others} the source's hips never move, and its feet leave the floor by {:.0} % of a leg with nothing below: the file seems to have lost the path of the hips, and the result hangs in the air as the source does",
            100.0 * rise
        ),
        "export the clip with the movement of its hips or root; what does not leave the floor is not affected",
    ))
}

/// By how much the lowest joint of the body rises in a clip above where feet are lowest; `None` where the hips move.
fn rise_with_still_hips(
    side: &Mapped<'_>,
    alignment: &Alignment,
    clip: &Clip,
    hips: usize,
    still: f64,
) -> Option<f64> {
    let (start, end) = clip.time_span();
    let mut first: Option<DVec3> = None;
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for moment in 0..MOMENTS {
        let time = start + (end - start) * moment as f32 / (MOMENTS - 1) as f32;
        let pose = clip_placements(side.character, clip, time);
        let at = |joint: usize| alignment.canonical_from_file * pose[joint].position;
        let place = at(hips);
        if first.get_or_insert(place).distance(place) > still {
            return None;
        }
        let joints = side.map.slots.values().flat_map(|found| &found.joints);
        let lowest = joints.map(|&joint| at(joint).y).reduce(f64::min)?;
        (least, most) = (least.min(lowest), most.max(lowest));
    }
    Some(most - least)
}
