//! Laws of the solver, on random bodies and motions, and against a solver of its own: the whole clip at once, in f64, written from
//! the energies of the module's head.

use super::{of_bones, of_limbs};
use crate::solve::steady::over_time::{ROOT_STEADY, STEADY};
use crate::solve::steady::step::HINGE;
use crate::solve::steady::*;
use glam::{DQuat, DVec3};

/// Numbers from −1 to 1.
struct Random(u32);

impl Random {
    fn number(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    /// A leg that hangs more or less down and bends more or less forwards, with a goal that it may reach.
    fn leg(&mut self) -> Leg {
        let upper = Vec3::new(0.0, -0.45, 0.15) + self.vector() * 0.1;
        let lower = Vec3::new(0.0, -0.4, -0.1) + self.vector() * 0.1;
        Leg {
            bones: [upper, lower],
            goal: (upper + lower) * 0.85 + self.vector() * 0.25,
            weight: if self.number() > 0.0 { 1e4 } else { 300.0 },
            lowest: if self.number() > 0.0 { -0.8 } else { f32::MIN },
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Leg {
    bones: [Vec3; 2],
    goal: Vec3,
    weight: f32,
    lowest: f32,
}

/// Two legs, and what becomes of them where lengths are scaled and the world is turned about its up or mirrored.
fn two_legs(legs: &[Leg; 2], change: &dyn Fn(Vec3) -> Vec3, size: f32) -> SteadyLimbs {
    let leg = |leg: &Leg| {
        let bones = leg.bones.map(|bone| change(bone) * size);
        (bones, change(leg.goal) * size, leg.weight)
    };
    let [left, right] = legs.each_ref().map(|leg| leg.lowest * size);
    SteadyLimbs::new(&Wanted {
        forward: Vectors::splat(change(Vec3::Z)),
        lowest: Lanes([left, right, f32::MIN, f32::MIN]),
        stiffness: 300.0,
        ..of_limbs(&legs.each_ref().map(leg))
    })
}

/// Lengths, headings and sides are no part of the law: moves scale, turn and are mirrored with the body.
#[test]
fn no_size_heading_or_side_is_special() {
    let mut random = Random(7);
    for _ in 0..500 {
        let legs = [random.leg(), random.leg()];
        let own = two_legs(&legs, &|vector| vector, 1.0);
        let moves = own.alone();
        let near = |other: Vec3, own: Vec3| {
            let off = other.distance(own);
            assert!(off < 2e-4, "{legs:?}: {own} became {other}");
        };
        let size = 1.0 + 50.0 * (1.0 + random.number());
        let scaled = two_legs(&legs, &|vector| vector, size);
        let of_scaled = scaled.alone();
        near(scaled.shift(&of_scaled) / size, own.shift(&moves));
        let yaw = Quat::from_rotation_y(3.0 * random.number());
        let turned = two_legs(&legs, &|vector| yaw * vector, 1.0);
        let of_turned = turned.alone();
        near(turned.shift(&of_turned), yaw * own.shift(&moves));
        let other_side = |vector: Vec3| Vec3::new(-vector.x, vector.y, vector.z);
        let swapped = [legs[1], legs[0]];
        let mirrored = two_legs(&swapped, &other_side, 1.0);
        let of_mirrored = mirrored.alone();
        near(mirrored.shift(&of_mirrored), other_side(own.shift(&moves)));
        for leg in 0..2 {
            for bone in 0..2 {
                let turn = moves.turns(leg)[bone];
                near(of_scaled.turns(leg)[bone], turn);
                near(of_turned.turns(leg)[bone], yaw * turn);
                // Rotation vectors keep the axis that a mirror turns around.
                let turn = -other_side(turn);
                near(of_mirrored.turns(1 - leg)[bone], turn);
            }
        }
    }
}

/// The unknowns of a frame with one limb: how both bones turn, and how the root shifts.
const UNKNOWNS: usize = 9;

/// A leg of a clip, in f64.
struct Frame64 {
    bones: [DVec3; 2],
    hinge: DVec3,
    goal: DVec3,
    weight: f64,
    limits: [f64; 2],
    stiffness: f64,
}

fn turned(turn: DVec3, vector: DVec3) -> DVec3 {
    DQuat::from_scaled_axis(turn) * vector
}

impl Frame64 {
    fn new(limbs: &SteadyLimbs) -> Self {
        let [limb] = &limbs.body.limbs;
        let vector = |vectors: &limbs::Vectors| vectors.lane(0).as_dvec3();
        Self {
            bones: limb.bones.each_ref().map(vector),
            hinge: vector(&limb.hinge),
            goal: vector(&limb.goal),
            weight: f64::from(limb.weight[0]),
            limits: limb.limits.map(|limit| f64::from(limit[0])),
            stiffness: f64::from(limbs.body.stiffness),
        }
    }

    /// What is squared and summed up to the energy of the frame.
    fn residuals(&self, x: &[f64]) -> Vec<f64> {
        let [a, b, shift] = [0, 3, 6].map(|at| DVec3::new(x[at], x[at + 1], x[at + 2]));
        let (u, v) = (turned(a, self.bones[0]), turned(b, self.bones[1]));
        let hinge = turned(a, self.hinge);
        let mut angle = u.cross(v).dot(hinge).atan2(u.dot(v));
        if angle < -std::f64::consts::FRAC_PI_2 {
            angle += std::f64::consts::TAU;
        }
        let beyond = (angle - self.limits[0]).min(0.0) + (angle - self.limits[1]).max(0.0);
        let off = u + v + shift - self.goal;
        let parts = [
            (1.0, a),
            (1.0, b),
            (f64::from(RIGID), a - b),
            (self.weight, off),
            (self.stiffness, shift),
        ];
        let parts = parts.into_iter();
        let mut all: Vec<f64> = parts
            .flat_map(|(weight, part)| (part * weight.sqrt()).to_array())
            .collect();
        all.push(beyond * f64::from(HINGE).sqrt());
        all
    }
}

/// A clip as a whole.
struct Clip64 {
    frames: Vec<Frame64>,
    /// How much the square of a third difference costs, of the bones and of the root.
    jerk: [f64; 2],
}

impl Clip64 {
    fn new(step: f64, limbs: &[SteadyLimbs]) -> Self {
        let jerk = |[seconds, frames]: [f64; 2]| (seconds.max(frames * step) / step).powi(6);
        Self {
            frames: limbs.iter().map(Frame64::new).collect(),
            jerk: [jerk(STEADY), jerk(ROOT_STEADY)],
        }
    }

    fn energy(&self, x: &[f64]) -> f64 {
        self.residuals(x).iter().map(|value| value * value).sum()
    }

    fn residuals(&self, x: &[f64]) -> Vec<f64> {
        let frames = self.frames.iter().zip(x.chunks(UNKNOWNS));
        let mut all: Vec<f64> = frames.flat_map(|(frame, x)| frame.residuals(x)).collect();
        for first in 0..self.frames.len() - 3 {
            for unknown in 0..UNKNOWNS {
                let value = |frame: usize| x[(first + frame) * UNKNOWNS + unknown];
                let third = value(3) - 3.0 * value(2) + 3.0 * value(1) - value(0);
                all.push(third * self.jerk[unknown / 6].sqrt());
            }
        }
        all
    }

    /// Levenberg and Marquardt, all frames at once.
    fn solved(&self, mut x: Vec<f64>) -> Vec<f64> {
        let (count, mut damping) = (x.len(), 1.0);
        for _ in 0..60 {
            let (before, energy) = (self.residuals(&x), self.energy(&x));
            let columns: Vec<Vec<f64>> = (0..count)
                .map(|unknown| {
                    let mut moved = x.clone();
                    moved[unknown] += 1e-6;
                    let after = self.residuals(&moved);
                    after
                        .iter()
                        .zip(&before)
                        .map(|(a, b)| (a - b) / 1e-6)
                        .collect()
                })
                .collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let matrix: Vec<Vec<f64>> = (0..count)
                .map(|row| {
                    (0..=row)
                        .map(|column| dot(&columns[row], &columns[column]))
                        .collect()
                })
                .collect();
            let slope: Vec<f64> = columns.iter().map(|column| dot(column, &before)).collect();
            let step = solve_symmetric(matrix, slope, damping);
            let next: Vec<f64> = x.iter().zip(&step).map(|(x, step)| x - step).collect();
            let gain = energy - self.energy(&next);
            if gain > 0.0 {
                x = next;
                damping *= 0.3;
                if gain < 1e-6 * energy {
                    break;
                }
            } else {
                damping *= 5.0;
            }
        }
        x
    }
}

/// (M + damping) x = b by Cholesky; M by its lower rows.
fn solve_symmetric(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>, damping: f64) -> Vec<f64> {
    let count = right.len();
    for row in 0..count {
        rows[row][row] += damping;
        for column in 0..=row {
            let known: f64 = (0..column).map(|at| rows[row][at] * rows[column][at]).sum();
            let value = rows[row][column] - known;
            rows[row][column] = if row == column {
                value.sqrt()
            } else {
                value / rows[column][column]
            };
        }
        let known: f64 = (0..row).map(|at| rows[row][at] * right[at]).sum();
        right[row] = (right[row] - known) / rows[row][row];
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|at| rows[at][row] * right[at]).sum();
        right[row] = (right[row] - known) / rows[row][row];
    }
    right
}

fn flat(moves: &[Moves]) -> Vec<f64> {
    let frame = |moves: &Moves| {
        let [a, b] = moves.turns(0);
        let vectors = [a, b, moves.shift.lane(0)];
        vectors.map(|vector| vector.as_dvec3().to_array()).concat()
    };
    moves.iter().flat_map(frame).collect()
}

/// A leg that squats and rises again. `deepest` is the least distance from hip to ankle, in lengths of the leg. The goal of the foot is
/// a fifth of the leg above where the transferred leg brings it.
fn squat(rate: f32, deepest: f32) -> (Vec<f32>, Vec<SteadyLimbs>) {
    let times: Vec<f32> = (0..=(1.5 * rate) as usize)
        .map(|frame| frame as f32 / rate)
        .collect();
    let leg = |time: &f32| {
        let phase = (time / 1.5 * std::f32::consts::TAU).cos();
        let half = 0.25 * (0.95 + deepest + (0.95 - deepest) * phase);
        let ahead = (0.25 - half * half).sqrt();
        let bones = [ahead, -ahead].map(|ahead| Vec3::new(0.0, -half, ahead));
        of_bones(bones, Vec3::new(0.08, 0.2 - 2.0 * half, 0.1), 1e4, 150.0)
    };
    let limbs = times.iter().map(leg).collect();
    (times, limbs)
}

/// Frame by frame and eight rounds come near to the best there is for the whole clip. Legs that are folded further are left out: they
/// are kept a hundred times as steady, which is another energy.
#[test]
fn eight_rounds_are_nearly_as_good_as_the_whole_clip_at_once() {
    let rate = 30.0;
    for deepest in [0.7, 0.55, 0.4] {
        let (times, limbs) = squat(rate, deepest);
        let clip = Clip64::new(f64::from(rate).recip(), &limbs);
        let found = flat(&settle(&times, &limbs));
        let best = clip.energy(&clip.solved(found.clone()));
        let found = clip.energy(&found);
        let nothing = clip.energy(&vec![0.0; times.len() * UNKNOWNS]);
        println!("down to {deepest}: {found:.2}, at once {best:.2}, unmoved {nothing:.0}");
        assert!(found < 1.1 * best, "{deepest}: {found} of {best}");
        assert!(best < 0.1 * nothing, "{deepest}: {best} of {nothing}");
    }
}
