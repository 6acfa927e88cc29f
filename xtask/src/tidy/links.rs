//! Relative links in Markdown lead somewhere.

use super::Texts;
use std::path::{Component, Path, PathBuf};

pub(super) fn check(texts: &Texts, paths: &[String]) -> Vec<String> {
    let mut errors = Vec::new();
    for (path, text) in texts.iter().filter(|(path, _)| path.ends_with(".md")) {
        for link in links(text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                Some(path.clone())
            } else {
                resolve(path, file)
            };
            let exists = |target: &str| {
                let folder = format!("{}/", target.trim_end_matches('/'));
                paths
                    .iter()
                    .any(|other| other == target || other.starts_with(&folder))
            };
            match target {
                Some(target) if exists(&target) => {
                    let page = texts.get(&target).filter(|_| target.ends_with(".md"));
                    if !anchor.is_empty() && page.is_some_and(|page| !has_heading(page, anchor)) {
                        errors.push(format!("{path}: {link}: no such heading"));
                    }
                }
                _ => errors.push(format!("{path}: {link}: no such file")),
            }
        }
    }
    errors
}

/// Targets of `[text](target)` outside code.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        // Every second part between backticks is code.
        for part in split_code(line) {
            for (at, _) in part.match_indices("](") {
                if let Some(target) = part[at + 2..].split([')', ' ']).next() {
                    found.push(target);
                }
            }
        }
    }
    found
}

/// The parts of a line outside `code`; a link around code stays whole.
fn split_code(line: &str) -> Vec<&str> {
    if line.contains("](") && line.matches('`').count().is_multiple_of(2) && line.contains("`](") {
        return vec![line];
    }
    line.split('`').step_by(2).collect()
}

fn resolve(from: &str, link: &str) -> Option<String> {
    let joined = Path::new(from).parent()?.join(link);
    let mut clean = PathBuf::new();
    for part in joined.components() {
        match part {
            Component::ParentDir if !clean.pop() => return None,
            Component::Normal(name) => clean.push(name),
            _ => {}
        }
    }
    Some(clean.to_string_lossy().replace('\\', "/"))
}

fn has_heading(page: &str, anchor: &str) -> bool {
    page.lines()
        .filter(|line| line.starts_with('#'))
        .any(|line| slug(line.trim_start_matches('#')) == anchor)
}

/// How a heading is named in a link.
fn slug(heading: &str) -> String {
    heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_found() {
        let page = |body: &str| -> Texts {
            [
                ("docs/a.md".to_owned(), body.to_owned()),
                ("README.md".to_owned(), "# Top\n## Two words!\n".to_owned()),
            ]
            .into()
        };
        let paths = ["docs/a.md", "README.md", "docs/pics/x.svg"].map(str::to_owned);
        for fine in [
            "[up](../README.md)",
            "[up](../README.md#two-words)",
            "[`code`](../README.md)",
            "![x](pics/x.svg) and [folder](pics)",
            "[out](https://example.org/x)",
            "`[no](link.md)`",
            "```\n[no](link.md)\n```",
        ] {
            assert!(check(&page(fine), &paths).is_empty(), "{fine}");
        }
        for dead in [
            "[x](missing.md)",
            "[x](../README.md#missing)",
            "[x](../../outside.md)",
            "[x](#missing)",
        ] {
            assert_eq!(check(&page(dead), &paths).len(), 1, "{dead}");
        }
    }
}
