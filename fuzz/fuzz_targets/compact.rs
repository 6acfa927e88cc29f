//! Compact clips.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebone_fuzz::plans::compact(bytes));
