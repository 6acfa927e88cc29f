//! The limbs of a mapped body.

use super::Mapped;
use crate::align::limbs;
use crate::align::{LimbEnd, Placement};
use crate::profile::{Part, Side};
use glam::DVec3;

/// An arm or a leg.
#[derive(Clone, Copy)]
pub(super) struct Limb {
    pub(super) upper: usize,
    pub(super) lower: usize,
    /// Where it ends.
    pub(super) end: LimbEnd,
}

impl Limb {
    /// The limb of these parts; `places` are the joints of the body that stands. `None` where a part is missing, but for the foot of
    /// a leg that ends at its shin.
    pub(super) fn new(
        body: &Mapped<'_>,
        places: &[Placement],
        parts: [Part; 3],
        side: Side,
    ) -> Option<Self> {
        let [upper, lower, end] = parts;
        Some(Self {
            upper: limbs::joint(body.map, upper, side)?,
            lower: limbs::joint(body.map, lower, side)?,
            end: LimbEnd::new(body.character, body.map, places, end, side)?,
        })
    }

    /// Its joints; of a leg without a foot the shin twice.
    pub(super) fn joints(&self) -> [usize; 3] {
        [self.upper, self.lower, self.end.joint]
    }

    /// Where it begins, bends and ends.
    pub(super) fn at(&self, places: &[Placement]) -> [DVec3; 3] {
        let [upper, lower] = [self.upper, self.lower].map(|joint| places[joint].position);
        [upper, lower, self.end.at(places)]
    }

    /// False for a leg without a foot.
    pub(super) fn has_end(&self) -> bool {
        self.end.offset == DVec3::ZERO
    }

    /// η of a leg: that of its body, or 0 of one without a foot, which ends on the floor.
    pub(super) fn ankle_height(&self, of_body: f64) -> f64 {
        if self.has_end() { of_body } else { 0.0 }
    }
}
