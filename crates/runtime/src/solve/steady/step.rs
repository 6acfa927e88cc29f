//! One step of Gauss and Newton, of all limbs of a body in N frames.

use super::{Firm, Limbs, Moves, RIGID, SteadyLimb, Turns};
use crate::lanes::{Lanes, Mask, Vectors, arc_tangent, exp, series};
use std::f32::consts::{FRAC_PI_2, TAU};

/// Weight of an end that is below the floor, upwards.
const FLOOR: f32 = 3e5;

/// κ: weight of the limits of the middle joint.
pub(super) const HINGE: f32 = 3e4;

/// The largest turn of a bone from where it was transferred to, radians.
const MOST_TURN: f32 = 2.5;

/// How a bone answers to its rotation vector.
#[derive(Clone, Copy)]
pub(super) struct Bone<const N: usize> {
    pub(super) now: Vectors<N>,
    /// Coefficients of the left Jacobian: I + c w× + k w×².
    c: Lanes<N>,
    k: Lanes<N>,
    turn: Vectors<N>,
}

impl<const N: usize> Bone<N> {
    #[inline(always)]
    pub(super) fn new(rest: Vectors<N>, turn: Vectors<N>) -> Self {
        let square = turn.dot(turn);
        Self {
            now: exp(turn).turned(rest),
            c: series(square, [2.0, -24.0, 720.0, -40_320.0, 3_628_800.0]),
            k: series(square, [6.0, -120.0, 5_040.0, -362_880.0, 39_916_800.0]),
            turn,
        }
    }

    /// The transpose of the left Jacobian, times these vectors.
    #[inline(always)]
    pub(super) fn answered(&self, vectors: Vectors<N>) -> Vectors<N> {
        let once = vectors.cross(self.turn);
        vectors + once * self.c + once.cross(self.turn) * self.k
    }
}

/// A limb, and how it changes where its bones turn a little.
#[derive(Clone, Copy)]
struct Linearized<const N: usize> {
    /// φ, and how it changes.
    angle: Lanes<N>,
    hinge: Turns<N>,
    /// How the end moves, axis by axis.
    rows: [Turns<N>; 3],
    /// Where it is, from where the root was.
    end: Vectors<N>,
}

/// A limb's linear system without the goal, solved; and what the goal then does.
#[derive(Clone, Copy)]
struct Solved<const N: usize> {
    free: Turns<N>,
    through: [Turns<N>; 3],
    spring: Symmetric<N>,
    force: Vectors<N>,
    /// 1 of a limb, 0 where there is none.
    counts: Lanes<N>,
}

/// Scratch for the systems of a body's limbs.
pub(super) struct Scratch<const N: usize, const L: usize> {
    limbs: [(Linearized<N>, Solved<N>); L],
    count: usize,
}

impl<const N: usize, const L: usize> Scratch<N, L> {
    pub(super) fn new(count: usize) -> Self {
        let linear = Linearized {
            angle: Lanes::ZERO,
            hinge: Turns::NONE,
            rows: [Turns::NONE; 3],
            end: Vectors::ZERO,
        };
        let solved = Solved {
            free: Turns::NONE,
            through: [Turns::NONE; 3],
            spring: Symmetric {
                diagonal: [Lanes::ZERO; 3],
                beside: [Lanes::ZERO; 3],
            },
            force: Vectors::ZERO,
            counts: Lanes::ZERO,
        };
        Self {
            limbs: [(linear, solved); L],
            count,
        }
    }

    /// A number of the whole body: its own part, and one of each limb.
    #[inline(always)]
    fn sum(&self, own: Lanes<N>, part: impl Fn(&Solved<N>) -> Lanes<N>) -> Lanes<N> {
        let mut sum = own;
        for limb in 0..self.count {
            let part = part(&self.limbs[limb].1);
            if L == 1 {
                return Lanes::splat(part.folded(sum.0[0], |sum, limb| sum + limb));
            }
            sum = sum + part;
        }
        sum
    }
}

