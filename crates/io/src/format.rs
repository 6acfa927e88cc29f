//! File formats, told apart by content.

use crate::error::Error;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// glTF 2.0 as one binary file.
    Glb,
    /// glTF 2.0 as JSON.
    Gltf,
    /// A VRM avatar, 0.x or 1.0: a GLB with VRM data.
    Vrm,
    /// A VRM animation: a GLB with a humanoid map.
    Vrma,
    /// Biovision hierarchy.
    Bvh,
}

impl Format {
    /// Lower-case name, as in file name extensions and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Gltf => "gltf",
            Self::Vrm => "vrm",
            Self::Vrma => "vrma",
            Self::Bvh => "bvh",
        }
    }

    /// The format that a file name extension (without dot, any case) stands for.
    pub fn from_extension(extension: &str) -> Option<Self> {
        [Self::Glb, Self::Gltf, Self::Vrm, Self::Vrma, Self::Bvh]
            .into_iter()
            .find(|format| format.name().eq_ignore_ascii_case(extension))
    }

    /// Looks at the beginning of a file. GLB covers VRM and VRMA here; their reader tells them apart.
    pub fn detect(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.is_empty() {
            return Err(Error::malformed(
                "the file is empty",
                "byte 0",
                "export it again",
            ));
        }
        if bytes.starts_with(b"glTF") {
            return Ok(Self::Glb);
        }
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let start = text.iter().position(|byte| !byte.is_ascii_whitespace());
        let text = &text[start.unwrap_or(text.len())..];
        if text.first() == Some(&b'{') {
            return Ok(Self::Gltf);
        }
        if text.len() >= 9 && text[..9].eq_ignore_ascii_case(b"HIERARCHY") {
            return Ok(Self::Bvh);
        }
        Err(Error::unsupported(
            "the content is of no supported format",
            "byte 0",
            "use glTF, GLB, VRM, VRMA or BVH",
        ))
    }
}
