//! Words that must not stand anywhere in the tree: paths of one machine, unfinished work.

use super::Texts;
use super::source::line_of;

/// Put together here, so that this file does not hold them itself.
const FORBIDDEN: [(&str, &str); 7] = [
    (concat!("/wo", "rk/"), "a path of one machine"),
    (concat!("/ro", "ot/"), "a path of one machine"),
    (concat!("/t", "mp/"), "a path of one machine"),
    (concat!("/ho", "me/"), "a path of one machine"),
    (concat!("TO", "DO"), "unfinished work"),
    (concat!("FIX", "ME"), "unfinished work"),
    (concat!("to", "do!("), "unfinished work"),
];

pub(super) fn check(texts: &Texts) -> Vec<String> {
    let mut errors = Vec::new();
    for (path, text) in texts {
        for (word, what) in FORBIDDEN {
            for (at, _) in text.match_indices(word) {
                // `crates/x/tmp/` and the like are no absolute paths, and neither are parts of words.
                let before = text[..at].chars().next_back();
                if before.is_some_and(|before| before.is_alphanumeric() || "._-}~".contains(before))
                {
                    continue;
                }
                errors.push(format!("{path}:{}: {word}: {what}", line_of(text, at)));
            }
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_paths_and_unfinished_work_are_found() {
        for (word, _) in FORBIDDEN {
            let texts = [("docs/a.md".to_owned(), format!("see \"{word}x\""))].into();
            assert_eq!(check(&texts).len(), 1, "{word}");
        }
        let fine = format!("see target{}x and ..{}x", FORBIDDEN[2].0, FORBIDDEN[0].0);
        assert!(check(&[("docs/a.md".to_owned(), fine)].into()).is_empty());
    }
}
