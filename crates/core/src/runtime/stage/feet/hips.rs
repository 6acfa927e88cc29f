//! Where the hips go (F3, F4).

use super::goals::Seen;
use super::{Goal, Hold, Leg, MOST_LEGS, Work};
use glam::Vec3;

impl Work<'_> {
    pub(super) fn carriers(&self) -> impl Iterator<Item = (&Leg, &Seen)> {
        let legs = self.stage.legs.iter().zip(&self.feet);
        legs.filter(|(leg, _)| leg.carries)
    }

    /// How far the hips move beyond F3, which moves them by `raw`, where nothing is known of what comes.
    pub(super) fn carried(
        &self,
        goals: &[Goal; MOST_LEGS],
        holds: &[Hold; MOST_LEGS],
        raw: Vec3,
    ) -> Vec3 {
        let carried = -self.pulled(goals, raw);
        if holds.iter().all(|hold| hold.hold <= 0.0) {
            return carried;
        }
        let free = self.free_feet(holds, raw, raw);
        let places = self.stage.places(&free, holds);
        places.nearest(carried, self.stage.up)
    }

    /// F3: from where the hips are to Ĥ.
    pub(super) fn raw(&self) -> Vec3 {
        let Some(stand) = &self.stage.stand else {
            return Vec3::ZERO;
        };
        let (mut thighs, mut feet, mut own, mut count) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, 0.0);
        for (leg, seen) in self.carriers() {
            let Some(thigh) = seen.thigh else {
                continue;
            };
            thighs += thigh;
            feet += seen.foot;
            own += self.target[leg.thigh].position();
            count += 1.0;
        }
        if count == 0.0 {
            return Vec3::ZERO;
        }
        let (thighs, feet, own) = (thighs / count, feet / count, own / count);
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
        let hips = hips.map_or(glam::Quat::IDENTITY, |hips| self.target[hips].rotation);
        hips * self.stage.hips_frame * self.stage.up
    }

    /// F4: what legs that are too short take off.
    fn pulled(&self, goals: &[Goal; MOST_LEGS], shift: Vec3) -> Vec3 {
        if self.stage.pull == 0.0 {
            return Vec3::ZERO;
        }
        let mut pull = Vec3::ZERO;
        for (leg, goal) in self.stage.legs.iter().zip(goals) {
            let thigh = self.target[leg.thigh].position();
            let own = self.target[leg.foot].position().distance(thigh);
            let way = thigh + shift - goal.place;
            let over = way.length() - own;
            let over = if self.stage.signed_pull {
                over
            } else {
                over.max(0.0)
            };
            pull += way.normalize_or_zero() * (over * goal.share);
        }
        pull * self.stage.pull
    }
}
