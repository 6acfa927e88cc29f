//! The weights that a person gave, as a stage (S3.14).
//!
//! A weight is given to a joint, to a slot (all joints of its chain) or to a group of slots. Where several speak of
//! one joint, the narrowest counts: the joint's own name before its slot, the slot before a group of one side, that
//! before a group of both. A name that is both a slot's and a joint's means the slot. The base is the target's rest pose.

use crate::compile::{Both, CompileOptions};
use crate::error::Error;
use crate::profile::{Part, Side, SlotInfo};
use rebone_model::Remedy;
use rebone_model::skeleton::edit_distance;
use rebone_runtime::stage::{JointWeight, Stage, StageOp, WeightStage};
use std::collections::BTreeMap;

/// Slots with one name: part by part, of both sides or of one.
const GROUPS: [(&str, &[Part]); 5] = [
    (
        "arms",
        &[Part::Shoulder, Part::UpperArm, Part::LowerArm, Part::Hand],
    ),
    (
        "legs",
        &[
            Part::UpperLeg,
            Part::LowerLeg,
            Part::Cannon,
            Part::Foot,
            Part::Toes,
        ],
    ),
    ("fingers", &[Part::Thumb, Part::Finger]),
    ("torso", &[Part::Torso]),
    ("face", &[Part::Face, Part::Ear]),
];

/// True where a name means a group that this slot is in.
fn group_has(name: &str, slot: &SlotInfo) -> Option<bool> {
    let (side, word) = match (name.strip_prefix("left"), name.strip_prefix("right")) {
        (Some(word), _) => (Some(Side::Left), word),
        (_, Some(word)) => (Some(Side::Right), word),
        _ => (None, name),
    };
    let is_word = |group: &&(&str, &[Part])| match side {
        None => group.0 == word,
        Some(_) => group.0.eq_ignore_ascii_case(word) && word.starts_with(char::is_uppercase),
    };
    let (_, parts) = GROUPS.iter().find(is_word)?;
    Some(parts.contains(&slot.part) && side.is_none_or(|side| side == slot.side))
}

/// The stage; `None` where nobody gave a weight that changes anything.
///
/// Fails with [`Error::Recipe`] where a name is no joint, slot or group.
pub(super) fn stage(both: &Both<'_>, options: &CompileOptions) -> Result<Option<Stage>, Error> {
    let (map, skeleton) = (both.target.map, &both.target.character.skeleton);
    // From the widest to the narrowest, so that the narrower wins.
    let mut ranked: Vec<(u8, Vec<usize>, f64)> = Vec::new();
    for (name, &weight) in &options.recipe.target.weights {
        let slots = |wanted: &dyn Fn(&SlotInfo) -> bool| -> Vec<usize> {
            let of = map.slots.iter();
            of.filter(|(slot, _)| wanted(map.profile.info(**slot)))
                .flat_map(|(_, found)| found.joints.iter().copied())
                .collect()
        };
        let group = map.profile.slots.first();
        if map.profile.find(name).is_some() {
            ranked.push((2, slots(&|slot| slot.name == name), weight));
        } else if let Ok(joint) = skeleton.find(name) {
            ranked.push((3, vec![joint], weight));
        } else if group.is_some_and(|slot| group_has(name, slot).is_some()) {
            let of_side = name.starts_with("left") || name.starts_with("right");
            let joints = slots(&|slot| group_has(name, slot) == Some(true));
            ranked.push((u8::from(of_side), joints, weight));
        } else {
            return Err(unknown(both, name));
        }
    }
    ranked.sort_by_key(|entry| entry.0);
    let mut weight_of: BTreeMap<usize, f64> = BTreeMap::new();
    for (_, joints, weight) in ranked {
        weight_of.extend(joints.into_iter().map(|joint| (joint, weight)));
    }
    weight_of.retain(|_, weight| *weight != 1.0);
    if weight_of.is_empty() {
        return Ok(None);
    }
    let joints = weight_of.into_iter().map(|(joint, weight)| JointWeight {
        joint,
        base: skeleton.joints()[joint].rest,
        weight: weight as f32,
    });
    Ok(Some(Stage {
        weight: 1.0,
        op: StageOp::Weights(WeightStage {
            joints: joints.collect(),
        }),
    }))
}

fn unknown(both: &Both<'_>, name: &str) -> Error {
    let (map, skeleton) = (both.target.map, &both.target.character.skeleton);
    let slots = map.profile.slots.iter().map(|slot| slot.name);
    let groups = GROUPS.iter().map(|group| group.0);
    let joints = (0..skeleton.len()).map(|joint| skeleton.unique_name(joint));
    let wanted = name.to_lowercase();
    let nearest = slots
        .chain(groups)
        .chain(joints)
        .min_by_key(|known| edit_distance(&wanted, &known.to_lowercase()));
    Error::Recipe {
        what: format!("the target has no joint, slot or group \"{name}\""),
        place: "target.weights".to_owned(),
        remedy: nearest.map_or_else(Remedy::default, |known| {
            format!("did you mean \"{known}\"?").into()
        }),
    }
}
