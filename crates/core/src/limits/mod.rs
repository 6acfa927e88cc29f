//! How far joints may turn: tables by slot, in degrees, whatever the axes of a rig's joints.
//!
//! A table says for each slot how far it turns away from the retarget pose, seen from the slot above, about three
//! axes of the body (`axes.rs`): its bend, to the side, and the twist along its length. Compiling makes a
//! [`LimitStage`](crate::runtime::LimitStage) of it, which works on the joints' own axes.

mod axes;
mod hinges;
mod learn;
mod resolve;
mod stage;
mod table;

pub use axes::SlotAxes;
pub(crate) use hinges::hinges;
pub use learn::{LearntLimits, MARGIN_DEGREES, learn};
pub use resolve::limits;
pub(crate) use stage::stage;
pub(crate) use table::TypedLimit;
pub use table::{LimitTable, LimitsChoice, SlotLimit, human};

use crate::profile::Slot;
use std::collections::BTreeMap;

/// The soft zone of a limit that states none, degrees.
pub const SOFT_DEGREES: f64 = 10.0;

/// The widest swing of a ball joint away from the middle of its limits, degrees.
pub const WIDEST_DEGREES: f64 = 150.0;

/// Limits of a rig's slots.
pub type Limits = BTreeMap<Slot, JointLimit>;

/// How far one slot may turn, degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// Bend and side are each held in their range, instead of both together in a cone. Default false.
    pub hinge: bool,
    /// Bend and side of the direction from which those of a ball joint count. Default 0, 0: the retarget pose.
    pub from: [f64; 2],
    /// Least and most bend.
    pub bend: [f64; 2],
    /// Least and most turn to the side.
    pub side: [f64; 2],
    /// Least and most twist; from -180 to 180 for any.
    pub twist: [f64; 2],
    /// How far beyond the limits at most: what is further is squeezed into this zone. 0 stops hard.
    pub soft: f64,
}

impl JointLimit {
    /// Any turn at all is inside.
    pub const FREE: Self = Self {
        hinge: false,
        from: [0.0; 2],
        bend: [-WIDEST_DEGREES, WIDEST_DEGREES],
        side: [-WIDEST_DEGREES, WIDEST_DEGREES],
        twist: [-180.0, 180.0],
        soft: SOFT_DEGREES,
    };

    /// The limits of a part of a chain that takes this share of the whole.
    fn share(&self, share: f64) -> Self {
        let part = |range: [f64; 2]| range.map(|angle| share * angle);
        Self {
            from: part(self.from),
            bend: part(self.bend),
            side: part(self.side),
            twist: part(self.twist),
            ..*self
        }
    }

    /// The limits of two joints in one, as far as degrees allow.
    fn with(&self, other: &Self) -> Self {
        let sum = |own: [f64; 2], other: [f64; 2], most: f64| {
            [
                (own[0] + other[0]).max(-most),
                (own[1] + other[1]).min(most),
            ]
        };
        Self {
            bend: sum(self.bend, other.bend, WIDEST_DEGREES),
            side: sum(self.side, other.side, WIDEST_DEGREES),
            twist: sum(self.twist, other.twist, 180.0),
            ..*self
        }
    }
}
