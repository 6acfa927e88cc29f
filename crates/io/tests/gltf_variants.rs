//! Writing into files as other tools leave them: compressed, quantised, sparse, with odd JSON.
//!
//! Set `REBONE_VARIANTS` to a folder that `xtask/make_variants.mjs` has filled; without it nothing is
//! checked, which the test says. What is written stays in `gltf_variants` below `REBONE_TEST_OUTPUT`
//! where that is set, for the glTF validator.
#![cfg(feature = "gltf")]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rebone_io::gltf::{self, Container};
use rebone_io::{Document, Format, ReadOptions};
use rebone_model::rotation::normalized_or_identity;
use rebone_model::{Character, Clip, Interpolation, JointKind, Quat, Track, Vec3};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

/// How much of the original a variant keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// Skeleton, labels, skins and clips, to the bit.
    All,
    /// As `All`, but matrices of nodes were taken apart.
    Motion,
    /// Skeleton and labels; numbers of clips nearly.
    Quantized,
    /// Skeleton and labels; skins and clips can only be read by a build that decompresses.
    Compressed,
    /// Joints nearly, for their matrices are taken apart again; no clips.
    Matrices,
    /// The names of skinned joints.
    Names,
    /// As `Names`, but skins and clips cannot be read.
    CompressedNames,
}

impl Kept {
    fn by(kind: &str) -> Self {
        match kind {
            "original" | "sparse" | "odd" | "duplicate-keys" | "embedded" | "external" => Self::All,
            "draco" => Self::Motion,
            "quantized" => Self::Quantized,
            "meshopt" => Self::Compressed,
            "matrix" => Self::Matrices,
            "gltfpack" | "gltfpack-khr" | "gltfpack-float" => Self::CompressedNames,
            "gltfpack-fallback" | "gltfpack-quantized" | "gltfpack-noq" => Self::Names,
            other => panic!("the variant {other} is unknown"),
        }
    }

    /// True where this build cannot read what is compressed.
    fn is_compressed(self) -> bool {
        matches!(self, Self::Compressed | Self::CompressedNames) && !cfg!(feature = "meshopt")
    }
}

struct File {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl File {
    fn open(path: PathBuf) -> Self {
        let bytes = std::fs::read(&path).unwrap();
        Self { path, bytes }
    }

    fn name(&self) -> &str {
        self.path.file_name().unwrap().to_str().unwrap()
    }

    /// What stands between stem and extension.
    fn kind(&self) -> &str {
        self.name().split('.').nth(1).unwrap()
    }

    fn resource(&self, uri: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.path.with_file_name(uri)).map_err(|error| error.to_string())
    }

    fn read(&self) -> Document {
        let options = ReadOptions {
            meshes: true,
            ..ReadOptions::default()
        };
        gltf::read(&self.bytes, &options, &|uri| self.resource(uri))
            .unwrap_or_else(|error| panic!("{}: {error}", self.name()))
    }
}

/// The files of the folder; empty where none is given.
fn variants() -> Vec<File> {
    let Some(folder) = std::env::var_os("REBONE_VARIANTS") else {
        println!("SKIPPED: variants of glTF files; REBONE_VARIANTS names no folder of them");
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("glb" | "gltf" | "vrm"))
        })
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "REBONE_VARIANTS holds no files");
    paths.into_iter().map(File::open).collect()
}

/// JSON text, binary chunk and what follows it.
fn split(bytes: &[u8]) -> (&str, Option<&[u8]>, &[u8]) {
    if !bytes.starts_with(b"glTF") {
        return (std::str::from_utf8(bytes).unwrap().trim(), None, &[]);
    }
    let size = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(size(8), bytes.len());
    let json_end = 20 + size(12);
    let json = std::str::from_utf8(&bytes[20..json_end]).unwrap().trim();
    if bytes.get(json_end + 4..json_end + 8) != Some(b"BIN\0") {
        return (json, None, &bytes[json_end..]);
    }
    let bin_end = json_end + 8 + size(json_end);
    (json, Some(&bytes[json_end + 8..bin_end]), &bytes[bin_end..])
}

/// The members of a JSON object as they stand, those that stand twice included.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;
            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

fn members(text: &str) -> Vec<(String, &str)> {
    let Members(members) = serde_json::from_str(text).unwrap();
    let texts = members.into_iter().map(|(key, raw)| (key, raw.get()));
    texts.collect()
}

fn elements(array: &str) -> Vec<&str> {
    let raws: Vec<&RawValue> = serde_json::from_str(array).unwrap();
    raws.into_iter().map(RawValue::get).collect()
}

