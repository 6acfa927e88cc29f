//! Bodies that touch the floor with more than their feet: they lie, sit, kneel, crawl as low as the source does, and
//! no end point goes below the floor.
//!
//! ```text
//! w(a) = 1 − smooth((a / T − lo) / (hi − lo))             how much a point of the source counts as on the floor
//! e_i  = κ a_i − b_i                                      what a point of the target is too low
//! W    = 1 − Π (1 − w_i)
//! y    = W Σ e_i exp(r_i / τ) / Σ exp(r_i / τ)            how far the body goes up: nearly the largest e
//! r_i  = e_i − κ T (1 / w_i − 1)
//! y    + (Σ x_i⁸)^⅛,  x_i = soft(min(0, κ a_i) − b_i − y) so that nothing is in the floor
//! foot + V (w e + (1 − w) y),   hand + w e                and neither of them in the floor
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | a, b | height over the floor of a point of the source, of the target behind the stages before |
//! | T | thickness of the source's body: half of the distance of the thighs and half that of the shoulders, mean |
//! | κ | thickness of the target's body over that of the source's |
//! | i | the trunk's points (hips, chest, head) and the knees |
//! | lo, hi | 0.8 and 1.5 for the hips, 0.9 and 1.6 for chest and head, 0.35 and 0.6 for knees, 0.4 and 1 for palms |
//! | V | W of the trunk's points alone: how much the legs are free to go with the body |
//! | τ | 0.05 κ T |
//! | soft(x) | x² / (x + 0.01 κ T), 0 for what is above |
//!
//! A body that stands goes by its legs, so places scale with legs. A body that lies goes by how thick it is: legs say
//! nothing about it. So where the trunk or the knees carry, heights over the floor are those of the source, times κ.
//! The trunk's points, and hands, count the less the more upright the legs are: the hips over the lower ankle by 0.05 to 0.6
//! of what they are when standing, 0.35 to 0.7 for hands, 0.5 to 0.7 for knees. On short
//! legs the hips are always near the floor. And each
//! point counts the less the nearer it is to its height when standing, 0.4 to 0.8 of it, 0.3 to 0.55 for knees.
//!
//! Knees follow from where hips and feet go, so that three rounds are made. The sole's share of an ankle's height is that
//! of the feet (η_B − κ η_A), as far as the foot is level.
//!
//! All of it is a smooth function of the frame alone. A body that stands keeps its bits.
//!
//! Degenerate cases: limbs that are not whole stay out; a hand that is further from the floor than the arm is long goes as
//! near as it can. Sources: floor clamp of the project's algorithm notes (4.10); section 9 of its motion notes, which
//! asks for another rule than F3 where the legs do not carry.

use super::Frame;
use super::kinematics::{Kinematics, Placed};
use super::limb::{Before, bent};
use super::limits::smooth;
use super::pin::{PinLimb, slide};
use glam::{Quat, Vec3};
use rebone_model::elementary::Elementary as _;

/// Bounds of knees, of ankles and of palms, shares of T.
const KNEE: [f32; 2] = [0.35, 0.6];
/// See [`KNEE`].
const FOOT: [f32; 2] = [0.8, 1.6];
/// See [`KNEE`].
const PALM: [f32; 2] = [0.4, 1.0];

/// Heights of the hips over the lower ankle, shares of that when standing, between which the trunk's points no longer count.
const UPRIGHT: [f32; 2] = [0.05, 0.6];

/// The same for palms.
const UPRIGHT_PALM: [f32; 2] = [0.35, 0.7];

/// The same for knees.
const UPRIGHT_KNEE: [f32; 2] = [0.5, 0.7];

/// Heights of a knee, and of a point of the trunk, shares of what they are when standing, between which they no longer
/// count.
const STANDING_KNEE: [f32; 2] = [0.3, 0.55];
/// See [`STANDING_KNEE`].
const STANDING: [f32; 2] = [0.4, 0.8];

/// Shares of the target's thickness: what is moved at all, the width of soft(x), and τ.
const THERE: f32 = 1e-5;
/// See [`THERE`].
const SOFT: f32 = 0.01;
/// See [`THERE`].
const BLUR: f32 = 0.05;

