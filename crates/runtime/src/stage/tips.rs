//! Tips that turn out of the floor: toes, and what hands hold.
//!
//! ```text
//! h(θ) = k + c cos θ + s sin θ              height of a point of a tip that has turned up by θ
//! k = (p + a (a · w)) · u,   c = (w − a (a · w)) · u,   s = (a × w) · u
//! l = min(φ, p · u − τ)                     what no point may be below
//! y = g soft(the least angle with h ≥ l for all points, [`MOST`] or [`MOST_HELD`] at most),   soft(x) = x² / (x + x₀)
//! θ(t) = argmin ∫ m (θ − z)² + T⁶ θ‴²,   θ ≥ y    gently, where the whole clip is known
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | p, w | the joint that turns; way from it to a point of the skin ahead, model space |
//! | a | axis about which it turns up, model space |
//! | u, φ | up; height of the floor |
//! | τ | height of the joint when the foot stands: on a step below the main floor toes may be as low as their ball; 0 of hands |
//! | g | 1 where the sole looks down, 0 where the toes point straight down or the foot lies on its back: [`DOWN`] |
//! | g of what a hand holds | of each point: 1 where it rises as the hand turns, 0 where it hangs straight down: [`RISES`] |
//! | x₀ | [`SOFT`]; of hands [`SOFT_HELD`] |
//! | z, m | y and [`STANDS`] where the ball stands, 0 and 1 elsewhere |
//!
//! Feet are planted by their joints ([`feet`](super::feet)). A heel that rises takes toes along that have no motion of their own, and their
//! tips go into the floor; so do long shoes on a foot that was captured with short ones. A person's toes bend there.
//! A sword may reach into the floor: the legs are short, or the source held no sword. The hand then turns it towards the forearm, as a
//! person lifts a sword.
//!
//! A foot leaves the floor faster than toes may stretch, so they stretch behind it, and in the air they begin to bend before they must. On
//! a ball that stands they bend only as far as they must: the sole would turn away from under it. While a motion runs all move as transferred.
//! Degenerate cases: a point that cannot come so high goes as high as it can; points that turning would lower do not count.

use super::kinematics::{Kinematics, Placed};
use super::{Frame, Operation};
use crate::check::{Checked, Sizes, ensure, within};
use crate::solve::calm::Calm;
use crate::solve::smooth;
use glam::{Quat, Vec3};
use rebone_model::Clamp as _;
use rebone_model::elementary::{Elementary as _, Turn as _};
use rebone_model::rotation::normalized_or_identity;
use serde::{Deserialize, Serialize};

/// Toes bend no further, radians.
const MOST: f32 = 1.1;

/// Nor does a hand turn further that holds something, radians.
const MOST_HELD: f32 = 0.8;

/// No body has more feet and hands that turn.
pub(crate) const MOST_TIPS: usize = 4;

/// T, seconds.
const GENTLE: f64 = 0.08;

/// T of hands, seconds.
const GENTLE_HELD: f64 = 0.25;

/// How fast a point of what a hand holds rises as the hand turns, shares of its distance from the hand: up to the first it does not count, from
/// the second on in full.
const RISES: [f32; 2] = [0.05, 0.2];

/// How closely toes follow the least angle while the foot stands on them, against 1 for the wish of others to be straight.
const STANDS: f64 = 60.0;

/// A ball that is no higher than this share above its height when standing stands.
const NEAR: f32 = 0.2;

/// How often what is wanted and what is allowed are brought together.
const ROUNDS: usize = 20;

/// What the last of these rounds may still be off, radians.
const OFF: f64 = 1e-3;

/// x₀, radians: toes begin to bend without a corner.
const SOFT: f32 = 0.04;

/// x₀ of hands, radians: what they hold is long.
const SOFT_HELD: f32 = 0.01;

/// Cosines between up and the upper side of the toes: up to the first they do not bend, from the second on as far as they must.
const DOWN: [f32; 2] = [0.05, 0.3];

