//! Hands that touch the own body touch it in the target where they do in the source.
//!
//! ```text
//! b = A R⁻¹ (a − o)
//! w = smooth((far − g) / (far − near)) smooth((fast − v) / (fast − slow)),   q = 1 while w > ¼ and w > 0.7 some time of that
//! t = o′ + R′ A′⁻¹ b′
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | a, t | the source's palm, and where the target's shall be |
//! | o, R, A | a part's joint: where it is, how it is turned, its canonical axes from its own in the retarget pose; the target's with ′ |
//! | g, v | how far the palm is from the skin of the part, and how fast it moves along, in heights and heights a second: [`FAR`], [`FAST`] |
//! | w, q | how near the palm is; how much it touches, of arms [`OF_ARMS`] as much: it comes and goes over [`FADE`] seconds |
//! | b′ | at the same angle around the part and the same share along it as b, and as far from the skin: at least [`THICK`] |
//!
//! A limb and the trunk are tubes: around an axis, at some places along it, it is known how far away the skin is. A head is a ball, around
//! which the same is known by height and angle. Each part is measured on the skin; without one it has the measures of a person of that height.
//! Source: docs/laws.md, "Arms outside the body".

use super::BodyStage;
use crate::solve::smooth;
use crate::stage::View;
use crate::stage::kinematics::Placed;
use crate::stage::reach::{faded_over, point_of};
use glam::{Quat, Vec2, Vec3};
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;
use serde::{Deserialize, Serialize};
use std::f32::consts::{PI, TAU};

/// Distances from a palm to a part, in heights, between which a touch comes to count: the palm is in the hand, not on its skin.
const FAR: [f32; 2] = [0.02, 0.045];

/// Speeds of a palm along a part, in heights a second, between which it passes and does not touch.
const FAST: [f32; 2] = [0.12, 0.35];

/// How much touches of the other arm count: both move, and crossed arms press against the trunk.
const OF_ARMS: f32 = 0.33;

/// Nearness with which a touch goes on, and nearness that it must reach once. Nearness falls from 1 at the first of [`FAR`] and [`FAST`] to 0 at
/// the second.
const NEARNESS: [f32; 2] = [0.25, 0.7];

/// The shortest touch, seconds.
const SHORTEST: f32 = 0.3;

/// Seconds over which a touch comes and goes.
const FADE: f32 = 0.7;

/// From the skin of a hand to its palm, in heights: a palm is no nearer to what it touches.
const THICK: f32 = 0.012;

/// Ways of a palm, in lengths of the arm, between which what is touched becomes too far away to be touched.
const REACH: [f32; 2] = [0.25, 0.5];

/// Heights beyond the end of a tube over which a palm that touches its side comes to touch its end.
const CAP: f32 = 0.03;

/// A leg is drawn up where the cosine of the angle between thigh and hips is less: 50 degrees.
const DRAWN_UP: f32 = 0.64;

/// At how many places along a part its skin is known.
pub const ALONG: usize = 5;

/// At how many angles around it.
pub const AROUND: usize = 12;

/// A hand that may touch the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TouchingHand {
    /// Its place in [`BodyStage::arms`].
    pub arm: usize,
    /// The source's hand, a place in [`BodyStage::source`].
    pub source_hand: usize,
    /// The palm in the source hand's axes, source file units.
    pub source_palm: Vec3,
    /// The palm in the target hand's axes, target file units.
    pub palm: Vec3,
    /// What it may touch.
    pub parts: Vec<PartPair>,
}

/// What a part of the body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartKind {
    /// Chest or head.
    Trunk,
    /// The lower trunk, from which it is told whether a thigh is drawn up.
    Hips,
    /// A thigh.
    Thigh,
    /// A shin.
    Shin,
    /// The other arm.
    Arm,
}

/// A part of the body in source and target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartPair {
    /// What it is.
    pub kind: PartKind,
    /// The source's; its joint is a place in [`BodyStage::source`].
    pub source: BodyPart,
    /// The target's; its joint is a place in [`BodyStage::target`].
    pub target: BodyPart,
}

