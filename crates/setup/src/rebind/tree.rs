//! Grows the re-based skeleton joint by joint.

use glam::{DAffine3, DVec3, Vec3};
use rebone_model::Transform;
use rebone_model::elementary::Elementary as _;
use rebone_runtime::rebind::RebindNode;

/// Unequal scales by less than this count as equal.
const EQUAL: f32 = 1e-4;

/// Where a new node lies.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Where the source has it; its keys of translation count.
    Own,
    /// As far from its parent as in the source.
    Offset,
    /// Here, in model space.
    At(DVec3),
}

/// The skeleton so far, standing in the retarget pose.
pub(super) struct Tree<'a> {
    parents: &'a [Option<usize>],
    rest: &'a [Transform],
    pose: &'a [Transform],
    pub(super) nodes: Vec<RebindNode>,
    /// Retargeted bind pose: K of each node, local and in model space.
    pub(super) local: Vec<DAffine3>,
    pub(super) world: Vec<DAffine3>,
    /// The first node of each source joint.
    original: Vec<Option<usize>>,
}

impl<'a> Tree<'a> {
    /// A container alone, for a source rig (`parents`, `rest`) in its retarget pose.
    pub(super) fn new(
        parents: &'a [Option<usize>],
        rest: &'a [Transform],
        pose: &'a [Transform],
        container: Transform,
    ) -> Self {
        let mut tree = Self {
            parents,
            rest,
            pose,
            nodes: Vec::with_capacity(parents.len() + 1),
            local: Vec::with_capacity(parents.len() + 1),
            world: Vec::with_capacity(parents.len() + 1),
            original: vec![None; parents.len()],
        };
        tree.nodes.push(RebindNode {
            parent: None,
            source: None,
            rest: container,
            takes_translation: false,
            takes_scale: false,
        });
        tree.local.push(affine(&container));
        tree.world.push(affine(&container));
        tree
    }

    /// Moves the container, so that what is below it moves by `way` in model space.
    pub(super) fn shift(&mut self, way: DVec3) {
        let rest = &mut self.nodes[0].rest;
        rest.translation = (rest.translation.as_dvec3() + way).as_vec3();
        self.local[0] = affine(rest);
        for index in 0..self.nodes.len() {
            let above = self.nodes[index].parent;
            let above = above.map_or(DAffine3::IDENTITY, |above| self.world[above]);
            self.world[index] = above * self.local[index];
        }
    }

    /// The nodes from the container down to a joint and the joint itself, all where the source has them.
    pub(super) fn root_path(&mut self, joint: usize) -> usize {
        let mut node = 0;
        for joint in self.path(None, joint).unwrap_or_default() {
            node = self.push(joint, node, Place::Own);
            self.original[joint] = Some(node);
        }
        node
    }

    /// A node for a joint at a place, so that it moves with node `anchor` and turns with all joints between.
    /// Joints of which `is_driver` holds keep their first node for themselves.
    pub(super) fn chain(
        &mut self,
        anchor: usize,
        joint: usize,
        place: DVec3,
        is_driver: &[bool],
    ) -> usize {
        let (mut node, path) = match self.path(self.nodes[anchor].source, joint) {
            Some(path) => (anchor, path),
            // The target hangs this joint from one that does not carry it in the source.
            None => self.nearest(joint),
        };
        for step in path {
            node = self.push(step, node, Place::At(place));
            if self.original[step].is_none() && (step == joint || !is_driver[step]) {
                self.original[step] = Some(node);
            }
        }
        node
    }

    /// True where a joint hangs from the joint of a node in the source too.
    pub(super) fn carries(&self, anchor: usize, joint: usize) -> bool {
        self.path(self.nodes[anchor].source, joint).is_some()
    }

    /// Nodes for all joints that have none yet.
    pub(super) fn fill(&mut self) {
        for joint in 0..self.parents.len() {
            if self.original[joint].is_none() {
                let above = self.parents[joint].and_then(|above| self.original[above]);
                let node = self.push(joint, above.unwrap_or(0), Place::Offset);
                self.original[joint] = Some(node);
            }
        }
    }

    /// The nearest joint above that has a node, and the way down from it.
    fn nearest(&self, joint: usize) -> (usize, Vec<usize>) {
        let mut path = vec![joint];
        let mut at = self.parents[joint];
        while let Some(above) = at {
            if let Some(node) = self.original[above] {
                path.reverse();
                return (node, path);
            }
            path.push(above);
            at = self.parents[above];
        }
        path.reverse();
        (0, path)
    }

    /// The joints below `above` down to `joint`, from above; `None` where one does not lead to the other.
    fn path(&self, above: Option<usize>, joint: usize) -> Option<Vec<usize>> {
        let mut path = Vec::new();
        let mut at = Some(joint);
        while at != above {
            let here = at?;
            path.push(here);
            at = self.parents[here];
        }
        path.reverse();
        Some(path)
    }

    fn push(&mut self, joint: usize, parent: usize, place: Place) -> usize {
        let (own, posed) = (self.rest[joint], self.pose[joint]);
        let (scale, takes_scale) = equal_scale(own.scale);
        let translation = match place {
            Place::Own | Place::Offset => own.translation,
            Place::At(place) => {
                let inverse = self.world[parent].inverse();
                inverse.transform_point3(place).as_vec3()
            }
        };
        let local = affine(&Transform {
            translation,
            rotation: posed.rotation,
            scale,
        });
        self.nodes.push(RebindNode {
            parent: Some(parent),
            source: Some(joint),
            rest: Transform {
                translation,
                rotation: own.rotation,
                scale,
            },
            takes_translation: matches!(place, Place::Own),
            takes_scale,
        });
        self.local.push(local);
        self.world.push(self.world[parent] * local);
        self.nodes.len() - 1
    }
}

/// A local transform as a double-precision matrix.
pub(super) fn affine(transform: &Transform) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        transform.scale.as_dvec3(),
        crate::align::unit(transform.rotation.as_dquat()),
        transform.translation.as_dvec3(),
    )
}

/// One factor for all axes, and whether it is the joint's own scale.
fn equal_scale(scale: Vec3) -> (Vec3, bool) {
    let volume = (scale.x * scale.y * scale.z).abs();
    if volume < 1e-18 || !volume.is_finite() {
        return (Vec3::ONE, false);
    }
    let mean = volume.cube_root();
    if scale.abs_diff_eq(Vec3::splat(mean), EQUAL * mean) {
        (scale, true)
    } else {
        (Vec3::splat(mean), false)
    }
}
