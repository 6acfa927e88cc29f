//! A clip's motion seen joint by joint: what stands still and what moves.

use super::kernel::{multiply_rotations, sandwich_matrix, transform_rotations};
use super::op::{Rig, ScaleOp};
use super::rig_frames::RigFrames;
use super::stage::{PlacedFrames, mark};
use glam::{Affine3A, Mat3, Quat, Vec3};
use rebone_model::elementary::Elementary as _;
use rebone_model::sampling::sample_track_at;
use rebone_model::{Clip, Interpolation, JointTracks, Track};
use std::borrow::Cow;
use std::rc::Rc;

/// A value over the frames of a clip.
#[derive(Clone, Debug)]
pub(crate) enum Signal<V> {
    /// The same in every frame.
    Still(V),
    /// One value a frame.
    Moving(Rc<Vec<V>>),
}

impl<V: Copy> Signal<V> {
    pub(crate) fn at(&self, frame: usize) -> V {
        match self {
            Self::Still(value) => *value,
            Self::Moving(values) => values[frame],
        }
    }
}

impl Signal<Quat> {
    /// Products frame by frame: `self · right`.
    pub(crate) fn product(&self, right: &Self) -> Self {
        match (self, right) {
            (Self::Still(left), Self::Still(right)) => Self::Still(*left * *right),
            (Self::Moving(values), Self::Still(right)) => {
                transformed(values, Quat::IDENTITY, *right)
            }
            (Self::Still(left), Self::Moving(values)) => transformed(values, *left, Quat::IDENTITY),
            (Self::Moving(left), Self::Moving(right)) => multiplied(left, right),
        }
    }
}

fn transformed(values: &[Quat], left: Quat, right: Quat) -> Signal<Quat> {
    let mut result = vec![Quat::IDENTITY; values.len()];
    transform_rotations(&sandwich_matrix(left, right), values, &mut result);
    Signal::Moving(Rc::new(result))
}

fn multiplied(left: &[Quat], right: &[Quat]) -> Signal<Quat> {
    let mut result = vec![Quat::IDENTITY; left.len()];
    multiply_rotations(left, right, &mut result);
    Signal::Moving(Rc::new(result))
}

/// The source's motion, sampled where it is needed.
pub(crate) struct SourceMotion<'a> {
    rig: &'a Rig,
    clip: &'a Clip,
    times: &'a [f32],
    root_turn: Quat,
    /// Model-space rotations, turned into the target's file space; filled on demand.
    model: Vec<Option<Signal<Quat>>>,
}

impl<'a> SourceMotion<'a> {
    pub(crate) fn new(rig: &'a Rig, clip: &'a Clip, times: &'a [f32], root_turn: Quat) -> Self {
        Self {
            rig,
            clip,
            times,
            root_turn,
            model: vec![None; rig.len()],
        }
    }

