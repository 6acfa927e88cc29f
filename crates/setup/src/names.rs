//! Joint names as tokens.
//!
//! `mixamorig:LeftForeArm`, `forearm.L` and `l_forearm` say the same in three spellings. A name is
//! cut into tokens, the side of the body is taken out (always a whole token, never a part of a
//! word), and what is left is the *word* that dialects and vocabularies are matched against.

use std::collections::BTreeMap;

/// The side that a name states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameSide {
    /// `Left`, `L`, `左`.
    Left,
    /// `Right`, `R`, `右`.
    Right,
}

/// What a name says, without its spelling: equal for `LeftUpLeg` and `up_leg.L`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameKey {
    /// The side, where exactly one is stated.
    pub side: Option<NameSide>,
    /// The other tokens run together; neighbouring numbers are kept apart by a point.
    pub word: String,
}

/// Tokens that state a side.
const SIDES: [(NameSide, &[&str]); 2] = [
    (
        NameSide::Left,
        &[
            "left", "l", "lft", "lf", "hidari", "左", "gauche", "links", "izq",
        ],
    ),
    (
        NameSide::Right,
        &[
            "right", "r", "rgt", "rt", "migi", "右", "droite", "droit", "rechts", "der",
        ],
    ),
];

/// Beginnings that some exporters run together with every name of a convention.
const KNOWN_PREFIXES: [&[&str]; 4] = [
    &["mixamorig"],
    &["character", "1"],
    &["bip", "01"],
    &["bip", "001"],
];

/// Words that may follow `left`, `right`, `l` or `r` without a break (`Lefthand`, `lhand`). None of them makes another
/// English word with a letter before it.
const BODY_WORDS: [&str; 27] = [
    "ankle", "arm", "ball", "calf", "clavicle", "collar", "elbow", "eye", "finger", "foot",
    "forearm", "hand", "hip", "knee", "leg", "lowerarm", "lowerleg", "shin", "shldr", "shoulder",
    "thigh", "thumb", "toe", "toes", "upperarm", "upperleg", "wrist",
];

/// The part of a name behind its last namespace (`rig:Hips`, `Armature|Hips`).
pub fn without_namespace(name: &str) -> &str {
    match name.rfind([':', '|']) {
        Some(at) if at + 1 < name.len() => &name[at + 1..],
        _ => name,
    }
}

/// Cuts a name (without namespace) into lower-case tokens: at separators, at `camelCase` humps,
/// between letters and digits, and around the Japanese side characters.
pub fn tokens(name: &str) -> Vec<String> {
    let characters: Vec<char> = without_namespace(name).chars().map(half_width).collect();
    let mut tokens = Vec::new();
    let mut token = String::new();
    for (index, &character) in characters.iter().enumerate() {
        let class = class_of(character);
        let before = index.checked_sub(1).map(|at| class_of(characters[at]));
        let after = characters.get(index + 1).map(|&next| class_of(next));
        let breaks = match (before, class) {
            (None, _) | (Some(Class::Separator), _) => true,
            (Some(Class::Upper), Class::Lower) => false,
            (Some(Class::Upper), Class::Upper) => after == Some(Class::Lower),
            (Some(previous), _) => previous != class,
        };
        if (breaks || class == Class::Separator) && !token.is_empty() {
            push_token(&mut tokens, std::mem::take(&mut token));
        }
        if class != Class::Separator {
            token.extend(character.to_lowercase());
        }
    }
    if !token.is_empty() {
        push_token(&mut tokens, token);
    }
    tokens
}

/// What a name says, from its tokens.
pub fn key_of_tokens(tokens: &[String]) -> NameKey {
    let stated = |token: &str| {
        SIDES
            .iter()
            .find(|(_, spellings)| spellings.contains(&token))
            .map(|(side, _)| *side)
    };
    let mut side = None;
    let mut contradiction = false;
    for token in tokens {
        if let Some(found) = stated(token) {
            contradiction |= side.is_some_and(|known| known != found);
            side = Some(found);
        }
    }
    if contradiction {
        side = None;
    }
    let mut word = String::new();
    for token in tokens {
        if side.is_some() && stated(token).is_some() {
            continue;
        }
        let number = token.starts_with(|c: char| c.is_ascii_digit());
        if number && word.ends_with(|c: char| c.is_ascii_digit()) {
            word.push('.');
        }
        word.push_str(token);
    }
    NameKey { side, word }
}

