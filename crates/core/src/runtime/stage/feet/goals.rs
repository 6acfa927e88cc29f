//! Where a foot shall be (F2, F9, F10).

use super::{Anchor, FeetStage, FloorRule, Free, Goal, Hold, Leg, MOST_LEGS, Placed, View, Work};
use glam::{Quat, Vec3};
use rebone_model::rotation::swing_twist;

/// Heights of the toes above their rest, as shares of K, between which the ball of the foot takes over.
const BALL: [f32; 2] = [0.02, 0.06];

/// Heights of the source's thigh joints, in leg lengths, below which the target's do not get.
const LOW: f32 = 0.6;

/// Where an ankle shall be before it touches anything.
pub(super) struct Unheld {
    ankle: Vec3,
    /// How much the ball counts.
    ball: f32,
}

/// A foot as it is seen, whatever holds it.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    /// From the sole to the ankle.
    sole: Vec3,
    /// From the ankle to the toes.
    toes: Option<Vec3>,
    /// Where the ankle belongs by the sole alone.
    ankle: Vec3,
    /// How far the toes are from standing, 0 to 1; `None` where only the sole counts.
    away: Option<f32>,
    /// See [`Free::roll`].
    roll: Vec3,
    /// Where the source's ankle is seen.
    pub(super) foot: Vec3,
    /// Where the source's thigh joint is seen, where the pair carries the hips.
    pub(super) thigh: Option<Vec3>,
}

impl Seen {
    /// Where the ankle shall be, before it touches anything.
    pub(super) fn unheld(&self, hold: &Hold) -> Unheld {
        let ball = match (self.away, hold.shares) {
            (None, _) => 0.0,
            (Some(_), Some(shares)) => shares.ball,
            (Some(away), None) => 1.0 - away * (1.0 - hold.ball),
        };
        Unheld {
            ankle: self.ankle + self.roll * ball,
            ball,
        }
    }

    /// The sole below an ankle, and the toes; the sole again of a foot without.
    pub(super) fn points(&self, unheld: &Unheld) -> [Vec3; 2] {
        let heel = unheld.ankle - self.sole;
        [heel, self.toes.map_or(heel, |own| unheld.ankle + own)]
    }
}

impl<'a> Work<'a> {
    /// Looks at the feet of a frame; `target` are its joints, placed.
    pub(super) fn new(stage: &'a FeetStage, source: View<'a>, target: &'a [Placed]) -> Self {
        let bare = Self {
            stage,
            source,
            target,
            feet: Default::default(),
        };
        let mut feet = bare.feet;
        for (seen, leg) in feet.iter_mut().zip(&stage.legs) {
            *seen = bare.look(leg);
        }
        Self { feet, ..bare }
    }

    fn look(&self, leg: &Leg) -> Seen {
        let up = self.stage.up;
        // What the foot has turned since the retarget pose.
        let turn = self.target[leg.foot].rotation * leg.foot_frame;
        let (left, own_up) = (turn * self.stage.left, turn * up);
        let mut aside = (left - up * left.dot(up)) * leg.aside;
        if leg.along != Vec3::ZERO {
            aside += yaw(turn, up) * leg.along;
        }
        let foot = self.seen(leg.source_foot);
        let ankle = foot + own_up * leg.sole + aside;
        let own = leg.toes.map(|toes| self.target[toes].position());
        let own = own.map(|toes| toes - self.target[leg.foot].position());
        let mut seen = Seen {
            sole: own_up * leg.ankle_height,
            toes: own,
            ankle,
            away: None,
            roll: Vec3::ZERO,
            foot,
            thigh: leg.source_thigh.map(|thigh| self.seen(thigh)),
        };
        let stands = own.zip(self.seen_toes(leg));
        if let Some((own, toes)) = stands.filter(|_| self.stage.anchor == Anchor::Ball) {
            let above = self.height(toes) - leg.toes_height;
            let away = (above / self.stage.size - BALL[0]) / (BALL[1] - BALL[0]);
            seen.away = Some(smooth(away));
            seen.roll = toes + yaw(turn, up) * leg.ahead + aside - own - ankle;
        }
        seen
    }

    /// Where thigh, shin and foot are.
    pub(super) fn joints(&self, leg: &Leg) -> [Vec3; 3] {
        [leg.thigh, leg.shin, leg.foot].map(|joint| self.target[joint].position())
    }

    /// A place of the source in the target's file space.
    fn seen(&self, joint: usize) -> Vec3 {
        self.stage.linear * self.source.position(joint) + self.stage.shift
    }

    fn height(&self, place: Vec3) -> f32 {
        place.dot(self.stage.up) - self.stage.floor
    }

    /// Where the joint of the source's toes is seen, on the target's floor.
    fn seen_toes(&self, leg: &Leg) -> Option<Vec3> {
        let toes = self.seen(leg.source_toes?);
        Some(toes + self.stage.up * leg.ball)
    }

    /// How much a foot goes by its place in the world: 1 near the floor, 0 high above it, where the leg moves as it was
    /// transferred.
    fn share(&self, leg: &Leg, seen: &Seen, unheld: &Unheld, hold: &Hold) -> f32 {
        let Some([low, high]) = self.stage.swing else {
            return 1.0;
        };
        let [sole, ball] = seen.points(unheld).map(|point| self.height(point));
        let above = match seen.toes {
            Some(_) => (ball - leg.toes_height).min(sole),
            None => sole,
        };
        let above = above + hold.below;
        let share = 1.0 - smooth((above / self.stage.size - low) / (high - low));
        share.max(hold.hold)
    }

