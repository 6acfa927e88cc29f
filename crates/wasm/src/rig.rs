//! Opened files.

use crate::failure::Failure;
use crate::given;
use crate::json;
use crate::poses::{self, Space};
use crate::shapes::{self, RigJson};
use js_sys::Float32Array;
use rebone::audit::audit;
use rebone::model::clip::find_clip;
use rebone::opening::Opening;
use rebone::setup::mapping::ProfileChoice;
use rebone::setup::profile::custom::read_profile;
use rebone::{Clip, InputFile, Role};
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A file with the character that was taken from it.
#[derive(Debug)]
pub(crate) struct Opened {
    /// With its extension.
    pub(crate) name: String,
    pub(crate) file: InputFile,
    pub(crate) profile: ProfileChoice,
    /// Names of all skeletons.
    pub(crate) skeletons: Vec<String>,
    pub(crate) rig: rebone::Rig,
}

fn beside(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Result<Vec<u8>, String> {
    let name = name.trim_start_matches("./");
    let by_name = || {
        // Whoever drops files on a page gives them without their folders.
        let last = name.rsplit('/').next()?;
        files.get(last)
    };
    let found = files.get(name).or_else(by_name);
    found
        .cloned()
        .ok_or_else(|| "it was not given along".to_owned())
}

fn profile(text: Option<&str>) -> Result<ProfileChoice, Failure> {
    Ok(match text {
        None | Some("auto") => ProfileChoice::Auto,
        Some("humanoid") => ProfileChoice::Humanoid,
        Some("quadruped") => ProfileChoice::Quadruped,
        Some(text) => ProfileChoice::Custom(read_profile(text)?),
    })
}

/// The space that a name stands for.
pub(crate) fn space(name: &str) -> Result<Space, Failure> {
    match name {
        "local" => Ok(Space::Local),
        "model" => Ok(Space::Model),
        _ => Err(Failure::request(
            format!("\"{name}\" is no space of a pose"),
            "use local or model",
        )),
    }
}

/// All poses of a clip.
pub(crate) fn all_poses(
    rig: &rebone::Rig,
    clip: &Clip,
    rate_hz: f64,
    space: Space,
) -> Result<Float32Array, Failure> {
    let skeleton = &rig.character.skeleton;
    let numbers = poses::poses(skeleton, clip, rate_hz, space).ok_or_else(|| {
        Failure::request(
            format!("\"{}\" has too many frames at {rate_hz} Hz", clip.name),
            "ask for a lower rate above 0, or for single poses",
        )
    })?;
    Ok(Float32Array::from(numbers.as_slice()))
}

/// A file that was opened, and the character in it. It is never changed; any number of sessions may use it.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct Rig {
    pub(crate) opened: Rc<Opened>,
}

#[wasm_bindgen]
impl Rig {
    /// Opens a file of any format that is read: FBX, glTF, GLB, VRM, VRMA, BVH, URDF, MJCF. The format is told by the content.
    ///
    /// Throws where the file is broken or holds no skeleton.
    pub fn open(
        bytes: Vec<u8>,
        #[wasm_bindgen(unchecked_param_type = "OpenOptions")] options: &JsValue,
    ) -> Result<Rig, JsValue> {
        Ok(open_rig(bytes, options)?)
    }

    /// What is in the file: nodes, slots with confidence and evidence, clips, unit, axes, doubts.
    #[wasm_bindgen(unchecked_return_type = "RigDescription")]
    pub fn describe(&self) -> Result<JsValue, JsValue> {
        let Opened {
            name,
            rig,
            skeletons,
            ..
        } = self.opened.as_ref();
        let found = audit(rig);
        let skeleton = &rig.character.skeleton;
        Ok(json::document(&RigJson {
            name,
            format: rig.format.name(),
            skeleton: &rig.character.name,
            skeletons,
            meters_per_unit: rig.space.meters_per_unit,
            unit_is_stated: rig.space.unit_is_stated,
            up: rig.space.up.name(),
            forward: rig.space.forward.name(),
            canonical_from_file: rig.canonical_from_file().as_quat().to_array(),
            height: rig.height_meters(),
            nodes: shapes::nodes(skeleton),
            map: rebone::json::map(name.clone(), skeleton, &rig.map, &rig.warnings),
            clips: rig.character.clips.iter().map(shapes::clip).collect(),
            skins: rig.character.skins.len(),
            space: shapes::findings(&found),
        })?)
    }

