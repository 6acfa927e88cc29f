//! The secret part of the printed address.
//!
//! The loopback port is open to every user of the machine, so each address that is answered starts with a random token.
//! It is a part of the path, not a cookie: the page only uses relative addresses, so its scripts, workers, WebAssembly
//! and fetches carry it along, and so does a reload. A browser would also send a cookie to the other ports of 127.0.0.1,
//! which other users may serve.

use std::hint::black_box;

/// Random bytes of a token. 128 bits cannot be guessed.
const LENGTH: usize = 16;

/// A random word of hexadecimal digits, another one for each server.
#[derive(Clone, Debug)]
pub(super) struct Token(String);

impl Token {
    /// Draws a token from the random source of the system. Fails if there is none.
    pub(super) fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes.map(|byte| format!("{byte:02x}")).concat()))
    }

    /// The token as the address holds it.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The rest of a path after the token, with its slash. `None` if the path does not start with the token.
    pub(super) fn strip<'a>(&self, path: &'a str) -> Option<&'a str> {
        let inner = path.strip_prefix('/')?;
        let end = inner.find('/')?;
        let (given, rest) = inner.split_at(end);
        self.is(given).then_some(rest)
    }

    /// Compares all letters even after a difference: the time of an answer must not tell how many letters were right.
    fn is(&self, given: &str) -> bool {
        if given.len() != self.0.len() {
            return false;
        }
        let pairs = self.0.bytes().zip(given.bytes());
        pairs.fold(0, |seen, (own, other)| black_box(seen | (own ^ other))) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_differ() {
        let (one, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(one.as_str().len(), 2 * LENGTH);
        assert!(one.as_str().bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert_ne!(one.as_str(), other.as_str());
    }

    #[test]
    fn only_paths_that_start_with_the_token_are_let_through() {
        let token = Token("0123abcd".to_owned());
        for (path, rest) in [
            ("/0123abcd/", "/"),
            ("/0123abcd/assets/a.js", "/assets/a.js"),
            ("/0123abcd//", "//"),
        ] {
            assert_eq!(token.strip(path), Some(rest), "{path}");
        }
        for path in [
            "",
            "/",
            "//",
            "/0123abcd",
            "0123abcd/",
            "/0123abc/",
            "/0123abcde/",
            "/0123abce/",
            "/1123abcd/",
            "/0123ABCD/",
            "//0123abcd/",
            "/assets/0123abcd/",
            "/%30123abcd/",
        ] {
            assert_eq!(token.strip(path), None, "{path}");
        }
    }
}