/// φ: the angle of the middle joint, 0 of a straight limb.
#[inline(always)]
pub(super) fn angle<const N: usize>([u, v]: [Vectors<N>; 2], hinge: Vectors<N>) -> Lanes<N> {
    let sizes = (u.length() * v.length()).max(Lanes::splat(f32::MIN_POSITIVE));
    let (sine, cosine) = (u.cross(v).dot(hinge) / sizes, u.dot(v) / sizes);
    let angle = arc_tangent(sine, (Lanes::ONE + cosine).max(Lanes::splat(1e-6))) * 2.0;
    let wraps = angle.cmplt(Lanes::splat(-FRAC_PI_2));
    Lanes::select(wraps, angle + Lanes::splat(TAU), angle)
}

impl<const N: usize, const L: usize> Limbs<N, L> {
    /// One step from `at`, near `near` with weight ρ. Limits and the floor only act where the step would end beyond them.
    #[inline(always)]
    pub(super) fn step(
        &self,
        at: &Moves<N, L>,
        near: &Moves<N, L>,
        firm: Firm,
        scratch: &mut Scratch<N, L>,
    ) -> Moves<N, L> {
        let rho = firm.rho * self.nearness;
        let (shift, near_shift) = (at.shift, rho * self.stiffness * firm.root);
        for limb in 0..self.count {
            scratch.limbs[limb].0 = Linearized::new(&self.limbs[limb], at.turns[limb], shift);
        }
        let mut held = [[Mask::FALSE; 3]; L];
        let mut is_bound = false;
        let root_step = loop {
            for (limb, held) in held.iter().enumerate().take(self.count) {
                let (linear, solved) = &mut scratch.limbs[limb];
                *solved = self.solved(limb, at, near, rho, linear, *held);
            }
            let root_step = self.root_step(at, near, near_shift, scratch);
            if is_bound {
                break root_step;
            }
            for (limb, held) in held.iter_mut().enumerate().take(self.count) {
                let (linear, solved) = &scratch.limbs[limb];
                *held = self.beyond(limb, root_step, linear, solved);
                let [least, most, floor] = *held;
                is_bound |= (least | most | floor).any();
            }
            if !is_bound {
                break root_step;
            }
        };
        let mut moves = *at;
        for limb in 0..self.count {
            let turns = scratch.limbs[limb].1.turns(root_step).within(firm.most);
            moves.turns[limb] = at.turns[limb].plus(turns, Lanes::ONE).within(MOST_TURN);
        }
        moves.shift = shift + limited(root_step, firm.most);
        moves
    }

    /// How far the roots shift.
    #[inline(always)]
    fn root_step(
        &self,
        at: &Moves<N, L>,
        near: &Moves<N, L>,
        near_shift: f32,
        scratch: &Scratch<N, L>,
    ) -> Vectors<N> {
        if self.stiffness <= 0.0 {
            return Vectors::ZERO;
        }
        let own = Lanes::splat(self.stiffness + near_shift);
        let Vectors([x, y, z]) = at.shift * self.stiffness + (at.shift - near.shift) * near_shift;
        let root_step = Vectors([
            scratch.sum(x, |of| of.force.0[0] * of.counts),
            scratch.sum(y, |of| of.force.0[1] * of.counts),
            scratch.sum(z, |of| of.force.0[2] * of.counts),
        ]);
        let no = Lanes::ZERO;
        let spring = Symmetric {
            diagonal: [
                scratch.sum(own, |of| of.spring.diagonal[0] * of.counts),
                scratch.sum(own, |of| of.spring.diagonal[1] * of.counts),
                scratch.sum(own, |of| of.spring.diagonal[2] * of.counts),
            ],
            beside: [
                scratch.sum(no, |of| of.spring.beside[0] * of.counts),
                scratch.sum(no, |of| of.spring.beside[1] * of.counts),
                scratch.sum(no, |of| of.spring.beside[2] * of.counts),
            ],
        };
        -spring.inverted().times(root_step)
    }

