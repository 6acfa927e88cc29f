//! Buffers: the binary chunk, data URIs and files beside the glTF, each fetched when first needed.

use super::EXPORT_AGAIN;
use super::json::Buffer;
use crate::{Error, Limits, Resources};
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;
use std::cell::OnceCell;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// All buffers of a file.
pub(super) struct Buffers<'a> {
    entries: &'a [Buffer],
    bin: Option<&'a [u8]>,
    resources: Resources<'a>,
    limits: Limits,
    loaded: Vec<OnceCell<Result<Cow<'a, [u8]>, Error>>>,
}

impl<'a> Buffers<'a> {
    /// Fetches nothing yet.
    pub(super) fn new(
        entries: &'a [Buffer],
        bin: Option<&'a [u8]>,
        resources: Resources<'a>,
        limits: Limits,
    ) -> Self {
        Self {
            entries,
            bin,
            resources,
            limits,
            loaded: entries.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// The content of a buffer.
    pub(super) fn get(&self, buffer: usize) -> Result<&[u8], Error> {
        let (Some(entry), Some(cell)) = (self.entries.get(buffer), self.loaded.get(buffer)) else {
            return Err(Error::malformed(
                format!("buffer {buffer} does not exist"),
                "buffers",
                EXPORT_AGAIN,
            ));
        };
        let loaded = cell.get_or_init(|| self.load(buffer, entry));
        loaded.as_ref().map(AsRef::as_ref).map_err(Clone::clone)
    }

    /// False for a buffer that is only the place-holder of compressed data.
    pub(super) fn has_data(&self, buffer: usize) -> bool {
        self.entries
            .get(buffer)
            .is_none_or(|entry| entry.uri.is_some() || self.is_bin(buffer))
    }

    /// Fetches what a URI names, be it data or a file.
    pub(super) fn fetch(&self, uri: &str, place: &str) -> Result<Vec<u8>, Error> {
        fetch(uri, place, self.resources, &self.limits)
    }

    fn is_bin(&self, buffer: usize) -> bool {
        let marked = |entry: &Buffer| entry.uri.is_none() && !entry.extensions.present();
        buffer == 0 && self.bin.is_some() && self.entries.first().is_some_and(marked)
    }

    fn load(&self, index: usize, entry: &Buffer) -> Result<Cow<'a, [u8]>, Error> {
        let place = format!("buffers[{index}]");
        let mut content = match (&entry.uri, self.bin) {
            (Some(uri), _) => Cow::Owned(self.fetch(uri, &place)?),
            (None, Some(bin)) if self.is_bin(index) => Cow::Borrowed(bin),
            (None, _) => {
                return Err(Error::malformed(
                    "the buffer has neither a uri nor a binary chunk",
                    place,
                    EXPORT_AGAIN,
                ));
            }
        };
        // The binary chunk may be padded; nothing beyond the stated length may be read.
        match &mut content {
            Cow::Borrowed(bytes) => *bytes = &bytes[..bytes.len().min(entry.byte_length)],
            Cow::Owned(bytes) => bytes.truncate(entry.byte_length),
        }
        Ok(content)
    }
}

/// Fetches what a URI names, be it data or a file.
pub(super) fn fetch(
    uri: &str,
    place: &str,
    resources: Resources<'_>,
    limits: &Limits,
) -> Result<Vec<u8>, Error> {
    let too_large = |bytes: usize| {
        Error::limit(
            format!(
                "{bytes} bytes are more than the limit of {}",
                limits.buffer_bytes
            ),
            place,
            "raise the limit, or split the file",
        )
    };
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((kind, content)) = data.split_once(',') else {
            return Err(Error::malformed(
                "the data URI has no comma",
                format!("{place}.uri"),
                EXPORT_AGAIN,
            ));
        };
        if content.len() / 4 * 3 > limits.buffer_bytes {
            return Err(too_large(content.len() / 4 * 3));
        }
        if !kind.ends_with(";base64") {
            return Ok(percent_decoded(content));
        }
        return BASE64.decode(content).map_err(|error| {
            Error::malformed(
                format!("the data URI is not base64: {error}"),
                format!("{place}.uri"),
                EXPORT_AGAIN,
            )
        });
    }
    let path = file_name(uri);
    let bytes = resources(&path).map_err(|reason| {
        Error::caller(
            format!("\"{path}\" cannot be opened: {reason}"),
            format!("{place}.uri"),
            format!("put \"{path}\" beside the file, or use a GLB"),
        )
    })?;
    if bytes.len() > limits.buffer_bytes {
        return Err(too_large(bytes.len()));
    }
    Ok(bytes)
}

/// A relative URI with its percent signs decoded.
pub(super) fn file_name(uri: &str) -> String {
    String::from_utf8(percent_decoded(uri)).unwrap_or_else(|_| uri.to_owned())
}

/// A data URI.
pub(super) fn data_uri(media_type: &str, bytes: &[u8]) -> String {
    let mut uri = String::with_capacity(32 + bytes.len().div_ceil(3) * 4);
    uri.push_str("data:");
    uri.push_str(media_type);
    uri.push_str(";base64,");
    BASE64.encode_string(bytes, &mut uri);
    uri
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes
            .get(at + 1..at + 3)
            .filter(|_| bytes[at] == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out
}
