//! Broken copies of every sample file of the project: cut off at any byte, and with bytes flipped. Readers
//! may refuse them or read what is left, but never panic.

use rebone_corpus::stride;
use rebone_io::{ReadOptions, read};
use std::path::Path;

fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "md"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    assert!(files.len() >= 11, "sample files are missing");
    files
}

/// Reads with meshes; the result does not matter.
fn survives(bytes: &[u8]) -> bool {
    let options = ReadOptions {
        meshes: true,
        ..ReadOptions::default()
    };
    read(bytes, &options, &|_| Err("nothing is beside it".to_owned())).is_ok()
}

#[test]
fn every_prefix_of_every_sample() {
    for (name, bytes) in samples() {
        let is_text = name.ends_with(".bvh");
        let mut read = 0;
        let mut cut = 0;
        while cut < bytes.len() {
            read += usize::from(survives(&bytes[..cut]));
            // Rows of numbers are all alike: in the long motion of a BVH a prime step visits every
            // place of a row sooner or later.
            cut += stride() * if is_text && cut > 16_000 { 397 } else { 1 };
        }
        println!("{name}: {read} prefixes could be read");
        assert!(
            is_text || read == 0,
            "{name}: a GLB that is cut off was accepted"
        );
    }
}

#[test]
fn flipped_bytes_of_every_sample() {
    for (name, bytes) in samples() {
        let mut copy = bytes.clone();
        let mut at = 0;
        while at < copy.len() {
            for mask in [0x01, 0x80, 0xFF] {
                copy[at] ^= mask;
                survives(&copy);
                copy[at] ^= mask;
            }
            // A dense sweep through headers and JSON, a wide one through the numbers behind.
            at += stride() * if at < 2_000 { 7 } else { 1_999 };
        }
        assert_eq!(copy, bytes, "{name}");
    }
}
