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
}
