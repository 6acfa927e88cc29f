//! Many clips onto many characters: whatever happens in between, the results are those of an undisturbed run.

use crate::common::{Run, Scratch, data, rebone_as_typed};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// A folder with eight motions, one of them in a folder of its own.
fn motions() -> Scratch {
    let folder = Scratch::new();
    std::fs::create_dir(folder.path("more")).unwrap();
    for (name, sample) in [
        ("carry.bvh", "carry.bvh"),
        ("clap.glb", "clap.glb"),
        ("jump.bvh", "jump.bvh"),
        ("sit.glb", "sit_stand.glb"),
        ("walk.bvh", "walk.bvh"),
        ("walk2.glb", "walk.glb"),
        ("wave.bvh", "wave.bvh"),
        ("more/walk.bvh", "walk.bvh"),
    ] {
        std::fs::copy(data(sample), folder.path(name)).unwrap();
    }
    folder
}

fn batch(motions: &Scratch, out: &str, more: &[&str]) -> Run {
    let (from, brute, chibi) = (motions.path(""), data("brute.glb"), data("chibi.vrm"));
    let base = [
        "batch",
        &from,
        "--recursive",
        "-t",
        &brute,
        "-t",
        &chibi,
        "-o",
        out,
    ];
    rebone_as_typed(base.iter().chain(more))
}

