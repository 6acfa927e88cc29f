//! The README's commands run and print what it shows.

use std::path::Path;
use std::process::Command;

#[test]
fn the_readme_shows_real_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    for entry in std::fs::read_dir(root.join("data")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(
            &path,
            folder.path().join("data").join(path.file_name().unwrap()),
        )
        .unwrap();
    }
    let mut count = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for command in block.split("$ ").skip(1) {
            let (line, expected) = command.split_once('\n').unwrap();
            let line = line.replace("cargo run --release --", "rebone");
            let arguments: Vec<&str> = line.split_whitespace().skip(1).collect();
            let output = Command::new(env!("CARGO_BIN_EXE_rebone"))
                .args(arguments)
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert!(output.status.success(), "{line}: {output:?}");
            let printed = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            for expected_line in expected.lines().filter(|text| !text.trim().is_empty()) {
                assert!(
                    printed.contains(expected_line),
                    "{line} printed\n{printed}\nwithout\n{expected_line}"
                );
            }
            count += 1;
        }
    }
    assert!(count >= 2, "the README lost its commands");
}

#[test]
fn the_readme_picture_is_the_demos() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_rebone"))
        .args(["demo", "-o", "demo"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let made = std::fs::read(folder.path().join("demo/filmstrip.png")).unwrap();
    let shown = root.join("docs/images/demo.png");
    if std::env::var_os("REBONE_UPDATE").is_some() {
        std::fs::write(&shown, &made).unwrap();
    }
    assert!(
        made == std::fs::read(&shown).unwrap(),
        "docs/images/demo.png is stale: run with REBONE_UPDATE=1"
    );
}