/// The last member of a name, which is the one that counts.
fn last<'a>(members: &[(String, &'a str)], key: &str) -> Option<&'a str> {
    let mut found = members.iter().rev().filter(|(name, _)| name == key);
    found.next().map(|(_, text)| *text)
}

fn text_elements<'a>(members: &[(String, &'a str)], key: &str) -> Vec<&'a str> {
    last(members, key).map_or_else(Vec::new, elements)
}

/// What was compared, all files together.
#[derive(Default)]
struct Tally {
    files: usize,
    written: usize,
    elements: usize,
    unfolded: usize,
    json_bytes: usize,
    bin_bytes: usize,
    buffer_bytes: usize,
    kept_chunks: usize,
    left_out: usize,
    decoded: usize,
}

/// Checks that a file still holds all of another one.
struct Lossless<'a> {
    name: &'a str,
    tally: &'a mut Tally,
    /// Nodes that the clip moves.
    moved: BTreeSet<usize>,
}

impl Lossless<'_> {
    fn check(&mut self, old: &[u8], new: &[u8], resource: &dyn Fn(&str) -> Vec<u8>) {
        let name = self.name;
        let (old_json, old_bin, old_chunks) = split(old);
        let (new_json, new_bin, new_chunks) = split(new);
        let (old_members, new_members) = (members(old_json), members(new_json));

        // Where a member stands twice only the last one may differ, and new ones come at the end.
        let (kept, added) = new_members.split_at(old_members.len());
        for (place, ((old_key, old), (new_key, new))) in old_members.iter().zip(kept).enumerate() {
            assert_eq!(old_key, new_key, "{name}: member {place}");
            let is_last = old_members[place + 1..]
                .iter()
                .all(|(key, _)| key != old_key);
            match old_key.as_str() {
                "accessors" | "bufferViews" | "animations" if is_last => {
                    self.grown(old_key, old, new);
                }
                "nodes" if is_last => self.nodes(old, new),
                "buffers" if is_last => self.buffers(old, new),
                _ => {
                    self.tally.elements += elements_or_one(old);
                    assert_eq!(old, new, "{name}: {old_key}");
                }
            }
        }
        for (key, _) in added {
            let may_be_new = ["accessors", "bufferViews", "animations", "buffers"];
            assert!(may_be_new.contains(&key.as_str()), "{name}: new {key}");
        }

        // What stands between the members is the same too: with the old values in place of the new ones
        // and without the added members, the text is the old one.
        let mut again = String::with_capacity(old_json.len());
        let mut at = 0;
        for ((_, old), (_, new)) in old_members.iter().zip(kept) {
            let start = new.as_ptr() as usize - new_json.as_ptr() as usize;
            again += &new_json[at..start];
            again += old;
            at = start + new.len();
        }
        let tail = new_json[at..].trim_start();
        assert!(tail == "}" || tail.starts_with(','), "{name}: {tail}");
        let end = &old_json[again.len().min(old_json.len())..];
        assert_eq!(end.trim(), "}", "{name}");
        assert!(old_json.starts_with(&again), "{name}: text between members");
        self.tally.json_bytes += old_json.len();

        if new.starts_with(b"glTF") {
            if let (Some(old_bin), Some(new_bin)) = (old_bin, new_bin) {
                assert!(new_bin.starts_with(old_bin), "{name}: binary chunk");
                self.tally.bin_bytes += old_bin.len();
            }
            assert_eq!(old_chunks, new_chunks, "{name}: further chunks");
            self.tally.kept_chunks += usize::from(!old_chunks.is_empty());
        }
        let new_buffers = text_elements(&new_members, "buffers");
        for (index, buffer) in text_elements(&old_members, "buffers").iter().enumerate() {
            let old = content(buffer, old_bin.filter(|_| index == 0), resource);
            let standing_alone = |uri: &str| -> Vec<u8> { panic!("{name}: {uri} is outside") };
            let new_bin = new_bin.filter(|_| index == 0);
            let new = content(new_buffers[index], new_bin, &standing_alone);
            assert!(new.starts_with(&old), "{name}: content of buffer {index}");
            self.tally.buffer_bytes += old.len();
        }
    }

    /// An array to which elements were appended, and nothing else.
    fn grown(&mut self, key: &str, old: &str, new: &str) {
        let kept = elements(old).last().map_or(1, |last| {
            last.as_ptr() as usize - old.as_ptr() as usize + last.len()
        });
        assert_eq!(old[..kept], new[..kept], "{}: {key}", self.name);
        assert!(new.ends_with(old[kept..].trim_start()), "{}", self.name);
        let (old, new) = (elements(old), elements(new));
        assert!(old.len() < new.len(), "{}: {key}", self.name);
        assert_eq!(old, new[..old.len()], "{}: {key}", self.name);
        self.tally.elements += old.len();
    }

    fn nodes(&mut self, old: &str, new: &str) {
        let (old, new) = (elements(old), elements(new));
        assert_eq!(old.len(), new.len(), "{}: nodes", self.name);
        for (index, (old, new)) in old.iter().zip(&new).enumerate() {
            self.tally.elements += 1;
            let has_matrix = last(&members(old), "matrix").is_some();
            if has_matrix && self.moved.contains(&index) {
                let old = without(old, &["matrix"]);
                let new = without(new, &["translation", "rotation", "scale"]);
                assert_eq!(old, new, "{}: nodes[{index}]", self.name);
                self.tally.unfolded += 1;
            } else {
                assert_eq!(old, new, "{}: nodes[{index}]", self.name);
            }
        }
    }

    fn buffers(&mut self, old: &str, new: &str) {
        let (old, new) = (elements(old), elements(new));
        assert!(old.len() <= new.len(), "{}: buffers", self.name);
        for (index, (old, new)) in old.iter().zip(&new).enumerate() {
            let (old_members, new_members) = (members(old), members(new));
            let (old_length, new_length) = (length(&old_members), length(&new_members));
            assert!(old_length <= new_length, "{}: {index}", self.name);
            let has_uri = |members: &[(String, &str)]| last(members, "uri").is_some();
            if has_uri(&old_members) || has_uri(&new_members) {
                let changed = ["uri", "byteLength"];
                let both = [without(old, &changed), without(new, &changed)];
                assert_eq!(both[0], both[1], "{}: buffers[{index}]", self.name);
            } else {
                // Only the number of its length, where it stands.
                let at = |text: &str, members: &[(String, &str)]| {
                    let number = last(members, "byteLength").unwrap();
                    let start = number.as_ptr() as usize - text.as_ptr() as usize;
                    let parts = (&text[..start], &text[start + number.len()..]);
                    (parts.0.to_owned(), parts.1.to_owned())
                };
                let both = [at(old, &old_members), at(new, &new_members)];
                assert_eq!(both[0], both[1], "{}: buffers[{index}]", self.name);
                assert!(index == 0 || old_length == new_length, "{}", self.name);
            }
            self.tally.elements += 1;
        }
    }
}

