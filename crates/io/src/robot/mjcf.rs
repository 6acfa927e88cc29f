//! MJCF, the format of MuJoCo: bodies inside bodies, each with the joints that move it.
//!
//! A body's space is its `pos` and one of `quat` (w first), `axisangle`, `euler` (axes and order by the compiler's `eulerseq`, `xyz` unless it
//! says otherwise; small letters turn about the axes as they move, capitals about fixed ones) and `xyaxes`. Angles are degrees unless
//! the compiler says `radian`. What a joint does not say it has from its class of defaults, or from those of the bodies above.
//!
//! A body with several hinges becomes as many joints in one place, the last of which is the body. Sliding and ball joints
//! do not move here, and say so in a warning; files that are included are not read. Spaces that are given as `zaxis`, and bodies
//! inside `frame` or `replicate` or attached from elsewhere, are refused. Where a joint has a `ref`, its range counts from there: that is
//! what its motor shows in the rest pose. Source: MuJoCo's XML reference.

use super::xml::{child, exactly, place, title, vector};
use super::{Link, Motor, Robot, axis, range};
use crate::error::Error;
use glam::{DMat3, DQuat, DVec3};
use rebone_model::Warning;
use rebone_model::elementary::Turn as _;
use roxmltree::Node;
use std::collections::BTreeMap;

/// How deep classes of defaults may be inside each other: each look-up goes up through all of them.
const DEEPEST_CLASS: usize = 64;

/// What the compiler element says.
struct Compiler {
    degrees: bool,
    euler: [char; 3],
    limits_by_range: bool,
    /// Attributes of joints by class and name.
    defaults: BTreeMap<(String, String), String>,
    /// The class above each class.
    above: BTreeMap<String, String>,
}

pub(super) fn read(root: Node<'_, '_>) -> Result<Robot, Error> {
    let mut robot = Robot {
        name: root.attribute("model").unwrap_or("robot").to_owned(),
        ..Robot::default()
    };
    if root.descendants().any(|node| node.has_tag_name("include")) {
        robot.warnings.push(Warning::new(
            "robot-included",
            "the file includes others, which are not read",
            "give one file with everything in it",
        ));
    }
    if let Some(node) = root.descendants().find(carries_bodies) {
        return Err(Error::unsupported(
            format!("bodies inside a {} are not read", node.tag_name().name()),
            place(node),
            "open it in MuJoCo and save it from there, which writes plain bodies",
        ));
    }
    let compiler = compiler(root)?;
    let mut open: Vec<(Node<'_, '_>, Above)> = Vec::new();
    let nothing = Above {
        parent: None,
        shift: DVec3::ZERO,
        // The class of what stands in none.
        class: "main".to_owned(),
    };
    let mut worlds: Vec<_> = root
        .children()
        .filter(|node| node.has_tag_name("worldbody"))
        .collect();
    worlds.reverse();
    for world in worlds {
        push(&mut open, world, &nothing);
    }
    while let Some((node, mut above)) = open.pop() {
        if let Some(class) = node.attribute("childclass") {
            above.class = class.to_owned();
        }
        let (own, shift) = body(node, &above, &compiler, &mut robot)?;
        above = Above {
            parent: Some(own),
            shift,
            ..above
        };
        push(&mut open, node, &above);
    }
    Ok(robot)
}

/// True for what stands for bodies without being one.
fn carries_bodies(node: &Node<'_, '_>) -> bool {
    let name = node.tag_name().name();
    let is_wrapper = || {
        let bodies = ["body", "frame", "replicate", "attach"];
        let below = |child: Node<'_, '_>| bodies.contains(&child.tag_name().name());
        node.children().any(below)
    };
    name == "attach" || (matches!(name, "frame" | "replicate") && is_wrapper())
}

/// What a body hangs from.
#[derive(Clone)]
struct Above {
    /// The joint above; `None` for a body of the world.
    parent: Option<usize>,
    /// Where the space of the body's parent begins, as seen from that joint.
    shift: DVec3,
    /// The class of joints that state none.
    class: String,
}

/// Puts the bodies in a node on the list of those to read.
fn push<'a, 'i>(open: &mut Vec<(Node<'a, 'i>, Above)>, node: Node<'a, 'i>, above: &Above) {
    let bodies = node.children().rev();
    let bodies = bodies.filter(|child| child.has_tag_name("body"));
    open.extend(bodies.map(|body| (body, above.clone())));
}

