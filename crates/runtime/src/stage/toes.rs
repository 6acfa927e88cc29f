//! Toes that bend out of the floor, and feet without toes that turn out of it.
//!
//! ```text
//! h(θ) = k + c cos θ + s sin θ              height of a point of the toes that have bent up by θ
//! k = (p + a (a · w)) · u,   c = (w − a (a · w)) · u,   s = (a × w) · u
//! l = min(φ, p · u − τ)                     what no point may be below
//! y = g soft(the least angle with h ≥ l for all points, [`MOST`] at most),   soft(x) = x² / (x + x₀)
//! θ(t) = argmin ∫ m (θ − z)² + T⁶ θ‴²,   θ ≥ y    gently, where the whole clip is known
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | p, w | the joint of the toes; way from it to a point of their skin, model space |
//! | a | axis about which toes bend up, model space |
//! | u, φ | up; height of the floor |
//! | τ | height of the joint when the foot stands: on a step below the main floor toes may be as low as their ball |
//! | g | 1 where the sole looks down, 0 where the toes point straight down or the foot lies on its back: [`DOWN`] |
//! | g of a whole foot | the same by [`DOWN_FOOT`], and 0 where its heel is down ([`HEEL`]), or its shin level as that of a body that kneels ([`STEEP`]) |
//! | x₀ | [`SOFT`] |
//! | z, m | y and [`STANDS`] where the ball stands, 0 and 1 elsewhere |
//!
//! Feet are planted by their joints ([`feet`](super::feet)). A heel that rises takes toes along that have no motion of their own, and their
//! tips go into the floor; so do long shoes on a foot that was captured with short ones. A person's toes bend there.
//!
//! A foot leaves the floor faster than toes may stretch, so they stretch behind it, and in the air they begin to bend before they must. On
//! a ball that stands they bend only as far as they must: the sole would turn away from under it. While a motion runs they move as transferred.
//! Degenerate cases: a point that cannot come so high goes as high as it can; points that bending would lower do not count.

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

/// No body has more feet with toes that bend.
pub(crate) const MOST_FEET: usize = 2;

/// T, seconds.
const GENTLE: f64 = 0.08;

/// T of whole feet, seconds.
const GENTLE_FOOT: f64 = 0.1;

/// How closely toes follow the least angle while the foot stands on them, against 1 for the wish of others to be straight.
const STANDS: f64 = 60.0;

/// A ball that is no higher than this share above its height when standing stands.
const NEAR: f32 = 0.2;

/// How often what is wanted and what is allowed are brought together, and what the last round may still be off, radians.
const ROUNDS: (usize, f64) = (20, 1e-3);

/// A whole foot begins to turn where its ankle rises, and turns as far as it must where the ankle is higher by this share than when it stands.
const HEEL: f32 = 0.4;

/// x₀, radians: toes begin to bend without a corner.
const SOFT: f32 = 0.04;

/// Cosines between up and the upper side of the toes: up to the first they do not bend, from the second on as far as they must.
const DOWN: [f32; 2] = [0.05, 0.3];

/// The same of whole feet, which pull their heels down as they turn.
const DOWN_FOOT: [f32; 2] = [0.3, 0.6];

/// Cosines between up and the way from ankle to knee: up to the first a whole foot stays as it lies, from the second on it turns.
const STEEP: [f32; 2] = [0.2, 0.5];

/// Bends toes out of the floor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToesStage {
    /// Up, in the target's file space, unit.
    pub up: Vec3,
    /// Height of the target's floor along `up`.
    pub floor: f32,
    /// The toes of each foot; at most two.
    pub toes: Vec<BendingToes>,
    /// Source joints looked at: none.
    pub source: Kinematics,
    /// Target joints looked at.
    pub target: Kinematics,
}

/// The toes of one foot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BendingToes {
    /// Their joint, a place in [`ToesStage::target`].
    pub joint: usize,
    /// Axis about which they bend up, in the joint's axes, unit.
    pub axis: Vec3,
    /// Up when the foot stands, in the joint's axes, unit.
    pub up: Vec3,
    /// Height of the joint when the foot stands.
    pub height: f32,
    /// The knee above a foot without toes, which turns as a whole; a place in [`ToesStage::target`].
    pub knee: Option<usize>,
    /// Points of their skin ahead, in the joint's axes, file units.
    pub points: Vec<Vec3>,
}

