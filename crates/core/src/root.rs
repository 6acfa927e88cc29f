//! How far the target travels when the source travels (F1, E22).
//!
//! p_B(t) = k · p_A(t) + Δ, about the world's origin, one k for all axes. By default (F1)
//! k = K_B / K_A with K = ℓ + w, thigh + shin length plus the distance between the thigh joints: the law
//! that HumanIK and Mixamo follow to 0.01 and 0.15 %. Δ lifts the hips so that a standing source gives a
//! standing target: Δ_y = floor_B + h_B − k · (floor_A + h_A), h = hips height above the floor.

use crate::align::Alignment;
use glam::{DMat3, DQuat, DVec3};

/// The law of the motion scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RootScale {
    /// (leg + hip width) ratio: F1.
    #[default]
    Auto,
    /// Thigh + shin ratio.
    Legs,
    /// Hips height ratio, as in Unreal and Godot.
    Hips,
    /// Head-joint height ratio.
    Stature,
    /// √(legs · stature).
    LegsAndStature,
    /// The source's own metres: k = 1 where both files are in the same unit.
    None,
    /// This many target metres a source metre.
    Factor(f64),
}

impl RootScale {
    /// The law that a person wrote: `auto`, `legs`, `hips`, `stature`, `legs-stature`, `none` or a number.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "auto" => Self::Auto,
            "legs" => Self::Legs,
            "hips" => Self::Hips,
            "stature" => Self::Stature,
            "legs-stature" => Self::LegsAndStature,
            "none" => Self::None,
            number => {
                let factor: f64 = number.parse().ok()?;
                if !(factor.is_finite() && factor >= 0.0) {
                    return None;
                }
                Self::Factor(factor)
            }
        })
    }

    /// As a person writes it.
    pub fn name(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Legs => "legs".to_owned(),
            Self::Hips => "hips".to_owned(),
            Self::Stature => "stature".to_owned(),
            Self::LegsAndStature => "legs-stature".to_owned(),
            Self::None => "none".to_owned(),
            Self::Factor(factor) => factor.to_string(),
        }
    }

    /// Target file units a source file unit. `unit_ratio` is target metres a unit over source metres a
    /// unit, needed where the law speaks of metres.
    pub fn ratio(&self, source: &Alignment, target: &Alignment, unit_ratio: f64) -> f64 {
        let (a, b) = (&source.measures, &target.measures);
        let quotient = |to: f64, from: f64| {
            if from > 1e-9 && to > 1e-9 {
                to / from
            } else {
                1.0
            }
        };
        let legs = quotient(b.leg, a.leg);
        let stature = quotient(b.head_height, a.head_height);
        match self {
            Self::Auto => quotient(b.leg + b.hip_width, a.leg + a.hip_width),
            Self::Legs => legs,
            Self::Hips => quotient(b.hips_height, a.hips_height),
            Self::Stature => stature,
            Self::LegsAndStature => (legs * stature).sqrt(),
            Self::None => 1.0 / unit_ratio,
            Self::Factor(factor) => factor / unit_ratio,
        }
    }
}

/// The linear part and the offset that take the hips' position from source to target file space.
///
/// `floors` are the heights of the floor in the source's and in the target's motions, canonical.
pub fn travel(
    source: &Alignment,
    target: &Alignment,
    ratio: f64,
    floors: (f64, f64),
) -> (DMat3, DVec3) {
    let (a, b) = (&source.measures, &target.measures);
    let turn: DQuat = target.canonical_from_file.conjugate() * source.canonical_from_file;
    let sideways = a.thighs_from_hips * ratio - b.thighs_from_hips;
    let offset = DVec3::new(
        sideways.x,
        floors.1 + b.hips_height - ratio * (floors.0 + a.hips_height),
        sideways.z,
    );
    (
        DMat3::from_quat(turn) * ratio,
        target.canonical_from_file.conjugate() * offset,
    )
}
