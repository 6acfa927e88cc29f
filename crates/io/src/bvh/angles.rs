//! Rotations from angles, many frames at once.
//!
//! ```text
//! h = degrees * π / 360          half the angle
//! n = round(degrees / 180)       quarter turns of h
//! r = h - n * π / 2              |r| ≤ π/4, where short polynomials do
//! q = ∏ (sin h_k e_k + cos h_k)  e_k: axis of channel k, first channel leftmost
//! ```
//!
//! Sine: Taylor up to r⁹, error 2e-9; cosine: up to r¹⁰, error 1e-10. Both are far below the rounding
//! of the `f32` quaternion (3e-8). Angles beyond 1e9 degrees are brought into one turn first.

use super::channels::ChannelAxis;
use glam::Quat;

/// Frames that are turned into rotations together.
pub(super) const LANES: usize = 128;

/// The work space for up to [`LANES`] rotations.
pub(super) struct RotationLanes {
    degrees: [f64; LANES],
    sine: [f64; LANES],
    cosine: [f64; LANES],
    x: [f64; LANES],
    y: [f64; LANES],
    z: [f64; LANES],
    w: [f64; LANES],
}

impl RotationLanes {
    /// All zero.
    pub(super) fn new() -> Self {
        const ZERO: [f64; LANES] = [0.0; LANES];
        Self {
            degrees: ZERO,
            sine: ZERO,
            cosine: ZERO,
            x: ZERO,
            y: ZERO,
            z: ZERO,
            w: ZERO,
        }
    }

    /// Sets the first `count` rotations to the identity.
    pub(super) fn reset(&mut self, count: usize) {
        for part in [&mut self.x, &mut self.y, &mut self.z] {
            part[..count].fill(0.0);
        }
        self.w[..count].fill(1.0);
    }

    /// Multiplies the rotations from the right by rotations about `axis`, by an angle in degrees each.
    pub(super) fn turn(&mut self, axis: ChannelAxis, degrees: impl ExactSizeIterator<Item = f64>) {
        let count = degrees.len().min(LANES);
        let mut huge = false;
        for (lane, angle) in self.degrees[..count].iter_mut().zip(degrees) {
            *lane = angle;
            huge |= angle.abs() > 1e9;
        }
        if huge {
            for angle in &mut self.degrees[..count] {
                *angle %= 720.0;
            }
        }
        half_angles(
            &self.degrees[..count],
            &mut self.sine[..count],
            &mut self.cosine[..count],
        );
        let (along, next, last) = match axis {
            ChannelAxis::X => (&mut self.x, &mut self.y, &mut self.z),
            ChannelAxis::Y => (&mut self.y, &mut self.z, &mut self.x),
            ChannelAxis::Z => (&mut self.z, &mut self.x, &mut self.y),
        };
        let (along, next, last) = (&mut along[..count], &mut next[..count], &mut last[..count]);
        let w = &mut self.w[..count];
        let (sine, cosine) = (&self.sine[..count], &self.cosine[..count]);
        for lane in 0..count {
            let (s, c) = (sine[lane], cosine[lane]);
            let (a, b, d, e) = (along[lane], next[lane], last[lane], w[lane]);
            along[lane] = a * c + e * s;
            w[lane] = e * c - a * s;
            next[lane] = b * c + d * s;
            last[lane] = d * c - b * s;
        }
    }

    /// Appends the first `count` rotations, each with the sign nearer to the one before it.
    pub(super) fn append_to(&mut self, rotations: &mut Vec<Quat>, count: usize) {
        if count == 0 {
            return;
        }
        let [x, y, z, w] = [&self.x, &self.y, &self.z, &self.w].map(|part| &part[..count]);
        let before = rotations.last().copied().unwrap_or(Quat::IDENTITY);
        let before = before.as_dquat().to_array();
        let cosine = &mut self.cosine[..count];
        for lane in 1..count {
            cosine[lane] = x[lane - 1] * x[lane]
                + y[lane - 1] * y[lane]
                + z[lane - 1] * z[lane]
                + w[lane - 1] * w[lane];
        }
        cosine[0] = before[0] * x[0] + before[1] * y[0] + before[2] * z[0] + before[3] * w[0];
        // A flip lasts until the next one: the running sign is the product of all signs so far.
        let mut sign = 0;
        for value in cosine.iter_mut() {
            sign ^= value.to_bits() & (1 << 63);
            *value = f64::from_bits(sign | 1.0f64.to_bits());
        }
        rotations.extend((0..count).map(|lane| {
            let sign = cosine[lane];
            let [x, y, z, w] = [x, y, z, w].map(|part| (part[lane] * sign) as f32);
            Quat::from_xyzw(x, y, z, w)
        }));
    }
}

