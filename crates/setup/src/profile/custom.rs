//! Profiles of a user's own, for bodies that are neither people nor four-legged animals, and for naming
//! conventions that nobody knows.
//!
//! ```toml
//! name = "bee"
//! stance = "free"        # upright, four-legged or free
//! left = "L"             # what stands for {side} in joints
//! right = "R"
//!
//! [[slots]]
//! name = "hips"
//! part = "hips"
//! required = true
//! joints = ["torso"]
//!
//! [[slots]]
//! name = "{side}FrontLeg"
//! parent = "hips"
//! part = "limb"
//! joints = ["leg_1_*.{side}"]
//! hinge = [0, 0, 1]      # the axis about which it bends: x to the body's left, y up, z forwards
//! limits = { bend = [-40, 60], side = [-20, 20], twist = [-10, 10] }
//! ```
//!
//! `joints` are names as the file has them; `*` stands for any text, and case does not matter. The first that
//! matches begins the slot's chain, further matches below it lengthen it.

use super::rows::{Row, expanded, slot_of};
use super::{Part, Profile, Slot, SlotInfo, Stance};
use crate::error::Error;
use crate::limit_table::LimitTable;
use crate::procedural::{LookAt, Spacing};
use crate::values::read_part;
use glam::DVec3;
use rebone_model::{Action, Remedy};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Most slots of a profile: their numbers are bytes.
const MOST_SLOTS: usize = 255;

/// Longest text that is read.
const LONGEST: usize = 1 << 20;

/// A profile with the names by which its joints are found, and what its bodies can do.
#[derive(Debug, PartialEq)]
pub struct CustomProfile {
    /// The slots.
    pub profile: Profile,
    /// For each slot the patterns of its joints' names.
    pub joints: Vec<Vec<String>>,
    /// How far its slots turn, by name.
    pub limits: LimitTable,
    /// The axes about which slots bend, in the body's axes, as those of the left side.
    hinges: BTreeMap<u8, DVec3>,
    /// How far its bodies hold their limbs from the trunk, where a recipe does not say it.
    pub spacing: Option<Spacing>,
    /// How they look at a point, where a recipe asks for it.
    pub look_at: Option<LookAt>,
}

// No number of a profile is NaN: they are all checked against bounds.
impl Eq for CustomProfile {}

impl CustomProfile {
    /// The axis about which a slot, or its left twin, bends.
    pub fn hinge(&self, slot: Slot) -> Option<DVec3> {
        self.hinges.get(&slot.0).copied()
    }
}

/// The user's profile that this is; `None` for a built-in one.
pub fn custom_profile(profile: &'static Profile) -> Option<&'static CustomProfile> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut known = known.iter().map(|(_, custom)| *custom);
    known.find(|custom| std::ptr::eq(&custom.profile, profile))
}

/// Profiles that were read, with their texts: they live as long as the program, as maps refer to them.
static KNOWN: Mutex<Vec<(String, &'static CustomProfile)>> = Mutex::new(Vec::new());

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    #[serde(default)]
    stance: Option<String>,
    #[serde(default = "default_left")]
    left: String,
    #[serde(default = "default_right")]
    right: String,
    #[serde(default)]
    spacing: Option<toml::Value>,
    #[serde(default)]
    look_at: Option<toml::Value>,
    slots: Vec<Row>,
}

fn default_left() -> String {
    "L".to_owned()
}

fn default_right() -> String {
    "R".to_owned()
}

/// Reads a profile. Equal text gives the same profile, so that rigs mapped by it are of one kind.
///
/// Fails with [`Error::Recipe`], which names the line or the slot, where the text is no TOML, a part, side,
/// stance or parent is unknown, a name stands twice, or no slot has the part `hips`.
pub fn read_profile(text: &str) -> Result<&'static CustomProfile, Error> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, profile)) = known.iter().find(|(other, _)| other == text) {
        return Ok(profile);
    }
    let profile: &'static CustomProfile = Box::leak(Box::new(parse(text)?));
    known.push((text.to_owned(), profile));
    Ok(profile)
}

fn parse(text: &str) -> Result<CustomProfile, Error> {
    let file = file_of(text)?;
    let stance = stance_of(file.stance.as_deref())?;
    let rows = rows_of(&file)?;
    let mut slots: Vec<SlotInfo> = Vec::with_capacity(rows.len());
    for row in &rows {
        slots.push(slot_of(row, &slots)?);
    }
    if !slots.iter().any(|slot| slot.part == Part::Hips) {
        return Err(wrong(
            "no slot has part = \"hips\"",
            "slots",
            "give it to the joint that carries the body and travels with it",
        ));
    }
    let (mut limits, mut hinges) = (LimitTable::new(), BTreeMap::new());
    for (index, row) in (0..).zip(&rows) {
        if let Some(limit) = row.limit()? {
            limits.insert(row.name.clone(), limit);
        }
        if let Some(axis) = row.hinge_axis()? {
            hinges.insert(index, axis);
        }
    }
    let spacing = file
        .spacing
        .map(|typed| read_part("Spacing", typed, "spacing"));
    let look_at = file
        .look_at
        .map(|typed| read_part("LookAt", typed, "look_at"));
    Ok(CustomProfile {
        limits,
        hinges,
        spacing: spacing.transpose()?,
        look_at: look_at.transpose()?,
        profile: Profile {
            name: leaked(&file.name),
            stance,
            slots: Box::leak(slots.into_boxed_slice()),
        },
        joints: rows.into_iter().map(|row| row.joints).collect(),
    })
}

