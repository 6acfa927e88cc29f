//! What of a character goes into formats that hold less, or something special.

use crate::failure::Failure;
use crate::summary;
use rebone::core::profile::HUMANOID;
use rebone::model::axes::{Axis, canonical_from_axes, change_axes};
use rebone::model::{Character, JointLabel};
use rebone::{Clip, Format, Rig, Warning};
use std::path::Path;

/// Fails where a file of one format cannot become one of another.
pub(crate) fn check_formats(rig: &Rig, from: &Path, to: Format, out: &Path) -> Result<(), Failure> {
    if to == Format::Vrm && rig.format != Format::Vrm {
        return Err(Failure::at(
            out,
            format_args!(
                "a .vrm needs the avatar data of a VRM file, but {} is {}",
                from.display(),
                rig.format.name().to_uppercase()
            ),
            "name the output *.glb",
        ));
    }
    if to == Format::Vrma && !std::ptr::eq(rig.map.profile, &raw const HUMANOID) {
        return Err(Failure::at(
            from,
            format_args!(
                "a .vrma needs a humanoid, but this is a {}",
                summary::kind(&rig.map)
            ),
            "name the output *.glb",
        ));
    }
    if to == Format::Vrma && rig.map.joint_named("hips").is_none() {
        return Err(Failure::at(
            from,
            "a .vrma needs a humanoid, but no hips were found",
            "name the output *.glb, or see what `rebone map FILE` finds",
        ));
    }
    Ok(())
}

/// The skeleton with clips as the writer wants it for a VRM animation: no mesh, labelled by slots, and
/// facing +Z. The second value tells what a player may show differently.
pub(crate) fn for_vrma(rig: &Rig, clips: &[Clip]) -> (Character, Vec<Warning>) {
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
