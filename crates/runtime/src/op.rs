//! The operations of a plan.

use super::blend::BlendOp;
use super::rig::Rig;
use super::stage::{Stage, StageOp};
use crate::check::{Checked, Sizes, ensure, within};
use crate::solve::smooth;
use glam::{Mat3, Quat, Vec3};
use rebone_model::elementary::Elementary as _;
use rebone_model::joint_frames::JointFrames;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where a target joint's rotation comes from. W is the source's model-space rotation, turned into the
/// target's file space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum RotationOp {
    /// Local rest rotation: the joint moves with its parent.
    Rest,
    /// Model space V = W_source · frame.
    Model {
        /// Source joint.
        source: usize,
        /// A⁻¹ · B.
        frame: Quat,
    },
    /// Model space V = D · B with D = D_first · exp(fraction · log(D_first⁻¹ · D_last)).
    Spread {
        /// Source joint below the chain, usually the hips.
        first: usize,
        /// Last source joint of the chain.
        last: usize,
        /// A⁻¹ of `first`.
        first_inverse: Quat,
        /// A⁻¹ of `last`.
        last_inverse: Quat,
        /// B of the target joint.
        frame: Quat,
        /// Share of the bend, 0 to 1.
        fraction: f32,
    },
    /// Model space V = V_carrier · frame: the joint moves with another target joint.
    Carried {
        /// Target joint.
        carrier: usize,
        /// Retarget-pose rotation of the joint as seen from the carrier.
        frame: Quat,
    },
    /// Model space V by several source joints, of [`Plan::blends`].
    Blend {
        /// Which blend.
        blend: usize,
    },
    /// Local space v = left · w · right, whatever the parents do, for methods such as `rest-delta`.
    Local {
        /// Source joint.
        source: usize,
        /// Constant from the left.
        left: Quat,
        /// Constant from the right.
        right: Quat,
    },
}

/// The hips' place: model-space position of the target = linear · source position + offset, and what
/// [`LegsOp`] adds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TravelOp {
    /// Source joint.
    pub source: usize,
    /// Target joint.
    pub target: usize,
    /// Turn and scale from the source's to the target's file space.
    pub linear: Mat3,
    /// Target file units.
    pub offset: Vec3,
    /// Where the two bodies are unlike: the part that depends on the pose.
    pub legs: Option<LegsOp>,
    /// Size of the source's parent node in the rest pose: where it grows, the target's hips grow.
    pub parent_size: f32,
}

/// What unlike bodies add to the hips' travel: a lift along the source's legs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LegsOp {
    /// The source's foot joints.
    pub feet: [usize; 2],
    /// From the source's hips to the middle of its thigh joints, in the hips' axes, target file units.
    pub source_thighs: Vec3,
    /// The same of the target, in its hips' axes.
    pub target_thighs: Vec3,
    /// Up, in the axes of the source's hips.
    pub up: Vec3,
    /// Length of the lift, target file units.
    pub lift: f32,
    /// Feet nearer to the thighs than this show no direction.
    pub least: f32,
}

impl LegsOp {
    /// Where the target's hips are, given the source's hips and the middle of its feet (both turned and
    /// scaled to the target's file space) and the model-space rotations of both hips.
    pub fn place(
        &self,
        source_hips: Vec3,
        source_feet: Vec3,
        source_rotation: Quat,
        target_rotation: Quat,
    ) -> Vec3 {
        let thighs = source_hips + source_rotation * self.source_thighs;
        let legs = thighs - source_feet;
        let along = if legs.length() < self.least {
            source_rotation * self.up
        } else {
            legs.normalize_or_zero()
        };
        thighs + along * self.lift - target_rotation * self.target_thighs
    }
}

/// A local translation: target = linear · source + offset, both local.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearOp {
    /// Source joint.
    pub source: usize,
    /// Target joint.
    pub target: usize,
    /// Turn and scale between the parents' axes.
    pub linear: Mat3,
    /// Local target units.
    pub offset: Vec3,
}

impl LinearOp {
    /// The target's translation for one of the source.
    pub fn place(&self, translation: Vec3) -> Vec3 {
        self.linear * translation + self.offset
    }
}

/// A local scale: target = rest of the target · factor per axis of the source against its own rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScaleOp {
    /// Source joint.
    pub source: usize,
    /// Target joint.
    pub target: usize,
    /// A⁻¹ · B: which source axis is which target axis.
    pub frame: Quat,
    /// Seed 4's way: the lengths of the columns of left · diag(scale) · right instead.
    pub matrices: Option<(Mat3, Mat3)>,
}

/// Growth below this share is rounding.
pub(super) const GROWTH: f32 = 1e-5;

/// A joint is at its rest translation where it is off by less, as a share of that.
const AT_REST: f32 = 1e-5;

/// True where a joint is at its rest translation.
pub fn is_at_rest(now: Vec3, rest: Vec3) -> bool {
    now.distance(rest) <= AT_REST * rest.length()
}

