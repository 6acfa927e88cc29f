//! How far the target travels when the source travels.
//!
//! H_B(t) = k · H_A(t) + c · unit(H_A − F_A), about the world's origin, one k for all axes.
//!
//! | symbol | meaning |
//! |---|---|
//! | H, F | middle of the thigh joints, middle of the ankles |
//! | k | K_B / K_A; by default K = ℓ + min(w, ℓ / 2), thigh + shin length plus the distance between the thigh joints |
//! | c | υ_B − k · υ_A, υ = height of H when standing |
//!
//! HumanIK and Mixamo follow K = ℓ + w to 0.01 and 0.15 % on the people and figures that were measured; both presets do so everywhere.
//! Drawn out to hips that are as wide as legs are long, or twice as wide, the law asks for strides that no leg can make: one of a leg's
//! length becomes one of 1.6 or 2.5. So beyond half a leg the width counts no further, and strides grow with the legs.
//!
//! So a standing source gives a standing target, and one that sits or lies gives one that sits or lies: c
//! counts along the legs. The hips joint follows from H and its own rotation. Degenerate cases: without
//! feet, or with ankles at the thighs, c counts upwards. Source: docs/laws.md, "Motion scale" and "Hips along the legs".

use crate::align::{Alignment, Measures};
use crate::values;
use glam::{DMat3, DQuat, DVec3};
use rebone_runtime::{LegsOp, TravelOp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The law of the motion scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RootScale {
    /// Ratio of strides ([`Measures::stride`]): leg and hip width, but hips count up to half a leg only.
    #[default]
    Auto,
    /// (leg + hip width) ratio, however wide the hips are.
    LegsAndHips,
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
    /// The same along each axis of the body as it stands in its rest pose: to the left, up, forwards.
    Axes([f64; 3]),
}

impl RootScale {
    /// The laws by name, and what steps go by.
    pub const LAWS: [(&'static str, &'static str); 7] = [
        (
            "auto",
            "By leg length plus hip width (at most half a leg), so that strides fit the target's legs.",
        ),
        (
            "legs-hips",
            "By leg length plus hip width, as HumanIK and Mixamo do.",
        ),
        ("legs", "By leg length alone."),
        ("hips", "By the height of the hips when standing."),
        ("stature", "By the height of the head."),
        (
            "legs-stature",
            "By the mean of legs and stature: between equal strides and equal heights.",
        ),
        ("none", "Steps as long as the source's, in metres."),
    ];

    /// The law that a person wrote: `auto`, `legs-hips`, `legs`, `hips`, `stature`, `legs-stature`, `none`, a number, or three
    /// with commas between, for left, up and forwards.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "auto" => Self::Auto,
            "legs-hips" => Self::LegsAndHips,
            "legs" => Self::Legs,
            "hips" => Self::Hips,
            "stature" => Self::Stature,
            "legs-stature" => Self::LegsAndStature,
            "none" => Self::None,
            numbers => {
                let factor = |text: &str| text.trim().parse::<f64>().ok();
                let factors: Option<Vec<f64>> = numbers.split(',').map(factor).collect();
                return Self::of_factors(&factors?);
            }
        })
    }

    /// One factor for all axes, or three; `None` for another count, and where one is negative or no number.
    pub fn of_factors(factors: &[f64]) -> Option<Self> {
        let is_factor = |factor: &f64| factor.is_finite() && *factor >= 0.0;
        match factors {
            _ if !factors.iter().all(is_factor) => None,
            [all] => Some(Self::Factor(*all)),
            [x, y, z] => Some(Self::Axes([*x, *y, *z])),
            _ => None,
        }
    }

    /// As a person writes it.
    pub fn name(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::LegsAndHips => "legs-hips".to_owned(),
            Self::Legs => "legs".to_owned(),
            Self::Hips => "hips".to_owned(),
            Self::Stature => "stature".to_owned(),
            Self::LegsAndStature => "legs-stature".to_owned(),
            Self::None => "none".to_owned(),
            Self::Factor(factor) => factor.to_string(),
            Self::Axes([x, y, z]) => format!("{x},{y},{z}"),
        }
    }

    /// The same for each axis: to the left, up, forwards.
    pub fn factors(&self, source: &Alignment, target: &Alignment, unit_ratio: f64) -> DVec3 {
        match self {
            Self::Axes(factors) => DVec3::from_array(*factors) / unit_ratio,
            _ => DVec3::splat(self.ratio(source, target, unit_ratio)),
        }
    }

    /// Target file units a source file unit. `unit_ratio` is target metres a unit over source metres a
    /// unit, needed where the law speaks of metres. Of three factors the mean.
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
            Self::Auto => quotient(b.stride(), a.stride()),
            Self::LegsAndHips => quotient(b.leg + b.hip_width, a.leg + a.hip_width),
            Self::Legs => legs,
            // Hips on the floor (a root joint taken for them) tell nothing.
            Self::Hips if b.hips_height < 0.2 * b.leg || a.hips_height < 0.2 * a.leg => legs,
            Self::Hips => quotient(b.hips_height, a.hips_height),
            Self::Stature => stature,
            Self::LegsAndStature => (legs * stature).sqrt(),
            Self::None => 1.0 / unit_ratio,
            Self::Factor(factor) => factor / unit_ratio,
            Self::Axes([x, y, z]) => (x + y + z) / 3.0 / unit_ratio,
        }
    }
}

