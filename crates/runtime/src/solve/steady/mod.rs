//! Limbs of two bones that reach their goals and move steadily.
//!
//! ```text
//! u = exp(a) u₀,  v = exp(b) v₀,  e = u + v − g
//! x = (a, b) = argmin  |a|² + |b|² + R |a − b|² + w |e|² + κ (min(0, φ − lo) + max(0, φ − hi))² + ρ |x − x̂|²
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | u₀, v₀ | upper and lower bone as transferred, in lengths of the limb |
//! | a, b | how they turn: rotation vectors in model space, radians |
//! | g, w | where the end shall be, from the root; how much that counts |
//! | φ, lo, hi | angle of the middle joint about its hinge, and its limits; a limb that was beyond one keeps what it had |
//! | x̂, ρ | where the limb is expected by its motion so far, and how much that counts |
//! | R, κ | [`RIGID`], [`HINGE`](step::HINGE) |
//!
//! Both bones are free. With an exact hinge, a folded limb could only turn about its root, and its end would be so near to the root
//! that a small step of the end turns the whole limb. With two free bones each turns about its own joint, so nothing is singular: a
//! goal on the root, a folded limb and a straight one are poses like all others.
//!
//! Each step is one of Gauss and Newton. The part of the system without the goal has a known inverse M: it is a multiple of the identity
//! for a + b and for a − b, and the hinge adds one row. The goal then acts as a force λ = (1/w + C M Cᵀ)⁻¹ r on the end, where C is the
//! Jacobian of the end and r is what e would be without the force. Only a 3 × 3 matrix is inverted, and large weights lose no digits.
//!
//! Over time a limb is found twice: first [frame by frame](History), each near where the last ones lead; then, where the clip is
//! known, [all frames together](settle), by alternating between the frames and the smoother of [`calm`](super::calm). A motion that runs
//! has the first alone, with a larger ρ: no smoother comes after it.
//!
//! Frame by frame, straight limbs that must become shorter begin [a little bent](bend).
//!
//! Degenerate cases: a bone without length has no lever and stays; one that is where it should be keeps its bits. Sources: docs/laws.md,
//! "Steady limbs"; the alternating direction method of multipliers (Boyd and others).

mod bend;
mod over_time;
mod step;
#[cfg(test)]
mod tests;

pub(crate) use over_time::{History, settle, settle_stretches};

use crate::lanes::limbs::{self, LANES, Numbers};
use crate::lanes::{Kernel, Lanes, Vectors, exp};
use glam::{Quat, Vec3};
use rebone_model::elementary::Elementary as _;
use step::{Scratch, limited};

/// R: how stiff the middle joint is, against 1 for each bone.
const RIGID: f32 = 1.0;

/// Steps of a first frame, which has nothing to be near to.
const FIRST_STEPS: usize = 16;

/// Steps of a frame that is near where the last ones lead.
const SWEEP_STEPS: usize = 2;

/// Angles of a middle joint, degrees. A limb may be as straight as the first, or as the source's if that is straighter and limbs do not
/// bend one way; as folded as the second, or as the source's up to the third.
const ANGLES: [f32; 3] = [6.0, 155.0, 165.0];

/// The most that an elbow folds, degrees, unless the source's is more folded.
const ELBOW: f32 = 165.0;

/// How far straight limbs are bent before the first step, radians: in a first frame, and near where the last ones lead.
const BENDS: [f32; 2] = [2.0, 0.05];

/// How much less arms are bound to where they are expected than legs.
const ARM_NEARNESS: f32 = 0.1;

/// What is wanted of the limbs of one frame. A lane without a limb has bones of no length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Upper and lower bones as transferred.
    pub(crate) bones: [limbs::Vectors; 2],
    /// To which side the middle joints point.
    pub(crate) forward: limbs::Vectors,
    /// Whether they stay on that side also where the transferred ones are on the other.
    pub(crate) one_way: bool,
    /// Where the ends shall be, from the roots.
    pub(crate) goals: limbs::Vectors,
    /// How much it counts that the ends are there.
    pub(crate) weights: Numbers,
    /// Upwards in model space, unit.
    pub(crate) up: Vec3,
    /// What the ends may not be below, along `up` and from the roots.
    pub(crate) lowest: Numbers,
    /// How much it counts that the roots stay; 0 where they must.
    pub(crate) stiffness: f32,
}

