//! Two rigs and a recipe, compiled.

use crate::alignments::{alignment, source_side};
use crate::contact_edits;
use crate::error::Error;
use crate::overrides::with_overrides;
use crate::rig::Rig;
use rebone_model::{Action, Clip, Remedy, Warning};
use rebone_runtime::Plan;
use rebone_runtime::stage::Mirror;
use rebone_runtime::stage::StageOp;
use rebone_setup::align::{Aligned, PoseChoice};
use rebone_setup::by_hand::{HandLinks, hand_links, name_links};
use rebone_setup::compile::{CompileOptions, Compiled, Mapped, compile};
use rebone_setup::limits::limits;
use rebone_setup::mapping::RigMap;
use rebone_setup::profile::{Part, Side};
use rebone_setup::recipe::{Recipe, calibrations};

/// The mirror of a plan that is switched on.
pub(crate) fn mirror_in(plan: &Plan) -> Option<&Mirror> {
    let mut stages = plan.stages.iter().filter(|stage| stage.weight > 0.0);
    stages.find_map(|stage| match &stage.op {
        StageOp::Mirror(mirror) => Some(mirror),
        _ => None,
    })
}

/// A compiled pair.
pub(crate) struct Pair {
    pub(crate) compiled: Compiled,
    /// The target's map with the recipe's joints.
    pub(crate) target_map: RigMap,
    pub(crate) warnings: Vec<Warning>,
}

/// Maps and aligns as the recipe wants, and compiles.
pub(crate) fn compile_pair(
    source: &Rig,
    target: &Rig,
    clips: &[&Clip],
    recipe: &Recipe,
) -> Result<Pair, Error> {
    check_given("source", source, recipe.source.pose)?;
    check_given("target", target, recipe.target.pose)?;
    let target_map = with_overrides(target, &recipe.target)?;
    let target_alignment = alignment(target, &target_map, None, &recipe.target, recipe);
    let aligned_target = Aligned {
        character: &target.character,
        map: &target_map,
        alignment: &target_alignment,
    };
    let from = source_side(source, Some(clips), &aligned_target, target, recipe)?;
    let needs_pose = from.same_rig.is_none() && recipe.source.pose.is_none();
    if needs_pose && from.alignment.is_guessed {
        return Err(nobody_stands(&source.character.name));
    }
    let (source_turns, mut unused) = calibrations(&from.map, &recipe.source.calibration)?;
    let (target_turns, more) = calibrations(&target_map, &recipe.target.calibration)?;
    unused.extend(more);
    let (limits, more) = limits(&target_map, recipe.limits.choice, &recipe.limits.slots)?;
    unused.extend(more);
    let by_hand = links_by_hand(source, target, recipe)?;
    let compiled = compile(
        &Mapped {
            character: &source.character,
            map: &from.map,
            meters_per_unit: from.meters_per_unit,
            alignment: &from.alignment,
            calibrations: &source_turns,
        },
        &Mapped {
            character: &target.character,
            map: &target_map,
            meters_per_unit: target.space.meters_per_unit,
            alignment: &target_alignment,
            calibrations: &target_turns,
        },
        clips,
        &CompileOptions {
            recipe: recipe.clone(),
            by_hand: by_hand.clone(),
            limits,
            same_rig: from.same_rig.clone(),
        },
    )?;
    let mut warnings = compiled.warnings.clone();
    warnings.extend(unused);
    warnings.extend(contact_edits::unused(source, &compiled, &recipe.contacts));
    if by_hand.by_name {
        let count = by_hand.pairs.len();
        warnings.push(Warning::new(
            "linked-by-name",
            format!("source and target are bodies of an unknown kind; {count} joints go together because their names are equal"),
            "look at the result; joints of equal names may do different things. Links of a recipe say which joint moves which",
        ));
    }
    Ok(Pair {
        compiled,
        target_map,
        warnings,
    })
}

/// Fails where a recipe starts a side from the pose of another file, and none is there.
fn check_given(side: &str, rig: &Rig, pose: Option<PoseChoice>) -> Result<(), Error> {
    if pose != Some(PoseChoice::Given) || rig.given.is_some() {
        return Ok(());
    }
    Err(Error::request(
        format!("the recipe starts the {side} from the pose of another file, but none is given"),
        Remedy::new(
            "give that file, or choose another pose in the recipe",
            &[Action::GiveRestPose],
        ),
    ))
}

fn nobody_stands(name: &str) -> Error {
    Error::request(
        format!(
            "in no pose and no frame of \"{name}\" does a person stand, so nothing shows how its joints lie"
        ),
        Remedy::new(
            "give another file of the same rig in a T-pose, name the frame that comes nearest to standing, or say which axis is up",
            &[
                Action::GiveRestPose,
                Action::ChooseRestFrame,
                Action::DrawReadings,
            ],
        ),
    )
}

/// The recipe's own links, with the joints that it merges. Without any, joints of equal names if both bodies are of an
/// unknown kind.
///
/// # Errors
///
/// Fails where the recipe names a joint that does not exist, or one twice.
pub fn links_by_hand(source: &Rig, target: &Rig, recipe: &Recipe) -> Result<HandLinks, Error> {
    let (from, to) = (&source.character, &target.character);
    let mut links = hand_links(from, to, &recipe.links)?;
    if !links.moves_joints() {
        let mut pairs = links_by_name(source, target, recipe)?;
        pairs.retain(|pair| !links.left_out.contains(&pair.1));
        links.by_name = !pairs.is_empty();
        links.pairs = pairs;
    }
    Ok(links)
}

/// Pairs of source and target joints that have the same name. Empty unless both bodies are of an unknown kind and share
/// enough names.
fn links_by_name(
    source: &Rig,
    target: &Rig,
    recipe: &Recipe,
) -> Result<Vec<(usize, usize)>, Error> {
    for (rig, side) in [(source, &recipe.source), (target, &recipe.target)] {
        let map = with_overrides(rig, side)?;
        if map.joint_of(Part::Hips, Side::Center).is_some() {
            return Ok(Vec::new());
        }
    }
    Ok(name_links(&source.character, &target.character))
}
