//! How far the end of a limb may be from its root (F5, E40).
//!
//! soft: up to `soft_from` of the whole length (or the limb's own length now, if that is more) the end reaches its goal;
//! beyond, d' approaches `most` of the length: d' = a + (m − a)(1 − exp(−(d − a)/(m − a))). The same below, towards
//! `least` of the length. Without a soft zone d' is d, cut off.
//!
//! Source: F5 of the project's motion notes, E40 of its algorithm notes; the symbols are those of [`two_bone`](super::two_bone).

use rebone_model::elementary::Elementary as _;

/// How long and how short a limb may get, as shares of the sum of its bones.
#[derive(Clone, Copy, Debug, PartialEq)]
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

    /// Between which lengths the end reaches its goal exactly; `now` is how far it is.
    pub fn free(&self, bones: [f32; 2], now: f32) -> [f32; 2] {
        let whole = bones[0] + bones[1];
        let least = (bones[0] - bones[1]).abs();
        if self.soft_from >= self.most {
            return [least, self.most * whole];
        }
        [
            (least + self.fold_from * (whole - least)).min(now.max(least)),
            (self.soft_from * whole).max(now.min(whole)),
        ]
    }

    /// How far the end may be from the root where the goal is at `wanted`; `now` is how far it is.
    pub fn length(&self, bones: [f32; 2], now: f32, wanted: f32) -> f32 {
        let whole = bones[0] + bones[1];
        let [short, from] = self.free(bones, now);
        let room = self.most * whole - from;
        if wanted > from {
            return if room > 1e-6 * whole {
                from + room * (1.0 - (-(wanted - from) / room).exponential())
            } else {
                from
            };
        }
        let least = (bones[0] - bones[1]).abs();
        let floor = least + 0.25 * (short - least);
        let room = short - floor;
        if wanted < short {
            return if room > 1e-6 * whole {
                short - room * (1.0 - (-(short - wanted) / room).exponential())
            } else {
                wanted.max(least)
            };
        }
        wanted
    }
}

impl Default for Reach {
    fn default() -> Self {
        Self::SOFT
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
