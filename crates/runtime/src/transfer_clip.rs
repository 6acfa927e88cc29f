//! The transfer of a whole clip: a batch of frames, of which each channel takes the keys that it needs.
//!
//! The values are those of single poses, to the bit. What a clip adds is where keys stand: a channel that reads one moving
//! track of the source has the keys, times and interpolation of that track; one that reads several has a key at every
//! key time of the clip; one that stays has a single key, or none where it stays at rest.

use super::affine_lanes::Transforms;
use super::kernel::transform_rotations;
use super::keys::{KeyTimes, keep_signs, mapped};
use super::op::{LinearOp, Plan, TravelOp};
use super::program::Program;
use super::rig::Rig;
use super::rig_frames::joint_frames;
use super::sliders::SliderRest;
use super::sources::FramesFrom;
use super::stage::{Kinematics, Placed};
use super::transfer_frame::{Work, begin_frames, transfer};
use super::turns::{Chain, Turn};
use crate::lanes::{Kernel, WIDTH};
use glam::{Mat3, Mat4, Quat, Vec3, Vec4};
use rebone_model::joint_frames::JointFrames;
use rebone_model::rotation::angle_between;
use rebone_model::track::TrackValue;
use rebone_model::{Clip, JointTracks, Track, Transform};
use std::sync::Arc;

/// Values that differ from the source's by less are the source's, so that a rig's own motion comes out as it is.
const SAME: f32 = 2e-6;

/// Rotations that differ from the rest by less (radians) need no track.
const NOTHING: f32 = 1e-6;

/// Places that differ from the rest by less, as a share of it, need no track.
const NOWHERE: f32 = 3e-5;

/// The tracks of the target's joints.
pub(super) fn transfer_clip(
    plan: &Plan,
    program: &Program,
    clip: &Clip,
    keys: KeyTimes<'_>,
) -> Vec<JointTracks> {
    let start = Arc::from([0.0]);
    let times = if keys.times.is_empty() {
        &start
    } else {
        keys.times
    };
    let keys = KeyTimes { times, ..keys };
    let is_seen = match keys.keeps_source {
        true => program.source_joints(plan),
        false => vec![true; plan.source.len()],
    };
    let frames = joint_frames(&plan.source, &clip.joints, times, &is_seen);
    let made = Made::new(plan, program, &frames, times.len());
    let mut transfer = Transfer {
        plan,
        clip,
        keys,
        frames,
        joints: vec![JointTracks::default(); plan.target.len()],
    };
    for direct in &program.direct {
        transfer.map(direct.target, direct.source, &direct.matrix);
    }
    for step in &program.target {
        if let Turn::Chain(chain) = &step.turn
            && let [source] = chain.joints[..]
        {
            transfer.map(step.joint, source, &chain.matrix);
        }
    }
    for (rest, slider) in program.slider_rests.iter().zip(&program.sliders) {
        for &slide in &slider.slides {
            transfer.slide(rest, &plan.slides[slide]);
        }
        for &scale in &slider.scales {
            transfer.stretch(scale);
        }
    }
    transfer.take(program, made);
    transfer.joints
}

/// What the steps of a program make of every frame.
pub(super) struct Made {
    /// By target joint.
    rotations: Vec<(usize, Vec<Quat>)>,
    /// Translation and scale, by target joint.
    places: Vec<(usize, Vec<Vec3>, Vec<Vec3>)>,
    /// The body grows with what is above the source's hips.
    has_grown: bool,
}

impl Made {
    fn new(plan: &Plan, program: &Program, frames: &[JointFrames<'_>], count: usize) -> Self {
        let by_steps = |&&joint: &&usize| {
            let step = program.target.iter().find(|step| step.joint == joint);
            let maps_one =
                |turn: &Turn| matches!(turn, Turn::Chain(chain) if chain.joints.len() == 1);
            !step.is_some_and(|step| maps_one(&step.turn))
        };
        let turning = program.turning_outputs.iter().filter(by_steps);
        let placed = program.placed_outputs.iter();
        let mut made = Self {
            rotations: turning
                .map(|&joint| (joint, Vec::with_capacity(count)))
                .collect(),
            places: placed
                .map(|&joint| (joint, Vec::with_capacity(count), Vec::with_capacity(count)))
                .collect(),
            has_grown: false,
        };
        if !made.rotations.is_empty() || !made.places.is_empty() {
            Make {
                plan,
                program,
                joints: frames,
                count,
                made: &mut made,
            }
            .run_widest();
        }
        made
    }
}

/// Frames to be made, eight at a time.
struct Make<'a> {
    plan: &'a Plan,
    program: &'a Program,
    joints: &'a [JointFrames<'a>],
    count: usize,
    made: &'a mut Made,
}

