//! A person's own word on which joint is which slot.

use super::{RigMap, RunnerUp, SlotMatch};
use crate::error::Error;
use crate::profile::Slot;
use rebone_model::skeleton::edit_distance;
use rebone_model::{Action, Character, Remedy, Skeleton};
use std::collections::BTreeMap;

/// What a person says about slots: slot name to joint names, from parent to child. An empty list
/// leaves the slot without joint.
pub type RigOverrides = BTreeMap<String, Vec<String>>;

/// Puts a person's choices into a map. They win over everything found: a joint that was in another
/// slot leaves it.
///
/// Fails with [`Error::Recipe`] where a slot or joint does not exist, is named twice, or the joints
/// of a chain do not lie below one another. The map is unchanged then.
pub fn apply_overrides(
    map: &mut RigMap,
    character: &Character,
    overrides: &RigOverrides,
) -> Result<(), Error> {
    let chosen = Chosen::of(map, &character.skeleton, overrides)?;
    for (slot, joints) in chosen.joints {
        put_chosen(map, slot, joints);
    }
    // What a person has put elsewhere is nobody's second choice any more.
    for found in map.slots.values_mut() {
        let is_taken = |second: &RunnerUp| chosen.slots.contains_key(&second.joint);
        found.runner_up = found.runner_up.filter(|second| !is_taken(second));
    }
    super::finish(map, character);
    Ok(())
}

/// What a person chooses, checked against the skeleton.
#[derive(Default)]
struct Chosen<'a> {
    /// The joints of each slot, from parent to child.
    joints: Vec<(Slot, Vec<usize>)>,
    /// Name of the slot of each joint.
    slots: BTreeMap<usize, &'a str>,
}

impl<'a> Chosen<'a> {
    fn of(map: &RigMap, skeleton: &Skeleton, overrides: &'a RigOverrides) -> Result<Self, Error> {
        let mut chosen = Self::default();
        for (name, joint_names) in overrides {
            let slot = map.profile.find(name);
            let slot = slot.ok_or_else(|| unknown_slot(map, name))?;
            let joints = chosen.chain(skeleton, name, joint_names)?;
            chosen.joints.push((slot, joints));
        }
        Ok(chosen)
    }

    /// The joints of one slot. They must be in no other slot, and lie below one another.
    fn chain(
        &mut self,
        skeleton: &Skeleton,
        slot: &'a str,
        joint_names: &[String],
    ) -> Result<Vec<usize>, Error> {
        let wrong = |what: String, remedy: Remedy| Error::Recipe {
            what,
            place: slot.to_owned(),
            remedy,
        };
        let mut joints: Vec<usize> = Vec::new();
        for joint_name in joint_names {
            let joint = skeleton.find(joint_name).map_err(|error| {
                let remedy = Remedy::new(
                    "write the joint's name as the file has it",
                    &[Action::ListJoints],
                );
                wrong(error.to_string(), remedy)
            })?;
            if let Some(other) = self.slots.insert(joint, slot) {
                return Err(wrong(
                    format!("joint \"{joint_name}\" is in two slots, {other} and {slot}"),
                    "leave it in one of them".into(),
                ));
            }
            if let Some(&above) = joints.last()
                && !skeleton.is_ancestor(above, joint)
            {
                let above = skeleton.unique_name(above);
                return Err(wrong(
                    format!("joint \"{joint_name}\" does not lie below \"{above}\""),
                    "list the joints of a chain from parent to child".into(),
                ));
            }
            joints.push(joint);
        }
        Ok(joints)
    }
}

/// Puts joints into a slot and takes them from all slots that were not chosen.
fn put_chosen(map: &mut RigMap, slot: Slot, joints: Vec<usize>) {
    map.slots.remove(&slot);
    for found in map.slots.values_mut() {
        if found.evidence != "recipe" {
            found.joints.retain(|other| !joints.contains(other));
        }
    }
    map.slots.retain(|_, found| !found.joints.is_empty());
    if !joints.is_empty() {
        let found = SlotMatch {
            joints,
            confidence: 1.0,
            evidence: "recipe".to_owned(),
            runner_up: None,
        };
        map.slots.insert(slot, found);
    }
}