/// Adds a body; its joint, and where the body's origin is as seen from there.
fn body(
    node: Node<'_, '_>,
    above: &Above,
    compiler: &Compiler,
    robot: &mut Robot,
) -> Result<(usize, DVec3), Error> {
    let Above {
        parent,
        shift,
        ref class,
    } = *above;
    let name = match node.attribute("name") {
        Some(name) => name.to_owned(),
        None => format!("body_{}", robot.links.len()),
    };
    let mut translation = shift + vector(node, "pos")?.unwrap_or_default();
    let mut rotation = orientation(node, compiler)?;
    let is_joint =
        |child: &Node<'_, '_>| child.has_tag_name("joint") || child.has_tag_name("freejoint");
    let mut motors = Vec::new();
    for joint in node.children().filter(is_joint) {
        let found = motor(joint, class, compiler, robot)?;
        motors.push((joint, found));
    }
    motors.retain(|(_, (motor, _))| *motor != Motor::Fixed);
    let free = motors.iter().any(|(_, (motor, _))| *motor == Motor::Free);
    if motors.is_empty() || free {
        robot.links.push(Link {
            name,
            parent,
            translation,
            rotation,
            motor: if free { Motor::Free } else { Motor::Fixed },
        });
        return Ok((robot.links.len() - 1, DVec3::ZERO));
    }
    let (mut above, mut at) = (parent, DVec3::ZERO);
    let count = motors.len();
    for (index, (joint, (motor, pos))) in motors.into_iter().enumerate() {
        let own_name = joint.attribute("name").map(str::to_owned);
        robot.links.push(Link {
            name: match own_name.filter(|_| index + 1 < count) {
                Some(joint) => joint,
                None if index + 1 < count => format!("{name}_{index}"),
                None => name.clone(),
            },
            parent: above,
            translation: translation + rotation * (pos - at),
            rotation,
            motor,
        });
        // Further joints stand in the space of the one before.
        above = Some(robot.links.len() - 1);
        (translation, rotation, at) = (DVec3::ZERO, DQuat::IDENTITY, pos);
    }
    Ok((robot.links.len() - 1, -at))
}

/// The attributes of a joint, with those of its class.
struct JointAttributes<'a, 'i> {
    node: Node<'a, 'i>,
    class: &'a str,
    compiler: &'a Compiler,
}

impl JointAttributes<'_, '_> {
    fn text(&self, name: &str) -> Option<&str> {
        let default = || self.compiler.default(self.class, name);
        self.node.attribute(name).or_else(default)
    }

    fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, Error> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let parsed: Option<Vec<f64>> = text
            .split_whitespace()
            .map(|word| word.parse().ok().filter(|n: &f64| (*n as f32).is_finite()))
            .collect();
        parsed.map(Some).ok_or_else(|| {
            Error::malformed(
                format!("{name}=\"{text}\" are no numbers"),
                place(self.node),
                "correct them",
            )
        })
    }
}

/// The motor of a joint, and where it is in the body.
fn motor(
    node: Node<'_, '_>,
    class: &str,
    compiler: &Compiler,
    robot: &mut Robot,
) -> Result<(Motor, DVec3), Error> {
    if node.has_tag_name("freejoint") {
        return Ok((Motor::Free, DVec3::ZERO));
    }
    let joint = JointAttributes {
        node,
        class: node.attribute("class").unwrap_or(class),
        compiler,
    };
    let pos = vector(node, "pos")?.unwrap_or_default();
    match joint.text("type").unwrap_or("hinge") {
        "hinge" => {}
        "free" => return Ok((Motor::Free, DVec3::ZERO)),
        other => {
            robot.warnings.push(Warning::new(
                "robot-joint-fixed",
                format!(
                    "{} is of the type \"{other}\", which is no hinge",
                    title(node)
                ),
                "it stays where it is",
            ));
            return Ok((Motor::Fixed, DVec3::ZERO));
        }
    }
    let direction = match joint.numbers("axis")?.as_deref() {
        None => DVec3::Z,
        Some(&[x, y, z]) => DVec3::new(x, y, z),
        Some(_) => DVec3::ZERO,
    };
    let limited = match joint.text("limited") {
        Some("true") => true,
        Some("false") => false,
        _ => compiler.limits_by_range,
    };
    let reference = match joint.numbers("ref")?.as_deref() {
        Some(&[reference]) => reference,
        _ => 0.0,
    };
    let ends = match joint.numbers("range")?.as_deref() {
        Some(&[least, most]) if limited => {
            let [least, most] = [least - reference, most - reference];
            let scale = if compiler.degrees {
                1f64.to_radians()
            } else {
                1.0
            };
            range(scale * least, scale * most, robot, node)
        }
        _ => None,
    };
    Ok((Motor::Turns(axis(direction, node)?, ends), pos))
}

