//! Every feature compiles alone, and so does a crate with none.

use crate::metadata::{Package, packages};
use anyhow::{Context, Result, bail};

/// Checks all of them; a warning counts as a failure.
pub(crate) fn run() -> Result<()> {
    let mut wrong = Vec::new();
    for arguments in packages()?.iter().flat_map(combinations) {
        let shown = arguments.join(" ");
        println!("cargo check {shown}");
        let output = crate::tree::cargo()
            .arg("check")
            .args(&arguments)
            .current_dir(crate::tree::root())
            .output()
            .context("cargo check does not start")?;
        let told = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() || told.lines().any(|line| line.starts_with("warning")) {
            eprint!("{told}");
            wrong.push(shown);
        }
    }
    if !wrong.is_empty() {
        bail!(
            "these combinations do not compile cleanly:\n  {}",
            wrong.join("\n  ")
        );
    }
    Ok(())
}

/// The arguments of `cargo check` for no feature, then each alone. Nothing for a package without features.
fn combinations(package: &Package) -> Vec<Vec<String>> {
    if package.features.is_empty() {
        return Vec::new();
    }
    let base = ["-p", &package.name, "--no-default-features"].map(str::to_owned);
    let mut all = vec![base.to_vec()];
    for (feature, parts) in &package.features {
        // A feature that only names an optional dependency is cargo's own doing.
        let implied = parts.len() == 1 && parts[0] == format!("dep:{feature}");
        if feature != "default" && !implied {
            let mut arguments = base.to_vec();
            arguments.extend(["--features".to_owned(), feature.clone()]);
            all.push(arguments);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_and_each_alone() {
        let mut package = Package {
            name: "io".to_owned(),
            ..Package::default()
        };
        assert!(combinations(&package).is_empty());
        for (name, parts) in [("default", vec!["bvh"]), ("bvh", vec!["dep:memchr"])] {
            let parts = parts.into_iter().map(str::to_owned).collect();
            package.features.insert(name.to_owned(), parts);
        }
        package
            .features
            .insert("toml".to_owned(), vec!["dep:toml".to_owned()]);
        let lines: Vec<String> = combinations(&package)
            .iter()
            .map(|arguments| arguments.join(" "))
            .collect();
        assert_eq!(
            lines,
            [
                "-p io --no-default-features",
                "-p io --no-default-features --features bvh"
            ]
        );
    }
}
