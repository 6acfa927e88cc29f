//! Which points of a character can touch something.

use super::limbs::{self, SIDES};
use super::{Alignment, LimbEnd, retarget_placements};
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Stance};
use glam::DVec3;
use rebone_model::Character;
use rebone_runtime::contact::{ContactPoint, ContactPoints, Touch};

/// A character whose rest pose stands on the zero plane of its file walks on that plane: contacts move its floor by no more
/// than this share of the leg. Feet that stand further above or below it stand on something.
pub(crate) const FLOOR_WITHIN: f64 = 0.1;

/// The points of a character whose motions have their floor at a height, canonical, file units.
pub fn contact_points(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
    floor: f64,
) -> ContactPoints {
    let standing = retarget_placements(character, map, alignment);
    let here = LimbEnd::of_joint;
    let below = |ankle: LimbEnd| {
        let at = ankle.at(&standing);
        let sole = at - DVec3::Y * at.y.max(0.0);
        let place = standing[ankle.joint];
        (place.rotation.conjugate() * (sole - place.position)).as_vec3()
    };
    let mut points = Vec::new();
    let mut add = |touch: Touch, side: Side, front: bool, ankle: Option<LimbEnd>| {
        let Some(ankle) = ankle else { return };
        let offset = match touch {
            Touch::Heel | Touch::Toes => below(ankle),
            _ => glam::Vec3::ZERO,
        };
        points.push(ContactPoint {
            touch,
            side: side.sign() as i8,
            front,
            joint: ankle.joint,
            offset,
        });
    };
    let stands_on_hands = map.profile.stance == Stance::FourLegged;
    let feet = [(Part::Foot, false), (Part::Hand, true)];
    for (foot, front) in feet.into_iter().take(1 + usize::from(stands_on_hands)) {
        for side in SIDES {
            let ankle = LimbEnd::new(character, map, &standing, foot, side);
            add(Touch::Heel, side, front, ankle);
            let toes = limbs::below(map, foot, Part::Toes, side);
            add(Touch::Toes, side, front, toes.map(here));
        }
    }
    if !stands_on_hands {
        for (touch, part) in [(Touch::Hand, Part::Hand), (Touch::Knee, Part::LowerLeg)] {
            for side in SIDES {
                add(touch, side, false, limbs::joint(map, part, side).map(here));
            }
        }
    }
    let hips = map.joint_of(Part::Hips, Side::Center);
    add(Touch::Seat, Side::Center, false, hips.map(here));
    let leg = alignment.measures.leg;
    let near = FLOOR_WITHIN * leg;
    let is_shown = alignment.shows_floor() && floor.abs() < near;
    ContactPoints {
        points,
        hips,
        canonical_from_file: alignment.canonical_from_file.as_quat(),
        leg: leg as f32,
        floor: floor as f32,
        floor_within: if is_shown { near as f32 } else { f32::INFINITY },
    }
}
