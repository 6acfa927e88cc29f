//! Numbers that readers accept and writers write.

use glam::Vec3;

/// The largest number that readers accept and writers write, in any unit. Squares of larger ones overflow.
pub const LARGEST: f32 = 1e18;

/// True for a number that is finite and not above [`LARGEST`].
pub fn is_usable(number: f32) -> bool {
    // False for NaN too.
    number.abs() <= LARGEST
}

/// True where all parts of a vector are usable.
pub fn is_usable_vector(vector: Vec3) -> bool {
    vector.abs().max_element() <= LARGEST && !vector.is_nan()
}
