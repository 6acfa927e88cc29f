//! Every BVH of the shared corpus against a second, naive reader in double precision.

#![cfg(feature = "bvh")]

use glam::{DMat4, DVec3};
use rebone_corpus::corpus;
use rebone_io::bvh::{self, WriteOptions};
use rebone_io::{Document, ReadOptions};
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{Character, Clip};
use std::path::{Path, PathBuf};

const FRAMES_CHECKED: usize = 60;

fn bvh_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            bvh_files(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("bvh"))
        {
            found.push(path);
        }
    }
    found.sort();
}

fn all_files() -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths = Vec::new();
    if let Some(folder) = corpus() {
        bvh_files(&folder, &mut paths);
    }
    paths
        .into_iter()
        .map(|path| {
            let bytes = std::fs::read(&path).unwrap();
            (path, bytes)
        })
        .collect()
}

fn read(bytes: &[u8]) -> Document {
    bvh::read(bytes, &ReadOptions::default()).unwrap()
}

/// Positions of all joints at a time, in joint order.
fn positions(character: &Character, clip: &Clip, time: f32) -> Vec<DVec3> {
    let model = model_pose(
        &character.skeleton,
        &sample_clip(&character.skeleton, clip, time),
    );
    (0..model.len())
        .map(|joint| model.position(joint).as_dvec3())
        .collect()
}

/// Largest extent of a set of points from the origin.
fn size(points: &[DVec3]) -> f64 {
    points
        .iter()
        .map(|point| point.length())
        .fold(1e-3, f64::max)
}

fn largest_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, f64::max)
}

struct NaiveJoint {
    parent: Option<usize>,
    offset: DVec3,
    channels: Vec<String>,
}

struct Naive {
    joints: Vec<NaiveJoint>,
    rows: Vec<Vec<f64>>,
    frame_time: f64,
}

/// Reads a well-formed file word by word.
fn naive(text: &str) -> Naive {
    let mut words = text.split_whitespace();
    let mut joints: Vec<NaiveJoint> = Vec::new();
    let mut open: Vec<Option<usize>> = Vec::new();
    let number = |word: Option<&str>| word.unwrap().parse::<f64>().unwrap();
    loop {
        match words.next().unwrap() {
            "HIERARCHY" | "{" => {}
            "ROOT" | "JOINT" => {
                words.next();
                joints.push(NaiveJoint {
                    parent: open.last().copied().flatten(),
                    offset: DVec3::ZERO,
                    channels: Vec::new(),
                });
                open.push(Some(joints.len() - 1));
            }
            "End" => {
                words.next();
                open.push(None);
            }
            "OFFSET" => {
                let offset = DVec3::from_array([0; 3].map(|_| number(words.next())));
                if let Some(joint) = open.last().copied().flatten() {
                    joints[joint].offset = offset;
                }
            }
            "CHANNELS" => {
                let count = number(words.next()) as usize;
                let joint = open.last().copied().flatten().unwrap();
                joints[joint].channels = (0..count)
                    .map(|_| words.next().unwrap().to_owned())
                    .collect();
            }
            "}" => {
                open.pop();
            }
            "MOTION" => break,
            other => panic!("{other}"),
        }
    }
    assert_eq!(words.next(), Some("Frames:"));
    words.next();
    assert_eq!((words.next(), words.next()), (Some("Frame"), Some("Time:")));
    let frame_time = number(words.next());
    let values: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
    let columns = joints.iter().map(|joint| joint.channels.len()).sum();
    Naive {
        joints,
        rows: values.chunks_exact(columns).map(<[f64]>::to_vec).collect(),
        frame_time,
    }
}

fn naive_positions(file: &Naive, frame: usize) -> Vec<DVec3> {
    let mut matrices: Vec<DMat4> = Vec::new();
    let mut values = file.rows[frame].iter();
    for joint in &file.joints {
        let mut place = joint.offset;
        let mut rotation = DMat4::IDENTITY;
        for channel in &joint.channels {
            let value = *values.next().unwrap();
            let angle = value.to_radians();
            match channel.as_str() {
                "Xposition" => place.x = value,
                "Yposition" => place.y = value,
                "Zposition" => place.z = value,
                "Xrotation" => rotation *= DMat4::from_rotation_x(angle),
                "Yrotation" => rotation *= DMat4::from_rotation_y(angle),
                "Zrotation" => rotation *= DMat4::from_rotation_z(angle),
                other => panic!("{other}"),
            }
        }
        let local = DMat4::from_translation(place) * rotation;
        matrices.push(
            joint
                .parent
                .map_or(local, |parent| matrices[parent] * local),
        );
    }
    matrices
        .iter()
        .map(|matrix| matrix.w_axis.truncate())
        .collect()
}

