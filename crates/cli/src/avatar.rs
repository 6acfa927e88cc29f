//! Which characters go into which formats.

use crate::failure::Failure;
use crate::summary;
use rebone::saving::{Unfit, unfit};
use rebone::{Format, Rig};
use std::path::Path;

/// Fails where a file of one format cannot become one of another.
pub(crate) fn check_formats(rig: &Rig, from: &Path, to: Format, out: &Path) -> Result<(), Failure> {
    match unfit(rig, to) {
        None => Ok(()),
        Some(Unfit::NoAvatarData) => Err(Failure::at(
            out,
            format_args!(
                "a .vrm needs the avatar data of a VRM file, but {} is {}",
                from.display(),
                rig.format.name().to_uppercase()
            ),
            "name the output *.glb",
        )),
        Some(Unfit::NoHumanoid) => Err(Failure::at(
            from,
            format_args!(
                "a .vrma needs a humanoid, but this is a {}",
                summary::kind(&rig.map)
            ),
            "name the output *.glb",
        )),
        Some(Unfit::NoHips) => Err(Failure::at(
            from,
            "a .vrma needs a humanoid, but no hips were found",
            "name the output *.glb, or see what `rebone map FILE` finds",
        )),
    }
}
