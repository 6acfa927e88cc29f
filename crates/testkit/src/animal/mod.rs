//! Animals on four legs made by code, and a trot in which planted paws stay exactly where they are.
//!
//! All motion is in planes of constant X: legs swing to the front and back, the trunk nods. So a leg's places follow from
//! the law of cosines, and the truth about its contacts from the gait.

mod body;
mod leg;
mod trot;
mod write;

pub use body::{Animal, AnimalJoint, Build, Limb};
pub use trot::{PawContact, RATE_HZ, trot};
pub use write::Writing;

use glam::{DQuat, DVec3};

/// Turns since the standing pose and places of all joints, model space, canonical.
#[derive(Clone, Debug)]
pub struct Pose {
    /// What each joint has turned.
    pub turns: Vec<DQuat>,
    /// Where it is.
    pub places: Vec<DVec3>,
}
