//! Where figures go.

use std::path::Path;

/// True for a file that is to hold a page.
pub(crate) fn is_page(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["html", "htm"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}
