//! URDF: a flat list of links, and of joints that each tie a child link to its parent.
//!
//! The child's space is the joint's `origin` in the parent's: `xyz`, and `rpy`, turns about the fixed axes x, y and z in this order, so
//! R = R_z · R_y · R_x. The joint turns about `axis`, in the child's space, x where it does not say.
//!
//! Joints that slide (`prismatic`) or slide in a plane do not move here, and say so in a warning; one that mimics another turns by itself
//! within its own limits. Source: the URDF specification of ROS.

use super::xml::{child, exactly, place, title, vector};
use super::{Link, Motor, Robot, axis, range};
use crate::error::Error;
use glam::{DQuat, DVec3};
use rebone_model::Warning;
use rebone_model::elementary::Turn as _;
use roxmltree::Node;
use std::collections::BTreeMap;

pub(super) fn read(root: Node<'_, '_>) -> Result<Robot, Error> {
    let mut robot = Robot {
        name: root.attribute("name").unwrap_or("robot").to_owned(),
        ..Robot::default()
    };
    let mut index_of: BTreeMap<&str, usize> = BTreeMap::new();
    for node in root.children().filter(|node| node.has_tag_name("link")) {
        let name = node.attribute("name").unwrap_or_default();
        if index_of.insert(name, robot.links.len()).is_some() {
            return Err(Error::malformed(
                format!("there are two links \"{name}\""),
                place(node),
                "give each link a name of its own",
            ));
        }
        robot.links.push(Link {
            name: name.to_owned(),
            parent: None,
            translation: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            motor: Motor::Free,
        });
    }
    for node in root.children().filter(|node| node.has_tag_name("joint")) {
        let link = |tag: &str| {
            let name = child(node, tag).and_then(|node| node.attribute("link"));
            let found = name.and_then(|name| index_of.get(name).copied());
            found.ok_or_else(|| {
                Error::malformed(
                    format!("its {tag} is no link of the file"),
                    place(node),
                    "name a link",
                )
            })
        };
        let (parent, own) = (link("parent")?, link("child")?);
        if robot.links[own].parent.is_some() {
            return Err(Error::malformed(
                format!(
                    "the link \"{}\" hangs from two joints",
                    robot.links[own].name
                ),
                place(node),
                "a URDF is a tree: give it one parent",
            ));
        }
        let motor = motor(node, &mut robot)?;
        let origin = child(node, "origin");
        let (xyz, rpy) = match origin {
            Some(origin) => (vector(origin, "xyz")?, exactly::<3>(origin, "rpy")?),
            None => (None, None),
        };
        let [roll, pitch, yaw] = rpy.unwrap_or_default();
        let link = &mut robot.links[own];
        link.parent = Some(parent);
        link.translation = xyz.unwrap_or_default();
        link.rotation = DQuat::about_z(yaw) * DQuat::about_y(pitch) * DQuat::about_x(roll);
        link.motor = motor;
    }
    Ok(robot)
}

fn motor(node: Node<'_, '_>, robot: &mut Robot) -> Result<Motor, Error> {
    let direction = match child(node, "axis") {
        Some(node) => vector(node, "xyz")?.unwrap_or(DVec3::X),
        None => DVec3::X,
    };
    Ok(match node.attribute("type").unwrap_or_default() {
        "revolute" => {
            let limit = child(node, "limit");
            let [least, most] = match limit {
                Some(limit) => {
                    let end =
                        |name| Ok::<_, Error>(exactly::<1>(limit, name)?.map_or(0.0, |[end]| end));
                    [end("lower")?, end("upper")?]
                }
                None => [0.0; 2],
            };
            Motor::Turns(axis(direction, node)?, range(least, most, robot, node))
        }
        "continuous" => Motor::Turns(axis(direction, node)?, None),
        "floating" => Motor::Free,
        "fixed" => Motor::Fixed,
        other => {
            robot.warnings.push(Warning::new(
                "robot-joint-fixed",
                format!(
                    "{} is of the type \"{other}\", which does not turn",
                    title(node)
                ),
                "it stays where it is",
            ));
            Motor::Fixed
        }
    })
}
