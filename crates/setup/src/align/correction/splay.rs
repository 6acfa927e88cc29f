//! Feet of legs that are spread in the reference pose.
//!
//! A person who stands with spread legs has level soles, and so has a character that was modelled like that. In skeletons of some
//! capture systems the legs are spread and the feet are at right angles to them: there a sole is level where the leg hangs down, and
//! if the foot kept its rotation while the leg is brought down, the body would stand on the edges of its feet.
//!
//! | symbol | meaning |
//! |---|---|
//! | φ | angle outwards between the shin and down, seen from the front |
//! | ρ | how far soles tilt outwards where a foot stands in the clips, median, if feet keep their rotation |
//!
//! Feet roll by φ with their legs where the dialect says so, or ρ > φ / 2. A skin decides against it: it was modelled around level
//! soles. On 47 files of capture systems ρ is 1 degree in the median and 18 at most on one side where legs hang straight, and 13 to 33
//! where they are spread by 20.

use super::{Body, Subject};
use crate::align::limbs::{SIDES, joint};
use crate::align::motion_up::sampled;
use crate::align::placement::clip_placements;
use crate::profile::dialect::dialects;
use crate::profile::{Part, Side};
use glam::{DQuat, DVec3};
use rebone_model::elementary::{Angle as _, Elementary as _};

/// Angles φ between which legs are spread, degrees.
const SPREAD_DEGREES: [f64; 2] = [8.0, 45.0];

/// Both legs are spread by angles that differ by no more than this, degrees.
const ALIKE_DEGREES: f64 = 8.0;

/// Share of the moments of a clip in which a foot stands, if it ever does: those in which it is lowest.
const STANDS: usize = 4;

/// How far each foot rolls with its leg, radians about +Z, left and right; 0 where it keeps its rotation.
pub(super) fn rolls(subject: &Subject<'_>, body: &Body<'_>) -> [f64; 2] {
    if body.moves || !subject.character.hull.is_empty() {
        return [0.0; 2];
    }
    let spread = |side: Side| {
        let shin = body.between(Part::LowerLeg, Part::Foot, side)?;
        Some((f64::from(side.sign()) * shin.x).arc_tangent(-shin.y))
    };
    let [Some(left), Some(right)] = SIDES.map(spread) else {
        return [0.0; 2];
    };
    let [least, most] = SPREAD_DEGREES.map(f64::to_radians);
    let angle = 0.5 * (left + right);
    let is_spread = (left - right).abs() < ALIKE_DEGREES.to_radians()
        && (least..most).contains(&left.min(right));
    if !is_spread {
        return [0.0; 2];
    }
    let known = dialects().find(|dialect| dialect.name == subject.map.dialect);
    let is_known = known.is_some_and(|dialect| dialect.feet_follow_legs);
    if is_known || tilt(subject, body).is_some_and(|tilt| tilt > 0.5 * angle) {
        [-left, right]
    } else {
        [0.0; 2]
    }
}

/// ρ, radians; `None` where no clip shows a foot that stands.
fn tilt(subject: &Subject<'_>, body: &Body<'_>) -> Option<f64> {
    let mut tilts: Vec<f64> = Vec::new();
    for side in SIDES {
        let [foot, toes] = [Part::Foot, Part::Toes].map(|part| joint(subject.map, part, side));
        let (Some(foot), Some(toes)) = (foot, toes) else {
            continue;
        };
        let rest = body.foot(side, 0.0).0 * body.placements[foot].rotation;
        let mut moments: Vec<(f64, f64)> = sampled(subject.clips)
            .map(|(clip, time)| {
                let pose = clip_placements(subject.character, clip, time);
                let at = |joint: usize| pose[joint].turned(subject.reference.canonical_from_file);
                let (ankle, toes) = (at(foot), at(toes));
                let height = ankle.position.y + toes.position.y;
                let tilt = outwards(ankle.rotation * rest.conjugate(), side);
                (height, tilt)
            })
            .collect();
        moments.sort_by(|one, other| one.0.total_cmp(&other.0));
        let stands = moments.len().div_ceil(STANDS);
        tilts.extend(moments.iter().take(stands).map(|(_, tilt)| tilt));
    }
    tilts.sort_by(f64::total_cmp);
    tilts.get(tilts.len() / 2).copied()
}

/// How far a sole tilts outwards that has turned like this from where it is level.
fn outwards(turn: DQuat, side: Side) -> f64 {
    let aside = DVec3::Y.cross(turn * DVec3::Z).normalize_or_zero();
    let angle = std::f64::consts::FRAC_PI_2 - aside.angle_apart(turn * DVec3::Y);
    f64::from(side.sign()) * angle
}
