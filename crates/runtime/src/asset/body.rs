//! The stage that keeps arms out of the body, to bytes and back.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::stage::{
    BodyArm, BodyPart, BodyPoint, BodyStage, MOST_ARMS, PartKind, PartPair, Solid, SolidBlock,
    SolidFace, TouchingHand,
};
use rebone_model::{HullPart, HullPoint};

/// Until this version arms had an axis about which elbows bent.
const ARMS_TURN: u32 = 8;

/// Until this version hands touched nothing of the body, and legs were in nobody's way.
const HANDS_TOUCH: u32 = 10;

/// Parts of a body, by their numbers in a file.
const KINDS: [PartKind; 5] = [
    PartKind::Trunk,
    PartKind::Hips,
    PartKind::Thigh,
    PartKind::Shin,
    PartKind::Arm,
];

impl Writer {
    pub(super) fn body(&mut self, stage: &BodyStage) -> Result<(), AssetError> {
        self.kinematics(&stage.target)?;
        self.number(stage.height);
        self.solid(&stage.solid)?;
        self.count(stage.arms.len(), "arms")?;
        for arm in &stage.arms {
            for joint in arm.joints {
                self.joint(joint)?;
            }
            self.count(arm.points.len(), "points of an arm")?;
            for point in &arm.points {
                self.hull_point(&point.point)?;
                self.number(point.share);
            }
        }
        self.solid(&stage.legs)?;
        self.kinematics(&stage.source)?;
        self.number(stage.source_height);
        self.count(stage.hands.len(), "hands")?;
        for hand in &stage.hands {
            self.joint(hand.arm)?;
            self.joint(hand.source_hand)?;
            self.vec3(hand.source_palm);
            self.vec3(hand.palm);
            self.count(hand.parts.len(), "parts of a body")?;
            for pair in &hand.parts {
                let kind = KINDS.iter().position(|kind| *kind == pair.kind);
                self.joint(kind.unwrap_or_default())?;
                self.body_part(&pair.source)?;
                self.body_part(&pair.target)?;
            }
        }
        self.pairs_beside(&stage.attached)
    }

    fn solid(&mut self, solid: &Solid) -> Result<(), AssetError> {
        // Neighbouring blocks share their points.
        let mut points: Vec<HullPoint> = Vec::new();
        let faces = solid.blocks.iter().flat_map(|block| &block.faces);
        let mut places = Vec::new();
        for face in faces {
            let known = points.iter().position(|point| *point == face.point);
            places.push(known.unwrap_or(points.len()));
            if known.is_none() {
                points.push(face.point);
            }
        }
        self.count(points.len(), "points of the skin")?;
        for point in &points {
            self.hull_point(point)?;
        }
        let mut places = places.into_iter();
        self.count(solid.blocks.len(), "blocks of a body")?;
        for block in &solid.blocks {
            self.joint(block.joint)?;
            self.count(block.faces.len(), "faces of a block")?;
            for (face, place) in block.faces.iter().zip(&mut places) {
                self.joint(place)?;
                self.bytes.push(u8::from(face.is_outer));
            }
        }
        Ok(())
    }

    fn body_part(&mut self, part: &BodyPart) -> Result<(), AssetError> {
        self.joint(part.joint)?;
        self.quat(part.axes);
        self.vec3(part.origin);
        self.vec3(part.axis);
        self.number(part.length);
        for radius in part.radii.as_flattened() {
            self.number(*radius);
        }
        Ok(())
    }

    fn hull_point(&mut self, point: &HullPoint) -> Result<(), AssetError> {
        self.count(point.parts().count(), "parts of a point")?;
        for part in point.parts() {
            self.joint(part.joint)?;
            self.number(part.weight);
            self.vec3(part.place);
        }
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn body(&mut self, sizes: Sizes) -> Result<BodyStage, AssetError> {
        let target = self.kinematics(sizes.target)?;
        let joints = target.len();
        let height = self.number()?;
        let solid = self.solid(joints)?;
        let arms = self.list(20, |reader| {
            Ok(BodyArm {
                joints: reader.body_arm(joints)?,
                points: reader.list(24, |reader| {
                    Ok(BodyPoint {
                        point: reader.hull_point(joints)?,
                        share: reader.number()?,
                    })
                })?,
            })
        })?;
        if arms.len() > MOST_ARMS {
            return Err(self.damaged("a body has too many arms"));
        }
        let (mut legs, mut source, mut source_height, mut hands) = Default::default();
        if self.version >= HANDS_TOUCH {
            legs = self.solid(joints)?;
            source = self.kinematics(sizes.source)?;
            source_height = self.number()?;
            let joints = [source.len(), joints];
            hands = self.list(30, |reader| reader.touching_hand(joints, arms.len()))?;
        }
        Ok(BodyStage {
            solid,
            legs,
            arms,
            height,
            hands,
            source_height,
            attached: self.pairs_beside(sizes)?,
            source,
            target,
        })
    }

    fn solid(&mut self, joints: usize) -> Result<Solid, AssetError> {
        let points = self.list(20, |reader| reader.hull_point(joints))?;
        let blocks = self.list(4, |reader| {
            let joint = reader.joint(joints)?;
            let faces = reader.list(3, |reader| {
                Ok(SolidFace {
                    point: points[reader.joint(points.len())?],
                    is_outer: reader.flag()?,
                })
            })?;
            let faces = faces.try_into().map_err(|_: Vec<SolidFace>| {
                reader.damaged("a block of a body has too many or too few faces")
            })?;
            Ok(SolidBlock { joint, faces })
        })?;
        Ok(Solid { blocks })
    }

    fn touching_hand(
        &mut self,
        [source, target]: [usize; 2],
        arms: usize,
    ) -> Result<TouchingHand, AssetError> {
        Ok(TouchingHand {
            arm: self.joint(arms)?,
            source_hand: self.joint(source)?,
            source_palm: self.vec3()?,
            palm: self.vec3()?,
            parts: self.list(564, |reader| {
                Ok(PartPair {
                    kind: KINDS[reader.joint(KINDS.len())?],
                    source: reader.body_part(source)?,
                    target: reader.body_part(target)?,
                })
            })?,
        })
    }

    fn body_part(&mut self, joints: usize) -> Result<BodyPart, AssetError> {
        let mut part = BodyPart {
            joint: self.joint(joints)?,
            axes: self.quat()?,
            origin: self.vec3()?,
            axis: self.vec3()?,
            length: self.number()?,
            radii: Default::default(),
        };
        for radius in part.radii.as_flattened_mut() {
            *radius = self.number()?;
        }
        Ok(part)
    }

    fn body_arm(&mut self, joints: usize) -> Result<[usize; 3], AssetError> {
        if self.version < ARMS_TURN {
            let limb = self.pin_limb(joints)?;
            return Ok([limb.upper, limb.lower, limb.end]);
        }
        let mut arm = [0; 3];
        for joint in &mut arm {
            *joint = self.joint(joints)?;
        }
        Ok(arm)
    }

    fn hull_point(&mut self, joints: usize) -> Result<HullPoint, AssetError> {
        let parts = self.list(18, |reader| {
            Ok(HullPart {
                joint: reader.joint(joints)?,
                weight: reader.number()?,
                place: reader.vec3()?,
            })
        })?;
        let mut point = HullPoint {
            parts: [HullPart::default(); 4],
        };
        if parts.is_empty() || parts.len() > point.parts.len() {
            return Err(self.damaged("a point of the skin moves with no joint, or too many"));
        }
        point.parts[..parts.len()].copy_from_slice(&parts);
        Ok(point)
    }
}
