//! The axis about which a joint bends, learnt from a clip.
//!
//! An elbow bends one way only. Where it does so in a clip, the axis shows the roll of the arm, however
//! straight the arm is in the reference pose.
//!
//! | symbol | meaning |
//! |---|---|
//! | u, d | directions of the upper and the lower segment at one time, in the axes of the upper joint |
//! | c = u × d | the axis of the bend, as long as the sine of its angle |
//! | λ₁ ≥ λ₂ | eigenvalues of Σ c cᵀ across the mean of u |
//!
//! The first eigenvector is the axis, pointing as Σ c does, because the joint bends one way. It counts where
//! λ₁ > 15 λ₂, the angle between u and d varies by more than 30 degrees, and the joint bends one way: a joint
//! that bends to both sides is no elbow. u and d come from places of joints, so what the forearm turns about
//! its own length does not disturb it, as it would disturb
//! rotation vectors. Source: docs/laws.md, "Hinge axis of a clip".

use crate::align::motion_up::sampled;
use crate::align::placement::affine;
use glam::{DAffine3, DVec3};
use rebone_model::elementary::Angle as _;
use rebone_model::elementary::Elementary as _;
use rebone_model::sampling::sample_joint;
use rebone_model::{Character, Clip};

/// λ₁ / λ₂ from which an axis is one.
const CLEAR: f64 = 15.0;

/// How much the bend must vary, degrees.
const RANGE_DEGREES: f64 = 30.0;

/// How far the joint may bend the other way, as a share of how far it bends.
const OTHER_WAY: f64 = 0.1;

/// Joints from an upper joint to the end of the lower segment that are followed at most.
const LONGEST: usize = 16;

/// The bending axis of the joint `middle` in the axes of `upper`; `end` is where the lower segment ends.
/// `None` where one is not below the other, or where the clips do not show it.
pub(super) fn hinge_of_clips(
    character: &Character,
    clips: &[&Clip],
    [upper, middle, end]: [usize; 3],
) -> Option<DVec3> {
    let to_middle = path(character, upper, middle)?;
    let to_end = path(character, middle, end)?;
    let moving = |joint: &usize| {
        let tracks = |clip: &&Clip| clip.joints.get(*joint).is_some_and(|t| !t.is_empty());
        clips.iter().any(tracks)
    };
    if !to_middle.iter().chain(&to_end).any(moving) {
        return None;
    }
    let (mut bends, mut mean_upper) = (Vec::new(), DVec3::ZERO);
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    for (clip, time) in sampled(clips) {
        let local = |joint: &usize| {
            let rest = character.skeleton.joints()[*joint].rest;
            let tracks = clip.joints.get(*joint);
            affine(&tracks.map_or(rest, |tracks| sample_joint(tracks, rest, time)))
        };
        let product = |joints: &[usize]| {
            let locals = joints.iter().map(local);
            locals.fold(DAffine3::IDENTITY, |product, local| product * local)
        };
        let upper_from_middle = product(&to_middle);
        let at_middle = upper_from_middle.translation;
        let at_end = upper_from_middle.transform_point3(product(&to_end).translation);
        let directions = at_middle
            .try_normalize()
            .zip((at_end - at_middle).try_normalize());
        let Some((u, d)) = directions else { continue };
        let angle = u.angle_apart(d).to_degrees();
        (least, most) = (least.min(angle), most.max(angle));
        mean_upper += u;
        bends.push(u.cross(d));
    }
    if most - least < RANGE_DEGREES {
        return None;
    }
    principal(&bends, mean_upper.try_normalize()?)
}

/// First principal component across `along`, pointing as the sum does; `None` where it is not clear.
fn principal(vectors: &[DVec3], along: DVec3) -> Option<DVec3> {
    let (first, second) = along.any_orthonormal_pair();
    let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
    for vector in vectors {
        let (x, y) = (vector.dot(first), vector.dot(second));
        a += x * x;
        b += x * y;
        c += y * y;
    }
    let (middle, half) = (0.5 * (a + c), (0.25 * (a - c) * (a - c) + b * b).sqrt());
    if middle + half <= CLEAR * (middle - half) {
        return None;
    }
    let angle = 0.5 * (2.0 * b).arc_tangent(a - c);
    let axis = first * angle.cosine() + second * angle.sine();
    let sum: DVec3 = vectors.iter().sum();
    let axis = if sum.dot(axis) < 0.0 { -axis } else { axis };
    let bends = vectors.iter().map(|vector| vector.dot(axis));
    let (least, most) = bends.fold((0.0f64, 0.0f64), |(least, most), bend| {
        (least.min(bend), most.max(bend))
    });
    (-least <= OTHER_WAY * most).then_some(axis)
}

/// The joints below `above` down to `below`.
fn path(character: &Character, above: usize, below: usize) -> Option<Vec<usize>> {
    let mut joints = vec![below];
    for joint in character.skeleton.ancestors(below) {
        if joint == above {
            joints.reverse();
            return Some(joints);
        }
        joints.push(joint);
        if joints.len() > LONGEST {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_axis_is_found_with_its_sign() {
        let along = DVec3::Y;
        let clear = [DVec3::X, DVec3::X * 0.6, DVec3::new(0.3, 0.0, 0.05)];
        let axis = principal(&clear.map(|v| -v), along).unwrap();
        assert!(axis.dot(DVec3::NEG_X) > 0.99, "{axis}");
        assert!(principal(&[DVec3::X, DVec3::Z], along).is_none());
        assert!(principal(&[DVec3::X, DVec3::NEG_X * 0.5], along).is_none());
    }
}
