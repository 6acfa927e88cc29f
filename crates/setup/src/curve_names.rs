//! Curves that are called otherwise in the target: morph targets, expressions and properties by a map of names.
//!
//! A retarget carries curves over as they are, and who writes a file looks in it for what they name. A map
//! `target name = source name` gives the target's curve the keys of the source's; one source may have several targets.
//! Curves that the map does not name stay as they are.

use rebone_model::curve::{Curve, CurveTarget};
use std::collections::BTreeMap;

/// Target name to source name; an empty source name leaves the target's curve out.
///
/// A name is that of a morph target, an expression or the path of a property. `expression:NAME` and `morph:NAME` say
/// which is meant; without, a source is found as whatever it is, and the target is of the same kind.
pub type CurveNames = BTreeMap<String, String>;

/// Names of the expressions that the VRM 1.0 specification lists (VRMC_vrm, `expressions.preset`).
const PRESETS: [&str; 18] = [
    "happy",
    "angry",
    "sad",
    "relaxed",
    "surprised",
    "aa",
    "ih",
    "ou",
    "ee",
    "oh",
    "blink",
    "blinkLeft",
    "blinkRight",
    "lookUp",
    "lookDown",
    "lookLeft",
    "lookRight",
    "neutral",
];

const EXPRESSION: &str = "expression:";
const MORPH: &str = "morph:";

/// The curves of a clip under the target's names.
pub fn renamed(curves: &[Curve], names: &CurveNames) -> Vec<Curve> {
    let is_source = |curve: &Curve| names.values().any(|name| is_called(curve.target(), name));
    let is_target = |curve: &Curve| names.keys().any(|name| is_called(curve.target(), name));
    let mut result: Vec<Curve> = curves
        .iter()
        .filter(|curve| !is_source(curve) && !is_target(curve))
        .cloned()
        .collect();
    for (to, from) in names.iter().filter(|(_, from)| !from.is_empty()) {
        for curve in curves
            .iter()
            .filter(|curve| is_called(curve.target(), from))
        {
            let target = called(curve.target(), to);
            // Several meshes may have a morph target of one name, which is one expression.
            if !result.iter().any(|other| *other.target() == target) {
                result.push(curve.clone().with_target(target));
            }
        }
    }
    result
}

/// Source names that no curve has.
pub fn unused<'a>(curves: &[Curve], names: &'a CurveNames) -> Vec<&'a str> {
    let is_found = |name: &str| curves.iter().any(|curve| is_called(curve.target(), name));
    let sources = names.values().map(String::as_str);
    sources
        .filter(|name| !name.is_empty() && !is_found(name))
        .collect()
}

fn is_called(target: &CurveTarget, wanted: &str) -> bool {
    match target {
        CurveTarget::Morph { name, .. } => wanted.strip_prefix(MORPH).unwrap_or(wanted) == name,
        CurveTarget::Expression { name, .. } => {
            wanted.strip_prefix(EXPRESSION).unwrap_or(wanted) == name
        }
        CurveTarget::Property { path } => wanted == path,
        CurveTarget::LookAt { .. } => false,
    }
}

/// The target of a name, of the kind of the source where the name says none.
fn called(source: &CurveTarget, wanted: &str) -> CurveTarget {
    let expression = |name: &str| CurveTarget::Expression {
        name: name.to_owned(),
        preset: PRESETS.contains(&name),
    };
    let morph = |name: &str, mesh: &str| CurveTarget::Morph {
        mesh: mesh.to_owned(),
        name: name.to_owned(),
    };
    let mesh = match source {
        CurveTarget::Morph { mesh, .. } => mesh.as_str(),
        _ => "",
    };
    if let Some(name) = wanted.strip_prefix(EXPRESSION) {
        return expression(name);
    }
    if let Some(name) = wanted.strip_prefix(MORPH) {
        return morph(name, mesh);
    }
    match source {
        CurveTarget::Morph { .. } => morph(wanted, mesh),
        CurveTarget::Expression { .. } => expression(wanted),
        _ => CurveTarget::Property {
            path: wanted.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::Interpolation;
    use std::sync::Arc;

    fn curve(target: CurveTarget, value: f32) -> Curve {
        let times: Arc<[f32]> = Arc::from([0.0, 0.5]);
        Curve::new(target, Interpolation::Linear, 1, times, vec![0.0, value]).unwrap()
    }

    fn morph(name: &str) -> CurveTarget {
        CurveTarget::Morph {
            mesh: "Face".to_owned(),
            name: name.to_owned(),
        }
    }

    fn expression(name: &str, preset: bool) -> CurveTarget {
        CurveTarget::Expression {
            name: name.to_owned(),
            preset,
        }
    }

    fn map(rows: &[(&str, &str)]) -> CurveNames {
        let owned = |row: &(&str, &str)| (row.0.to_owned(), row.1.to_owned());
        rows.iter().map(owned).collect()
    }

    /// S1.13: the face moves on under the target's names, keys and values as they were.
    #[test]
    fn a_face_moves_on_under_other_names() {
        let curves = [
            curve(morph("jawOpen"), 0.25),
            curve(morph("eyeBlinkLeft"), 0.5),
            curve(morph("browInnerUp"), 0.75),
        ];
        let names = map(&[
            ("expression:aa", "jawOpen"),
            ("expression:blinkLeft", "eyeBlinkLeft"),
            ("Fcl_EYE_Close_L", "morph:eyeBlinkLeft"),
        ]);
        let made = renamed(&curves, &names);
        assert_eq!(
            made,
            [
                curves[2].clone(),
                curve(morph("Fcl_EYE_Close_L"), 0.5),
                curve(expression("aa", true), 0.25),
                curve(expression("blinkLeft", true), 0.5),
            ]
        );
        assert!(unused(&curves, &names).is_empty());
        assert_eq!(renamed(&curves, &CurveNames::new()), curves);
    }

    #[test]
    fn a_curve_can_be_left_out_exchanged_and_missed() {
        let curves = [curve(morph("a"), 0.1), curve(morph("b"), 0.2)];
        assert_eq!(renamed(&curves, &map(&[("a", "")])), curves[1..]);
        let exchanged = renamed(&curves, &map(&[("a", "b"), ("b", "a")]));
        assert_eq!(exchanged, [curve(morph("a"), 0.2), curve(morph("b"), 0.1)]);
        let names = map(&[("x", "nothing")]);
        assert_eq!(unused(&curves, &names), ["nothing"]);
        assert_eq!(renamed(&curves, &names), curves);
        let gaze = [curve(expression("sad", true), 0.3)];
        let made = renamed(&gaze, &map(&[("Sorrow", "sad")]));
        assert_eq!(made, [curve(expression("Sorrow", false), 0.3)]);
    }
}
