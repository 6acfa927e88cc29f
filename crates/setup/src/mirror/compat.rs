//! The lesser mirror of a seed: bind-relative turns copied between twins, signs flipped for the rest (S3.8 to S3.10).
//!
//! ```text
//! twins:         q1' = r1 · r2⁻¹ · q2            p1' = r2⁻¹ · q2 · (p2 − s2) + s1,   and the other way round
//! without twin:  q'  = r · flip(r⁻¹ · q)         p'  = s + flip(p − s)
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | q, p | local rotation and translation |
//! | r, s | the same in the rest pose |
//! | flip, of a rotation | the two components of the quaternion other than the axis change their sign |
//! | flip, of a way | its component along the side axis changes its sign |
//!
//! The hips have axes of their own; what is above them is not mirrored, and without an axis nothing is flipped. It is
//! exact only where twins are turned against each other by half a turn about the plane's normal, and where an axis of
//! each other joint is that normal; [`unfit`] says how far a rig is from that. [`Mirror`] asks for none of it. Source:
//! P. Massoudi's article on mirroring; docs/laws.md, "Copied turns of twins".

use super::{Mirror, Twins, mirror_pose};
use crate::error::Error;
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use rebone_model::kinematics::model_pose;
use rebone_model::rotation::{angle_between, same_hemisphere};
use rebone_model::sampling::sample_clip;
use rebone_model::{
    Action, Character, Clip, Interpolation, LocalPose, Quat, Remedy, Track, Transform, Vec3,
    Warning,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Worst model-space angle to the exact mirror that is no doubt, degrees.
const FIT_DEGREES: f32 = 1.0;

/// Frames of a clip that [`unfit`] looks at.
const SAMPLES: usize = 60;

/// An axis of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorAxis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

/// The axes by which a joint without twin is flipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MirrorAxes {
    /// The component of the turn that keeps its sign. Default `None`: the turn stays.
    pub axis: Option<MirrorAxis>,
    /// The component of the way that changes its sign. Default `None`: the way stays.
    pub side: Option<MirrorAxis>,
}

/// The axes of a skeleton, as a person states them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompatMirror {
    /// Of all joints without twin.
    pub axes: MirrorAxes,
    /// Of the hips. Default: as all.
    pub pelvis: Option<MirrorAxes>,
    /// Of single slots or joints, by name. Default: as all.
    pub joints: BTreeMap<String, MirrorAxes>,
    /// Twins by name, as for [`name_twins`](super::name_twins).
    pub twins: BTreeMap<String, String>,
}

/// What the lesser mirror does with one joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompatJoint {
    /// Nothing: it is above the hips.
    Kept,
    /// It copies the turn of this joint.
    Twin(usize),
    /// It is flipped.
    Alone(MirrorAxes),
}

/// What is done with each joint of a character.
///
/// Fails with [`Error::Recipe`] where axes are stated for a name that is no joint and no slot.
pub fn compat_joints(
    choice: &CompatMirror,
    character: &Character,
    map: &RigMap,
    twins: &Twins,
) -> Result<Vec<CompatJoint>, Error> {
    let skeleton = &character.skeleton;
    let hips = map.joint_of(Part::Hips, Side::Center);
    let mut joints: Vec<CompatJoint> = (0..skeleton.len())
        .map(|joint| match twins.of(joint) {
            Some(twin) if twin != joint => CompatJoint::Twin(twin),
            _ if Some(joint) == hips => CompatJoint::Alone(choice.pelvis.unwrap_or(choice.axes)),
            _ => CompatJoint::Alone(choice.axes),
        })
        .collect();
    match hips {
        Some(hips) => {
            for above in skeleton.ancestors(hips) {
                joints[above] = CompatJoint::Kept;
            }
        }
        // A body without hips: the roots are what the seed does not mirror.
        None => {
            for (joint, done) in joints.iter_mut().enumerate() {
                if skeleton.parent(joint).is_none() {
                    *done = CompatJoint::Kept;
                }
            }
        }
    }
    for (name, axes) in &choice.joints {
        let slot = map.profile.find(name).and_then(|slot| map.joint(slot));
        let joint = match slot {
            Some(joint) => joint,
            None => skeleton.find(name).map_err(|error| Error::Recipe {
                what: error.to_string(),
                place: "mirror.joints".to_owned(),
                remedy: Remedy::new("name a slot or a joint", &[Action::ListJoints]),
            })?,
        };
        if let CompatJoint::Twin(_) = joints[joint] {
            return Err(Error::Recipe {
                what: format!("\"{name}\" has a twin, whose turn it copies: it needs no axes"),
                place: "mirror.joints".to_owned(),
                remedy: "delete the line, or take the twin away below [mirror.twins]".into(),
            });
        }
        joints[joint] = CompatJoint::Alone(*axes);
    }
    Ok(joints)
}

