//! Corrections X: what turns the reference pose into the retarget pose (E29, E30, E32 to E34).
//!
//! In the retarget pose arms point sideways (±X), legs down (−Y), fingers along the hand. Each slot is
//! swung by the shortest arc from where its parent's correction left it, so that roll stays relative to
//! the parent; where an elbow or knee is bent enough to show its hinge, or fingers show the palm, roll
//! is corrected too. Torso, neck and head keep their natural curvature, clavicles their slope, feet
//! their pitch.

use super::canonical::rotation_arc;
use super::placement::Placement;
use super::plausibility::ramp;
use super::reference::Reference;
use crate::mapping::RigMap;
use crate::profile::{Part, Slot};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;

/// Differences between two characters' corrections below this angle (radians) are noise (E34).
pub(crate) fn dead_band(part: Part) -> f64 {
    let degrees: f64 = match part {
        Part::Hips | Part::Torso | Part::Neck | Part::Head | Part::Face => 2.0,
        Part::UpperArm | Part::LowerArm | Part::UpperLeg | Part::LowerLeg => 2.0,
        Part::Hand | Part::Thumb | Part::Finger => 5.0,
        Part::Shoulder | Part::Foot | Part::Toes => 10.0,
        Part::Cannon | Part::Ear | Part::Trunk | Part::Tail | Part::Limb => 10.0,
    };
    degrees.to_radians()
}

/// True for parts whose rest direction is a matter of the part above: a hand is bent or straight against
/// its forearm, whatever the forearm does.
pub(crate) fn hangs_from_parent(part: Part) -> bool {
    matches!(part, Part::Hand | Part::Thumb | Part::Finger | Part::Toes)
}

/// Corrections of all slots, canonical.
pub(crate) fn corrections(map: &RigMap, reference: &Reference) -> BTreeMap<Slot, DQuat> {
    let body = Body {
        map,
        placements: &reference.placements,
    };
    let mut result: BTreeMap<Slot, DQuat> = BTreeMap::new();
    for &slot in map.slots.keys() {
        let parent = map
            .present_parent(slot)
            .and_then(|above| result.get(&above).copied())
            .unwrap_or(DQuat::IDENTITY);
        let correction = body.correction(slot, parent, reference.correct_torso, &result);
        result.insert(slot, correction);
    }
    body.share_palm_roll(&mut result);
    result
}

/// F8: each upper arm and forearm by its own shortest arc to ±X; everything below moves along, and is
/// therefore listed with the identity.
pub(crate) fn arm_corrections(map: &RigMap, reference: &Reference) -> BTreeMap<Slot, DQuat> {
    let body = Body {
        map,
        placements: &reference.placements,
    };
    let mut result: BTreeMap<Slot, DQuat> = BTreeMap::new();
    for &slot in map.slots.keys() {
        let info = map.profile.info(slot);
        let side = if info.side.sign() < 0.0 {
            "right"
        } else {
            "left"
        };
        let out = DVec3::X * f64::from(info.side.sign());
        let next = match info.part {
            Part::UpperArm => "LowerArm",
            Part::LowerArm => "Hand",
            _ => {
                result.insert(slot, DQuat::IDENTITY);
                continue;
            }
        };
        let direction = body.direction(info.name, &format!("{side}{next}"));
        result.insert(
            slot,
            direction.map_or(DQuat::IDENTITY, |d| rotation_arc(d, out)),
        );
    }
    result
}

struct Body<'a> {
    map: &'a RigMap,
    placements: &'a [Placement],
}

