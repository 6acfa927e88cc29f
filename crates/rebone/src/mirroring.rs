//! The clips of a character as a mirror shows them.

use crate::error::Error;
use crate::rig::Rig;
use rebone_core::mirror::{Mirror, Twins, find_twins, mirror_clip};
use rebone_model::skeleton::FindJointError;
use rebone_model::{Clip, Warning};

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
    let clips = rig.clips(clip_names)?;
    if clips.is_empty() {
        return Err(Error::request(
            "there is no clip to mirror",
            "give a file with an animation of joints",
        ));
    }
    let character = &rig.character;
    let (mut twins, _) = find_twins(character, &rig.map, &rig.alignment);
    let find = |name: &str| {
        let missing = |error: FindJointError| {
            Error::request(
                error.to_string(),
                "`rebone inspect FILE --joints` lists the joints",
            )
        };
        character.skeleton.find(name).map_err(missing)
    };
    for (first, second) in pairs {
        twins.pair(find(first)?, find(second)?);
    }
    let mirror = Mirror::new(character, &rig.alignment, &twins);
    let clips = clips.into_iter().map(|clip| {
        let mut mirrored = mirror_clip(character, &mirror, clip);
        mirrored.name.push_str(" mirrored");
        mirrored
    });
    Ok(Mirrored {
        clips: clips.collect(),
        warnings: twins.lonely(&character.skeleton).into_iter().collect(),
        twins,
    })
}
