//! Sines, roots, exponentials and turns with the same bits on every machine.
//!
//! What the language calls `sin` or `atan2` is whatever the C library of the system offers, and no two of them agree in the last
//! bit; nor do the turns of a vector library that is built on them. These are computed by one and the same code everywhere, that of
//! the crate `libm`, so that a retarget in a browser is the one of the command line, byte for byte. Square roots, rounding and
//! remainders are exact by the standard of floating point, and need no second name.
//!
//! ```text
//! about(u, φ)   = (u sin φ/2, cos φ/2)
//! about(v)      = about(v / |v|, |v|)                 the identity for v = 0
//! angle(p, q)   = 2 acos |p · q|
//! angle(a, b)   = acos (a · b / |a| |b|)
//! slerp(p, q, t) = (sin((1 - t) θ) p + sin(t θ) q) / sin θ,   θ = 2 atan2(|q - p|, |q + p|)
//! ```
//!
//! p, q: unit quaternions, q with the sign that is nearer to p; u: unit axis; φ, θ: radians. Where θ is next to nothing the straight
//! line is taken, which is the same there.

use crate::Clamp as _;
use glam::{DQuat, DVec3, Quat, Vec3};

/// Functions of a number, the same on every machine. Angles are radians.
pub trait Elementary: Copy {
    /// Sine.
    #[must_use]
    fn sine(self) -> Self;
    /// Cosine.
    #[must_use]
    fn cosine(self) -> Self;
    /// Sine and cosine.
    #[must_use]
    fn sine_cosine(self) -> (Self, Self);
    /// The angle with this sine, -π/2 to π/2; not a number beyond ±1.
    #[must_use]
    fn arc_sine(self) -> Self;
    /// The angle with this cosine, 0 to π; not a number beyond ±1.
    #[must_use]
    fn arc_cosine(self) -> Self;
    /// The angle of the point (`along`, `self`) about the origin, -π to π.
    #[must_use]
    fn arc_tangent(self, along: Self) -> Self;
    /// e to the power of this.
    #[must_use]
    fn exponential(self) -> Self;
    /// e to the power of this, less 1; exact near 0.
    #[must_use]
    fn exponential_less_one(self) -> Self;
    /// Natural logarithm.
    #[must_use]
    fn logarithm(self) -> Self;
    /// Logarithm to base 2.
    #[must_use]
    fn binary_logarithm(self) -> Self;
    /// Logarithm to base 10.
    #[must_use]
    fn decimal_logarithm(self) -> Self;
    /// This to a power.
    #[must_use]
    fn power(self, exponent: Self) -> Self;
    /// Cube root.
    #[must_use]
    fn cube_root(self) -> Self;
    /// Length of the vector (`self`, `other`).
    #[must_use]
    fn hypotenuse(self, other: Self) -> Self;
}

impl Elementary for f32 {
    fn sine(self) -> Self {
        libm::sinf(self)
    }
    fn cosine(self) -> Self {
        libm::cosf(self)
    }
    fn sine_cosine(self) -> (Self, Self) {
        libm::sincosf(self)
    }
    fn arc_sine(self) -> Self {
        libm::asinf(self)
    }
    fn arc_cosine(self) -> Self {
        libm::acosf(self)
    }
    fn arc_tangent(self, along: Self) -> Self {
        libm::atan2f(self, along)
    }
    fn exponential(self) -> Self {
        libm::expf(self)
    }
    fn exponential_less_one(self) -> Self {
        libm::expm1f(self)
    }
    fn logarithm(self) -> Self {
        libm::logf(self)
    }
    fn binary_logarithm(self) -> Self {
        libm::log2f(self)
    }
    fn decimal_logarithm(self) -> Self {
        libm::log10f(self)
    }
    fn power(self, exponent: Self) -> Self {
        libm::powf(self, exponent)
    }
    fn cube_root(self) -> Self {
        libm::cbrtf(self)
    }
    fn hypotenuse(self, other: Self) -> Self {
        libm::hypotf(self, other)
    }
}

