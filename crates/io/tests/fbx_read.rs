//! Reading FBX: small text files in which each thing stands alone.
#![cfg(feature = "fbx")]

use rebone_io::{Document, Error, ReadOptions, fbx};
use rebone_model::axes::Axis;
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::{sample_clip, sample_track};
use rebone_model::{Interpolation, JointKind, Quat, Vec3};

/// Ticks a second of FBX times.
const SECOND: i64 = 46_186_158_000;

/// Properties of GlobalSettings: centimetres, +Y up, 30 frames a second.
const USUAL: &str = r#"
    P: "UpAxis", "int", "Integer", "",1
    P: "UpAxisSign", "int", "Integer", "",1
    P: "FrontAxis", "int", "Integer", "",2
    P: "FrontAxisSign", "int", "Integer", "",1
    P: "CoordAxis", "int", "Integer", "",0
    P: "CoordAxisSign", "int", "Integer", "",1
    P: "UnitScaleFactor", "double", "Number", "",1
    P: "TimeMode", "enum", "", "",6
"#;

/// A text file of version 7.4 out of its parts.
fn text(settings: &str, objects: &str, connections: &str) -> String {
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\n\tFBXVersion: 7400\n}}\n\
         GlobalSettings:  {{\n\tVersion: 1000\n\tProperties70:  {{\n{settings}\n\t}}\n}}\n\
         Objects:  {{\n{objects}\n}}\nConnections:  {{\n{connections}\n}}\n"
    )
}

fn bone(id: u32, name: &str, properties: &str) -> String {
    format!(
        "Model: {id}, \"Model::{name}\", \"LimbNode\" {{\n Version: 232\n Properties70:  {{\n{properties}\n }}\n}}\n\
         NodeAttribute: {id}9, \"NodeAttribute::\", \"LimbNode\" {{\n TypeFlags: \"Skeleton\"\n}}\n"
    )
}

fn lcl(which: &str, [x, y, z]: [f64; 3]) -> String {
    format!("P: \"Lcl {which}\", \"Lcl {which}\", \"\", \"A\",{x},{y},{z}\n")
}

/// Two bones, one 100 units above the other.
fn two_bones() -> (String, String) {
    let objects = bone(1, "hips", &lcl("Translation", [0.0, 100.0, 0.0]))
        + &bone(2, "spine", &lcl("Translation", [0.0, 50.0, 0.0]));
    let connections = "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",19,1\nC: \"OO\",29,2\n";
    (objects, connections.to_owned())
}

/// How a curve goes on after its keys.
#[derive(Clone, Copy)]
enum Way {
    Constant = 0x2,
    Linear = 0x4,
}

/// A stack with curves for `d|X`, `d|Y`, `d|Z` of one property of the model 2.
fn animation(
    (start, stop): (f64, f64),
    property: &str,
    curves: [&[(f64, f64)]; 3],
    way: Way,
) -> (String, String) {
    let ticks = |seconds: f64| (seconds * SECOND as f64).round() as i64;
    let mut objects = format!(
        "AnimationStack: 100, \"AnimStack::Take\", \"\" {{\n Properties70:  {{\n\
         P: \"LocalStart\", \"KTime\", \"Time\", \"\",{}\nP: \"LocalStop\", \"KTime\", \"Time\", \"\",{}\n }}\n}}\n\
         AnimationLayer: 101, \"AnimLayer::Base\", \"\" {{\n}}\n\
         AnimationCurveNode: 102, \"AnimCurveNode::\", \"\" {{\n Properties70:  {{\n\
         P: \"d|X\", \"Number\", \"\", \"A\",0\nP: \"d|Y\", \"Number\", \"\", \"A\",0\nP: \"d|Z\", \"Number\", \"\", \"A\",0\n }}\n}}\n",
        ticks(start),
        ticks(stop)
    );
    let mut connections =
        format!("C: \"OO\",101,100\nC: \"OO\",102,101\nC: \"OP\",102,2, \"Lcl {property}\"\n");
    for (axis, keys) in ["X", "Y", "Z"].into_iter().zip(curves) {
        if keys.is_empty() {
            continue;
        }
        let id = 103 + u32::from(axis.as_bytes()[0] - b'X');
        let count = keys.len();
        let list = |value: &dyn Fn(&(f64, f64)) -> String| -> String {
            keys.iter().map(value).collect::<Vec<_>>().join(",")
        };
        let times = list(&|key| ticks(key.0).to_string());
        let values = list(&|key| key.1.to_string());
        objects += &format!(
            "AnimationCurve: {id}, \"AnimCurve::\", \"\" {{\n Default: 0\n KeyVer: 4008\n\
             KeyTime: *{count} {{\n a: {times}\n }}\n KeyValueFloat: *{count} {{\n a: {values}\n }}\n\
             KeyAttrFlags: *1 {{\n a: {}\n }}\n KeyAttrDataFloat: *4 {{\n a: 0,0,0,0\n }}\n\
             KeyAttrRefCount: *1 {{\n a: {count}\n }}\n}}\n",
            way as u32
        );
        connections += &format!("C: \"OP\",{id},102, \"d|{axis}\"\n");
    }
    (objects, connections)
}

