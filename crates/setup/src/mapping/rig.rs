//! A character prepared for mapping: names read, tree walked, joints placed.

use crate::names::{NameKey, RigNames, key_of_tokens, without_namespace};
use rebone_model::kinematics::model_pose;
use rebone_model::rotation::normalized_or_identity;
use rebone_model::sampling::sample_clip;
use rebone_model::{Character, JointKind, LocalPose, Quat, Skeleton, Vec3};

/// Clips from which the body's posture is read, at most.
const MOST_CLIPS: usize = 4;

/// Moments of each of these clips.
const MOMENTS: usize = 8;

/// Everything the mappers ask about a character.
pub(super) struct Rig<'a> {
    pub(super) character: &'a Character,
    pub(super) skeleton: &'a Skeleton,
    /// What each name says without the parts that all names share.
    pub(super) own_keys: Vec<NameKey>,
    /// Tokens without the parts that all names share.
    pub(super) tokens: Vec<Vec<String>>,
    /// Full and own keys with their joints, sorted.
    index: Vec<(NameKey, usize)>,
    /// Whether a skin moves the joint.
    pub(super) in_skin: Vec<bool>,
    /// Number of joints below.
    pub(super) below: Vec<usize>,
    pub(super) children: Vec<Vec<usize>>,
    /// Positions in the rest pose, model space.
    pub(super) rest: Vec<Vec3>,
    /// Positions where the skins were bound; the rest where no skin says.
    pub(super) bind: Vec<Vec3>,
    /// End points of leaves in the rest pose, model space, where the file states them.
    pub(super) ends: Vec<Option<Vec3>>,
    /// Diagonal of the box around all joints of the rest pose.
    size: f32,
}

impl<'a> Rig<'a> {
    pub(super) fn new(character: &'a Character) -> Self {
        let skeleton = &character.skeleton;
        let joints = skeleton.joints();
        let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
        let counted: Vec<bool> = joints
            .iter()
            .map(|joint| joint.kind == JointKind::Joint)
            .collect();
        let read = RigNames::new(&names, &counted);
        let full_keys: Vec<NameKey> = read.full.iter().map(|t| key_of_tokens(t)).collect();
        let own_keys: Vec<NameKey> = read.own.iter().map(|t| key_of_tokens(t)).collect();
        let mut index: Vec<(NameKey, usize)> = Vec::new();
        for keys in [&full_keys, &own_keys] {
            index.extend(keys.iter().cloned().zip(0..));
        }
        index.sort();
        index.dedup();

        let mut in_skin = vec![false; joints.len()];
        for &joint in character.skins.iter().flat_map(|skin| &skin.joints) {
            if let Some(mark) = in_skin.get_mut(joint) {
                *mark = true;
            }
        }
        let mut children = vec![Vec::new(); joints.len()];
        let mut below = vec![0; joints.len()];
        for (joint, at) in joints.iter().enumerate().rev() {
            if let Some(parent) = at.parent {
                children[parent].insert(0, joint);
                below[parent] += below[joint] + 1;
            }
        }
        let model = model_pose(skeleton, &skeleton.rest_pose());
        let rest: Vec<Vec3> = (0..joints.len())
            .map(|joint| model.position(joint))
            .collect();
        let ends = joints.iter().enumerate().map(|(joint, at)| {
            let end = at.end?;
            Some(model.model_from_joint(joint).transform_point3(end))
        });
        let ends = ends.collect();
        let size = diagonal(joints.iter().zip(&rest).filter_map(|(joint, &place)| {
            let counts = joint.kind == JointKind::Joint;
            counts.then_some(place)
        }));
        let bind = bind_positions(character, &rest);
        Self {
            character,
            skeleton,
            own_keys,
            tokens: read.own,
            index,
            in_skin,
            below,
            children,
            rest,
            bind,
            ends,
            size,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.skeleton.len()
    }

    /// The file's own name, without namespace.
    pub(super) fn text(&self, joint: usize) -> &str {
        without_namespace(&self.skeleton.joints()[joint].name)
    }

    /// Whether the node is a joint of the character.
    pub(super) fn is_joint(&self, joint: usize) -> bool {
        self.skeleton.joints()[joint].kind == JointKind::Joint
    }

    /// The joints whose name says this, those that can move a skin first.
    pub(super) fn find(&self, key: &NameKey) -> Vec<usize> {
        let from = self.index.partition_point(|(known, _)| known < key);
        let mut found: Vec<usize> = self.index[from..]
            .iter()
            .take_while(|(known, _)| known == key)
            .map(|(_, joint)| *joint)
            .filter(|&joint| self.is_joint(joint))
            .collect();
        found.sort_by_key(|&joint| (!self.in_skin[joint], joint));
        found
    }

    /// True where some name says this.
    pub(super) fn has(&self, key: &NameKey) -> bool {
        self.index
            .binary_search_by(|(known, _)| known.cmp(key))
            .is_ok()
    }

    /// True where `joint` is `above` or below it.
    pub(super) fn is_within(&self, above: usize, joint: usize) -> bool {
        above == joint || self.skeleton.is_ancestor(above, joint)
    }

    /// The joints from `above` down to `below`, both left out; `None` where they are not on one path.
    pub(super) fn between(&self, above: usize, below: usize) -> Option<Vec<usize>> {
        let mut path = Vec::new();
        for joint in self.skeleton.ancestors(below) {
            if joint == above {
                path.reverse();
                return Some(path);
            }
            path.push(joint);
        }
        None
    }

    /// The joint and everything above it, the joint first.
    pub(super) fn up_from(&self, joint: usize) -> Vec<usize> {
        std::iter::once(joint)
            .chain(self.skeleton.ancestors(joint))
            .collect()
    }

    /// The lowest node that has all of `joints` within it.
    pub(super) fn common_ancestor(&self, joints: &[usize]) -> Option<usize> {
        let (first, rest) = joints.split_first()?;
        self.up_from(*first)
            .into_iter()
            .find(|&above| rest.iter().all(|&joint| self.is_within(above, joint)))
    }

    /// Places of all joints from some of them.
    pub(super) fn completed(&self, known: &[Option<Vec3>]) -> Vec<Vec3> {
        completed(self.skeleton, &self.rest, known)
    }

    /// Positions of all joints at some moments of the clips.
    pub(super) fn moments(&self) -> Vec<Vec<Vec3>> {
        let poses = self.sampled_poses();
        poses.iter().map(|pose| self.positions_in(pose)).collect()
    }

    /// Positions of all joints in the mean pose of the clips: each joint in the mean of its local rotations and places. The
    /// swings of a gait cancel out in it. `None` without clips that move.
    pub(super) fn mean_positions(&self) -> Option<Vec<Vec3>> {
        let poses = self.sampled_poses();
        let first = poses.first()?.transforms();
        let mut mean = self.skeleton.rest_pose();
        for (joint, transform) in mean.transforms_mut().iter_mut().enumerate() {
            let of_joint = || poses.iter().map(|pose| pose.transforms()[joint]);
            let known = first[joint].rotation;
            // A quaternion and its negative are one rotation.
            let sum: Quat = of_joint()
                .map(|own| own.rotation * own.rotation.dot(known).signum())
                .fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, own| sum + own);
            if sum.length() > 0.1 * poses.len() as f32 {
                transform.rotation = normalized_or_identity(sum);
            }
            let places: Vec3 = of_joint().map(|own| own.translation).sum();
            transform.translation = places / poses.len() as f32;
        }
        Some(self.positions_in(&mean))
    }

