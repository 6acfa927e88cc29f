//! How a body holds itself on average over its clips.
//!
//! One moment of a run says little about the trunk and the hands: it leans, twists and swings. Over all
//! moments in which the body is upright, headings removed, what is left is how the body is held.

use crate::align::body_frame::body_frame;
use crate::align::canonical::rotation_arc;
use crate::align::motion_up::sampled;
use crate::align::placement::{clip_placements, unit};
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use glam::{DQuat, DVec3};
use rebone_model::elementary::{Elementary as _, Turn as _};
use rebone_model::{Character, Clip};
use std::collections::BTreeMap;

/// Cosine between a body's up and the world's, below which the body is not upright.
const UPRIGHT: f64 = 0.8;

/// Moments without which a mean says nothing.
const FEWEST: usize = 4;

/// Mean rotations by joint.
#[derive(Default)]
pub(super) struct Means {
    /// Of hips, torso, neck and head: canonical, without heading and lean.
    pub(super) trunk: BTreeMap<usize, DQuat>,
    /// Of hands: in the axes of the forearm.
    pub(super) hands: BTreeMap<usize, DQuat>,
}

/// Means over the moments in which the body is upright.
pub(super) fn means(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    canonical_from_file: DQuat,
) -> Means {
    let is_trunk = |part| matches!(part, Part::Hips | Part::Torso | Part::Neck | Part::Head);
    let trunk: Vec<usize> = map
        .slots
        .iter()
        .filter(|(slot, _)| is_trunk(map.profile.info(**slot).part))
        .flat_map(|(_, found)| found.joints.iter().copied())
        .collect();
    let hands: Vec<(usize, usize)> = [Side::Left, Side::Right]
        .into_iter()
        .filter_map(|side| {
            let forearm = map.joint_of(Part::LowerArm, side)?;
            Some((forearm, map.joint_of(Part::Hand, side)?))
        })
        .collect();
    let mut sums = [BTreeMap::new(), BTreeMap::new()];
    let (mut count, mut up) = (0, DVec3::ZERO);
    for (clip, time) in sampled(clips) {
        let pose = clip_placements(character, clip, time);
        let Some(frame) = body_frame(map, &pose) else {
            continue;
        };
        let ahead = canonical_from_file * frame.forward;
        if (canonical_from_file * frame.up).y < UPRIGHT || ahead.y.abs() > UPRIGHT {
            continue;
        }
        count += 1;
        let heading = DQuat::about_y(-ahead.x.arc_tangent(ahead.z)) * canonical_from_file;
        up += heading * frame.up;
        for &joint in &trunk {
            add(&mut sums[0], joint, heading * pose[joint].rotation);
        }
        for &(forearm, hand) in &hands {
            let relative = pose[forearm].rotation.conjugate() * pose[hand].rotation;
            add(&mut sums[1], hand, relative);
        }
    }
    if count < FEWEST {
        return Means::default();
    }
    let [trunk, hands] = sums;
    let upright = rotation_arc(up, DVec3::Y);
    let straight = |(joint, sum)| (joint, unit(upright * unit(sum)));
    Means {
        trunk: trunk.into_iter().map(straight).collect(),
        hands: hands
            .into_iter()
            .map(|(joint, sum)| (joint, unit(sum)))
            .collect(),
    }
}

fn add(sums: &mut BTreeMap<usize, DQuat>, joint: usize, rotation: DQuat) {
    let sum = sums
        .entry(joint)
        .or_insert(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    *sum = if sum.dot(rotation) < 0.0 {
        *sum - rotation
    } else {
        *sum + rotation
    };
}