/// How often hips and knees are found.
const ROUNDS: usize = 3;

/// No body has more points that carry it.
const MOST: usize = 8;

/// Keeps bodies on the floor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroundStage {
    /// Up, in the source's file space, unit, and the height of its floor along it.
    pub source_up: Vec3,
    /// See `source_up`.
    pub source_floor: f32,
    /// Up, in the target's file space, unit, and the height of its floor along it.
    pub up: Vec3,
    /// See `up`.
    pub floor: f32,
    /// T, source file units.
    pub thickness: f32,
    /// κ, target file units a source unit.
    pub scale: f32,
    /// How high the source's hips are over its ankles when it stands.
    pub standing: f32,
    /// What carries the target's body, a place in [`target`](Self::target).
    pub hips: usize,
    /// Points of the trunk, the hips first. At most 4 are looked at.
    pub trunk: Vec<GroundPoint>,
    /// The legs; at most 4.
    pub legs: Vec<GroundLeg>,
    /// The arms.
    pub arms: Vec<GroundArm>,
    /// Target joints that hang beside the body from another joint, carriers before the carried.
    pub attached: Vec<(usize, usize)>,
    /// Source joints looked at.
    pub source: Kinematics,
    /// Target joints looked at.
    pub target: Kinematics,
}

/// A joint of the trunk. Joints are places in [`GroundStage::source`] and [`GroundStage::target`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPoint {
    /// The source's.
    pub source: usize,
    /// The target's.
    pub target: usize,
    /// lo and hi.
    pub range: [f32; 2],
    /// How high the source's is when the body stands.
    pub standing: f32,
}

/// A leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundLeg {
    /// The source's shin, and how high it begins when the body stands.
    pub source_knee: usize,
    /// See `source_knee`.
    pub standing_knee: f32,
    /// The source's ankle.
    pub source_foot: usize,
    /// The target's.
    pub limb: PinLimb,
    /// Inverse of the target's foot in the retarget pose, file space.
    pub foot_frame: Quat,
    /// η of source and target.
    pub ankle_heights: [f32; 2],
}

/// An arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundArm {
    /// The source's hand.
    pub source_hand: usize,
    /// Its palm, in its axes.
    pub source_palm: Vec3,
    /// The target's.
    pub limb: PinLimb,
    /// The palm of the target's hand, in its axes.
    pub palm: Vec3,
}

/// What the stage works with in a frame.
struct Work<'a> {
    stage: &'a GroundStage,
    source: &'a [Placed],
    target: &'a [Placed],
    /// How much the legs are not upright, for the trunk, for palms and for knees.
    low: [f32; 3],
}

/// A point that may carry the body.
#[derive(Clone, Copy, Default)]
struct Support {
    /// w.
    weight: f32,
    /// Where it should be: κ a.
    wanted: f32,
    /// b.
    height: f32,
}

/// 1 up to the first height, 0 from the second on.
fn fade(height: f32, [low, high]: [f32; 2]) -> f32 {
    1.0 - smooth((height - low) / (high - low))
}

impl GroundStage {
    /// Joints in model space that it keeps while it works.
    pub(super) fn scratch(&self) -> usize {
        self.source.len() + self.target.len()
    }

    pub(super) fn joints(&self) -> Vec<usize> {
        let limbs = self.legs.iter().map(|leg| &leg.limb);
        let limbs = limbs.chain(self.arms.iter().map(|arm| &arm.limb));
        let places = limbs.flat_map(PinLimb::places).chain([self.hips]);
        let mut all: Vec<usize> = places.map(|place| self.target.joint(place)).collect();
        all.extend(self.attached.iter().map(|&(joint, _)| joint));
        all.sort_unstable();
        all.dedup();
        all
    }