/// Every result by its path, without manifests.
fn tree(folder: &str) -> BTreeMap<String, Vec<u8>> {
    fn collect(folder: &Path, prefix: &str, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
            if entry.path().is_dir() {
                collect(&entry.path(), &format!("{name}/"), found);
            } else if !name.ends_with(".jsonl") {
                found.insert(name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(Path::new(folder), "", &mut found);
    found
}

fn assert_same_tree(one: &str, other: &str) {
    let (one, other) = (tree(one), tree(other));
    let names = |tree: &BTreeMap<String, Vec<u8>>| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{name} differs");
    }
}

fn manifest(folder: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(format!("{folder}/manifest.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn broken_files_are_told_and_stop_nothing() {
    let (motions, scratch) = (motions(), Scratch::new());
    motions.file(
        "broken.glb",
        &std::fs::read(data("walk.glb")).unwrap()[..3000],
    );
    motions.file("empty.bvh", b"");
    motions.file("readme.txt", b"no motion");
    std::fs::copy(data("adult.glb"), motions.path("still.glb")).unwrap();
    let out = scratch.path("out");
    let run = batch(&motions, &out, &["--json"]);
    assert_eq!(run.code, 2);
    let document = run.json();
    assert_eq!(document["schema"], 1);
    assert_eq!(document["jobs"], 22, "{document}");
    assert_eq!(
        document["without_motion"], 2,
        "a character among motions is no error"
    );
    let failed = document["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 4, "two files on two targets");
    for failure in failed {
        let source = failure["source"].as_str().unwrap();
        assert!(source.ends_with("broken.glb") || source.ends_with("empty.bvh"));
    }
    let sum: u64 = ["pass", "look", "fail"]
        .iter()
        .map(|name| document[name].as_u64().unwrap())
        .sum();
    assert_eq!(sum, 16);
    let results = tree(&out);
    let mut names: Vec<&str> = results.keys().map(String::as_str).collect();
    names.retain(|name| name.starts_with("chibi/"));
    assert_eq!(
        names,
        [
            "chibi/carry.vrm",
            "chibi/clap.vrm",
            "chibi/jump.vrm",
            "chibi/more/walk.vrm",
            "chibi/sit.vrm",
            "chibi/walk.vrm",
            "chibi/walk2.vrm",
            "chibi/wave.vrm"
        ]
    );
    // Each result is that of a retarget alone.
    let alone = scratch.path("alone.vrm");
    rebone_as_typed([
        "retarget",
        &data("jump.bvh"),
        &data("chibi.vrm"),
        "-o",
        &alone,
    ])
    .done();
    assert!(results["chibi/jump.vrm"] == std::fs::read(alone).unwrap());

    let lines = manifest(&out);
    assert_eq!(lines.len(), 22);
    for line in &lines {
        for key in ["source_sha256", "target_sha256", "recipe_sha256"] {
            let is_hash = line[key].as_str().is_some_and(|hash| hash.len() == 64);
            assert!(is_hash, "{key}: {line}");
        }
        assert!(line["seconds"].is_f64() && line["warnings"].is_array());
        assert_eq!(line["verdict"].is_null(), line["error"].is_object());
    }
}

#[test]
fn what_is_up_to_date_is_skipped_and_what_changed_is_not() {
    let (motions, scratch) = (motions(), Scratch::new());
    let out = scratch.path("out");
    batch(&motions, &out, &[]).done();
    let old = SystemTime::now() - Duration::from_secs(3600);
    let age = |name: &str| {
        let file = std::fs::OpenOptions::new()
            .write(true)
            .open(format!("{out}/{name}"))
            .unwrap();
        file.set_modified(old).unwrap();
    };
    let is_old = |name: &str| {
        let about = std::fs::metadata(format!("{out}/{name}")).unwrap();
        about.modified().unwrap() < old + Duration::from_secs(60)
    };
    for name in tree(&out).keys() {
        age(name);
    }
    let up_to_date = |more: &[&str]| {
        batch(&motions, &out, &[more, &["--json"]].concat())
            .done()
            .json()["up_to_date"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(up_to_date(&[]), 16);
    assert!(
        tree(&out).keys().all(|name| is_old(name)),
        "nothing is written again"
    );

    std::fs::copy(data("wave.bvh"), motions.path("walk.bvh")).unwrap();
    assert_eq!(up_to_date(&[]), 14, "one source on two targets is new");
    assert!(!is_old("brute/walk.glb") && is_old("brute/jump.glb"));
    std::fs::remove_file(format!("{out}/brute/jump.glb")).unwrap();
    assert_eq!(up_to_date(&[]), 15, "a lost result is made again");
    assert_eq!(up_to_date(&["--mirror"]), 0, "other choices");
    assert_eq!(up_to_date(&["--mirror"]), 16);
}

#[test]
fn a_file_of_somebody_else_is_kept() {
    let (motions, scratch) = (motions(), Scratch::new());
    let out = scratch.path("out");
    std::fs::create_dir_all(format!("{out}/brute")).unwrap();
    std::fs::write(format!("{out}/brute/walk.glb"), "mine").unwrap();
    let run = batch(&motions, &out, &["--json"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.json()["failed"].as_array().unwrap().len(), 1);
    assert_eq!(tree(&out)["brute/walk.glb"], b"mine");
    batch(&motions, &out, &["--force"]).done();
    assert!(tree(&out)["brute/walk.glb"].starts_with(b"glTF"));
    // A result that was edited is somebody's work too.
    std::fs::write(format!("{out}/brute/jump.glb"), "edited").unwrap();
    assert_eq!(batch(&motions, &out, &[]).code, 2);
    assert_eq!(tree(&out)["brute/jump.glb"], b"edited");
}

#[test]
fn a_run_that_was_killed_goes_on() {
    let (motions, scratch) = (motions(), Scratch::new());
    let (whole, killed) = (scratch.path("whole"), scratch.path("killed"));
    batch(&motions, &whole, &[]).done();
    let mut kills = 0;
    for results in [1, 5, 11] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rebone"))
            .args([
                "batch",
                &motions.path(""),
                "--recursive",
                "-j",
                "1",
                "-o",
                &killed,
            ])
            .args(["-t", &data("brute.glb"), "-t", &data("chibi.vrm")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while child.try_wait().unwrap().is_none() {
            let lines = std::fs::read_to_string(format!("{killed}/manifest.jsonl"));
            if lines.is_ok_and(|text| text.lines().count() >= results) {
                child.kill().unwrap();
            }
        }
        kills += u32::from(child.wait().unwrap().code().is_none());
    }
    assert!(kills > 0, "every run was done before it could be killed");
    batch(&motions, &killed, &[]).done();
    // Temporary files of a killed run are young: the next run leaves them, a later one sweeps them.
    let results = tree(&killed)
        .into_iter()
        .filter(|(name, _)| !name.contains("/.rebone-"));
    let results: BTreeMap<_, _> = results.collect();
    assert!(results == tree(&whole));
    assert_eq!(manifest(&killed).len(), 16);
}

#[test]
fn parts_and_numbers_of_workers_change_no_result() {
    let (motions, scratch) = (motions(), Scratch::new());
    let (whole, parts, alone) = (
        scratch.path("whole"),
        scratch.path("parts"),
        scratch.path("alone"),
    );
    batch(&motions, &whole, &["-j", "4"]).done();
    batch(&motions, &alone, &["-j", "1"]).done();
    assert_same_tree(&whole, &alone);
    let mut jobs = 0;
    for part in ["1/3", "2/3", "3/3"] {
        let run = batch(&motions, &parts, &["--shard", part, "--json"]).done();
        jobs += run.json()["jobs"].as_u64().unwrap();
    }
    assert_eq!(jobs, 16);
    assert_same_tree(&whole, &parts);
    // A run over all knows what the parts did.
    let all = batch(&motions, &parts, &["--json"]).done().json();
    assert_eq!(all["up_to_date"], 16);
}

#[test]
fn checks_and_the_page_are_over_all_clips() {
    let (motions, scratch) = (motions(), Scratch::new());
    let (out, page) = (scratch.path("out"), scratch.path("page.html"));
    let more = ["--fail-on", "max_direction>0.001", "--report", &page];
    let run = batch(&motions, &out, &more);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("not met"), "{}", run.out);
    let text = std::fs::read_to_string(&page).unwrap();
    assert_eq!(text.matches("<tr data-verdict").count(), 16);
    // Up to date, and the checks fail as before.
    let again = batch(&motions, &out, &[more.as_slice(), &["--force"]].concat());
    assert_eq!(again.code, 1);
    assert!(
        again.out.contains("16 of 16 jobs were up to date"),
        "{}",
        again.out
    );
}

#[test]
fn names_and_lists_choose_what_is_made() {
    let (motions, scratch) = (motions(), Scratch::new());
    let out = scratch.path("out");
    let list = scratch.file(
        "list.txt",
        format!(
            "# motions\n{}\n\n{}\n",
            motions.path("walk.bvh"),
            motions.path("w*.glb")
        )
        .as_bytes(),
    );
    let pattern = format!("{out}/{{source}}_on_{{target}}_{{clip}}.fbx");
    rebone_as_typed([
        "batch",
        &format!("@{list}"),
        "-t",
        &data("adult.glb"),
        "-o",
        &pattern,
    ])
    .done();
    let results = tree(&out);
    let names: Vec<&String> = results.keys().collect();
    assert_eq!(names, ["walk2_on_adult_walk.fbx", "walk_on_adult_walk.fbx"]);

    let refused = |arguments: &[&str], expected: &str| {
        let run = rebone_as_typed(arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.err.contains(expected), "{}", run.err);
    };
    let (from, adult, brute) = (motions.path(""), data("adult.glb"), data("brute.glb"));
    let one_name = format!("{out}/{{target}}.glb");
    refused(&["batch", &from, "-t", &adult, "-o", &one_name], "{source}");
    let one_name = format!("{out}/{{source}}.glb");
    refused(
        &["batch", &from, "-t", &adult, "-t", &brute, "-o", &one_name],
        "{target}",
    );
    refused(&["batch", &from, "-t", &adult, "-o", &brute], "folder");
    refused(&["batch", "-", "-t", &adult, "-o", &out], "files only");
    refused(
        &["batch", &from, "-t", &adult, "-o", &out, "--shard", "4/3"],
        "3/8",
    );
}