/// Turns tips of feet, and of what hands hold, out of the floor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TipsStage {
    /// Up, in the target's file space, unit.
    pub up: Vec3,
    /// Height of the target's floor along `up`.
    pub floor: f32,
    /// What turns; at most four.
    pub tips: Vec<Tip>,
    /// Source joints looked at: none.
    pub source: Kinematics,
    /// Target joints looked at.
    pub target: Kinematics,
}

/// A joint that turns the skin ahead of it out of the floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tip {
    /// A place in [`TipsStage::target`].
    pub joint: usize,
    /// Axis about which it turns up, in the joint's axes, unit.
    pub axis: Vec3,
    /// Points of the skin ahead, in the joint's axes, file units.
    pub points: Vec<Vec3>,
    /// What it is.
    pub kind: TipKind,
}

/// What turns out of the floor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum TipKind {
    /// Toes, which bend at their joint; a foot without any turns in `stage::feet`.
    Toes {
        /// Up when the foot stands, in the joint's axes, unit.
        up: Vec3,
        /// Height of the joint when the foot stands.
        height: f32,
    },
    /// What a hand holds.
    Held,
}

impl TipKind {
    /// The furthest turn, radians.
    fn most(self) -> f32 {
        match self {
            Self::Toes { .. } => MOST,
            Self::Held => MOST_HELD,
        }
    }

    /// T, seconds.
    fn gentle(self) -> f64 {
        match self {
            Self::Toes { .. } => GENTLE,
            Self::Held => GENTLE_HELD,
        }
    }
}

/// 0 up to the first of two bounds, 1 from the second on.
pub(super) fn between(value: f32, [none, whole]: [f32; 2]) -> f32 {
    smooth((value - none) / (whole - none))
}

/// How far a way turns about an axis until its end is as high as `height`, radians; and how fast its end rises at first. It turns as far
/// as it rises where that is too high.
pub(super) fn least_turn(way: Vec3, axis: Vec3, up: Vec3, height: f32) -> (f32, f32) {
    let still = axis.dot(way) * axis.dot(up);
    let (cosine, sine) = (way.dot(up) - still, axis.cross(way).dot(up));
    let reach = cosine.hypotenuse(sine).max(f32::MIN_POSITIVE);
    let from_top = ((height - still) / reach).clamped(-1.0, 1.0);
    (sine.arc_tangent(cosine) - from_top.arc_cosine(), sine)
}

impl TipsStage {
    /// How far each tip turns up in the frames of a clip, radians; `placed` are the target's joints in each.
    pub(crate) fn turns(
        &self,
        times: &[f32],
        placed: &[Option<Vec<Placed>>],
    ) -> Vec<[f32; MOST_TIPS]> {
        let mut turns = vec![[0.0; MOST_TIPS]; times.len()];
        for (number, tip) in self.tips.iter().enumerate().take(MOST_TIPS) {
            let least = placed.iter().map(|placed| {
                let turn = placed.as_ref().map(|placed| self.turn(tip, placed));
                turn.map_or(0.0, f64::from)
            });
            let least: Vec<f64> = least.collect();
            if least.iter().all(|least| *least == 0.0) {
                continue;
            }
            let stands = placed.iter().map(|placed| {
                let own = placed.as_ref().map(|placed| &placed[tip.joint]);
                own.is_some_and(|own| self.stands(tip, own))
            });
            let stands: Vec<bool> = stands.collect();
            let weights = stands
                .iter()
                .map(|stands| if *stands { STANDS } else { 1.0 });
            let calm = Calm::firm(times, &weights.collect::<Vec<f64>>(), tip.kind.gentle());
            let wanted = least.iter().zip(&stands);
            let wanted = wanted.map(|(least, stands)| if *stands { *least } else { 0.0 });
            let wanted: Vec<f64> = wanted.collect();
            let allowed = |frame: usize, turn: f64| turn.max(least[frame]);
            let made = calm.within(&wanted, ROUNDS, OFF, allowed);
            for (turns, turn) in turns.iter_mut().zip(made) {
                turns[number] = turn.clamped(0.0, f64::from(tip.kind.most())) as f32;
            }
        }
        turns
    }

