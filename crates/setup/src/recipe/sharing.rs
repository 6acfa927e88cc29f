//! What a recipe says about single parts of the transfer: `[chain_modes] spine = "end-exact"`.

use super::Recipe;
use super::text::{key, slot_key};
use super::typed::wrong;
use crate::compile::{SlideMode, SlideModes, TwistChoice};
use crate::error::Error;
use crate::transfer::chain::{ChainMode, ChainModes};
use serde::Deserialize;
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

/// Modes of sliding joints from their names.
pub(super) fn translations(typed: BTreeMap<String, String>) -> Result<SlideModes, Error> {
    let compiled = |(joint, mode): (String, String)| match SlideMode::parse(&mode) {
        Some(mode) => Ok((joint, mode)),
        None => Err(wrong(
            format!("there is no way \"{mode}\" of sliding"),
            format!("translations.{joint}"),
            format!(
                "use one of {}",
                SlideMode::ALL.map(SlideMode::name).join(", ")
            ),
        )),
    };
    typed.into_iter().map(compiled).collect()
}

/// `true`, `false`, or how much.
#[derive(Deserialize)]
#[serde(untagged, expecting = "twist is true, false, or a number from 0 to 1")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SwitchOrWeight"))]
pub(super) enum SwitchOrWeight {
    /// Wholly or not at all.
    Switch(bool),
    /// In part.
    Weight(#[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))] f64),
}

/// `twist = 0.5` and `[twist_shares]`.
pub(super) fn twist(
    weight: Option<SwitchOrWeight>,
    shares: BTreeMap<String, f64>,
) -> Result<TwistChoice, Error> {
    let unit = |value: f64, place: String| {
        if (0.0..=1.0).contains(&value) {
            Ok(value as f32)
        } else {
            Err(wrong(
                format!("{value} is no share"),
                place,
                "give a number from 0 to 1",
            ))
        }
    };
    let weight = match weight {
        None | Some(SwitchOrWeight::Switch(true)) => 1.0,
        Some(SwitchOrWeight::Switch(false)) => 0.0,
        Some(SwitchOrWeight::Weight(weight)) => unit(weight, "twist".to_owned())?,
    };
    let shares = shares.into_iter().map(|(joint, share)| {
        let place = format!("twist_shares.{joint}");
        Ok((joint, unit(share, place)?))
    });
    Ok(TwistChoice {
        weight,
        shares: shares.collect::<Result<_, Error>>()?,
    })
}

/// The lines of these choices that stand above all tables.
pub(super) fn switches_text(text: &mut String, recipe: &Recipe) {
    if recipe.twist.weight <= 0.0 {
        let _ = writeln!(text, "twist = false");
    } else if recipe.twist.weight < 1.0 {
        let _ = writeln!(text, "twist = {:?}", recipe.twist.weight);
    }
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
    if !recipe.translations.is_empty() {
        let _ = writeln!(
            text,
            "\n[translations]  # of joints that slide, by slot, part or joint"
        );
        for (joint, mode) in &recipe.translations {
            let _ = writeln!(text, "{} = \"{}\"", key(joint), mode.name());
        }
    }
    if !recipe.curves.is_empty() {
        let _ = writeln!(text, "\n[curves]  # target name = source name");
        for (to, from) in &recipe.curves {
            let _ = writeln!(text, "{} = {}", key(to), key(from));
        }
    }
    if !recipe.twist.shares.is_empty() {
        let _ = writeln!(
            text,
            "\n[twist_shares]  # of a limb's roll, by joint of the target"
        );
        for (joint, share) in &recipe.twist.shares {
            let _ = writeln!(text, "{} = {share:?}", key(joint));
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
    fn curves_survive_being_written_and_read() {
        let names = [
            ("expression:aa", "jawOpen"),
            ("a \"b\"\n", "\\"),
            ("gone", ""),
        ];
        let recipe = Recipe {
            curves: names
                .map(|(to, from)| (to.to_owned(), from.to_owned()))
                .into(),
            ..Recipe::default()
        };
        assert_eq!(Recipe::parse(&written(&recipe)).unwrap(), recipe);
    }

    #[test]
    fn translations_survive_being_written_and_read() {
        let modes = SlideMode::ALL.map(|mode| (format!("joint {}", mode.name()), mode));
        let recipe = Recipe {
            translations: modes.into(),
            ..Recipe::default()
        };
        assert_eq!(Recipe::parse(&written(&recipe)).unwrap(), recipe);
        let error = Recipe::parse("[translations]\nall = \"far\"\n")
            .unwrap_err()
            .to_string();
        assert!(error.contains("(at translations.all)"), "{error}");
    }

    #[test]
    fn twist_survives_being_written_and_read() {
        for weight in [0.0, 0.25, 1.0] {
            let recipe = Recipe {
                twist: TwistChoice {
                    weight,
                    shares: [("arm \"1\"".to_owned(), 0.3), ("b".to_owned(), 1.0)].into(),
                },
                ..Recipe::default()
            };
            let mut text = String::new();
            switches_text(&mut text, &recipe);
            sharing_text(&mut text, &recipe);
            assert_eq!(Recipe::parse(&text).unwrap(), recipe, "{text}");
        }
        for text in ["twist = 2.0", "twist = nan", "[twist_shares]\na = -1.0"] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains("(at twist"), "{error}");
        }
    }

    #[test]
    fn an_unknown_mode_is_an_error() {
        let error = Recipe::parse("[chain_modes]\nspine = \"bendy\"\n").unwrap_err();
        let error = error.to_string();
        assert!(error.contains("(at chain_modes.spine)"), "{error}");
        assert!(error.contains("spread-by-length"), "{error}");
    }
}
