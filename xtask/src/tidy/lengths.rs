//! Files stay short enough to be read in one go.

use super::Texts;
use super::source::shipped;

/// More lines than this are mentioned.
const LONG: usize = 400;
/// More than this are an error.
const TOO_LONG: usize = 600;

/// Errors and notes. Tests do not count, and what is not published is only mentioned.
pub(super) fn check(texts: &Texts) -> (Vec<String>, Vec<String>) {
    let (mut errors, mut notes) = (Vec::new(), Vec::new());
    for (path, _) in shipped(texts, &["crates/", "xtask/"]) {
        let text = &texts[path];
        // The tests of a file stand at its end.
        let counted = text
            .lines()
            .take_while(|line| !line.starts_with("#[cfg(test)]"))
            .count();
        let message = format!("{path} has {counted} lines; divide it by theme");
        let shipped = !["crates/samples/", "crates/testkit/"]
            .iter()
            .any(|folder| path.starts_with(folder));
        if counted > TOO_LONG && shipped {
            errors.push(message);
        } else if counted > LONG {
            notes.push(message);
        }
    }
    (errors, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_noted_and_longer_ones_refused() {
        let of = |lines: usize| {
            let text = "a\n".repeat(lines) + "#[cfg(test)]\nmod tests {\n" + &"b\n".repeat(900);
            let (errors, notes) = check(&[("crates/setup/src/a.rs".to_owned(), text)].into());
            (errors.len(), notes.len())
        };
        assert_eq!(of(400), (0, 0));
        assert_eq!(of(401), (0, 1));
        assert_eq!(of(601), (1, 0));
    }
}
