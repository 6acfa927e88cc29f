//! Each warning code has a page in `docs/warnings`, and each page a code.

use super::Texts;
use super::source::{line_of, shipped};
use std::collections::BTreeSet;

const PAGES: &str = "docs/warnings/";
/// The list of all pages, which is no page of a code.
const INDEX: &str = "README";

pub(super) fn check(texts: &Texts) -> Vec<String> {
    let mut errors = Vec::new();
    let mut codes = BTreeSet::new();
    for (path, text) in shipped(texts, &["crates/"]) {
        if path.starts_with("crates/testkit/") {
            continue;
        }
        for (at, word) in text.match_indices("Warning::new(") {
            let place = format!("{path}:{}", line_of(&text, at));
            let argument = text[at + word.len()..].trim_start();
            match literal(argument) {
                Some(code) if is_code(code) => {
                    if !texts.contains_key(&format!("{PAGES}{code}.md")) {
                        errors.push(format!(
                            "{place}: warning {code} has no page {PAGES}{code}.md"
                        ));
                    }
                    codes.insert(code.to_owned());
                }
                Some(code) => {
                    errors.push(format!("{place}: warning code {code} is not kebab-case"));
                }
                None => errors.push(format!("{place}: the code of a warning must be a literal")),
            }
        }
    }
    for (path, text) in texts {
        let Some(code) = path
            .strip_prefix(PAGES)
            .and_then(|name| name.strip_suffix(".md"))
        else {
            continue;
        };
        if code == INDEX {
            errors.extend(missing_in_index(text, texts));
        } else if !codes.contains(code) {
            errors.push(format!("{path}: no warning has this code"));
        } else if text.lines().next() != Some(&format!("# {code}")) {
            errors.push(format!("{path}: the first line must be \"# {code}\""));
        }
    }
    errors
}

fn missing_in_index(index: &str, texts: &Texts) -> Vec<String> {
    texts
        .keys()
        .filter_map(|path| path.strip_prefix(PAGES))
        .filter(|page| *page != format!("{INDEX}.md") && !index.contains(&format!("({page})")))
        .map(|page| format!("{PAGES}{INDEX}.md: does not list {page}"))
        .collect()
}

fn literal(argument: &str) -> Option<&str> {
    argument.strip_prefix('"')?.split('"').next()
}

fn is_code(code: &str) -> bool {
    !code.is_empty()
        && code
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(source: &str, pages: &[(&str, &str)]) -> usize {
        let mut texts: Texts = pages
            .iter()
            .map(|(name, text)| (format!("{PAGES}{name}.md"), (*text).to_owned()))
            .collect();
        texts.insert("crates/io/src/a.rs".to_owned(), source.to_owned());
        check(&texts).len()
    }

    #[test]
    fn codes_and_pages_belong_together() {
        let source = "w.push(Warning::new(\n    \"a-b\",\n    m, h));";
        assert_eq!(complaints(source, &[("a-b", "# a-b\n")]), 0);
        assert_eq!(complaints(source, &[]), 1, "code without page");
        assert_eq!(
            complaints("", &[("a-b", "# a-b\n")]),
            1,
            "page without code"
        );
        assert_eq!(
            complaints(source, &[("a-b", "# other\n")]),
            1,
            "wrong title"
        );
        assert_eq!(complaints("Warning::new(code, m, h)", &[]), 1, "no literal");
        assert_eq!(complaints("Warning::new(\"A b\", m, h)", &[]), 1, "no code");
        let tests_only = "#[cfg(test)]\nmod tests {\n    Warning::new(\"x\", m, h);\n}\n";
        assert_eq!(complaints(tests_only, &[]), 0);
    }

    #[test]
    fn the_index_lists_all_pages() {
        let source = "Warning::new(\"a\", m, h)";
        let page = ("a", "# a\n");
        assert_eq!(complaints(source, &[page, ("README", "[a](a.md)")]), 0);
        assert_eq!(complaints(source, &[page, ("README", "nothing")]), 1);
    }
}
