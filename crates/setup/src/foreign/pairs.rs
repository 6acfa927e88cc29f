//! Reading of quoted texts that several formats share.

/// The text of a quoted literal at the start of `text` (Python, Godot: `"a"`, `'a'`, `&"a"`, with backslash
/// escapes), and what follows it. `None` where there is no literal or it has no end.
pub(super) fn literal(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix('&').unwrap_or(text);
    let quote = text
        .chars()
        .next()
        .filter(|first| ['"', '\''].contains(first))?;
    let mut result = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => match characters.next()?.1 {
                'n' => result.push('\n'),
                't' => result.push('\t'),
                'u' => {
                    let digits: String = characters.by_ref().take(4).map(|pair| pair.1).collect();
                    let code = u32::from_str_radix(&digits, 16).ok()?;
                    result.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                other => result.push(other),
            },
            end if end == quote => return Some((result, &text[at + 1..])),
            other => result.push(other),
        }
    }
    None
}

/// A literal in double quotation marks that [`literal`] reads back.
pub(super) fn quoted(text: &str, quote: char) -> String {
    let mut result = String::from(quote);
    for character in text.chars() {
        match character {
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\\' => result.push_str("\\\\"),
            other if other == quote => result.extend(['\\', other]),
            control if control.is_control() => {
                result.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => result.push(other),
        }
    }
    result.push(quote);
    result
}

/// The name of a joint, or nothing where a tool writes a word for none.
pub(super) fn joint_name(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && text != "None").then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_survive() {
        for text in ["Hips", "", "a\"b'c", "back\\slash", "尾\n", "\u{1}"] {
            for quote in ['"', '\''] {
                let written = quoted(text, quote) + " rest";
                assert_eq!(literal(&written), Some((text.to_owned(), " rest")));
            }
        }
        assert_eq!(literal("&\"Root\","), Some(("Root".to_owned(), ",")));
        assert_eq!(literal("\"open"), None);
        assert_eq!(literal("bare"), None);
    }
}
