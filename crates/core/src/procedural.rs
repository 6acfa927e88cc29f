//! What is put on top of a motion by rule: limbs further from the body, and a gaze (S3.6, S4.10, S4.12).
//!
//! Both speak of slots and of the body's axes (x to its left, y up, z forwards), so they fit any rig; the stages that are
//! compiled from them ([`SpacingStage`], [`AimStage`]) work on its joints.

use crate::align::{Alignment, limbs, unit};
use crate::error::Error;
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Slot};
use crate::runtime::{AimChain, AimJoint, AimStage, SpacingStage, SpreadLimb};
use glam::{DQuat, DVec3, Vec3};
use rebone_model::{Character, Remedy, Warning};
use serde::Deserialize;

/// How far arms and legs are spread, degrees; negative brings them nearer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spacing {
    /// Each arm. Default 0.
    pub arms: f64,
    /// Each leg. Default 0.
    pub legs: f64,
}

/// A gaze at a point. Angles are in degrees, from straight ahead of what carries the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAt {
    /// The point: metres, x to the body's left, y up, z forwards from the origin of the target's file. Default `None`:
    /// nothing happens until one is set at run time.
    pub point: Option<[f64; 3]>,
    /// How much it counts, 0 to 1. Default 1.
    pub weight: f64,
    /// The neck's share of what neck and head turn. Default 0.4.
    pub neck: f64,
    /// How far neck and head together turn to either side. Default 80.
    pub yaw: f64,
    /// How far they turn down and up. Default 50 and 50.
    pub pitch: [f64; 2],
    /// How far eyes turn in the head, all ways; 0 leaves them. Default 30.
    pub eyes: f64,
}

impl Default for LookAt {
    fn default() -> Self {
        Self {
            point: None,
            weight: 1.0,
            neck: 0.4,
            yaw: 80.0,
            pitch: [50.0, 50.0],
            eyes: 30.0,
        }
    }
}

impl LookAt {
    /// What another says about how it is done, where this one says only where to look and how much.
    pub(crate) fn or(self, other: Option<Self>) -> Self {
        let Self { point, weight, .. } = self;
        let says_nothing = self
            == (Self {
                point,
                weight,
                ..Self::default()
            });
        match other {
            Some(other) if says_nothing => Self {
                point,
                weight,
                ..other
            },
            _ => self,
        }
    }
}

/// Width of the soft zone of a gaze, degrees.
const GAZE_SOFT: f64 = 10.0;

/// How far limbs are spread.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Spacing"))]
pub(crate) struct TypedSpacing {
    /// Each arm, degrees; negative brings it nearer. Default: 0.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = -60, max = 60)))]
    arms: f64,
    /// Each leg, degrees; negative brings it nearer. Default: 0.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = -60, max = 60)))]
    legs: f64,
}

impl TypedSpacing {
    pub(crate) fn compile(self, place: &str) -> Result<Spacing, Error> {
        for angle in [self.arms, self.legs] {
            if !(-60.0..=60.0).contains(&angle) {
                return Err(wrong(
                    format!("a spacing of {angle} degrees is none"),
                    place,
                    "give degrees from -60 to 60",
                ));
            }
        }
        Ok(Spacing {
            arms: self.arms,
            legs: self.legs,
        })
    }
}

/// A gaze at a point.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "LookAt"))]
pub(crate) struct TypedLookAt {
    /// Metres to the body's left, up and forwards. Left out: it is set at run time.
    #[serde(default, deserialize_with = "crate::recipe::numbers::exactly")]
    point: Option<[f64; 3]>,
    /// How much it counts, 0 to 1. Default: 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    weight: Option<f64>,
    /// The neck's share of what neck and head turn. Default: 0.4.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    neck: Option<f64>,
    /// How far neck and head turn to either side, degrees. Default: 80.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 150)))]
    yaw: Option<f64>,
    /// How far they turn down and up, degrees. Default: 50 and 50.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0, max = 90))))]
    #[serde(default, deserialize_with = "crate::recipe::numbers::exactly")]
    pitch: Option<[f64; 2]>,
    /// How far eyes turn in the head, degrees; 0 leaves them. Default: 30.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 60)))]
    eyes: Option<f64>,
}

