//! The main job: clips of a source, performed by a target.

use crate::asset::{compile_asset, compile_rebound_asset};
use crate::error::Error;
use crate::measuring::Comparison;
use crate::motion::Motion;
use crate::pairing::{Pair, compile_pair};
use crate::result_doubts::doubts_about;
use crate::retargeted_clip::RetargetedClip;
use crate::rig::Rig;
use crate::stillness::{hold_at_rest, stillness};
use rebone_model::{Action, Clip, Remedy, Warning};
use rebone_runtime::asset::Asset;
use rebone_runtime::layers::{absolute_clip, retarget_layer};
use rebone_runtime::{ClipNotes, ClipOptions, Plan, apply_clip_noted};
use rebone_setup::curve_names::{renamed, unused};
use rebone_setup::preset::Preset;
use rebone_setup::recipe::Recipe;

/// Moves clips of a source onto a target: say what is wanted, then [`run`](Self::run) it.
///
/// ```
/// # fn main() -> rebone::Result<()> {
/// # // The published package has no samples.
/// # let [Ok(walk), Ok(hero)] = ["walk.bvh", "brute.glb"].map(|name| std::fs::read(format!("../../data/{name}"))) else {
/// #     return Ok(());
/// # };
/// # let (walk, hero) = (rebone::Rig::from_bytes("walk.bvh", walk)?, rebone::Rig::from_bytes("brute.glb", hero)?);
/// use rebone::{Preset, Retarget};
///
/// let motion = Retarget::new(&walk, &hero).preset(Preset::Mixamo).run()?;
/// assert_eq!(motion.clips.len(), walk.character.clips.len());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Retarget<'s, 't> {
    source: &'s Rig,
    target: &'t Rig,
    clips: Vec<String>,
    recipe: Recipe,
    preset: Option<Preset>,
}

impl<'s, 't> Retarget<'s, 't> {
    /// Everything by default: all clips of the source, and what a recipe without a line says.
    pub fn new(source: &'s Rig, target: &'t Rig) -> Self {
        Self {
            source,
            target,
            clips: Vec::new(),
            recipe: Recipe::default(),
            preset: None,
        }
    }

    /// Only clips of these names; all where there is none.
    #[must_use]
    pub fn clips<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.clips = names.into_iter().map(Into::into).collect();
        self
    }

    /// Everything that a recipe says. It takes the place of what was said before.
    #[must_use]
    pub fn recipe(mut self, recipe: Recipe) -> Self {
        self.recipe = recipe;
        self
    }

    /// A named set of choices, below what the recipe says.
    #[must_use]
    pub fn preset(mut self, preset: Preset) -> Self {
        self.preset = Some(preset);
        self
    }

    /// The recipe on top of the preset that was asked for.
    fn chosen(&self) -> Result<Recipe, Error> {
        Ok(match self.preset {
            Some(preset) => self.recipe.with_preset(preset)?,
            None => self.recipe.clone(),
        })
    }

    /// Compiles the pair for any clip of the source's rig, as it goes into a `.retarget` file, with doubts about the pair. The clips asked for
    /// show where the floor is, and a pose where the source has no other; none are needed.
    ///
    /// # Errors
    /// Where the two have nothing in common, and where the recipe names what is not there.
    pub fn compile(&self) -> Result<(Asset, Vec<Warning>), Error> {
        compile_asset(self.source, self.target, &self.clips, &self.chosen()?)
    }

    /// The same, with the target's skin on the source's skeleton as well ([`rebind()`](crate::rebind())): for programs that play raw keys.
    ///
    /// # Errors
    /// As [`Retarget::compile`], and where a rebind fails.
    pub fn compile_rebound(&self) -> Result<(Asset, Vec<Warning>), Error> {
        compile_rebound_asset(self.source, self.target, &self.clips, &self.chosen()?)
    }

    /// Makes the clips. Neither rig is changed: joints that the recipe names go into copies of the maps.
    ///
    /// # Errors
    /// As [`Retarget::compile`], and where the source has no clip, or none of a name that was asked for.
    pub fn run(&self) -> Result<Motion<'t>, Error> {
        let (source, target, recipe) = (self.source, self.target, &self.chosen()?);
        let clips = source.clips(&self.clips)?;
        if clips.is_empty() {
            return Err(no_clip(source));
        }
        let Pair {
            compiled,
            target_map,
            mut warnings,
        } = compile_pair(source, target, &clips, recipe)?;
        let comparison = Comparison::new(source, target, &compiled, &target_map, recipe);
        let results: Vec<RetargetedClip> = clips
            .iter()
            .map(|clip| {
                let (mut result, notes) = retarget_clip(clip, &compiled.plan, recipe)?;
                result.curves = renamed(&result.curves, &recipe.curves);
                hold_at_rest(&mut result, clip, &target.character.skeleton);
                Ok(RetargetedClip::new(&comparison, clip, result, notes))
            })
            .collect::<Result<_, Error>>()
            .map_err(|error| error.naming(&target.character.skeleton))?;
        warnings.extend(curves_in_no_clip(&clips, recipe));
        for (clip, made) in clips.iter().zip(&results) {
            warnings.extend(stillness(clip, &made.clip));
        }
        // A layer's poses are not the source's.
        if recipe.additive.is_none() {
            warnings.extend(doubts_about(&results, &compiled.plan, &target_map));
        }
        Ok(Motion {
            target,
            warnings,
            compiled,
            target_map,
            clips: results,
        })
    }
}

/// The error for a source without clips.
fn no_clip(source: &Rig) -> Error {
    let compressed = |warning: &&Warning| warning.code == "animation-compressed";
    if let Some(warning) = source.warnings.iter().find(compressed) {
        return Error::request(&warning.message, warning.remedy.clone());
    }
    Error::request(
        "the source holds no clip of this skeleton",
        Remedy::new(
            "give a source file with an animation of its joints, or choose another skeleton",
            &[Action::ChooseSkeleton],
        ),
    )
}

/// Retargets a clip as a whole motion, or as a layer if the recipe is additive.
fn retarget_clip(clip: &Clip, plan: &Plan, recipe: &Recipe) -> Result<(Clip, ClipNotes), Error> {
    let options = ClipOptions {
        rate_hz: recipe.rate_hz,
        ..ClipOptions::default()
    };
    let Some(base) = recipe.additive else {
        return Ok(apply_clip_noted(plan, clip, &options)?);
    };
    let layer = base.layer(clip, &plan.source.rest);
    let made = retarget_layer(plan, &layer, &options)?;
    let whole = absolute_clip(&made, &plan.target.rest);
    Ok((whole, ClipNotes::default()))
}

/// One warning per curve of the source that the recipe names and no clip has.
fn curves_in_no_clip(clips: &[&Clip], recipe: &Recipe) -> Vec<Warning> {
    let unheard = clips
        .iter()
        .map(|clip| unused(&clip.curves, &recipe.curves))
        .reduce(|kept, names| {
            kept.into_iter()
                .filter(|name| names.contains(name))
                .collect()
        });
    let warning = |name: &str| {
        Warning::new(
            "curve-name-unused",
            format!("the recipe names the source's curve \"{name}\", but no clip has it"),
            "correct the name, or delete the line of [curves]",
        )
    };
    unheard.into_iter().flatten().map(warning).collect()
}
