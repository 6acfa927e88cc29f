//! Profiles, and maps of other tools.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebone_fuzz::texts::map(bytes));
