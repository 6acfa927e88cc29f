//! A session as a command line.

/// `rebone retarget SOURCE TARGET -o OUT`, with a recipe and clips where there are any, as a shell takes it.
pub(crate) fn command_line(
    [source, target, output]: [&str; 3],
    recipe: Option<&str>,
    clips: &[&str],
) -> String {
    let mut words = vec!["rebone".to_owned(), "retarget".to_owned()];
    words.extend([file(source), file(target), "-o".to_owned(), file(output)]);
    if let Some(recipe) = recipe {
        words.extend(["--recipe".to_owned(), file(recipe)]);
    }
    for clip in clips {
        // So that a name may begin with a dash.
        words.push(format!("--clip={}", quoted(clip)));
    }
    words.join(" ")
}

/// A file's name, which may begin with a dash.
fn file(name: &str) -> String {
    if name.starts_with('-') {
        return quoted(&format!("./{name}"));
    }
    quoted(name)
}

/// A word as a shell takes it whole.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/+:@%,=".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_it_as_it_was_meant() {
        assert_eq!(
            command_line(["walk.bvh", "a.vrm", "out.vrm"], None, &[]),
            "rebone retarget walk.bvh a.vrm -o out.vrm"
        );
        assert_eq!(
            command_line(
                ["my walk.bvh", "-a.vrm", "o.glb"],
                Some("r.toml"),
                &["it's", "x"]
            ),
            "rebone retarget 'my walk.bvh' ./-a.vrm -o o.glb --recipe r.toml --clip='it'\\''s' --clip=x"
        );
        assert_eq!(quoted("$HOME"), "'$HOME'");
        assert_eq!(quoted(""), "''");
    }
}
