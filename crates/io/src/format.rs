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
    /// Autodesk's exchange format, binary or text.
    Fbx,
    /// A robot, as ROS describes it. Read only.
    Urdf,
    /// A robot, as MuJoCo describes it. Read only.
    Mjcf,
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
            Self::Fbx => "fbx",
            Self::Urdf => "urdf",
            Self::Mjcf => "mjcf",
        }
    }

    /// The format that a file name extension (without dot, any case) stands for; only those that are written.
    pub fn from_extension(extension: &str) -> Option<Self> {
        [
            Self::Glb,
            Self::Gltf,
            Self::Vrm,
            Self::Vrma,
            Self::Bvh,
            Self::Fbx,
        ]
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
        if is_fbx(bytes) {
            return Ok(Self::Fbx);
        }
        if let Some(foreign) = foreign(bytes) {
            return Err(foreign);
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
        if let Some(robot) = robot(text) {
            return Ok(robot);
        }
        Err(Error::unsupported(
            "the content is of no supported format",
            "byte 0",
            "use FBX, glTF, GLB, VRM, VRMA, BVH, URDF or MJCF",
        ))
    }
}

/// Binary FBX, or the remark or header with which text ones begin.
fn is_fbx(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = text.trim_ascii_start();
    bytes.starts_with(b"Kaydara FBX Binary")
        || text.starts_with(b"; FBX")
        || text.starts_with(b"FBXHeaderExtension:")
}

/// The format of a description of a robot: known by the first element of the XML.
fn robot(mut text: &[u8]) -> Option<Format> {
    loop {
        text = text.trim_ascii_start();
        let end: &[u8] = if text.starts_with(b"<!--") {
            b"-->"
        } else if text.starts_with(b"<?") {
            b"?>"
        } else {
            break;
        };
        let at = text.windows(end.len()).position(|window| window == end)?;
        text = &text[at + end.len()..];
    }
    let is = |name: &[u8]| {
        let rest = text.strip_prefix(name)?;
        let next = rest.first()?;
        (next.is_ascii_whitespace() || matches!(next, b'>' | b'/')).then_some(())
    };
    is(b"<robot")
        .map(|()| Format::Urdf)
        .or_else(|| is(b"<mujoco").map(|()| Format::Mjcf))
}

/// What is known of formats that are not read.
fn foreign(bytes: &[u8]) -> Option<Error> {
    let export = "export it as GLB (Blender: File > Export > glTF 2.0)";
    let (what, remedy) = if bytes.starts_with(b"BLENDER") {
        ("this is a Blender file, which only Blender reads", export)
    } else if bytes.starts_with(b"PK\x03\x04") {
        (
            "this is a ZIP archive",
            "unpack it and give one of the files in it",
        )
    } else {
        return None;
    };
    Some(Error::unsupported(what, "byte 0", remedy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells_the_format() {
        for (bytes, expected) in [
            (b"glTF\x02\0\0\0".as_slice(), Format::Glb),
            (b"\xEF\xBB\xBF \n{\"asset\":{}}", Format::Gltf),
            (b"\r\nHierarchy\nROOT", Format::Bvh),
            (b"Kaydara FBX Binary  \0\x1a\0", Format::Fbx),
            (b"; FBX 7.4.0 project file\n", Format::Fbx),
            (
                b"<?xml version=\"1.0\"?>\n<!-- <mujoco> -->\n<robot name=\"a\">",
                Format::Urdf,
            ),
            (b"\xEF\xBB\xBF<mujoco>", Format::Mjcf),
            (b"\xEF\xBB\xBF\r\n; FBX 6.1.0 project file", Format::Fbx),
        ] {
            assert_eq!(Format::detect(bytes).unwrap(), expected);
        }
    }

    #[test]
    fn known_foreign_formats_are_named() {
        for (bytes, expected) in [
            (b"BLENDER-v293".as_slice(), "Blender file"),
            (b"PK\x03\x04\x14\0", "unpack it"),
            (b"PK", "no supported format"),
            (b"; a remark", "no supported format"),
            (b"<robots>", "no supported format"),
            (b"<!-- <robot>", "no supported format"),
            (b"solid cube", "no supported format"),
        ] {
            let error = Format::detect(bytes).unwrap_err();
            assert!(matches!(error, Error::Unsupported(_)));
            assert!(error.to_string().contains(expected), "{error}");
        }
        assert!(matches!(Format::detect(b""), Err(Error::Malformed(_))));
    }
}