/// Number of elements of an array or members of an object, at least one.
fn elements_or_one(text: &str) -> usize {
    match text.as_bytes().first() {
        Some(b'[') => elements(text).len(),
        Some(b'{') => members(text).len(),
        _ => 1,
    }
}

/// The members that count, but for some.
fn without<'a>(object: &'a str, keys: &[&str]) -> BTreeMap<String, &'a str> {
    let mut kept: BTreeMap<String, &str> = members(object).into_iter().collect();
    kept.retain(|key, _| !keys.contains(&key.as_str()));
    kept
}

#[allow(clippy::cast_sign_loss)]
fn length(buffer: &[(String, &str)]) -> usize {
    let number: f64 = last(buffer, "byteLength").unwrap().parse().unwrap();
    number as usize
}

/// The bytes of a buffer: of a data URI, a file or the binary chunk; none for a place-holder.
fn content(buffer: &str, bin: Option<&[u8]>, resource: &dyn Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let buffer = members(buffer);
    let mut content = match last(&buffer, "uri") {
        Some(uri) => {
            let uri: String = serde_json::from_str(uri).unwrap();
            match uri.split_once(";base64,") {
                Some((_, text)) => STANDARD.decode(text).unwrap(),
                None => resource(&uri),
            }
        }
        None => bin.unwrap_or_default().to_vec(),
    };
    content.truncate(length(&buffer));
    content
}

/// A clip that moves every joint, with all interpolations.
fn synthetic_clip(character: &Character) -> Clip {
    let mut clip = Clip::new("rebone \u{1F3C3} \"new\"", character.skeleton.len());
    let times: Arc<[f32]> = [0.0, 1.0 / 3.0, 1.25].into();
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        if joint.kind == JointKind::Ancestor {
            continue;
        }
        let turn = |key: u8| joint.rest.rotation * Quat::from_rotation_z(0.2 * f32::from(key));
        let turns = (0..3).map(turn).collect();
        let rotation = Track::new(Interpolation::Linear, Arc::clone(&times), turns);
        clip.joints[index].rotation = Some(rotation.unwrap());
        if index % 2 == 0 {
            let places = vec![joint.rest.translation - Vec3::new(0.0, 0.1, -0.0); 9];
            let track = Track::new(Interpolation::CubicSpline, Arc::clone(&times), places);
            clip.joints[index].translation = Some(track.unwrap());
        }
        if index % 7 == 0 {
            clip.joints[index].scale = Some(Track::constant(joint.rest.scale));
        }
    }
    clip
}

