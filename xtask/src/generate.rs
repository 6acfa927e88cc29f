//! The sample files of `data/` come from code and are committed; this writes them or finds them stale.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;

fn folder() -> PathBuf {
    crate::tree::root().join("data")
}

/// Writes every sample file.
pub(crate) fn write() -> Result<()> {
    for (name, bytes) in rebone_testkit::sample::files()? {
        let path = folder().join(&name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, &bytes).with_context(|| format!("cannot write data/{name}"))?;
        println!("data/{name}  {} bytes", bytes.len());
    }
    Ok(())
}

/// Fails where a committed file is not what the code gives, is missing, or has no code.
pub(crate) fn check() -> Result<()> {
    let expected = rebone_testkit::sample::files()?;
    let mut wrong = Vec::new();
    for (name, bytes) in &expected {
        match std::fs::read(folder().join(name)) {
            Ok(found) if found == *bytes => {}
            Ok(_) => wrong.push(format!("data/{name} is stale")),
            Err(_) => wrong.push(format!("data/{name} is missing")),
        }
    }
    for name in crate::tree::files(&folder())? {
        let generated = expected.iter().any(|(other, _)| *other == name);
        if !generated && crate::tree::extension(&name) != "md" {
            wrong.push(format!("data/{name} is not made by the code"));
        }
    }
    if !wrong.is_empty() {
        bail!("{}\nrun `cargo xtask generate`", wrong.join("\n"));
    }
    println!("{} sample files are as the code makes them", expected.len());
    Ok(())
}