fn orientation(node: Node<'_, '_>, compiler: &Compiler) -> Result<DQuat, Error> {
    let angle = |angle: f64| {
        if compiler.degrees {
            angle.to_radians()
        } else {
            angle
        }
    };
    let broken = |what: &str| Error::malformed(what, place(node), "correct it");
    if let Some([w, x, y, z]) = exactly::<4>(node, "quat")? {
        let rotation = DQuat::from_xyzw(x, y, z, w);
        let length = rotation.length();
        if !(length > 1e-9 && length.is_finite()) {
            return Err(broken("quat is no rotation"));
        }
        return Ok(rotation * (1.0 / length));
    }
    if let Some([x, y, z, turn]) = exactly::<4>(node, "axisangle")? {
        let axis = axis(DVec3::new(x, y, z), node)?;
        return Ok(DQuat::about(axis, angle(turn)));
    }
    if let Some(angles) = exactly::<3>(node, "euler")? {
        let mut rotation = DQuat::IDENTITY;
        for (axis, turn) in compiler.euler.iter().zip(angles) {
            let one = match axis.to_ascii_lowercase() {
                'x' => DQuat::about_x(angle(turn)),
                'y' => DQuat::about_y(angle(turn)),
                _ => DQuat::about_z(angle(turn)),
            };
            rotation = if axis.is_ascii_lowercase() {
                rotation * one
            } else {
                one * rotation
            };
        }
        return Ok(rotation);
    }
    if let Some([a, b, c, d, e, f]) = exactly::<6>(node, "xyaxes")? {
        let x = DVec3::new(a, b, c).try_normalize();
        let y = x.and_then(|x| DVec3::new(d, e, f).reject_from(x).try_normalize());
        let (Some(x), Some(y)) = (x, y) else {
            return Err(broken("xyaxes are no axes"));
        };
        return Ok(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))));
    }
    if node.attribute("zaxis").is_some() {
        return Err(Error::unsupported(
            "zaxis says only part of a rotation",
            place(node),
            "write quat instead",
        ));
    }
    Ok(DQuat::IDENTITY)
}

fn compiler(root: Node<'_, '_>) -> Result<Compiler, Error> {
    let mut result = Compiler {
        degrees: true,
        euler: ['x', 'y', 'z'],
        limits_by_range: true,
        defaults: BTreeMap::new(),
        above: BTreeMap::new(),
    };
    for node in root.children().filter(|node| node.has_tag_name("compiler")) {
        if let Some(angle) = node.attribute("angle") {
            result.degrees = angle != "radian";
        }
        if let Some(auto) = node.attribute("autolimits") {
            result.limits_by_range = auto != "false";
        }
        let letters = node
            .attribute("eulerseq")
            .map(|text| text.chars().collect::<Vec<_>>());
        if let Some(Ok(order)) = letters.map(<[char; 3]>::try_from) {
            result.euler = order;
        }
    }
    let mut open: Vec<(Node<'_, '_>, String, usize)> = Vec::new();
    for node in root.children().filter(|node| node.has_tag_name("default")) {
        open.push((node, "main".to_owned(), 0));
    }
    let mut is_first = true;
    while let Some((node, above, depth)) = open.pop() {
        if depth > DEEPEST_CLASS {
            return Err(Error::limit(
                format!("more than {DEEPEST_CLASS} classes of defaults are inside each other"),
                place(node),
                "put them side by side",
            ));
        }
        let own = node.attribute("class").unwrap_or("main").to_owned();
        // The topmost class is that of everything, whatever it is called.
        let own = if std::mem::take(&mut is_first) && !node.has_attribute("class") {
            "main".to_owned()
        } else {
            own
        };
        if own != above {
            result.above.insert(own.clone(), above);
        }
        if let Some(joint) = child(node, "joint") {
            for attribute in joint.attributes() {
                let key = (own.clone(), attribute.name().to_owned());
                result.defaults.insert(key, attribute.value().to_owned());
            }
        }
        let below = node
            .children()
            .filter(|child| child.has_tag_name("default"));
        open.extend(below.map(|child| (child, own.clone(), depth + 1)));
    }
    Ok(result)
}

impl Compiler {
    /// An attribute of joints by class.
    fn default(&self, class: &str, name: &str) -> Option<&str> {
        let mut at = class.to_owned();
        // A class that stands twice may be its own ancestor.
        for _ in 0..=DEEPEST_CLASS + 1 {
            if let Some(value) = self.defaults.get(&(at.clone(), name.to_owned())) {
                return Some(value);
            }
            at = self.above.get(&at)?.clone();
        }
        None
    }
}