fn read(text: &str) -> Result<Document, Error> {
    fbx::read(text.as_bytes(), &ReadOptions::default(), &|_| {
        Err("no file".to_owned())
    })
}

/// Two bones, the upper of which is animated.
fn animated(range: (f64, f64), property: &str, curves: [&[(f64, f64)]; 3], way: Way) -> Document {
    let (objects, connections) = two_bones();
    let (more, links) = animation(range, property, curves, way);
    read(&text(USUAL, &(objects + &more), &(connections + &links))).unwrap()
}

fn near(a: Vec3, b: Vec3) {
    assert!(a.distance(b) < 1e-5, "{a} is not {b}");
}

#[test]
fn units_become_metres_and_up_becomes_y() {
    let (objects, connections) = two_bones();
    let document = read(&text(USUAL, &objects, &connections)).unwrap();
    assert_eq!(document.space.meters_per_unit, Some(1.0));
    assert_eq!(document.space.up, Some(Axis::PositiveY));
    assert_eq!(document.file_space.meters_per_unit, Some(0.01));
    assert_eq!(document.file_space.up, Some(Axis::PositiveY));
    let [character] = document.characters.as_slice() else {
        panic!("one character");
    };
    assert_eq!(character.name, "hips");
    let model = model_pose(&character.skeleton, &character.skeleton.rest_pose());
    near(model.position(1), Vec3::new(0.0, 1.5, 0.0));

    // The same body in inches and +Z up.
    let z_up = USUAL
        .replace(
            "\"UpAxis\", \"int\", \"Integer\", \"\",1",
            "\"UpAxis\", \"int\", \"Integer\", \"\",2",
        )
        .replace(
            "\"FrontAxis\", \"int\", \"Integer\", \"\",2",
            "\"FrontAxis\", \"int\", \"Integer\", \"\",1",
        )
        .replace(
            "\"FrontAxisSign\", \"int\", \"Integer\", \"\",1",
            "\"FrontAxisSign\", \"int\", \"Integer\", \"\",-1",
        )
        .replace("\"Number\", \"\",1", "\"Number\", \"\",2.54");
    let objects = objects
        .replace("0,100,0", "0,0,39.37007874")
        .replace("0,50,0", "0,0,19.68503937");
    let document = read(&text(&z_up, &objects, &connections)).unwrap();
    assert_eq!(document.file_space.up, Some(Axis::PositiveZ));
    let skeleton = &document.characters[0].skeleton;
    let model = model_pose(skeleton, &skeleton.rest_pose());
    near(model.position(1), Vec3::new(0.0, 1.5, 0.0));
}

#[test]
fn left_handed_files_keep_their_shape() {
    let settings = USUAL.replace(
        "\"CoordAxisSign\", \"int\", \"Integer\", \"\",1",
        "\"CoordAxisSign\", \"int\", \"Integer\", \"\",-1",
    );
    let objects = bone(1, "hips", &lcl("Translation", [10.0, 100.0, 0.0]))
        + &bone(
            2,
            "arm",
            &(lcl("Translation", [50.0, 0.0, 20.0]) + &lcl("Rotation", [0.0, 0.0, 90.0])),
        )
        + &bone(3, "hand", &lcl("Translation", [10.0, 0.0, 0.0]));
    let connections = "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",19,1\nC: \"OO\",29,2\nC: \"OO\",39,3\n";
    let document = read(&text(&settings, &objects, connections)).unwrap();
    let skeleton = &document.characters[0].skeleton;
    let model = model_pose(skeleton, &skeleton.rest_pose());
    // In the file +X is the other way: the picture is the file's, seen without a mirror.
    near(model.position(1), Vec3::new(-0.6, 1.0, 0.2));
    near(model.position(2), Vec3::new(-0.6, 1.1, 0.2));
}

