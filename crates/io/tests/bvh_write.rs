//! Writing BVH: into a file, and from any skeleton.

#![cfg(feature = "bvh")]

use glam::{EulerRot, Quat, Vec3};
use proptest::prelude::*;
use rebone_io::Output;
use rebone_io::bvh::{self, WriteOptions};
use rebone_io::{Error, ReadOptions};
use rebone_model::check::check_character;
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{
    Character, Clip, Interpolation, JointKind, NewJoint, SkeletonBuilder, Track, Transform,
};

fn read(bytes: &[u8]) -> Character {
    let mut document = bvh::read(bytes, &ReadOptions::default()).unwrap();
    document.characters.remove(0)
}

fn defaults() -> WriteOptions {
    WriteOptions::default()
}

fn positions(character: &Character, clip: Option<&Clip>, time: f32) -> Vec<Vec3> {
    let skeleton = &character.skeleton;
    let pose = clip.map_or_else(
        || skeleton.rest_pose(),
        |clip| sample_clip(skeleton, clip, time),
    );
    let model = model_pose(skeleton, &pose);
    (0..model.len())
        .map(|joint| model.position(joint))
        .collect()
}

fn track<V: rebone_model::track::TrackValue>(values: Vec<V>) -> Option<Track<V>> {
    let times: Vec<f32> = (0..values.len()).map(|key| key as f32 / 30.0).collect();
    Some(Track::new(Interpolation::Linear, times.into(), values).unwrap())
}

/// A skeleton of rotated, scaled and shifted joints below two ancestors.
fn crooked(ancestor_scale: Vec3) -> Character {
    let mut builder = SkeletonBuilder::new();
    let mut add = |name: &str, parent: Option<usize>, ancestor: bool, rest: Transform| {
        let mut joint = NewJoint::new(name, parent, rest);
        if ancestor {
            joint.kind = JointKind::Ancestor;
        }
        if name == "left hand" {
            joint.end = Some(Vec3::new(0.0, 0.1, 0.0));
        }
        builder.add(joint)
    };
    let rest = |x: f32, y: f32, z: f32| Transform {
        translation: Vec3::new(x, y, z),
        rotation: Quat::from_euler(EulerRot::XYZ, 2.0 * x + 0.3, y - 0.7, z + 1.1),
        scale: Vec3::ONE,
    };
    let scene = add("scene", None, true, rest(0.5, 0.0, -0.2));
    let armature = Transform {
        scale: ancestor_scale,
        ..rest(0.1, 0.3, 0.0)
    };
    let armature = add("armature", Some(scene), true, armature);
    let hips = add("hips", Some(armature), false, rest(0.0, 1.0, 0.1));
    let spine = add("spine", Some(hips), false, rest(0.0, 0.4, 0.0));
    let arm = add("arm {L}", Some(spine), false, rest(0.3, 0.2, 0.0));
    add("left hand", Some(arm), false, rest(0.4, 0.0, 0.0));
    add("leg", Some(hips), false, rest(0.1, -0.5, 0.0));
    add("leg", Some(hips), false, rest(-0.1, -0.5, 0.0));
    let (skeleton, _) = builder.build().unwrap();
    Character {
        skeleton,
        ..Character::default()
    }
}

/// Turns every joint, moves hips, arm and armature.
fn motion(character: &Character) -> Clip {
    let mut clip = Clip::new("motion", character.skeleton.len());
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        let turned = |frame: i32| {
            let angle = frame as f32 * 0.21 + index as f32;
            joint.rest.rotation * Quat::from_euler(EulerRot::ZYX, angle, angle * 0.7, -angle)
        };
        clip.joints[index].rotation = track((0..40).map(turned).collect());
        if ["hips", "arm {L}", "armature"].contains(&joint.name.as_str()) {
            let moved = |frame: i32| joint.rest.translation + Vec3::splat(frame as f32 * 0.01);
            clip.joints[index].translation = track((0..40).map(moved).collect());
        }
    }
    clip
}

/// Checks that what was written has the joint positions of the original at every frame.
fn check_positions(character: &Character, clip: Option<&Clip>, output: &Output, scale: f32) {
    let written = read(&output.bytes);
    let times = clip.map_or_else(|| vec![0.0], Clip::key_times);
    let joints = character.skeleton.joints();
    let kept: Vec<usize> = (0..joints.len())
        .filter(|&joint| joints[joint].kind == JointKind::Joint)
        .collect();
    let artificial = written.skeleton.len() - kept.len();
    for time in times {
        let expected = positions(character, clip, time);
        let found = positions(&written, Some(&written.clips[0]), time);
        for (place, joint) in kept.iter().enumerate() {
            let error = (found[place + artificial] - expected[*joint] * scale).length();
            assert!(
                error < 1e-5 * scale,
                "{} at {time}: {error}",
                joints[*joint].name
            );
        }
    }
}

