//! The retarget pose of one side of a retarget: the rig's own, or another where the recipe wants one.

use crate::error::Error;
use crate::overrides::with_overrides;
use crate::rig::{ALIGNED_CLIPS, Rig, align_options};
use rebone_model::Clip;
use rebone_setup::align::{
    AlignOptions, Aligned, Alignment, Correction, PoseChoice, SameRig, align, same_rig,
};
use rebone_setup::mapping::RigMap;
use rebone_setup::recipe::{Recipe, SideRecipe};
use rebone_setup::transfer::Method;
use std::borrow::Cow;

/// The retarget pose with the recipe's choices.
///
/// `map` is the rig's map with the recipe's joints; `clips` those that are asked for, `None` for all of
/// the rig. They count only where the recipe names a moment: the same pose is found whichever are asked for. Nothing is computed
/// where the rig's own alignment was made from the same.
pub(crate) fn alignment<'a>(
    rig: &'a Rig,
    map: &RigMap,
    clips: Option<&[&Clip]>,
    side: &SideRecipe,
    recipe: &Recipe,
) -> Cow<'a, Alignment> {
    let own: Vec<&Clip> = rig.character.clips.iter().take(ALIGNED_CLIPS).collect();
    let clips = clips.filter(|_| side.pose.is_some()).unwrap_or(&own);
    let is_same = side.slots.is_empty()
        && says_nothing_of_pose(side)
        && recipe.align == Correction::default();
    if is_same {
        return Cow::Borrowed(&rig.alignment);
    }
    Cow::Owned(align(
        &rig.character,
        map,
        clips,
        &options(rig, side, recipe),
    ))
}

/// The source's half of a pair.
pub(crate) struct SourceSide<'a> {
    /// The source's map with the recipe's joints; that of the target where both are one rig.
    pub(crate) map: RigMap,
    /// Its retarget pose.
    pub(crate) alignment: Cow<'a, Alignment>,
    /// Metres a file unit.
    pub(crate) meters_per_unit: f64,
    /// How the joints go together where both files hold one rig, so that the motion is copied.
    pub(crate) same_rig: Option<SameRig>,
}

/// What is known of the source beside a target. If both files hold one rig, and the recipe says nothing else, the source's
/// map and retarget pose are those of the target. `clips` are those that are asked for, `None` for all.
pub(crate) fn source_side<'a>(
    source: &'a Rig,
    clips: Option<&[&Clip]>,
    target: &Aligned<'_>,
    target_rig: &Rig,
    recipe: &Recipe,
) -> Result<SourceSide<'a>, Error> {
    let own: Vec<&Clip> = source.character.clips.iter().take(ALIGNED_CLIPS).collect();
    let given_clips = clips.unwrap_or(&own);
    let same = says_nothing_of_rigs(source, target_rig, recipe)
        .then(|| same_rig(&source.character, given_clips, target.character, target.map))
        .flatten();
    let Some(same) = same else {
        let map = with_overrides(source, &recipe.source)?;
        let alignment = alignment(source, &map, clips, &recipe.source, recipe);
        return Ok(SourceSide {
            map,
            alignment,
            meters_per_unit: source.space.meters_per_unit,
            same_rig: None,
        });
    };
    let map = same.map(target.map, source.character.skeleton.len());
    let alignment = same.alignment(
        &source.character,
        &map,
        given_clips,
        &align_options(&source.stated),
        target,
        target_rig.stated.up,
    );
    Ok(SourceSide {
        map,
        alignment: Cow::Owned(alignment),
        meters_per_unit: target_rig.space.meters_per_unit * same.scale,
        same_rig: Some(same),
    })
}

/// True where the recipe leaves maps, poses and the motion scale to us.
fn says_nothing_of_rigs(source: &Rig, target: &Rig, recipe: &Recipe) -> bool {
    let sides = [(source, &recipe.source), (target, &recipe.target)];
    let is_plain = |(rig, side): (&Rig, &SideRecipe)| {
        says_nothing_of_pose(side) && side.calibration.is_empty() && keeps_map(rig, side)
    };
    sides.into_iter().all(is_plain)
        && source.given.is_none()
        && recipe.method == Method::ModelDelta
        && recipe.align == Correction::default()
        && recipe.root_scale == Recipe::of(recipe.preset()).root_scale
        && recipe.chains().is_none()
        && recipe.links.is_empty()
}

fn says_nothing_of_pose(side: &SideRecipe) -> bool {
    side.pose.is_none() && side.up.is_none() && side.forward.is_none()
}

/// True where the recipe names the joints that were found anyway, as a recipe that we wrote does.
fn keeps_map(rig: &Rig, side: &SideRecipe) -> bool {
    let joints = |map: &RigMap| -> Vec<Vec<usize>> {
        let slots = map.slots.values();
        slots.map(|found| found.joints.clone()).collect()
    };
    side.slots.is_empty()
        || with_overrides(rig, side).is_ok_and(|map| {
            map.slots.keys().eq(rig.map.slots.keys()) && joints(&map) == joints(&rig.map)
        })
}

/// What alignment is told.
fn options(rig: &Rig, side: &SideRecipe, recipe: &Recipe) -> AlignOptions {
    let given = rig.given.is_some().then_some(PoseChoice::Given);
    AlignOptions {
        chosen_up: side.up,
        chosen_forward: side.forward,
        pose: side.pose.or(given),
        given: rig.given.clone(),
        correction: recipe.align,
        ..align_options(&rig.stated)
    }
}