impl Serialize for RootScale {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Factor(factor) => writer.serialize_f64(*factor),
            Self::Axes(factors) => factors.serialize(writer),
            law => writer.serialize_str(&law.name()),
        }
    }
}

impl<'de> Deserialize<'de> for RootScale {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Factor(f64),
            Factors(Vec<f64>),
            Law(String),
        }
        let (found, typed) = match Form::deserialize(reader)? {
            Form::Factor(factor) => (Self::of_factors(&[factor]), factor.to_string()),
            Form::Factors(factors) => (Self::of_factors(&factors), format!("{factors:?}")),
            Form::Law(law) => (Self::parse(&law), law),
        };
        found.ok_or_else(|| values::unknown("root scale", &typed))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RootScale {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RootScale".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"anyOf": [
            values::forms::words(&Self::LAWS),
            {"type": "number", "minimum": 0},
            {"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 3, "maxItems": 3},
            {"type": "string", "pattern": "^[-+0-9.,eE \\t]+$", "title": "\"1,0.9,1\""},
        ]})
    }
}

/// What υ is: the height of the middle of the thigh joints when a body stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Standing {
    /// Their height in the standing pose.
    #[default]
    Rest,
    /// Thigh, shin and ankle height, ℓ + η, which needs no standing pose.
    LegAndAnkle,
}

/// υ of a body, file units.
pub fn standing_height(measures: &Measures, law: Standing) -> f64 {
    match law {
        Standing::Rest => measures.hips_height + measures.thighs_from_hips.y,
        Standing::LegAndAnkle => measures.leg + measures.ankle_height,
    }
}

/// The joints that travel: those of the hips, and the feet that decide which way the legs lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TravelJoints {
    /// The source's hips.
    pub source_hips: usize,
    /// The target's hips.
    pub target_hips: usize,
    /// The source's feet, if it has two.
    pub source_feet: Option<[usize; 2]>,
}

/// The operation that carries the hips.
///
/// `factors` are target file units per source file unit to the left, up and forwards ([`RootScale::factors`]). `floor` is the height of
/// the target's floor above the source's scaled floor, both canonical and as they are in the motions, in target file units. `law` is
/// that of υ.
pub fn travel(
    source: &Alignment,
    target: &Alignment,
    factors: DVec3,
    floor: f64,
    law: Standing,
    joints: TravelJoints,
) -> TravelOp {
    let (a, b) = (&source.measures, &target.measures);
    let file_from_canonical = target.canonical_from_file.conjugate();
    let scale = DMat3::from_diagonal(factors);
    let floor = DVec3::Y * floor;
    let lift = standing_height(b, law) - factors.y * standing_height(a, law);
    let source_inverse = source.retarget_rotation(joints.source_hips).conjugate();
    // Exact in the standing pose, where factors differ from axis to axis.
    let source_thighs = source_inverse * (factors * a.thighs_from_hips);
    let target_thighs =
        target.retarget_rotation(joints.target_hips).conjugate() * b.thighs_from_hips;
    // Where both bodies are alike nothing depends on the pose, and the source's own keys can stay.
    let unlike = factors * a.thighs_from_hips - b.thighs_from_hips;
    let alike = lift.abs().max(unlike.length()) < 1e-4 * b.leg;
    let legs = joints.source_feet.filter(|_| !alike).map(|feet| LegsOp {
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
        source: joints.source_hips,
        target: joints.target_hips,
        linear: world_from_source(file_from_canonical, scale, source).as_mat3(),
        offset: (file_from_canonical * offset).as_vec3(),
        legs,
        parent_size: 1.0,
    }
}

/// Turn and scale from the source's file space to the target's.
pub(crate) fn world_from_source(
    file_from_canonical: DQuat,
    scale: DMat3,
    source: &Alignment,
) -> DMat3 {
    let turn = DMat3::from_quat(file_from_canonical);
    turn * scale * DMat3::from_quat(source.canonical_from_file)
}
