//! Binary files: records with their end, the number and length of their properties, and a name.

use super::value::{Kept, property_length};
use super::{Encoding, Footer, MAX_DEPTH, MAX_NODES, Node, Tree, Values, too_deep, too_many};
use crate::Error;

/// How binary files begin.
pub(super) const MAGIC: &[u8] = b"Kaydara FBX Binary  \0\x1a";
/// From this version on, the numbers of a record have 64 bits.
const WIDE: u32 = 7500;

/// True for binary files that were written on a big-endian machine.
pub(in crate::fbx) fn is_big_endian(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) && bytes.get(22) == Some(&1)
}

/// Bytes of one number in front of a record.
pub(super) fn number_size(version: u32) -> usize {
    if version >= WIDE { 8 } else { 4 }
}

pub(super) fn parse(bytes: &[u8]) -> Result<Tree<'_>, Error> {
    if is_big_endian(bytes) {
        return Err(Error::unsupported(
            "the file is big-endian",
            "byte 22",
            "save it on a little-endian machine, as nearly all are",
        ));
    }
    let version = number(bytes, 23, 4).ok_or_else(|| cut_off(23))?;
    let version = u32::try_from(version).unwrap_or(0);
    let mut reader = Reader {
        bytes,
        number_size: number_size(version),
        nodes: 0,
    };
    let list = reader.list(27, bytes.len(), 0)?;
    Ok(Tree {
        encoding: Encoding::Binary,
        version,
        nodes: list.nodes,
        footer: Footer {
            bytes: &bytes[list.end..],
            at: Some(list.end),
            closed: list.closed,
        },
        newline: "\n",
    })
}

struct Reader<'a> {
    bytes: &'a [u8],
    number_size: usize,
    nodes: usize,
}

/// Nodes that follow each other.
struct List<'a> {
    nodes: Vec<Node<'a>>,
    /// True where a null record ends the list.
    closed: bool,
    /// The place behind it.
    end: usize,
}

/// What stands in front of a record's name.
struct Head {
    /// The place behind the record.
    end: u64,
    /// Number of properties.
    count: u64,
    /// Bytes of the properties.
    list_length: u64,
    name_length: usize,
}

impl<'a> Reader<'a> {
    /// Bytes of a record without name and content, which is all zero at the end of a list.
    fn null_length(&self) -> usize {
        3 * self.number_size + 1
    }

    /// The node at `at` and the place behind it; `None` for a null record. It must end by `limit`.
    fn node(
        &mut self,
        at: usize,
        limit: usize,
        depth: usize,
    ) -> Result<Option<(Node<'a>, usize)>, Error> {
        let Some(head) = self.head(at, limit)? else {
            return Ok(None);
        };
        if depth >= MAX_DEPTH {
            return Err(too_deep(format!("byte {at}")));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(too_many(format!("byte {at}")));
        }
        let name_at = at + self.null_length();
        let values_at = name_at + head.name_length;
        let children_at = usize::try_from(head.list_length)
            .ok()
            .and_then(|length| values_at.checked_add(length));
        let end = usize::try_from(head.end).ok().filter(|&end| end <= limit);
        let (Some(children_at), Some(end)) = (children_at, end) else {
            return Err(cut_off(at));
        };
        if children_at > end {
            return Err(malformed("a record is longer than it says", at));
        }
        let (count, values) = (head.count, &self.bytes[values_at..children_at]);
        check_list(values, count, values_at)?;
        let children = self.list(children_at, end, depth + 1)?;
        if children.end != end {
            let what = "a list of nodes ends before its record";
            return Err(malformed(what, children.end));
        }
        let node = Node {
            name: &self.bytes[name_at..values_at],
            values: Values::Kept(Kept::Binary {
                count,
                bytes: values,
            }),
            children: children.nodes,
            closed: children.closed,
            head: &[],
            tail: &[],
        };
        Ok(Some((node, end)))
    }

    /// The head of the record at `at`, which must end by `limit`; `None` for a null record.
    fn head(&self, at: usize, limit: usize) -> Result<Option<Head>, Error> {
        let length = self.null_length();
        if limit - at < length {
            return Err(cut_off(at));
        }
        let field = |index: usize| {
            number(self.bytes, at + index * self.number_size, self.number_size)
                .ok_or_else(|| cut_off(at))
        };
        let head = Head {
            end: field(0)?,
            count: field(1)?,
            list_length: field(2)?,
            name_length: usize::from(self.bytes[at + length - 1]),
        };
        match head {
            Head {
                end: 0,
                count: 0,
                list_length: 0,
                name_length: 0,
            } => Ok(None),
            Head { end: 0, .. } => Err(malformed("a record has no end", at)),
            head => Ok(Some(head)),
        }
    }

    /// The nodes from `at` up to `limit`, or up to a null record.
    fn list(&mut self, mut at: usize, limit: usize, depth: usize) -> Result<List<'a>, Error> {
        let mut nodes = Vec::new();
        while at < limit {
            let Some((node, end)) = self.node(at, limit, depth)? else {
                return Ok(List {
                    nodes,
                    closed: true,
                    end: at + self.null_length(),
                });
            };
            nodes.push(node);
            at = end;
        }
        Ok(List {
            nodes,
            closed: false,
            end: at,
        })
    }
}

/// Checks that a property list holds as many properties as it says, and nothing else.
fn check_list(list: &[u8], count: u64, at: usize) -> Result<(), Error> {
    let mut rest = list;
    for _ in 0..count {
        let place = at + (list.len() - rest.len());
        let length = property_length(rest)
            .ok_or_else(|| malformed("a property is cut off or of an unknown type", place))?;
        rest = &rest[length..];
    }
    if rest.is_empty() {
        Ok(())
    } else {
        let place = at + (list.len() - rest.len());
        Err(malformed(
            "a list of properties is longer than its contents",
            place,
        ))
    }
}

fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let mut eight = [0; 8];
    eight
        .get_mut(..size)?
        .copy_from_slice(bytes.get(at..at.checked_add(size)?)?);
    Some(u64::from_le_bytes(eight))
}

fn malformed(what: &str, at: usize) -> Error {
    Error::malformed(what, format!("byte {at}"), "export the file again")
}

fn cut_off(at: usize) -> Error {
    malformed("the file ends in the middle of a record", at)
}
