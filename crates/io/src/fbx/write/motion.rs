//! Translations, scales and weights as functions of time: what the curves of FBX objects shall follow.

use super::channels::{Channels, wide};
use super::fit::{Curve, Shape};
use super::follow::{Follower, times_of};
use super::target::{ScaleSource, Target};
use glam::{DQuat, DVec3};
use rebone_model::{Clip, Interpolation, Quat, Skeleton, Track, Vec3};
use std::borrow::Cow;

/// Largest error of a translation between keys, metres; of scales, factors; of morph weights, percent.
pub(super) const TOLERANCE: f64 = 1e-6;

fn scale_track<'a>(clip: &'a Clip, source: &ScaleSource) -> Option<&'a Track<Vec3>> {
    clip.joints.get(source.joint?)?.scale.as_ref()
}

fn follow_scale<'a>(clip: &'a Clip, source: &ScaleSource) -> Follower<'a, Vec3> {
    Follower::new(scale_track(clip, source), source.rest)
}

/// `Lcl Scaling`.
pub(super) struct ScalingCurve<'a> {
    times: Cow<'a, [f32]>,
    value: ScalingValue<'a>,
}

struct ScalingValue<'a> {
    channels: &'a Channels,
    is_helper: bool,
    own: Follower<'a, Vec3>,
    divisor: Option<Follower<'a, Vec3>>,
    factors: Vec<(Follower<'a, Vec3>, DVec3)>,
}

impl<'a> ScalingValue<'a> {
    fn new(target: &'a Target, clip: &'a Clip) -> Self {
        let scaling = &target.scaling;
        // Only what moves changes anything.
        let factors = scaling
            .factors
            .iter()
            .filter(|source| scale_track(clip, source).is_some());
        Self {
            channels: &target.channels,
            is_helper: scaling.is_helper,
            own: follow_scale(clip, &scaling.own),
            divisor: scaling.divisor.map(|source| follow_scale(clip, &source)),
            factors: factors
                .map(|source| (follow_scale(clip, source), wide(source.rest)))
                .collect(),
        }
    }

    fn followers(&self) -> impl Iterator<Item = &Follower<'a, Vec3>> {
        let factors = self.factors.iter().map(|(follower, _)| follower);
        std::iter::once(&self.own)
            .chain(&self.divisor)
            .chain(factors)
    }

    fn enter(&mut self, time: f32) {
        self.own.enter(time);
        if let Some(divisor) = &mut self.divisor {
            divisor.enter(time);
        }
        for (factor, _) in &mut self.factors {
            factor.enter(time);
        }
    }

    fn at(&self, time: f64) -> DVec3 {
        let mut scale = self.own.at(time);
        if !self.is_helper {
            scale = self.channels.lcl_scaling(scale);
        }
        if let Some(divisor) = &self.divisor {
            scale = divided(scale, divisor.at(time));
        }
        for (factor, rest) in &self.factors {
            scale *= divided(factor.at(time), *rest);
        }
        scale
    }
}

/// Component by component; where the divisor is 0, undivided.
fn divided(value: DVec3, by: DVec3) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| {
        if by[axis].abs() > 1e-12 {
            value[axis] / by[axis]
        } else {
            value[axis]
        }
    }))
}

impl<'a> ScalingCurve<'a> {
    /// `None` where nothing in the clip changes the object's scale.
    pub(super) fn new(target: &'a Target, clip: &'a Clip) -> Option<Self> {
        let value = ScalingValue::new(target, clip);
        let lists: Vec<_> = value.followers().map(Follower::times).collect();
        let times = times_of(&lists);
        (!times.is_empty()).then_some(Self { times, value })
    }
}

/// How several tracks together move a value that is no sum of them.
fn shape_of(changes: impl Iterator<Item = Option<Interpolation>>) -> Shape {
    let mut shape = Shape::Straight;
    for change in changes.flatten() {
        match change {
            Interpolation::Step => shape = Shape::Held,
            _ => return Shape::Bent,
        }
    }
    shape
}

impl Curve for ScalingCurve<'_> {
    type Point = [f64; 3];

    fn times(&self) -> &[f32] {
        &self.times
    }

    fn jumps(&self) -> bool {
        self.value.followers().any(Follower::jumps)
    }

    fn enter(&mut self, index: usize) {
        self.value.enter(self.times[index]);
    }

    fn shape(&self) -> Shape {
        if self.value.divisor.is_none()
            && self.value.factors.is_empty()
            && self.value.own.change() == Some(Interpolation::Linear)
        {
            return Shape::Straight;
        }
        shape_of(self.value.followers().map(Follower::change))
    }

    fn rest(&self) -> [f64; 3] {
        [0.0; 3]
    }

    fn at(&self, time: f64, _: &[f64; 3]) -> [f64; 3] {
        self.value.at(time).to_array()
    }

    fn values(&self, point: &[f64; 3]) -> [f64; 3] {
        *point
    }
}

