//! Mapping by a profile that a person chose or wrote, and writing one to start from.

use super::draft::Draft;
use super::quadruped::map_quadruped;
use super::quadruped_legs::chain_from;
use super::rig::Rig;
use super::{Kind, MapOptions, RigMap, map_character, map_character_with};
use crate::names::NameSide;
use crate::profile::custom::CustomProfile;
use crate::profile::parts::part_name;
use crate::profile::pattern::fits;
use crate::profile::{HUMANOID, Part, Profile, QUADRUPED, Slot, Stance};
use rebone_model::Character;
use std::fmt::Write as _;

/// The profile by which a character is mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProfileChoice {
    /// What the character looks like.
    #[default]
    Auto,
    /// The humanoid one.
    Humanoid,
    /// That of four-legged animals.
    Quadruped,
    /// One that a person wrote.
    Custom(&'static CustomProfile),
}

/// Finds the slots of a character in a profile.
///
/// Never fails: what is not found is a warning `slot-missing`.
pub fn map_character_as(character: &Character, choice: ProfileChoice) -> RigMap {
    match choice {
        ProfileChoice::Auto => map_character(character),
        ProfileChoice::Humanoid => {
            let map = map_character(character);
            if std::ptr::eq(map.profile, &raw const HUMANOID) {
                return map;
            }
            let options = MapOptions {
                shape: false,
                ..MapOptions::default()
            };
            map_character_with(character, &options)
        }
        ProfileChoice::Quadruped => {
            let rig = Rig::new(character);
            let draft =
                map_quadruped(&rig, true).unwrap_or_else(|| Draft::new(&QUADRUPED, "none", "none"));
            draft.finished(character, Kind::Quadruped)
        }
        ProfileChoice::Custom(custom) => {
            let rig = Rig::new(character);
            let draft = by_patterns(&rig, custom);
            draft.finished(character, Kind::Other)
        }
    }
}

fn by_patterns(rig: &Rig, custom: &'static CustomProfile) -> Draft {
    let profile = &custom.profile;
    let mut draft = Draft::new(profile, profile.name, "name");
    for (slot, patterns) in profile.all().zip(&custom.joints) {
        let above = nearest(&draft, profile, slot);
        let free = |joint: &usize| {
            rig.is_joint(*joint)
                && !draft.uses(*joint)
                && above.is_none_or(|above| rig.skeleton.is_ancestor(above, *joint))
        };
        let matches = |joint: usize, pattern: &String| {
            fits(pattern, rig.text(joint)) || fits(pattern, &rig.skeleton.joints()[joint].name)
        };
        let first = patterns.iter().find_map(|pattern| {
            (0..rig.len())
                .filter(free)
                .find(|&joint| matches(joint, pattern))
        });
        let Some(first) = first else { continue };
        let mut chain = vec![first];
        for joint in (first + 1..rig.len()).filter(free) {
            let last = chain[chain.len() - 1];
            if rig.skeleton.is_ancestor(last, joint)
                && patterns.iter().any(|pattern| matches(joint, pattern))
            {
                chain.push(joint);
            }
        }
        draft.put(profile.info(slot).name, chain, 1.0);
    }
    draft
}

/// The joint that carries the nearest slot above; a slot may branch off in the middle of a chain.
fn nearest(draft: &Draft, profile: &Profile, slot: Slot) -> Option<usize> {
    let mut at = profile.parent(slot);
    while let Some(above) = at {
        if let Some(found) = draft.slots.get(&above) {
            return found.joints.first().copied();
        }
        at = profile.parent(above);
    }
    None
}

/// A profile to start from, as text: the slots of the character's own profile with the joints that were
/// found. Of a body that was not recognised every chain of joints becomes a slot.
pub fn profile_text(character: &Character, map: &RigMap) -> String {
    let rig = Rig::new(character);
    let mut text = String::from(
        "# Rebone profile: the slots of a kind of body, and the names by which their joints are found.\n\
         # joints: names of the file; * stands for any text; {side} in a slot's name writes both sides at once.\n",
    );
    let stance = match map.profile.stance {
        _ if map.slots.is_empty() => "free",
        Stance::Upright => "upright",
        Stance::FourLegged => "four-legged",
        Stance::Free => "free",
    };
    let name = if map.slots.is_empty() {
        "creature"
    } else {
        map.profile.name
    };
    let _ = writeln!(text, "name = {}\nstance = \"{stance}\"", quoted(name));
    if map.slots.is_empty() {
        chains_as_slots(&rig, &mut text);
        return text;
    }
    for slot in map.profile.all() {
        let info = map.profile.info(slot);
        let joints: Vec<String> = map.slots.get(&slot).map_or_else(Vec::new, |found| {
            let names = found.joints.iter().map(|&joint| quoted(rig.text(joint)));
            names.collect()
        });
        row(
            &mut text,
            info.name,
            info.parent
                .map(|parent| map.profile.info(Slot(parent)).name),
            info.part,
            info.required,
            &joints,
        );
    }
    text
}