impl ScaleOp {
    /// The target's local scale for a local scale of the source: `rest` where that is the source's own rest scale.
    pub fn stretched(&self, rest: Vec3, own: Vec3, value: Vec3) -> Vec3 {
        if value.abs_diff_eq(own, GROWTH) {
            rest
        } else {
            self.scaled(rest, own, value)
        }
    }

    /// The linear map behind [`stretched`](Self::stretched). A rest scale of 0 does not say how much the source grows.
    ///
    /// Where the axes of both are within 5 degrees of a permutation the factors are permuted; otherwise
    /// their geometric mean is used, so that no shear comes in.
    pub fn scaled(&self, rest: Vec3, own: Vec3, value: Vec3) -> Vec3 {
        if own.abs().min_element() < 1e-9 {
            return rest;
        }
        if let Some((left, right)) = self.matrices {
            let matrix = left * Mat3::from_diagonal(value) * right;
            return Vec3::new(
                matrix.x_axis.length(),
                matrix.y_axis.length(),
                matrix.z_axis.length(),
            );
        }
        let factors = value / own;
        let matrix = Mat3::from_quat(self.frame);
        let mut permuted = Vec3::ONE;
        let mut aligned = true;
        for axis in 0..3 {
            let weights = matrix.col(axis).abs();
            let from = weights.max_position();
            aligned &= weights[from] > 0.996;
            permuted[axis] = factors[from];
        }
        if aligned {
            rest * permuted
        } else {
            rest * (factors.x * factors.y * factors.z).abs().cube_root()
        }
    }
}

/// A target joint that is placed by the joint it belongs to in the body, not by its own parent: because
/// it is not below it (a foot beside the leg, moved by an IK control in its own tool), or because joints
/// between the two slide in the source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttachOp {
    /// Target joint.
    pub target: usize,
    /// Target joint that carries it.
    pub carrier: usize,
    /// Position in the carrier's axes, target file units.
    pub offset: Vec3,
    /// The same two joints of the source: what moves between them there moves here.
    pub source: Option<AttachSource>,
    /// Where not empty: the operation counts only where one of these source joints leaves its rest translation.
    pub only_if_sliding: Vec<usize>,
}

/// Parts of the way from carrier to joint by which the source's joints leave their rest places: the operation begins to count
/// at the first, and counts in full from the second on.
const SLIDES: [f32; 2] = [1e-3, 1e-2];

impl AttachOp {
    /// How much the operation counts where the source's joints have these translations, 0 to 1.
    pub(super) fn share(&self, rig: &Rig, translation: impl Fn(usize) -> Vec3) -> f32 {
        if self.only_if_sliding.is_empty() {
            return 1.0;
        }
        let (mut way, mut most) = (0.0f32, 0.0f32);
        for &joint in &self.only_if_sliding {
            let rest = rig.rest[joint].translation;
            way += rest.length();
            most = most.max(translation(joint).distance(rest));
        }
        let [least, whole] = SLIDES.map(|part| part * way);
        if most <= least {
            return 0.0;
        }
        smooth((most - least) / (whole - least))
    }

    /// True where the operation counts in some of these frames of the source.
    pub(super) fn counts_in(&self, rig: &Rig, joints: &[JointFrames<'_>], frames: usize) -> bool {
        let at = |frame: usize| move |joint: usize| joints[joint].at(frame).translation;
        (0..frames).any(|frame| self.share(rig, at(frame)) > 0.0)
    }
}

/// The source's half of an [`AttachOp`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttachSource {
    /// Source joint.
    pub joint: usize,
    /// Source joint that carries it.
    pub carrier: usize,
    /// Position in the source carrier's axes in the reference pose, source file units.
    pub offset: Vec3,
    /// Turn and scale from the source carrier's axes to the target carrier's.
    pub linear: Mat3,
}

/// Everything that is constant about one source rig driving one target rig.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The source's kinematics.
    pub source: Rig,
    /// The target's kinematics.
    pub target: Rig,
    /// Turns the source's file space to the target's.
    pub target_from_source: Quat,
    /// One operation a target joint.
    pub rotations: Vec<RotationOp>,
    /// What target joints follow that follow several source joints.
    pub blends: Vec<BlendOp>,
    /// All target joints, each behind its parent and behind the joint that carries it.
    pub order: Vec<usize>,
    /// The hips' travel.
    pub travel: Option<TravelOp>,
    /// Joints that slide along when their source joint slides.
    pub slides: Vec<LinearOp>,
    /// Joints that stretch along.
    pub scales: Vec<ScaleOp>,
    /// Joints beside the limb they belong to, carriers before the carried.
    pub attachments: Vec<AttachOp>,
    /// What happens to the pose behind the transfer, in this order.
    pub stages: Vec<Stage>,
}