/// Everything in a clip, with its numbers as bits.
type Bits = (String, Vec<(Vec<u32>, Vec<u32>, Interpolation)>);

fn bits(clip: &Clip) -> Bits {
    let mut tracks = Vec::new();
    for joint in &clip.joints {
        for track in [&joint.translation, &joint.scale].into_iter().flatten() {
            let values = track.values().iter().flat_map(Vec3::to_array);
            tracks.push((
                track.times().iter().map(|time| time.to_bits()).collect(),
                values.map(f32::to_bits).collect(),
                track.interpolation(),
            ));
        }
        if let Some(track) = &joint.rotation {
            let values = track.values().iter().flat_map(Quat::to_array);
            tracks.push((
                track.times().iter().map(|time| time.to_bits()).collect(),
                values.map(f32::to_bits).collect(),
                track.interpolation(),
            ));
        }
    }
    (clip.name.clone(), tracks)
}

/// Checks what was read of a variant against the original.
fn check_read(file: &File, kept: Kept, original: &Document, read: &Document, tally: &mut Tally) {
    let name = file.name();
    let count = |document: &Document, of: fn(&Character) -> usize| -> usize {
        document.characters.iter().map(of).sum()
    };
    let clips = |character: &Character| character.clips.len();
    let had_clips = count(original, clips) > 0;
    let had_meshes = count(original, |character| character.meshes.len()) > 0;
    let had_skins = count(original, |character| character.skins.len()) > 0;
    for (code, expected) in [
        ("animation-compressed", had_clips && kept.is_compressed()),
        ("skin-compressed", had_skins && kept.is_compressed()),
        (
            "mesh-compressed",
            had_meshes && (kept.is_compressed() || file.kind() == "draco"),
        ),
        ("mesh-unreadable", false),
        ("vrm-unreadable", false),
    ] {
        let mut codes = read.warnings.iter().map(|warning| warning.code);
        assert_eq!(codes.any(|found| found == code), expected, "{name}: {code}");
    }
    match kept {
        Kept::Matrices => assert_eq!(count(read, clips), 0, "{name}"),
        _ if kept.is_compressed() => {
            assert_eq!(count(read, clips), 0, "{name}");
            tally.left_out += usize::from(had_clips);
        }
        _ => assert_eq!(count(read, clips), count(original, clips), "{name}"),
    }
    match kept {
        Kept::Names | Kept::CompressedNames => check_names(name, original, read),
        Kept::Matrices => check_joints(name, &read.characters, &original.characters),
        _ => {
            assert_eq!(read.format, expected_format(file, original), "{name}");
            assert_eq!(read.characters.len(), original.characters.len(), "{name}");
            for (read, original) in read.characters.iter().zip(&original.characters) {
                check_character(name, kept, original, read);
            }
        }
    }
}

/// What is compressed reads as what another decoder has made of it, and nearly as the original.
#[cfg(feature = "meshopt")]
fn check_decoded(file: &File, original: &Document, read: &Document, tally: &mut Tally) {
    let name = file.name();
    let Ok(bytes) = std::fs::read(file.path.with_file_name(format!("{name}.decoded"))) else {
        let has = ["meshopt", "gltfpack", "gltfpack-khr", "gltfpack-float"];
        assert!(!has.contains(&file.kind()), "{name} has no decoded twin");
        return;
    };
    let plain = File {
        path: file.path.clone(),
        bytes,
    };
    let plain = plain.read();
    assert_eq!(read.characters.len(), plain.characters.len(), "{name}");
    for (read, plain) in read.characters.iter().zip(&plain.characters) {
        assert_eq!(read.skeleton, plain.skeleton, "{name}");
        assert_eq!(read.skins, plain.skins, "{name}");
        let old: Vec<Bits> = plain.clips.iter().map(bits).collect();
        let new: Vec<Bits> = read.clips.iter().map(bits).collect();
        assert!(old == new, "{name}: clips");
        assert!(
            read.clips
                .iter()
                .zip(&plain.clips)
                .all(|(read, plain)| read.curves == plain.curves),
            "{name}: curves"
        );
        assert_eq!(read.meshes.len(), plain.meshes.len(), "{name}");
        for (read, plain) in read.meshes.iter().zip(&plain.meshes) {
            assert_eq!(read.indices, plain.indices, "{name}");
            assert_eq!(read.positions, plain.positions, "{name}");
            assert_eq!(read.joint_slots, plain.joint_slots, "{name}");
            assert_eq!(read.joint_weights, plain.joint_weights, "{name}");
            // Decoders may round the bytes of normals and colours differently, by one step.
            let near = |a: f32, b: f32| (a - b).abs() < 1.01 / 127.0;
            let normals = read.normals.iter().zip(&plain.normals);
            let colors = read.colors.iter().zip(&plain.colors);
            let mut normals = normals.flat_map(|(a, b)| a.to_array().into_iter().zip(b.to_array()));
            let mut colors = colors.flat_map(|(a, b)| a.iter().copied().zip(b.iter().copied()));
            assert!(normals.all(|(a, b)| near(a, b)), "{name}: normals");
            assert!(colors.all(|(a, b)| near(a, b)), "{name}: colours");
        }
    }
    check_same_motion(name, original, read);
    tally.decoded += 1;
}