    /// Where a limb would end beyond its least angle, beyond its largest, and below the floor.
    #[inline(always)]
    fn beyond(
        &self,
        limb: usize,
        root_step: Vectors<N>,
        linear: &Linearized<N>,
        solved: &Solved<N>,
    ) -> [Mask<N>; 3] {
        let own = &self.limbs[limb];
        let angle = linear.angle + linear.hinge.dot(solved.turns(root_step));
        let up = Vectors::splat(self.up);
        let height = own.goal.dot(up) + solved.pushed(root_step).dot(up) * own.weight.recip();
        [
            angle.cmplt(own.limits[0]),
            angle.cmpgt(own.limits[1]),
            height.cmplt(own.lowest),
        ]
    }

    /// The step of a limb whose root stays, where it is held to its least angle, to its largest one, and to the floor.
    #[inline(always)]
    fn solved(
        &self,
        limb: usize,
        at: &Moves<N, L>,
        near: &Moves<N, L>,
        rho: f32,
        linear: &Linearized<N>,
        [least, most, floor]: [Mask<N>; 3],
    ) -> Solved<N> {
        let own = &self.limbs[limb];
        let (at, near) = (at.turns[limb], near.turns[limb]);
        let strength = Lanes::select(least | most, Lanes::splat(HINGE), Lanes::ZERO);
        let inverse = Inverse::new(rho, linear.hinge, strength);
        let beyond = linear.angle - Lanes::select(most, own.limits[1], own.limits[0]);
        let Turns([a, b]) = at;
        let apart = (a - b) * RIGID;
        let slope = Turns([a + apart, b - apart])
            .plus(at.plus(near, -Lanes::ONE), Lanes::splat(rho))
            .plus(linear.hinge, strength * beyond);
        let free = inverse.times(slope);

        let rows = linear.rows;
        let through = [
            inverse.times(rows[0]),
            inverse.times(rows[1]),
            inverse.times(rows[2]),
        ];
        let up = Vectors::splat(self.up);
        let weight = Lanes::select(floor, Lanes::splat(FLOOR), Lanes::ZERO);
        let both = own.weight + weight;
        let raised = (own.lowest - own.goal.dot(up)) * (weight / both);
        let goal = own.goal + up * Lanes::select(floor, raised, Lanes::ZERO);
        let Vectors([x, y, z]) = linear.end - goal;
        let left = Vectors([
            x - rows[0].dot(free),
            y - rows[1].dot(free),
            z - rows[2].dot(free),
        ]);
        let soft = own.weight.recip();
        let firmer = both.recip() - soft;
        let [x, y, z] = self.up.to_array();
        let spring = Symmetric {
            diagonal: [
                rows[0].dot(through[0]) + soft + firmer * (x * x),
                rows[1].dot(through[1]) + soft + firmer * (y * y),
                rows[2].dot(through[2]) + soft + firmer * (z * z),
            ],
            beside: [
                rows[1].dot(through[2]) + firmer * (y * z),
                rows[0].dot(through[2]) + firmer * (x * z),
                rows[0].dot(through[1]) + firmer * (x * y),
            ],
        }
        .inverted();
        Solved {
            free,
            through,
            spring,
            force: spring.times(left),
            counts: own.counts,
        }
    }
}

impl<const N: usize> Linearized<N> {
    #[inline(always)]
    fn new(limb: &SteadyLimb<N>, Turns([a, b]): Turns<N>, shift: Vectors<N>) -> Self {
        let (upper, lower) = (Bone::new(limb.bones[0], a), Bone::new(limb.bones[1], b));
        let hinge = exp(a).turned(limb.hinge);
        let [x, y, z] = Vectors::AXES;
        Self {
            angle: angle([upper.now, lower.now], hinge),
            hinge: Turns([-upper.answered(hinge), lower.answered(hinge)]),
            rows: [
                row(&upper, &lower, x),
                row(&upper, &lower, y),
                row(&upper, &lower, z),
            ],
            end: upper.now + lower.now + shift,
        }
    }
}

