//! A recipe as text: what was chosen, what was found, and where a look is needed.

use super::reading::short_form;
use super::{Recipe, SideRecipe, VERSION};
use crate::align::Alignment;
use crate::chains::Chains;
use crate::error::Error;
use crate::mapping::RigMap;
use rebone_model::Character;
use std::fmt::Write as _;
use toml::{Table, Value};

impl Recipe {
    /// The recipe's text: first what was chosen, then what was found, joint by joint, with doubts marked.
    ///
    /// # Errors
    /// Only where the recipe was put together by a program and holds what cannot be written down.
    pub fn to_text(&self, source: Described<'_>, target: Described<'_>) -> Result<String, Error> {
        let mut text = format!(
            "# Rebone recipe. First what was chosen, then what was found. `rebone settings` lists all that can stand here.\n\
             version = {VERSION}\npreset = \"{}\"\n",
            self.preset.name()
        );
        let _ = writeln!(text, "{}", self.chosen_text()?.trim_end());
        let _ = writeln!(
            text,
            "\n# Found: which joint is which slot. Change a joint's name, write [] to leave a slot without joint, or delete a line to\n\
             # have the slot found anew. What belongs to no slot (a tail, a prop) goes into [links]: \"target joint\" = \"source joint\"."
        );
        for (name, side, described) in [
            ("source", &self.source, source),
            ("target", &self.target, target),
        ] {
            let _ = writeln!(text, "\n[{name}.slots]");
            if let Some(alignment) = described.alignment {
                let _ = writeln!(text, "# {}", alignment.explain_pose());
            }
            slots_text(&mut text, described.character, described.map, side);
        }
        chains_text(&mut text, self, source.map, target.map);
        Ok(text)
    }

    /// What was chosen, but for what is written with what was found.
    fn chosen_text(&self) -> Result<String, Error> {
        let mut chosen = self.spoken()?;
        chosen.remove("preset");
        chosen.remove("version");
        chosen.remove("chains");
        for side in ["source", "target"] {
            let own = chosen.get_mut(side).and_then(Value::as_table_mut);
            if own.is_some_and(|own| own.remove("slots").is_some() && own.is_empty()) {
                chosen.remove(side);
            }
        }
        let mut text = String::new();
        table_text(&mut text, "", &chosen);
        Ok(text)
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
        let _ = writeln!(text, "{} = {}", toml_key(to), quoted(from));
    }
    for (to, from) in &names {
        // Several slots of a torso may move one: they belong together by themselves.
        let alone = names.iter().filter(|(other, _)| other == to).count() == 1;
        let remark = if alone { "" } else { "# " };
        let _ = writeln!(text, "{remark}{} = {}", toml_key(to), quoted(from));
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

impl<'a> Described<'a> {
    /// A character without its retarget pose.
    pub fn new(character: &'a Character, map: &'a RigMap) -> Self {
        Self {
            character,
            map,
            alignment: None,
        }
    }

    /// A character in its retarget pose.
    pub fn aligned(character: &'a Character, map: &'a RigMap, alignment: &'a Alignment) -> Self {
        Self {
            alignment: Some(alignment),
            ..Self::new(character, map)
        }
    }
}

/// True of a table, or a list of tables, that has a heading of its own.
fn is_section(value: &Value, is_at_top: bool) -> bool {
    match value {
        Value::Table(own) => is_at_top || own.is_empty() || own.values().any(Value::is_table),
        Value::Array(items) => items.iter().any(Value::is_table),
        _ => false,
    }
}

/// The lines of a table: values, then the tables in it. Tables of a table are on a line each, if nothing but values is in them.
fn table_text(text: &mut String, path: &str, table: &Table) {
    let is_at_top = path.is_empty();
    for (name, value) in table
        .iter()
        .filter(|(_, value)| !is_section(value, is_at_top))
    {
        let _ = writeln!(text, "{} = {}", toml_key(name), short_form(value));
    }
    for (name, value) in table
        .iter()
        .filter(|(_, value)| is_section(value, is_at_top))
    {
        let path = match path {
            "" => toml_key(name),
            path => format!("{path}.{}", toml_key(name)),
        };
        match value {
            Value::Array(items) => {
                for item in items.iter().filter_map(Value::as_table) {
                    let _ = writeln!(text, "\n[[{path}]]");
                    table_text(text, &path, item);
                }
            }
            Value::Table(own) => {
                if own.is_empty() || !own.values().all(|value| is_section(value, false)) {
                    let _ = writeln!(text, "\n[{path}]");
                }
                table_text(text, &path, own);
            }
            _ => {}
        }
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
                    toml_key(info.name),
                    joints.join(", ")
                );
            }
            None if side.slots.get(info.name).is_some_and(Vec::is_empty) => {
                let _ = writeln!(text, "{} = []", toml_key(info.name));
            }
            None if info.required => {
                let name = toml_key(info.name);
                let _ = writeln!(text, "# {name} = []  # required, but not found");
            }
            None => {}
        }
    }
}

/// A name as a key of TOML: as it is where that is allowed, else in quotation marks, on one line whatever it holds.
pub fn toml_key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !name.is_empty() && name.bytes().all(is_bare) {
        return name.to_owned();
    }
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

fn quoted(name: &str) -> String {
    Value::String(name.to_owned()).to_string()
}
