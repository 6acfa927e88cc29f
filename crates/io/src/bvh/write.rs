//! A clip into an existing BVH: its hierarchy stays byte for byte, its motion is new.

use super::channels::Channel;
use super::frames::{Frames, Sampled};
use super::hierarchy::{FileJoint, Hierarchy};
use super::text::{DECIMALS, length_decimals, push_frame_time, push_number};
use crate::document::Output;
use crate::error::Error;
use crate::euler::{EulerSolver, unit};
use crate::limits::Limits;
use glam::{DVec3, Vec3};
use rebone_model::bake::BakeLimits;
use rebone_model::usable::is_usable;
use rebone_model::{Character, Clip, JointTracks, Warning};

/// How a motion is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WriteOptions {
    /// Seconds a frame, above 0. Default `None`: the clip's own rate, else the usual spacing of its
    /// keys, else 1/30.
    pub frame_time: Option<f64>,
    /// Units of the file for one unit of the character: 100 writes metres as centimetres. Default 1.
    pub units_per_unit: f64,
    /// How many frames a clip may become. Default: see [`BakeLimits`].
    pub limits: BakeLimits,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            frame_time: None,
            units_per_unit: 1.0,
            limits: BakeLimits::default(),
        }
    }
}

impl WriteOptions {
    /// The scale, where it is one.
    pub(super) fn scale(&self) -> Result<f64, Error> {
        if self.units_per_unit.is_finite() && self.units_per_unit > 0.0 {
            return Ok(self.units_per_unit);
        }
        Err(Error::caller(
            format!("{} units for one cannot be written", self.units_per_unit),
            "units_per_unit",
            "choose a factor above zero",
        ))
    }
}

/// Rotations that are off by more than this are told, radians.
const TOLD_ANGLE: f64 = 1e-3;
/// Lengths that are off by more than this are told, relative to the body's size.
const TOLD_LENGTH: f64 = 1e-5;

/// Replaces the motion of the BVH file `target` by `clip`.
///
/// `character` is what [`read`](super::read) made of `target` (with the same axes; a uniform scale is
/// told by [`WriteOptions::units_per_unit`]), and `clip` is a motion of its skeleton. Everything in
/// front of the word `MOTION` stays byte for byte. The frames are regular, from the clip's first key
/// to its last, each angle near the one of the frame before. Joints without track are written in their
/// rest pose. What the file's channels cannot hold is left out with a warning: `bvh-channels-missing`
/// for rotations and movements, `bvh-scale-lost` for scale. In a file of several roots the other
/// roots' joints are written in their rest pose, with the warning `bvh-other-roots`.
///
/// Fails where `target` is no readable BVH or not the one that `character` came from.
pub fn write_clip_into(
    target: &[u8],
    character: &Character,
    clip: &Clip,
    options: &WriteOptions,
) -> Result<Output, Error> {
    let hierarchy = Hierarchy::parse(target, &Limits::default())?;
    let scale = options.scale()?;
    check_tracks(character, clip)?;
    let matches = match_joints(&hierarchy, character, scale)?;
    let frames = Frames::of(Some(clip), options)?;
    let mut warnings = Vec::new();
    if matches.iter().any(Option::is_none) {
        warnings.push(Warning::new(
            "bvh-other-roots",
            "the file has further roots; their joints are written in their rest pose",
            "split the file if the other characters' motion is needed",
        ));
    }
    let columns = hierarchy.column_count;
    let size = body_size(&hierarchy);
    let mut rows = vec![0.0; frames.times.len() * columns];
    for (joint, found) in hierarchy.joints.iter().zip(matches) {
        let empty = JointTracks::default();
        let tracks = found.map_or(&empty, |index| &clip.joints[index]);
        let rest = found.map_or(Vec3::ZERO, |index| {
            character.skeleton.joints()[index].rest.translation
        });
        let writer = ColumnWriter {
            joint,
            times: &frames.times,
            columns,
            scale,
            size,
        };
        let lacking = [
            writer.positions(tracks, found.map(|_| rest), &mut rows),
            writer.rotations(tracks, &mut rows),
        ];
        for message in lacking.into_iter().flatten() {
            warnings.push(
                Warning::new(
                    "bvh-channels-missing",
                    message,
                    "add channels to that joint in the target file if the loss shows",
                )
                .at_joint(joint.name.clone()),
            );
        }
        if let Some(warning) = scale_warning(tracks, Vec3::ONE, &joint.name) {
            warnings.push(warning);
        }
    }
    let hierarchy_end = hierarchy.motion.map_or(target.len(), |(at, _)| at);
    let mut bytes = target[..hierarchy_end].to_vec();
    let line_end = line_end_of(&bytes);
    if hierarchy.motion.is_none() && !bytes.ends_with(line_end) {
        bytes.extend_from_slice(line_end);
    }
    let decimals = column_decimals(&hierarchy, size);
    push_motion(&mut bytes, &frames, &rows, &decimals, line_end)?;
    Ok(Output { bytes, warnings })
}

