//! Where figures go.

use crate::failure::Failure;
use crate::progress;
use crate::report_page::{self, Row, Words};
use std::path::Path;

/// True for a file that is to hold a page.
pub(crate) fn is_page(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["html", "htm"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

/// The content of a report file: a page, or the JSON alone if the name is not that of a page.
pub(crate) fn content(path: &Path, rows: &[Row<'_>], words: Words<'_>) -> Result<String, Failure> {
    if !is_page(path) {
        return Ok(words.json);
    }
    progress::while_running("drawing", || report_page::html(rows, words))
        .map_err(|error| Failure::in_file(path, error))
}
