//! One side of a measured pair.

use super::Performance;
use super::own_body::OwnBody;
use super::sampled::Sampled;
use super::skin_floor::BodySkin;
use super::tips::tips;
use glam::Vec3;
use rebone_runtime::contact::{ContactPoint, ContactPoints, Touch};
use rebone_setup::align::contact_points;
use rebone_setup::profile::{Part, Slot};

/// A performance, sampled.
pub(super) struct Body<'a> {
    pub(super) performance: Performance<'a>,
    pub(super) sampled: Sampled,
    /// What of it can touch.
    pub(super) points: ContactPoints,
    /// Places of those points, in each frame.
    pub(super) paths: Vec<Vec<Vec3>>,
    /// Tips of the toes, where the rig says where they end.
    pub(super) tips: Vec<ContactPoint>,
    /// Its arms, and what they should not be in; `None` without a skin.
    pub(super) own_body: Option<OwnBody>,
    /// What of it must not be in the floor; `None` without a skin.
    pub(super) skin: Option<BodySkin>,
    /// L, file units; more than 0.
    pub(super) leg: f64,
    /// h, file units; more than 0.
    pub(super) height: f64,
}

/// A slot of both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pub(super) slot: Slot,
    /// The joint that carries the slot's turn, of source and target.
    pub(super) joints: (usize, usize),
}

impl<'a> Body<'a> {
    pub(super) fn new(performance: Performance<'a>, times: &[f32], floor: f64) -> Self {
        let Performance {
            character,
            map,
            alignment,
            ..
        } = performance;
        let points = contact_points(character, map, alignment, floor);
        let counted = |slot: &Slot| is_counted(map.profile.info(*slot).part);
        let slots = map.slots.iter().filter(|(slot, _)| counted(slot));
        let mut wanted: Vec<usize> = slots.flat_map(|(_, found)| found.joints.clone()).collect();
        wanted.extend(points.points.iter().map(|point| point.joint));
        let own_body = OwnBody::new(&performance);
        wanted.extend(own_body.iter().flat_map(OwnBody::joints));
        let skin = BodySkin::new(&performance);
        wanted.extend(skin.iter().flat_map(|skin| &skin.joints));
        let sampled = Sampled::new(&performance, &wanted, times);
        let path = |point: &ContactPoint| {
            let joint = point.joint;
            let places = sampled.positions[joint]
                .iter()
                .zip(&sampled.rotations[joint]);
            places
                .map(|(place, turn)| *place + *turn * point.offset)
                .collect()
        };
        let measures = &alignment.measures;
        let positive = |length: f64, otherwise: f64| {
            if length.is_finite() && length > 1e-9 {
                length
            } else {
                otherwise
            }
        };
        let height = positive(measures.height, 1.0);
        Self {
            paths: points.points.iter().map(path).collect(),
            tips: tips(character, map, alignment, &points.points),
            leg: positive(measures.leg, height),
            height,
            sampled,
            points,
            own_body,
            skin,
            performance,
        }
    }

    /// K, file units; more than 0.
    pub(super) fn size(&self) -> f64 {
        let width = self.performance.alignment.measures.hip_width;
        self.leg + if width.is_finite() { width } else { 0.0 }
    }

    /// The joint that carries a slot's turn.
    pub(super) fn joint(&self, slot: Slot) -> Option<usize> {
        self.performance.map.joint(slot)
    }
}

/// Fingers, eyes and jaws are small and quick, and would hide everything else.
pub(super) fn is_counted(part: Part) -> bool {
    !matches!(part, Part::Finger | Part::Thumb | Part::Face)
}

/// True for the points that a body stands on.
pub(super) fn is_of_foot(point: &ContactPoint) -> bool {
    matches!(point.touch, Touch::Heel | Touch::Toes)
}

/// The slots that both have, in the order of the profile.
pub(super) fn shared(source: &Body<'_>, target: &Body<'_>) -> Vec<Shared> {
    let profile = target.performance.map.profile;
    profile
        .all()
        .filter(|&slot| is_counted(profile.info(slot).part))
        .filter_map(|slot| {
            let joints = (source.joint(slot)?, target.joint(slot)?);
            Some(Shared { slot, joints })
        })
        .collect()
}
