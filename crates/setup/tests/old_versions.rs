//! Files of earlier versions of Rebone are still read. Each was written by the program of its time, from the
//! sample characters.

use rebone_runtime::asset::read_asset;
use rebone_runtime::{Workspace, apply_pose};
use rebone_setup::recipe::Recipe;

#[test]
fn retarget_files_of_version_1() {
    let asset = read_asset(include_bytes!("old/v1_walk_on_chibi.retarget")).unwrap();
    assert!(asset.plan.stages.is_empty());
    assert!(
        asset
            .source
            .joints
            .iter()
            .any(|name| name == "mixamorig:Hips")
    );
    let mut pose = asset.plan.target.rest_pose();
    let source = asset.plan.source.rest_pose();
    apply_pose(
        &asset.plan,
        &source,
        &mut pose,
        &mut Workspace::new(&asset.plan),
    );
    assert!(
        pose.transforms()
            .iter()
            .all(|joint| joint.rotation.is_normalized())
    );
}

#[test]
fn recipes_of_version_1() {
    let recipe = Recipe::parse(include_str!("old/v1_walk_on_chibi.toml")).unwrap();
    assert_eq!(recipe.source.slots["leftUpperArm"], ["mixamorig:LeftArm"]);
    assert_eq!(recipe.target.slots["chest"], ["J_Bip_C_Chest"]);
}
