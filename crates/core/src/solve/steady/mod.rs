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
//! | R, κ | [`RIGID`], [`HINGE`] |
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
//! known, [all frames together](settle), by alternating between the frames and the smoother of [`calm`](super::calm).
//!
//! Degenerate cases: a bone without length has no lever and stays; one that is where it should be keeps its bits. Source: the
//! pose solver of the project's design notes; the alternating direction method of multipliers (Boyd and others).

mod over_time;
#[cfg(test)]
mod tests;

pub(crate) use over_time::{History, settle, settle_stretches};

use super::four::{Rotations, Vectors, arc_tangent, series};
use glam::{BVec4A, Mat3, Vec3, Vec4};
use rebone_model::elementary::Elementary as _;

/// R: how stiff the middle joint is, against 1 for each bone.
const RIGID: f32 = 1.0;

/// Weight of an end that is below the floor, upwards.
const FLOOR: f32 = 3e5;

/// κ: weight of the limits of the middle joint.
const HINGE: f32 = 3e4;

/// Steps of a first frame, which has nothing to be near to.
const FIRST_STEPS: usize = 16;

/// Angles of a middle joint, degrees. A limb may be as straight as the first, or as the source's if that is straighter; as folded as
/// the second, or as the source's up to the third.
const ANGLES: [f32; 3] = [6.0, 155.0, 165.0];

/// The most that an elbow folds, degrees, unless the source's is more folded.
const ELBOW: f32 = 165.0;

/// How much less arms are bound to where they are expected than legs.
const ARM_NEARNESS: f32 = 0.1;

/// Four limbs of one frame, and where their ends shall be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteadyLimbs {
    bones: [Vectors; 2],
    hinge: Vectors,
    goal: Vectors,
    weight: Vec4,
    limits: [Vec4; 2],
    /// How much it counts that the roots stay; 0 where they must.
    stiffness: f32,
    /// What ρ is multiplied by.
    nearness: f32,
    /// 1 of each limb, 0 of a lane without one.
    counts: Vec4,
    size: f32,
    up: Vec3,
    /// Along `up`, what no end may be below.
    lowest: Vec4,
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

/// How the bones of four limbs turn: rotation vectors in model space, upper bones and lower bones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turns(pub(crate) [Vectors; 2]);

/// How four limbs move: their bones turn, and their roots shift together, in limb lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moves {
    pub(crate) turns: Turns,
    pub(crate) shift: Vec3,
}

impl Moves {
    pub(crate) const NONE: Self = Self {
        turns: Turns::NONE,
        shift: Vec3::ZERO,
    };

    fn plus(self, other: Self, share: f32) -> Self {
        Self {
            turns: self.turns.plus(other.turns, Vec4::splat(share)),
            shift: self.shift + other.shift * share,
        }
    }

    fn minus(self, other: Self) -> Self {
        self.plus(other, -1.0)
    }
}

impl Turns {
    pub(crate) const NONE: Self = Self([Vectors::ZERO; 2]);

    fn plus(self, other: Self, share: Vec4) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([a + c * share, b + d * share])
    }

    fn dot(self, other: Self) -> Vec4 {
        self.0[0].dot(other.0[0]) + self.0[1].dot(other.0[1])
    }

    /// No bone by more than so many radians.
    fn within(self, most: f32) -> Self {
        Self(self.0.map(|turn| {
            let size = turn.length();
            let is_long = size.cmpgt(Vec4::splat(most));
            turn * Vec4::select(is_long, Vec4::splat(most) / size, Vec4::ONE)
        }))
    }
}

/// How a bone answers to its rotation vector.
struct Bone {
    now: Vectors,
    /// Coefficients of the left Jacobian: I + c w× + k w×².
    c: Vec4,
    k: Vec4,
    turn: Vectors,
}

impl Bone {
    #[inline(always)]
    fn new(rest: Vectors, turn: Vectors) -> Self {
        let square = turn.dot(turn);
        Self {
            now: Rotations::of_vectors(turn).turned(rest),
            c: series(square, &[2.0, -24.0, 720.0, -40_320.0, 3_628_800.0]),
            k: series(square, &[6.0, -120.0, 5_040.0, -362_880.0, 39_916_800.0]),
            turn,
        }
    }

