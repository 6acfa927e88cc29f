//! A re-based skin, to bytes and back.
//!
//! Behind the stages stands a `u8`, 0 for none. Then the nodes behind the container (a count; of each its parent, its
//! source joint, a `u8` with 1 for taking translations and 2 for taking scales, its rest translation, and its rest
//! scale where it does not take the source's), in front of them the container's translation and scale, and behind
//! them for each joint of the target its node, a `u8` with 1 for driven, and the matrix. Rest rotations are those of
//! the plan.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::Plan;
use crate::rebind::{BoundJoint, Rebind, RebindNode};
use glam::{Affine3A, Mat3, Vec3};
use rebone_model::Transform;

/// Fewest bytes of a node: parent, source joint, flags, translation.
const LEAST_NODE: usize = 2 + 2 + 1 + 12;

const TAKES_TRANSLATION: u8 = 1;
const TAKES_SCALE: u8 = 2;

impl Writer {
    pub(super) fn rebind(&mut self, rebind: Option<&Rebind>) -> Result<(), AssetError> {
        let Some((rebind, (container, nodes))) =
            rebind.and_then(|rebind| Some((rebind, rebind.nodes.split_first()?)))
        else {
            self.bytes.push(0);
            return Ok(());
        };
        self.bytes.push(1);
        self.vec3(container.rest.translation);
        self.vec3(container.rest.scale);
        self.count(nodes.len(), "nodes")?;
        for node in nodes {
            self.joint(node.parent.unwrap_or(0))?;
            self.joint(node.source.unwrap_or(0))?;
            let mut flags = 0;
            if node.takes_translation {
                flags |= TAKES_TRANSLATION;
            }
            if node.takes_scale {
                flags |= TAKES_SCALE;
            }
            self.bytes.push(flags);
            self.vec3(node.rest.translation);
            if !node.takes_scale {
                self.vec3(node.rest.scale);
            }
        }
        for joint in &rebind.joints {
            self.joint(joint.node)?;
            self.bytes.push(u8::from(joint.is_driven));
            self.mat3(Mat3::from(joint.node_from_joint.matrix3));
            self.vec3(joint.node_from_joint.translation.into());
        }
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn rebind(&mut self, plan: &Plan) -> Result<Option<Rebind>, AssetError> {
        if !self.flag()? {
            return Ok(None);
        }
        let sizes = Sizes {
            source: plan.source.len(),
            target: plan.target.len(),
        };
        let container = RebindNode {
            parent: None,
            source: None,
            rest: Transform {
                translation: self.vec3()?,
                rotation: plan.target_from_source,
                scale: self.vec3()?,
            },
            takes_translation: false,
            takes_scale: false,
        };
        let mut nodes = vec![container];
        let behind = self.list(LEAST_NODE, |reader| reader.node(plan))?;
        for node in behind {
            // Parents come before their children.
            if node.parent >= Some(nodes.len()) {
                return Err(self.damaged("a node comes before its parent"));
            }
            nodes.push(node);
        }
        let joints = (0..sizes.target)
            .map(|_| self.bound_joint(nodes.len()))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Rebind { nodes, joints }))
    }

    fn node(&mut self, plan: &Plan) -> Result<RebindNode, AssetError> {
        // A chain of copies may be longer than the rig, so only the place in the list limits a parent.
        let parent = self.joint(usize::from(u16::MAX))?;
        let source = self.joint(plan.source.len())?;
        let flags = self.byte()?;
        if flags & !(TAKES_TRANSLATION | TAKES_SCALE) != 0 {
            return Err(self.damaged("a node takes what there is not"));
        }
        let own = plan.source.rest[source];
        let translation = self.vec3()?;
        let takes_scale = flags & TAKES_SCALE != 0;
        let scale: Vec3 = if takes_scale { own.scale } else { self.vec3()? };
        Ok(RebindNode {
            parent: Some(parent),
            source: Some(source),
            rest: Transform {
                translation,
                rotation: own.rotation,
                scale,
            },
            takes_translation: flags & TAKES_TRANSLATION != 0,
            takes_scale,
        })
    }

    fn bound_joint(&mut self, nodes: usize) -> Result<BoundJoint, AssetError> {
        let node = self.joint(nodes)?;
        let is_driven = self.flag()?;
        if is_driven && node == 0 {
            return Err(self.damaged("a joint follows what does not move"));
        }
        Ok(BoundJoint {
            node,
            node_from_joint: Affine3A::from_mat3_translation(self.mat3()?, self.vec3()?),
            is_driven,
        })
    }
}
