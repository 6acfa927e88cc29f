//! A vocabulary of words for parts of the body, for rigs of no known convention.
//!
//! The same word means different joints in different rigs (`shoulder` is a clavicle or an upper
//! arm), so each has a fit for each slot of its limb, and the tree of joints decides.

use super::rig::Rig;
use crate::names::NameSide;

/// What the name of one joint says.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub(super) side: Option<NameSide>,
    /// The words that matter, run together: no side, number or filler.
    pub(super) core: String,
    /// True for controls, targets, twists, end points: joints that fill no slot.
    pub(super) helper: bool,
}

/// Words that only say that something is a joint, or whose it is.
const FILLERS: [&str; 14] = [
    "joint", "jnt", "bone", "def", "bip", "skin", "sk", "b", "j", "c", "m", "armature", "rig", "bn",
];

/// Words of joints that fill no slot.
const HELPERS: [&str; 40] = [
    "ik",
    "fk",
    "ctrl",
    "control",
    "controller",
    "pole",
    "target",
    "twist",
    "roll",
    "end",
    "nub",
    "tip",
    "site",
    "endsite",
    "mch",
    "org",
    "socket",
    "slot",
    "handslot",
    "weapon",
    "prop",
    "helper",
    "aux",
    "dummy",
    "jiggle",
    "phys",
    "breast",
    "bust",
    "hair",
    "skirt",
    "cloth",
    "cape",
    "tail",
    "wing",
    "attach",
    "goal",
    "locator",
    "null",
    "scale",
    "fix",
];

/// Fit of a word for shoulder, upper arm, lower arm, hand.
pub(super) const ARM_WORDS: [(&str, [f32; 4]); 27] = [
    ("clavicle", [1.0, 0.0, 0.0, 0.0]),
    ("clav", [1.0, 0.0, 0.0, 0.0]),
    ("collar", [1.0, 0.0, 0.0, 0.0]),
    ("collarbone", [1.0, 0.0, 0.0, 0.0]),
    ("scapula", [1.0, 0.0, 0.0, 0.0]),
    ("shoulder", [0.8, 0.6, 0.0, 0.0]),
    ("shldr", [0.8, 0.6, 0.0, 0.0]),
    ("kata", [0.8, 0.6, 0.0, 0.0]),
    ("upperarm", [0.0, 1.0, 0.0, 0.0]),
    ("armupper", [0.0, 1.0, 0.0, 0.0]),
    ("uparm", [0.0, 1.0, 0.0, 0.0]),
    ("armup", [0.0, 1.0, 0.0, 0.0]),
    ("bicep", [0.0, 1.0, 0.0, 0.0]),
    ("humerus", [0.0, 1.0, 0.0, 0.0]),
    ("arm", [0.2, 0.8, 0.3, 0.2]),
    ("elbow", [0.0, 0.0, 1.0, 0.0]),
    ("forearm", [0.0, 0.0, 1.0, 0.0]),
    ("lowerarm", [0.0, 0.0, 1.0, 0.0]),
    ("armlower", [0.0, 0.0, 1.0, 0.0]),
    ("lowarm", [0.0, 0.0, 1.0, 0.0]),
    ("armlow", [0.0, 0.0, 1.0, 0.0]),
    ("loarm", [0.0, 0.0, 1.0, 0.0]),
    ("radius", [0.0, 0.0, 0.8, 0.0]),
    // Where both are there, the joint that turns the hand is at the wrist.
    ("wrist", [0.0, 0.0, 0.0, 1.0]),
    ("hand", [0.0, 0.0, 0.0, 0.98]),
    ("palm", [0.0, 0.0, 0.0, 0.7]),
    ("fist", [0.0, 0.0, 0.0, 0.9]),
];

