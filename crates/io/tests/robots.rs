//! Descriptions of robots (URDF, MJCF): links, motors, ranges.

use rebone_io::{Document, Error, Format, ReadOptions, read};
use rebone_model::kinematics::model_pose;
use rebone_model::{Character, Hinge, Vec3};
use std::path::PathBuf;

fn try_read(bytes: &[u8]) -> Result<Document, Error> {
    read(bytes, &ReadOptions::default(), &|_| {
        Err("nothing".to_owned())
    })
}

fn robot(text: &str) -> Character {
    try_read(text.as_bytes()).unwrap().characters.remove(0)
}

fn place(character: &Character, name: &str) -> Vec3 {
    let joint = character.skeleton.find(name).unwrap();
    let pose = model_pose(&character.skeleton, &character.skeleton.rest_pose());
    pose.position(joint)
}

fn hinge(character: &Character, name: &str) -> Hinge {
    let joint = character.skeleton.find(name).unwrap();
    *character
        .hinges
        .iter()
        .find(|hinge| hinge.joint == joint)
        .unwrap()
}

const URDF: &str = r#"<?xml version="1.0"?>
<robot name="arm">
  <link name="shin"/><link name="base"/><link name="thigh"/><link name="cap"/>
  <joint name="knee" type="revolute">
    <parent link="thigh"/><child link="shin"/>
    <origin xyz="1 0 0" rpy="0 0 0"/><axis xyz="0 2 0"/><limit lower="-0.5" upper="2"/>
  </joint>
  <joint name="hip" type="continuous">
    <parent link="base"/><child link="thigh"/><origin xyz="0 0 1" rpy="0 1.5707963267948966 0"/>
  </joint>
  <joint name="lid" type="fixed"><parent link="base"/><child link="cap"/></joint>
</robot>"#;

/// The same arm, hanging straight down by a pitch of 90 degrees: forwards is +Z, up is +Y.
const MJCF: &str = r#"<mujoco model="arm"><compiler angle="radian" eulerseq="zyx"/>
  <default><joint axis="1 0 0"/><default class="knees"><joint axis="0 2 0" range="-0.5 2"/></default></default>
  <worldbody><body name="base">
    <freejoint/>
    <body name="thigh" pos="0 0 1" euler="0 1.5707963267948966 0"><joint name="hip"/>
      <body name="shin" pos="1 0 0" childclass="knees"><joint name="knee"/></body></body>
    <body name="cap"/>
  </body></worldbody></mujoco>"#;

#[test]
fn both_formats_say_the_same() {
    for (text, format) in [(URDF, Format::Urdf), (MJCF, Format::Mjcf)] {
        let document = try_read(text.as_bytes()).unwrap();
        assert_eq!(document.format, format);
        assert!(document.warnings.is_empty(), "{:?}", document.warnings);
        let robot = &document.characters[0];
        assert_eq!(robot.skeleton.len(), 4);
        assert!((place(robot, "thigh") - Vec3::Y).length() < 1e-6);
        // Pitched by 90 degrees, x points down.
        assert!(
            place(robot, "shin").length() < 1e-6,
            "{}",
            place(robot, "shin")
        );
        let knee = hinge(robot, "shin");
        assert!((knee.axis - Vec3::Y).length() < 1e-6);
        assert_eq!(knee.range, Some([-0.5, 2.0]));
        let hip = hinge(robot, "thigh");
        assert_eq!((hip.axis, hip.range), (Vec3::X, None));
        assert_eq!(hinge(robot, "cap").range, Some([0.0, 0.0]));
        assert_eq!(robot.hinges.len(), 3, "the base goes where it likes");
    }
}

