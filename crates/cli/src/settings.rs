//! From arguments to settings: what can be wrong in what was typed is found out here, before any work.

use crate::arguments::{self, CameraMotion, Style, View};
use crate::choices::Choices;
use crate::destination::Destination;
use crate::failure::Failure;
use crate::figures::Check;
use crate::session::once_each;
use rebone::Format;
use rebone::setup::mapping::ProfileChoice;
use rebone::view::{Camera, Heights, Look, TimeWindow};
use std::path::{Path, PathBuf};

/// What `rebone retarget` is to do.
#[derive(Clone, Debug)]
pub(crate) struct RetargetSettings {
    /// Files, folders and patterns.
    pub(crate) sources: Vec<PathBuf>,
    /// Subfolders of folders belong to them.
    pub(crate) recursive: bool,
    pub(crate) target: PathBuf,
    pub(crate) destination: Destination,
    /// The result's.
    pub(crate) format: Format,
    pub(crate) save_recipe: Option<PathBuf>,
    /// The saved recipe also says when points of the source touch.
    pub(crate) save_contacts: bool,
    pub(crate) report: Option<PathBuf>,
    /// For the path that was taken out.
    pub(crate) root_path: Option<PathBuf>,
    /// Empty: all.
    pub(crate) clips: Vec<String>,
    pub(crate) skeleton: Option<String>,
    pub(crate) target_skeleton: Option<String>,
    /// Another file of the source's rig, for its pose.
    pub(crate) rest: Option<PathBuf>,
    /// Another file of the target's rig, for its pose.
    pub(crate) target_rest: Option<PathBuf>,
    /// A file that was read for its clips' limits, and must not be written over.
    pub(crate) also_read: Option<PathBuf>,
    /// The command line names a frame or a time to start from.
    pub(crate) moment_is_asked_for: bool,
    /// The file's choices with those of the command line on top.
    pub(crate) choices: Choices,
    /// The profile by which both sides are mapped.
    pub(crate) profile: ProfileChoice,
    pub(crate) checks: Vec<Check>,
}

impl RetargetSettings {
    /// True if figures are written or checked. Then every frame is measured.
    pub(crate) fn needs_figures(&self) -> bool {
        self.report.is_some() || !self.checks.is_empty()
    }
}

impl arguments::Retarget {
    /// Reads the recipe and puts the command line's choices on top.
    pub(crate) fn into_settings(self) -> Result<RetargetSettings, Failure> {
        let (destination, format) = self.result.destination(&self.target)?;
        let (choices, profile) = self.pair.choices()?;
        let also_read = self.pair.limits_from.clone();
        let moment_is_asked_for = self.pair.names_moment();
        Ok(RetargetSettings {
            also_read,
            sources: self.sources,
            recursive: self.recursive,
            target: self.target,
            destination,
            format,
            save_recipe: self.save_recipe,
            save_contacts: self.save_contacts,
            report: self.report,
            root_path: self.root_path,
            clips: once_each(&self.clip),
            skeleton: self.pair.skeleton,
            target_skeleton: self.pair.target_skeleton,
            rest: self.pair.rest,
            target_rest: self.pair.target_rest,
            moment_is_asked_for,
            choices,
            profile,
            checks: self.fail_on,
        })
    }
}

/// The kinds of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picture {
    /// A filmstrip of shapes.
    Svg,
    /// A filmstrip of pixels.
    Png,
    /// An animation.
    Gif,
    /// An animation of pixels, one file per image.
    Sequence,
}

impl Picture {
    fn of_name(path: &Path) -> Result<Self, Failure> {
        let extension = path.extension().unwrap_or_default();
        match extension.to_string_lossy().to_lowercase().as_str() {
            "svg" => Ok(Self::Svg),
            "png" if is_numbered(path) => Ok(Self::Sequence),
            "png" => Ok(Self::Png),
            "gif" => Ok(Self::Gif),
            _ => Err(Failure::at(
                path,
                "the output is no picture that can be drawn",
                "name it *.svg or *.png for a filmstrip, *.gif or *{index}.png for an animation",
            )),
        }
    }
}

/// What `rebone render` is to do.
#[derive(Clone, Debug)]
pub(crate) struct RenderSettings {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) picture: Picture,
    /// One row each; empty: one of each file.
    pub(crate) clips: Vec<String>,
    /// The pose in which characters are compared instead of clips.
    pub(crate) retarget_pose: bool,
    /// The likeliest ways to read one motion.
    pub(crate) readings: bool,
    /// What the retarget pose is made with.
    pub(crate) choices: Choices,
    pub(crate) skeleton: Option<String>,
    pub(crate) frames: usize,
    /// Images a second of an animation; `None` for the usual.
    pub(crate) rate_hz: Option<f32>,
    /// What of the body is seen close; `None`: all of it.
    pub(crate) zoom: Option<String>,
    /// Files without a mesh are drawn in the body of one that has a mesh.
    pub(crate) on_target: bool,
    /// Pixels; `None` for the picture's own default.
    pub(crate) size: Option<u32>,
    /// How the bodies are seen; its size is that of a filmstrip.
    pub(crate) look: Look,
}

impl arguments::Render {
    /// Finds out the kind of picture.
    pub(crate) fn into_settings(self) -> Result<RenderSettings, Failure> {
        let picture = Picture::of_name(&self.output)?;
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from > to
        {
            return Err(Failure::new(
                format_args!("--from {from} is later than --to {to}"),
                "give a start that is before the end",
            ));
        }
        if self.readings && self.files.len() > 1 {
            return Err(Failure::new(
                "--readings draws one file",
                "give the file with the motion alone",
            ));
        }
        Ok(RenderSettings {
            look: self.look(),
            files: self.files,
            output: self.output,
            picture,
            clips: once_each(&self.clip),
            retarget_pose: self.retarget_pose,
            readings: self.readings,
            choices: Choices::open(self.recipe.as_deref())?,
            skeleton: self.skeleton,
            frames: usize::from(self.frames),
            rate_hz: self.fps.map(f32::from),
            zoom: self.zoom,
            on_target: self.on_target,
            size: self.size,
        })
    }

    fn look(&self) -> Look {
        Look {
            view: match self.view {
                View::Front => Camera::Front,
                View::Side => Camera::Side,
                View::ThreeQuarter => Camera::ThreeQuarter,
                View::Back => Camera::Back,
                View::Left => Camera::Left,
                View::Top => Camera::Top,
            },
            style: match self.style {
                Style::Auto => rebone::view::Style::Auto,
                Style::Mesh => rebone::view::Style::Mesh,
                Style::Skeleton => rebone::view::Style::Skeleton,
                Style::Both => rebone::view::Style::Both,
            },
            follow: self.camera == CameraMotion::Follow,
            heights: if self.same_height {
                Heights::Same
            } else {
                Heights::Auto
            },
            window: TimeWindow {
                from: self.from,
                to: self.to,
            },
            onion: usize::from(self.onion),
            ..Look::default()
        }
    }
}

/// True of a name in which the number of an image stands.
fn is_numbered(path: &Path) -> bool {
    path.to_string_lossy().contains(INDEX)
}

/// What stands for the number of an image in the name of its file.
pub(crate) const INDEX: &str = "{index}";
