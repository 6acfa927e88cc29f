//! The stages of a plan on a whole clip.
//!
//! The transfer keeps the source's keys where it can. A stage looks at frames, so what it changes is baked at the
//! clip's key times; a channel that no stage changes, in any frame, keeps its keys and its bits. A mirror that counts in
//! full maps keys to keys.

use super::foresight::Foresight;
use super::mirror_clip::mirror_tracks;
use super::notes::ClipNotes;
use super::op::Plan;
use super::rig_frames::RigFrames;
use super::root_path;
use super::stage::{self, Stage, StageOp, StageState};
use rebone_model::rotation::same_hemisphere;
use rebone_model::track::TrackValue;
use rebone_model::{Clip, Interpolation, JointTracks, Quat, Track, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// One channel of one joint over all frames, before and after the stages.
struct Channel<V> {
    values: Vec<V>,
    has_changed: bool,
}

impl<V: Copy + PartialEq> Channel<V> {
    fn new(frames: usize) -> Self {
        Self {
            values: Vec::with_capacity(frames),
            has_changed: false,
        }
    }

    fn push(&mut self, before: V, after: V) {
        self.has_changed |= before != after;
        self.values.push(after);
    }

    /// One key where all values are the same.
    fn track(mut self, keys: (&Arc<[f32]>, Interpolation)) -> Option<Track<V>>
    where
        V: TrackValue,
    {
        let (times, between_keys) = keys;
        let first = *self.values.first()?;
        if self.values.iter().all(|value| *value == first) {
            self.values.truncate(1);
            return Track::new(Interpolation::Step, Arc::from([times[0]]), self.values).ok();
        }
        Track::new(between_keys, Arc::clone(times), self.values).ok()
    }
}

/// Seconds between keys above which a foot that stands would slide between them.
const SPARSE: f32 = 0.05;

/// Seconds between keys where some were put between.
const DENSE: f32 = 1.0 / 30.0;

/// The key times, with more between them where feet are planted and keys are far apart: a foot that is at its place at two
/// keys is elsewhere between them, because joints turn and feet do not.
fn dense_enough(stages: &[Stage], keys: (&Arc<[f32]>, Interpolation)) -> Arc<[f32]> {
    let (times, between_keys) = keys;
    let plants = |stage: &Stage| stage.weight > 0.0 && matches!(stage.op, StageOp::Feet(_));
    let is_sparse = times.windows(2).any(|pair| pair[1] - pair[0] > SPARSE);
    if between_keys == Interpolation::Step || !is_sparse || !stages.iter().any(plants) {
        return Arc::clone(times);
    }
    let mut dense = Vec::with_capacity(times.len());
    for pair in times.windows(2) {
        let (start, gap) = (pair[0], pair[1] - pair[0]);
        let parts = if gap > SPARSE {
            (gap / DENSE).ceil()
        } else {
            1.0
        };
        dense.extend((0..parts as usize).map(|part| start + gap * part as f32 / parts));
    }
    dense.extend(times.last());
    dense.into()
}

struct Changed {
    joint: usize,
    translation: Channel<Vec3>,
    rotation: Channel<Quat>,
    scale: Channel<Vec3>,
}

/// Runs the plan's stages over `result`, the transferred `clip`, at these times.
pub(super) fn apply_stages(
    plan: &Plan,
    clip: &Clip,
    keys: (&Arc<[f32]>, Interpolation),
    result: &mut Clip,
    notes: &mut ClipNotes,
) {
    let all = plan.stages.len();
    match stage::full_mirror(plan) {
        Some((index, mirror)) => {
            notes.merge(bake(plan, clip, keys, 0..index, result));
            result.joints = mirror_tracks(&plan.target, mirror, result);
            notes.merge(bake(plan, clip, keys, index + 1..all, result));
        }
        None => notes.merge(bake(plan, clip, keys, 0..all, result)),
    }
}

/// Runs some of the stages, and bakes what they change.
fn bake(
    plan: &Plan,
    clip: &Clip,
    keys: (&Arc<[f32]>, Interpolation),
    range: Range<usize>,
    result: &mut Clip,
) -> ClipNotes {
    let mut notes = ClipNotes::default();
    let (times, between_keys) = keys;
    let stages = &plan.stages[range.clone()];
    let mut touched: Vec<usize> = stages
        .iter()
        .filter(|stage| stage.weight > 0.0)
        .flat_map(|stage| stage.op.joints(plan))
        .collect();
    touched.sort_unstable();
    touched.dedup();
    if touched.is_empty() {
        return notes;
    }
    let times = &dense_enough(stages, (times, between_keys));
    let mut changed: Vec<Changed> = touched
        .iter()
        .map(|&joint| Changed {
            joint,
            translation: Channel::new(times.len()),
            rotation: Channel::new(times.len()),
            scale: Channel::new(times.len()),
        })
        .collect();
    let mut is_seen = [
        vec![false; plan.source.len()],
        vec![false; plan.target.len()],
    ];
    let [of_source, of_target] = &mut is_seen;
    for stage in stages.iter().filter(|stage| stage.weight > 0.0) {
        stage.op.see(plan, of_source, of_target);
    }
    let transferred = std::mem::take(&mut result.joints);
    let source = RigFrames::new(&plan.source, &clip.joints, times, of_source);
    let target = RigFrames::new(&plan.target, &transferred, times, of_target);
    let known = Foresight::look(plan, (&clip.name, &source), times, range.clone(), &target);
    let mut memories = StageState::new(plan).memories;
    let (mut from, mut pose) = (source.pose(), target.pose());
    // What is touched begins each frame as it was transferred.
    let mut renewed = [&target.moving[..], &touched].concat();
    renewed.sort_unstable();
    renewed.dedup();
    for frame in 0..times.len() {
        known.give(frame, &mut memories);
        source.fill(frame, &source.moving, &mut from);
        target.fill(frame, &renewed, &mut pose);
        let memories = &mut memories[range.clone()];
        stage::run(plan, stages, &from, &mut pose, memories);
        notes.count(stages, memories);
        for channels in &mut changed {
            let (was, is) = (
                target.joints[channels.joint].at(frame),
                pose[channels.joint],
            );
            channels.translation.push(was.translation, is.translation);
            channels.scale.push(was.scale, is.scale);
            let last = channels.rotation.values.last().copied();
            let nearest = same_hemisphere(is.rotation, last.unwrap_or(was.rotation));
            channels.rotation.has_changed |= was.rotation != is.rotation;
            channels.rotation.values.push(nearest);
        }
    }
    result.joints = transferred;
    for channels in changed {
        let tracks: &mut JointTracks = &mut result.joints[channels.joint];
        if channels.translation.has_changed {
            tracks.translation = channels.translation.track((times, between_keys));
        }
        if channels.rotation.has_changed {
            tracks.rotation = channels.rotation.track((times, between_keys));
        }
        if channels.scale.has_changed {
            tracks.scale = channels.scale.track((times, between_keys));
        }
    }
    let taken_out = root_path::curves(plan, &known.paths, times, between_keys);
    result.curves.extend(taken_out);
    notes.contacts = known.contacts;
    notes
}
