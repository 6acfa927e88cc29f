//! Errors as a person or a script reads them: what is wrong, where, and what to do about it.

use crate::advice::worded;
use crate::standard::is_standard;
use rebone::runtime::asset::AssetError;
use serde::Serialize;
use std::any::Any;
use std::fmt::{Arguments, Display};
use std::path::Path;

/// Why a command stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Stable name of the kind of error, in kebab-case.
    code: &'static str,
    /// The file that it is about.
    place: Option<String>,
    /// What is wrong.
    what: String,
    /// What to do about it; may be empty.
    remedy: String,
}

/// What an error says: its code, what is wrong, and what to do about it.
pub(crate) struct Said {
    code: &'static str,
    what: String,
    remedy: String,
}

/// Codes of errors that are not the library's.
const REQUEST: &str = "request";
const USAGE: &str = "usage";
const INTERNAL: &str = "internal";

/// The code of a file in which nothing moves.
pub(crate) const NO_MOTION: &str = "no-motion";

impl Failure {
    /// What is wrong, and what to do about it.
    pub(crate) fn new(what: impl Display, remedy: impl Display) -> Self {
        Self {
            code: REQUEST,
            place: None,
            what: what.to_string(),
            remedy: remedy.to_string(),
        }
    }

    /// What is wrong with a file. The error says itself what to do.
    pub(crate) fn in_file(path: &Path, error: impl Into<Said>) -> Self {
        let Said { code, what, remedy } = error.into();
        Self {
            code,
            place: Some(shown(path)),
            what,
            remedy,
        }
    }

    /// What is wrong with a file, and what to do about it.
    pub(crate) fn at(path: &Path, what: impl Display, remedy: impl Display) -> Self {
        Self {
            place: Some(shown(path)),
            ..Self::new(what, remedy)
        }
    }

    /// The same failure under another code.
    pub(crate) fn with_code(self, code: &'static str) -> Self {
        Self { code, ..self }
    }

    /// What is wrong with a pair of files.
    pub(crate) fn between(source: &Path, target: &Path, error: impl Into<Said>) -> Self {
        Self {
            place: Some(format!("{} onto {}", shown(source), shown(target))),
            ..Self::in_file(target, error)
        }
    }

    /// What is wrong with the command line itself, as its parser words it.
    pub(crate) fn usage(text: &str) -> Self {
        let (what, remedy) = text.split_once("\n\n").unwrap_or((text, ""));
        Self {
            code: USAGE,
            ..Self::new(
                what.trim().trim_start_matches("error: "),
                remedy.trim().replace("\n\n", "; "),
            )
        }
    }

    /// A fault of the program itself.
    pub(crate) fn of_panic(cause: &(dyn Any + Send)) -> Self {
        let text = cause
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| cause.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no details");
        let version = env!("CARGO_PKG_VERSION");
        Self {
            code: INTERNAL,
            ..Self::new(
                format_args!(
                    "rebone {version} came upon a case it was not made for ({text}); nothing was written"
                ),
                "please report it with the command and the files",
            )
        }
    }

    /// Stable name of the kind of error, in kebab-case.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// The same failure in the words of a document, for scripts.
    pub(crate) fn document(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct ErrorJson<'a> {
            code: &'a str,
            message: &'a str,
            #[serde(rename = "where")]
            place: Option<&'a str>,
            remedy: &'a str,
        }
        #[derive(Serialize)]
        struct FailureJson<'a> {
            error: ErrorJson<'a>,
        }
        FailureJson {
            error: ErrorJson {
                code: self.code,
                message: &self.what,
                place: self.place.as_deref(),
                remedy: &self.remedy,
            },
        }
    }
}

/// A path as a person reads it.
pub(crate) fn shown(path: &Path) -> String {
    if is_standard(path) {
        "standard input or output".to_owned()
    } else {
        path.display().to_string()
    }
}

impl Said {
    /// A request that cannot be met.
    pub(crate) fn request(what: impl Display, remedy: impl Display) -> Self {
        Self {
            code: REQUEST,
            what: what.to_string(),
            remedy: remedy.to_string(),
        }
    }

    /// The same with words before what is wrong.
    pub(crate) fn after(self, words: &str) -> Self {
        Self {
            what: format!("{words}{}", self.what),
            ..self
        }
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(place) = &self.place {
            write!(formatter, "{place}: ")?;
        }
        formatter.write_str(&self.what)?;
        if !self.remedy.is_empty() {
            write!(formatter, "; {}", self.remedy)?;
        }
        Ok(())
    }
}

impl From<rebone::Error> for Said {
    fn from(error: rebone::Error) -> Self {
        let code = error.code();
        let (what, remedy) = error.parts();
        let remedy = worded(&remedy);
        Self { code, what, remedy }
    }
}

impl From<rebone::setup::Error> for Said {
    fn from(error: rebone::setup::Error) -> Self {
        rebone::Error::from(error).into()
    }
}

impl From<rebone::io::Error> for Said {
    fn from(error: rebone::io::Error) -> Self {
        rebone::Error::from(error).into()
    }
}

impl From<AssetError> for Said {
    fn from(error: AssetError) -> Self {
        Self {
            code: "plan",
            ..error.to_string().into()
        }
    }
}

impl From<rebone::view::Error> for Said {
    fn from(error: rebone::view::Error) -> Self {
        Self {
            code: "picture",
            ..error.to_string().into()
        }
    }
}

impl From<String> for Said {
    fn from(text: String) -> Self {
        let (what, remedy) = text.split_once("; ").unwrap_or((&text, ""));
        Self {
            code: REQUEST,
            what: what.to_owned(),
            remedy: remedy.to_owned(),
        }
    }
}

impl From<&str> for Said {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Arguments<'_>> for Said {
    fn from(text: Arguments<'_>) -> Self {
        text.to_string().into()
    }
}
