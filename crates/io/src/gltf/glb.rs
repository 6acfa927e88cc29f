//! The binary container: a header and chunks.

use super::EXPORT_AGAIN;
use crate::Error;

const MAGIC: &[u8] = b"glTF";
const CHUNK_JSON: u32 = 0x4E4F_534A;
const CHUNK_BIN: u32 = 0x004E_4942;
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;

/// The parts of a glTF file in either container, borrowed from its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'a> {
    /// The JSON text, without padding.
    pub json: &'a str,
    /// The binary chunk of a GLB.
    pub bin: Option<&'a [u8]>,
    /// Chunks of unknown type after the known ones, with their headers.
    pub other_chunks: &'a [u8],
    /// True for a GLB.
    pub is_glb: bool,
}

/// Splits a file into JSON and binary chunk.
pub(super) fn split(bytes: &[u8]) -> Result<Parts<'_>, Error> {
    if !bytes.starts_with(MAGIC) {
        return Ok(Parts {
            json: json_text(bytes)?,
            bin: None,
            other_chunks: &[],
            is_glb: false,
        });
    }
    let version = u32_at(bytes, 4).ok_or_else(|| cut_off("header"))?;
    if version != 2 {
        return Err(Error::unsupported(
            format!("GLB version {version} is not supported"),
            "byte 4",
            "export the file as glTF 2.0",
        ));
    }
    let claimed = u32_at(bytes, 8).ok_or_else(|| cut_off("header"))? as usize;
    if claimed > bytes.len() {
        return Err(Error::malformed(
            format!(
                "the file should have {claimed} bytes but has {}",
                bytes.len()
            ),
            "byte 8",
            "copy or download the file again, it is cut off",
        ));
    }
    // Some exporters write a wrong, too small length; what lies behind it is then still read.
    let mut at = HEADER_BYTES;
    let (kind, json) = chunk(bytes, &mut at)?;
    if kind != CHUNK_JSON {
        return Err(Error::malformed(
            "the first chunk is not JSON",
            "byte 16",
            EXPORT_AGAIN,
        ));
    }
    let json = json_text(json)?;
    let mut bin = None;
    let before_bin = at;
    if bytes.len() >= at + CHUNK_HEADER_BYTES {
        let (kind, content) = chunk(bytes, &mut at)?;
        if kind == CHUNK_BIN {
            bin = Some(content);
        } else {
            at = before_bin;
        }
    }
    Ok(Parts {
        json,
        bin,
        other_chunks: whole_chunks(bytes.get(at..claimed).unwrap_or_default()),
        is_glb: true,
    })
}

/// A GLB of JSON, binary parts (each padded by the caller) and further chunks.
pub(super) fn join(
    json: &str,
    bin_bytes: usize,
    write_bin: impl FnOnce(&mut Vec<u8>),
    other_chunks: &[u8],
) -> Result<Vec<u8>, Error> {
    let json_bytes = json.len().next_multiple_of(4);
    let padded_bin = bin_bytes.next_multiple_of(4);
    let bin_chunk = if bin_bytes == 0 {
        0
    } else {
        CHUNK_HEADER_BYTES + padded_bin
    };
    let total = HEADER_BYTES + CHUNK_HEADER_BYTES + json_bytes + bin_chunk + other_chunks.len();
    let mut out = Vec::with_capacity(total);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&2u32.to_le_bytes());
    out.extend_from_slice(&length(total)?.to_le_bytes());
    out.extend_from_slice(&length(json_bytes)?.to_le_bytes());
    out.extend_from_slice(&CHUNK_JSON.to_le_bytes());
    out.extend_from_slice(json.as_bytes());
    out.resize(HEADER_BYTES + CHUNK_HEADER_BYTES + json_bytes, b' ');
    if bin_bytes > 0 {
        out.extend_from_slice(&length(padded_bin)?.to_le_bytes());
        out.extend_from_slice(&CHUNK_BIN.to_le_bytes());
        let start = out.len();
        write_bin(&mut out);
        out.resize(start + padded_bin, 0);
    }
    out.extend_from_slice(other_chunks);
    Ok(out)
}

fn chunk<'a>(bytes: &'a [u8], at: &mut usize) -> Result<(u32, &'a [u8]), Error> {
    let start = *at;
    let header = (u32_at(bytes, start), u32_at(bytes, start + 4));
    let (Some(size), Some(kind)) = header else {
        return Err(cut_off(&format!("byte {start}")));
    };
    let content_start = start + CHUNK_HEADER_BYTES;
    let content = content_start
        .checked_add(size as usize)
        .and_then(|end| bytes.get(content_start..end))
        .ok_or_else(|| cut_off(&format!("byte {start}")))?;
    *at = content_start + content.len().next_multiple_of(4);
    Ok((kind, content))
}

/// As many bytes from the front as make whole chunks.
fn whole_chunks(bytes: &[u8]) -> &[u8] {
    let mut end = 0;
    while end < bytes.len() {
        let mut at = end;
        match chunk(bytes, &mut at) {
            Ok(_) if at <= bytes.len() => end = at,
            _ => break,
        }
    }
    &bytes[..end]
}

fn json_text(bytes: &[u8]) -> Result<&str, Error> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Error::malformed(
            "the JSON is not UTF-8",
            format!("JSON byte {}", error.valid_up_to()),
            EXPORT_AGAIN,
        )
    })?;
    Ok(text.trim_matches(|c: char| c == '\0' || c.is_ascii_whitespace()))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

fn length(bytes: usize) -> Result<u32, Error> {
    u32::try_from(bytes).map_err(|_| {
        Error::limit(
            "a GLB cannot be larger than 4 GiB",
            "file",
            "write fewer clips into one file, or reduce their keys",
        )
    })
}

fn cut_off(place: &str) -> Error {
    Error::malformed(
        "the file ends in the middle of a chunk",
        place,
        "copy or download the file again, it is cut off",
    )
}
