//! The tests of the library in one program, which links a tenth as often as one program per file.

#![allow(
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub
)]

mod airborne;
mod bodies;
mod broken_meshes;
mod climbs;
mod common;
mod constant_errors;
mod contacts;
mod creature_shapes;
mod diagnoses;
mod feet;
mod files;
mod grips;
mod ground;
mod growing;
mod hand_links;
mod hands;
mod hard;
mod heading;
mod hidden_rest;
mod human_named_animals;
mod identity;
mod jumps;
mod kaykit;
mod layers;
mod legs_only;
mod limits;
mod lying;
mod matrix;
mod merging;
mod mirror;
mod motion_laws;
mod odd_input;
mod offsets;
mod pairs;
mod paws;
mod planted;
mod presets;
mod props;
mod rest_poses;
mod running;
mod same_rig;
mod skin_floor;
mod spread_legs;
mod t_pose_first;
mod touching;
mod unknown_kinds;
mod without_feet;