#[test]
fn all_files_agree_with_the_naive_reader() {
    let mut worst = 0.0f64;
    for (path, bytes) in all_files() {
        let document = read(&bytes);
        let character = &document.characters[0];
        let clip = &character.clips[0];
        let file = naive(std::str::from_utf8(&bytes).unwrap());
        assert_eq!(clip.frame_count(), file.rows.len(), "{}", path.display());
        assert_eq!(clip.rate_hz, Some(1.0 / file.frame_time));
        let times = clip.key_times();
        for frame in (0..times.len()).step_by(times.len().div_ceil(FRAMES_CHECKED)) {
            let expected = naive_positions(&file, frame);
            let found = positions(character, clip, times[frame]);
            let error = largest_distance(&expected, &found) / size(&expected);
            assert!(error < 3e-6, "{} frame {frame}: {error}", path.display());
            worst = worst.max(error);
        }
        for tracks in &clip.joints {
            let values = tracks
                .rotation
                .as_ref()
                .map_or(&[][..], |track| track.values());
            assert!(values.windows(2).all(|pair| pair[0].dot(pair[1]) >= 0.0));
            assert!(
                values
                    .iter()
                    .all(|value| (value.length() - 1.0).abs() < 1e-6)
            );
        }
    }
    println!("largest error of a position, relative to the size: {worst:e}");
}

#[test]
fn only_the_known_file_has_a_warning() {
    for (path, bytes) in all_files() {
        let codes: Vec<_> = read(&bytes)
            .warnings
            .iter()
            .map(|warning| warning.code)
            .collect();
        if path.ends_with("Boxing_Toes.bvh") {
            assert_eq!(codes, ["bvh-frame-count"]);
        } else {
            assert!(codes.is_empty(), "{}: {codes:?}", path.display());
        }
    }
}

#[test]
fn six_channels_a_joint_mean_the_same_motion() {
    let Some(folder) = corpus() else { return };
    let open = |path: &str| read(&std::fs::read(folder.join(path)).unwrap());
    let plain = open("bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh");
    let six = open("derived/walk01_six_channels_x_rest.bvh");
    let (plain, six) = (&plain.characters[0], &six.characters[0]);
    let names = |character: &Character| -> Vec<String> {
        character
            .skeleton
            .joints()
            .iter()
            .map(|joint| joint.name.clone())
            .collect()
    };
    let place: Vec<usize> = names(plain)
        .iter()
        .map(|name| six.skeleton.find(name).unwrap())
        .collect();
    let mut worst = 0.0f64;
    for time in plain.clips[0].key_times() {
        let expected = positions(plain, &plain.clips[0], time);
        let other = positions(six, &six.clips[0], time);
        let found: Vec<DVec3> = place.iter().map(|joint| other[*joint]).collect();
        worst = worst.max(largest_distance(&expected, &found) / size(&expected));
    }
    assert!(worst < 5e-6, "{worst}");
    println!("largest difference of a position, relative to the size: {worst:e}");
}

#[test]
fn written_into_itself_every_file_keeps_motion_and_hierarchy() {
    let mut worst = 0.0f64;
    for (path, bytes) in all_files() {
        let document = read(&bytes);
        let character = &document.characters[0];
        let clip = &character.clips[0];
        let output =
            bvh::write_clip_into(&bytes, character, clip, &WriteOptions::default()).unwrap();
        assert!(output.warnings.is_empty(), "{:?}", output.warnings);
        let hierarchy_end = bytes
            .windows(6)
            .position(|window| window == b"MOTION")
            .unwrap();
        assert_eq!(
            output.bytes[..hierarchy_end + 6],
            bytes[..hierarchy_end + 6]
        );
        let again = read(&output.bytes);
        assert!(again.warnings.is_empty());
        let again = &again.characters[0].clips[0];
        assert_eq!(
            again.frame_count(),
            clip.frame_count(),
            "{}",
            path.display()
        );
        let (rate, rate_again) = (clip.rate_hz.unwrap(), again.rate_hz.unwrap());
        assert!((rate - rate_again).abs() < 1e-9 * rate);
        let times = clip.key_times();
        for frame in (0..times.len()).step_by(times.len().div_ceil(FRAMES_CHECKED)) {
            let expected = positions(character, clip, times[frame]);
            let found = positions(character, again, times[frame]);
            let error = largest_distance(&expected, &found) / size(&expected);
            assert!(error < 1e-5, "{} frame {frame}: {error}", path.display());
            worst = worst.max(error);
        }
    }
    println!("largest error of a position, relative to the size: {worst:e}");
}

#[test]
fn written_as_a_new_file_every_motion_stays() {
    let mut worst = 0.0f64;
    for (path, bytes) in all_files() {
        let document = read(&bytes);
        let character = &document.characters[0];
        let clip = &character.clips[0];
        let output = bvh::write_character(character, Some(clip), &WriteOptions::default()).unwrap();
        let document = read(&output.bytes);
        let new = &document.characters[0];
        assert_eq!(new.skeleton.len(), character.skeleton.len());
        let times = clip.key_times();
        for frame in (0..times.len()).step_by(times.len().div_ceil(FRAMES_CHECKED)) {
            let expected = positions(character, clip, times[frame]);
            let found = positions(new, &new.clips[0], times[frame]);
            let error = largest_distance(&expected, &found) / size(&expected);
            assert!(error < 1e-5, "{} frame {frame}: {error}", path.display());
            worst = worst.max(error);
        }
    }
    println!("largest error of a position, relative to the size: {worst:e}");
}