/// How the end of two bones moves along an axis where they turn.
#[inline(always)]
fn row<const N: usize>(upper: &Bone<N>, lower: &Bone<N>, axis: Vectors<N>) -> Turns<N> {
    Turns([
        upper.answered(upper.now.cross(axis)),
        lower.answered(lower.now.cross(axis)),
    ])
}

impl<const N: usize> Solved<N> {
    /// λ, once the root has gone along.
    #[inline(always)]
    fn pushed(&self, root_step: Vectors<N>) -> Vectors<N> {
        self.force + self.spring.times(root_step)
    }

    #[inline(always)]
    fn turns(&self, root_step: Vectors<N>) -> Turns<N> {
        let Vectors([x, y, z]) = self.pushed(root_step);
        let [along_x, along_y, along_z] = self.through;
        let turns = self.free.plus(along_x, x).plus(along_y, y).plus(along_z, z);
        Turns([-turns.0[0], -turns.0[1]])
    }
}

/// The system without the goal, inverted.
struct Inverse<const N: usize> {
    /// On a bone's own row, and on the other's.
    shares: [f32; 2],
    /// What the row of the hinge takes off, and its factor.
    hinge: Turns<N>,
    factor: Lanes<N>,
}

impl<const N: usize> Inverse<N> {
    #[inline(always)]
    fn new(rho: f32, hinge: Turns<N>, strength: Lanes<N>) -> Self {
        let own = 1.0 + RIGID + rho;
        let below = (own * own - RIGID * RIGID).recip();
        let shares = [own * below, RIGID * below];
        let through = plain(shares, hinge);
        Self {
            shares,
            hinge: through,
            factor: strength / (Lanes::ONE + strength * hinge.dot(through)),
        }
    }

    #[inline(always)]
    fn times(&self, of: Turns<N>) -> Turns<N> {
        plain(self.shares, of).plus(self.hinge, -self.factor * self.hinge.dot(of))
    }
}

#[inline(always)]
fn plain<const N: usize>([own, other]: [f32; 2], Turns([a, b]): Turns<N>) -> Turns<N> {
    Turns([a * own + b * other, a * other + b * own])
}

/// Symmetric matrices: the diagonal, and y z, x z, x y beside it.
#[derive(Clone, Copy)]
struct Symmetric<const N: usize> {
    diagonal: [Lanes<N>; 3],
    beside: [Lanes<N>; 3],
}

impl<const N: usize> Symmetric<N> {
    #[inline(always)]
    fn inverted(&self) -> Self {
        let ([a, b, c], [f, e, d]) = (self.diagonal, self.beside);
        let [x, y, z] = [b * c - f * f, a * c - e * e, a * b - d * d];
        let [yz, xz, xy] = [d * e - a * f, d * f - b * e, e * f - c * d];
        let determinant = a * x + d * xy + e * xz;
        let shorter = determinant.max(Lanes::splat(f32::MIN_POSITIVE)).recip();
        Self {
            diagonal: [x * shorter, y * shorter, z * shorter],
            beside: [yz * shorter, xz * shorter, xy * shorter],
        }
    }

    #[inline(always)]
    fn times(&self, Vectors([x, y, z]): Vectors<N>) -> Vectors<N> {
        let ([a, b, c], [f, e, d]) = (self.diagonal, self.beside);
        Vectors([
            a * x + d * y + e * z,
            d * x + b * y + f * z,
            e * x + f * y + c * z,
        ])
    }
}

/// Vectors no longer than this.
#[inline(always)]
pub(super) fn limited<const N: usize>(vectors: Vectors<N>, most: f32) -> Vectors<N> {
    let (size, most) = (vectors.length(), Lanes::splat(most));
    vectors * Lanes::select(size.cmpgt(most), most / size, Lanes::ONE)
}