/// Fit of a word for upper leg, lower leg, foot, toes.
pub(super) const LEG_WORDS: [(&str, [f32; 4]); 27] = [
    ("thigh", [1.0, 0.0, 0.0, 0.0]),
    ("upleg", [1.0, 0.0, 0.0, 0.0]),
    ("legup", [1.0, 0.0, 0.0, 0.0]),
    ("upperleg", [1.0, 0.0, 0.0, 0.0]),
    ("legupper", [1.0, 0.0, 0.0, 0.0]),
    ("femur", [1.0, 0.0, 0.0, 0.0]),
    ("hip", [0.7, 0.0, 0.0, 0.0]),
    ("leg", [0.6, 0.7, 0.25, 0.15]),
    ("knee", [0.0, 1.0, 0.0, 0.0]),
    ("shin", [0.0, 1.0, 0.0, 0.0]),
    ("calf", [0.0, 1.0, 0.0, 0.0]),
    ("tibia", [0.0, 1.0, 0.0, 0.0]),
    ("lowerleg", [0.0, 1.0, 0.0, 0.0]),
    ("leglower", [0.0, 1.0, 0.0, 0.0]),
    ("lowleg", [0.0, 1.0, 0.0, 0.0]),
    ("leglow", [0.0, 1.0, 0.0, 0.0]),
    ("loleg", [0.0, 1.0, 0.0, 0.0]),
    ("ankle", [0.0, 0.0, 1.0, 0.0]),
    ("foot", [0.0, 0.0, 0.9, 0.5]),
    ("feet", [0.0, 0.0, 0.9, 0.5]),
    ("toe", [0.0, 0.0, 0.0, 1.0]),
    ("toes", [0.0, 0.0, 0.0, 1.0]),
    ("toebase", [0.0, 0.0, 0.0, 1.0]),
    ("bigtoe", [0.0, 0.0, 0.0, 0.8]),
    ("football", [0.0, 0.0, 0.0, 0.9]),
    ("ball", [0.0, 0.0, 0.0, 1.0]),
    ("forefoot", [0.0, 0.0, 0.0, 1.0]),
];

/// Fit of a word for the pelvis.
pub(super) const HIPS_WORDS: [(&str, f32); 13] = [
    ("hips", 1.0),
    ("pelvis", 1.0),
    ("hip", 1.0),
    ("midhip", 1.0),
    ("koshi", 0.8),
    ("cog", 0.4),
    ("body", 0.4),
    ("waist", 0.4),
    ("root", 0.4),
    ("torso", 0.4),
    ("butt", 0.4),
    ("spine", 0.3),
    ("center", 0.3),
];

/// Words for the neck.
pub(super) const NECK_WORDS: [&str; 5] =
    ["neck", "lowerneck", "upperneck", "neckupper", "necklower"];

/// Words for the head.
pub(super) const HEAD_WORDS: [&str; 3] = ["head", "skull", "cranium"];

/// Words for each finger, in the order of the slots.
pub(super) const FINGER_WORDS: [&[&str]; 5] = [
    &["thumb"],
    &["index", "pointer", "indexfinger", "forefinger"],
    &["middle", "mid", "middlefinger"],
    &["ring", "ringfinger"],
    &["little", "pinky", "pinkie", "pinkyfinger", "littlefinger"],
];

/// Words that make a finger's joint one inside the palm.
pub(super) const PALM_WORDS: [&str; 6] = ["metacarpal", "meta", "carpal", "palm", "in", "base"];

/// What the names of all joints say.
pub(super) fn read_words(rig: &Rig) -> Vec<Said> {
    (0..rig.len())
        .map(|joint| {
            let tokens = &rig.tokens[joint];
            let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.as_str()));
            let key = &rig.own_keys[joint];
            let mut core = String::new();
            for token in tokens {
                let side = crate::names::key_of_tokens(std::slice::from_ref(token)).side;
                let number = token.starts_with(|c: char| c.is_ascii_digit());
                if (key.side.is_some() && side.is_some()) || number {
                    continue;
                }
                if !FILLERS.contains(&token.as_str()) {
                    core.push_str(token);
                }
            }
            Said {
                side: key.side,
                core,
                helper: has(&HELPERS) || !rig.is_joint(joint),
            }
        })
        .collect()
}

