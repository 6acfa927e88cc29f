//! Where the hips go. Source: docs/laws.md, "Hips along the legs" and "Hips pulled by short legs".

use super::lanes::HoldLanes;
use super::{FeetStage, Goals, Placed, Work};
use crate::lanes::limbs::{Numbers, Vectors};
use glam::{Quat, Vec3};

impl Work<'_> {
    /// How far the hips move beyond Ĥ if the frames to come are unknown; `raw` leads from the transferred hips to Ĥ.
    pub(super) fn carried(&self, goals: &Goals, holds: &HoldLanes, raw: Vec3) -> Vec3 {
        let carried = -self.pulled(goals, raw);
        let is_free = holds.hold.cmple(Numbers::ZERO).all();
        if is_free || self.allows(carried, goals, holds, raw) {
            return carried;
        }
        let free = self.free_feet(holds, [raw, raw]);
        let places = self.stage.places(&free, &holds.scattered());
        places.nearest(carried, self.stage.up)
    }

    /// True where hips that are carried so far beyond `raw` are where all feet that stand allow them to be: nearly always, and
    /// sooner found than the nearest place.
    fn allows(&self, carried: Vec3, goals: &Goals, holds: &HoldLanes, raw: Vec3) -> bool {
        let (stage, own) = (self.stage, &self.own);
        let thigh = own.thigh + Vectors::splat(raw);
        let lowest = self.low() - self.height(thigh);
        let lowest = Numbers::select(stage.legs.lanes.is_leg, lowest, Numbers::splat(f32::MIN));
        if lowest
            .cmpgt(Numbers::splat(carried.dot(stage.up).min(0.0)))
            .any()
        {
            return false;
        }
        let [least, most] = stage.reach.free_lanes(own.bones, own.length);
        let far = (thigh + Vectors::splat(carried) - goals.held).length();
        let reaches = far.cmpge(least) & far.cmple(most);
        let is_held = holds.hold.cmpgt(Numbers::ZERO) & stage.legs.lanes.is_leg;
        (reaches | !is_held).all() && stage.goes_so_far(carried)
    }

    /// The way from the transferred hips to Ĥ.
    pub(super) fn raw(&self) -> Vec3 {
        let weights = self.stage.legs.lanes.weights;
        let Some(stand) = self.stage.stand.filter(|_| weights != Numbers::ZERO) else {
            return Vec3::ZERO;
        };
        let (seen, own) = (&self.seen, &self.own);
        let [thighs, feet, own] =
            [seen.thigh, seen.foot, own.thigh].map(|places| places.sum(weights));
        let legs = thighs - feet;
        let along = if legs.length() < stand.least {
            self.stage.hips_turn(self.target) * self.stage.up
        } else {
            legs.normalize_or_zero()
        };
        thighs + along * stand.lift - own
    }

    /// How far legs that are too short pull the hips, to be subtracted.
    fn pulled(&self, goals: &Goals, shift: Vec3) -> Vec3 {
        if self.stage.pull == 0.0 {
            return Vec3::ZERO;
        }
        let way = self.own.thigh + Vectors::splat(shift) - goals.places;
        let over = way.length() - self.own.length;
        let over = if self.stage.signed_pull {
            over
        } else {
            over.max(Numbers::ZERO)
        };
        let (way, is_none) = way.normalized();
        let counts = self.stage.legs.lanes.is_leg & !is_none;
        let way = Vectors::select(counts, way, Vectors::ZERO);
        way.sum(over * goals.shares) * self.stage.pull
    }
}

impl FeetStage {
    /// What the pelvis has turned since the retarget pose, file space.
    pub(super) fn hips_turn(&self, target: &[Placed]) -> Quat {
        let hips = self.target.find(self.hips);
        let hips = hips.map_or(Quat::IDENTITY, |hips| target[hips].rotation);
        hips * self.hips_frame
    }
}
