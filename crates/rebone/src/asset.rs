//! `.retarget` files: a compiled pair that runs on any clip of the same source rig.

use crate::error::Error;
use crate::pairing::{Pair, compile_pair};
use crate::rebinding;
use crate::rig::Rig;
use crate::stillness::hold_at_rest;
use glam::{DAffine3, Quat};
use rebone_model::kinematics::model_pose;
use rebone_model::skeleton::Joint;
use rebone_model::{
    Action, Character, Clip, JointKind, JointTracks, NewJoint, Remedy, Skeleton, SkeletonBuilder,
    Warning, axes,
};
use rebone_runtime::asset::{Asset, AssetRig};
use rebone_runtime::{ClipOptions, Plan, apply_clip};
use rebone_setup::rebind::rebind;
use rebone_setup::recipe::Recipe;

/// How much a rig may differ from the one that the asset was compiled for, of its size.
const SAME_RIG: f64 = 0.01;

/// Names in an error, at most.
const SHOWN: usize = 6;

/// Compiles a pair. `clip_names` are consulted for the floor, and for a pose where the source has no other;
/// all of the source where none is named, and none are needed.
pub(crate) fn compile_asset(
    source: &Rig,
    target: &Rig,
    clip_names: &[String],
    recipe: &Recipe,
) -> Result<(Asset, Vec<Warning>), Error> {
    let clips = source.clips(clip_names)?;
    let Pair {
        compiled,
        mut warnings,
        ..
    } = compile_pair(source, target, &clips, recipe)?;
    warnings.extend(not_in_asset(recipe));
    let asset = Asset {
        source: side(source),
        target: side(target),
        plan: compiled.plan,
        rebind: None,
    };
    Ok((asset, warnings))
}

/// Like [`compile_asset`], with the target's skin on the source's skeleton as well ([`rebind()`](crate::rebind())).
///
/// Fails also where a rebind does.
pub(crate) fn compile_rebound_asset(
    source: &Rig,
    target: &Rig,
    clip_names: &[String],
    recipe: &Recipe,
) -> Result<(Asset, Vec<Warning>), Error> {
    rebinding::check(target, recipe)?;
    let clips = source.clips(clip_names)?;
    let Pair {
        compiled,
        mut warnings,
        ..
    } = compile_pair(source, target, &clips, recipe)?;
    let bind = rebind(&compiled);
    warnings.extend(not_in_asset(recipe));
    warnings.extend(rebinding::inexact(target, &compiled, &bind));
    let asset = Asset {
        source: side(source),
        target: side(target),
        plan: compiled.plan,
        rebind: Some(bind.rebind),
    };
    Ok((asset, warnings))
}

/// Runs an asset on clips of a rig (all where no name is given). The result is the target with its clips, in
/// metres and +Y up where the target's own file states no unit.
///
/// Fails where the rig is not the one that the asset was compiled for: joints are missing, it has other
/// proportions, or it stands under other nodes.
///
/// The clips are in the mirror where the plan's [`mirror_stage`](Plan::mirror_stage) has a weight; see [`set_mirror`].
pub fn apply_asset(asset: &Asset, rig: &Rig, clip_names: &[String]) -> Result<Character, Error> {
    let clips = rig.clips(clip_names)?;
    if clips.is_empty() {
        return Err(Error::request(
            "there is no clip to apply it to",
            "give a file with an animation of joints",
        ));
    }
    let found = matching_joints(asset, &rig.character.skeleton)?;
    let (mut skeleton, places) = target_skeleton(asset)?;
    let run = |clip: &&Clip| {
        let source = Clip {
            joints: in_order(&clip.joints, &found),
            ..(*clip).clone()
        };
        let mut made = apply_clip(&asset.plan, &source, &ClipOptions::default())?;
        let mut joints = vec![JointTracks::default(); skeleton.len()];
        for (tracks, &place) in made.joints.drain(..).zip(&places) {
            joints[place] = tracks;
        }
        made.joints = joints;
        hold_at_rest(&mut made, clip, &skeleton);
        Ok(made)
    };
    let mut clips: Vec<Clip> = clips.iter().map(run).collect::<Result<_, Error>>()?;
    let turn = asset.target.canonical_from_file;
    let scale = asset.target.meters_per_unit as f32;
    if scale != 1.0 || turn != Quat::IDENTITY {
        axes::change_axes(&mut skeleton, &mut clips, turn, scale);
    }
    Ok(Character {
        name: asset.target.name.clone(),
        skeleton,
        clips,
        ..Character::default()
    })
}

