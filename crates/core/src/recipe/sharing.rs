//! What a recipe says about single parts of the transfer: `[chain_modes] spine = "end-exact"`.

use super::Recipe;
use super::text::slot_key;
use super::typed::wrong;
use crate::error::Error;
use crate::transfer::chain::{ChainMode, ChainModes};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Modes of chains from their names.
pub(super) fn chain_modes(typed: BTreeMap<String, String>) -> Result<ChainModes, Error> {
    let compiled = |(chain, mode): (String, String)| match ChainMode::parse(&mode) {
        Some(mode) => Ok((chain, mode)),
        None => Err(wrong(
            format!("there is no way \"{mode}\" of sharing out a chain"),
            format!("chain_modes.{chain}"),
            format!(
                "use one of {}",
                ChainMode::ALL.map(ChainMode::name).join(", ")
            ),
        )),
    };
    typed.into_iter().map(compiled).collect()
}

/// The tables of these choices as text; as comments that show how where there is nothing in them.
pub(super) fn sharing_text(text: &mut String, recipe: &Recipe) {
    if recipe.chain_modes.is_empty() {
        let _ = writeln!(
            text,
            "\n# [chain_modes]  # how joints of unlike number go together, by slot or part"
        );
        let _ = writeln!(text, "# torso = \"end-exact\"");
    } else {
        let _ = writeln!(text, "\n[chain_modes]");
        for (chain, mode) in &recipe.chain_modes {
            let _ = writeln!(text, "{} = \"{}\"", slot_key(chain), mode.name());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(recipe: &Recipe) -> String {
        let mut text = String::new();
        sharing_text(&mut text, recipe);
        text
    }

    #[test]
    fn every_mode_survives_being_written_and_read() {
        for mode in ChainMode::ALL {
            let recipe = Recipe {
                chain_modes: [("spine".to_owned(), mode), ("tail".to_owned(), mode)].into(),
                ..Recipe::default()
            };
            assert_eq!(Recipe::parse(&written(&recipe)).unwrap(), recipe);
        }
        let hints = written(&Recipe::default());
        assert_eq!(Recipe::parse(&hints).unwrap(), Recipe::default());
        let used = hints.replace("# [", "[").replace("# torso", "torso");
        assert_eq!(Recipe::parse(&used).unwrap().chain_modes.len(), 1);
    }

    #[test]
    fn an_unknown_mode_is_an_error() {
        let error = Recipe::parse("[chain_modes]\nspine = \"bendy\"\n").unwrap_err();
        let error = error.to_string();
        assert!(error.contains("(at chain_modes.spine)"), "{error}");
        assert!(error.contains("spread-by-length"), "{error}");
    }
}
