//! Limbs further from the body, and a gaze, as stages that work on a rig's joints.

use crate::align::{Alignment, limbs, unit};
use crate::mapping::RigMap;
use crate::procedural::{LookAt, Spacing};
use crate::profile::{Part, Side, Slot};
use glam::{DQuat, DVec3, Vec3};
use rebone_model::{Character, Warning};
use rebone_runtime::stage::{AimChain, AimJoint, AimStage, SpacingStage, SpreadLimb};

/// Width of the soft zone of a gaze, degrees.
const GAZE_SOFT: f64 = 10.0;

/// The target, as the stages are made for it.
pub(super) struct Body<'a> {
    pub(super) character: &'a Character,
    pub(super) map: &'a RigMap,
    pub(super) alignment: &'a Alignment,
    pub(super) meters_per_unit: f64,
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
    pub(super) fn spacing(&self, spacing: &Spacing, warnings: &mut Vec<Warning>) -> SpacingStage {
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
    pub(super) fn look_at(&self, look: &LookAt, warnings: &mut Vec<Warning>) -> AimStage {
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
        let eyes = self.eyes(head);
        stage.chains.push(self.head_chain(look, head, &eyes));
        if look.eyes > 0.0 {
            let range = [-look.eyes, look.eyes];
            for joint in eyes {
                let joints = vec![AimJoint { joint, share: 1.0 }];
                let chain = self.aim_chain(Some(head), joints, Vec3::ZERO, [range, range]);
                stage.chains.push(chain);
            }
        }
        stage
    }

    /// Neck and head, which look with the middle of the eyes.
    fn head_chain(&self, look: &LookAt, head: usize, eyes: &[usize]) -> AimChain {
        let mut neck: Vec<usize> = self.slot_joints(Part::Neck);
        neck.retain(|&joint| self.character.skeleton.is_ancestor(joint, head));
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
        self.aim_chain(body, joints, eye.as_vec3(), ranges)
    }

    /// Joints that look together, with the place of the eye in the axes of the last one; `ranges` of yaw and pitch in degrees.
    fn aim_chain(
        &self,
        body: Option<usize>,
        joints: Vec<AimJoint>,
        eye: Vec3,
        ranges: [[f64; 2]; 2],
    ) -> AimChain {
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
