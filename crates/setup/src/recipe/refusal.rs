//! What to say of a text that is no recipe.

use super::typed::wrong;
use crate::error::Error;
use rebone_model::skeleton::edit_distance;

/// The error of the TOML reader in our words: where it is, and for a key that does not exist the nearest one that does.
pub(super) fn refusal(text: &str, error: &toml::de::Error) -> Error {
    let line = error.span().map_or(0, |span| {
        let start = span.start.min(text.len());
        text.bytes().take(start).filter(|&b| b == b'\n').count() + 1
    });
    let place = format!("line {line}");
    match unknown_key(error.message()) {
        Some((unknown, remedy)) => wrong(format!("there is no key \"{unknown}\""), place, remedy),
        None => wrong(
            error.message(),
            place,
            "see docs/recipe.md for what a recipe may hold",
        ),
    }
}

/// The key that is not known, and what could be meant. What reads the keys only has words for it: ``unknown field `a`,
/// expected one of `b`, `c` ``.
fn unknown_key(message: &str) -> Option<(&str, String)> {
    let list = message.strip_prefix("unknown field `")?;
    let mut words = list.split('`').step_by(2);
    let unknown = words.next()?;
    let known: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let lower = unknown.to_lowercase();
    // What was shortened is near, however long the rest is.
    let distance = |key: &&str| match key.starts_with(&lower) {
        true => 0,
        false => edit_distance(&lower, key),
    };
    let nearest = known.iter().copied().min_by_key(distance)?;
    let is_near = distance(&nearest) <= unknown.chars().count().div_ceil(2);
    let remedy = if is_near {
        format!("did you mean \"{nearest}\"?")
    } else {
        format!("use some of {}", known.join(", "))
    };
    Some((unknown, remedy))
}

#[cfg(test)]
mod tests {
    use crate::recipe::Recipe;

    #[test]
    fn an_unknown_key_is_told_with_the_nearest_one() {
        for (text, expected) in [
            (
                "\nratehz = 3",
                "there is no key \"ratehz\" (at line 2); did you mean \"rate_hz\"?",
            ),
            ("rate_Hz = 3", "did you mean \"rate_hz\"?"),
            (
                "[target]\nweigths.arms = 1",
                "(at line 2); did you mean \"weights\"?",
            ),
            (
                "[source.place]\nturn = 90",
                "did you mean \"turn_degrees\"?",
            ),
            ("[target.spacing]\nfoo = 90", "use some of arms, legs"),
            (
                "[target.look_at]\nxxxxxxx = 90",
                "use some of point, weight",
            ),
            (
                "root_motion = { moed = \"hips\" }",
                "root motion is a mode, or {",
            ),
            (
                "limits.slots.head = { bent = [0, 1] }",
                "limits are \"none\", or some of",
            ),
            ("links.tail = 3", "a joint's name or a list of names"),
            ("twist = \"much\"", "twist is true, false, or a number"),
            ("source.pose = true", "neither a text nor a number"),
        ] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
