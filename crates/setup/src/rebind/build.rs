//! The retargeted bind pose of a compiled pair.

use super::tree::{Tree, affine};
use crate::align::{Alignment, unit};
use crate::compile::Compiled;
use glam::{DAffine3, DQuat, Vec3};
use rebone_model::elementary::Elementary as _;
use rebone_model::{LocalPose, Transform};
use rebone_runtime::rebind::{BoundJoint, Rebind};
use rebone_runtime::{Plan, RotationOp, Workspace, apply_pose};

/// A re-based skeleton with the double-precision matrices that it was made of.
#[derive(Clone, Debug)]
pub struct RetargetedBind {
    /// What is needed at run time.
    pub rebind: Rebind,
    /// Retargeted bind pose of each node, relative to its parent.
    pub local: Vec<DAffine3>,
    /// Retargeted bind pose K of each node in the target's model space; its inverse is what a skin needs.
    pub world: Vec<DAffine3>,
    /// R of each joint of the target: its matrix in the retarget pose, model space.
    pub pose_retarget: Vec<DAffine3>,
    /// The source's retarget pose, local: its pose at which K and R belong together.
    pub source_pose: LocalPose,
    /// The node of the hips.
    pub hips: Option<usize>,
    /// Joints of the target that a retarget bends between several joints of the source, and a node cannot.
    pub shared_out: Vec<usize>,
    /// Joints of the target whose source joint does not hang from what carries them in the target (a foot beside
    /// the leg): rotations alone do not place them, so their nodes need keys of translation.
    pub beside: Vec<usize>,
}

/// Re-bases the target of a compiled pair onto the source's skeleton.
pub fn rebind(compiled: &Compiled) -> RetargetedBind {
    // What stages do depends on the frame, so it cannot be in a matrix.
    let plan = Plan {
        stages: Vec::new(),
        ..compiled.plan.clone()
    };
    let drivers: Vec<Option<Driver>> = (plan.rotations.iter())
        .map(|operation| driver(&plan, operation))
        .collect();
    let mut is_driver = vec![false; plan.source.len()];
    for driver in drivers.iter().flatten() {
        is_driver[driver.source] = true;
    }
    let source_pose = retarget_pose(&plan, &compiled.source, &is_driver);
    let pose_retarget = target_affines(&plan, &source_pose);
    let container = Transform {
        translation: Vec3::ZERO,
        rotation: plan.target_from_source,
        scale: Vec3::splat(container_scale(&plan, compiled) as f32),
    };
    let (parents, rest) = (&plan.source.parents, &plan.source.rest);
    let mut nodes = Nodes {
        plan: &plan,
        drivers: &drivers,
        is_driver: &is_driver,
        pose_retarget: &pose_retarget,
        tree: Tree::new(parents, rest, source_pose.transforms(), container),
        of_joint: vec![0; plan.target.len()],
        is_driven: vec![false; plan.target.len()],
        beside: Vec::new(),
    };
    let hips = nodes.put_hips();
    for &joint in &plan.order {
        if !nodes.is_driven[joint] {
            nodes.put(joint);
        }
    }
    nodes.tree.fill();
    let joints = nodes.bound_joints();
    let Nodes { tree, beside, .. } = nodes;
    let is_inexact = |joint: &usize| {
        drivers[*joint]
            .as_ref()
            .is_some_and(|driver| !driver.is_exact)
    };
    RetargetedBind {
        rebind: Rebind {
            joints,
            nodes: tree.nodes,
        },
        local: tree.local,
        world: tree.world,
        shared_out: (0..plan.target.len()).filter(is_inexact).collect(),
        pose_retarget,
        beside,
        source_pose,
        hips,
    }
}

/// The matrices of the target's joints in model space, if the source stands like this.
fn target_affines(plan: &Plan, source_pose: &LocalPose) -> Vec<DAffine3> {
    let mut target_pose = plan.target.rest_pose();
    apply_pose(
        plan,
        source_pose,
        &mut target_pose,
        &mut Workspace::new(plan),
    );
    model_affines(&plan.target.parents, target_pose.transforms())
}

/// The nodes that carry the target's joints.
struct Nodes<'a> {
    plan: &'a Plan,
    /// The driver of each joint of the target.
    drivers: &'a [Option<Driver>],
    /// Which joints of the source are drivers.
    is_driver: &'a [bool],
    pose_retarget: &'a [DAffine3],
    tree: Tree<'a>,
    /// The node of each joint of the target.
    of_joint: Vec<usize>,
    is_driven: Vec<bool>,
    /// Joints whose driver does not hang from what carries them.
    beside: Vec<usize>,
}

impl Nodes<'_> {
    /// Puts the hips where the target has them. Returns their node, if the body travels.
    fn put_hips(&mut self) -> Option<usize> {
        let travel = self.plan.travel?;
        let node = self.tree.root_path(travel.source);
        let wanted = self.pose_retarget[travel.target].translation;
        self.tree.shift(wanted - self.tree.world[node].translation);
        self.of_joint[travel.target] = node;
        self.is_driven[travel.target] = true;
        Some(node)
    }

    /// Gives a joint its node: that of its carrier, unless another joint of the source turns it.
    fn put(&mut self, joint: usize) {
        let owner = carrier(self.plan, joint).map_or(0, |carrier| self.of_joint[carrier]);
        self.of_joint[joint] = match &self.drivers[joint] {
            None => owner,
            Some(driver) if self.tree.nodes[owner].source == Some(driver.source) => owner,
            Some(driver) => {
                self.is_driven[joint] = true;
                let place = self.pose_retarget[joint].translation;
                if !self.tree.carries(owner, driver.source) {
                    self.beside.push(joint);
                }
                self.tree.chain(owner, driver.source, place, self.is_driver)
            }
        };
    }

    fn bound_joints(&self) -> Vec<BoundJoint> {
        let joints = self.of_joint.iter().enumerate();
        joints
            .map(|(joint, &node)| {
                let node_from_joint = self.tree.world[node].inverse() * self.pose_retarget[joint];
                BoundJoint {
                    node,
                    node_from_joint: node_from_joint.as_affine3a(),
                    is_driven: self.is_driven[joint],
                }
            })
            .collect()
    }
}

