//! A recipe as text: what was chosen, what was found, and where a look is needed.

use super::{
    Recipe, SideRecipe, VERSION, calibration, contacts, feet, ground, hands, limits, mirror,
    motion, pins, procedural, sharing, side,
};
use crate::align::{Alignment, PoseChoice};
use crate::chains::Chains;
use crate::mapping::RigMap;
use rebone_model::Character;
use std::collections::BTreeMap;
use std::fmt::Write as _;

impl Recipe {
    /// The recipe's text, with every joint of both maps listed and doubts marked.
    pub fn to_text<'a>(
        &self,
        source: impl Into<Described<'a>>,
        target: impl Into<Described<'a>>,
    ) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "# Rebone recipe: which joint is which slot, and how to retarget."
        );
        let _ = writeln!(
            text,
            "# Change a joint's name, or write [] to leave a slot without joint."
        );
        let _ = writeln!(text, "version = {VERSION}");
        if let Some(profile) = &self.profile {
            let _ = writeln!(text, "profile = {}", quoted(profile));
        }
        let _ = writeln!(text, "preset = \"{}\"", self.preset.name());
        let _ = writeln!(text, "method = \"{}\"", self.method.name());
        motion::root_scale_text(&mut text, self.root_scale());
        motion::root_motion_text(&mut text, &self.root_motion);
        mirror::mirror_text(&mut text, self.mirror);
        if let Some(base) = self.additive {
            let _ = writeln!(text, "additive = \"{}\"", base.name());
        }
        if let Some(rate_hz) = self.rate_hz {
            let _ = writeln!(text, "rate_hz = {rate_hz:?}");
        }
        sharing::switches_text(&mut text, self);
        ground::weight_text(&mut text, "ground", self.ground);
        ground::weight_text(&mut text, "own_body", self.own_body);
        if self.across_kinds {
            let _ = writeln!(text, "across_kinds = true");
        }
        let (source, target): (Described<'_>, Described<'_>) = (source.into(), target.into());
        chains_text(&mut text, self, source.map, target.map);
        for (name, side, described) in [
            ("source", &self.source, source),
            ("target", &self.target, target),
        ] {
            let (character, map) = (described.character, described.map);
            let _ = writeln!(text, "\n[{name}]");
            let pose = match side.pose {
                None => "\"auto\"".to_owned(),
                Some(choice) => pose_text(choice),
            };
            if let Some(alignment) = described.alignment {
                let _ = writeln!(text, "# {}", alignment.explain_pose());
            }
            let _ = writeln!(text, "pose = {pose}  # {}", side::POSES);
            for (key, axis) in [("up", side.up), ("forward", side.forward)] {
                if let Some(axis) = axis {
                    let _ = writeln!(text, "{key} = \"{axis}\"");
                }
            }
            motion::root_text(&mut text, side.root.as_deref());
            if !side.embed {
                let _ = writeln!(text, "embed = false");
            }
            let _ = writeln!(text, "\n[{name}.slots]");
            slots_text(&mut text, character, map, side);
            calibration::calibration_text(&mut text, name, &side.calibration);
            procedural::procedural_text(&mut text, name, side);
            motion::tables_text(&mut text, self, name);
            if name == "target" {
                mirror::twins_text(&mut text, &self.twins);
            }
        }
        hands::hands_text(&mut text, &self.hands);
        pins::pins_text(&mut text, &self.pins);
        limits::limits_text(&mut text, &self.limits);
        feet::feet_text(&mut text, &self.feet);
        contacts::contacts_text(&mut text, &self.contacts);
        sharing::sharing_text(&mut text, self);
        links_text(&mut text, &self.links, &self.merged);
        text
    }
}

/// The chains between rigs of different kinds, target slot = source slot: a person's own as they are, and
/// those that go together by themselves.
fn chains_text(text: &mut String, recipe: &Recipe, source: &RigMap, target: &RigMap) {
    let chains = Chains::between(source, target, recipe.chains().as_ref());
    let mut names = match chains {
        Ok(Some(chains)) => chains.names(),
        _ => Vec::new(),
    };
    let has = |map: &RigMap, slot: &str| map.joint_named(slot).is_some();
    names.retain(|(to, from)| {
        has(source, from) && has(target, to) && !recipe.chains.contains_key(*to)
    });
    if names.is_empty() && recipe.chains.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n[chains]  # slot of the target = slot of the source"
    );
    for (to, from) in &recipe.chains {
        let _ = writeln!(text, "{} = {}", slot_key(to), quoted(from));
    }
    for (to, from) in &names {
        // Several slots of a torso may move one: they belong together by themselves.
        let alone = names.iter().filter(|(other, _)| other == to).count() == 1;
        let remark = if alone { "" } else { "# " };
        let _ = writeln!(text, "{remark}{} = {}", slot_key(to), quoted(from));
    }
}

/// What a recipe's text tells about one character.
#[derive(Clone, Copy, Debug)]
pub struct Described<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its slots.
    pub map: &'a RigMap,
    /// Its retarget pose, where the text is to say which pose it was made from.
    pub alignment: Option<&'a Alignment>,
}

