//! Twist joints: joints of a limb's segment that only spread its roll.
//!
//! A segment is an upper arm, forearm, thigh or shin, from its slot's first joint to that of the next slot. Its twist
//! joints are
//!
//! - *in line*: every joint between the two, if it lies on the straight line between them, whatever it is called
//!   (a limb bone that is split in two), further joints of the slot's own chain among them. Where a limb has no hand
//!   or foot in the map, a joint in line may be the elbow or knee itself, and only names count;
//! - *leaves*: joints that hang beside the limb from one of these, are called twist or roll, and lie along the
//!   segment. What hangs from such a leaf moves with it.

use super::RigMap;
use crate::names;
use crate::profile::{Part, Slot};
use glam::Vec3;
use rebone_model::Clamp as _;
use rebone_model::kinematics::model_pose;
use rebone_model::{Character, ModelPose};

/// Joints in line are at most this far off the line, of the segment's length.
const IN_LINE: f32 = 0.08;

/// The same for leaves.
const BESIDE: f32 = 0.25;

/// Joints nearer to an end than this, of the segment's length, are at the end.
const AT_END: f32 = 0.02;

/// A segment of a limb.
#[derive(Clone, Debug, PartialEq)]
pub struct TwistLine {
    /// Its slot.
    pub slot: Slot,
    /// The joint at its upper end.
    pub joint: usize,
    /// The joints from there to the lower end, parent to child, without the upper; the last is the lower end. Empty
    /// where that is not below the upper one.
    pub path: Vec<usize>,
    /// The joint at its lower end.
    pub end: usize,
    /// Its twist joints.
    pub joints: Vec<TwistPlace>,
}

/// A twist joint and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwistPlace {
    /// The joint.
    pub joint: usize,
    /// How far along the segment it is, 0 to 1.
    pub along: f32,
    /// True for joints between the ends.
    pub is_in_line: bool,
}

/// The segments of all limbs, with the twist joints that each has. `also` says which other joints beside a limb are
/// to count as leaves, whatever they are called.
pub fn twist_lines(
    character: &Character,
    map: &RigMap,
    also: impl Fn(usize) -> bool,
) -> Vec<TwistLine> {
    let skeleton = &character.skeleton;
    let pose = model_pose(skeleton, &skeleton.rest_pose());
    // Joints of slots, and what carries one.
    let mut carries = vec![false; skeleton.len()];
    for joint in map.slots.values().flat_map(|found| &found.joints) {
        carries[*joint] = true;
    }
    for joint in (0..skeleton.len()).rev() {
        if let Some(parent) = skeleton.parent(joint).filter(|_| carries[joint]) {
            carries[parent] = true;
        }
    }
    let mut lines = Vec::new();
    for slot in map.profile.all() {
        let Some((joint, end)) = ends(map, slot) else {
            continue;
        };
        let path = path(character, joint, end);
        let mut joints = Vec::new();
        for &between in path.iter().take(path.len().saturating_sub(1)) {
            let (along, off) = place(&pose, joint, end, between);
            let is_called = is_twist(&skeleton.joints()[between].name);
            if !is_called && !is_whole(map, slot) {
                continue;
            }
            if off < IN_LINE && (AT_END..1.0 + AT_END).contains(&along) {
                joints.push(TwistPlace {
                    joint: between,
                    along: along.clamped(0.0, 1.0),
                    is_in_line: true,
                });
            }
        }
        for above in std::iter::once(joint).chain(path.iter().copied().filter(|&at| at != end)) {
            for leaf in skeleton.children(above) {
                let (along, off) = place(&pose, joint, end, leaf);
                let is_beside = off < BESIDE && (-AT_END..1.0 + AT_END).contains(&along);
                let is_called = is_beside && is_twist(&skeleton.joints()[leaf].name);
                if !carries[leaf] && (is_called || also(leaf)) {
                    joints.push(TwistPlace {
                        joint: leaf,
                        along: along.clamped(0.0, 1.0),
                        is_in_line: false,
                    });
                }
            }
        }
        lines.push(TwistLine {
            slot,
            joint,
            path,
            end,
            joints,
        });
    }
    lines
}

/// The joints at both ends of a slot's segment.
fn ends(map: &RigMap, slot: Slot) -> Option<(usize, usize)> {
    let below: &[Part] = match map.profile.info(slot).part {
        Part::UpperArm => &[Part::LowerArm],
        Part::LowerArm => &[Part::Hand],
        Part::UpperLeg => &[Part::LowerLeg],
        Part::LowerLeg => &[Part::Foot],
        _ => return None,
    };
    let next = map.slots.keys().copied().find(|&next| {
        map.present_parent(next) == Some(slot) && below.contains(&map.profile.info(next).part)
    })?;
    Some((map.joint(slot)?, map.joint(next)?))
}

/// True where the limb of a slot has its hand or foot.
fn is_whole(map: &RigMap, slot: Slot) -> bool {
    let own = map.profile.info(slot);
    let end = match own.part {
        Part::UpperArm | Part::LowerArm => Part::Hand,
        _ => Part::Foot,
    };
    map.joint_of(end, own.side).is_some()
}

/// From a joint, without it, down to another.
fn path(character: &Character, from: usize, to: usize) -> Vec<usize> {
    if !character.skeleton.is_ancestor(from, to) {
        return Vec::new();
    }
    let above = character.skeleton.ancestors(to);
    let mut path: Vec<usize> = std::iter::once(to)
        .chain(above.take_while(|&above| above != from))
        .collect();
    path.reverse();
    path
}

/// How far along the segment from one joint to another a joint is, and how far off its line, both of its length.
fn place(pose: &ModelPose, from: usize, to: usize, joint: usize) -> (f32, f32) {
    let way: Vec3 = pose.position(to) - pose.position(from);
    let own = pose.position(joint) - pose.position(from);
    let length = way.length();
    if length < f32::MIN_POSITIVE {
        return (0.0, f32::INFINITY);
    }
    let along = own.dot(way) / (length * length);
    (along, (own - way * along).length() / length)
}

/// True for names of twist joints: twist, roll (`LeftArmRoll`, `UpArmTwist`), and the word of MikuMikuDance.
fn is_twist(name: &str) -> bool {
    name.contains('捩')
        || names::tokens(name)
            .iter()
            .any(|token| token == "roll" || token.contains("twist"))
}
