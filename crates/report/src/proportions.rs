//! What a pair's bodies make of travel, hips and ankles, and legs that are stretched.
//!
//! ```text
//! k         = target metres of travel a source metre, along the ground and upwards
//! c         = υ_B − k υ_A                                                  percent of L_B
//! η         = height of the ankles when standing                           percent of L, of both bodies
//! stretch   = |ankle − hip| / (|knee − hip| + |ankle − knee|)              percent
//! stretched : frames in which a leg of the target is beyond [`STRETCHED`] and the source's is not
//! ```
//!
//! with υ the height of the thighs when standing. k, c and η are those of the pair as it was compiled, not of a clip; they are
//! told with each so that a clip can be judged alone.
//!
//! Degenerate cases: a leg without length does not count; a body without legs on both sides has no stretch. The limbs are those
//! that a body stands on: of animals front legs, too. Source: docs/laws.md,
//! "Motion scale", "Goal of the sole" and "Hips along the legs".

use super::body::Body;
use super::{Pair, Sides};
use glam::DVec3;
use rebone_setup::align::Alignment;
use rebone_setup::align::limbs::{ARM, LEG, SIDES, joint};
use rebone_setup::profile::Stance;
use rebone_setup::root::{Standing, standing_height};

/// Share of its length from which on a leg looks straight.
pub const STRETCHED: f64 = 0.99;

/// k, c and η of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Proportions {
    /// Target metres of travel along the ground a source metre.
    pub scale_along: f64,
    /// The same upwards.
    pub scale_up: f64,
    /// By how much the hips are lifted along the legs, percent of the target's leg.
    pub lift_percent: f64,
    /// Height of the ankles when standing, percent of the own leg.
    pub ankle_percent: Sides,
}

/// Legs that are stretched.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StretchFigures {
    /// Share of the frames in which a leg of the target is beyond 0.99 of its length where the source's is not, percent.
    pub frames_percent: f64,
    /// The most that a leg is stretched, percent of its length.
    pub max_percent: Sides,
}

impl Proportions {
    /// Of a pair in its retarget poses; `scales` are target metres a source metre to the left, up and forwards, `units` target
    /// file units in a source file unit.
    pub fn new(
        source: &Alignment,
        target: &Alignment,
        scales: DVec3,
        units: f64,
        standing: Standing,
    ) -> Self {
        let (from, to) = (&source.measures, &target.measures);
        let percent = |part: f64, of: f64| if of > 1e-9 { 100.0 * part / of } else { 0.0 };
        let lift =
            standing_height(to, standing) - scales.y * units * standing_height(from, standing);
        Self {
            scale_along: 0.5 * (scales.x + scales.z),
            scale_up: scales.y,
            lift_percent: percent(lift, to.leg),
            ankle_percent: Sides {
                source: percent(from.ankle_height, from.leg),
                target: percent(to.ankle_height, to.leg),
            },
        }
    }
}

pub(super) fn stretch(pair: &Pair<'_>) -> Option<StretchFigures> {
    let frames = pair.frames.len();
    let is_animal = |body: &Body<'_>| body.performance.map.profile.stance == Stance::FourLegged;
    let limbs = match is_animal(&pair.source) && is_animal(&pair.target) {
        true => &[LEG, ARM][..],
        false => &[LEG][..],
    };
    let mut stretched = vec![false; frames];
    let mut most = Sides::default();
    let mut count = 0usize;
    for (parts, side) in limbs
        .iter()
        .flat_map(|parts| SIDES.map(|side| (parts, side)))
    {
        let joints = |body: &Body<'_>| {
            let [a, b, c] = parts.map(|part| joint(body.performance.map, part, side));
            Some([a?, b?, c?])
        };
        let (Some(from), Some(to)) = (joints(&pair.source), joints(&pair.target)) else {
            continue;
        };
        for (frame, stretched) in stretched.iter_mut().enumerate() {
            let own = share(&pair.source, from, frame).zip(share(&pair.target, to, frame));
            let Some((own, made)) = own else { continue };
            count += 1;
            *stretched |= made > STRETCHED && own <= STRETCHED;
            most.source = most.source.max(100.0 * own);
            most.target = most.target.max(100.0 * made);
        }
    }
    let share = stretched.iter().filter(|frame| **frame).count() as f64 / frames.max(1) as f64;
    (count > 0).then_some(StretchFigures {
        frames_percent: 100.0 * share,
        max_percent: most,
    })
}

/// How far a leg is stretched, as a share of its length.
fn share(body: &Body<'_>, joints: [usize; 3], frame: usize) -> Option<f64> {
    let [hip, knee, ankle] = joints.map(|joint| body.sampled.at(joint, frame));
    let long = hip.distance(knee) + knee.distance(ankle);
    (f64::from(long) > 1e-6 * body.height).then(|| f64::from(hip.distance(ankle) / long))
}
