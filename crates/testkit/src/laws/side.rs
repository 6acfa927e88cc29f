//! One character as far as the laws look at it.

use crate::oracle::{Local, Placed, unit};
use glam::{DAffine3, DQuat};
use rebone_model::{Character, Skeleton};
use rebone_setup::align::{Alignment, Correction, Placement, PoseSource};
use rebone_setup::mapping::RigMap;
use rebone_setup::profile::{Part, Side as BodySide};

/// A character, its slots and its stance.
#[derive(Clone, Debug)]
pub struct Side<'a> {
    /// Its joints.
    pub skeleton: &'a Skeleton,
    /// Its slots.
    pub map: &'a RigMap,
    /// Turns the file's space to canonical space.
    pub canonical_from_file: DQuat,
    /// Every joint in the stance, canonical, file units.
    pub stance: &'a [Placement],
    /// Height of the floor in the stance.
    pub stance_floor: f64,
    /// η where the stance is a moment of a motion: there a foot may be in the air, and it is an input.
    pub moment_ankle: Option<f64>,
    /// Height of the floor in the motions, canonical, file units. Default 0.
    pub floor: f64,
}

impl<'a> Side<'a> {
    /// The stance as given.
    ///
    /// # Panics
    /// Where something was corrected: that is the laws' own business.
    pub fn new(character: &'a Character, map: &'a RigMap, alignment: &'a Alignment) -> Self {
        let untouched =
            alignment.correction == Correction::None || alignment.corrections.is_empty();
        assert!(untouched, "the stance is wanted as given");
        Self {
            skeleton: &character.skeleton,
            map,
            canonical_from_file: unit(alignment.canonical_from_file),
            stance: &alignment.reference,
            stance_floor: alignment.measures.floor,
            moment_ankle: matches!(
                alignment.pose_source,
                PoseSource::First(_) | PoseSource::Frame(_)
            )
            .then_some(alignment.measures.ankle_height),
            floor: 0.0,
        }
    }

    /// The first joint of a part.
    pub fn joint(&self, part: Part, side: BodySide) -> Option<usize> {
        self.map.joint_of(part, side)
    }

    /// Rotation in the stance.
    pub(super) fn turned(&self, joint: usize) -> DQuat {
        unit(self.stance[joint].rotation)
    }
}

/// The joints of a leg.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    /// σ: +1 left, −1 right.
    pub sign: f64,
    /// Upper leg.
    pub thigh: usize,
    /// Lower leg.
    pub shin: usize,
    /// Foot.
    pub foot: usize,
    /// Toe base.
    pub toes: Option<usize>,
}

/// Both legs, left first; `None` where a joint lacks.
pub fn legs(side: &Side<'_>) -> Option<[Leg; 2]> {
    let leg = |of: BodySide| {
        Some(Leg {
            sign: f64::from(of.sign()),
            thigh: side.joint(Part::UpperLeg, of)?,
            shin: side.joint(Part::LowerLeg, of)?,
            foot: side.joint(Part::Foot, of)?,
            toes: side.joint(Part::Toes, of),
        })
    };
    Some([leg(BodySide::Left)?, leg(BodySide::Right)?])
}

/// All joints in canonical model space.
pub fn model(side: &Side<'_>, locals: &[Local]) -> Vec<Placed> {
    let above = Placed {
        rotation: side.canonical_from_file,
        affine: DAffine3::from_quat(side.canonical_from_file),
    };
    let mut result: Vec<Placed> = Vec::new();
    for (joint, local) in side.skeleton.joints().iter().zip(locals) {
        let above = joint.parent.map_or(above, |parent| result[parent]);
        result.push(below(&above, local));
    }
    result
}

/// A joint below another.
pub(super) fn below(above: &Placed, local: &Local) -> Placed {
    let own =
        DAffine3::from_scale_rotation_translation(local.scale, local.rotation, local.translation);
    Placed {
        rotation: unit(above.rotation * local.rotation),
        affine: above.affine * own,
    }
}
