//! Dialects: naming conventions of joints. Each is a data file in `dialects/`, read here.

use super::{HUMANOID, Slot};
use crate::names::{NameKey, key_of, without_namespace};
use glam::DQuat;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// One name of a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialectName {
    /// What it says, for comparing in any spelling.
    pub key: NameKey,
    /// The spelling of the convention itself, without namespace.
    pub text: String,
}

/// A naming convention of joints.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// Short name, such as `mixamo`.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// Where the names come from.
    pub source: String,
    /// Whether they were compared with a file or a document of the tool.
    pub verified: bool,
    /// Beginnings of full names that only this convention has.
    pub marks: Vec<String>,
    /// For each slot outside the torso its names: the first that a rig has is the slot's joint,
    /// further ones below it lengthen the chain.
    pub slots: Vec<(Slot, Vec<DialectName>)>,
    /// Names of the joints between the pelvis and the neck. How many a rig has decides which are
    /// spine, chest and upper chest.
    pub torso: Vec<DialectName>,
    /// Names of joints that fill no slot; they help to recognise the convention.
    pub others: Vec<DialectName>,
    /// True where legs may be spread in the rest pose, and feet are at right angles to them. Default false.
    pub feet_follow_legs: bool,
    /// The T-pose of each known kind of rig; empty where nothing is known.
    pub poses: Vec<KnownPose>,
}

/// The T-pose of a kind of rig, facing +Z with +Y up and its left towards +X.
#[derive(Clone, Debug, Default)]
pub struct KnownPose {
    /// Height of the lowest joint above the floor, over the length of a leg; `None` where the floor is at the lowest joint.
    pub sole: Option<f64>,
    joints: BTreeMap<NameKey, DQuat>,
}

impl KnownPose {
    /// Model-space rotation of the joint with this name.
    pub fn of(&self, joint: &NameKey) -> Option<DQuat> {
        self.joints.get(joint).copied()
    }
}

/// The text of one dialect file and, once asked for, what it says.
pub(crate) struct DialectFile {
    text: &'static str,
    dialect: OnceLock<Option<Dialect>>,
}

impl DialectFile {
    pub(super) const fn new(text: &'static str) -> Self {
        Self {
            text,
            dialect: OnceLock::new(),
        }
    }

    /// The dialect, read at the first call. A file that cannot be read counts as absent; the tests
    /// see to it that there is none.
    pub(crate) fn get(&self) -> Option<&Dialect> {
        self.dialect
            .get_or_init(|| parse_dialect(self.text).ok())
            .as_ref()
    }
}

/// All built-in dialects, the common ones first.
pub fn dialects() -> impl Iterator<Item = &'static Dialect> {
    super::dialects::FILES.iter().filter_map(DialectFile::get)
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(Vec<String>),
}

