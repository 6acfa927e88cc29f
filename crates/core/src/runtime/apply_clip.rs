//! A whole clip at once, joint by joint.
//!
//! Where a target joint's local rotation is a constant product around one source track (E5), the
//! source's keys, times and interpolation are kept and only the values change (E44). Everything else is
//! baked at the source's own key times. Where a rate is asked for, every frame is a pose (`apply_frames.rs`).

use super::apply_frames::apply_frames;
use super::apply_stages::{apply_stages, frames_between};
use super::kernel::{bake_rotations, sandwich_matrix, transform_rotations};
use super::last_uses::LastUses;
use super::mirror_clip;
use super::motion::{Signal, SourceMotion};
use super::notes::ClipNotes;
use super::op::{Plan, RotationOp};
use crate::Error;
use glam::{Mat4, Quat, Vec3};
use rebone_model::bake::BakeLimits;
use rebone_model::check::check_clip;
use rebone_model::rotation::{angle_between, exp, log, normalized_or_identity};
use rebone_model::sampling::{RegularTimes, regular_times};
use rebone_model::track::TrackValue;
use rebone_model::{Clip, Interpolation, JointTracks, Track};
use std::rc::Rc;
use std::sync::Arc;

/// How to apply a plan to a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClipOptions {
    /// Frames a second of the result, whose frames then have the bits of [`apply_pose`](super::apply_pose()). Default:
    /// the source's own keys.
    pub rate_hz: Option<f64>,
    /// How many frames baking may make. Default: see [`BakeLimits`].
    pub limits: BakeLimits,
}

/// How a target joint's model-space rotation V follows from the source.
#[derive(Clone, Debug)]
enum Follows {
    /// V is constant.
    World(Quat),
    /// V = W_source · constant.
    Source(usize, Quat),
    /// V by frame.
    Free(Rc<Vec<Quat>>),
}

/// Retargets a clip of the plan's source rig; the result is a clip of its target rig.
///
/// # Errors
///
/// [`Error::TooManyFrames`] where more frames would be baked than `options.limits` allow; [`Error::Unusable`] where the
/// numbers of clip and plan are so odd that the result has none that a file could hold.
pub fn apply_clip(plan: &Plan, clip: &Clip, options: &ClipOptions) -> Result<Clip, Error> {
    Ok(apply_clip_noted(plan, clip, options)?.0)
}

/// Like [`apply_clip`], and tells what was seen on the way.
///
/// # Errors
///
/// As [`apply_clip`].
pub fn apply_clip_noted(
    plan: &Plan,
    clip: &Clip,
    options: &ClipOptions,
) -> Result<(Clip, ClipNotes), Error> {
    let mut notes = ClipNotes::default();
    let between_keys = between_keys(clip);
    let joints = plan.target.len();
    if let Some(rate_hz) = options.rate_hz {
        let (start, end) = clip.time_span();
        let frames = RegularTimes::new(start, end, rate_hz).len() as u64;
        options.limits.check(clip, frames, joints)?;
        let times = regular_times(start, end, rate_hz).into();
        let (joints, taken_out) = apply_frames(plan, clip, &times, between_keys, &mut notes);
        let made = Clip {
            joints,
            curves: mirror_clip::curves(plan, clip)
                .into_iter()
                .chain(taken_out)
                .collect(),
            rate_hz: Some(rate_hz),
            ..Clip::new(clip.name.clone(), 0)
        };
        check(&made)?;
        return Ok((made, notes));
    }
    let times: Arc<[f32]> = shared_key_times(clip);
    options.limits.check(clip, times.len() as u64, joints)?;
    let between = frames_between(&plan.stages, (&times, between_keys));
    options.limits.check(clip, between, joints)?;
    let mut work = Work {
        plan,
        clip,
        times: Arc::clone(&times),
        motion: SourceMotion::new(&plan.source, clip, &times, plan.target_from_source),
        follows: vec![Follows::World(Quat::IDENTITY); plan.target.len()],
        bend: None,
        between_keys,
        result: Clip::new(clip.name.clone(), plan.target.len()),
    };
    work.result.curves = mirror_clip::curves(plan, clip);
    work.result.rate_hz = clip.rate_hz;
    let uses = LastUses::new(plan);
    for (step, &joint) in plan.order.iter().enumerate() {
        work.rotate(joint);
        for done in uses.source(step) {
            work.motion.release(done);
        }
        for done in uses.target(step) {
            work.follows[done] = Follows::World(Quat::IDENTITY);
        }
    }
    for slide in &plan.slides {
        work.slide(slide);
    }
    for scale in &plan.scales {
        work.stretch(scale);
    }
    if let Some(travel) = plan.travel {
        work.travel(&travel);
        work.grow(&travel);
    }
    for attach in &plan.attachments {
        work.attach(attach);
    }
    let mut result = work.result;
    apply_stages(plan, clip, (&times, between_keys), &mut result, &mut notes);
    check(&result)?;
    Ok((result, notes))
}