/// Joints of the same names are, in the middle of each clip, nearly where they were.
#[cfg(feature = "meshopt")]
fn check_same_motion(name: &str, original: &Document, read: &Document) {
    use rebone_model::kinematics::model_pose;
    use rebone_model::sampling::sample_clip;
    let clips =
        |document: &Document| -> usize { document.characters.iter().map(|c| c.clips.len()).sum() };
    assert_eq!(clips(original), clips(read), "{name}");
    for old in &original.characters {
        for clip in &old.clips {
            let same = read.characters.iter().find_map(|character| {
                let clip = character.clips.iter().find(|c| c.name == clip.name)?;
                Some((character, clip))
            });
            let (new, new_clip) = same.unwrap_or_else(|| panic!("{name}: {}", clip.name));
            // gltfpack has a key for each frame of 30 a second and a straight line between.
            let time = (clip.seconds() * 0.5 * 30.0).round() / 30.0;
            let old_pose = model_pose(&old.skeleton, &sample_clip(&old.skeleton, clip, time));
            let new_pose = model_pose(&new.skeleton, &sample_clip(&new.skeleton, new_clip, time));
            let places = |joint: usize| old_pose.position(joint);
            let size = (0..old.skeleton.len())
                .map(|j| places(j).length())
                .fold(0.0, f32::max);
            let mut compared = 0;
            for (index, joint) in old.skeleton.joints().iter().enumerate() {
                let twins = |c: &Character| {
                    let joints = c.skeleton.joints().iter();
                    joints.filter(|other| other.name == joint.name).count()
                };
                // Nodes are renumbered, and so are the names of those that have none.
                let unnamed = joint.name == format!("node_{}", joint.node);
                if joint.kind == JointKind::Ancestor
                    || unnamed
                    || twins(old) != 1
                    || twins(new) != 1
                {
                    continue;
                }
                let other = new.skeleton.find(&joint.name).unwrap();
                let off = places(index).distance(new_pose.position(other));
                assert!(
                    off < 0.02 * size,
                    "{name}: {} {} is off by {off} of {size}",
                    clip.name,
                    joint.name
                );
                compared += 1;
            }
            assert!(
                compared > 0 || old.skeleton.len() < 2 || name.starts_with("CesiumMan"),
                "{name}"
            );
        }
    }
}

fn expected_format(file: &File, original: &Document) -> Format {
    match original.format {
        Format::Glb if !file.bytes.starts_with(b"glTF") => Format::Gltf,
        other => other,
    }
}

/// All skinned joints of the original that have a name are still there.
fn check_names(name: &str, original: &Document, read: &Document) {
    let joints = read.characters.iter().flat_map(|c| c.skeleton.joints());
    let have: BTreeSet<&str> = joints.map(|joint| joint.name.as_str()).collect();
    for character in &original.characters {
        for &joint in character.skins.iter().flat_map(|skin| &skin.joints) {
            let joint = &character.skeleton.joints()[joint];
            let unnamed = joint.name == format!("node_{}", joint.node);
            assert!(
                unnamed || have.contains(joint.name.as_str()),
                "{name}: {}",
                joint.name
            );
        }
    }
}

