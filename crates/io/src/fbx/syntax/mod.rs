//! The syntax of FBX files, binary and text, as a tree that can be changed and written again.
//!
//! What nobody changed is written as it was, byte for byte: a kept node of a binary file keeps its
//! properties in their encoded form (only the offsets around them are new), a kept node of a text file
//! keeps its text with the remarks and blanks in front of it. Nothing is decoded before somebody asks.

mod binary;
mod text;
mod value;
mod write_binary;
mod write_text;

pub(super) use binary::is_big_endian;
pub(super) use value::Value;

use crate::Error;
use value::Kept;

/// Deepest nesting that is followed. Real files stay below ten.
const MAX_DEPTH: usize = 64;
/// Most nodes of one file: each takes about 130 bytes of memory.
const MAX_NODES: usize = 4_000_000;

/// How a file is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Little-endian records.
    Binary,
    /// Lines of text.
    Text,
}

/// A whole file.
#[derive(Clone, Debug)]
pub(super) struct Tree<'a> {
    /// Binary or text.
    pub(super) encoding: Encoding,
    /// 7400 for FBX 7.4; 0 where a text file does not say.
    pub(super) version: u32,
    /// The nodes without a parent.
    pub(super) nodes: Vec<Node<'a>>,
    /// What follows the last node.
    footer: Footer<'a>,
    /// How lines of a text file end.
    newline: &'static str,
}

/// The end of a file.
#[derive(Clone, Copy, Debug)]
struct Footer<'a> {
    bytes: &'a [u8],
    /// Where it stood: its padding depends on that. `None` for a new file.
    at: Option<usize>,
    /// True where a null record ends the list of nodes.
    closed: bool,
}

/// A node: a name, values, and nodes below it.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    /// `Objects`, `P` and so on.
    pub(super) name: &'a [u8],
    values: Values<'a>,
    /// The nodes below it, in order.
    pub(super) children: Vec<Node<'a>>,
    /// True where the list of children is ended (null record, braces) even if it is empty.
    closed: bool,
    /// The text in front of the children and behind them; empty for binary files and new nodes.
    head: &'a [u8],
    tail: &'a [u8],
}

#[derive(Clone, Debug)]
enum Values<'a> {
    Kept(Kept<'a>),
    New(Vec<Value<'a>>),
}

/// Reads a file's tree.
///
/// Fails for what does not follow the syntax (the place is a byte or a line), for big-endian binaries,
/// and beyond the limits of depth and number of nodes.
pub(super) fn parse(bytes: &[u8]) -> Result<Tree<'_>, Error> {
    if bytes.starts_with(binary::MAGIC) {
        binary::parse(bytes)
    } else {
        text::parse(bytes)
    }
}

impl<'a> Tree<'a> {
    /// An empty binary file of a version.
    pub(super) fn new(version: u32) -> Self {
        Self {
            encoding: Encoding::Binary,
            version,
            nodes: Vec::new(),
            footer: Footer {
                bytes: write_binary::NEW_FOOTER,
                at: None,
                closed: true,
            },
            newline: "\n",
        }
    }

    /// The first top-level node of a name.
    pub(super) fn node(&self, name: &str) -> Option<&Node<'a>> {
        self.nodes.iter().find(|node| node.name == name.as_bytes())
    }

    /// The file. Fails where a binary file of a version below 7.5 would exceed 4 GiB.
    pub(super) fn write(&self) -> Result<Vec<u8>, Error> {
        match self.encoding {
            Encoding::Binary => write_binary::write(self),
            Encoding::Text => Ok(write_text::write(self)),
        }
    }
}

impl<'a> Node<'a> {
    /// A new node without children.
    pub(super) fn new(name: &'a str, values: Vec<Value<'a>>) -> Self {
        Self {
            name: name.as_bytes(),
            values: Values::New(values),
            children: Vec::new(),
            closed: false,
            head: &[],
            tail: &[],
        }
    }

    /// The same with children. Their list is ended even where it is empty.
    pub(super) fn with(mut self, children: Vec<Node<'a>>) -> Self {
        self.children = children;
        self.closed = true;
        self
    }

    /// The node's own value at `index`, decoded; `None` beyond the last one. Arrays are not decoded.
    pub(super) fn value(&self, index: usize) -> Option<Value<'a>> {
        match &self.values {
            Values::Kept(kept) => kept.value(index),
            Values::New(values) => values.get(index).cloned(),
        }
    }

    /// A whole number at `index`.
    pub(super) fn integer(&self, index: usize) -> Option<i64> {
        self.value(index)?.integer()
    }

    /// True where the value at `index` is this text.
    pub(super) fn has_text(&self, index: usize, text: &str) -> bool {
        self.value(index)
            .is_some_and(|value| value.text() == Some(text.as_bytes()))
    }

    /// The first child of a name.
    pub(super) fn child(&self, name: &str) -> Option<&Node<'a>> {
        self.children
            .iter()
            .find(|child| child.name == name.as_bytes())
    }

    /// The first child of a name, to change.
    pub(super) fn child_mut(&mut self, name: &str) -> Option<&mut Node<'a>> {
        self.children
            .iter_mut()
            .find(|child| child.name == name.as_bytes())
    }

    /// Puts new values in place of all old ones.
    pub(super) fn set_values(&mut self, values: Vec<Value<'a>>) {
        self.values = Values::New(values);
    }

    /// Sees to it that the list of children is ended, as one that is not empty has to be.
    pub(super) fn end_list(&mut self) {
        self.closed |= self.children.is_empty();
    }

    /// All values, decoded.
    pub(super) fn all_values(&self) -> Vec<Value<'a>> {
        (0..).map_while(|index| self.value(index)).collect()
    }
}

fn too_deep(place: String) -> Error {
    Error::limit(
        format!("the nodes of the FBX syntax lie deeper than {MAX_DEPTH} levels"),
        place,
        "export the file again",
    )
}

fn too_many(place: String) -> Error {
    Error::limit(
        format!("the file has more than {MAX_NODES} nodes"),
        place,
        "export only what is needed",
    )
}

#[cfg(test)]
mod tests;
