//! Everything that can go wrong, by part.

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] rebone_io::Error),
    /// A retarget cannot be set up.
    #[error(transparent)]
    Core(#[from] rebone_core::Error),
    /// What was asked for does not fit the files.
    #[error("{what}; {remedy}")]
    Request {
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
}

impl Error {
    pub(crate) fn request(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Request {
            what: what.into(),
            remedy: remedy.into(),
        }
    }

    /// A stable name of what went wrong, in kebab-case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::File(rebone_io::Error::Malformed(_)) => "file-malformed",
            Self::File(rebone_io::Error::Unsupported(_)) => "file-unsupported",
            Self::File(rebone_io::Error::Caller(_)) => "file-request",
            Self::File(rebone_io::Error::Limit(_)) => "file-limit",
            Self::Core(rebone_core::Error::NothingInCommon) => "nothing-in-common",
            Self::Core(rebone_core::Error::KindsDiffer { .. }) => "kinds-differ",
            Self::Core(rebone_core::Error::MissingSlots { .. }) => "slots-missing",
            Self::Core(rebone_core::Error::Recipe { .. }) => "recipe",
            Self::Core(rebone_core::Error::Clip { .. }) => "clip",
            Self::Request { .. } => "request",
        }
    }

    /// What is wrong, with its place, and what to do about it.
    pub fn parts(&self) -> (String, String) {
        match self {
            Self::File(
                rebone_io::Error::Malformed(problem)
                | rebone_io::Error::Unsupported(problem)
                | rebone_io::Error::Caller(problem)
                | rebone_io::Error::Limit(problem),
            ) => (
                format!("{} (at {})", problem.what, problem.place),
                problem.remedy.clone(),
            ),
            Self::Core(rebone_core::Error::Recipe {
                what,
                place,
                remedy,
            }) => (format!("{what} (at {place})"), remedy.clone()),
            Self::Request { what, remedy }
            | Self::Core(rebone_core::Error::Clip { what, remedy }) => {
                (what.clone(), remedy.clone())
            }
            Self::Core(error) => {
                let text = error.to_string();
                let (what, remedy) = text.split_once("; ").unwrap_or((&text, ""));
                (what.to_owned(), remedy.to_owned())
            }
        }
    }
}