    /// The pose of one of the file's own clips at a time in seconds; the rest pose where no clip is named.
    pub fn pose(
        &self,
        clip: Option<String>,
        seconds: f32,
        #[wasm_bindgen(unchecked_param_type = "PoseSpace")] space: &str,
    ) -> Result<Float32Array, JsValue> {
        let skeleton = &self.opened.rig.character.skeleton;
        let clip = clip.map(|name| self.clip(&name)).transpose()?;
        let numbers = poses::pose_at(skeleton, clip, seconds, self::space(space)?);
        Ok(Float32Array::from(numbers.as_slice()))
    }

    /// All poses of one of the file's own clips, frame after frame.
    pub fn poses(
        &self,
        clip: &str,
        rate_hz: f64,
        #[wasm_bindgen(unchecked_param_type = "PoseSpace")] space: &str,
    ) -> Result<Float32Array, JsValue> {
        let clip = self.clip(clip)?;
        Ok(all_poses(
            &self.opened.rig,
            clip,
            rate_hz,
            self::space(space)?,
        )?)
    }

    /// The same character, aligned from the rest pose of another file of its rig. Throws where the two share too few joints.
    #[wasm_bindgen(js_name = withRestOf)]
    pub fn with_rest_of(&self, other: &Rig) -> Result<Rig, JsValue> {
        let own = &self.opened;
        let rig = own.rig.clone().with_rest_of(&other.opened.rig);
        let opened = Opened {
            name: own.name.clone(),
            file: own.file.clone(),
            profile: own.profile,
            skeletons: own.skeletons.clone(),
            rig: rig.map_err(Failure::from)?,
        };
        Ok(Rig {
            opened: Rc::new(opened),
        })
    }
}

impl Rig {
    pub(crate) fn clip(&self, name: &str) -> Result<&Clip, Failure> {
        find_clip(&self.opened.rig.character.clips, name).ok_or_else(|| {
            Failure::request(
                format!("{} has no clip \"{name}\"", self.opened.name),
                "describe() lists the clips",
            )
        })
    }
}

fn open_rig(bytes: Vec<u8>, options: &JsValue) -> Result<Rig, Failure> {
    let name = given::text(options, "name")?.unwrap_or_default();
    let role = match given::text(options, "role")?.as_deref() {
        None | Some("source") => Role::Source,
        Some("target") => Role::Target,
        Some(other) => {
            return Err(Failure::request(
                format!("\"{other}\" is no role"),
                "use source or target",
            ));
        }
    };
    let skeleton = given::text(options, "skeleton")?;
    let profile = profile(given::text(options, "profile")?.as_deref())?;
    let meshes = given::flag(options, "meshes")?;
    let files = given::files(options, "files")?;
    let opening = Opening {
        skeleton: skeleton.as_deref(),
        meshes,
        profile,
        ..Opening::new(role)
    };
    let file = InputFile::new(&name, bytes).with_files(move |name| beside(&files, name));
    let document = file.document(meshes)?;
    let skeletons = document.characters.iter().map(|c| c.name.clone()).collect();
    let rig = file.rig_of(document, &opening)?;
    Ok(Rig {
        opened: Rc::new(Opened {
            name,
            file,
            profile,
            skeletons,
            rig,
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_are_found_with_and_without_their_folder() {
        let files = [
            ("buffers/a.bin".to_owned(), vec![1]),
            ("b.bin".to_owned(), vec![2]),
        ];
        let files = files.into();
        assert_eq!(beside(&files, "buffers/a.bin"), Ok(vec![1]));
        assert_eq!(beside(&files, "./b.bin"), Ok(vec![2]));
        assert_eq!(beside(&files, "buffers/b.bin"), Ok(vec![2]));
        assert!(beside(&files, "c.bin").is_err());
    }
}
