//! Where a foot shall be (F2, F9, F10).

use super::{Anchor, FloorRule, Leg, Work};
use glam::{Quat, Vec3};
use rebone_model::rotation::swing_twist;

/// Heights of the toes above their rest, as shares of K, between which the ball of the foot takes over.
const BALL: [f32; 2] = [0.02, 0.06];

impl Work<'_> {
    /// A place of the source in the target's file space.
    pub(super) fn seen(&self, joint: usize) -> Vec3 {
        self.stage.linear * self.source[joint].position() + self.stage.shift
    }

    fn height(&self, place: Vec3) -> f32 {
        place.dot(self.stage.up) - self.stage.floor
    }

    /// Where the ankle shall be.
    pub(super) fn goal(&self, leg: &Leg) -> Vec3 {
        let up = self.stage.up;
        let turn = self.target[leg.foot].rotation * leg.foot_frame;
        let left = turn * self.stage.left;
        let aside = (left - up * left.dot(up)) * leg.aside;
        let ankle = self.seen(leg.source_foot);
        let toes = leg.toes.zip(leg.source_toes).map(|(own, source)| {
            let own = self.target[own].position() - self.target[leg.foot].position();
            (own, self.seen(source))
        });
        let mut goal = ankle + turn * up * leg.sole + aside;
        if let (Anchor::Ball, Some((own, toes))) = (self.stage.anchor, toes) {
            let toes = toes + up * leg.ball;
            let above = self.height(toes) - leg.toes_height;
            let share = 1.0 - smooth((above / self.stage.size - BALL[0]) / (BALL[1] - BALL[0]));
            if share > 0.0 {
                let ball = toes + yaw(turn, up) * leg.ahead + aside - own;
                goal = goal.lerp(ball, share);
            }
        }
        goal + up * self.raise(leg, turn, goal, ankle, toes)
    }

    /// How far a goal must be raised.
    fn raise(
        &self,
        leg: &Leg,
        turn: Quat,
        goal: Vec3,
        ankle: Vec3,
        toes: Option<(Vec3, Vec3)>,
    ) -> f32 {
        match self.stage.floor_rule {
            FloorRule::Off => 0.0,
            FloorRule::AsSource => {
                let of_ankle = leg.ankle_height.min(self.height(ankle) + leg.sole);
                let mut raise = (of_ankle - self.height(goal)).max(0.0);
                if let Some((own, toes)) = toes {
                    let of_toes = leg.toes_height.min(self.height(toes) + leg.ball);
                    raise = raise.max(of_toes - self.height(goal + own));
                }
                raise
            }
            FloorRule::Soles => {
                let up = turn * self.stage.up;
                let mut raise = (-self.height(goal - up * leg.ankle_height)).max(0.0);
                if let Some((own, _)) = toes {
                    // The toes lie flat where the heel is up, and never lie deeper than they are thick.
                    raise = raise.max(leg.toes_height - self.height(goal + own));
                }
                raise
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
