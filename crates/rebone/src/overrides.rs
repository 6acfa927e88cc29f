//! The joints that a recipe names, on top of a map.

use crate::error::Error;
use crate::rig::Rig;
use rebone_setup::mapping::{RigMap, apply_overrides};
use rebone_setup::recipe::SideRecipe;

/// The rig's map with the recipe's own joints on top.
pub fn with_overrides(rig: &Rig, side: &SideRecipe) -> Result<RigMap, Error> {
    let mut map = rig.map.clone();
    if !side.slots.is_empty() {
        apply_overrides(&mut map, &rig.character, &side.slots)?;
    }
    Ok(map)
}
