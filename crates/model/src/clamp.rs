//! Bringing a number into a range, whatever the numbers are.

/// Brings a value into a range. Unlike the standard library's `clamp`, it never panics: computed bounds may
/// cross by a rounding error, or be NaN.
pub trait Clamp: PartialOrd + Sized {
    /// The nearest value in `low..=high`. Where `low` is above `high`, `high` wins. A bound that is NaN has no
    /// effect, and a value that is NaN stays NaN. In all other cases the bits are those of the standard `clamp`.
    #[must_use]
    fn clamped(self, low: Self, high: Self) -> Self {
        let value = if self < low { low } else { self };
        if value > high { high } else { value }
    }
}

impl Clamp for f32 {}
impl Clamp for f64 {}
impl Clamp for i32 {}
impl Clamp for u32 {}
impl Clamp for usize {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "what it is compared with")]
    fn equals_the_standard_clamp_where_that_does_not_panic() {
        for value in [-2.0_f32, -0.0, 0.0, 0.3, 1.0, 7.0, f32::NAN, f32::INFINITY] {
            for (low, high) in [(0.0, 1.0), (-0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)] {
                let expected = value.clamp(low, high).to_bits();
                assert_eq!(value.clamped(low, high).to_bits(), expected);
            }
        }
        assert_eq!(9.clamped(1, 5), 5);
    }

    #[test]
    fn bounds_that_cross_or_are_nan_do_not_panic() {
        assert_eq!(0.5_f32.clamped(1.0, 0.999_999_9), 0.999_999_9);
        assert_eq!(3.0_f64.clamped(1.0, 0.0), 0.0);
        assert_eq!(0.5_f32.clamped(f32::NAN, 0.25), 0.25);
        assert_eq!(0.5_f32.clamped(1.0, f32::NAN), 1.0);
        assert_eq!(3.clamped(5, 1), 1);
    }
}
