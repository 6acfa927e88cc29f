//! What a VRM animation holds of a clip: how labelled joints turn, and where the hips are.
//!
//! ```text
//! L' = C0⁻¹ · C · L
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | L | a labelled joint's local transform, now |
//! | C | the product of the joints without label between it and the next labelled one above, now |
//! | C0 | the same at rest |
//! | L' | what the labelled joint does so that those in between can rest |
//!
//! So a root that carries the hips, or a second spine joint without label, loses no rotation. Of L' only
//! the rotation is kept, and for the hips the translation; what else moved is told. Where C0 has no
//! inverse, a scale of zero, L stays as it is.

use rebone_model::Clamp as _;
use rebone_model::kinematics::model_pose;
use rebone_model::rotation::{normalized_or_identity, same_hemisphere};
use rebone_model::sampling::sample_joint;
use rebone_model::{
    Affine3A, Character, Clip, Interpolation, JointTracks, Quat, Skeleton, Track, Vec3, Warning,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A joint that moves less than this, metres, or changes its scale by less, rests.
const LEAST_MOTION: f32 = 1e-4;
const LEAST_SCALE: f32 = 1e-3;
/// Longest span between keys where splines become straight lines, seconds.
const LONGEST_SPAN: f32 = 1.0 / 60.0;
/// Joints named in a warning.
const NAMED: usize = 6;

/// The character's clips as a VRM animation has them, and what it cannot hold.
pub(super) fn humanoid_clips(character: &Character) -> (Vec<Clip>, Option<Warning>) {
    let plan = Plan::new(character);
    let mut lost = Lost::default();
    let clips = character.clips.iter();
    let clips = clips.map(|clip| plan.apply(clip, &mut lost)).collect();
    (clips, lost.warning(&plan))
}

/// What became of a joint's translation and scale, the most in all clips.
#[derive(Default)]
struct Lost {
    meters: BTreeMap<usize, f32>,
    factors: BTreeMap<usize, f32>,
}

impl Lost {
    fn note(most: &mut BTreeMap<usize, f32>, joint: usize, amount: f32) {
        let known = most.entry(joint).or_default();
        *known = known.max(amount);
    }

    fn warning(mut self, plan: &Plan<'_>) -> Option<Warning> {
        self.meters.retain(|_, meters| *meters > LEAST_MOTION);
        self.factors.retain(|_, factor| *factor > LEAST_SCALE);
        let moved = self.meters.iter().map(|(&joint, meters)| {
            let name = plan.skeleton.unique_name(joint);
            (joint, format!("\"{name}\" moves {:.1} mm", meters * 1000.0))
        });
        let scaled = self.factors.iter().map(|(&joint, factor)| {
            let name = plan.skeleton.unique_name(joint);
            let percent = factor * 100.0;
            (
                joint,
                format!("\"{name}\" changes its size by {percent:.1} %"),
            )
        });
        let is_labelled = |joint: usize| plan.chains[joint].is_some();
        let (named, others): (Vec<_>, Vec<_>) = moved
            .chain(scaled)
            .partition(|&(joint, _)| is_labelled(joint));
        let mut told: Vec<String> = named.into_iter().map(|(_, text)| text).collect();
        if told.len() > NAMED {
            let more = told.len() - NAMED;
            told.truncate(NAMED);
            told.push(format!("{more} more"));
        }
        let mut others: Vec<usize> = others.into_iter().map(|(joint, _)| joint).collect();
        others.sort_unstable();
        others.dedup();
        match others.as_slice() {
            [] => {}
            [joint] => told.push(format!(
                "\"{}\", which VRM has no name for",
                plan.skeleton.unique_name(*joint)
            )),
            several => told.push(format!("{} joints that VRM has no name for", several.len())),
        }
        if told.is_empty() {
            return None;
        }
        let told = told.join(", ");
        Some(Warning::new(
            "vrma-motion-lost",
            format!("in a VRM animation joints only turn and only the hips move; left out: {told}"),
            "write a .glb where this motion matters; for players of VRM retarget onto an avatar first",
        ))
    }
}

struct Plan<'c> {
    skeleton: &'c Skeleton,
    hips: Option<usize>,
    /// For each labelled joint those without label above it, topmost first.
    chains: Vec<Option<Vec<usize>>>,
    in_chain: Vec<bool>,
    /// Model space from the space of each joint's parent, at rest.
    model_from_parent: Vec<Affine3A>,
}

impl<'c> Plan<'c> {
    fn new(character: &'c Character) -> Self {
        let skeleton = &character.skeleton;
        let mut labelled = vec![false; skeleton.len()];
        let mut hips = None;
        for label in &character.labels {
            if let Some(flag) = labelled.get_mut(label.joint) {
                *flag = true;
                if label.label == "hips" {
                    hips.get_or_insert(label.joint);
                }
            }
        }
        let mut in_chain = vec![false; skeleton.len()];
        let chains = (0..skeleton.len())
            .map(|joint| {
                if !labelled[joint] {
                    return None;
                }
                let above = skeleton.ancestors(joint);
                let mut chain: Vec<usize> = above.take_while(|&above| !labelled[above]).collect();
                chain.reverse();
                chain.iter().for_each(|&joint| in_chain[joint] = true);
                Some(chain)
            })
            .collect();
        let rest = model_pose(skeleton, &skeleton.rest_pose());
        let model_from_parent = skeleton.joints().iter().map(|joint| {
            joint
                .parent
                .map_or(Affine3A::IDENTITY, |parent| rest.model_from_joint(parent))
        });
        Self {
            skeleton,
            hips,
            model_from_parent: model_from_parent.collect(),
            chains,
            in_chain,
        }
    }

