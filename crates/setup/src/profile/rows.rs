//! The slots of a user's own profile, row by row.

use super::custom::{leaked, wrong};
use super::parts::{PARTS, part_named};
use super::{Part, Side, SlotInfo};
use crate::error::Error;
use crate::limit_table::{JointLimit, SlotLimit};
use glam::DVec3;
use serde::Deserialize;

/// A slot, or two that mirror each other, as a profile has them.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) name: String,
    #[serde(default)]
    pub(super) parent: Option<String>,
    #[serde(default)]
    pub(super) side: Option<String>,
    #[serde(default)]
    pub(super) part: Option<String>,
    #[serde(default)]
    pub(super) required: bool,
    #[serde(default)]
    pub(super) joints: Vec<String>,
    #[serde(default)]
    pub(super) hinge: Option<[f64; 3]>,
    #[serde(default)]
    pub(super) limits: Option<toml::Value>,
}

impl Row {
    /// How far the slot turns, if the row says it.
    pub(super) fn limit(&self) -> Result<Option<JointLimit>, Error> {
        let typed = self.limits.clone();
        let limit = typed.map(|typed| SlotLimit::read(typed, &format!("slot {}", self.name)));
        Ok(limit.transpose()?.and_then(|limit| limit.on(None)))
    }

    /// The axis about which the slot bends, a unit vector, if the row says it.
    pub(super) fn hinge_axis(&self) -> Result<Option<DVec3>, Error> {
        let Some(axis) = self.hinge else {
            return Ok(None);
        };
        let axis = DVec3::from_array(axis).try_normalize().ok_or_else(|| {
            wrong(
                "the hinge has no direction",
                &format!("slot {}", self.name),
                "give hinge = [x, y, z] in the body's axes: x to its left, y up, z forwards",
            )
        })?;
        Ok(Some(axis))
    }
}

/// Both slots of a row that is written once for both sides.
pub(super) fn expanded(row: &Row, left: &str, right: &str) -> Vec<Row> {
    if !row.name.contains("{side}") {
        return vec![row.clone()];
    }
    [("left", left), ("right", right)]
        .map(|(side, spelling)| {
            let capital = |text: &str| {
                // `{side}Leg` and `hind{side}Leg`: the word inside a name begins with a capital.
                let inside = format!("{}{}", side[..1].to_uppercase(), &side[1..]);
                match text.strip_prefix("{side}") {
                    Some(rest) => format!("{side}{}", rest.replace("{side}", &inside)),
                    None => text.replace("{side}", &inside),
                }
            };
            Row {
                name: capital(&row.name),
                parent: row.parent.as_deref().map(capital),
                side: Some(side.to_owned()),
                joints: row
                    .joints
                    .iter()
                    .map(|joint| joint.replace("{side}", spelling))
                    .collect(),
                ..row.clone()
            }
        })
        .to_vec()
}

/// The slot of a row; its parent is among those `above`.
pub(super) fn slot_of(row: &Row, above: &[SlotInfo]) -> Result<SlotInfo, Error> {
    let place = format!("slot {}", row.name);
    let fault = |what: String, remedy: &str| wrong(&what, &place, remedy);
    if row.name.is_empty() || above.iter().any(|slot| slot.name == row.name) {
        return Err(fault(
            format!(
                "there is already a slot \"{}\", or it has no name",
                row.name
            ),
            "give each slot a name of its own",
        ));
    }
    let parent = match &row.parent {
        None => None,
        Some(name) => {
            let found = above.iter().position(|slot| slot.name == name.as_str());
            let index = found.ok_or_else(|| {
                fault(
                    format!("no slot \"{name}\" stands above it"),
                    "list parents before their children",
                )
            })?;
            u8::try_from(index).ok()
        }
    };
    let side = match row.side.as_deref() {
        Some("left") => Side::Left,
        Some("right") => Side::Right,
        Some("center") => Side::Center,
        None if row.name.starts_with("left") => Side::Left,
        None if row.name.starts_with("right") => Side::Right,
        None => Side::Center,
        Some(other) => {
            return Err(fault(
                format!("there is no side \"{other}\""),
                "use left, right or center",
            ));
        }
    };
    let part = match row.part.as_deref() {
        None => Part::Limb,
        Some(name) => part_named(name).ok_or_else(|| {
            let all: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
            fault(
                format!("there is no part \"{name}\""),
                &format!("use one of {}", all.join(", ")),
            )
        })?,
    };
    Ok(SlotInfo {
        name: leaked(&row.name),
        parent,
        required: row.required,
        side,
        part,
    })
}
