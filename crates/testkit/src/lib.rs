//! rebone-testkit

pub mod sample;
