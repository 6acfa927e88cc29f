//! Every glTF file of the corpus: reading, writing into it, writing it anew.
//!
//! Set `REBONE_GLTF_DUMP` to a folder to keep what is written, for the glTF validator.
#![cfg(feature = "gltf")]

use rebone_corpus::corpus;
use rebone_io::gltf::{self, Container};
use rebone_io::{Document, Error, ReadOptions};
use rebone_model::kinematics::model_pose;
use rebone_model::rotation::angle_between;
use rebone_model::sampling::sample_clip;
use rebone_model::{Character, Clip, Interpolation, JointKind, Quat, Track, Vec3};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Broken on purpose.
const BROKEN: &str = "mesh2motion/animation-converters/bvh/output/output.gltf";

/// All glTF files below a folder, in order.
fn gltf_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            gltf_files(&path, found);
        } else if matches!(extension, Some("glb" | "gltf" | "vrm" | "vrma")) {
            found.push(path);
        }
    }
}

struct File {
    name: String,
    folder: PathBuf,
    bytes: Vec<u8>,
}

impl File {
    fn read(&self, bytes: &[u8]) -> Result<Document, Error> {
        let options = ReadOptions {
            meshes: true,
            ..ReadOptions::default()
        };
        gltf::read(bytes, &options, &|uri| self.resource(uri))
    }

    fn resource(&self, uri: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.folder.join(uri)).map_err(|error| error.to_string())
    }
}

/// The files that should read; equal ones (the same model from several exporters) once.
fn good_files() -> Vec<File> {
    let Some(corpus) = corpus() else {
        return Vec::new();
    };
    let mut paths = Vec::new();
    gltf_files(&corpus, &mut paths);
    let mut files = Vec::new();
    for path in paths {
        let name = path.strip_prefix(&corpus).unwrap().display().to_string();
        if name.starts_with("gltf_validator") || name == BROKEN {
            continue;
        }
        files.push(File {
            name,
            folder: path.parent().unwrap().to_owned(),
            bytes: std::fs::read(&path).unwrap(),
        });
    }
    files
}

/// A clip that moves every joint, with all interpolations.
fn lively_clip(character: &Character) -> Clip {
    let mut clip = Clip::new("lively \"quoted\" \u{1F57A}", character.skeleton.len());
    let times: Arc<[f32]> = [0.1, 0.5, 1.0 / 3.0 + 1.0].into();
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        if joint.kind == JointKind::Ancestor {
            continue;
        }
        let turns = (0..3u8)
            .map(|key| joint.rest.rotation * Quat::from_rotation_x(0.1 * f32::from(key)))
            .collect();
        let rotation = Track::new(Interpolation::Linear, Arc::clone(&times), turns);
        clip.joints[index].rotation = Some(rotation.unwrap());
        if index % 3 == 0 {
            let values = vec![joint.rest.translation + Vec3::splat(0.1); 9];
            let track = Track::new(Interpolation::CubicSpline, Arc::clone(&times), values);
            clip.joints[index].translation = Some(track.unwrap());
        }
        if index % 5 == 0 {
            let values = vec![joint.rest.scale; 2];
            let track = Track::new(Interpolation::Step, [0.0, 1.0e-5].into(), values);
            clip.joints[index].scale = Some(track.unwrap());
        }
    }
    clip
}

fn dump(name: &str, suffix: &str, bytes: &[u8]) {
    if let Ok(folder) = std::env::var("REBONE_GLTF_DUMP") {
        let name = name.replace('/', "__") + suffix;
        std::fs::write(Path::new(&folder).join(name), bytes).unwrap();
    }
}

/// JSON text and binary chunk.
fn split(bytes: &[u8]) -> (&str, Option<&[u8]>) {
    if !bytes.starts_with(b"glTF") {
        return (std::str::from_utf8(bytes).unwrap(), None);
    }
    let size = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let json_end = 20 + size(12);
    let json = std::str::from_utf8(&bytes[20..json_end]).unwrap();
    let bin = (bytes.len() > json_end).then(|| &bytes[json_end + 8..json_end + 8 + size(json_end)]);
    (json, bin)
}

fn members(json: &str) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(json.trim_end_matches('\0')).unwrap()
}

fn elements<'a>(members: &BTreeMap<String, &'a RawValue>, key: &str) -> Vec<&'a str> {
    let raws: Vec<&RawValue> = members
        .get(key)
        .map_or_else(Vec::new, |raw| serde_json::from_str(raw.get()).unwrap());
    raws.into_iter().map(RawValue::get).collect()
}

