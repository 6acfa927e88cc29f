//! XML elements and the numbers in their attributes.

use crate::error::Error;
use crate::limits::Limits;
use glam::DVec3;
use roxmltree::{Document, Node, ParsingOptions};

/// Nodes of XML that a joint may take, with its masses, meshes and spaces.
const NODES_A_JOINT: usize = 200;

/// Parses a file. Document types are refused: they can make a small file large.
pub(super) fn parse<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Document<'a>, Error> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Error::malformed(
            "the file is no UTF-8",
            format!("byte {}", error.valid_up_to()),
            "save it as UTF-8",
        )
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let nodes = limits.nodes.saturating_mul(NODES_A_JOINT);
    let options = ParsingOptions {
        nodes_limit: u32::try_from(nodes).unwrap_or(u32::MAX),
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        Error::malformed(
            format!("the XML is broken: {error}"),
            format!("line {}", place.row),
            "export the file again",
        )
    })
}

/// Where an element stands, for messages.
pub(super) fn place(node: Node<'_, '_>) -> String {
    let line = node.document().text_pos_at(node.range().start).row;
    match node.attribute("name") {
        Some(name) => format!("{} \"{name}\", line {line}", node.tag_name().name()),
        None => format!("{}, line {line}", node.tag_name().name()),
    }
}

/// What an element is called, for warnings: finding its line takes long in a large file.
pub(super) fn title(node: Node<'_, '_>) -> String {
    let name = node.attribute("name").unwrap_or("without name");
    format!("the {} {name}", node.tag_name().name())
}

/// The first element of this name below another.
pub(super) fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

/// All numbers of an attribute; `None` without it.
pub(super) fn numbers(node: Node<'_, '_>, name: &str) -> Result<Option<Vec<f64>>, Error> {
    let Some(text) = node.attribute(name) else {
        return Ok(None);
    };
    let number = |word: &str| {
        let number = word.parse::<f64>().ok();
        number
            .filter(|number| (*number as f32).is_finite())
            .ok_or_else(|| {
                Error::malformed(
                    format!("{name}=\"{text}\" are no numbers"),
                    place(node),
                    "correct them",
                )
            })
    };
    text.split_whitespace()
        .map(number)
        .collect::<Result<_, _>>()
        .map(Some)
}

/// So many numbers of an attribute; `None` without it.
pub(super) fn exactly<const N: usize>(
    node: Node<'_, '_>,
    name: &str,
) -> Result<Option<[f64; N]>, Error> {
    let Some(found) = numbers(node, name)? else {
        return Ok(None);
    };
    <[f64; N]>::try_from(found).map(Some).map_err(|found| {
        Error::malformed(
            format!("{name} has {} numbers, not {N}", found.len()),
            place(node),
            "correct it",
        )
    })
}

/// A vector; `None` without the attribute.
pub(super) fn vector(node: Node<'_, '_>, name: &str) -> Result<Option<DVec3>, Error> {
    Ok(exactly::<3>(node, name)?.map(DVec3::from_array))
}
