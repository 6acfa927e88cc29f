//! Rust sources, reduced to what ships: without comments and without test modules.

use super::Texts;

/// Where the sources of our libraries are.
pub(super) const LIBRARIES: [&str; 7] = [
    "crates/model/src/",
    "crates/runtime/src/",
    "crates/setup/src/",
    "crates/report/src/",
    "crates/io/src/",
    "crates/view/src/",
    "crates/rebone/src/",
];

/// The Rust files of a crate that ship: those below `src`, except files that hold nothing but tests.
pub(super) fn shipped<'a>(
    texts: &'a Texts,
    folders: &'a [&str],
) -> impl Iterator<Item = (&'a str, String)> {
    texts
        .iter()
        .filter(|(path, _)| {
            let name = path.rsplit('/').next().unwrap_or(path);
            path.ends_with(".rs")
                && folders.iter().any(|folder| path.starts_with(folder))
                && name != "tests.rs"
                && name != "doctests.rs"
                && !path.contains("/tests/")
        })
        .map(|(path, text)| (path.as_str(), without_tests_and_comments(text)))
}

/// Leaves the line numbers as they are.
pub(super) fn without_tests_and_comments(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut end_of_tests: Option<String> = None;
    let mut after_attribute = false;
    for line in text.lines() {
        let bare = line.trim_start();
        if let Some(end) = &end_of_tests {
            if line == end {
                end_of_tests = None;
            }
        } else if bare.starts_with("#[cfg(test)]") {
            after_attribute = true;
        } else if after_attribute && bare.starts_with("#[") {
            // A further attribute of the same item.
        } else if after_attribute {
            after_attribute = false;
            // Formatted code closes an item in the column in which it begins.
            if line.trim_end().ends_with('{') {
                let indent = &line[..line.len() - bare.len()];
                end_of_tests = Some(format!("{indent}}}"));
            }
        } else {
            result.push_str(without_comment(line));
        }
        result.push('\n');
    }
    result
}

/// A line up to `//`, unless that stands in a string, as it does in an address.
fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with("//") {
        return "";
    }
    match line.find(" // ") {
        Some(at) if line[..at].matches('"').count().is_multiple_of(2) => &line[..at],
        _ => line,
    }
}

/// The number of the line in which a byte stands, from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_comments_go_and_lines_stay() {
        let text = "//! fs\nfn a() {} // fs\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n    fs\n}\nfn b() {}\n";
        let left = without_tests_and_comments(text);
        assert!(!left.contains("fs"));
        assert!(left.contains("fn a() {}") && left.contains("fn b() {}"));
        assert_eq!(left.lines().count(), text.lines().count());
        assert_eq!(
            without_tests_and_comments("let a = \"http://x\";\n"),
            "let a = \"http://x\";\n"
        );
        assert_eq!(
            without_tests_and_comments("#[cfg(test)]\nuse a;\nfs\n"),
            "\n\nfs\n"
        );
    }
}
