//! Skeletons and clips through the whole pipeline.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebone_fuzz::pipeline::pipeline(bytes));
