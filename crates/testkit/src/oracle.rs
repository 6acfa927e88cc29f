//! The transfer a second time: naive, in double precision, from the formulas and from what is known about
//! a random character. Nothing of the code under test is used.
//!
//! | symbol | meaning |
//! |---|---|
//! | W, D | model-space rotation of a source joint, and D = W · A⁻¹, canonical |
//! | A, B | rotations of source and target joints in the common pose, canonical |
//! | V | model-space rotation of a target joint: V = D · B |
//! | D_i | torso joint i of m: D_i = D_hips · exp(T · (2i−1)/(2m−1)), T = log(D_hips⁻¹ · D_last) |
//! | k | motion scale: (ℓ_B + w_B)/(ℓ_A + w_A) |
//! | c, H_B | lift and hips: H_B = k · H_A + c · unit(H_A − F_A), c keeps the standing height |

use crate::random::{Place, Rigged};
use glam::{DAffine3, DQuat, DVec3};
use rebone_model::{Clip, Interpolation, Skeleton, Track};

/// A joint in model space.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Product of the local rotations.
    pub rotation: DQuat,
    /// Model space from joint space.
    pub affine: DAffine3,
}

/// A joint of the body as it is seen, free of every convention.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Turn against the T-pose, canonical.
    pub turn: DQuat,
    /// Canonical, metres.
    pub position: DVec3,
}

/// Which pose of both sides is taken as alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonPose {
    /// The T-pose of the bodies, whatever the files' rest poses are.
    TPose,
    /// The files' rest poses.
    Rest,
}

/// A local transform.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Translation.
    pub translation: DVec3,
    /// Unit quaternion.
    pub rotation: DQuat,
    /// Factors.
    pub scale: DVec3,
}

/// The unit quaternion.
pub fn unit(rotation: DQuat) -> DQuat {
    rotation * (1.0 / rotation.length())
}

/// The smallest angle between two rotations, degrees; exact also near zero.
pub fn degrees_between(a: DQuat, b: DQuat) -> f64 {
    let relative = unit(a).conjugate() * unit(b);
    (2.0 * relative.xyz().length().atan2(relative.w.abs())).to_degrees()
}

/// The rotation `fraction` of the way from the identity, the short way.
pub fn power(rotation: DQuat, fraction: f64) -> DQuat {
    let rotation = if rotation.w < 0.0 {
        -rotation
    } else {
        rotation
    };
    let sine = rotation.xyz().length();
    if sine < 1e-15 {
        return DQuat::IDENTITY;
    }
    let angle = 2.0 * sine.atan2(rotation.w);
    DQuat::from_axis_angle(rotation.xyz() / sine, angle * fraction)
}

/// Every local transform of a clip at a time, in double precision.
pub fn sample(skeleton: &Skeleton, clip: &Clip, time: f32) -> Vec<Local> {
    skeleton
        .joints()
        .iter()
        .zip(&clip.joints)
        .map(|(joint, tracks)| {
            let vector = |track: &Option<Track<glam::Vec3>>, rest: glam::Vec3| match track {
                None => rest.as_dvec3(),
                Some(track) => {
                    let [x, y, z, _] = value(
                        track,
                        time,
                        |v| {
                            let v = v.as_dvec3();
                            [v.x, v.y, v.z, 0.0]
                        },
                        false,
                    );
                    DVec3::new(x, y, z)
                }
            };
            let rotation = match &tracks.rotation {
                None => joint.rest.rotation.as_dquat(),
                Some(track) => {
                    DQuat::from_array(value(track, time, |q| q.as_dquat().to_array(), true))
                }
            };
            Local {
                translation: vector(&tracks.translation, joint.rest.translation),
                rotation: unit(rotation),
                scale: vector(&tracks.scale, joint.rest.scale),
            }
        })
        .collect()
}