    /// True where the ball of a foot is as low as it stands.
    fn stands(&self, tip: &Tip, own: &Placed) -> bool {
        let TipKind::Toes { height, .. } = tip.kind else {
            return false;
        };
        own.position().dot(self.up) - self.floor < (1.0 + NEAR) * height
    }

    /// How far a tip must turn up, radians.
    fn turn(&self, tip: &Tip, placed: &[Placed]) -> f32 {
        let own = &placed[tip.joint];
        let (up, axis) = (self.up, own.rotation * tip.axis);
        let joint = own.position().dot(up);
        let (share, lowest, soft) = match tip.kind {
            TipKind::Toes { up: sole, height } => {
                let share = between((own.rotation * sole).dot(up), DOWN);
                (share, self.floor.min(joint - height), SOFT)
            }
            TipKind::Held => (1.0, self.floor.min(joint), SOFT_HELD),
        };
        if share <= 0.0 {
            return 0.0;
        }
        let least = tip.points.iter().map(|point| {
            let way = own.rotation * *point;
            let height = joint + way.dot(up);
            if height >= lowest {
                return 0.0;
            }
            let (least, sine) = least_turn(way, axis, up, lowest - joint);
            match tip.kind {
                TipKind::Toes { .. } => least,
                TipKind::Held => least * between(sine / way.length(), RISES),
            }
        });
        let angle = least.fold(0.0, f32::max).min(tip.kind.most());
        share * angle * angle / (angle + soft)
    }
}

