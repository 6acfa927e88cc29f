//! Files of any format, written in all formats and read again.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebone_fuzz::readers::round_trip(bytes));
