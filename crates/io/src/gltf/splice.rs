//! Changes to a JSON text that leave every other byte as it was.

use super::EXPORT_AGAIN;
use super::json::{TopLevel, members};
use crate::Error;
use std::fmt::Write;
use std::ops::Range;

/// A JSON text and the changes to be made to it.
pub(super) struct Splices<'a> {
    text: &'a str,
    edits: Vec<(Range<usize>, String)>,
    new_members: String,
}

impl<'a> Splices<'a> {
    /// No changes yet to the text of a JSON object.
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            edits: Vec::new(),
            new_members: String::new(),
        }
    }

    /// Replaces a part of the text. `part` must be borrowed from it.
    pub(super) fn replace(&mut self, part: &str, new: String) {
        let start = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let end = start.wrapping_add(part.len());
        debug_assert!(self.text.get(start..end) == Some(part));
        self.edits.push((start..end, new));
    }

    /// Adds elements (texts with commas between them) to an array of the top level.
    pub(super) fn append(
        &mut self,
        top: &TopLevel<'_>,
        key: &str,
        elements: &str,
    ) -> Result<(), Error> {
        if elements.is_empty() {
            return Ok(());
        }
        match (top.elements(key)?.last(), top.text(key)) {
            (Some(last), _) => {
                let after_last = &last[last.len()..];
                self.replace(after_last, format!(",{elements}"));
            }
            (None, Some(empty)) => self.replace(empty, format!("[{elements}]")),
            (None, None) => {
                // Writing into a String cannot fail.
                let _ = write!(self.new_members, ",\"{key}\":[{elements}]");
            }
        }
        Ok(())
    }

    /// The changed text.
    pub(super) fn finish(mut self) -> Result<String, Error> {
        if !self.new_members.is_empty() {
            let Some(close) = self.text.rfind('}') else {
                return Err(Error::malformed(
                    "the JSON is no object",
                    "JSON",
                    EXPORT_AGAIN,
                ));
            };
            let at = self.text[..close].trim_ascii_end().len();
            self.edits.push((at..at, self.new_members));
        }
        self.edits
            .sort_by_key(|(range, _)| (range.start, range.end));
        let added: usize = self.edits.iter().map(|(_, new)| new.len()).sum();
        let mut out = String::with_capacity(self.text.len() + added);
        let mut at = 0;
        for (range, new) in &self.edits {
            out.push_str(self.text.get(at..range.start).unwrap_or_default());
            out.push_str(new);
            at = at.max(range.end);
        }
        out.push_str(self.text.get(at..).unwrap_or_default());
        Ok(out)
    }
}

/// The text of an object with members set (`Some`) or taken out (`None`); new ones come last.
pub(super) fn with_members(
    object: &str,
    place: &str,
    changes: &[(&str, Option<String>)],
) -> Result<String, Error> {
    let mut members = members(object, place)?;
    for (key, value) in changes {
        match value {
            Some(value) => {
                members.insert((*key).to_owned(), value);
            }
            None => {
                members.shift_remove(*key);
            }
        }
    }
    let mut out = String::with_capacity(object.len());
    for (key, value) in members {
        out.push(if out.is_empty() { '{' } else { ',' });
        out.push_str(&quoted(&key));
        out.push(':');
        out.push_str(value);
    }
    if out.is_empty() {
        out.push('{');
    }
    out.push('}');
    Ok(out)
}

/// A JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
