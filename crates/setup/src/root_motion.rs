//! Which joint carries the travel: the root, the hips, or nobody.
//!
//! A *root joint* is a joint above the hips: it stands on the floor and carries the whole body. Games
//! move it over the ground and let the hips move above it; motion capture often has none.

use crate::align::Alignment;
use crate::error::Error;
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use crate::values;
use rebone_model::{Action, Character, Clip, JointKind, Remedy};
use serde::{Deserialize, Serialize};

/// What happens to the travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RootMode {
    /// The target's root joint does what the source's does, where both have one; else the hips carry all. The
    /// way of every joint through the world is the same either way.
    #[default]
    AsSource,
    /// The target's root joint rests; the hips carry all.
    Hips,
    /// The root joint takes the path of the hips over the ground and their heading, low-passed.
    Extract,
    /// The root joint stays right below the hips, without turning and without low-pass.
    Project,
    /// The path over the ground is taken out, low-passed.
    InPlace,
}

impl RootMode {
    /// What counts by default.
    pub fn axes(self) -> RootAxes {
        RootAxes {
            x: true,
            y: false,
            z: true,
            turn: self == Self::Extract,
        }
    }

    /// Time constant of the low-pass by default, seconds.
    pub fn smooth_seconds(self) -> f64 {
        match self {
            Self::Extract | Self::InPlace => 0.25,
            _ => 0.0,
        }
    }
}

/// What of the path over the ground counts, in the axes of the body as it stands in its rest pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootAxes {
    /// To the left and right.
    pub x: bool,
    /// Up and down.
    pub y: bool,
    /// Forwards and backwards.
    pub z: bool,
    /// The heading.
    pub turn: bool,
}

impl RootAxes {
    /// Reads `x z turn` or `x,z,turn`, in any order; `None` where a word is none of `x`, `y`, `z`, `turn`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut axes = Self {
            x: false,
            y: false,
            z: false,
            turn: false,
        };
        for word in text.split([' ', ',', '+']).filter(|word| !word.is_empty()) {
            match word {
                "x" => axes.x = true,
                "y" => axes.y = true,
                "z" => axes.z = true,
                "turn" => axes.turn = true,
                _ => return None,
            }
        }
        Some(axes)
    }

    /// As a person writes it.
    pub fn name(self) -> String {
        let words = [
            (self.x, "x"),
            (self.y, "y"),
            (self.z, "z"),
            (self.turn, "turn"),
        ];
        let chosen = words.iter().filter(|word| word.0).map(|word| word.1);
        chosen.collect::<Vec<_>>().join(" ")
    }
}

impl values::Named for RootAxes {
    const WHAT: &'static str = "choice of axes";

    fn named(name: &str) -> Option<Self> {
        Self::parse(name)
    }

    fn written(&self) -> String {
        self.name()
    }
}

/// Choices about the travel of root and hips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RootMotion {
    /// Which joint carries the travel.
    pub mode: RootMode,
    /// What of the path counts: some of x (left), y (up), z (forwards) and turn, as "x z turn". Left out: x and z, and with extract turn.
    #[serde(with = "values::named")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "values::forms::path_axes"))]
    pub axes: Option<RootAxes>,
    /// Time constant of the path's low-pass, 0 for none. Left out: 0.25 with extract and in-place, else 0.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = Self::SLOWEST_SECONDS)))]
    pub smooth_seconds: Option<f64>,
}

impl RootMotion {
    /// The longest time constant, seconds.
    pub const SLOWEST_SECONDS: f64 = 60.0;

    /// What counts.
    pub fn axes(&self) -> RootAxes {
        self.axes.unwrap_or(self.mode.axes())
    }

    /// Time constant of the low-pass, seconds.
    pub fn smooth_seconds(&self) -> f64 {
        self.smooth_seconds.unwrap_or(self.mode.smooth_seconds())
    }
}

/// Where the whole source is put before anything else (S0.17).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Place"))]
pub struct SourcePlace {
    /// Turn about up, degrees, to its left.
    pub turn_degrees: f64,
    /// Shift behind the turn: to its left, up, forwards; metres of the source.
    pub shift: [f64; 3],
    /// Size of its travel, beside root_scale.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0)))]
    pub scale: f64,
}

