//! How the source's skeleton is laid into the target's skin: what fills [`Rebind`](rebone_runtime::rebind::Rebind), and the
//! character and the clips that a file then holds.

mod build;
mod character;
mod clips;
mod tree;

pub use build::{RetargetedBind, rebind};
pub use character::{Rebound, rebound_character};
pub use clips::{PlaceKeys, rebound_clip};