/// N limbs, or one in N frames, and where their ends shall be; lengths in those of the body's longest limb.
#[derive(Clone, Copy, Debug)]
struct SteadyLimb<const N: usize> {
    bones: [Vectors<N>; 2],
    hinge: Vectors<N>,
    goal: Vectors<N>,
    weight: Lanes<N>,
    limits: [Lanes<N>; 2],
    /// 1 of a limb, 0 where there is none.
    counts: Lanes<N>,
    lowest: Lanes<N>,
}

/// The limbs of a body, and where their ends shall be: with L = 1, one frame, whose limbs are lanes; otherwise up to L limbs, whose
/// lanes are frames.
#[derive(Clone, Copy, Debug)]
struct Limbs<const N: usize, const L: usize> {
    limbs: [SteadyLimb<N>; L],
    /// How many of them there are.
    count: usize,
    /// How much it counts that the roots stay; 0 where they must.
    stiffness: f32,
    /// What ρ is multiplied by.
    nearness: f32,
    up: Vec3,
}

/// The limbs of a body in one frame, and where their ends shall be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteadyLimbs {
    body: Limbs<LANES, 1>,
    /// Whole length of the longest limb.
    size: f32,
}

/// How near to what is expected a step stays.
#[derive(Clone, Copy)]
struct Firm {
    /// ρ: weight of staying near.
    rho: f32,
    /// ρ of the roots, in units of ρ and of their stiffness.
    root: f32,
    /// Largest turn of a bone, radians, and shift of the roots, limb lengths.
    most: f32,
}

/// Frame by frame.
const SWEEP: Firm = Firm {
    rho: 100.0,
    root: 0.02,
    most: 0.6,
};

/// A first frame, which has nothing to be near to, goes in small steps.
const FIRST: Firm = Firm { rho: 10.0, ..SWEEP };

/// How the bones of a limb turn: rotation vectors in model space, of upper and lower bone.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turns<const N: usize>([Vectors<N>; 2]);

/// How [`Limbs`] move: their bones turn, and their roots shift together, in limb lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moves<const N: usize = LANES, const L: usize = 1> {
    turns: [Turns<N>; L],
    shift: Vectors<N>,
}

impl Default for Moves {
    fn default() -> Self {
        Self::NONE
    }
}

impl Moves {
    /// True where a limb turns at all.
    pub(crate) fn is_turned(&self, limb: usize) -> bool {
        self.turns(limb) != [Vec3::ZERO; 2]
    }

    /// How upper and lower bone of each limb turn in model space.
    pub(crate) fn rotations(&self) -> [limbs::Rotations; 2] {
        let [Turns([upper, lower])] = self.turns;
        [exp(upper), exp(lower)]
    }

    /// The same of one limb.
    pub(crate) fn rotations_of(&self, limb: usize) -> [Quat; 2] {
        let turns = self.turns(limb);
        turns.map(|turn| exp(Vectors::<1>::splat(turn)).lane(0))
    }

    /// Rotation vectors of a limb.
    fn turns(&self, limb: usize) -> [Vec3; 2] {
        self.turns[0].0.map(|bone| bone.lane(limb))
    }
}

impl<const N: usize, const L: usize> Moves<N, L> {
    const NONE: Self = Self {
        turns: [Turns::NONE; L],
        shift: Vectors::ZERO,
    };

    #[inline(always)]
    fn plus(mut self, other: &Self, share: f32) -> Self {
        let shares = Lanes::splat(share);
        for limb in 0..L {
            self.turns[limb] = self.turns[limb].plus(other.turns[limb], shares);
        }
        self.shift = self.shift + other.shift * shares;
        self
    }

    #[inline(always)]
    fn minus(self, other: &Self) -> Self {
        self.plus(other, -1.0)
    }
}

impl<const N: usize> Turns<N> {
    const NONE: Self = Self([Vectors::ZERO; 2]);

    #[inline(always)]
    fn plus(self, other: Self, share: Lanes<N>) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([a + c * share, b + d * share])
    }

    #[inline(always)]
    fn dot(self, other: Self) -> Lanes<N> {
        self.0[0].dot(other.0[0]) + self.0[1].dot(other.0[1])
    }

    /// No bone by more than so many radians.
    #[inline(always)]
    fn within(self, most: f32) -> Self {
        Self([limited(self.0[0], most), limited(self.0[1], most)])
    }
}

impl SteadyLimb<LANES> {
    /// The shorter of the lines from root to end, as transferred and as wanted.
    fn line(&self) -> Numbers {
        let own = (self.bones[0] + self.bones[1]).length();
        own.min(self.goal.length())
    }
}

