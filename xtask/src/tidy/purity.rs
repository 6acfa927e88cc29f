//! No file system, clock, thread, log or random source in the libraries (the second invariant).

use super::Texts;
use super::source::{line_of, shipped};

const FOLDERS: [&str; 5] = [
    "crates/model/src/",
    "crates/runtime/src/",
    "crates/setup/src/",
    "crates/report/src/",
    "crates/io/src/",
];

/// What must not stand there, each with what it is.
const BANNED: [(&str, &str); 15] = [
    ("std::fs", "the file system"),
    ("std::env", "the environment"),
    ("std::net", "the network"),
    ("std::process", "processes"),
    ("std::thread", "threads"),
    ("rayon", "threads"),
    ("Instant::now", "the clock"),
    ("std::time::Instant", "the clock"),
    ("SystemTime", "the clock"),
    ("println!", "printing"),
    ("eprint!", "printing"),
    ("log::", "a log"),
    ("tracing::", "a log"),
    ("rand::", "a random source"),
    ("getrandom", "a random source"),
];

pub(super) fn check(texts: &Texts) -> Vec<String> {
    let mut errors = Vec::new();
    for (path, text) in shipped(texts, &FOLDERS) {
        for (word, what) in BANNED {
            for (at, _) in text.match_indices(word) {
                // `catalog::` is no `log::`.
                let before = text[..at].chars().next_back();
                if before.is_some_and(|before| before.is_alphanumeric() || before == '_')
                    && word != "println!"
                {
                    continue;
                }
                let line = line_of(&text, at);
                errors.push(format!(
                    "{path}:{line}: {word}: {what} is the caller's business"
                ));
            }
        }
        // The same by way of a group: `use std::{fs, io}`.
        for (at, _) in text.match_indices("use std::{") {
            let group = text[at..].split('}').next().unwrap_or_default();
            let names = group.split(|c: char| !c.is_alphanumeric() && c != '_');
            for name in
                names.filter(|name| ["fs", "env", "net", "process", "thread"].contains(name))
            {
                let line = line_of(&text, at);
                errors.push(format!(
                    "{path}:{line}: std::{name} is the caller's business"
                ));
            }
        }
        if text.contains("HashMap") || text.contains("HashSet") {
            errors.push(format!(
                "{path}: hash order differs from run to run; use BTreeMap or IndexMap"
            ));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> usize {
        check(&[(path.to_owned(), text.to_owned())].into()).len()
    }

    #[test]
    fn libraries_touch_nothing_outside() {
        for text in [
            "use std::fs::File;",
            "use std::{fs, io};",
            "let start = std::time::Instant::now();",
            "std::thread::spawn(f);",
            "println!(\"x\");",
            "eprintln!(\"x\");",
            "let x = rand::random();",
            "use std::collections::HashMap;",
        ] {
            assert!(complaints("crates/setup/src/a.rs", text) > 0, "{text}");
            assert_eq!(complaints("crates/cli/src/a.rs", text), 0, "{text}");
        }
        for text in [
            "// std::fs is not used",
            "use catalog::entry;",
            "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n",
            "use std::{fmt, io};",
        ] {
            assert_eq!(complaints("crates/io/src/a.rs", text), 0, "{text}");
        }
    }
}
