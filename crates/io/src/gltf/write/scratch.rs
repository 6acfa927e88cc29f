//! Writing a whole character as a new file.

use super::meshes::{Binary, List, Surfaces, skin, surfaces};
use super::motion_json::{MotionJson, Placement};
use super::nodes::{Nodes, needs_common_root};
use super::patch::check_times;
use super::vrm::{add_moods, is_vrma, vrm_extension};
use super::vrma_motion::humanoid_clips;
use crate::fits::{check_parts, unfit};
use crate::gltf::buffers::data_uri;
use crate::gltf::curve_places::{CurveChannel, homeless_curves, not_kept};
use crate::gltf::{Container, glb};
use crate::{Error, Output};
use rebone_model::{Character, Clip, Warning};
use std::borrow::Cow;
use std::fmt::Write;

/// Writes a character with its skins, meshes, materials, images, labels and clips as a new file.
///
/// Joint i of the skeleton becomes node i, except where a skin spans several roots: glTF wants these
/// under one node, which is then added in front. Labels of the system `vrm-1` make the file a VRM 1.0
/// avatar, those of `vrma` a VRM animation, in which joints only turn, only the hips move, and
/// expressions and gaze have nodes of their own. Clips without tracks are left out, glTF has none such.
/// Curves that nothing in the new file could show are left out with a warning.
///
/// Fails for a skeleton without joints, for clips, skins or meshes that do not fit it, and for GLBs
/// beyond 4 GiB.
pub fn write_character(character: &Character, container: Container) -> Result<Output, Error> {
    check(character)?;
    let first_node = usize::from(needs_common_root(character));
    let mut file = NewFile::new(character, first_node);
    let mut warnings = Vec::new();
    let moving = Moving::of(character, &mut file.nodes, &mut warnings);
    let binary = &mut file.binary;
    let placement = Placement {
        first_accessor: binary.accessors.count,
        first_view: binary.views.count,
    };
    let node_of = |joint| joint + first_node;
    let motion = MotionJson::new(&moving.clips, &moving.curves, placement, node_of);
    for (list, elements) in [
        (&mut binary.accessors, &motion.accessors),
        (&mut binary.views, &motion.views(0, binary.bytes.len())),
    ] {
        if !elements.is_empty() {
            list.push(elements);
        }
    }

    let byte_length = binary.bytes.len() + motion.byte_len();
    let extension = vrm_extension(character, first_node, &moving.moods);
    if container == Container::Gltf {
        let mut bytes = std::mem::take(&mut binary.bytes);
        motion.append_bytes(&mut bytes);
        let uri = data_uri("application/octet-stream", &bytes);
        let uri = format!(r#","uri":"{uri}""#);
        let json = file.json(&extension, &motion.animations, byte_length, &uri);
        return Ok(Output {
            bytes: json.into_bytes(),
            warnings,
        });
    }
    let json = file.json(&extension, &motion.animations, byte_length, "");
    let write_bin = |out: &mut Vec<u8>| {
        out.extend_from_slice(&file.binary.bytes);
        motion.append_bytes(out);
    };
    let bytes = glb::join(&json, byte_length, write_bin, &[])?;
    Ok(Output { bytes, warnings })
}

/// The parts of a new file that do not move.
struct NewFile {
    nodes: Nodes,
    meshes: List,
    skins: List,
    surfaces: Surfaces,
    binary: Binary,
}

impl NewFile {
    /// `first_node` is the node of joint 0.
    fn new(character: &Character, first_node: usize) -> Self {
        let mut binary = Binary::default();
        let mut nodes = Nodes::new(character, first_node);
        let meshes = nodes.add_meshes(character, first_node, &mut binary);
        let mut skins = List::default();
        for entry in &character.skins {
            skins.push(&skin(entry, first_node, &mut binary));
        }
        let surfaces = surfaces(character, &mut binary);
        binary.align();
        Self {
            nodes,
            meshes,
            skins,
            surfaces,
            binary,
        }
    }

    /// The JSON text. `extension` holds further members of the file, `uri` one of its buffer. Without bytes there is no buffer.
    fn json(&self, extension: &str, animations: &str, byte_length: usize, uri: &str) -> String {
        let mut json = String::from(r#"{"asset":{"generator":"rebone","version":"2.0"}"#);
        json.push_str(extension);
        // Writing into a String cannot fail.
        let _ = write!(
            json,
            r#","scene":0,"scenes":[{{"nodes":[{}]}}]"#,
            self.nodes.roots.join(",")
        );
        for (key, elements) in [
            ("nodes", self.nodes.json().as_str()),
            ("meshes", &self.meshes.text),
            ("skins", &self.skins.text),
            ("materials", &self.surfaces.materials.text),
            ("textures", &self.surfaces.textures.text),
            ("images", &self.surfaces.images.text),
            ("animations", animations),
            ("accessors", &self.binary.accessors.text),
            ("bufferViews", &self.binary.views.text),
        ] {
            if !elements.is_empty() {
                let _ = write!(json, r#","{key}":[{elements}]"#);
            }
        }
        if byte_length > 0 {
            let _ = write!(json, r#","buffers":[{{"byteLength":{byte_length}{uri}}}]"#);
        }
        json.push('}');
        json
    }
}

/// The motion that goes into a new file.
struct Moving<'c> {
    clips: Cow<'c, [Clip]>,
    /// The channels of each clip's curves.
    curves: Vec<Vec<CurveChannel>>,
    /// Members of the extension of a VRM animation.
    moods: String,
}

impl<'c> Moving<'c> {
    /// The motion of a character. If it becomes a VRM animation, expressions and gaze get nodes.
    fn of(character: &'c Character, nodes: &mut Nodes, warnings: &mut Vec<Warning>) -> Self {
        if is_vrma(character) {
            let (humanoid, lost) = humanoid_clips(character);
            warnings.extend(lost);
            let (curves, moods) = add_moods(&character.clips, nodes, warnings);
            return Self {
                clips: Cow::Owned(humanoid),
                curves,
                moods,
            };
        }
        warnings.extend(not_kept(homeless_curves(&character.clips)));
        Self {
            clips: Cow::Borrowed(&character.clips),
            curves: Vec::new(),
            moods: String::new(),
        }
    }
}

fn check(character: &Character) -> Result<(), Error> {
    let joints = character.skeleton.len();
    if joints == 0 {
        return Err(unfit("the skeleton has no joints", "character"));
    }
    for (index, clip) in character.clips.iter().enumerate() {
        if clip.joints.len() != joints {
            return Err(unfit(
                format!("the clip is for {} joints of {joints}", clip.joints.len()),
                format!("clips[{index}] \"{}\"", clip.name),
            ));
        }
        check_times(clip, &format!("clips[{index}] \"{}\"", clip.name))?;
    }
    if let Some(index) = character
        .skins
        .iter()
        .position(|skin| skin.joints.is_empty())
    {
        return Err(unfit(
            "glTF has no skin without joints",
            format!("skins[{index}]"),
        ));
    }
    check_parts(character)
}
