//! No flag and no command of the command line in a string of a library: its user may have another front end.
//! Remedies name an `Action` instead, and `crates/cli/src/advice.rs` has the flags.

use super::Texts;
use super::source::{LIBRARIES, line_of, shipped};

/// Commands of the command line.
const COMMANDS: [&str; 18] = [
    "align",
    "apply",
    "batch",
    "compile",
    "completions",
    "convert",
    "demo",
    "inspect",
    "layer",
    "licences",
    "map",
    "mirror",
    "rebind",
    "recipe",
    "render",
    "report",
    "retarget",
    "studio",
];

pub(super) fn check(texts: &Texts) -> Vec<String> {
    let mut errors = Vec::new();
    for (path, text) in shipped(texts, &LIBRARIES) {
        for (at, string) in strings(&text) {
            for named in named_in(string) {
                let line = line_of(&text, at);
                errors.push(format!(
                    "{path}:{line}: \"{named}\" is of the command line; give the remedy an Action, and say how in \
                     crates/cli/src/advice.rs"
                ));
            }
        }
    }
    errors
}

/// Flags and commands that a string names.
fn named_in(string: &str) -> Vec<String> {
    let word_at = |at: usize| -> String {
        let is_part = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
        string[at..].chars().take_while(is_part).collect()
    };
    let flags = string.match_indices("--").filter_map(|(at, _)| {
        let (before, after) = string.split_at(at);
        // Style sheets have names of this form.
        let is_style = before.ends_with("var(") || after[word_at(at).len()..].starts_with(':');
        let inside = before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '-');
        let is_word = string[at + 2..].starts_with(|letter: char| letter.is_ascii_lowercase());
        (is_word && !inside && !is_style).then(|| word_at(at))
    });
    let commands = string.match_indices("rebone ").filter_map(|(at, program)| {
        let word = word_at(at + program.len());
        COMMANDS
            .contains(&word.as_str())
            .then(|| format!("rebone {word}"))
    });
    flags.chain(commands).collect()
}

/// The string literals of a source, each with the place of its first letter.
fn strings(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            // A character, such as '"'; else a lifetime.
            b'\'' if bytes.get(at) == Some(&b'\\') => at += 2,
            b'\'' if bytes.get(at + 1) == Some(&b'\'') => at += 2,
            b'"' => {
                let hashes = text[..start]
                    .bytes()
                    .rev()
                    .take_while(|byte| *byte == b'#')
                    .count();
                let is_raw = text[..start - hashes].ends_with('r');
                let rest = &text[at..];
                let length = if is_raw {
                    rest.find(&format!("\"{}", "#".repeat(hashes)))
                } else {
                    end_of_plain(rest)
                };
                let length = length.unwrap_or(rest.len());
                found.push((at, &rest[..length]));
                at += length + 1;
            }
            _ => {}
        }
    }
    found
}

/// The place of the quotation mark that ends a string.
fn end_of_plain(rest: &str) -> Option<usize> {
    let mut is_escaped = false;
    rest.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> usize {
        check(&[(path.to_owned(), text.to_owned())].into()).len()
    }

    #[test]
    fn libraries_name_no_flags_and_no_commands() {
        for text in [
            r#"let hint = "choose one with --clip NAME";"#,
            r#"let hint = "give it (--rest FILE)";"#,
            "let hint = \"choose one \\\n    --clip\";",
            r##"let quoted = '"'; let hint = r#"say "--clip""#;"##,
            r#"let hint = "`rebone inspect FILE` lists them";"#,
            r#"#[error("name them (rebone map SOURCE TARGET)")]"#,
        ] {
            assert_eq!(complaints("crates/setup/src/a.rs", text), 1, "{text}");
            assert_eq!(complaints("crates/rebone/src/a.rs", text), 1, "{text}");
            assert_eq!(complaints("crates/cli/src/a.rs", text), 0, "{text}");
        }
        for text in [
            r#"// "--clip" is in a comment"#,
            r#"let css = "color: var(--panel)";"#,
            r#"let css = ":root { --panel: #fff; }";"#,
            r#"let rule = "-----"; let dash = "a -- b"; let range = "1--two";"#,
            r#"let x = y --z; let about = "a bug in rebone-view";"#,
            r#"let about = "written by rebone 1.0";"#,
            "#[cfg(test)]\nmod tests {\n    const A: &str = \"--clip\";\n}\n",
        ] {
            assert_eq!(complaints("crates/view/src/a.rs", text), 0, "{text}");
        }
    }
}
