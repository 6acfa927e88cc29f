//! Which crate may depend on which (the first invariant of ARCHITECTURE.md).

use crate::metadata::Package;

/// Each crate with those of our own that it may use.
const ALLOWED: [(&str, &[&str]); 9] = [
    ("rebone-model", &[]),
    ("rebone-runtime", &["rebone-model"]),
    ("rebone-setup", &["rebone-model", "rebone-runtime"]),
    (
        "rebone-report",
        &["rebone-model", "rebone-runtime", "rebone-setup"],
    ),
    ("rebone-io", &["rebone-model"]),
    (
        "rebone-view",
        &[
            "rebone-model",
            "rebone-report",
            "rebone-runtime",
            "rebone-setup",
        ],
    ),
    (
        "rebone",
        &[
            "rebone-io",
            "rebone-model",
            "rebone-report",
            "rebone-runtime",
            "rebone-setup",
            "rebone-view",
        ],
    ),
    ("rebone-cli", &["rebone"]),
    ("rebone-wasm", &["rebone"]),
];

/// Tools of the workspace itself, never published.
pub(super) const UNPUBLISHED: [&str; 4] =
    ["rebone-corpus", "rebone-samples", "rebone-testkit", "xtask"];

pub(super) fn check(packages: &[Package]) -> Vec<String> {
    let ours = |name: &str| packages.iter().any(|package| package.name == name);
    let mut errors = Vec::new();
    for package in packages {
        let name = package.name.as_str();
        if UNPUBLISHED.contains(&name) {
            continue;
        }
        let Some((_, allowed)) = ALLOWED.iter().find(|(other, _)| *other == name) else {
            errors.push(format!(
                "crate {name} is not in the list of borders (xtask/src/tidy/borders.rs)"
            ));
            continue;
        };
        for dependency in &package.dependencies {
            let wrong = if name == "rebone-model" {
                !["glam", "libm", "serde"].contains(&dependency.as_str())
            } else {
                ours(dependency) && !allowed.contains(&dependency.as_str())
            };
            if wrong {
                errors.push(format!("crate {name} must not depend on {dependency}"));
            }
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(edges: &[(&str, &str)]) -> usize {
        let package = |name: &str| Package {
            name: name.to_owned(),
            dependencies: edges
                .iter()
                .filter(|(from, _)| *from == name)
                .map(|(_, to)| (*to).to_owned())
                .collect(),
            ..Package::default()
        };
        let names = ALLOWED.iter().map(|(name, _)| *name).chain(UNPUBLISHED);
        check(&names.map(package).collect::<Vec<_>>()).len()
    }

    #[test]
    fn every_border_is_guarded() {
        let fine = [
            ("rebone-model", "glam"),
            ("rebone-model", "libm"),
            ("rebone-model", "serde"),
            ("rebone-setup", "rebone-model"),
            ("rebone-setup", "thiserror"),
            ("rebone-cli", "rebone"),
            ("xtask", "rebone-testkit"),
        ];
        assert_eq!(complaints(&fine), 0);
        for edge in [
            ("rebone-model", "thiserror"),
            ("rebone-runtime", "rebone-setup"),
            ("rebone-setup", "rebone-report"),
            ("rebone-setup", "rebone-io"),
            ("rebone-io", "rebone-setup"),
            ("rebone-view", "rebone-io"),
            ("rebone", "rebone-cli"),
            ("rebone-cli", "rebone-model"),
            ("rebone-wasm", "rebone-setup"),
            ("rebone-setup", "rebone-testkit"),
            ("rebone", "rebone-testkit"),
        ] {
            assert_eq!(complaints(&[edge]), 1, "{edge:?}");
        }
        let stranger = Package {
            name: "rebone-new".to_owned(),
            ..Package::default()
        };
        assert_eq!(check(&[stranger]).len(), 1);
    }
}
