//! From a finished retarget to a file of any format, as every front end does it.

use crate::error::Error;
use crate::output::{Output, write_clips, write_motion};
use crate::rig::Rig;
use rebone_io::Format;
use rebone_model::axes::{Axis, canonical_from_axes, change_axes};
use rebone_model::curve::{Curve, CurveTarget};
use rebone_model::{Character, Clip, JointLabel, Warning};
use rebone_runtime::{ROOT_PLACE_CURVE, ROOT_TURN_CURVE};
use rebone_setup::profile::HUMANOID;

/// Why a character cannot go into a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A VRM needs the avatar data of a VRM file.
    NoAvatarData,
    /// A VRM animation needs a humanoid.
    NoHumanoid,
    /// A VRM animation needs hips.
    NoHips,
}

/// What keeps a character from a format; `None` where nothing does.
pub fn unfit(rig: &Rig, format: Format) -> Option<Unfit> {
    match format {
        Format::Vrm if rig.format != Format::Vrm => Some(Unfit::NoAvatarData),
        Format::Vrma if !std::ptr::eq(rig.map.profile, &raw const HUMANOID) => {
            Some(Unfit::NoHumanoid)
        }
        Format::Vrma if rig.map.joint_named("hips").is_none() => Some(Unfit::NoHips),
        _ => None,
    }
}

/// A rig with clips, in any format. Where the formats are of one family, everything else in the rig's own file is kept to the byte; a BVH
/// takes exactly one clip.
///
/// # Errors
/// Where the format has no place for the character or its clips, and [`Error::Unusable`] where a clip holds a number that no reader
/// would accept.
pub fn write(rig: &Rig, clips: &[Clip], format: Format) -> Result<Output, Error> {
    if let Some(unfit) = unfit(rig, format) {
        let what = match unfit {
            Unfit::NoAvatarData => "a VRM needs the avatar data of a VRM file",
            Unfit::NoHumanoid => "a VRM animation needs a humanoid",
            Unfit::NoHips => "a VRM animation needs a humanoid, but no hips were found",
        };
        return Err(Error::request(what, "write a GLB"));
    }
    if format == Format::Vrma {
        let (character, doubts) = for_vrma(rig, clips);
        let mut output = write_motion(rig, character, format)?;
        output.warnings.extend(doubts);
        return Ok(output);
    }
    write_clips(rig, clips, format)
}

/// The skeleton with clips as the writer wants it for a VRM animation: no mesh, labelled by slots, and
/// facing +Z. The second value tells what a player may show differently.
pub fn for_vrma(rig: &Rig, clips: &[Clip]) -> (Character, Vec<Warning>) {
    let mut character = Character {
        name: rig.character.name.clone(),
        skeleton: rig.character.skeleton.clone(),
        clips: clips.to_vec(),
        label_system: "vrma".to_owned(),
        labels: rig
            .map
            .slots
            .iter()
            .map(|(slot, found)| (rig.map.profile.info(*slot).name, found))
            // VRM animations turn eyes by a look-at, not by joints.
            .filter(|(name, _)| !matches!(*name, "leftEye" | "rightEye"))
            .filter_map(|(name, found)| {
                Some(JointLabel {
                    joint: *found.joints.first()?,
                    label: name.to_owned(),
                })
            })
            .collect(),
        ..Character::default()
    };
    let (up, forward) = (rig.space.up, rig.space.forward);
    if rig.space.unit_is_stated
        && (up, forward) != (Axis::PositiveY, Axis::PositiveZ)
        && let Some(turn) = canonical_from_axes(up.direction(), forward.direction())
    {
        change_axes(&mut character.skeleton, &mut character.clips, turn, 1.0);
    }
    let mut warnings = Vec::new();
    if rig.alignment.rest_kind.name() != "T" {
        warnings.push(Warning::new(
            "vrma-rest-not-t",
            "a VRM animation is relative to a T-pose, but the skeleton's rest pose is none",
            "if a player shows bent limbs, retarget onto a VRM avatar and use its .vrm instead",
        ));
    }
    (character, warnings)
}

/// The path over the ground that root motion took out of clips, taken from their curves so that no writer wonders what it is; one entry
/// a clip.
pub fn take_root_paths(clips: &mut [Clip]) -> Vec<Vec<Curve>> {
    let of_path = |curve: &Curve| match curve.target() {
        CurveTarget::Property { path } => {
            [ROOT_PLACE_CURVE, ROOT_TURN_CURVE].contains(&path.as_str())
        }
        _ => false,
    };
    let one = |clip: &mut Clip| {
        let (path, kept) = clip.curves.drain(..).partition(of_path);
        clip.curves = kept;
        path
    };
    clips.iter_mut().map(one).collect()
}
