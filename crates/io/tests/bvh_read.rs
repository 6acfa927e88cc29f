//! What BVH files get wrong, and what is made of it.

#![cfg(feature = "bvh")]

use glam::{Quat, Vec3};
use rebone_io::{Document, Error, FileSpace, Format, Limits, ReadOptions, bvh};
use rebone_model::Character;

const SMALL: &str = "HIERARCHY\nROOT Hips\n{\n\tOFFSET 1 2 3\n\tCHANNELS 6 Xposition Yposition \
Zposition Zrotation Xrotation Yrotation\n\tJOINT Leg\n\t{\n\t\tOFFSET 0 -1 0\n\t\tCHANNELS 3 Zrotation \
Xrotation Yrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 -0.5 0\n\t\t}\n\t}\n}\nMOTION\nFrames: 2\n\
Frame Time: 0.25\n0 1 2 10 20 30 -1 -2 -3\n0 1 3 11 21 31 -2 -3 -4\n";

fn read(text: &str) -> Result<Document, Error> {
    bvh::read(text.as_bytes(), &ReadOptions::default())
}

fn only(text: &str) -> Character {
    let mut document = read(text).unwrap();
    assert_eq!(document.characters.len(), 1);
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    document.characters.remove(0)
}

fn codes(document: &Document) -> Vec<&'static str> {
    document
        .warnings
        .iter()
        .map(|warning| warning.code)
        .collect()
}

/// A file of one joint with these channels and rows.
fn one_joint(channels: &str, motion: &str) -> String {
    let count = channels.split_whitespace().count();
    format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 1 2 3\nCHANNELS {count} {channels}\n}}\nMOTION\n{motion}\n"
    )
}

fn turn(axis: char, degrees: f32) -> Quat {
    let radians = degrees.to_radians();
    match axis {
        'x' => Quat::from_rotation_x(radians),
        'y' => Quat::from_rotation_y(radians),
        _ => Quat::from_rotation_z(radians),
    }
}