/// A part of a body. Its places are from its joint, in canonical axes and file units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyPart {
    /// What moves it.
    pub joint: usize,
    /// From the joint's axes to canonical ones, in the retarget pose.
    pub axes: Quat,
    /// Where a tube begins; the middle of a ball.
    pub origin: Vec3,
    /// Along a tube, or upwards in a ball; unit.
    pub axis: Vec3,
    /// How long a tube is; 0 of a ball.
    pub length: f32,
    /// How far the skin is from the axis or the middle: at places along, or from the lowest to the highest direction; at angles around, the
    /// first one forwards.
    pub radii: [[f32; AROUND]; ALONG],
}

/// Where something is by the shape of a part.
#[derive(Clone, Copy)]
struct Spot {
    /// Along a tube, from its beginning.
    along: f32,
    /// How far it is from the axis, or from the middle, and in which direction.
    far: f32,
    way: Vec3,
    /// How far the skin is there.
    skin: f32,
    /// How far beyond an end of the tube it is: negative before the beginning.
    beyond: f32,
}

/// A hand that touches a part in a frame.
#[derive(Clone, Copy)]
struct Contact {
    /// The target's joint that moves the part.
    joint: usize,
    /// What the hand touches.
    kind: PartKind,
    weight: f32,
    /// Where the palm shall be, in that joint's axes.
    place: Vec3,
}

/// What the hands of a clip touch.
#[derive(Default)]
pub(crate) struct Touches {
    /// Of each arm, frame by frame; empty of one that touches nothing.
    arms: Vec<Vec<Vec<Contact>>>,
    /// In which frames a leg is drawn up.
    drawn_up: Vec<bool>,
}

impl BodyStage {
    /// What the source's hands touch, where `view` shows its joints in a frame.
    pub(crate) fn touches<'a>(
        &'a self,
        times: &[f32],
        view: impl Fn(usize) -> View<'a>,
    ) -> Touches {
        let mut arms = vec![Vec::new(); self.arms.len()];
        for hand in &self.hands {
            for pair in &hand.parts {
                let ways = (0..times.len()).map(|frame| pair.source.seen(hand, &view(frame)));
                let ways: Vec<Vec3> = ways.collect();
                let weights = pair.weights(times, &ways, self.source_height);
                if weights.iter().all(|weight| *weight <= 0.0) {
                    continue;
                }
                let frames: &mut Vec<Vec<Contact>> = &mut arms[hand.arm];
                frames.resize(times.len(), Vec::new());
                for (frame, weight) in faded_over(times, &weights, FADE).into_iter().enumerate() {
                    if weight > 0.0 {
                        frames[frame].push(Contact {
                            joint: pair.target.joint,
                            kind: pair.kind,
                            weight,
                            place: pair.place(ways[frame], [self.source_height, self.height]),
                        });
                    }
                }
            }
        }
        let drawn_up = (0..times.len()).map(|frame| {
            // All hands know the same legs.
            let hand = self.hands.first();
            hand.is_some_and(|hand| hand.sees_leg_drawn_up(&view(frame)))
        });
        Touches {
            arms,
            drawn_up: drawn_up.collect(),
        }
    }
}

impl TouchingHand {
    /// True where a thigh of the source is turned far from its hips.
    fn sees_leg_drawn_up(&self, view: &View<'_>) -> bool {
        let part = |kind: PartKind| self.parts.iter().filter(move |pair| pair.kind == kind);
        let axis = |pair: &PartPair| view.rotation(pair.source.joint) * pair.source.own_axis();
        part(PartKind::Hips).any(|hips| {
            let down = -axis(hips);
            part(PartKind::Thigh).any(|thigh| axis(thigh).dot(down) < DRAWN_UP)
        })
    }
}
impl TouchingHand {
    /// The source's joints that it is about.
    pub fn sources(&self) -> impl Iterator<Item = usize> {
        let parts = self.parts.iter().map(|pair| pair.source.joint);
        parts.chain([self.source_hand])
    }