    fn apply(&self, clip: &Clip, lost: &mut Lost) -> Clip {
        let mut out = Clip {
            joints: vec![JointTracks::default(); clip.joints.len()],
            ..clip.clone()
        };
        for (joint, tracks) in clip.joints.iter().enumerate() {
            let rest = &self.skeleton.joints()[joint].rest;
            if let Some(scale) = &tracks.scale {
                let size = rest.scale.abs().max_element().max(LEAST_SCALE);
                let off = keys(scale).map(|value| (value - rest.scale).abs().max_element() / size);
                let off = off.fold(0.0, f32::max);
                Lost::note(&mut lost.factors, joint, off);
            }
            let kept = match &self.chains[joint] {
                Some(chain) if chain.iter().any(|&above| self.moves(clip, above)) => {
                    self.carried(clip, joint, chain)
                }
                _ => JointTracks {
                    scale: None,
                    ..tracks.clone()
                },
            };
            let out = &mut out.joints[joint];
            if self.hips == Some(joint) {
                out.translation = kept.translation;
            } else if let Some(translation) = kept.translation.filter(|_| !self.in_chain[joint]) {
                let linear = self.model_from_parent[joint].matrix3;
                let off = keys(&translation).map(|v| (linear * (v - rest.translation)).length());
                Lost::note(&mut lost.meters, joint, off.fold(0.0, f32::max));
            }
            if !self.in_chain[joint] {
                out.rotation = kept.rotation;
            }
        }
        out
    }

    /// True where the clip brings a joint away from its rest.
    fn moves(&self, clip: &Clip, joint: usize) -> bool {
        let rest = &self.skeleton.joints()[joint].rest;
        let tracks = &clip.joints[joint];
        let vector = |track: &Option<Track<Vec3>>, rest: Vec3| {
            track
                .as_ref()
                .is_some_and(|track| track.values().iter().any(|value| *value != rest))
        };
        let turn = tracks.rotation.as_ref();
        vector(&tracks.translation, rest.translation)
            || vector(&tracks.scale, rest.scale)
            || turn.is_some_and(|track| track.values().iter().any(|value| *value != rest.rotation))
    }

    /// The tracks of a labelled joint with the motion of the chain above it.
    fn carried(&self, clip: &Clip, joint: usize, chain: &[usize]) -> JointTracks {
        let joints = self.skeleton.joints();
        let product = |pose: &dyn Fn(usize) -> rebone_model::Transform| {
            let mut affine = Affine3A::IDENTITY;
            let mut rotation = Quat::IDENTITY;
            for &above in chain {
                let local = pose(above);
                affine *= local.to_affine();
                rotation *= local.rotation;
            }
            (affine, rotation)
        };
        let (rest, rest_rotation) = product(&|above| joints[above].rest);
        let own = &clip.joints[joint];
        if rest.matrix3.determinant() == 0.0 {
            return own.clone();
        }
        let rest_from_model = rest.inverse();
        let (times, is_stepped) = key_times(clip, chain, joint);
        let mut rotations: Vec<Quat> = Vec::with_capacity(times.len());
        let mut places = Vec::with_capacity(times.len());
        for &time in times.iter() {
            let now = |index: usize| sample_joint(&clip.joints[index], joints[index].rest, time);
            let (affine, rotation) = product(&now);
            let local = now(joint);
            let turned = rest_rotation.inverse() * rotation * local.rotation;
            let turned = normalized_or_identity(turned);
            let before = rotations.last().copied().unwrap_or(local.rotation);
            rotations.push(same_hemisphere(turned, before));
            places
                .push(rest_from_model.transform_point3(affine.transform_point3(local.translation)));
        }
        let interpolation = match is_stepped {
            true => Interpolation::Step,
            false => Interpolation::Linear,
        };
        JointTracks {
            // Numbers beyond all bounds make no track; the joint then rests.
            translation: Track::new(interpolation, Arc::clone(&times), places).ok(),
            rotation: Track::new(interpolation, times, rotations).ok(),
            scale: None,
        }
    }
}

/// The values of a track's keys, without tangents.
fn keys(track: &Track<Vec3>) -> impl Iterator<Item = Vec3> + '_ {
    (0..track.key_count()).map(|key| track.key_value(key))
}

/// All key times of a chain and the joint below it, close enough together for splines, and whether
/// nothing moves between them.
fn key_times(clip: &Clip, chain: &[usize], joint: usize) -> (Arc<[f32]>, bool) {
    let mut times: Vec<f32> = Vec::new();
    let (mut is_stepped, mut has_splines) = (true, false);
    let mut add = |key_times: &[f32], interpolation| {
        times.extend_from_slice(key_times);
        is_stepped &= interpolation == Interpolation::Step;
        has_splines |= interpolation == Interpolation::CubicSpline;
    };
    for &index in chain.iter().chain([&joint]) {
        let tracks = &clip.joints[index];
        for track in [&tracks.translation, &tracks.scale].into_iter().flatten() {
            add(track.times(), track.interpolation());
        }
        if let Some(track) = &tracks.rotation {
            add(track.times(), track.interpolation());
        }
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    if has_splines {
        let mut dense = Vec::with_capacity(times.len());
        for pair in times.windows(2) {
            let parts = ((pair[1] - pair[0]) / LONGEST_SPAN)
                .ceil()
                .clamped(1.0, 3600.0);
            let parts = parts as u16;
            for part in 0..parts {
                let fraction = f32::from(part) / f32::from(parts);
                dense.push(pair[0] + (pair[1] - pair[0]) * fraction);
            }
        }
        dense.extend(times.last());
        dense.dedup();
        times = dense;
    }
    (times.into(), is_stepped)
}
