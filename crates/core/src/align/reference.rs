//! The reference pose: the pose of the file from which directions are read (E28).

use super::AlignOptions;
use super::body_frame::body_frame;
use super::canonical::{candidate_axes, canonical, rotation_arc, upright};
use super::placement::{Placement, bind_placements, clip_placements, placements, unit};
use super::plausibility::plausibility;
use crate::mapping::RigMap;
use glam::{DQuat, DVec3};
use rebone_model::axes::Axis;
use rebone_model::{Character, Clip, Warning};

/// Where the reference pose comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseSource {
    /// The file's default transforms.
    Rest,
    /// The pose in which the skin was bound.
    Bind,
    /// The rest rotations with the joints where the clip puts them, seconds: for files whose position
    /// channels replace offsets that mean something else.
    Offsets(f32),
    /// A frame of the clip, seconds.
    Frame(f32),
}

impl PoseSource {
    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Self::Rest => "rest pose".to_owned(),
            Self::Bind => "bind pose".to_owned(),
            Self::Offsets(_) => "rest pose with the joints where the clip puts them".to_owned(),
            Self::Frame(time) => format!("clip at {time:.2} s"),
        }
    }
}

/// The chosen pose.
pub(crate) struct Reference {
    pub(crate) source: PoseSource,
    pub(crate) plausibility: f64,
    /// Canonical.
    pub(crate) placements: Vec<Placement>,
    pub(crate) canonical_from_pose: DQuat,
    /// For the clip's motion and for writing.
    pub(crate) canonical_from_file: DQuat,
    /// True where the pose is no plain standing pose and the torso needs correction too.
    pub(crate) correct_torso: bool,
}

/// Below this plausibility neither rest nor bind pose is trusted if the clip has a better one.
const TRUSTED: f64 = 0.35;

