//! Writing binary files.
//!
//! Behind the last node stand 16 bytes that depend on the time of creation, padding that ends at a multiple
//! of 16 (at least one byte), four zero bytes, the version, 120 zero bytes and 16 bytes that are always the
//! same. Some programs write the four zero bytes in front of the padding.

use super::binary::{MAGIC, number_size};
use super::value::Kept;
use super::{Node, Tree, Value, Values};
use crate::Error;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;
use std::rc::Rc;

/// The footer of new files, with the 16 bytes that go with the creation time
/// `1970-01-01 10:00:00:000`. Its padding is made when it is written.
pub(super) const NEW_FOOTER: &[u8] = &new_footer();
const FIRST: [u8; 16] = [
    0xFA, 0xBC, 0xAB, 0x09, 0xD0, 0xC8, 0xD4, 0x66, 0xB1, 0x76, 0xFB, 0x83, 0x1C, 0xF7, 0x26, 0x7E,
];
const LAST: [u8; 16] = [
    0xF8, 0x5A, 0x8C, 0x6A, 0xDE, 0xF5, 0xD9, 0x7E, 0xEC, 0xE9, 0x0C, 0xE3, 0x75, 0x8F, 0x29, 0x0B,
];
/// Bytes from the version to the end.
const FROM_VERSION: usize = 4 + 120 + 16;
/// Arrays of so many numbers are compressed.
const MANY: usize = 128;
/// Longest name of a node.
const MAX_NAME: usize = 255;

const fn new_footer() -> [u8; 16 + FROM_VERSION] {
    let mut footer = [0; 16 + FROM_VERSION];
    let mut index = 0;
    while index < 16 {
        footer[index] = FIRST[index];
        footer[FROM_VERSION + index] = LAST[index];
        index += 1;
    }
    footer
}

pub(super) fn write(tree: &Tree<'_>) -> Result<Vec<u8>, Error> {
    let mut writer = Writer {
        bytes: Vec::new(),
        number_size: number_size(tree.version),
        times: None,
    };
    writer.bytes.extend_from_slice(MAGIC);
    writer.bytes.push(0);
    writer.bytes.extend_from_slice(&tree.version.to_le_bytes());
    for node in &tree.nodes {
        writer.node(node)?;
    }
    if tree.footer.closed {
        writer.null();
    }
    writer.footer(tree);
    Ok(writer.bytes)
}

struct Writer {
    bytes: Vec<u8>,
    number_size: usize,
    /// The last array of times, because the curves of a clip share their times.
    times: Option<Times>,
}

/// An array of times.
struct Times {
    numbers: Rc<[i64]>,
    /// `None` for a short one.
    packed: Option<Vec<u8>>,
}

impl Writer {
    fn null(&mut self) {
        let length = self.bytes.len() + 3 * self.number_size + 1;
        self.bytes.resize(length, 0);
    }

    fn number(&mut self, at: usize, number: u64) -> Result<(), Error> {
        if self.number_size < 8 && u32::try_from(number).is_err() {
            return Err(Error::limit(
                "the file would be larger than 4 GiB, which this version of FBX cannot hold",
                "file",
                "use version 7.5 or later, or fewer clips",
            ));
        }
        self.bytes[at..at + self.number_size]
            .copy_from_slice(&number.to_le_bytes()[..self.number_size]);
        Ok(())
    }

    fn node(&mut self, node: &Node<'_>) -> Result<(), Error> {
        let start = self.bytes.len();
        self.null();
        let name = &node.name[..node.name.len().min(MAX_NAME)];
        if let Some(length) = self.bytes.last_mut() {
            *length = u8::try_from(name.len()).unwrap_or(u8::MAX);
        }
        self.bytes.extend_from_slice(name);
        let values_at = self.bytes.len();
        let count = match &node.values {
            Values::Kept(Kept::Binary { count, bytes }) => {
                self.bytes.extend_from_slice(bytes);
                *count
            }
            // A tree is written in the encoding in which it was read.
            Values::Kept(Kept::Text(_)) => 0,
            Values::New(values) => {
                for value in values {
                    self.value(value);
                }
                values.len() as u64
            }
        };
        let length = self.bytes.len() - values_at;
        for child in &node.children {
            self.node(child)?;
        }
        if node.closed {
            self.null();
        }
        let end = self.bytes.len() as u64;
        self.number(start, end)?;
        self.number(start + self.number_size, count)?;
        self.number(start + 2 * self.number_size, length as u64)
    }

    fn value(&mut self, value: &Value<'_>) {
        match value {
            Value::Bool(value) => self.plain(b'C', &[u8::from(*value)]),
            Value::Int(value) => self.plain(b'I', &value.to_le_bytes()),
            Value::Long(value) => self.plain(b'L', &value.to_le_bytes()),
            Value::Float(value) => self.plain(b'F', &value.to_le_bytes()),
            Value::Double(value) => self.plain(b'D', &value.to_le_bytes()),
            Value::Text(text) => self.sized(b'S', &[text]),
            Value::Name(name, class) => {
                self.sized(b'S', &[name.as_bytes(), b"\0\x01", class.as_bytes()]);
            }
            Value::Raw(bytes) => self.sized(b'R', &[bytes]),
            Value::Ints(numbers) => self.array(b'i', numbers, |number| number.to_le_bytes()),
            Value::Longs(numbers) => self.times(numbers),
            Value::Floats(numbers) => self.array(b'f', numbers, |number| number.to_le_bytes()),
            Value::Doubles(numbers) => self.doubles(numbers),
            // Only kept nodes hold them, and these are written as they are.
            Value::KeptArray => self.array(b'i', &[], |_: &i32| [0; 4]),
        }
    }