fn file_of(text: &str) -> Result<File, Error> {
    if text.len() > LONGEST {
        return Err(wrong(
            "the profile is longer than a megabyte",
            "line 1",
            "give a profile",
        ));
    }
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| {
            text[..span.start.min(text.len())].matches('\n').count() + 1
        });
        wrong(
            error.message(),
            &format!("line {line}"),
            Remedy::new(
                "compare it with a profile that was written for a character",
                &[Action::SaveProfile],
            ),
        )
    })
}

fn stance_of(word: Option<&str>) -> Result<Stance, Error> {
    match word {
        Some("upright") => Ok(Stance::Upright),
        Some("four-legged") => Ok(Stance::FourLegged),
        Some("free") | None => Ok(Stance::Free),
        Some(other) => Err(wrong(
            &format!("there is no stance \"{other}\""),
            "stance",
            "use upright, four-legged or free",
        )),
    }
}

/// One row for each slot.
fn rows_of(file: &File) -> Result<Vec<Row>, Error> {
    let rows: Vec<Row> = file
        .slots
        .iter()
        .flat_map(|row| expanded(row, &file.left, &file.right))
        .collect();
    if rows.len() > MOST_SLOTS {
        return Err(wrong(
            &format!("the profile has {} slots", rows.len()),
            "slots",
            format!("leave at most {MOST_SLOTS}"),
        ));
    }
    Ok(rows)
}

pub(super) fn leaked(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

pub(super) fn wrong(what: &str, place: &str, remedy: impl Into<Remedy>) -> Error {
    Error::Recipe {
        what: what.to_owned(),
        place: place.to_owned(),
        remedy: remedy.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEE: &str = "name = \"bee\"\n[[slots]]\nname = \"hips\"\npart = \"hips\"\njoints = [\"torso\"]\n\
         [[slots]]\nname = \"{side}Leg\"\nparent = \"hips\"\njoints = [\"leg_*.{side}\"]\n\
         [[slots]]\nname = \"{side}Claw\"\nparent = \"{side}Leg\"\n";

    #[test]
    fn sides_are_written_once_and_equal_text_is_one_profile() {
        let bee = read_profile(BEE).unwrap();
        let names: Vec<&str> = bee.profile.slots.iter().map(|slot| slot.name).collect();
        assert_eq!(
            names,
            ["hips", "leftLeg", "rightLeg", "leftClaw", "rightClaw"]
        );
        assert_eq!(bee.profile.slots[4].parent, Some(2));
        assert_eq!(bee.joints[2], ["leg_*.R"]);
        assert!(std::ptr::eq(bee, read_profile(BEE).unwrap()));
    }

    #[test]
    fn a_profile_carries_what_its_bodies_can_do() {
        let text = format!(
            "look_at = {{ yaw = 60 }}\nspacing = {{ legs = 4 }}\n{BEE}hinge = [0, 0, 2]\n\
             limits = {{ bend = [-40, 60], soft = 5 }}\n"
        );
        let bee = read_profile(&text).unwrap();
        assert_eq!(bee.spacing.map(|spacing| spacing.legs), Some(4.0));
        assert_eq!(bee.look_at.map(|look| look.yaw), Some(60.0));
        for side in ["left", "right"] {
            let name = format!("{side}Claw");
            let limit = bee.limits[&name];
            assert_eq!((limit.bend, limit.soft), ([-40.0, 60.0], 5.0));
            let slot = bee.profile.find(&name).unwrap();
            assert_eq!(bee.hinge(slot), Some(DVec3::Z));
        }
        assert!(std::ptr::eq(custom_profile(&bee.profile).unwrap(), bee));
        assert!(custom_profile(&crate::profile::HUMANOID).is_none());
    }

    #[test]
    fn twins_are_found_wherever_the_side_stands_in_the_name() {
        let text = "name = \"x\"\n[[slots]]\nname = \"hips\"\npart = \"hips\"\n[[slots]]\nname = \"hind{side}Leg\"\n\
             [[slots]]\nname = \"{side}Wing\"\n[[slots]]\nname = \"claw\"\nside = \"left\"\n";
        let profile = &read_profile(text).unwrap().profile;
        let twin = |name: &str| profile.info(profile.twin(profile.find(name).unwrap())).name;
        assert_eq!(twin("hindLeftLeg"), "hindRightLeg");
        assert_eq!(twin("hindRightLeg"), "hindLeftLeg");
        assert_eq!(twin("rightWing"), "leftWing");
        assert_eq!(twin("hips"), "hips");
        assert_eq!(twin("claw"), "claw");
    }

    #[test]
    fn faults_are_placed() {
        for (text, expected) in [
            ("name = 1", "line 1"),
            ("name = \"x\"\nslots = []", "part = \"hips\""),
            ("name = \"x\"\nstance = \"lying\"\nslots = []", "stance"),
            (
                "name = \"x\"\n[[slots]]\nname = \"a\"\nparent = \"b\"",
                "slot a",
            ),
            (
                "name = \"x\"\n[[slots]]\nname = \"a\"\npart = \"hips\"\nhinge = [0, 0, 0]",
                "slot a",
            ),
            (
                "name = \"x\"\n[[slots]]\nname = \"a\"\npart = \"hips\"\nlimits = { bend = [2, 1] }",
                "slot a",
            ),
            (
                "name = \"x\"\nspacing = { arms = 100 }\n[[slots]]\nname = \"a\"\npart = \"hips\"",
                "spacing",
            ),
            (
                "name = \"x\"\n[[slots]]\nname = \"a\"\npart = \"wing\"",
                "slot a",
            ),
            (
                "name = \"x\"\n[[slots]]\nname = \"a\"\n[[slots]]\nname = \"a\"",
                "slot a",
            ),
        ] {
            let error = read_profile(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