    /// The target's joints that it touches.
    pub fn targets(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().map(|pair| pair.target.joint)
    }

    /// The same with other numbers for the joints of source and target; `None` where one has no other.
    pub fn moved_by(
        mut self,
        source: impl Fn(usize) -> Option<usize>,
        target: impl Fn(usize) -> Option<usize>,
    ) -> Option<Self> {
        self.source_hand = source(self.source_hand)?;
        for pair in &mut self.parts {
            pair.source.joint = source(pair.source.joint)?;
            pair.target.joint = target(pair.target.joint)?;
        }
        Some(self)
    }
}

impl Touches {
    /// True where a hand touches something.
    pub(crate) fn is_any(&self, frame: usize) -> bool {
        let mut arms = self.arms.iter();
        arms.any(|frames| frames.get(frame).is_some_and(|found| !found.is_empty()))
    }

    /// True where an arm is to leave the legs: its hand touches one, or one is drawn up. An arm that swings past hanging legs does not stop
    /// before them.
    pub(super) fn leaves_legs(&self, arm: usize, frame: usize) -> bool {
        let contacts = self.arms.get(arm).and_then(|frames| frames.get(frame));
        let is_leg = |contact: &Contact| matches!(contact.kind, PartKind::Thigh | PartKind::Shin);
        self.is_drawn_up(frame) || contacts.is_some_and(|found| found.iter().any(is_leg))
    }

    /// True where a leg is drawn up.
    pub(crate) fn is_drawn_up(&self, frame: usize) -> bool {
        self.drawn_up
            .get(frame)
            .is_some_and(|is_drawn_up| *is_drawn_up)
    }

    /// How far the palm of a hand with this joint shall move in a frame, and how much that counts, 0 to 1: the less, the longer the way is
    /// relative to the `length` of the arm.
    pub(super) fn pull(
        &self,
        hand: Option<&TouchingHand>,
        frame: usize,
        look: &[Placed],
        joint: usize,
        length: f32,
    ) -> (Vec3, f32) {
        let Some(hand) = hand else {
            return Default::default();
        };
        let contacts = self.arms[hand.arm]
            .get(frame)
            .map_or(&[][..], Vec::as_slice);
        let palm = point_of(&look[joint], hand.palm);
        let (mut sum, mut whole, mut most) = (Vec3::ZERO, 0.0, 0.0_f32);
        for contact in contacts {
            let way = point_of(&look[contact.joint], contact.place) - palm;
            sum += way * contact.weight;
            whole += contact.weight;
            most = most.max(contact.weight);
        }
        let way = sum / whole.max(f32::MIN_POSITIVE);
        let reach = smooth((REACH[1] - way.length() / length) / (REACH[1] - REACH[0]));
        (way, most * reach)
    }
}

/// 1 in stretches in which a hand touches, 0 elsewhere: where it is near, and comes near enough, for long enough. A hand that hovers beside
/// the body does not come and go with each breath.
fn touching(times: &[f32], nearness: &[f32]) -> Vec<f32> {
    let mut weights = vec![0.0; nearness.len()];
    let [stays, begins] = NEARNESS;
    let is_one = |a: &f32, b: &f32| (*a >= stays) == (*b >= stays);
    let mut first = 0;
    for stretch in nearness.chunk_by(is_one) {
        let end = first + stretch.len();
        let most = stretch.iter().copied().fold(0.0, f32::max);
        if most >= begins && times[end - 1] - times[first] >= SHORTEST {
            weights[first..end].fill(1.0);
        }
        first = end;
    }
    weights
}

impl BodyPart {
    /// The source's palm, in the canonical axes of this part.
    fn seen(&self, hand: &TouchingHand, view: &View<'_>) -> Vec3 {
        let way = view.point(hand.source_hand, hand.source_palm) - view.position(self.joint);
        self.axes * (view.rotation(self.joint).conjugate() * way)
    }

