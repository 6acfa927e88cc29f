//! Where a foot shall be (F2, F9, F10).

use super::{Anchor, FloorRule, Free, Goal, Hold, Leg, Work};
use glam::{Quat, Vec3};
use rebone_model::rotation::swing_twist;

/// Heights of the toes above their rest, as shares of K, between which the ball of the foot takes over.
const BALL: [f32; 2] = [0.02, 0.06];

/// Heights of the source's thigh joints, in leg lengths, below which the target's do not get.
const LOW: f32 = 0.6;

/// Where an ankle shall be before it touches anything.
struct Unheld {
    ankle: Vec3,
    /// How much the ball counts.
    ball: f32,
    /// See [`Free::roll`].
    roll: Vec3,
}

impl Work<'_> {
    /// A place of the source in the target's file space.
    pub(super) fn seen(&self, joint: usize) -> Vec3 {
        self.stage.linear * self.source[joint].position() + self.stage.shift
    }

    fn height(&self, place: Vec3) -> f32 {
        place.dot(self.stage.up) - self.stage.floor
    }

    /// What the foot has turned since the retarget pose.
    fn foot_turn(&self, leg: &Leg) -> Quat {
        self.target[leg.foot].rotation * leg.foot_frame
    }

    /// From the target's ankle to its toes.
    fn toes(&self, leg: &Leg) -> Option<Vec3> {
        let toes = self.target[leg.toes?].position();
        Some(toes - self.target[leg.foot].position())
    }

    /// Where the joint of the source's toes is seen, on the target's floor.
    fn seen_toes(&self, leg: &Leg) -> Option<Vec3> {
        let toes = self.seen(leg.source_toes?);
        Some(toes + self.stage.up * leg.ball)
    }

    /// Where the ankle shall be, before it touches anything.
    fn unheld(&self, leg: &Leg, turn: Quat, hold: &Hold) -> Unheld {
        let up = self.stage.up;
        let left = turn * self.stage.left;
        let mut aside = (left - up * left.dot(up)) * leg.aside;
        if leg.along != Vec3::ZERO {
            aside += yaw(turn, up) * leg.along;
        }
        let goal = self.seen(leg.source_foot) + turn * up * leg.sole + aside;
        let stands = self.toes(leg).zip(self.seen_toes(leg));
        let Some((own, toes)) = stands.filter(|_| self.stage.anchor == Anchor::Ball) else {
            return Unheld {
                ankle: goal,
                ball: 0.0,
                roll: Vec3::ZERO,
            };
        };
        let above = self.height(toes) - leg.toes_height;
        let away = smooth((above / self.stage.size - BALL[0]) / (BALL[1] - BALL[0]));
        let ball = match hold.shares {
            Some(shares) => shares.ball,
            None => 1.0 - away * (1.0 - hold.ball),
        };
        let roll = toes + yaw(turn, up) * leg.ahead + aside - own - goal;
        Unheld {
            ankle: goal + roll * ball,
            ball,
            roll,
        }
    }

    /// How much a foot goes by its place in the world: 1 near the floor, 0 high above it, where the leg moves as it was
    /// transferred.
    fn share(&self, leg: &Leg, turn: Quat, ankle: Vec3, hold: &Hold) -> f32 {
        let Some([low, high]) = self.stage.swing else {
            return 1.0;
        };
        let sole = self.height(ankle - turn * self.stage.up * leg.ankle_height);
        let ball = self
            .toes(leg)
            .map(|own| self.height(ankle + own) - leg.toes_height);
        let above = ball.map_or(sole, |ball| ball.min(sole)) + hold.below;
        let share = 1.0 - smooth((above / self.stage.size - low) / (high - low));
        share.max(hold.hold)
    }

    /// Where the points of the foot would be without a lock; `raw` is the shift of the hips by F3, `shift` that by F3 and F4.
    pub(super) fn free(&self, leg: &Leg, hold: &Hold, raw: Vec3, shift: Vec3) -> Free {
        let turn = self.foot_turn(leg);
        let Unheld { ankle, ball, roll } = self.unheld(leg, turn, hold);
        let heel = ankle - turn * self.stage.up * leg.ankle_height;
        let [thigh, shin, foot] =
            [leg.thigh, leg.shin, leg.foot].map(|joint| self.target[joint].position());
        let bones = [thigh.distance(shin), shin.distance(foot)];
        let own = thigh.distance(foot);
        let [least, reach] = self.stage.reach.free(bones, own);
        Free {
            heel,
            ball: self.toes(leg).map_or(heel, |own| ankle + own),
            ankle,
            hip: thigh + shift,
            reach,
            thigh: thigh + raw,
            least,
            own,
            share: self.share(leg, turn, ankle, hold),
            whole: bones[0] + bones[1],
            low: self.low(leg),
            stands: ball,
            roll,
        }
    }

    /// How low the thigh's joint may get: the source's height as longer or shorter legs show it, and some less. On stairs
    /// down the floor is where the lower foot is.
    fn low(&self, leg: &Leg) -> f32 {
        let Some((thigh, stand)) = leg.source_thigh.zip(self.stage.stand.as_ref()) else {
            return f32::MIN;
        };
        let seen = leg.length - (stand.lift - leg.sole);
        if seen <= 0.0 {
            return f32::MIN;
        }
        let sole =
            |leg: &Leg| self.height(self.seen(leg.source_foot)) + leg.sole - leg.ankle_height;
        let ground = self.carriers().map(sole).fold(0.0, f32::min);
        let thigh = self.height(self.seen(thigh)) - ground;
        ground + LOW * thigh * leg.length / seen
    }

    /// Where the ankle shall be.
    pub(super) fn goal(&self, leg: &Leg, hold: &Hold) -> Goal {
        let turn = self.foot_turn(leg);
        let unheld = self.unheld(leg, turn, hold).ankle;
        let place = unheld + hold.offset;
        Goal {
            place: place + self.stage.up * self.raise(leg, turn, place, hold),
            share: match hold.shares {
                Some(shares) => shares.place,
                None => self.share(leg, turn, unheld, hold),
            },
        }
    }

    /// Where the ankle goes, once the hips have moved: between its place in the world and where the leg brings it, but
    /// never into the floor.
    pub(super) fn reached(&self, leg: &Leg, goal: &Goal, hold: &Hold, shift: Vec3) -> Vec3 {
        if goal.share >= 1.0 {
            return goal.place;
        }
        let brought = self.target[leg.foot].position() + shift;
        let place = brought.lerp(goal.place, goal.share);
        place + self.stage.up * self.raise(leg, self.foot_turn(leg), place, hold)
    }

    /// How far a goal must be raised.
    fn raise(&self, leg: &Leg, turn: Quat, goal: Vec3, hold: &Hold) -> f32 {
        let toes = self.toes(leg);
        let below = |place: Vec3, least: f32| (least - self.height(place)).max(0.0);
        match self.stage.floor_rule {
            FloorRule::Off => 0.0,
            FloorRule::AsSource => {
                let own = self.height(self.seen(leg.source_foot)) + leg.sole;
                let of_ankle = below(goal, leg.ankle_height.min(own));
                toes.map_or(of_ankle, |own| {
                    let seen = self.seen_toes(leg).map(|toes| self.height(toes));
                    let least = seen.map_or(leg.toes_height, |seen| seen.min(leg.toes_height));
                    of_ankle.max(below(goal + own, least))
                })
            }
            FloorRule::Soles => {
                let sole = goal - turn * self.stage.up * leg.ankle_height;
                let of_sole = below(sole, -hold.below);
                toes.map_or(of_sole, |own| {
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
