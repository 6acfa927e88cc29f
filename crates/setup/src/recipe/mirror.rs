//! Choices about the mirror, as a person types them.

use super::text::{key, quoted};
use super::typed::wrong;
use crate::error::Error;
use crate::mirror::MirrorChoice;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// `mirror = true`, or a word.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum TypedMirror {
    Is(bool),
    Word(String),
}

impl TypedMirror {
    pub(super) fn compile(self) -> Result<MirrorChoice, Error> {
        let word = match self {
            Self::Is(true) => return Ok(MirrorChoice::On),
            Self::Is(false) => return Ok(MirrorChoice::Off),
            Self::Word(word) => word,
        };
        MirrorChoice::parse(&word).ok_or_else(|| {
            wrong(
                format!("there is no mirror \"{word}\""),
                "mirror",
                "use true, false or \"ready\" (off, but can be switched on at run time)",
            )
        })
    }
}

/// The mirror as text; nothing where it is off.
pub(super) fn mirror_text(text: &mut String, choice: MirrorChoice) {
    let _ = match choice {
        MirrorChoice::Off => Ok(()),
        MirrorChoice::On => writeln!(text, "mirror = true"),
        MirrorChoice::Ready => writeln!(text, "mirror = \"ready\""),
    };
}

/// The twins as text; nothing where nobody named any.
pub(super) fn twins_text(text: &mut String, twins: &BTreeMap<String, String>) {
    if twins.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n[target.twins]");
    for (first, second) in twins {
        let _ = writeln!(text, "{} = {}", key(first), quoted(second));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Recipe;
    use super::*;

    #[test]
    fn the_mirror_survives_being_written_and_read() {
        let character = rebone_model::Character::default();
        let map = crate::mapping::map_character(&character);
        for (typed, choice) in [
            ("true", MirrorChoice::On),
            ("\"on\"", MirrorChoice::On),
            ("false", MirrorChoice::Off),
            ("\"ready\"", MirrorChoice::Ready),
        ] {
            let text = format!(
                "mirror = {typed}\n[target.twins]\n\"a \\\"b\\\"\" = \"Tail\"\nPouch = \"\"\n"
            );
            let recipe = Recipe::parse(&text).unwrap();
            assert_eq!(recipe.mirror, choice);
            assert_eq!(recipe.twins["a \"b\""], "Tail");
            let again = recipe.to_text((&character, &map), (&character, &map));
            let again = Recipe::parse(&again).unwrap();
            assert_eq!((again.mirror, again.twins), (recipe.mirror, recipe.twins));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            (
                "mirror = \"maybe\"",
                "there is no mirror \"maybe\" (at mirror)",
            ),
            ("[source.twins]\na = \"b\"", "source.twins"),
        ] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
