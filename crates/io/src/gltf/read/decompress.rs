//! Buffer views compressed with meshopt (`EXT_meshopt_compression` and `KHR_meshopt_compression`).
//!
//! NOTE: the decoder is C++ behind a safe wrapper that checks no length, so everything that it takes for
//! granted is checked here: strides, counts, and that so many elements can lie in so few bytes at all.

use crate::gltf::buffers::Buffers;
use crate::gltf::json::{BufferView, ViewCompression, element};
use crate::gltf::{DECOMPRESS, EXPORT_AGAIN};
use crate::{Error, Limits};
use std::cell::{Cell, OnceCell};

const MODES: [&str; 3] = ["ATTRIBUTES", "TRIANGLES", "INDICES"];
const NO_FILTER: &str = "NONE";
const FILTERS: [&str; 5] = [
    NO_FILTER,
    "OCTAHEDRAL",
    "QUATERNION",
    "EXPONENTIAL",
    "COLOR",
];

/// Compressed views, each decoded when first needed.
pub(super) struct Decompressed {
    views: Vec<OnceCell<Result<Vec<u8>, Error>>>,
    /// Bytes of all decoded views together.
    taken: Cell<usize>,
}

impl Decompressed {
    /// Decodes nothing yet.
    pub(super) fn new(views: usize) -> Self {
        Self {
            views: (0..views).map(|_| OnceCell::new()).collect(),
            taken: Cell::new(0),
        }
    }

    /// The bytes of a compressed view; `None` where it is not compressed or this build cannot decode.
    pub(super) fn get(
        &self,
        index: usize,
        view: &BufferView,
        buffers: &Buffers<'_>,
        limits: &Limits,
    ) -> Option<Result<&[u8], Error>> {
        let text = view.extensions.compression()?;
        let cell = self.views.get(index).filter(|_| codec::AVAILABLE)?;
        let bytes = cell.get_or_init(|| {
            let place = format!("bufferViews[{index}].extensions");
            let compression: ViewCompression = element(text)
                .map_err(|error| Error::malformed(error.to_string(), &*place, EXPORT_AGAIN))?;
            self.decode(&compression, view, buffers, limits, &place)
        });
        Some(bytes.as_deref().map_err(Clone::clone))
    }

    fn decode(
        &self,
        compression: &ViewCompression,
        view: &BufferView,
        buffers: &Buffers<'_>,
        limits: &Limits,
        place: &str,
    ) -> Result<Vec<u8>, Error> {
        let broken = |what: &str| Error::malformed(what, place, EXPORT_AGAIN);
        let filter = compression.filter.as_deref().unwrap_or(NO_FILTER);
        for (kind, name, known) in [
            ("mode", compression.mode.as_str(), &MODES[..]),
            ("filter", filter, &FILTERS[..]),
        ] {
            if !known.contains(&name) {
                return Err(Error::unsupported(
                    format!("the data is compressed with the unknown {kind} {name:?}"),
                    place,
                    DECOMPRESS,
                ));
            }
        }
        let size = compression.count.checked_mul(compression.byte_stride);
        // A view may claim less than is decoded, but never more.
        let size = size
            .filter(|&size| size >= view.byte_length)
            .ok_or_else(|| broken("count and stride do not fit the view's length"))?;
        let buffer = buffers.get(compression.buffer)?;
        let encoded = compression
            .byte_offset
            .checked_add(compression.byte_length)
            .and_then(|end| buffer.get(compression.byte_offset..end))
            .ok_or_else(|| broken("the compressed bytes reach beyond their buffer"))?;
        if !codec::can_hold(compression, encoded.len()) {
            return Err(broken("the compressed bytes are too few for the count"));
        }
        let taken = self.taken.get().saturating_add(size);
        if taken > limits.buffer_bytes {
            return Err(Error::limit(
                format!(
                    "the data decompresses to more than {} bytes",
                    limits.buffer_bytes
                ),
                place,
                "raise the limit, or split the file",
            ));
        }
        self.taken.set(taken);
        if compression.count == 0 {
            return Ok(Vec::new());
        }
        codec::decode(compression, encoded).map_err(|what| broken(&what))
    }
}

#[cfg(not(feature = "meshopt"))]
mod codec {
    use super::ViewCompression;

    pub(super) const AVAILABLE: bool = false;

    pub(super) fn can_hold(_: &ViewCompression, _: usize) -> bool {
        false
    }

    pub(super) fn decode(_: &ViewCompression, _: &[u8]) -> Result<Vec<u8>, String> {
        Err("this build cannot decompress meshopt".to_owned())
    }
}

#[cfg(feature = "meshopt")]
mod codec {
    use super::ViewCompression;

    pub(super) const AVAILABLE: bool = true;

    /// Bytes of decoded elements that the vertex codec packs into one block, and the most elements.
    const BLOCK_BYTES: usize = 8192;
    const BLOCK_ELEMENTS: usize = 256;
    const GROUP_ELEMENTS: usize = 16;

