//! Feet where they belong: goals for the feet, hips that follow, legs that reach.
//!
//! ```text
//! g  = S(a) + D_f u (η_B − k η_A) + σ ½ (w_B − k w_A) P(D_f x) + P(D_h λ)           by the sole below the ankle
//! t  = S(t_A) + u (τ_B − k τ_A) + Y(ρ) + σ ½ (w_B − k w_A) P(D_f x),  g = t − (ankle to toes)   by the ball
//! g  raised until neither sole goes below the floor
//! Ĥ  = S(H_A) + c unit(S(H_A) − S(F_A))                                             hips along the legs
//! H  = Ĥ − a Σ p unit(v),   v = J − g,   p = max(0, |v| − f)                        pulled by short legs
//! leg from J + (H − Ĥ) to g, bent as it was; the foot keeps its rotation
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | S | the source's file space to the target's: turned, scaled by k, from floor to floor |
//! | a, t_A | the source's ankle and the joint of its toes |
//! | D_f | what the target's foot has turned since the retarget pose; D_f u and D_f x: its up and its left |
//! | D_h | what the target's hips have turned since the retarget pose |
//! | η, w | height of the ankle when standing; distance between the thigh joints |
//! | τ, ρ | height of the toes when standing; way from ankle to toes over the ground, the target's less k times the source's |
//! | λ | of animals, along the body: how far ahead of the hips a pair of feet stands, the target's less k times the source's; 0 of people |
//! | Y, P, σ | the yaw of D_f; without the vertical part (not made unit); +1 left, −1 right |
//! | H, F | middle of the thigh joints, middle of the ankles |
//! | J, f | the target's thigh joint; length from it to the ankle as transferred |
//!
//! Everything is measured on the pose behind the transfer, so joints that slide count from the beginning. Sole and
//! ball agree where the foot lies flat; with the heel up, the ball is what stands. The share of the ball goes from 0
//! where the toes are 0.06 K above their rest to 1 below 0.02 K (K = ℓ + min(w, ℓ / 2)); with the clip known, gently ([`roll`]).
//!
//! High above the floor nobody sees where in the world a foot is, but everybody sees how the leg moves: there a foot can be
//! left where the leg brings it ([`FeetStage::swing`], [`share`]), so that short legs do not kick up to the hips.
//!
//! Where a foot touches the floor it is held where it touches ([`lock`]), and the hips come near enough for the leg to
//! reach it ([`carry`]). Both know the whole clip; while a motion runs only the past is known ([`causal`]), and hips are
//! found frame by frame.
//!
//! Degenerate cases: a foot without toes has no ball; without both feet of a pair c counts upwards; a leg that
//! stands already where it should keeps its bits; a leg far shorter than in the retarget pose is left as transferred.
//! Source: docs/laws.md, "Goal of the sole" and the laws after it.

mod carry;
mod causal;
mod edges;
mod goals;
mod hips;
mod lanes;
mod law_legs;
mod legs;
mod lock;
mod rise;
mod roll;
mod share;
mod stance;

use crate::check::{Checked, Sizes, ensure, pairs_within, within};
pub(crate) use causal::CausalFeet;
pub use edges::SoleEdge;
pub(crate) use edges::gentle_pitches;
pub use lanes::Legs;
pub use lock::{Foot, Free, Hold, Stand as FootStand};
use serde::{Deserialize, Serialize};
pub(crate) use stance::{floor_levels, touch_shares};

use super::View;
use super::kinematics::{Kinematics, Placed};
use super::{Frame, Operation};
use crate::contact::{ContactPoints, ContactRules};
use crate::lanes::Lanes;
use crate::lanes::limbs::{Numbers, Vectors};
use crate::solve::smooth;
use crate::solve::steady::SteadyLimbs;
use crate::solve::two_bone::{Bend, Reach};
use glam::{Mat3, Quat, Vec3};
use goals::Seen;
use lanes::{HoldLanes, Placements};
pub(crate) use law_legs::{LawLegs, without_jumps};
pub(crate) use legs::LegMoves;
use legs::LegWriter;

