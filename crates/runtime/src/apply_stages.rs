//! The stages of a plan on a whole clip.
//!
//! The transfer keeps the source's keys where it can. A stage looks at frames, so what it changes is baked at the
//! clip's key times; a channel that no stage changes, in any frame, keeps its keys and its bits. A mirror that counts in
//! full maps keys to keys.

use super::foresight::{ClipFrames, Foresight};
use super::keys::{KeyTimes, keep_signs};
use super::mirror_clip::mirror_tracks;
use super::notes::ClipNotes;
use super::op::Plan;
use super::rig_frames::RigFrames;
use super::root_path;
use super::stage::{self, Sights, Stage, StageOp, StageState};
use rebone_model::joint_frames::JointFrames;
use rebone_model::track::TrackValue;
use rebone_model::{Clip, Interpolation, JointTracks, Quat, Track, Transform, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// One channel of one joint over all frames. Nothing is kept until a stage changes it.
struct Channel<V> {
    values: Vec<V>,
    /// Number of frames.
    frames: usize,
}

impl<V: Copy + PartialEq> Channel<V> {
    fn new(frames: usize) -> Self {
        let values = Vec::new();
        Self { values, frames }
    }

    /// Takes the value of the next frame; `before` says what each was before the stages.
    fn push(&mut self, frame: usize, value: V, before: impl Fn(usize) -> V) {
        if self.values.is_empty() {
            if value == before(frame) {
                return;
            }
            self.values.reserve_exact(self.frames);
            self.values.extend((0..frame).map(before));
        }
        self.values.push(value);
    }
}

/// Seconds between keys above which a foot that stands would slide between them.
const SPARSE: f32 = 0.05;

/// Seconds between keys where some were put between.
const DENSE: f32 = 1.0 / 30.0;

/// The key times, with more between them where feet are planted and keys are far apart: a foot that is at its place at two
/// keys is elsewhere between them, because joints turn and feet do not.
fn dense_enough(stages: &[Stage], keys: KeyTimes<'_>) -> Arc<[f32]> {
    let times = keys.times;
    if !wants_dense(stages, keys) {
        return Arc::clone(times);
    }
    let mut dense = Vec::with_capacity(times.len());
    for pair in times.windows(2) {
        let (start, gap) = (pair[0], pair[1] - pair[0]);
        let parts = parts(gap);
        dense.extend((0..parts as usize).map(|part| start + gap * part as f32 / parts));
    }
    dense.extend(times.last());
    // Far from 0, single precision has no time between.
    dense.dedup();
    dense.into()
}

/// True where feet are planted and keys are far apart.
fn wants_dense(stages: &[Stage], keys: KeyTimes<'_>) -> bool {
    let plants = |stage: &Stage| stage.weight > 0.0 && matches!(stage.op, StageOp::Feet(_));
    let is_sparse = keys.times.windows(2).any(|pair| pair[1] - pair[0] > SPARSE);
    let glides = keys.between != Interpolation::Step;
    keys.keeps_source && glides && is_sparse && stages.iter().any(plants)
}

/// Number of steps from one key to the next, so many seconds later.
fn parts(gap: f32) -> f32 {
    if gap > SPARSE {
        (gap / DENSE).ceil()
    } else {
        1.0
    }
}

/// Number of frames that [`dense_enough`] makes of these keys, counted without a list of them.
pub(super) fn frames_between(stages: &[Stage], keys: KeyTimes<'_>) -> u64 {
    let times = keys.times;
    if !wants_dense(stages, keys) {
        return times.len() as u64;
    }
    let steps = times.windows(2).map(|pair| parts(pair[1] - pair[0]) as u64);
    steps.fold(1, u64::saturating_add)
}

/// What no stage changed keeps its keys.
fn replace<V: TrackValue>(track: &mut Option<Track<V>>, values: Vec<V>, keys: KeyTimes<'_>) {
    if !values.is_empty() {
        *track = keys.track(values);
    }
}

/// The channels of a joint that stages may change.
struct Changed {
    joint: usize,
    translation: Channel<Vec3>,
    rotation: Channel<Quat>,
    scale: Channel<Vec3>,
}

impl Changed {
    fn new(joint: usize, frames: usize) -> Self {
        Self {
            joint,
            translation: Channel::new(frames),
            rotation: Channel::new(frames),
            scale: Channel::new(frames),
        }
    }

    /// Takes the joint's transform in the next frame; `before` holds those before the stages.
    #[inline]
    fn push(&mut self, frame: usize, now: &Transform, before: &JointFrames<'_>) {
        let was = |frame: usize| before.at(frame);
        let translation = |frame| was(frame).translation;
        self.translation.push(frame, now.translation, translation);
        let rotation = |frame| was(frame).rotation;
        self.rotation.push(frame, now.rotation, rotation);
        self.scale.push(frame, now.scale, |frame| was(frame).scale);
    }

    /// Puts the channels that changed into the joint's tracks.
    fn bake(self, tracks: &mut JointTracks, keys: KeyTimes<'_>) {
        let mut rotations = self.rotation.values;
        if let Some(&first) = rotations.first() {
            keep_signs(&mut rotations, first);
        }
        replace(&mut tracks.translation, self.translation.values, keys);
        replace(&mut tracks.rotation, rotations, keys);
        replace(&mut tracks.scale, self.scale.values, keys);
    }
}

/// Runs the plan's stages over `result`, the transferred `clip`, at these times.
pub(super) fn apply_stages(
    plan: &Plan,
    clip: &Clip,
    keys: KeyTimes<'_>,
    result: &mut Clip,
    notes: &mut ClipNotes,
) {
    let all = plan.stages.len();
    match stage::full_mirror(plan).filter(|_| keys.keeps_source) {
        Some((index, mirror)) => {
            notes.merge(bake(plan, clip, keys, 0..index, result));
            result.joints = mirror_tracks(&plan.target, mirror, result);
            notes.merge(bake(plan, clip, keys, index + 1..all, result));
        }
        None => notes.merge(bake(plan, clip, keys, 0..all, result)),
    }
}

/// The target's joints that stages may change, each once.
fn touched_joints(stages: &[Stage]) -> Vec<usize> {
    let mut touched: Vec<usize> = stages
        .iter()
        .filter(|stage| stage.weight > 0.0)
        .flat_map(|stage| stage.op.joints())
        .collect();
    touched.sort_unstable();
    touched.dedup();
    touched
}

/// True for each joint of the source and of the target whose pose the stages look at.
fn seen_joints(plan: &Plan, stages: &[Stage]) -> [Vec<bool>; 2] {
    let mut source = vec![false; plan.source.len()];
    let mut target = vec![false; plan.target.len()];
    for stage in stages.iter().filter(|stage| stage.weight > 0.0) {
        stage.op.see(plan, &mut source, &mut target);
    }
    [source, target]
}

/// Runs some of the stages, and bakes what they change.
fn bake(
    plan: &Plan,
    clip: &Clip,
    keys: KeyTimes<'_>,
    range: Range<usize>,
    result: &mut Clip,
) -> ClipNotes {
    let mut notes = ClipNotes::default();
    let stages = &plan.stages[range.clone()];
    let touched = touched_joints(stages);
    if touched.is_empty() {
        return notes;
    }
    let times = &dense_enough(stages, keys);
    let keys = KeyTimes { times, ..keys };
    let changed = touched.iter();
    let mut changed: Vec<Changed> = changed
        .map(|&joint| Changed::new(joint, times.len()))
        .collect();
    let transferred = std::mem::take(&mut result.joints);
    // Of the source and of the target.
    let (seen, placed) = (seen_joints(plan, stages), stage::looked_at(stages));
    let source = RigFrames::new(&plan.source, &clip.joints, times, &seen[0], &placed[0]);
    let target = RigFrames::new(&plan.target, &transferred, times, &seen[1], &placed[1]);
    let known = Foresight::look(ClipFrames {
        plan,
        name: &clip.name,
        times,
        source: &source,
        made: &target,
        stages: range.clone(),
    });
    let mut memories = StageState::new(plan).memories;
    // What is touched begins each frame as it was transferred.
    let mut poses = target.poses(&touched);
    for frame in 0..times.len() {
        known.give(frame, &mut memories);
        let pose = poses.go_to(frame);
        let memories = &mut memories[range.clone()];
        let sights = Sights {
            source: (&source.placed.sight, frame),
            target: Some((&target.placed, frame)),
        };
        stage::run(plan, stages, pose, memories, sights);
        notes.count(stages, memories);
        for channels in &mut changed {
            let joint = channels.joint;
            channels.push(frame, &pose[joint], &target.joints[joint]);
        }
    }
    result.joints = transferred;
    for channels in changed {
        let joint = channels.joint;
        channels.bake(&mut result.joints[joint], keys);
    }
    let taken_out = root_path::curves(plan, &known.paths, times, keys.between);
    result.curves.extend(taken_out);
    notes.turned = known.turned_joints(plan);
    notes.contacts = known.contacts;
    notes
}
