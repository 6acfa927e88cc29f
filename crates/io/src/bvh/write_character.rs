//! Any skeleton as a new BVH.
//!
//! ```text
//! P, Q      position and rotation of a joint in model space, at a frame;  P₀, Q₀  in the rest pose
//! p         the joint's parent among the joints
//! OFFSET  = P₀ - P₀ₚ
//! G       = Q Q₀⁻¹                   rotation away from the rest pose
//! rotation channels = Gₚ⁻¹ G         (= Q₀ₚ local Q₀⁻¹)
//! position channels = Gₚ⁻¹ (P - Pₚ)
//! ```
//!
//! The zero pose of the file is the rest pose of the skeleton, in model axes. By induction every
//! joint's position is exact: Pₚ + Gₚ Gₚ⁻¹ (P - Pₚ) = P. Where the last line gives OFFSET at every frame
//! the joint needs no position channels. Nodes above and between the joints need no place of their own:
//! P and Q hold them, and their scale lies in the lengths.

use super::frames::{Frames, Sampled};
use super::text::{DECIMALS, length_decimals};
use super::tree::{ORDER, Placements, Tree};
use super::write::{WriteOptions, check_tracks, push_motion, scale_warning};
use crate::document::Output;
use crate::error::Error;
use crate::euler::{EulerSolver, unit};
use glam::{DQuat, DVec3, Vec3};
use rebone_model::{Character, Clip, Warning};

/// Numbers kept for each joint and frame: position, then angles.
const VALUES: usize = 6;

/// A joint that deviates from its OFFSET by more than this, relative to the body's size, gets position
/// channels.
const STILL: f64 = 1e-6;

/// Writes a skeleton, and a motion of it, as a new BVH file.
///
/// The file's zero pose is the skeleton's rest pose in model axes, so a T-pose stays one whatever the
/// joints' own axes are. Joint positions are those of the skeleton at every frame. Ancestors
/// ([`rebone_model::JointKind::Ancestor`]) are no joints of the file; their transforms and their motion are in the
/// root's. Scale is in the lengths; where it is animated or not uniform the positions stay right, and
/// the warning `bvh-scale-lost` says that the scale itself is lost. Joints that only turn get three
/// channels (Z, X, Y), roots and joints that move six. Several roots are joined under a joint `Root`.
/// White space and braces in names become underscores; equal names get a number. A leaf without end
/// point gets an `End Site` on the joint itself.
///
/// Without clip the file has one frame, the rest pose. Fails where the skeleton has no joint.
pub fn write_character(
    character: &Character,
    clip: Option<&Clip>,
    options: &WriteOptions,
) -> Result<Output, Error> {
    let scale = options.scale()?;
    if let Some(clip) = clip {
        check_tracks(character, clip)?;
    }
    let frames = Frames::of(clip, options)?;
    let tree = Tree::new(&character.skeleton, scale)?;
    let mut motion = Motion::new(&tree, character, clip, &frames, scale);
    motion.mark_moving(&tree);
    let mut warnings = Vec::new();
    warn_about_scale(character, clip, &mut warnings);
    let mut bytes = Vec::new();
    let mut decimals = Vec::new();
    let lengths = length_decimals(tree.size);
    tree.push_hierarchy(&mut bytes, &motion.moves);
    if tree.is_joined() {
        decimals.extend([DECIMALS; VALUES]);
    }
    for &node in &tree.order {
        if motion.moves[node] {
            decimals.extend([lengths; 3]);
        }
        decimals.extend([DECIMALS; 3]);
    }
    let rows = motion.rows(&tree);
    push_motion(&mut bytes, &frames, &rows, &decimals, b"\n")?;
    Ok(Output { bytes, warnings })
}

/// Position and angles of every node at every frame.
struct Motion {
    /// [`VALUES`] numbers a node and frame, frame after frame.
    values: Vec<f64>,
    /// For each node, whether it needs position channels.
    moves: Vec<bool>,
}