#[test]
fn small_file() {
    let document = read(SMALL).unwrap();
    assert_eq!(document.format, Format::Bvh);
    assert_eq!(document.space, FileSpace::default());
    let character = only(SMALL);
    assert_eq!(character.name, "Hips");
    let joints = character.skeleton.joints();
    assert_eq!(joints[0].rest.translation, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!((joints[1].name.as_str(), joints[1].node), ("Leg", 1));
    assert_eq!(joints[1].end, Some(Vec3::new(0.0, -0.5, 0.0)));
    let clip = &character.clips[0];
    assert_eq!((clip.name.as_str(), clip.rate_hz), ("motion", Some(4.0)));
    let root = clip.joints[0].translation.as_ref().unwrap();
    assert_eq!(root.times(), [0.0, 0.25]);
    assert_eq!(root.values()[1], Vec3::new(0.0, 1.0, 3.0));
    let rotation = clip.joints[0].rotation.as_ref().unwrap();
    assert!(std::sync::Arc::ptr_eq(
        root.shared_times(),
        rotation.shared_times()
    ));
    let expected = turn('z', 10.0) * turn('x', 20.0) * turn('y', 30.0);
    assert!(rotation.values()[0].abs_diff_eq(expected, 1e-6));
    assert!(clip.joints[1].translation.is_none());
}

#[test]
fn the_same_file_in_other_dress() {
    let plain = only(SMALL);
    let dressed = [
        SMALL.replace('\n', "\r\n"),
        SMALL.replace('\n', "\r"),
        SMALL.replace(' ', "\t"),
        SMALL.replace(' ', "  \t "),
        format!("\u{FEFF}{SMALL}"),
        format!("\n\n  {SMALL}"),
        SMALL.trim_end().to_owned(),
        format!("{SMALL}\n\n \u{1A}\0"),
        SMALL.replace("-2 -3 -4", "-2\n-3\r\n\n-4"),
        SMALL.replace("30 -1", "30\n-1").replace("-3\n", "-3 "),
        SMALL.replace("Frame Time: 0.25", "FRAME TIME:0.25"),
        SMALL.replace("Frames: 2", "frames :\t2"),
        SMALL.replace("0.25", "2.5e-1"),
        SMALL
            .replace("Hips\n{", "Hips {")
            .replace("}\n\t}\n}", "}}}"),
        SMALL.replace("End Site\n", "end site Toe_End\n"),
        SMALL
            .replace("End Site\n", "End site{\n")
            .replace("{\n\t\t{", "{"),
        SMALL.replace("End Site", "EndSite"),
        SMALL
            .replace("position", "POSITION")
            .replace("OFFSET", "Offset"),
        SMALL
            .replace("HIERARCHY", "hierarchy")
            .replace("MOTION", "Motion"),
        SMALL.replace("0 1 3 11", "+0 1.000000000000 3e0 0000000011"),
    ];
    for text in dressed {
        let other = only(&text);
        assert_eq!(other.skeleton, plain.skeleton, "{text}");
        assert_eq!(other.clips, plain.clips, "{text}");
    }
}

#[test]
fn names_are_what_the_line_holds() {
    for (written, name) in [
        ("mixamorig:Left Leg", "mixamorig:Left Leg"),
        (" \t Left Leg \t", "Left Leg"),
        ("", "node_1"),
        ("Bein.L|ö", "Bein.L|ö"),
    ] {
        let text = SMALL.replace("JOINT Leg", &format!("JOINT {written}"));
        assert_eq!(only(&text).skeleton.joints()[1].name, name);
    }
    let latin = SMALL.as_bytes().to_vec();
    let at = latin
        .windows(3)
        .position(|window| window == b"Leg")
        .unwrap();
    let mut latin = latin;
    latin[at] = 0xE4;
    let document = bvh::read(&latin, &ReadOptions::default()).unwrap();
    let joints = document.characters[0].skeleton.joints();
    assert_eq!(joints[1].name, "\u{FFFD}eg");
}

#[test]
fn position_channels_replace_the_offset() {
    let text = one_joint("Yposition", "Frames: 2\nFrame Time: 1\n7\n8");
    let character = only(&text);
    let track = character.clips[0].joints[0].translation.as_ref().unwrap();
    assert_eq!(
        track.values(),
        [Vec3::new(1.0, 7.0, 3.0), Vec3::new(1.0, 8.0, 3.0)]
    );
    assert!(character.clips[0].joints[0].rotation.is_none());
}

#[test]
fn a_child_that_repeats_its_offset_has_no_translation() {
    let six = "CHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition\n\t\tEnd";
    let text = SMALL.replace("CHANNELS 3 Zrotation Xrotation Yrotation\n\t\tEnd", six);
    let still = text
        .replace("-1 -2 -3", "-1 -2 -3 0 -1 0")
        .replace("-2 -3 -4", "-2 -3 -4 0 -1 0");
    assert_eq!(only(&still).clips, only(SMALL).clips);
    let moving = still.replace("-4 0 -1 0", "-4 0 -1 0.5");
    let character = only(&moving);
    let track = character.clips[0].joints[1].translation.as_ref().unwrap();
    assert_eq!(track.values()[1], Vec3::new(0.0, -1.0, 0.5));
}

#[test]
fn rotations_multiply_in_the_order_listed() {
    for (order, names) in [
        ("xyz", "Xrotation Yrotation Zrotation"),
        ("zyx", "Zrotation Yrotation Xrotation"),
        ("yxz", "Yrotation Xrotation Zrotation"),
        ("zxz", "Zrotation Xrotation Zrotation"),
        ("yx", "Yrotation Xrotation"),
        ("z", "Zrotation"),
    ] {
        let angles = [200.0, -35.0, 110.0];
        let row: Vec<String> = angles[..order.len()].iter().map(f32::to_string).collect();
        let rows = format!("Frames: 1\nFrame Time: 1\n{} 9", row.join(" "));
        let character = only(&one_joint(&format!("{names} Xposition"), &rows));
        let expected = order
            .chars()
            .zip(angles)
            .fold(Quat::IDENTITY, |product, (axis, angle)| {
                product * turn(axis, angle)
            });
        let found = character.clips[0].joints[0]
            .rotation
            .as_ref()
            .unwrap()
            .values()[0];
        assert!(found.dot(expected).abs() > 1.0 - 1e-6, "{order}");
        let place = character.clips[0].joints[0]
            .translation
            .as_ref()
            .unwrap()
            .values()[0];
        assert_eq!(place.x, 9.0);
    }
}

#[test]
fn rotations_are_continuous_over_jumps_of_whole_turns() {
    let rows: Vec<String> = (0..700)
        .map(|frame| format!("{}", (frame * 37 + 180) % 360 - 180))
        .collect();
    let text = one_joint(
        "Yrotation",
        &format!("Frames: 700\nFrame Time: 1\n{}", rows.join("\n")),
    );
    let character = only(&text);
    let values = character.clips[0].joints[0]
        .rotation
        .as_ref()
        .unwrap()
        .values();
    assert_eq!(values.len(), 700);
    assert!(values.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.9));
}

#[test]
fn wrong_counts_and_times_are_warnings() {
    let cases = [
        ("Frames: 3", "bvh-frame-count"),
        ("Frames: 1", "bvh-frame-count"),
        ("Frames:", "bvh-frame-count"),
        ("Frames: -7", "bvh-frame-count"),
    ];
    for (line, code) in cases {
        let document = read(&SMALL.replace("Frames: 2", line)).unwrap();
        assert_eq!(codes(&document), [code], "{line}");
        assert_eq!(document.characters[0].clips[0].frame_count(), 2);
    }
    for line in [
        "Frame Time: 0",
        "Frame Time: -1",
        "Frame Time:",
        "",
        "Frame Time: 1e9",
    ] {
        let document = read(&SMALL.replace("Frame Time: 0.25", line)).unwrap();
        assert_eq!(codes(&document), ["bvh-frame-time"], "{line}");
        let rate = document.characters[0].clips[0].rate_hz.unwrap();
        assert!((rate - 30.0).abs() < 1e-9);
    }
    let document = read(SMALL.trim_end().trim_end_matches("-4")).unwrap();
    assert_eq!(codes(&document), ["bvh-row-incomplete", "bvh-frame-count"]);
    assert_eq!(document.characters[0].clips[0].frame_count(), 1);
    let document = read(&SMALL.replacen("OFFSET 0 -1 0", "", 1)).unwrap();
    assert_eq!(codes(&document), ["bvh-no-offset"]);
}

