//! The blends of a plan, to bytes and back.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::{BlendOp, BlendTerm};

impl Writer {
    pub(super) fn blend(&mut self, blend: &BlendOp) -> Result<(), AssetError> {
        self.count(blend.terms.len(), "joints of a blend")?;
        for term in &blend.terms {
            self.joint(term.source)?;
            self.quat(term.inverse);
            self.number(term.weight);
            self.vec3(term.bone);
        }
        self.quat(blend.frame);
        self.bytes.push(u8::from(blend.along.is_some()));
        if let Some(along) = blend.along {
            self.vec3(along);
        }
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn blend(&mut self, sizes: Sizes) -> Result<BlendOp, AssetError> {
        Ok(BlendOp {
            terms: self.list(2 + 16 + 4 + 12, |reader| {
                Ok(BlendTerm {
                    source: reader.joint(sizes.source)?,
                    inverse: reader.quat()?,
                    weight: reader.number()?,
                    bone: reader.vec3()?,
                })
            })?,
            frame: self.quat()?,
            along: if self.flag()? {
                Some(self.vec3()?)
            } else {
                None
            },
        })
    }
}
