//! A character as a new file.

use super::animation::{Animation, Style, add_clip};
use super::geometry::add_meshes;
use super::joints::{add_bind_pose, add_joints, mesh_placements};
use super::objects::{
    Objects, integer, leaf, long, number, properties, property, real, text, vector, word,
};
use super::surfaces::add_materials;
use super::target::Target;
use super::targets::{curves_not_kept, name_of};
use crate::fbx::syntax::{Encoding, Node, Tree, Value};
use crate::{Error, Output};
use rebone_model::sampling::frame_rate_hz;
use rebone_model::{Character, Clip};
use std::borrow::Cow;

/// Units of time a second.
const TICKS: i64 = 46_186_158_000;
/// Time of creation of every file, so that equal input gives equal bytes; the id and the footer that
/// belong to it.
const CREATED: &str = "1970-01-01 10:00:00:000";
const FILE_ID: [u8; 16] = [
    0x28, 0xB3, 0x2A, 0xEB, 0xB6, 0x24, 0xCC, 0xC2, 0xBF, 0xC8, 0xB0, 0x2A, 0xA9, 0x2B, 0xFC, 0xF1,
];
/// Frames a second and the number by which the format knows them.
const RATES: [(f64, i32); 9] = [
    (120.0, 1),
    (100.0, 2),
    (60.0, 3),
    (50.0, 4),
    (48.0, 5),
    (30.0, 6),
    (25.0, 10),
    (24.0, 11),
    (1000.0, 12),
];
/// The number for any other rate.
const CUSTOM_RATE: i32 = 14;
/// Frames a second where no clip states any.
const DEFAULT_RATE: f64 = 30.0;

/// Writes skeleton, skins, meshes, materials, images and clips. Clips without tracks are left out.
pub(super) fn write(character: &Character, version: u32) -> Result<Output, Error> {
    let mut objects = Objects::new();
    let scene = objects.ids.take();
    let targets = add_joints(&mut objects, character);
    let materials = add_materials(&mut objects, character);
    let placements = mesh_placements(character);
    let skinned = add_meshes(&mut objects, character, &targets, &materials, &placements);
    add_bind_pose(&mut objects, character, &targets, &placements, &skinned);
    let (animation, lost) = animate(&mut objects, character, &targets, version);

    let mut tree = Tree::new(version);
    let (start, stop) = animation.span.unwrap_or((0, TICKS));
    let active = animation.names.first().cloned().unwrap_or_default();
    objects.nodes.extend(animation.objects);
    objects.connections.extend(animation.connections);
    tree.nodes = vec![
        header(version),
        leaf("FileId", Value::Raw(Cow::Borrowed(&FILE_ID))),
        leaf("CreationTime", text(CREATED)),
        word("Creator", "Rebone"),
        settings(start, stop, rate(&character.clips)),
        documents(scene, active),
        Node::new("References", Vec::new()).with(Vec::new()),
        definitions(&objects),
        Node::new("Objects", Vec::new()).with(objects.nodes),
        Node::new("Connections", Vec::new()).with(objects.connections),
        Node::new("Takes", Vec::new()).with(vec![word("Current", "")]),
    ];
    Ok(Output {
        bytes: tree.write()?,
        warnings: curves_not_kept(lost).into_iter().collect(),
    })
}

/// The objects of all clips, and the names of curves that have no place in the file.
fn animate(
    objects: &mut Objects<'_>,
    character: &Character,
    targets: &[Target],
    version: u32,
) -> (Animation, Vec<String>) {
    let style = Style {
        encoding: Encoding::Binary,
        version,
        ticks: TICKS,
    };
    let mut animation = Animation::default();
    let mut lost = Vec::new();
    for clip in &character.clips {
        lost.extend(clip.curves.iter().map(name_of));
        if clip.joints.iter().all(rebone_model::JointTracks::is_empty) {
            continue;
        }
        add_clip(
            &mut animation,
            clip,
            &character.skeleton,
            targets,
            &[],
            style,
            &mut objects.ids,
        );
    }
    (animation, lost)
}

/// The frame rate of the first clip that has one.
fn rate(clips: &[Clip]) -> f64 {
    let own = clips.iter().find_map(frame_rate_hz);
    own.unwrap_or(DEFAULT_RATE)
}

fn header(version: u32) -> Node<'static> {
    let stamp = [
        ("Version", 1000),
        ("Year", 1970),
        ("Month", 1),
        ("Day", 1),
        ("Hour", 10),
        ("Minute", 0),
        ("Second", 0),
        ("Millisecond", 0),
    ];
    let stamp = stamp.map(|(name, value)| number(name, value));
    Node::new("FBXHeaderExtension", Vec::new()).with(vec![
        number("FBXHeaderVersion", 1003),
        number("FBXVersion", i32::try_from(version).unwrap_or(i32::MAX)),
        number("EncryptionType", 0),
        Node::new("CreationTimeStamp", Vec::new()).with(stamp.into()),
        word("Creator", "Rebone"),
    ])
}

/// Right-handed, +Y up, +Z towards the viewer, centimetres.
fn settings(start: i64, stop: i64, rate: f64) -> Node<'static> {
    let known = RATES.iter().find(|(known, _)| (known - rate).abs() < 1e-6);
    let time = |name, value| property(name, "KTime", "Time", "", [long(value)]);
    let lines = vec![
        integer("UpAxis", 1),
        integer("UpAxisSign", 1),
        integer("FrontAxis", 2),
        integer("FrontAxisSign", 1),
        integer("CoordAxis", 0),
        integer("CoordAxisSign", 1),
        integer("OriginalUpAxis", 1),
        integer("OriginalUpAxisSign", 1),
        real("UnitScaleFactor", 1.0),
        real("OriginalUnitScaleFactor", 1.0),
        vector("AmbientColor", "ColorRGB", "", [0.0; 3]),
        property(
            "TimeMode",
            "enum",
            "",
            "",
            [Value::Int(known.map_or(CUSTOM_RATE, |(_, mode)| *mode))],
        ),
        time("TimeSpanStart", start),
        time("TimeSpanStop", stop),
        real("CustomFrameRate", if known.is_some() { -1.0 } else { rate }),
    ];
    Node::new("GlobalSettings", Vec::new()).with(vec![number("Version", 1000), properties(lines)])
}

fn documents(scene: i64, active: String) -> Node<'static> {
    let lines = vec![property(
        "ActiveAnimStackName",
        "KString",
        "",
        "",
        [Value::from_text(active)],
    )];
    let header = vec![long(scene), text(""), text("Scene")];
    let document =
        Node::new("Document", header).with(vec![properties(lines), leaf("RootNode", long(0))]);
    Node::new("Documents", Vec::new()).with(vec![number("Count", 1), document])
}

fn definitions<'a>(objects: &Objects<'a>) -> Node<'a> {
    let mut counts = objects.counts();
    counts.insert(b"GlobalSettings", 1);
    let mut children = vec![
        number("Version", 100),
        number("Count", counts.values().sum()),
    ];
    for (name, count) in counts {
        let header = vec![Value::Text(Cow::Borrowed(name))];
        children.push(Node::new("ObjectType", header).with(vec![number("Count", count)]));
    }
    Node::new("Definitions", Vec::new()).with(children)
}