    fn plain(&mut self, code: u8, bytes: &[u8]) {
        self.bytes.push(code);
        self.bytes.extend_from_slice(bytes);
    }

    fn sized(&mut self, code: u8, parts: &[&[u8]]) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        self.bytes.push(code);
        self.length(length);
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
    }

    /// An array of geometry, which shrinks well and is compressed where it is large.
    fn doubles(&mut self, numbers: &[f64]) {
        match packed(numbers, |number| number.to_le_bytes()) {
            Some(packed) => self.compressed(b'd', numbers.len(), &packed),
            None => self.array(b'd', numbers, |number| number.to_le_bytes()),
        }
    }

    /// An array of times, which is compressed once for all curves that share it.
    fn times(&mut self, numbers: &Rc<[i64]>) {
        let encode = |number: &i64| number.to_le_bytes();
        let last = self.times.take();
        let times = last
            .filter(|last| Rc::ptr_eq(&last.numbers, numbers))
            .unwrap_or_else(|| Times {
                numbers: Rc::clone(numbers),
                packed: packed(numbers, encode),
            });
        match &times.packed {
            Some(packed) => self.compressed(b'l', numbers.len(), packed),
            None => self.array(b'l', numbers, encode),
        }
        self.times = Some(times);
    }

    fn compressed(&mut self, code: u8, count: usize, packed: &[u8]) {
        self.bytes.push(code);
        self.length(count);
        self.length(1);
        self.length(packed.len());
        self.bytes.extend_from_slice(packed);
    }

    /// An array, not compressed: most are values of animation, which hardly shrink and should be quick.
    fn array<T, const N: usize>(&mut self, code: u8, values: &[T], encode: impl Fn(&T) -> [u8; N]) {
        self.bytes.push(code);
        self.length(values.len());
        self.length(0);
        self.length(values.len() * N);
        let at = self.bytes.len();
        self.bytes.resize(at + values.len() * N, 0);
        for (place, value) in self.bytes[at..].chunks_exact_mut(N).zip(values) {
            place.copy_from_slice(&encode(value));
        }
    }

    /// A length; what is longer than 4 GiB is refused when the record's end is written.
    fn length(&mut self, length: usize) {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(&length.to_le_bytes());
    }

    fn footer(&mut self, tree: &Tree<'_>) {
        let old = tree.footer.bytes;
        let padding = Padding::of(old, tree.footer.at);
        let (Some(padding), Some(middle)) = (padding, old.len().checked_sub(FROM_VERSION)) else {
            self.bytes.extend_from_slice(old);
            return;
        };
        self.bytes.extend_from_slice(&old[..16]);
        let version_at = padding.version_at(self.bytes.len());
        self.bytes.resize(version_at, 0);
        self.bytes.extend_from_slice(&tree.version.to_le_bytes());
        self.bytes.extend_from_slice(&old[middle + 4..]);
    }
}

/// The compressed form of a large array.
fn packed<T, const N: usize>(numbers: &[T], encode: impl Fn(&T) -> [u8; N]) -> Option<Vec<u8>> {
    if numbers.len() < MANY {
        return None;
    }
    let bytes: Vec<u8> = numbers.iter().flat_map(encode).collect();
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    // Writing to memory does not fail; if it did, the array would stay as it is.
    packer.write_all(&bytes).ok()?;
    packer.finish().ok()
}

/// In which order padding and the four zero bytes stand in front of the version.
#[derive(Clone, Copy, Debug)]
enum Padding {
    /// Padding, zero bytes: Autodesk's own files.
    First,
    /// Zero bytes, padding: Blender's.
    Last,
}

impl Padding {
    /// That of a footer which stood at `at`; `None` for footers of another shape, which are kept as they
    /// are.
    fn of(footer: &[u8], at: Option<usize>) -> Option<Self> {
        let middle = footer.len().checked_sub(FROM_VERSION)?;
        let blanks = footer.get(16..middle)?;
        if !footer.ends_with(&LAST) || blanks.iter().any(|&byte| byte != 0) {
            return None;
        }
        let Some(at) = at else {
            return Some(Self::First);
        };
        [Self::First, Self::Last]
            .into_iter()
            .find(|padding| padding.version_at(at + 16) == at + middle)
    }

    /// Where the version stands, if the 16 bytes at the beginning end at `at`.
    fn version_at(self, at: usize) -> usize {
        match self {
            Self::First => (at / 16 + 1) * 16 + 4,
            Self::Last => ((at + 4) / 16 + 1) * 16,
        }
    }
}
