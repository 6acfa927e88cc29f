//! The stages of a plan, to bytes and back: a tag, the weight, and what the stage itself holds.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::runtime::{JointWeight, Stage, StageOp, WeightStage};
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
            _ => return Err(self.damaged("there is a stage of no known kind")),
        };
        Ok(Stage { weight, op })
    }

    pub(super) fn transform(&mut self) -> Result<Transform, AssetError> {
        Ok(Transform {
            translation: self.vec3()?,
            rotation: self.quat()?,
            scale: self.vec3()?,
        })
    }
}
