//! From the bytes of a file to a rig, as every front end does it: command line, browser, plug-in.

use crate::error::Error;
use crate::rig::{Rig, Role};
use rebone_io::{Document, Format, ReadOptions, Resources, read};
use rebone_setup::mapping::ProfileChoice;

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
        let is_rewritten = |format| is_rewritten(bytes, format);
        self.meshes || self.written_as.is_some_and(is_rewritten)
    }
}

/// A file by its name.
#[derive(Clone, Copy)]
pub struct NamedBytes<'a> {
    /// All of it.
    pub bytes: &'a [u8],
    /// The file's name without folder and extension; clips of formats that have no names for them are called so.
    pub stem: &'a str,
    /// Fetches files that it refers to.
    pub resources: Resources<'a>,
}

/// Reads what is in a file. Fails where a reader does.
pub fn read_named(file: NamedBytes<'_>, meshes: bool) -> Result<Document, Error> {
    let options = ReadOptions {
        meshes,
        ..ReadOptions::default()
    };
    let mut document = read(file.bytes, &options, file.resources)?;
    if document.format == Format::Bvh {
        // The format has no clip names; the file's own tells several takes apart.
        for clip in document.characters.iter_mut().flat_map(|c| &mut c.clips) {
            file.stem.clone_into(&mut clip.name);
        }
    }
    Ok(document)
}

/// Takes one character from a file. Fails where a reader does, and where no skeleton is what was asked for.
pub fn open(file: NamedBytes<'_>, opening: &Opening<'_>) -> Result<Rig, Error> {
    choose(read_named(file, opening.takes_meshes(file.bytes))?, opening)
}

/// Takes one character from what was read of a file.
pub fn choose(document: Document, opening: &Opening<'_>) -> Result<Rig, Error> {
    Ok(Rig::new(document, opening.role, opening.skeleton)?.mapped_as(opening.profile))
}

/// True where meshes cannot stay as they are in the file and the new format has a place for them.
fn is_rewritten(bytes: &[u8], format: Format) -> bool {
    let is_gltf = |format| matches!(format, Format::Glb | Format::Gltf | Format::Vrm);
    match Format::detect(bytes) {
        Ok(Format::Fbx) => is_gltf(format) || format == Format::Fbx,
        Ok(from) => is_gltf(from) && format == Format::Fbx,
        Err(_) => false,
    }
}
