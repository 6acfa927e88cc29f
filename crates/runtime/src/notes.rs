//! What is seen while a clip is retargeted, for who reports on it.

use super::stage::{Stage, StageMemory};
use crate::contact::Contacts;
use glam::Vec3;
use std::sync::Arc;

/// A goal is out of reach where what was moved stays further from it than this share of its limb.
pub const REACHED: f32 = 0.01;

/// What was seen while a clip was retargeted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipNotes {
    /// Contacts of the source, where a stage that plants feet looked for them.
    pub contacts: Option<ClipContacts>,
    /// Goals that were out of reach. `None` where no stage of the plan has goals.
    pub reach: Option<ReachNotes>,
    /// Joints that were turned so that arms leave the body and bodies lie on the floor. `None` where none was.
    pub turned: Option<TurnedJoints>,
}

/// How arms were turned so that they leave the body, and trunk and arms so that they rest on the floor.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnedJoints {
    /// Seconds of the frames, rising.
    pub times: Arc<[f32]>,
    /// Each joint, and how it was turned in each frame: a rotation vector in the axes of the joint above, radians.
    pub joints: Vec<(usize, Vec<Vec3>)>,
}

impl TurnedJoints {
    /// How this joint was turned in the frame at this time, or in the one before; zero where it was not.
    pub fn turn(&self, joint: usize, seconds: f32) -> Vec3 {
        let frame = self.times.partition_point(|time| *time <= seconds);
        let own = self.joints.iter().find(|(own, _)| *own == joint);
        let turn = own.and_then(|(_, turns)| turns.get(frame.saturating_sub(1)));
        turn.copied().unwrap_or_default()
    }
}

/// Contacts with the times of their frames.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipContacts {
    /// Seconds of the frames, rising.
    pub times: Arc<[f32]>,
    /// What touches in them.
    pub contacts: Contacts,
}

/// How often goals were out of reach.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReachNotes {
    /// Frames in which a foot that stands, a hand or a pinned end stayed further than [`REACHED`] of its limb from its goal.
    pub missed: usize,
    /// All frames.
    pub frames: usize,
}

impl ClipNotes {
    /// Counts a frame that these stages have run on.
    pub(super) fn count(&mut self, stages: &[Stage], memories: &[StageMemory]) {
        let goals = stages.iter().zip(memories);
        let goals =
            goals.filter(|(stage, _)| stage.weight > 0.0 && stage.op.operation().has_goals());
        let off = goals.map(|(_, memory)| memory.off).reduce(f32::max);
        if let Some(off) = off {
            let reach = self.reach.get_or_insert_default();
            reach.frames += 1;
            reach.missed += usize::from(off > REACHED);
        }
    }

    /// Takes over what was seen of some of the stages; a frame of a clip that is run through twice (before a mirror and
    /// behind it) counts once, as missed where either missed more.
    pub(super) fn merge(&mut self, other: Self) {
        self.contacts = self.contacts.take().or(other.contacts);
        self.turned = self.turned.take().or(other.turned);
        self.reach = match (self.reach, other.reach) {
            (Some(one), Some(other)) => Some(ReachNotes {
                missed: one.missed.max(other.missed),
                frames: one.frames.max(other.frames),
            }),
            (one, other) => one.or(other),
        };
    }
}
