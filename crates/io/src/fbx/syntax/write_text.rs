//! Writing text files.

use super::value::{ESCAPES, Kept};
use super::{Node, Tree, Value, Values};
use std::fmt::{Display, Write};

/// A line of numbers is broken when it is longer than this.
const LINE: usize = 1_000;

pub(super) fn write(tree: &Tree<'_>) -> Vec<u8> {
    let mut writer = Writer {
        bytes: Vec::new(),
        newline: tree.newline,
    };
    for node in &tree.nodes {
        writer.node(node, 0);
    }
    writer.bytes.extend_from_slice(tree.footer.bytes);
    writer.bytes
}

struct Writer {
    bytes: Vec<u8>,
    newline: &'static str,
}

impl Writer {
    fn line(&mut self, depth: usize) {
        self.bytes.extend_from_slice(self.newline.as_bytes());
        self.bytes.resize(self.bytes.len() + depth, b'\t');
    }

    fn node(&mut self, node: &Node<'_>, depth: usize) {
        let open = node.closed || !node.children.is_empty();
        let mut is_array = false;
        match &node.values {
            Values::Kept(_) if !node.head.is_empty() => {
                self.bytes.extend_from_slice(node.head);
                // Whatever was read with braces has a tail.
                if open && node.tail.is_empty() {
                    self.bytes.extend_from_slice(b" {");
                }
            }
            values => {
                self.line(depth);
                self.bytes.extend_from_slice(node.name);
                self.bytes.push(b':');
                match values {
                    Values::New(values) => is_array = self.values(values, depth),
                    Values::Kept(Kept::Text(text)) => self.bytes.extend_from_slice(text),
                    // A tree is written in the encoding in which it was read.
                    Values::Kept(Kept::Binary { .. }) => {}
                }
                if open && !is_array {
                    self.bytes.extend_from_slice(b" {");
                }
            }
        }
        for child in &node.children {
            self.node(child, depth + 1);
        }
        if !node.tail.is_empty() {
            self.bytes.extend_from_slice(node.tail);
        } else if open || is_array {
            self.line(depth);
            self.bytes.push(b'}');
        }
    }

    /// Writes values; true where they are an array, whose brace is then open.
    fn values(&mut self, values: &[Value<'_>], depth: usize) -> bool {
        match values {
            [Value::Ints(numbers)] => self.array(numbers, depth),
            [Value::Longs(numbers)] => self.array(numbers, depth),
            [Value::Floats(numbers)] => self.array(numbers, depth),
            [Value::Doubles(numbers)] => self.array(numbers, depth),
            _ => {
                for (index, value) in values.iter().enumerate() {
                    self.bytes
                        .extend_from_slice(if index == 0 { b" " } else { b", " });
                    self.value(value);
                }
                return false;
            }
        }
        true
    }

    fn array(&mut self, numbers: &[impl Display], depth: usize) {
        let mut text = format!(" *{} {{", numbers.len());
        self.bytes.extend_from_slice(text.as_bytes());
        self.line(depth + 1);
        self.bytes.extend_from_slice(b"a: ");
        let mut line_at = self.bytes.len();
        for (index, number) in numbers.iter().enumerate() {
            text.clear();
            // Writing into a String cannot fail.
            let _ = write!(text, "{}{number}", if index == 0 { "" } else { "," });
            self.bytes.extend_from_slice(text.as_bytes());
            if self.bytes.len() - line_at > LINE && index + 1 < numbers.len() {
                self.bytes.extend_from_slice(self.newline.as_bytes());
                line_at = self.bytes.len();
            }
        }
    }

    fn value(&mut self, value: &Value<'_>) {
        match value {
            Value::Bool(value) => self.display(u8::from(*value)),
            Value::Int(value) => self.display(value),
            Value::Long(value) => self.display(value),
            Value::Float(value) => self.display(value),
            Value::Double(value) => self.display(value),
            Value::Text(text) => self.quoted(&[text]),
            Value::Name(name, class) => {
                self.quoted(&[class.as_bytes(), b"::", name.as_bytes()]);
            }
            // Not made by us for text files.
            Value::Raw(_) | Value::KeptArray => self.quoted(&[]),
            Value::Ints(_) | Value::Longs(_) | Value::Floats(_) | Value::Doubles(_) => {}
        }
    }

    fn display(&mut self, value: impl Display) {
        self.bytes.extend_from_slice(value.to_string().as_bytes());
    }

    fn quoted(&mut self, parts: &[&[u8]]) {
        self.bytes.push(b'"');
        for part in parts {
            for &byte in *part {
                let escape = ESCAPES
                    .iter()
                    .find(|(_, letter)| u32::from(*letter) == u32::from(byte));
                match escape {
                    Some((escape, _)) => self.bytes.extend_from_slice(escape.as_bytes()),
                    None => self.bytes.push(byte),
                }
            }
        }
        self.bytes.push(b'"');
    }
}