fn value<V: rebone_model::track::TrackValue>(
    track: &Track<V>,
    time: f32,
    parts: impl Fn(V) -> [f64; 4],
    turns: bool,
) -> [f64; 4] {
    let times = track.times();
    let Some(before) = (0..times.len()).rev().find(|&key| times[key] <= time) else {
        return parts(track.key_value(0));
    };
    let from = parts(track.key_value(before));
    if before + 1 == times.len() || track.interpolation() == Interpolation::Step {
        return from;
    }
    let span = f64::from(times[before + 1]) - f64::from(times[before]);
    let s = (f64::from(time) - f64::from(times[before])) / span;
    let to = parts(track.key_value(before + 1));
    if track.interpolation() == Interpolation::CubicSpline {
        let (out, into) = (
            parts(track.values()[3 * before + 2]),
            parts(track.values()[3 * before + 3]),
        );
        let (s2, s3) = (s * s, s * s * s);
        return std::array::from_fn(|i| {
            from[i] * (2.0 * s3 - 3.0 * s2 + 1.0)
                + out[i] * span * (s3 - 2.0 * s2 + s)
                + to[i] * (3.0 * s2 - 2.0 * s3)
                + into[i] * span * (s3 - s2)
        });
    }
    if !turns {
        return std::array::from_fn(|i| from[i] + (to[i] - from[i]) * s);
    }
    let (from, to) = (unit(DQuat::from_array(from)), unit(DQuat::from_array(to)));
    (from * power(from.conjugate() * to, s)).to_array()
}

/// Local transforms of the rest pose.
pub fn rest(skeleton: &Skeleton) -> Vec<Local> {
    sample(skeleton, &Clip::new("", skeleton.len()), 0.0)
}

/// All joints in model space.
pub fn model(skeleton: &Skeleton, locals: &[Local]) -> Vec<Placed> {
    let mut result: Vec<Placed> = Vec::new();
    for (joint, local) in skeleton.joints().iter().zip(locals) {
        let affine = DAffine3::from_scale_rotation_translation(
            local.scale,
            local.rotation,
            local.translation,
        );
        result.push(match joint.parent {
            None => Placed {
                rotation: local.rotation,
                affine,
            },
            Some(parent) => Placed {
                rotation: result[parent].rotation * local.rotation,
                affine: result[parent].affine * affine,
            },
        });
    }
    result
}

/// The body's joints without the convention.
pub fn seen(rigged: &Rigged, pose: &[Placed]) -> Vec<Seen> {
    let canonical = rigged.convention.file_from_canonical.conjugate();
    rigged
        .joint_of
        .iter()
        .zip(&rigged.frames)
        .map(|(&joint, frame)| Seen {
            turn: unit(canonical * pose[joint].rotation * frame.conjugate()),
            position: canonical * pose[joint].affine.translation / rigged.convention.units,
        })
        .collect()
}

/// k: target metres of travel a source metre. Hips wider than half a leg count as half a leg.
pub fn travel_ratio(source: &Rigged, target: &Rigged) -> f64 {
    let stride = |rigged| {
        let (leg, width) = leg_and_width(rigged);
        if width > 0.5 * leg {
            1.5 * leg
        } else {
            leg + width
        }
    };
    stride(target) / stride(source)
}

/// k with the whole width of the hips.
pub fn letter_ratio(source: &Rigged, target: &Rigged) -> f64 {
    size(target) / size(source)
}

/// K, metres.
fn size(rigged: &Rigged) -> f64 {
    let (leg, width) = leg_and_width(rigged);
    leg + width
}

/// Thigh + shin length of both legs' mean, and the distance between the thigh joints, metres.
fn leg_and_width(rigged: &Rigged) -> (f64, f64) {
    let at = |slot: &str| rigged.body.position(slot);
    let leg = |side: &str| {
        let [hip, knee, foot] =
            ["UpperLeg", "LowerLeg", "Foot"].map(|part| at(&format!("{side}{part}")));
        (hip - knee).length() + (knee - foot).length()
    };
    let width = (at("leftUpperLeg") - at("rightUpperLeg")).length();
    (0.5 * (leg("left") + leg("right")), width)
}

/// Canonical place of the target's hips along the legs: the source's hips are at `place` and have turned by `turn`
/// from the T-pose, and the middle of its feet is at `feet`; canonical, metres.
pub fn hips_place(
    source: &Rigged,
    target: &Rigged,
    ratio: f64,
    place: DVec3,
    turn: DQuat,
    feet: DVec3,
) -> DVec3 {
    let middle = |rigged: &Rigged| {
        0.5 * (rigged.body.position("leftUpperLeg") + rigged.body.position("rightUpperLeg"))
    };
    let from_hips = |rigged: &Rigged| middle(rigged) - rigged.body.position("hips");
    let thighs = place + turn * from_hips(source);
    let lift = middle(target).y - ratio * middle(source).y;
    let legs = thighs - feet;
    let along = if legs.length() > 0.05 * size(source) {
        legs / legs.length()
    } else {
        turn * DVec3::Y
    };
    ratio * thighs + lift * along - turn * from_hips(target)
}

