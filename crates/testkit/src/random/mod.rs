//! Random humanoid characters and motions, the same for the same seed on every machine.
//!
//! A [`Body`] is a person in a T-pose, in canonical space and metres. A [`Convention`] says how a file
//! writes such a body down: axes, units, containers, rest pose, joint axes, names, order. Both together
//! make a [`Rigged`] character with its true map. A [`Motion`] moves a body, and `Rigged::clip` writes
//! it down in the same convention.

mod body;
mod convention;
mod generator;
mod motion;
mod rigged;

pub use body::{Body, BodyJoint, BodyOptions, Place, random_body};
pub use convention::{Container, Convention, Stance, axis_conventions, random_convention};
pub use generator::Generator;
pub use motion::{Keys, Motion};
pub use rigged::Rigged;
