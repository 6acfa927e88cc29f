//! Godot's `BoneMap` over `SkeletonProfileHumanoid`.
//!
//! Shape: a text resource `[gd_resource type="BoneMap" format=3]` whose last part has lines
//! `bone_map/Hips = &"pelvis"`, or a dictionary `bonemap = { "Hips": &"pelvis" }`; the import settings of a
//! scene hold the same as `"bone_map/Hips":&"pelvis"`. A joint that is not there is written as `&""`.
//! Source: the documentation of `BoneMap` and `SkeletonProfileHumanoid`, and resources and import files in
//! public repositories.

use super::Content;
use super::pairs::{literal, quoted};
use super::words::GODOT;
use crate::error::Error;
use std::fmt::Write as _;

pub(super) fn read(text: &str) -> Result<Content, Error> {
    let mut pairs = Vec::new();
    for (at, mark) in text.match_indices("bone_map/") {
        let rest = &text[at + mark.len()..];
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        let value = rest[end..].trim_start_matches(['"', ' ', ':', '=', '\t']);
        if let Some((joint, _)) = literal(value) {
            pairs.push((word, joint));
        }
    }
    // The dictionary form: between braces, quoted word and quoted joint by turns.
    if let Some(at) = text.find("bonemap = {") {
        let mut rest = &text[at + "bonemap = {".len()..];
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            let Some((word, after)) = literal(rest) else {
                break;
            };
            let after = after.trim_start_matches([' ', ':', '\t']);
            let Some((joint, after)) = literal(after) else {
                break;
            };
            pairs.push((word, joint));
            rest = after;
        }
    }
    Ok(GODOT.content(pairs))
}

/// A resource of its own. Slots without joint are left out, as Godot takes them for empty.
pub(super) fn write(pairs: &[(String, String)]) -> String {
    let mut text = "[gd_resource type=\"BoneMap\" load_steps=2 format=3]\n\n\
         [sub_resource type=\"SkeletonProfileHumanoid\" id=\"SkeletonProfileHumanoid_1\"]\n\n\
         [resource]\nprofile = SubResource(\"SkeletonProfileHumanoid_1\")\n"
        .to_owned();
    for (word, joint) in pairs {
        let _ = writeln!(text, "bone_map/{word} = &{}", quoted(joint, '"'));
    }
    text
}
