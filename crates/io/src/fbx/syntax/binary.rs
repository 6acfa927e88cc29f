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
    let mut nodes = Vec::new();
    let mut at = 27;
    let mut closed = false;
    while at < bytes.len() {
        match reader.node(at, bytes.len(), 0)? {
            Some((node, end)) => {
                nodes.push(node);
                at = end;
            }
            None => {
                at += reader.null_length();
                closed = true;
                break;
            }
        }
    }
    Ok(Tree {
        encoding: Encoding::Binary,
        version,
        nodes,
        footer: Footer {
            bytes: &bytes[at..],
            at: Some(at),
            closed,
        },
        newline: "\n",
    })
}

struct Reader<'a> {
    bytes: &'a [u8],
    number_size: usize,
    nodes: usize,
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
        let head = self.null_length();
        if limit - at < head {
            return Err(cut_off(at));
        }
        let field = |index: usize| {
            number(self.bytes, at + index * self.number_size, self.number_size)
                .ok_or_else(|| cut_off(at))
        };
        let (end, count, list_length) = (field(0)?, field(1)?, field(2)?);
        let name_length = usize::from(self.bytes[at + head - 1]);
        if end == 0 {
            return if count == 0 && list_length == 0 && name_length == 0 {
                Ok(None)
            } else {
                Err(malformed("a record has no end", at))
            };
        }
        if depth >= MAX_DEPTH {
            return Err(too_deep(format!("byte {at}")));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(too_many(format!("byte {at}")));
        }
        let values_at = at + head + name_length;
        let children_at = usize::try_from(list_length)
            .ok()
            .and_then(|length| values_at.checked_add(length));
        let end = usize::try_from(end).ok().filter(|&end| end <= limit);
        let (Some(children_at), Some(end)) = (children_at, end) else {
            return Err(cut_off(at));
        };
        if children_at > end {
            return Err(malformed("a record is longer than it says", at));
        }
        let list = &self.bytes[values_at..children_at];
        check_list(list, count, values_at)?;

        let mut children = Vec::new();
        let mut closed = false;
        let mut inside = children_at;
        while inside < end {
            match self.node(inside, end, depth + 1)? {
                Some((child, behind)) => {
                    children.push(child);
                    inside = behind;
                }
                None => {
                    inside += head;
                    closed = true;
                    if inside != end {
                        return Err(malformed("a list of nodes ends before its record", inside));
                    }
                }
            }
        }
        let node = Node {
            name: &self.bytes[at + head..values_at],
            values: Values::Kept(Kept::Binary { count, bytes: list }),
            children,
            closed,
            head: &[],
            tail: &[],
        };
        Ok(Some((node, end)))
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
