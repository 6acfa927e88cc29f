//! Words of the text, with line numbers for messages.

use super::numbers;
use crate::error::Error;

/// Reads words one after the other. Every byte up to the space counts as white space.
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    /// Starts behind a byte order mark, if there is one.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") {
            3
        } else {
            0
        };
        Self { bytes, at }
    }

    /// Starts at a byte offset.
    pub(super) fn at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Byte offset of what comes next.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// `line N` of what comes next. Takes time: for messages only.
    pub(super) fn place(&self) -> String {
        place(self.bytes, self.at)
    }

    /// `line N` of a byte offset. Takes time: for messages only.
    pub(super) fn place_of(&self, offset: usize) -> String {
        place(self.bytes, offset)
    }

    /// The next byte, white space included.
    pub(super) fn peek_byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips one byte.
    pub(super) fn skip_byte(&mut self) {
        self.at = (self.at + 1).min(self.bytes.len());
    }

    /// Skips white space, line ends included.
    pub(super) fn skip_space(&mut self) {
        self.skip_while(|byte| byte <= b' ');
    }

    /// Skips bytes as long as `skipped` holds for them.
    pub(super) fn skip_while(&mut self, skipped: impl Fn(u8) -> bool) {
        while self.peek_byte().is_some_and(&skipped) {
            self.at += 1;
        }
    }

    /// The next word without moving on: a brace, or a run of anything but white space and braces.
    /// Leading white space is skipped. Empty at the end.
    pub(super) fn peek_word(&mut self) -> &'a [u8] {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        let ends = |byte: &u8| *byte <= b' ' || matches!(byte, b'{' | b'}');
        let length = match rest.first() {
            Some(b'{' | b'}') => 1,
            _ => rest.iter().position(ends).unwrap_or(rest.len()),
        };
        &rest[..length]
    }

    /// The next word; empty at the end.
    pub(super) fn word(&mut self) -> &'a [u8] {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// A run of letters; empty where the next byte is none.
    pub(super) fn letters(&mut self) -> &'a [u8] {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_alphabetic());
        &self.bytes[start..self.at]
    }

    /// What is left of the line or up to a brace, trimmed: a name may hold spaces. Where nothing is
    /// left of this line, the next lines count.
    pub(super) fn name(&mut self) -> String {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        let line_end = memchr::memchr3(b'\n', b'\r', b'{', rest).unwrap_or(rest.len());
        let length = memchr::memchr(b'}', &rest[..line_end]).unwrap_or(line_end);
        self.at += length;
        String::from_utf8_lossy(&rest[..length]).trim().to_owned()
    }

    /// The next word as number.
    pub(super) fn number(&mut self) -> Result<f64, Error> {
        self.skip_space();
        let start = self.at;
        numbers::parse(self.word()).ok_or_else(|| not_a_number(self.bytes, start))
    }
}

/// `line N` of a byte offset; lines end in LF, CRLF or CR.
pub(super) fn place(bytes: &[u8], offset: usize) -> String {
    let before = &bytes[..offset.min(bytes.len())];
    let line_feeds = memchr::memchr_iter(b'\n', before).count();
    let lone_returns = memchr::memchr_iter(b'\r', before)
        .filter(|&at| bytes.get(at + 1) != Some(&b'\n'))
        .count();
    format!("line {}", 1 + line_feeds + lone_returns)
}

/// The word at an offset as it may appear in a message.
pub(super) fn quoted(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&word[..word.len().min(LONGEST)]);
    let dots = if word.len() > LONGEST { "..." } else { "" };
    format!("\"{}{dots}\"", text.escape_debug())
}

/// The error for a word that should be a number.
pub(super) fn not_a_number(bytes: &[u8], offset: usize) -> Error {
    let word = Lexer { bytes, at: offset }.peek_word();
    let place = place(bytes, offset);
    if word.is_empty() {
        return Error::malformed(
            "the file ends where a number should be",
            place,
            "the file is cut off; export or copy it again",
        );
    }
    let remedy = if word.contains(&b',') {
        "write decimal points and separate numbers by spaces"
    } else {
        "export the file again, or correct that number by hand"
    };
    let what = format!("{} is no finite number", quoted(word));
    Error::malformed(what, place, remedy)
}