#[test]
fn a_body_with_several_hinges_becomes_several_joints() {
    let robot = robot(
        r#"<mujoco><worldbody><body name="a"><freejoint/><body name="b" pos="0 0 1">
        <joint name="one" axis="1 0 0" range="-90 90"/><joint name="two" axis="0 1 0" pos="0 0 2" limited="false" range="0 1"/>
        <body name="c" pos="0 0 3"/></body></body></worldbody></mujoco>"#,
    );
    assert_eq!(robot.skeleton.len(), 4);
    let half = std::f32::consts::FRAC_PI_2;
    assert_eq!(hinge(&robot, "one").range, Some([-half, half]));
    assert_eq!(hinge(&robot, "b").range, None);
    for (name, height) in [("one", 1.0), ("b", 3.0), ("c", 4.0)] {
        let at = place(&robot, name);
        assert!((at - Vec3::Y * height).length() < 1e-6, "{name}: {at}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let joint = |inner: &str| {
        format!(
            "<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'>{inner}</joint></robot>"
        )
    };
    let ends = "<parent link='a'/><child link='b'/>";
    for (text, expected) in [
        ("<robot>".to_owned(), "line 1"),
        (
            "<!DOCTYPE x [<!ENTITY a 'b'>]><robot/>".to_owned(),
            "no supported format",
        ),
        (
            "<robot><link name='a'/><link name='a'/></robot>".to_owned(),
            "two links \"a\"",
        ),
        (
            joint("<parent link='a'/><child link='c'/>"),
            "its child is no link",
        ),
        (joint(&format!("{ends}<axis xyz='0 0 0'/>")), "no direction"),
        (
            joint(&format!("{ends}<axis xyz='0 0'/>")),
            "2 numbers, not 3",
        ),
        (
            joint(&format!("{ends}<origin xyz='0 nan 0'/>")),
            "no numbers",
        ),
        (
            joint(&format!("{ends}<origin xyz='0 1e39 0'/>")),
            "no numbers",
        ),
        (joint("<parent link='a'/><child link='a'/>"), "own ancestor"),
        (
            "<mujoco><worldbody><body quat='0 0 0 0'/></worldbody></mujoco>".to_owned(),
            "no rotation",
        ),
        (
            "<mujoco><worldbody><body zaxis='0 0 1'/></worldbody></mujoco>".to_owned(),
            "zaxis",
        ),
        (
            "<mujoco><worldbody><frame><frame><body/></frame></frame></worldbody></mujoco>"
                .to_owned(),
            "bodies inside a frame",
        ),
    ] {
        let error = try_read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let doubt = |text: &str| {
        let document = try_read(text.as_bytes()).unwrap();
        document.warnings[0].code
    };
    assert_eq!(
        doubt(&joint(&format!("{ends}<limit lower='1' upper='0'/>"))),
        "robot-range"
    );
    let sliding =
        "<mujoco><worldbody><body><body><joint type='slide'/></body></body></worldbody></mujoco>";
    assert_eq!(doubt(sliding), "robot-joint-fixed");
    assert_eq!(
        doubt("<mujoco><include file='x.xml'/></mujoco>"),
        "robot-included"
    );
}

/// MuJoCo counts a range as its motor does, which shows `ref` in the rest pose.
#[test]
fn a_range_counts_from_the_rest_pose() {
    let robot = robot(
        "<mujoco><worldbody><body><body name='a'><joint range='-10 50' ref='20'/></body></body></worldbody></mujoco>",
    );
    let range = hinge(&robot, "a").range.unwrap();
    let wanted = [-30f32, 30.0].map(f32::to_radians);
    assert!((0..2).all(|end| (range[end] - wanted[end]).abs() < 1e-6));
}

/// Looking a default up must not take as many steps as there are classes.
#[test]
fn classes_inside_each_other_end_in_a_result() {
    let nested = |count: usize| {
        let open: String = (0..count)
            .map(|class| format!("<default class='{class}'>"))
            .collect();
        let last = count - 1;
        let joints = format!("<body><joint class='{last}'/></body>").repeat(1000);
        let close = "</default>".repeat(count);
        format!("<mujoco>{open}{close}<worldbody>{joints}</worldbody></mujoco>")
    };
    assert!(try_read(nested(30).as_bytes()).is_ok());
    let error = try_read(nested(50_000).as_bytes()).unwrap_err().to_string();
    assert!(error.contains("inside each other"), "{error}");
}

#[test]
fn deep_and_broken_files_end_in_a_result() {
    let deep = |count: usize| {
        let bodies = "<body name='x'>".repeat(count) + &"</body>".repeat(count);
        format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    };
    assert!(try_read(deep(500).as_bytes()).is_ok());
    let error = try_read(deep(50_000).as_bytes()).unwrap_err();
    println!("{error}");
    for text in [URDF, MJCF] {
        for cut in 0..text.len() {
            let _ = try_read(&text.as_bytes()[..cut]);
            let mut flipped = text.as_bytes().to_vec();
            flipped[cut] ^= 0x11;
            let _ = try_read(&flipped);
        }
    }
}

/// Every robot of the corpus, and how many motors its makers say it has.
#[test]
fn robots_of_the_corpus_have_their_motors() {
    let Some(corpus) = rebone_corpus::corpus() else {
        return;
    };
    let folder = corpus.join("robots");
    let holosoma = "holosoma/src/holosoma_retargeting/holosoma_retargeting/models";
    for (file, motors) in [
        (
            "unitree/robots/g1_description/g1_29dof_rev_1_0.urdf".to_owned(),
            29,
        ),
        (
            "unitree/robots/g1_description/g1_29dof_rev_1_0.xml".to_owned(),
            29,
        ),
        ("unitree/robots/h1_description/urdf/h1.urdf".to_owned(), 19),
        ("unitree/robots/h1_description/mjcf/h1.xml".to_owned(), 19),
        (
            "unitree/robots/go2_description/urdf/go2_description.urdf".to_owned(),
            12,
        ),
        (format!("{holosoma}/t1/t1_23dof.urdf"), 23),
        (format!("{holosoma}/t1/t1_23dof.xml"), 23),
    ] {
        let path: PathBuf = folder.join(&file);
        let document = try_read(&std::fs::read(&path).unwrap()).unwrap();
        let turning = |hinge: &&Hinge| hinge.range != Some([0.0, 0.0]);
        let robot = &document.characters[0];
        let found = robot.hinges.iter().filter(turning).count();
        assert_eq!(found, motors, "{file}");
        let height = robot.extent_along(Vec3::Y);
        assert!((0.3..2.0).contains(&height), "{file}: {height} m");
    }
}
