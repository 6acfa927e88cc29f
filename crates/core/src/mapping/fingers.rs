//! Fingers and face by their words.

use super::draft::{Draft, FINGERS, SIDES};
use super::rig::Rig;
use super::words::{FINGER_WORDS, PALM_WORDS, Said};
use crate::names::NameSide;
use crate::profile::dialect::{finger_parts, sided_name};

const SIDE_NAMES: [NameSide; 2] = [NameSide::Left, NameSide::Right];

/// Fills the fingers of each hand that has none yet: chains of two or more joints below the lower
/// arm whose names say which finger they are.
pub(super) fn find_fingers(rig: &Rig, said: &[Said], draft: &mut Draft) {
    for (side, stated) in SIDES.into_iter().zip(SIDE_NAMES) {
        let taken = FINGERS.iter().any(|finger| {
            let parts = finger_parts(finger);
            parts
                .iter()
                .any(|part| draft.sided(side, &format!("{finger}{part}")).is_some())
        });
        let Some(arm) = draft.sided(side, "LowerArm").filter(|_| !taken) else {
            continue;
        };
        for (finger, words) in FINGERS.into_iter().zip(FINGER_WORDS) {
            let has = |joint: usize, words: &[&str]| {
                rig.tokens[joint]
                    .iter()
                    .any(|token| words.contains(&token.as_str()))
            };
            let mut chain: Vec<usize> = Vec::new();
            for joint in (0..rig.len()).filter(|&joint| rig.skeleton.is_ancestor(arm, joint)) {
                let fits = has(joint, words)
                    && said[joint].side.is_none_or(|side| side == stated)
                    && !said[joint].helper
                    && (finger == "Thumb" || !has(joint, &PALM_WORDS))
                    && !draft.uses(joint);
                let follows = chain
                    .last()
                    .is_none_or(|&last| rig.skeleton.is_ancestor(last, joint));
                if fits && follows && chain.len() < 3 {
                    chain.push(joint);
                }
            }
            if chain.len() < 2 {
                continue;
            }
            for (part, joint) in finger_parts(finger).into_iter().zip(chain) {
                let name = sided_name(side, &format!("{finger}{part}"));
                draft.put(&name, vec![joint], 0.85);
            }
        }
    }
}

/// Fills eyes and jaw where joints below the head are called so.
pub(super) fn find_face(rig: &Rig, said: &[Said], draft: &mut Draft) {
    let Some(head) = draft.first("head") else {
        return;
    };
    let find = |side: Option<NameSide>, words: &[&str]| {
        (0..rig.len()).find(|&joint| {
            let says = &said[joint];
            says.side == side
                && !says.helper
                && words.contains(&says.core.as_str())
                && rig.skeleton.is_ancestor(head, joint)
        })
    };
    let jaw = find(None, &["jaw", "lowerjaw", "jawlower"]);
    let eyes = SIDE_NAMES.map(|side| find(Some(side), &["eye", "eyeball", "faceeye"]));
    if draft.first("jaw").is_none() {
        draft.put("jaw", jaw.into_iter().collect(), 0.85);
    }
    for (side, eye) in SIDES.into_iter().zip(eyes) {
        if draft.sided(side, "Eye").is_none() {
            draft.put(&sided_name(side, "Eye"), eye.into_iter().collect(), 0.85);
        }
    }
}