impl Motion {
    fn new(
        tree: &Tree,
        character: &Character,
        clip: Option<&Clip>,
        frames: &Frames,
        scale: f64,
    ) -> Self {
        let skeleton = &character.skeleton;
        let sampled: Vec<_> = (skeleton.joints().iter().enumerate())
            .map(|(index, joint)| {
                let tracks = clip.map(|clip| &clip.joints[index]);
                let (rest, times) = (joint.rest, frames.times.as_slice());
                let translation = tracks.and_then(|tracks| tracks.translation.as_ref());
                let rotation = tracks.and_then(|tracks| tracks.rotation.as_ref());
                let factors = tracks.and_then(|tracks| tracks.scale.as_ref());
                (
                    Sampled::new(translation, rest.translation, times),
                    Sampled::new(rotation, rest.rotation, times),
                    Sampled::new(factors, rest.scale, times),
                )
            })
            .collect();
        let mut solvers =
            vec![EulerSolver::new(&ORDER.map(|axis| axis as usize)); tree.nodes.len()];
        let mut values = vec![0.0; frames.times.len() * tree.nodes.len() * VALUES];
        let mut model = Placements::default();
        let mut turned: Vec<DQuat> = Vec::with_capacity(tree.nodes.len());
        let rows = values.chunks_exact_mut(tree.nodes.len() * VALUES);
        for (frame, row) in rows.enumerate() {
            model.update(skeleton, |joint| {
                let (translation, rotation, scale) = &sampled[joint];
                (translation.at(frame), rotation.at(frame), scale.at(frame))
            });
            turned.clear();
            for ((node, solver), values) in tree
                .nodes
                .iter()
                .zip(&mut solvers)
                .zip(row.chunks_exact_mut(VALUES))
            {
                let (position_values, angles) = values.split_at_mut(3);
                let rotation = unit(model.rotations[node.joint] * node.rest_inverse);
                let mut position = model.affines[node.joint].translation;
                let mut local = rotation;
                if let Some(parent) = node.parent {
                    let parent_inverse = turned[parent].conjugate();
                    let from = model.affines[tree.nodes[parent].joint].translation;
                    position = parent_inverse * (position - from);
                    local = parent_inverse * rotation;
                }
                position_values.copy_from_slice(&(position * scale).to_array());
                solver.solve(unit(local), angles);
                turned.push(rotation);
            }
        }
        Self {
            values,
            moves: vec![false; tree.nodes.len()],
        }
    }

    /// Finds the nodes that are not always at their OFFSET. Roots always count as moving.
    fn mark_moving(&mut self, tree: &Tree) {
        let still = STILL * tree.size;
        for (index, node) in tree.nodes.iter().enumerate() {
            let mut places = self.values[index * VALUES..]
                .chunks(tree.nodes.len() * VALUES)
                .map(|values| DVec3::new(values[0], values[1], values[2]));
            self.moves[index] = node.parent.is_none()
                || places.any(|place| (place - node.offset).abs().max_element() > still);
        }
    }

    /// The columns that are written, in file order.
    fn rows(&self, tree: &Tree) -> Vec<f64> {
        let mut rows = Vec::with_capacity(self.values.len());
        for values in self.values.chunks_exact(tree.nodes.len() * VALUES) {
            if tree.is_joined() {
                rows.extend([0.0; VALUES]);
            }
            for &node in &tree.order {
                let values = &values[node * VALUES..][..VALUES];
                rows.extend_from_slice(if self.moves[node] {
                    values
                } else {
                    &values[3..]
                });
            }
        }
        rows
    }
}

fn warn_about_scale(character: &Character, clip: Option<&Clip>, warnings: &mut Vec<Warning>) {
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        let name = character.skeleton.unique_name(index);
        let tracks = clip.map(|clip| &clip.joints[index]);
        if let Some(warning) =
            tracks.and_then(|tracks| scale_warning(tracks, joint.rest.scale, name))
        {
            warnings.push(warning);
            continue;
        }
        let scale = joint.rest.scale;
        if (scale - Vec3::splat(scale.x)).abs().max_element() > 1e-4 * scale.abs().max_element() {
            warnings.push(
                Warning::new(
                    "bvh-scale-lost",
                    "the joint's scale differs from axis to axis, which BVH cannot hold",
                    "joint positions are right; write glTF if the scale matters",
                )
                .at_joint(name),
            );
        }
    }
}
