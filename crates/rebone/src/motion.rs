//! A finished retarget.

use crate::error::Error;
use crate::retargeted_clip::RetargetedClip;
use crate::rig::Rig;
use crate::saving::write;
use rebone_io::{Format, Output};
use rebone_model::{Clip, Warning};
use rebone_report::{Verdict, figures, verdict};
use rebone_setup::compile::Compiled;
use rebone_setup::mapping::RigMap;
use std::fmt;

/// Clips of a source as a target performs them: what [`Retarget::run`](crate::Retarget::run) makes.
#[derive(Clone, Debug)]
pub struct Motion<'a> {
    /// The target that performs it.
    pub target: &'a Rig,
    /// The plan, the links and both alignments.
    pub compiled: Compiled,
    /// The target's map with the recipe's joints.
    pub target_map: RigMap,
    /// The clips, in the order asked for.
    pub clips: Vec<RetargetedClip>,
    /// Doubts about this pair; those about each file alone are in its [`Rig`].
    pub warnings: Vec<Warning>,
}

impl Motion<'_> {
    /// The file of the target with these clips, in any format. Within one family of formats all else in the target's file is kept to the
    /// byte. Warnings tell what the format cannot hold.
    ///
    /// # Errors
    /// Where the format has no place for the character or its clips: a BVH holds one clip.
    pub fn write(&self, format: Format) -> Result<Output, Error> {
        let clips: Vec<Clip> = self.clips.iter().map(|made| made.clip.clone()).collect();
        write(self.target, &clips, format)
    }

    /// Writes the target with these clips to a file, whose extension chooses the format. A file that is there is replaced.
    ///
    /// # Errors
    /// As [`Motion::write`]; where no format has that extension, and where the file cannot be written.
    #[cfg(feature = "fs")]
    pub fn save(&self, path: impl AsRef<std::path::Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let format = Format::from_extension(&extension).ok_or_else(|| {
            let what = format!("\".{extension}\" is no format that can be written");
            Error::request(what, "use fbx, glb, gltf, vrm, vrma or bvh").at(path)
        })?;
        let output = self.write(format).map_err(|error| error.at(path))?;
        crate::disk::replace(path, &output.bytes)
            .map_err(|error| crate::disk::cannot_write(path, &error))
    }

    /// How well it went, to be printed: of each clip its verdict, and the figures that are worth a look.
    pub fn report(&self) -> MotionReport<'_> {
        MotionReport { clips: &self.clips }
    }
}

/// How well a retarget went. Prints a line for each clip, and one for each figure that is worth a look.
#[derive(Clone, Copy, Debug)]
pub struct MotionReport<'a> {
    clips: &'a [RetargetedClip],
}

impl MotionReport<'_> {
    /// The worst verdict on any clip.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.clips.iter().map(|made| verdict(&made.report));
        verdicts.max().unwrap_or_default()
    }
}

impl fmt::Display for MotionReport<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, made) in self.clips.iter().enumerate() {
            if number > 0 {
                writeln!(to)?;
            }
            write!(to, "{}: {}", made.clip.name, verdict(&made.report).name())?;
            for figure in figures(&made.report) {
                if figure.verdict == Verdict::Pass {
                    continue;
                }
                let (kind, verdict) = (figure.kind, figure.verdict.name());
                write!(to, "\n  {verdict}: {} {:.3}", kind.title, figure.value)?;
                if !kind.unit.is_empty() {
                    write!(to, " {}", kind.unit)?;
                }
                if let Some(source) = figure.source {
                    write!(to, " (source {source:.3})")?;
                }
            }
        }
        Ok(())
    }
}
