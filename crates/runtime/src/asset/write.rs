//! From an asset to bytes.

use super::read::read_asset;
use super::{Asset, AssetError, AssetRig, HEADER, MAGIC, NONE, VERSION, hash};
use crate::{AttachOp, LegsOp, LinearOp, Plan, Rig, RotationOp, ScaleOp, TravelOp};
use glam::{Mat3, Quat, Vec3};
use rebone_model::JointKind;

/// The bytes of an asset.
///
/// Fails with [`AssetError::TooMany`] where a rig, a list or a name is longer than the format can count, and with
/// [`AssetError::Unreadable`] where [`read_asset`] would refuse the bytes: characters of odd sizes may give constants
/// that are not finite.
pub fn write_asset(asset: &Asset) -> Result<Vec<u8>, AssetError> {
    let mut writer = Writer { bytes: Vec::new() };
    writer.bytes.extend(MAGIC);
    writer.bytes.extend(VERSION.to_le_bytes());
    writer.bytes.resize(HEADER, 0);
    let plan = &asset.plan;
    writer.side(&asset.source, &plan.source)?;
    writer.side(&asset.target, &plan.target)?;
    writer.plan(plan)?;
    writer.rebind(asset.rebind.as_ref())?;
    let Writer { mut bytes } = writer;
    let length = u32::try_from(bytes.len()).map_err(|_| AssetError::TooMany { what: "bytes" })?;
    let sum = hash(&bytes[HEADER..]);
    bytes[12..16].copy_from_slice(&length.to_le_bytes());
    bytes[16..HEADER].copy_from_slice(&sum.to_le_bytes());
    match read_asset(&bytes) {
        Err(AssetError::Damaged { what, .. }) => Err(AssetError::Unreadable { what }),
        Err(other) => Err(other),
        Ok(_) => Ok(bytes),
    }
}

pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
}

impl Writer {
    fn side(&mut self, side: &AssetRig, rig: &Rig) -> Result<(), AssetError> {
        self.text(&side.name)?;
        self.bytes.extend(side.meters_per_unit.to_le_bytes());
        self.quat(side.canonical_from_file);
        self.count(rig.len(), "joints")?;
        for (index, (parent, rest)) in rig.parents.iter().zip(&rig.rest).enumerate() {
            let ancestor = side.kinds.get(index) == Some(&JointKind::Ancestor);
            self.bytes.push(u8::from(ancestor));
            self.text(side.joints.get(index).map_or("", String::as_str))?;
            match parent {
                Some(parent) => self.joint(*parent)?,
                None => self.bytes.extend(NONE.to_le_bytes()),
            }
            self.transform(*rest);
        }
        Ok(())
    }

    fn plan(&mut self, plan: &Plan) -> Result<(), AssetError> {
        self.quat(plan.target_from_source);
        for operation in &plan.rotations {
            self.rotation(operation)?;
        }
        for &joint in &plan.order {
            self.joint(joint)?;
        }
        self.bytes.push(u8::from(plan.travel.is_some()));
        if let Some(travel) = &plan.travel {
            self.travel(travel)?;
        }
        self.count(plan.slides.len(), "slides")?;
        for slide in &plan.slides {
            self.slide(slide)?;
        }
        self.count(plan.scales.len(), "scales")?;
        for scale in &plan.scales {
            self.scale(scale)?;
        }
        self.count(plan.attachments.len(), "attachments")?;
        for attachment in &plan.attachments {
            self.attachment(attachment)?;
        }
        self.count(plan.stages.len(), "stages")?;
        for stage in &plan.stages {
            self.stage(stage)?;
        }
        self.count(plan.blends.len(), "blends")?;
        for blend in &plan.blends {
            self.blend(blend)?;
        }
        Ok(())
    }

