//! From bytes to an asset.

use super::{Asset, AssetError, AssetRig, HEADER, MAGIC, NONE, VERSION, hash};
use crate::{AttachOp, AttachSource, LegsOp, LinearOp, Plan, Rig, RotationOp, ScaleOp, TravelOp};
use glam::{Mat3, Quat, Vec3};
use rebone_model::JointKind;
use std::collections::BTreeMap;

/// How far from 1 the length of a quaternion may be.
const UNIT: f32 = 1e-3;

/// Fewest bytes of a joint: kind, empty name, parent, rest transform.
const LEAST_JOINT: usize = 1 + 2 + 2 + 40;

/// The asset in these bytes.
///
/// Whatever the bytes are, the result is an error or a plan that runs.
pub fn read_asset(bytes: &[u8]) -> Result<Asset, AssetError> {
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(AssetError::NoAsset);
    };
    if !header.starts_with(&MAGIC) {
        return Err(AssetError::NoAsset);
    }
    let mut head = Reader {
        bytes: header,
        at: MAGIC.len(),
        version: 0,
    };
    let version = u32::from_le_bytes(head.array()?);
    if version == 0 || version > VERSION {
        return Err(AssetError::Version { found: version });
    }
    let length = u32::from_le_bytes(head.array()?);
    let sum = u64::from_le_bytes(head.array()?);
    if usize::try_from(length).ok() != Some(bytes.len()) {
        return Err(head.damaged("its length is not the one that it states"));
    }
    if hash(body) != sum {
        return Err(head.damaged("its content is not what was written"));
    }
    let mut reader = Reader {
        bytes,
        at: HEADER,
        version,
    };
    let (source, source_rig) = reader.side()?;
    let (target, target_rig) = reader.side()?;
    let plan = reader.plan(source_rig, target_rig)?;
    let rebind = if version >= 2 {
        reader.rebind(&plan)?
    } else {
        None
    };
    if reader.at != bytes.len() {
        return Err(reader.damaged("there is more than a plan"));
    }
    Ok(Asset {
        source,
        target,
        plan,
        rebind,
    })
}

pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(super) version: u32,
}