/// `Lcl Translation` in units of the file.
pub(super) struct TranslationCurve<'a> {
    channels: &'a Channels,
    times: Cow<'a, [f32]>,
    translation: Follower<'a, Vec3>,
    /// Of the parent's scale helper.
    parent: Option<Follower<'a, Vec3>>,
    /// Where pivots make the translation depend on them.
    pivoted: Option<(Follower<'a, Quat>, ScalingValue<'a>)>,
}

impl<'a> TranslationCurve<'a> {
    /// `None` where nothing in the clip changes the object's translation.
    pub(super) fn new(target: &'a Target, clip: &'a Clip, skeleton: &Skeleton) -> Option<Self> {
        let tracks = clip.joints.get(target.joint)?;
        let rest = skeleton.joints().get(target.joint)?.rest;
        let translation = Follower::new(tracks.translation.as_ref(), rest.translation);
        let parent = target
            .parent_factors
            .map(|source| follow_scale(clip, &source));
        let pivoted = target.channels.has_pivots().then(|| {
            (
                Follower::new(tracks.rotation.as_ref(), rest.rotation),
                ScalingValue::new(target, clip),
            )
        });
        let mut lists = vec![translation.times()];
        lists.extend(parent.as_ref().map(Follower::times));
        if let Some((rotation, scaling)) = &pivoted {
            lists.push(rotation.times());
            lists.extend(scaling.followers().map(Follower::times));
        }
        let times = times_of(&lists);
        (!times.is_empty()).then_some(Self {
            channels: &target.channels,
            times,
            translation,
            parent,
            pivoted,
        })
    }

    fn is_simple(&self) -> bool {
        self.pivoted.is_none() && self.parent.as_ref().is_none_or(|p| p.times().is_empty())
    }
}

impl Curve for TranslationCurve<'_> {
    type Point = [f64; 3];

    fn times(&self) -> &[f32] {
        &self.times
    }

    fn jumps(&self) -> bool {
        self.translation.jumps()
            || self.parent.as_ref().is_some_and(Follower::jumps)
            || self.pivoted.as_ref().is_some_and(|(rotation, scaling)| {
                rotation.jumps() || scaling.followers().any(Follower::jumps)
            })
    }

    fn enter(&mut self, index: usize) {
        let time = self.times[index];
        self.translation.enter(time);
        if let Some(parent) = &mut self.parent {
            parent.enter(time);
        }
        if let Some((rotation, scaling)) = &mut self.pivoted {
            rotation.enter(time);
            scaling.enter(time);
        }
    }

    fn shape(&self) -> Shape {
        let change = self.translation.change();
        if self.is_simple() && change == Some(Interpolation::Linear) {
            return Shape::Straight;
        }
        let parent = self.parent.as_ref().and_then(Follower::change);
        let mut changes = vec![change, parent];
        if let Some((rotation, scaling)) = &self.pivoted {
            changes.push(rotation.change());
            changes.extend(scaling.followers().map(Follower::change));
        }
        shape_of(changes.into_iter())
    }

    fn rest(&self) -> [f64; 3] {
        [0.0; 3]
    }

    fn at(&self, time: f64, _: &[f64; 3]) -> [f64; 3] {
        let (rotation, scaling) =
            self.pivoted
                .as_ref()
                .map_or((DQuat::IDENTITY, DVec3::ONE), |(rotation, scaling)| {
                    let rotation = self.channels.lcl_rotation(rotation.at(time));
                    (rotation, scaling.at(time))
                });
        let parent = self
            .parent
            .as_ref()
            .map_or(DVec3::ONE, |parent| parent.at(time));
        self.channels
            .lcl_translation(self.translation.at(time), rotation, scaling, parent)
            .to_array()
    }

    fn values(&self, point: &[f64; 3]) -> [f64; 3] {
        *point
    }
}

/// A single number, of a track whose first component it is.
pub(super) struct NumberCurve<'a> {
    times: Cow<'a, [f32]>,
    number: Follower<'a, Vec3>,
}

impl<'a> NumberCurve<'a> {
    /// Follows the first component.
    pub(super) fn new(track: &'a Track<Vec3>) -> Self {
        Self {
            times: times_of(&[Cow::Borrowed(track.times())]),
            number: Follower::new(Some(track), Vec3::ZERO),
        }
    }
}

impl Curve for NumberCurve<'_> {
    type Point = [f64; 3];

    fn times(&self) -> &[f32] {
        &self.times
    }

    fn jumps(&self) -> bool {
        self.number.jumps()
    }

    fn enter(&mut self, index: usize) {
        self.number.enter(self.times[index]);
    }

    fn shape(&self) -> Shape {
        match self.number.change() {
            Some(Interpolation::Linear) => Shape::Straight,
            change => shape_of([change].into_iter()),
        }
    }

    fn rest(&self) -> [f64; 3] {
        [0.0; 3]
    }

    fn at(&self, time: f64, _: &[f64; 3]) -> [f64; 3] {
        [self.number.at(time).x, 0.0, 0.0]
    }

    fn values(&self, point: &[f64; 3]) -> [f64; 3] {
        *point
    }
}