/// A slot's name that the profile does not have, with the most similar one that it has.
pub(crate) fn unknown_slot(map: &RigMap, name: &str) -> Error {
    let lower = name.to_lowercase();
    let slots = map.profile.slots.iter();
    let nearest = slots
        .map(|slot| (edit_distance(&lower, &slot.name.to_lowercase()), slot.name))
        .min();
    let remedy = match nearest {
        Some((distance, nearest)) if distance <= lower.chars().count().div_ceil(2) => {
            format!("did you mean \"{nearest}\"?")
        }
        _ => "slots are called as in VRM 1.0: hips, spine, leftUpperArm, ...".to_owned(),
    };
    Error::Recipe {
        what: format!("there is no slot \"{name}\""),
        place: name.to_owned(),
        remedy: remedy.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::map_character;
    use rebone_model::{NewJoint, SkeletonBuilder, Transform, Vec3};

    fn character() -> Character {
        let joints: [(&str, Option<usize>, [f32; 3]); 17] = [
            ("Hips", None, [0.0, 1.0, 0.0]),
            ("Spine", Some(0), [0.0, 0.2, 0.0]),
            ("Neck", Some(1), [0.0, 0.3, 0.0]),
            ("Head", Some(2), [0.0, 0.1, 0.0]),
            ("LeftArm", Some(1), [0.2, 0.3, 0.0]),
            ("LeftForeArm", Some(4), [0.3, 0.0, 0.0]),
            ("LeftHand", Some(5), [0.3, 0.0, 0.0]),
            ("RightArm", Some(1), [-0.2, 0.3, 0.0]),
            ("RightForeArm", Some(7), [-0.3, 0.0, 0.0]),
            ("RightHand", Some(8), [-0.3, 0.0, 0.0]),
            ("LeftUpLeg", Some(0), [0.1, -0.1, 0.0]),
            ("LeftLeg", Some(10), [0.0, -0.4, 0.0]),
            ("LeftFoot", Some(11), [0.0, -0.4, 0.0]),
            ("RightUpLeg", Some(0), [-0.1, -0.1, 0.0]),
            ("RightLeg", Some(13), [0.0, -0.4, 0.0]),
            ("RightFoot", Some(14), [0.0, -0.4, 0.0]),
            ("Tail", Some(0), [0.0, 0.0, -0.2]),
        ];
        let mut builder = SkeletonBuilder::new();
        for (name, parent, at) in joints {
            let rest = Transform::from_translation(Vec3::from(at));
            builder.add(NewJoint::new(name, parent, rest));
        }
        Character {
            skeleton: builder.build().unwrap().0,
            ..Character::default()
        }
    }

    fn overrides(slot: &str, joints: &[&str]) -> RigOverrides {
        let joints = joints.iter().map(|joint| (*joint).to_owned()).collect();
        RigOverrides::from([(slot.to_owned(), joints)])
    }

    #[test]
    fn a_person_wins() {
        let character = character();
        let mut map = map_character(&character);
        assert_eq!(map.missing_required(), Vec::<&str>::new());
        assert_eq!(map.unmapped, [16]);
        apply_overrides(&mut map, &character, &overrides("chest", &["Neck"])).unwrap();
        assert_eq!(map.joint_named("chest"), Some(2));
        assert_eq!(map.joint_named("neck"), None);
        apply_overrides(&mut map, &character, &overrides("leftHand", &[])).unwrap();
        assert_eq!(map.missing_required(), ["leftHand"]);
        assert_eq!(map.unmapped, [6, 16]);
        assert!(
            map.warnings
                .iter()
                .any(|warning| warning.code == "slot-missing")
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let character = character();
        let mut map = map_character(&character);
        let before = map.clone();
        for (slot, joints, part) in [
            ("leftUperArm", &["LeftArm"][..], "leftUpperArm"),
            ("leftUpperArm", &["LeftArn"], "LeftArm"),
            ("spine", &["Neck", "Spine"], "does not lie below"),
            ("spine", &["Spine", "Spine"], "two slots"),
        ] {
            let error =
                apply_overrides(&mut map, &character, &overrides(slot, joints)).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
            assert_eq!(map, before);
        }
    }

    #[test]
    fn swapped_sides_are_noticed() {
        let mut character = character();
        let mut builder = SkeletonBuilder::new();
        for joint in character.skeleton.joints() {
            let mut rest = joint.rest;
            rest.translation.x = -rest.translation.x;
            builder.add(NewJoint::new(&joint.name, joint.parent, rest));
        }
        for foot in [12, 15] {
            let toes = Transform::from_translation(Vec3::new(0.0, -0.05, 0.15));
            let side = if foot == 12 { "Left" } else { "Right" };
            builder.add(NewJoint::new(format!("{side}ToeBase"), Some(foot), toes));
        }
        character.skeleton = builder.build().unwrap().0;
        let map = map_character(&character);
        assert!(
            map.warnings
                .iter()
                .any(|warning| warning.code == "sides-swapped")
        );
    }
}
