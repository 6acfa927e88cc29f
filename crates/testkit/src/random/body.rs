//! Bodies: joints of a person in a T-pose.

use super::generator::Generator;
use glam::DVec3;

/// What a joint is in the body.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// The joint with this place in the chain of this slot.
    Slot(&'static str, usize),
    /// In no slot.
    Extra,
}

/// One joint in the T-pose.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyJoint {
    /// Its name, the same for the same part of every body.
    pub key: String,
    /// What it is.
    pub place: Place,
    /// Index of the joint above; `None` for the topmost.
    pub parent: Option<usize>,
    /// Canonical (+Y up, +Z forward, +X to the body's left), metres.
    pub position: DVec3,
}

/// A person in a T-pose, standing on the origin: arms exactly along ±X.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Joints, parents before children.
    pub joints: Vec<BodyJoint>,
}

/// Which joints a body has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOptions {
    /// Joints between hips and neck, 1 to 5.
    pub spine: usize,
    /// Joints of the neck, 0 to 2.
    pub neck: usize,
    /// Whether it has clavicles.
    pub clavicles: bool,
    /// Whether it has toes.
    pub toes: bool,
    /// Whether it has fingers.
    pub fingers: bool,
    /// True: legs exactly down, feet forwards, fingers straight, spine upright, so that the T-pose is
    /// the retarget pose. False: all of these a little off, as in life.
    pub exact: bool,
}

impl Default for BodyOptions {
    fn default() -> Self {
        Self {
            spine: 3,
            neck: 1,
            clavicles: true,
            toes: true,
            fingers: true,
            exact: true,
        }
    }
}

impl BodyOptions {
    /// Any joints.
    pub fn random(generator: &mut Generator, exact: bool) -> Self {
        Self {
            spine: 1 + generator.below(5),
            neck: generator.below(3),
            clavicles: generator.chance(0.7),
            toes: generator.chance(0.7),
            fingers: generator.chance(0.5),
            exact,
        }
    }
}

/// A body of 0.8 to 2.2 metres with proportions from child to giant.
pub fn random_body(generator: &mut Generator, options: &BodyOptions) -> Body {
    let size = generator.between(0.8, 2.2);
    let mut length = |part: f64| size * part * generator.between(0.75, 1.3);
    let (thigh, shin, ankle) = (length(0.245), length(0.24), length(0.05));
    let (half_hips, drop) = (length(0.05), length(0.03));
    let (torso, neck, head) = (length(0.27), length(0.05), length(0.06));
    let (shoulder, clavicle) = (length(0.1), length(0.025));
    let (upper, fore, hand) = (length(0.17), length(0.15), length(0.05));
    let (toe, finger) = (length(0.08), length(0.02));
    let toe_height = ankle * 0.2;
    let off = if options.exact { 0.0 } else { 0.012 * size };

    let mut body = Body { joints: Vec::new() };
    let hips = DVec3::new(0.0, thigh + shin + ankle + drop, 0.0);
    let root = body.push("hips", 0, None, hips);
    let mut above = root;
    for index in 0..options.spine {
        let share = (index + 1) as f64 / (options.spine + 1) as f64;
        let lean = generator.between(-off, off) * 0.5;
        let at = hips + DVec3::new(0.0, torso * share, lean);
        let (slot, place) = spine_slot(index, options.spine);
        above = body.push_as(format!("spine{index}"), slot, place, Some(above), at);
    }
    let chest = above;
    let base = hips + DVec3::Y * torso;
    for index in 0..options.neck {
        let at = base + DVec3::Y * (neck * index as f64 / options.neck.max(1) as f64);
        above = body.push_as(format!("neck{index}"), "neck", index, Some(above), at);
    }
    body.push("head", 0, Some(above), base + DVec3::Y * (neck + head));

    let knee_off = DVec3::new(
        generator.between(-off, off),
        0.0,
        generator.between(0.0, off),
    );
    let splay = generator.between(-off, off);
    let curl = generator.between(0.0, 0.3) * if options.exact { 0.0 } else { finger };
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let name = |part: &str| slot_name(side, part);
        let mirror = |v: DVec3| DVec3::new(v.x * sign, v.y, v.z);
        let hip = DVec3::new(sign * half_hips, hips.y - drop, 0.0);
        let leg = body.push(name("UpperLeg"), 0, Some(root), hip);
        let knee = hip - DVec3::Y * thigh + mirror(knee_off);
        let shin_joint = body.push(name("LowerLeg"), 0, Some(leg), knee);
        let foot_at = hip - DVec3::Y * (thigh + shin);
        let foot = body.push(name("Foot"), 0, Some(shin_joint), foot_at);
        if options.toes {
            let at = DVec3::new(foot_at.x + sign * splay, toe_height, toe);
            body.push(name("Toes"), 0, Some(foot), at);
        }
        let mut at = base + DVec3::new(sign * shoulder * 0.3, -clavicle, 0.0);
        let mut up = chest;
        if options.clavicles {
            up = body.push(name("Shoulder"), 0, Some(up), at);
        }
        at += DVec3::new(sign * shoulder * 0.7, 0.2 * clavicle, 0.0);
        for (part, reach) in [("UpperArm", upper), ("LowerArm", fore), ("Hand", hand)] {
            up = body.push(name(part), 0, Some(up), at);
            at += DVec3::X * (sign * reach);
        }
        if options.fingers {
            push_fingers(&mut body, side, sign, up, at, finger, curl);
        }
    }
    body
}