/// All joints of `part` are in `whole`, by node, and rest where they did.
fn check_joints(name: &str, part: &[Character], whole: &[Character]) {
    for joint in part.iter().flat_map(|c| c.skeleton.joints()) {
        let mut joints = whole.iter().flat_map(|c| c.skeleton.joints());
        let other = joints.find(|other| other.node == joint.node);
        let other = other.unwrap_or_else(|| panic!("{name}: {} is missing", joint.name));
        assert_eq!(other.name, joint.name, "{name}");
        // Taking a matrix apart may turn the signs of a rotation.
        let (a, b) = (joint.rest.to_affine(), other.rest.to_affine());
        let size = a.matrix3.to_cols_array().into_iter().fold(1.0, f32::max);
        let off = (a.matrix3 - b.matrix3).to_cols_array();
        let off = off.into_iter().map(f32::abs).fold(0.0, f32::max);
        let moved = a.translation.distance(b.translation);
        assert!(off < 1e-4 * size, "{name}: {} is off by {off}", joint.name);
        assert!(moved < 1e-5, "{name}: {} is moved", joint.name);
    }
}

fn check_character(name: &str, kept: Kept, original: &Character, read: &Character) {
    assert_eq!(read.labels, original.labels, "{name}");
    check_joints(name, slice::from_ref(original), slice::from_ref(read));
    if kept == Kept::All {
        let joints = read.skeleton.joints().iter();
        for (read, original) in joints.zip(original.skeleton.joints()) {
            assert_eq!(read, original, "{name}");
        }
        assert_eq!(read.skeleton.len(), original.skeleton.len(), "{name}");
    }
    if matches!(kept, Kept::All | Kept::Motion) {
        assert_eq!(read.skins, original.skins, "{name}");
        assert!(read.clips == original.clips, "{name}: clips");
    }
    if kept != Kept::Quantized {
        return;
    }
    for (read, original) in read.clips.iter().zip(&original.clips) {
        assert_eq!(read.name, original.name, "{name}");
        for (read, original) in read.joints.iter().zip(&original.joints) {
            assert_eq!(read.translation, original.translation, "{name}");
            let (Some(read), Some(original)) = (&read.rotation, &original.rotation) else {
                assert_eq!(read.rotation, original.rotation, "{name}");
                continue;
            };
            assert_eq!(read.times(), original.times(), "{name}");
            for (read, original) in read.values().iter().zip(original.values()) {
                // 16 bits, and the original may be off unit length by as much as exporters leave.
                let original = normalized_or_identity(*original).to_array();
                let mut off = read.to_array().into_iter().zip(original);
                assert!(off.all(|(a, b)| (a - b).abs() < 1e-4), "{name}: {read}");
            }
        }
    }
}

/// Writes clips into a file and checks that nothing else changed; returns the new file.
fn write_and_check(
    file: &File,
    character: usize,
    before: &Document,
    container: Container,
    tally: &mut Tally,
) -> Vec<u8> {
    let name = file.name();
    let owner = &before.characters[character];
    let clips = [synthetic_clip(owner)];
    let resource = |uri: &str| file.resource(uri);
    let new = gltf::write_clips_into(&file.bytes, &resource, owner, &clips, container)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
        .bytes;
    let moved = owner.skeleton.joints().iter().zip(&clips[0].joints);
    let moved = moved.filter(|(_, tracks)| !tracks.is_empty());
    let mut lossless = Lossless {
        name,
        tally,
        moved: moved.map(|(joint, _)| joint.node as usize).collect(),
    };
    let outside = |uri: &str| file.resource(&uri.replace("%20", " ")).unwrap();
    lossless.check(&file.bytes, &new, &outside);

    // The result stands alone.
    let again = gltf::read(&new, &ReadOptions::default(), &|uri| {
        Err(format!("{uri} should be embedded"))
    })
    .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(again.format, written_format(before, container), "{name}");
    let again = &again.characters[character];
    let unfolded = file.kind() == "matrix";
    assert!(unfolded || again.skeleton == owner.skeleton, "{name}");
    assert_eq!(again.skeleton.len(), owner.skeleton.len(), "{name}");
    assert_eq!(again.labels, owner.labels, "{name}");
    assert_eq!(again.skins, owner.skins, "{name}");
    let old: Vec<Bits> = owner.clips.iter().chain(&clips).map(bits).collect();
    let new_clips: Vec<Bits> = again.clips.iter().map(bits).collect();
    assert!(old == new_clips, "{name}: clips read back");
    tally.written += 1;
    new
}

/// The format that a file has after it was written into.
fn written_format(before: &Document, container: Container) -> Format {
    match (before.format, container) {
        (Format::Glb | Format::Gltf, Container::Glb) => Format::Glb,
        (Format::Glb | Format::Gltf, Container::Gltf) => Format::Gltf,
        (other, _) => other,
    }
}