/// q1' = r1 · r2⁻¹ · q2.
pub fn copied_turn(rest: Quat, twin_rest: Quat, twin: Quat) -> Quat {
    rest * twin_rest.conjugate() * twin
}

/// r · flip(r⁻¹ · q).
pub fn flipped_turn(rest: Quat, turn: Quat, axis: Option<MirrorAxis>) -> Quat {
    let [x, y, z, w] = (rest.conjugate() * turn).to_array();
    let flipped = match axis {
        None => [x, y, z],
        Some(MirrorAxis::X) => [x, -y, -z],
        Some(MirrorAxis::Y) => [-x, y, -z],
        Some(MirrorAxis::Z) => [-x, -y, z],
    };
    rest * Quat::from_xyzw(flipped[0], flipped[1], flipped[2], w)
}

/// A local pose through the lesser mirror.
pub fn compat_pose(character: &Character, joints: &[CompatJoint], pose: &LocalPose) -> LocalPose {
    let own = pose.transforms();
    let rests = character.skeleton.joints();
    let one = |(joint, done): (usize, &CompatJoint)| {
        let (now, rest) = (own[joint], rests[joint].rest);
        match *done {
            CompatJoint::Kept => now,
            CompatJoint::Twin(twin) => {
                let (other, other_rest) = (own[twin], rests[twin].rest);
                let way = other.translation - other_rest.translation;
                let turn = other_rest.rotation.conjugate() * other.rotation;
                Transform {
                    rotation: copied_turn(rest.rotation, other_rest.rotation, other.rotation),
                    translation: turn * way + rest.translation,
                    scale: now.scale,
                }
            }
            CompatJoint::Alone(axes) => {
                let sign = match axes.side {
                    None => Vec3::ONE,
                    Some(MirrorAxis::X) => Vec3::new(-1.0, 1.0, 1.0),
                    Some(MirrorAxis::Y) => Vec3::new(1.0, -1.0, 1.0),
                    Some(MirrorAxis::Z) => Vec3::new(1.0, 1.0, -1.0),
                };
                Transform {
                    rotation: flipped_turn(rest.rotation, now.rotation, axes.axis),
                    translation: rest.translation + sign * (now.translation - rest.translation),
                    scale: now.scale,
                }
            }
        }
    };
    LocalPose::new(joints.iter().enumerate().map(one).collect())
}

/// A clip through the lesser mirror, with keys at all its key times. Curves stay as they are.
pub fn compat_clip(character: &Character, joints: &[CompatJoint], clip: &Clip) -> Clip {
    let times: Arc<[f32]> = clip.key_times().into();
    let poses: Vec<LocalPose> = times
        .iter()
        .map(|&time| {
            let pose = sample_clip(&character.skeleton, clip, time);
            compat_pose(character, joints, &pose)
        })
        .collect();
    let mut result = Clip::new(clip.name.clone(), clip.joints.len());
    result.rate_hz = clip.rate_hz;
    result.curves.clone_from(&clip.curves);
    for (joint, tracks) in result.joints.iter_mut().enumerate() {
        let of = |pose: &LocalPose| pose.transforms()[joint];
        let rest = character.skeleton.joints()[joint].rest;
        let mut rotations: Vec<Quat> = Vec::with_capacity(poses.len());
        for pose in &poses {
            let before = rotations.last().copied().unwrap_or(rest.rotation);
            rotations.push(same_hemisphere(of(pose).rotation, before));
        }
        let places: Vec<Vec3> = poses.iter().map(|pose| of(pose).translation).collect();
        let keys = || (Interpolation::Linear, Arc::clone(&times));
        if rotations.iter().any(|value| *value != rest.rotation) {
            let (between, times) = keys();
            tracks.rotation = Track::computed(between, times, rotations);
        }
        if places.iter().any(|value| *value != rest.translation) {
            let (between, times) = keys();
            tracks.translation = Track::computed(between, times, places);
        }
        tracks.scale = clip.joints.get(joint).and_then(|own| own.scale.clone());
    }
    result
}

