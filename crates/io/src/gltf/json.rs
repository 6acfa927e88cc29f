//! The parts of glTF's JSON that are read, and how a broken element is named.

use super::EXPORT_AGAIN;
use super::splice::quoted;
use crate::Error;
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde_json::value::RawValue;

/// How deep below an element equal keys are looked for; nothing that is read lies deeper.
const DEEPEST_TWIN: usize = 12;

/// The top level: each value is still text.
///
/// Where a key stands twice the last one counts.
pub(super) struct TopLevel<'a> {
    members: IndexMap<String, &'a RawValue>,
}

impl<'a> TopLevel<'a> {
    /// Opens the top level only.
    pub(super) fn parse(json: &'a str) -> Result<Self, Error> {
        let members = serde_json::from_str(json).map_err(|error| broken("JSON", &error))?;
        Ok(Self { members })
    }

    /// The text of one member.
    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.members.get(key).map(|raw| raw.get())
    }

    /// An object or value; `None` where it is missing.
    pub(super) fn value<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, Error> {
        let Some(text) = self.text(key) else {
            return Ok(None);
        };
        element(text).map(Some).map_err(|error| broken(key, &error))
    }

    /// An array; empty where it is missing. An error names the first broken element.
    pub(super) fn array<T: DeserializeOwned>(&self, key: &str) -> Result<Vec<T>, Error> {
        let Some(text) = self.text(key) else {
            return Ok(Vec::new());
        };
        if let Ok(all) = serde_json::from_str(text) {
            return Ok(all);
        }
        self.elements(key)?
            .into_iter()
            .enumerate()
            .map(|(index, raw)| {
                element(raw).map_err(|error| broken(&format!("{key}[{index}]"), &error))
            })
            .collect()
    }

    /// The texts of an array's elements; none where it is missing.
    pub(super) fn elements(&self, key: &str) -> Result<Vec<&'a str>, Error> {
        let Some(text) = self.text(key) else {
            return Ok(Vec::new());
        };
        let raws: Vec<&RawValue> =
            serde_json::from_str(text).map_err(|error| broken(key, &error))?;
        Ok(raws.into_iter().map(RawValue::get).collect())
    }
}

/// The members of an object's text, in order; where a key stands twice the last one counts.
pub(super) fn members<'a>(text: &'a str, place: &str) -> Result<IndexMap<String, &'a str>, Error> {
    let members: IndexMap<String, &RawValue> =
        serde_json::from_str(text).map_err(|error| broken(place, &error))?;
    Ok(members
        .into_iter()
        .map(|(key, raw)| (key, raw.get()))
        .collect())
}

/// Parses one element. A key that stands twice is an error to serde's structs, so the text then gets
/// a second try without the members that are overruled. (Parsing it as a `Value` would do too, but
/// rounds each number twice.)
pub(super) fn element<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| {
        let mut single = String::with_capacity(text.len());
        push_single(text, DEEPEST_TWIN, &mut single)
            .and_then(|()| serde_json::from_str(&single))
            .map_err(|_| error)
    })
}

/// Appends JSON in which, down to a depth, only the last of equal keys is left.
fn push_single(text: &str, depth: usize, out: &mut String) -> Result<(), serde_json::Error> {
    let Some(depth) = depth.checked_sub(1) else {
        out.push_str(text);
        return Ok(());
    };
    match text.as_bytes().first() {
        Some(b'{') => {
            let members: IndexMap<String, &RawValue> = serde_json::from_str(text)?;
            for (place, (key, value)) in members.iter().enumerate() {
                out.push(if place == 0 { '{' } else { ',' });
                out.push_str(&quoted(key));
                out.push(':');
                push_single(value.get(), depth, out)?;
            }
            out.push_str(if members.is_empty() { "{}" } else { "}" });
        }
        Some(b'[') => {
            let elements: Vec<&RawValue> = serde_json::from_str(text)?;
            for (place, value) in elements.iter().enumerate() {
                out.push(if place == 0 { '[' } else { ',' });
                push_single(value.get(), depth, out)?;
            }
            out.push_str(if elements.is_empty() { "[]" } else { "]" });
        }
        _ => out.push_str(text),
    }
    Ok(())
}

