//! Pins, as a person types them.

use super::text::quoted;
use super::typed::wrong;
use crate::error::Error;
use crate::pins::{Pin, PinTo};
use serde::Deserialize;
use std::fmt::Write as _;

/// One of `[[pins]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Pin"))]
pub(super) struct TypedPin {
    /// What is pinned: the slot of a hand, of a foot, of the head or of the hips, or a joint of no slot.
    end: String,
    /// What it is pinned to: own (its own path, to be offset and stretched), source (the source's path), point, or joint.
    /// Default: point or joint where one is given, else own.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = PinTo::NAMES)))]
    to: Option<String>,
    /// To the left, up, forwards, metres.
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    point: Option<[f64; 3]>,
    /// Slot or joint of the target.
    joint: Option<String>,
    /// To the left, up, forwards, metres. Default: none.
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    offset: Option<[f64; 3]>,
    /// How the way from the floor below the hips is stretched, to the left, up, forwards. Default: [1, 1, 1].
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    scale: Option<[f64; 3]>,
    /// From when it counts in full, seconds of the clip. Default: from the beginning.
    from: Option<f64>,
    /// Until when. Default: to the end.
    until: Option<f64>,
    /// Seconds that it takes before from. Default: 0.2.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1000.0)))]
    blend_in: Option<f64>,
    /// Seconds that it takes after until. Default: 0.2.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1000.0)))]
    blend_out: Option<f64>,
    /// How much it counts. Default: 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    weight: Option<f64>,
}

impl TypedPin {
    /// With the number of the pin in the list.
    pub(super) fn compile((number, typed): (usize, Self)) -> Result<Pin, Error> {
        let at = |key: &str| format!("pins[{number}].{key}");
        let usual = Pin::default();
        let kind = typed
            .to
            .as_deref()
            .unwrap_or(match (&typed.point, &typed.joint) {
                (Some(_), _) => "point",
                (None, Some(_)) => "joint",
                (None, None) => "own",
            });
        let to = match (kind, typed.point, typed.joint) {
            ("own", None, None) => PinTo::Own,
            ("source", None, None) => PinTo::Source,
            ("point", Some(point), None) => PinTo::Point(point),
            ("joint", None, Some(joint)) => PinTo::Joint(joint),
            (kind, point, joint) => {
                let what = if !PinTo::NAMES.contains(&kind) {
                    format!("nothing can be pinned to \"{kind}\"")
                } else if point.is_some() || joint.is_some() {
                    format!("a pin to \"{kind}\" has another goal beside it")
                } else {
                    format!("a pin to a {kind} needs one")
                };
                return Err(wrong(
                    what,
                    at("to"),
                    "use own, source, point with point = [x, y, z], or joint with joint = \"NAME\"",
                ));
            }
        };
        let pin = Pin {
            end: typed.end,
            to,
            offset: typed.offset.unwrap_or(usual.offset),
            scale: typed.scale.unwrap_or(usual.scale),
            from: typed.from,
            until: typed.until,
            blend_in: typed.blend_in.unwrap_or(usual.blend_in),
            blend_out: typed.blend_out.unwrap_or(usual.blend_out),
            weight: typed.weight.unwrap_or(usual.weight),
        };
        pin.check().map_err(|(key, what)| {
            wrong(
                format!("the pin of \"{}\" cannot be: {what}", pin.end),
                at(key),
                "correct it",
            )
        })?;
        Ok(pin)
    }
}

/// The tables as text; nothing where there are none.
pub(super) fn pins_text(text: &mut String, pins: &[Pin]) {
    let three = |[x, y, z]: [f64; 3]| format!("[{x:?}, {y:?}, {z:?}]");
    for pin in pins {
        let usual = Pin::default();
        let _ = writeln!(
            text,
            "\n[[pins]]\nend = {}\nto = \"{}\"",
            quoted(&pin.end),
            pin.to.name()
        );
        match &pin.to {
            PinTo::Point(point) => drop(writeln!(text, "point = {}", three(*point))),
            PinTo::Joint(joint) => drop(writeln!(text, "joint = {}", quoted(joint))),
            PinTo::Own | PinTo::Source => {}
        }
        for (key, value, usual) in [
            ("offset", pin.offset, usual.offset),
            ("scale", pin.scale, usual.scale),
        ] {
            if value != usual {
                let _ = writeln!(text, "{key} = {}", three(value));
            }
        }
        for (key, value) in [("from", pin.from), ("until", pin.until)] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {value:?}");
            }
        }
        for (key, value, usual) in [
            ("blend_in", pin.blend_in, usual.blend_in),
            ("blend_out", pin.blend_out, usual.blend_out),
            ("weight", pin.weight, usual.weight),
        ] {
            if value != usual {
                let _ = writeln!(text, "{key} = {value:?}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Recipe;

    #[test]
    fn pins_survive_being_written_and_read() {
        let text = "[[pins]]\nend = \"leftHand\"\npoint = [0.3, 1.2, -0.4]\nfrom = 1.5\nuntil = 2.5\nblend_in = 0\n\
                    [[pins]]\nend = \"a \\\"b\\\"\"\njoint = \"c\\nd\"\noffset = [0, 0.1, 0]\nweight = 0.5\nblend_out = 1\n\
                    [[pins]]\nend = \"leftFoot\"\nscale = [1, 1, 1.3]\n\
                    [[pins]]\nend = \"hips\"\nto = \"source\"\n";
        let recipe = Recipe::parse(text).unwrap();
        assert_eq!(recipe.pins.len(), 4);
        assert_eq!(recipe.pins[2].to, PinTo::Own);
        let mut written = String::new();
        pins_text(&mut written, &recipe.pins);
        assert_eq!(Recipe::parse(&written).unwrap(), recipe, "{written}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("end = \"\"", "pins[0].end"),
            (
                "end = \"a\"\nto = \"moon\"",
                "nothing can be pinned to \"moon\"",
            ),
            ("end = \"a\"\nto = \"point\"", "needs one"),
            ("end = \"a\"\nto = \"own\"\njoint = \"b\"", "another goal"),
            (
                "end = \"a\"\npoint = [0, 0, 0]\njoint = \"b\"",
                "another goal",
            ),
            ("end = \"a\"\nweight = 2", "pins[0].weight"),
            ("end = \"a\"\nfrom = 2\nuntil = 1", "before it begins"),
            ("end = \"a\"\nscale = [1, -1, 1]", "pins[0].scale"),
            ("end = \"a\"\npoint = [nan, 0, 0]", "nowhere"),
        ] {
            let error = Recipe::parse(&format!("[[pins]]\n{text}"))
                .unwrap_err()
                .to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
