//! A small generator of numbers (SplitMix64).

use glam::{DQuat, DVec3};

/// Numbers that look random and are the same for the same seed.
#[derive(Clone, Debug)]
pub struct Generator(u64);

impl Generator {
    /// Starts at a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x5851_f42d_4c95_7f2d)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An index below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }

    /// True in a share `chance` of the cases.
    pub fn chance(&mut self, chance: f64) -> bool {
        self.between(0.0, 1.0) < chance
    }

    /// A unit vector, all directions alike.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let vector = self.vector(1.0);
            let length = vector.length();
            if length > 0.1 && length <= 1.0 {
                return vector / length;
            }
        }
    }

    /// A vector with each part from `-size` to `size`.
    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(
            self.between(-size, size),
            self.between(-size, size),
            self.between(-size, size),
        )
    }

    /// A rotation by any angle about any axis.
    pub fn rotation(&mut self) -> DQuat {
        let axis = self.direction();
        DQuat::from_axis_angle(
            axis,
            self.between(-std::f64::consts::PI, std::f64::consts::PI),
        )
    }

    /// The numbers below `count` in some order.
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}
