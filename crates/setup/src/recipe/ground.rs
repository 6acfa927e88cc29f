//! How much bodies are kept on the floor, and arms out of them, as a person types it.

use super::typed::wrong;
use crate::error::Error;
use serde::Deserialize;
use std::fmt::Write as _;

/// `true`, `false`, or how much.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "ground and own_body are true, false, or a number from 0 to 1"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Weight"))]
pub(super) enum TypedWeight {
    /// Wholly or not at all.
    Switch(bool),
    /// In part.
    Weight(#[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))] f64),
}

/// `ground = 0.5`, or a switch; the same of `own_body`.
pub(super) fn weight(typed: Option<TypedWeight>, name: &str) -> Result<Option<f64>, Error> {
    match typed {
        None => Ok(None),
        Some(TypedWeight::Switch(is_on)) => Ok(Some(if is_on { 1.0 } else { 0.0 })),
        Some(TypedWeight::Weight(weight)) if (0.0..=1.0).contains(&weight) => Ok(Some(weight)),
        Some(TypedWeight::Weight(weight)) => Err(wrong(
            format!("{weight} is no weight"),
            name,
            "give true, false, or a number from 0 to 1",
        )),
    }
}

/// The choice as text; nothing where it is the preset's.
pub(super) fn weight_text(text: &mut String, name: &str, weight: Option<f64>) {
    if let Some(weight) = weight {
        let _ = writeln!(text, "{name} = {weight:?}");
    }
}

#[cfg(test)]
mod tests {
    use crate::recipe::Recipe;

    #[test]
    fn weights_switches_and_what_is_neither() {
        let weight = |text: &str| Recipe::parse(text).unwrap().ground().map(|is| is.weight);
        assert_eq!(weight(""), Some(1.0));
        assert_eq!(weight("preset = \"mixamo\""), None);
        assert_eq!(weight("preset = \"match-source\""), None);
        assert_eq!(weight("method = \"channels\""), None);
        assert_eq!(weight("preset = \"humanik\"\nground = true"), Some(1.0));
        assert_eq!(weight("ground = 0.25"), Some(0.25));
        assert_eq!(weight("ground = false"), None);
        assert_eq!(weight("feet = false"), Some(1.0));
        let own_body = |text: &str| Recipe::parse(text).unwrap().own_body();
        assert_eq!(own_body(""), 1.0);
        assert_eq!(own_body("preset = \"mixamo\""), 0.0);
        assert_eq!(own_body("own_body = false"), 0.0);
        assert_eq!(own_body("own_body = 0.5"), 0.5);
        assert_eq!(own_body("preset = \"humanik\"\nown_body = true"), 1.0);
        assert_eq!(own_body("method = \"channels\"\nown_body = true"), 0.0);
        assert!(Recipe::parse("own_body = -1.0").is_err());
        for text in ["ground = 2.0", "ground = nan", "ground = \"a\""] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains("ground"), "{text}: {error}");
        }
    }
}
