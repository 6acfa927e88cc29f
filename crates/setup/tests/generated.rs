//! Committed files that come from code, the samples of `data/`, the schema of recipes and the page of settings, are what the code makes.

use std::path::Path;

/// What to do about a stale file.
const REMEDY: &str = "run `cargo xtask generate`";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn samples_are_what_the_code_makes() {
    let made = rebone_samples::files().unwrap();
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
fn schema_and_page_of_settings_are_what_the_code_makes() {
    for (name, made) in [
        (
            "crates/setup/src/values/recipe.schema.json",
            rebone_setup::recipe::schema(),
        ),
        ("docs/settings.md", rebone_setup::recipe::settings_page()),
    ] {
        let found = std::fs::read_to_string(root().join(name)).unwrap_or_default();
        assert!(found == made, "{name} is stale; {REMEDY}");
    }
}
