//! A target's skin on the source's skeleton, so that the source's own keys drive it.

use crate::error::Error;
use crate::pairing::{Pair, compile_pair};
use crate::rig::Rig;
use glam::Vec3;
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{Action, Affine3A, Character, Clip, Mesh, Remedy, Warning};
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::compile::Compiled;
use rebone_setup::hands::HandsMode;
use rebone_setup::rebind::{
    PlaceKeys, Rebound, RetargetedBind, rebind as retargeted_bind, rebound_character, rebound_clip,
};
use rebone_setup::recipe::Recipe;
use rebone_setup::root::RootScale;
use rebone_setup::transfer::Method;

/// How many frames of a clip, and how many vertices, are compared.
const FRAMES: usize = 30;
const VERTICES: usize = 1_500;

/// Names in a warning, at most.
const SHOWN: usize = 4;

/// Where keys of translation come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RebindPlaces {
    /// From a retarget, wherever it places a joint elsewhere than the source's own keys do. Where the recipe has a root
    /// scale for each axis the hips travel by just that many target metres a source metre.
    #[default]
    Fitted,
    /// From the source, untouched, for the hips and what is above them; the container's scale fits them.
    Raw,
}

/// How far the vertices of a re-based clip are from those of a retarget, parts of the body's height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// Mean over vertices and frames.
    pub mean: f64,
    /// The farthest vertex in any frame.
    pub largest: f64,
}

/// A finished rebind.
#[derive(Clone, Debug)]
pub struct RebindResult {
    /// The new character with the source's clips.
    pub character: Character,
    /// The matrices.
    pub bind: RetargetedBind,
    /// The pair.
    pub compiled: Compiled,
    /// For each clip, how far it is from a retarget; `None` where no vertices were read.
    pub deviations: Vec<Option<Deviation>>,
    /// Doubts about this pair.
    pub warnings: Vec<Warning>,
}

/// Raw rotations of the source reach for nothing: no feet are planted, no hands brought together, and the skin is left where it is.
fn without_corrections(recipe: &Recipe) -> Recipe {
    let mut recipe = recipe.clone();
    recipe.feet.weight = 0.0;
    recipe.hands.mode = HandsMode::Off;
    recipe.ground = 0.0;
    recipe.own_body = 0.0;
    recipe
}

/// Re-bases the target's skin onto the source's skeleton; with clips of the source (all where no name is given).
///
/// Fails where the target has no skin, and for methods other than [`Method::ModelDelta`], whose law is the one
/// that fits into a skin; also where raw keys are asked for with a root scale for each axis.
pub fn rebind(
    source: &Rig,
    target: &Rig,
    clip_names: &[String],
    recipe: &Recipe,
    places: RebindPlaces,
) -> Result<RebindResult, Error> {
    let clips = source.clips(clip_names)?;
    check(target, recipe)?;
    let keys = place_keys(source, target, recipe, places)?;
    let Pair {
        compiled,
        mut warnings,
        ..
    } = compile_pair(source, target, &clips, &without_corrections(recipe))?;
    let bind = retargeted_bind(&compiled);
    let own = &source.character.skeleton;
    let mut rebound = rebound_character(own, &target.character, &bind).map_err(|error| {
        Error::request(
            format!("the skin cannot be re-based: {error}"),
            "apply scales in the tool that the files come from, and export them again",
        )
    })?;
    let made: Vec<Clip> = clips
        .iter()
        .map(|clip| rebound_clip(own, clip, &compiled, &bind, &rebound, keys))
        .collect::<Result<_, _>>()?;
    let deviations = clips
        .iter()
        .zip(&made)
        .map(|(clip, new)| deviation(target, &compiled, &rebound, clip, new))
        .collect();
    warnings.extend(inexact(target, &compiled, &bind));
    rebound.character.clips = made;
    Ok(RebindResult {
        character: rebound.character,
        bind,
        compiled,
        deviations,
        warnings,
    })
}

fn place_keys(
    source: &Rig,
    target: &Rig,
    recipe: &Recipe,
    places: RebindPlaces,
) -> Result<PlaceKeys, Error> {
    match (places, recipe.root_scale) {
        (RebindPlaces::Fitted, RootScale::Axes(factors)) => {
            let units = source.space.meters_per_unit / target.space.meters_per_unit;
            Ok(PlaceKeys::Scaled(factors.map(|factor| factor * units)))
        }
        (RebindPlaces::Raw, RootScale::Axes(_)) => Err(Error::request(
            "the source's raw keys cannot be scaled by another factor an axis",
            "let the places be fitted, or give one root scale for all axes",
        )),
        (RebindPlaces::Fitted, _) => Ok(PlaceKeys::Fitted),
        (RebindPlaces::Raw, _) => Ok(PlaceKeys::Raw),
    }
}