/// The error for JSON that cannot be understood.
pub(super) fn broken(place: &str, error: &serde_json::Error) -> Error {
    Error::malformed(
        format!("this is not valid glTF: {error}"),
        place,
        EXPORT_AGAIN,
    )
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Node {
    pub name: Option<String>,
    #[serde(deserialize_with = "wholes")]
    pub children: Vec<usize>,
    #[serde(deserialize_with = "index")]
    pub mesh: Option<usize>,
    #[serde(deserialize_with = "index")]
    pub skin: Option<usize>,
    #[serde(deserialize_with = "index")]
    pub camera: Option<usize>,
    pub matrix: Option<[f32; 16]>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Skin {
    pub name: Option<String>,
    #[serde(deserialize_with = "wholes")]
    pub joints: Vec<usize>,
    #[serde(deserialize_with = "index")]
    pub inverse_bind_matrices: Option<usize>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    #[serde(default, deserialize_with = "index")]
    pub buffer_view: Option<usize>,
    #[serde(default, deserialize_with = "whole")]
    pub byte_offset: usize,
    #[serde(deserialize_with = "whole")]
    pub component_type: usize,
    #[serde(default)]
    pub normalized: bool,
    #[serde(deserialize_with = "whole")]
    pub count: usize,
    #[serde(rename = "type")]
    pub shape: Shape,
    pub sparse: Option<Sparse>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Shape {
    #[serde(rename = "SCALAR")]
    Scalar,
    #[serde(rename = "VEC2")]
    Vec2,
    #[serde(rename = "VEC3")]
    Vec3,
    #[serde(rename = "VEC4")]
    Vec4,
    #[serde(rename = "MAT2")]
    Mat2,
    #[serde(rename = "MAT3")]
    Mat3,
    #[serde(rename = "MAT4")]
    Mat4,
    #[serde(other)]
    Other,
}

impl Shape {
    /// Numbers an element; 0 for an unknown shape.
    pub(super) fn width(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vec2 => 2,
            Self::Vec3 => 3,
            Self::Vec4 | Self::Mat2 => 4,
            Self::Mat3 => 9,
            Self::Mat4 => 16,
            Self::Other => 0,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Sparse {
    #[serde(deserialize_with = "whole")]
    pub count: usize,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    #[serde(deserialize_with = "whole")]
    pub buffer_view: usize,
    #[serde(default, deserialize_with = "whole")]
    pub byte_offset: usize,
    #[serde(deserialize_with = "whole")]
    pub component_type: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    #[serde(deserialize_with = "whole")]
    pub buffer_view: usize,
    #[serde(default, deserialize_with = "whole")]
    pub byte_offset: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    #[serde(deserialize_with = "whole")]
    pub buffer: usize,
    #[serde(default, deserialize_with = "whole")]
    pub byte_offset: usize,
    #[serde(deserialize_with = "whole")]
    pub byte_length: usize,
    #[serde(default, deserialize_with = "index")]
    pub byte_stride: Option<usize>,
    #[serde(default)]
    pub extensions: MeshoptExtensions,
}

/// `EXT_meshopt_compression` and its Khronos successor, on views and on buffers, as text.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MeshoptExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    ext: Option<Box<RawValue>>,
    #[serde(rename = "KHR_meshopt_compression")]
    khr: Option<Box<RawValue>>,
}

impl MeshoptExtensions {
    /// True where either is there.
    pub(super) fn present(&self) -> bool {
        self.compression().is_some()
    }

    /// What either says.
    pub(super) fn compression(&self) -> Option<&str> {
        self.khr.as_ref().or(self.ext.as_ref()).map(|raw| raw.get())
    }
}

/// How a buffer view is compressed.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ViewCompression {
    #[serde(deserialize_with = "whole")]
    pub buffer: usize,
    #[serde(default, deserialize_with = "whole")]
    pub byte_offset: usize,
    #[serde(deserialize_with = "whole")]
    pub byte_length: usize,
    #[serde(deserialize_with = "whole")]
    pub byte_stride: usize,
    #[serde(deserialize_with = "whole")]
    pub count: usize,
    pub mode: String,
    pub filter: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    #[serde(deserialize_with = "whole")]
    pub byte_length: usize,
    pub extensions: MeshoptExtensions,
}

/// A whole number; `10.0` counts as one.
pub(super) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    index(deserializer)?
        .ok_or_else(|| serde::de::Error::custom("a number is missing or below zero"))
}

#[derive(Deserialize)]
struct Whole(#[serde(deserialize_with = "whole")] usize);

/// A list of whole numbers.
pub(super) fn wholes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<usize>, D::Error> {
    let numbers = Vec::<Whole>::deserialize(deserializer)?;
    Ok(numbers.into_iter().map(|Whole(number)| number).collect())
}

/// Whole numbers with names.
pub(super) fn named_wholes<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<IndexMap<String, usize>, D::Error> {
    let numbers = IndexMap::<String, Whole>::deserialize(deserializer)?;
    let numbers = numbers.into_iter();
    Ok(numbers
        .map(|(name, Whole(number))| (name, number))
        .collect())
}

/// An index; missing where the file says `null` or a number below zero, as some exporters do.
pub(super) fn index<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    struct Lenient;
    impl Visitor<'_> for Lenient {
        type Value = Option<usize>;
        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("a whole number")
        }
        fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Self::Value, E> {
            usize::try_from(value)
                .map(Some)
                .map_err(|_| E::custom("the number is too large"))
        }
        fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Self::Value, E> {
            Ok(usize::try_from(value).ok())
        }
        fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
            // Above 2^53 not every whole number exists as a float.
            if value.fract() != 0.0 || value > 9.0e15 {
                return Err(E::custom("not a whole number"));
            }
            Ok((value >= 0.0).then_some(value as usize))
        }
        fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
    }
    deserializer.deserialize_any(Lenient)
}
