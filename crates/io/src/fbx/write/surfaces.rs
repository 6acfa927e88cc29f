//! Materials of a new file, with their images inside it.

use super::objects::{
    Objects, clean, leaf, number, properties, property, real, text, vector, word,
};
use crate::fbx::syntax::{Node, Value};
use rebone_model::{Character, ImageData, Material};
use std::borrow::Cow;

/// Adds all materials, in order; returns their ids.
pub(super) fn add_materials<'a>(objects: &mut Objects<'a>, character: &'a Character) -> Vec<i64> {
    let images: Vec<i64> = character
        .images
        .iter()
        .enumerate()
        .map(|(index, image)| add_image(objects, index, image))
        .collect();
    let mut ids = Vec::with_capacity(character.materials.len());
    for material in &character.materials {
        let id = add_material(objects, material);
        if let Some(&image) = material
            .base_color_image
            .and_then(|index| images.get(index))
        {
            objects.connect(image, id, Some("DiffuseColor"));
        }
        ids.push(id);
    }
    ids
}

fn add_material<'a>(objects: &mut Objects<'a>, material: &'a Material) -> i64 {
    let [red, green, blue, alpha] = material.base_color.map(f64::from);
    let color = |name, value| vector(name, "Color", "A", value);
    let lines = vec![
        color("DiffuseColor", [red, green, blue]),
        property("DiffuseFactor", "Number", "", "A", [Value::Double(1.0)]),
        color("AmbientColor", [0.0; 3]),
        color("EmissiveColor", [0.0; 3]),
        property(
            "TransparencyFactor",
            "Number",
            "",
            "A",
            [Value::Double(1.0 - alpha)],
        ),
        real("Opacity", alpha),
    ];
    objects.add(
        "Material",
        &material.name,
        "Material",
        "",
        vec![
            number("Version", 102),
            word("ShadingModel", "lambert"),
            number("MultiLayer", 0),
            properties(lines),
        ],
    )
}

/// Adds a texture whose image is in the file; returns the texture's id.
fn add_image<'a>(objects: &mut Objects<'a>, index: usize, image: &'a ImageData) -> i64 {
    let extension = if image.bytes.starts_with(b"\x89PNG") {
        "png"
    } else {
        "jpg"
    };
    let file = format!("image_{index}.{extension}");
    let named = |name: &'static str, class: &'static str| {
        let value = Value::Name(Cow::Owned(clean(&file).into_owned()), class);
        Node::new(name, vec![value])
    };
    let path = |name: &'static str| leaf(name, Value::from_text(file.clone()));
    let video = objects.add(
        "Video",
        "image",
        "Video",
        "Clip",
        vec![
            word("Type", "Clip"),
            number("UseMipMap", 0),
            path("Filename"),
            path("RelativeFilename"),
            leaf("Content", Value::Raw(Cow::Borrowed(&image.bytes))),
        ],
    );
    let texture = objects.add(
        "Texture",
        "image",
        "Texture",
        "",
        vec![
            word("Type", "TextureVideoClip"),
            number("Version", 202),
            named("TextureName", "Texture"),
            properties(vec![property("UVSet", "KString", "", "", [text("UVMap")])]),
            named("Media", "Video"),
            path("FileName"),
            path("RelativeFilename"),
        ],
    );
    objects.connect(video, texture, None);
    texture
}