/// Keeps a written file, and the errors that its original already had, for the validator.
fn keep(file: &File, character: usize, container: Container, bytes: &[u8]) {
    let Some(folder) = std::env::var_os("REBONE_TEST_OUTPUT") else {
        return;
    };
    let folder = Path::new(&folder).join("gltf_variants");
    std::fs::create_dir_all(&folder).unwrap();
    let extension = match container {
        Container::Glb => "glb",
        Container::Gltf => "gltf",
    };
    let name = format!("{}.into{character}.{extension}", file.name());
    let baseline = format!("{name}.baseline.json");
    std::fs::write(folder.join(name), bytes).unwrap();
    if let Ok(known) = file.resource(&format!("{}.baseline.json", file.name())) {
        std::fs::write(folder.join(baseline), known).unwrap();
    }
}

#[test]
fn variants_of_other_tools_stay_whole() {
    let files = variants();
    let mut tally = Tally::default();
    for file in &files {
        let stem = file.name().split('.').next().unwrap();
        let start = format!("{stem}.original.");
        let original = files.iter().find(|other| other.name().starts_with(&start));
        let original = original.expect("each variant has its original").read();
        let kept = Kept::by(file.kind());
        let document = file.read();
        check_read(file, kept, &original, &document, &mut tally);
        #[cfg(feature = "meshopt")]
        check_decoded(file, &original, &document, &mut tally);
        tally.files += 1;
        for character in 0..document.characters.len().min(2) {
            for container in [Container::Glb, Container::Gltf] {
                // Text of every large file would only cost time.
                if container == Container::Gltf && file.bytes.len() > 2_000_000 {
                    continue;
                }
                let new = write_and_check(file, character, &document, container, &mut tally);
                keep(file, character, container, &new);
                // What Rebone has written is a target like any other.
                let second = File {
                    path: file.path.clone(),
                    bytes: new,
                };
                let document = second.read();
                write_and_check(&second, character, &document, container, &mut tally);
            }
        }
    }
    println!(
        "{} files, written into {} times: {} elements equal ({} nodes with their matrix unfolded), \
         {} bytes of JSON, {} bytes of binary chunks, {} bytes of buffers and {} further chunks kept, \
         {} files with compressed clips as targets, {} read as another decoder reads them",
        tally.files,
        tally.written,
        tally.elements,
        tally.unfolded,
        tally.json_bytes,
        tally.bin_bytes,
        tally.buffer_bytes,
        tally.kept_chunks,
        tally.left_out,
        tally.decoded
    );
}

#[test]
fn writing_no_clips_changes_nothing() {
    for file in variants() {
        let document = file.read();
        let Some(character) = document.characters.first() else {
            continue;
        };
        if file.kind() == "external" {
            continue;
        }
        let container = match file.bytes.starts_with(b"glTF") {
            true => Container::Glb,
            false => Container::Gltf,
        };
        let resource = |uri: &str| file.resource(uri);
        let same = gltf::write_clips_into(&file.bytes, &resource, character, &[], container);
        let same = same.unwrap().bytes;
        if file.kind() == "gltfpack-fallback" {
            // The fallback lay outside the file.
            continue;
        }
        assert_eq!(split(&same), split(&file.bytes), "{}", file.name());
    }
}

fn read(bytes: &[u8]) -> Document {
    gltf::read(bytes, &ReadOptions::default(), &|uri| Err(uri.to_owned())).unwrap()
}

/// A GLB of JSON members and a binary chunk.
fn glb(members: &str, bin: &[u8]) -> Vec<u8> {
    let word = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    let mut json = format!("{{{members}}}").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + json.len() + 8 + bin.len();
    let header = [*b"glTF", word(2), word(length), word(json.len()), *b"JSON"];
    let bin_header = [word(bin.len()), *b"BIN\0"];
    [header.as_flattened(), &json, bin_header.as_flattened(), bin].concat()
}

