//! Joint limits as a person types them: `leftLowerLeg = { bend = [0, 140] }`.

use super::text::slot_key;
use super::typed::wrong;
use crate::error::Error;
use crate::limit_table::{LimitsChoice, SlotLimit, TypedLimit};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How far the target's joints may turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LimitsRecipe {
    /// The table that holds where no slot is named.
    pub choice: LimitsChoice,
    /// Slots by name; what they do not say is as in the table.
    pub slots: BTreeMap<String, SlotLimit>,
}

/// How far joints turn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Limits"))]
pub(super) struct TypedLimits {
    /// The table that holds where no slot is named. Default: none.
    #[serde(rename = "use")]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = LimitsChoice::ALL.map(LimitsChoice::name))))]
    choice: Option<String>,
    /// Slots by name: "none", or ranges in degrees; what they do not say is as in the table.
    #[serde(default)]
    slots: BTreeMap<String, TypedLimit>,
}

impl TypedLimits {
    pub(super) fn compile(self) -> Result<LimitsRecipe, Error> {
        let choice = match self.choice.as_deref() {
            None => LimitsChoice::None,
            Some(name) => LimitsChoice::parse(name).ok_or_else(|| {
                let names = LimitsChoice::ALL.map(LimitsChoice::name).join(", ");
                wrong(
                    format!("there is no table \"{name}\" of limits"),
                    "limits.use",
                    format!("use one of {names}"),
                )
            })?,
        };
        let slots = self.slots.into_iter().map(|(slot, typed)| {
            let compiled = typed.compile(&format!("limits.slots.{slot}"))?;
            Ok((slot, compiled))
        });
        Ok(LimitsRecipe {
            choice,
            slots: slots.collect::<Result<_, Error>>()?,
        })
    }
}

/// The table as text; nothing where nothing is limited.
pub(super) fn limits_text(text: &mut String, limits: &LimitsRecipe) {
    if *limits == LimitsRecipe::default() {
        return;
    }
    let _ = writeln!(
        text,
        "\n[limits]  # how far joints turn, degrees: none, human, profile or learnt"
    );
    let _ = writeln!(text, "use = \"{}\"", limits.choice.name());
    if limits.slots.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n[limits.slots]");
    for (slot, limit) in &limits.slots {
        let _ = writeln!(text, "{} = {}", slot_key(slot), value_text(limit));
    }
}

fn value_text(limit: &SlotLimit) -> String {
    if limit.free {
        return "\"none\"".to_owned();
    }
    let mut parts = Vec::new();
    if let Some(hinge) = limit.hinge {
        parts.push(format!("hinge = {hinge}"));
    }
    for (name, range) in [
        ("from", limit.from),
        ("bend", limit.bend),
        ("side", limit.side),
        ("twist", limit.twist),
    ] {
        if let Some([least, most]) = range {
            parts.push(format!("{name} = [{least:?}, {most:?}]"));
        }
    }
    if let Some(soft) = limit.soft {
        parts.push(format!("soft = {soft:?}"));
    }
    format!("{{ {} }}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Recipe;

    #[test]
    fn limits_survive_being_written_and_read() {
        let text = "[limits]\nuse = \"human\"\n[limits.slots]\n\
                    leftLowerLeg = { hinge = true, bend = [0, 140.5], soft = 0 }\n\
                    head = { from = [1, 2], side = [-1e-3, 3], twist = [-180, 180] }\nneck = \"none\"\n";
        let recipe = Recipe::parse(text).unwrap();
        assert_eq!(recipe.limits.choice, LimitsChoice::Human);
        assert_eq!(recipe.limits.slots.len(), 3);
        let mut written = String::new();
        limits_text(&mut written, &recipe.limits);
        assert_eq!(Recipe::parse(&written).unwrap(), recipe);
        let mut nothing = String::new();
        limits_text(&mut nothing, &LimitsRecipe::default());
        assert_eq!(nothing, "");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("use = \"tight\"", "use one of none, human"),
            ("slots.head = { bend = [3, 1] }", "limits.slots.head"),
            ("slots.head = { bend = [nan, 1] }", "no range"),
            ("slots.head = { twist = [-200, 1] }", "no range"),
            ("slots.head = { soft = -1 }", "no width"),
            ("slots.head = \"few\"", "no limits \"few\""),
            ("slots.head = { from = [200, 0] }", "no direction"),
        ] {
            let error = Recipe::parse(&format!("[limits]\n{text}\n")).unwrap_err();
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
    }
}
