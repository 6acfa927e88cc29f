//! The stage that keeps bodies on the floor, to bytes and back.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::stage::{
    GroundArm, GroundLeg, GroundPart, GroundPoint, GroundStage, MOST_JOINTS, SkinPoint, Waist,
};
use glam::Vec3;

/// No stage has more points of the trunk, legs or arms.
const MOST: usize = 4;

/// Until this version bodies touched the floor with joints, not with skin.
const JOINTS_ONLY: u32 = 6;

/// Flesh around the knee, shares of the body's thickness, with which the bounds of today say of those files what theirs said.
const OLD_KNEE: f32 = 0.25;

/// The same around the ankle.
const OLD_FOOT: f32 = 0.4;

impl Writer {
    pub(super) fn ground(&mut self, stage: &GroundStage) -> Result<(), AssetError> {
        self.kinematics(&stage.source)?;
        self.kinematics(&stage.target)?;
        self.vec3(stage.source_up);
        self.vec3(stage.up);
        for number in [
            stage.source_floor,
            stage.floor,
            stage.thickness,
            stage.scale,
            stage.standing,
        ] {
            self.number(number);
        }
        self.joint(stage.hips)?;
        self.count(stage.trunk.len(), "points of the trunk")?;
        for point in &stage.trunk {
            self.ground_part(&point.source)?;
            self.ground_part(&point.target)?;
            self.number(point.range[0]);
            self.number(point.range[1]);
            self.number(point.standing);
        }
        self.bytes.push(u8::from(stage.waist.is_some()));
        if let Some(waist) = &stage.waist {
            self.joint(waist.joint)?;
            self.bytes.push(u8::from(waist.kept.is_some()));
            if let Some(neck) = waist.kept {
                self.joint(neck)?;
            }
        }
        self.count(stage.legs.len(), "legs")?;
        for leg in &stage.legs {
            self.joint(leg.source_thigh)?;
            for part in leg.knees.iter().chain(&leg.feet) {
                self.ground_part(part)?;
            }
            self.number(leg.standing_knee);
            self.pin_limb(&leg.limb)?;
            self.quat(leg.foot_frame);
            self.number(leg.ankle_heights[0]);
            self.number(leg.ankle_heights[1]);
        }
        self.count(stage.arms.len(), "arms")?;
        for arm in &stage.arms {
            for part in arm.hands.iter().chain([&arm.elbow]) {
                self.ground_part(part)?;
            }
            for joint in arm.source_arm {
                self.joint(joint)?;
            }
            self.vec3(arm.source_palm);
            self.number(arm.hanging);
            self.pin_limb(&arm.limb)?;
        }
        self.pairs_beside(&stage.attached)
    }

