//! A BVH as characters with their clips.

use super::hierarchy::Hierarchy;
use super::motion::{JointKeys, Motion, MotionHeader, read_rows};
use crate::document::{Document, FileSpace, ReadOptions};
use crate::error::Error;
use crate::format::Format;
use glam::Vec3;
use rebone_model::track::TrackValue;
use rebone_model::{
    Character, Clip, Interpolation, JointKind, JointTracks, NewJoint, SkeletonBuilder,
    SkeletonError, Track, Transform, Warning,
};
use std::sync::Arc;

/// Seconds a frame where a file states nothing usable.
pub(super) const DEFAULT_FRAME_TIME: f64 = 1.0 / 30.0;

/// Seconds a frame that are believed.
const FRAME_TIMES: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// Reads a BVH file: one character a `ROOT`, each with at most one clip, called `motion`.
///
/// Fails where the hierarchy is broken, where a number is none or not finite, and beyond the limits.
/// A wrong frame count, an incomplete last row and an unusable frame time are warnings.
///
/// NOTE: [`rebone_model::Joint::node`] counts the joints of the whole file, over all roots.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Document, Error> {
    let mut hierarchy = Hierarchy::parse(bytes, &options.limits)?;
    let mut warnings = std::mem::take(&mut hierarchy.warnings);
    let mut motion = Motion::default();
    let mut frame_time = DEFAULT_FRAME_TIME;
    if let Some((_, header_at)) = hierarchy.motion {
        let header = MotionHeader::parse(bytes, header_at)?;
        motion = read_rows(bytes, header.rows_at, &hierarchy, &options.limits)?;
        warn_about_counts(&header, &hierarchy, &motion, &mut warnings);
        if motion.frame_count > 0 {
            frame_time = usable_frame_time(header.frame_time, &mut warnings);
        }
    }
    let times: Arc<[f32]> = (0..motion.frame_count)
        .map(|frame| (frame as f64 * frame_time) as f32)
        .collect();
    let mut keys = std::mem::take(&mut motion.joints).into_iter();
    let mut characters = Vec::new();
    let mut start = 0;
    while start < hierarchy.joints.len() {
        let rest = &hierarchy.joints[start + 1..];
        let length = rest.iter().position(|joint| joint.parent.is_none());
        let end = length.map_or(hierarchy.joints.len(), |length| start + 1 + length);
        let mut character = character(&hierarchy, start..end)?;
        let mut clip = Clip::new("motion", 0);
        clip.rate_hz = Some(1.0 / frame_time);
        for (joint, keys) in (start..end).zip(keys.by_ref()) {
            clip.joints.push(tracks(&hierarchy, joint, keys, &times)?);
        }
        if !clip.is_empty() {
            character.clips.push(clip);
        }
        characters.push(character);
        start = end;
    }
    Ok(Document {
        format: Format::Bvh,
        space: FileSpace::default(),
        file_space: FileSpace::default(),
        characters,
        warnings,
    })
}

fn warn_about_counts(
    header: &MotionHeader,
    hierarchy: &Hierarchy,
    motion: &Motion,
    warnings: &mut Vec<Warning>,
) {
    if motion.left_over > 0 {
        warnings.push(Warning::new(
            "bvh-row-incomplete",
            format!(
                "the last row has {} of {} numbers and is left out",
                motion.left_over, hierarchy.column_count
            ),
            "the file may be cut off; export or copy it again if frames are missing",
        ));
    }
    let rows = motion.frame_count;
    let message = match header.frame_count {
        Some(stated) if stated == rows as u64 => return,
        Some(stated) => format!("the file states {stated} frames, but has {rows} rows"),
        None if rows == 0 => return,
        None => format!("the file states no frame count; it has {rows} rows"),
    };
    let hint = "all rows are used; check the clip's length";
    warnings.push(Warning::new("bvh-frame-count", message, hint));
}

fn usable_frame_time(stated: Option<f64>, warnings: &mut Vec<Warning>) -> f64 {
    let message = match stated {
        Some(frame_time) if FRAME_TIMES.contains(&frame_time) => return frame_time,
        Some(frame_time) => format!("a frame time of {frame_time} s cannot be right"),
        None => "the file states no frame time".to_owned(),
    };
    let hint = "30 frames a second are assumed; write the right `Frame Time:` into the file";
    warnings.push(Warning::new("bvh-frame-time", message, hint));
    DEFAULT_FRAME_TIME
}

/// The skeleton of one root, without clips.
fn character(hierarchy: &Hierarchy, joints: std::ops::Range<usize>) -> Result<Character, Error> {
    let vector = |parts: [f64; 3]| Vec3::from_array(parts.map(|part| part as f32));
    let first = joints.start;
    let mut builder = SkeletonBuilder::new();
    for index in joints {
        let joint = &hierarchy.joints[index];
        builder.add(NewJoint {
            name: joint.name.clone(),
            parent: joint.parent.map(|parent| parent - first),
            rest: Transform::from_translation(vector(joint.offset)),
            kind: JointKind::Joint,
            node: u32::try_from(index).unwrap_or(u32::MAX),
            end: joint.end.map(vector),
        });
    }
    // Parents precede children in the file, so the builder keeps the order.
    let (skeleton, _) = builder.build().map_err(|error| match error {
        SkeletonError::TooDeep { .. } => Error::limit(
            error.to_string(),
            "HIERARCHY",
            "check the braces: children that follow each other should not be nested",
        ),
        other => Error::malformed(other.to_string(), "HIERARCHY", "export the file again"),
    })?;
    Ok(Character {
        name: hierarchy.joints[first].name.clone(),
        skeleton,
        ..Character::default()
    })
}

fn tracks(
    hierarchy: &Hierarchy,
    joint: usize,
    keys: JointKeys,
    times: &Arc<[f32]>,
) -> Result<JointTracks, Error> {
    let joint = &hierarchy.joints[joint];
    let offset = Vec3::from_array(joint.offset.map(|part| part as f32));
    // A root's place is motion even where it never changes; another joint's may just repeat OFFSET.
    let repeats = joint.parent.is_some() && keys.translations.iter().all(|key| *key == offset);
    let translations = if repeats {
        Vec::new()
    } else {
        keys.translations
    };
    Ok(JointTracks {
        translation: track(times, translations, &joint.name)?,
        rotation: track(times, keys.rotations, &joint.name)?,
        scale: None,
    })
}

fn track<V: TrackValue>(
    times: &Arc<[f32]>,
    values: Vec<V>,
    joint: &str,
) -> Result<Option<Track<V>>, Error> {
    if values.is_empty() {
        return Ok(None);
    }
    Track::new(Interpolation::Linear, Arc::clone(times), values)
        .map(Some)
        .map_err(|error| {
            Error::malformed(
                error.to_string(),
                format!("MOTION, joint \"{joint}\""),
                "export the file again",
            )
        })
}