    /// Directions of the angle 0 around it, and of a quarter of a turn.
    pub fn around(axis: Vec3) -> [Vec3; 2] {
        let forward = Vec3::Z.reject_from(axis).normalize_or(Vec3::X);
        [forward, axis.cross(forward)]
    }

    /// The axis in the axes of the joint.
    fn own_axis(&self) -> Vec3 {
        self.axes.conjugate() * self.axis
    }

    fn is_ball(&self) -> bool {
        self.length <= 0.0
    }

    /// How far the skin is, at a share of the length (of a ball from the lowest to the highest direction) and in a direction around.
    fn skin(&self, share: f32, way: Vec3) -> f32 {
        let [forward, aside] = Self::around(self.axis);
        let angle = way.dot(aside).arc_tangent(way.dot(forward)).rem_euclid(TAU);
        let (row, column) = (
            share.clamped(0.0, 1.0) * (ALONG - 1) as f32,
            angle / TAU * AROUND as f32,
        );
        let (first, turn) = (row as usize, column as usize);
        let between = |row: usize| {
            let radii = &self.radii[row.min(ALONG - 1)];
            let [one, other] = [turn, turn + 1].map(|turn| radii[turn % AROUND]);
            one + (other - one) * (column - turn as f32)
        };
        let [one, other] = [first, first + 1].map(between);
        one + (other - one) * (row - first as f32)
    }

    fn spot(&self, place: Vec3) -> Spot {
        let way = place - self.origin;
        let along = way.dot(self.axis);
        if self.is_ball() {
            let far = way.length();
            let sine = (along / far.max(f32::MIN_POSITIVE)).clamped(-1.0, 1.0);
            return Spot {
                along: 0.0,
                far,
                way: way.normalize_or_zero(),
                skin: self.skin(sine.arc_sine() / PI + 0.5, way),
                beyond: 0.0,
            };
        }
        let across = way - self.axis * along;
        Spot {
            along,
            far: across.length(),
            way: across.normalize_or_zero(),
            skin: self.skin(along / self.length, across),
            beyond: along.min(0.0) + (along - self.length).max(0.0),
        }
    }
}

impl PartPair {
    /// How much a palm on this way touches, frame by frame.
    fn weights(&self, times: &[f32], ways: &[Vec3], height: f32) -> Vec<f32> {
        let last = times.len().saturating_sub(1);
        let nearness = |(frame, way): (usize, &Vec3)| {
            let gap = self.gap(*way) / height;
            if gap >= FAR[1] {
                return 0.0;
            }
            let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
            let seconds = (times[after] - times[before]).max(f32::MIN_POSITIVE);
            let speed = ways[after].distance(ways[before]) / (seconds * height);
            let passed =
                |value: f32, [least, most]: [f32; 2]| smooth((most - value) / (most - least));
            passed(gap, FAR) * passed(speed, FAST)
        };
        let nearness: Vec<f32> = ways.iter().enumerate().map(nearness).collect();
        let mut weights = touching(times, &nearness);
        if self.kind == PartKind::Arm {
            weights.iter_mut().for_each(|weight| *weight *= OF_ARMS);
        }
        weights
    }

    /// How far a palm is from the source's skin.
    fn gap(&self, way: Vec3) -> f32 {
        let spot = self.source.spot(way);
        Vec2::new((spot.far - spot.skin).max(0.0), spot.beyond).length()
    }