/// Everything old is still there, to the letter.
fn assert_lossless(file: &File, new: &[u8]) {
    let (old_json, old_bin) = split(&file.bytes);
    let (new_json, new_bin) = split(new);
    let (old, new) = (members(old_json), members(new_json));
    for (key, value) in &old {
        match key.as_str() {
            "accessors" | "bufferViews" | "animations" | "nodes" | "buffers" | "images" => {
                let (old, new) = (elements(&old, key), elements(&new, key));
                assert!(old.len() <= new.len(), "{}: {key}", file.name);
                for (index, (old, new)) in old.iter().zip(&new).enumerate() {
                    let may_change = match key.as_str() {
                        "nodes" => old.contains("\"matrix\""),
                        "buffers" => index == 0 || old.contains("\"uri\""),
                        "images" => old.contains("\"uri\""),
                        _ => false,
                    };
                    assert!(may_change || old == new, "{}: {key}[{index}]", file.name);
                }
            }
            _ => assert_eq!(value.get(), new[key].get(), "{}: {key}", file.name),
        }
    }
    for key in new.keys().filter(|key| !old.contains_key(*key)) {
        let allowed = ["accessors", "bufferViews", "animations", "buffers"];
        assert!(allowed.contains(&key.as_str()), "{}: new {key}", file.name);
    }
    if let (Some(old_bin), Some(new_bin)) = (old_bin, new_bin) {
        assert!(new_bin.starts_with(old_bin), "{}: binary chunk", file.name);
    }
}

#[test]
fn good_files_read() {
    let files = good_files();
    for file in &files {
        let document = file.read(&file.bytes);
        let document = document.unwrap_or_else(|error| panic!("{}: {error}", file.name));
        for character in &document.characters {
            println!(
                "{}: {} joints {} skins {} meshes {} images {} clips {}",
                file.name,
                character.name,
                character.skeleton.len(),
                character.skins.len(),
                character.meshes.len(),
                character.images.len(),
                character.clips.len()
            );
        }
        for warning in &document.warnings {
            println!("    {warning}");
        }
    }
    assert!(files.is_empty() || files.len() > 250);
}

#[test]
fn broken_file_says_where() {
    let Some(corpus) = corpus() else { return };
    let bytes = std::fs::read(corpus.join(BROKEN)).unwrap();
    let Err(Error::Malformed(problem)) =
        gltf::read(&bytes, &ReadOptions::default(), &|_| Err("none".into()))
    else {
        panic!("the file must be an error");
    };
    assert_eq!(problem.place, "accessors[0]");
}

#[test]
fn error_cases_never_panic() {
    let Some(corpus) = corpus() else { return };
    let mut paths = Vec::new();
    gltf_files(&corpus.join("gltf_validator"), &mut paths);
    let mut read = 0;
    for path in &paths {
        let file = File {
            name: path.display().to_string(),
            folder: path.parent().unwrap().to_owned(),
            bytes: std::fs::read(path).unwrap(),
        };
        if let Ok(document) = file.read(&file.bytes) {
            read += 1;
            for character in &document.characters {
                let clips = [lively_clip(character)];
                let resources = |uri: &str| file.resource(uri);
                let _ = gltf::write_clips_into(
                    &file.bytes,
                    &resources,
                    character,
                    &clips,
                    Container::Glb,
                );
                let _ = gltf::write_character(character, Container::Glb);
            }
        }
    }
    println!("{read} of {} error cases read anyway", paths.len());
}

#[test]
fn writing_into_a_file_keeps_it_and_reads_back() {
    let mut written = 0;
    for file in good_files() {
        let document = file.read(&file.bytes).unwrap();
        let (json, _) = split(&file.bytes);
        let had = elements(&members(json), "animations").len();
        for (place, character) in document.characters.iter().enumerate().take(3) {
            let mut clips = vec![lively_clip(character)];
            clips.extend(character.clips.iter().take(2).cloned());
            for container in [Container::Glb, Container::Gltf] {
                // A base64 text of every large file would only cost time.
                if container == Container::Gltf && file.bytes.len() > 1_000_000 {
                    continue;
                }
                let new = gltf::write_clips_into(
                    &file.bytes,
                    &|uri| file.resource(uri),
                    character,
                    &clips,
                    container,
                )
                .unwrap_or_else(|error| panic!("{}: {error}", file.name))
                .bytes;
                assert_lossless(&file, &new);
                let suffix = match container {
                    Container::Glb => format!(".into{place}.glb"),
                    Container::Gltf => format!(".into{place}.gltf"),
                };
                dump(&file.name, &suffix, &new);
                // The result stands alone.
                let again = gltf::read(&new, &ReadOptions::default(), &|uri| {
                    Err(format!("{uri} should be embedded"))
                })
                .unwrap_or_else(|error| panic!("{}: {error}", file.name));
                let again = &again.characters[place];
                assert_eq!(again.skeleton, character.skeleton, "{}", file.name);
                assert_eq!(again.skins, character.skins, "{}", file.name);
                let old = character.clips.len();
                assert_eq!(again.clips[..old], character.clips, "{}", file.name);
                assert_eq!(again.clips[old..], clips, "{}", file.name);
                let (json, _) = split(&new);
                assert_eq!(
                    elements(&members(json), "animations").len(),
                    had + clips.len()
                );
                written += 1;
            }
        }
    }
    println!("{written} files written");
}

