//! What the laws measure of a body, and what follows for a pair.
//!
//! | symbol | meaning |
//! |---|---|
//! | ℓ | thigh + shin, mean of both legs |
//! | w | distance between the thigh joints |
//! | η | height of the ankle above the floor, the larger foot |
//! | υ | height of H when standing: at rest, or ℓ + η; at rest with a leg further than 10° from vertical: its reach (from thigh joint to ankle, mean of both) + η |
//! | k | (ℓ_B + w_B) / (ℓ_A + w_A) |
//! | c | υ_B − k · υ_A |
//!
//! Source: docs/laws.md, "Motion scale".

use super::{Laws, Side, Standing, legs};
use glam::DVec3;

/// Lengths of one body, file units.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// ℓ.
    pub leg: f64,
    /// w.
    pub width: f64,
    /// η.
    pub ankle: f64,
    /// υ at rest.
    pub thighs: f64,
    /// From ankle to toe base at rest, left and right.
    pub toe_offsets: [Option<DVec3>; 2],
    /// Height of the toe base at rest, left and right.
    pub toe_heights: [Option<f64>; 2],
}

/// Measures a body; `None` without two legs.
pub fn measure(side: &Side<'_>) -> Option<Measures> {
    let legs = legs(side)?;
    let at = |joint: usize| side.stance[joint].position;
    let height = |joint: usize| at(joint).y - side.stance_floor;
    let length = |leg: usize| {
        let leg = &legs[leg];
        (at(leg.shin) - at(leg.thigh)).length() + (at(leg.foot) - at(leg.shin)).length()
    };
    let ways = [0, 1].map(|leg: usize| at(legs[leg].thigh) - at(legs[leg].foot));
    let ankle = side
        .moment_ankle
        .unwrap_or(height(legs[0].foot).max(height(legs[1].foot)));
    let is_splayed = |way: &DVec3| way.y < 10f64.to_radians().cos() * way.length();
    let thighs = if side.moment_ankle.is_some() {
        0.5 * (length(0) + length(1)) + ankle
    } else if ways.iter().any(is_splayed) {
        0.5 * (ways[0].length() + ways[1].length()) + ankle
    } else {
        0.5 * (height(legs[0].thigh) + height(legs[1].thigh))
    };
    Some(Measures {
        leg: 0.5 * (length(0) + length(1)),
        width: (at(legs[0].thigh) - at(legs[1].thigh)).length(),
        ankle,
        thighs,
        toe_offsets: legs.map(|leg| leg.toes.map(|toes| at(toes) - at(leg.foot))),
        toe_heights: legs.map(|leg| leg.toes.map(height)),
    })
}

/// What is constant for a pair.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    /// Of the source.
    pub source: Measures,
    /// Of the target.
    pub target: Measures,
    /// k.
    pub ratio: f64,
    /// c.
    pub lift: f64,
    /// η_B − k · η_A.
    pub ankle: f64,
    /// ½ (w_B − k · w_A).
    pub spread: f64,
}

impl Constants {
    /// `None` where a side has no two legs.
    pub fn new(source: &Side<'_>, target: &Side<'_>, laws: &Laws) -> Option<Self> {
        let (a, b) = (measure(source)?, measure(target)?);
        let ratio = (b.leg + b.width) / (a.leg + a.width);
        let standing = |of: &Measures| match laws.standing {
            Standing::Rest => of.thighs,
            Standing::LegAndAnkle => of.leg + of.ankle,
        };
        Some(Self {
            source: a,
            target: b,
            ratio,
            lift: standing(&b) - ratio * standing(&a),
            ankle: b.ankle - ratio * a.ankle,
            spread: 0.5 * (b.width - ratio * a.width),
        })
    }
}
