//! Where the points of a body go in a clip.

use glam::Vec3;

/// The paths of the points of a body: canonical axes, file units, as in the clip (the floor need not be at 0).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactMotion {
    /// When, seconds, rising.
    pub times: Vec<f32>,
    /// For every point where it is at each time.
    pub points: Vec<Vec<Vec3>>,
    /// Where the hips are at each time; empty without hips.
    pub hips: Vec<Vec3>,
}
