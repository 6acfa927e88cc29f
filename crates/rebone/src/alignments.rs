//! The retarget pose of one side of a retarget: the rig's own, or another where the recipe wants one.

use crate::rig::{ALIGNED_CLIPS, Rig, align_options};
use rebone_core::align::{AlignOptions, Alignment, Correction, PoseChoice, align};
use rebone_core::mapping::RigMap;
use rebone_core::recipe::{Recipe, SideRecipe};
use rebone_model::Clip;
use std::borrow::Cow;

/// The retarget pose with the recipe's choices.
///
/// `map` is the rig's map with the recipe's joints; `clips` those that are asked for, `None` for all of
/// the rig. Nothing is computed where the rig's own alignment was made from the same.
pub(crate) fn alignment<'a>(
    rig: &'a Rig,
    map: &RigMap,
    clips: Option<&[&Clip]>,
    side: &SideRecipe,
    recipe: &Recipe,
) -> Cow<'a, Alignment> {
    let own: Vec<&Clip> = rig.character.clips.iter().take(ALIGNED_CLIPS).collect();
    let clips = clips.unwrap_or(&own);
    let is_same = side.slots.is_empty()
        && side.pose.is_none()
        && recipe.preset.correction() == Correction::default()
        && same_clips(clips, &own);
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

/// What alignment is told.
fn options(rig: &Rig, side: &SideRecipe, recipe: &Recipe) -> AlignOptions {
    let given = rig.given.is_some().then_some(PoseChoice::Given);
    AlignOptions {
        pose: side.pose.or(given),
        given: rig.given.clone(),
        correction: recipe.preset.correction(),
        ..align_options(&rig.stated)
    }
}

/// True where both lists hold the same clips of one character in the same order.
fn same_clips(some: &[&Clip], others: &[&Clip]) -> bool {
    let mut pairs = some.iter().zip(others);
    some.len() == others.len() && pairs.all(|(one, other)| std::ptr::eq(*one, *other))
}
