//! The reference pose: the pose of the file from which directions are read (E28).

use super::AlignOptions;
use super::body_frame::{BodyFrame, body_frame};
use super::placement::{Placement, bind_placements, clip_placements, placements, unit};
use crate::mapping::RigMap;
use glam::{DMat3, DQuat, DVec3};
use rebone_model::axes::Axis;
use rebone_model::{Character, Clip, JointKind, Warning};

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
    if let Some(mut bind) = bind_placements(character) {
        scale_to(map, &mut bind, &rest);
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
            "roll of the limbs is estimated from bent elbows and knees; check hands and feet",
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
        let pose = clip_placements(character, clips.first()?, time);
        scored.push((plausibility(map, &pose), wanted, pose));
        return Some(scored.len() - 1);
    }
    scored.iter().position(|entry| entry.1 == wanted)
}

/// Brings a pose in other units (a skin bound in centimetres) to the units of the rest pose.
fn scale_to(map: &RigMap, pose: &mut [Placement], rest: &[Placement]) {
    let length = |placements: &[Placement]| -> f64 {
        map.slots
            .keys()
            .filter_map(|&slot| {
                let above = map.joint(map.present_parent(slot)?)?;
                let own = map.joint(slot)?;
                Some(
                    placements[own]
                        .position
                        .distance(placements[above].position),
                )
            })
            .sum()
    };
    let (from, to) = (length(pose), length(rest));
    if from > 0.0 && to > 0.0 {
        for placement in pose {
            placement.position *= to / from;
        }
    }
}

/// Axis systems in which a body may stand: the file's own and those of the nodes above the hips.
fn candidate_axes(character: &Character, map: &RigMap, rest: &[Placement]) -> Vec<DQuat> {
    let mut axes = vec![DQuat::IDENTITY];
    if let Some(hips) = map.joint_named("hips") {
        let above: Vec<usize> = character.skeleton.ancestors(hips).collect();
        for &ancestor in above.iter().rev() {
            if character.skeleton.joints()[ancestor].kind == JointKind::Ancestor {
                axes.push(rest[ancestor].rotation);
            }
        }
    }
    axes
}

/// The turn to canonical space. Bodies are never quite symmetric, so the body's axes are rounded to
/// the nearest quarter turn of the file or of a node above, if one is within `tolerance_degrees`.
fn canonical(
    frame: Option<BodyFrame>,
    stated_up: Option<DVec3>,
    axes: &[DQuat],
    tolerance_degrees: f64,
) -> DQuat {
    let Some(frame) = frame else {
        return stated_up.map_or(DQuat::IDENTITY, |up| rotation_arc(up, DVec3::Y));
    };
    let exact = frame.canonical_from_file();
    let mut best: Option<(f64, DQuat)> = None;
    for base in axes {
        for quarter in quarter_turns() {
            let candidate = quarter * base.conjugate();
            let angle = candidate.angle_between(exact);
            if best.is_none_or(|(least, _)| angle < least - 1e-4) {
                best = Some((angle, candidate));
            }
        }
    }
    match best {
        Some((angle, rounded)) if angle.to_degrees() <= tolerance_degrees => unit(rounded),
        _ => upright(exact, stated_up),
    }
}

