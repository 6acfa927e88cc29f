//! Laws of the transfer, tried on random characters and motions: what must hold whatever the rigs are.
//!
//! Seeds are fixed. The expected values come from the testkit's oracle, which knows the characters' true
//! bodies and shares no code with what is tested. Run with `--nocapture` to see the worst errors.

#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod alignment;
mod bake_limits;
mod calibration;
mod chains;
mod contacts;
mod conventions;
mod curves;
mod error_table;
mod formulas;
mod frames;
mod ground;
mod hands;
mod identity;
mod layers;
mod limits;
mod mirror;
mod mirror_stage;
mod pins;
mod poses_not_alike;
mod posing;
mod procedural;
mod rebind;
mod report;
mod report_legs;
mod roll;
mod root_motion;
mod simple_cases;
mod sliding;
mod structure;
mod travel;
mod twist;
mod weights;

use rebone_testkit::check::Worst;
use rebone_testkit::random::{
    Body, BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

/// A body with any joints, in any convention.
fn any_rigged(generator: &mut Generator, exact: bool) -> Rigged {
    let options = BodyOptions::random(generator, exact);
    let body = random_body(generator, &options);
    Rigged::new(&body, &random_convention(generator))
}

/// The same body in another convention.
fn again(generator: &mut Generator, rigged: &Rigged) -> Rigged {
    Rigged::new(&rigged.body, &random_convention(generator))
}

/// A motion of all joints of a character.
fn any_clip(generator: &mut Generator, rigged: &Rigged, keys: Keys) -> rebone_model::Clip {
    rigged.clip(&Motion::random(generator, &rigged.body), keys)
}

/// A body with all joints.
fn full_body(generator: &mut Generator) -> Body {
    random_body(generator, &BodyOptions::default())
}

/// Says how near the bound a law came.
fn say(what: &str, worst: &Worst) {
    eprintln!("{what}: {worst}");
}
