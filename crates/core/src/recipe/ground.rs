//! Choices about bodies on the floor, as a person types them.

use super::typed::wrong;
use crate::error::Error;
use serde::Deserialize;
use std::fmt::Write as _;

/// `true`, `false`, or how much.
#[derive(Deserialize)]
#[serde(untagged, expecting = "ground is true, false, or a number from 0 to 1")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Ground"))]
pub(super) enum TypedGround {
    /// Wholly or not at all.
    Switch(bool),
    /// In part.
    Weight(#[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))] f64),
}

/// `ground = 0.5`, or a switch.
pub(super) fn ground(typed: Option<TypedGround>) -> Result<Option<f64>, Error> {
    match typed {
        None => Ok(None),
        Some(TypedGround::Switch(is_on)) => Ok(Some(if is_on { 1.0 } else { 0.0 })),
        Some(TypedGround::Weight(weight)) if (0.0..=1.0).contains(&weight) => Ok(Some(weight)),
        Some(TypedGround::Weight(weight)) => Err(wrong(
            format!("{weight} is no weight"),
            "ground",
            "give true, false, or a number from 0 to 1",
        )),
    }
}

/// The choice as text; nothing where it is the preset's.
pub(super) fn ground_text(text: &mut String, weight: Option<f64>) {
    if let Some(weight) = weight {
        let _ = writeln!(text, "ground = {weight:?}");
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
        for text in ["ground = 2.0", "ground = nan", "ground = \"a\""] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains("ground"), "{text}: {error}");
        }
    }
}
