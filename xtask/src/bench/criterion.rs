//! The benches of the crates, and what they left behind.

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Runs every bench target; names and median times in nanoseconds.
pub(super) fn run() -> Result<Vec<(String, f64)>> {
    for (package, bench) in targets()? {
        let status = crate::tree::cargo()
            .args(["bench", "-q", "-p", &package, "--bench", &bench])
            .current_dir(crate::tree::root())
            .status()?;
        if !status.success() {
            bail!("bench {bench} of {package} fails");
        }
    }
    let folder = crate::tree::target_directory().join("criterion");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for path in crate::tree::files(&folder)? {
        let Some(name) = path.strip_suffix("/new/estimates.json") else {
            continue;
        };
        let value: Value = serde_json::from_str(&std::fs::read_to_string(folder.join(&path))?)?;
        let median = value["median"]["point_estimate"].as_f64();
        found.push((
            name.to_owned(),
            median.context("an estimate has no median")?,
        ));
    }
    Ok(found)
}

/// Packages and names of the bench targets.
fn targets() -> Result<Vec<(String, String)>> {
    let output = crate::tree::cargo()
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(crate::tree::root())
        .output()?;
    let value: Value = serde_json::from_slice(&output.stdout)?;
    let mut found = Vec::new();
    for package in value["packages"].as_array().into_iter().flatten() {
        for target in package["targets"].as_array().into_iter().flatten() {
            let kinds = target["kind"].as_array().into_iter().flatten();
            if kinds.into_iter().any(|kind| kind == "bench") {
                let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
                found.push((name(package), name(target)));
            }
        }
    }
    Ok(found)
}

/// A time with a unit that leaves few digits.
pub(super) fn shown(nanoseconds: f64) -> String {
    match nanoseconds {
        small if small < 1e3 => format!("{small:.1} ns"),
        middle if middle < 1e6 => format!("{:.2} µs", middle / 1e3),
        large => format!("{:.2} ms", large / 1e6),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn units() {
        assert_eq!(super::shown(12.34), "12.3 ns");
        assert_eq!(super::shown(12_340.0), "12.34 µs");
        assert_eq!(super::shown(1_234_000.0), "1.23 ms");
    }
}