pub(crate) fn check(target: &Rig, recipe: &Recipe) -> Result<(), Error> {
    if target.character.skins.is_empty() {
        return Err(Error::request(
            format!(
                "the target \"{}\" has no skin, so there is nothing to hang from another skeleton",
                target.character.name
            ),
            Remedy::new(
                "give a skinned character as the target, or retarget the clips",
                &[Action::Retarget],
            ),
        ));
    }
    if recipe.method != Method::ModelDelta {
        return Err(Error::request(
            format!(
                "the method {} changes keys in a way that a skin cannot hold",
                recipe.method.name()
            ),
            Remedy::new(
                "take the method out of the recipe, or retarget the clips",
                &[Action::Retarget],
            ),
        ));
    }
    Ok(())
}

/// What of a retarget the source's raw rotations cannot do.
pub(crate) fn inexact(target: &Rig, compiled: &Compiled, bind: &RetargetedBind) -> Option<Warning> {
    let skeleton = &target.character.skeleton;
    let mut reasons = Vec::new();
    let names = |joints: &[usize]| {
        let shown = joints.iter().take(SHOWN);
        let shown: Vec<&str> = shown.map(|&joint| skeleton.unique_name(joint)).collect();
        match joints.len().saturating_sub(SHOWN) {
            0 => shown.join(", "),
            more => format!("{} and {more} more", shown.join(", ")),
        }
    };
    if !bind.shared_out.is_empty() {
        reasons.push(format!(
            "joints that bend between several joints of the source now follow one each: {}",
            names(&bind.shared_out)
        ));
    }
    if !bind.beside.is_empty() {
        reasons.push(format!(
            "joints that hang from others in the source are placed by keys of the clips alone: {}",
            names(&bind.beside)
        ));
    }
    if !compiled.plan.stages.is_empty() {
        reasons.push("what a retarget does behind the transfer is left out".to_owned());
    }
    (!reasons.is_empty()).then(|| {
        Warning::new(
            "rebind-inexact",
            reasons.join("; "),
            Remedy::new(
                "look at the result; if it is not near enough, retarget the clips",
                &[Action::Retarget],
            ),
        )
    })
}

fn deviation(
    target: &Rig,
    compiled: &Compiled,
    rebound: &Rebound,
    clip: &Clip,
    new: &Clip,
) -> Option<Deviation> {
    let made = apply_clip(&compiled.plan, clip, &ClipOptions::default()).ok()?;
    let (old, new_character) = (&target.character, &rebound.character);
    let times = clip.key_times();
    let every = times.len().div_ceil(FRAMES).max(1);
    let vertices: usize = old.meshes.iter().map(|mesh| mesh.positions.len()).sum();
    let stride = vertices.div_ceil(VERTICES).max(1);
    let (mut sum, mut count, mut largest) = (0.0, 0usize, 0.0f64);
    for &time in times.iter().step_by(every) {
        let (before, after) = (
            matrices(old, &made, time),
            matrices(new_character, new, time),
        );
        for (one, two) in old.meshes.iter().zip(&new_character.meshes) {
            let Some(skin) = one.skin.filter(|_| two.skin == one.skin) else {
                continue;
            };
            for vertex in (0..one.positions.len()).step_by(stride) {
                let apart =
                    moved(one, vertex, &before[skin]).distance(moved(two, vertex, &after[skin]));
                sum += f64::from(apart);
                count += 1;
                largest = largest.max(f64::from(apart));
            }
        }
    }
    let height = compiled.target.measures.height.max(1e-9);
    (count > 0).then(|| Deviation {
        mean: sum / count as f64 / height,
        largest: largest / height,
    })
}

/// The matrices of each skin's slots at a time.
fn matrices(character: &Character, clip: &Clip, time: f32) -> Vec<Vec<Affine3A>> {
    let skeleton = &character.skeleton;
    let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
    let skins = character.skins.iter().map(|skin| {
        let slots = skin.joints.iter().zip(&skin.inverse_bind);
        slots
            .map(|(&joint, inverse)| pose.model_from_joint(joint) * *inverse)
            .collect()
    });
    skins.collect()
}

fn moved(mesh: &Mesh, vertex: usize, slots: &[Affine3A]) -> Vec3 {
    let (Some(joints), Some(weights)) =
        (mesh.joint_slots.get(vertex), mesh.joint_weights.get(vertex))
    else {
        return Vec3::ZERO;
    };
    let place = mesh.positions[vertex];
    let parts = joints.iter().zip(weights).filter_map(|(&slot, &weight)| {
        let matrix = slots.get(usize::from(slot))?;
        Some(matrix.transform_point3(place) * weight)
    });
    parts.sum()
}