/// Checks that a clip has one entry a joint.
pub(super) fn check_tracks(character: &Character, clip: &Clip) -> Result<(), Error> {
    let (tracks, joints) = (clip.joints.len(), character.skeleton.len());
    if tracks == joints {
        return Ok(());
    }
    Err(Error::caller(
        format!("the clip has {tracks} joints, the skeleton {joints}"),
        format!("clip \"{}\"", clip.name),
        "retarget the clip onto this skeleton first",
    ))
}

/// For each joint of the file the joint of the character; `None` for joints of other roots.
fn match_joints(
    hierarchy: &Hierarchy,
    character: &Character,
    scale: f64,
) -> Result<Vec<Option<usize>>, Error> {
    let mut matches = vec![None; hierarchy.joints.len()];
    let tolerance = 1e-4 * body_size(hierarchy) + 1e-6;
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        let found = hierarchy.joints.get(joint.node as usize);
        let same_name = found.is_some_and(|found| found.name == joint.name);
        let offset = found.map_or(DVec3::ZERO, |found| DVec3::from_array(found.offset));
        if !same_name {
            return Err(Error::caller(
                format!(
                    "the target file has no joint \"{}\" in this place",
                    joint.name
                ),
                "HIERARCHY",
                "write into the very file that the character was read from",
            ));
        }
        if (joint.rest.translation.as_dvec3() * scale - offset).length() > tolerance {
            return Err(Error::caller(
                format!(
                    "the rest pose of joint \"{}\" is not the file's OFFSET",
                    joint.name
                ),
                "HIERARCHY",
                "give character and clip in the file's axes, and units_per_unit where the unit differs",
            ));
        }
        matches[joint.node as usize] = Some(index);
    }
    Ok(matches)
}

/// Largest offset of a joint from its parent, root offsets left out as they may be anywhere.
fn body_size(hierarchy: &Hierarchy) -> f64 {
    let joints = hierarchy.joints.iter();
    let lengths = joints.flat_map(|joint| {
        let own = joint.parent.map(|_| joint.offset);
        [own, joint.end].into_iter().flatten()
    });
    lengths.fold(0.0, |size, offset| {
        size.max(DVec3::from_array(offset).length())
    })
}

/// Decimals of each column: those of lengths for positions, else those of angles.
fn column_decimals(hierarchy: &Hierarchy, size: f64) -> Vec<usize> {
    let lengths = length_decimals(size);
    let channels = hierarchy.joints.iter().flat_map(|joint| &joint.channels);
    channels
        .map(|channel| match channel {
            Channel::Position(_) => lengths,
            Channel::Rotation(_) => DECIMALS,
        })
        .collect()
}

/// A warning where a joint is scaled, which BVH cannot hold.
pub(super) fn scale_warning(tracks: &JointTracks, rest: Vec3, name: &str) -> Option<Warning> {
    let track = tracks.scale.as_ref()?;
    let is_scaled =
        (0..track.key_count()).any(|key| (track.key_value(key) - rest).abs().max_element() > 1e-4);
    is_scaled.then(|| {
        Warning::new(
            "bvh-scale-lost",
            "the joint's scale is animated, which BVH cannot hold",
            "write glTF if the scale matters",
        )
        .at_joint(name)
    })
}

/// Writes one joint's columns of all rows.
struct ColumnWriter<'a> {
    joint: &'a FileJoint,
    times: &'a [f32],
    columns: usize,
    scale: f64,
    size: f64,
}

