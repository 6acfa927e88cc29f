//! The second half of a BVH: the header of the motion, and its rows as tracks.

use super::angles::{LANES, RotationLanes};
use super::channels::{Channel, ChannelAxis};
use super::hierarchy::{FileJoint, Hierarchy};
use super::lexer::{Lexer, not_a_number, quoted};
use super::numbers::NumberStream;
use crate::error::Error;
use crate::limits::Limits;
use glam::{Quat, Vec3};
use rebone_model::Clamp as _;

/// Numbers that are read before they become rotations: few enough to stay in the cache.
const BLOCK_VALUES: usize = 6_144;

/// What stands between the word `MOTION` and the rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MotionHeader {
    /// `Frames:`, where it is a whole number.
    pub(super) frame_count: Option<u64>,
    /// `Frame Time:` as stated, seconds.
    pub(super) frame_time: Option<f64>,
    /// Byte offset of the first row.
    pub(super) rows_at: usize,
}

impl MotionHeader {
    /// Reads the header at byte `at`.
    pub(super) fn parse(bytes: &[u8], at: usize) -> Result<Self, Error> {
        let mut header = Self::default();
        let mut lexer = Lexer::at(bytes, at);
        loop {
            lexer.skip_space();
            header.rows_at = lexer.offset();
            if !lexer
                .peek_byte()
                .is_some_and(|byte| byte.is_ascii_alphabetic())
            {
                return Ok(header);
            }
            let word = lexer.peek_word();
            let letters = lexer.letters();
            if letters.eq_ignore_ascii_case(b"Frames") {
                let count = stated_number(&mut lexer)?;
                header.frame_count = count
                    .filter(|count| *count >= 0.0 && count.fract() == 0.0)
                    .map(|count| count as u64);
                continue;
            }
            if letters.eq_ignore_ascii_case(b"Frame") {
                lexer.skip_while(is_blank);
                if lexer.letters().eq_ignore_ascii_case(b"Time") {
                    header.frame_time = stated_number(&mut lexer)?;
                    continue;
                }
            } else if letters.eq_ignore_ascii_case(b"FrameTime") {
                header.frame_time = stated_number(&mut lexer)?;
                continue;
            }
            return Err(Error::malformed(
                format!("{} stands in the motion's header", quoted(word)),
                lexer.place_of(header.rows_at),
                "expected are the lines Frames: and Frame Time:, then only numbers",
            ));
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The number behind a colon on the same line; `None` where the line ends first.
fn stated_number(lexer: &mut Lexer<'_>) -> Result<Option<f64>, Error> {
    lexer.skip_while(is_blank);
    if lexer.peek_byte() == Some(b':') {
        lexer.skip_byte();
        lexer.skip_while(is_blank);
    }
    match lexer.peek_byte() {
        None | Some(b'\r' | b'\n') => Ok(None),
        Some(_) => lexer.number().map(Some),
    }
}

/// The keys of one joint; empty where it has no such channels.
#[derive(Clone, Debug, Default)]
pub(super) struct JointKeys {
    pub(super) translations: Vec<Vec3>,
    pub(super) rotations: Vec<Quat>,
}

/// The keys of all joints.
#[derive(Debug, Default)]
pub(super) struct Motion {
    /// Complete rows.
    pub(super) frame_count: usize,
    /// Numbers behind the last complete row.
    pub(super) left_over: usize,
    /// In file order.
    pub(super) joints: Vec<JointKeys>,
}

/// Reads all rows from byte `at` on. Where the lines end has no meaning.
pub(super) fn read_rows(
    bytes: &[u8],
    at: usize,
    hierarchy: &Hierarchy,
    limits: &Limits,
) -> Result<Motion, Error> {
    let columns = hierarchy.column_count;
    let mut stream = NumberStream::new(bytes, at);
    let mut motion = Motion {
        joints: vec![JointKeys::default(); hierarchy.joints.len()],
        ..Motion::default()
    };
    if columns == 0 {
        return Ok(motion);
    }
    let block_rows = (BLOCK_VALUES / columns).clamped(1, LANES);
    let mut block = vec![0.0; block_rows * columns];
    let mut lanes = RotationLanes::new();
    loop {
        let count = stream
            .fill(&mut block)
            .map_err(|bad| not_a_number(bytes, bad.at))?;
        let rows = count / columns;
        motion.left_over = count % columns;
        let values_before = motion.frame_count.saturating_mul(columns);
        if values_before.saturating_add(count) > limits.animation_values {
            return Err(Error::limit(
                format!(
                    "the motion has more than {} numbers",
                    limits.animation_values
                ),
                "MOTION",
                "raise the limit of animation values if the file is meant to be so large",
            ));
        }
        if motion.frame_count == 0 {
            // The first block tells how long a row is in bytes, and so how many rows to expect.
            let row_bytes = (bytes.len() - at - stream.remaining()) / rows.max(1);
            let expected = rows + stream.remaining() / row_bytes.max(2 * columns - 1) + rows / 4;
            reserve(&mut motion, hierarchy, expected);
        }
        motion.frame_count += rows;
        let block = &block[..rows * columns];
        if rows > 0 {
            for (joint, keys) in hierarchy.joints.iter().zip(&mut motion.joints) {
                append_keys(joint, keys, block, columns, &mut lanes);
            }
        }
        if count < block_rows * columns {
            return Ok(motion);
        }
    }
}

fn reserve(motion: &mut Motion, hierarchy: &Hierarchy, frames: usize) {
    for (joint, keys) in hierarchy.joints.iter().zip(&mut motion.joints) {
        let has = |wanted: fn(&Channel) -> bool| joint.channels.iter().any(wanted);
        if has(|channel| matches!(channel, Channel::Position(_))) {
            keys.translations.reserve(frames);
        }
        if has(|channel| matches!(channel, Channel::Rotation(_))) {
            keys.rotations.reserve(frames);
        }
    }
}

/// Appends the keys of at least one row.
fn append_keys(
    joint: &FileJoint,
    keys: &mut JointKeys,
    block: &[f64],
    columns: usize,
    lanes: &mut RotationLanes,
) {
    let rows = block.len() / columns;
    let column = |index: usize| block[index..].iter().step_by(columns).copied();
    let first_key = keys.translations.len();
    let mut has_rotation = false;
    for (index, channel) in (joint.first_column..).zip(&joint.channels) {
        match *channel {
            Channel::Position(axis) => {
                if keys.translations.len() == first_key {
                    let offset = Vec3::from_array(joint.offset.map(|part| part as f32));
                    keys.translations.resize(first_key + rows, offset);
                }
                let component = match axis {
                    ChannelAxis::X => 0,
                    ChannelAxis::Y => 1,
                    ChannelAxis::Z => 2,
                };
                for (key, value) in keys.translations[first_key..].iter_mut().zip(column(index)) {
                    key[component] = value as f32;
                }
            }
            Channel::Rotation(axis) => {
                if !has_rotation {
                    lanes.reset(rows);
                    has_rotation = true;
                }
                lanes.turn(axis, column(index));
            }
        }
    }
    if has_rotation {
        lanes.append_to(&mut keys.rotations, rows);
    }
}