    fn ground_part(&mut self, part: &GroundPart) -> Result<(), AssetError> {
        self.joint(part.joint)?;
        self.number(part.flesh);
        self.count(part.joints.len(), "joints of a part of the skin")?;
        for &joint in &part.joints {
            self.joint(joint)?;
        }
        self.count(part.points.len(), "points of the skin")?;
        for point in &part.points {
            self.count(point.parts().count(), "parts of a point")?;
            for &(joint, weight, place) in point.parts() {
                self.joint(joint)?;
                self.number(weight);
                self.vec3(place);
            }
        }
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn ground(&mut self, sizes: Sizes) -> Result<GroundStage, AssetError> {
        let source = self.kinematics(sizes.source)?;
        let target = self.kinematics(sizes.target)?;
        let [source_up, up] = [self.vec3()?, self.vec3()?];
        let [source_floor, floor] = [self.number()?, self.number()?];
        let [thickness, scale, standing] = [self.number()?, self.number()?, self.number()?];
        let hips = self.joint(target.len())?;
        let (sources, targets) = (source.len(), target.len());
        let old = (self.version < JOINTS_ONLY).then_some(thickness);
        let trunk = self.list(16, |reader| {
            Ok(GroundPoint {
                source: reader.ground_part(sources)?,
                target: reader.ground_part(targets)?,
                range: [reader.number()?, reader.number()?],
                standing: reader.number()?,
            })
        })?;
        let mut waist = None;
        if old.is_none() && self.flag()? {
            waist = Some(Waist {
                joint: self.joint(targets)?,
                kept: match self.flag()? {
                    true => Some(self.joint(targets)?),
                    false => None,
                },
            });
        }
        let legs = self.list(50, |reader| match old {
            None => Ok(GroundLeg {
                source_thigh: reader.joint(sources)?,
                knees: [reader.ground_part(sources)?, reader.ground_part(targets)?],
                feet: [reader.ground_part(sources)?, reader.ground_part(targets)?],
                standing_knee: reader.number()?,
                limb: reader.pin_limb(targets)?,
                foot_frame: reader.quat()?,
                ankle_heights: [reader.number()?, reader.number()?],
            }),
            Some(thickness) => {
                let knee = reader.joint(sources)?;
                let standing_knee = reader.number()?;
                let foot = reader.joint(sources)?;
                let limb = reader.pin_limb(targets)?;
                let parts = |own: usize, other: usize, flesh: f32| {
                    let part = |(joint, scale): (usize, f32)| GroundPart {
                        flesh: flesh * thickness * scale,
                        ..GroundPart::of_joint(joint)
                    };
                    [(own, 1.0), (other, scale)].map(part)
                };
                Ok(GroundLeg {
                    source_thigh: trunk.first().map_or(0, |hips| hips.source.joint),
                    knees: parts(knee, limb.lower, OLD_KNEE),
                    feet: parts(foot, limb.end, OLD_FOOT),
                    standing_knee,
                    limb,
                    foot_frame: reader.quat()?,
                    ankle_heights: [reader.number()?, reader.number()?],
                })
            }
        })?;
        let arms = self.list(44, |reader| match old {
            None => Ok(GroundArm {
                hands: [reader.ground_part(sources)?, reader.ground_part(targets)?],
                elbow: reader.ground_part(targets)?,
                source_arm: [reader.joint(sources)?, reader.joint(sources)?],
                source_palm: reader.vec3()?,
                hanging: reader.number()?,
                limb: reader.pin_limb(targets)?,
            }),
            Some(_) => {
                let hand = reader.joint(sources)?;
                let source_palm = reader.vec3()?;
                let limb = reader.pin_limb(targets)?;
                let palm = |joint: usize, point: Vec3| GroundPart::of_points([(joint, point)]);
                Ok(GroundArm {
                    hands: [palm(hand, source_palm), palm(limb.end, reader.vec3()?)],
                    elbow: GroundPart::of_joint(limb.lower),
                    // Not asked for where the trunk does not bend.
                    source_arm: [hand; 2],
                    source_palm,
                    // Hands counted only of bodies that were low.
                    hanging: standing,
                    limb,
                })
            }
        })?;
        if [trunk.len(), legs.len(), arms.len()]
            .iter()
            .any(|&count| count > MOST)
        {
            return Err(self.damaged("a body touches the floor with too many points"));
        }
        Ok(GroundStage {
            source_up,
            source_floor,
            up,
            floor,
            thickness,
            scale,
            standing,
            hips,
            trunk,
            waist,
            legs,
            arms,
            attached: self.pairs_beside(sizes)?,
            source,
            target,
        })
    }

    fn ground_part(&mut self, joints: usize) -> Result<GroundPart, AssetError> {
        let joint = self.joint(joints)?;
        if self.version < JOINTS_ONLY {
            return Ok(GroundPart::of_joint(joint));
        }
        let flesh = self.number()?;
        let joints_of_part = self.list(2, |reader| reader.joint(joints))?;
        let points = self.list(4, |reader| {
            let parts = reader.list(18, |reader| {
                let joint = reader.joint(joints_of_part.len())?;
                Ok((joint, reader.number()?, reader.vec3()?))
            })?;
            let mut point = SkinPoint::default();
            if parts.is_empty() || parts.len() > point.parts.len() {
                return Err(reader.damaged("a point of the skin moves with no joint, or too many"));
            }
            point.parts[..parts.len()].copy_from_slice(&parts);
            Ok(point)
        })?;
        if points.is_empty() || joints_of_part.len() > MOST_JOINTS {
            return Err(self
                .damaged("a part of a body touches the floor with no point, or too many joints"));
        }
        Ok(GroundPart {
            joint,
            joints: joints_of_part,
            points,
            flesh,
        })
    }
}