    /// The transpose of the left Jacobian, times these vectors.
    #[inline(always)]
    fn answered(&self, vectors: Vectors) -> Vectors {
        let once = vectors.cross(self.turn);
        vectors + once * self.c + once.cross(self.turn) * self.k
    }
}

/// The linear system of a step.
struct System<'a> {
    limbs: &'a SteadyLimbs,
    at: Moves,
    near: Moves,
    firm: Firm,
    /// φ, and how it answers to the turns.
    angle: Vec4,
    hinge: Turns,
    /// How the end answers, axis by axis.
    rows: [Turns; 3],
    /// Where it is.
    end: Vectors,
}

/// What a system says.
struct Step {
    turns: Turns,
    shift: Vec3,
    /// How high along `up` the ends would then be.
    height: Vec4,
}

impl<'a> System<'a> {
    #[inline(always)]
    fn new(limbs: &'a SteadyLimbs, at: Moves, near: Moves, firm: Firm) -> Self {
        let Turns(turns) = at.turns;
        let [upper, lower] = [0, 1].map(|bone| Bone::new(limbs.bones[bone], turns[bone]));
        let hinge = Rotations::of_vectors(turns[0]).turned(limbs.hinge);
        Self {
            limbs,
            at,
            near,
            firm,
            angle: limbs.angle([upper.now, lower.now], hinge),
            hinge: Turns([-upper.answered(hinge), lower.answered(hinge)]),
            rows: Vectors::axes().map(|axis| {
                Turns([
                    upper.answered(upper.now.cross(axis)),
                    lower.answered(lower.now.cross(axis)),
                ])
            }),
            end: upper.now + lower.now + Vectors::splat(at.shift),
        }
    }

    /// The step where these limbs are held to their least angle, to their largest one, and to the floor.
    #[inline(always)]
    fn solved(&self, [is_least, is_most, is_on_floor]: [BVec4A; 3]) -> Step {
        let (limbs, at, near, firm) = (self.limbs, self.at, self.near, self.firm);
        let rho = firm.rho;
        let own = 1.0 + RIGID + rho;
        let below = (own * own - RIGID * RIGID).recip();
        let shares = [own * below, RIGID * below].map(Vec4::splat);
        let through = Inverse::plain(shares, self.hinge);
        let strength = Vec4::select(is_least | is_most, Vec4::splat(HINGE), Vec4::ZERO);
        let inverse = Inverse {
            shares,
            hinge: through,
            factor: strength / (Vec4::ONE + strength * self.hinge.dot(through)),
        };
        let [lo, hi] = limbs.limits;
        let beyond = self.angle - Vec4::select(is_most, hi, lo);

        let Turns([a, b]) = at.turns;
        let apart = (a - b) * Vec4::splat(RIGID);
        let slope = Turns([a + apart, b - apart])
            .plus(at.turns.plus(near.turns, -Vec4::ONE), Vec4::splat(rho))
            .plus(self.hinge, strength * beyond);
        let free = inverse.times(slope);

        let through = self.rows.map(|row| inverse.times(row));
        let up = Vectors::splat(limbs.up);
        let floor = Vec4::select(is_on_floor, Vec4::splat(FLOOR), Vec4::ZERO);
        let both = limbs.weight + floor;
        let raised = (limbs.lowest - limbs.goal.dot(up)) * (floor / both);
        let goal = limbs.goal + up * Vec4::select(is_on_floor, raised, Vec4::ZERO);
        let left = (self.end - goal).minus_each(self.rows.map(|row| row.dot(free)));
        let soft = limbs.weight.recip();
        let firmer = both.recip() - soft;
        let [x, y, z] = limbs.up.to_array();
        let entry = |row: usize, column: usize| self.rows[row].dot(through[column]);
        let spring = Symmetric {
            diagonal: [
                entry(0, 0) + soft + firmer * (x * x),
                entry(1, 1) + soft + firmer * (y * y),
                entry(2, 2) + soft + firmer * (z * z),
            ],
            beside: [
                entry(1, 2) + firmer * (y * z),
                entry(0, 2) + firmer * (x * z),
                entry(0, 1) + firmer * (x * y),
            ],
        }
        .inverted();
        let mut force = spring.times(left);
        let mut shift = Vec3::ZERO;
        if limbs.stiffness > 0.0 {
            let near_shift = rho * limbs.stiffness * firm.root;
            let own = limbs.stiffness + near_shift;
            let pull = at.shift * limbs.stiffness
                + (at.shift - near.shift) * near_shift
                + force.sum(limbs.counts);
            shift = spring.sum(limbs.counts, own).inverse() * -pull;
            force = force + spring.times(Vectors::splat(shift));
        }
        let pushed = force
            .axis_values()
            .into_iter()
            .zip(through)
            .fold(free, |sum, (force, through)| sum.plus(through, force));
        Step {
            turns: Turns(pushed.0.map(|turn| -turn)),
            shift,
            height: goal.dot(up) + force.dot(up) * soft,
        }
    }
}