/// Sine and cosine of half of each angle.
fn half_angles(degrees: &[f64], sine: &mut [f64], cosine: &mut [f64]) {
    // Adding and subtracting this rounds to the nearest integer, which is then in the lowest bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const SINE: [f64; 4] = [-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5_040.0, 1.0 / 362_880.0];
    const COSINE: [f64; 5] = [
        -0.5,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40_320.0,
        -1.0 / 3_628_800.0,
    ];
    let count = degrees.len();
    let (sine, cosine) = (&mut sine[..count], &mut cosine[..count]);
    for lane in 0..count {
        let rounded = degrees[lane] * (1.0 / 180.0) + ROUND;
        let quarter = rounded.to_bits();
        let r = (degrees[lane] - (rounded - ROUND) * 180.0) * (std::f64::consts::PI / 360.0);
        let r2 = r * r;
        let s = r + r * r2 * (SINE[0] + r2 * (SINE[1] + r2 * (SINE[2] + r2 * SINE[3])));
        let c = 1.0
            + r2 * (COSINE[0]
                + r2 * (COSINE[1] + r2 * (COSINE[2] + r2 * (COSINE[3] + r2 * COSINE[4]))));
        let swapped = 0u64.wrapping_sub(quarter & 1);
        let (s, c) = (s.to_bits(), c.to_bits());
        let sine_bits = (s & !swapped) | (c & swapped);
        let cosine_bits = (c & !swapped) | (s & swapped);
        sine[lane] = f64::from_bits(sine_bits ^ ((quarter & 2) << 62));
        cosine[lane] = f64::from_bits(cosine_bits ^ ((quarter.wrapping_add(1) & 2) << 62));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_cosines_of_all_quadrants() {
        let degrees: Vec<f64> = (-20_000..20_000)
            .map(|step| f64::from(step) * 0.0731)
            .collect();
        let mut sine = vec![0.0; degrees.len()];
        let mut cosine = sine.clone();
        half_angles(&degrees, &mut sine, &mut cosine);
        for (lane, angle) in degrees.iter().enumerate() {
            let half = (angle / 2.0).to_radians();
            assert!((sine[lane] - half.sin()).abs() < 3e-9, "{angle}");
            assert!((cosine[lane] - half.cos()).abs() < 3e-9, "{angle}");
        }
    }

    #[test]
    fn product_is_in_channel_order_and_signs_are_continuous() {
        let mut lanes = RotationLanes::new();
        let angles: Vec<f64> = (0..100).map(|frame| f64::from(frame) * 17.0).collect();
        lanes.reset(100);
        lanes.turn(ChannelAxis::Z, angles.iter().copied());
        lanes.turn(ChannelAxis::X, angles.iter().map(|angle| angle * 0.5));
        lanes.turn(ChannelAxis::Y, angles.iter().map(|angle| 2.0 - angle));
        let mut rotations = Vec::new();
        lanes.append_to(&mut rotations, 100);
        for (angle, rotation) in angles.iter().zip(&rotations) {
            let radians = |degrees: f64| degrees.to_radians();
            let expected = glam::DQuat::from_rotation_z(radians(*angle))
                * glam::DQuat::from_rotation_x(radians(angle * 0.5))
                * glam::DQuat::from_rotation_y(radians(2.0 - angle));
            assert!(rotation.as_dquat().dot(expected).abs() > 1.0 - 1e-7);
        }
        assert!(rotations.windows(2).all(|pair| pair[0].dot(pair[1]) >= 0.0));
    }

    #[test]
    fn huge_angles_are_still_rotations() {
        let mut lanes = RotationLanes::new();
        lanes.reset(2);
        lanes.turn(ChannelAxis::X, [1e30, -3e38].into_iter());
        let mut rotations = Vec::new();
        lanes.append_to(&mut rotations, 2);
        assert!(rotations.iter().all(|rotation| rotation.is_normalized()));
    }
}