impl Body<'_> {
    fn position(&self, slot: &str) -> Option<DVec3> {
        self.map
            .joint_named(slot)
            .map(|joint| self.placements[joint].position)
    }

    /// Direction from one slot's joint to another's; `None` where either is missing or they coincide.
    fn direction(&self, from: &str, to: &str) -> Option<DVec3> {
        (self.position(to)? - self.position(from)?).try_normalize()
    }

    fn correction(
        &self,
        slot: Slot,
        parent: DQuat,
        correct_torso: bool,
        done: &BTreeMap<Slot, DQuat>,
    ) -> DQuat {
        let info = self.map.profile.info(slot);
        let side = if info.side.sign() < 0.0 {
            "right"
        } else {
            "left"
        };
        let name = |part: &str| format!("{side}{part}");
        let out = DVec3::X * f64::from(info.side.sign());
        match info.part {
            Part::Hips | Part::Torso if correct_torso => {
                let up = self
                    .direction("hips", "neck")
                    .or_else(|| self.direction("hips", "head"));
                up.map_or(parent, |up| swing(DQuat::IDENTITY, up, DVec3::Y))
            }
            Part::Hips | Part::Torso | Part::Neck | Part::Head | Part::Face => parent,
            Part::Shoulder => {
                let direction = self.direction(&name("Shoulder"), &name("UpperArm"));
                direction.map_or(parent, |d| swing_into_cone(parent, d, out, 35.0))
            }
            Part::UpperArm => self.limb(
                parent,
                [&name("UpperArm"), &name("LowerArm"), &name("Hand")],
                out,
                out.cross(DVec3::Z),
            ),
            Part::LowerArm => {
                let direction = self.direction(&name("LowerArm"), &name("Hand"));
                direction.map_or(parent, |d| swing(parent, d, out))
            }
            Part::Hand => self.hand(side, parent, out),
            Part::UpperLeg => self.limb(
                parent,
                [&name("UpperLeg"), &name("LowerLeg"), &name("Foot")],
                DVec3::NEG_Y,
                DVec3::X,
            ),
            Part::LowerLeg => {
                let direction = self.direction(&name("LowerLeg"), &name("Foot"));
                direction.map_or(parent, |d| swing(parent, d, DVec3::NEG_Y))
            }
            Part::Foot => self.foot(&name("Foot"), &name("Toes")),
            Part::Toes | Part::Thumb => parent,
            Part::Cannon | Part::Ear | Part::Trunk | Part::Tail | Part::Limb => parent,
            Part::Finger => self.finger(slot, side, parent, done),
        }
    }

    /// Upper segment of a limb: swing to `along`, then roll so that the bent joint's hinge is `hinge`,
    /// as far as the bend is large enough to show it.
    fn limb(&self, parent: DQuat, joints: [&str; 3], along: DVec3, hinge: DVec3) -> DQuat {
        let Some(upper) = self.direction(joints[0], joints[1]) else {
            return parent;
        };
        let swung = swing(parent, upper, along);
        let Some(lower) = self.direction(joints[1], joints[2]) else {
            return swung;
        };
        let bend = upper.angle_between(lower).to_degrees();
        let confidence = ramp(bend, 15.0, 30.0);
        if confidence == 0.0 {
            return swung;
        }
        let shown = swung * upper.cross(lower);
        let roll = signed_angle(shown, hinge, along);
        if roll.abs() > 100f64.to_radians() {
            // The joint is bent against its hinge: a matter of posture, not of roll.
            return swung;
        }
        DQuat::from_axis_angle(along, roll * confidence) * swung
    }

    fn hand(&self, side: &str, parent: DQuat, out: DVec3) -> DQuat {
        let knuckles: Vec<DVec3> = ["Index", "Middle", "Ring", "Little"]
            .iter()
            .filter_map(|finger| self.position(&format!("{side}{finger}Proximal")))
            .collect();
        let Some(wrist) = self.position(&format!("{side}Hand")) else {
            return parent;
        };
        if knuckles.is_empty() {
            return parent;
        }
        let center = knuckles.iter().sum::<DVec3>() / knuckles.len() as f64;
        let Some(direction) = (center - wrist).try_normalize() else {
            return parent;
        };
        let swung = swing_into_cone(parent, direction, out, 20.0);
        match self.thumb_side(side) {
            Some(thumb_side) => {
                let roll = signed_angle(swung * thumb_side, DVec3::Z, out);
                // Knuckles and thumbs are placed by taste: only a clear difference is a difference.
                if roll.abs() < 25f64.to_radians() {
                    swung
                } else {
                    DQuat::from_axis_angle(out, roll) * swung
                }
            }
            None => swung,
        }
    }

    /// The direction across the palm, from the little finger to the index finger.
    fn thumb_side(&self, side: &str) -> Option<DVec3> {
        let knuckle = |finger: &str| self.position(&format!("{side}{finger}Proximal"));
        let first = knuckle("Index").or_else(|| knuckle("Middle"))?;
        let last = knuckle("Little")
            .or_else(|| knuckle("Ring"))
            .or_else(|| knuckle("Middle"));
        match last {
            Some(last) if last.distance(first) > 1e-9 => (first - last).try_normalize(),
            _ => {
                let wrist = self.position(&format!("{side}Hand"))?;
                let thumb = self.position(&format!("{side}ThumbProximal"))?;
                let along = (first - wrist).try_normalize()?;
                (thumb - wrist)
                    .reject_from_normalized(along)
                    .try_normalize()
            }
        }
    }

    /// Half of a palm's roll against its forearm belongs to the forearm: a hand alone cannot be turned
    /// that far without wringing the wrist.
    fn share_palm_roll(&self, corrections: &mut BTreeMap<Slot, DQuat>) {
        for (side, out) in [("left", DVec3::X), ("right", DVec3::NEG_X)] {
            let find = |part: &str| self.map.profile.find(&format!("{side}{part}"));
            let (Some(lower), Some(hand)) = (find("LowerArm"), find("Hand")) else {
                continue;
            };
            let (Some(&forearm), Some(&palm)) = (corrections.get(&lower), corrections.get(&hand))
            else {
                continue;
            };
            let relative = palm * forearm.conjugate();
            let roll = 2.0 * relative.xyz().dot(out).atan2(relative.w);
            let roll = (roll + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
                - std::f64::consts::PI;
            if roll.abs() > 25f64.to_radians() {
                corrections.insert(lower, DQuat::from_axis_angle(out, 0.5 * roll) * forearm);
            }
        }
    }

    /// Feet keep their pitch and are only turned to point forwards (E32).
    fn foot(&self, foot: &str, toes: &str) -> DQuat {
        let Some(direction) = self.direction(foot, toes) else {
            return DQuat::IDENTITY;
        };
        let flat = DVec3::new(direction.x, 0.0, direction.z);
        if flat.length() < 0.3 || flat.z < 0.0 {
            return DQuat::IDENTITY;
        }
        DQuat::from_rotation_y(-flat.x.atan2(flat.z))
    }

    /// Fingers are straightened in flexion only; their spread is natural (E33).
    fn finger(&self, slot: Slot, side: &str, parent: DQuat, done: &BTreeMap<Slot, DQuat>) -> DQuat {
        let hand = self.map.profile.find(&format!("{side}Hand"));
        let Some(hand) = hand.and_then(|hand| done.get(&hand).copied()) else {
            return parent;
        };
        let info = self.map.profile.info(slot);
        let next = self
            .map
            .profile
            .all()
            .find(|&below| self.map.profile.info(below).parent == Some(slot.0))
            .filter(|below| self.map.slots.contains_key(below));
        let Some(next) = next else {
            return parent;
        };
        let Some(direction) = self.direction(info.name, self.map.profile.info(next).name) else {
            return parent;
        };
        let palm_known = self.thumb_side(side).is_some();
        let now = hand * direction;
        let flat = DVec3::new(now.x, 0.0, now.z);
        if !palm_known || flat.length() < 0.2 {
            return parent;
        }
        swing(parent, direction, flat)
    }
}

/// `parent`, followed by the shortest arc that brings `direction` to `wanted`.
fn swing(parent: DQuat, direction: DVec3, wanted: DVec3) -> DQuat {
    rotation_arc(parent * direction, wanted) * parent
}

/// Like [`swing`], but only as far as needed to come within `cone_degrees` of `wanted`.
fn swing_into_cone(parent: DQuat, direction: DVec3, wanted: DVec3, cone_degrees: f64) -> DQuat {
    let now = parent * direction;
    let angle = now.angle_between(wanted);
    let cone = cone_degrees.to_radians();
    if angle <= cone {
        return parent;
    }
    let full = rotation_arc(now, wanted);
    DQuat::IDENTITY.slerp(full, 1.0 - cone / angle) * parent
}

/// The angle about `axis` that turns `from` to `to`, -π to π; 0 where either is along the axis.
fn signed_angle(from: DVec3, to: DVec3, axis: DVec3) -> f64 {
    let from = from.reject_from(axis);
    let to = to.reject_from(axis);
    if from.length() < 1e-9 || to.length() < 1e-9 {
        return 0.0;
    }
    axis.dot(from.cross(to)).atan2(from.dot(to))
}
