//! What cargo and clippy cannot check. Each check takes texts and gives complaints, so that its tests can
//! show that it complains when something is wrong.

mod arguments;
mod borders;
mod circles;
mod corpus;
mod elementary;
mod front_ends;
mod laws;
mod lengths;
mod links;
mod packages;
mod purity;
mod requirements;
mod source;
mod test_files;
mod warning_pages;
mod words;

use crate::{metadata, tree};
use anyhow::{Result, bail};
use std::collections::BTreeMap;

/// The text files of the workspace by path.
pub(crate) type Texts = BTreeMap<String, String>;

/// Checks everything; fails where anything is wrong.
pub(crate) fn run() -> Result<()> {
    let (errors, notes) = findings()?;
    for note in &notes {
        println!("note: {note}");
    }
    if !errors.is_empty() {
        bail!("{} untidy places:\n  {}", errors.len(), errors.join("\n  "));
    }
    println!("tidy");
    Ok(())
}

/// Complaints that count and notes that do not.
fn findings() -> Result<(Vec<String>, Vec<String>)> {
    let root = tree::root();
    let paths = tree::tracked_files()?;
    let mut texts = Texts::new();
    for path in paths.iter().filter(|path| is_text(path)) {
        if let Ok(text) = std::fs::read_to_string(root.join(path)) {
            texts.insert(path.clone(), text);
        }
    }
    let packages = metadata::packages()?;
    let mut errors = borders::check(&packages);
    errors.extend(packages::check(&packages)?);
    errors.extend(circles::check(&texts));
    errors.extend(arguments::check(&texts));
    errors.extend(purity::check(&texts));
    errors.extend(elementary::check(&texts));
    errors.extend(front_ends::check(&texts));
    errors.extend(words::check(&texts));
    errors.extend(warning_pages::check(&texts));
    errors.extend(links::check(&texts, &paths));
    errors.extend(requirements::check(&texts));
    errors.extend(laws::check(&texts));
    errors.extend(test_files::check(&texts));
    let (too_long, long) = lengths::check(&texts);
    errors.extend(too_long);
    errors.extend(corpus::misplaced(&paths));
    let mut notes = long;
    match corpus::copies(&root, &paths)? {
        Some(copies) => errors.extend(copies),
        None => {
            notes.push("no corpus beside the workspace; copies of its files not looked for".into());
        }
    }
    Ok((errors, notes))
}

fn is_text(path: &str) -> bool {
    let known = [
        "rs", "toml", "md", "mjs", "js", "ts", "json", "txt", "svg", "html", "css", "yml", "",
    ];
    known.contains(&tree::extension(path).as_str())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tree_is_tidy() {
        let (errors, notes) = super::findings().unwrap();
        for note in notes {
            println!("note: {note}");
        }
        assert!(
            errors.is_empty(),
            "untidy places:\n  {}",
            errors.join("\n  ")
        );
    }
}
