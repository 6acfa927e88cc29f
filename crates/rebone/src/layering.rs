//! Layers on clips of a rig, and clips blended.

use crate::error::Error;
use crate::rig::Rig;
use rebone_model::skeleton::FindJointError;
use rebone_model::{Action, Clip, JointKind, JointTracks, Remedy, Skeleton, Transform};
pub use rebone_runtime::layers::LayerBase;
use rebone_runtime::layers::{add_clips, blend_clips};

/// How a layer is put on.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerOptions {
    /// How much it counts: 0 not at all, 1 in full. Default 1.
    pub weight: f32,
    /// What it is told against. Default: the rest pose.
    pub base: LayerBase,
    /// Blends with it instead of adding it. Default false.
    pub blend: bool,
    /// Only these joints, by name, and those below them. Default: all.
    pub below: Vec<String>,
}

impl Default for LayerOptions {
    fn default() -> Self {
        Self {
            weight: 1.0,
            base: LayerBase::Rest,
            blend: false,
            below: Vec::new(),
        }
    }
}

/// The name of the first joint, to tell rigs apart.
fn first_name(skeleton: &Skeleton) -> &str {
    let joints = skeleton.joints();
    let first = joints
        .iter()
        .position(|joint| joint.kind == JointKind::Joint);
    first.map_or("", |joint| skeleton.unique_name(joint))
}

/// Puts `layer`, a clip of `other`, on clips of a rig (all where no name is given); neither is changed. Joints go together by
/// name; those of `other` that the rig lacks are left out.
///
/// Fails where no joint is in both, where a joint of `below` or a clip does not exist, and where the layer's clip has no
/// key.
pub fn put_layer(
    rig: &Rig,
    clip_names: &[String],
    other: &Rig,
    layer: &Clip,
    options: &LayerOptions,
) -> Result<Vec<Clip>, Error> {
    let clips = rig.clips(clip_names)?;
    let [own, theirs] = [rig, other].map(|side| &side.character.skeleton);
    let pairs: Vec<(usize, usize)> = (0..own.len())
        .filter_map(|joint| Some((joint, theirs.find(own.unique_name(joint)).ok()?)))
        .collect();
    if pairs.is_empty() {
        return Err(Error::request(
            format!(
                "no joint is called alike in the base (\"{}\", ...) and in the layer's file (\"{}\", ...)",
                first_name(own),
                first_name(theirs)
            ),
            Remedy::new(
                "give a layer of the same rig, or retarget it onto the base first",
                &[Action::RetargetLayer],
            ),
        ));
    }
    let chosen = chosen(own, &options.below)?;
    let rest_of = |skeleton: &Skeleton| -> Vec<Transform> {
        skeleton.joints().iter().map(|joint| joint.rest).collect()
    };
    let (own_rest, their_rest) = (rest_of(own), rest_of(theirs));
    let told = if options.blend {
        layer.clone()
    } else {
        options.base.layer(layer, &their_rest)
    };
    let mut ours = Clip {
        joints: vec![JointTracks::default(); own.len()],
        ..told.clone()
    };
    for &(joint, from) in &pairs {
        if chosen[joint] {
            ours.joints[joint] = told.joints[from].clone();
        }
    }
    let weights: Vec<f32> = (0..own.len())
        .map(|joint| {
            if chosen[joint] && pairs.iter().any(|pair| pair.0 == joint) {
                options.weight
            } else {
                0.0
            }
        })
        .collect();
    let one = |clip: &&Clip| {
        if options.blend {
            blend_clips(clip, &ours, &own_rest, &weights)
        } else {
            add_clips(clip, &ours, &own_rest, options.weight)
        }
    };
    Ok(clips.iter().map(one).collect::<Result<_, _>>()?)
}

/// The joints that a layer may move.
fn chosen(skeleton: &Skeleton, below: &[String]) -> Result<Vec<bool>, Error> {
    if below.is_empty() {
        return Ok(vec![true; skeleton.len()]);
    }
    let missing = |error: FindJointError| {
        Error::request(
            error.to_string(),
            Remedy::new(
                "write the joint's name as the file has it",
                &[Action::ListJoints],
            ),
        )
    };
    let mut chosen = vec![false; skeleton.len()];
    for name in below {
        chosen[skeleton.find(name).map_err(missing)?] = true;
    }
    for joint in 0..chosen.len() {
        let parent = skeleton.parent(joint);
        chosen[joint] |= parent.is_some_and(|parent| chosen[parent]);
    }
    Ok(chosen)
}