fn row(
    text: &mut String,
    name: &str,
    parent: Option<&str>,
    part: Part,
    required: bool,
    joints: &[String],
) {
    let _ = writeln!(text, "\n[[slots]]\nname = {}", quoted(name));
    if let Some(parent) = parent {
        let _ = writeln!(text, "parent = {}", quoted(parent));
    }
    let _ = writeln!(text, "part = \"{}\"", part_name(part));
    if required {
        let _ = writeln!(text, "required = true");
    }
    let _ = writeln!(text, "joints = [{}]", joints.join(", "));
}

/// Every chain between two branchings as a slot, the first joint that carries most as hips.
fn chains_as_slots(rig: &Rig, text: &mut String) {
    // Down to where the body branches: a ground root or a control carries the body, but is none of it.
    let roots = (0..rig.len()).filter(|&joint| {
        let parent = rig.skeleton.parent(joint);
        rig.is_joint(joint) && parent.is_none_or(|parent| !rig.is_joint(parent))
    });
    let Some(root) = roots.max_by_key(|&joint| (rig.below[joint], usize::MAX - joint)) else {
        return;
    };
    let hips = chain_from(rig, root).last().copied().unwrap_or(root);
    row(
        text,
        "hips",
        None,
        Part::Hips,
        true,
        &[quoted(rig.text(hips))],
    );
    let mut names: Vec<String> = vec!["hips".to_owned()];
    let mut open: Vec<(usize, usize)> = below(rig, hips).map(|joint| (joint, 0)).collect();
    let mut at = 0;
    while at < open.len() && names.len() < 255 {
        let (first, parent) = open[at];
        at += 1;
        let chain = chain_from(rig, first);
        let name = slot_name(rig, first, &names);
        let joints: Vec<String> = chain.iter().map(|&joint| quoted(rig.text(joint))).collect();
        row(
            text,
            &name,
            Some(&names[parent]),
            part_of(rig, first),
            false,
            &joints,
        );
        names.push(name);
        let last = chain[chain.len() - 1];
        let own = names.len() - 1;
        open.extend(below(rig, last).map(|joint| (joint, own)));
    }
}

fn below<'a>(rig: &'a Rig, joint: usize) -> impl Iterator<Item = usize> + 'a {
    let children = rig.children[joint].iter().copied();
    children.filter(|&child| rig.is_joint(child))
}

fn part_of(rig: &Rig, joint: usize) -> Part {
    use super::quadruped_words::{Word, is};
    let words = [
        (Word::Head, Part::Head),
        (Word::Neck, Part::Neck),
        (Word::Tail, Part::Tail),
        (Word::Ear, Part::Ear),
        (Word::Jaw, Part::Face),
        (Word::Eye, Part::Face),
    ];
    let found = words.iter().find(|(word, _)| is(rig, joint, *word));
    found.map_or(Part::Limb, |(_, part)| *part)
}

/// `leftLeg1` for `leg_1_1.L`, with a number where another chain has the name.
fn slot_name(rig: &Rig, joint: usize, taken: &[String]) -> String {
    let key = &rig.own_keys[joint];
    let side = match key.side {
        Some(NameSide::Left) => "left",
        Some(NameSide::Right) => "right",
        None => "",
    };
    let mut name = side.to_owned();
    for token in &rig.tokens[joint] {
        let is_side = crate::names::key_of_tokens(std::slice::from_ref(token)).side;
        if key.side.is_some() && is_side.is_some() {
            continue;
        }
        let mut characters = token.chars();
        if let Some(first) = characters.next() {
            if name.is_empty() {
                name.push(first);
            } else {
                name.extend(first.to_uppercase());
            }
            name.push_str(characters.as_str());
        }
    }
    if name.is_empty() {
        name = format!("chain{joint}");
    }
    let mut result = name.clone();
    let mut number = 2;
    while taken.contains(&result) {
        result = format!("{name}x{number}");
        number += 1;
    }
    result
}

fn quoted(name: &str) -> String {
    toml::Value::String(name.to_owned()).to_string()
}