#[test]
fn names_and_kinds() {
    let (objects, connections) = two_bones();
    let objects = objects.replace("Model::spine", "Model::");
    let container = "Model: 7, \"Model::Armature\", \"Null\" {\n Version: 232\n}\n";
    let connections = connections.replace("\"OO\",1,0", "\"OO\",1,7") + "C: \"OO\",7,0\n";
    let document = read(&text(USUAL, &(objects + container), &connections)).unwrap();
    let joints = document.characters[0].skeleton.joints();
    let found: Vec<(&str, JointKind)> = joints.iter().map(|j| (j.name.as_str(), j.kind)).collect();
    let unnamed = format!("node_{}", joints[2].node);
    assert_eq!(
        found,
        [
            ("Armature", JointKind::Ancestor),
            ("hips", JointKind::Joint),
            (unnamed.as_str(), JointKind::Joint)
        ]
    );
}

#[test]
fn lines_stay_the_files_own_keys() {
    let keys = [(0.0, 0.0), (0.5, 10.0), (2.0, 40.0)];
    let document = animated((0.0, 2.0), "Translation", [&keys, &[], &[]], Way::Linear);
    let clip = &document.characters[0].clips[0];
    assert_eq!(clip.name, "Take");
    assert_eq!(clip.rate_hz, Some(30.0));
    let tracks = &clip.joints[1];
    assert!(clip.joints[0].is_empty() && tracks.rotation.is_none() && tracks.scale.is_none());
    let track = tracks.translation.as_ref().unwrap();
    assert_eq!(track.times(), [0.0, 0.5, 2.0]);
    near(track.values()[2], Vec3::new(0.4, 0.0, 0.0));
}

#[test]
fn steps_stay_steps() {
    let keys = [(0.0, 0.0), (0.5, 10.0), (1.0, 40.0)];
    let document = animated((0.0, 1.0), "Translation", [&keys, &[], &[]], Way::Constant);
    let track = document.characters[0].clips[0].joints[1]
        .translation
        .clone()
        .unwrap();
    assert_eq!(track.interpolation(), Interpolation::Step);
    assert_eq!(track.times(), [0.0, 0.5, 1.0]);
    near(sample_track(&track, 0.49), Vec3::ZERO);
    near(sample_track(&track, 0.51), Vec3::new(0.1, 0.0, 0.0));
}

#[test]
fn angles_are_the_files_on_every_frame() {
    let document = animated(
        (0.0, 1.0),
        "Rotation",
        [
            &[(0.0, 0.0), (1.0, 90.0)],
            &[(0.0, 0.0), (1.0, -60.0)],
            &[(0.0, 20.0), (1.0, 20.0)],
        ],
        Way::Linear,
    );
    let character = &document.characters[0];
    let track = character.clips[0].joints[1].rotation.as_ref().unwrap();
    assert!(track.key_count() > 20, "{}", track.key_count());
    for step in 0..=60 {
        let time = step as f32 / 60.0;
        let [x, y, z] = [90.0 * time, -60.0 * time, 20.0].map(f32::to_radians);
        let expected =
            Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x);
        let off = rebone_model::rotation::angle_between(sample_track(track, time), expected);
        let allowed = if step % 2 == 0 { 2e-6 } else { 1e-3 };
        assert!(off < allowed, "{time}: {off}");
    }
}

#[test]
fn a_turn_about_one_axis_needs_no_keys_between() {
    let keys = [(0.0, 0.0), (1.0, 90.0), (3.0, 10.0)];
    let document = animated((0.0, 3.0), "Rotation", [&keys, &[], &[]], Way::Linear);
    let track = document.characters[0].clips[0].joints[1]
        .rotation
        .clone()
        .unwrap();
    assert_eq!(track.times(), [0.0, 1.0, 3.0]);
}