impl Plan {
    /// The number of the stage that mirrors, which a workspace can switch on and off.
    pub fn mirror_stage(&self) -> Option<usize> {
        let mut stages = self.stages.iter();
        stages.position(|stage| matches!(stage.op, StageOp::Mirror(_)))
    }

    /// True where feet that touch are held on the target's floor.
    pub fn plants_feet(&self) -> bool {
        let planted = |stage: &Stage| match &stage.op {
            StageOp::Feet(feet) => feet.lock * stage.weight > 0.0,
            _ => false,
        };
        self.stages.iter().any(planted)
    }

    /// True where an attached joint hangs beside the limb that carries it, not below.
    pub fn is_beside(&self, attach: &AttachOp) -> bool {
        let mut above = self.target.up_from(self.target.parents[attach.target]);
        above.all(|joint| joint != attach.carrier)
    }

    /// Calls `see` with each source joint that an operation looks at.
    pub fn for_each_source(&self, operation: &RotationOp, mut see: impl FnMut(usize)) {
        match *operation {
            RotationOp::Rest | RotationOp::Carried { .. } => {}
            RotationOp::Model { source, .. } | RotationOp::Local { source, .. } => see(source),
            RotationOp::Spread { first, last, .. } => {
                see(first);
                see(last);
            }
            RotationOp::Blend { blend } => {
                let terms = self.blends.get(blend).map(|blend| blend.terms.as_slice());
                for term in terms.unwrap_or_default() {
                    see(term.source);
                }
            }
        }
    }
}

/// How much a transform enlarges: the cube root of its volume.
pub fn size_of(affine: &glam::Affine3A) -> f32 {
    affine.matrix3.determinant().abs().cube_root()
}

impl RotationOp {
    fn check(&self, sizes: Sizes, blends: usize) -> Checked {
        match *self {
            Self::Rest => Ok(()),
            Self::Model { source, .. } | Self::Local { source, .. } => {
                within([source], sizes.source)
            }
            Self::Spread { first, last, .. } => within([first, last], sizes.source),
            Self::Carried { carrier, .. } => within([carrier], sizes.target),
            Self::Blend { blend } => {
                ensure(blend < blends, "a joint follows a blend that there is not")
            }
        }
    }
}

impl Plan {
    /// Fails where it cannot run.
    pub(crate) fn check(&self) -> Checked {
        self.source.check()?;
        self.target.check()?;
        let sizes = Sizes {
            source: self.source.len(),
            target: self.target.len(),
        };
        ensure(
            [self.rotations.len(), self.order.len()] == [sizes.target; 2],
            "a plan has other joints than its target",
        )?;
        let blends = self.blends.len();
        self.rotations
            .iter()
            .try_for_each(|own| own.check(sizes, blends))?;
        within(self.order.iter().copied(), sizes.target)?;
        if let Some(travel) = &self.travel {
            let feet = travel.legs.iter().flat_map(|legs| legs.feet);
            within(feet.chain([travel.source]), sizes.source)?;
            within([travel.target], sizes.target)?;
        }
        let pairs = self.slides.iter().map(|own| (own.source, own.target));
        let pairs = pairs.chain(self.scales.iter().map(|own| (own.source, own.target)));
        for (source, target) in pairs {
            within([source], sizes.source)?;
            within([target], sizes.target)?;
        }
        for own in &self.attachments {
            within([own.target, own.carrier], sizes.target)?;
            let beside = own
                .source
                .iter()
                .flat_map(|source| [source.joint, source.carrier]);
            within(
                beside.chain(own.only_if_sliding.iter().copied()),
                sizes.source,
            )?;
        }
        let terms = self.blends.iter().flat_map(|blend| &blend.terms);
        within(terms.map(|term| term.source), sizes.source)?;
        self.stages
            .iter()
            .try_for_each(|stage| stage.check(sizes))?;
        ensure(
            is_runnable(self),
            "a joint is to be placed before the joint that carries it",
        )
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::Transform;

    /// A joint that slides through its rest does not throw what is attached from one carrier to the other.
    #[test]
    fn attachments_fade() {
        let at = |x: f32| Transform {
            translation: Vec3::new(x, 0.0, 0.0),
            ..Transform::IDENTITY
        };
        let rig = Rig {
            parents: vec![None, Some(0), Some(1)],
            rest: vec![at(0.0), at(0.3), at(0.7)],
        };
        let attach = AttachOp {
            target: 0,
            carrier: 0,
            offset: Vec3::ZERO,
            source: None,
            only_if_sliding: vec![1, 2],
        };
        let share = |slide: f32| {
            let now = |joint: usize| rig.rest[joint].translation + slide * Vec3::Y;
            attach.share(&rig, now)
        };
        assert_eq!([0.0, 0.0005, 0.011, 1.0].map(share), [0.0, 0.0, 1.0, 1.0]);
        for step in -20..20 {
            let [now, next] = [step, step + 1].map(|step| share(0.001 * step as f32));
            assert!((next - now).abs() < 0.2, "{step}: {now} {next}");
        }
    }
}
