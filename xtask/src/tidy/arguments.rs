//! Each argument of a function has a name: no tuple bundles several.

use super::Texts;
use super::source::{line_of, shipped};

/// Signatures with an argument that is taken apart where it is named, as `(low, high): (f32, f32)`. Closures may.
pub(super) fn check(texts: &Texts) -> Vec<String> {
    let mut errors = Vec::new();
    for (path, text) in shipped(texts, &["crates/", "xtask/"]) {
        let functions = text.match_indices("fn ").filter(|(at, _)| {
            let before = text[..*at].chars().next_back();
            before.is_none_or(|before| !before.is_alphanumeric() && before != '_')
        });
        for (at, _) in functions {
            let Some(arguments) = arguments(&text[at..]) else {
                continue;
            };
            if arguments.iter().any(|argument| argument.starts_with('(')) {
                errors.push(format!(
                    "{path}:{} takes a tuple apart in its signature; name each argument, or the type that they are",
                    line_of(&text, at)
                ));
            }
        }
    }
    errors
}

/// The arguments of the function that a text begins with; `None` where it does not.
fn arguments(text: &str) -> Option<Vec<&str>> {
    let bytes = text.as_bytes();
    // Generics stand before the arguments, and may hold brackets and arrows.
    let (mut at, mut angles) = (0, 0usize);
    loop {
        match bytes.get(at)? {
            b'<' => angles += 1,
            b'>' if bytes[at - 1] != b'-' => angles = angles.checked_sub(1)?,
            b'(' if angles == 0 => break,
            b'{' | b';' => return None,
            _ => {}
        }
        at += 1;
    }
    let (mut found, mut depth, mut start) = (Vec::new(), 0usize, at + 1);
    for (place, byte) in bytes.iter().enumerate().skip(at) {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b'>' if bytes[place - 1] == b'-' => {}
            b')' | b']' | b'}' | b'>' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && *byte == b',') {
            found.push(text[start..place].trim());
            start = place + 1;
        }
        if depth == 0 {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_in_signatures_are_refused_and_those_in_types_are_not() {
        let of = |text: &str| {
            let texts = [("crates/setup/src/a.rs".to_owned(), text.to_owned())];
            check(&texts.into()).len()
        };
        assert_eq!(of("fn a((b, c): (u8, u8)) {}"), 1);
        assert_eq!(of("fn a(\n    &self,\n    (b, c): (u8, u8),\n) {}"), 1);
        assert_eq!(of("fn a<F: Fn(u8) -> u8>(f: F, (b, c): (u8, u8)) {}"), 1);
        assert_eq!(
            of("fn a(b: u8, c: impl Fn((u8, u8)) -> (u8, u8)) -> (u8, u8) {}"),
            0
        );
        assert_eq!(
            of("fn a(b: &[(u8, u8)]) { let c = |(d, e): (u8, u8)| d; }"),
            0
        );
        assert_eq!(of("type A = fn(u8) -> u8;\nconst B: [u8; 2] = [1, 2];"), 0);
    }
}
