//! Where the hips go (F3, F4).

use super::{Goal, Hold, Leg, MOST_LEGS, Work};
use glam::Vec3;

/// Leg lengths by which the hips come nearer at most: rather a foot that is not reached than a body that falls.
const FURTHEST: f32 = 0.3;

/// How often the hips go from leg to leg.
const ROUNDS: usize = 8;

impl Work<'_> {
    fn carriers(&self) -> impl Iterator<Item = &Leg> {
        self.stage.legs.iter().filter(|leg| leg.carries)
    }

    /// How far the hips move from where the transfer put them.
    pub(super) fn hips(&self, goals: &[Goal; MOST_LEGS], holds: &[Hold; MOST_LEGS]) -> Vec3 {
        let shift = self.raw();
        let shift = shift - self.pulled(goals, shift);
        if holds.iter().all(|hold| hold.hold <= 0.0) {
            return shift;
        }
        self.within_reach(goals, holds, shift)
    }

    /// Brings the hips to where every leg that holds can reach its foot: onto one ball around a foot after the other.
    fn within_reach(
        &self,
        goals: &[Goal; MOST_LEGS],
        holds: &[Hold; MOST_LEGS],
        shift: Vec3,
    ) -> Vec3 {
        let before = shift;
        let mut shift = shift;
        // From the goal to the thigh, and how near and how far that may be.
        let mut ways = [(Vec3::ZERO, [0.0, f32::INFINITY]); MOST_LEGS];
        for ((way, leg), goal) in ways.iter_mut().zip(&self.stage.legs).zip(goals) {
            let [thigh, shin, foot] =
                [leg.thigh, leg.shin, leg.foot].map(|joint| self.target[joint].position());
            let bones = [thigh.distance(shin), shin.distance(foot)];
            let bounds = self.stage.reach.free(bones, thigh.distance(foot));
            *way = (thigh - goal.place, bounds);
        }
        for _ in 0..ROUNDS {
            let mut has_moved = false;
            for ((way, [least, most]), hold) in ways.iter().zip(holds) {
                if hold.hold <= 0.0 {
                    continue;
                }
                let way = *way + shift;
                let length = way.length();
                let over = length - length.clamp(*least, *most);
                if over != 0.0 {
                    shift -= way.normalize_or_zero() * over * hold.hold;
                    has_moved = true;
                }
            }
            if !has_moved {
                break;
            }
        }
        let furthest = self.stage.legs.iter().map(|leg| leg.length);
        (shift - before).clamp_length_max(FURTHEST * furthest.fold(0.0, f32::max)) + before
    }

    /// F3: from where the hips are to Ĥ.
    fn raw(&self) -> Vec3 {
        let Some(stand) = &self.stage.stand else {
            return Vec3::ZERO;
        };
        let (mut thighs, mut feet, mut own, mut count) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, 0.0);
        for leg in self.carriers() {
            let Some(thigh) = leg.source_thigh else {
                continue;
            };
            thighs += self.seen(thigh);
            feet += self.seen(leg.source_foot);
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
