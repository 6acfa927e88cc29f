//! Writing clips into an existing file, which keeps everything else as it is.

use super::motion_json::{MotionJson, Placement};
use super::target_buffers::{BUFFER_TYPE, TargetBuffers};
use crate::gltf::buffers::{data_uri, file_name};
use crate::gltf::curve_places::{CurveChannel, CurvePlaces, not_kept};
use crate::gltf::json::{TopLevel, element};
use crate::gltf::splice::{Splices, quoted, with_members};
use crate::gltf::{Container, glb};
use crate::{Error, Output, Resources};
use rebone_model::Clamp as _;
use rebone_model::{Character, Clip, Joint, Quat};
use serde::Deserialize;

const POINTER_EXTENSION: &str = "KHR_animation_pointer";

/// Appends clips as animations to the file that `character` was read from.
///
/// What the file already holds keeps its text and bytes: new accessors, buffer views and animations
/// come after the old ones, and the old binary chunk (padded to 4 bytes) begins the new one. A node
/// given as a matrix becomes translation, rotation and scale where a clip moves it, for glTF animates
/// nothing else. Buffers and images outside the file are embedded, so that the result stands alone.
///
/// Curves go to what has their names in the file: morph targets (an avatar's expressions stand for
/// theirs), the expressions of a VRM animation, and properties by `KHR_animation_pointer`. One warning
/// names those that find nothing.
///
/// `clips` are in the joint order of `character`. Fails where they are not, where a clip has no
/// track, and where a buffer outside the file cannot be opened; an image that cannot stays outside.
pub fn write_clips_into(
    target: &[u8],
    resources: Resources<'_>,
    character: &Character,
    clips: &[Clip],
    container: Container,
) -> Result<Output, Error> {
    let parts = glb::split(target)?;
    let top = TopLevel::parse(parts.json)?;
    let mut splices = Splices::new(parts.json);
    let joints = character.skeleton.joints();
    check_clips(clips, joints, &top)?;
    unfold_matrices(&top, joints, clips, &mut splices)?;
    let mut homeless = Vec::new();
    let curves = place_curves(&top, clips, &mut homeless, &mut splices)?;
    let motion = MotionJson::new(
        clips,
        &curves,
        Placement {
            first_accessor: top.elements("accessors")?.len(),
            first_view: top.elements("bufferViews")?.len(),
        },
        |joint| joints[joint].node as usize,
    );
    let home = TargetBuffers::new(&top, parts.bin, resources, container)?
        .make_room(&motion, &mut splices)?;
    splices.append(&top, "accessors", &motion.accessors)?;
    splices.append(&top, "bufferViews", &motion.views(home.buffer, home.offset))?;
    splices.append(&top, "animations", &motion.animations)?;
    embed_images(&top, resources, &mut splices)?;
    let json = splices.finish()?;
    let warnings = Vec::from_iter(not_kept(homeless));
    if container == Container::Gltf {
        return Ok(Output {
            bytes: json.into_bytes(),
            warnings,
        });
    }
    let old_bin = home.bin.unwrap_or_default();
    let bin_bytes = if home.in_bin {
        home.offset + motion.byte_len()
    } else {
        old_bin.len()
    };
    let write_bin = |out: &mut Vec<u8>| {
        out.extend_from_slice(&old_bin);
        if home.in_bin {
            out.resize(out.len() + home.offset.saturating_sub(old_bin.len()), 0);
            motion.append_bytes(out);
        }
    };
    let bytes = glb::join(&json, bin_bytes, write_bin, parts.other_chunks)?;
    Ok(Output { bytes, warnings })
}

/// The channels of each clip's curves, as far as the file holds what they move.
fn place_curves(
    top: &TopLevel<'_>,
    clips: &[Clip],
    homeless: &mut Vec<String>,
    splices: &mut Splices<'_>,
) -> Result<Vec<Vec<CurveChannel>>, Error> {
    if clips.iter().all(|clip| clip.curves.is_empty()) {
        return Ok(Vec::new());
    }
    let places = CurvePlaces::new(top)?;
    let channels: Vec<Vec<CurveChannel>> = clips
        .iter()
        .map(|clip| places.channels(clip, homeless))
        .collect();
    let used: Vec<String> = top.array("extensionsUsed")?;
    let points = channels.iter().flatten().any(CurveChannel::is_pointer);
    if points && !used.iter().any(|name| name == POINTER_EXTENSION) {
        splices.append(top, "extensionsUsed", &quoted(POINTER_EXTENSION))?;
    }
    Ok(channels)
}

