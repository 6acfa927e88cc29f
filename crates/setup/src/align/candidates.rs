//! The poses of a file from which alignment may start. Source: docs/laws.md, "Plausibility of a pose".

use super::AlignOptions;
use super::body_frame::body_frame;
use super::known::known_pose;
use super::limbs::{ARM, LEG, SIDES, joint};
use super::motion_up::sampled;
use super::placement::{
    Placement, bind_placements, clip_placements, given_placements, placements, stored_placements,
};
use super::plausibility::plausibility;
use super::pose_source::PoseSource;
use crate::mapping::RigMap;
use crate::profile::Part;
use rebone_model::sampling::sample_track;
use rebone_model::{Character, Clip, JointKind, LocalPose, Quat, Vec3};

/// Poses stored in a file that are looked at.
const STORED_POSES: usize = 16;

/// A pose with its score.
pub(super) struct Candidate {
    /// Plausibility; a little less for a moment of the clip that nobody asked for.
    pub(super) score: f64,
    pub(super) source: PoseSource,
    /// In the space of the pose.
    pub(super) pose: Vec<Placement>,
    /// Height of the lowest joint above the floor over the length of a leg, where it is known.
    pub(super) sole: Option<f64>,
}

/// All poses but the moments of the clip, the first frame excepted; the rest pose comes first.
pub(super) fn candidates(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    options: &AlignOptions,
) -> Vec<Candidate> {
    let rest = placements(character, &character.skeleton.rest_pose());
    let mut poses = vec![(PoseSource::Rest, rest.clone())];
    let bind = bind_placements(character, &rest);
    poses.extend(bind.map(|pose| (PoseSource::Bind, pose)));
    let stored = stored(character, map, &rest);
    poses.extend(stored.map(|pose| (PoseSource::Stored, pose)));
    let offsets = clips.first().and_then(|clip| clip_offsets(character, clip));
    let places = usual_places(character, clips);
    if let Some((time, pose)) = offsets {
        poses.push((PoseSource::Offsets(time), placements(character, &pose)));
    }
    let known = known_pose(character, map, clips, &places);
    let sole = known.as_ref().map(|(_, sole)| *sole);
    poses.extend(known.map(|(pose, _)| (PoseSource::Known, placements(character, &pose))));
    let zero = zero_pose(character, places);
    poses.push((PoseSource::Zero, placements(character, &zero)));
    if let Some(given) = &options.given {
        let pose = given_placements(character, &given.placements, &rest);
        poses.extend(pose.map(|pose| (PoseSource::Given, pose)));
    }
    poses
        .into_iter()
        .map(|(source, pose)| Candidate {
            sole: sole.filter(|_| source == PoseSource::Known),
            ..scored(map, source, pose)
        })
        .collect()
}

/// The first frame of the first clip.
pub(super) fn first_frame(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
) -> Option<Candidate> {
    let clip = clips
        .first()
        .filter(|clip| clip.animated_joint_count() > 0)?;
    Some(frame(character, map, clip, clip.time_span().0))
}

/// A moment of a clip.
pub(super) fn frame(character: &Character, map: &RigMap, clip: &Clip, time: f32) -> Candidate {
    let pose = clip_placements(character, clip, time);
    let source = if time == clip.time_span().0 {
        PoseSource::First(time)
    } else {
        PoseSource::Frame(time)
    };
    scored(map, source, pose)
}

/// Moments spread over the clips.
pub(super) fn frames<'a>(
    character: &'a Character,
    map: &'a RigMap,
    clips: &'a [&'a Clip],
) -> impl Iterator<Item = Candidate> + 'a {
    sampled(clips).map(|(clip, time)| frame(character, map, clip, time))
}

/// How close a pose is to standing; higher is closer. Unlike plausibility, this also ranks poses in which nobody stands.
/// `None` if trunk and legs cannot be found.
pub(super) fn neutrality(map: &RigMap, pose: &[Placement]) -> Option<f64> {
    let frame = body_frame(map, pose)?;
    let mut sum = 10.0 * plausibility(map, pose);
    for side in SIDES {
        let at = |part: Part| joint(map, part, side).map(|joint| pose[joint].position);
        for [upper, lower] in [[LEG[0], LEG[1]], [LEG[1], LEG[2]], [ARM[0], ARM[1]]] {
            if let (Some(upper), Some(lower)) = (at(upper), at(lower)) {
                sum -= (lower - upper).normalize_or_zero().dot(frame.up);
            }
        }
    }
    Some(sum)
}

fn scored(map: &RigMap, source: PoseSource, pose: Vec<Placement>) -> Candidate {
    Candidate {
        score: plausibility(map, &pose),
        source,
        pose,
        sole: None,
    }
}

/// The most plausible of what the file stores: all its poses together, each filling in what those before
/// it lack, or one of them alone.
fn stored(character: &Character, map: &RigMap, rest: &[Placement]) -> Option<Vec<Placement>> {
    let poses = &character.poses[..character.poses.len().min(STORED_POSES)];
    let together = stored_placements(character, poses, rest)?;
    let mut best = (plausibility(map, &together), together);
    if poses.len() > 1 {
        for pose in poses {
            let alone = stored_placements(character, std::slice::from_ref(pose), rest);
            let Some(alone) = alone else { continue };
            let score = plausibility(map, &alone);
            if score > best.0 + 0.08 {
                best = (score, alone);
            }
        }
    }
    Some(best.1)
}

/// The rest pose with every joint that a clip moves where it usually is in the clips: the median of each coordinate.
fn usual_places(character: &Character, clips: &[&Clip]) -> LocalPose {
    let mut pose = character.skeleton.rest_pose();
    let moments: Vec<_> = sampled(clips).collect();
    for (joint, transform) in pose.transforms_mut().iter_mut().enumerate() {
        let place = |(clip, time): &(&Clip, f32)| {
            let track = clip.joints.get(joint)?.translation.as_ref()?;
            Some(sample_track(track, *time))
        };
        let places: Vec<Vec3> = moments.iter().filter_map(place).collect();
        if !places.is_empty() {
            let median = |axis: usize| {
                let mut values: Vec<f32> = places.iter().map(|place| place[axis]).collect();
                values.sort_by(f32::total_cmp);
                values[values.len() / 2]
            };
            transform.translation = Vec3::new(median(0), median(1), median(2));
        }
    }
    pose
}

/// The pose with no joint turned. Nodes above the skeleton stay as they are.
fn zero_pose(character: &Character, mut places: LocalPose) -> LocalPose {
    let joints = character.skeleton.joints().iter();
    for (joint, transform) in joints.zip(places.transforms_mut()) {
        if joint.kind != JointKind::Ancestor {
            transform.rotation = Quat::IDENTITY;
        }
    }
    places
}

/// The rest pose with the translations of a clip's first frame, where joints below the root leave their
/// rest translations by more than a hundredth.
fn clip_offsets(character: &Character, clip: &Clip) -> Option<(f32, LocalPose)> {
    let time = clip.time_span().0;
    let mut pose = character.skeleton.rest_pose();
    let mut moved = false;
    for (joint, transform) in pose.transforms_mut().iter_mut().enumerate() {
        let Some(track) = clip
            .joints
            .get(joint)
            .and_then(|tracks| tracks.translation.as_ref())
        else {
            continue;
        };
        let place = sample_track(track, time);
        let rest = transform.translation;
        moved |= character.skeleton.parent(joint).is_some()
            && place.distance(rest) > 0.01 * rest.length().max(place.length());
        transform.translation = place;
    }
    moved.then_some((time, pose))
}
