//! When a body touches what it stands, sits or leans on.
//!
//! A character has a few points that can touch: heels and balls of the feet, paws, hands, knees, the seat
//! ([`ContactPoints`]). A clip moves them ([`ContactMotion`]), and
//! [`detect()`] finds when they touch ([`Contacts`]), the whole clip known; [`Watch`] tells it while a motion runs. What a person says about it
//! are [`ContactRules`].

mod detect;
mod in_place;
mod levels;
mod motion;
mod names;
mod paths;
mod points;
mod rules;
mod spans;
mod support;
mod watch;

pub use detect::{Contacts, DetectOptions, InPlace, Interval, detect};
pub use motion::ContactMotion;
pub use names::{POINTS, PointKind, TOUCHING};
pub use points::{ContactPoint, ContactPoints, Touch};
pub use rules::{ContactEdit, ContactRules, TouchSpan};
pub use watch::Watch;
