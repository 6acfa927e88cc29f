//! The Khronos glTF validator over files that tests have written.
//!
//! A file that was wrong before Rebone wrote into it may stay as wrong: the error codes of the original
//! stand beside it in `FILE.baseline.json`, and only codes beyond those count.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Files a run of the validator; keeps the command line short.
const BATCH: usize = 100;

/// Validates everything below a folder. A folder without any such file is an error: a check of nothing
/// must not look like one that passed.
pub(crate) fn run(folder: &Path) -> Result<()> {
    let files: Vec<String> = crate::tree::files(folder)?
        .into_iter()
        .filter(|path| {
            matches!(
                crate::tree::extension(path).as_str(),
                "glb" | "gltf" | "vrm" | "vrma"
            )
        })
        .collect();
    if files.is_empty() {
        bail!(
            "no glTF, GLB, VRM or VRMA below {}; run the tests first",
            folder.display()
        );
    }
    let mut wrong = Vec::new();
    let mut told = 0;
    for batch in files.chunks(BATCH) {
        let output = Command::new("node")
            .arg(crate::tree::root().join("xtask/validate_gltf.mjs"))
            .args(batch.iter().map(|file| folder.join(file)))
            .output()
            .context("node does not start; install Node.js 20 or later")?;
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        let reports: Vec<&str> = lines.lines().filter(|line| line.starts_with('{')).collect();
        if reports.len() != batch.len() {
            bail!(
                "the validator reported on {} of {} files: {}",
                reports.len(),
                batch.len(),
                String::from_utf8_lossy(&output.stderr).trim()
            );
        }
        told += reports.len();
        for line in reports {
            let report: Value = serde_json::from_str(line)?;
            let file = report["file"].as_str().unwrap_or_default();
            let baseline = std::fs::read_to_string(format!("{file}.baseline.json")).ok();
            let known = match baseline {
                Some(text) => codes(&serde_json::from_str(&text)?),
                None => BTreeSet::new(),
            };
            let new: Vec<String> = codes(&report).difference(&known).cloned().collect();
            if !new.is_empty() {
                wrong.push(format!("{file}: {}", new.join(", ")));
            }
        }
    }
    if !wrong.is_empty() {
        bail!(
            "{} of {told} files are not valid:\n  {}",
            wrong.len(),
            wrong.join("\n  ")
        );
    }
    println!("{told} files are valid");
    Ok(())
}

/// The error codes of a report, or of a baseline, which may also be just a list of codes.
fn codes(report: &Value) -> BTreeSet<String> {
    let entries = match report {
        Value::Array(entries) => Some(entries),
        _ => report["errors"].as_array(),
    };
    entries
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.as_str().or_else(|| entry["code"].as_str()))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn codes_of_reports_and_baselines() {
        let report = json!({"file": "a.glb", "errors": [{"code": "B"}, "A"], "warnings": ["C"]});
        let wanted: BTreeSet<String> = ["A", "B"].map(str::to_owned).into();
        assert_eq!(codes(&report), wanted);
        assert_eq!(codes(&json!(["A", "B"])), wanted);
        assert!(codes(&json!({"errors": []})).is_empty());
    }
}
