//! Broken FBX files end in a result or an error: no panic, within the time and memory that a person
//! would grant.
#![cfg(feature = "fbx")]
#![allow(unsafe_code, clippy::unwrap_used, clippy::print_stdout)]

use rebone_corpus::corpus;
use rebone_io::{Format, ReadOptions, fbx};
use std::alloc::{GlobalAlloc, Layout, System};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The longest that any one file may take. The builds that test are slower than those that ship.
const LONGEST: Duration = Duration::from_secs(5);
/// The most memory that any one file may hold at once, bytes.
const MOST_MEMORY: usize = 1 << 30;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Counts the memory that is held; ufbx takes its own from here, too.
struct Counting;

// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How long this thread has been working: not how long it waited for others on a busy machine. Where the system does not
/// tell, the time on the clock.
fn busy() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(
        || BEGIN.get_or_init(Instant::now).elapsed(),
        Duration::from_nanos,
    )
}

/// What the slowest and the largest file took.
#[derive(Default)]
struct Worst {
    time: Duration,
    memory: usize,
    slowest: String,
    largest: String,
    refused: usize,
    files: usize,
}

impl Worst {
    fn read(&mut self, name: &str, bytes: &[u8]) {
        for meshes in [false, true] {
            let options = ReadOptions {
                meshes,
                ..ReadOptions::default()
            };
            let before = HELD.load(Ordering::Relaxed);
            PEAK.store(before, Ordering::Relaxed);
            let start = busy();
            let result = fbx::read(bytes, &options, &|_| Err("not fetched".to_owned()));
            let time = busy().saturating_sub(start);
            let memory = PEAK.load(Ordering::Relaxed).saturating_sub(before);
            assert!(time < LONGEST, "{name}: {time:?}");
            assert!(memory < MOST_MEMORY, "{name}: {memory} bytes");
            self.files += 1;
            self.refused += usize::from(result.is_err());
            if let Err(error) = result {
                assert!(!error.to_string().is_empty());
            }
            if time > self.time {
                (self.time, self.slowest) = (time, name.to_owned());
            }
            if memory > self.memory {
                (self.memory, self.largest) = (memory, name.to_owned());
            }
        }
    }

    fn print(&self, what: &str) {
        println!(
            "{what}: {} readings, {} refused; slowest {:?} ({}), most memory {} KiB ({})",
            self.files,
            self.refused,
            self.time,
            self.slowest,
            self.memory >> 10,
            self.largest
        );
    }
}

/// Numbers without pattern, the same on every run.
struct Noise(u64);

impl Noise {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Many bones that turn by the same curve about two axes.
fn crowd(count: usize, times: &[f64]) -> String {
    let mut objects = String::new();
    let mut connections = String::from("C: \"OO\",2,1\n");
    for bone in 10..10 + count {
        objects += &format!(
            "Model: {bone}, \"Model::b{bone}\", \"LimbNode\" {{\n}}\nAnimationCurveNode: {bone}00000, \"AnimCurveNode::\", \"\" {{\n}}\n"
        );
        connections += &format!(
            "C: \"OO\",{bone},0\nC: \"OO\",{bone}00000,2\nC: \"OP\",{bone}00000,{bone}, \"Lcl Rotation\"\n\
             C: \"OP\",3,{bone}00000, \"d|X\"\nC: \"OP\",3,{bone}00000, \"d|Y\"\n"
        );
    }
    let length = times.len();
    let list = |value: &dyn Fn(usize) -> String| -> String {
        (0..length).map(value).collect::<Vec<_>>().join(",")
    };
    let ticks = list(&|key| ((times[key] * 46_186_158_000.0) as i64).to_string());
    let values = list(&|key| ((key * 77) % 90).to_string());
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\n\tFBXVersion: 7400\n}}\nObjects:  {{\n{objects}\
         AnimationStack: 1, \"AnimStack::a\", \"\" {{\n}}\nAnimationLayer: 2, \"AnimLayer::a\", \"\" {{\n}}\n\
         AnimationCurve: 3, \"AnimCurve::\", \"\" {{\n KeyTime: *{length} {{\n a: {ticks}\n }}\n\
         KeyValueFloat: *{length} {{\n a: {values}\n }}\n KeyAttrFlags: *1 {{\n a: 4\n }}\n\
         KeyAttrDataFloat: *4 {{\n a: 0,0,0,0\n }}\n KeyAttrRefCount: *1 {{\n a: {length}\n }}\n}}\n}}\n\
         Connections:  {{\n{connections}\n}}\n"
    )
}

