//! The two streams. A reader that goes away (`rebone inspect ... | head`) is no error.

use crate::failure::Failure;
use crate::grouping;
use rebone::Warning;
use serde::Serialize;
use std::io::{IsTerminal, Write};

/// Writes data to standard output.
pub(crate) fn data(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::new(
            format_args!("standard output cannot be written: {error}"),
            "send it elsewhere",
        )),
        _ => Ok(()),
    }
}

/// Writes one JSON document to standard output.
pub(crate) fn document(value: &impl Serialize) -> Result<(), Failure> {
    data(&json_text(value)?)
}

/// The text of a JSON document, with a line feed at the end.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String, Failure> {
    let mut text = serde_json::to_string(value).map_err(|error| {
        Failure::new(
            format_args!("the result cannot be put into JSON: {error}"),
            "please report this",
        )
    })?;
    text.push('\n');
    Ok(text)
}

/// Writes a remark to standard error.
pub(crate) fn note(text: &str) {
    // There is nowhere left to complain to.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Writes warnings to standard error, each after the name of what it is about (may be empty); those that
/// differ in one name are one line.
pub(crate) fn warnings(about: &str, warnings: &[Warning]) {
    let separator = if about.is_empty() { "" } else { ": " };
    for line in grouping::lines(warnings) {
        note(&format!("warning: {about}{separator}{line}"));
    }
}

/// True where a person watches standard error.
pub(crate) fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}
