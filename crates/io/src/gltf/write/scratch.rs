//! Writing a whole character as a new file.

use super::meshes::{Binary, List, skin, surfaces};
use super::motion_json::{MotionJson, Placement};
use super::nodes::{Nodes, needs_common_root};
use super::patch::check_times;
use super::vrm::{add_moods, is_vrma, vrm_extension};
use super::vrma_motion::humanoid_clips;
use crate::fits::{check_parts, unfit};
use crate::gltf::buffers::data_uri;
use crate::gltf::curve_places::{homeless_curves, not_kept};
use crate::gltf::{Container, glb};
use crate::{Error, Output};
use rebone_model::Character;
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
    let mut binary = Binary::default();
    let mut nodes = Nodes::new(character, first_node);
    let meshes = nodes.add_meshes(character, first_node, &mut binary);
    let mut skins = List::default();
    for entry in &character.skins {
        skins.push(&skin(entry, first_node, &mut binary));
    }
    let surfaces = surfaces(character, &mut binary);
    binary.align();
    let mut warnings = Vec::new();
    let mut clips = Cow::Borrowed(character.clips.as_slice());
    let mut curves = Vec::new();
    let mut moods = String::new();
    if is_vrma(character) {
        let (humanoid, lost) = humanoid_clips(character);
        clips = Cow::Owned(humanoid);
        warnings.extend(lost);
        (curves, moods) = add_moods(&character.clips, &mut nodes, &mut warnings);
    } else {
        warnings.extend(not_kept(homeless_curves(&character.clips)));
    }
    let placement = Placement {
        first_accessor: binary.accessors.count,
        first_view: binary.views.count,
    };
    let motion = MotionJson::new(&clips, &curves, placement, |joint| joint + first_node);
    for (list, elements) in [
        (&mut binary.accessors, &motion.accessors),
        (&mut binary.views, &motion.views(0, binary.bytes.len())),
    ] {
        if !elements.is_empty() {
            list.push(elements);
        }
    }

    let byte_length = binary.bytes.len() + motion.byte_len();
    let mut json = String::from(r#"{"asset":{"generator":"rebone","version":"2.0"}"#);
    let uri = (container == Container::Gltf).then(|| {
        let mut bytes = std::mem::take(&mut binary.bytes);
        motion.append_bytes(&mut bytes);
        data_uri("application/octet-stream", &bytes)
    });
    json.push_str(&vrm_extension(character, first_node, &moods));
    // Writing into a String cannot fail.
    let _ = write!(
        json,
        r#","scene":0,"scenes":[{{"nodes":[{}]}}]"#,
        nodes.roots.join(",")
    );
    let node_list = nodes.finish();
    for (key, elements) in [
        ("nodes", &node_list),
        ("meshes", &meshes.text),
        ("skins", &skins.text),
        ("materials", &surfaces.materials.text),
        ("textures", &surfaces.textures.text),
        ("images", &surfaces.images.text),
        ("animations", &motion.animations),
        ("accessors", &binary.accessors.text),
        ("bufferViews", &binary.views.text),
    ] {
        if !elements.is_empty() {
            let _ = write!(json, r#","{key}":[{elements}]"#);
        }
    }
    if byte_length > 0 {
        let uri = uri.map_or_else(String::new, |uri| format!(r#","uri":"{uri}""#));
        let _ = write!(json, r#","buffers":[{{"byteLength":{byte_length}{uri}}}]"#);
    }
    json.push('}');
    if container == Container::Gltf {
        return Ok(Output {
            bytes: json.into_bytes(),
            warnings,
        });
    }
    let write_bin = |out: &mut Vec<u8>| {
        out.extend_from_slice(&binary.bytes);
        motion.append_bytes(out);
    };
    let bytes = glb::join(&json, byte_length, write_bin, &[])?;
    Ok(Output { bytes, warnings })
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
