//! Files of the library: opened by their paths, written whole, and refused with their names.

use crate::common::output_folder;
use rebone::{Error, Format, InputFile, Retarget, Rig};
use std::path::Path;

fn data(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    root.join(name).to_str().unwrap().to_owned()
}

/// Nobody asked for meshes when the hero was opened; in a file of another family they are there all the same.
#[test]
fn another_format_has_the_meshes_too() {
    let walk = Rig::open(data("walk.bvh")).unwrap();
    let hero = Rig::open(data("brute.glb")).unwrap();
    assert!(hero.character.meshes.is_empty());
    let folder = output_folder("files");
    let fbx = folder.join("walk.fbx");
    Retarget::new(&walk, &hero)
        .run()
        .unwrap()
        .save(&fbx)
        .unwrap();
    let hero = Rig::open(&fbx).unwrap();
    assert!(hero.character.meshes.is_empty());
    let glb = folder.join("walk.glb");
    Retarget::new(&walk, &hero)
        .run()
        .unwrap()
        .save(&glb)
        .unwrap();
    let again = InputFile::new("walk.glb", std::fs::read(&glb).unwrap());
    let again = again.document(true).unwrap().characters;
    assert!(!again[0].meshes.is_empty() && !again[0].skins.is_empty());
    assert!(!again[0].clips.is_empty());
}

/// Within a family everything stays as it was in the file, which the rig has with it.
#[test]
fn the_same_format_keeps_the_file() {
    let walk = Rig::open(data("walk.bvh")).unwrap();
    let hero = Rig::open(data("chibi.vrm")).unwrap();
    let motion = Retarget::new(&walk, &hero).run().unwrap();
    let written = motion.write(Format::Vrm).unwrap().bytes;
    let again = Rig::from_bytes("chibi.vrm", written).unwrap();
    assert_eq!(again.format, Format::Vrm);
    assert_eq!(again.character.labels, hero.character.labels);
}

#[test]
fn what_is_wrong_names_the_file() {
    let told = |path: &str| match Rig::open(path) {
        Err(error @ Error::At { .. }) => (error.code(), error.to_string()),
        other => panic!("{other:?}"),
    };
    let (code, text) = told("no/such.glb");
    assert_eq!(code, "request");
    assert!(
        text.starts_with("no/such.glb: there is no such file; "),
        "{text}"
    );
    let (code, text) = told(&data("SOURCES.md"));
    assert_eq!(code, "file-unsupported");
    assert!(text.contains("SOURCES.md: "), "{text}");
    let (_, text) = told(&data(""));
    assert!(text.contains("it is a folder"), "{text}");

    let walk = Rig::open(data("walk.bvh")).unwrap();
    let hero = Rig::open(data("adult.glb")).unwrap();
    let motion = Retarget::new(&walk, &hero).run().unwrap();
    for (path, said) in [
        ("walk.txt", "\".txt\" is no format"),
        ("no/such/folder/walk.glb", "the file cannot be written"),
    ] {
        let error = motion.save(path).unwrap_err().to_string();
        assert!(error.contains(said) && error.starts_with(path), "{error}");
        assert!(!Path::new(path).exists());
    }
    let none = Retarget::new(&walk, &hero).clips(["dance"]).run();
    assert!(none.unwrap_err().to_string().contains("no clip \"dance\""));
}
