//! The stage that keeps bodies on the floor, to bytes and back.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::runtime::{GroundArm, GroundLeg, GroundPoint, GroundStage};

/// No stage has more points of the trunk, legs or arms.
const MOST: usize = 4;

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
            self.joint(point.source)?;
            self.joint(point.target)?;
            self.number(point.range[0]);
            self.number(point.range[1]);
            self.number(point.standing);
        }
        self.count(stage.legs.len(), "legs")?;
        for leg in &stage.legs {
            self.joint(leg.source_knee)?;
            self.number(leg.standing_knee);
            self.joint(leg.source_foot)?;
            self.pin_limb(&leg.limb)?;
            self.quat(leg.foot_frame);
            self.number(leg.ankle_heights[0]);
            self.number(leg.ankle_heights[1]);
        }
        self.count(stage.arms.len(), "arms")?;
        for arm in &stage.arms {
            self.joint(arm.source_hand)?;
            self.vec3(arm.source_palm);
            self.pin_limb(&arm.limb)?;
            self.vec3(arm.palm);
        }
        self.pairs_beside(&stage.attached)
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
        let trunk = self.list(16, |reader| {
            Ok(GroundPoint {
                source: reader.joint(sources)?,
                target: reader.joint(targets)?,
                range: [reader.number()?, reader.number()?],
                standing: reader.number()?,
            })
        })?;
        let legs = self.list(50, |reader| {
            Ok(GroundLeg {
                source_knee: reader.joint(sources)?,
                standing_knee: reader.number()?,
                source_foot: reader.joint(sources)?,
                limb: reader.pin_limb(targets)?,
                foot_frame: reader.quat()?,
                ankle_heights: [reader.number()?, reader.number()?],
            })
        })?;
        let arms = self.list(44, |reader| {
            Ok(GroundArm {
                source_hand: reader.joint(sources)?,
                source_palm: reader.vec3()?,
                limb: reader.pin_limb(targets)?,
                palm: reader.vec3()?,
            })
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
            legs,
            arms,
            attached: self.pairs_beside(sizes)?,
            source,
            target,
        })
    }
}