impl Operation for TipsStage {
    fn joints(&self) -> Vec<usize> {
        let tips = self.tips.iter();
        let mut all: Vec<usize> = tips.map(|tip| self.target.joint(tip.joint)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        let Some(turns) = frame.given.tips else {
            return;
        };
        for (tip, angle) in self.tips.iter().zip(turns) {
            if angle > 0.0 {
                let joint = &mut frame.pose[self.target.joint(tip.joint)];
                joint.rotation =
                    normalized_or_identity(joint.rotation * Quat::about(tip.axis, angle));
            }
        }
    }

    fn check(&self, sizes: Sizes) -> Checked {
        self.source.check(sizes.source)?;
        self.target.check(sizes.target)?;
        let joints = self.tips.iter().map(|tip| tip.joint);
        within(joints, self.target.len())?;
        ensure(
            self.tips.len() <= MOST_TIPS && self.tips.iter().all(|tip| !tip.points.is_empty()),
            "tips that turn are too many, or have no skin",
        )
    }

    fn kinematics(&self) -> Option<[&Kinematics; 2]> {
        Some([&self.source, &self.target])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::kinematics::Shape;

    /// A foot whose joint is 0.2 high when it stands.
    const KIND: TipKind = TipKind::Toes {
        up: Vec3::Y,
        height: 0.2,
    };

    /// Toes ahead of their joint along +Z, one unit long, whose joint is 0.2 high when the foot stands.
    fn toes() -> (TipsStage, Tip) {
        let toes = Tip {
            joint: 0,
            axis: Vec3::NEG_X,
            kind: KIND,
            points: vec![
                Vec3::new(0.0, -0.2, 0.0),
                Vec3::new(0.1, -0.2, 1.0),
                Vec3::new(-0.1, 0.1, 1.0),
            ],
        };
        let stage = TipsStage {
            up: Vec3::Y,
            ..TipsStage::default()
        };
        (stage, toes)
    }

    /// The joint at a height, with the toes down by so many degrees.
    fn placed(height: f32, down: f32) -> Placed {
        let turn = Quat::from_rotation_x(down.to_radians());
        Placed::new(turn, Vec3::new(0.0, height, 0.0).into(), Shape::Even(1.0))
    }

    /// Height of the lowest point once the toes have bent.
    fn lowest(toes: &Tip, own: &Placed, angle: f32) -> f32 {
        let turn = own.rotation * Quat::about(toes.axis, angle);
        let heights = toes
            .points
            .iter()
            .map(|point| own.position().y + (turn * *point).y);
        heights.fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn toes_come_out_of_the_floor_and_no_further() {
        let (stage, toes) = toes();
        let mut last = 0.0;
        for step in 0..=550 {
            let down = 0.1 * step as f32;
            // The heel rises, and the ball stays where it stands.
            let own = placed(0.2 + 0.001, down);
            let angle = stage.turn(&toes, &[own]);
            let before = lowest(&toes, &own, 0.0);
            let after = lowest(&toes, &own, angle);
            if before >= 0.0 {
                assert_eq!(angle, 0.0, "{down}");
            } else {
                // What is left below is what begins softly.
                assert!(
                    after > before && (-0.06..1e-4).contains(&after),
                    "{down}: {after}"
                );
            }
            assert!((angle - last).abs() < 0.005, "{down}: {last} {angle}");
            last = angle;
        }
        assert!(last > 0.8, "{last}");
    }

    /// Toes on which the foot stands stay straight until the heel rises, and are out of the floor in every frame.
    #[test]
    fn toes_on_which_the_foot_stands_do_not_bend_early() {
        let (stage, own) = toes();
        let stage = TipsStage {
            tips: vec![own.clone()],
            ..stage
        };
        let times: Vec<f32> = (0..90).map(|frame| frame as f32 / 60.0).collect();
        // The heel rises from 0.5 s on by 40 degrees in a quarter of a second, and comes down as fast from 1 s on.
        let down = |time: f32| 40.0 * (smooth((time - 0.5) / 0.25) - smooth((time - 1.0) / 0.25));
        let frames = times.iter().map(|time| placed(0.2, down(*time)));
        let frames: Vec<Placed> = frames.collect();
        let looks: Vec<Option<Vec<Placed>>> = frames.iter().map(|own| Some(vec![*own])).collect();
        let bends = stage.turns(&times, &looks);
        for ((time, placed), [bend, ..]) in times.iter().zip(&frames).zip(bends) {
            let least = stage.turn(&own, &[*placed]);
            assert!(bend > least - 5e-3, "{time}: {bend} of {least}");
            assert!(bend < least + 0.06, "{time}: {bend} of {least}");
            let stands_flat = *time < 0.45 || *time > 1.3;
            assert!(!stands_flat || bend < 0.01, "{time}: {bend}");
        }
    }

    /// On a step below the main floor toes are as low as their ball; high above the floor they hang; a foot on its back is left alone.
    #[test]
    fn toes_that_need_not_bend_do_not() {
        let (stage, toes) = toes();
        for (height, down) in [
            (0.2, 0.0),
            (-0.8, 0.0),
            (1.5, 60.0),
            (0.05, 180.0),
            (0.3, 90.0),
        ] {
            assert_eq!(
                stage.turn(&toes, &[placed(height, down)]),
                0.0,
                "{height} {down}"
            );
        }
    }
    /// A sword ahead of a hand is out of the floor, rises without a jump as the arm swings, and is left alone where it hangs straight down.
    #[test]
    fn what_a_hand_holds_comes_out_of_the_floor() {
        let (stage, toes) = toes();
        let sword = Tip {
            kind: TipKind::Held,
            points: vec![Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.0, -0.1, 0.5)],
            ..toes
        };
        let mut last = None;
        for step in -900..=900 {
            let down = 0.1 * step as f32;
            let own = placed(0.6, down);
            let angle = stage.turn(&sword, &[own]);
            let after = lowest(&sword, &own, angle);
            assert!(after > lowest(&sword, &own, 0.0) - 1e-6);
            assert!(
                !(0.0..60.0).contains(&down) || after > -0.05,
                "{down}: {after}"
            );
            let jump = last.map_or(0.0, |last: f32| (angle - last).abs());
            assert!(jump < 0.02, "{down}: {angle}");
            last = Some(angle);
        }
        assert!(last.is_some_and(|last| last < 0.01), "{last:?}");
    }
}
