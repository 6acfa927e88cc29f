//! Writes the files that come from code and are committed: the samples of `data/`, the schema of recipes and the page of settings.

use anyhow::{Context, Result};

/// Where the samples stand.
const SAMPLES: &str = "data";

/// What editors check recipes against.
const SCHEMA: &str = "crates/setup/src/values/recipe.schema.json";

/// What can be chosen, for people.
const PAGE: &str = "docs/settings.md";

/// Each file by its path below the root.
fn files() -> Result<Vec<(String, Vec<u8>)>> {
    let samples = rebone_samples::files()?.into_iter();
    let mut files: Vec<_> = samples
        .map(|(name, bytes)| (format!("{SAMPLES}/{name}"), bytes))
        .collect();
    let schema = rebone_setup::recipe::schema();
    files.push((SCHEMA.to_owned(), schema.into_bytes()));
    let page = rebone_setup::recipe::settings_page();
    files.push((PAGE.to_owned(), page.into_bytes()));
    Ok(files)
}

/// Writes every file.
pub(crate) fn write() -> Result<()> {
    for (name, bytes) in files()? {
        let path = crate::tree::root().join(&name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, &bytes).with_context(|| format!("cannot write {name}"))?;
        println!("{name}  {} bytes", bytes.len());
    }
    if rebone_setup::recipe::schema() != rebone_setup::recipe::SCHEMA {
        println!("the schema has changed; run this again for the page of settings");
    }
    Ok(())
}
