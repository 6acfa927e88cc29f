//! The stage that brings hands to what they touch, to bytes and back.

use super::AssetError;
use super::feet::{OLD_BENDS, STEADY_ALONE};
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::stage::{Arm, Chest, GripRule, MOST_ARMS, ReachStage, Touch};

impl Writer {
    pub(super) fn reach_stage(&mut self, stage: &ReachStage) -> Result<(), AssetError> {
        self.kinematics(&stage.source)?;
        self.kinematics(&stage.target)?;
        self.mat3(stage.linear);
        for number in [stage.near, stage.far, stage.assist] {
            self.number(number);
        }
        self.bytes.push(u8::from(stage.hold.is_some()));
        self.number(stage.hold.unwrap_or_default());
        self.reach(&stage.reach);
        self.count(stage.arms.len(), "arms")?;
        for arm in &stage.arms {
            self.arm(arm)?;
        }
        self.count(stage.touches.len(), "touched props")?;
        for touch in &stage.touches {
            for place in [touch.arm, touch.source, touch.target] {
                self.joint(place)?;
            }
        }
        self.bytes.push(u8::from(stage.chest.is_some()));
        if let Some(chest) = &stage.chest {
            self.joint(chest.joint)?;
            self.places(&chest.kept, "joints of the neck")?;
        }
        self.bytes.push(u8::from(stage.grip.is_some()));
        if let Some(grip) = &stage.grip {
            self.joint(grip.chest)?;
            self.quat(grip.chest_frame);
            self.number(grip.span);
            self.bytes.push(u8::from(grip.hips.is_some()));
            if let Some((joint, frame)) = grip.hips {
                self.joint(joint)?;
                self.quat(frame);
            }
        }
        self.pairs_beside(&stage.attached)
    }

    fn arm(&mut self, arm: &Arm) -> Result<(), AssetError> {
        for place in [
            arm.source_hand,
            arm.source_upper,
            arm.upper,
            arm.lower,
            arm.hand,
        ] {
            self.joint(place)?;
        }
        self.joint_or_none(arm.clavicle)?;
        self.places(&arm.source_props, "props of a hand")?;
        for vector in [arm.source_palm, arm.source_facing, arm.palm, arm.forward] {
            self.vec3(vector);
        }
        Ok(())
    }

    fn places(&mut self, places: &[usize], what: &'static str) -> Result<(), AssetError> {
        self.count(places.len(), what)?;
        places.iter().try_for_each(|&place| self.joint(place))
    }

    /// Joints that hang beside the body, with their carriers.
    pub(super) fn pairs_beside(&mut self, pairs: &[(usize, usize)]) -> Result<(), AssetError> {
        self.count(pairs.len(), "joints beside the body")?;
        for &(joint, carrier) in pairs {
            self.joint(joint)?;
            self.joint(carrier)?;
        }
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn reach_stage(&mut self, sizes: Sizes) -> Result<ReachStage, AssetError> {
        let source = self.kinematics(sizes.source)?;
        let target = self.kinematics(sizes.target)?;
        let linear = self.mat3()?;
        let [near, far, assist] = [self.number()?, self.number()?, self.number()?];
        let has_hold = self.flag()?;
        let share = self.number()?;
        let is_share = |share: f32| (0.0..=1.0).contains(&share);
        if !(near >= 0.0 && far >= 0.0 && is_share(assist) && is_share(share)) {
            return Err(self.damaged("hands hold on to each other in no way that there is"));
        }
        let reach = self.reach()?;
        // Until version 5 arms bent by the law of cosines, in one of several ways.
        if self.version < STEADY_ALONE {
            self.one_of(&OLD_BENDS)?;
        }
        let arms = self.list(63, |reader| reader.arm(source.len(), target.len()))?;
        if arms.len() > MOST_ARMS {
            return Err(self.damaged("a body has too many arms"));
        }
        let touches = self.list(6, |reader| {
            Ok(Touch {
                arm: reader.joint(arms.len())?,
                source: reader.joint(source.len())?,
                target: reader.joint(target.len())?,
            })
        })?;
        let chest = match self.flag()? {
            true => Some(Chest {
                joint: self.joint(target.len())?,
                kept: self.list(2, |reader| reader.joint(target.len()))?,
            }),
            false => None,
        };
        // New in version 3.
        let grip = match self.version >= 3 && self.flag()? {
            true => Some(GripRule {
                chest: self.joint(source.len())?,
                chest_frame: self.quat()?,
                span: self.number()?,
                // New in version 9.
                hips: match self.version >= 9 && self.flag()? {
                    true => Some((self.joint(source.len())?, self.quat()?)),
                    false => None,
                },
            }),
            false => None,
        };
        if arms.len() < 2 && (has_hold || grip.is_some()) {
            return Err(self.damaged("a single hand holds on to another"));
        }
        let attached = self.pairs_beside(sizes)?;
        Ok(ReachStage {
            linear,
            near,
            far,
            arms,
            hold: has_hold.then_some(share),
            grip,
            touches,
            chest,
            assist,
            reach,
            attached,
            source,
            target,
        })
    }

    fn arm(&mut self, source: usize, target: usize) -> Result<Arm, AssetError> {
        let source_hand = self.joint(source)?;
        let source_upper = self.joint(source)?;
        let [upper, lower, hand] = [
            self.joint(target)?,
            self.joint(target)?,
            self.joint(target)?,
        ];
        Ok(Arm {
            source_hand,
            source_upper,
            upper,
            lower,
            hand,
            clavicle: self.place_or_none(target)?,
            source_props: self.list(2, |reader| reader.joint(source))?,
            source_palm: self.vec3()?,
            source_facing: self.vec3()?,
            palm: self.vec3()?,
            forward: self.vec3()?,
        })
    }

    pub(super) fn pairs_beside(&mut self, sizes: Sizes) -> Result<Vec<(usize, usize)>, AssetError> {
        self.list(4, |reader| {
            Ok((reader.joint(sizes.target)?, reader.joint(sizes.target)?))
        })
    }
}