impl Default for SourcePlace {
    fn default() -> Self {
        Self {
            turn_degrees: 0.0,
            shift: [0.0; 3],
            scale: 1.0,
        }
    }
}

/// A root joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootJoint {
    /// The joint.
    pub joint: usize,
    /// True where it stands on the floor, as those do that are moved over the ground; false for one in the body
    /// that only carries a name or was named by a person.
    pub on_floor: bool,
}

/// Words that name a root joint wherever it is.
const NAMES: [&str; 8] = [
    "root",
    "reference",
    "armature",
    "master",
    "origin",
    "trajectory",
    "motion",
    "world",
];

/// Share of the hips' height below which a joint counts as standing on the floor.
const LOW: f64 = 0.25;

/// The root joint of a character: of the joints above the hips that are in no slot and stand on the floor the lowest
/// that is called like one, else the lowest. What the joints above it do moves it too. Where `clips` move one of
/// them it is that one, the topmost. Without any on the floor one may be called so.
pub fn root_joint(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
    clips: &[&Clip],
) -> Option<RootJoint> {
    let hips = map.joint_of(Part::Hips, Side::Center)?;
    let joints = character.skeleton.joints();
    let in_slot = |joint: usize| {
        map.slots
            .values()
            .any(|found| found.joints.contains(&joint))
    };
    let may_be = |&above: &usize| joints[above].kind == JointKind::Joint && !in_slot(above);
    let is_named = |joint: usize| {
        let words = crate::names::tokens(&joints[joint].name);
        words.iter().any(|word| NAMES.contains(&word.as_str()))
    };
    let candidates: Vec<usize> = character.skeleton.ancestors(hips).filter(may_be).collect();
    let low = candidates
        .iter()
        .copied()
        .filter(|&joint| stands_on_floor(alignment, hips, joint));
    let moves = |&joint: &usize| clips.iter().any(|clip| is_moved(clip, joint));
    let moved = low.clone().rfind(moves);
    let named = || low.clone().find(|&joint| is_named(joint));
    if let Some(joint) = moved.or_else(named).or_else(|| low.clone().next()) {
        return Some(RootJoint {
            joint,
            on_floor: true,
        });
    }
    let joint = candidates.into_iter().find(|&joint| is_named(joint))?;
    Some(RootJoint {
        joint,
        on_floor: false,
    })
}

fn is_moved(clip: &Clip, joint: usize) -> bool {
    clip.joints.get(joint).is_some_and(|tracks| {
        let turns = tracks
            .rotation
            .as_ref()
            .is_some_and(|track| !track.is_constant());
        let goes = tracks
            .translation
            .as_ref()
            .is_some_and(|track| !track.is_constant());
        turns || goes
    })
}

/// The root joint that a person named; `""` for none.
///
/// Fails with [`Error::Recipe`] where there is no such joint above the hips; `side` is where it was named.
pub fn named_root(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
    name: &str,
    side: &str,
) -> Result<Option<RootJoint>, Error> {
    if name.is_empty() {
        return Ok(None);
    }
    let wrong = |what: String| Error::Recipe {
        what,
        place: format!("{side}.root"),
        remedy: Remedy::new(
            "name a joint above the hips, or \"\" for none",
            &[Action::ListJoints],
        ),
    };
    let skeleton = &character.skeleton;
    let joint = skeleton
        .find(name)
        .map_err(|error| wrong(format!("in the {side}, {error}")))?;
    let hips = map.joint_of(Part::Hips, Side::Center);
    match hips {
        Some(hips) if skeleton.is_ancestor(joint, hips) => Ok(Some(RootJoint {
            joint,
            on_floor: stands_on_floor(alignment, hips, joint),
        })),
        _ => Err(wrong(format!(
            "the {side}'s joint \"{name}\" is not above the hips"
        ))),
    }
}

fn stands_on_floor(alignment: &Alignment, hips: usize, joint: usize) -> bool {
    let measures = &alignment.measures;
    let height = |joint: usize| alignment.reference[joint].position.y - measures.floor;
    let tall = height(hips).max(measures.leg);
    height(joint).abs() <= LOW * tall
}
