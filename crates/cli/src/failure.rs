//! Errors as a person reads them: where, what, and what to do.

use std::any::Any;
use std::fmt::Display;
use std::path::Path;

/// Why a command stopped: one sentence or two, printed after `error: `.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    message: String,
}

impl Failure {
    /// What is wrong, and what to do about it.
    pub(crate) fn new(what: impl Display, remedy: impl Display) -> Self {
        Self {
            message: format!("{what}; {remedy}"),
        }
    }

    /// What is wrong with a file. The error says itself what to do.
    pub(crate) fn in_file(path: &Path, error: impl Display) -> Self {
        Self {
            message: format!("{}: {error}", path.display()),
        }
    }

    /// What is wrong with a file, and what to do about it.
    pub(crate) fn at(path: &Path, what: impl Display, remedy: impl Display) -> Self {
        Self::in_file(path, format_args!("{what}; {remedy}"))
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// What to say where the program itself is at fault.
pub(crate) fn of_panic(cause: &(dyn Any + Send)) -> String {
    let text = cause
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| cause.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no details");
    format!(
        "rebone {} came upon a case it was not made for ({text}); nothing was written; \
         please report it with the command and the files",
        env!("CARGO_PKG_VERSION")
    )
}
