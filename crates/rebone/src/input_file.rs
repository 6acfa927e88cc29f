//! A file in memory: what a rig is taken from, and what results are written into.

use crate::error::Error;
use rebone_io::{Document, Format, ReadOptions, read};
use rebone_model::{Character, Warning};
use std::fmt;
use std::sync::Arc;

/// Fetches a file that another one refers to, by its relative name.
type Beside = dyn Fn(&str) -> Result<Vec<u8>, String> + Send + Sync;

/// A file in memory. Clones share its bytes.
#[derive(Clone)]
pub struct InputFile {
    bytes: Arc<Vec<u8>>,
    stem: String,
    beside: Arc<Beside>,
}

impl InputFile {
    /// A file that refers to no other. `name` may have folders and an extension; clips of formats without clip names are called
    /// by what is between.
    pub fn new(name: &str, bytes: impl Into<Arc<Vec<u8>>>) -> Self {
        let alone = |_: &str| Err("nothing says where the files beside it are".to_owned());
        Self {
            bytes: bytes.into(),
            stem: stem(name).to_owned(),
            beside: Arc::new(alone),
        }
    }

    /// The same file, with what fetches the files that it refers to (the `buffer.bin` of a glTF), by relative names. What it
    /// says where it fails is told to the user.
    #[must_use]
    pub fn with_files(
        self,
        beside: impl Fn(&str) -> Result<Vec<u8>, String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            beside: Arc::new(beside),
            ..self
        }
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its name without folder and extension.
    pub fn stem(&self) -> &str {
        &self.stem
    }

    /// A file that this one refers to. Fails where it cannot be had, with the reason.
    pub fn beside(&self, name: &str) -> Result<Vec<u8>, String> {
        (self.beside)(name)
    }

    /// Gives the bytes back, where nothing will be written into the file.
    pub fn forget(&mut self) {
        self.bytes = Arc::default();
    }

    /// Reads all that is in it; meshes, materials and images only where they are wanted.
    ///
    /// # Errors
    /// Where a reader fails: the file is broken, too large or of no known format.
    pub fn document(&self, meshes: bool) -> Result<Document, Error> {
        let options = ReadOptions {
            meshes,
            ..ReadOptions::default()
        };
        let mut document = read(&self.bytes, &options, &|name| self.beside(name))?;
        if document.format == Format::Bvh {
            // The format has no clip names; the file's own tells several takes apart.
            for clip in document.characters.iter_mut().flat_map(|c| &mut c.clips) {
                self.stem.clone_into(&mut clip.name);
            }
        }
        Ok(document)
    }

    /// A character of it, read anew with its meshes, and doubts about the file; `None` where no skeleton has the same joints.
    ///
    /// # Errors
    /// As [`InputFile::document`].
    pub fn read_with_meshes(
        &self,
        known: &Character,
    ) -> Result<(Option<Character>, Vec<Warning>), Error> {
        let document = self.document(true)?;
        let own = known.skeleton.joints();
        let is_it = |other: &Character| {
            let joints = other.skeleton.joints();
            let mut pairs = joints.iter().zip(own);
            joints.len() == own.len()
                && pairs.all(|(one, other)| (&one.name, one.parent) == (&other.name, other.parent))
        };
        let found = document.characters.into_iter().find(is_it);
        Ok((found, document.warnings))
    }
}

impl fmt::Debug for InputFile {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "InputFile({}, {} bytes)", self.stem, self.bytes.len())
    }
}

/// The name of a file without folder and extension.
fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match name.rfind('.') {
        Some(dot) if dot > 0 => &name[..dot],
        _ => name,
    }
}

/// True where meshes cannot stay as they are in the file and the new format has a place for them.
pub(crate) fn meshes_are_rewritten(bytes: &[u8], format: Format) -> bool {
    let is_gltf = |format| matches!(format, Format::Glb | Format::Gltf | Format::Vrm);
    match Format::detect(bytes) {
        Ok(Format::Fbx) => is_gltf(format) || format == Format::Fbx,
        Ok(from) => is_gltf(from) && format == Format::Fbx,
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_folder_and_extension() {
        for (name, wanted) in [
            ("walk.bvh", "walk"),
            ("a/b.c/walk.1.fbx", "walk.1"),
            ("C:\\x\\walk.bvh", "walk"),
            (".hidden", ".hidden"),
            ("walk", "walk"),
            ("", ""),
        ] {
            assert_eq!(stem(name), wanted);
        }
    }
}
