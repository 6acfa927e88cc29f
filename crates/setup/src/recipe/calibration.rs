//! Calibrations as a person types them: `leftUpperArm = { local = [0, 0, 10] }`.

use super::text::slot_key;
use super::typed::wrong;
use crate::align::{Calibration, CalibrationAxes, Calibrations};
use crate::error::Error;
use crate::mapping::{RigMap, unknown_slot};
use rebone_model::Warning;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A turn by degrees about x, y and z: either local or world.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(rename = "Calibration", transform = super::schema::local_or_world)
)]
pub(super) struct TypedCalibration {
    /// About the joint's own axes.
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    local: Option<[f64; 3]>,
    /// About those of the body: x to its left, y up, z forward.
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    world: Option<[f64; 3]>,
    /// Start from the file's own pose of the slot instead of the one that was found. Default: false.
    #[serde(default)]
    replace: bool,
}

impl TypedCalibration {
    pub(super) fn compile(self, place: &str) -> Result<Calibration, Error> {
        let (axes, degrees) = match (self.local, self.world) {
            (Some(degrees), None) => (CalibrationAxes::Local, degrees),
            (None, Some(degrees)) => (CalibrationAxes::World, degrees),
            (Some(_), Some(_)) => {
                return Err(wrong(
                    "a calibration turns about one set of axes",
                    place,
                    "give local or world, not both",
                ));
            }
            (None, None) => {
                return Err(wrong(
                    "a calibration needs angles",
                    place,
                    "give local = [x, y, z] or world = [x, y, z], in degrees",
                ));
            }
        };
        if let Some(angle) = degrees.iter().find(|angle| !angle.is_finite()) {
            return Err(wrong(format!("{angle} is no angle"), place, "give degrees"));
        }
        Ok(Calibration {
            axes,
            degrees,
            replace: self.replace,
        })
    }
}

/// The calibrations of one side for a map, with a warning for each slot that the rig lacks.
///
/// Fails with [`Error::Recipe`] where there is no such slot.
pub fn calibrations(
    map: &RigMap,
    by_name: &BTreeMap<String, Calibration>,
) -> Result<(Calibrations, Vec<Warning>), Error> {
    let (mut result, mut warnings) = (Calibrations::new(), Vec::new());
    for (name, calibration) in by_name {
        let slot = map
            .profile
            .find(name)
            .ok_or_else(|| unknown_slot(map, name))?;
        if map.joint(slot).is_none() {
            warnings.push(Warning::new(
                "calibration-unused",
                format!("the recipe calibrates {name}, but the rig has no joint for it"),
                "give the slot a joint in the recipe, or delete the line",
            ));
        }
        result.insert(slot, *calibration);
    }
    Ok((result, warnings))
}

/// The table as text; as a comment that shows how where there is nothing in it.
pub(super) fn calibration_text(
    text: &mut String,
    side: &str,
    calibrations: &BTreeMap<String, Calibration>,
) {
    if calibrations.is_empty() {
        let _ = writeln!(
            text,
            "\n# [{side}.calibration]  # turns of the retarget pose, degrees about x, y, z; local or world axes"
        );
        let _ = writeln!(text, "# head = {{ local = [0, 0, 10] }}");
        return;
    }
    let _ = writeln!(text, "\n[{side}.calibration]");
    for (slot, calibration) in calibrations {
        let axes = match calibration.axes {
            CalibrationAxes::Local => "local",
            CalibrationAxes::World => "world",
        };
        let [x, y, z] = calibration.degrees;
        let replace = if calibration.replace {
            ", replace = true"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "{} = {{ {axes} = [{x:?}, {y:?}, {z:?}]{replace} }}",
            slot_key(slot)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Recipe;

    #[test]
    fn calibrations_survive_being_written_and_read() {
        let text = "[target.calibration]\nleftUpperArm = { local = [0, 1.5, -10] }\n\
                    head = { world = [1e-3, 0, 3], replace = true }\n";
        let recipe = Recipe::parse(text).unwrap();
        assert_eq!(recipe.target.calibration.len(), 2);
        let mut written = String::new();
        calibration_text(&mut written, "target", &recipe.target.calibration);
        assert_eq!(Recipe::parse(&written).unwrap(), recipe);
        let mut hint = String::new();
        calibration_text(&mut hint, "source", &BTreeMap::new());
        assert_eq!(Recipe::parse(&hint).unwrap(), Recipe::default());
        // What the hint shows is right once the comment signs are gone.
        let used = hint.replace("# [", "[").replace("# head", "head");
        assert_eq!(Recipe::parse(&used).unwrap().source.calibration.len(), 1);
    }

    #[test]
    fn an_unknown_slot_is_an_error_and_a_missing_one_a_warning() {
        let map = crate::mapping::map_character(&rebone_model::Character::default());
        let text = |slot: &str| format!("[target.calibration]\n{slot} = {{ local = [0, 0, 1] }}\n");
        let side = |slot: &str| Recipe::parse(&text(slot)).unwrap().target.calibration;
        let error = calibrations(&map, &side("leftUperArm"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("did you mean \"leftUpperArm\"?"), "{error}");
        let (_, warnings) = calibrations(&map, &side("leftUpperArm")).unwrap();
        assert_eq!(warnings[0].code, "calibration-unused");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, expected) in [
            ("head = { }", "needs angles (at source.calibration.head)"),
            ("head = { local = [0, 0, nan] }", "no angle"),
            (
                "head = { local = [0, 0, 1], world = [0, 0, 1] }",
                "not both",
            ),
            ("head = { local = [0, 0] }", "line 2"),
            ("head = { lokal = [0, 0, 1] }", "lokal"),
        ] {
            let error = Recipe::parse(&format!("[source.calibration]\n{line}\n"));
            let error = error.unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
