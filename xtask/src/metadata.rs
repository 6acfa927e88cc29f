//! What `cargo metadata` says about the workspace's own packages.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One package of the workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Names of what it depends on outside tests and benches.
    pub(crate) dependencies: Vec<String>,
    /// Its features, each with what it switches on.
    pub(crate) features: BTreeMap<String, Vec<String>>,
    /// Whether it may be published.
    pub(crate) published: bool,
    /// The folder of its manifest.
    pub(crate) folder: PathBuf,
    /// What it is, in a sentence; empty if the manifest does not say.
    pub(crate) description: String,
    /// The path of its readme, from the folder.
    pub(crate) readme: Option<String>,
    /// Where the registry lists it.
    pub(crate) categories: Vec<String>,
}

/// Asks cargo.
pub(crate) fn packages() -> Result<Vec<Package>> {
    let output = crate::tree::cargo()
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(crate::tree::root())
        .output()
        .context("cargo metadata does not start")?;
    if !output.status.success() {
        bail!(
            "cargo metadata fails: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    parse(&String::from_utf8_lossy(&output.stdout))
}

/// Reads the JSON that cargo prints.
pub(crate) fn parse(text: &str) -> Result<Vec<Package>> {
    let value: Value = serde_json::from_str(text).context("cargo metadata printed no JSON")?;
    let texts = |value: &Value| -> Vec<String> {
        let entries = value.as_array().into_iter().flatten();
        entries
            .filter_map(|entry| entry.as_str().map(str::to_owned))
            .collect()
    };
    let packages = value["packages"].as_array().into_iter().flatten();
    Ok(packages
        .map(|package| Package {
            name: package["name"].as_str().unwrap_or_default().to_owned(),
            dependencies: package["dependencies"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|dependency| dependency["kind"].as_str() != Some("dev"))
                .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
                .collect(),
            features: package["features"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, parts)| (name.clone(), texts(parts)))
                .collect(),
            // `null` stands for every registry, and a list for these alone.
            published: package["publish"]
                .as_array()
                .is_none_or(|to| !to.is_empty()),
            folder: package["manifest_path"]
                .as_str()
                .and_then(|path| Path::new(path).parent())
                .map(Path::to_path_buf)
                .unwrap_or_default(),
            description: package["description"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            readme: package["readme"].as_str().map(str::to_owned),
            categories: texts(&package["categories"]),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dev_dependencies_do_not_count() {
        let packages = parse(
            r#"{"packages": [{"name": "a", "features": {"x": ["dep:b"]}, "dependencies": [
                {"name": "b", "kind": null}, {"name": "c", "kind": "dev"}, {"name": "d", "kind": "build"}]}]}"#,
        )
        .unwrap();
        assert_eq!(packages[0].dependencies, ["b", "d"]);
        assert_eq!(packages[0].features["x"], ["dep:b"]);
        assert!(parse("no JSON").is_err());
    }

    #[test]
    fn an_empty_list_of_registries_keeps_a_package_unpublished() {
        let published = |list: &str| {
            let text = format!(r#"{{"packages": [{{"name": "a", "publish": {list}}}]}}"#);
            parse(&text).unwrap()[0].published
        };
        assert!(published("null") && published(r#"["mine"]"#) && !published("[]"));
    }
}