impl ToesStage {
    /// How far the toes of each foot bend up in the frames of a clip, radians; `placed` are the target's joints in each.
    pub(crate) fn bends(
        &self,
        times: &[f32],
        placed: &[Option<Vec<Placed>>],
    ) -> Vec<[f32; MOST_FEET]> {
        let mut bends = vec![[0.0; MOST_FEET]; times.len()];
        for (foot, toes) in self.toes.iter().enumerate().take(MOST_FEET) {
            let least = placed.iter().map(|placed| {
                let bend = placed.as_ref().map(|placed| self.bend(toes, placed));
                bend.map_or(0.0, f64::from)
            });
            let least: Vec<f64> = least.collect();
            if least.iter().all(|least| *least == 0.0) {
                continue;
            }
            let stands = placed.iter().map(|placed| {
                let own = placed.as_ref().map(|placed| &placed[toes.joint]);
                own.is_some_and(|own| self.stands(toes, own))
            });
            let stands: Vec<bool> = stands.collect();
            let weights = stands
                .iter()
                .map(|stands| if *stands { STANDS } else { 1.0 });
            let gentle = toes.knee.map_or(GENTLE, |_| GENTLE_FOOT);
            let calm = Calm::firm(times, &weights.collect::<Vec<f64>>(), gentle);
            let wanted = least.iter().zip(&stands);
            let wanted = wanted.map(|(least, stands)| if *stands { *least } else { 0.0 });
            let wanted: Vec<f64> = wanted.collect();
            let made = calm.within(&wanted, ROUNDS, |frame, bend: f64| bend.max(least[frame]));
            for (bends, bend) in bends.iter_mut().zip(made) {
                bends[foot] = bend.clamped(0.0, f64::from(MOST)) as f32;
            }
        }
        bends
    }

    /// True where the ball of the foot is as low as it stands.
    fn stands(&self, toes: &BendingToes, own: &Placed) -> bool {
        own.position().dot(self.up) - self.floor < (1.0 + NEAR) * toes.height
    }

    /// How far toes must bend up, radians.
    fn bend(&self, toes: &BendingToes, placed: &[Placed]) -> f32 {
        let own = &placed[toes.joint];
        let (up, axis) = (self.up, own.rotation * toes.axis);
        let joint = own.position().dot(up);
        let looks_down = (own.rotation * toes.up).dot(up);
        let between = |value: f32, [none, whole]: [f32; 2]| smooth((value - none) / (whole - none));
        let mut share = between(looks_down, DOWN);
        if let Some(knee) = toes.knee {
            let shin = (placed[knee].position() - own.position()).normalize_or_zero();
            share *= between(shin.dot(up), STEEP) * between(looks_down, DOWN_FOOT);
            let above = joint - self.floor - toes.height;
            share *= smooth(above / (HEEL * toes.height).max(f32::MIN_POSITIVE));
        }
        if share <= 0.0 {
            return 0.0;
        }
        let lowest = self.floor.min(joint - toes.height);
        let least = toes.points.iter().map(|point| {
            let way = own.rotation * *point;
            let height = joint + way.dot(up);
            if height >= lowest {
                return 0.0;
            }
            let still = joint + axis.dot(way) * axis.dot(up);
            let (cosine, sine) = (height - still, axis.cross(way).dot(up));
            let reach = cosine.hypotenuse(sine).max(f32::MIN_POSITIVE);
            let from_top = ((lowest - still) / reach).clamped(-1.0, 1.0);
            sine.arc_tangent(cosine) - from_top.arc_cosine()
        });
        let angle = least.fold(0.0, f32::max).min(MOST);
        share * angle * angle / (angle + SOFT)
    }
}

