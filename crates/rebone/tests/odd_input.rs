//! Files with odd numbers: each ends in a result or in an error, without a panic, and every result can be read again.

use crate::common::retarget;
use rebone::model::check::{check_character, check_clip};
use rebone::opening::Opening;
use rebone::runtime::asset::{read_asset, write_asset};
use rebone::{
    Character, Clip, Error, Format, InputFile, ReadOptions, Recipe, Retarget, Rig, Role, Warning,
    apply_asset, read, write,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(root().join("data").join(name)).unwrap()
}

fn no_files(uri: &str) -> Result<Vec<u8>, String> {
    Err(format!("no {uri}"))
}

fn rig(bytes: &[u8], role: Role) -> Result<Rig, Error> {
    InputFile::new("odd", bytes.to_vec()).rig(&Opening::new(role))
}

/// What came of a pair: how far it went before an error, if there was one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Read,
    Retargeted,
    Written,
}

/// Takes a pair through everything that a person can do with it. Whatever is written must be readable.
fn try_pair(source: &[u8], target: &[u8]) -> Stage {
    let (Ok(from), Ok(to)) = (rig(source, Role::Source), rig(target, Role::Target)) else {
        return Stage::Read;
    };
    let recipe = Recipe::default();
    if let Ok((asset, _)) = Retarget::new(&from, &to).compile()
        && let Ok(bytes) = write_asset(&asset)
    {
        let again = read_asset(&bytes).unwrap();
        if let Ok(made) = apply_asset(&again, &from, &[]) {
            written_is_readable(&made);
        }
    }
    let Ok(result) = retarget(&from, &to, &[], &recipe) else {
        return Stage::Read;
    };
    let clips: Vec<Clip> = result.clips.into_iter().map(|made| made.clip).collect();
    for clip in &clips {
        assert_eq!(check_clip(clip), Ok(()));
    }
    let mut stage = Stage::Retargeted;
    for format in [Format::Glb, Format::Gltf, Format::Fbx, Format::Bvh] {
        let one = &clips[..clips.len().min(1)];
        if let Ok(output) = write(&to, one, format) {
            // The target's own animation stays what it is.
            check_readable(&output.bytes, format, times_are_odd(&to.warnings));
            stage = Stage::Written;
        }
    }
    stage
}

fn written_is_readable(character: &Character) {
    for format in [Format::Glb, Format::Fbx] {
        if let Ok(output) = rebone::output::write_character(character, format) {
            check_readable(&output.bytes, format, false);
        }
    }
}

fn times_are_odd(warnings: &[Warning]) -> bool {
    warnings
        .iter()
        .any(|warning| warning.code.starts_with("times-"))
}

fn check_readable(bytes: &[u8], format: Format, may_be_odd: bool) {
    let document = read(bytes, &ReadOptions::default(), &no_files)
        .unwrap_or_else(|error| panic!("{}: {error}", format.name()));
    let is_odd = times_are_odd(&document.warnings);
    assert!(
        may_be_odd || !is_odd,
        "{}: {:?}",
        format.name(),
        document.warnings
    );
    for character in &document.characters {
        assert_eq!(check_character(character), Ok(()), "{}", format.name());
    }
}

/// Every file that once broke the program, as source and as target.
#[test]
fn files_that_broke_the_program_end_in_a_result_or_an_error() {
    let folder = root().join("fuzz/corpus/broken");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 14);
    let (walk, brute) = (sample("walk.bvh"), sample("brute.glb"));
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let started = std::time::Instant::now();
        let stages = (
            try_pair(&bytes, &brute),
            try_pair(&walk, &bytes),
            try_pair(&bytes, &bytes),
        );
        let seconds = started.elapsed().as_secs_f32();
        println!("{}: {stages:?}, {seconds:.2} s", path.display());
        for meshes in [false, true] {
            let options = ReadOptions {
                meshes,
                ..ReadOptions::default()
            };
            if let Ok(document) = read(&bytes, &options, &no_files) {
                for character in &document.characters {
                    assert_eq!(check_character(character), Ok(()), "{}", path.display());
                    let weights = character.meshes.iter().flat_map(|mesh| &mesh.joint_weights);
                    let mut sums = weights.map(|weights| weights.iter().sum::<f32>());
                    assert!(
                        sums.all(|sum| (sum - 1.0).abs() < 1e-3),
                        "{}",
                        path.display()
                    );
                    written_is_readable(character);
                }
            }
        }
        assert!(seconds < 20.0, "{}", path.display());
    }
}

