//! What is in the package beside the engine.

use crate::tree;
use anyhow::{Context, Result};
use std::path::Path;

/// Files of the workspace with their places in the package.
const FILES: [(&str, &str); 15] = [
    ("crates/wasm/npm/index.js", "index.js"),
    ("crates/wasm/npm/node.js", "node.js"),
    ("crates/wasm/npm/samples.js", "samples.js"),
    ("crates/wasm/npm/index.d.ts", "index.d.ts"),
    ("crates/wasm/npm/example.mjs", "example.mjs"),
    ("crates/wasm/npm/README.md", "README.md"),
    (
        "crates/setup/src/values/recipe.schema.json",
        "recipe.schema.json",
    ),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("data/walk.bvh", "samples/walk.bvh"),
    ("data/wave.bvh", "samples/wave.bvh"),
    ("data/jump.bvh", "samples/jump.bvh"),
    ("data/adult.glb", "samples/adult.glb"),
    ("data/brute.glb", "samples/brute.glb"),
    ("data/chibi.vrm", "samples/chibi.vrm"),
];

/// Notices of code by others that the engine holds.
const NOTICES: [(&str, &str); 2] = [
    ("ufbx", "crates/cli/src/notices/ufbx.txt"),
    ("meshoptimizer", "crates/cli/src/notices/meshoptimizer.txt"),
];

/// Copies them, and writes the notices, and `package.json` with the workspace's version.
pub(super) fn fill(folder: &Path) -> Result<()> {
    let root = tree::root();
    std::fs::create_dir_all(folder.join("samples"))?;
    for (from, to) in FILES {
        std::fs::copy(root.join(from), folder.join(to))
            .with_context(|| format!("{from} is not there"))?;
    }
    let mut notices = String::from("The engine holds code of these projects.\n");
    for (name, path) in NOTICES {
        let text = std::fs::read_to_string(root.join(path))
            .with_context(|| format!("{path} is not there"))?;
        notices.push_str(&format!("\n== {name}\n\n{}\n", text.trim_end()));
    }
    std::fs::write(folder.join("THIRD-PARTY-NOTICES.txt"), notices)?;
    let text = std::fs::read_to_string(root.join("crates/wasm/npm/package.json"))?;
    // As text: the order of its conditions has a meaning.
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let text = text.replace("\"version\": \"0.0.0\"", &version);
    std::fs::write(folder.join("package.json"), text)?;
    Ok(())
}
