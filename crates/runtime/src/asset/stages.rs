//! The stages of a plan, to bytes and back: a tag, the weight, and what the stage itself holds.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::stage::{
    AimChain, AimJoint, AimStage, JointWeight, LimitKind, LimitStage, LimitedJoint,
    RootMotionStage, SpacingStage, SpreadLimb, Stage, StageOp, TwistJoint, TwistOf, TwistSegment,
    TwistStage, WeightStage,
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
            StageOp::Limits(op) => {
                self.bytes.push(2);
                self.number(stage.weight);
                self.count(op.joints.len(), "limited joints")?;
                for joint in &op.joints {
                    self.limited_joint(joint)?;
                }
            }
            StageOp::Aim(op) => {
                self.bytes.push(3);
                self.number(stage.weight);
                self.bytes.push(u8::from(op.point.is_some()));
                self.vec3(op.point.unwrap_or_default());
                self.count(op.chains.len(), "chains that look")?;
                for chain in &op.chains {
                    self.aim_chain(chain)?;
                }
            }
            StageOp::Spacing(op) => {
                self.bytes.push(4);
                self.number(stage.weight);
                self.count(op.limbs.len(), "spread limbs")?;
                for limb in &op.limbs {
                    self.joint(limb.joint)?;
                    self.joint(limb.next)?;
                    self.joint_or_none(limb.end)?;
                    self.joint_or_none(limb.body)?;
                    self.vec3(limb.out);
                    self.number(limb.angle);
                }
            }
            StageOp::RootMotion(op) => {
                self.bytes.push(5);
                self.number(stage.weight);
                self.root_motion(op)?;
            }
            StageOp::Mirror(op) => {
                self.bytes.push(6);
                self.number(stage.weight);
                self.mirror(op)?;
            }
            StageOp::Feet(op) => {
                self.bytes.push(7);
                self.number(stage.weight);
                self.feet(op)?;
            }
            StageOp::Reach(op) => {
                self.bytes.push(8);
                self.number(stage.weight);
                self.reach_stage(op)?;
            }
            StageOp::Pin(op) => {
                self.bytes.push(9);
                self.number(stage.weight);
                self.pin(op)?;
            }
            StageOp::Ground(op) => {
                self.bytes.push(10);
                self.number(stage.weight);
                self.ground(op)?;
            }
            StageOp::Body(op) => {
                self.bytes.push(11);
                self.number(stage.weight);
                self.body(op)?;
            }
            StageOp::Twist(op) => {
                self.bytes.push(1);
                self.number(stage.weight);
                self.count(op.segments().len(), "segments with twist joints")?;
                for segment in op.segments() {
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

    fn limited_joint(&mut self, joint: &LimitedJoint) -> Result<(), AssetError> {
        self.joint(joint.joint)?;
        self.joint_or_none(joint.above)?;
        self.quat(joint.before);
        self.quat(joint.after);
        self.bytes.push(u8::from(joint.kind == LimitKind::Hinge));
        for range in [joint.bend, joint.side, joint.twist] {
            self.range(range);
        }
        self.number(joint.soft);
        self.joint_or_none(joint.rest_to)
    }

    fn aim_chain(&mut self, chain: &AimChain) -> Result<(), AssetError> {
        self.joint_or_none(chain.body)?;
        self.quat(chain.body_axes);
        self.count(chain.joints.len(), "joints that look")?;
        for joint in &chain.joints {
            self.joint(joint.joint)?;
            self.number(joint.share);
        }
        self.quat(chain.gaze);
        self.vec3(chain.eye);
        self.range(chain.yaw);
        self.range(chain.pitch);
        self.number(chain.soft);
        Ok(())
    }

    pub(super) fn joint_or_none(&mut self, joint: Option<usize>) -> Result<(), AssetError> {
        self.bytes.push(u8::from(joint.is_some()));
        joint.map_or(Ok(()), |joint| self.joint(joint))
    }

    fn range(&mut self, [least, most]: [f32; 2]) {
        self.number(least);
        self.number(most);
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
            2 => StageOp::Limits(LimitStage {
                joints: self.list(65, |reader| reader.limited_joint(sizes))?,
            }),
            3 => {
                let has_point = self.flag()?;
                let point = self.vec3()?;
                StageOp::Aim(AimStage {
                    point: has_point.then_some(point),
                    chains: self.list(67, |reader| reader.aim_chain(sizes))?,
                })
            }
            4 => StageOp::Spacing(SpacingStage {
                limbs: self.list(22, |reader| {
                    Ok(SpreadLimb {
                        joint: reader.joint(sizes.target)?,
                        next: reader.joint(sizes.target)?,
                        end: reader.joint_or_none(sizes)?,
                        body: reader.joint_or_none(sizes)?,
                        out: reader.vec3()?,
                        angle: reader.number()?,
                    })
                })?,
            }),
            5 => StageOp::RootMotion(self.root_motion(sizes)?),
            1 => StageOp::Twist(TwistStage::new(
                self.list(50, |reader| reader.twist_segment(sizes))?,
            )),
            6 => StageOp::Mirror(self.mirror(sizes)?),
            7 => StageOp::Feet(self.feet(sizes)?),
            8 => StageOp::Reach(self.reach_stage(sizes)?),
            9 => StageOp::Pin(self.pin(sizes)?),
            10 => StageOp::Ground(self.ground(sizes)?),
            11 => StageOp::Body(self.body(sizes)?),
            _ => return Err(self.damaged("there is a stage of no known kind")),
        };
        Ok(Stage { weight, op })
    }

    fn limited_joint(&mut self, sizes: Sizes) -> Result<LimitedJoint, AssetError> {
        Ok(LimitedJoint {
            joint: self.joint(sizes.target)?,
            above: self.joint_or_none(sizes)?,
            before: self.quat()?,
            after: self.quat()?,
            kind: if self.flag()? {
                LimitKind::Hinge
            } else {
                LimitKind::Ball
            },
            bend: self.range()?,
            side: self.range()?,
            twist: self.range()?,
            soft: self.soft_zone()?,
            rest_to: self.joint_or_none(sizes)?,
        })
    }

    fn aim_chain(&mut self, sizes: Sizes) -> Result<AimChain, AssetError> {
        Ok(AimChain {
            body: self.joint_or_none(sizes)?,
            body_axes: self.quat()?,
            joints: self.list(6, |reader| {
                Ok(AimJoint {
                    joint: reader.joint(sizes.target)?,
                    share: reader.number()?,
                })
            })?,
            gaze: self.quat()?,
            eye: self.vec3()?,
            yaw: self.range()?,
            pitch: self.range()?,
            soft: self.soft_zone()?,
        })
    }

    fn joint_or_none(&mut self, sizes: Sizes) -> Result<Option<usize>, AssetError> {
        self.place_or_none(sizes.target)
    }

    fn range(&mut self) -> Result<[f32; 2], AssetError> {
        let range = [self.number()?, self.number()?];
        if range[0] > range[1] || range.iter().any(|end| end.abs() > 7.0) {
            return Err(self.damaged("a range of angles is none"));
        }
        Ok(range)
    }

    fn soft_zone(&mut self) -> Result<f32, AssetError> {
        let zone = self.number()?;
        if zone < 0.0 {
            return Err(self.damaged("a soft zone has no width"));
        }
        Ok(zone)
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
