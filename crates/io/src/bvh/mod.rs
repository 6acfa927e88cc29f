//! Biovision hierarchies.

use crate::{Document, Error, ReadOptions};

/// Reads a BVH file.
pub fn read(_bytes: &[u8], _options: &ReadOptions) -> Result<Document, Error> {
    Err(Error::unsupported("BVH is not read yet", "file", "wait"))
}