#[test]
fn whole_turns_are_not_lost() {
    let keys = [(0.0, 0.0), (1.0, 720.0)];
    let document = animated((0.0, 1.0), "Rotation", [&keys, &[], &[]], Way::Linear);
    let track = document.characters[0].clips[0].joints[1]
        .rotation
        .clone()
        .unwrap();
    for step in 0..=30 {
        let time = step as f32 / 30.0;
        let expected = Quat::from_rotation_x((720.0 * time).to_radians());
        let off = rebone_model::rotation::angle_between(sample_track(&track, time), expected);
        assert!(off < 1e-5, "{time}: {off}");
    }
}

#[test]
fn time_begins_where_the_stack_begins() {
    let keys = [(1.0, 0.0), (3.0, 20.0), (5.0, 40.0)];
    let document = animated((2.0, 4.0), "Translation", [&keys, &[], &[]], Way::Linear);
    let clip = &document.characters[0].clips[0];
    let track = clip.joints[1].translation.as_ref().unwrap();
    assert_eq!(track.times(), [0.0, 1.0, 2.0]);
    near(track.values()[0], Vec3::new(0.1, 0.0, 0.0));
    near(track.values()[2], Vec3::new(0.3, 0.0, 0.0));

    // A stack whose range holds no key is taken for what its keys say.
    let document = animated((8.0, 9.0), "Translation", [&keys, &[], &[]], Way::Linear);
    let clip = &document.characters[0].clips[0];
    assert_eq!(
        clip.joints[1].translation.as_ref().unwrap().times(),
        [0.0, 2.0, 4.0]
    );
}

#[test]
fn what_does_not_change_is_one_key_or_none() {
    let still = [(0.0, 10.0), (1.0, 10.0)];
    let document = animated((0.0, 1.0), "Translation", [&still, &[], &[]], Way::Linear);
    let clip = &document.characters[0].clips[0];
    let track = clip.joints[1].translation.as_ref().unwrap();
    near(sample_track(track, 0.0), Vec3::new(0.1, 0.0, 0.0));
    // The clip lasts as long as its keys.
    assert_eq!(clip.seconds(), 1.0);

    let rest = [(0.0, 0.0), (1.0, 0.0)];
    let high = [(0.0, 50.0), (1.0, 50.0)];
    let document = animated(
        (0.0, 1.0),
        "Translation",
        [&rest, &high, &rest],
        Way::Linear,
    );
    assert!(document.characters[0].clips.is_empty());
}

#[test]
fn pivots_move_what_they_turn() {
    let (objects, connections) = two_bones();
    let pivot = "P: \"RotationPivot\", \"Vector3D\", \"Vector\", \"\",10,0,0\n";
    let place = lcl("Translation", [0.0, 50.0, 0.0]);
    let objects = objects.replace(&place, &(place.clone() + pivot));
    let (more, links) = animation(
        (0.0, 1.0),
        "Rotation",
        [&[], &[], &[(0.0, 0.0), (1.0, 90.0)]],
        Way::Linear,
    );
    let document = read(&text(USUAL, &(objects + &more), &(connections + &links))).unwrap();
    let character = &document.characters[0];
    let pose = sample_clip(&character.skeleton, &character.clips[0], 1.0);
    near(pose.transforms()[1].translation, Vec3::new(0.1, 0.4, 0.0));
    let middle = sample_clip(&character.skeleton, &character.clips[0], 0.5);
    let turned = std::f32::consts::FRAC_1_SQRT_2 * 0.1;
    near(
        middle.transforms()[1].translation,
        Vec3::new(0.1 - turned, 0.5 - turned, 0.0),
    );
}

#[test]
fn spheric_rotations_are_named() {
    let (objects, connections) = two_bones();
    let place = lcl("Translation", [0.0, 50.0, 0.0]);
    let spheric = "P: \"RotationOrder\", \"enum\", \"\", \"\",6\nP: \"RotationActive\", \"bool\", \"\", \"\",1\n";
    let turned = lcl("Rotation", [30.0, 0.0, 0.0]);
    let objects = objects.replace(&place, &(place.clone() + spheric + &turned));
    let document = read(&text(USUAL, &objects, &connections)).unwrap();
    let warning = &document.warnings[0];
    assert_eq!(warning.code, "fbx-rotation-order");
    assert!(warning.message.contains("spine"), "{}", warning.message);
    let joint = &document.characters[0].skeleton.joints()[1];
    assert_eq!(joint.rest.rotation, Quat::IDENTITY);
}

