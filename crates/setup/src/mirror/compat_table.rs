//! The axes of the lesser mirror, as a person types them.

use super::compat::{CompatMirror, MirrorAxes, MirrorAxis};
use crate::error::Error;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedFile {
    mirror: TypedMirror,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedMirror {
    axis: Option<TypedAxis>,
    side: Option<TypedAxis>,
    pelvis: Option<TypedAxes>,
    #[serde(default)]
    joints: BTreeMap<String, TypedAxes>,
    #[serde(default)]
    twins: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedAxes {
    axis: Option<TypedAxis>,
    side: Option<TypedAxis>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TypedAxis {
    X,
    Y,
    Z,
    None,
}

impl TypedAxes {
    fn compile(self) -> MirrorAxes {
        let axis = |typed: Option<TypedAxis>| match typed {
            None | Some(TypedAxis::None) => None,
            Some(TypedAxis::X) => Some(MirrorAxis::X),
            Some(TypedAxis::Y) => Some(MirrorAxis::Y),
            Some(TypedAxis::Z) => Some(MirrorAxis::Z),
        };
        MirrorAxes {
            axis: axis(self.axis),
            side: axis(self.side),
        }
    }
}

impl CompatMirror {
    /// Reads a table `[mirror]` with `axis`, `side` (`"x"`, `"y"`, `"z"` or `"none"`, the default), `pelvis` (a table of
    /// both), `joints` and `twins` (by name).
    pub fn parse(text: &str) -> Result<Self, Error> {
        let typed: TypedFile = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or(0, |span| span.start.min(text.len()));
            Error::Recipe {
                what: error.message().to_owned(),
                place: format!("line {}", 1 + text[..before].matches('\n').count()),
                remedy: "see docs/methods/mirror.md for what the table may hold".into(),
            }
        })?;
        let TypedMirror {
            axis,
            side,
            pelvis,
            joints,
            twins,
        } = typed.mirror;
        let joints = joints.into_iter();
        Ok(Self {
            axes: TypedAxes { axis, side }.compile(),
            pelvis: pelvis.map(TypedAxes::compile),
            joints: joints.map(|(name, axes)| (name, axes.compile())).collect(),
            twins,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read() {
        let text = "[mirror]\naxis = \"x\"\nside = \"y\"\npelvis = { axis = \"none\" }\n\
                    [mirror.joints]\nhead = { side = \"z\" }\n[mirror.twins]\nA = \"B\"\n";
        let read = CompatMirror::parse(text).unwrap();
        assert_eq!(read.axes.axis, Some(MirrorAxis::X));
        assert_eq!(read.axes.side, Some(MirrorAxis::Y));
        assert_eq!(read.pelvis, Some(MirrorAxes::default()));
        assert_eq!(read.joints["head"].side, Some(MirrorAxis::Z));
        assert_eq!(read.twins["A"], "B");
        for (text, expected) in [
            ("[mirror]\naxis = \"w\"", "line 2"),
            ("[mirror]\nnormal = 1", "normal"),
            ("axis = \"x\"", "mirror"),
        ] {
            let error = CompatMirror::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