/// The source joint that turns a target joint.
struct Driver {
    source: usize,
    is_exact: bool,
}

fn driver(plan: &Plan, operation: &RotationOp) -> Option<Driver> {
    let exact = |source: usize| Driver {
        source,
        is_exact: true,
    };
    Some(match *operation {
        RotationOp::Rest | RotationOp::Carried { .. } => return None,
        RotationOp::Model { source, .. } | RotationOp::Local { source, .. } => exact(source),
        RotationOp::Blend { blend } => {
            let terms = &plan.blends[blend].terms;
            let heaviest = terms.iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?;
            Driver {
                source: heaviest.source,
                is_exact: terms.len() == 1 && plan.blends[blend].along.is_none(),
            }
        }
        RotationOp::Spread {
            first,
            last,
            fraction,
            ..
        } => {
            if first == last || fraction <= 0.0 {
                exact(first)
            } else if fraction >= 1.0 {
                exact(last)
            } else {
                Driver {
                    source: nearest_joint(plan, first, last, fraction),
                    is_exact: false,
                }
            }
        }
    })
}

/// The joint from `first` down to `last` that bends most nearly as far as a joint at `fraction` of the whole
/// bend: joint k of n bends (2k − 1)/(2n − 1) of it, `first` nothing.
fn nearest_joint(plan: &Plan, first: usize, last: usize, fraction: f32) -> usize {
    let mut path = Vec::new();
    let mut at = Some(last);
    while let Some(joint) = at.filter(|&joint| joint != first) {
        path.push(joint);
        at = plan.source.parents[joint];
    }
    if at.is_none() {
        path.truncate(1);
    }
    path.reverse();
    let whole = (2 * path.len()).saturating_sub(1).max(1) as f32;
    let knots = path
        .into_iter()
        .enumerate()
        .map(|(k, joint)| (joint, (2 * k + 1) as f32 / whole));
    let mut best = (first, fraction.abs());
    for (joint, at) in knots {
        let off = (at - fraction).abs();
        if off < best.1 {
            best = (joint, off);
        }
    }
    best.0
}

/// The target joint that a target joint moves with.
fn carrier(plan: &Plan, joint: usize) -> Option<usize> {
    let attached =
        (plan.attachments.iter()).find(|attach| attach.target == joint && plan.is_beside(attach));
    match (attached, plan.rotations[joint]) {
        (Some(attach), _) => Some(attach.carrier),
        (None, RotationOp::Carried { carrier, .. }) => Some(carrier),
        (None, _) => plan.target.parents[joint],
    }
}

/// How much larger the target is than the source, in file units: by the hips' travel where there is one, so
/// that the source's own keys carry them.
fn container_scale(plan: &Plan, compiled: &Compiled) -> f64 {
    let travel = plan.travel.map(|travel| {
        let volume = f64::from(travel.linear.determinant());
        volume.abs().cube_root()
    });
    let (from, to) = (&compiled.source.measures, &compiled.target.measures);
    let heights = (from.height > 1e-9 && to.height > 1e-9).then(|| to.height / from.height);
    travel
        .filter(|scale| *scale > 1e-9)
        .or(heights)
        .unwrap_or(1.0)
}

/// The source's retarget pose. Above the hips, and where no slot says otherwise, it is the rest pose.
fn retarget_pose(plan: &Plan, source: &Alignment, is_driver: &[bool]) -> LocalPose {
    let rig = &plan.source;
    let mut above_hips = vec![false; rig.len()];
    let mut at = plan.travel.and_then(|travel| rig.parents[travel.source]);
    while let Some(joint) = at {
        above_hips[joint] = true;
        at = rig.parents[joint];
    }
    let file_from_canonical = source.canonical_from_file.conjugate();
    let mut model: Vec<DQuat> = Vec::with_capacity(rig.len());
    let mut pose = rig.rest.clone();
    for (joint, local) in pose.iter_mut().enumerate() {
        let parent = rig.parents[joint].map_or(DQuat::IDENTITY, |parent| model[parent]);
        let is_aligned =
            !above_hips[joint] && (source.slot_of_joint[joint].is_some() || is_driver[joint]);
        if is_aligned {
            let own = file_from_canonical * source.retarget_rotation(joint);
            local.rotation = unit(parent.conjugate() * own).as_quat();
        }
        model.push(unit(parent * unit(local.rotation.as_dquat())));
    }
    LocalPose::new(pose)
}

/// Model space from joint space for each joint, parents first.
fn model_affines(parents: &[Option<usize>], pose: &[Transform]) -> Vec<DAffine3> {
    let mut result: Vec<DAffine3> = Vec::with_capacity(parents.len());
    for (parent, local) in parents.iter().zip(pose) {
        let local = affine(local);
        result.push(parent.map_or(local, |parent| result[parent] * local));
    }
    result
}