/// Numbers that overflowed on the way are no motion.
fn check(clip: &Clip) -> Result<(), Error> {
    check_clip(clip).map_err(|problem| Error::Unusable(Box::new(problem)))
}

/// How baked tracks of a clip go from key to key.
pub(super) fn between_keys(clip: &Clip) -> Interpolation {
    if is_held(clip) {
        Interpolation::Step
    } else {
        Interpolation::Linear
    }
}

/// True where every track of a clip holds its keys, so that a baked one must not glide between them.
fn is_held(clip: &Clip) -> bool {
    fn held<V: TrackValue>(track: &Option<Track<V>>) -> bool {
        let moves = track.as_ref().filter(|track| !track.is_constant());
        moves.is_none_or(|track| track.interpolation() == Interpolation::Step)
    }
    let held = |tracks: &JointTracks| {
        held(&tracks.rotation) && held(&tracks.translation) && held(&tracks.scale)
    };
    clip.joints.iter().all(held)
}

fn shared_key_times(clip: &Clip) -> Arc<[f32]> {
    let times = clip.key_times();
    let existing = clip.joints.iter().find_map(|tracks| {
        let rotation = tracks.rotation.as_ref()?;
        (rotation.times() == times.as_slice()).then(|| Arc::clone(rotation.shared_times()))
    });
    existing.unwrap_or_else(|| times.into())
}

pub(super) struct Work<'a> {
    pub(super) plan: &'a Plan,
    pub(super) clip: &'a Clip,
    pub(super) times: Arc<[f32]>,
    pub(super) motion: SourceMotion<'a>,
    follows: Vec<Follows>,
    /// The last bend that was spread, and its ends.
    bend: Option<(Ends, Bend)>,
    /// How baked tracks go from key to key.
    between_keys: Interpolation,
    pub(super) result: Clip,
}

/// The joints between which a chain bends, each with A⁻¹.
type Ends = ((usize, Quat), (usize, Quat));

/// D_first and log(D_first⁻¹ · D_last) in each frame.
type Bend = Rc<Vec<(Quat, Vec3)>>;

