//! The translations and scales of a clip's target joints; the second half of `apply_clip`.

use super::apply_clip::Work;
use super::motion::{Signal, placed, scaled, size_of};
use super::op::{AttachOp, LinearOp, ScaleOp, TravelOp};
use super::stage::PlacedFrames;
use glam::{Affine3A, Mat3, Vec3};
use rebone_model::sampling::sample_track_at;
use rebone_model::{Interpolation, Track};
use std::rc::Rc;

impl Work<'_> {
    /// Joints of the result in model space in each frame.
    fn placed(&self, joints: &[usize]) -> PlacedFrames {
        let rig = &self.plan.target;
        placed(rig, &self.result.joints, &self.times, joints)
    }

    /// Model space to the space of a target joint, frame by frame; once where nothing above moves.
    fn to_local(&self, joint: Option<usize>) -> impl Fn(usize) -> Affine3A + use<> {
        let count = if self.target_is_still(joint) {
            1
        } else {
            usize::MAX
        };
        let times = &self.times[..count.min(self.times.len())];
        let placed = joint.map(|joint| {
            let tracks = &self.result.joints;
            (joint, placed(&self.plan.target, tracks, times, &[joint]))
        });
        let at = move |frame: usize| match &placed {
            Some((joint, placed)) => placed.at(*joint, frame).affine().inverse(),
            None => Affine3A::IDENTITY,
        };
        let still = (times.len() == 1).then(|| at(0));
        move |frame| still.unwrap_or_else(|| at(frame))
    }

    fn target_is_still(&self, joint: Option<usize>) -> bool {
        let mut at = joint;
        while let Some(index) = at {
            if !self.result.joints[index].is_empty() {
                return false;
            }
            at = self.plan.target.parents[index];
        }
        true
    }

    pub(super) fn travel(&mut self, travel: &TravelOp) {
        let parent = self.plan.target.parents[travel.target];
        let rest = self.plan.target.rest[travel.target].translation;
        if self.times.is_empty() {
            return;
        }
        if travel.legs.is_none() && self.target_is_still(parent) {
            let inverse = self.to_local(parent)(0);
            if let Some(above) = self.motion.still_parent(travel.source) {
                let place = |local: Vec3| {
                    inverse.transform_point3(
                        travel.linear * above.transform_point3(local) + travel.offset,
                    )
                };
                let linear =
                    Mat3::from(inverse.matrix3) * travel.linear * Mat3::from(above.matrix3);
                let track = self
                    .clip
                    .joints
                    .get(travel.source)
                    .and_then(|t| t.translation.as_ref());
                let translation = match track {
                    None => self.still_translation(
                        rest,
                        place(self.plan.source.rest[travel.source].translation),
                    ),
                    Some(track) => Some(mapped_translation(
                        track,
                        linear,
                        place(Vec3::ZERO),
                        1e-6 * rest.length(),
                    )),
                };
                self.result.joints[travel.target].translation = translation;
                return;
            }
        }
        let feet = travel.legs.iter().flat_map(|legs| legs.feet);
        let looked_at: Vec<usize> = feet.chain([travel.source]).collect();
        let places = self.motion.placed(&looked_at);
        let seen = |joint: usize, frame: usize| travel.linear * places.position(joint, frame);
        let legs = travel.legs.map(|legs| {
            let source = self.motion.model_rotation(travel.source);
            (legs, source, self.model_values(Some(travel.target)))
        });
        let to_local = self.to_local(parent);
        let values: Vec<Vec3> = (0..self.times.len())
            .map(|frame| {
                let mut place = seen(travel.source, frame);
                if let Some((legs, source, target)) = &legs {
                    let [left, right] = legs.feet.map(|foot| seen(foot, frame));
                    let feet = (left + right) * 0.5;
                    place = legs.place(place, feet, source.at(frame), target.at(frame));
                }
                to_local(frame).transform_point3(place + travel.offset)
            })
            .collect();
        self.result.joints[travel.target].translation = self.baked(values);
    }

    fn still_translation(&self, rest: Vec3, value: Vec3) -> Option<Track<Vec3>> {
        (rest.distance(value) > 1e-5 * (1e-3 + rest.length())).then(|| self.still_track(value))
    }

    pub(super) fn slide(&mut self, slide: &LinearOp) {
        let track = self
            .clip
            .joints
            .get(slide.source)
            .and_then(|t| t.translation.as_ref())
            .filter(|_| !self.motion.keeps_translation(slide.source));
        let rest = self.plan.target.rest[slide.target].translation;
        let Some(track) = track else {
            // A joint that rests puts its target where that rests, but for roots, which stand where the source does.
            let own = self.plan.source.rest[slide.source].translation;
            let place = slide.linear * own + slide.offset;
            if place.distance(rest) > 3e-5 * (1e-3 + rest.length()) {
                self.result.joints[slide.target].translation = Some(self.still_track(place));
            }
            return;
        };
        self.result.joints[slide.target].translation = Some(mapped_translation(
            track,
            slide.linear,
            slide.offset,
            1e-6 * rest.length(),
        ));
    }

    pub(super) fn stretch(&mut self, op: &ScaleOp) {
        let Some(track) = self
            .clip
            .joints
            .get(op.source)
            .and_then(|t| t.scale.as_ref())
        else {
            return;
        };
        let own = self.plan.source.rest[op.source].scale;
        let rest = self.plan.target.rest[op.target].scale;
        let unchanged =
            (0..track.key_count()).all(|key| track.key_value(key).abs_diff_eq(own, 1e-5));
        if own.abs().min_element() < 1e-9 || unchanged {
            return;
        }
        self.result.joints[op.target].scale =
            Some(track.map_linear(|value| scaled(op, rest, own, value)));
    }

    /// Where nodes above the source's hips grow or shrink, the target's hips do.
    pub(super) fn grow(&mut self, travel: &TravelOp) {
        if !self.motion.grows_above(travel.source) || travel.parent_size < 1e-12 {
            return;
        }
        let own = self.local_scale(travel.target);
        let values: Vec<Vec3> = (0..self.times.len())
            .map(|frame| {
                let size = size_of(&self.motion.parent_affine(travel.source, frame));
                own.at(frame) * (size / travel.parent_size)
            })
            .collect();
        self.result.joints[travel.target].scale = self.baked(values);
    }

    fn local_scale(&self, joint: usize) -> Signal<Vec3> {
        match &self.result.joints[joint].scale {
            None => Signal::Still(self.plan.target.rest[joint].scale),
            Some(track) => Signal::Moving(Rc::new(sample_track_at(track, &self.times))),
        }
    }

    pub(super) fn attach(&mut self, attach: &AttachOp) {
        let sliding = |joint: &usize| !self.motion.keeps_translation(*joint);
        if !attach.only_if_sliding.is_empty() && !attach.only_if_sliding.iter().any(sliding) {
            return;
        }
        let parent = self.plan.target.parents[attach.target];
        let moved = attach.source.map(|from| {
            let places = self.motion.placed(&[from.joint, from.carrier]);
            let turn = self.motion.model_rotation(from.carrier);
            let back = self.plan.target_from_source.conjugate();
            (from, places, turn, back)
        });
        let offset = |frame: usize| match &moved {
            None => attach.offset,
            Some((from, places, turn, back)) => {
                let turn = *back * turn.at(frame);
                let way = places.position(from.joint, frame) - places.position(from.carrier, frame);
                attach.offset + from.linear * (turn.conjugate() * way - from.offset)
            }
        };
        let carriers = self.placed(&[attach.carrier]);
        let to_local = self.to_local(parent);
        let values: Vec<Vec3> = (0..self.times.len())
            .map(|frame| {
                let carrier = carriers.at(attach.carrier, frame);
                let place = carrier.position() + carrier.rotation * offset(frame);
                to_local(frame).transform_point3(place)
            })
            .collect();
        self.result.joints[attach.target].translation = self.baked(values);
    }
}

/// target = linear · source + offset for every key; tangents get the linear part only.
fn mapped_translation(
    track: &Track<Vec3>,
    linear: Mat3,
    offset: Vec3,
    tolerance: f32,
) -> Track<Vec3> {
    if linear.abs_diff_eq(Mat3::IDENTITY, 2e-6) && offset.length() <= tolerance.max(1e-9) {
        return track.clone();
    }
    let cubic = track.interpolation() == Interpolation::CubicSpline;
    let mut index = 0;
    track.map_linear(|value| {
        let tangent = cubic && index % 3 != 1;
        index += 1;
        if tangent {
            linear * value
        } else {
            linear * value + offset
        }
    })
}
