//! Sides in the names of morph targets and expressions, and where the eyes look.

use rebone_model::{Curve, CurveTarget};

/// Spellings of sides within a name; each stands for a whole token.
const SIDES: [(&str, &str); 8] = [
    ("left", "right"),
    ("Left", "Right"),
    ("LEFT", "RIGHT"),
    ("l", "r"),
    ("L", "R"),
    ("lft", "rgt"),
    ("Lft", "Rgt"),
    ("左", "右"),
];

/// The mirrored curve.
pub(super) fn mirrored(curve: &Curve) -> Curve {
    match curve.target() {
        CurveTarget::Morph { mesh, name } => curve.clone().with_target(CurveTarget::Morph {
            mesh: mesh.clone(),
            name: other_side(name),
        }),
        CurveTarget::Expression { name, preset } => {
            curve.clone().with_target(CurveTarget::Expression {
                name: other_side(name),
                preset: *preset,
            })
        }
        CurveTarget::LookAt { offset_from_head } => mirrored_gaze(curve, *offset_from_head),
        CurveTarget::Property { .. } => curve.clone(),
    }
}

/// A rotation relative to the head, mirrored across the head's plane x = 0.
fn mirrored_gaze(curve: &Curve, offset: [f32; 3]) -> Curve {
    let sign = [1.0, -1.0, -1.0, 1.0];
    let values = curve.values().iter().enumerate();
    let target = CurveTarget::LookAt {
        offset_from_head: [-offset[0], offset[1], offset[2]],
    };
    let made = Curve::new(
        target,
        curve.interpolation(),
        curve.components(),
        std::sync::Arc::clone(curve.shared_times()),
        values
            .map(|(index, value)| value * sign[index % sign.len()])
            .collect(),
    );
    // The counts are those of the curve itself.
    made.unwrap_or_else(|_| curve.clone())
}

/// The same name with its side exchanged; a name that states no side, or both, stays.
pub(super) fn other_side(name: &str) -> String {
    let mut found: Option<(usize, &str, &str)> = None;
    for (left, right) in SIDES {
        for (word, other) in [(left, right), (right, left)] {
            for (at, _) in name.match_indices(word) {
                if !is_token(name, at, word) {
                    continue;
                }
                if found.is_some() {
                    return name.to_owned();
                }
                found = Some((at, word, other));
            }
        }
    }
    match found {
        Some((at, word, other)) => {
            format!("{}{other}{}", &name[..at], &name[at + word.len()..])
        }
        None => name.to_owned(),
    }
}

/// True where a word stands alone: between separators, digits or the humps of camelCase.
fn is_token(name: &str, at: usize, word: &str) -> bool {
    let before = name[..at].chars().next_back();
    let mut behind = name[at + word.len()..].chars();
    let (after, second) = (behind.next(), behind.next());
    let first = word.chars().next();
    let is_lower = |found: Option<char>| found.is_some_and(char::is_lowercase);
    let is_letter = |found: Option<char>| found.is_some_and(char::is_alphabetic);
    if !word.is_ascii() {
        return true;
    }
    let begins = if first.is_some_and(char::is_uppercase) {
        // After a lower-case letter a hump begins; in a run of capitals none does.
        !is_letter(before) || is_lower(before)
    } else {
        !is_letter(before)
    };
    let ends = if word.chars().all(char::is_uppercase) {
        // `LBrow` begins with a side, `LOL` does not.
        !is_letter(after) || (word.len() == 1 && !is_lower(after) && is_lower(second))
    } else {
        !is_lower(after)
    };
    begins && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_exchanged_where_they_are_whole_words() {
        for (name, expected) in [
            ("blinkLeft", "blinkRight"),
            ("lookRight", "lookLeft"),
            ("mouthSmile_L", "mouthSmile_R"),
            ("eyeBlinkLeft", "eyeBlinkRight"),
            ("L_brow_up", "R_brow_up"),
            ("wink_r", "wink_l"),
            ("ウィンク右", "ウィンク左"),
            ("browInnerUp", "browInnerUp"),
            ("LOL", "LOL"),
            ("leftover", "leftover"),
            ("Roll", "Roll"),
            ("left_to_right", "left_to_right"),
        ] {
            assert_eq!(other_side(name), expected, "{name}");
            assert_eq!(other_side(&other_side(name)), name);
        }
    }
}