#[test]
fn any_skeleton_keeps_its_positions() {
    for scale in [1.0, 0.01, 38.0] {
        let character = crooked(Vec3::splat(scale));
        let clip = motion(&character);
        let output = bvh::write_character(&character, Some(&clip), &defaults()).unwrap();
        assert!(output.warnings.is_empty());
        if scale <= 1.0 {
            check_positions(&character, Some(&clip), &output, 1.0);
        }
    }
    let options = WriteOptions {
        units_per_unit: 100.0,
        ..defaults()
    };
    let character = crooked(Vec3::ONE);
    let clip = motion(&character);
    let output = bvh::write_character(&character, Some(&clip), &options).unwrap();
    check_positions(&character, Some(&clip), &output, 100.0);
}

#[test]
fn zero_pose_is_the_rest_pose() {
    let character = crooked(Vec3::splat(0.5));
    let output = bvh::write_character(&character, None, &defaults()).unwrap();
    check_positions(&character, None, &output, 1.0);
    let written = read(&output.bytes);
    let expected = positions(&character, None, 0.0);
    for (found, expected) in positions(&written, None, 0.0).iter().zip(&expected[2..]) {
        assert!(found.abs_diff_eq(*expected, 1e-6));
    }
    let clip = &written.clips[0];
    assert_eq!(clip.frame_count(), 1);
    for tracks in &clip.joints {
        let rotation = tracks.rotation.as_ref().unwrap().values()[0];
        assert!(rotation.abs_diff_eq(Quat::IDENTITY, 1e-6));
    }
    let hand = written
        .skeleton
        .joints()
        .iter()
        .find(|joint| joint.name == "left_hand");
    assert!((hand.unwrap().end.unwrap().length() - 0.05).abs() < 1e-6);
    let names: Vec<&str> = written
        .skeleton
        .joints()
        .iter()
        .map(|joint| joint.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["hips", "spine", "arm__L_", "left_hand", "leg", "leg_2"]
    );
}

#[test]
fn only_moving_joints_have_position_channels() {
    let character = crooked(Vec3::ONE);
    let output = bvh::write_character(&character, Some(&motion(&character)), &defaults()).unwrap();
    let text = String::from_utf8(output.bytes).unwrap();
    assert_eq!(text.matches("CHANNELS 6").count(), 2);
    assert_eq!(text.matches("CHANNELS 3").count(), 4);
}

#[test]
fn lost_scale_is_told_and_positions_stay() {
    let character = crooked(Vec3::new(1.0, 2.0, 0.5));
    let clip = motion(&character);
    let output = bvh::write_character(&character, Some(&clip), &defaults()).unwrap();
    assert_eq!(output.warnings[0].code, "bvh-scale-lost");
    check_positions(&character, Some(&clip), &output, 1.0);
    let character = crooked(Vec3::ONE);
    let mut clip = motion(&character);
    let grown = (0..40)
        .map(|frame| Vec3::splat(1.0 + frame as f32 * 0.02))
        .collect();
    clip.joints[3].scale = track(grown);
    let output = bvh::write_character(&character, Some(&clip), &defaults()).unwrap();
    assert_eq!(output.warnings.len(), 1);
    assert_eq!(output.warnings[0].joint.as_deref(), Some("spine"));
    check_positions(&character, Some(&clip), &output, 1.0);
}

/// Scales of ancestors are in the lengths of a BVH, so that usable numbers can make one that no reader takes.
#[test]
fn lengths_that_cannot_be_read_are_refused() {
    let character = crooked(Vec3::splat(1e17));
    let clip = motion(&character);
    for clip in [None, Some(&clip)] {
        let written = |units_per_unit: f64| {
            let options = WriteOptions {
                units_per_unit,
                ..defaults()
            };
            bvh::write_character(&character, clip, &options)
        };
        check_character(&read(&written(1.0).unwrap().bytes)).unwrap();
        assert!(matches!(written(100.0), Err(Error::Caller(_))));
    }
}

