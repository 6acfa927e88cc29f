//! Reading the corpus in place.

pub mod arms;
pub mod disguise;
pub mod legs;
pub mod lists;

use rebone::io::Format;
use rebone::model::{Character, Clip};
use rebone::opening::Opening;
use rebone::{
    Document, Error, InputFile, Motion, Recipe, Retarget, RetargetedClip, Rig, Role, write_motion,
};
pub use rebone_corpus::corpus;
use std::path::{Path, PathBuf};

/// A file of the corpus.
fn file(path: &Path) -> InputFile {
    let file = rebone::disk::open(path);
    file.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What is in a file.
pub fn read_file(path: &Path) -> Result<Document, Error> {
    file(path).document(false)
}

/// One side of a retarget.
pub fn rig(path: &Path, role: Role) -> Rig {
    let rig = file(path).rig(&Opening::new(role));
    rig.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A character with its meshes.
pub fn with_meshes(path: &Path, role: Role) -> Rig {
    let opening = Opening {
        meshes: true,
        ..Opening::new(role)
    };
    file(path).rig(&opening).unwrap()
}

/// The folder for written files, which the gate validates afterwards.
pub fn output_folder(name: &str) -> PathBuf {
    let base = std::env::var_os("REBONE_TEST_OUTPUT").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-output"),
        PathBuf::from,
    );
    let folder = base.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Validator errors that a file of the corpus has itself; they stay when Rebone writes into it.
const KNOWN_ERRORS: [(&str, &str); 3] = [
    (
        "boxman.glb",
        r#"["ACCESSOR_JOINTS_INDEX_DUPLICATE", "ACCESSOR_WEIGHTS_NON_NORMALIZED"]"#,
    ),
    ("CesiumMan.glb", r#"["ACCESSOR_WEIGHTS_NON_NORMALIZED"]"#),
    ("manny_med_mod.gltf", r#"["IO_ERROR"]"#),
];

/// Tells the gate which errors a written file has from the file that it was written into.
pub fn write_baseline(written: &Path, original: &Path) {
    let name = original.file_name().unwrap().to_string_lossy();
    if let Some((_, codes)) = KNOWN_ERRORS.iter().find(|(file, _)| *file == name) {
        std::fs::write(format!("{}.baseline.json", written.display()), codes).unwrap();
    }
}

/// A character that the project makes, as one side of a retarget.
pub fn made_here(character: Character) -> Rig {
    Rig::from_character(character, Format::Glb, legs::metres(), Vec::new())
}

/// A character that the project makes, with one clip; kept to be looked at.
pub fn mover(character: &Character, clip: &Clip) -> Rig {
    let mut mover = character.clone();
    mover.clips = vec![clip.clone()];
    let source = made_here(mover);
    keep(&clip.name, &source, clip);
    source
}

/// Clips of a source on a target, by a recipe; all where none is named.
pub fn retarget<'t>(
    source: &Rig,
    target: &'t Rig,
    clips: &[String],
    recipe: &Recipe,
) -> Result<Motion<'t>, Error> {
    let job = Retarget::new(source, target).clips(clips);
    job.recipe(recipe.clone()).run()
}

/// The first clip of a source on a target.
pub fn retargeted(source: &Rig, target: &Rig, recipe: &Recipe) -> RetargetedClip {
    let mut result = retarget(source, target, &[], recipe).unwrap();
    result.clips.remove(0)
}

/// Writes a result to the folder that `REBONE_HARD` names, where somebody wants to look at it.
pub fn keep(name: &str, rig: &Rig, clip: &Clip) {
    if let Some(folder) = std::env::var_os("REBONE_HARD") {
        let mut character = rig.character.clone();
        character.clips = vec![clip.clone()];
        let bytes = write_motion(rig, character, Format::Glb).unwrap().bytes;
        let file = format!("{}.glb", name.replace([' ', ','], "_"));
        std::fs::write(Path::new(&folder).join(file), bytes).unwrap();
    }
}
