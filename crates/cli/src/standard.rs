//! `-` in the place of a file.

use std::path::Path;

/// True for `-`: standard input where a file is read, standard output where one is written.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}