impl SteadyLimbs {
    pub(crate) fn new(wanted: &Wanted) -> Self {
        let [upper, lower] = wanted.bones;
        let whole = upper.length() + lower.length();
        let size = whole.largest().max(f32::MIN_POSITIVE);
        let shorter = size.recip();
        let bones = [upper * shorter, lower * shorter];
        let (hinge, is_none) = wanted.forward.cross(upper).normalized();
        let hinge = Vectors::select(is_none, Vectors::ZERO, hinge);
        let own = step::angle(bones, hinge);
        let [straight, folded, furthest] = ANGLES.map(|angle| Lanes::splat(angle.to_radians()));
        let least = if wanted.one_way {
            straight
        } else {
            own.min(straight)
        };
        let limbs = SteadyLimb {
            bones,
            hinge,
            goal: wanted.goals * shorter,
            weight: wanted.weights.max(Lanes::splat(1e-3)),
            limits: [least, folded.max(own.min(furthest))],
            counts: Lanes::select(whole.cmpgt(Lanes::ZERO), Lanes::ONE, Lanes::ZERO),
            lowest: wanted.lowest * shorter,
        };
        let body = Limbs {
            limbs: [limbs],
            count: 1,
            stiffness: wanted.stiffness,
            nearness: 1.0,
            up: wanted.up,
        };
        Self { body, size }
    }

    /// As arms: elbows fold further than knees, and ρ is smaller. Where roots stay, nothing but the small energy of the limb itself
    /// turns the middle joint about the line from root to end; beside a large ρ it lags behind.
    pub(crate) fn as_arms(mut self) -> Self {
        self.body.nearness = ARM_NEARNESS;
        let [arms] = &mut self.body.limbs;
        arms.limits[1] = arms.limits[1].max(Lanes::splat(ELBOW.to_radians()));
        self
    }

    /// How the bones turn with nothing known of other frames.
    pub(crate) fn alone(&self) -> Moves {
        Steps {
            limbs: &self.body,
            count: FIRST_STEPS,
            from: Moves::NONE,
            bend: BENDS[0],
            near: None,
            firm: FIRST,
        }
        .run_widest()
    }

    /// How the bones turn near where they are expected.
    fn expected(&self, from: Moves, near: Moves, firm: Firm) -> Moves {
        Steps {
            limbs: &self.body,
            count: SWEEP_STEPS,
            from,
            bend: BENDS[1],
            near: Some(near),
            firm,
        }
        .run_widest()
    }

    /// How far the worst end stays from its goal, in limb lengths, of ends that count at least so much.
    pub(crate) fn missed(&self, moves: &Moves, weight: f32) -> f32 {
        let [limbs] = &self.body.limbs;
        let [upper, lower] = moves.rotations();
        let end = upper.turned(limbs.bones[0]) + lower.turned(limbs.bones[1]) + moves.shift;
        let counts = limbs.weight.cmpge(Lanes::splat(weight));
        let missed = (end - limbs.goal).length() * limbs.counts;
        Lanes::select(counts, missed, Lanes::ZERO).largest()
    }

    /// How far the roots shift.
    pub(crate) fn shift(&self, moves: &Moves) -> Vec3 {
        moves.shift.lane(0) * self.size
    }
}

/// Steps of one frame.
struct Steps<'a> {
    limbs: &'a Limbs<LANES, 1>,
    count: usize,
    from: Moves,
    /// How far straight limbs are bent before the first step, radians.
    bend: f32,
    /// Where the limbs are expected; `None` where nothing is, and each step is near the one before.
    near: Option<Moves>,
    firm: Firm,
}

impl Kernel for Steps<'_> {
    type Output = Moves;

    #[inline(always)]
    fn run(self) -> Moves {
        let (mut moves, mut scratch) = (self.from, Scratch::new(1));
        let [limbs] = &self.limbs.limbs;
        moves.turns[0] = limbs.bent(moves.turns[0], moves.shift, self.bend);
        for _ in 0..self.count {
            let near = self.near.unwrap_or(moves);
            moves = self.limbs.step(&moves, &near, self.firm, &mut scratch);
        }
        moves
    }
}

/// From root to end of an arm that is as folded as it may be.
pub(crate) fn shortest_arm([upper, lower]: [Vec3; 2]) -> f32 {
    let folded = upper.length() * lower.length() * ELBOW.to_radians().cosine();
    let between = upper.dot(lower).min(folded);
    let square = upper.length_squared() + lower.length_squared() + 2.0 * between;
    square.max(0.0).sqrt()
}
