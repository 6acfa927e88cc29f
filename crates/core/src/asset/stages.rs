//! The stages of a plan, to bytes and back: a tag, the weight, and what the stage itself holds.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::runtime::{JointWeight, RootMotionStage, Stage, StageOp, WeightStage};
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
            StageOp::RootMotion(op) => {
                self.bytes.push(5);
                self.number(stage.weight);
                self.root_motion(op)?;
            }
        }
        Ok(())
    }

    fn root_motion(&mut self, op: &RootMotionStage) -> Result<(), AssetError> {
        self.joint(op.hips)?;
        self.bytes.push(u8::from(op.root.is_some()));
        if let Some(root) = op.root {
            self.joint(root)?;
        }
        self.count(op.carried.len(), "joints that a root carries")?;
        for &joint in &op.carried {
            self.joint(joint)?;
        }
        self.quat(op.canonical_from_file);
        self.quat(op.hips_inverse);
        self.vec3(op.home);
        for axis in op.axes {
            self.bytes.push(u8::from(axis));
        }
        self.bytes.push(u8::from(op.turns));
        self.number(op.smooth_seconds);
        self.number(op.frame_seconds);
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
            5 => StageOp::RootMotion(self.root_motion(sizes)?),
            _ => return Err(self.damaged("there is a stage of no known kind")),
        };
        Ok(Stage { weight, op })
    }

    fn root_motion(&mut self, sizes: Sizes) -> Result<RootMotionStage, AssetError> {
        let hips = self.joint(sizes.target)?;
        let root = if self.flag()? {
            Some(self.joint(sizes.target)?)
        } else {
            None
        };
        let carried = self.list(2, |reader| reader.joint(sizes.target))?;
        let stage = RootMotionStage {
            hips,
            root,
            carried,
            canonical_from_file: self.quat()?,
            hips_inverse: self.quat()?,
            home: self.vec3()?,
            axes: [self.flag()?, self.flag()?, self.flag()?],
            turns: self.flag()?,
            smooth_seconds: self.number()?,
            frame_seconds: self.number()?,
        };
        if stage.smooth_seconds < 0.0 || stage.frame_seconds < 0.0 {
            return Err(self.damaged("a time of the root motion is negative"));
        }
        Ok(stage)
    }

    pub(super) fn transform(&mut self) -> Result<Transform, AssetError> {
        Ok(Transform {
            translation: self.vec3()?,
            rotation: self.quat()?,
            scale: self.vec3()?,
        })
    }
}