/// A frame that lasts for more than a day.
#[test]
fn years_of_bvh_are_refused() {
    let walk = String::from_utf8(sample("walk.bvh")).unwrap();
    let (before, after) = walk.split_once("Frame Time:").unwrap();
    let after = after.split_once('\n').unwrap().1;
    let slow = format!("{before}Frame Time: 100000\n{after}");
    let (from, to) = (
        rig(slow.as_bytes(), Role::Source).unwrap(),
        rig(&sample("brute.glb"), Role::Target).unwrap(),
    );
    let error = retarget(&from, &to, &[], &Recipe::default()).unwrap_err();
    assert_eq!(error.code(), "too-many-frames");
    assert!(error.to_string().contains("lasts 13200000 s"), "{error}");
}

/// A plan of characters of odd sizes is refused when it is written, not when it is read.
#[test]
fn plans_that_could_not_be_read_are_not_written() {
    let (walk, brute) = (sample("walk.bvh"), sample("brute.glb"));
    let (from, to) = (
        rig(&walk, Role::Source).unwrap(),
        rig(&brute, Role::Target).unwrap(),
    );
    let (mut asset, _) = Retarget::new(&from, &to).compile().unwrap();
    assert!(write_asset(&asset).is_ok());
    let travel = asset.plan.travel.as_mut().unwrap();
    travel.offset.x = f32::INFINITY;
    let error = write_asset(&asset).unwrap_err();
    assert!(error.to_string().contains("not finite"), "{error}");
}

/// Numbers as broken exporters and mutations make them.
const ODD: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-45,
    1e-38,
    1e-20,
    1e-8,
    1e4,
    1e10,
    1e17,
    9e17,
    -1e15,
    1e19,
    3e38,
    0.999_999_9,
];

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }
}

/// Replaces some numbers of a GLB, in its text and in its binary part.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut json = String::from_utf8(bytes[20..20 + length].to_vec()).unwrap();
    let mut bin = bytes.get(28 + length..).unwrap_or_default().to_vec();
    let in_text = random.below(3);
    for _ in 0..in_text {
        let end = json.find("\"accessors\"").unwrap_or(json.len());
        let starts: Vec<usize> = json[..end].match_indices('[').map(|(at, _)| at).collect();
        let at = starts[random.below(starts.len())] + 1;
        let list = &json[at..at + json[at..].find(']').unwrap()];
        let parts: Vec<&str> = list.split(',').collect();
        if parts.len() < 3 || parts.iter().any(|part| part.trim().parse::<f32>().is_err()) {
            continue;
        }
        let mut parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        let place = random.below(parts.len());
        parts[place] = ODD[random.below(ODD.len())].to_string();
        json.replace_range(at..at + list.len(), &parts.join(","));
    }
    let in_bin = if in_text == 0 {
        1 + random.below(4)
    } else {
        random.below(3)
    };
    for _ in 0..in_bin {
        let at = 4 * random.below(bin.len() / 4);
        let run = [1, 1, 1, 4, 40][random.below(5)];
        let number = ODD[random.below(ODD.len())];
        for place in (at..bin.len().saturating_sub(3)).step_by(4).take(run) {
            bin[place..place + 4].copy_from_slice(&number.to_le_bytes());
        }
    }
    let mut text = json.into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let word = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    let mut out = [*b"glTF", word(2), word(28 + text.len() + bin.len())].concat();
    out.extend([word(text.len()), *b"JSON"].as_flattened());
    out.extend(&text);
    out.extend([word(bin.len()), *b"BIN\0"].as_flattened());
    out.extend(bin);
    out
}

/// Samples with some of their numbers replaced. `REBONE_ODD_INPUTS` says how many (default 120) and
/// `REBONE_ODD_SEED` where they begin.
#[test]
fn odd_numbers_end_in_a_result_or_an_error() {
    let number = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (count, first) = (
        number("REBONE_ODD_INPUTS", 120),
        number("REBONE_ODD_SEED", 0),
    );
    let broken = |name: &str| std::fs::read(root().join("fuzz/corpus/broken").join(name)).unwrap();
    let walk = sample("walk.bvh");
    let sources = [
        sample("wave.glb"),
        broken("duplicate_times.glb"),
        sample("clap.glb"),
    ];
    let targets = [
        broken("shell_panic_1.glb"),
        broken("zero_shin_panic.glb"),
        sample("brute.glb"),
    ];
    let (mut reached, mut problems) = ([0; 3], Vec::new());
    for seed in first..first + count {
        let random = &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 77);
        let result = catch_unwind(AssertUnwindSafe(|| match seed % 2 {
            0 => try_pair(&mutated(&sources[random.below(3)], random), &targets[2]),
            _ => try_pair(&walk, &mutated(&targets[random.below(3)], random)),
        }));
        match result {
            Ok(stage) => reached[stage as usize] += 1,
            Err(_) => problems.push(seed),
        }
    }
    println!("{reached:?}");
    assert!(problems.is_empty(), "seeds {problems:?}");
    assert!(reached[Stage::Written as usize] > 0, "{reached:?}");
}
