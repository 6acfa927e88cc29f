//! The poses that a file offers, as places of joints: rest, bind, stored poses, moments of clips.

use crate::mapping::rig::Rig;
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::{sample_clip, sample_joint};
use rebone_model::{Clip, ModelPose, Vec3};

/// Most moments that are looked at, over all clips.
const MOMENTS: usize = 12;

/// Joints from which on half as many moments must do.
const MANY_JOINTS: usize = 150;

/// Seconds between the two frames of a moment.
const STEP: f32 = 1.0 / 30.0;

/// Places of all joints, model space.
pub(super) type Places = Vec<Vec3>;

/// One moment of a clip.
#[derive(Clone, Debug)]
pub(super) struct Moment<'a> {
    pub(super) now: Places,
    clip: &'a Clip,
    /// Seconds: a little after the moment.
    soon: f32,
}

impl Moment<'_> {
    /// Where a joint is a little later.
    pub(super) fn next(&self, rig: &Rig, joint: usize) -> Vec3 {
        let local = |joint: usize| {
            let rest = rig.skeleton.joints()[joint].rest;
            sample_joint(&self.clip.joints[joint], rest, self.soon).to_affine()
        };
        let place = rig.up_from(joint).into_iter().map(local);
        place.fold(Vec3::ZERO, |place, parent_from_joint| {
            parent_from_joint.transform_point3(place)
        })
    }
}

/// What a file shows of its skeleton.
#[derive(Clone, Debug)]
pub(super) struct Poses<'a> {
    /// Rest, bind and stored poses.
    pub(super) still: Vec<Places>,
    /// Moments of the clips.
    pub(super) moving: Vec<Moment<'a>>,
}

impl<'a> Poses<'a> {
    pub(super) fn new(rig: &Rig<'a>) -> Self {
        let mut still = vec![rig.rest.clone()];
        if differs(&rig.rest, &rig.bind) {
            still.push(rig.bind.clone());
        }
        for stored in &rig.character.poses {
            let known: Vec<Option<Vec3>> = stored
                .model_from_joint
                .iter()
                .map(|placed| placed.map(|placed| Vec3::from(placed.translation)))
                .collect();
            if known.iter().flatten().count() * 2 > rig.len() {
                still.push(rig.completed(&known));
            }
        }
        Self {
            still,
            moving: moments(rig),
        }
    }

    /// The rest pose alone.
    pub(super) fn still_only(rig: &Rig) -> Self {
        Self {
            still: vec![rig.rest.clone()],
            moving: Vec::new(),
        }
    }

    /// All of them, still ones first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Places> {
        let moving = self.moving.iter().map(|moment| &moment.now);
        self.still.iter().chain(moving)
    }

    /// The middle of all distances between two joints: a length that no single odd pose spoils.
    pub(super) fn distance(&self, a: usize, b: usize) -> f32 {
        let mut all: Vec<f32> = self
            .all()
            .map(|places| places[a].distance(places[b]))
            .collect();
        all.sort_by(f32::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(0.0)
    }
}

fn differs(rest: &[Vec3], bind: &[Vec3]) -> bool {
    rest.iter()
        .zip(bind)
        .any(|(rest, bind)| rest.distance_squared(*bind) > 0.0)
}

fn moments<'a>(rig: &Rig<'a>) -> Vec<Moment<'a>> {
    let clips: Vec<&Clip> = rig
        .character
        .clips
        .iter()
        .filter(|clip| !clip.is_empty() && clip.joints.len() == rig.len())
        .collect();
    let Some(most) = clips.len().checked_sub(1) else {
        return Vec::new();
    };
    let moments = if rig.len() < MANY_JOINTS {
        MOMENTS
    } else {
        MOMENTS / 2
    };
    let count = clips.len().min(moments);
    let each = moments / count;
    let mut result = Vec::new();
    for index in 0..count {
        // Spread over all clips where there are more of them than moments.
        let clip = clips[if count > 1 {
            index * most / (count - 1)
        } else {
            0
        }];
        let (start, end) = clip.time_span();
        for moment in 0..each {
            let share = (moment as f32 + 0.4) / each as f32;
            let time = start + (end - start) * share;
            let now = places(&model_pose(
                rig.skeleton,
                &sample_clip(rig.skeleton, clip, time),
            ));
            if now.iter().all(|place| place.is_finite()) {
                let soon = (time + STEP).min(end);
                result.push(Moment { now, clip, soon });
            }
            if end <= start {
                break;
            }
        }
    }
    result
}

fn places(model: &ModelPose) -> Places {
    (0..model.len())
        .map(|joint| model.position(joint))
        .collect()
}
