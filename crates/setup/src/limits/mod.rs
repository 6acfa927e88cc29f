//! How far joints may turn: tables by slot, in degrees, whatever the axes of a rig's joints.
//!
//! A table says for each slot how far it turns away from the retarget pose, seen from the slot above, about three
//! axes of the body (`axes.rs`): its bend, to the side, and the twist along its length. Compiling makes a
//! [`LimitStage`](rebone_runtime::stage::LimitStage) of it, which works on the joints' own axes.

mod axes;
mod hinges;
mod learn;
mod resolve;
mod stage;

pub use axes::SlotAxes;
pub(crate) use hinges::hinges;
pub use learn::{LearntLimits, MARGIN_DEGREES, learn};
pub use resolve::limits;
pub use stage::seen;
pub(crate) use stage::stage;

pub use crate::limit_table::{
    JointLimit, LimitTable, LimitsChoice, LimitsRecipe, SOFT_DEGREES, SlotLimit, WIDEST_DEGREES,
    human,
};

use crate::profile::Slot;
use std::collections::BTreeMap;

/// Limits of a rig's slots.
pub type Limits = BTreeMap<Slot, JointLimit>;