impl Kernel for Make<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (joints, made) = (self.joints, self.made);
        let mut work = Work::<WIDTH>::new(self.plan);
        for first in (0..self.count).step_by(WIDTH) {
            let sources = FramesFrom { joints, first };
            begin_frames(self.plan, self.program, &sources, &mut work);
            transfer(self.plan, self.program, &sources, &mut work);
            let lanes = WIDTH.min(self.count - first);
            for (joint, values) in &mut made.rotations {
                let eight = work.target[*joint].rotation.scattered();
                values.extend_from_slice(&eight[..lanes]);
            }
            for (joint, places, scales) in &mut made.places {
                let eight: &Transforms<WIDTH> = &work.target[*joint];
                places.extend((0..lanes).map(|lane| eight.translation.lane(lane)));
                scales.extend((0..lanes).map(|lane| eight.scale.lane(lane)));
            }
        }
        made.has_grown = work.has_grown;
    }
}

/// The tracks in the making.
struct Transfer<'a> {
    plan: &'a Plan,
    clip: &'a Clip,
    keys: KeyTimes<'a>,
    /// The source's joints at the key times, as far as they are needed.
    frames: Vec<JointFrames<'a>>,
    joints: Vec<JointTracks>,
}

impl<'a> Transfer<'a> {
    /// What the steps made.
    fn take(&mut self, program: &Program, made: Made) {
        for (joint, values) in made.rotations {
            let step = program.target.iter().find(|step| step.joint == joint);
            let kept = step.and_then(|step| match &step.turn {
                Turn::Chain(chain) => self.kept_chain(chain, &values),
                Turn::Keep | Turn::Model(_) => None,
            });
            let track = kept.or_else(|| self.rotations(values, joint));
            self.joints[joint].rotation = track;
        }
        let mut travelled = None;
        for (joint, places, scales) in made.places {
            let travels = self
                .plan
                .travel
                .is_some_and(|travel| travel.target == joint);
            if travels && made.has_grown {
                let rest = self.plan.target.rest[joint].scale;
                self.joints[joint].scale = self.values(scales, |value| value == rest);
            }
            if self.is_attached(joint) {
                self.joints[joint].translation = self.places(places, joint);
            } else if travels {
                travelled = Some(places);
            }
        }
        if let (Some(places), Some(travel)) = (travelled, &self.plan.travel) {
            let kept = self.kept_travel(travel, &places);
            let track = kept.or_else(|| self.places(places, travel.target));
            self.joints[travel.target].translation = track;
        }
    }

