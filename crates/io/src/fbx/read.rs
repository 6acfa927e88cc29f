//! Reading, by ufbx.

use crate::{Document, Error, ReadOptions};

/// Reads an FBX file.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Document, Error> {
    let _ = (bytes, options);
    Err(Error::unsupported("not yet", "file", "wait"))
}