/// The system without the goal, inverted.
struct Inverse {
    /// On a bone's own row, and on the other's.
    shares: [Vec4; 2],
    /// What the row of the hinge takes off, and its factor.
    hinge: Turns,
    factor: Vec4,
}

impl Inverse {
    fn plain(shares: [Vec4; 2], of: Turns) -> Turns {
        let ([own, other], [a, b]) = (shares, of.0);
        Turns([a * own + b * other, a * other + b * own])
    }

    #[inline(always)]
    fn times(&self, of: Turns) -> Turns {
        let plain = Self::plain(self.shares, of);
        plain.plus(self.hinge, -self.factor * self.hinge.dot(of))
    }
}

impl SteadyLimbs {
    /// From bones of any length, the side to which each middle joint points, and the goals from the roots.
    pub(crate) fn new(
        [upper, lower]: [Vectors; 2],
        forward: Vectors,
        goal: Vectors,
        (weight, stiffness): (Vec4, f32),
    ) -> Self {
        let whole = upper.length() + lower.length();
        let size = whole.max_element().max(f32::MIN_POSITIVE);
        let shorter = Vec4::splat(size.recip());
        let counts = Vec4::select(whole.cmpgt(Vec4::ZERO), Vec4::ONE, Vec4::ZERO);
        let (hinge, is_none) = forward.cross(upper).normalized();
        let hinge = Vectors::select(is_none, Vectors::ZERO, hinge);
        let mut limbs = Self {
            bones: [upper * shorter, lower * shorter],
            hinge,
            goal: goal * shorter,
            weight: weight.max(Vec4::splat(1e-3)),
            limits: [Vec4::ZERO; 2],
            stiffness,
            nearness: 1.0,
            counts,
            size,
            up: Vec3::Y,
            lowest: Vec4::splat(f32::MIN),
        };
        let [straight, folded, furthest] = ANGLES.map(|degrees| Vec4::splat(degrees.to_radians()));
        let own = limbs.angle(limbs.bones, hinge);
        limbs.limits = [own.min(straight), folded.max(own.min(furthest))];
        limbs
    }

    /// As arms: elbows fold further than knees, and ρ is smaller. Where roots stay, nothing but the small energy of the limb itself
    /// turns the middle joint about the line from root to end; beside a large ρ it lags behind.
    pub(crate) fn as_arms(self) -> Self {
        let [least, most] = self.limits;
        Self {
            nearness: ARM_NEARNESS,
            limits: [least, most.max(Vec4::splat(ELBOW.to_radians()))],
            ..self
        }
    }

    /// On a floor: no end gets below `lowest`, along `up` and from the limb's root.
    pub(crate) fn above(self, up: Vec3, lowest: Vec4) -> Self {
        let lowest = lowest * self.size.recip();
        Self { up, lowest, ..self }
    }

    /// The shorter of the lines from root to end, as transferred and as wanted.
    fn line(&self) -> Vec4 {
        let own = (self.bones[0] + self.bones[1]).length();
        own.min(self.goal.length())
    }

    /// φ: the angle of the middle joint, 0 of a straight limb.
    #[inline(always)]
    fn angle(&self, [u, v]: [Vectors; 2], hinge: Vectors) -> Vec4 {
        let sizes = (u.length() * v.length()).max(Vec4::splat(f32::MIN_POSITIVE));
        let (sine, cosine) = (u.cross(v).dot(hinge) / sizes, u.dot(v) / sizes);
        let angle = arc_tangent(sine, (Vec4::ONE + cosine).max(Vec4::splat(1e-6))) * 2.0;
        let wraps = angle.cmplt(Vec4::splat(-std::f32::consts::FRAC_PI_2));
        Vec4::select(wraps, angle + Vec4::splat(std::f32::consts::TAU), angle)
    }

