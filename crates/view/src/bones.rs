//! Which joints of a skeleton are drawn, and as what.

use crate::sides::{sides, sides_of_slots};
use glam::{Affine3A, Vec3, Vec3A};
use rebone_model::Clamp as _;
use rebone_model::{Character, JointKind};
use rebone_setup::profile::Side;

/// A joint without skin this far from its parent is a control, not the end of a limb; in heights.
const LONGEST_END: f32 = 0.25;

/// A line of the drawing: from a joint to one of its children, or to where a leaf ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bone {
    /// The joint in which the bone lies.
    pub(crate) from: usize,
    /// The child at its end; `None` where `end` says it.
    pub(crate) to: Option<usize>,
    /// End of a leaf in the space of `from`.
    pub(crate) end: Vec3,
    pub(crate) side: Side,
    /// Radius at its thickest, metres.
    pub(crate) radius: f32,
}

/// A joint of the drawing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knob {
    pub(crate) joint: usize,
    pub(crate) side: Side,
    pub(crate) radius: f32,
}

/// Bones and joints of the drawing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) bones: Vec<Bone>,
    pub(crate) knobs: Vec<Knob>,
}

impl Bone {
    /// Both ends in world space.
    pub(crate) fn ends(&self, world: &[Affine3A]) -> Option<(Vec3A, Vec3A)> {
        let from = world.get(self.from)?;
        let tip = match self.to {
            Some(child) => world.get(child)?.translation,
            None => from.transform_point3a(self.end.into()),
        };
        Some((from.translation, tip))
    }
}

/// The joint that carries the body: the topmost one that legs and spine hang from, by label or name,
/// else the first that branches into three large parts, else the joint with the largest box below it (of
/// several roots the first may be a mere prop).
pub(crate) fn find_hips(character: &Character, rest: &[Affine3A]) -> Option<usize> {
    let joints = character.skeleton.joints();
    let weights = SkinWeights::of(character);
    let moves = |index: usize| weights.as_ref().is_none_or(|weights| weights.below[index]);
    let extents = subtree_extents(character, rest, &moves);
    let whole = extents.iter().copied().fold(0.0f32, f32::max);
    let is_joint = |index: usize| joints[index].kind == JointKind::Joint;
    let carries_most = |&index: &usize| is_joint(index) && extents[index] >= 0.8 * whole;
    let labelled = character
        .labels
        .iter()
        .filter(|label| label.label == "hips" && label.joint < joints.len())
        .map(|label| label.joint)
        .find(carries_most);
    if labelled.is_some() {
        return labelled;
    }
    let named = (0..joints.len()).filter(carries_most).find(|&index| {
        let name = joints[index].name.to_ascii_lowercase();
        name.contains("hips") || name.contains("pelvis")
    });
    if named.is_some() {
        return named;
    }
    let branching = (0..joints.len()).filter(carries_most).find(|&index| {
        let large = character
            .skeleton
            .children(index)
            .filter(|&child| is_joint(child) && moves(child) && extents[child] > 0.12 * whole);
        large.count() >= 3
    });
    // Backwards, because of several the last is taken.
    let joints = (0..joints.len()).rev().filter(|&index| is_joint(index));
    branching.or_else(|| joints.max_by(|&a, &b| extents[a].total_cmp(&extents[b])))
}

/// Diagonal of the box around each joint and all below it that counts.
fn subtree_extents(
    character: &Character,
    rest: &[Affine3A],
    counts: &impl Fn(usize) -> bool,
) -> Vec<f32> {
    let joints = character.skeleton.joints();
    let mut boxes: Vec<(Vec3A, Vec3A)> = rest
        .iter()
        .map(|place| (place.translation, place.translation))
        .collect();
    for index in (0..joints.len()).rev() {
        if let Some(end) = joints[index].end {
            let tip = rest[index].transform_point3a(end.into());
            boxes[index] = (boxes[index].0.min(tip), boxes[index].1.max(tip));
        }
        if let Some(parent) = joints[index].parent.filter(|_| counts(index)) {
            let (low, high) = boxes[index];
            boxes[parent] = (boxes[parent].0.min(low), boxes[parent].1.max(high));
        }
    }
    boxes
        .iter()
        .map(|(low, high)| (*high - *low).length())
        .collect()
}