    pub(super) fn apply(&self, frame: &mut Frame<'_>) {
        if self.trunk.is_empty() || self.legs.len() > 4 {
            return;
        }
        let (source, target) = frame.scratch.split_at_mut(self.source.len());
        self.source.place(frame.source, source);
        self.target.place(frame.pose, target);
        let (source, target): (&[Placed], &[Placed]) = (source, target);
        let work = Work {
            stage: self,
            source,
            target,
            low: self.low(source),
        };
        let (rise, feet) = work.body();
        let room = THERE * self.size();
        let rise = if rise.abs() > room { rise } else { 0.0 };
        let before = Before {
            joints: &self.target,
            placed: target,
        };
        let mut moved = rise != 0.0;
        if rise != 0.0 {
            slide(self.hips, self.up * rise, &before, frame.pose);
        }
        for (leg, foot) in self.legs.iter().zip(feet) {
            // As seen from the thigh, which has moved already.
            let way = foot - rise;
            if way.abs() > room {
                let goal = target[leg.limb.end].position() + self.up * way;
                moved |= leg.limb.reach(goal, &before, frame.pose).is_some();
            }
        }
        for arm in &self.arms {
            let way = work.hand(arm, rise);
            if way.abs() > room {
                let goal = target[arm.limb.end].position() + self.up * way;
                moved |= arm.limb.reach(goal, &before, frame.pose).is_some();
            }
        }
        if moved {
            before.attach(&self.attached, frame.plan, frame.pose);
        }
    }

    /// Thickness of the target's body.
    fn size(&self) -> f32 {
        self.scale * self.thickness
    }

    /// x, without a corner where it begins.
    fn soft(&self, below: f32) -> f32 {
        if below > 0.0 {
            below * below / (below + SOFT * self.size())
        } else {
            0.0
        }
    }

    /// How far points go up that are so far below where they may be: as far as the lowest must, nearly.
    fn out(&self, below: impl IntoIterator<Item = f32>) -> f32 {
        let below = below.into_iter().map(|below| self.soft(below).powi(8));
        below.sum::<f32>().power(0.125)
    }

    fn source_height(&self, place: Vec3) -> f32 {
        place.dot(self.source_up) - self.source_floor
    }

    fn height(&self, place: Vec3) -> f32 {
        place.dot(self.up) - self.floor
    }

    fn low(&self, source: &[Placed]) -> [f32; 3] {
        let hips = self.source_height(source[self.trunk[0].source].position());
        let feet = self.legs.iter();
        let feet = feet.map(|leg| self.source_height(source[leg.source_foot].position()));
        let lowest = feet.fold(f32::INFINITY, f32::min);
        if !lowest.is_finite() {
            return [1.0; 3];
        }
        let over = (hips - lowest) / self.standing.max(f32::MIN_POSITIVE);
        [UPRIGHT, UPRIGHT_PALM, UPRIGHT_KNEE].map(|range| fade(over, range))
    }
}