/// How far the lesser mirror is from the exact one over clips: the greatest angle between what a joint shows in model
/// space, and that joint, by steps through each clip. The warning `mirror-axes-unfit` where it is above 1 degree.
pub fn unfit(
    character: &Character,
    exact: &Mirror,
    joints: &[CompatJoint],
    clips: &[&Clip],
) -> (f32, Option<Warning>) {
    let skeleton = &character.skeleton;
    let mut worst = (0.0f32, 0);
    for clip in clips {
        let times = clip.key_times();
        let step = times.len().div_ceil(SAMPLES).max(1);
        for &time in times.iter().step_by(step) {
            let pose = sample_clip(skeleton, clip, time);
            let [lesser, exact] = [
                compat_pose(character, joints, &pose),
                mirror_pose(character, exact, &pose),
            ]
            .map(|pose| model_pose(skeleton, &pose));
            for joint in 0..skeleton.len() {
                let off = angle_between(lesser.rotation(joint), exact.rotation(joint));
                if off > worst.0 {
                    worst = (off, joint);
                }
            }
        }
    }
    let degrees = worst.0.to_degrees();
    let warning = (degrees > FIT_DEGREES).then(|| {
        Warning::new(
            "mirror-axes-unfit",
            format!(
                "with these axes the rig is not mirrored exactly: up to {degrees:.0} degrees off, at \"{}\"",
                skeleton.unique_name(worst.1)
            ),
            Remedy::new(
"mirror exactly, which works for any joint axes; or choose other axes",
&[Action::MirrorExactly],
),
        )
    });
    (degrees, warning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use rebone_runtime::stage::reflected;

    /// Numbers from 0 to 1 (SplitMix64).
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = self.0;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        }

        /// Any rotation by up to `most` radians.
        fn rotation(&mut self, most: f64) -> DQuat {
            let up = 2.0 * self.next() - 1.0;
            let (sin, cos) = (std::f64::consts::TAU * self.next()).sin_cos();
            let level = (1.0 - up * up).sqrt();
            let axis = glam::DVec3::new(level * cos, level * sin, up);
            DQuat::from_axis_angle(axis, most * self.next())
        }
    }

    fn degrees(a: DQuat, b: DQuat) -> f64 {
        f64::from(angle_between(a.as_quat(), b.as_quat()).to_degrees())
    }

    const COUNT: usize = 2000;

    /// The greatest angle between both mirrors at the second of two joints below a torso that stands, whose turns against
    /// the rest are up to 45 degrees; `axes` makes those of left and right.
    fn worst(axes: impl Fn(&mut Numbers) -> [[DQuat; 2]; 2]) -> f64 {
        let mut numbers = Numbers(7);
        let mut worst = 0.0f64;
        for _ in 0..COUNT {
            let [left, right] = axes(&mut numbers);
            let local = |model: [DQuat; 2]| [model[0], model[0].conjugate() * model[1]];
            let (rest, own_rest) = (local(left), local(right));
            let turns = rest.map(|rest| rest * numbers.rotation(45f64.to_radians()));
            let model = turns[0] * turns[1];
            let exact = reflected(model * left[1].conjugate()) * right[1];
            let copied = [0, 1].map(|joint| {
                let [own, other, turn] =
                    [own_rest[joint], rest[joint], turns[joint]].map(DQuat::as_quat);
                copied_turn(own, other, turn).as_dquat()
            });
            worst = worst.max(degrees(exact, copied[0] * copied[1]));
        }
        worst
    }

    /// S3.9: exact for axes mirrored by behaviour, and useless for others.
    #[test]
    fn copied_turns_need_axes_mirrored_by_behaviour() {
        let full = std::f64::consts::TAU;
        let any = |numbers: &mut Numbers| [numbers.rotation(full), numbers.rotation(full)];
        let half = DQuat::from_rotation_x(std::f64::consts::PI);
        let behaviour = worst(|numbers| {
            let left = any(numbers);
            [left, left.map(|axes| half * axes)]
        });
        let alike = worst(|_| [[DQuat::IDENTITY; 2]; 2]);
        let reflected_axes = worst(|numbers| {
            let left = any(numbers);
            [left, left.map(reflected)]
        });
        let random = worst(|numbers| [any(numbers), any(numbers)]);
        eprintln!("{behaviour:.1e} {alike:.0} {reflected_axes:.0} {random:.0}");
        assert!(behaviour < 1e-3, "{behaviour}");
        // Rigs of other conventions are 96 to 174 degrees off.
        for off in [alike, reflected_axes, random] {
            assert!((96.0..174.0).contains(&off), "{off}");
        }
    }

    /// S3.10: exact where the axis is the plane's normal, and off by more than 50 degrees on average for any axes.
    #[test]
    fn flipped_turns_need_the_plane_normal_as_axis() {
        let mut numbers = Numbers(9);
        let (mut mean, mut fit) = (0.0, 0.0f64);
        for _ in 0..COUNT {
            let turn = numbers.rotation(120f64.to_radians());
            let flipped = flipped_turn(Quat::IDENTITY, turn.as_quat(), Some(MirrorAxis::X));
            for (axes, is_fit) in [
                (DQuat::from_rotation_x(numbers.next()), true),
                (numbers.rotation(std::f64::consts::TAU), false),
            ] {
                let seen = reflected(axes * turn * axes.conjugate());
                let off = degrees(axes.conjugate() * seen * axes, flipped.as_dquat());
                if is_fit {
                    fit = fit.max(off);
                } else {
                    mean += off / COUNT as f64;
                }
            }
        }
        eprintln!("{fit:.1e} {mean:.0}");
        assert!(fit < 1e-3, "{fit}");
        assert!((50.0..75.0).contains(&mean), "{mean}");
    }
}
