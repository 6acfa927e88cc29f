//! What names say about the parts of an animal: evidence beside its shape.
//!
//! Rigs of animals borrow words from people: a front leg is an arm with a hand as often as a front leg with
//! a paw, and words are set one joint too high or low. So words only tell limbs apart, and confirm the head,
//! the tail and the like; which joint of a limb is which is a matter of shape.

use super::rig::Rig;

const FRONT: [&str; 18] = [
    "fl",
    "fr",
    "front",
    "fore",
    "arm",
    "forearm",
    "upperarm",
    "lowerarm",
    "hand",
    "humerus",
    "radius",
    "carpus",
    "metacarpus",
    "wrist",
    "elbow",
    "scapula",
    "clavicle",
    "frontleg",
];

const HIND: [&str; 22] = [
    "hl",
    "hr",
    "rl",
    "rr",
    "hind",
    "back",
    "rear",
    "thigh",
    "shin",
    "calf",
    "femur",
    "tibia",
    "tarsus",
    "metatarsus",
    "hock",
    "stifle",
    "upleg",
    "hindleg",
    "backleg",
    "foot",
    "knee",
    "ankle",
];

/// Words of what hangs from the trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Head,
    Neck,
    Jaw,
    Eye,
    Ear,
    Trunk,
    Tail,
    Chest,
    Hips,
    Spine,
    Paw,
}

const WORDS: [(Word, &[&str]); 11] = [
    (Word::Head, &["head", "skull", "cranium"]),
    (Word::Neck, &["neck"]),
    (Word::Jaw, &["jaw", "mandible", "mouth", "lowerjaw"]),
    (Word::Eye, &["eye", "eyeball"]),
    (Word::Ear, &["ear", "ears"]),
    (Word::Trunk, &["trunk", "proboscis"]),
    (Word::Tail, &["tail"]),
    (Word::Chest, &["chest", "ribcage", "ribs", "thorax"]),
    (Word::Hips, &["hips", "hip", "pelvis"]),
    (Word::Spine, &["spine", "torso", "back", "vertebra"]),
    (Word::Paw, &["paw", "hoof", "foot", "feet"]),
];

/// The tokens of a joint's name with neighbours run together as well (`UpperArm`).
fn says(rig: &Rig, joint: usize, words: &[&str]) -> bool {
    let tokens = &rig.tokens[joint];
    let single = tokens.iter().any(|token| words.contains(&token.as_str()));
    let joined = |pair: &[String]| words.contains(&pair.concat().as_str());
    single || tokens.windows(2).any(joined)
}

/// Whether a joint's name holds a word.
pub(super) fn is(rig: &Rig, joint: usize, word: Word) -> bool {
    WORDS
        .iter()
        .any(|(known, words)| *known == word && says(rig, joint, words))
}

/// Positive where the names of these joints speak of a front leg, negative of a hind leg; -1 to 1.
pub(super) fn front_or_hind(rig: &Rig, joints: &[usize]) -> f32 {
    let sum: i32 = joints
        .iter()
        .map(|&joint| i32::from(says(rig, joint, &FRONT)) - i32::from(says(rig, joint, &HIND)))
        .sum();
    sum as f32 / joints.len().max(1) as f32
}