impl TypedLookAt {
    pub(crate) fn compile(self, place: &str) -> Result<LookAt, Error> {
        let usual = LookAt::default();
        let look = LookAt {
            point: self.point,
            weight: self.weight.unwrap_or(usual.weight),
            neck: self.neck.unwrap_or(usual.neck),
            yaw: self.yaw.unwrap_or(usual.yaw),
            pitch: self.pitch.unwrap_or(usual.pitch),
            eyes: self.eyes.unwrap_or(usual.eyes),
        };
        for (name, value, most) in [
            ("weight", look.weight, 1.0),
            ("neck", look.neck, 1.0),
            ("yaw", look.yaw, 150.0),
            ("pitch", look.pitch[0], 90.0),
            ("pitch", look.pitch[1], 90.0),
            ("eyes", look.eyes, 60.0),
        ] {
            if !(0.0..=most).contains(&value) {
                return Err(wrong(
                    format!("{name} = {value} is out of bounds"),
                    place,
                    format!("give a number from 0 to {most}"),
                ));
            }
        }
        if look
            .point
            .is_some_and(|point| !point.iter().all(|c| (*c as f32).is_finite()))
        {
            return Err(wrong(
                "the point is nowhere".to_owned(),
                place,
                "give metres: point = [left, up, forwards]",
            ));
        }
        Ok(look)
    }
}

fn wrong(what: String, place: &str, remedy: impl Into<Remedy>) -> Error {
    Error::Recipe {
        what,
        place: place.to_owned(),
        remedy: remedy.into(),
    }
}

/// The target, as the stages are made for it.
pub(crate) struct Body<'a> {
    pub(crate) character: &'a Character,
    pub(crate) map: &'a RigMap,
    pub(crate) alignment: &'a Alignment,
    pub(crate) meters_per_unit: f64,
}

