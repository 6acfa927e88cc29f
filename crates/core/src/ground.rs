//! What a person says about bodies on the floor.

/// How bodies that lie, sit, kneel or crawl are kept on the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundChoice {
    /// How much it counts: 0 leaves them as hips and limbs were transferred, 1 in full. Default 1.
    pub weight: f64,
}

impl Default for GroundChoice {
    fn default() -> Self {
        Self { weight: 1.0 }
    }
}
