//! The mirror of a plan's target, to bytes and back.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::stage::{JointMirror, Mirror, Stride};

impl Writer {
    pub(super) fn mirror(&mut self, mirror: &Mirror) -> Result<(), AssetError> {
        self.quat(mirror.canonical_from_file);
        self.count(mirror.joints.len(), "mirrored joints")?;
        for joint in &mirror.joints {
            self.bytes.push(u8::from(joint.is_some()));
            let Some(joint) = joint else { continue };
            self.joint(joint.twin)?;
            self.quat(joint.left);
            self.quat(joint.right);
            self.mat3(joint.linear);
            self.mat3(joint.scale);
            self.bytes.push(u8::from(joint.is_local));
        }
        self.bytes.push(u8::from(mirror.stride.is_some()));
        if let Some(stride) = &mirror.stride {
            self.joint(stride.hips)?;
            self.joint(stride.feet[0])?;
            self.joint(stride.feet[1])?;
            self.vec3(stride.forward);
        }
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn mirror(&mut self, sizes: Sizes) -> Result<Mirror, AssetError> {
        let canonical_from_file = self.quat()?;
        let joints = self.list(1, |reader| reader.joint_mirror(sizes))?;
        if joints.len() != sizes.target {
            return Err(self.damaged("the mirror has other joints than the target"));
        }
        let twin = |joint: usize| joints[joint].map(|how: JointMirror| how.twin);
        let is_odd = |joint: usize| twin(joint).is_some_and(|other| twin(other) != Some(joint));
        if (0..joints.len()).any(is_odd) {
            return Err(self.damaged("the twin of a joint is the twin of another"));
        }
        let stride = if self.flag()? {
            Some(Stride {
                hips: self.joint(sizes.target)?,
                feet: [self.joint(sizes.target)?, self.joint(sizes.target)?],
                forward: self.vec3()?,
            })
        } else {
            None
        };
        Ok(Mirror {
            canonical_from_file,
            joints,
            stride,
        })
    }

    fn joint_mirror(&mut self, sizes: Sizes) -> Result<Option<JointMirror>, AssetError> {
        if !self.flag()? {
            return Ok(None);
        }
        Ok(Some(JointMirror {
            twin: self.joint(sizes.target)?,
            left: self.quat()?,
            right: self.quat()?,
            linear: self.mat3()?,
            scale: self.mat3()?,
            is_local: self.flag()?,
        }))
    }
}
