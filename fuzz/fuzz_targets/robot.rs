//! The reader of URDF and MJCF.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebone_fuzz::readers::robot(bytes));
