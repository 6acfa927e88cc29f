//! What a published crate needs: its description, licence files and readme, and no file from outside of its package.

use super::borders::UNPUBLISHED;
use crate::metadata::Package;
use crate::tree;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;

/// The files of a package by path in it; texts of Rust files, and nothing of the others.
type Files = BTreeMap<String, String>;

/// Licence texts that every package carries.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// More categories than this are refused by the registry.
const MOST_CATEGORIES: usize = 5;

/// What names a file in a Rust source; then its name follows.
const NAMING: [&str; 5] = [
    "include_str!(",
    "include_bytes!(",
    "include!(",
    "#[path = ",
    "#[folder = ",
];

/// Asks cargo what it would package.
pub(super) fn check(packages: &[Package]) -> Result<Vec<String>> {
    let mut errors = Vec::new();
    for package in packages {
        let files = if package.published {
            files(package)?
        } else {
            Files::new()
        };
        errors.extend(complaints(package, &files));
    }
    Ok(errors)
}

fn files(package: &Package) -> Result<Files> {
    let output = tree::cargo()
        .args(["package", "--list", "--allow-dirty", "--offline", "-p"])
        .arg(&package.name)
        .current_dir(tree::root())
        .output()
        .context("cargo package does not start")?;
    if !output.status.success() {
        bail!(
            "cargo package --list -p {} fails: {}",
            package.name,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let list = String::from_utf8_lossy(&output.stdout);
    list.lines()
        .map(|path| {
            // Windows lists backslashes.
            let path = path.replace('\\', "/");
            let text = if path.ends_with(".rs") {
                let full = package.folder.join(&path);
                std::fs::read_to_string(&full)
                    .with_context(|| format!("cannot read {}", full.display()))?
            } else {
                String::new()
            };
            Ok((path, text))
        })
        .collect()
}

fn complaints(package: &Package, files: &Files) -> Vec<String> {
    let name = &package.name;
    if !package.published {
        return Vec::new();
    }
    if UNPUBLISHED.contains(&name.as_str()) {
        return vec![format!("crate {name}: needs `publish = false`")];
    }
    let mut errors = Vec::new();
    let mut wrong = |what: String| errors.push(format!("crate {name}: {what}"));
    if package.description.trim().is_empty() {
        wrong("has no description".to_owned());
    }
    if !(1..=MOST_CATEGORIES).contains(&package.categories.len()) {
        wrong(format!("needs 1 to {MOST_CATEGORIES} categories"));
    }
    match &package.readme {
        Some(readme) if files.contains_key(readme) => {}
        Some(readme) => wrong(format!("its package has no {readme}")),
        None => wrong("names no readme".to_owned()),
    }
    for licence in LICENCES {
        if !files.contains_key(licence) {
            wrong(format!("its package has no {licence}"));
        }
    }
    for (path, text) in files {
        for (number, line) in text.lines().enumerate() {
            for named in foreign(path, line, files) {
                wrong(format!(
                    "{path}:{} names {named}, which is not in its package",
                    number + 1
                ));
            }
        }
    }
    errors
}

/// Names of files in a line that the package does not hold.
fn foreign<'l>(path: &str, line: &'l str, files: &Files) -> Vec<&'l str> {
    let mut found = Vec::new();
    for naming in NAMING {
        for (at, _) in line.match_indices(naming) {
            let rest = &line[at + naming.len()..];
            let literal = rest
                .strip_prefix('"')
                .and_then(|rest| rest.split('"').next());
            match literal {
                // A folder may be empty, and is named from the package's own.
                Some(named) if naming == "#[folder = " => {
                    found.extend(resolved("", named).is_none().then_some(named));
                }
                Some(named) => {
                    let is_inside = resolved(path, named).is_some_and(|at| files.contains_key(&at));
                    found.extend((!is_inside).then_some(named));
                }
                // A name that is put together of parts.
                None => {
                    let parts = rest.split('"').skip(1).step_by(2);
                    found.extend(parts.filter(|part| part.contains("..")));
                }
            }
        }
    }
    found
}

/// A path in the package, of a name in one of its files. `None` if it leads out of the package.
fn resolved(file: &str, named: &str) -> Option<String> {
    if named.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in named.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package() -> Package {
        Package {
            name: "rebone-new".to_owned(),
            published: true,
            description: "Does a thing.".to_owned(),
            readme: Some("README.md".to_owned()),
            categories: vec!["graphics".to_owned()],
            ..Package::default()
        }
    }

    fn files(source: &str) -> Files {
        [
            ("LICENSE-MIT", ""),
            ("LICENSE-APACHE", ""),
            ("README.md", ""),
            ("src/data/a.toml", ""),
            ("src/deep/mod.rs", source),
        ]
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
        .into()
    }

    #[test]
    fn what_the_registry_asks_for_is_there() {
        assert_eq!(complaints(&package(), &files("")), [""; 0]);
        for missing in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
            let mut files = files("");
            files.remove(missing);
            let errors = complaints(&package(), &files);
            assert!(
                errors.len() == 1 && errors[0].contains(missing),
                "{errors:?}"
            );
        }
        let changes: [fn(&mut Package); 5] = [
            |package| package.description.clear(),
            |package| package.readme = None,
            |package| package.categories.clear(),
            |package| package.categories = vec!["graphics".to_owned(); MOST_CATEGORIES + 1],
            |package| package.name = UNPUBLISHED[0].to_owned(),
        ];
        for change in changes {
            let mut package = package();
            change(&mut package);
            assert_eq!(complaints(&package, &files("")).len(), 1, "{package:?}");
            package.published = false;
            assert_eq!(complaints(&package, &files("")), [""; 0]);
        }
    }

    #[test]
    fn files_from_outside_are_found() {
        for (source, count) in [
            (r#"include_str!("../data/a.toml")"#, 0),
            (r#"include_bytes!(concat!(env!("OUT_DIR"), "/a"))"#, 0),
            (r#"include_str!(concat!($name, ".toml"))"#, 0),
            (r#"#[folder = "dist"]"#, 0),
            (r#"include_str!("../data/b.toml")"#, 1),
            (r#"include_bytes!("../../../data/walk.bvh")"#, 1),
            (r#"//! # let a = include_bytes!("../../../a");"#, 1),
            (r#"include_str!(concat!("../../../", $name))"#, 1),
            (r#"include!("/a")"#, 1),
            (r#"#[path = "../../../a.rs"]"#, 1),
            (r#"#[folder = "../../studio/dist"]"#, 1),
        ] {
            let errors = complaints(&package(), &files(source));
            assert_eq!(errors.len(), count, "{source}: {errors:?}");
        }
    }
}