/// True if at least one name says which part of the body its joint is.
pub(super) fn tell_something(rig: &Rig) -> bool {
    read_words(rig).iter().any(|said| {
        let is = |word: &str| said.core == word;
        let of_limb = || ARM_WORDS.iter().chain(&LEG_WORDS).any(|(word, _)| is(word));
        let of_trunk = || HIPS_WORDS.iter().any(|(word, fit)| *fit > 0.5 && is(word));
        let of_head = || NECK_WORDS.iter().chain(&HEAD_WORDS).any(|word| is(word));
        !said.helper && (of_limb() || of_trunk() || of_head())
    })
}

#[cfg(test)]
mod tests {
    use crate::mapping::map_character;
    use rebone_model::{Character, NewJoint, SkeletonBuilder, Transform, Vec3};

    /// A person in T-pose whose joints have these names, the same on both sides but for the first letter.
    fn person(trunk: [&str; 5], arm: [&str; 4], leg: [&str; 3]) -> Character {
        let mut builder = SkeletonBuilder::new();
        let mut places: Vec<Vec3> = Vec::new();
        let mut add = |name: &str, parent: Option<usize>, at: [f32; 3]| {
            let at = Vec3::from(at);
            let from = parent.map_or(Vec3::ZERO, |parent: usize| places[parent]);
            places.push(at);
            let local = Transform::from_translation(at - from);
            builder.add(NewJoint::new(name, parent, local))
        };
        let mut above = None;
        let mut of_trunk = Vec::new();
        for (name, height) in trunk.iter().zip([1.0, 1.15, 1.3, 1.45, 1.55]) {
            above = Some(add(name, above, [0.0, height, 0.0]));
            of_trunk.extend(above);
        }
        for (letter, side) in [("l", 1.0), ("r", -1.0)] {
            let mut above = of_trunk[2];
            for (name, x) in arm.iter().zip([0.05, 0.18, 0.45, 0.7]) {
                above = add(
                    &format!("{letter}{name}"),
                    Some(above),
                    [side * x, 1.4, 0.0],
                );
            }
            let mut above = of_trunk[0];
            for (name, (y, z)) in leg.iter().zip([(0.95, 0.0), (0.5, 0.02), (0.08, 0.0)]) {
                above = add(&format!("{letter}{name}"), Some(above), [side * 0.1, y, z]);
            }
        }
        Character {
            skeleton: builder.build().unwrap().0,
            ..Character::default()
        }
    }

    #[test]
    fn sides_that_run_together_with_the_word_are_understood() {
        let character = person(
            ["hip", "abdomen", "chest", "neck", "head"],
            ["collar", "shldr", "elbow", "hand"],
            ["hip", "knee", "foot"],
        );
        let map = map_character(&character);
        for (slot, name) in [
            ("hips", "hip"),
            ("leftShoulder", "lcollar"),
            ("rightUpperArm", "rshldr"),
            ("leftUpperLeg", "lhip"),
            ("rightLowerLeg", "rknee"),
            ("leftFoot", "lfoot"),
        ] {
            let joint = map.joint_named(slot).unwrap_or_else(|| panic!("no {slot}"));
            assert_eq!(character.skeleton.unique_name(joint), name, "{slot}");
        }
        let codes: Vec<_> = map.warnings.iter().map(|warning| warning.code).collect();
        assert!(!codes.contains(&"mapped-by-shape"), "{codes:?}");
    }

    #[test]
    fn what_is_said_of_names_is_true() {
        let trunk = ["a", "b", "c", "d", "e"];
        for (leg, said) in [
            (["x", "y", "z"], "no name says what a joint is"),
            (["x", "knee", "z"], "the names tell too little of the body"),
        ] {
            let map = map_character(&person(trunk, ["s", "t", "u", "v"], leg));
            let shape = map.warnings.iter().find(|w| w.code == "mapped-by-shape");
            let message = &shape.expect("not mapped by shape").message;
            assert!(message.starts_with(said), "{message}");
        }
    }
}