    /// False where the stride is none of the mode, or where even the smallest encoding is longer than what
    /// is there. So the memory taken is bounded by the file's size.
    pub(super) fn can_hold(compression: &ViewCompression, encoded: usize) -> bool {
        let (count, stride) = (compression.count, compression.byte_stride);
        match compression.mode.as_str() {
            "ATTRIBUTES" => {
                let is_stride = (4..=256).contains(&stride) && stride.is_multiple_of(4);
                is_stride && {
                    let block = BLOCK_BYTES / stride / GROUP_ELEMENTS * GROUP_ELEMENTS;
                    let blocks = count.div_ceil(block.min(BLOCK_ELEMENTS));
                    // Each block spends at least two bits on each byte of an element.
                    blocks.saturating_mul(stride / 4) <= encoded
                }
            }
            // At least a byte a triangle, or an index.
            "TRIANGLES" => {
                matches!(stride, 2 | 4) && count.is_multiple_of(3) && count / 3 <= encoded
            }
            "INDICES" => matches!(stride, 2 | 4) && count <= encoded,
            _ => false,
        }
    }

    pub(super) fn decode(compression: &ViewCompression, encoded: &[u8]) -> Result<Vec<u8>, String> {
        let count = compression.count;
        let failed = |error: meshopt::Error| format!("the compressed bytes are broken: {error}");
        match (compression.mode.as_str(), compression.byte_stride) {
            ("TRIANGLES", 2) => meshopt::decode_index_buffer::<u16>(encoded, count).map(little_u16),
            ("TRIANGLES", _) => meshopt::decode_index_buffer::<u32>(encoded, count).map(little_u32),
            ("INDICES", 2) => meshopt::decode_index_sequence::<u16>(encoded, count).map(little_u16),
            ("INDICES", _) => meshopt::decode_index_sequence::<u32>(encoded, count).map(little_u32),
            (_, stride) => {
                let mut words = attributes(stride / 4, encoded, count).map_err(failed)?;
                filter(compression, &mut words)?;
                return Ok(bytemuck::cast_slice(&words).to_vec());
            }
        }
        .map_err(failed)
    }

    fn little_u16(indices: Vec<u16>) -> Vec<u8> {
        indices.into_iter().flat_map(u16::to_le_bytes).collect()
    }

    fn little_u32(indices: Vec<u32>) -> Vec<u8> {
        indices.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    fn filter(compression: &ViewCompression, words: &mut [u32]) -> Result<(), String> {
        let stride = compression.byte_stride;
        let name = compression.filter.as_deref().unwrap_or(super::NO_FILTER);
        match (name, stride) {
            ("NONE", _) => {}
            ("OCTAHEDRAL", 4) => meshopt::decode_filter_oct(quads::<i8>(words)?),
            ("OCTAHEDRAL", 8) => meshopt::decode_filter_oct(quads::<i16>(words)?),
            ("QUATERNION", 8) => meshopt::decode_filter_quat(quads::<i16>(words)?),
            ("COLOR", 4) => meshopt::decode_filter_color(quads::<u8>(words)?),
            ("COLOR", 8) => meshopt::decode_filter_color(quads::<u16>(words)?),
            ("EXPONENTIAL", _) => {
                let (elements, _) = words.as_chunks_mut::<1>();
                meshopt::decode_filter_exp(elements);
            }
            _ => {
                return Err(format!(
                    "the filter {name} does not go with {stride} bytes an element"
                ));
            }
        }
        Ok(())
    }

    fn quads<C: bytemuck::Pod>(words: &mut [u32]) -> Result<&mut [[C; 4]], String> {
        bytemuck::try_cast_slice_mut(words).map_err(|error| error.to_string())
    }

    /// An element of `W` words; arrays alone have no default beyond 32.
    #[derive(Clone, Copy)]
    struct Words<const W: usize>([u32; W]);

    impl<const W: usize> Default for Words<W> {
        fn default() -> Self {
            Self([0; W])
        }
    }

    fn sized<const W: usize>(encoded: &[u8], count: usize) -> meshopt::Result<Vec<u32>> {
        let elements: Vec<Words<W>> = meshopt::decode_vertex_buffer(encoded, count)?;
        Ok(elements.into_iter().flat_map(|words| words.0).collect())
    }

    /// Elements of up to 64 words each; the wrapper wants to know their size when it is compiled.
    fn attributes(words: usize, encoded: &[u8], count: usize) -> meshopt::Result<Vec<u32>> {
        macro_rules! by_size {
            ($($size:literal)*) => {
                match words {
                    $($size => sized::<$size>(encoded, count),)*
                    _ => Err(meshopt::Error::Parse(format!("{words} words an element"))),
                }
            };
        }
        by_size!(
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61
            62 63 64
        )
    }
}
