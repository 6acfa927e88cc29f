//! Expy-Kit's rig presets for Blender.
//!
//! Shape: a Python file of lines `skeleton.left_arm.forearm = 'LeftForeArm'`. Twist joints and the controls of
//! IK rigs (`left_arm_ik`) have fields of their own, which are of no use here. Source: the presets in the
//! add-on's repository (pKrime/Expy-Kit).

use super::Content;
use super::pairs::{literal, quoted};
use super::words::EXPY_KIT;
use crate::error::Error;
use std::fmt::Write as _;

pub(super) fn read(text: &str) -> Result<Content, Error> {
    let mut pairs = Vec::new();
    for line in text.lines() {
        let Some(rest) = line.trim().strip_prefix("skeleton.") else {
            continue;
        };
        let Some((word, value)) = rest.split_once('=') else {
            continue;
        };
        let word = word.trim();
        let is_control = word.contains("_ik.") || word.ends_with("_twist");
        if let Some((joint, _)) = literal(value.trim())
            && !is_control
        {
            pairs.push((word.to_owned(), joint));
        }
    }
    Ok(EXPY_KIT.content(pairs))
}

pub(super) fn write(pairs: &[(String, String)]) -> String {
    let mut text = "import bpy\nskeleton = bpy.context.object.data.expykit_retarget\n\n".to_owned();
    for (word, joint) in pairs {
        let _ = writeln!(text, "skeleton.{word} = {}", quoted(joint, '\''));
    }
    text
}