/// One test, for the memory that is held is counted for the whole process.
#[test]
fn broken_files_end_in_time() {
    let Some(corpus) = corpus() else { return };
    let mut worst = Worst::default();
    let mut fuzzed: Vec<PathBuf> = std::fs::read_dir(corpus.join("ufbx/data/fuzz"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    fuzzed.sort();
    for path in fuzzed {
        worst.read(&path.display().to_string(), &std::fs::read(&path).unwrap());
    }
    worst.print("fuzzed");

    let mut worst = Worst::default();
    for file in [
        "ufbx/data/maya_game_sausage_7500_binary_combined.fbx",
        "ufbx/data/maya_game_sausage_7500_ascii_combined.fbx",
        "ufbx/data/maya_game_sausage_6100_binary_combined.fbx",
        "ufbx/data/maya_kenney_character_7700_binary.fbx",
        "ufbx/data/motionbuilder_sausage_rrss_7700_binary.fbx",
        "ufbx/data/maya_anim_layers_over_acc_orders_7500_ascii.fbx",
        "ufbx/data/maya_anim_extrapolation_7700_binary.fbx",
        "assimp/test/models/FBX/animation_with_skeleton.fbx",
    ] {
        let whole = std::fs::read(corpus.join(file)).unwrap();
        worst.read(file, &whole);
        let mut noise = Noise(0x9E37_79B9_7F4A_7C15);
        for round in 0..24 {
            let name = format!("{file}, damage {round}");
            let mut bytes = whole.clone();
            match round % 4 {
                0 => bytes.truncate(noise.below(whole.len())),
                1 => {
                    for _ in 0..8 {
                        let at = noise.below(bytes.len());
                        bytes[at] ^= 1 << noise.below(8);
                    }
                }
                2 => {
                    for _ in 0..64 {
                        let at = noise.below(bytes.len());
                        bytes[at] = noise.below(256) as u8;
                    }
                }
                _ => {
                    let (from, to) = (noise.below(bytes.len()), noise.below(bytes.len()));
                    let length = noise.below(400).min(bytes.len() - from.max(to));
                    let piece = bytes[from..from + length].to_vec();
                    bytes[to..to + length].copy_from_slice(&piece);
                }
            }
            worst.read(&name, &bytes);
        }
    }
    worst.print("damaged");

    let mut worst = Worst::default();
    worst.read("one curve for many", crowd(2_000, &[0.0, 1e6]).as_bytes());
    let dense: Vec<f64> = (0..20_000).map(|key| f64::from(key) * 0.1).collect();
    worst.read("one long curve for many", crowd(2_000, &dense).as_bytes());
    worst.print("crowds");

    // What a transfer as text does to a binary file is said in words.
    let mut bytes = std::fs::read(corpus.join("ozz/media/fbx/pab/walk.fbx")).unwrap();
    for byte in &mut bytes {
        *byte = if *byte == 0 { b' ' } else { *byte };
    }
    assert_eq!(Format::detect(&bytes), Ok(Format::Fbx));
    let error = fbx::read(&bytes, &ReadOptions::default(), &|_| Err(String::new())).unwrap_err();
    assert!(error.to_string().contains("text-mode transfer"), "{error}");
}
