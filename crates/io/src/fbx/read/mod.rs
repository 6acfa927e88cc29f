//! Reads FBX files: turns the scene that ufbx loads into characters and clips.

mod channel_values;
mod clips;
mod keys;
mod local_transform;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod rotation_order;
mod skins;
mod sources;
mod timing;

use crate::fbx::scene::{LoadOptions, load};
use crate::{Document, Error, FileSpace, Format, ReadOptions, Resources};
use clips::read_clips;
use meshes::{find_hulls, read_meshes};
use nodes::read_characters;
use rebone_model::Warning;
use rebone_model::axes::Axis;
use rotation_order::add_spheric;
use skins::{read_poses, read_skins};
use sources::read_stacks;
use ufbx::{CoordinateAxis, ElementType, Scene, WarningType};

/// Reads an FBX file of any version.
///
/// Everything is in metres and +Y up; [`Joint::node`](rebone_model::Joint::node) is the index of the node
/// as ufbx counts. Joints are the nodes of skins, those that the file calls bones, animated nodes, and
/// what lies between. Each animation stack that moves anything is a clip. Its time 0 is where the stack
/// begins, or the first key where the stack states no range with keys in it; keys outside the range are
/// cut off. Keys are the file's own; more are added only where a straight line between two of them would
/// leave the curve, and none within a frame of the file (its rate, or 30 a second) unless the line is off
/// by a thousandth of a radian there.
///
/// With [`ReadOptions::meshes`], textures that the file does not hold are asked of `resources` by their
/// relative file name.
///
/// Fails on what ufbx cannot load, on transforms that are no numbers, and beyond the limits.
pub fn read(
    bytes: &[u8],
    options: &ReadOptions,
    resources: Resources<'_>,
) -> Result<Document, Error> {
    let load_options = LoadOptions {
        vertices: true,
        meshes: options.meshes,
        dom: false,
    };
    let scene = match load(bytes, &options.limits, load_options) {
        // Broken meshes hinder nobody who does not ask for them.
        Err(_) if !options.meshes => load(bytes, &options.limits, LoadOptions::default())?,
        loaded => loaded?,
    };
    let mut warnings = Vec::new();
    add_damage(&scene, &mut warnings);
    let stacks = read_stacks(&scene);
    let (mut characters, places) = read_characters(&scene, &stacks, &options.limits)?;
    let skins = read_skins(&scene, &places, &mut characters, &mut warnings);
    read_poses(&scene, &mut characters);
    add_spheric(&scene, &characters, &mut warnings);
    read_clips(
        &scene,
        &stacks,
        &places,
        &mut characters,
        &options.limits,
        &mut warnings,
    )?;
    if options.meshes {
        read_meshes(
            &scene,
            &places,
            &skins,
            &mut characters,
            resources,
            &options.limits,
            &mut warnings,
        )?;
    }
    find_hulls(&scene, &places, &skins, &mut characters);
    Ok(Document {
        format: Format::Fbx,
        space: FileSpace {
            meters_per_unit: Some(1.0),
            up: Some(Axis::PositiveY),
            forward: None,
        },
        file_space: file_space(&scene),
        characters,
        warnings,
    })
}

/// Unit and up as the file states them.
fn file_space(scene: &Scene) -> FileSpace {
    let settings = &scene.settings;
    let states = |name| settings.props.find_prop(name).is_some();
    let unit = settings.unit_meters;
    FileSpace {
        meters_per_unit: Some(unit).filter(|&unit| unit > 0.0 && states("UnitScaleFactor")),
        up: match settings.axes.up {
            CoordinateAxis::PositiveX => Some(Axis::PositiveX),
            CoordinateAxis::NegativeX => Some(Axis::NegativeX),
            CoordinateAxis::PositiveY => Some(Axis::PositiveY),
            CoordinateAxis::NegativeY => Some(Axis::NegativeY),
            CoordinateAxis::PositiveZ => Some(Axis::PositiveZ),
            CoordinateAxis::NegativeZ => Some(Axis::NegativeZ),
            CoordinateAxis::Unknown => None,
        },
        forward: None,
    }
}

/// True where an element is a node, whose name matters.
fn is_node(scene: &Scene, element: u32) -> bool {
    let element = scene.elements.as_ref().get(element as usize);
    element.is_some_and(|element| element.type_ == ElementType::Node)
}

/// One warning for all damage that ufbx has mended.
fn add_damage(scene: &Scene, warnings: &mut Vec<Warning>) {
    let mut found: Vec<String> = Vec::new();
    for warning in &scene.metadata.warnings {
        let what = match warning.type_ {
            WarningType::TruncatedArray => "arrays that are cut off",
            WarningType::IndexClamped => "indices beyond the end",
            WarningType::BadUnicode if is_node(scene, warning.element_id) => {
                "names that are no Unicode"
            }
            WarningType::DuplicateObjectId => "objects with the same id",
            WarningType::BadBase64Content => "embedded files that are no Base64",
            _ => continue,
        };
        if !found.iter().any(|known| known == what) {
            found.push(what.to_owned());
        }
    }
    if !found.is_empty() {
        warnings.push(Warning::new(
            "fbx-damaged",
            format!("the file holds {}", found.join(", ")),
            "what could be read is used; look at the result, or export the file again",
        ));
    }
}
