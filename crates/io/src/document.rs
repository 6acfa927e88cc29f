//! What a file holds, in Rebone's own terms.

use crate::format::Format;
use crate::limits::Limits;
use rebone_model::axes::Axis;
use rebone_model::{Character, Warning};

/// Everything read from one file.
#[derive(Clone, Debug)]
pub struct Document {
    /// What the file is.
    pub format: Format,
    /// Unit and axes of the numbers in `characters`, as far as format and file state them.
    pub space: FileSpace,
    /// Unit and axes of the numbers in the file. Another than `space` where the reader converts them
    /// (FBX, to metres and +Y up).
    pub file_space: FileSpace,
    /// One entry a skeleton; each holds its own clips.
    pub characters: Vec<Character>,
    /// Survivable oddities.
    pub warnings: Vec<Warning>,
}

/// A unit and axes. `None` where neither the format nor the file states it; the numbers are then left
/// as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FileSpace {
    /// Metres a unit of length.
    pub meters_per_unit: Option<f64>,
    /// The direction away from the floor.
    pub up: Option<Axis>,
    /// The direction in which characters look.
    pub forward: Option<Axis>,
}

/// How to read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Also read meshes, materials and images, which only pictures need. Default false.
    pub meshes: bool,
    /// Bounds on what is accepted.
    pub limits: Limits,
}

/// A written file, with what could not be kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// The file.
    pub bytes: Vec<u8>,
    /// What the format cannot hold.
    pub warnings: Vec<Warning>,
}

/// Fetches a file that the one being read refers to (a glTF's `buffer.bin`), by its relative URI with
/// percent signs decoded. The caller decides what may be opened; an error is told to the user.
pub type Resources<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;
