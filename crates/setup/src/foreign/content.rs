//! What a tool's map says, in the tool's own spelling of joints.

use super::Tool;
use std::collections::BTreeMap;

/// A map of another tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignMap {
    /// Whose it is.
    pub tool: Tool,
    /// What it says.
    pub content: Content,
}

/// What a map says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Joints of one rig by slot.
    Slots {
        /// Slot name to joint names, parent to child.
        slots: BTreeMap<String, Vec<String>>,
        /// Joints that have a place in the tool but no slot here: the tool's word and the joint.
        unknown: Vec<(String, String)>,
    },
    /// Chains of one rig.
    Chains {
        /// The joint that carries the travel.
        root: Option<String>,
        /// In the file's order.
        chains: Vec<Chain>,
    },
    /// Source joint and target joint, in the file's order.
    Pairs(Vec<(String, String)>),
    /// Names that a part of the body may have in either rig, in any case of letters.
    Names {
        /// Slot name to names; `torso` for all joints between hips and neck.
        parts: BTreeMap<String, Vec<String>>,
        /// Two names of joints that go together.
        pairs: Vec<(String, String)>,
        /// Words that are no known part, each with its names.
        unknown: Vec<(String, String)>,
    },
}

/// A chain of joints, known by its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The tool's name for it.
    pub name: String,
    /// Joint nearest to the body.
    pub start: String,
    /// Joint farthest from the body.
    pub end: String,
}

impl Content {
    /// True where no joint is named.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Slots { slots, unknown } => slots.is_empty() && unknown.is_empty(),
            Self::Chains { root, chains } => root.is_none() && chains.is_empty(),
            Self::Pairs(pairs) => pairs.is_empty(),
            Self::Names { parts, pairs, .. } => parts.is_empty() && pairs.is_empty(),
        }
    }
}