/// Ranges that end before they begin, lie before 0 or far away, ids that are there twice, links to
/// nothing, missing layers and names of any kind: a result with finite numbers, or an error.
#[test]
fn odd_files_do_no_harm() {
    let keys = [(0.0, 0.0), (0.5, 10.0), (1.0, 40.0)];
    for (start, stop) in [
        (1.0, 0.0),
        (0.5, 0.5),
        (-3.0, -2.0),
        (0.0, 1.9e8),
        (-1e8, 1e8),
    ] {
        let document = animated((start, stop), "Translation", [&keys, &[], &[]], Way::Linear);
        let clip = &document.characters[0].clips[0];
        let track = clip.joints[1].translation.as_ref().unwrap();
        assert!(track.values().iter().all(|value| value.is_finite()));
        let moved = sample_track(track, clip.seconds());
        assert!(moved.x > 0.09, "{start} to {stop}: {moved}");
    }
    // Keys before 0, and years apart.
    let keys = [(-1.9e8, 0.0), (-2.0, 10.0), (1.9e8, 40.0)];
    let document = animated((0.0, 0.0), "Rotation", [&keys, &keys, &[]], Way::Linear);
    let clip = &document.characters[0].clips[0];
    assert!(clip.key_times()[0] == 0.0 && clip.seconds() > 3e8);

    let (objects, connections) = two_bones();
    let (more, links) = animation((0.0, 1.0), "Rotation", [&keys, &[], &[]], Way::Linear);
    let (objects, connections) = (objects + &more, connections + &links);
    let long_name = "n".repeat(100_000);
    for (what, objects, connections) in [
        (
            "twice",
            objects.clone() + &objects,
            connections.clone() + &connections,
        ),
        (
            "missing objects",
            objects.clone(),
            connections.clone() + "C: \"OO\",777,1\nC: \"OO\",2,888\nC: \"OP\",999,102, \"d|Y\"\n",
        ),
        (
            "ring",
            objects.clone(),
            connections.clone() + "C: \"OO\",1,2\n",
        ),
        (
            "no layer",
            objects.clone(),
            connections.replace("C: \"OO\",101,100\n", ""),
        ),
        (
            "no curve node",
            objects.clone(),
            connections.replace("C: \"OO\",102,101\n", ""),
        ),
        (
            "no names",
            objects
                .replace("Model::hips", "Model::")
                .replace("Model::spine", "Model::"),
            connections.clone(),
        ),
        (
            "one name",
            objects.replace("Model::hips", "Model::spine"),
            connections.clone(),
        ),
        (
            "long name",
            objects.replace("Model::hips", &format!("Model::{long_name}")),
            connections.clone(),
        ),
        (
            "no numbers",
            objects.replace("0,100,0", "nan,inf,-inf"),
            connections.clone(),
        ),
        (
            "huge numbers",
            objects.replace("0,100,0", "1e300,1e-300,-1e300"),
            connections.clone(),
        ),
        ("no rate", objects.clone(), connections.clone()),
    ] {
        let settings = if what == "no rate" { "" } else { USUAL };
        match read(&text(settings, &objects, &connections)) {
            Err(error) => println!("{what}: {error}"),
            Ok(document) => {
                println!(
                    "{what}: {} characters, {:?}",
                    document.characters.len(),
                    document.warnings
                );
                for character in &document.characters {
                    let rest = character.skeleton.rest_pose();
                    let is_finite = rest.transforms().iter().all(|joint| {
                        joint.translation.is_finite()
                            && joint.rotation.is_finite()
                            && joint.scale.is_finite()
                    });
                    assert!(is_finite, "{what}");
                }
            }
        }
    }
}

#[test]
fn refusals_name_the_reason() {
    for (bytes, reason) in [
        (
            b"Kaydara FBX Binary   \x1a \x84\x1c".as_slice(),
            "text-mode transfer",
        ),
        (
            b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0\x40",
            "ends in the middle",
        ),
    ] {
        let error = fbx::read(bytes, &ReadOptions::default(), &|_| Err(String::new())).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
    let (objects, connections) = two_bones();
    let mut options = ReadOptions::default();
    options.limits.nodes = 2;
    let bytes = text(USUAL, &objects, &connections);
    let error = fbx::read(bytes.as_bytes(), &options, &|_| Err(String::new())).unwrap_err();
    assert!(matches!(error, Error::Limit(_)), "{error}");
}
