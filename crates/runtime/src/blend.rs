//! A target joint that follows several source joints at once.
//!
//! D = the rotation nearest to the weighted mean of the matrices D_k (chordal mean). As quaternions it is the
//! eigenvector of the largest eigenvalue of M = Σ w_k · d_k · d_kᵀ, in which the sign of d_k does not count.
//! Where the joint is to lie along the source's curve, D is swung by the shortest arc from D · b to
//! c = Σ w_k · D_k · u_k (mode `match-chain`).
//!
//! | symbol | meaning |
//! |---|---|
//! | D_k, d_k | delta W_k · A_k⁻¹ of a source joint, as a matrix and as a quaternion |
//! | w_k | its weight |
//! | u_k | direction of its bone in the retarget pose |
//! | b | direction of the target's bone in the retarget pose |
//!
//! Sources: F. L. Markley et al., "Averaging Quaternions", Journal of Guidance, Control, and Dynamics 30(4), 2007; docs/laws.md,
//! "Chains of unlike joint counts".
//! Degenerate cases: where two eigenvalues are equal (two deltas half a turn apart with equal weights) every mean
//! is as good as another, and the one nearer to the first term is taken; a curve that folds onto itself has no
//! direction, and nothing is swung.

use glam::{Mat4, Quat, Vec3, Vec4};
use rebone_model::rotation::{normalized_or_identity, shortest_arc};
use serde::{Deserialize, Serialize};

/// How often M is squared: factors between eigenvalues are raised to the power of 2^9.
const SQUARINGS: usize = 9;

/// Several source joints that move one target joint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlendOp {
    /// The joints, from the root of the chain to its tip.
    pub terms: Vec<BlendTerm>,
    /// B of the target joint.
    pub frame: Quat,
    /// Direction of the target's bone in the retarget pose, where it is to lie along the source's curve.
    pub along: Option<Vec3>,
}

/// One of the source joints of a [`BlendOp`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlendTerm {
    /// Source joint.
    pub source: usize,
    /// A⁻¹.
    pub inverse: Quat,
    /// Its share; those of one blend add up to 1.
    pub weight: f32,
    /// Unit direction of its bone in the retarget pose; zero where it has none.
    pub bone: Vec3,
}

impl BlendOp {
    /// The target joint's model-space rotation, given those of the source's joints.
    pub(super) fn rotation(&self, source: impl Fn(usize) -> Quat) -> Quat {
        let delta = |term: &BlendTerm| source(term.source) * term.inverse;
        let mut moments = Mat4::ZERO;
        let mut curve = Vec3::ZERO;
        for term in &self.terms {
            let turn = delta(term);
            let part = Vec4::from(turn);
            moments += outer(part) * term.weight;
            curve += turn * term.bone * term.weight;
        }
        let first = self.terms.first().map_or(Quat::IDENTITY, delta);
        let mean = principal(moments, first);
        let swung = match self.along {
            Some(along) if curve.length_squared() > 1e-8 => {
                let own = mean * along;
                shortest_arc(own, curve, own.any_orthogonal_vector()) * mean
            }
            _ => mean,
        };
        swung * self.frame
    }
}

fn outer(part: Vec4) -> Mat4 {
    Mat4::from_cols(part * part.x, part * part.y, part * part.z, part * part.w)
}

/// The eigenvector of the largest eigenvalue of a symmetric matrix that is no less than zero, by squaring it.
fn principal(mut matrix: Mat4, fallback: Quat) -> Quat {
    for _ in 0..SQUARINGS {
        let trace = matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z + matrix.w_axis.w;
        if !(trace > f32::MIN_POSITIVE && trace.is_finite()) {
            return fallback;
        }
        matrix *= 1.0 / trace;
        matrix *= matrix;
    }
    // Every column is now a multiple of the eigenvector; seen from the fallback, the sum of all cannot vanish
    // unless it is perpendicular to it.
    let seen = matrix * Vec4::from(fallback);
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis];
    let longest = columns.into_iter().fold(Vec4::ZERO, |longest, column| {
        if column.length_squared() > longest.length_squared() {
            column
        } else {
            longest
        }
    });
    let vector = if seen.length_squared() > 1e-6 * longest.length_squared() {
        seen
    } else {
        longest
    };
    let scale = vector.abs().max_element();
    if scale < f32::MIN_POSITIVE {
        return fallback;
    }
    normalized_or_identity(Quat::from_vec4(vector * (1.0 / scale)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::rotation::{angle_between, exp};

    fn blend(turns: &[(Quat, f32)]) -> Quat {
        let terms = turns.iter().enumerate().map(|(source, turn)| BlendTerm {
            source,
            inverse: Quat::IDENTITY,
            weight: turn.1,
            bone: Vec3::ZERO,
        });
        let blend = BlendOp {
            terms: terms.collect(),
            frame: Quat::IDENTITY,
            along: None,
        };
        blend.rotation(|source| turns[source].0)
    }

    #[test]
    fn the_mean_of_turns_about_one_axis_is_their_mean() {
        let about = |degrees: f32| exp(Vec3::new(0.6, 0.0, 0.8) * degrees.to_radians());
        let mean = blend(&[
            (about(10.0), 0.25),
            (-about(30.0), 0.5),
            (about(50.0), 0.25),
        ]);
        assert!(angle_between(mean, about(30.0)) < 1e-5);
        let alone = blend(&[(about(70.0), 1.0)]);
        assert!(angle_between(alone, about(70.0)) < 1e-6);
    }

    /// Matrix mean, then the nearest rotation by Newton's iteration: another way to the same.
    #[test]
    fn the_mean_is_that_of_the_matrices() {
        let turns = [
            (exp(Vec3::new(0.3, -1.0, 0.2)), 0.2),
            (exp(Vec3::new(-0.4, 0.6, 0.9)), 0.5),
            (exp(Vec3::new(1.1, 0.1, -0.3)), 0.3),
        ];
        let mut matrix = glam::DMat3::ZERO;
        for (turn, weight) in turns {
            matrix += glam::DMat3::from_quat(turn.as_dquat()) * f64::from(weight);
        }
        for _ in 0..60 {
            matrix = (matrix + matrix.inverse().transpose()) * 0.5;
        }
        let expected = glam::DQuat::from_mat3(&matrix).as_quat();
        assert!(angle_between(blend(&turns), expected) < 1e-5);
    }

    #[test]
    fn what_has_no_mean_is_still_a_rotation() {
        let half = exp(Vec3::X * std::f32::consts::PI);
        let mean = blend(&[(Quat::IDENTITY, 0.5), (half, 0.5)]);
        assert!((mean.length() - 1.0).abs() < 1e-5);
        assert_eq!(blend(&[]), Quat::IDENTITY);
        assert!(blend(&[(half, 0.0)]).is_finite());
    }

    #[test]
    fn a_bone_lies_along_the_curve() {
        let turns = [exp(Vec3::X * 0.4), exp(Vec3::new(0.1, 0.2, -0.7))];
        let terms = turns.iter().enumerate().map(|(source, _)| BlendTerm {
            source,
            inverse: Quat::IDENTITY,
            weight: 0.5,
            bone: Vec3::Y,
        });
        let blend = BlendOp {
            terms: terms.collect(),
            frame: Quat::IDENTITY,
            along: Some(Vec3::Z),
        };
        let found = blend.rotation(|source| turns[source]) * Vec3::Z;
        let curve = (turns[0] * Vec3::Y + turns[1] * Vec3::Y).normalize_or_zero();
        assert!(found.distance(curve) < 1e-5);
    }
}