/// What a name says.
pub fn key_of(name: &str) -> NameKey {
    key_of_tokens(&tokens(name))
}

/// The names of one rig, with what all of them share (a prefix, a suffix, running numbers) removed.
#[derive(Clone, Debug, Default)]
pub struct RigNames {
    /// Tokens a joint, as the file has them.
    pub full: Vec<Vec<String>>,
    /// Tokens a joint without the shared ones; never empty where the name is not.
    pub own: Vec<Vec<String>>,
}

impl RigNames {
    /// Reads the names of a rig. `counted` says which joints take part in finding shared tokens.
    pub fn new(names: &[&str], counted: &[bool]) -> Self {
        let full: Vec<Vec<String>> = names.iter().map(|name| tokens(name)).collect();
        let mut own = full.clone();
        strip_running_numbers(names, counted, &mut own);
        for tokens in &mut own {
            strip_known_prefix(tokens);
        }
        for from_end in [false, true] {
            for _ in 0..4 {
                if !strip_shared(&mut own, counted, from_end) {
                    break;
                }
            }
        }
        Self { full, own }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Separator,
    Digit,
    Lower,
    Upper,
    SideCharacter,
    Other,
}

fn class_of(character: char) -> Class {
    match character {
        '左' | '右' => Class::SideCharacter,
        c if c.is_ascii_digit() => Class::Digit,
        c if c.is_uppercase() => Class::Upper,
        c if c.is_lowercase() => Class::Lower,
        c if c.is_alphanumeric() => Class::Other,
        _ => Class::Separator,
    }
}

/// Full-width digits and Latin letters as ordinary ones.
fn half_width(character: char) -> char {
    match character {
        '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' => {
            char::from_u32(u32::from(character) - 0xFEE0).unwrap_or(character)
        }
        other => other,
    }
}

fn push_token(tokens: &mut Vec<String>, token: String) {
    for side in ["left", "right", "l", "r"] {
        if let Some(rest) = token.strip_prefix(side)
            && BODY_WORDS.contains(&rest)
        {
            tokens.push(side.to_owned());
            tokens.push(rest.to_owned());
            return;
        }
    }
    tokens.push(token);
}

/// True for the tokens that say which joint it is, so that they cannot be an exporter's prefix.
fn says_something(token: &str) -> bool {
    SIDES
        .iter()
        .any(|(_, spellings)| spellings.contains(&token))
        || BODY_WORDS.contains(&token)
        || ["spine", "neck", "head", "hips", "chest"].contains(&token)
}

fn strip_known_prefix(tokens: &mut Vec<String>) {
    for prefix in KNOWN_PREFIXES {
        let begins = tokens.iter().zip(prefix).all(|(token, part)| token == part);
        if begins && tokens.len() > prefix.len() {
            tokens.drain(..prefix.len());
            return;
        }
    }
}

/// Removes the first (or last) token from all joints that share it, where at least 80 % do.
fn strip_shared(own: &mut [Vec<String>], counted: &[bool], from_end: bool) -> bool {
    let edge = |tokens: &Vec<String>| -> Option<String> {
        let token = if from_end {
            tokens.last()
        } else {
            tokens.first()
        };
        token.filter(|_| tokens.len() > 1).cloned()
    };
    let total = counted.iter().filter(|counted| **counted).count();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (tokens, _) in own.iter().zip(counted).filter(|(_, counted)| **counted) {
        if let Some(token) = edge(tokens) {
            *counts.entry(token).or_default() += 1;
        }
    }
    let Some((shared, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else {
        return false;
    };
    if total < 5 || count * 10 < total * 8 || says_something(&shared) {
        return false;
    }
    for tokens in own.iter_mut() {
        if edge(tokens).as_ref() == Some(&shared) {
            let at = if from_end { tokens.len() - 1 } else { 0 };
            tokens.remove(at);
        }
    }
    true
}

/// Removes the numbers that some exporters append to every joint (`Hips_01`, `Spine_02`, ...).
fn strip_running_numbers(names: &[&str], counted: &[bool], own: &mut [Vec<String>]) {
    let number = |name: &str| -> Option<u32> {
        let (rest, digits) = name.rsplit_once('_')?;
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if rest.is_empty() || !is_number {
            return None;
        }
        digits.parse().ok()
    };
    let mut numbers: Vec<u32> = Vec::new();
    let mut total = 0;
    for (name, _) in names.iter().zip(counted).filter(|(_, counted)| **counted) {
        total += 1;
        numbers.extend(number(name));
    }
    let found = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    if total < 10 || found * 10 < total * 8 || numbers.len() < found {
        return;
    }
    for (name, tokens) in names.iter().zip(own) {
        if number(name).is_some() && tokens.len() > 1 {
            tokens.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> (Option<NameSide>, String) {
        let key = key_of(name);
        (key.side, key.word)
    }

    #[test]
    fn spellings_of_one_joint_are_equal() {
        use NameSide::{Left, Right};
        for (side, word, names) in [
            (
                Left,
                "forearm",
                &[
                    "mixamorig:LeftForeArm",
                    "forearm.L",
                    "l_forearm",
                    "lForeArm",
                    "Rig|LFT-fore arm",
                ][..],
            ),
            (
                Right,
                "upleg",
                &["RightUpLeg", "up_leg.r", "UpLeg_R", "rgtUpLeg"],
            ),
            (
                Left,
                "hand",
                &["Lefthand", "lhand", "hand_l", "左hand", "hand.hidari"],
            ),
            (Right, "collar", &["rcollar", "rCollar", "collar.R"]),
            (Right, "ひざ", &["右ひざ"]),
            (Left, "足ik", &["左足ＩＫ"]),
            (Left, "handthumb1", &["LeftHandThumb1"]),
            (Right, "findex.01", &["f_index.01.R"]),
        ] {
            for name in names {
                assert_eq!(key(name), (Some(side), word.replace('.', "")), "{name}");
            }
        }
    }

    #[test]
    fn sides_are_whole_tokens_only() {
        for name in [
            "Clavicle",
            "lower_back",
            "Root",
            "torso",
            "Belly",
            "rhandle",
            "lear",
            "Rleft2",
            "R_L_twist",
        ] {
            assert_eq!(key_of(name).side, None, "{name}");
        }
        assert_eq!(key("LHipJoint"), (Some(NameSide::Left), "hipjoint".into()));
        assert_eq!(key("REye"), (Some(NameSide::Right), "eye".into()));
    }

    #[test]
    fn numbers_stay_as_written() {
        assert_eq!(key("finger1-2.L").1, "finger1.2");
        assert_eq!(key("spine_01").1, "spine01");
        assert_eq!(key("Bip01 L Finger01").1, "bip01finger01");
        assert_eq!(key("左親指０").1, "親指0");
    }

    #[test]
    fn shared_prefixes_and_suffixes_go() {
        let names = [
            "Bip001 Pelvis",
            "Bip001 Spine",
            "Bip001 Head",
            "Bip001 L Thigh",
            "Bip001 R Thigh",
            "Bip001",
        ];
        let rig = RigNames::new(&names, &[true; 6]);
        assert_eq!(rig.own[3], ["l", "thigh"]);
        assert_eq!(rig.own[5], ["bip", "001"]);
        let names = [
            "HipsBone",
            "SpineBone",
            "HeadBone",
            "LeftFootBone",
            "RightFootBone",
        ];
        let rig = RigNames::new(&names, &[true; 5]);
        assert_eq!(rig.own[0], ["hips"]);
    }

    #[test]
    fn known_prefixes_go_even_from_one_name() {
        let rig = RigNames::new(&["mixamorigLeftUpLeg", "Hat", "Bip01"], &[true; 3]);
        assert_eq!(rig.own[0], ["left", "up", "leg"]);
        assert_eq!(rig.own[2], ["bip", "01"]);
    }

    #[test]
    fn running_numbers_go() {
        let names: Vec<String> = (0..12)
            .map(|i| format!("b_Spine{}_{:02}", i % 3, i))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rig = RigNames::new(&names, &[true; 12]);
        assert_eq!(rig.own[4], ["spine", "1"]);
    }
}