impl Body<'_> {
    /// A direction of the body's axes in the retarget pose, in those of a joint; in model space without one.
    fn axes_of(&self, joint: Option<usize>) -> DQuat {
        match joint {
            Some(joint) => unit(self.alignment.retarget_rotation(joint).conjugate()),
            None => unit(self.alignment.canonical_from_file.conjugate()),
        }
    }

    /// The joint of the trunk that carries a limb or the neck: the nearest above it.
    fn trunk_above(&self, joint: usize) -> Option<usize> {
        let is_trunk = |joint: &usize| {
            self.map.slots.iter().any(|(slot, found)| {
                let part = self.map.profile.info(*slot).part;
                matches!(part, Part::Hips | Part::Torso) && found.joints.contains(joint)
            })
        };
        self.character.skeleton.ancestors(joint).find(is_trunk)
    }

    /// The stage that spreads arms and legs; limbs whose hand or foot hangs from elsewhere are left out, with a doubt.
    pub(crate) fn spacing(&self, spacing: &Spacing, warnings: &mut Vec<Warning>) -> SpacingStage {
        let mut stage = SpacingStage::default();
        let skeleton = &self.character.skeleton;
        for (name, parts, degrees) in [
            ("arm", limbs::ARM, spacing.arms),
            ("leg", limbs::LEG, spacing.legs),
        ] {
            if degrees == 0.0 {
                continue;
            }
            let before = stage.limbs.len();
            for side in limbs::SIDES {
                let [joint, next, end] = parts.map(|part| self.map.joint_of(part, side));
                let (Some(joint), Some(next)) = (joint, next) else {
                    continue;
                };
                let hangs = |below: usize| skeleton.is_ancestor(joint, below);
                if !hangs(next) || end.is_some_and(|end| !hangs(end)) {
                    continue;
                }
                let body = self.trunk_above(joint);
                let out = self.axes_of(body) * (DVec3::X * f64::from(side.sign()));
                stage.limbs.push(SpreadLimb {
                    joint,
                    next,
                    end,
                    body,
                    out: out.as_vec3(),
                    angle: degrees.to_radians() as f32,
                });
            }
            if stage.limbs.len() < before + 2 {
                warnings.push(Warning::new(
                    "spacing-unused",
                    format!("the target lacks an {name} that could be spread as a whole").replace("an leg", "a leg"),
                    "name the joints of upper part, lower part and end in a recipe; ends that hang beside the limb cannot follow it",
                ));
            }
        }
        stage
    }

    /// The stage that looks at a point.
    pub(crate) fn look_at(&self, look: &LookAt, warnings: &mut Vec<Warning>) -> AimStage {
        let point = look.point.map(|point| {
            let place = DVec3::from_array(point) / self.meters_per_unit.max(1e-12);
            (self.alignment.canonical_from_file.conjugate() * place).as_vec3()
        });
        let mut stage = AimStage {
            point,
            chains: Vec::new(),
        };
        let head = self.map.joint_of(Part::Head, Side::Center);
        let Some(head) = head else {
            warnings.push(Warning::new(
                "look-at-unused",
                "the target has no head that could look at a point",
                "name its joint in a recipe: [target.slots] head = [...]",
            ));
            return stage;
        };
        let skeleton = &self.character.skeleton;
        let eyes = self.eyes(head);
        let chain =
            |joints: Vec<AimJoint>, body: Option<usize>, eye: Vec3, ranges: [[f64; 2]; 2]| {
                let last = joints.last().map(|joint| joint.joint);
                let [yaw, pitch] = ranges.map(|range| range.map(|angle| angle.to_radians() as f32));
                AimChain {
                    body,
                    body_axes: self.axes_of(body).as_quat(),
                    joints,
                    gaze: self.axes_of(last).as_quat(),
                    eye,
                    yaw,
                    pitch,
                    soft: GAZE_SOFT.to_radians() as f32,
                }
            };
        let mut neck: Vec<usize> = self.slot_joints(Part::Neck);
        neck.retain(|&joint| skeleton.is_ancestor(joint, head));
        let body = self.trunk_above(neck.first().copied().unwrap_or(head));
        let share = if neck.is_empty() { 0.0 } else { look.neck };
        let mut joints: Vec<AimJoint> = neck
            .iter()
            .map(|&joint| AimJoint {
                joint,
                share: (share / neck.len() as f64) as f32,
            })
            .collect();
        joints.push(AimJoint {
            joint: head,
            share: (1.0 - share) as f32,
        });
        let middle = eyes
            .iter()
            .map(|&eye| self.seen_from(head, eye))
            .sum::<DVec3>();
        let eye = middle / eyes.len().max(1) as f64;
        let ranges = [[-look.yaw, look.yaw], [-look.pitch[1], look.pitch[0]]];
        stage
            .chains
            .push(chain(joints, body, eye.as_vec3(), ranges));
        if look.eyes > 0.0 {
            let range = [-look.eyes, look.eyes];
            for joint in eyes {
                let joints = vec![AimJoint { joint, share: 1.0 }];
                stage
                    .chains
                    .push(chain(joints, Some(head), Vec3::ZERO, [range, range]));
            }
        }
        stage
    }

    fn slot_joints(&self, part: Part) -> Vec<usize> {
        let slots = self.map.slots.iter();
        slots
            .filter(|(slot, _)| self.map.profile.info(**slot).part == part)
            .flat_map(|(_, found)| found.joints.iter().copied())
            .collect()
    }

    /// Eyes of the head: parts of the face that come in pairs.
    fn eyes(&self, head: usize) -> Vec<usize> {
        let is_eye = |slot: Slot| {
            let info = self.map.profile.info(slot);
            info.part == Part::Face && info.side != Side::Center
        };
        let slots = self.map.slots.keys().copied().filter(|&slot| is_eye(slot));
        let joints = slots.filter_map(|slot| self.map.joint(slot));
        joints
            .filter(|&joint| self.character.skeleton.is_ancestor(head, joint))
            .collect()
    }

    /// Place of a joint in the axes of another, in the reference pose.
    fn seen_from(&self, from: usize, joint: usize) -> DVec3 {
        let reference = &self.alignment.reference;
        let way = reference[joint].position - reference[from].position;
        reference[from].rotation.conjugate() * way
    }
}
