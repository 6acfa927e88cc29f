//! Sample characters and clips: shaped, skinned and animated by this code, committed under `data/`.
//!
//! Three characters of clearly different build and convention, and six clips for the first of them
//! in which the planted feet stay exactly where they are.

mod adult;
mod arm_ik;
mod body;
mod brute;
mod carry;
mod chibi;
mod clap;
mod curve;
mod files;
mod foot;
mod gripping;
mod hand;
mod hard;
mod jump;
mod leg_ik;
mod lying;
mod polygonise;
mod puppet;
mod rig;
mod sdf;
mod sit_stand;
mod stairs;
mod touching;
mod walk;
mod wave;
mod weights;

pub use files::files;
pub use gripping::gripping_clips;
pub use hard::hard_clips;
pub use lying::lying_clips;
use rebone_model::{Character, Clip};
pub use stairs::{Climb, StepContact, stairs};
use std::sync::LazyLock;
pub use touching::{TOUCHING, TouchingClip, touching_clips};

/// A time in which a joint does not move, because the floor holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Joint of the skeleton of the adult.
    pub joint: usize,
    /// Time of the first key of the contact, seconds.
    pub start: f32,
    /// Time of the last key of the contact, seconds.
    pub end: f32,
}

/// A clip of the adult's skeleton, with what is known about its feet.
#[derive(Clone, Debug)]
pub struct SampleClip {
    /// The motion.
    pub clip: Clip,
    /// When which joint of the feet stands still.
    pub contacts: Vec<Contact>,
}

/// Three skinned characters of clearly different build and convention: `adult` (1.8 m, Mixamo's names
/// and axes, T-pose), `brute` (2 m and broad, Unreal's names and axes, A-pose, twist joints) and
/// `chibi` (1 m, big head, VRM 1.0 with labels). All face +Z and stand on y = 0.
pub fn characters() -> Vec<Character> {
    // Sculpting takes seconds without optimisation, and most tests of a program ask for it.
    static ALL: LazyLock<Vec<Character>> =
        LazyLock::new(|| vec![adult::adult(), brute::brute(), chibi::chibi()]);
    ALL.clone()
}

/// Motions of the adult's skeleton: `walk` (loops) and `jump` at 60 keys a second, `wave`,
/// `sit_stand`, `clap` and `carry` at 30.
pub fn clips() -> Vec<SampleClip> {
    static ALL: LazyLock<Vec<SampleClip>> = LazyLock::new(|| {
        let (quick, calm) = (puppet::Puppet::new(60.0), puppet::Puppet::new(30.0));
        vec![
            walk::walk(&quick),
            wave::wave(&calm),
            jump::jump(&quick),
            sit_stand::sit_stand(&calm),
            clap::clap(&calm),
            carry::carry(&calm),
        ]
    });
    ALL.clone()
}

#[cfg(test)]
mod tests;
