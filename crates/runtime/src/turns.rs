//! Where the local rotations of target joints come from.
//!
//! Where a target joint follows a source joint, and its parent one further up the same chain, its local rotation is
//! v = C_p⁻¹ · w₁ … w_n · C, with constants C_p and C: one matrix by the product of the source's local rotations
//! between the two, and no model space at all. For rigs that go together joint by joint that is nearly every joint, with
//! one rotation each. Source: docs/laws.md, "Local transfer by two constants".

use super::kernel::sandwich_matrix;
use super::op::{Plan, RotationOp};
use glam::{Mat4, Quat};
use rebone_model::rotation::normalized_or_identity;

/// A matrix that differs from the identity by less, in every entry, is the identity.
const IDENTITY: f32 = 2e-6;

/// Where a target joint's local rotation comes from.
#[derive(Clone, Debug)]
pub(super) enum Turn {
    /// It stays at rest.
    Keep,
    /// A constant matrix by a product of the source's local rotations.
    Chain(Chain),
    /// The operation gives V in model space; the parent's brings it to local space.
    Model(RotationOp),
}

/// A local rotation left · w₁ … w_n · right.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// Source joints, each above the next; none where the rotation is constant.
    pub(super) joints: Vec<usize>,
    left: Quat,
    right: Quat,
    /// What makes the rotation of the product.
    pub(super) matrix: Mat4,
}

impl Chain {
    fn new(joints: Vec<usize>, left: Quat, right: Quat) -> Self {
        let matrix = sandwich_matrix(left, right);
        let is_identity = matrix.abs_diff_eq(Mat4::IDENTITY, IDENTITY);
        Self {
            joints,
            left,
            right,
            matrix: if is_identity { Mat4::IDENTITY } else { matrix },
        }
    }

    /// The matrix by the one joint that moves, at a place in the list, where the others have these rotations.
    pub(super) fn matrix_of(&self, moving: usize, rotations: impl Fn(usize) -> Quat) -> Mat4 {
        let product = |joints: &[usize]| {
            let rotations = joints.iter().map(|&joint| rotations(joint));
            rotations.fold(Quat::IDENTITY, |product, rotation| product * rotation)
        };
        let left = self.left * product(&self.joints[..moving]);
        let right = product(&self.joints[moving + 1..]) * self.right;
        sandwich_matrix(left, right)
    }
}

/// How a target joint's model-space rotation follows from the source, whatever the source does.
#[derive(Clone, Copy)]
pub(super) enum Follows {
    /// Nothing: it never changes. In the axes of the source's file.
    Still(Quat),
    /// W of a source joint, times a constant.
    Source(usize, Quat),
    /// Anything else.
    Free,
}

/// Where each target joint's local rotation comes from, and how it turns in model space.
pub(super) fn turns(plan: &Plan) -> (Vec<Turn>, Vec<Follows>) {
    let count = plan.target.len();
    let mut turns = vec![Turn::Keep; count];
    let mut follows = vec![Follows::Free; count];
    for &joint in &plan.order {
        let above = match plan.target.parents[joint] {
            Some(parent) => follows[parent],
            None => Follows::Still(plan.target_from_source.conjugate()),
        };
        (turns[joint], follows[joint]) = match reduced(&plan.rotations[joint], &follows) {
            RotationOp::Rest => {
                let rest = plan.target.rest[joint].rotation;
                let follows = match above {
                    Follows::Still(above) => Follows::Still(above * rest),
                    Follows::Source(source, constant) => Follows::Source(source, constant * rest),
                    Follows::Free => Follows::Free,
                };
                (Turn::Keep, follows)
            }
            RotationOp::Local {
                source,
                left,
                right,
            } => {
                let chain = Chain::new(vec![source], left, right);
                (Turn::Chain(chain), Follows::Free)
            }
            RotationOp::Model { source, frame } => {
                let turn = match chain_below(plan, above, source) {
                    Some((left, joints)) => Turn::Chain(Chain::new(joints, left, frame)),
                    None => Turn::Model(RotationOp::Model { source, frame }),
                };
                (turn, Follows::Source(source, frame))
            }
            other => (Turn::Model(other), Follows::Free),
        };
    }
    (turns, follows)
}

/// The same operation as one by a single source joint, where it is that.
fn reduced(operation: &RotationOp, follows: &[Follows]) -> RotationOp {
    match *operation {
        RotationOp::Carried { carrier, frame } => match follows[carrier] {
            Follows::Source(source, constant) => RotationOp::Model {
                source,
                frame: constant * frame,
            },
            Follows::Still(_) | Follows::Free => *operation,
        },
        RotationOp::Spread {
            last,
            last_inverse,
            frame,
            fraction,
            ..
        } if fraction >= 1.0 => RotationOp::Model {
            source: last,
            frame: normalized_or_identity(last_inverse * frame),
        },
        _ => *operation,
    }
}

/// The source joints down to `source` from below the one that a target joint's parent follows, with the constant
/// before their product; `None` where the parent follows none above it.
fn chain_below(plan: &Plan, parent: Follows, source: usize) -> Option<(Quat, Vec<usize>)> {
    let (above, left) = match parent {
        Follows::Still(rotation) => (None, rotation.conjugate()),
        Follows::Source(above, constant) => (Some(above), constant.conjugate()),
        Follows::Free => return None,
    };
    let mut joints = Vec::new();
    let mut at = Some(source);
    while at != above {
        let joint = at?;
        joints.push(joint);
        at = plan.source.parents[joint];
    }
    joints.reverse();
    Some((left, joints))
}

/// The ends of the bend that a joint has a share of, and what turns them.
pub(super) fn bend_of(turn: &Turn) -> Option<(usize, usize, Quat, Quat)> {
    match *turn {
        Turn::Model(RotationOp::Spread {
            first,
            last,
            first_inverse,
            last_inverse,
            ..
        }) => Some((first, last, first_inverse, last_inverse)),
        _ => None,
    }
}