#[test]
fn no_frames_no_clip() {
    let hierarchy = &SMALL[..SMALL.find("MOTION").unwrap()];
    for motion in [
        "",
        "MOTION",
        "MOTION\nFrames: 0\nFrame Time: 0.1\n",
        "MOTION\nFrames: 0",
    ] {
        let character = only(&format!("{hierarchy}{motion}"));
        assert!(character.clips.is_empty() && character.skeleton.len() == 2);
    }
    let still = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 0\nFrame Time: 1";
    assert!(only(still).clips.is_empty());
}

#[test]
fn every_root_is_a_character() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nJOINT c\n{\nOFFSET 1 0 0\n\
        CHANNELS 1 Zrotation\n}\n}\nROOT b\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\n}\nMOTION\n\
        Frames: 2\nFrame Time: 0.1\n1 90 2\n3 0 4";
    let document = read(text).unwrap();
    let [first, second] = document.characters.as_slice() else {
        panic!("two roots are two characters");
    };
    assert_eq!((first.skeleton.len(), second.skeleton.len()), (2, 1));
    assert_eq!(second.skeleton.joints()[0].node, 2);
    let place = |character: &Character| {
        character.clips[0].joints[0]
            .translation
            .as_ref()
            .unwrap()
            .values()[1]
            .x
    };
    assert_eq!((place(first), place(second)), (3.0, 4.0));
}

#[test]
fn errors_name_the_line() {
    let cases = [
        ("0 1 3 11", "0 nan 3 11", "line 20"),
        ("0 1 3 11", "0 -inf 3 11", "line 20"),
        ("0 1 3 11", "0 1,5 3 11", "line 20"),
        ("0 1 3 11", "0 1e300 3 11", "line 20"),
        ("0 1 3 11", "0 1.#QNAN 3 11", "line 20"),
        ("OFFSET 0 -1 0", "OFFSET 0 -1", "line 9"),
        ("OFFSET 1 2 3", "OFFSET 1 inf 3", "line 4"),
        ("CHANNELS 3 Z", "CHANNELS 2 Z", "line 9"),
        ("CHANNELS 3 Zrotation", "CHANNELS 3 Zscale", "line 9"),
        ("JOINT Leg\n\t{", "JOINT Leg\n", "line 6"),
        ("}\nMOTION", "MOTION", "line 15"),
        ("Frames: 2", "Frmes: 2", "line 17"),
        ("ROOT Hips", "JOINT Hips", "line 2"),
        ("HIERARCHY", "HIER", "line 1"),
    ];
    for (from, to, line) in cases {
        assert!(SMALL.contains(from), "{from}");
        let text = SMALL.replacen(from, to, 1);
        for text in [
            text.clone(),
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
        ] {
            let Err(Error::Malformed(problem)) = read(&text) else {
                panic!("{to} is read");
            };
            assert_eq!(problem.place, line, "{to}: {problem}");
        }
    }
}

#[test]
fn limits_hold() {
    let limited = |limits: Limits, text: &str| {
        let options = ReadOptions {
            limits,
            ..ReadOptions::default()
        };
        bvh::read(text.as_bytes(), &options)
    };
    let fits = Limits {
        nodes: 2,
        animation_values: 18,
        ..Limits::default()
    };
    assert!(limited(fits, SMALL).is_ok());
    for limits in [
        Limits { nodes: 1, ..fits },
        Limits {
            animation_values: 17,
            ..fits
        },
    ] {
        assert!(matches!(limited(limits, SMALL), Err(Error::Limit(_))));
    }
    let nested = |depth: usize| {
        let mut text = "HIERARCHY ROOT a\n{ OFFSET 0 0 0 ".to_owned();
        text.push_str(&"JOINT b\n{ OFFSET 0 0 0 ".repeat(depth));
        text.push_str(&"}".repeat(depth + 1));
        text
    };
    assert!(read(&nested(100)).is_ok());
    assert!(matches!(read(&nested(3_000)), Err(Error::Limit(_))));
}

#[test]
fn damaged_files_do_not_panic() {
    let bytes = SMALL.as_bytes();
    for length in 0..bytes.len() {
        let _ = bvh::read(&bytes[..length], &ReadOptions::default());
    }
    for at in 0..bytes.len() {
        for flipped in [0x01, 0x02, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] {
            let mut damaged = bytes.to_vec();
            damaged[at] ^= flipped;
            let _ = bvh::read(&damaged, &ReadOptions::default());
        }
        let mut shortened = bytes.to_vec();
        shortened.remove(at);
        let _ = bvh::read(&shortened, &ReadOptions::default());
    }
}
