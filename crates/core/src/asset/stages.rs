//! The stages of a plan, to bytes and back: a tag, the weight, and what the stage itself holds.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::runtime::{
    JointWeight, Stage, StageOp, TwistJoint, TwistOf, TwistSegment, TwistStage, WeightStage,
};
use rebone_model::Transform;

impl Writer {
    pub(super) fn stage(&mut self, stage: &Stage) -> Result<(), AssetError> {
        match &stage.op {
            StageOp::Weights(op) => {
                self.bytes.push(0);
                self.number(stage.weight);
                self.count(op.joints.len(), "weights of joints")?;
                for joint in &op.joints {
                    self.joint(joint.joint)?;
                    self.transform(joint.base);
                    self.number(joint.weight);
                }
            }
            StageOp::Twist(op) => {
                self.bytes.push(1);
                self.number(stage.weight);
                self.count(op.segments.len(), "segments with twist joints")?;
                for segment in &op.segments {
                    self.twist_segment(segment)?;
                }
            }
        }
        Ok(())
    }

    fn twist_segment(&mut self, segment: &TwistSegment) -> Result<(), AssetError> {
        self.joint(segment.joint)?;
        // Nothing between the ends: it is the segment's own twist.
        let path = match &segment.of {
            TwistOf::Own => &[],
            TwistOf::End(path) => path.as_slice(),
        };
        self.count(path.len(), "joints of a limb")?;
        for &joint in path {
            self.joint(joint)?;
        }
        self.quat(segment.rest);
        self.vec3(segment.axis);
        self.number(segment.own_share);
        self.vec3(segment.own_axis);
        self.count(segment.joints.len(), "twist joints")?;
        for joint in &segment.joints {
            self.joint(joint.joint)?;
            self.bytes.push(u8::from(joint.is_leaf));
            self.number(joint.share);
            self.vec3(joint.axis);
        }
        Ok(())
    }

    pub(super) fn transform(&mut self, transform: Transform) {
        self.vec3(transform.translation);
        self.quat(transform.rotation);
        self.vec3(transform.scale);
    }
}

impl Reader<'_> {
    pub(super) fn stage(&mut self, sizes: Sizes) -> Result<Stage, AssetError> {
        let tag = self.byte()?;
        let weight = self.number()?;
        if !(0.0..=1.0).contains(&weight) {
            return Err(self.damaged("the weight of a stage is not between 0 and 1"));
        }
        let op = match tag {
            0 => StageOp::Weights(WeightStage {
                joints: self.list(46, |reader| {
                    Ok(JointWeight {
                        joint: reader.joint(sizes.target)?,
                        base: reader.transform()?,
                        weight: reader.number()?,
                    })
                })?,
            }),
            1 => StageOp::Twist(TwistStage {
                segments: self.list(50, |reader| reader.twist_segment(sizes))?,
            }),
            _ => return Err(self.damaged("there is a stage of no known kind")),
        };
        Ok(Stage { weight, op })
    }

    fn twist_segment(&mut self, sizes: Sizes) -> Result<TwistSegment, AssetError> {
        let joint = self.joint(sizes.target)?;
        let path = self.list(2, |reader| reader.joint(sizes.target))?;
        Ok(TwistSegment {
            joint,
            of: if path.is_empty() {
                TwistOf::Own
            } else {
                TwistOf::End(path)
            },
            rest: self.quat()?,
            axis: self.vec3()?,
            own_share: self.number()?,
            own_axis: self.vec3()?,
            joints: self.list(19, |reader| {
                Ok(TwistJoint {
                    joint: reader.joint(sizes.target)?,
                    is_leaf: reader.flag()?,
                    share: reader.number()?,
                    axis: reader.vec3()?,
                })
            })?,
        })
    }

    pub(super) fn transform(&mut self) -> Result<Transform, AssetError> {
        Ok(Transform {
            translation: self.vec3()?,
            rotation: self.quat()?,
            scale: self.vec3()?,
        })
    }
}