impl Elementary for f64 {
    fn sine(self) -> Self {
        libm::sin(self)
    }
    fn cosine(self) -> Self {
        libm::cos(self)
    }
    fn sine_cosine(self) -> (Self, Self) {
        libm::sincos(self)
    }
    fn arc_sine(self) -> Self {
        libm::asin(self)
    }
    fn arc_cosine(self) -> Self {
        libm::acos(self)
    }
    fn arc_tangent(self, along: Self) -> Self {
        libm::atan2(self, along)
    }
    fn exponential(self) -> Self {
        libm::exp(self)
    }
    fn exponential_less_one(self) -> Self {
        libm::expm1(self)
    }
    fn logarithm(self) -> Self {
        libm::log(self)
    }
    fn binary_logarithm(self) -> Self {
        libm::log2(self)
    }
    fn decimal_logarithm(self) -> Self {
        libm::log10(self)
    }
    fn power(self, exponent: Self) -> Self {
        libm::pow(self, exponent)
    }
    fn cube_root(self) -> Self {
        libm::cbrt(self)
    }
    fn hypotenuse(self, other: Self) -> Self {
        libm::hypot(self, other)
    }
}

/// Rotations from angles, the same on every machine.
pub trait Turn: Copy {
    /// Of what its angles are.
    type Number;
    /// Of what its axes are.
    type Axis;
    /// About a unit axis.
    #[must_use]
    fn about(axis: Self::Axis, angle: Self::Number) -> Self;
    /// About X.
    #[must_use]
    fn about_x(angle: Self::Number) -> Self;
    /// About Y.
    #[must_use]
    fn about_y(angle: Self::Number) -> Self;
    /// About Z.
    #[must_use]
    fn about_z(angle: Self::Number) -> Self;
    /// About an axis by its length.
    #[must_use]
    fn about_scaled(axis: Self::Axis) -> Self;
    /// From here to `end` by the shorter arc; the fraction may lie outside 0 to 1.
    #[must_use]
    fn arc_to(self, end: Self, fraction: Self::Number) -> Self;
}

macro_rules! turn {
    ($quaternion:ty, $vector:ty, $number:ty) => {
        impl Turn for $quaternion {
            type Number = $number;
            type Axis = $vector;
            fn about(axis: $vector, angle: $number) -> Self {
                let (sine, cosine) = (0.5 * angle).sine_cosine();
                let along = axis * sine;
                Self::from_xyzw(along.x, along.y, along.z, cosine)
            }
            fn about_x(angle: $number) -> Self {
                let (sine, cosine) = (0.5 * angle).sine_cosine();
                Self::from_xyzw(sine, 0.0, 0.0, cosine)
            }
            fn about_y(angle: $number) -> Self {
                let (sine, cosine) = (0.5 * angle).sine_cosine();
                Self::from_xyzw(0.0, sine, 0.0, cosine)
            }
            fn about_z(angle: $number) -> Self {
                let (sine, cosine) = (0.5 * angle).sine_cosine();
                Self::from_xyzw(0.0, 0.0, sine, cosine)
            }
            fn about_scaled(axis: $vector) -> Self {
                let angle = axis.length();
                if angle == 0.0 {
                    return Self::IDENTITY;
                }
                Self::about(axis / angle, angle)
            }
            fn arc_to(self, end: Self, fraction: $number) -> Self {
                let end = if self.dot(end) < 0.0 { -end } else { end };
                let angle = (end - self).length().arc_tangent((end + self).length());
                let sine = (2.0 * angle).sine();
                // The sum below then has no digits left.
                if sine < <$number>::EPSILON {
                    return self * (1.0 - fraction) + end * fraction;
                }
                let first = (2.0 * angle * (1.0 - fraction)).sine() / sine;
                let last = (2.0 * angle * fraction).sine() / sine;
                self * first + end * last
            }
        }
    };
}

turn!(Quat, Vec3, f32);
turn!(DQuat, DVec3, f64);

/// The angle between two directions or two rotations, 0 to π, the same on every machine.
pub trait Angle: Copy {
    /// In radians. Not a number where a direction is zero.
    #[must_use]
    fn angle_apart(self, other: Self) -> f64;
}

