//! Clips whose name says that both hands hold one thing.
//!
//! ```text
//! g(t) = 1 − smooth((|x| − 0.7) / 0.2)     in every frame of such a clip
//! ```
//!
//! x is the way between the palms, as a share of the span of the arms: hands that are further apart let go for a while.
//!
//! Hands that hold a sword, an axe or a rifle in a game's clip slide along it and turn about it by a tenth to a quarter of the span,
//! so nothing in their motion tells them from two fists: in any half second, hands that walk or box keep to a line in each other's axes
//! as well as those on a shaft do. Who made the clip knew, and said so.
//!
//! What counts as saying so: the words two, both or 2 before hand or handed, and 2h, in any spelling; before hands only beside a word for
//! what is held or done with it ([`DEEDS`]). Who waves with both hands holds nothing.

use super::grip::FURTHEST;
use crate::solve::smooth;

/// How much further than [`FURTHEST`] hands are when they have let go.
const LET_GO: f64 = 0.2;

/// How much hands so far apart, as a share of the span, hold on to one thing.
pub(super) fn share(apart: f64) -> f32 {
    1.0 - smooth(((apart - FURTHEST) / LET_GO) as f32)
}

/// What is held with both hands, or done with it.
const DEEDS: [&str; 34] = [
    "aim", "aiming", "attack", "attacks", "axe", "bat", "block", "bow", "box", "carry", "carrying",
    "chop", "club", "grip", "gun", "hammer", "hold", "holding", "holds", "mace", "melee", "parry",
    "pole", "reload", "rifle", "shoot", "shooting", "slash", "spear", "staff", "stab", "sword",
    "swords", "weapon",
];

/// True for `Melee_2H_Idle`, `TwoHandedSwing`, `sword in both hands`.
pub(crate) fn says_both_hands(clip: &str) -> bool {
    let words = words(clip);
    let says_deed = words.iter().any(|word| DEEDS.contains(&word.as_str()));
    let is_two = |word: &str| matches!(word, "2" | "two" | "both");
    let is_hand =
        |word: &str| matches!(word, "h" | "hand" | "handed") || (says_deed && word == "hands");
    let in_one = |word: &str| {
        let hand = ["two", "both"]
            .iter()
            .find_map(|two| word.strip_prefix(two));
        hand.is_some_and(|hand| hand.len() > 1 && is_hand(hand))
    };
    words.iter().any(|word| in_one(word))
        || words.windows(2).any(|pair| {
            // A lone letter says so behind a digit only.
            let is_short = pair[1] == "h" && pair[0] != "2";
            is_two(&pair[0]) && is_hand(&pair[1]) && !is_short
        })
}

/// Words and numbers of a name, lower case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for character in name.chars() {
        let is_hump = before.is_lowercase() && character.is_uppercase();
        let is_other = before.is_alphabetic() != character.is_alphabetic();
        if character.is_alphanumeric() {
            if words.is_empty() || !before.is_alphanumeric() || is_hump || is_other {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(character.to_lowercase());
            }
        }
        before = character;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_say_so_are_told() {
        for name in [
            "Rig_Medium|Melee_2H_Attack_Chop",
            "2H_Melee_Idle",
            "TwoHandedSwing",
            "two-handed sword idle",
            "Twohand_Block",
            "2handed_walk",
            "2Hand-Axe-Attack1",
            "attack with both hands",
            "SwordInBothHands",
            "holding a box with both hands",
        ] {
            assert!(says_both_hands(name), "{name}");
        }
        for name in [
            "Melee_1H_Attack_Chop",
            "Sword_Slash",
            "HandsUp",
            "two steps",
            "12 hours",
            "Attack_2_Hit",
            "Attack2Heavy",
            "both feet",
            "dataset-2_wave-both-hands_normal_001",
            "both hands up",
            "",
        ] {
            assert!(!says_both_hands(name), "{name}");
        }
    }

    #[test]
    fn hands_far_apart_let_go_gently() {
        assert_eq!([share(0.0), share(0.7), share(0.9)], [1.0, 1.0, 0.0]);
        assert!((share(0.8) - 0.5).abs() < 1e-6);
    }
}
