//! What `cargo metadata` says about the workspace's own packages.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;

/// One package of the workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Names of what it depends on outside tests and benches.
    pub(crate) dependencies: Vec<String>,
    /// Its features, each with what it switches on.
    pub(crate) features: BTreeMap<String, Vec<String>>,
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
}
