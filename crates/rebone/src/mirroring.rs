//! The clips of a character as a mirror shows them.

use crate::error::Error;
use crate::rig::Rig;
use rebone_model::{Clip, Warning};
use rebone_setup::mirror::compat::{CompatMirror, compat_clip, compat_joints, unfit};
use rebone_setup::mirror::{Twins, find_twins, mirror_clip, mirror_for, name_twins};

/// Mirrored clips.
#[derive(Clone, Debug)]
pub struct Mirrored {
    /// In the order asked for, each named as its original with ` mirrored` behind.
    pub clips: Vec<Clip>,
    /// Which joints took whose motion.
    pub twins: Twins,
    /// Doubts about the mirroring; those about the file are in its [`Rig`].
    pub warnings: Vec<Warning>,
}

/// Mirrors clips of a rig (all where no name is given) across the body's plane of symmetry.
///
/// `pairs` names twins by hand: two joints, or one joint twice for one that is its own. The rest is found
/// by slots, names and places. Neither rig nor clips are changed. Fails where a joint or clip does not
/// exist, or where there is no clip.
pub fn mirror(
    rig: &Rig,
    clip_names: &[String],
    pairs: &[(String, String)],
) -> Result<Mirrored, Error> {
    mirror_with(rig, clip_names, pairs, None)
}

/// Like [`mirror()`], by the lesser method of [`compat`](rebone_setup::mirror::compat), with axes that a person states;
/// the warning `mirror-axes-unfit` says how far it is from the exact one.
pub fn mirror_compat(
    rig: &Rig,
    clip_names: &[String],
    choice: &CompatMirror,
) -> Result<Mirrored, Error> {
    let pairs: Vec<(String, String)> = choice.twins.clone().into_iter().collect();
    mirror_with(rig, clip_names, &pairs, Some(choice))
}

fn mirror_with(
    rig: &Rig,
    clip_names: &[String],
    pairs: &[(String, String)],
    compat: Option<&CompatMirror>,
) -> Result<Mirrored, Error> {
    let clips = rig.clips(clip_names)?;
    if clips.is_empty() {
        return Err(Error::request(
            "there is no clip to mirror",
            "give a file with an animation of joints",
        ));
    }
    let character = &rig.character;
    let (mut twins, _) = find_twins(character, &rig.map, &rig.alignment);
    let pairs = pairs.iter();
    let pairs = pairs.map(|(first, second)| (first.as_str(), second.as_str()));
    name_twins(&mut twins, &character.skeleton, pairs, "twins")?;
    let mirror = mirror_for(character, &rig.alignment, &twins);
    let mut warnings: Vec<Warning> = twins.lonely(&character.skeleton).into_iter().collect();
    let joints = compat.map(|choice| compat_joints(choice, character, &rig.map, &twins));
    let joints = joints.transpose()?;
    if let Some(joints) = &joints {
        warnings.extend(unfit(character, &mirror, joints, &clips).1);
    }
    let clips = clips.into_iter().map(|clip| {
        let mut mirrored = match &joints {
            Some(joints) => compat_clip(character, joints, clip),
            None => mirror_clip(character, &mirror, clip),
        };
        mirrored.name.push_str(" mirrored");
        mirrored
    });
    Ok(Mirrored {
        clips: clips.collect(),
        warnings,
        twins,
    })
}