pub(crate) fn choose(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    options: &AlignOptions,
    warnings: &mut Vec<Warning>,
) -> Reference {
    let rest = placements(character, &character.skeleton.rest_pose());
    let mut candidates = vec![(PoseSource::Rest, rest.clone())];
    if let Some(bind) = bind_placements(character, &rest) {
        candidates.push((PoseSource::Bind, bind));
    }
    if let Some((time, pose)) = clips.first().and_then(|clip| clip_offsets(character, clip)) {
        candidates.push((PoseSource::Offsets(time), pose));
    }
    let mut scored: Vec<(f64, PoseSource, Vec<Placement>)> = candidates
        .into_iter()
        .map(|(source, pose)| (plausibility(map, &pose), source, pose))
        .collect();
    let best = scored.iter().map(|entry| entry.0).fold(0.0, f64::max);
    if best < TRUSTED {
        scored.extend(
            frames(character, map, clips).map(|(score, source, pose)| (score * 0.9, source, pose)),
        );
    }
    // The rest pose wins unless another is clearly better; ties go to the first.
    let mut chosen = 0;
    for index in 1..scored.len() {
        if scored[index].0 > scored[chosen].0 + 0.08 {
            chosen = index;
        }
    }
    if let Some(wanted) = options.pose_source {
        chosen = wanted_pose(character, map, clips, wanted, &mut scored).unwrap_or_else(|| {
            warnings.push(Warning::new(
                "pose-missing",
                format!("\"{}\" has no {}", character.name, wanted.describe()),
                "another pose is used; check source.pose and target.pose in the recipe",
            ));
            chosen
        });
    }
    let (score, source, pose) = scored.swap_remove(chosen);

    let frame = body_frame(map, &pose);
    let stated_up = options.up.map(|axis| axis.direction().as_dvec3());
    let axes = candidate_axes(character, map, &rest);
    let canonical_from_pose = match source {
        PoseSource::Rest | PoseSource::Offsets(_) => canonical(frame, stated_up, &axes, 20.0),
        // The bind pose and a frame of the clip stand in spaces of their own.
        PoseSource::Bind | PoseSource::Frame(_) => canonical(frame, None, &axes, 12.0),
    };
    let canonical_from_rest = match source {
        PoseSource::Rest | PoseSource::Offsets(_) => canonical_from_pose,
        _ => canonical(body_frame(map, &rest), stated_up, &axes, 44.0),
    };
    let canonical_from_file = match source {
        // A frame of the clip stands in the space of the motion.
        PoseSource::Frame(_) => upright(canonical_from_pose, stated_up),
        _ => motion_up(
            character,
            map,
            clips,
            canonical_from_rest,
            options,
            warnings,
        ),
    };
    match source {
        // Who asked for a pose need not be told of it.
        _ if options.pose_source == Some(source) => {}
        PoseSource::Rest => {}
        PoseSource::Offsets(_) => warnings.push(Warning::new(
            "rest-from-offsets",
            "the joints of the rest pose do not form a standing body, but they do where the clip puts them",
            "nothing, if the result looks right",
        )),
        PoseSource::Bind => warnings.push(Warning::new(
            "rest-from-bind",
            "the file's rest pose is less like a T-pose than the pose in which the skin was bound; the latter is used",
            "compare the retarget poses with rebone render",
        )),
        PoseSource::Frame(time) => warnings.push(Warning::new(
            "rest-from-clip",
            format!("neither rest nor bind pose is a standing pose; the clip at {time:.2} s is used"),
            "check hands and feet; another moment can be chosen with source.pose in a recipe",
        )),
    }
    if frame.is_none() {
        warnings.push(Warning::new(
            "body-frame-unknown",
            "the joints do not show which way the body is up and faces; the file's axes are used",
            "map both upper legs and both upper arms",
        ));
    } else if frame
        .and_then(|f| f.toes_forward)
        .is_some_and(|toes| toes < -0.3)
    {
        warnings.push(Warning::new(
            "facing-unsure",
            "the toes point backwards, so left and right may be swapped",
            "check the sides of the map",
        ));
    }
    Reference {
        source,
        plausibility: score,
        placements: pose
            .into_iter()
            .map(|placement| placement.turned(canonical_from_pose))
            .collect(),
        canonical_from_pose,
        canonical_from_file,
        correct_torso: matches!(source, PoseSource::Frame(_)),
    }
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

/// Index of the pose that the user asked for; a frame of the clip is added first.
fn wanted_pose(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    wanted: PoseSource,
    scored: &mut Vec<(f64, PoseSource, Vec<Placement>)>,
) -> Option<usize> {
    if let PoseSource::Frame(time) = wanted {
        let clip = clips.first()?;
        let (start, end) = clip.time_span();
        if !(start..=end).contains(&time) {
            return None;
        }
        let pose = clip_placements(character, clip, time);
        scored.push((plausibility(map, &pose), wanted, pose));
        return Some(scored.len() - 1);
    }
    scored.iter().position(|entry| entry.1 == wanted)
}

/// Where the clip's bodies stand upright about another axis than the rest pose does, and the file does
/// not state its up axis, the motion is right.
fn motion_up(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    canonical_from_rest: DQuat,
    options: &AlignOptions,
    warnings: &mut Vec<Warning>,
) -> DQuat {
    if options.up.is_some() {
        return canonical_from_rest;
    }
    let poses: Vec<Vec<Placement>> = sampled(clips)
        .map(|(clip, time)| clip_placements(character, clip, time))
        .collect();
    let ups: Vec<DVec3> = poses
        .iter()
        .filter_map(|pose| body_frame(map, pose))
        .map(|frame| frame.up)
        .collect();
    let mean = ups.iter().sum::<DVec3>() / ups.len().max(1) as f64;
    let rest_up = canonical_from_rest.conjugate() * DVec3::Y;
    let Some(direction) = mean.try_normalize() else {
        return canonical_from_rest;
    };
    let axis = Axis::nearest(direction.as_vec3());
    let stands = poses
        .iter()
        .filter(|pose| stands_along(map, pose, axis.direction().as_dvec3(), rest_up))
        .count();
    if mean.length() < 0.7 || direction.dot(rest_up) > 0.5 || 2 * stands < poses.len() {
        return canonical_from_rest;
    }
    warnings.push(Warning::new(
        "motion-up-differs",
        format!(
            "the rest pose stands along {}, but the motion along {axis}; the motion decides",
            Axis::nearest(rest_up.as_vec3())
        ),
        "check that the result stands upright",
    ));
    unit(canonical_from_rest * rotation_arc(axis.direction().as_dvec3(), rest_up))
}

/// True where a body stands with its feet about on the origin's plane across `axis`, and does not rather
/// lie on the floor of its rest pose.
fn stands_along(map: &RigMap, pose: &[Placement], axis: DVec3, rest_up: DVec3) -> bool {
    let position = |slot: &str| map.joint_named(slot).map(|joint| pose[joint].position);
    let (Some(hips), Some(left), Some(right)) = (
        position("hips"),
        position("leftFoot"),
        position("rightFoot"),
    ) else {
        return false;
    };
    let feet = (left + right) * 0.5;
    let length = (hips - feet).dot(axis);
    let height = hips.dot(rest_up);
    let lowest = map
        .slots
        .values()
        .flat_map(|found| &found.joints)
        .map(|&joint| pose[joint].position.dot(rest_up))
        .fold(f64::INFINITY, f64::min);
    let lies = (0.03..0.45).contains(&(height / length)) && lowest > -0.05 * length;
    length > 0.0 && feet.dot(axis).abs() < 0.35 * length && !lies
}

/// Up to 48 times spread over the clips.
fn sampled<'a>(clips: &'a [&'a Clip]) -> impl Iterator<Item = (&'a Clip, f32)> {
    let each = (48 / clips.len().max(1)).clamp(1, 48);
    clips.iter().flat_map(move |clip| {
        let (start, end) = clip.time_span();
        let steps = if end > start { each } else { 1 };
        (0..steps).map(move |step| (*clip, start + (end - start) * step as f32 / steps as f32))
    })
}

fn frames<'a>(
    character: &'a Character,
    map: &'a RigMap,
    clips: &'a [&'a Clip],
) -> impl Iterator<Item = (f64, PoseSource, Vec<Placement>)> + 'a {
    sampled(clips).map(|(clip, time)| {
        let pose = clip_placements(character, clip, time);
        (plausibility(map, &pose), PoseSource::Frame(time), pose)
    })
}