impl Work<'_> {
    fn parent_follows(&self, joint: usize) -> Follows {
        match self.plan.target.parents[joint] {
            None => Follows::World(Quat::IDENTITY),
            Some(parent) => self.follows[parent].clone(),
        }
    }

    fn rotate(&mut self, joint: usize) {
        let rest = self.plan.target.rest[joint].rotation;
        let follows = match self.plan.rotations[joint] {
            RotationOp::Rest => self.carried(joint, rest),
            RotationOp::Model { source, frame } => self.model(joint, source, frame),
            RotationOp::Spread {
                first,
                last,
                first_inverse,
                last_inverse,
                frame,
                fraction,
            } => {
                if fraction >= 1.0 {
                    self.model(joint, last, normalized_or_identity(last_inverse * frame))
                } else {
                    let bend = self.bend((first, first_inverse), (last, last_inverse));
                    let values = bend
                        .iter()
                        .map(|(low, way)| *low * exp(*way * fraction) * frame);
                    let values = values.collect();
                    self.free(joint, Rc::new(values))
                }
            }
            RotationOp::Blend { blend } => {
                let plan = self.plan;
                let mut turns: Vec<(usize, Signal<Quat>)> = Vec::new();
                plan.for_each_source(&plan.rotations[joint], |source| {
                    turns.push((source, self.motion.model_rotation(source)));
                });
                let at = |source: usize, frame: usize| {
                    let found = turns.iter().find(|turn| turn.0 == source);
                    found.map_or(Quat::IDENTITY, |(_, turns)| turns.at(frame))
                };
                let operation = &plan.blends[blend];
                let values = (0..self.times.len())
                    .map(|frame| operation.rotation(|source| at(source, frame)))
                    .collect();
                self.free(joint, Rc::new(values))
            }
            RotationOp::Carried { carrier, frame } => match self.follows[carrier].clone() {
                Follows::Source(source, constant) => self.model(joint, source, constant * frame),
                Follows::World(value) => {
                    let values = vec![value * frame; self.times.len()];
                    self.free(joint, Rc::new(values))
                }
                Follows::Free(values) => {
                    let values = self.frames(&Signal::Moving(values), frame);
                    self.free(joint, values)
                }
            },
            RotationOp::Local {
                source,
                left,
                right,
            } => self.local(joint, source, left, right),
        };
        self.follows[joint] = follows;
    }

    /// What is spread over a chain, whose joints ask for it one after another.
    fn bend(&mut self, first: (usize, Quat), last: (usize, Quat)) -> Bend {
        if let Some((ends, bend)) = &self.bend
            && *ends == (first, last)
        {
            return Rc::clone(bend);
        }
        let [low, high] =
            [first, last].map(|(joint, inverse)| (self.motion.model_rotation(joint), inverse));
        let at = |frame: usize| {
            let [low, high] = [&low, &high].map(|(turns, inverse)| turns.at(frame) * *inverse);
            (low, log(low.conjugate() * high))
        };
        let bend = Rc::new((0..self.times.len()).map(at).collect());
        self.bend = Some(((first, last), Rc::clone(&bend)));
        bend
    }

    /// The joint keeps its local rotation.
    fn carried(&self, joint: usize, rest: Quat) -> Follows {
        match self.parent_follows(joint) {
            Follows::World(parent) => Follows::World(parent * rest),
            Follows::Source(source, constant) => Follows::Source(source, constant * rest),
            Follows::Free(values) => Follows::Free(self.frames(&Signal::Moving(values), rest)),
        }
    }

    /// V = W · frame: as a mapped track where the parents allow it, else baked.
    fn model(&mut self, joint: usize, source: usize, frame: Quat) -> Follows {
        let between = match self.parent_follows(joint) {
            Follows::World(parent) => self
                .motion
                .still_between(None, source)
                .map(|still| (parent.conjugate() * still, false)),
            Follows::Source(above, constant) if above == source => {
                Some((constant.conjugate(), true))
            }
            Follows::Source(above, constant) => self
                .motion
                .still_between(Some(above), source)
                .map(|still| (constant.conjugate() * still, false)),
            Follows::Free(_) => None,
        };
        match between {
            Some((left, true)) => self.set_still_rotation(joint, left * frame),
            Some((left, false)) => match self.motion.still_rotation(source) {
                Some(still) => self.set_still_rotation(joint, left * still * frame),
                None => self.set_mapped_rotation(joint, source, left, frame),
            },
            None => {
                let model = self.motion.model_rotation(source);
                let values = self.frames(&model, frame);
                return self.free(joint, values);
            }
        }
        match self.motion.model_rotation_is_still(source) {
            Some(still) => Follows::World(still * frame),
            None => Follows::Source(source, frame),
        }
    }

    fn local(&mut self, joint: usize, source: usize, left: Quat, right: Quat) -> Follows {
        match self.motion.still_rotation(source) {
            Some(still) => self.set_still_rotation(joint, left * still * right),
            None => self.set_mapped_rotation(joint, source, left, right),
        }
        let local = self.local_rotation(joint);
        let parent = self.model_values(self.plan.target.parents[joint]);
        match (parent, local) {
            (Signal::Still(parent), Signal::Still(local)) => Follows::World(parent * local),
            (parent, local) => Follows::Free(self.frames(&parent.product(&local), Quat::IDENTITY)),
        }
    }

    fn set_still_rotation(&mut self, joint: usize, value: Quat) {
        let value = normalized_or_identity(value);
        if angle_between(value, self.plan.target.rest[joint].rotation) > 1e-6 {
            self.result.joints[joint].rotation = Some(self.still_track(value));
        }
    }

    fn set_mapped_rotation(&mut self, joint: usize, source: usize, left: Quat, right: Quat) {
        let Some(track) = self.motion.rotation_track(source) else {
            return;
        };
        let matrix = sandwich_matrix(left, right);
        let mapped = if matrix.abs_diff_eq(Mat4::IDENTITY, 2e-6) {
            Some(track.clone())
        } else {
            let mut values = vec![Quat::IDENTITY; track.values().len()];
            transform_rotations(&matrix, track.values(), &mut values);
            track.with_values(values)
        };
        self.result.joints[joint].rotation = mapped;
    }

    /// `signal · frame`, one value a frame.
    fn frames(&self, signal: &Signal<Quat>, frame: Quat) -> Rc<Vec<Quat>> {
        let product = if frame == Quat::IDENTITY {
            signal.clone()
        } else {
            signal.product(&Signal::Still(frame))
        };
        match product {
            Signal::Still(value) => Rc::new(vec![value; self.times.len()]),
            Signal::Moving(values) => values,
        }
    }

    /// Bakes model-space rotations to local ones.
    fn free(&mut self, joint: usize, values: Rc<Vec<Quat>>) -> Follows {
        let parent = self.model_values(self.plan.target.parents[joint]);
        let parent = self.frames(&parent, Quat::IDENTITY);
        let before = self.plan.target.rest[joint].rotation;
        let mut local = vec![Quat::IDENTITY; values.len()];
        bake_rotations(&parent, &values, before, &mut local);
        self.result.joints[joint].rotation = self.baked(local);
        Follows::Free(values)
    }

    pub(super) fn baked<V: TrackValue>(&self, values: Vec<V>) -> Option<Track<V>> {
        Track::computed(self.between_keys, Arc::clone(&self.times), values)
    }

    pub(super) fn still_track<V: TrackValue>(&self, value: V) -> Track<V> {
        let start = self.times.first().copied().unwrap_or(0.0);
        Track::computed(Interpolation::Step, Arc::from([start]), vec![value])
            .unwrap_or_else(|| Track::constant(value))
    }

    /// Model-space rotation of a target joint by frame; the world for `None`.
    pub(super) fn model_values(&mut self, joint: Option<usize>) -> Signal<Quat> {
        let Some(joint) = joint else {
            return Signal::Still(Quat::IDENTITY);
        };
        match self.follows[joint].clone() {
            Follows::World(value) => Signal::Still(value),
            Follows::Free(values) => Signal::Moving(values),
            Follows::Source(source, constant) => {
                let model = self.motion.model_rotation(source);
                model.product(&Signal::Still(constant))
            }
        }
    }

    /// Local rotation of a target joint as it now stands in the result.
    pub(super) fn local_rotation(&self, joint: usize) -> Signal<Quat> {
        match &self.result.joints[joint].rotation {
            None => Signal::Still(self.plan.target.rest[joint].rotation),
            Some(track) if track.is_constant() => Signal::Still(track.key_value(0)),
            Some(track) => {
                let values = rebone_model::sampling::sample_track_at(track, &self.times);
                Signal::Moving(Rc::new(values))
            }
        }
    }
}