    /// Where the points of the feet would be without a lock; `raw` is the shift of the hips by F3, `shift` that by F3 and F4.
    pub(super) fn free_feet(
        &self,
        holds: &[Hold; MOST_LEGS],
        raw: Vec3,
        shift: Vec3,
    ) -> [Free; MOST_LEGS] {
        let mut free = [Free::default(); MOST_LEGS];
        let ground = self.ground();
        let legs = self.stage.legs.iter().zip(&self.feet).zip(holds);
        for (free, ((leg, seen), hold)) in free.iter_mut().zip(legs) {
            let low = self.low((leg, seen), ground);
            *free = self.free((leg, seen), hold, [raw, shift], low);
        }
        free
    }

    fn free(
        &self,
        (leg, seen): (&Leg, &Seen),
        hold: &Hold,
        [raw, shift]: [Vec3; 2],
        low: f32,
    ) -> Free {
        let unheld = seen.unheld(hold);
        let [heel, ball] = seen.points(&unheld);
        let [thigh, shin, foot] = self.joints(leg);
        let bones = [thigh.distance(shin), shin.distance(foot)];
        let own = thigh.distance(foot);
        let [least, reach] = self.stage.reach.free(bones, own);
        Free {
            heel,
            ball,
            ankle: unheld.ankle,
            hip: thigh + shift,
            reach,
            thigh: thigh + raw,
            least,
            own,
            share: self.share(leg, seen, &unheld, hold),
            whole: bones[0] + bones[1],
            low,
            stands: unheld.ball,
            roll: seen.roll,
        }
    }

    /// How low the thigh's joint may get: the source's height above `ground` as longer or shorter legs show it, and some
    /// less.
    fn low(&self, (leg, seen): (&Leg, &Seen), ground: f32) -> f32 {
        let Some((thigh, stand)) = seen.thigh.zip(self.stage.stand.as_ref()) else {
            return f32::MIN;
        };
        let length = leg.length - (stand.lift - leg.sole);
        if length <= 0.0 {
            return f32::MIN;
        }
        let thigh = self.height(thigh) - ground;
        ground + LOW * thigh * leg.length / length
    }

    /// The floor; on stairs down it is where the lower foot is.
    fn ground(&self) -> f32 {
        let sole =
            |(leg, seen): (&Leg, &Seen)| self.height(seen.foot) + leg.sole - leg.ankle_height;
        self.carriers().map(sole).fold(0.0, f32::min)
    }

    /// Where the ankles shall be.
    pub(super) fn goals(&self, holds: &[Hold; MOST_LEGS]) -> [Goal; MOST_LEGS] {
        let mut goals = [Goal::default(); MOST_LEGS];
        let legs = self.stage.legs.iter().zip(&self.feet).zip(holds);
        for (goal, ((leg, seen), hold)) in goals.iter_mut().zip(legs) {
            *goal = self.goal(leg, seen, hold);
        }
        goals
    }

    fn goal(&self, leg: &Leg, seen: &Seen, hold: &Hold) -> Goal {
        let unheld = seen.unheld(hold);
        let place = unheld.ankle + hold.offset;
        Goal {
            place: place + self.stage.up * self.raise(leg, seen, place, hold),
            share: match hold.shares {
                Some(shares) => shares.place,
                None => self.share(leg, seen, &unheld, hold),
            },
        }
    }

    /// Where the ankle goes, once the hips have moved: between its place in the world and where the leg brings it, but
    /// never into the floor.
    pub(super) fn reached(
        &self,
        (leg, seen): (&Leg, &Seen),
        goal: &Goal,
        hold: &Hold,
        shift: Vec3,
    ) -> Vec3 {
        if goal.share >= 1.0 {
            return goal.place;
        }
        let brought = self.target[leg.foot].position() + shift;
        let place = brought.lerp(goal.place, goal.share);
        place + self.stage.up * self.raise(leg, seen, place, hold)
    }

    /// How far a goal must be raised.
    fn raise(&self, leg: &Leg, seen: &Seen, goal: Vec3, hold: &Hold) -> f32 {
        let below = |place: Vec3, least: f32| (least - self.height(place)).max(0.0);
        match self.stage.floor_rule {
            FloorRule::Off => 0.0,
            FloorRule::AsSource => {
                let own = self.height(seen.foot) + leg.sole;
                let of_ankle = below(goal, leg.ankle_height.min(own));
                seen.toes.map_or(of_ankle, |own| {
                    let toes = self.seen_toes(leg).map(|toes| self.height(toes));
                    let least = toes.map_or(leg.toes_height, |toes| toes.min(leg.toes_height));
                    of_ankle.max(below(goal + own, least))
                })
            }
            FloorRule::Soles => {
                let of_sole = below(goal - seen.sole, -hold.below);
                seen.toes.map_or(of_sole, |own| {
                    of_sole.max(below(goal + own, leg.toes_height - hold.below))
                })
            }
        }
    }
}

/// The part of a turn that is about `up`.
fn yaw(turn: Quat, up: Vec3) -> Quat {
    swing_twist(turn, up).1
}

/// 0 to 1, without a corner at either end.
pub(super) fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
