//! Bone lists of KeeMap, a retargeting add-on for Blender.
//!
//! Shape: JSON, `bones` a list of objects with `SourceBoneName` and `DestinationBoneName`, next to settings of
//! the transfer. Corrections of angles belong to Blender's own axes and are not read. Source: `example/` in the
//! add-on's repository (nkeeline/Keemap-Blender-Rig-ReTargeting-Addon).

use super::pairs::joint_name;
use super::{Content, json};
use crate::error::Error;
use serde_json::Value;

pub(super) fn read(text: &str) -> Result<Content, Error> {
    let document = json(text)?;
    let name = |bone: &Value, key: &str| bone.get(key)?.as_str().and_then(joint_name);
    let bones = document.get("bones").and_then(Value::as_array);
    let pairs = bones.into_iter().flatten().filter_map(|bone| {
        Some((
            name(bone, "SourceBoneName")?,
            name(bone, "DestinationBoneName")?,
        ))
    });
    Ok(Content::Pairs(pairs.collect()))
}

/// `root` is the target joint that carries the travel.
pub(super) fn write(pairs: &[(String, String)], root: Option<&str>) -> String {
    let bones: Vec<Value> = pairs
        .iter()
        .map(|(source, target)| {
            serde_json::json!({
                "name": source,
                "label": "",
                "description": "",
                "SourceBoneName": source,
                "DestinationBoneName": target,
                "keyframe_this_bone": true,
                "CorrectionFactorX": 0.0,
                "CorrectionFactorY": 0.0,
                "CorrectionFactorZ": 0.0,
                "has_twist_bone": false,
                "TwistBoneName": "",
                "set_bone_position": root == Some(target.as_str()),
                "set_bone_rotation": true,
                "bone_rotation_application_axis": "XYZ",
            })
        })
        .collect();
    let document = serde_json::json!({
        "bones": bones,
        "start_frame_to_apply": 0,
        "number_of_frames_to_apply": 100,
        "keyframe_every_n_frames": 1,
        "source_rig_name": "",
        "destination_rig_name": "",
        "bone_mapping_file": "",
    });
    format!("{document:#}\n")
}