/// A small file whose skin and clip "packed" are compressed, and whose clip "plain" is not.
fn partly_compressed() -> Vec<u8> {
    let mark = r#""extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":4,"byteStride":16,"count":2,"mode":"FUTURE"}}"#;
    let animation = |name: &str, output: usize| {
        format!(
            r#"{{"name":"{name}","channels":[{{"sampler":0,"target":{{"node":1,"path":"translation"}}}}],"samplers":[{{"input":0,"output":{output}}}]}}"#
        )
    };
    let members = format!(
        r#""asset":{{"version":"2.0"}},"extensionsUsed":["EXT_meshopt_compression"],"extensionsRequired":["EXT_meshopt_compression"],
        "nodes":[{{"name":"a","children":[1]}},{{"name":"b"}}],"skins":[{{"joints":[0,1],"inverseBindMatrices":3}}],
        "buffers":[{{"byteLength":32}},{{"byteLength":128,"extensions":{{"EXT_meshopt_compression":{{"fallback":true}}}}}}],
        "bufferViews":[{{"buffer":0,"byteLength":8}},{{"buffer":0,"byteOffset":8,"byteLength":24}},{{"buffer":1,"byteLength":128,{mark}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"}},{{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}},
            {{"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"}},{{"bufferView":2,"componentType":5126,"count":2,"type":"MAT4"}}],
        "animations":[{},{},{}]"#,
        animation("packed", 2),
        animation("plain", 1),
        animation("", 2),
    );
    let mut bin = [0.0f32, 1.0].map(f32::to_le_bytes).as_flattened().to_vec();
    bin.resize(32, 0);
    glb(&members, &bin)
}

#[test]
fn targets_with_compressed_clips_and_skins_are_written_into() {
    let bytes = partly_compressed();
    let document = read(&bytes);
    let character = &document.characters[0];
    assert_eq!(character.skeleton.len(), 2);
    assert_eq!(character.skins, []);
    let names: Vec<&str> = character.clips.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["plain"]);
    let warnings: Vec<String> = document.warnings.iter().map(ToString::to_string).collect();
    let codes: Vec<&str> = document.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["skin-compressed", "animation-compressed"]);
    assert!(
        warnings[1].contains(r#""packed", "animation_2" cannot be read"#),
        "{warnings:?}"
    );

    let clip = synthetic_clip(character);
    let clips = slice::from_ref(&clip);
    let refuse = |uri: &str| Err(uri.to_owned());
    let new = gltf::write_clips_into(&bytes, &refuse, character, clips, Container::Glb)
        .unwrap()
        .bytes;
    let mut tally = Tally::default();
    let mut lossless = Lossless {
        name: "partly compressed",
        tally: &mut tally,
        moved: BTreeSet::new(),
    };
    lossless.check(&bytes, &new, &|uri| panic!("{uri} is outside"));
    let again = read(&new);
    assert_eq!(again.warnings.len(), 2);
    assert_eq!(bits(&again.characters[0].clips[1]), bits(&clip));
}

#[test]
fn whole_numbers_may_be_written_with_a_point() {
    let json = r#"{"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[2.0,1e0]},{"name":"b"},{"name":"c","mesh":0.0}],
        "skins":[{"joints":[0.0,1.0]}],"meshes":[{"primitives":[{"mode":4.0,"attributes":{"POSITION":0.0},"material":0.0}]}],
        "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0.0,"texCoord":1.0}}}],
        "accessors":[{"componentType":5.126e3,"count":3.0,"type":"VEC3"}]}"#;
    let options = ReadOptions {
        meshes: true,
        ..ReadOptions::default()
    };
    let document = gltf::read(json.as_bytes(), &options, &|uri| Err(uri.to_owned())).unwrap();
    let character = &document.characters[0];
    assert_eq!(character.skeleton.len(), 2);
    assert_eq!(character.skins[0].joints.len(), 2);
    assert_eq!(character.meshes[0].positions.len(), 3);
}

#[test]
fn keys_that_stand_twice_cost_no_precision_and_no_labels() {
    // Rounded to 64 bits first, the number would become another float.
    let json = r#"{"asset":{"version":"1.0"},"asset":{"version":"2.0"},
        "nodes":[{"name":"x","translation":[-0.1258007362484932,0,0],"n\u0061me":"hips"}],
        "extensions":{"VRMC_vrm":null,"VRMC_vrm":{"humanoid":{"humanBones":{"hips":null,"hips":{"node":9,"node":0}}}}}}"#;
    let document = read(json.as_bytes());
    let character = &document.characters[0];
    let joint = &character.skeleton.joints()[0];
    assert_eq!(joint.name, "hips");
    let expected = "-0.1258007362484932".parse::<f32>().unwrap();
    assert_ne!(
        expected,
        "-0.1258007362484932".parse::<f64>().unwrap() as f32
    );
    assert_eq!(joint.rest.translation.x.to_bits(), expected.to_bits());
    assert_eq!(document.format, Format::Vrm);
    assert_eq!(character.labels.len(), 1);
    assert!(document.warnings.is_empty());
}