/// The joints that everything drawn hangs from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carriers {
    /// The topmost joint of the drawing.
    pub(crate) top: Option<usize>,
    /// The joint that goes where the body goes; the same or one below.
    pub(crate) body: Option<usize>,
}

/// A character in its rest pose.
#[derive(Clone, Copy)]
pub(crate) struct Resting<'a> {
    pub(crate) character: &'a Character,
    /// For each joint the side of its slot.
    pub(crate) slots: &'a [Option<Side>],
    /// World space.
    pub(crate) world: &'a [Affine3A],
    /// Height of the body, metres.
    pub(crate) height: f32,
}

/// What is drawn of a character.
///
/// Joints above the hips are containers that often stay behind, and joints that neither move skin nor
/// hang from one that does are controls: both are left out. Joints beside the hips (feet that are
/// roots of their own) are drawn where they move skin.
pub(crate) fn drawing(body: Resting<'_>, carriers: Carriers) -> Drawing {
    let Some(hips) = carriers.top else {
        return Drawing::default();
    };
    let weights = SkinWeights::of(body.character);
    let mut drawn = body.drawn_joints(hips, weights.as_ref());
    let mut bones = body.bones(hips, &drawn);
    // A skinless joint above the body may stay behind, as containers do.
    if let (Some(weights), Some(carrier)) = (&weights, carriers.body) {
        let skeleton = &body.character.skeleton;
        for index in (0..drawn.len()).filter(|&index| skeleton.is_ancestor(index, carrier)) {
            drawn[index] &= weights.own[index];
        }
        bones.retain(|bone| drawn[bone.from]);
    }
    body.dress(hips, bones, &drawn)
}

