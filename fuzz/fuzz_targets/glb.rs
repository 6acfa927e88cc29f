//! The reader of GLB, VRM and VRMA.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebone_fuzz::readers::glb(bytes));