impl Operation for ToesStage {
    fn joints(&self) -> Vec<usize> {
        let toes = self.toes.iter();
        let mut all: Vec<usize> = toes.map(|toes| self.target.joint(toes.joint)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        let Some(bends) = frame.given.bends else {
            return;
        };
        for (toes, angle) in self.toes.iter().zip(bends) {
            if angle > 0.0 {
                let joint = &mut frame.pose[self.target.joint(toes.joint)];
                joint.rotation =
                    normalized_or_identity(joint.rotation * Quat::about(toes.axis, angle));
            }
        }
    }

    fn check(&self, sizes: Sizes) -> Checked {
        self.source.check(sizes.source)?;
        self.target.check(sizes.target)?;
        let knees = self.toes.iter().filter_map(|toes| toes.knee);
        let joints = self.toes.iter().map(|toes| toes.joint).chain(knees);
        within(joints, self.target.len())?;
        ensure(
            self.toes.len() <= MOST_FEET && self.toes.iter().all(|toes| !toes.points.is_empty()),
            "toes that bend are too many, or have no skin",
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

    /// Toes ahead of their joint along +Z, one unit long, whose joint is 0.2 high when the foot stands.
    fn toes() -> (ToesStage, BendingToes) {
        let toes = BendingToes {
            joint: 0,
            axis: Vec3::NEG_X,
            up: Vec3::Y,
            height: 0.2,
            knee: None,
            points: vec![
                Vec3::new(0.0, -0.2, 0.0),
                Vec3::new(0.1, -0.2, 1.0),
                Vec3::new(-0.1, 0.1, 1.0),
            ],
        };
        let stage = ToesStage {
            up: Vec3::Y,
            ..ToesStage::default()
        };
        (stage, toes)
    }

    /// The joint at a height, with the toes down by so many degrees.
    fn placed(height: f32, down: f32) -> Placed {
        let turn = Quat::from_rotation_x(down.to_radians());
        Placed::new(turn, Vec3::new(0.0, height, 0.0).into(), Shape::Even(1.0))
    }

    /// Height of the lowest point once the toes have bent.
    fn lowest(toes: &BendingToes, own: &Placed, angle: f32) -> f32 {
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
            let angle = stage.bend(&toes, &[own]);
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
        let stage = ToesStage {
            toes: vec![own.clone()],
            ..stage
        };
        let times: Vec<f32> = (0..90).map(|frame| frame as f32 / 60.0).collect();
        // The heel rises from 0.5 s on by 40 degrees in a quarter of a second, and comes down as fast from 1 s on.
        let down = |time: f32| 40.0 * (smooth((time - 0.5) / 0.25) - smooth((time - 1.0) / 0.25));
        let frames = times.iter().map(|time| placed(0.2, down(*time)));
        let frames: Vec<Placed> = frames.collect();
        let looks: Vec<Option<Vec<Placed>>> = frames.iter().map(|own| Some(vec![*own])).collect();
        let bends = stage.bends(&times, &looks);
        for ((time, placed), [bend, _]) in times.iter().zip(&frames).zip(bends) {
            let least = stage.bend(&own, &[*placed]);
            assert!(bend > least - 5e-3, "{time}: {bend} of {least}");
            assert!(bend < least + 0.06, "{time}: {bend} of {least}");
            let stands_flat = *time < 0.45 || *time > 1.3;
            assert!(!stands_flat || bend < 0.01, "{time}: {bend}");
        }
    }

    /// A whole foot turns where its heel is up, and not where it stands on its heel or its body kneels.
    #[test]
    fn a_foot_without_toes_turns_where_its_heel_is_up() {
        let (stage, toes) = toes();
        let foot = BendingToes {
            knee: Some(1),
            ..toes
        };
        // The knee, one unit away, is above the ankle or behind it.
        let frame = |height: f32, down: f32, way: Vec3| {
            let mut knee = placed(height, 0.0);
            knee.shift(way);
            [placed(height, down), knee]
        };
        for (height, down, way) in [(0.2, 20.0, Vec3::Y), (0.5, 60.0, Vec3::Z)] {
            let frame = frame(height, down, way);
            assert!(lowest(&foot, &frame[0], 0.0) < 0.0, "{height} {down}");
            assert_eq!(stage.bend(&foot, &frame), 0.0, "{height} {down}");
        }
        for (height, down) in [(0.3, 30.0), (0.5, 50.0)] {
            let frame = frame(height, down, Vec3::new(0.0, 0.7, -0.7));
            let angles = [0.0, stage.bend(&foot, &frame)];
            let [before, after] = angles.map(|angle| lowest(&foot, &frame[0], angle));
            assert!(before < -0.3 && after > -0.05, "{before} {after}");
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
                stage.bend(&toes, &[placed(height, down)]),
                0.0,
                "{height} {down}"
            );
        }
    }
}
