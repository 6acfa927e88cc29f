//! Values of nodes.

use std::borrow::Cow;

/// A value. Arrays stand alone in their node.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::fbx) enum Value<'a> {
    /// Type C of binary files.
    Bool(bool),
    /// Types Y and I, and I of text files.
    Int(i32),
    /// Type L, and all whole numbers of text files.
    Long(i64),
    /// Type F.
    Float(f32),
    /// Type D, and all broken numbers of text files.
    Double(f64),
    /// Type S, and strings and bare words of text files.
    Text(Cow<'a, [u8]>),
    /// An object's name with its class: `Class::Name` in text files, `Name\0\x01Class` in binary ones.
    Name(Cow<'a, str>, &'static str),
    /// Type R.
    Raw(Cow<'a, [u8]>),
    /// Type i.
    Ints(Vec<i32>),
    /// Type l. Shared, because curves share their times.
    Longs(std::rc::Rc<[i64]>),
    /// Type f.
    Floats(Vec<f32>),
    /// Type d.
    Doubles(Vec<f64>),
    /// An array of a read file, which is never decoded.
    KeptArray,
}

impl<'a> Value<'a> {
    /// A text.
    pub(in crate::fbx) fn from_text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(match text.into() {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        })
    }

    /// The whole number that it is.
    pub(super) fn integer(&self) -> Option<i64> {
        match self {
            Self::Bool(value) => Some(i64::from(*value)),
            Self::Int(value) => Some(i64::from(*value)),
            Self::Long(value) => Some(*value),
            _ => None,
        }
    }

    /// The text that it is.
    pub(in crate::fbx) fn text(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The values of a node of a read file, as they stand there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kept<'a> {
    /// A property list that was found to be valid.
    Binary {
        /// Number of properties.
        count: u64,
        /// All of them.
        bytes: &'a [u8],
    },
    /// What stands between the colon and the brace or the end of the node.
    Text(&'a [u8]),
}

impl<'a> Kept<'a> {
    pub(super) fn value(&self, index: usize) -> Option<Value<'a>> {
        match *self {
            Self::Binary { bytes, .. } => {
                let mut rest = bytes;
                for _ in 0..index {
                    rest = rest.get(property_length(rest)?..)?;
                }
                binary_value(rest.get(..property_length(rest)?)?)
            }
            Self::Text(text) => {
                let mut at = 0;
                for _ in 0..index {
                    at = text_token(text, at)?.1;
                }
                Some(text_value(text_token(text, at)?.0))
            }
        }
    }
}

/// Length of the property with which `bytes` begin; `None` where it is unknown, wrong or cut off.
pub(super) fn property_length(bytes: &[u8]) -> Option<usize> {
    let number = |at: usize| {
        let bytes: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    };
    let array = |size: usize| {
        let (count, encoding, length) = (number(1)?, number(5)?, number(9)?);
        let plain = count.checked_mul(size)?;
        match encoding {
            0 if plain == length => length.checked_add(13),
            1 => length.checked_add(13),
            _ => None,
        }
    };
    let length = match bytes.first()? {
        b'C' | b'B' => 2,
        b'Y' => 3,
        b'I' | b'F' => 5,
        b'L' | b'D' => 9,
        b'S' | b'R' => number(1)?.checked_add(5)?,
        b'b' | b'c' => array(1)?,
        b'i' | b'f' => array(4)?,
        b'l' | b'd' => array(8)?,
        _ => return None,
    };
    (length <= bytes.len()).then_some(length)
}

/// A property of the right length.
fn binary_value(bytes: &[u8]) -> Option<Value<'_>> {
    let (code, rest) = bytes.split_first()?;
    let four = || -> Option<[u8; 4]> { rest.try_into().ok() };
    let eight = || -> Option<[u8; 8]> { rest.try_into().ok() };
    Some(match code {
        b'C' | b'B' => Value::Bool(rest.first()? & 1 == 1),
        b'Y' => Value::Int(i32::from(i16::from_le_bytes(rest.try_into().ok()?))),
        b'I' => Value::Int(i32::from_le_bytes(four()?)),
        b'F' => Value::Float(f32::from_le_bytes(four()?)),
        b'L' => Value::Long(i64::from_le_bytes(eight()?)),
        b'D' => Value::Double(f64::from_le_bytes(eight()?)),
        b'S' => Value::Text(Cow::Borrowed(rest.get(4..)?)),
        b'R' => Value::Raw(Cow::Borrowed(rest.get(4..)?)),
        _ => Value::KeptArray,
    })
}

/// The token at or after `at`, with the place behind it. Commas, blanks and remarks are passed over.
fn text_token(text: &[u8], mut at: usize) -> Option<(&[u8], usize)> {
    loop {
        match text.get(at)? {
            b';' => at += text[at..].iter().position(|&byte| byte == b'\n')?,
            b',' => at += 1,
            byte if byte.is_ascii_whitespace() => at += 1,
            b'"' => {
                let length = text[at + 1..].iter().position(|&byte| byte == b'"')?;
                let end = at + length + 2;
                return Some((&text[at..end], end));
            }
            _ => {
                let rest = &text[at..];
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b",;\"".contains(byte);
                let end = at + rest.iter().position(ends).unwrap_or(rest.len());
                return Some((&text[at..end], end));
            }
        }
    }
}

fn text_value(token: &[u8]) -> Value<'_> {
    if let Some(inside) = token
        .strip_prefix(b"\"")
        .and_then(|token| token.strip_suffix(b"\""))
    {
        return Value::Text(unescaped(inside));
    }
    if token.starts_with(b"*") {
        return Value::KeptArray;
    }
    let number = std::str::from_utf8(token).unwrap_or_default();
    if let Ok(value) = number.parse() {
        Value::Long(value)
    } else if let (Ok(value), true) = (
        number.parse(),
        number.contains(|letter: char| letter.is_ascii_digit()),
    ) {
        Value::Double(value)
    } else {
        Value::Text(Cow::Borrowed(token))
    }
}

/// Escapes of strings in text files, and what they stand for.
pub(super) const ESCAPES: [(&str, char); 3] = [("&quot;", '"'), ("&cr;", '\r'), ("&lf;", '\n')];

fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(text) {
        Ok(text) if text.contains('&') => {
            let mut text = text.to_owned();
            for (escape, letter) in ESCAPES {
                text = text.replace(escape, letter.encode_utf8(&mut [0; 4]));
            }
            Cow::Owned(text.into_bytes())
        }
        _ => Cow::Borrowed(text),
    }
}
