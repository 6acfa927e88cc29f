//! The tests of the command line in one program, which links a tenth as often as one program per file.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub
)]

mod align;
mod assets;
mod bad_input;
mod batch;
mod common;
mod contacts;
mod contract;
mod corpus;
mod creatures;
mod faults;
mod folders;
mod licences;
mod limits;
mod maps;
mod mirror;
mod motion;
mod overwriting;
mod readme;
mod rebind;
mod rebound_players;
mod recipe;
mod render;
mod report;
mod requests;
mod rest_choices;
mod round_trips;
mod settings;
mod studio;
mod takes;
mod vrm_players;