#[test]
fn several_roots_are_joined() {
    let mut builder = SkeletonBuilder::new();
    for (name, x) in [("Root", 1.0), ("foot", 2.0)] {
        builder.add(NewJoint::new(
            name,
            None,
            Transform::from_translation(Vec3::X * x),
        ));
    }
    let (skeleton, _) = builder.build().unwrap();
    let character = Character {
        skeleton,
        ..Character::default()
    };
    let output = bvh::write_character(&character, None, &defaults()).unwrap();
    check_positions(&character, None, &output, 1.0);
    assert_eq!(read(&output.bytes).name, "Root_");
    let error = bvh::write_character(&Character::default(), None, &defaults());
    assert!(matches!(error, Err(Error::Caller(_))));
}

const TARGET: &str = "HIERARCHY\r\nROOT a b\r\n{\r\n OFFSET 0 0 0\r\n CHANNELS 6 Xposition Yposition \
Zposition Zrotation Xrotation Yrotation\r\n JOINT c\r\n {\r\n  OFFSET 0 1 0\r\n  CHANNELS 1 \
Xrotation\r\n  JOINT d\r\n  {\r\n   OFFSET 1 0 0\r\n   End Site\r\n   {\r\n    OFFSET 1 0 0\r\n   \
}\r\n  }\r\n }\r\n}\r\n";

#[test]
fn a_file_without_motion_gets_one() {
    let character = read(TARGET.as_bytes());
    let clip = Clip::new("still", 3);
    let output = bvh::write_clip_into(TARGET.as_bytes(), &character, &clip, &defaults()).unwrap();
    let motion = "MOTION\r\nFrames: 1\r\nFrame Time: 0.033333333333333\r\n0 0 0 0 0 0 0\r\n";
    assert_eq!(
        String::from_utf8(output.bytes).unwrap(),
        format!("{TARGET}{motion}")
    );
}

#[test]
fn what_channels_cannot_hold_is_told() {
    let character = read(TARGET.as_bytes());
    let mut clip = Clip::new("turn", 3);
    clip.joints[1].rotation = track(vec![Quat::from_rotation_x(1.0), Quat::from_rotation_y(1.0)]);
    clip.joints[2].rotation = track(vec![Quat::IDENTITY, Quat::from_rotation_y(1.0)]);
    clip.joints[2].translation = track(vec![Vec3::X, Vec3::Y]);
    clip.joints[0].scale = track(vec![Vec3::ONE, Vec3::splat(2.0)]);
    let output = bvh::write_clip_into(TARGET.as_bytes(), &character, &clip, &defaults()).unwrap();
    let told: Vec<_> = (output.warnings.iter())
        .map(|warning| (warning.code, warning.joint.as_deref().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("bvh-scale-lost", "a b"),
            ("bvh-channels-missing", "c"),
            ("bvh-channels-missing", "d"),
            ("bvh-channels-missing", "d"),
        ]
    );
    let text = String::from_utf8(output.bytes).unwrap();
    let rows: Vec<&str> = text.lines().rev().take(2).collect();
    assert!(rows[1].starts_with("0 0 0 0 0 0 57.2957"), "{rows:?}");
    assert_eq!(rows[0], "0 0 0 0 0 0 0");
}

#[test]
fn the_target_must_be_the_characters_own_file() {
    let character = read(TARGET.as_bytes());
    let clip = Clip::new("still", 3);
    let refused = |target: &str, clip: &Clip, options: &WriteOptions| {
        let result = bvh::write_clip_into(target.as_bytes(), &character, clip, options);
        matches!(result, Err(Error::Caller(_)))
    };
    assert!(!refused(TARGET, &clip, &defaults()));
    assert!(refused(
        &TARGET.replace("JOINT c", "JOINT x"),
        &clip,
        &defaults()
    ));
    assert!(refused(
        &TARGET.replace("OFFSET 0 1 0", "OFFSET 0 2 0"),
        &clip,
        &defaults()
    ));
    assert!(refused(TARGET, &Clip::new("short", 2), &defaults()));
    for units_per_unit in [0.0, f64::NAN, -1.0, 100.0] {
        assert!(refused(
            TARGET,
            &clip,
            &WriteOptions {
                units_per_unit,
                ..defaults()
            }
        ));
    }
    let metres = TARGET
        .replace("OFFSET 0 1 0", "OFFSET 0 100 0")
        .replace("1 0 0", "100 0 0");
    let options = WriteOptions {
        units_per_unit: 100.0,
        ..defaults()
    };
    assert!(!refused(&metres, &clip, &options));
}

