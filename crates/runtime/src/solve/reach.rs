//! How far the end of a limb may be from its root.
//!
//! soft: up to `soft_from` of the whole length (or the limb's own length now, if that is more) the end reaches its goal;
//! beyond, d' approaches `most` of the length: d' = a + (m − a)(1 − exp(−(d − a)/(m − a))). The same below, towards
//! `least` of the length. Without a soft zone d' is d, cut off.
//!
//! The symbols are those of [`two_bone`](super::two_bone). Source: docs/laws.md, "Two-bone limb".

use crate::check::{Checked, ensure, is_share};
use crate::lanes::Lanes;
use rebone_model::elementary::Elementary as _;
use serde::{Deserialize, Serialize};

/// How long and how short a limb may get, as shares of the sum of its bones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    /// Longest. Default 0.9999.
    pub most: f32,
    /// Where the way to `most` begins to be slowed. Default 0.985; as `most` for none.
    pub soft_from: f32,
    /// Where the way to the shortest begins to be slowed, as a share of the way from the shortest that the bones allow.
    /// Default 0.12; 0 for none.
    pub fold_from: f32,
}

impl Reach {
    /// Stretched to the law's limit, without a soft zone.
    pub const HARD: Self = Self {
        most: 0.9999,
        soft_from: 0.9999,
        fold_from: 0.0,
    };

    /// Slowed at both ends.
    pub const SOFT: Self = Self {
        most: 0.9999,
        soft_from: 0.985,
        fold_from: 0.12,
    };

    /// True without a soft zone.
    pub(crate) fn is_hard(&self) -> bool {
        self.soft_from >= self.most
    }

    /// Between which lengths the end reaches its goal exactly; `now` is how far it is.
    pub fn free(&self, bones: [f32; 2], now: f32) -> [f32; 2] {
        let free = self.free_lanes(bones.map(Lanes::<1>::splat), Lanes::splat(now));
        free.map(|lengths| lengths[0])
    }

    /// How far the end may be from the root where the goal is at `wanted`; `now` is how far it is.
    pub fn length(&self, bones: [f32; 2], now: f32, wanted: f32) -> f32 {
        let bones = bones.map(Lanes::<1>::splat);
        self.length_lanes(bones, Lanes::splat(now), Lanes::splat(wanted))[0]
    }

    /// [`free`](Self::free) of many limbs.
    #[inline]
    pub(crate) fn free_lanes<const N: usize>(
        &self,
        [a, b]: [Lanes<N>; 2],
        now: Lanes<N>,
    ) -> [Lanes<N>; 2] {
        let (whole, least) = (a + b, (a - b).abs());
        if self.is_hard() {
            return [least, whole * self.most];
        }
        [
            (least + (whole - least) * self.fold_from).min(now.max(least)),
            (whole * self.soft_from).max(now.min(whole)),
        ]
    }

    /// [`length`](Self::length) of many limbs.
    #[inline]
    pub(crate) fn length_lanes<const N: usize>(
        &self,
        bones: [Lanes<N>; 2],
        now: Lanes<N>,
        wanted: Lanes<N>,
    ) -> Lanes<N> {
        let [short, from] = self.free_lanes(bones, now);
        let (is_far, is_near) = (wanted.cmpgt(from), wanted.cmplt(short));
        if !(is_far | is_near).any() {
            return wanted;
        }
        let [a, b] = bones;
        let (whole, least) = (a + b, (a - b).abs());
        let floor = least + (short - least) * 0.25;
        let (far_room, near_room) = (whole * self.most - from, short - floor);
        let beyond = Lanes::select(is_far, wanted - from, short - wanted);
        let room = Lanes::select(is_far, far_room, near_room);
        let exponents = -beyond / room;
        let slowed = room * (Lanes::ONE - exponents.map(f32::exponential));
        let has_room = room.cmpgt(whole * 1e-6);
        let far = Lanes::select(has_room, from + slowed, from);
        let near = Lanes::select(has_room, short - slowed, wanted.max(least));
        Lanes::select(is_far, far, Lanes::select(is_near, near, wanted))
    }
}

impl Default for Reach {
    fn default() -> Self {
        Self::SOFT
    }
}

impl Reach {
    pub(crate) fn check(&self) -> Checked {
        let all = [self.most, self.soft_from, self.fold_from];
        ensure(
            all.into_iter().all(is_share) && self.soft_from <= self.most,
            "the reach of a limb is no share of its length",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_slowed_without_a_step() {
        let bones = [0.45, 0.42];
        for now in [0.2, 0.6, 0.86, 0.87] {
            let mut last: Option<f32> = None;
            for step in 0..4000 {
                let length = Reach::SOFT.length(bones, now, step as f32 * 0.0004);
                assert!((0.03..=0.87).contains(&length), "{length}");
                if let Some(last) = last {
                    assert!((-1e-6..0.00041).contains(&(length - last)), "{now} {step}");
                }
                last = Some(length);
            }
        }
    }
}
