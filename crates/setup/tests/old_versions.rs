//! Files of earlier versions of Rebone: recipes are still read, plans are refused with a word of what to do. Each was written by the
//! program of its time, from the sample characters.

use rebone_runtime::asset::read_asset;
use rebone_setup::recipe::Recipe;

/// Plans are compiled again: nothing was released that wrote older ones.
#[test]
fn retarget_files_of_version_1_say_what_to_do() {
    let error = read_asset(include_bytes!("old/v1_walk_on_chibi.retarget")).unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("has version 1,") && said.contains("compile it again"),
        "{said}"
    );
}

#[test]
fn recipes_of_version_1() {
    let recipe = Recipe::parse(include_str!("old/v1_walk_on_chibi.toml")).unwrap();
    assert_eq!(recipe.source.slots["leftUpperArm"], ["mixamorig:LeftArm"]);
    assert_eq!(recipe.target.slots["chest"], ["J_Bip_C_Chest"]);
}
