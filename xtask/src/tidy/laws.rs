//! `docs/laws.md` holds every law. Comments and pages cite its headings, and neither codes nor notes that a reader cannot
//! look up; the tests that it names are there.

use super::Texts;
use super::requirements::{code, has_test};
use super::source::line_of;

const PAGE: &str = "docs/laws.md";

/// Longest way from an opening parenthesis to a code that counts as inside.
const INSIDE: usize = 80;

pub(super) fn check(texts: &Texts) -> Vec<String> {
    let Some(page) = texts.get(PAGE) else {
        return vec![format!("{PAGE}: there is no such page")];
    };
    let mut errors = Vec::new();
    for (path, text) in texts.iter().filter(|(path, _)| is_looked_at(path)) {
        let lines = prose(path, text);
        // The same places in bytes, so that what is divided between two lines is found.
        let flat = lines.replace('\n', " ");
        let mut complain = |at: usize, what: String| {
            errors.push(format!("{path}:{}: {what}", line_of(&lines, at)));
        };
        for (at, code) in codes(&lines, &flat) {
            complain(
                at,
                format!("{code} cannot be looked up; cite a heading of {PAGE}"),
            );
        }
        for (at, start) in flat.match_indices("project's ") {
            let words = flat[at + start.len()..].split([' ', '.', ',', ';', ')']);
            if words.take(2).any(|word| word == "notes") {
                complain(
                    at,
                    format!("these notes are not in the tree; cite a heading of {PAGE}"),
                );
            }
        }
        for (at, heading) in headings(&flat) {
            if !page
                .lines()
                .any(|line| line.strip_prefix("### ") == Some(heading))
            {
                complain(at, format!("{PAGE} has no heading \"{heading}\""));
            }
        }
    }
    for (file, function) in code(page).filter_map(|word| word.split_once(".rs::")) {
        let end = format!("/{file}.rs");
        let mut files = texts.iter().filter(|(path, _)| path.ends_with(&end));
        if !files.any(|(_, text)| has_test(text, function)) {
            errors.push(format!("{PAGE}: no file {file}.rs has a test {function}"));
        }
    }
    errors
}

fn is_looked_at(path: &str) -> bool {
    path.ends_with(".rs") || (path.ends_with(".md") && path != "CHANGELOG.md")
}

/// A page, or the comments of a source without their slashes, line by line.
fn prose(path: &str, text: &str) -> String {
    let of_line = |line: &str| -> String {
        let comment = match line.trim_start().strip_prefix("//") {
            _ if path.ends_with(".md") => line,
            Some(comment) => comment.trim_start_matches(['/', '!']),
            None => line.split_once(" // ").map_or("", |(_, comment)| comment),
        };
        comment.trim().to_owned()
    };
    text.lines().map(of_line).collect::<Vec<_>>().join("\n")
}

/// Codes of laws, a letter and a number up to 49 or 12, that stand in parentheses, at the beginning of a comment, or behind a
/// word that introduces a law. Elsewhere they may be the F1 score, a key or a colour.
fn codes<'a>(lines: &str, flat: &'a str) -> Vec<(usize, &'a str)> {
    let found = flat.match_indices(['E', 'F']).filter_map(|(at, letter)| {
        let before = &flat[..at];
        let digits = flat[at + 1..]
            .split(|c: char| !c.is_alphanumeric())
            .next()?;
        let most = if letter == "E" { 49 } else { 12 };
        let is_word = !before.ends_with(|c: char| c.is_alphanumeric() || "_'`".contains(c));
        if !is_word || !(1..=most).contains(&digits.parse::<u32>().ok()?) {
            return None;
        }
        let is_open = |open: &usize| before.rfind(')').is_none_or(|close| close < *open);
        let open = before.rfind('(').filter(is_open);
        let is_inside = open.is_some_and(|open| at - open < INSIDE);
        let word = before.trim_end().rsplit(' ').next().unwrap_or("");
        let is_introduced = ["law", "laws", "of", "equation", "equations"].contains(&word);
        let is_first = lines[..at].is_empty() || lines[..at].ends_with('\n');
        let is_cited = is_inside || is_introduced || is_first;
        is_cited.then(|| (at, &flat[at..=at + digits.len()]))
    });
    found.collect()
}

/// What is cited as a heading of the page; several may follow one another.
fn headings(flat: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, start) in flat.match_indices("docs/laws.md, \"") {
        let mut rest = Some(&flat[at + start.len()..]);
        while let Some((heading, behind)) = rest.and_then(|rest| rest.split_once('"')) {
            found.push((at, heading));
            let next = behind.strip_prefix(", \"");
            rest = next.or_else(|| behind.strip_prefix(" and \""));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> usize {
        let page = "# Laws\n### Goal of the sole\nTests: `laws/a.rs::holds`.\n### Foot lock\n";
        let test = "#[test]\nfn holds() {}\n";
        let texts = [
            (path.to_owned(), text.to_owned()),
            (PAGE.to_owned(), page.to_owned()),
            ("crates/a/tests/laws/a.rs".to_owned(), test.to_owned()),
        ];
        check(&texts.into()).len()
    }

    #[test]
    fn laws_are_cited_by_heading() {
        for fine in [
            "/// Source: docs/laws.md, \"Goal of the sole\".",
            "//! See docs/laws.md, \"Foot lock\" and\n//! \"Goal of the sole\".",
            "let code = (E2, F4);",
            "// F16 of a film, E50, `F5` and the F1 score (a mean)",
            "// the project's page of notes on dialects, which is in the tree",
        ] {
            assert_eq!(complaints("crates/a/src/a.rs", fine), 0, "{fine}");
        }
        for cited in [
            "/// Mirrors a pose (S3.5; E21).",
            "//! Hips by law F3.",
            "/// The factor a of F4.",
            "/// F9: the floor.",
            concat!("let a = 1; /", "/ as in (E47)"),
            "//! Source: the project's algorithm\n//! notes.",
            "//! Source: docs/laws.md,\n//! \"No such law\".",
            "//! See docs/laws.md, \"Foot lock\" and \"No such law\".",
        ] {
            assert_eq!(complaints("crates/a/src/a.rs", cited), 1, "{cited}");
        }
        assert_eq!(complaints("docs/a.md", "as the mirror has it (E21)"), 1);
        assert_eq!(complaints("CHANGELOG.md", "as the mirror has it (E21)"), 0);
    }

    #[test]
    fn tests_of_laws_exist() {
        let page = |text: &str| check(&[(PAGE.to_owned(), text.to_owned())].into()).len();
        assert_eq!(page("Tests: no test of its own."), 0);
        assert_eq!(page("Tests: `laws/a.rs::holds`."), 1);
        assert_eq!(check(&Texts::new()).len(), 1, "no page");
    }
}