impl<'a> From<(&'a Character, &'a RigMap)> for Described<'a> {
    fn from((character, map): (&'a Character, &'a RigMap)) -> Self {
        Self {
            character,
            map,
            alignment: None,
        }
    }
}

impl<'a> From<(&'a Character, &'a RigMap, &'a Alignment)> for Described<'a> {
    fn from((character, map, alignment): (&'a Character, &'a RigMap, &'a Alignment)) -> Self {
        Self {
            character,
            map,
            alignment: Some(alignment),
        }
    }
}

fn pose_text(choice: PoseChoice) -> String {
    match choice {
        PoseChoice::Rest => "\"rest\"".to_owned(),
        PoseChoice::Bind => "\"bind\"".to_owned(),
        PoseChoice::Stored => "\"stored\"".to_owned(),
        PoseChoice::First => "\"first\"".to_owned(),
        PoseChoice::Given => "\"given\"".to_owned(),
        PoseChoice::Time(seconds) => format!("{seconds:?}"),
        PoseChoice::FrameNumber(number) => format!("\"frame {number}\""),
    }
}

/// The slots of a map; those that a person left empty stay so.
fn slots_text(text: &mut String, character: &Character, map: &RigMap, side: &SideRecipe) {
    for slot in map.profile.all() {
        let info = map.profile.info(slot);
        match map.slots.get(&slot) {
            Some(found) => {
                let joints: Vec<String> = found
                    .joints
                    .iter()
                    .map(|&joint| quoted(character.skeleton.unique_name(joint)))
                    .collect();
                let or = found.runner_up.map_or_else(String::new, |second| {
                    format!(
                        "; or {}",
                        quoted(character.skeleton.unique_name(second.joint))
                    )
                });
                let doubt = if found.confidence < 0.8 {
                    format!(
                        "  # please check: {:.0} % sure, by {}{or}",
                        100.0 * found.confidence,
                        found.evidence
                    )
                } else {
                    String::new()
                };
                let _ = writeln!(
                    text,
                    "{} = [{}]{doubt}",
                    slot_key(info.name),
                    joints.join(", ")
                );
            }
            None if side.slots.get(info.name).is_some_and(Vec::is_empty) => {
                let _ = writeln!(text, "{} = []", slot_key(info.name));
            }
            None if info.required => {
                let name = slot_key(info.name);
                let _ = writeln!(text, "# {name} = []  # required, but not found");
            }
            None => {}
        }
    }
}

/// Written also where there are none, as a hint that there can be.
fn links_text(
    text: &mut String,
    links: &BTreeMap<String, String>,
    merged: &BTreeMap<String, Vec<String>>,
) {
    let _ = writeln!(
        text,
        "\n# Joints in no slot (a tail, a prop): \"target joint\" = \"source joint\". They win over slots; \"\" takes a joint out."
    );
    let _ = writeln!(text, "[links]");
    for (target, source) in links {
        let _ = writeln!(text, "{} = {}", key(target), quoted(source));
    }
    for (target, sources) in merged {
        let sources: Vec<String> = sources.iter().map(|source| quoted(source)).collect();
        let _ = writeln!(text, "{} = [{}]", key(target), sources.join(", "));
    }
}

/// The name of a slot as a key: as it is where TOML allows it.
pub(super) fn slot_key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !name.is_empty() && name.bytes().all(is_bare) {
        name.to_owned()
    } else {
        key(name)
    }
}

/// A key in quotation marks, on one line whatever it holds.
pub(super) fn key(name: &str) -> String {
    let mut text = String::from("\"");
    for character in name.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            control if control.is_control() => {
                let _ = write!(text, "\\u{:04X}", u32::from(control));
            }
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

pub(super) fn quoted(name: &str) -> String {
    toml::Value::String(name.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pose_survives_being_written_and_read() {
        for choice in [
            PoseChoice::Rest,
            PoseChoice::Bind,
            PoseChoice::Stored,
            PoseChoice::First,
            PoseChoice::Given,
            PoseChoice::Time(0.25),
            PoseChoice::Time(2.0),
            PoseChoice::FrameNumber(12),
        ] {
            let text = format!("[source]\npose = {}\n", pose_text(choice));
            assert_eq!(Recipe::parse(&text).unwrap().source.pose, Some(choice));
        }
    }

    #[test]
    fn links_survive_being_written_and_read() {
        let names = ["tail", "a \"b\" \\ c", "two\nlines", "", "尾.001"];
        let links: BTreeMap<String, String> = names
            .iter()
            .zip(names.iter().rev())
            .map(|(to, from)| ((*to).to_owned(), (*from).to_owned()))
            .collect();
        let mut text = String::new();
        let merged = BTreeMap::from([
            (
                "one \"x\"".to_owned(),
                vec!["a".to_owned(), names[1].to_owned()],
            ),
            ("none".to_owned(), Vec::new()),
        ]);
        links_text(&mut text, &links, &merged);
        let read = Recipe::parse(&text).unwrap();
        assert_eq!(read.links, links);
        assert_eq!(read.merged, merged);
    }
}
