//! From files to rigs: which character of a file is taken, and how much of it.

use crate::error::Error;
use crate::input_file::{InputFile, meshes_are_rewritten};
use crate::rig::{Rig, Role};
use rebone_io::{Document, Format};
use rebone_setup::mapping::ProfileChoice;
use std::sync::Arc;

/// Which character of a file, and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// The part it plays.
    pub role: Role,
    /// Its skeleton, by name. Default: the best for the role.
    pub skeleton: Option<&'a str>,
    /// Also meshes, materials and images, for pictures. Default false.
    pub meshes: bool,
    /// The format into which the character goes as a whole; its meshes are read where they have to be written anew. Default: none.
    pub written_as: Option<Format>,
    /// The profile by which it is mapped. Default: what it looks like.
    pub profile: ProfileChoice,
}

impl Opening<'_> {
    /// The best skeleton for a role, without meshes.
    pub fn new(role: Role) -> Self {
        Self {
            role,
            skeleton: None,
            meshes: false,
            written_as: None,
            profile: ProfileChoice::Auto,
        }
    }

    /// True where meshes are read of a file.
    pub fn takes_meshes(&self, bytes: &[u8]) -> bool {
        self.meshes
            || self
                .written_as
                .is_some_and(|format| meshes_are_rewritten(bytes, format))
    }
}

impl InputFile {
    /// Takes one character from it.
    ///
    /// # Errors
    /// As [`InputFile::document`], and where no skeleton is what was asked for.
    pub fn rig(&self, opening: &Opening<'_>) -> Result<Rig, Error> {
        let meshes = opening.takes_meshes(self.bytes());
        let mut rig = self.rig_of(self.document(meshes)?, opening)?;
        rig.meshes_are_read = meshes;
        Ok(rig)
    }

    /// Takes one character from what was read of it.
    ///
    /// # Errors
    /// Where no skeleton is what was asked for.
    pub fn rig_of(&self, document: Document, opening: &Opening<'_>) -> Result<Rig, Error> {
        let rig = Rig::new(document, opening.role, opening.skeleton)?;
        let mut rig = rig.mapped_as(opening.profile);
        rig.meshes_are_read = opening.meshes;
        // One whose bytes were given back is nothing to write into.
        rig.file = (!self.bytes().is_empty()).then(|| self.clone());
        Ok(rig)
    }
}

impl Rig {
    /// Opens a file of any format that is read, told by its content: FBX, glTF, GLB, VRM, VRMA, BVH, URDF, MJCF. Of several skeletons it takes the
    /// one with clips and a skin; [`InputFile::rig`] leaves the choice.
    ///
    /// # Errors
    /// Where the file cannot be read, is broken, or holds no skeleton.
    #[cfg(feature = "fs")]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file =
            crate::disk::open(path).map_err(|error| crate::disk::cannot_read(path, &error))?;
        let rig = file.rig(&Opening::new(Role::Either));
        rig.map_err(|error| error.at(path))
    }

    /// The same of bytes. A file that refers to others is opened by [`InputFile::with_files`].
    ///
    /// # Errors
    /// As [`Rig::open`].
    pub fn from_bytes(name: &str, bytes: impl Into<Arc<Vec<u8>>>) -> Result<Self, Error> {
        InputFile::new(name, bytes).rig(&Opening::new(Role::Either))
    }
}
