//! The buffers of an existing file, with room for the bytes of new clips.

use super::motion_json::MotionJson;
use crate::gltf::Container;
use crate::gltf::buffers::{data_uri, fetch};
use crate::gltf::json::{Buffer, BufferView, TopLevel, members};
use crate::gltf::splice::{Splices, quoted, with_members};
use crate::{Error, Limits, Resources};
use std::borrow::Cow;

/// The media type of arbitrary bytes.
pub(super) const BUFFER_TYPE: &str = "application/octet-stream";

/// Where the new bytes go.
pub(super) struct Home<'a> {
    pub buffer: usize,
    pub offset: usize,
    /// True where they go into the binary chunk.
    pub in_bin: bool,
    /// What the binary chunk begins with.
    pub bin: Option<Cow<'a, [u8]>>,
}

/// The buffers of the file into which clips are written.
pub(super) struct TargetBuffers<'a> {
    top: &'a TopLevel<'a>,
    bin: Option<&'a [u8]>,
    resources: Resources<'a>,
    /// Of the result.
    container: Container,
    buffers: Vec<Buffer>,
    /// The JSON of each buffer.
    texts: Vec<&'a str>,
}

impl<'a> TargetBuffers<'a> {
    pub(super) fn new(
        top: &'a TopLevel<'a>,
        bin: Option<&'a [u8]>,
        resources: Resources<'a>,
        container: Container,
    ) -> Result<Self, Error> {
        Ok(Self {
            top,
            bin,
            resources,
            container,
            buffers: top.array("buffers")?,
            texts: top.elements("buffers")?,
        })
    }

    /// Makes room for the new bytes and embeds what lies outside the file.
    pub(super) fn make_room(
        &self,
        motion: &MotionJson<'_>,
        splices: &mut Splices<'_>,
    ) -> Result<Home<'a>, Error> {
        self.embed(splices)?;
        if self.container == Container::Gltf {
            return self.new_buffer(motion, None, splices);
        }
        let (Some(first), Some(&text)) = (self.buffers.first(), self.texts.first()) else {
            return self.only_buffer(motion, splices);
        };
        if let Some(uri) = &first.uri {
            let mut content = fetch(uri, "buffers[0]", self.resources, &Limits::default())?;
            content.truncate(first.byte_length);
            return lengthen_first(text, Cow::Owned(content), motion, splices);
        }
        match self.bin {
            Some(bin) if self.first_is_bin() => {
                lengthen_first(text, Cow::Borrowed(bin), motion, splices)
            }
            None if !first.extensions.present() => self.fill_first(text, motion, splices),
            // The first buffer is a place-holder and must stay one, so the chunk is out of reach.
            bin => self.new_buffer(motion, bin, splices),
        }
    }

    /// True where the first buffer is that of the binary chunk.
    fn first_is_bin(&self) -> bool {
        let is_plain = |first: &Buffer| first.uri.is_none() && !first.extensions.present();
        self.bin.is_some() && self.buffers.first().is_some_and(is_plain)
    }

    /// Turns buffers outside the JSON into data URIs, except the first one of a GLB, which goes into the binary chunk.
    fn embed(&self, splices: &mut Splices<'_>) -> Result<(), Error> {
        let is_glb = self.container == Container::Glb;
        for (index, (buffer, text)) in self.buffers.iter().zip(&self.texts).enumerate() {
            let place = format!("buffers[{index}]");
            let content = match &buffer.uri {
                None if index == 0 && self.first_is_bin() && !is_glb => self.bin.map(Cow::Borrowed),
                Some(uri) if !(uri.starts_with("data:") || index == 0 && is_glb) => Some(
                    Cow::Owned(fetch(uri, &place, self.resources, &Limits::default())?),
                ),
                _ => None,
            };
            if let Some(content) = content {
                let content = &content[..content.len().min(buffer.byte_length)];
                let uri = quoted(&data_uri(BUFFER_TYPE, content));
                splices.replace(text, with_members(text, &place, &[("uri", Some(uri))])?);
            }
        }
        Ok(())
    }

    /// Adds a buffer for the binary chunk to a GLB that has none.
    fn only_buffer(
        &self,
        motion: &MotionJson<'_>,
        splices: &mut Splices<'_>,
    ) -> Result<Home<'a>, Error> {
        let offset = self.bin.map_or(0, <[u8]>::len).next_multiple_of(4);
        let length = offset + motion.byte_len();
        if length > 0 {
            let buffer = format!(r#"{{"byteLength":{length}}}"#);
            splices.append(self.top, "buffers", &buffer)?;
        }
        Ok(Home {
            buffer: 0,
            offset,
            in_bin: true,
            bin: self.bin.map(Cow::Borrowed),
        })
    }

    /// Makes the first buffer, which has no data, that of the binary chunk: in a GLB it can be nothing else.
    ///
    /// Fails where something in the file should lie in it.
    fn fill_first(
        &self,
        text: &'a str,
        motion: &MotionJson<'_>,
        splices: &mut Splices<'_>,
    ) -> Result<Home<'a>, Error> {
        let views: Vec<BufferView> = self.top.array("bufferViews")?;
        if motion.byte_len() == 0 || views.iter().any(|view| view.buffer == 0) {
            return Err(Error::caller(
                "the file's first buffer has no data, and a GLB cannot say so",
                "buffers[0]",
                "write a .gltf, or export the file again together with its data",
            ));
        }
        let length = Some(motion.byte_len().to_string());
        let changes = [("byteLength", length)];
        splices.replace(text, with_members(text, "buffers[0]", &changes)?);
        Ok(Home {
            buffer: 0,
            offset: 0,
            in_bin: true,
            bin: None,
        })
    }

    /// Puts the new bytes into a buffer of their own, as a data URI.
    fn new_buffer(
        &self,
        motion: &MotionJson<'_>,
        bin: Option<&'a [u8]>,
        splices: &mut Splices<'_>,
    ) -> Result<Home<'a>, Error> {
        if motion.byte_len() > 0 {
            let mut bytes = Vec::new();
            motion.append_bytes(&mut bytes);
            let uri = quoted(&data_uri(BUFFER_TYPE, &bytes));
            let buffer = format!(r#"{{"byteLength":{},"uri":{uri}}}"#, bytes.len());
            splices.append(self.top, "buffers", &buffer)?;
        }
        Ok(Home {
            buffer: self.buffers.len(),
            offset: 0,
            in_bin: false,
            bin: bin.map(Cow::Borrowed),
        })
    }
}

/// Puts the new bytes into the binary chunk, behind those of the first buffer. `bin` holds the latter: borrowed from the old
/// chunk, or owned if they come from a URI.
fn lengthen_first<'a>(
    text: &str,
    bin: Cow<'a, [u8]>,
    motion: &MotionJson<'_>,
    splices: &mut Splices<'_>,
) -> Result<Home<'a>, Error> {
    let from_outside = matches!(bin, Cow::Owned(_));
    let offset = bin.len().next_multiple_of(4);
    let in_bin = motion.byte_len() > 0;
    if in_bin || from_outside {
        let length = if in_bin {
            offset + motion.byte_len()
        } else {
            bin.len()
        };
        let members = members(text, "buffers[0]")?;
        match members.get("byteLength") {
            Some(old) if !from_outside => splices.replace(old, length.to_string()),
            _ => {
                let changes = [("uri", None), ("byteLength", Some(length.to_string()))];
                splices.replace(text, with_members(text, "buffers[0]", &changes)?);
            }
        }
    }
    Ok(Home {
        buffer: 0,
        offset,
        in_bin,
        bin: Some(bin),
    })
}
