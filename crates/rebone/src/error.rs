//! Everything that can go wrong, by part.

use rebone_model::check::Unusable;
use rebone_model::{Remedy, Skeleton};
use std::path::PathBuf;

/// What a call gives, or why it cannot.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] rebone_io::Error),
    /// A retarget cannot be set up.
    #[error(transparent)]
    Setup(#[from] rebone_setup::Error),
    /// A motion cannot be made.
    #[error(transparent)]
    Run(#[from] rebone_runtime::Error),
    /// What would be written has numbers that no file can hold.
    #[error("{what}; {}", rebone_runtime::UNUSABLE_REMEDY)]
    Unusable {
        /// Which number, of which clip and joint.
        what: String,
    },
    /// Something is wrong with a file that was named.
    #[error("{}: {error}", path.display())]
    At {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<Self>,
    },
    /// What was asked for does not fit the files.
    #[error("{what}; {remedy}")]
    Request {
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: Remedy,
    },
}

impl Error {
    /// A number of a character, or of a clip of its, that must not be written.
    pub(crate) fn unusable(problem: &Unusable, skeleton: &Skeleton) -> Self {
        Self::Unusable {
            what: problem.describe(skeleton),
        }
    }

    /// The same error, with the name of the joint where it only had its number among the joints of `target`.
    pub(crate) fn naming(self, target: &Skeleton) -> Self {
        match self {
            Self::Run(rebone_runtime::Error::Unusable(problem)) => Self::unusable(&problem, target),
            other => other,
        }
    }

    pub(crate) fn request(what: impl Into<String>, remedy: impl Into<Remedy>) -> Self {
        Self::Request {
            what: what.into(),
            remedy: remedy.into(),
        }
    }

    /// The same error, with the file that it is about.
    #[cfg(feature = "fs")]
    pub(crate) fn at(self, path: &std::path::Path) -> Self {
        Self::At {
            path: path.to_owned(),
            error: Box::new(self),
        }
    }

    /// A stable name of what went wrong, in kebab-case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::File(rebone_io::Error::Malformed(_)) => "file-malformed",
            Self::File(rebone_io::Error::Unsupported(_)) => "file-unsupported",
            Self::File(rebone_io::Error::Caller(_)) => "file-request",
            Self::File(rebone_io::Error::Limit(_)) => "file-limit",
            Self::Setup(rebone_setup::Error::NothingInCommon) => "nothing-in-common",
            Self::Setup(rebone_setup::Error::KindsDiffer { .. }) => "kinds-differ",
            Self::Setup(rebone_setup::Error::MissingSlots { .. }) => "slots-missing",
            Self::Setup(rebone_setup::Error::Recipe { .. }) => "recipe",
            Self::Run(rebone_runtime::Error::Clip { .. }) => "clip",
            Self::Run(rebone_runtime::Error::TooManyFrames(_)) => "too-many-frames",
            Self::Run(rebone_runtime::Error::Unusable(_)) | Self::Unusable { .. } => {
                "number-unusable"
            }
            Self::Request { .. } => "request",
            Self::At { error, .. } => error.code(),
        }
    }

    /// What is wrong, with its place, and what to do about it.
    pub fn parts(&self) -> (String, Remedy) {
        match self {
            Self::File(
                rebone_io::Error::Malformed(problem)
                | rebone_io::Error::Unsupported(problem)
                | rebone_io::Error::Caller(problem)
                | rebone_io::Error::Limit(problem),
            ) => (
                format!("{} (at {})", problem.what, problem.place),
                problem.remedy.as_str().into(),
            ),
            Self::At { path, error } => {
                let (what, remedy) = error.parts();
                (format!("{}: {what}", path.display()), remedy)
            }
            Self::Setup(rebone_setup::Error::Recipe {
                what,
                place,
                remedy,
            }) => (format!("{what} (at {place})"), remedy.clone()),
            Self::Request { what, remedy }
            | Self::Run(rebone_runtime::Error::Clip { what, remedy }) => {
                (what.clone(), remedy.clone())
            }
            Self::Unusable { what } => (what.clone(), rebone_runtime::UNUSABLE_REMEDY.into()),
            Self::Setup(error) => (before_remedy(&error.to_string()), error.remedy()),
            Self::Run(error) => (before_remedy(&error.to_string()), error.remedy()),
        }
    }
}

/// The part of a message that says what is wrong.
fn before_remedy(text: &str) -> String {
    let (what, _) = text.split_once("; ").unwrap_or((text, ""));
    what.to_owned()
}
