//! Committed files that come from code, the samples of `data/` and the schema of recipes, are what the code makes.

use std::path::Path;

/// What to do about a stale file.
const REMEDY: &str = "run `cargo xtask generate`";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn samples_are_what_the_code_makes() {
    let made = rebone_testkit::sample::files().unwrap();
    for (name, bytes) in &made {
        let found = std::fs::read(root().join("data").join(name)).unwrap_or_default();
        assert!(found == *bytes, "data/{name} is missing or stale; {REMEDY}");
    }
    for entry in std::fs::read_dir(root().join("data")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_made = made.iter().any(|(other, _)| *other == name);
        assert!(
            is_made || name.ends_with(".md"),
            "data/{name} is not made by the code"
        );
    }
}

#[test]
fn the_schema_is_what_the_code_makes() {
    let found =
        std::fs::read_to_string(root().join("crates/setup/src/recipe/recipe.schema.json")).unwrap();
    let made = rebone_setup::recipe::schema();
    assert!(
        found == made,
        "crates/setup/src/recipe/recipe.schema.json is stale; {REMEDY}"
    );
}
