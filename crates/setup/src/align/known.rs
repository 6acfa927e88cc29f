//! The T-pose of a capture system or a family of rigs, where the axes of its joints are known.

use super::limbs::{ARM, LEG, SIDES, joint};
use super::motion_up::sampled;
use super::placement::{Placement, placements, unit};
use crate::mapping::RigMap;
use crate::names::key_of;
use crate::profile::Part;
use crate::profile::dialect::{KnownPose, dialects};
use glam::{DQuat, DVec3};
use rebone_model::elementary::Angle as _;
use rebone_model::sampling::sample_joint;
use rebone_model::{Character, Clip, JointKind, LocalPose};

/// A limb that the known axes turn further than this from where it is in a T-pose has other axes.
const FURTHEST_DEGREES: f64 = 40.0;

/// Joints that are turned further than this from the T-pose on average over the clips have other axes.
const STRANGEST_DEGREES: f64 = 42.0;

/// Moments at which the clips are compared with the T-pose.
const MOMENTS: usize = 12;

/// The T-pose of the map's dialect, canonical, with the joints at the `places` of a pose, and how high its lowest joint is
/// above the floor, over the length of a leg. `None` where nothing is known of the dialect, or where the bones lie in other axes.
pub(super) fn known_pose(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    places: &LocalPose,
) -> Option<(LocalPose, f64)> {
    let dialect = dialects().find(|dialect| dialect.name == map.dialect)?;
    let fitting = dialect.poses.iter().filter_map(|known| {
        let pose = posed(character, known, places);
        let off = off(character, map, &placements(character, &pose)).to_degrees();
        let strange = strangeness(character, map, clips, &pose).to_degrees();
        let fits = off <= FURTHEST_DEGREES && strange <= STRANGEST_DEGREES;
        fits.then_some((strange, pose, known.sole.unwrap_or(0.0)))
    });
    let (_, pose, sole) = fitting.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((pose, sole))
}

/// The pose in which the joints have the known axes. Joints without known axes keep their rotation relative to their parent.
fn posed(character: &Character, known: &KnownPose, places: &LocalPose) -> LocalPose {
    let mut pose = places.clone();
    let mut turned: Vec<DQuat> = Vec::with_capacity(character.skeleton.len());
    let joints = character.skeleton.joints().iter();
    for (joint, transform) in joints.zip(pose.transforms_mut()) {
        let above = joint.parent.map_or(DQuat::IDENTITY, |above| turned[above]);
        let own = (joint.kind != JointKind::Ancestor)
            .then(|| known.of(&key_of(&joint.name)))
            .flatten();
        let rotation = own.unwrap_or_else(|| unit(above * unit(transform.rotation.as_dquat())));
        transform.rotation = unit(above.conjugate() * rotation).as_quat();
        turned.push(rotation);
    }
    pose
}

/// How far the bone of a limb that is furthest off is from where it is in a T-pose, radians.
fn off(character: &Character, map: &RigMap, pose: &[Placement]) -> f64 {
    let mut furthest: f64 = 0.0;
    for side in SIDES {
        let out = DVec3::X * f64::from(side.sign());
        for (limb, wanted) in [(ARM, out), (LEG, DVec3::NEG_Y)] {
            let joints = limb.into_iter();
            let joints: Vec<usize> = joints.filter_map(|part| joint(map, part, side)).collect();
            for bone in joints.windows(2) {
                // Feet of some rigs hang from the root.
                if character.skeleton.is_ancestor(bone[0], bone[1]) {
                    let way = pose[bone[1]].position - pose[bone[0]].position;
                    furthest = furthest.max(way.angle_apart(wanted));
                }
            }
        }
    }
    furthest
}

/// How far the joints of limbs and trunk are turned from a pose on average over the clips, each against the joint above.
fn strangeness(character: &Character, map: &RigMap, clips: &[&Clip], pose: &LocalPose) -> f64 {
    let is_body = |part| !matches!(part, Part::Hips | Part::Thumb | Part::Finger | Part::Face);
    let joints: Vec<usize> = map
        .slots
        .iter()
        .filter(|(slot, _)| is_body(map.profile.info(**slot).part))
        .flat_map(|(_, found)| found.joints.iter().copied())
        .collect();
    let moments: Vec<_> = sampled(clips).collect();
    let step = moments.len().div_ceil(MOMENTS).max(1);
    let (mut sum, mut count) = (0.0, 0);
    for (clip, time) in moments.iter().step_by(step) {
        for &joint in &joints {
            let Some(tracks) = clip.joints.get(joint) else {
                continue;
            };
            let rest = character.skeleton.joints()[joint].rest;
            let turned = sample_joint(tracks, rest, *time).rotation.as_dquat();
            sum += turned.angle_apart(pose.transforms()[joint].rotation.as_dquat());
            count += 1;
        }
    }
    if count == 0 {
        0.0
    } else {
        sum / f64::from(count)
    }
}