/// Switches the mirror of an asset on or off.
///
/// Fails where it was compiled without.
pub fn set_mirror(asset: &mut Asset, is_on: bool) -> Result<(), Error> {
    let stage = asset.plan.mirror_stage();
    match stage.and_then(|stage| asset.plan.stages.get_mut(stage)) {
        Some(stage) => {
            stage.weight = f32::from(u8::from(is_on));
            Ok(())
        }
        None if !is_on => Ok(()),
        None => Err(Error::request(
            "the .retarget file was compiled without a mirror",
            Remedy::new(
                "compile it again, ready for the mirror",
                &[Action::PrepareMirror],
            ),
        )),
    }
}

/// What a recipe holds and a plan does not: it is done with clips before and behind.
fn not_in_asset(recipe: &Recipe) -> Option<Warning> {
    let keys = [
        ("additive", recipe.additive.is_some()),
        ("curves", !recipe.curves.is_empty()),
        ("rate_hz", recipe.rate_hz.is_some()),
    ];
    let left_out = keys.into_iter().filter(|(_, is_there)| *is_there);
    let names: Vec<&str> = left_out.map(|(name, _)| name).collect();
    (!names.is_empty()).then(|| {
        Warning::new(
            "not-in-asset",
            format!(
                "the recipe holds what a .retarget file has no place for: {}",
                names.join(", ")
            ),
            Remedy::new(
                "retarget the clips where it matters; the rest of the recipe is in the file",
                &[Action::Retarget],
            ),
        )
    })
}

fn side(rig: &Rig) -> AssetRig {
    let joints = rig.character.skeleton.joints();
    let is_stated = rig.space.unit_is_stated;
    AssetRig {
        name: rig.character.name.clone(),
        joints: joints.iter().map(|joint| joint.name.clone()).collect(),
        kinds: joints.iter().map(|joint| joint.kind).collect(),
        // What a file states has been dealt with by reading it.
        meters_per_unit: if is_stated {
            1.0
        } else {
            rig.space.meters_per_unit
        },
        canonical_from_file: if is_stated {
            Quat::IDENTITY
        } else {
            rig.canonical_from_file().as_quat()
        },
    }
}

/// The target's skeleton, and the place of each of the plan's joints in it.
fn target_skeleton(asset: &Asset) -> Result<(Skeleton, Vec<usize>), Error> {
    let (side, rig) = (&asset.target, &asset.plan.target);
    let mut builder = SkeletonBuilder::new();
    for (joint, (parent, rest)) in rig.parents.iter().zip(&rig.rest).enumerate() {
        let name = side.joints.get(joint).map_or("", String::as_str);
        let kind = side.kinds.get(joint).copied();
        builder.add(NewJoint {
            kind: kind.unwrap_or(JointKind::Joint),
            ..NewJoint::new(name, *parent, *rest)
        });
    }
    builder
        .build()
        .map_err(|error| Error::request(error.to_string(), "compile the .retarget file again"))
}