impl ColumnWriter<'_> {
    fn channels(&self) -> impl Iterator<Item = (usize, Channel)> {
        (self.joint.first_column..).zip(self.joint.channels.iter().copied())
    }

    /// Returns what could not be written.
    fn positions(
        &self,
        tracks: &JointTracks,
        rest: Option<Vec3>,
        rows: &mut [f64],
    ) -> Option<String> {
        let offset = DVec3::from_array(self.joint.offset);
        let mut lacking = [true; 3];
        let sampled = Sampled::new(
            tracks.translation.as_ref(),
            rest.unwrap_or_default(),
            self.times,
        );
        let is_moved = rest.is_some() && tracks.translation.is_some();
        for (column, channel) in self.channels() {
            let Channel::Position(axis) = channel else {
                continue;
            };
            let axis = axis as usize;
            lacking[axis] = false;
            for (frame, row) in rows.chunks_exact_mut(self.columns).enumerate() {
                row[column] = if is_moved {
                    f64::from(sampled.at(frame)[axis]) * self.scale
                } else {
                    offset[axis]
                };
            }
        }
        if !is_moved {
            return None;
        }
        let off = sampled.values().iter().fold(0.0f64, |off, value| {
            let difference = (value.as_dvec3() * self.scale - offset).abs().to_array();
            let lost = difference.iter().zip(lacking).filter(|(_, lacks)| *lacks);
            lost.fold(off, |off, (part, _)| off.max(*part))
        });
        (off > TOLD_LENGTH * self.size.max(f64::MIN_POSITIVE)).then(|| {
            format!("the joint moves by up to {off:.4} units, but has no position channel for it")
        })
    }

    /// Returns what could not be written.
    fn rotations(&self, tracks: &JointTracks, rows: &mut [f64]) -> Option<String> {
        let (columns, order): (Vec<usize>, Vec<usize>) = self
            .channels()
            .filter_map(|(column, channel)| match channel {
                Channel::Rotation(axis) => Some((column, axis as usize)),
                Channel::Position(_) => None,
            })
            .unzip();
        let track = tracks.rotation.as_ref()?;
        let sampled = Sampled::new(Some(track), glam::Quat::IDENTITY, self.times);
        let mut solver = EulerSolver::new(&order);
        let mut degrees = vec![0.0; order.len()];
        let mut worst = 0.0f64;
        if columns.is_empty() {
            for rotation in sampled.values() {
                worst = worst.max(solver.solve(unit(rotation.as_dquat()), &mut degrees));
            }
        } else {
            for (frame, row) in rows.chunks_exact_mut(self.columns).enumerate() {
                let rotation = unit(sampled.at(frame).as_dquat());
                worst = worst.max(solver.solve(rotation, &mut degrees));
                for (column, angle) in columns.iter().zip(&degrees) {
                    row[*column] = *angle;
                }
            }
        }
        (worst > TOLD_ANGLE).then(|| {
            let off = worst.to_degrees();
            format!("the joint's rotation channels miss its rotation by up to {off:.1} degrees")
        })
    }
}

/// The way in which the last line of a text ends.
fn line_end_of(text: &[u8]) -> &'static [u8] {
    match memchr::memrchr2(b'\n', b'\r', text) {
        Some(at) if text[at] == b'\r' => b"\r",
        Some(at) if at > 0 && text[at - 1] == b'\r' => b"\r\n",
        _ => b"\n",
    }
}

/// Why a number is too large for a file that anybody reads: scales of ancestors are in a BVH's lengths.
pub(super) fn too_large(place: &str) -> Error {
    Error::caller(
        "a joint would lie beyond 1e18 units",
        place,
        "make the character smaller, or write glTF, which keeps its scales",
    )
}

/// Appends the motion: one number a column, rounded to the column's decimals. Fails where one is too large to be read.
pub(super) fn push_motion(
    bytes: &mut Vec<u8>,
    frames: &Frames,
    rows: &[f64],
    decimals: &[usize],
    line_end: &[u8],
) -> Result<(), Error> {
    if !rows.iter().all(|value| is_usable(*value as f32)) {
        return Err(too_large("MOTION"));
    }
    bytes.reserve(64 + rows.len() * 10);
    bytes.extend_from_slice(b"MOTION");
    bytes.extend_from_slice(line_end);
    bytes.extend_from_slice(format!("Frames: {}", frames.times.len()).as_bytes());
    bytes.extend_from_slice(line_end);
    bytes.extend_from_slice(b"Frame Time: ");
    push_frame_time(bytes, frames.frame_time);
    bytes.extend_from_slice(line_end);
    for row in rows.chunks_exact(decimals.len().max(1)) {
        for (column, (value, decimals)) in row.iter().zip(decimals).enumerate() {
            if column > 0 {
                bytes.push(b' ');
            }
            push_number(bytes, *value, *decimals);
        }
        bytes.extend_from_slice(line_end);
    }
    Ok(())
}
