//! What a person says about joints that slide along.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a joint slides along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SlideMode {
    /// In proportion to the bone's own length.
    #[default]
    Stretch,
    /// In proportion to the body.
    Scaled,
    /// As many metres.
    Absolute,
    /// As its source lies in its parent, turned to its own direction and scaled to its own length.
    OrientAndScale,
    /// Not at all.
    None,
}

impl SlideMode {
    /// All modes.
    pub const ALL: [Self; 5] = [
        Self::Stretch,
        Self::Scaled,
        Self::Absolute,
        Self::OrientAndScale,
        Self::None,
    ];
}

/// Modes by slot, by part, by joint of the target, or `all`; the more particular wins.
pub type SlideModes = BTreeMap<String, SlideMode>;