impl Reader<'_> {
    pub(super) fn damaged(&self, what: &'static str) -> AssetError {
        AssetError::Damaged { what, at: self.at }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], AssetError> {
        let found = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk);
        let Some(found) = found else {
            return Err(self.damaged("it ends too early"));
        };
        self.at += N;
        Ok(*found)
    }

    pub(super) fn byte(&mut self) -> Result<u8, AssetError> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn flag(&mut self) -> Result<bool, AssetError> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.damaged("a flag is neither 0 nor 1")),
        }
    }

    /// A count of things that take at least `least` bytes each.
    fn count(&mut self, least: usize) -> Result<usize, AssetError> {
        let count = usize::from(u16::from_le_bytes(self.array()?));
        if count * least > self.bytes.len() - self.at {
            return Err(self.damaged("it counts more than there is"));
        }
        Ok(count)
    }

    pub(super) fn joint(&mut self, limit: usize) -> Result<usize, AssetError> {
        let joint = usize::from(u16::from_le_bytes(self.array()?));
        if joint >= limit {
            return Err(self.damaged("it names a joint that the rig does not have"));
        }
        Ok(joint)
    }

    pub(super) fn text(&mut self) -> Result<String, AssetError> {
        let length = self.count(1)?;
        let bytes = &self.bytes[self.at..self.at + length];
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(self.damaged("a name is no UTF-8"));
        };
        self.at += length;
        Ok(text.to_owned())
    }

    pub(super) fn number(&mut self) -> Result<f32, AssetError> {
        let number = f32::from_le_bytes(self.array()?);
        if !number.is_finite() {
            return Err(self.damaged("a number is not finite"));
        }
        Ok(number)
    }

    fn numbers<const N: usize>(&mut self) -> Result<[f32; N], AssetError> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Ok(numbers)
    }

    pub(super) fn vec3(&mut self) -> Result<Vec3, AssetError> {
        Ok(Vec3::from_array(self.numbers()?))
    }

    pub(super) fn quat(&mut self) -> Result<Quat, AssetError> {
        let rotation = Quat::from_array(self.numbers()?);
        if (rotation.length() - 1.0).abs() > UNIT {
            return Err(self.damaged("a rotation is no unit quaternion"));
        }
        Ok(rotation)
    }

    pub(super) fn mat3(&mut self) -> Result<Mat3, AssetError> {
        Ok(Mat3::from_cols_array(&self.numbers()?))
    }

    fn side(&mut self) -> Result<(AssetRig, Rig), AssetError> {
        let name = self.text()?;
        let meters_per_unit = f64::from_le_bytes(self.array()?);
        if !(meters_per_unit.is_finite() && meters_per_unit > 0.0) {
            return Err(self.damaged("a unit has no length"));
        }
        let canonical_from_file = self.quat()?;
        let count = self.count(LEAST_JOINT)?;
        let mut side = AssetRig {
            name,
            joints: Vec::with_capacity(count),
            kinds: Vec::with_capacity(count),
            meters_per_unit,
            canonical_from_file,
        };
        let mut rig = Rig {
            parents: Vec::with_capacity(count),
            rest: Vec::with_capacity(count),
        };
        for joint in 0..count {
            let is_ancestor = self.flag()?;
            side.kinds.push(if is_ancestor {
                JointKind::Ancestor
            } else {
                JointKind::Joint
            });
            side.joints.push(self.text()?);
            rig.parents.push(self.parent(joint)?);
            rig.rest.push(self.transform()?);
        }
        Ok((side, rig))
    }

    /// Parents come before their children.
    fn parent(&mut self, joint: usize) -> Result<Option<usize>, AssetError> {
        let parent = u16::from_le_bytes(self.array()?);
        match usize::from(parent) {
            _ if parent == NONE => Ok(None),
            parent if parent < joint => Ok(Some(parent)),
            _ => Err(self.damaged("a joint comes before its parent")),
        }
    }

    fn plan(&mut self, source: Rig, target: Rig) -> Result<Plan, AssetError> {
        let sizes = Sizes {
            source: source.len(),
            target: target.len(),
        };
        let target_from_source = self.quat()?;
        let rotations = (0..sizes.target)
            .map(|_| self.rotation(sizes))
            .collect::<Result<Vec<_>, _>>()?;
        let order = (0..sizes.target)
            .map(|_| self.joint(sizes.target))
            .collect::<Result<Vec<_>, _>>()?;
        let travel = if self.flag()? {
            Some(self.travel(sizes)?)
        } else {
            None
        };
        let slides = self.list(4 + 48, |reader| reader.slide(sizes))?;
        let scales = self.list(4 + 17, |reader| reader.scale(sizes))?;
        let attachments = self.list(4 + 15, |reader| reader.attachment(sizes))?;
        let stages = if self.version >= 2 {
            self.list(5, |reader| reader.stage(sizes))?
        } else {
            Vec::new()
        };
        let blends = if self.version >= 2 {
            self.list(2 + 16 + 1, |reader| reader.blend(sizes))?
        } else {
            Vec::new()
        };
        let plan = Plan {
            source,
            target,
            target_from_source,
            rotations,
            blends,
            order,
            travel,
            slides,
            scales,
            attachments,
            stages,
        };
        let is_missing = |operation: &RotationOp| match operation {
            RotationOp::Blend { blend } => *blend >= plan.blends.len(),
            _ => false,
        };
        if plan.rotations.iter().any(is_missing) {
            return Err(self.damaged("a joint follows a blend that there is not"));
        }
        if !is_runnable(&plan) {
            return Err(self.damaged("a joint is to be placed before the joint that carries it"));
        }
        Ok(plan)
    }

    pub(super) fn list<V>(
        &mut self,
        least: usize,
        mut one: impl FnMut(&mut Self) -> Result<V, AssetError>,
    ) -> Result<Vec<V>, AssetError> {
        let count = self.count(least)?;
        (0..count).map(|_| one(self)).collect()
    }

    fn rotation(&mut self, sizes: Sizes) -> Result<RotationOp, AssetError> {
        Ok(match self.byte()? {
            0 => RotationOp::Rest,
            1 => RotationOp::Model {
                source: self.joint(sizes.source)?,
                frame: self.quat()?,
            },
            2 => RotationOp::Spread {
                first: self.joint(sizes.source)?,
                last: self.joint(sizes.source)?,
                first_inverse: self.quat()?,
                last_inverse: self.quat()?,
                frame: self.quat()?,
                fraction: self.number()?,
            },
            3 => RotationOp::Carried {
                carrier: self.joint(sizes.target)?,
                frame: self.quat()?,
            },
            4 => RotationOp::Local {
                source: self.joint(sizes.source)?,
                left: self.quat()?,
                right: self.quat()?,
            },
            5 => RotationOp::Blend {
                blend: self.joint(usize::from(NONE))?,
            },
            _ => return Err(self.damaged("there is an operation of no known kind")),
        })
    }

    fn travel(&mut self, sizes: Sizes) -> Result<TravelOp, AssetError> {
        Ok(TravelOp {
            source: self.joint(sizes.source)?,
            target: self.joint(sizes.target)?,
            linear: self.mat3()?,
            offset: self.vec3()?,
            parent_size: self.number()?,
            legs: if self.flag()? {
                Some(self.legs(sizes)?)
            } else {
                None
            },
        })
    }

    fn legs(&mut self, sizes: Sizes) -> Result<LegsOp, AssetError> {
        Ok(LegsOp {
            feet: [self.joint(sizes.source)?, self.joint(sizes.source)?],
            source_thighs: self.vec3()?,
            target_thighs: self.vec3()?,
            up: self.vec3()?,
            lift: self.number()?,
            least: self.number()?,
        })
    }

    fn slide(&mut self, sizes: Sizes) -> Result<LinearOp, AssetError> {
        Ok(LinearOp {
            source: self.joint(sizes.source)?,
            target: self.joint(sizes.target)?,
            linear: self.mat3()?,
            offset: self.vec3()?,
        })
    }

    fn scale(&mut self, sizes: Sizes) -> Result<ScaleOp, AssetError> {
        Ok(ScaleOp {
            source: self.joint(sizes.source)?,
            target: self.joint(sizes.target)?,
            frame: self.quat()?,
            matrices: if self.flag()? {
                Some((self.mat3()?, self.mat3()?))
            } else {
                None
            },
        })
    }

    fn attachment(&mut self, sizes: Sizes) -> Result<AttachOp, AssetError> {
        Ok(AttachOp {
            target: self.joint(sizes.target)?,
            carrier: self.joint(sizes.target)?,
            offset: self.vec3()?,
            source: if self.flag()? {
                Some(AttachSource {
                    joint: self.joint(sizes.source)?,
                    carrier: self.joint(sizes.source)?,
                    offset: self.vec3()?,
                    linear: self.mat3()?,
                })
            } else {
                None
            },
            only_if_sliding: self.list(2, |reader| reader.joint(sizes.source))?,
        })
    }
}

/// Numbers of joints.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) source: usize,
    pub(super) target: usize,
}

/// True where each target joint is placed once, behind its parent and behind what carries it.
fn is_runnable(plan: &Plan) -> bool {
    let mut carriers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for attachment in &plan.attachments {
        let own = carriers.entry(attachment.target).or_default();
        own.push(attachment.carrier);
    }
    for (joint, operation) in plan.rotations.iter().enumerate() {
        if let RotationOp::Carried { carrier, .. } = operation {
            carriers.entry(joint).or_default().push(*carrier);
        }
    }
    let mut is_placed = vec![false; plan.target.len()];
    for &joint in &plan.order {
        let parent = plan.target.parents[joint];
        let mut needed = carriers.get(&joint).into_iter().flatten().chain(&parent);
        if is_placed[joint] || !needed.all(|&other| is_placed[other]) {
            return false;
        }
        is_placed[joint] = true;
    }
    true
}
