//! Image files: PNG and JPEG read, PNG written.

use crate::error::Error;
use png::{ColorType, Transformations};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Longer sides are refused.
const LONGEST_SIDE: usize = 16_384;

/// Memory that a decoder may take, bytes.
const DECODER_MEMORY: usize = 512 << 20;

/// How a PNG file begins.
const PNG_SIGNATURE: [u8; 4] = *b"\x89PNG";

/// A decoded image.
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Red, green, blue and straight alpha, row by row from the top.
    pub(crate) pixels: Vec<[u8; 4]>,
}

/// The image in a PNG or JPEG file; `None` of another format, a broken file, or an image that is too large.
pub(crate) fn decode(bytes: &[u8]) -> Option<Picture> {
    let picture = if bytes.starts_with(&PNG_SIGNATURE) {
        decode_png(bytes)
    } else {
        decode_jpeg(bytes)
    };
    picture.filter(|picture| !picture.pixels.is_empty())
}

fn decode_png(bytes: &[u8]) -> Option<Picture> {
    let limits = png::Limits {
        bytes: DECODER_MEMORY,
    };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = reader.info().size();
    let (width, height) = size(width as usize, height as usize)?;
    let mut raw = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut raw).ok()?;
    let pixels = raw.get(..frame.buffer_size())?;
    let pixels = match frame.color_type {
        ColorType::Grayscale => each(pixels, |[v]| [v, v, v, 255]),
        ColorType::GrayscaleAlpha => each(pixels, |[v, a]| [v, v, v, a]),
        ColorType::Rgb => each(pixels, |[r, g, b]| [r, g, b, 255]),
        ColorType::Rgba => each(pixels, |pixel| pixel),
        // Palettes are expanded.
        ColorType::Indexed => return None,
    };
    Some(Picture {
        width,
        height,
        pixels,
    })
}

fn decode_jpeg(bytes: &[u8]) -> Option<Picture> {
    let options = DecoderOptions::default()
        .set_strict_mode(false)
        .set_max_width(LONGEST_SIDE)
        .set_max_height(LONGEST_SIDE)
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let (width, height) = decoder.dimensions()?;
    let (width, height) = size(width, height)?;
    let pixels = decoder.decode().ok()?;
    Some(Picture {
        width,
        height,
        pixels: each(&pixels, |[r, g, b, _]| [r, g, b, 255]),
    })
}

/// A size, if its pixels may be decoded.
fn size(width: usize, height: usize) -> Option<(usize, usize)> {
    let bytes = width.checked_mul(height)?.checked_mul(4)?;
    let is_small = width.max(height) <= LONGEST_SIDE && bytes <= DECODER_MEMORY;
    is_small.then_some((width, height))
}

/// Pixels of `N` bytes.
fn each<const N: usize>(bytes: &[u8], pixel: impl Fn([u8; N]) -> [u8; 4]) -> Vec<[u8; 4]> {
    let (pixels, _) = bytes.as_chunks::<N>();
    pixels.iter().map(|own| pixel(*own)).collect()
}

/// A PNG file of pixels in rows, of three bytes each ([`ColorType::Rgb`]) or four.
pub(crate) fn encode_png(
    bytes: &[u8],
    width: usize,
    height: usize,
    color: ColorType,
) -> Result<Vec<u8>, Error> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::Adaptive);
    let mut writer = encoder.write_header().map_err(Error::encode)?;
    writer.write_image_data(bytes).map_err(Error::encode)?;
    writer.finish().map_err(Error::encode)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of PNG gives the colours that were written.
    #[test]
    fn png_of_every_kind_is_read() {
        let file = |color, depth, palette: Option<Vec<u8>>, bytes: &[u8]| {
            let mut file = Vec::new();
            let mut encoder = png::Encoder::new(&mut file, 2, 1);
            encoder.set_color(color);
            encoder.set_depth(depth);
            if let Some(palette) = palette {
                encoder.set_palette(palette);
                encoder.set_trns(vec![255, 7]);
            }
            let mut writer = encoder.write_header().unwrap();
            writer.write_image_data(bytes).unwrap();
            writer.finish().unwrap();
            file
        };
        let eight = png::BitDepth::Eight;
        let cases = [
            (
                file(ColorType::Grayscale, eight, None, &[10, 200]),
                [[10, 10, 10, 255], [200, 200, 200, 255]],
            ),
            (
                file(
                    ColorType::Grayscale,
                    png::BitDepth::One,
                    None,
                    &[0b0100_0000],
                ),
                [[0, 0, 0, 255], [255; 4]],
            ),
            (
                file(ColorType::GrayscaleAlpha, eight, None, &[1, 2, 3, 4]),
                [[1, 1, 1, 2], [3, 3, 3, 4]],
            ),
            (
                file(ColorType::Rgb, eight, None, &[1, 2, 3, 4, 5, 6]),
                [[1, 2, 3, 255], [4, 5, 6, 255]],
            ),
            (
                file(ColorType::Rgba, eight, None, &[1, 2, 3, 4, 5, 6, 7, 8]),
                [[1, 2, 3, 4], [5, 6, 7, 8]],
            ),
            (
                file(
                    ColorType::Rgb,
                    png::BitDepth::Sixteen,
                    None,
                    &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0],
                ),
                [[1, 2, 3, 255], [4, 5, 6, 255]],
            ),
            (
                file(
                    ColorType::Indexed,
                    eight,
                    Some(vec![9, 8, 7, 6, 5, 4]),
                    &[1, 0],
                ),
                [[6, 5, 4, 7], [9, 8, 7, 255]],
            ),
        ];
        for (file, pixels) in cases {
            let read = decode(&file).unwrap();
            assert_eq!((read.width, read.height), (2, 1));
            assert_eq!(read.pixels, pixels);
            assert!(decode(&file[..file.len() - 20]).is_none_or(|read| read.pixels.len() == 2));
        }
    }

    /// Eight by eight pixels of a middle grey: one block whose coefficients are all 0, and Huffman tables of one code each.
    #[test]
    fn jpeg_is_read() {
        let mut file = vec![0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0];
        file.extend([1; 64]);
        file.extend([0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]);
        for class in [0x00, 0x10] {
            file.extend([0xFF, 0xC4, 0, 20, class, 1]);
            file.extend([0; 16]);
        }
        file.extend([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9]);
        let read = decode(&file).unwrap();
        assert_eq!((read.width, read.height), (8, 8));
        assert!(
            read.pixels
                .iter()
                .all(|pixel| *pixel == [128, 128, 128, 255])
        );
    }

    #[test]
    fn what_is_no_image_or_too_large_is_refused() {
        assert!(decode(b"no image").is_none());
        assert!(decode(&[]).is_none());
        let mut large = Vec::new();
        png::Encoder::new(&mut large, 20_000, 2)
            .write_header()
            .unwrap();
        assert!(decode(&large).is_none());
    }
}