fn check_clips(clips: &[Clip], joints: &[Joint], top: &TopLevel<'_>) -> Result<(), Error> {
    for (index, clip) in clips.iter().enumerate() {
        let place = format!("clips[{index}] \"{}\"", clip.name);
        if clip.joints.len() != joints.len() {
            return Err(Error::caller(
                format!(
                    "the clip is for {} joints, but the character has {}",
                    clip.joints.len(),
                    joints.len()
                ),
                place,
                "write clips of the same character only",
            ));
        }
        check_times(clip, &place)?;
        if clip.is_empty() {
            return Err(Error::caller(
                "the clip moves nothing",
                place,
                "leave it out; glTF has no empty animations",
            ));
        }
    }
    let nodes = top.elements("nodes")?.len();
    if let Some(joint) = joints.iter().find(|joint| joint.node as usize >= nodes) {
        return Err(Error::caller(
            format!(
                "the file has {nodes} nodes, but joint \"{}\" is node {}",
                joint.name, joint.node
            ),
            "character",
            "write into the file that the character was read from",
        ));
    }
    Ok(())
}

/// glTF counts time from 0. [`Clip::shifted`] brings a clip there.
pub(super) fn check_times(clip: &Clip, place: &str) -> Result<(), Error> {
    let (start, _) = clip.time_span();
    if start >= 0.0 {
        return Ok(());
    }
    Err(Error::caller(
        format!("the clip has keys at {start} s, but glTF counts time from 0"),
        place,
        format!("shift the clip by {} s", -start),
    ))
}

/// Gives animated nodes translation, rotation and scale instead of a matrix.
fn unfold_matrices(
    top: &TopLevel<'_>,
    joints: &[Joint],
    clips: &[Clip],
    splices: &mut Splices<'_>,
) -> Result<(), Error> {
    let nodes = top.elements("nodes")?;
    for (index, joint) in joints.iter().enumerate() {
        let node = nodes[joint.node as usize];
        if !node.contains("matrix") || clips.iter().all(|clip| clip.joints[index].is_empty()) {
            continue;
        }
        let place = format!("nodes[{}]", joint.node);
        if !crate::gltf::json::members(node, &place)?.contains_key("matrix") {
            continue;
        }
        let rest = &joint.rest;
        let changes = [
            ("matrix", None),
            ("translation", Some(numbers(&rest.translation.to_array()))),
            ("rotation", Some(numbers(&unit_components(rest.rotation)))),
            ("scale", Some(numbers(&rest.scale.to_array()))),
        ];
        splices.replace(node, with_members(node, &place, &changes)?);
    }
    Ok(())
}

/// The components of a unit quaternion as glTF allows them: rounding may leave one just above 1.
pub(super) fn unit_components(rotation: Quat) -> [f32; 4] {
    rotation
        .to_array()
        .map(|component| component.clamped(-1.0, 1.0))
}

/// A JSON array of numbers that read back to the same bits.
pub(super) fn numbers(values: &[f32]) -> String {
    let texts: Vec<String> = values.iter().map(f32::to_string).collect();
    format!("[{}]", texts.join(","))
}

/// Embeds images that lie beside the file; those that cannot be opened stay as they are.
fn embed_images(
    top: &TopLevel<'_>,
    resources: Resources<'_>,
    splices: &mut Splices<'_>,
) -> Result<(), Error> {
    #[derive(Deserialize)]
    struct Image {
        uri: Option<String>,
        #[serde(rename = "mimeType")]
        media_type: Option<String>,
    }
    for (index, text) in top.elements("images")?.into_iter().enumerate() {
        let Ok(Image {
            uri: Some(uri),
            media_type,
        }) = element::<Image>(text)
        else {
            continue;
        };
        if uri.starts_with("data:") {
            continue;
        }
        let Ok(bytes) = resources(&file_name(&uri)) else {
            continue;
        };
        let known = image_type(&bytes).map(str::to_owned);
        let media_type = media_type
            .or(known)
            .unwrap_or_else(|| BUFFER_TYPE.to_owned());
        let uri = quoted(&data_uri(&media_type, &bytes));
        let place = format!("images[{index}]");
        splices.replace(text, with_members(text, &place, &[("uri", Some(uri))])?);
    }
    Ok(())
}

/// The media type of an encoded image, by its first bytes.
pub(super) fn image_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG") {
        Some("image/png")
    } else if bytes.starts_with(b"\xFF\xD8\xFF") {
        Some("image/jpeg")
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some("image/webp")
    } else if bytes.starts_with(b"\xABKTX 20\xBB") {
        Some("image/ktx2")
    } else {
        None
    }
}