/// The target's pose for a pose of the source, in the target's file space, by the equations above.
pub fn transfer(
    source: &Rigged,
    target: &Rigged,
    pose: &[Placed],
    common: CommonPose,
) -> Vec<Placed> {
    let source_canonical = source.convention.file_from_canonical.conjugate();
    let target_file = target.convention.file_from_canonical;
    let poses = |rigged: &Rigged| -> Vec<DQuat> {
        match common {
            CommonPose::TPose => rigged.frames.clone(),
            CommonPose::Rest => {
                let canonical = rigged.convention.file_from_canonical.conjugate();
                let skeleton = &rigged.character.skeleton;
                let rest = model(skeleton, &rest(skeleton));
                let of = |&joint: &usize| canonical * rest[joint].rotation;
                rigged.joint_of.iter().map(of).collect()
            }
        }
    };
    let (a, b) = (poses(source), poses(target));
    let delta = |joint: usize| {
        source_canonical * pose[source.joint_of[joint]].rotation * a[joint].conjugate()
    };
    let torso = |rigged: &Rigged| -> Vec<usize> {
        let is_torso = |place: &Place| matches!(place, Place::Slot(slot, _) if ["spine", "chest", "upperChest"].contains(slot));
        (0..rigged.body.joints.len())
            .filter(|&joint| is_torso(&rigged.body.joints[joint].place))
            .collect()
    };
    let (from_torso, to_torso) = (torso(source), torso(target));
    let source_hips = source.body.slot("hips").unwrap_or(0);
    let skeleton = &target.character.skeleton;
    let rest = rest(skeleton);
    let mut result: Vec<Placed> = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let own = target.joint_of.iter().position(|&of| of == index);
        let place = own.map(|own| &target.body.joints[own].place);
        let turn = match (own, place) {
            (Some(own), Some(Place::Slot(slot, chain))) => {
                let matching = (0..source.body.joints.len())
                    .find(|&from| source.body.joints[from].place == Place::Slot(slot, *chain));
                match to_torso.iter().position(|&at| at == own) {
                    Some(_) if from_torso.is_empty() => None,
                    Some(at) if from_torso.len() == to_torso.len() => Some(delta(from_torso[at])),
                    Some(at) => {
                        let (low, high) =
                            (delta(source_hips), delta(from_torso[from_torso.len() - 1]));
                        let share = (2 * at + 1) as f64 / (2 * to_torso.len() - 1) as f64;
                        Some(low * power(low.conjugate() * high, share))
                    }
                    None => matching.map(delta),
                }
                .map(|delta| target_file * delta * b[own])
            }
            _ => None,
        };
        let above = joint.parent.map(|parent| result[parent]);
        let parent = above.map_or(DQuat::IDENTITY, |above| above.rotation);
        let rotation = turn.unwrap_or(parent * rest[index].rotation);
        let mut affine = above.map_or(DAffine3::IDENTITY, |above| above.affine)
            * DAffine3::from_scale_rotation_translation(
                rest[index].scale,
                parent.conjugate() * rotation,
                rest[index].translation,
            );
        if place == Some(&Place::Slot("hips", 0)) {
            let from = pose[source.joint_of[source_hips]].affine.translation;
            let from = source_canonical * from / source.convention.units;
            let foot = |side: &str| {
                let joint = source.body.slot(&format!("{side}Foot")).unwrap_or(0);
                pose[source.joint_of[joint]].affine.translation
            };
            let feet = 0.5 * (foot("left") + foot("right"));
            let feet = source_canonical * feet / source.convention.units;
            let ratio = travel_ratio(source, target);
            let to = hips_place(source, target, ratio, from, delta(source_hips), feet);
            affine.translation = target_file * to * target.convention.units;
        }
        result.push(Placed { rotation, affine });
    }
    result
}