#[test]
fn other_roots_stand_still() {
    let two = format!("{TARGET}ROOT z\n{{\nOFFSET 5 6 7\nCHANNELS 1 Yposition\n}}\n");
    let character = read(two.as_bytes());
    let clip = Clip::new("still", 3);
    let output = bvh::write_clip_into(two.as_bytes(), &character, &clip, &defaults()).unwrap();
    assert_eq!(output.warnings[0].code, "bvh-other-roots");
    assert!(
        String::from_utf8(output.bytes)
            .unwrap()
            .ends_with("0 0 0 0 0 0 0 6\n")
    );
}

#[test]
fn another_rate_samples_between_the_frames() {
    let character = read(TARGET.as_bytes());
    let mut clip = Clip::new("walk", 3);
    clip.joints[0].translation = track((0..31).map(|frame| Vec3::X * frame as f32).collect());
    let options = WriteOptions {
        frame_time: Some(0.05),
        ..defaults()
    };
    let output = bvh::write_clip_into(TARGET.as_bytes(), &character, &clip, &options).unwrap();
    let again = read(&output.bytes);
    let track = again.clips[0].joints[0].translation.as_ref().unwrap();
    assert_eq!(track.key_count(), 21);
    for (frame, value) in track.values().iter().enumerate() {
        assert!((value.x - 1.5 * frame as f32).abs() < 1e-5);
    }
}

/// All channel orders of a joint that can take every rotation, positions anywhere or nowhere.
fn channel_order() -> impl Strategy<Value = Vec<&'static str>> {
    const ALL: [&str; 6] = [
        "Xposition",
        "Yposition",
        "Zposition",
        "Xrotation",
        "Yrotation",
        "Zrotation",
    ];
    (Just(ALL.to_vec()).prop_shuffle(), any::<bool>()).prop_map(|(mut order, moves)| {
        order.retain(|channel| moves || channel.ends_with("rotation"));
        order
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_orders_come_back(
        orders in prop::collection::vec(channel_order(), 1..6),
        numbers in prop::collection::vec(-400.0..400.0f64, 4 * 36),
    ) {
        let mut text = "HIERARCHY\n".to_owned();
        for (index, order) in orders.iter().enumerate() {
            let word = if index == 0 { "ROOT" } else { "JOINT" };
            text += &format!(
                "{word} j{index}\n{{\nOFFSET 1 {index} -2\nCHANNELS {} {}\n",
                order.len(),
                order.join(" ")
            );
        }
        text += &"}\n".repeat(orders.len());
        let columns: usize = orders.iter().map(Vec::len).sum();
        text += "MOTION\nFrames: 4\nFrame Time: 0.1\n";
        for row in numbers[..4 * columns].chunks(columns) {
            let row: Vec<String> = row.iter().map(f64::to_string).collect();
            text += &(row.join(" ") + "\n");
        }
        let character = read(text.as_bytes());
        let clip = &character.clips[0];
        let output = bvh::write_clip_into(text.as_bytes(), &character, clip, &defaults()).unwrap();
        prop_assert!(output.warnings.is_empty());
        let hierarchy_end = text.find("MOTION").unwrap();
        prop_assert_eq!(&output.bytes[..hierarchy_end], &text.as_bytes()[..hierarchy_end]);
        let again = read(&output.bytes);
        for time in clip.key_times() {
            let expected = positions(&character, Some(clip), time);
            let found = positions(&again, Some(&again.clips[0]), time);
            for (expected, found) in expected.iter().zip(found) {
                prop_assert!((*expected - found).length() < 1e-5 * (100.0 + expected.length()));
            }
        }
        let fresh = bvh::write_character(&character, Some(clip), &defaults()).unwrap();
        let fresh = read(&fresh.bytes);
        for time in clip.key_times() {
            let expected = positions(&character, Some(clip), time);
            let found = positions(&fresh, Some(&fresh.clips[0]), time);
            for (expected, found) in expected.iter().zip(found) {
                prop_assert!((*expected - found).length() < 1e-5 * (100.0 + expected.length()));
            }
        }
    }

    #[test]
    fn arbitrary_text_does_not_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "HIERARCHY", "ROOT", "JOINT", "a", "\n", "{", "}", "OFFSET", "1", "-2.5", "0 0 0",
                "CHANNELS", "3 Xrotation Yrotation Zrotation", "1 Xposition", "End Site", "MOTION",
                "Frames:", "Frame Time:", "1e9", "nan", "\r", ":", "\u{0}",
            ]),
            0..60,
        ),
    ) {
        let text = format!("HIERARCHY\n{}", words.join(" "));
        let _ = bvh::read(text.as_bytes(), &ReadOptions::default());
    }
}
