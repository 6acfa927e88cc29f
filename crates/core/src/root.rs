//! How far the target travels when the source travels (F1, E22).
//!
//! H_B(t) = k · H_A(t) + c · unit(H_A − F_A), about the world's origin, one k for all axes (F1, F3).
//!
//! | symbol | meaning |
//! |---|---|
//! | H, F | middle of the thigh joints, middle of the ankles |
//! | k | K_B / K_A; by default K = ℓ + w, thigh + shin length plus the distance between the thigh joints: the law that HumanIK and Mixamo follow to 0.01 and 0.15 % |
//! | c | υ_B − k · υ_A, υ = height of H when standing |
//!
//! So a standing source gives a standing target, and one that sits or lies gives one that sits or lies: c
//! counts along the legs. The hips joint follows from H and its own rotation. Degenerate cases: without
//! feet, or with ankles at the thighs, c counts upwards.

use crate::align::{Alignment, Measures};
use crate::runtime::{LegsOp, TravelOp};
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
            // Hips on the floor (a root joint taken for them) tell nothing.
            Self::Hips if b.hips_height < 0.2 * b.leg || a.hips_height < 0.2 * a.leg => legs,
            Self::Hips => quotient(b.hips_height, a.hips_height),
            Self::Stature => stature,
            Self::LegsAndStature => (legs * stature).sqrt(),
            Self::None => 1.0 / unit_ratio,
            Self::Factor(factor) => factor / unit_ratio,
        }
    }
}

/// The operation that carries the hips, of the joints `hips` (source, target) and the source's `feet`.
///
/// `floors` are the heights of the floor in the source's and in the target's motions, canonical.
pub fn travel(
    source: &Alignment,
    target: &Alignment,
    ratio: f64,
    floors: (f64, f64),
    hips: (usize, usize),
    feet: Option<[usize; 2]>,
) -> TravelOp {
    let (a, b) = (&source.measures, &target.measures);
    let file_from_canonical = target.canonical_from_file.conjugate();
    let turn: DQuat = file_from_canonical * source.canonical_from_file;
    let floor = DVec3::Y * (floors.1 - ratio * floors.0);
    let standing = |m: &Measures| m.hips_height + m.thighs_from_hips.y;
    let lift = standing(b) - ratio * standing(a);
    let source_inverse = source.retarget_rotation(hips.0).conjugate();
    let source_thighs = source_inverse * a.thighs_from_hips * ratio;
    let target_thighs = target.retarget_rotation(hips.1).conjugate() * b.thighs_from_hips;
    // Where both bodies are alike nothing depends on the pose, and the source's own keys can stay.
    let unlike = a.thighs_from_hips * ratio - b.thighs_from_hips;
    let alike = lift.abs().max(unlike.length()) < 1e-4 * b.leg;
    let legs = feet.filter(|_| !alike).map(|feet| LegsOp {
        feet,
        source_thighs: source_thighs.as_vec3(),
        target_thighs: target_thighs.as_vec3(),
        up: (source_inverse * DVec3::Y).as_vec3(),
        lift: lift as f32,
        least: (0.05 * (b.leg + b.hip_width)) as f32,
    });
    let offset = if legs.is_some() {
        floor
    } else {
        floor + DVec3::Y * lift + unlike
    };
    TravelOp {
        source: hips.0,
        target: hips.1,
        linear: (DMat3::from_quat(turn) * ratio).as_mat3(),
        offset: (file_from_canonical * offset).as_vec3(),
        legs,
        parent_size: 1.0,
    }
}
