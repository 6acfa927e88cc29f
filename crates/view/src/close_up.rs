//! The part of a body that a close-up shows.

use crate::bones::{Drawing, Resting};
use crate::skinning::Surface;
use rebone_model::{Character, Mesh};

/// A joint in no slot belongs to the part if it rests this near to the part's first joint; in heights of the body.
/// Fingers do (0.11 for adults), long hair and skirts do not.
const REACH: f32 = 0.14;

/// Which joints, bones and vertices belong to the part.
pub(crate) struct CloseUp {
    /// One per joint.
    pub(crate) joints: Vec<bool>,
    /// Per surface, one per vertex: the joint that moves it most belongs to the part.
    pub(crate) vertices: Vec<Vec<bool>>,
}

impl CloseUp {
    /// The part that hangs from `roots`; `None` if there are no such joints.
    pub(crate) fn new(
        body: Resting<'_>,
        surfaces: &[Surface<'_>],
        drawing: &Drawing,
        roots: &[usize],
    ) -> Option<Self> {
        let Resting {
            character,
            slots,
            world: rest,
            height,
        } = body;
        let skeleton = &character.skeleton;
        let mut is_drawn = vec![false; rest.len()];
        for knob in &drawing.knobs {
            is_drawn[knob.joint] = true;
        }
        let mut joints = vec![false; rest.len()];
        for &root in roots.iter().filter(|&&root| root < rest.len()) {
            joints[root] = true;
            for joint in (0..rest.len()).filter(|&joint| skeleton.is_ancestor(root, joint)) {
                let distance = (rest[joint].translation - rest[root].translation).length();
                let has_slot = slots.get(joint).is_some_and(Option::is_some);
                joints[joint] |= has_slot || (is_drawn[joint] && distance < REACH * height);
            }
        }
        let is_empty = !joints.contains(&true);
        let vertices = surfaces
            .iter()
            .map(|surface| vertices_of(character, surface.mesh, &joints));
        let vertices = vertices.collect();
        (!is_empty).then_some(Self { joints, vertices })
    }
}

fn vertices_of(character: &Character, mesh: &Mesh, joints: &[bool]) -> Vec<bool> {
    let is_part = |joint: Option<&usize>| joint.and_then(|&joint| joints.get(joint)) == Some(&true);
    let Some(skin) = mesh.skin.and_then(|skin| character.skins.get(skin)) else {
        return vec![is_part(mesh.joint.as_ref()); mesh.positions.len()];
    };
    let mut found: Vec<bool> = mesh
        .joint_slots
        .iter()
        .zip(&mesh.joint_weights)
        .map(|(slots, weights)| {
            let pairs = slots.iter().zip(weights);
            let most = pairs.max_by(|a, b| a.1.total_cmp(b.1));
            most.is_some_and(|(&slot, _)| is_part(skin.joints.get(usize::from(slot))))
        })
        .collect();
    found.resize(mesh.positions.len(), false);
    found
}