/// Plants feet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeetStage {
    /// Target joint that carries the body.
    pub hips: usize,
    /// Inverse of its rotation in the retarget pose, file space.
    pub hips_frame: Quat,
    /// S: turn and scale.
    pub linear: Mat3,
    /// S: from floor to floor, target file units.
    pub shift: Vec3,
    /// Up, in the target's file space, unit.
    pub up: Vec3,
    /// To the body's left, in the target's file space, unit.
    pub left: Vec3,
    /// Height of the target's floor along `up`.
    pub floor: f32,
    /// K of the target, target file units.
    pub size: f32,
    /// Which point of a foot stands.
    pub anchor: Anchor,
    /// The share of what legs are too short by which the hips come nearer. 0 leaves the hips where their height along the legs puts them.
    pub pull: f32,
    /// Whether legs that are too short push the hips up (for motions that are retargets themselves).
    pub signed_pull: bool,
    /// What keeps feet out of the floor.
    pub floor_rule: FloorRule,
    /// How far legs stretch and fold.
    pub reach: Reach,
    /// How legs get to their goals.
    pub bend: Bend,
    /// Whether steady legs bend to the side of [`Leg::forward`] alone, to whichever side the transferred ones bend.
    pub one_way: bool,
    /// The legs; of an animal the hind pair first.
    pub legs: Legs,
    /// How much feet turn to keep the edges of their soles out of the floor, 0 to 1.
    pub edges: f32,
    /// How high the hips stand along the legs of the pair that carries them; `None`: they stay where they were transferred.
    pub stand: Option<Stand>,
    /// Heights of a sole above the floor, as shares of K, between which a foot goes over from its place in the world to
    /// where the leg brings it as transferred. `None`: its place in the world always counts.
    pub swing: Option<[f32; 2]>,
    /// How much feet that touch the floor are held where they touch it, 0 to 1.
    pub lock: f32,
    /// The points of the source that touch.
    pub contacts: ContactPoints,
    /// How their touches are found, and what of them is a person's own.
    pub rules: ContactRules,
    /// Target units a source unit, upwards.
    pub rise: f32,
    /// Target joints that hang beside the body from another joint, carriers before the carried.
    pub attached: Vec<(usize, usize)>,
    /// Source joints looked at.
    pub source: Kinematics,
    /// Target joints looked at.
    pub target: Kinematics,
}

/// Which point of a foot stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Anchor {
    /// The sole below the ankle, in the foot's own axes.
    Sole,
    /// Near the floor the ball of the foot.
    #[default]
    Ball,
}

/// What keeps feet out of the floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FloorRule {
    /// Nothing.
    Off,
    /// Ankle and toes stay above their rest heights, but where the source's own go lower.
    AsSource,
    /// No sole goes below the floor.
    #[default]
    Soles,
}

/// How high the hips stand along the legs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stand {
    /// Length of the lift c along the legs, target file units.
    pub lift: f32,
    /// Feet nearer to the thighs than this show no direction.
    pub least: f32,
}

