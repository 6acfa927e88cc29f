//! What can be chosen for a pair of rigs; the same for a retarget and for a file that is compiled.

use super::{CHOICES, MOTION, RIGS};
use crate::advice::worded;
use crate::choices::{Choices, Chosen};
use crate::console;
use crate::failure::Failure;
use crate::session;
use crate::values;
use clap::Args;
use rebone::opening::Opening;
use rebone::setup::align::PoseChoice;
use rebone::setup::limits::{LimitsChoice, LimitsRecipe, learn};
use rebone::setup::mapping::ProfileChoice;
use rebone::setup::pins::Pin;
use rebone::{Recipe, Role};
use std::path::{Path, PathBuf};

/// Skeletons, poses, and all that a recipe says of a plan.
#[derive(Args, Debug)]
pub(crate) struct Pair {
    /// A file of choices and corrections, as `rebone map` writes it; or the map of another tool (Unreal, Unity, ...)
    ///
    /// `rebone map SOURCE TARGET -o RECIPE` writes a recipe. Maps of Unreal, Unity, Godot, HumanIK, Auto-Rig Pro and other tools can be
    /// given as well.
    #[arg(long, value_name = "RECIPE", help_heading = CHOICES)]
    pub(crate) recipe: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// Skeleton of the source, where it holds several
    #[arg(long, value_name = "NAME", help_heading = RIGS)]
    pub(crate) skeleton: Option<String>,
    /// Skeleton of the target, where it holds several
    #[arg(long, value_name = "NAME", help_heading = RIGS)]
    pub(crate) target_skeleton: Option<String>,
    /// Another file of the source's rig, from whose pose the source is compared with the target
    #[arg(long, value_name = "FILE", conflicts_with = "rest_frame", help_heading = RIGS)]
    pub(crate) rest: Option<PathBuf>,
    /// The same for the target
    #[arg(long, value_name = "FILE", conflicts_with = "target_rest_frame", help_heading = RIGS)]
    pub(crate) target_rest: Option<PathBuf>,
    /// Frame of the source's first clip to compare from: a number counted from 0, or seconds as 1.5s
    #[arg(long, value_name = "N", value_parser = values::moment, help_heading = RIGS)]
    pub(crate) rest_frame: Option<PoseChoice>,
    /// The same for the target
    #[arg(long, value_name = "N", value_parser = values::moment, help_heading = RIGS)]
    pub(crate) target_rest_frame: Option<PoseChoice>,
    /// A file with clips of the target's rig: joints turn no further than in them, and 5 degrees more
    #[arg(long, value_name = "FILE", conflicts_with = "limits", help_heading = RIGS)]
    pub(crate) limits_from: Option<PathBuf>,
    /// Pin a hand, a foot, the head, the hips or a joint of no slot: to point(x,y,z) (metres: left, up, forwards),
    /// joint(NAME), source (the source's path) or own (its own path), then any of @FROM..UNTIL (seconds),
    /// offset(x,y,z), scale(x,y,z), blend(in,out), weight(w), as "leftHand=point(0.3,1.2,0.4) @1.5..2.5"; may be
    /// given several times
    #[arg(long, value_name = "END=GOAL", value_parser = Pin::parse, help_heading = MOTION)]
    pub(crate) pin: Vec<Pin>,
}

impl Pair {
    /// Files that are read beside source and target, and so must not be written over.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        let files = [
            self.rest.as_ref(),
            self.target_rest.as_ref(),
            self.limits_from.as_ref(),
        ];
        files.into_iter().flatten()
    }

    /// True where the command line itself names a frame or time: then it must be there, where one of a recipe is a wish.
    pub(crate) fn names_moment(&self) -> bool {
        self.rest_frame.or(self.target_rest_frame).is_some()
    }

    /// The recipe's choices with these on top, and the profile by which both rigs are mapped.
    pub(crate) fn choices(&self) -> Result<(Choices, ProfileChoice), Failure> {
        for typed in self.chosen.0.iter().filter(|typed| typed.goes) {
            console::remark(&format!(
                "hint: the next version knows `{}` as `--set {}` alone",
                typed.as_typed, typed.setting
            ));
        }
        let mut choices = Choices::with_settings(self.recipe.as_deref(), &self.chosen)?;
        let recipe = &mut choices.recipe;
        let profile = values::profile(recipe.profile.as_deref())?;
        for (side, file, moment) in [
            (&mut recipe.source, &self.rest, self.rest_frame),
            (
                &mut recipe.target,
                &self.target_rest,
                self.target_rest_frame,
            ),
        ] {
            let given = file.is_some().then_some(PoseChoice::Given);
            side.pose = given.or(moment).or(side.pose);
        }
        recipe.pins.extend(self.pin.iter().cloned());
        if let Some(path) = &self.limits_from {
            learn_limits(recipe, path, profile)?;
        }
        Ok((choices, profile))
    }
}

/// Limits as clips of a file have them.
fn learn_limits(recipe: &mut Recipe, path: &Path, profile: ProfileChoice) -> Result<(), Failure> {
    let wanted = Opening {
        profile,
        ..Opening::new(Role::Source)
    };
    let loaded = session::load(path, &wanted)?;
    let rig = &loaded.rig;
    let clips: Vec<_> = rig.character.clips.iter().collect();
    let learnt = learn(&rig.character, &rig.map, &rig.alignment, &clips);
    if let Some(doubt) = learnt.warnings.first() {
        return Err(Failure::at(path, &doubt.message, worded(&doubt.remedy)));
    }
    let slots = learnt.table.into_iter();
    recipe.limits = LimitsRecipe {
        choice: LimitsChoice::Learnt,
        slots: slots.map(|(slot, limit)| (slot, limit.into())).collect(),
    };
    Ok(())
}