    /// Where the target's palm shall be for the source's on this way, in the axes of the target's joint.
    fn place(&self, way: Vec3, [source_height, height]: [f32; 2]) -> Vec3 {
        let (spot, to) = (self.source.spot(way), &self.target);
        let (scale, thick) = (height / source_height, THICK * height);
        let share = if to.is_ball() {
            spot.way.dot(self.source.axis).arc_sine() / PI + 0.5
        } else {
            spot.along / self.source.length
        };
        let skin = to.skin(share, spot.way);
        let beside = skin + ((spot.far - spot.skin) * scale).max(thick);
        if to.is_ball() {
            return to.axes.conjugate() * (to.origin + spot.way * beside);
        }
        // A palm on the end of a tube stays as far inside of its side.
        let of_end = if spot.far < spot.skin {
            smooth(spot.beyond.abs() / (CAP * source_height))
        } else {
            0.0
        };
        let inside = spot.far * skin / spot.skin.max(f32::MIN_POSITIVE);
        let far = beside + (inside - beside) * of_end;
        let beyond = spot.beyond * scale;
        let beyond = beyond + (beyond.signum() * beyond.abs().max(thick) - beyond) * of_end;
        let along = share.clamped(0.0, 1.0) * to.length + beyond;
        to.axes.conjugate() * (to.origin + to.axis * along + spot.way * far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tube(radius: f32, length: f32) -> BodyPart {
        BodyPart {
            joint: 0,
            axes: Quat::IDENTITY,
            origin: Vec3::ZERO,
            axis: Vec3::NEG_Y,
            length,
            radii: [[radius; AROUND]; ALONG],
        }
    }

    fn pair(source: BodyPart, target: BodyPart) -> PartPair {
        PartPair {
            kind: PartKind::Trunk,
            source,
            target,
        }
    }

    /// What is on the skin of a limb or in it is a hand's thickness over that of another, at the same share and angle; what is before the end
    /// of one is before the end of the other.
    #[test]
    fn skins_go_to_skins() {
        let pair = pair(tube(0.1, 1.0), tube(0.3, 2.0));
        let thick = THICK * 2.0;
        for angle in [0.0, 0.7, 2.0, 4.0] {
            let around = Quat::from_rotation_y(angle) * Vec3::X;
            for far in [0.05, 0.1] {
                let way = Vec3::NEG_Y * 0.25 + around * far;
                assert_eq!(pair.gap(way), 0.0);
                let expected = Vec3::NEG_Y * 0.5 + around * (0.3 + thick);
                let place = pair.place(way, [1.0, 2.0]);
                assert!(place.distance(expected) < 1e-5, "{place} {expected}");
            }
            let gap = pair.gap(Vec3::NEG_Y * 0.25 + around * 0.13);
            assert!((gap - 0.03).abs() < 1e-6, "{gap}");
            let end = Vec3::NEG_Y * 1.04 + around * 0.05;
            assert!((pair.gap(end) - 0.04).abs() < 1e-6);
            let place = pair.place(end, [1.0, 2.0]);
            let expected = Vec3::NEG_Y * 2.08 + around * 0.15;
            assert!(place.distance(expected) < 1e-5, "{place} {expected}");
        }
    }

    /// A palm on a head stays on its side of it.
    #[test]
    fn heads_are_balls() {
        let ball = |radius: f32| BodyPart {
            axis: Vec3::Y,
            ..tube(radius, 0.0)
        };
        let pair = pair(ball(0.1), ball(0.4));
        for way in [Vec3::Y, Vec3::NEG_Z, Vec3::new(0.6, 0.8, 0.0)] {
            let place = pair.place(way * 0.12, [1.0, 1.0]);
            assert!(place.distance(way * 0.42) < 1e-5, "{way}: {place}");
        }
    }

    /// A palm that stays by a part touches it; one that passes it quickly, or is further away, does not.
    #[test]
    fn palms_that_pass_touch_nothing() {
        let pair = pair(tube(0.1, 1.0), tube(0.1, 1.0));
        let times: Vec<f32> = (0..30).map(|frame| frame as f32 / 30.0).collect();
        let most = |way: &dyn Fn(f32) -> Vec3| {
            let ways: Vec<Vec3> = times.iter().map(|time| way(*time)).collect();
            let weights = pair.weights(&times, &ways, 1.0);
            weights.into_iter().fold(0.0, f32::max)
        };
        let beside = Vec3::new(0.11, -0.5, 0.0);
        assert_eq!(most(&|_| beside), 1.0);
        assert_eq!(most(&|_| beside + Vec3::X * 0.05), 0.0);
        assert_eq!(most(&|time| beside + Vec3::Y * (time - 0.5) * 1.2), 0.0);
    }
}
