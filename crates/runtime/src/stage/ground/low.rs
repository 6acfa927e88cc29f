//! How far the source's body is from standing upright, and whether it is on the floor at all.

use super::{GroundLeg, GroundStage};
use crate::solve::smooth;
use crate::stage::View;
use rebone_model::elementary::Elementary as _;

/// Ankles that differ in height by this share of a standing leg are about as low.
const SAME: f32 = 0.1;

/// Heights of a thigh over the lower ankle, shares of that when standing, between which the trunk's points no longer count.
const UPRIGHT: [f32; 2] = [0.2, 0.6];

/// Heights of the hips, shares of T, between which a body that comes out of the floor begins to be on it.
const RISEN: [f32; 2] = [-0.8, -0.3];

/// Heights of the lower of hips and ankles, shares of T, between which a body is on the floor or in the air.
const GROUNDED: [f32; 2] = [0.5, 0.8];

/// The same for knees.
const GROUNDED_KNEES: [f32; 2] = [0.35, 0.6];

/// The same heights, between which a body comes to stand.
const STANDS: [f32; 2] = [0.7, 0.9];

/// Heights of a palm, shares of that of an arm that hangs, between which the body leans so far that its hands count.
const HANGING: [f32; 2] = [0.8, 0.95];

/// Heights of the lower ankle, shares of T, between which feet no longer carry.
const FEET: [f32; 2] = [0.8, 1.6];

/// The same for knees.
const UPRIGHT_KNEE: [f32; 2] = [0.5, 0.7];

/// How far a body is from standing upright.
#[derive(Clone, Copy)]
pub(super) struct Low {
    /// How high the leg of the lower ankle begins over it, of that when standing.
    over: f32,
    /// How much the legs are not upright, for the trunk and for knees.
    pub(super) shares: [f32; 2],
    /// How much the body has come out of the floor.
    pub(super) risen: f32,
    /// How much the body is on the floor and not in the air, for palms.
    pub(super) grounded: f32,
    /// How much a hand is lower than where arms hang; 1 where hands that hang may be in the target's floor.
    pub(super) hands: f32,
    /// How much no foot carries.
    pub(super) off_feet: f32,
}

/// 1 up to the first height, 0 from the second on.
pub(super) fn fade(height: f32, [low, high]: [f32; 2]) -> f32 {
    1.0 - smooth((height - low) / (high - low))
}

/// One length as a share of another.
pub(super) fn share(height: f32, whole: f32) -> f32 {
    height / whole.max(f32::MIN_POSITIVE)
}

impl GroundStage {
    /// How far the source is from standing upright.
    pub(super) fn low(&self, source: &View<'_>) -> Low {
        let height = |joint: usize| self.source_height(source.position(joint));
        let hips = height(self.trunk[0].source.joint);
        let ankle = |leg: &GroundLeg| self.source_height(leg.source_ankle(source));
        let ankles = self.legs.iter().map(ankle);
        let lowest = ankles.fold(f32::INFINITY, f32::min);
        let knees = self.legs.iter().map(|leg| height(leg.knees[0].joint));
        let knees = knees.fold(f32::INFINITY, f32::min);
        // How upright the lower leg is; of two that are as low, the mean.
        let (mut sum, mut weights) = (0.0, f32::MIN_POSITIVE);
        for leg in &self.legs {
            let ankle = ankle(leg);
            let weight = (-share(ankle - lowest, SAME * self.standing)).exponential();
            sum += weight * (height(leg.source_thigh) - ankle);
            weights += weight;
        }
        let hanging = self.arms.iter().map(|arm| {
            let palm = source.point(arm.hands[0].joint, arm.source_palm);
            fade(share(self.source_height(palm), arm.hanging), HANGING)
        });
        let hands = if self.hands_hang_low {
            1.0
        } else {
            hanging.fold(0.0, f32::max)
        };
        let thickness = self.thickness;
        let risen = smooth((share(hips, thickness) - RISEN[0]) / (RISEN[1] - RISEN[0]));
        if !lowest.is_finite() {
            return Low {
                over: 0.0,
                shares: [1.0; 2],
                risen: 1.0,
                grounded: 1.0,
                hands,
                off_feet: 0.0,
            };
        }
        let over = share(sum / weights, self.standing);
        let shares = [UPRIGHT, UPRIGHT_KNEE];
        Low {
            over,
            shares: shares.map(|range| risen * fade(over, range)),
            risen,
            grounded: fade(share(hips.min(lowest), thickness), GROUNDED)
                .max(fade(share(knees, thickness), GROUNDED_KNEES)),
            hands,
            off_feet: 1.0 - fade(share(lowest, thickness), FEET),
        }
    }
}

impl Low {
    /// True where the body stands with its hands up, and nothing is asked for.
    pub(super) fn is_upright(&self) -> bool {
        self.shares == [0.0; 2] && self.hands == 0.0
    }

    /// How much it stands: 1 where the legs are nearly stretched below the hips.
    pub(super) fn stands(&self) -> f32 {
        1.0 - fade(self.over, STANDS)
    }
}