/// For each joint of the asset's source the joint of the rig with the same name, below the same joints.
fn matching_joints(asset: &Asset, skeleton: &Skeleton) -> Result<Vec<Option<usize>>, Error> {
    let (side, rig) = (&asset.source, &asset.plan.source);
    let mut found: Vec<Option<usize>> = Vec::with_capacity(rig.len());
    for (joint, name) in side.joints.iter().enumerate() {
        let above = rig.parents[joint].and_then(|parent| found[parent]);
        let is_same = |(index, other): &(usize, &Joint)| {
            other.name == *name && other.kind == side.kinds[joint] && !found.contains(&Some(*index))
        };
        let mut named = skeleton.joints().iter().enumerate().filter(is_same);
        let first = named.next();
        let below = std::iter::once(first)
            .flatten()
            .chain(named)
            .find(|(_, other)| other.parent == above);
        found.push(below.or(first).map(|(index, _)| index));
    }
    let used = used_joints(&asset.plan);
    let missing: Vec<&str> = (0..rig.len())
        .filter(|&joint| used[joint] && found[joint].is_none())
        .map(|joint| side.joints[joint].as_str())
        .collect();
    if !missing.is_empty() {
        let shown = missing[..missing.len().min(SHOWN)].join(", ");
        let more = missing.len().saturating_sub(SHOWN);
        let rest = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        return Err(Error::request(
            format!("the rig lacks joints that the .retarget file needs: {shown}{rest}"),
            "give a clip of the rig that it was compiled for, or compile it again",
        ));
    }
    check_proportions(asset, skeleton, &found, &used)?;
    Ok(found)
}

/// Joints of the source that move anything.
fn used_joints(plan: &Plan) -> Vec<bool> {
    let mut used = vec![false; plan.source.len()];
    for operation in &plan.rotations {
        plan.for_each_source(operation, |source| used[source] = true);
    }
    if let Some(travel) = &plan.travel {
        used[travel.source] = true;
    }
    used
}

/// The rests of both rigs must be one in all that moves anything.
fn check_proportions(
    asset: &Asset,
    skeleton: &Skeleton,
    found: &[Option<usize>],
    used: &[bool],
) -> Result<(), Error> {
    let plan = &asset.plan.source;
    let mut own: Vec<DAffine3> = Vec::with_capacity(plan.len());
    for (parent, rest) in plan.parents.iter().zip(&plan.rest) {
        let local = DAffine3::from_scale_rotation_translation(
            rest.scale.as_dvec3(),
            rest.rotation.as_dquat(),
            rest.translation.as_dvec3(),
        );
        own.push(parent.map_or(local, |parent| own[parent] * local));
    }
    let theirs = model_pose(skeleton, &skeleton.rest_pose());
    let pairs: Vec<(usize, usize)> = (0..plan.len())
        .filter(|&joint| used[joint])
        .filter_map(|joint| Some((joint, found[joint]?)))
        .collect();
    let Some(&(root, their_root)) = pairs.first() else {
        return Ok(());
    };
    let place = |joint: usize| own[joint].translation - own[root].translation;
    let their_place = |joint: usize| {
        let way = theirs.position(joint) - theirs.position(their_root);
        way.as_dvec3()
    };
    let size = pairs
        .iter()
        .map(|(joint, _)| place(*joint).length())
        .fold(0.0, f64::max);
    let off = |(joint, other): &&(usize, usize)| {
        place(*joint).distance(their_place(*other)) > SAME_RIG * size
    };
    match pairs.iter().find(off) {
        None => Ok(()),
        Some((joint, _)) => Err(Error::request(
            format!(
                "the rig has other proportions, another rest pose or another unit than the one that the \
                 .retarget file was compiled for, first at \"{}\"",
                asset.source.joints[*joint]
            ),
            "give a clip of that rig, or compile it again",
        )),
    }
}

fn in_order(joints: &[JointTracks], found: &[Option<usize>]) -> Vec<JointTracks> {
    let tracks = |place: &Option<usize>| place.and_then(|place| joints.get(place)).cloned();
    found
        .iter()
        .map(|place| tracks(place).unwrap_or_default())
        .collect()
}
