//! Auto-Rig Pro's remap presets (`.bmap`).
//!
//! Shape: blocks of five lines. The first holds the target's joint and settings between percent signs
//! (`spine_01.x%False%ABSOLUTE%0.0,0.0,0.0%0.0,0.0,0.0%1.0%False%False%`), the second the source's joint, the
//! third whether it is the root, the fourth whether it is an IK control, the fifth the IK pole, mostly empty.
//! `None` stands for no joint. Source: `bmaps/` in the public repository Shimingyi/ARP-Batch-Retargeting.

use super::Content;
use super::pairs::joint_name;
use crate::error::Error;
use std::fmt::Write as _;

/// True where the first line that says something has the form of a block's first line.
pub(super) fn looks_like(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(is_head)
}

fn is_head(line: &str) -> bool {
    let fields: Vec<&str> = line.trim_end().split('%').collect();
    fields.len() >= 3 && matches!(fields[1], "True" | "False")
}

pub(super) fn read(text: &str) -> Result<Content, Error> {
    let mut pairs = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if !is_head(line) {
            continue;
        }
        let target = line.split('%').next().and_then(joint_name);
        // A head without a joint of the source below it is no block.
        let source = lines.next_if(|line| !is_head(line)).and_then(joint_name);
        if let (Some(source), Some(target)) = (source, target) {
            pairs.push((source, target));
        }
    }
    Ok(Content::Pairs(pairs))
}

/// `root` is the target joint that carries the travel.
pub(super) fn write(pairs: &[(String, String)], root: Option<&str>) -> String {
    let mut text = String::new();
    for (source, target) in pairs {
        let is_root = if root == Some(target.as_str()) {
            "True"
        } else {
            "False"
        };
        let _ = writeln!(
            text,
            "{target}%False%ABSOLUTE%0.0,0.0,0.0%0.0,0.0,0.0%1.0%False%False%\n{source}\n{is_root}\nFalse\n"
        );
    }
    text
}
