//! The README's code runs.

mod example {
    include!("readme_code/example.rs");

    pub(super) fn run() -> Result<(), Box<dyn std::error::Error>> {
        main()
    }
}

#[test]
fn the_readme_holds_the_example() {
    let readme = include_str!("../../../README.md");
    let example = include_str!("readme_code/example.rs");
    assert!(
        readme.contains(example),
        "copy tests/readme_code/example.rs into the README"
    );
}

#[test]
fn the_readme_counts_the_dialects_right() {
    let readme = include_str!("../../../README.md");
    let count = rebone::setup::profile::dialect::dialects().count();
    assert!(
        readme.contains(&format!("{count} naming dialects")),
        "there are {count}"
    );
}

#[test]
fn the_example_runs() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    for name in ["data/walk.bvh", "data/brute.glb"] {
        std::fs::copy(root.join(name), folder.path().join(name)).unwrap();
    }
    std::env::set_current_dir(folder.path()).unwrap();
    example::run().unwrap();
    assert!(std::fs::read("walk.glb").unwrap().starts_with(b"glTF"));
    std::env::set_current_dir(root).unwrap();
}