impl Work<'_> {
    /// A point as it is before the body is moved.
    fn support(&self, source: usize, target: usize, range: [f32; 2], share: f32) -> Support {
        let stage = self.stage;
        let own = stage.source_height(self.source[source].position());
        Support {
            weight: share * fade(own / stage.thickness.max(f32::MIN_POSITIVE), range),
            wanted: stage.scale * own,
            height: stage.height(self.target[target].position()),
        }
    }

    /// How much a joint of the source is lower than when standing.
    fn lowered(&self, source: usize, standing: f32, range: [f32; 2]) -> f32 {
        let own = self.stage.source_height(self.source[source].position());
        fade(own / standing.max(f32::MIN_POSITIVE), range)
    }

    /// How far the body goes up, and each foot.
    fn body(&self) -> (f32, [f32; 4]) {
        let stage = self.stage;
        let mut supports = [Support::default(); MOST];
        let trunk = stage.trunk.len().min(MOST - 4);
        for (support, point) in supports.iter_mut().zip(stage.trunk.iter().take(trunk)) {
            let share = self.low[0] * self.lowered(point.source, point.standing, STANDING);
            *support = self.support(point.source, point.target, point.range, share);
        }
        let count = trunk + stage.legs.len();
        for (support, leg) in supports[trunk..].iter_mut().zip(&stage.legs) {
            let share =
                self.low[2] * self.lowered(leg.source_knee, leg.standing_knee, STANDING_KNEE);
            *support = self.support(leg.source_knee, leg.limb.lower, KNEE, share);
        }
        let free = carried(&supports[..trunk]);
        let (mut rise, mut feet) = (0.0, [0.0; 4]);
        for _ in 0..ROUNDS {
            rise = self.rise(&supports[..count]);
            for ((foot, leg), knee) in feet
                .iter_mut()
                .zip(&stage.legs)
                .zip(&mut supports[trunk..count])
            {
                *foot = self.foot(leg, free, rise);
                let places = leg.limb.places().map(|place| self.target[place].position());
                let goal = places[2] + stage.up * (*foot - rise);
                let bent = bent(&leg.limb, self.target, goal);
                let middle = bent.map_or(places[1], |turned| {
                    places[0] + turned.upper * (places[1] - places[0])
                });
                // Without the rise, which is added again.
                knee.height = stage.height(middle);
            }
            if rise == 0.0 && feet == [0.0; 4] {
                break;
            }
        }
        (rise, feet)
    }

    /// How much nothing may go into the floor: who is upright and lower than it walks on another, down stairs.
    fn bent(&self) -> f32 {
        self.low.iter().copied().fold(0.0, f32::max)
    }

    /// y.
    fn rise(&self, supports: &[Support]) -> f32 {
        let blur = (BLUR * self.stage.size()).max(f32::MIN_POSITIVE);
        let counting = || supports.iter().filter(|support| support.weight > 0.0);
        let off = |support: &Support| support.wanted - support.height;
        // A point that hardly counts must be far too low to be the one that carries.
        let rank =
            |support: &Support| off(support) - self.stage.size() * (1.0 / support.weight - 1.0);
        let most = counting().map(rank).fold(f32::NEG_INFINITY, f32::max);
        let (mut sum, mut weights) = (0.0, 0.0);
        for support in counting() {
            let weight = ((rank(support) - most) / blur).exponential();
            sum += weight * off(support);
            weights += weight;
        }
        let rise = if weights > 0.0 {
            carried(supports) * sum / weights
        } else {
            0.0
        };
        let below = supports.iter();
        let below = below.map(|support| support.wanted.min(0.0) - support.height - rise);
        rise + self.bent() * self.stage.out(below)
    }

    /// How far an ankle goes up where the body goes up by `rise`.
    fn foot(&self, leg: &GroundLeg, free: f32, rise: f32) -> f32 {
        if free <= 0.0 {
            return 0.0;
        }
        let stage = self.stage;
        let foot = &self.target[leg.limb.end];
        let own = stage.source_height(self.source[leg.source_foot].position());
        let weight = fade(own / stage.thickness.max(f32::MIN_POSITIVE), FOOT);
        let level = (foot.rotation * leg.foot_frame * stage.up).dot(stage.up);
        let level = level.clamp(0.0, 1.0);
        let [own_ankle, ankle] = leg.ankle_heights;
        let height = stage.height(foot.position());
        let wanted = stage.scale * own + level * (ankle - stage.scale * own_ankle);
        let way = free * (weight * (wanted - height) + (1.0 - weight) * rise);
        way + stage.soft((level * ankle).min(height) - height - way)
    }

    /// How far a hand goes up as seen from its shoulder, where the body goes up by `rise`.
    fn hand(&self, arm: &GroundArm, rise: f32) -> f32 {
        let stage = self.stage;
        let hands = (&self.source[arm.source_hand], &self.target[arm.limb.end]);
        // Of a point of the hand: where it should be, and where it is.
        let heights = |own: Vec3, other: Vec3| {
            let own = hands.0.position() + hands.0.rotation * own;
            let other = hands.1.position() + hands.1.rotation * other;
            let wanted = stage.scale * stage.source_height(own);
            (wanted, stage.height(other) + rise)
        };
        let (wanted, height) = heights(arm.source_palm, arm.palm);
        let weight = self.low[1] * fade(wanted / stage.size().max(f32::MIN_POSITIVE), PALM);
        let way = weight * (wanted - height);
        let (wanted_wrist, wrist) = heights(Vec3::ZERO, Vec3::ZERO);
        let below = [(wanted, height), (wanted_wrist, wrist)];
        let below = below.map(|(wanted, height)| wanted.min(0.0) - height - way);
        way + self.bent() * stage.out(below)
    }
}

/// W.
fn carried(supports: &[Support]) -> f32 {
    1.0 - supports
        .iter()
        .map(|support| 1.0 - support.weight)
        .product::<f32>()
}
