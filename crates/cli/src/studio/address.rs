//! From the path of a request to names of files, so that nothing outside can be named.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What does not stand as it is in an address.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The names between the slashes, decoded once; none for `/`. `None` where a name could lead elsewhere on any
/// system (`..`, a slash or backslash in disguise, a drive, a hidden file) or is no text.
pub(super) fn names(path: &str) -> Option<Vec<String>> {
    let inner = path.strip_prefix('/')?;
    if inner.is_empty() {
        return Some(Vec::new());
    }
    inner.split('/').map(name).collect()
}

fn name(encoded: &str) -> Option<String> {
    let name = percent_decode_str(encoded).decode_utf8().ok()?;
    is_plain(&name).then(|| name.into_owned())
}

/// True for a name that stays in its folder on every system.
pub(super) fn is_plain(name: &str) -> bool {
    let leads_away = |letter: char| matches!(letter, '/' | '\\' | ':') || letter.is_control();
    !name.is_empty() && !name.starts_with('.') && !name.contains(leads_away)
}

/// The address of names, relative to the page.
pub(super) fn encoded<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names
        .into_iter()
        .map(|name| utf8_percent_encode(name, ESCAPED).to_string())
        .collect();
    names.join("/")
}

/// A reference inside a file as names, relative to the file's folder. `None` where it leads out of it.
pub(super) fn referred(reference: &str) -> Option<Vec<String>> {
    let parts = reference.split('/').filter(|part| *part != ".");
    parts.map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded_once_and_stay_inside() {
        assert_eq!(names("/"), Some(vec![]));
        for (path, expected) in [
            ("/a/b.js", vec!["a", "b.js"]),
            (
                "/given/0/my%20walk%23.bvh",
                vec!["given", "0", "my walk#.bvh"],
            ),
            ("/%E6%AD%A9.glb", vec!["歩.glb"]),
            ("/%252e%252e", vec!["%2e%2e"]),
        ] {
            assert_eq!(names(path).unwrap(), expected, "{path}");
        }
        for path in [
            "",
            "a",
            "//",
            "/a/",
            "//a",
            "/..",
            "/a/../b",
            "/%2e%2e/b",
            "/.%2E/b",
            "/a%2fb",
            "/a%5cb",
            "/..%5c..%5cb",
            "/a\\b",
            "/C:/a",
            "/C%3A",
            "/a%00b",
            "/%ff",
            "/.git/config",
            "/a/%2egit",
            "/.",
        ] {
            assert_eq!(names(path), None, "{path}");
        }
    }

    #[test]
    fn an_encoded_name_is_read_back() {
        for name in ["my walk#?.bvh", "歩く.glb", "100%.fbx", "a+b&c.toml"] {
            let path = format!("/{}", encoded(["given", name]));
            assert_eq!(names(&path).unwrap(), ["given", name], "{path}");
        }
    }

    #[test]
    fn references_stay_in_the_folder_of_their_file() {
        assert_eq!(
            referred("./maps/skin%201.png").unwrap(),
            ["maps", "skin 1.png"]
        );
        for outside in [
            "../a.bin",
            "/etc/a",
            "a/../../b",
            "http://x/a.bin",
            "a\\b",
            "",
        ] {
            assert_eq!(referred(outside), None, "{outside}");
        }
    }
}
