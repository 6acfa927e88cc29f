//! glTF 2.0, GLB, VRM and VRMA.

use crate::{Document, Error, ReadOptions, Resources};

/// Reads a glTF or GLB file.
pub fn read(
    _bytes: &[u8],
    _options: &ReadOptions,
    _resources: Resources<'_>,
) -> Result<Document, Error> {
    Err(Error::unsupported("glTF is not read yet", "file", "wait"))
}