    fn positions_in(&self, pose: &LocalPose) -> Vec<Vec3> {
        let model = model_pose(self.skeleton, pose);
        (0..self.len()).map(|joint| model.position(joint)).collect()
    }

    fn sampled_poses(&self) -> Vec<LocalPose> {
        let clips = self.character.clips.iter().take(MOST_CLIPS);
        let moments = clips.flat_map(|clip| {
            let (start, end) = clip.time_span();
            let is_still = clip.animated_joint_count() == 0;
            let steps = if is_still { 0 } else { MOMENTS };
            (0..steps).map(move |step| {
                let time = start + (end - start) * step as f32 / MOMENTS as f32;
                sample_clip(self.skeleton, clip, time)
            })
        });
        moments.collect()
    }

    /// Diagonal of the box around all joints of the rest pose.
    pub(super) fn size(&self) -> f32 {
        self.size
    }

    /// Diagonal of the box around all joints in a pose.
    pub(super) fn size_in(&self, positions: &[Vec3]) -> f32 {
        let joints = (0..self.len()).filter(|&joint| self.is_joint(joint));
        diagonal(joints.map(|joint| positions[joint]))
    }
}

/// Diagonal of the box around some places; 0 around none.
fn diagonal(places: impl Iterator<Item = Vec3>) -> f32 {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for place in places {
        low = low.min(place);
        high = high.max(place);
    }
    if low.x > high.x {
        0.0
    } else {
        (high - low).length()
    }
}

/// Where each joint was when a skin was bound to it, at the scale of the rest pose. A skin's mesh may have a
/// place of its own, so only the skin with most joints is asked.
fn bind_positions(character: &Character, rest: &[Vec3]) -> Vec<Vec3> {
    let Some(skin) = character.skins.iter().max_by_key(|skin| skin.joints.len()) else {
        return rest.to_vec();
    };
    let mut bound: Vec<Option<Vec3>> = vec![None; rest.len()];
    for (&joint, inverse) in skin.joints.iter().zip(&skin.inverse_bind) {
        let position = Vec3::from(inverse.inverse().translation);
        if position.is_finite()
            && let Some(slot) = bound.get_mut(joint)
        {
            *slot = Some(position);
        }
    }
    completed(&character.skeleton, rest, &bound)
}

/// Places of all joints from some of them, in the measure of the rest pose: lengths are brought to its scale,
/// and joints without a place keep their offset from their parent.
fn completed(skeleton: &Skeleton, rest: &[Vec3], known: &[Option<Vec3>]) -> Vec<Vec3> {
    let known = |joint: usize| known.get(joint).copied().flatten();
    let mut ratios: Vec<f32> = (0..rest.len())
        .filter_map(|joint| {
            let parent = skeleton.parent(joint)?;
            let length = known(joint)?.distance(known(parent)?);
            let ratio = rest[joint].distance(rest[parent]) / length;
            (ratio.is_finite() && ratio > 0.0).then_some(ratio)
        })
        .collect();
    ratios.sort_by(f32::total_cmp);
    let scale = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0);
    // NOTE: small differences are bones that were moved, not another unit.
    let scale = if (0.8..1.25).contains(&scale) {
        1.0
    } else {
        scale
    };
    let mut result = rest.to_vec();
    for joint in 0..rest.len() {
        result[joint] = match (known(joint), skeleton.parent(joint)) {
            (Some(position), _) => scale * position,
            (None, Some(parent)) => result[parent] + rest[joint] - rest[parent],
            (None, None) => rest[joint],
        };
    }
    result
}