/// One leg. Joints are places in [`FeetStage::source`] and [`FeetStage::target`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leg {
    /// True for the pair from which the hips are found.
    pub carries: bool,
    /// The source's thigh, where the pair carries the hips.
    pub source_thigh: Option<usize>,
    /// The source's ankle.
    pub source_foot: usize,
    /// Where the source's ankle is in the axes of `source_foot`, source file units: zero where that is a foot, not a shin.
    pub source_end: Vec3,
    /// The joint of the source's toes.
    pub source_toes: Option<usize>,
    /// The target's thigh, shin and foot.
    pub thigh: usize,
    /// See `thigh`.
    pub shin: usize,
    /// See `thigh`. The shin again of a leg without a foot.
    pub foot: usize,
    /// Where the target's ankle is in the axes of `foot`, target file units.
    pub end: Vec3,
    /// How the sole turns.
    pub ankle: AnkleMotion,
    /// The edge behind the ankle.
    pub heel: SoleEdge,
    /// The edge ahead of a foot without toes.
    pub tip: SoleEdge,
    /// The joint of the target's toes.
    pub toes: Option<usize>,
    /// Inverse of the foot's rotation in the retarget pose, file space.
    pub foot_frame: Quat,
    /// Where the knee points to, in the thigh's axes, unit.
    pub forward: Vec3,
    /// η_B − k η_A.
    pub sole: f32,
    /// σ ½ (w_B − k w_A).
    pub aside: f32,
    /// λ, file space of the target.
    pub along: Vec3,
    /// η_B.
    pub ankle_height: f32,
    /// τ_B − k τ_A.
    pub ball: f32,
    /// ρ, file space of the target.
    pub ahead: Vec3,
    /// τ_B.
    pub toes_height: f32,
    /// ℓ of the target, for an animal from hip to paw as it stands.
    pub length: f32,
    /// Which of [`FeetStage::contacts`] the heel is.
    pub heel_point: Option<usize>,
    /// Which of [`FeetStage::contacts`] the ball is.
    pub ball_point: Option<usize>,
}

/// How a sole turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnkleMotion {
    /// As the source's.
    #[default]
    AsSource,
    /// The source has no foot: the ankle bends to keep the sole level.
    Levels,
    /// The target has no foot: what counts as its sole is always level.
    Absent,
}

/// Where ankles shall be.
#[derive(Clone, Copy)]
struct Goals {
    places: Vectors,
    /// The same before feet are raised out of the floor.
    held: Vectors,
    /// How much that counts; the rest is where the leg brings it.
    shares: Numbers,
}

/// What the stage works with in a frame.
struct Work<'a> {
    stage: &'a FeetStage,
    target: &'a [Placed],
    /// Where the feet are seen.
    seen: Seen,
    /// Where the target's own joints are.
    own: Placements,
    /// How much each leg is there, see [`Free::there`]; 1 without a leg.
    there: Numbers,
}

/// What is known of a frame of a clip that is known as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    /// The feet.
    pub feet: [Hold; MOST_LEGS],
    /// How the hips move beyond their height along the legs, target file space.
    pub hips: Vec3,
    /// How the legs move, where that was found for the whole clip.
    pub(crate) legs: Option<LegMoves>,
}

impl FeetStage {
    /// True where it makes use of a clip that is known as a whole.
    pub(crate) fn looks_ahead(&self) -> bool {
        self.lock > 0.0 || self.bend == Bend::Steady || self.follows_laws()
    }

    /// True where legs follow the motion laws to the letter: nothing is held, and knees bend as the laws say.
    pub(crate) fn follows_laws(&self) -> bool {
        self.lock <= 0.0 && self.bend == Bend::Switch
    }

    /// How far each foot turns for the edges of its sole, where that is known of the clip.
    fn held_pitches(&self, frame: &Frame<'_>) -> Numbers {
        let held = frame.given.holds.as_ref();
        held.map_or(Numbers::ZERO, |held| {
            Lanes(held.feet.each_ref().map(|hold| hold.pitch))
        })
    }

    /// How the legs of a frame move, where that is not known beforehand.
    fn found(&self, frame: &mut Frame<'_>) -> LegMoves {
        let source = frame.sights.source(&self.source);
        let pitches = self.held_pitches(frame);
        let work = Work::new(self, source, frame.scratch, pitches);
        let (holds, hips) = match (frame.given.holds, &mut frame.causal, frame.given.elapsed) {
            (Some(held), ..) => (HoldLanes::new(&held.feet), Some(held.hips)),
            (None, Some(causal), Some(seconds)) => {
                let holds = causal.step(&work, &source, seconds, frame.is_first);
                (holds, None)
            }
            _ => (HoldLanes::NONE, None),
        };
        let goals = work.goals(&holds);
        let raw = work.raw();
        let hips = hips.unwrap_or_else(|| work.carried(&goals, &holds, raw));
        let shift = work.shift(raw + hips);
        if self.bend == Bend::Steady {
            let limbs = work.steady(&goals, &holds, shift);
            let elapsed = frame.given.elapsed;
            let moves = frame.limbs.follow(&limbs, frame.is_first, elapsed);
            LegMoves::new(&limbs, &moves, shift)
        } else {
            work.legs(&goals, &holds, shift)
        }
    }
}

