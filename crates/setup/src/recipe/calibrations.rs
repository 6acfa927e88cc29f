//! Calibrations of a recipe, for the slots of a rig.

use crate::align::{Calibration, Calibrations};
use crate::error::Error;
use crate::mapping::{RigMap, unknown_slot};
use rebone_model::Warning;
use std::collections::BTreeMap;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Recipe;

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
}
