//! The way over the ground.
//!
//! ```text
//! a, b   places of the hips over the ground, each less its mean, of source and target
//! s      = Σ a · b / Σ a · a                                    scale of the way
//! error  = |b − s · a| / h_B                                    percent, mean and largest over the frames
//! ```
//!
//! The best scale is used, so that a chosen scale is no error and the shape of the way is what is measured; it is told beside it. Heights
//! are left out: hips stand as high as their own legs make them. Where the source stays within [`LEAST_WAY`] of a leg around its mean the
//! way tells no scale, and s is the pair's own. Source: docs/laws.md, "Report figures".

use super::Pair;
use super::body::Body;
use glam::{DVec2, Vec3};
use rebone_setup::profile::{Part, Side};

/// A way shorter than this share of a leg tells no scale.
pub(super) const LEAST_WAY: f64 = 0.2;

/// Figures of the way over the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootPathFigures {
    /// Mean distance from the scaled way, percent of the target's height.
    pub mean_percent: f64,
    /// Largest distance from the scaled way, percent of the target's height.
    pub max_percent: f64,
    /// Target legs of travel a source leg of travel.
    pub legs_per_leg: f64,
    /// The source goes at least a leg's length away from its start, and the target less than a tenth of what it should.
    pub stays: bool,
}

pub(super) fn measure(pair: &Pair<'_>) -> Option<RootPathFigures> {
    let (from, to) = (path(&pair.source)?, path(&pair.target)?);
    let (from, to) = (centered(&from)?, centered(&to)?);
    let products: f64 = from.iter().zip(&to).map(|(a, b)| a.dot(*b)).sum();
    let squares: f64 = from.iter().map(|a| a.length_squared()).sum();
    let reach = from.iter().map(|a| a.length()).fold(0.0, f64::max);
    let scale = if reach > LEAST_WAY * pair.source.leg {
        products / squares
    } else {
        pair.scale
    };
    let errors: Vec<f64> = from
        .iter()
        .zip(&to)
        .map(|(a, b)| 100.0 * (*b - scale * *a).length() / pair.target.height)
        .collect();
    let legs_per_leg = scale * pair.source.leg / pair.target.leg;
    Some(RootPathFigures {
        mean_percent: errors.iter().sum::<f64>() / errors.len() as f64,
        max_percent: errors.iter().copied().fold(0.0, f64::max),
        legs_per_leg,
        stays: reach > pair.source.leg && legs_per_leg.abs() < 0.1,
    })
}

/// Where the hips are over the ground: to the left, and forwards.
pub(super) fn path(body: &Body<'_>) -> Option<Vec<DVec2>> {
    let hips = body.performance.map.joint_of(Part::Hips, Side::Center)?;
    let level = |place: &Vec3| DVec2::new(f64::from(place.x), f64::from(place.z));
    Some(body.sampled.positions[hips].iter().map(level).collect())
}

fn centered(path: &[DVec2]) -> Option<Vec<DVec2>> {
    let mean = path.iter().sum::<DVec2>() / path.len().max(1) as f64;
    (!path.is_empty()).then(|| path.iter().map(|place| *place - mean).collect())
}
