//! Poses as flat lists of numbers, ready to be drawn.
//!
//! Nodes stand in the order of the description, so that parents come before children. A local pose has ten numbers a node: translation
//! (x, y, z), rotation (x, y, z, w), scale (x, y, z). A model pose has sixteen: a matrix column by column, as three.js and WebGL take it.

use rebone::model::joint_frames::JointFrames;
use rebone::model::kinematics::{model_pose, update_model_pose};
use rebone::model::sampling::sample_clip;
use rebone::model::{Clip, LocalPose, Mat4, ModelPose, Skeleton};

/// Numbers of a node in a local pose.
pub const LOCAL: usize = 10;

/// Numbers of a node in a model pose.
pub const MODEL: usize = 16;

/// Numbers that one call hands over at most: a gigabyte.
const MOST: usize = 1 << 28;

/// What transforms are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// To the parent.
    Local,
    /// To the character.
    Model,
}

impl Space {
    fn numbers(self) -> usize {
        match self {
            Self::Local => LOCAL,
            Self::Model => MODEL,
        }
    }
}

/// The pose of a clip at a time; the rest pose where there is no clip.
pub fn pose_at(skeleton: &Skeleton, clip: Option<&Clip>, seconds: f32, space: Space) -> Vec<f32> {
    let local = match clip {
        Some(clip) => sample_clip(skeleton, clip, seconds),
        None => skeleton.rest_pose(),
    };
    let mut numbers = Vec::with_capacity(skeleton.len() * space.numbers());
    match space {
        Space::Local => put_local(&local, &mut numbers),
        Space::Model => put_model(&model_pose(skeleton, &local), &mut numbers),
    }
    numbers
}

/// All poses of a clip at a rate, frame after frame, the first at the clip's first key and the last at or before its last one. `None`
/// where they are too many for one list.
pub fn poses(skeleton: &Skeleton, clip: &Clip, rate_hz: f64, space: Space) -> Option<Vec<f32>> {
    let (start, end) = clip.time_span();
    let frames = frame_count(f64::from(end - start), rate_hz)?;
    let size = frames.checked_mul(skeleton.len().checked_mul(space.numbers())?)?;
    if size > MOST {
        return None;
    }
    let mut numbers = Vec::with_capacity(size);
    let times = frame_times(clip, start, frames, rate_hz);
    let mut local = skeleton.rest_pose();
    let joints = clip.joints.iter().zip(local.transforms());
    let joints: Vec<JointFrames<'_>> = joints
        .map(|(tracks, rest)| JointFrames::new(tracks, *rest, &times))
        .collect();
    let mut model = ModelPose::default();
    for frame in 0..frames {
        for (local, joint) in local.transforms_mut().iter_mut().zip(&joints) {
            *local = joint.at(frame);
        }
        match space {
            Space::Local => put_local(&local, &mut numbers),
            Space::Model => {
                update_model_pose(skeleton, &local, &mut model);
                put_model(&model, &mut numbers);
            }
        }
    }
    Some(numbers)
}

/// When frames at a rate are. One that is a key but for rounding is that key: its poses then are the clip's own, and need no work.
fn frame_times(clip: &Clip, start: f32, frames: usize, rate_hz: f64) -> Vec<f32> {
    let keys = clip.key_times();
    let mut next = 0;
    let time = |frame: usize| {
        let time = f64::from(start) + frame as f64 / rate_hz;
        let is_over = |key: &&f32| (f64::from(**key) - time) * rate_hz < -NEAR;
        next += keys[next..].iter().take_while(is_over).count();
        let key = keys.get(next).copied();
        key.filter(|key| ((f64::from(*key) - time) * rate_hz).abs() <= NEAR)
            .unwrap_or(time as f32)
    };
    (0..frames).map(time).collect()
}

/// Frames by which a key may miss its time by rounding.
const NEAR: f64 = 1e-3;

/// Frames of so many seconds; a last frame that is missed by rounding alone counts. `None` where the rate is none.
pub(crate) fn frame_count(seconds: f64, rate_hz: f64) -> Option<usize> {
    let is_rate = rate_hz.is_finite() && rate_hz > 0.0;
    is_rate.then(|| (seconds.max(0.0) * rate_hz + NEAR).floor() as usize + 1)
}

fn put_local(pose: &LocalPose, numbers: &mut Vec<f32>) {
    for transform in pose.transforms() {
        numbers.extend(transform.translation.to_array());
        numbers.extend(transform.rotation.to_array());
        numbers.extend(transform.scale.to_array());
    }
}

fn put_model(pose: &ModelPose, numbers: &mut Vec<f32>) {
    for node in 0..pose.len() {
        numbers.extend(Mat4::from(pose.model_from_joint(node)).to_cols_array());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone::model::{Interpolation, NewJoint, SkeletonBuilder, Track, Transform, Vec3};
    use std::sync::Arc;

    fn skeleton() -> Skeleton {
        let mut builder = SkeletonBuilder::new();
        let hips = NewJoint::new("hips", None, Transform::from_translation(Vec3::Y));
        let hips = builder.add(hips);
        let head = NewJoint::new("head", Some(hips), Transform::from_translation(Vec3::Y));
        builder.add(head);
        builder.build().unwrap().0
    }

    #[test]
    fn nodes_stand_in_their_order() {
        let skeleton = skeleton();
        let local = pose_at(&skeleton, None, 0.0, Space::Local);
        assert_eq!(local.len(), 2 * LOCAL);
        assert_eq!(
            local[LOCAL..],
            [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]
        );
        let model = pose_at(&skeleton, None, 0.0, Space::Model);
        assert_eq!(model.len(), 2 * MODEL);
        assert_eq!(model[MODEL + 12..], [0.0, 2.0, 0.0, 1.0]);
    }

    #[test]
    fn keys_that_are_missed_by_rounding_are_met() {
        let mut clip = Clip::new("walk", 1);
        let keys: Arc<[f32]> = (0..600).map(|frame| frame as f32 * (1.0 / 60.0)).collect();
        let values = keys.iter().map(|time| Vec3::X * *time).collect();
        let track = Track::new(Interpolation::Linear, Arc::clone(&keys), values).unwrap();
        clip.joints[0].translation = Some(track);
        assert_eq!(frame_times(&clip, 0.0, 600, 60.000_01)[..], keys[..]);
        // Between the keys, and where there are none.
        let half = frame_times(&clip, 0.0, 4, 120.0);
        assert_eq!((half[1], half[2]), (1.0 / 120.0, keys[1]));
        assert_eq!(frame_times(&Clip::new("none", 1), 0.5, 2, 2.0), [0.5, 1.0]);
    }

    #[test]
    fn frames_are_counted_with_both_ends() {
        assert_eq!(frame_count(1.0, 30.0), Some(31));
        assert_eq!(frame_count(f64::from(0.1_f32) * 10.0, 60.0), Some(61));
        assert_eq!(frame_count(0.0, 30.0), Some(1));
        assert_eq!(frame_count(1.0, 0.0), None);
        assert_eq!(frame_count(1.0, f64::NAN), None);
        let skeleton = skeleton();
        let clip = Clip::new("still", skeleton.len());
        assert_eq!(
            poses(&skeleton, &clip, 30.0, Space::Model).unwrap().len(),
            2 * MODEL
        );
    }
}
