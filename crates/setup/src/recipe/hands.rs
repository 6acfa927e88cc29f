//! Choices about hands, as a person types them.

use super::text::quoted;
use super::typed::wrong;
use crate::error::Error;
use crate::hands::{HandsChoice, HandsMode};
use crate::preset::Preset;
use serde::Deserialize;
use std::fmt::Write as _;

/// What a person says about hands; what is left out is as usual.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandsRecipe {
    /// Which hands are brought together; `None` for what the preset says.
    pub mode: Option<HandsMode>,
    /// How much it counts, 0 to 1.
    pub weight: Option<f64>,
    /// Distance of the palms within which it counts in full, as a share of the span of the arms.
    pub near: Option<f64>,
    /// The distance from which on it does not count.
    pub far: Option<f64>,
    /// How much chest and collar bones help to reach, 0 to 1.
    pub assist: Option<f64>,
    /// Joints of the target that are props.
    pub props: Vec<String>,
}

impl HandsRecipe {
    /// What that is, with a preset.
    pub fn choice(&self, preset: Preset) -> HandsChoice {
        let usual = HandsChoice::of(preset);
        let near = self.near.unwrap_or(usual.near);
        HandsChoice {
            mode: self.mode.unwrap_or(usual.mode),
            weight: self.weight.unwrap_or(usual.weight),
            near,
            // As much softness as usual, where only one of the two is said.
            far: self.far.unwrap_or(near * usual.far / usual.near),
            assist: self.assist.unwrap_or(usual.assist),
            props: self.props.clone(),
        }
    }
}

/// `[hands]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Hands"))]
pub(super) struct TypedHands {
    /// Which hands are brought together: off, auto (near each other or near a prop in the source), or always. Default:
    /// auto, but off in the presets humanik and mixamo.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = HandsMode::ALL.map(HandsMode::name))))]
    mode: Option<String>,
    /// How much it counts. Default: 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    weight: Option<f64>,
    /// Distance of the palms within which it counts in full, as a share of the span of the arms. Default: 0.22.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 2.0)))]
    near: Option<f64>,
    /// The distance from which on it does not count. Default: 1.6 times near.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 2.0)))]
    far: Option<f64>,
    /// How much chest and collar bones help to reach. Default: 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    assist: Option<f64>,
    /// Joints of the target that are props, beside those that are called so.
    #[serde(default)]
    props: Vec<String>,
}

impl TypedHands {
    pub(super) fn compile(self) -> Result<HandsRecipe, Error> {
        let mode = |name: String| {
            HandsMode::parse(&name).ok_or_else(|| {
                wrong(
                    format!("there is no mode of hands \"{name}\""),
                    "hands.mode",
                    format!(
                        "use one of {}",
                        HandsMode::ALL.map(HandsMode::name).join(", ")
                    ),
                )
            })
        };
        for (key, value, most) in [
            ("weight", self.weight, 1.0),
            ("near", self.near, 2.0),
            ("far", self.far, 2.0),
            ("assist", self.assist, 1.0),
        ] {
            if let Some(value) = value.filter(|value| !(0.0..=most).contains(value)) {
                return Err(wrong(
                    format!("{key} = {value} is out of bounds"),
                    format!("hands.{key}"),
                    format!("give a number from 0 to {most}"),
                ));
            }
        }
        Ok(HandsRecipe {
            mode: self.mode.map(mode).transpose()?,
            weight: self.weight,
            near: self.near,
            far: self.far,
            assist: self.assist,
            props: self.props,
        })
    }
}

/// The table as text; nothing where nothing was chosen.
pub(super) fn hands_text(text: &mut String, hands: &HandsRecipe) {
    if *hands == HandsRecipe::default() {
        return;
    }
    let _ = writeln!(text, "\n[hands]");
    if let Some(mode) = hands.mode {
        let _ = writeln!(text, "mode = \"{}\"", mode.name());
    }
    for (key, value) in [
        ("weight", hands.weight),
        ("near", hands.near),
        ("far", hands.far),
        ("assist", hands.assist),
    ] {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {value:?}");
        }
    }
    if !hands.props.is_empty() {
        let props: Vec<String> = hands.props.iter().map(|name| quoted(name)).collect();
        let _ = writeln!(text, "props = [{}]", props.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Recipe;

    #[test]
    fn hands_survive_being_written_and_read() {
        for text in [
            "[hands]\nmode = \"always\"\nweight = 0.5\nnear = 0.1\nfar = 0.2\nassist = 0\nprops = [\"a \\\"b\\\"\"]",
            "[hands]\nmode = \"off\"",
            "[hands]\nnear = 0.3",
        ] {
            let recipe = Recipe::parse(text).unwrap();
            let mut written = String::new();
            hands_text(&mut written, &recipe.hands);
            assert_eq!(Recipe::parse(&written).unwrap(), recipe, "{written}");
        }
        let [usual, off] =
            ["", "preset = \"mixamo\""].map(|text| Recipe::parse(text).unwrap().hands());
        assert_eq!(usual, Some(HandsChoice::default()));
        assert_eq!(off, None);
        let wide =
            Recipe::parse("preset = \"humanik\"\n[hands]\nmode = \"auto\"\nnear = 0.36").unwrap();
        assert!((wide.hands().unwrap().far - 0.36 * 0.35 / 0.22).abs() < 1e-12);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("mode = \"both\"", "use one of off, auto, always"),
            ("weight = 2", "hands.weight"),
            ("near = -0.1", "from 0 to 2"),
            ("far = nan", "hands.far"),
        ] {
            let error = Recipe::parse(&format!("[hands]\n{text}"))
                .unwrap_err()
                .to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
