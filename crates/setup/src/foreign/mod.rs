//! Maps of other tools, read and written.
//!
//! [`read`] knows the tool by the text's content. What it gives names joints as the tool does;
//! [`ForeignMap::recipe`] looks them up in two characters and makes a [`Recipe`](crate::recipe::Recipe) of
//! them. [`write()`] goes the other way.
//!
//! | kind | tools |
//! |---|---|
//! | slots of one rig | Unity, Godot, HumanIK, Expy-Kit |
//! | chains of one rig, by first and last joint | Unreal IK Rig |
//! | pairs source joint, target joint | Auto-Rig Pro, KeeMap, retargeting-threejs, QtMeshEditor |
//! | names that a part may have in any rig | Rokoko |
//!
//! Each format's module says from where its shape is known. What a map says of rest poses, axes, IK and
//! keys is not read: these are Rebone's own business.

mod auto_rig_pro;
mod chains;
mod content;
mod doubts;
mod expy_kit;
mod godot;
mod human_ik;
mod keemap;
mod lookup;
mod pairs;
mod qtmesh;
mod recipe;
mod rig;
mod rokoko;
mod standard_chains;
mod threejs;
mod tool;
mod unity;
mod unreal;
mod words;
mod write;

pub use content::{Chain, Content, ForeignMap};
pub use tool::Tool;
pub use write::{Written, write};

use crate::error::Error;
use rebone_model::Remedy;

/// Reads the map of any known tool.
///
/// Fails with [`Error::Recipe`] where the text is no tool's map, or holds no joint.
pub fn read(text: &str) -> Result<ForeignMap, Error> {
    let Some(tool) = Tool::of_text(text) else {
        let names: Vec<&str> = Tool::ALL.iter().map(|tool| tool.title()).collect();
        return Err(wrong(
            "this is the map of no known tool",
            "the file",
            format!("maps of these are read: {}", names.join(", ")),
        ));
    };
    let content = match tool {
        Tool::Unreal => unreal::read(text),
        Tool::Unity => unity::read(text),
        Tool::Godot => godot::read(text),
        Tool::HumanIk => human_ik::read(text),
        Tool::Rokoko => rokoko::read(text),
        Tool::AutoRigPro => auto_rig_pro::read(text),
        Tool::ExpyKit => expy_kit::read(text),
        Tool::KeeMap => keemap::read(text),
        Tool::Threejs => threejs::read(text),
        Tool::QtMesh => qtmesh::read(text),
    }?;
    if content.is_empty() {
        return Err(wrong(
            format!("the map of {} links no joint", tool.title()),
            "the file",
            "save it from the tool once its joints are assigned",
        ));
    }
    Ok(ForeignMap { tool, content })
}

fn wrong(what: impl Into<String>, place: impl Into<String>, remedy: impl Into<Remedy>) -> Error {
    Error::Recipe {
        what: what.into(),
        place: place.into(),
        remedy: remedy.into(),
    }
}

/// A JSON document, or an error that names the line.
fn json(text: &str) -> Result<serde_json::Value, Error> {
    serde_json::from_str(text).map_err(|error| {
        wrong(
            "the text is no complete JSON document",
            format!("line {}", error.line()),
            "save it from the tool again",
        )
    })
}
