//! Pins, to bytes and back.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::stage::{PinEnd, PinGoal, PinLimb, PinSpan, PinStage, PinStretch};
use glam::{Mat3, Vec3};

impl Writer {
    pub(super) fn pin(&mut self, pin: &PinStage) -> Result<(), AssetError> {
        self.kinematics(&pin.source)?;
        self.kinematics(&pin.target)?;
        match &pin.end {
            PinEnd::Limb(limb) => {
                self.bytes.push(0);
                self.pin_limb(limb)?;
            }
            PinEnd::Hips { hips, legs } => {
                self.bytes.push(1);
                self.joint(*hips)?;
                self.count(legs.len(), "legs")?;
                legs.iter().try_for_each(|leg| self.pin_limb(leg))?;
            }
            PinEnd::Joint { joint } => {
                self.bytes.push(2);
                self.joint(*joint)?;
            }
        }
        self.vec3(pin.point);
        match pin.goal {
            PinGoal::Own => self.bytes.push(0),
            PinGoal::Source {
                joint,
                point,
                linear,
                shift,
            } => {
                self.bytes.push(1);
                self.joint(joint)?;
                self.vec3(point);
                self.mat3(linear);
                self.vec3(shift);
            }
            PinGoal::Point(point) => {
                self.bytes.push(2);
                self.vec3(point);
            }
            PinGoal::Joint(joint) => {
                self.bytes.push(3);
                self.joint(joint)?;
            }
        }
        self.vec3(pin.offset);
        self.bytes.push(u8::from(pin.stretch.is_some()));
        if let Some(stretch) = &pin.stretch {
            self.mat3(stretch.scale);
            self.joint(stretch.hips)?;
            self.quat(stretch.hips_frame);
            self.vec3(stretch.up);
            self.number(stretch.floor);
        }
        self.bytes.push(u8::from(pin.span.is_some()));
        if let Some(span) = &pin.span {
            for time in [span.from, span.until] {
                self.bytes.push(u8::from(time.is_some()));
                self.number(time.unwrap_or_default());
            }
            self.number(span.blend_in);
            self.number(span.blend_out);
        }
        self.pairs_beside(&pin.attached)
    }

    pub(super) fn pin_limb(&mut self, limb: &PinLimb) -> Result<(), AssetError> {
        for place in [limb.upper, limb.lower, limb.end] {
            self.joint(place)?;
        }
        self.vec3(limb.forward);
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn pin(&mut self, sizes: Sizes) -> Result<PinStage, AssetError> {
        let source = self.kinematics(sizes.source)?;
        let target = self.kinematics(sizes.target)?;
        let end = match self.byte()? {
            0 => PinEnd::Limb(self.pin_limb(target.len())?),
            1 => PinEnd::Hips {
                hips: self.joint(target.len())?,
                legs: self.list(18, |reader| reader.pin_limb(target.len()))?,
            },
            2 => PinEnd::Joint {
                joint: self.joint(target.len())?,
            },
            _ => return Err(self.damaged("there is an end that is pinned in no known way")),
        };
        let point = self.vec3()?;
        let goal = match self.byte()? {
            0 => PinGoal::Own,
            1 => PinGoal::Source {
                joint: self.joint(source.len())?,
                point: self.vec3()?,
                linear: self.mat3()?,
                shift: self.vec3()?,
            },
            2 => PinGoal::Point(self.vec3()?),
            3 => PinGoal::Joint(self.joint(target.len())?),
            _ => return Err(self.damaged("something is pinned to nothing that is known")),
        };
        let offset: Vec3 = self.vec3()?;
        let stretch = match self.flag()? {
            true => {
                let scale: Mat3 = self.mat3()?;
                Some(PinStretch {
                    scale,
                    hips: self.joint(target.len())?,
                    hips_frame: self.quat()?,
                    up: self.vec3()?,
                    floor: self.number()?,
                })
            }
            false => None,
        };
        let span = match self.flag()? {
            true => Some(self.pin_span()?),
            false => None,
        };
        Ok(PinStage {
            end,
            point,
            goal,
            offset,
            stretch,
            span,
            attached: self.pairs_beside(sizes)?,
            source,
            target,
        })
    }

    fn pin_span(&mut self) -> Result<PinSpan, AssetError> {
        let (has_from, from) = (self.flag()?, self.number()?);
        let (has_until, until) = (self.flag()?, self.number()?);
        let [blend_in, blend_out] = [self.number()?, self.number()?];
        if blend_in < 0.0 || blend_out < 0.0 {
            return Err(self.damaged("a pin takes a negative time to count"));
        }
        Ok(PinSpan {
            from: has_from.then_some(from),
            until: has_until.then_some(until),
            blend_in,
            blend_out,
        })
    }

    pub(super) fn pin_limb(&mut self, places: usize) -> Result<PinLimb, AssetError> {
        Ok(PinLimb {
            upper: self.joint(places)?,
            lower: self.joint(places)?,
            end: self.joint(places)?,
            forward: self.vec3()?,
        })
    }
}