/// A VRM animation: labelled joints turn as they did and the hips are where they were, although no
/// other joint moves, and expressions and gaze are kept.
fn assert_humanoid(file: &str, character: &Character, old: &Clip, new: &Clip) {
    let skeleton = &character.skeleton;
    let times = old.key_times();
    for &time in times.iter().step_by(times.len().div_ceil(10).max(1)) {
        let pose = |clip: &Clip| model_pose(skeleton, &sample_clip(skeleton, clip, time));
        let (old, new) = (pose(old), pose(new));
        for label in &character.labels {
            let turned = angle_between(old.rotation(label.joint), new.rotation(label.joint));
            assert!(turned < 2e-3, "{file}: {} is {turned} rad off", label.label);
            let moved = old
                .position(label.joint)
                .distance(new.position(label.joint));
            assert!(
                label.label != "hips" || moved < 1e-5,
                "{file}: hips {moved}"
            );
        }
    }
    let is_hips = |joint: usize| {
        let mut labels = character.labels.iter();
        labels.any(|label| label.joint == joint && label.label == "hips")
    };
    for (joint, tracks) in new.joints.iter().enumerate() {
        assert!(tracks.scale.is_none(), "{file}");
        assert!(tracks.translation.is_none() || is_hips(joint), "{file}");
    }
    let sorted = |clip: &Clip| {
        let mut texts: Vec<String> = clip.curves.iter().map(|c| format!("{c:?}")).collect();
        texts.sort();
        texts
    };
    assert_eq!(sorted(old), sorted(new), "{file}");
}

#[test]
fn characters_survive_being_written_anew() {
    for file in good_files() {
        let document = file.read(&file.bytes).unwrap();
        for (place, character) in document.characters.iter().enumerate().take(3) {
            let mut character = character.clone();
            character.clips.truncate(2);
            character.clips.push(lively_clip(&character));
            let new = gltf::write_character(&character, Container::Glb)
                .unwrap_or_else(|error| panic!("{}: {error}", file.name))
                .bytes;
            let suffix = if character.label_system == "vrm-1" {
                "vrm"
            } else {
                "glb"
            };
            dump(&file.name, &format!(".anew{place}.{suffix}"), &new);
            let again = file
                .read(&new)
                .unwrap_or_else(|error| panic!("{}: {error}", file.name));
            let again = &again.characters[0];
            assert_eq!(again.materials, character.materials, "{}", file.name);
            assert_eq!(again.meshes.len(), character.meshes.len(), "{}", file.name);
            assert_eq!(again.images, character.images, "{}", file.name);
            let added = again.skeleton.len() - character.skeleton.len();
            for (old, new) in character.clips.iter().zip(&again.clips) {
                assert_eq!(old.name, new.name);
                if character.label_system == "vrma" {
                    assert_humanoid(&file.name, &character, old, new);
                } else {
                    assert_eq!(old.joints, new.joints[added..], "{}", file.name);
                }
            }
            if added == 0 {
                for (old, new) in character.meshes.iter().zip(&again.meshes) {
                    assert_eq!(old.positions, new.positions, "{}", file.name);
                    assert_eq!(old.indices, new.indices, "{}", file.name);
                    assert_eq!(
                        (old.skin, old.joint),
                        (new.skin, new.joint),
                        "{}",
                        file.name
                    );
                }
                assert_eq!(again.skins, character.skins, "{}", file.name);
                let kinds = |c: &Character| -> Vec<(String, Option<usize>)> {
                    let joints = c.skeleton.joints().iter();
                    joints.map(|j| (j.name.clone(), j.parent)).collect()
                };
                assert_eq!(kinds(again), kinds(&character), "{}", file.name);
                if matches!(character.label_system.as_str(), "vrm-1" | "vrma") {
                    assert_eq!(again.labels, character.labels, "{}", file.name);
                }
            }
        }
    }
}