impl Names {
    fn list(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    title: String,
    source: String,
    #[serde(default = "default_verified")]
    verified: bool,
    #[serde(default = "default_left")]
    left: String,
    #[serde(default = "default_right")]
    right: String,
    #[serde(default)]
    marks: Vec<String>,
    #[serde(default)]
    center: BTreeMap<String, Names>,
    #[serde(default)]
    sided: BTreeMap<String, Names>,
    #[serde(default)]
    fingers: BTreeMap<String, Vec<Names>>,
    #[serde(default)]
    others: Vec<String>,
    #[serde(default)]
    feet_follow_legs: bool,
    #[serde(default)]
    poses: Vec<PoseFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PoseFile {
    sole: Option<f64>,
    joints: BTreeMap<String, [f64; 4]>,
}

fn default_verified() -> bool {
    true
}

fn default_left() -> String {
    "Left".to_owned()
}

fn default_right() -> String {
    "Right".to_owned()
}

/// Reads a dialect file. The error says what is wrong with it.
pub fn parse_dialect(text: &str) -> Result<Dialect, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let sides = [("left", &file.left), ("right", &file.right)];
    let mut torso = Vec::new();
    let mut slots: BTreeMap<Slot, Vec<DialectName>> = BTreeMap::new();
    for (slot, names) in &file.center {
        let names = names.list().iter().map(|name| dialect_name(name));
        if slot == "torso" {
            torso.extend(names);
        } else {
            slots.insert(find_slot(slot)?, names.collect());
        }
    }
    for (side, spelling) in sides {
        let spelled = |names: &Names| -> Vec<DialectName> {
            let names = names.list().iter();
            names
                .map(|name| dialect_name(&name.replace("{side}", spelling)))
                .collect()
        };
        for (slot, names) in &file.sided {
            slots.insert(find_slot(&sided_name(side, slot))?, spelled(names));
        }
        for (finger, joints) in &file.fingers {
            let parts = finger_parts(finger);
            if joints.len() > parts.len() {
                return Err(format!("finger {finger} has more than three joints"));
            }
            for (part, names) in parts.iter().zip(joints) {
                let slot = find_slot(&sided_name(side, &format!("{finger}{part}")))?;
                slots.insert(slot, spelled(names));
            }
        }
    }
    let mut others = Vec::new();
    for name in &file.others {
        if name.contains("{side}") {
            others
                .extend(sides.map(|(_, spelling)| dialect_name(&name.replace("{side}", spelling))));
        } else {
            others.push(dialect_name(name));
        }
    }
    Ok(Dialect {
        name: file.name,
        title: file.title,
        source: file.source,
        verified: file.verified,
        marks: file.marks,
        slots: slots.into_iter().collect(),
        torso,
        others,
        feet_follow_legs: file.feet_follow_legs,
        poses: file
            .poses
            .iter()
            .map(known_pose)
            .collect::<Result<_, _>>()?,
    })
}

fn known_pose(file: &PoseFile) -> Result<KnownPose, String> {
    let turn = |(name, [x, y, z, w]): (&String, &[f64; 4])| {
        let rotation = DQuat::from_xyzw(*x, *y, *z, *w);
        if (rotation.length() - 1.0).abs() > 1e-3 {
            return Err(format!("the rotation of {name} has no length of 1"));
        }
        Ok((key_of(name), rotation * rotation.length_recip()))
    };
    let joints = file.joints.iter().map(turn).collect::<Result<_, _>>()?;
    Ok(KnownPose {
        sole: file.sole,
        joints,
    })
}

/// The three joints of a finger, from base to tip, as the slots call them.
pub(crate) fn finger_parts(finger: &str) -> [&'static str; 3] {
    if finger.eq_ignore_ascii_case("thumb") {
        ["Metacarpal", "Proximal", "Distal"]
    } else {
        ["Proximal", "Intermediate", "Distal"]
    }
}

/// `left` and `upperArm` make `leftUpperArm`.
pub(crate) fn sided_name(side: &str, name: &str) -> String {
    let mut characters = name.chars();
    match characters.next() {
        Some(first) => format!(
            "{side}{}{}",
            first.to_ascii_uppercase(),
            characters.as_str()
        ),
        None => side.to_owned(),
    }
}

fn find_slot(name: &str) -> Result<Slot, String> {
    HUMANOID
        .find(name)
        .ok_or_else(|| format!("there is no slot {name}"))
}

fn dialect_name(name: &str) -> DialectName {
    DialectName {
        key: key_of(name),
        text: without_namespace(name).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::dialects::FILES;

    #[test]
    fn every_file_can_be_read() {
        let mut names = Vec::new();
        for file in &FILES {
            let dialect =
                parse_dialect(file.text).unwrap_or_else(|error| panic!("{error}\n{}", file.text));
            assert!(!dialect.source.is_empty() && !dialect.title.is_empty());
            assert!(!names.contains(&dialect.name), "{} twice", dialect.name);
            names.push(dialect.name);
        }
        assert!(names.len() > 20);
    }

    #[test]
    fn known_poses_are_rotations_by_name() {
        let text = |rotation: &str| {
            format!(
                "name = 'x'\ntitle = 'X'\nsource = 'here'\nleft = 'L'\nright = 'R'\n[center]\nhips = 'Pelvis'\n\
                 [[poses]]\nsole = 0.1\n[poses.joints]\nPelvis = {rotation}\n"
            )
        };
        let dialect = parse_dialect(&text("[0, 1, 0, 0]")).unwrap();
        let [pose] = &dialect.poses[..] else {
            panic!("{:?}", dialect.poses)
        };
        assert_eq!(pose.sole, Some(0.1));
        let half_turn = DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0);
        assert_eq!(pose.of(&key_of("rig:pelvis")), Some(half_turn));
        assert_eq!(pose.of(&key_of("Chest")), None);
        let error = parse_dialect(&text("[0, 2, 0, 0]")).unwrap_err();
        assert!(error.contains("Pelvis"), "{error}");
    }

    #[test]
    fn limbs_are_written_once() {
        let dialect = parse_dialect(
            r#"
            name = "x"
            title = "X"
            source = "here"
            left = "L"
            right = "R"
            [center]
            hips = "Pelvis"
            torso = ["Spine", "Spine1"]
            [sided]
            upperArm = "{side}_Arm"
            [fingers]
            thumb = ["{side}_T1", "{side}_T2"]
            "#,
        )
        .unwrap();
        let names: Vec<&str> = dialect
            .slots
            .iter()
            .map(|(slot, _)| HUMANOID.info(*slot).name)
            .collect();
        assert_eq!(
            names,
            [
                "hips",
                "leftUpperArm",
                "rightUpperArm",
                "leftThumbMetacarpal",
                "leftThumbProximal",
                "rightThumbMetacarpal",
                "rightThumbProximal"
            ]
        );
        assert!(parse_dialect("name = 1").is_err());
    }
}
