//! Every file of tests is part of a program that cargo builds: a file that `tests/all.rs` forgets would never run.

use super::Texts;

pub(super) fn check(texts: &Texts) -> Vec<String> {
    let mut errors = Vec::new();
    for path in texts.keys() {
        let Some((package, name)) = path
            .strip_suffix(".rs")
            .and_then(|path| path.split_once("/tests/"))
            .filter(|(_, name)| !name.contains('/') && *name != "all")
        else {
            continue;
        };
        let all = format!("{package}/tests/all.rs");
        let Some(modules) = texts.get(&all) else {
            continue;
        };
        let listed = modules.lines().any(|line| line == format!("mod {name};"));
        let alone = texts
            .get(&format!("{package}/Cargo.toml"))
            .is_some_and(|manifest| manifest.contains(&format!("[[test]]\nname = \"{name}\"\n")));
        if !listed && !alone {
            errors.push(format!("{path}: never runs; add `mod {name};` to {all}"));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forgotten_file_is_found() {
        let texts = [
            ("crates/a/tests/all.rs", "mod listed;\n"),
            ("crates/a/Cargo.toml", "[[test]]\nname = \"alone\"\n"),
            ("crates/a/tests/listed.rs", ""),
            ("crates/a/tests/alone.rs", ""),
            ("crates/a/tests/forgotten.rs", ""),
            ("crates/a/tests/folder/part.rs", ""),
            ("crates/b/tests/found_by_cargo.rs", ""),
        ];
        let texts = texts
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect();
        let errors = check(&texts);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].starts_with("crates/a/tests/forgotten.rs"));
    }
}
