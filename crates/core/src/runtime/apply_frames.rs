//! A whole clip at a chosen rate, frame by frame: the same code as single poses, and the same bits (but for the signs
//! of quaternions, which stay together from key to key).

use super::batch::{Batch, WIDTH, transfer_eight};
use super::foresight::Foresight;
use super::notes::ClipNotes;
use super::op::Plan;
use super::rig_frames::RigFrames;
use super::root_path;
use super::stage::{self, StageState};
use rebone_model::curve::Curve;
use rebone_model::rotation::same_hemisphere;
use rebone_model::sampling::sample_clip_into;
use rebone_model::track::TrackValue;
use rebone_model::{Clip, Interpolation, JointTracks, LocalPose, Quat, Track, Vec3};
use std::sync::Arc;

/// The joints of the result, with a key at each time, and the curves of a path that was taken out.
pub(super) fn apply_frames(
    plan: &Plan,
    clip: &Clip,
    times: &Arc<[f32]>,
    between_keys: Interpolation,
    notes: &mut ClipNotes,
) -> (Vec<JointTracks>, Vec<Curve>) {
    let keys = (times, between_keys);
    // What looks ahead needs the whole clip before the first frame.
    let known = if Foresight::is_asked(plan) {
        let transferred = frames(plan, clip, keys, None, notes);
        let [of_source, of_target] = stage::looked_at(&plan.stages);
        let view = |rig, joints, placed: &[usize]| {
            let is_seen = vec![true; plan.source.len().max(plan.target.len())];
            RigFrames::new(rig, joints, times, (&is_seen, placed))
        };
        let source = view(&plan.source, &clip.joints, &of_source);
        let target = view(&plan.target, &transferred, &of_target);
        Foresight::look(
            plan,
            (&clip.name, &source),
            times,
            0..plan.stages.len(),
            &target,
        )
    } else {
        Foresight::none(times)
    };
    let joints = frames(plan, clip, keys, Some(&known), notes);
    notes.contacts = known.contacts;
    let taken_out = root_path::curves(plan, &known.paths, times, between_keys);
    (joints, taken_out)
}

/// Frame by frame; without foresight also without any stage.
fn frames(
    plan: &Plan,
    clip: &Clip,
    keys: (&Arc<[f32]>, Interpolation),
    known: Option<&Foresight>,
    notes: &mut ClipNotes,
) -> Vec<JointTracks> {
    let (times, _) = keys;
    let mut batch = Batch::new(plan, WIDTH);
    let mut memories = StageState::new(plan).memories;
    let mut frame = 0;
    let mut sources: Vec<LocalPose> = vec![plan.source.rest_pose(); WIDTH];
    let mut targets: Vec<LocalPose> = vec![plan.target.rest_pose(); WIDTH];
    let mut frames: Vec<Frames> = vec![Frames::default(); plan.target.len()];
    for eight in times.chunks(WIDTH) {
        for (source, &time) in sources.iter_mut().zip(eight) {
            sample_clip_into(clip, time, source);
        }
        let (sources, targets) = (&sources[..eight.len()], &mut targets[..eight.len()]);
        transfer_eight(plan, sources, targets, &mut batch);
        for (lane, target) in targets.iter_mut().enumerate() {
            if let Some(known) = known {
                known.give(frame, &mut memories);
                frame += 1;
                let target = target.transforms_mut();
                let state = (&mut memories[..], (&batch.sight, lane));
                stage::run_pose(plan, target, state);
                notes.count(&plan.stages, &memories);
            }
            for (frames, joint) in frames.iter_mut().zip(target.transforms()) {
                let last = frames.rotation.last().copied().unwrap_or(joint.rotation);
                frames.rotation.push(same_hemisphere(joint.rotation, last));
                frames.translation.push(joint.translation);
                frames.scale.push(joint.scale);
            }
        }
    }
    let tracks = |(frames, rest): (Frames, &rebone_model::Transform)| JointTracks {
        translation: track(frames.translation, rest.translation, keys),
        rotation: track(frames.rotation, rest.rotation, keys),
        scale: track(frames.scale, rest.scale, keys),
    };
    frames
        .into_iter()
        .zip(&plan.target.rest)
        .map(tracks)
        .collect()
}

/// One joint in every frame.
#[derive(Clone, Debug, Default)]
struct Frames {
    translation: Vec<Vec3>,
    rotation: Vec<Quat>,
    scale: Vec<Vec3>,
}

/// A track of these values: none where they are the rest, one key where they are all the same.
fn track<V: TrackValue + PartialEq>(
    values: Vec<V>,
    rest: V,
    keys: (&Arc<[f32]>, Interpolation),
) -> Option<Track<V>> {
    let (times, between_keys) = keys;
    let first = *values.first()?;
    if values.iter().any(|value| *value != first) {
        return Track::computed(between_keys, Arc::clone(times), values);
    }
    let start: Arc<[f32]> = Arc::from([times.first().copied()?]);
    (first != rest)
        .then(|| Track::computed(Interpolation::Step, start, vec![first]))
        .flatten()
}