fn push_fingers(
    body: &mut Body,
    side: &str,
    sign: f64,
    hand: usize,
    knuckles: DVec3,
    length: f64,
    curl: f64,
) {
    for (index, digit) in ["Index", "Middle", "Ring", "Little"]
        .into_iter()
        .enumerate()
    {
        let mut at = knuckles + DVec3::Z * (length * (1.5 - index as f64));
        let mut up = hand;
        for part in ["Proximal", "Intermediate", "Distal"] {
            up = body.push(slot_name(side, &format!("{digit}{part}")), 0, Some(up), at);
            at += DVec3::new(sign * length, -curl, 0.0);
        }
    }
    let mut at = knuckles + DVec3::new(-sign * 1.5 * length, 0.0, 1.5 * length);
    let mut up = hand;
    for part in ["Metacarpal", "Proximal", "Distal"] {
        up = body.push(slot_name(side, &format!("Thumb{part}")), 0, Some(up), at);
        at += DVec3::new(sign * length, 0.0, length) * std::f64::consts::FRAC_1_SQRT_2;
    }
}

/// The profile's own text of a slot's name.
fn slot_name(side: &str, part: &str) -> &'static str {
    let wanted = format!("{side}{part}");
    let profile = &rebone_setup::profile::HUMANOID;
    let slot = profile.find(&wanted).expect("the profile has this slot");
    profile.info(slot).name
}

/// Slot of a joint of the torso, and its place in the slot's chain.
fn spine_slot(index: usize, count: usize) -> (&'static str, usize) {
    match (count, index) {
        (_, 0) => ("spine", 0),
        (4 | 5, 1) => ("spine", 1),
        (2 | 3, 1) | (4 | 5, 2) => ("chest", 0),
        (5, 3) => ("chest", 1),
        _ => ("upperChest", 0),
    }
}

impl Body {
    fn push(
        &mut self,
        slot: &'static str,
        place: usize,
        parent: Option<usize>,
        position: DVec3,
    ) -> usize {
        self.push_as(slot.to_owned(), slot, place, parent, position)
    }

    fn push_as(
        &mut self,
        key: String,
        slot: &'static str,
        place: usize,
        parent: Option<usize>,
        position: DVec3,
    ) -> usize {
        self.joints.push(BodyJoint {
            key,
            place: Place::Slot(slot, place),
            parent,
            position,
        });
        self.joints.len() - 1
    }

    /// The joint of this key.
    pub fn find(&self, key: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.key == key)
    }

    /// The joint that carries a slot.
    pub fn slot(&self, slot: &str) -> Option<usize> {
        self.joints
            .iter()
            .position(|joint| matches!(joint.place, Place::Slot(name, 0) if name == slot))
    }

    /// Position of a slot's joint; the origin where it has none.
    pub fn position(&self, slot: &str) -> DVec3 {
        self.slot(slot)
            .map_or(DVec3::ZERO, |joint| self.joints[joint].position)
    }

    /// From the floor to the highest joint.
    pub fn height(&self) -> f64 {
        self.joints
            .iter()
            .map(|joint| joint.position.y)
            .fold(0.0, f64::max)
    }

    /// A joint in no slot, at the end of the list, hanging from another.
    pub fn with_leaf(mut self, key: &str, parent: &str, offset: DVec3) -> Self {
        let parent = self.find(parent).expect("the body has this joint");
        self.joints.push(BodyJoint {
            key: key.to_owned(),
            place: Place::Extra,
            parent: Some(parent),
            position: self.joints[parent].position + offset,
        });
        self
    }

    /// A joint in no slot between a joint and the one above it; above the topmost, at its own place.
    pub fn with_joint_above(mut self, key: &str, below: &str, share: f64) -> Self {
        let index = self.find(below).expect("the body has this joint");
        let own = self.joints[index].position;
        let parent = self.joints[index].parent;
        let above = parent.map_or(DVec3::new(0.0, 0.0, 0.0), |above| {
            self.joints[above].position
        });
        for joint in &mut self.joints {
            joint.parent = joint.parent.map(|at| if at >= index { at + 1 } else { at });
        }
        self.joints.insert(
            index,
            BodyJoint {
                key: key.to_owned(),
                place: Place::Extra,
                parent,
                position: above.lerp(own, share),
            },
        );
        self.joints[index + 1].parent = Some(index);
        self
    }

    /// Without a joint; what hung from it hangs from the joint above.
    pub fn without(mut self, key: &str) -> Self {
        let index = self.find(key).expect("the body has this joint");
        let above = self.joints[index].parent;
        for joint in &mut self.joints {
            joint.parent = match joint.parent {
                Some(at) if at == index => above,
                Some(at) if at > index => Some(at - 1),
                other => other,
            };
        }
        self.joints.remove(index);
        self
    }

    /// The same body, so many times as large.
    pub fn scaled(mut self, factor: f64) -> Self {
        for joint in &mut self.joints {
            joint.position *= factor;
        }
        self
    }
}