    /// One step from `at`, near `near` with weight ρ. Limits and the floor only act where the step would end beyond them.
    #[inline(always)]
    fn step(&self, at: Moves, near: Moves, firm: Firm) -> Moves {
        let rho = firm.rho * self.nearness;
        let firm = Firm { rho, ..firm };
        let system = System::new(self, at, near, firm);
        let mut step = system.solved([BVec4A::FALSE; 3]);
        let [lo, hi] = self.limits;
        let angle = system.angle + system.hinge.dot(step.turns);
        let beyond = [
            angle.cmplt(lo),
            angle.cmpgt(hi),
            step.height.cmplt(self.lowest),
        ];
        if (beyond[0] | beyond[1] | beyond[2]).any() {
            step = system.solved(beyond);
        }
        Moves {
            turns: at
                .turns
                .plus(step.turns.within(firm.most), Vec4::ONE)
                .within(2.5),
            shift: at.shift + step.shift.clamp_length_max(firm.most),
        }
    }

    /// How the bones turn with nothing known of other frames.
    pub(crate) fn alone(&self) -> Moves {
        let steps = 0..FIRST_STEPS;
        steps.fold(Moves::NONE, |at, _| self.step(at, at, FIRST))
    }

    /// How far each end stays from its goal, in limb lengths.
    pub(crate) fn missed(&self, moves: &Moves) -> Vec4 {
        let bones =
            [0, 1].map(|bone| Rotations::of_vectors(moves.turns.0[bone]).turned(self.bones[bone]));
        let end = bones[0] + bones[1] + Vectors::splat(moves.shift);
        (end - self.goal).length() * self.counts
    }

    /// How far the roots shift.
    pub(crate) fn shift(&self, moves: &Moves) -> Vec3 {
        moves.shift * self.size
    }
}

/// Symmetric matrices: the diagonal, and y z, x z, x y beside it.
struct Symmetric {
    diagonal: [Vec4; 3],
    beside: [Vec4; 3],
}

impl Symmetric {
    #[inline(always)]
    fn inverted(&self) -> Self {
        let ([a, b, c], [f, e, d]) = (self.diagonal, self.beside);
        let diagonal = [b * c - f * f, a * c - e * e, a * b - d * d];
        let beside = [d * e - a * f, d * f - b * e, e * f - c * d];
        let determinant = a * diagonal[0] + d * beside[2] + e * beside[1];
        let shorter = determinant.max(Vec4::splat(f32::MIN_POSITIVE)).recip();
        Self {
            diagonal: diagonal.map(|entry| entry * shorter),
            beside: beside.map(|entry| entry * shorter),
        }
    }

    #[inline(always)]
    fn times(&self, vectors: Vectors) -> Vectors {
        let ([a, b, c], [f, e, d]) = (self.diagonal, self.beside);
        let [x, y, z] = vectors.axis_values();
        Vectors::of_axes([
            a * x + d * y + e * z,
            d * x + b * y + f * z,
            e * x + f * y + c * z,
        ])
    }

    /// Of all that count, and this on the diagonal.
    fn sum(&self, counts: Vec4, more: f32) -> Mat3 {
        let [a, b, c] = self.diagonal.map(|entry| entry.dot(counts) + more);
        let [f, e, d] = self.beside.map(|entry| entry.dot(counts));
        Mat3::from_cols(Vec3::new(a, d, e), Vec3::new(d, b, f), Vec3::new(e, f, c))
    }
}

/// From root to end of an arm that is as folded as it may be.
pub(crate) fn shortest_arm([upper, lower]: [Vec3; 2]) -> f32 {
    let folded = upper.length() * lower.length() * ELBOW.to_radians().cosine();
    let between = upper.dot(lower).min(folded);
    let square = upper.length_squared() + lower.length_squared() + 2.0 * between;
    square.max(0.0).sqrt()
}

/// True where a limb turns at all.
pub(crate) fn is_turned(turns: &Turns) -> BVec4A {
    turns.dot(*turns).cmpgt(Vec4::ZERO)
}
