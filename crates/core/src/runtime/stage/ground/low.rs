//! How far the source's body is from standing upright, and whether it is on the floor at all.

use super::GroundStage;
use crate::runtime::stage::View;
use crate::solve::smooth;

/// Heights of the hips over the lower ankle, shares of that when standing, between which the trunk's points no longer count.
const UPRIGHT: [f32; 2] = [0.05, 0.6];

/// Heights of the hips, shares of T, between which a body that comes out of the floor begins to be on it.
const RISEN: [f32; 2] = [-0.8, -0.3];

/// Heights of the lower of hips and ankles, shares of T, between which a body is on the floor or in the air.
const GROUNDED: [f32; 2] = [0.5, 0.8];

/// The same for knees.
const GROUNDED_KNEES: [f32; 2] = [0.35, 0.6];

/// The same heights, between which a body comes to stand.
const STANDS: [f32; 2] = [0.7, 0.9];

/// The same for palms.
const UPRIGHT_PALM: [f32; 2] = [0.35, 0.7];

/// The same for knees.
const UPRIGHT_KNEE: [f32; 2] = [0.5, 0.7];

/// How far a body is from standing upright.
#[derive(Clone, Copy)]
pub(super) struct Low {
    /// Height of the hips over the lower ankle, of that when standing.
    over: f32,
    /// How much the legs are not upright, for the trunk, for palms and for knees.
    pub(super) shares: [f32; 3],
    /// How much the body is on the floor and not in the air, for palms.
    pub(super) grounded: f32,
}

/// 1 up to the first height, 0 from the second on.
pub(super) fn fade(height: f32, [low, high]: [f32; 2]) -> f32 {
    1.0 - smooth((height - low) / (high - low))
}

impl GroundStage {
    /// How far the source is from standing upright.
    pub(super) fn low(&self, source: &View<'_>) -> Low {
        let hips = self.source_height(source.position(self.trunk[0].source));
        let feet = self.legs.iter();
        let feet = feet.map(|leg| self.source_height(source.position(leg.source_foot)));
        let lowest = feet.fold(f32::INFINITY, f32::min);
        let knees = self.legs.iter();
        let knees = knees.map(|leg| self.source_height(source.position(leg.source_knee)));
        let knees = knees.fold(f32::INFINITY, f32::min);
        if !lowest.is_finite() {
            return Low {
                over: 0.0,
                shares: [1.0; 3],
                grounded: 1.0,
            };
        }
        let over = (hips - lowest) / self.standing.max(f32::MIN_POSITIVE);
        let thickness = self.thickness.max(f32::MIN_POSITIVE);
        let risen = smooth((hips / thickness - RISEN[0]) / (RISEN[1] - RISEN[0]));
        let shares = [UPRIGHT, UPRIGHT_PALM, UPRIGHT_KNEE];
        Low {
            over,
            shares: shares.map(|range| risen * fade(over, range)),
            grounded: fade(hips.min(lowest) / thickness, GROUNDED)
                .max(fade(knees / thickness, GROUNDED_KNEES)),
        }
    }
}

impl Low {
    /// True where the body stands, and nothing is asked for.
    pub(super) fn is_upright(&self) -> bool {
        self.shares == [0.0; 3]
    }

    /// How much it stands: 1 where the legs are nearly stretched below the hips.
    pub(super) fn stands(&self) -> f32 {
        1.0 - fade(self.over, STANDS)
    }
}