/// The same turn with the stated up direction brought exactly to +Y, if it is near.
fn upright(canonical_from_file: DQuat, stated_up: Option<DVec3>) -> DQuat {
    let Some(up) = stated_up else {
        let up = canonical_from_file.conjugate() * DVec3::Y;
        let axis = Axis::nearest(up.as_vec3()).direction().as_dvec3();
        return if up.dot(axis) > 0.8 {
            unit(rotation_arc(canonical_from_file * axis, DVec3::Y) * canonical_from_file)
        } else {
            canonical_from_file
        };
    };
    let turned = canonical_from_file * up;
    if turned.dot(DVec3::Y) < 0.7 {
        return canonical_from_file;
    }
    unit(rotation_arc(turned, DVec3::Y) * canonical_from_file)
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
    let ups: Vec<DVec3> = sampled(clips)
        .filter_map(|(clip, time)| body_frame(map, &clip_placements(character, clip, time)))
        .map(|frame| frame.up)
        .collect();
    if ups.is_empty() {
        return canonical_from_rest;
    }
    let mean = ups.iter().sum::<DVec3>() / ups.len() as f64;
    let rest_up = canonical_from_rest.conjugate() * DVec3::Y;
    let Some(direction) = mean.try_normalize() else {
        return canonical_from_rest;
    };
    if mean.length() < 0.7 || direction.dot(rest_up) > 0.5 {
        return canonical_from_rest;
    }
    let axis = Axis::nearest(direction.as_vec3());
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

/// The shortest rotation between two directions.
pub(crate) fn rotation_arc(from: DVec3, to: DVec3) -> DQuat {
    let (from, to) = (from.normalize_or_zero(), to.normalize_or_zero());
    if from == DVec3::ZERO || to == DVec3::ZERO {
        return DQuat::IDENTITY;
    }
    unit(DQuat::from_rotation_arc(from, to))
}

fn quarter_turns() -> impl Iterator<Item = DQuat> {
    Axis::ALL.into_iter().flat_map(|up| {
        Axis::ALL.into_iter().filter_map(move |forward| {
            let (up, forward) = (up.direction().as_dvec3(), forward.direction().as_dvec3());
            (up.dot(forward).abs() < 0.5).then(|| {
                let file_from_canonical = DMat3::from_cols(up.cross(forward), up, forward);
                unit(DQuat::from_mat3(&file_from_canonical).conjugate())
            })
        })
    })
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

/// How much a pose looks like a person standing with arms anywhere from T to down, 0 to 1 (E28).
pub(crate) fn plausibility(map: &RigMap, placements: &[Placement]) -> f64 {
    let Some(frame) = body_frame(map, placements) else {
        return 0.0;
    };
    let position = |slot: &str| {
        map.joint_named(slot)
            .map(|joint| placements[joint].position)
    };
    let mut score = 1.0;
    for side in ["left", "right"] {
        let at = |part: &str| position(&format!("{side}{part}"));
        if let (Some(hip), Some(knee), Some(ankle)) = (at("UpperLeg"), at("LowerLeg"), at("Foot")) {
            let (thigh, shin) = (knee - hip, ankle - knee);
            if thigh.length() * 1e3 < shin.length() || shin.length() * 1e3 < thigh.length() {
                return 0.0;
            }
            let down = |bone: DVec3| -bone.normalize_or_zero().dot(frame.up);
            // cos 40° counts nothing, cos 10° counts full.
            score *= ramp(down(thigh).min(down(shin)), 0.6, 0.95).max(0.02);
        }
        let sign = if side == "left" { 1.0 } else { -1.0 };
        if let (Some(shoulder), Some(elbow)) = (at("UpperArm"), at("LowerArm")) {
            let arm = (at("Hand").unwrap_or(elbow) - shoulder).normalize_or_zero();
            let out = arm.dot(frame.left) * sign;
            let front = arm.dot(frame.forward).abs();
            // Outwards is best, down is good, forwards or across the body is bad.
            let down = -arm.dot(frame.up);
            score *= (ramp(out, -0.1, 0.6) * 0.4 + 0.6)
                * ramp(front, 0.95, 0.3).max(0.2)
                * ramp(down, -0.8, -0.2).max(0.2);
        }
    }
    score * symmetry(map, placements, &frame)
}

/// 1 for a mirror-symmetric pose, less the more the sides differ.
fn symmetry(map: &RigMap, placements: &[Placement], frame: &BodyFrame) -> f64 {
    let Some(hips) = map.joint_named("hips") else {
        return 1.0;
    };
    let origin = placements[hips].position;
    let (mut difference, mut size) = (0.0, 0.0);
    for part in [
        "UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand",
    ] {
        let at = |side: &str| {
            map.joint_named(&format!("{side}{part}"))
                .map(|joint| placements[joint].position - origin)
        };
        if let (Some(left), Some(right)) = (at("left"), at("right")) {
            let mirrored = right - 2.0 * right.dot(frame.left) * frame.left;
            difference += left.distance(mirrored);
            size += left.length() + right.length();
        }
    }
    if size > 0.0 {
        ramp(difference / size, 0.35, 0.03)
    } else {
        1.0
    }
}

/// 0 at `from`, 1 at `to`, linear between and clamped outside.
pub(crate) fn ramp(value: f64, from: f64, to: f64) -> f64 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}
