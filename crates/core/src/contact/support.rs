//! Contacts that the main floor does not explain.

use super::detect::{DetectOptions, Interval};
use super::levels::{Bounds, Levels};
use super::paths::Paths;
use super::points::ContactPoints;

/// Feet on steps and slopes.
pub(super) fn other_heights(
    _paths: &Paths,
    _points: &ContactPoints,
    _feet: &[usize],
    _levels: &Levels,
    _bounds: &Bounds,
    _options: &DetectOptions,
    _found: &mut [Vec<Interval>],
) {
}

/// Hands, knees and seat.
pub(super) fn rest_of_body(
    _paths: &Paths,
    _points: &ContactPoints,
    _feet: &[usize],
    _levels: &Levels,
    _options: &DetectOptions,
    _found: &mut [Vec<Interval>],
) {
}
