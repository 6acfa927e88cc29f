//! Figures of finished clips, whoever made them.

use crate::error::Error;
use crate::pairing::{Pair, compile_pair, mirror_in};
use crate::rig::Rig;
use rebone_model::{Clip, Warning};
use rebone_report::{
    Performance, Proportions, Report, ReportOptions, Series, Sides, report, series,
};
use rebone_runtime::ClipNotes;
use rebone_setup::compile::Compiled;
use rebone_setup::limits::limits;
use rebone_setup::mapping::RigMap;
use rebone_setup::mirror::mirror_clip;
use rebone_setup::recipe::Recipe;
use rebone_setup::root::Standing;

/// Two characters whose clips are compared.
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    source: &'a Rig,
    target: &'a Rig,
    compiled: &'a Compiled,
    target_map: &'a RigMap,
    /// What is known of the pair.
    pub options: ReportOptions,
}

impl<'a> Comparison<'a> {
    /// Compares clips of `source` with what became of them on `target`, by the alignments of a compiled pair. `recipe` is the one
    /// that it was compiled with.
    pub fn new(
        source: &'a Rig,
        target: &'a Rig,
        compiled: &'a Compiled,
        target_map: &'a RigMap,
        recipe: &Recipe,
    ) -> Self {
        // Target units a source unit, from metres a metre.
        let source_meters = compiled.source_meters_per_unit;
        let units = source_meters / target.space.meters_per_unit;
        let scale = compiled.root_scales.y * units;
        let lift = recipe.source.place.shift[1] / source_meters;
        let (limits, _) =
            limits(target_map, recipe.limits.choice, &recipe.limits.slots).unwrap_or_default();
        Self {
            source,
            target,
            compiled,
            target_map,
            options: ReportOptions {
                frames: None,
                scale: Some(scale),
                travel: Some(0.5 * (compiled.root_scales.x + compiled.root_scales.z) * units),
                floors: Sides {
                    source: compiled.floors.0,
                    target: compiled.floors.1 + scale * lift,
                },
                is_planted: compiled.plan.plants_feet(),
                copies: compiled.copies,
                contacts: compiled.contacts.in_units((1.0 / source_meters) as f32),
                notes: ClipNotes::default(),
                proportions: Some(Proportions::new(
                    &compiled.source,
                    &compiled.target,
                    compiled.root_scales,
                    units,
                    recipe.feet().map_or(Standing::Rest, |feet| feet.standing),
                )),
                source_meters: Some(source_meters),
                limits: Some(limits),
                only_direction: recipe.additive.is_some(),
            },
        }
    }

    /// The figures of a clip of the source and its result.
    pub fn report(&self, clip: &Clip, made: &Clip) -> Report {
        self.report_noted(clip, made, &ClipNotes::default())
    }

    /// The same, with what was seen while the result was made: goals out of reach, and contacts, which then need not be found
    /// again.
    pub fn report_noted(&self, clip: &Clip, made: &Clip, notes: &ClipNotes) -> Report {
        let (source, target) = self.performances(clip, made);
        report(&source, &target, &self.noted(notes))
    }

    /// What the figures are made of, over time.
    pub fn series(&self, clip: &Clip, made: &Clip) -> Series {
        self.series_noted(clip, made, &ClipNotes::default())
    }

    /// The same, with what was seen while the result was made.
    pub fn series_noted(&self, clip: &Clip, made: &Clip, notes: &ClipNotes) -> Series {
        let (source, target) = self.performances(clip, made);
        series(&source, &target, &self.noted(notes))
    }

    fn noted(&self, notes: &ClipNotes) -> ReportOptions {
        ReportOptions {
            notes: notes.clone(),
            ..self.options.clone()
        }
    }

    /// The target's clip as it would be without the plan's mirror, where it has one: what the source is compared with.
    pub fn seen_again(&self, made: &Clip) -> Option<Clip> {
        let mirror = mirror_in(&self.compiled.plan)?;
        Some(mirror_clip(&self.target.character, mirror, made))
    }

    fn performances<'b>(
        &'b self,
        clip: &'b Clip,
        made: &'b Clip,
    ) -> (Performance<'b>, Performance<'b>) {
        let source = Performance {
            character: &self.source.character,
            map: &self.compiled.source_map,
            alignment: &self.compiled.source,
            clip,
        };
        let target = Performance {
            character: &self.target.character,
            map: self.target_map,
            alignment: &self.compiled.target,
            clip: made,
        };
        (source, target)
    }
}

/// A source and the file with its finished result, made comparable.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Alignments and maps of both.
    pub compiled: Compiled,
    /// The result's map with the recipe's joints.
    pub target_map: RigMap,
    /// Doubts about the pair.
    pub warnings: Vec<Warning>,
}

/// Prepares a source and a finished result for [`Comparison::new`]: maps and aligns both as the recipe says. The result may
/// come from any tool. Fails where the two cannot be retargeted onto each other at all.
pub fn finished(
    source: &Rig,
    result: &Rig,
    clips: &[&Clip],
    recipe: &Recipe,
) -> Result<Finished, Error> {
    let Pair {
        compiled,
        target_map,
        warnings,
    } = compile_pair(source, result, clips, recipe)?;
    Ok(Finished {
        compiled,
        target_map,
        warnings,
    })
}
