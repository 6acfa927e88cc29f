//! What can go wrong with a file, by who is at fault.

/// What, where and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in a sentence without a full stop.
    pub what: String,
    /// Where in the file: `accessors[3].count`, `line 12`.
    pub place: String,
    /// What the user can do about it.
    pub remedy: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} (at {}); {}",
            self.what, self.place, self.remedy
        )
    }
}

/// Why a file cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The file breaks the rules of its format.
    #[error("{0}")]
    Malformed(Problem),
    /// The file is valid, but uses something that is not supported.
    #[error("{0}")]
    Unsupported(Problem),
    /// The file is fine; what was asked for does not fit it.
    #[error("{0}")]
    Caller(Problem),
    /// The file is larger, deeper or more than the limits allow.
    #[error("{0}")]
    Limit(Problem),
}

impl Error {
    /// A file that breaks the rules of its format.
    pub fn malformed(
        what: impl Into<String>,
        place: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::Malformed(problem(what, place, remedy))
    }

    /// A valid file with something that is not supported.
    pub fn unsupported(
        what: impl Into<String>,
        place: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::Unsupported(problem(what, place, remedy))
    }

    /// A request that does not fit the file.
    pub fn caller(
        what: impl Into<String>,
        place: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::Caller(problem(what, place, remedy))
    }

    /// A file beyond the limits.
    pub fn limit(
        what: impl Into<String>,
        place: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::Limit(problem(what, place, remedy))
    }
}

fn problem(
    what: impl Into<String>,
    place: impl Into<String>,
    remedy: impl Into<String>,
) -> Problem {
    Problem {
        what: what.into(),
        place: place.into(),
        remedy: remedy.into(),
    }
}
