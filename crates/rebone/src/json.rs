//! The shapes of JSON that scripts read. What stands here is a contract: add, never change.

use rebone_model::Warning;
use rebone_model::{JointKind, Remedy, Skeleton, Transform};
use rebone_setup::by_hand::HandLinks;
use rebone_setup::links::Link;
use rebone_setup::mapping::RigMap;
use rebone_setup::profile::Slot;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// Number of these shapes. It stays the same while keys are only added.
pub const SCHEMA: u32 = 1;

/// A document that a front end hands out: the number of the shapes, then the keys of the content.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Found {
///     clips: usize,
/// }
/// let text = serde_json::to_string(&rebone::json::Document::new(&Found { clips: 2 }))?;
/// assert_eq!(text, r#"{"schema":1,"clips":2}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Serialize)]
pub struct Document<'a, T> {
    schema: u32,
    #[serde(flatten)]
    content: &'a T,
}

impl<'a, T: Serialize> Document<'a, T> {
    /// The document with this content, which has to be a struct or a map.
    pub fn new(content: &'a T) -> Self {
        Self {
            schema: SCHEMA,
            content,
        }
    }
}

/// A warning.
#[derive(Debug, Serialize)]
pub struct WarningJson<'a> {
    code: &'a str,
    joint: Option<&'a str>,
    message: &'a str,
    hint: &'a str,
    actions: Vec<&'static str>,
}

/// The keys of the actions that a remedy speaks of.
pub fn actions(remedy: &Remedy) -> Vec<&'static str> {
    remedy.actions.iter().map(|action| action.key()).collect()
}

/// Warnings in their order.
pub fn warnings(warnings: &[Warning]) -> Vec<WarningJson<'_>> {
    warnings
        .iter()
        .map(|warning| WarningJson {
            code: warning.code,
            joint: warning.joint.as_deref(),
            message: &warning.message,
            hint: &warning.remedy.text,
            actions: actions(&warning.remedy),
        })
        .collect()
}

/// Translation, rotation (x, y, z, w) and scale.
#[derive(Debug, Serialize)]
pub struct TransformJson {
    t: [f32; 3],
    r: [f32; 4],
    s: [f32; 3],
}

impl From<Transform> for TransformJson {
    fn from(transform: Transform) -> Self {
        Self {
            t: transform.translation.to_array(),
            r: transform.rotation.to_array(),
            s: transform.scale.to_array(),
        }
    }
}

/// The map of one rig.
#[derive(Debug, Serialize)]
pub struct MapJson<'a> {
    file: String,
    profile: &'a str,
    kind: &'a str,
    confidence: f32,
    #[serde(serialize_with = "slots")]
    slots: Vec<(&'a str, SlotJson<'a>)>,
    unmapped: Vec<&'a str>,
    warnings: Vec<WarningJson<'a>>,
}

#[derive(Debug, Serialize)]
struct SlotJson<'a> {
    joints: Vec<&'a str>,
    confidence: f32,
    evidence: &'a str,
    runner_up: Option<RunnerUpJson<'a>>,
}

/// The second choice for a slot.
#[derive(Debug, Serialize)]
struct RunnerUpJson<'a> {
    joint: &'a str,
    margin: f32,
}

/// Puts a map into its shape.
pub fn map<'a>(
    file: String,
    skeleton: &'a Skeleton,
    map: &'a RigMap,
    doubts: &'a [Warning],
) -> MapJson<'a> {
    MapJson {
        file,
        profile: &map.dialect,
        kind: map.kind.name(),
        confidence: map.confidence,
        slots: map
            .slots
            .iter()
            .map(|(slot, found)| {
                let entry = SlotJson {
                    joints: names(skeleton, &found.joints),
                    confidence: found.confidence,
                    evidence: &found.evidence,
                    runner_up: found.runner_up.map(|second| RunnerUpJson {
                        joint: skeleton.unique_name(second.joint),
                        margin: second.margin,
                    }),
                };
                (slot_name(map, *slot), entry)
            })
            .collect(),
        unmapped: names(skeleton, &map.unmapped),
        warnings: warnings(doubts),
    }
}

/// The joints of one slot on both sides.
#[derive(Debug, Serialize)]
pub struct LinkJson<'a> {
    slot: &'a str,
    source: Vec<&'a str>,
    target: Vec<&'a str>,
}

impl LinkJson<'_> {
    /// Slot, source joints, target joints, as a row of a table.
    pub fn cells(&self) -> Vec<String> {
        vec![
            self.slot.to_owned(),
            self.source.join(" > "),
            self.target.join(" > "),
        ]
    }
}

/// Two joints that a person has linked; without source, the target's joint is taken out.
#[derive(Debug, Serialize)]
pub struct HandLinkJson<'a> {
    /// The source's joint.
    pub source: Option<&'a str>,
    /// The target's joint.
    pub target: &'a str,
}

/// Puts links by hand into their shape, those that take a joint out last.
pub fn by_hand<'a>(
    links: &HandLinks,
    source: &'a Skeleton,
    target: &'a Skeleton,
) -> Vec<HandLinkJson<'a>> {
    let pairs = links.pairs.iter().map(|&(from, to)| (Some(from), to));
    let out = links.left_out.iter().map(|&to| (None, to));
    pairs
        .chain(out)
        .map(|(from, to)| HandLinkJson {
            source: from.map(|joint| source.unique_name(joint)),
            target: target.unique_name(to),
        })
        .collect()
}

/// Puts a link into its shape.
pub fn link<'a>(
    link: &Link,
    map: &'a RigMap,
    source: &'a Skeleton,
    target: &'a Skeleton,
) -> LinkJson<'a> {
    LinkJson {
        slot: slot_name(map, link.slot),
        source: names(source, &link.source),
        target: names(target, &link.target),
    }
}

/// The motion scale, along the floor and upwards.
#[derive(Debug, Serialize)]
pub struct RootScaleJson {
    horizontal: f64,
    vertical: f64,
}

impl From<[f64; 3]> for RootScaleJson {
    /// From factors to the left, up and forwards.
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self {
            horizontal: (x + z) / 2.0,
            vertical: y,
        }
    }
}

impl From<f64> for RootScaleJson {
    fn from(factor: f64) -> Self {
        Self {
            horizontal: factor,
            vertical: factor,
        }
    }
}

/// Names that tell joints apart.
pub fn names<'a>(skeleton: &'a Skeleton, joints: &[usize]) -> Vec<&'a str> {
    joints
        .iter()
        .map(|&joint| skeleton.unique_name(joint))
        .collect()
}

/// The name of a slot.
pub fn slot_name(map: &RigMap, slot: Slot) -> &'static str {
    map.profile.info(slot).name
}

/// For every node of a skeleton its place among those of its kind.
pub fn places_by_kind(skeleton: &Skeleton) -> Vec<usize> {
    let (mut joints, mut ancestors) = (0, 0);
    skeleton
        .joints()
        .iter()
        .map(|joint| {
            let counter = match joint.kind {
                JointKind::Joint => &mut joints,
                JointKind::Ancestor => &mut ancestors,
            };
            *counter += 1;
            *counter - 1
        })
        .collect()
}

/// Pairs as an object, in their order.
fn slots<S: Serializer, T: Serialize>(
    pairs: &[(&str, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(Some(pairs.len()))?;
    for (name, value) in pairs {
        object.serialize_entry(name, value)?;
    }
    object.end()
}
