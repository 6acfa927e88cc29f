//! Files that come from code and are committed, the samples of `data/` and the schema of recipes: this writes them or
//! finds them stale.

use anyhow::{Context, Result, bail};

/// Where the samples stand.
const SAMPLES: &str = "data";

/// What editors check recipes against.
const SCHEMA: &str = "docs/recipe.schema.json";

/// Each file by its path below the root.
fn files() -> Result<Vec<(String, Vec<u8>)>> {
    let samples = rebone_testkit::sample::files()?.into_iter();
    let mut files: Vec<_> = samples
        .map(|(name, bytes)| (format!("{SAMPLES}/{name}"), bytes))
        .collect();
    let schema = rebone_core::recipe::schema();
    files.push((SCHEMA.to_owned(), schema.into_bytes()));
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
    Ok(())
}

/// Fails where a committed file is not what the code gives, is missing, or has no code.
pub(crate) fn check() -> Result<()> {
    let expected = files()?;
    let mut wrong = Vec::new();
    for (name, bytes) in &expected {
        match std::fs::read(crate::tree::root().join(name)) {
            Ok(found) if found == *bytes => {}
            Ok(_) => wrong.push(format!("{name} is stale")),
            Err(_) => wrong.push(format!("{name} is missing")),
        }
    }
    for name in crate::tree::files(&crate::tree::root().join(SAMPLES))? {
        let path = format!("{SAMPLES}/{name}");
        let generated = expected.iter().any(|(other, _)| *other == path);
        if !generated && crate::tree::extension(&name) != "md" {
            wrong.push(format!("{path} is not made by the code"));
        }
    }
    if !wrong.is_empty() {
        bail!("{}\nrun `cargo xtask generate`", wrong.join("\n"));
    }
    println!("{} files are as the code makes them", expected.len());
    Ok(())
}
