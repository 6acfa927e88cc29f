//! The main job in one call.

use crate::error::Error;
use crate::measuring::Comparison;
use crate::pairing::{Pair, compile_pair};
use crate::result_doubts::doubts_about;
use crate::retargeted_clip::RetargetedClip;
use crate::rig::Rig;
use crate::stillness::{hold_at_rest, stillness};
use rebone_model::{Action, Remedy, Warning};
use rebone_runtime::layers::{absolute_clip, retarget_layer};
use rebone_runtime::{ClipNotes, ClipOptions, apply_clip_noted};
use rebone_setup::compile::Compiled;
use rebone_setup::curve_names::{renamed, unused};
use rebone_setup::mapping::RigMap;
use rebone_setup::recipe::Recipe;

/// A finished retarget.
#[derive(Clone, Debug)]
pub struct Retarget {
    /// The plan, the links and both alignments.
    pub compiled: Compiled,
    /// The target's map with the recipe's joints.
    pub target_map: RigMap,
    /// The clips, in the order asked for.
    pub clips: Vec<RetargetedClip>,
    /// Doubts about this pair; those about each file alone are in its [`Rig`].
    pub warnings: Vec<Warning>,
}

/// Retargets clips of the source (all where no name is given) onto the target.
///
/// Neither rig is changed, but for joints that the recipe names: these go into copies of the maps.
pub fn retarget(
    source: &Rig,
    target: &Rig,
    clip_names: &[String],
    recipe: &Recipe,
) -> Result<Retarget, Error> {
    let clips = source.clips(clip_names)?;
    if clips.is_empty() {
        let compressed = |warning: &&Warning| warning.code == "animation-compressed";
        if let Some(warning) = source.warnings.iter().find(compressed) {
            return Err(Error::request(&warning.message, warning.remedy.clone()));
        }
        return Err(Error::request(
            "the source holds no clip of this skeleton",
            Remedy::new(
                "give a source file with an animation of its joints, or choose another skeleton",
                &[Action::ChooseSkeleton],
            ),
        ));
    }
    let Pair {
        compiled,
        target_map,
        mut warnings,
    } = compile_pair(source, target, &clips, recipe)?;
    let options = ClipOptions {
        rate_hz: recipe.rate_hz,
        ..ClipOptions::default()
    };
    let comparison = Comparison::new((source, target), (&compiled, &target_map), recipe);
    let results: Vec<RetargetedClip> = clips
        .iter()
        .map(|clip| {
            let (mut result, notes) = match recipe.additive {
                None => apply_clip_noted(&compiled.plan, clip, &options)?,
                Some(base) => {
                    let plan = &compiled.plan;
                    let layer = base.layer(clip, &plan.source.rest);
                    let made = retarget_layer(plan, &layer, &options)?;
                    (
                        absolute_clip(&made, &plan.target.rest),
                        ClipNotes::default(),
                    )
                }
            };
            result.curves = renamed(&result.curves, &recipe.curves);
            hold_at_rest(&mut result, clip, &target.character.skeleton);
            // The source is compared with what it became, seen in the mirror again.
            let again = comparison.seen_again(&result);
            let report = comparison.report_noted(clip, again.as_ref().unwrap_or(&result), &notes);
            Ok(RetargetedClip {
                clip: result,
                report,
                notes,
                measured: again,
            })
        })
        .collect::<Result<_, Error>>()
        .map_err(|error| error.naming(&target.character.skeleton))?;
    let unheard = clips
        .iter()
        .map(|clip| unused(&clip.curves, &recipe.curves))
        .reduce(|kept, names| {
            kept.into_iter()
                .filter(|name| names.contains(name))
                .collect()
        });
    for name in unheard.into_iter().flatten() {
        warnings.push(Warning::new(
            "curve-name-unused",
            format!("the recipe names the source's curve \"{name}\", but no clip has it"),
            "correct the name, or delete the line of [curves]",
        ));
    }
    for (clip, made) in clips.iter().zip(&results) {
        warnings.extend(stillness(clip, &made.clip));
    }
    // A layer's poses are not the source's.
    if recipe.additive.is_none() {
        warnings.extend(doubts_about(&results, &compiled.plan, &target_map));
    }
    Ok(Retarget {
        warnings,
        compiled,
        target_map,
        clips: results,
    })
}