impl Angle for DVec3 {
    fn angle_apart(self, other: Self) -> f64 {
        let lengths = (self.length_squared() * other.length_squared()).sqrt();
        (self.dot(other) / lengths).clamped(-1.0, 1.0).arc_cosine()
    }
}

impl Angle for DQuat {
    fn angle_apart(self, other: Self) -> f64 {
        2.0 * self.dot(other).abs().clamped(-1.0, 1.0).arc_cosine()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They are the functions of those names, to the last digits of a system's own.
    #[test]
    fn functions_are_what_they_are_called() {
        let near = |name: &str, x: f64, found: f64, known: f64| {
            let off = (found - known).abs() / known.abs().max(1.0);
            assert!(off < 4e-15, "{name} of {x}: {found} for {known}");
        };
        for step in -40..40 {
            let x = f64::from(step) * 0.13 + 0.01;
            near("sine", x, x.sine(), x.sin());
            near("cosine", x, x.cosine(), x.cos());
            near("exponential", x, x.exponential(), x.exp());
            near("less one", x, x.exponential_less_one(), x.exp_m1());
            near("cube root", x, x.cube_root(), x.cbrt());
            near("hypotenuse", x, x.hypotenuse(2.0), x.hypot(2.0));
            near("arc tangent", x, x.arc_tangent(-0.7), x.atan2(-0.7));
            let (share, positive) = (x / 6.0, x.abs());
            near("arc sine", share, share.arc_sine(), share.asin());
            near("arc cosine", share, share.arc_cosine(), share.acos());
            near("logarithm", positive, positive.logarithm(), positive.ln());
            near(
                "binary",
                positive,
                positive.binary_logarithm(),
                positive.log2(),
            );
            near(
                "decimal",
                positive,
                positive.decimal_logarithm(),
                positive.log10(),
            );
            near("power", positive, positive.power(0.3), positive.powf(0.3));
        }
    }

    #[test]
    fn turns_are_those_of_the_vector_library() {
        let axis = DVec3::new(0.36, -0.48, 0.8);
        for step in -30..30 {
            let angle = f64::from(step) * 0.21;
            let near =
                |one: DQuat, other: DQuat| assert!((one - other).length() < 1e-14, "{angle}");
            near(
                DQuat::about(axis, angle),
                DQuat::from_axis_angle(axis, angle),
            );
            near(DQuat::about_x(angle), DQuat::from_rotation_x(angle));
            near(DQuat::about_y(angle), DQuat::from_rotation_y(angle));
            near(DQuat::about_z(angle), DQuat::from_rotation_z(angle));
            near(
                DQuat::about_scaled(axis * angle),
                DQuat::from_scaled_axis(axis * angle),
            );
            let (first, last) = (DQuat::about_x(0.4), DQuat::about(axis, angle));
            let own = first.arc_to(last, 0.3);
            assert!((own.length() - 1.0).abs() < 1e-14);
            assert!(own.angle_apart(first.slerp(last, 0.3)) < 1e-7, "{angle}");
            assert!((first.angle_apart(last) - first.angle_between(last)).abs() < 1e-7);
        }
        assert_eq!(Quat::IDENTITY.arc_to(Quat::IDENTITY, 0.5), Quat::IDENTITY);
        assert_eq!(DQuat::about_scaled(DVec3::ZERO), DQuat::IDENTITY);
    }

    /// Bits that were written down once: another machine has the same.
    #[test]
    fn bits_are_known() {
        let bits = [
            1.234_f32.sine().to_bits(),
            0.777_f32.arc_cosine().to_bits(),
            (-2.5_f32).arc_tangent(0.3).to_bits(),
            3.3_f32.cube_root().to_bits(),
            (-0.4_f32).exponential().to_bits(),
        ];
        assert_eq!(bits, KNOWN);
    }

    const KNOWN: [u32; 5] = [
        0x3f71_9e12,
        0x3f2e_5023,
        0xbfb9_c668,
        0x3fbe_912e,
        0x3f2b_9a18,
    ];
}