    pub(crate) fn rotation_track(&self, joint: usize) -> Option<&'a Track<Quat>> {
        let track = self.clip.joints.get(joint)?.rotation.as_ref()?;
        (!track.is_constant()).then_some(track)
    }

    /// The local rotation of a joint that does not turn.
    pub(crate) fn still_rotation(&self, joint: usize) -> Option<Quat> {
        match self
            .clip
            .joints
            .get(joint)
            .and_then(|tracks| tracks.rotation.as_ref())
        {
            None => Some(self.rig.rest[joint].rotation),
            Some(track) if track.is_constant() => Some(track.key_value(0)),
            Some(_) => None,
        }
    }

    /// True where the joint stays at its rest translation.
    pub(crate) fn keeps_translation(&self, joint: usize) -> bool {
        let rest = self.rig.rest[joint].translation;
        let tolerance = 1e-5 * rest.length();
        let track = self
            .clip
            .joints
            .get(joint)
            .and_then(|tracks| tracks.translation.as_ref());
        track.is_none_or(|track| {
            (0..track.key_count()).all(|key| track.key_value(key).distance(rest) <= tolerance)
        })
    }

    /// True where no channel of the joint changes.
    pub(crate) fn is_still(&self, joint: usize) -> bool {
        let Some(tracks) = self.clip.joints.get(joint) else {
            return true;
        };
        tracks.rotation.as_ref().is_none_or(Track::is_constant)
            && tracks.translation.as_ref().is_none_or(Track::is_constant)
            && tracks.scale.as_ref().is_none_or(Track::is_constant)
    }

    /// Product of the local rotations strictly between `above` (exclusive; `None` = the world) and
    /// `joint` (exclusive), where none of them moves and `above` is an ancestor.
    pub(crate) fn still_between(&self, above: Option<usize>, joint: usize) -> Option<Quat> {
        let mut product = Quat::IDENTITY;
        let mut at = self.rig.parents[joint];
        while at != above {
            let between = at?;
            product = self.still_rotation(between)? * product;
            at = self.rig.parents[between];
        }
        Some(if above.is_none() {
            self.root_turn * product
        } else {
            product
        })
    }

    /// Model-space rotation of a joint, turned into the target's file space.
    pub(crate) fn model_rotation(&mut self, joint: usize) -> Signal<Quat> {
        let mut open = vec![joint];
        while let Some(&at) = open.last() {
            if self.model[at].is_some() {
                open.pop();
                continue;
            }
            let parent = match self.rig.parents[at] {
                None => Signal::Still(self.root_turn),
                Some(parent) => match &self.model[parent] {
                    Some(signal) => signal.clone(),
                    None => {
                        open.push(parent);
                        continue;
                    }
                },
            };
            self.model[at] = Some(match (self.still_rotation(at), &parent) {
                (Some(local), _) => parent.product(&Signal::Still(local)),
                (None, Signal::Still(parent)) => {
                    transformed(&self.sampled_rotation(at), *parent, Quat::IDENTITY)
                }
                (None, Signal::Moving(parent)) => multiplied(parent, &self.sampled_rotation(at)),
            });
            open.pop();
        }
        self.model[joint]
            .clone()
            .unwrap_or(Signal::Still(Quat::IDENTITY))
    }

    /// Forgets the model-space rotation of a joint; it is found again where it is asked for.
    pub(crate) fn release(&mut self, joint: usize) {
        self.model[joint] = None;
    }

    /// The constant model-space rotation of a joint that stands still with everything above it.
    pub(crate) fn model_rotation_is_still(&self, joint: usize) -> Option<Quat> {
        Some(self.still_between(None, joint)? * self.still_rotation(joint)?)
    }

    fn sampled_rotation(&self, joint: usize) -> Cow<'a, [Quat]> {
        match self
            .clip
            .joints
            .get(joint)
            .and_then(|tracks| tracks.rotation.as_ref())
        {
            Some(track)
                if track.interpolation() != Interpolation::CubicSpline
                    && (std::ptr::eq(track.times(), self.times) || track.times() == self.times) =>
            {
                Cow::Borrowed(track.values())
            }
            Some(track) => Cow::Owned(sample_track_at(track, self.times)),
            None => Cow::Owned(vec![self.rig.rest[joint].rotation; self.times.len()]),
        }
    }

    /// The source file's model space from the joint's parent, where nothing above the joint moves.
    pub(crate) fn still_parent(&self, joint: usize) -> Option<Affine3A> {
        let mut product = Affine3A::IDENTITY;
        let mut at = self.rig.parents[joint];
        while let Some(above) = at {
            if !self.is_still(above) {
                return None;
            }
            product = self.local_affine(above, 0) * product;
            at = self.rig.parents[above];
        }
        Some(product)
    }

    /// True where a node above the joint leaves its rest scale.
    pub(crate) fn grows_above(&self, joint: usize) -> bool {
        let mut at = self.rig.parents[joint];
        while let Some(above) = at {
            let rest = self.rig.rest[above].scale;
            let track = self
                .clip
                .joints
                .get(above)
                .and_then(|tracks| tracks.scale.as_ref());
            let changes = |track: &Track<Vec3>| {
                (0..track.key_count())
                    .any(|key| !track.key_value(key).abs_diff_eq(rest, 1e-5 * rest.length()))
            };
            if track.is_some_and(changes) {
                return true;
            }
            at = self.rig.parents[above];
        }
        false
    }

    /// The source file's model space from the joint's parent at a frame.
    pub(crate) fn parent_affine(&self, joint: usize, frame: usize) -> Affine3A {
        let mut product = Affine3A::IDENTITY;
        let mut at = self.rig.parents[joint];
        while let Some(above) = at {
            product = self.local_affine(above, frame) * product;
            at = self.rig.parents[above];
        }
        product
    }

    fn local_affine(&self, joint: usize, frame: usize) -> Affine3A {
        let time = self.times.get(frame).copied().unwrap_or(0.0);
        let rest = self.rig.rest[joint];
        self.clip
            .joints
            .get(joint)
            .map_or(rest, |tracks| {
                rebone_model::sampling::sample_joint(tracks, rest, time)
            })
            .to_affine()
    }

    /// Joints in model space in each frame, in the source's own file space.
    pub(crate) fn placed(&self, joints: &[usize]) -> PlacedFrames {
        placed(self.rig, &self.clip.joints, self.times, joints)
    }
}

/// Joints of a rig in model space at each time.
pub(crate) fn placed(
    rig: &Rig,
    tracks: &[JointTracks],
    times: &[f32],
    joints: &[usize],
) -> PlacedFrames {
    let mut is_seen = vec![false; rig.len()];
    mark(rig, joints.iter().copied(), &mut is_seen);
    RigFrames::new(rig, tracks, times, (&is_seen, joints)).placed
}

/// How much a transform enlarges: the cube root of its volume.
pub(crate) fn size_of(affine: &Affine3A) -> f32 {
    affine.matrix3.determinant().abs().cube_root()
}

/// The target's local scale for a local scale of the source, whose rest scale is `own`.
///
/// Where the axes of both are within 5 degrees of a permutation the factors are permuted; otherwise
/// their geometric mean is used, so that no shear comes in.
pub(crate) fn scaled(op: &ScaleOp, rest: Vec3, own: Vec3, value: Vec3) -> Vec3 {
    if let Some((left, right)) = op.matrices {
        let matrix = left * Mat3::from_diagonal(value) * right;
        return Vec3::new(
            matrix.x_axis.length(),
            matrix.y_axis.length(),
            matrix.z_axis.length(),
        );
    }
    let factors = value / own;
    let matrix = Mat3::from_quat(op.frame);
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
