//! A map in words: what is sure, what needs a look, and what is left.

use super::inspect_text::in_tree_order;
use crate::json;
use crate::session::Loaded;
use crate::summary;
use crate::table::{Align, Table, count, some_of};
use rebone::model::{JointKind, Skeleton};
use rebone::setup::mapping::{Kind, SlotMatch};
use rebone::setup::names::tokens;

/// Below this a person should look at a slot.
const SURE: f32 = 0.8;

/// A second choice that is nearer than this is worth a look.
const CLOSE: f32 = 0.15;

/// Levels of joints that are set in.
const DEEPEST_INDENT: usize = 20;

/// Kinds of joints that fill no slot, by words of their names, in the order in which they are asked for.
const KINDS: [(&str, &[&str]); 6] = [
    (
        "controls, which move nothing by themselves",
        &[
            "ik", "pole", "ctrl", "control", "target", "helper", "handle", "mch", "goal",
        ],
    ),
    (
        "twist and roll, which follow their limb",
        &["twist", "roll", "bendy", "捩"],
    ),
    (
        "ends of chains",
        &["end", "tip", "nub", "site", "top", "endsite"],
    ),
    (
        "hair, cloth and the like, which move with their parent",
        &[
            "hair", "skirt", "cloth", "cape", "sleeve", "ribbon", "breast", "bust", "belt", "coat",
            "hood", "tie",
        ],
    ),
    (
        "roots and sockets",
        &[
            "root", "armature", "socket", "handslot", "weapon", "prop", "attach", "gun",
        ],
    ),
    (
        "face",
        &[
            "brow", "lid", "eyelid", "lip", "mouth", "tongue", "cheek", "nose", "teeth", "jaw",
            "face", "ear", "eye", "eyes",
        ],
    ),
];

/// The slots of one rig, with what is in none.
pub(super) fn map_text(loaded: &Loaded) -> String {
    let (map, skeleton) = (&loaded.rig.map, &loaded.rig.character.skeleton);
    let mut text = head(loaded);
    text.push('\n');
    if !map.slots.is_empty() {
        let mut table = Table::new(&[
            ("SLOT", Align::Left),
            ("JOINTS", Align::Left),
            ("SURE", Align::Right),
            ("BY", Align::Left),
        ]);
        for (slot, found) in &map.slots {
            let doubt = if needs_a_look(found) {
                format!("  <- please check{}", second_choice(found, skeleton))
            } else {
                String::new()
            };
            table.row(vec![
                json::slot_name(map, *slot).to_owned(),
                json::names(skeleton, &found.joints).join(" > "),
                format!("{:.0} %", 100.0 * found.confidence),
                format!("{}{doubt}", found.evidence),
            ]);
        }
        text.push_str(&table.text(0));
        let doubtful = map.slots.values().filter(|found| needs_a_look(found));
        let doubtful = doubtful.count();
        if doubtful > 0 {
            text.push_str(&format!("{} to check\n", count(doubtful, "slot")));
        }
    }
    text.push_str(&unmapped(loaded));
    text
}

/// True where a person should look.
fn needs_a_look(found: &SlotMatch) -> bool {
    let close = found.runner_up.is_some_and(|second| second.margin < CLOSE);
    found.confidence < SURE || close
}

/// ` or "Spine1"`.
fn second_choice(found: &SlotMatch, skeleton: &Skeleton) -> String {
    found.runner_up.map_or_else(String::new, |second| {
        format!(", or {}", skeleton.unique_name(second.joint))
    })
}

/// A mark for a link: which of its sides needs a look.
pub(super) fn doubt_of(loaded: &Loaded, joints: &[usize]) -> Option<String> {
    let map = &loaded.rig.map;
    let found = map
        .slots
        .values()
        .find(|found| found.joints.iter().any(|joint| joints.contains(joint)))?;
    needs_a_look(found).then(|| {
        format!(
            "{:.0} %{}",
            100.0 * found.confidence,
            second_choice(found, &loaded.rig.character.skeleton)
        )
    })
}

/// Joints in no slot, by the reason.
fn unmapped(loaded: &Loaded) -> String {
    let (map, skeleton) = (&loaded.rig.map, &loaded.rig.character.skeleton);
    if map.unmapped.is_empty() {
        return String::new();
    }
    let mut groups: Vec<(&str, Vec<String>)> = KINDS
        .iter()
        .map(|(title, _)| (*title, Vec::new()))
        .collect();
    let mut others = Vec::new();
    for &joint in &map.unmapped {
        let name = skeleton.unique_name(joint).to_owned();
        let words = tokens(&skeleton.joints()[joint].name);
        let kind = KINDS
            .iter()
            .position(|(_, known)| words.iter().any(|word| known.contains(&word.as_str())));
        match kind {
            Some(kind) => groups[kind].1.push(name),
            None => others.push(name),
        }
    }
    groups.push(("others, which move with their parent", others));
    groups.retain(|(_, names)| !names.is_empty());
    let mut text = format!("{} in no slot\n", count(map.unmapped.len(), "joint"));
    for (title, names) in groups {
        text.push_str(&format!(
            "  {} {title}: {}\n",
            names.len(),
            some_of(&names, 8)
        ));
    }
    text
}

/// `hero.vrm: humanoid, vrm-1 names, 97 % sure`.
pub(super) fn head(loaded: &Loaded) -> String {
    let map = &loaded.rig.map;
    let name = loaded.input.path.display();
    if is_creature(loaded) {
        return format!("{name}: recognised neither as a humanoid nor as a four-legged animal");
    }
    format!(
        "{name}: {}, {}, {}, {:.0} % sure",
        summary::kind(map),
        summary::naming(map),
        count(map.slots.len(), "slot"),
        100.0 * map.confidence
    )
}

/// No humanoid, by all that was found.
pub(super) fn is_creature(loaded: &Loaded) -> bool {
    loaded.rig.map.kind == Kind::Other && loaded.rig.map.slots.is_empty()
}

/// The joints of a rig as comments of a recipe, from which a person can fill the slots.
pub(super) fn joints_remark(side: &str, loaded: &Loaded) -> String {
    let skeleton = &loaded.rig.character.skeleton;
    let mut text = format!(
        "\n# The {side} was not recognised as a humanoid. If it is one, give its joints to the slots\n\
         # (hips, spine, head, leftUpperArm, leftUpperLeg, ...) in [{side}.slots] above; if not, link joints\n\
         # in [links]. Its joints:\n"
    );
    let mut depths = vec![0usize; skeleton.len()];
    for index in in_tree_order(skeleton) {
        let joint = &skeleton.joints()[index];
        depths[index] = joint.parent.map_or(0, |parent| {
            depths[parent] + usize::from(skeleton.joints()[parent].kind == JointKind::Joint)
        });
        if joint.kind == JointKind::Joint {
            // Quoted, so that no name can end the comment.
            text.push_str(&format!(
                "# {}{}\n",
                "  ".repeat(depths[index].min(DEEPEST_INDENT)),
                serde_json::Value::from(skeleton.unique_name(index))
            ));
        }
    }
    text
}