    fn tracks(&self, source: usize) -> Option<&'a JointTracks> {
        self.clip.joints.get(source)
    }

    /// The track of a source joint that turns, where the result has its keys.
    fn kept_rotations(&self, source: usize) -> Option<&'a Track<Quat>> {
        let track = self.tracks(source)?.rotation.as_ref()?;
        (self.keys.keeps_source && !track.is_constant()).then_some(track)
    }

    /// A local rotation that is a matrix by the one of a source joint.
    fn map(&mut self, joint: usize, source: usize, matrix: &Mat4) {
        let mapped = |from: &[Quat]| {
            let mut values = vec![Quat::IDENTITY; from.len()];
            transform_rotations(matrix, from, &mut values);
            values
        };
        let own = self
            .tracks(source)
            .and_then(|tracks| tracks.rotation.as_ref());
        let track = match (self.kept_rotations(source), own) {
            (Some(track), _) if *matrix == Mat4::IDENTITY => Some(track.clone()),
            (Some(track), _) => track.with_values(mapped(track.values())),
            (None, Some(track)) => {
                let first = [track.key_value(0)];
                let frames = self.frames[source].moving_rotations();
                let frames = frames.filter(|_| !self.keys.keeps_source && !track.is_constant());
                self.rotations(mapped(frames.unwrap_or(&first)), joint)
            }
            (None, None) => {
                let rest = [self.plan.source.rest[source].rotation];
                self.rotations(mapped(&rest), joint)
            }
        };
        self.joints[joint].rotation = track;
    }

    /// The values of a chain at the keys of its one joint that moves; `None` where not one moves.
    fn kept_chain(&self, chain: &Chain, values: &[Quat]) -> Option<Track<Quat>> {
        let moves = |&place: &usize| self.kept_rotations(chain.joints[place]).is_some();
        let mut moving = (0..chain.joints.len()).filter(moves);
        let (place, None) = (moving.next()?, moving.next()) else {
            return None;
        };
        let track = self.kept_rotations(chain.joints[place])?;
        let still = |joint: usize| self.frames[joint].at(0).rotation;
        let matrix = chain.matrix_of(place, still);
        let tangent = |tangent: Quat| Quat::from_vec4(matrix * Vec4::from(tangent));
        self.picked(track, values, tangent, |a, b| a.abs_diff_eq(b, SAME))
    }

    /// The places of the travel at the keys of the source's own; `None` where more than those move it.
    fn kept_travel(&self, travel: &TravelOp, places: &[Vec3]) -> Option<Track<Vec3>> {
        let track = self.tracks(travel.source)?.translation.as_ref()?;
        let is_kept = self.keys.keeps_source && travel.legs.is_none() && !track.is_constant();
        let is_still = |tracks: &JointTracks| {
            tracks.rotation.as_ref().is_none_or(Track::is_constant)
                && tracks.translation.as_ref().is_none_or(Track::is_constant)
                && tracks.scale.as_ref().is_none_or(Track::is_constant)
        };
        let above_source = self.plan.source.parents[travel.source];
        let above_target = self.plan.target.parents[travel.target];
        let mut source = self.plan.source.up_from(above_source);
        let mut target = self.plan.target.up_from(above_target);
        let stay = source.all(|joint| self.tracks(joint).is_none_or(is_still))
            && target.all(|joint| self.joints[joint].is_empty());
        if !is_kept || !stay {
            return None;
        }
        let into_model = linear_above(&self.plan.source, above_source, |joint| {
            self.frames[joint].at(0)
        });
        let rest = &self.plan.target.rest;
        let into_target = linear_above(&self.plan.target, above_target, |joint| rest[joint]);
        let linear = into_target.inverse() * travel.linear * into_model;
        let most = SAME * rest[travel.target].translation.length();
        let is_same = |a: Vec3, b: Vec3| a.abs_diff_eq(b, most);
        self.picked(track, places, |tangent| linear * tangent, is_same)
    }

    /// A track with the keys of `kept`: its values are those of the frames at its key times, and its tangents go
    /// through `tangent`. Where all of them are the same, it is `kept`.
    fn picked<V: TrackValue>(
        &self,
        kept: &Track<V>,
        frames: &[V],
        tangent: impl Fn(V) -> V,
        is_same: impl Fn(V, V) -> bool,
    ) -> Option<Track<V>> {
        let mut frame = 0;
        let mut at = |time: f32| {
            while frame + 1 < frames.len() && self.keys.times[frame] < time {
                frame += 1;
            }
            frames[frame]
        };
        let per_key = kept.interpolation().values_per_key();
        let mut values = Vec::with_capacity(kept.values().len());
        for (&time, own) in kept.times().iter().zip(kept.values().chunks(per_key)) {
            match *own {
                [before, _, after] => values.extend([tangent(before), at(time), tangent(after)]),
                _ => values.push(at(time)),
            }
        }
        let mut pairs = kept.values().iter().zip(&values);
        if pairs.all(|(own, made)| is_same(*own, *made)) {
            return Some(kept.clone());
        }
        kept.with_values(values)
    }

    /// A translation that is linear in the one of a source joint.
    fn slide(&mut self, at_rest: &SliderRest, slide: &LinearOp) {
        let rest = self.plan.target.rest[slide.target].translation;
        let place = |from: Vec3| {
            if at_rest.keeps_place(from) {
                rest
            } else {
                slide.place(from)
            }
        };
        let tracks = self.tracks(slide.source);
        let own = self.plan.source.rest[slide.source].translation;
        let track = tracks.and_then(|tracks| tracks.translation.as_ref());
        let frames = self.frames[slide.source].moving_translations();
        let made = match (track, frames) {
            (None, _) => self.places(vec![place(own)], slide.target),
            (Some(track), _) if track.is_constant() => {
                self.places(vec![place(track.key_value(0))], slide.target)
            }
            (Some(_), Some(frames)) if !self.keys.keeps_source => {
                self.places(frames.iter().copied().map(place).collect(), slide.target)
            }
            (Some(track), _) => {
                let keys = (0..track.key_count()).map(|key| track.key_value(key));
                let mut places = keys.map(place);
                let stays = places.all(|place| place == rest);
                let tangent = |tangent: Vec3| slide.linear * tangent;
                (!stays).then(|| mapped(track, place, tangent))
            }
        };
        self.joints[slide.target].translation = made;
    }

    /// A scale by the one of a source joint.
    fn stretch(&mut self, scale: usize) {
        let op = &self.plan.scales[scale];
        let own = self.plan.source.rest[op.source].scale;
        let rest = self.plan.target.rest[op.target].scale;
        let scaled = |value: Vec3| op.stretched(rest, own, value);
        let tracks = self.tracks(op.source);
        let track = tracks.and_then(|tracks| tracks.scale.as_ref());
        let frames = self.frames[op.source].moving_scales();
        let is_rest = |value: Vec3| value == rest;
        let made = match (track, frames) {
            (None, _) => None,
            (Some(track), _) if track.is_constant() => {
                self.values(vec![scaled(track.key_value(0))], is_rest)
            }
            (Some(_), Some(frames)) if !self.keys.keeps_source => {
                self.values(frames.iter().copied().map(scaled).collect(), is_rest)
            }
            (Some(track), _) => {
                let keys = (0..track.key_count()).map(|key| track.key_value(key));
                let mut scales = keys.map(scaled);
                let stays = scales.all(is_rest);
                (!stays).then(|| mapped(track, scaled, |tangent| op.scaled(rest, own, tangent)))
            }
        };
        self.joints[op.target].scale = made;
    }

    /// True where a joint is attached to another than its parent in some frame.
    fn is_attached(&self, joint: usize) -> bool {
        let (source, count) = (&self.plan.source, self.keys.times.len());
        let mut attachments = self.plan.attachments.iter();
        attachments
            .any(|attach| attach.target == joint && attach.counts_in(source, &self.frames, count))
    }

    fn rotations(&self, mut values: Vec<Quat>, joint: usize) -> Option<Track<Quat>> {
        let rest = self.plan.target.rest[joint].rotation;
        keep_signs(&mut values, rest);
        self.values(values, |value| angle_between(value, rest) <= NOTHING)
    }

    fn places(&self, values: Vec<Vec3>, joint: usize) -> Option<Track<Vec3>> {
        let rest = self.plan.target.rest[joint].translation;
        let most = NOWHERE * (1e-3 + rest.length());
        self.values(values, |value| value.distance(rest) <= most)
    }

    /// No track where all values are the rest.
    fn values<V: TrackValue>(
        &self,
        values: Vec<V>,
        is_rest: impl Fn(V) -> bool,
    ) -> Option<Track<V>> {
        let track = self.keys.track(values)?;
        let stays_at_rest = track.key_count() == 1 && is_rest(track.key_value(0));
        (!stays_at_rest).then_some(track)
    }
}

/// What a joint makes of vectors in its axes.
fn linear_above(rig: &Rig, joint: Option<usize>, local: impl Fn(usize) -> Transform) -> Mat3 {
    let Some(joint) = joint else {
        return Mat3::IDENTITY;
    };
    let kinematics = Kinematics::new(rig, [joint]);
    let mut placed = vec![Placed::ROOT; kinematics.len()];
    kinematics.place_by(local, &mut placed);
    placed
        .last()
        .map_or(Mat3::IDENTITY, |placed| placed.linear().into())
}
