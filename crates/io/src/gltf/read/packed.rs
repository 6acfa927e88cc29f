//! Packed numbers: how they are stored, and how they are taken out.

/// How one number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    /// What the file's number for it means.
    pub(super) fn from_code(code: usize) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    /// Size in bytes.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }
}

/// Checked bytes: `count` elements, each at a multiple of `stride`.
pub(super) struct Strided<'b> {
    pub bytes: &'b [u8],
    pub stride: usize,
    pub count: usize,
}

/// Tightly packed floats take the short way, which compiles to plain copies.
pub(super) fn decode_floats<T, const N: usize>(
    data: Strided<'_>,
    make: impl Fn([f32; N]) -> T + Copy,
) -> Vec<T> {
    if data.stride != 4 * N {
        return decode(data, f32::from_le_bytes, make);
    }
    let (words, _) = data.bytes.as_chunks::<4>();
    let (elements, _) = words.as_chunks::<N>();
    elements
        .iter()
        .map(|element| make(element.map(f32::from_le_bytes)))
        .collect()
}

/// Elements of `N` numbers each.
pub(super) fn decode<T, C: Copy + Default, const N: usize, const BYTES: usize>(
    data: Strided<'_>,
    number: impl Fn([u8; BYTES]) -> C,
    make: impl Fn([C; N]) -> T,
) -> Vec<T> {
    let elements = data.bytes.chunks(data.stride.max(1)).take(data.count);
    elements
        .map(|element| {
            let (numbers, _) = element.as_chunks::<BYTES>();
            let mut values = [C::default(); N];
            for (value, bytes) in values.iter_mut().zip(numbers) {
                *value = number(*bytes);
            }
            make(values)
        })
        .collect()
}
