//! Text files: `Name: value, value {` nodes `}`. The ends of lines mean nothing.

use super::value::Kept;
use super::{Encoding, Footer, MAX_DEPTH, MAX_NODES, Node, Tree, Values, too_deep, too_many};
use crate::Error;

pub(super) fn parse(bytes: &[u8]) -> Result<Tree<'_>, Error> {
    let mut reader = Reader {
        bytes,
        at: bytes.strip_prefix(b"\xEF\xBB\xBF").map_or(0, |_| 3),
        behind: 0,
        nodes: 0,
    };
    let nodes = reader.list(0)?;
    if reader.at < bytes.len() {
        return Err(reader.malformed("a closing brace has no opening one"));
    }
    let footer = &bytes[reader.behind..];
    let first_line = bytes.iter().position(|&byte| byte == b'\n');
    let newline = match first_line.and_then(|end| end.checked_sub(1)) {
        Some(before) if bytes[before] == b'\r' => "\r\n",
        _ => "\n",
    };
    let version = nodes
        .iter()
        .find(|node| node.name == b"FBXHeaderExtension")
        .and_then(|header| header.child("FBXVersion"))
        .and_then(|version| version.integer(0));
    Ok(Tree {
        encoding: Encoding::Text,
        version: version
            .and_then(|version| u32::try_from(version).ok())
            .unwrap_or(0),
        nodes,
        footer: Footer {
            bytes: footer,
            at: None,
            closed: false,
        },
        newline,
    })
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// Where reading goes on.
    at: usize,
    /// The place behind the last node: what follows belongs to the next one.
    behind: usize,
    nodes: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Passes over blanks and remarks.
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b';' {
                let rest = &self.bytes[self.at..];
                let line = rest.iter().position(|&byte| byte == b'\n');
                self.at += line.unwrap_or(rest.len());
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// Nodes up to a closing brace or the end of the file, neither of which is consumed.
    fn list(&mut self, depth: usize) -> Result<Vec<Node<'a>>, Error> {
        let mut nodes = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None | Some(b'}') => return Ok(nodes),
                Some(_) => nodes.push(self.node(depth)?),
            }
        }
    }

    fn node(&mut self, depth: usize) -> Result<Node<'a>, Error> {
        if depth >= MAX_DEPTH {
            return Err(too_deep(self.place()));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(too_many(self.place()));
        }
        let head_at = self.behind;
        let name = self.word();
        self.skip_spaces();
        if name.is_empty() || self.peek() != Some(b':') {
            return Err(self.malformed("here should be a name with a colon"));
        }
        self.at += 1;
        let values_at = self.at;
        let opened = self.values()?;
        let mut node = Node {
            name,
            values: Values::Kept(Kept::Text(&self.bytes[values_at..self.behind])),
            children: Vec::new(),
            closed: opened,
            head: &[],
            tail: &[],
        };
        if opened {
            self.behind = self.at;
        }
        node.head = &self.bytes[head_at..self.behind];
        if opened {
            node.children = self.list(depth + 1)?;
            if self.peek() != Some(b'}') {
                return Err(self.malformed("the file ends before a closing brace"));
            }
            self.at += 1;
            node.tail = &self.bytes[self.behind..self.at];
            self.behind = self.at;
        }
        Ok(node)
    }

    /// Passes over values; `behind` is then where they end. True where a brace follows, which is
    /// consumed.
    fn values(&mut self) -> Result<bool, Error> {
        self.behind = self.at;
        loop {
            self.skip_blanks();
            match self.peek() {
                None | Some(b'}') => return Ok(false),
                Some(b'{') => {
                    self.at += 1;
                    return Ok(true);
                }
                Some(b',') => self.at += 1,
                Some(b'"') => {
                    let inside = &self.bytes[self.at + 1..];
                    let Some(length) = inside.iter().position(|&byte| byte == b'"') else {
                        return Err(self.malformed("a text has no closing quotation mark"));
                    };
                    self.at += length + 2;
                }
                Some(_) => {
                    let start = self.at;
                    if self.word().is_empty() {
                        return Err(self.malformed("here should be a value"));
                    }
                    let end = self.at;
                    self.skip_spaces();
                    if self.peek() == Some(b':') {
                        // It is the name of the next node.
                        self.at = start;
                        return Ok(false);
                    }
                    self.at = end;
                }
            }
            self.behind = self.at;
        }
    }

    fn word(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b",:{}\";".contains(byte);
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn skip_spaces(&mut self) {
        while self
            .peek()
            .is_some_and(|byte| byte == b' ' || byte == b'\t')
        {
            self.at += 1;
        }
    }

    fn place(&self) -> String {
        let before = &self.bytes[..self.at.min(self.bytes.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        format!("line {line}")
    }

    fn malformed(&self, what: &str) -> Error {
        Error::malformed(what, self.place(), "export the file again")
    }
}
