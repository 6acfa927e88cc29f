//! The whole way from two files to written ones, with skeletons and clips as a fuzzer describes them.

use crate::described::described;
use crate::promises::{
    check_document, check_readable, check_times, check_written, no_files, times_are_odd,
};
use libfuzzer_sys::arbitrary::Unstructured;
use rebone::model::check::check_clip;
use rebone::opening::Opening;
use rebone::runtime::asset::{read_asset, write_asset};
use rebone::{
    Clip, Error, Format, InputFile, ReadOptions, Recipe, Retarget, Rig, Role, apply_asset, read,
};

/// Every format that is written.
const WRITTEN: [Format; 5] = [
    Format::Glb,
    Format::Gltf,
    Format::Fbx,
    Format::Bvh,
    Format::Vrma,
];

/// Maps, aligns, retargets, compiles and writes; everything that comes out keeps the promises.
pub fn pipeline(bytes: &[u8]) {
    let Ok(case) = described(&mut Unstructured::new(bytes)) else {
        return;
    };
    let recipe =
        Recipe::parse(&case.recipe).unwrap_or_else(|error| panic!("{error}\n{}", case.recipe));
    let (Ok(from), Ok(to)) = (
        rig(&case.source, Role::Source),
        rig(&case.target, Role::Target),
    ) else {
        return;
    };
    if case.compiles {
        through_a_file(&from, &to, &recipe);
    }
    let Ok(made) = Retarget::new(&from, &to).recipe(recipe.clone()).run() else {
        return;
    };
    for made in &made.clips {
        assert_eq!(check_clip(&made.clip), Ok(()));
        check_times(&made.clip);
        let _ = rebone::report_json::report(&made.report, &to.map);
    }
    let clips: Vec<Clip> = made
        .clips
        .into_iter()
        .map(|made| made.clip)
        .take(1)
        .collect();
    let may_be_odd = times_are_odd(&to.warnings);
    for format in WRITTEN {
        if let Ok(output) = rebone::write(&to, &clips, format) {
            check_readable(&output.bytes, format, may_be_odd);
        }
    }
}

/// Like a front end: also with meshes, where the skin has to show what the skeleton does not.
fn rig(bytes: &[u8], role: Role) -> Result<Rig, Error> {
    let options = ReadOptions {
        meshes: role == Role::Target,
        ..ReadOptions::default()
    };
    let document = read(bytes, &options, &no_files)?;
    check_document(&document);
    InputFile::new("fuzz", bytes.to_vec()).rig_of(document, &Opening::new(role))
}

/// The same by a `.retarget` file.
fn through_a_file(from: &Rig, to: &Rig, recipe: &Recipe) {
    let Ok((asset, _)) = Retarget::new(from, to).recipe(recipe.clone()).compile() else {
        return;
    };
    let Ok(bytes) = write_asset(&asset) else {
        return;
    };
    let again = read_asset(&bytes)
        .unwrap_or_else(|error| panic!("our own .retarget file is not read: {error}"));
    if let Ok(made) = apply_asset(&again, from, &[]) {
        check_written(&made);
    }
}