    fn rotation(&mut self, operation: &RotationOp) -> Result<(), AssetError> {
        match operation {
            RotationOp::Rest => self.bytes.push(0),
            RotationOp::Model { source, frame } => {
                self.bytes.push(1);
                self.joint(*source)?;
                self.quat(*frame);
            }
            RotationOp::Spread {
                first,
                last,
                first_inverse,
                last_inverse,
                frame,
                fraction,
            } => {
                self.bytes.push(2);
                self.joint(*first)?;
                self.joint(*last)?;
                for rotation in [first_inverse, last_inverse, frame] {
                    self.quat(*rotation);
                }
                self.number(*fraction);
            }
            RotationOp::Carried { carrier, frame } => {
                self.bytes.push(3);
                self.joint(*carrier)?;
                self.quat(*frame);
            }
            RotationOp::Blend { blend } => {
                self.bytes.push(5);
                self.count(*blend, "blends")?;
            }
            RotationOp::Local {
                source,
                left,
                right,
            } => {
                self.bytes.push(4);
                self.joint(*source)?;
                self.quat(*left);
                self.quat(*right);
            }
        }
        Ok(())
    }

    fn travel(&mut self, travel: &TravelOp) -> Result<(), AssetError> {
        self.joint(travel.source)?;
        self.joint(travel.target)?;
        self.mat3(travel.linear);
        self.vec3(travel.offset);
        self.number(travel.parent_size);
        self.bytes.push(u8::from(travel.legs.is_some()));
        if let Some(legs) = &travel.legs {
            self.legs(legs)?;
        }
        Ok(())
    }

    fn legs(&mut self, legs: &LegsOp) -> Result<(), AssetError> {
        self.joint(legs.feet[0])?;
        self.joint(legs.feet[1])?;
        self.vec3(legs.source_thighs);
        self.vec3(legs.target_thighs);
        self.vec3(legs.up);
        self.number(legs.lift);
        self.number(legs.least);
        Ok(())
    }

    fn slide(&mut self, slide: &LinearOp) -> Result<(), AssetError> {
        self.joint(slide.source)?;
        self.joint(slide.target)?;
        self.mat3(slide.linear);
        self.vec3(slide.offset);
        Ok(())
    }

    fn scale(&mut self, scale: &ScaleOp) -> Result<(), AssetError> {
        self.joint(scale.source)?;
        self.joint(scale.target)?;
        self.quat(scale.frame);
        self.bytes.push(u8::from(scale.matrices.is_some()));
        if let Some((left, right)) = scale.matrices {
            self.mat3(left);
            self.mat3(right);
        }
        Ok(())
    }

    fn attachment(&mut self, attachment: &AttachOp) -> Result<(), AssetError> {
        self.joint(attachment.target)?;
        self.joint(attachment.carrier)?;
        self.vec3(attachment.offset);
        self.bytes.push(u8::from(attachment.source.is_some()));
        if let Some(source) = &attachment.source {
            self.joint(source.joint)?;
            self.joint(source.carrier)?;
            self.vec3(source.offset);
            self.mat3(source.linear);
        }
        self.count(attachment.only_if_sliding.len(), "sliding joints")?;
        for &joint in &attachment.only_if_sliding {
            self.joint(joint)?;
        }
        Ok(())
    }

    pub(super) fn count(&mut self, count: usize, what: &'static str) -> Result<(), AssetError> {
        match u16::try_from(count) {
            Ok(count) if count < NONE => {
                self.bytes.extend(count.to_le_bytes());
                Ok(())
            }
            _ => Err(AssetError::TooMany { what }),
        }
    }

    pub(super) fn joint(&mut self, joint: usize) -> Result<(), AssetError> {
        self.count(joint, "joints")
    }

    pub(super) fn text(&mut self, text: &str) -> Result<(), AssetError> {
        self.count(text.len(), "letters of a name")?;
        self.bytes.extend(text.as_bytes());
        Ok(())
    }

    pub(super) fn number(&mut self, number: f32) {
        self.bytes.extend(number.to_le_bytes());
    }

    pub(super) fn vec3(&mut self, vector: Vec3) {
        for number in vector.to_array() {
            self.number(number);
        }
    }

    pub(super) fn quat(&mut self, rotation: Quat) {
        for number in rotation.to_array() {
            self.number(number);
        }
    }

    pub(super) fn mat3(&mut self, matrix: Mat3) {
        for number in matrix.to_cols_array() {
            self.number(number);
        }
    }
}