impl FeetStage {
    /// The legs of a frame and their goals, where it is known how feet are held and where the hips go; and how the hips shift before.
    pub(crate) fn steady(
        &self,
        source: View<'_>,
        target: &[Placed],
        holds: &[Hold; MOST_LEGS],
        hips: Vec3,
    ) -> (SteadyLimbs, Vec3) {
        let holds = HoldLanes::new(holds);
        let work = Work::new(self, source, target, holds.pitch);
        let goals = work.goals(&holds);
        let shift = work.shift(work.raw() + hips);
        (work.steady(&goals, &holds, shift), shift)
    }

    /// Where the points of each foot would be without a lock, of one frame: from how much each touches, how much higher than the main floor
    /// the one below it is, and how far it turns for the edges of its sole.
    pub(crate) fn free(
        &self,
        source: View<'_>,
        target: &[Placed],
        [touches, levels, pitches]: [[f32; MOST_LEGS]; 3],
    ) -> [Free; MOST_LEGS] {
        let holds = HoldLanes {
            ball: Lanes(touches),
            level: Lanes(levels),
            pitch: Lanes(pitches),
            ..HoldLanes::NONE
        };
        let work = Work::new(self, source, target, holds.pitch);
        let goals = work.goals(&holds);
        let raw = work.raw();
        let shift = work.shift(raw + work.carried(&goals, &holds, raw));
        work.free_feet(&holds, [raw, shift])
    }
}

/// No body has more legs that are planted.
pub const MOST_LEGS: usize = 4;

impl Operation for FeetStage {
    fn joints(&self) -> Vec<usize> {
        let leg = |leg: &Leg| [leg.thigh, leg.shin, leg.foot].map(|place| self.target.joint(place));
        let mut all: Vec<usize> = self.legs.iter().flat_map(leg).collect();
        all.push(self.hips);
        all.extend(self.attached.iter().map(|&(joint, _)| joint));
        all.sort_unstable();
        all.dedup();
        all
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        let target = &mut *frame.scratch;
        frame.sights.place_target(&self.target, frame.pose, target);
        let legs = match frame.given.holds.and_then(|held| held.legs) {
            Some(legs) => legs,
            None => self.found(frame),
        };
        frame.off = legs.off;
        let pitches = self.held_pitches(frame);
        let writer = LegWriter {
            stage: self,
            target: frame.scratch,
            pitches,
        };
        writer.write(&legs, frame.plan, frame.pose);
    }

    fn check(&self, sizes: Sizes) -> Checked {
        self.source.check(sizes.source)?;
        self.target.check(sizes.target)?;
        within([self.hips], sizes.target)?;
        self.reach.check()?;
        self.contacts.check(sizes)?;
        self.rules.check()?;
        ensure(self.legs.len() <= MOST_LEGS, "a body has too many legs")?;
        for leg in &self.legs {
            let own = [leg.source_thigh, leg.source_toes].into_iter().flatten();
            within(own.chain([leg.source_foot]), self.source.len())?;
            let of_target = leg.toes.into_iter().chain([leg.thigh, leg.shin, leg.foot]);
            within(of_target, self.target.len())?;
            let points = [leg.heel_point, leg.ball_point].into_iter().flatten();
            within(points, self.contacts.points.len())?;
        }
        pairs_within(&self.attached, sizes.target)
    }

    fn kinematics(&self) -> Option<[&Kinematics; 2]> {
        Some([&self.source, &self.target])
    }

    fn has_goals(&self) -> bool {
        true
    }
}
