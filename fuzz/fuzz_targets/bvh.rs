//! The reader of BVH.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebone_fuzz::readers::bvh(bytes));
