//! Why a motion cannot be made.

use rebone_model::Remedy;
use rebone_model::bake::TooManyFrames;
use rebone_model::check::Unusable;

/// What is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// Baking the clip would make more frames than [`BakeLimits`](crate::BakeLimits) allow.
    #[error(transparent)]
    TooManyFrames(#[from] TooManyFrames),
    /// The result would have numbers that no file can hold.
    #[error("{}; {UNUSABLE_REMEDY}", unusable(.0))]
    Unusable(Box<Unusable>),
    /// The clip does not belong to the source.
    #[error("{what}; {remedy}")]
    Clip {
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: Remedy,
    },
}

/// Without a skeleton at hand: the joint by its number.
fn unusable(problem: &Unusable) -> String {
    let clip = problem.clip.as_deref().unwrap_or_default();
    match problem.joint {
        Some(joint) => format!(
            "{} in clip \"{clip}\", joint {joint} of the target",
            problem.what
        ),
        None => format!("{} in clip \"{clip}\"", problem.what),
    }
}

/// What to do about [`Error::Unusable`].
pub const UNUSABLE_REMEDY: &str =
    "look for odd sizes and scales near that joint in both files, and export them again";

impl Error {
    /// What to do about it.
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::TooManyFrames(clip) => clip.remedy(),
            Self::Unusable(_) => UNUSABLE_REMEDY.into(),
            Self::Clip { remedy, .. } => remedy.clone(),
        }
    }
}
