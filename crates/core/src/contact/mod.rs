//! When a body touches what it stands, sits or leans on.
//!
//! A character has a few points that can touch: heels and balls of the feet, paws, hands, knees, the seat
//! ([`ContactPoints`]). A clip moves them ([`ContactMotion`]).

#[cfg(feature = "author")]
mod find;
mod motion;
mod points;

#[cfg(feature = "author")]
pub use find::contact_points;
pub use motion::ContactMotion;
pub use points::{ContactPoint, ContactPoints, Touch};