impl Resting<'_> {
    /// From the place of a joint to that of another.
    fn way(&self, from: usize, to: usize) -> Vec3A {
        self.world[to].translation - self.world[from].translation
    }

    /// Which joints are drawn: the hips and what is useful below and beside them.
    fn drawn_joints(&self, hips: usize, weights: Option<&SkinWeights>) -> Vec<bool> {
        let joints = self.character.skeleton.joints();
        let mut drawn = vec![false; joints.len()];
        for index in 0..joints.len() {
            let parent = joints[index].parent;
            let beside = weights.is_some_and(|weights| weights.below[index])
                && !self.character.skeleton.is_ancestor(index, hips);
            let below = index == hips || beside || parent.is_some_and(|parent| drawn[parent]);
            let useful = weights.is_none_or(|weights| {
                let ends_a_limb = parent.is_some_and(|parent| {
                    let length = self.way(parent, index).length();
                    weights.own[parent] && length < LONGEST_END * self.height
                });
                weights.below[index] || ends_a_limb
            });
            drawn[index] =
                below && (useful || index == hips) && joints[index].kind == JointKind::Joint;
        }
        drawn
    }

    /// The bones between drawn joints and at the ends of limbs, without sides and radii.
    fn bones(&self, hips: usize, drawn: &[bool]) -> Vec<Bone> {
        let joints = self.character.skeleton.joints();
        let mut child_count = vec![0usize; joints.len()];
        for index in (0..joints.len()).filter(|&index| drawn[index] && index != hips) {
            if let Some(parent) = joints[index].parent {
                child_count[parent] += 1;
            }
        }
        let bone = |from, to, end| Bone {
            from,
            to,
            end,
            side: Side::Center,
            radius: 0.0,
        };
        let mut bones = Vec::new();
        for index in (0..joints.len()).filter(|&index| drawn[index]) {
            let parent = joints[index].parent;
            let parent = parent.filter(|&parent| index != hips && drawn[parent]);
            if let Some(parent) = parent {
                bones.push(bone(parent, Some(index), Vec3::ZERO));
            }
            let only_child = parent.is_some_and(|parent| child_count[parent] == 1);
            let is_head = joints[index].name.to_ascii_lowercase().contains("head");
            if let Some(end) = joints[index].end {
                bones.push(bone(index, None, end));
            } else if child_count[index] == 0 && (only_child || is_head) {
                let end = self.guessed_end(index, parent);
                bones.extend(end.map(|end| bone(index, None, end)));
            }
        }
        bones
    }

    /// Where a leaf ends that does not say it, in the space of the leaf: a little less far on than it is from its parent.
    fn guessed_end(&self, leaf: usize, parent: Option<usize>) -> Option<Vec3> {
        let reach = parent.map_or(Vec3A::ZERO, |parent| self.way(parent, leaf) * 0.8);
        let reach = reach.clamp_length_max(0.11 * self.height);
        let is_long = reach.length() > 0.006 * self.height;
        is_long.then(|| {
            let end = self.world[leaf].inverse().transform_vector3a(reach);
            end.into()
        })
    }

    /// Gives bones their sides and radii, and joints their knobs.
    fn dress(&self, hips: usize, mut bones: Vec<Bone>, drawn: &[bool]) -> Drawing {
        let (skeleton, height) = (&self.character.skeleton, self.height);
        let middle = self.world[hips].translation.x;
        let ends: Vec<(Vec3A, Vec3A)> = bones
            .iter()
            .map(|bone| bone.ends(self.world).unwrap_or_default())
            .collect();
        let places: Vec<(usize, Vec3)> = bones
            .iter()
            .zip(&ends)
            .map(|(bone, (from, to))| (bone.to.unwrap_or(bone.from), Vec3::from(*from + *to) * 0.5))
            .collect();
        let bone_sides = match sides_of_slots(skeleton, self.slots) {
            Some(of_joints) => places.iter().map(|&(joint, _)| of_joints[joint]).collect(),
            None => sides(skeleton, &places, middle, height),
        };
        let mut knob_radius = vec![0.0f32; drawn.len()];
        let mut knob_side = vec![Side::Center; drawn.len()];
        for ((bone, side), (from, to)) in bones.iter_mut().zip(bone_sides).zip(&ends) {
            bone.side = side;
            let length = (*to - *from).length();
            bone.radius = (0.11 * length).clamped(0.0045 * height, 0.018 * height);
            for joint in [Some(bone.from), bone.to].into_iter().flatten() {
                knob_radius[joint] = knob_radius[joint].max(bone.radius * 0.62);
            }
            let owner = bone.to.unwrap_or(bone.from);
            if bone.to.is_some() || knob_side[owner] == Side::Center {
                knob_side[owner] = side;
            }
        }
        let knobs = (0..drawn.len())
            .filter(|&joint| drawn[joint])
            .map(|joint| Knob {
                joint,
                side: knob_side[joint],
                radius: knob_radius[joint].max(0.0035 * height),
            })
            .collect();
        Drawing { bones, knobs }
    }
}

/// Which joints move vertices.
struct SkinWeights {
    own: Vec<bool>,
    /// The joint or one below it.
    below: Vec<bool>,
}

impl SkinWeights {
    /// `None` where no weight is known.
    fn of(character: &Character) -> Option<Self> {
        let joints = character.skeleton.joints();
        let mut own = vec![false; joints.len()];
        let mut any = false;
        for mesh in &character.meshes {
            let Some(skin) = mesh.skin.and_then(|skin| character.skins.get(skin)) else {
                if let Some(carries) = mesh.joint.and_then(|joint| own.get_mut(joint)) {
                    *carries = true;
                }
                continue;
            };
            for (slots, weights) in mesh.joint_slots.iter().zip(&mesh.joint_weights) {
                for (&slot, &weight) in slots.iter().zip(weights) {
                    if weight > 0.0
                        && let Some(joint) = skin.joints.get(usize::from(slot))
                        && let Some(moves) = own.get_mut(*joint)
                    {
                        *moves = true;
                        any = true;
                    }
                }
            }
        }
        let mut below = own.clone();
        for index in (0..joints.len()).rev() {
            if below[index]
                && let Some(parent) = joints[index].parent
            {
                below[parent] = true;
            }
        }
        any.then_some(Self { own, below })
    }
}
