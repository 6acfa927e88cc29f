//! The poses of a file from which alignment may start (E28).

use super::AlignOptions;
use super::motion_up::sampled;
use super::placement::{
    Placement, bind_placements, clip_placements, given_placements, placements, stored_placements,
};
use super::plausibility::plausibility;
use super::pose_source::PoseSource;
use crate::mapping::RigMap;
use rebone_model::{Character, Clip};

/// Poses stored in a file that are looked at.
const STORED_POSES: usize = 16;

/// A pose with its score.
pub(super) struct Candidate {
    /// Plausibility; a little less for a moment of the clip that nobody asked for.
    pub(super) score: f64,
    pub(super) source: PoseSource,
    /// In the space of the pose.
    pub(super) pose: Vec<Placement>,
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
    if let Some(clip) = clips.first() {
        let offsets = clip_offsets(character, clip);
        poses.extend(offsets.map(|(time, pose)| (PoseSource::Offsets(time), pose)));
    }
    if let Some(given) = &options.given {
        let pose = given_placements(character, &given.placements, &rest);
        poses.extend(pose.map(|pose| (PoseSource::Given, pose)));
    }
    poses
        .into_iter()
        .map(|(source, pose)| scored(map, source, pose))
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

fn scored(map: &RigMap, source: PoseSource, pose: Vec<Placement>) -> Candidate {
    Candidate {
        score: plausibility(map, &pose),
        source,
        pose,
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

/// The rest pose with the translations of a clip's first frame, where joints below the root leave their
/// rest translations by more than a hundredth.
fn clip_offsets(character: &Character, clip: &Clip) -> Option<(f32, Vec<Placement>)> {
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
        let place = rebone_model::sampling::sample_track(track, time);
        let rest = transform.translation;
        moved |= character.skeleton.parent(joint).is_some()
            && place.distance(rest) > 0.01 * rest.length().max(place.length());
        transform.translation = place;
    }
    moved.then(|| (time, placements(character, &pose)))
}
