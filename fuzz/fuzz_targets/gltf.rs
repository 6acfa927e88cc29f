//! The reader of glTF as JSON.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rebone_fuzz::readers::gltf(bytes));
