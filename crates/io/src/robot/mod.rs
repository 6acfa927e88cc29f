//! Descriptions of robots: URDF and MJCF. Links become joints of a skeleton, and what the motors between them can do
//! becomes [`Hinge`]s: an axis and a range for each joint that turns.
//!
//! Both formats are in metres; a robot stands along +Z and looks along +X (REP 103 of ROS; MuJoCo's models follow it). The
//! reader turns it to +Y up and +Z forward at the root. A joint's rest is the pose in which all motors are at 0.
//!
//! What is not read: meshes, masses, motors, tendons, contacts, and files that a description includes.

mod mjcf;
mod urdf;
mod xml;

use crate::document::{Document, FileSpace, ReadOptions};
use crate::error::Error;
use crate::format::Format;
use glam::{DMat3, DQuat, DVec3};
use rebone_model::axes::Axis;
use rebone_model::{
    Character, Hinge, JointKind, NewJoint, SkeletonBuilder, SkeletonError, Transform, Warning,
};
use roxmltree::Node;

/// Reads a URDF or MJCF file: one character without clips.
///
/// Fails where the XML is broken or has a document type, where links form no tree, where a number is none or not finite, and
/// beyond the limits.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Document, Error> {
    let format = Format::detect(bytes)?;
    let document = xml::parse(bytes, &options.limits)?;
    let mut robot = match format {
        Format::Urdf => urdf::read(document.root_element())?,
        _ => mjcf::read(document.root_element())?,
    };
    if robot.links.len() > options.limits.nodes {
        return Err(Error::limit(
            format!("there are {} links", robot.links.len()),
            "the file",
            "raise the limit of nodes",
        ));
    }
    let space = |up, forward| FileSpace {
        meters_per_unit: Some(1.0),
        up: Some(up),
        forward: Some(forward),
    };
    let warnings = std::mem::take(&mut robot.warnings);
    Ok(Document {
        format,
        space: space(Axis::PositiveY, Axis::PositiveZ),
        file_space: space(Axis::PositiveZ, Axis::PositiveX),
        characters: vec![character(&robot)?],
        warnings,
    })
}

/// What both formats say.
#[derive(Default)]
struct Robot {
    name: String,
    links: Vec<Link>,
    warnings: Vec<Warning>,
}

/// A link and the motor that moves it.
struct Link {
    name: String,
    /// Index of the link that carries it.
    parent: Option<usize>,
    translation: DVec3,
    rotation: DQuat,
    motor: Motor,
}

/// How a link moves against the one that carries it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Motor {
    /// In any way: the root of a robot that walks.
    Free,
    /// Not at all.
    Fixed,
    /// About an axis in the link's own space, from least to most; `None` all the way around.
    Turns(DVec3, Option<[f64; 2]>),
}

fn character(robot: &Robot) -> Result<Character, Error> {
    // x forwards, y left, z up, to x left, y up, z forwards.
    let turn = DQuat::from_mat3(&DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y));
    let mut builder = SkeletonBuilder::new();
    for link in &robot.links {
        let (rotation, translation) = match link.parent {
            None => (turn * link.rotation, turn * link.translation),
            Some(_) => (link.rotation, link.translation),
        };
        builder.add(NewJoint {
            kind: JointKind::Joint,
            ..NewJoint::new(
                link.name.clone(),
                link.parent,
                Transform {
                    translation: translation.as_vec3(),
                    rotation: rotation.as_quat(),
                    ..Transform::IDENTITY
                },
            )
        });
    }
    let (skeleton, index_of) = builder.build().map_err(|error| match error {
        SkeletonError::TooDeep { .. } => Error::limit(
            error.to_string(),
            "the links",
            "check how they hang together",
        ),
        other => Error::malformed(other.to_string(), "the links", "export the file again"),
    })?;
    let hinges = robot.links.iter().zip(&index_of);
    let hinges = hinges.filter_map(|(link, &joint)| {
        let (axis, range) = match link.motor {
            _ if link.parent.is_none() => return None,
            Motor::Free => return None,
            Motor::Fixed => (DVec3::X, Some([0.0; 2])),
            Motor::Turns(axis, range) => (axis, range),
        };
        let range = range.map(|ends| ends.map(|angle| angle as f32));
        Some(Hinge {
            joint,
            axis: axis.as_vec3(),
            range,
        })
    });
    Ok(Character {
        hinges: hinges.collect(),
        name: robot.name.clone(),
        skeleton,
        ..Character::default()
    })
}

/// An axis of a motor, unit.
fn axis(axis: DVec3, node: Node<'_, '_>) -> Result<DVec3, Error> {
    axis.try_normalize().ok_or_else(|| {
        Error::malformed(
            "the axis of a joint has no direction",
            xml::place(node),
            "give three numbers that are not all 0",
        )
    })
}

/// A range of a motor; `None` where it is no range or goes all the way around.
fn range(least: f64, most: f64, robot: &mut Robot, node: Node<'_, '_>) -> Option<[f64; 2]> {
    if least > most {
        robot.warnings.push(Warning::new(
            "robot-range",
            format!(
                "{} may turn from {least} to {most}, which is no range",
                xml::title(node)
            ),
            "it may turn all the way around; correct its limit",
        ));
        return None;
    }
    let whole = most - least >= std::f64::consts::TAU;
    (!whole).then_some([least, most])
}
