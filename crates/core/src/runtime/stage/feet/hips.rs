//! Where the hips go (F3, F4).

use super::lanes::HoldLanes;
use super::{Goals, Hold, MOST_LEGS, Work};
use crate::solve::four::Vectors;
use glam::{Quat, Vec3, Vec4};

impl Work<'_> {
    /// How far the hips move beyond F3, which moves them by `raw`, where nothing is known of what comes.
    pub(super) fn carried(
        &self,
        goals: &Goals,
        holds: (&[Hold; MOST_LEGS], &HoldLanes),
        raw: Vec3,
    ) -> Vec3 {
        let carried = -self.pulled(goals, raw);
        let (holds, lanes) = holds;
        if lanes.hold.cmple(Vec4::ZERO).all() {
            return carried;
        }
        let free = self.free_feet(lanes, [raw, raw]);
        let places = self.stage.places(&free, holds);
        places.nearest(carried, self.stage.up)
    }

    /// F3: from where the hips are to Ĥ.
    pub(super) fn raw(&self) -> Vec3 {
        let weights = self.stage.legs.lanes.weights;
        let Some(stand) = self.stage.stand.filter(|_| weights != Vec4::ZERO) else {
            return Vec3::ZERO;
        };
        let (seen, own) = (&self.seen, &self.own);
        let [thighs, feet, own] =
            [seen.thigh, seen.foot, own.thigh].map(|places| places.sum(weights));
        let legs = thighs - feet;
        let along = if legs.length() < stand.least {
            self.body_up()
        } else {
            legs.normalize_or_zero()
        };
        thighs + along * stand.lift - own
    }

    /// The pelvis's own up.
    fn body_up(&self) -> Vec3 {
        let hips = self.stage.target.find(self.stage.hips);
        let hips = hips.map_or(Quat::IDENTITY, |hips| self.target[hips].rotation);
        hips * self.stage.hips_frame * self.stage.up
    }

    /// F4: what legs that are too short take off.
    fn pulled(&self, goals: &Goals, shift: Vec3) -> Vec3 {
        if self.stage.pull == 0.0 {
            return Vec3::ZERO;
        }
        let own = (self.own.foot - self.own.thigh).length();
        let way = self.own.thigh + Vectors::splat(shift) - goals.places;
        let over = way.length() - own;
        let over = if self.stage.signed_pull {
            over
        } else {
            over.max(Vec4::ZERO)
        };
        let (way, is_none) = way.normalized();
        let counts = self.stage.legs.lanes.is_leg & !is_none;
        let way = Vectors::select(counts, way, Vectors::ZERO);
        way.sum(over * goals.shares) * self.stage.pull
    }
}
