//! What about a reference pose deserves a look, although alignment copes with it.

use super::Alignment;
use super::evidence::Evidence;
use super::placement::Placement;
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Slot, Stance};
use glam::DVec3;
use rebone_model::elementary::Angle as _;
use rebone_model::elementary::Elementary as _;
use rebone_model::{Action, Character, Remedy, Warning};

/// Plausibility below which nobody stands in the pose, and none of this matters.
const STANDS: f64 = 0.3;

/// Mirrored limbs that differ by more than this are no symmetric pose.
const ASYMMETRIC_DEGREES: f64 = 8.0;

/// Arms lower than this say little about where they point in a T-pose.
const HANGING_DEGREES: f64 = 80.0;

/// Knees bent by more than this.
const BENT_DEGREES: f64 = 25.0;

/// Doubts about the reference pose: sides that differ, hanging arms, bent knees, hands whose palm nothing
/// shows, feet without toes. They come beside [`Alignment::warnings`] and are for a person who checks an
/// alignment; none of them is a fault of the file. Bodies that do not stand upright have none.
pub fn doubts(character: &Character, map: &RigMap, alignment: &Alignment) -> Vec<Warning> {
    if map.profile.stance != Stance::Upright || map.slots.is_empty() {
        return Vec::new();
    }
    let seen = Seen {
        character,
        map,
        placements: &alignment.reference,
    };
    let mut warnings = Vec::new();
    // In a moment of a motion all of this is as it should be.
    if !alignment.pose_source.is_of_clip() && alignment.plausibility >= STANDS {
        warnings.extend(seen.asymmetry());
        warnings.extend(seen.hanging_arms());
        warnings.extend(seen.bent_knees());
    }
    warnings.extend(seen.unknown_palms(alignment));
    warnings.extend(seen.missing_toes());
    warnings
}

struct Seen<'a> {
    character: &'a Character,
    map: &'a RigMap,
    placements: &'a [Placement],
}

impl Seen<'_> {
    fn direction(&self, from: Part, to: Part, side: Side) -> Option<DVec3> {
        let at = |part| {
            let joint = self.map.joint_of(part, side)?;
            Some(self.placements[joint].position)
        };
        (at(to)? - at(from)?).try_normalize()
    }

    fn name(&self, part: Part, side: Side) -> &str {
        let joint = self.map.joint_of(part, side);
        joint.map_or("", |joint| self.character.skeleton.unique_name(joint))
    }

    fn asymmetry(&self) -> Option<Warning> {
        let pairs = [
            (Part::UpperArm, Part::LowerArm),
            (Part::LowerArm, Part::Hand),
            (Part::UpperLeg, Part::LowerLeg),
            (Part::LowerLeg, Part::Foot),
        ];
        let off = |(from, to): (Part, Part)| {
            let left = self.direction(from, to, Side::Left)?;
            let right = self.direction(from, to, Side::Right)?;
            let mirrored = DVec3::new(-right.x, right.y, right.z);
            Some((left.angle_apart(mirrored).to_degrees(), from))
        };
        let worst = pairs
            .into_iter()
            .filter_map(off)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        worst
            .filter(|(degrees, _)| *degrees > ASYMMETRIC_DEGREES)
            .map(|(degrees, part)| {
                Warning::new(
                    "rest-asymmetric",
                    format!(
                        "the two sides of the reference pose differ by {degrees:.0} degrees at \"{}\" and \"{}\"",
                        self.name(part, Side::Left),
                        self.name(part, Side::Right)
                    ),
                    Remedy::new(
"look at the retarget pose; you can give another file for the reference pose",
&[Action::GiveRestPose],
),
                )
            })
    }

    fn hanging_arms(&self) -> Option<Warning> {
        let below = |side| {
            let arm = self
                .direction(Part::UpperArm, Part::Hand, side)
                .or_else(|| self.direction(Part::UpperArm, Part::LowerArm, side))?;
            Some((-arm.y).arc_sine().to_degrees())
        };
        let lowest = [Side::Left, Side::Right]
            .into_iter()
            .filter_map(below)
            .fold(0.0, f64::max);
        (lowest > HANGING_DEGREES).then(|| {
            Warning::new(
                "arms-hang",
                format!("the arms of the reference pose hang down by {lowest:.0} degrees"),
                "look at the roll of the arms in the retarget pose; calibrate leftUpperArm and rightUpperArm in a \
                 recipe if it is off",
            )
        })
    }

    fn bent_knees(&self) -> Option<Warning> {
        let bend = |side| {
            let thigh = self.direction(Part::UpperLeg, Part::LowerLeg, side)?;
            let shin = self.direction(Part::LowerLeg, Part::Foot, side)?;
            Some(thigh.angle_apart(shin).to_degrees())
        };
        let most = [Side::Left, Side::Right]
            .into_iter()
            .filter_map(bend)
            .fold(0.0, f64::max);
        (most > BENT_DEGREES).then(|| {
            Warning::new(
                "knees-bent",
                format!("the knees of the reference pose are bent by {most:.0} degrees"),
                Remedy::new(
"look at the feet in the retarget pose; you can give another file for the reference pose",
&[Action::GiveRestPose],
),
            )
        })
    }

    fn unknown_palms(&self, alignment: &Alignment) -> Option<Warning> {
        let unknown = |slot: &&Slot| {
            let info = self.map.profile.info(**slot);
            let told = alignment.reasons.get(slot).map(|reason| reason.evidence);
            info.part == Part::Hand && matches!(told, Some(Evidence::None | Evidence::Direction))
        };
        let hands = self.map.slots.keys().filter(unknown).count();
        (hands > 0).then(|| {
            Warning::new(
                "palms-unknown",
                "nothing shows how the hands are rolled: the rig has no knuckles",
                "look at the hands; calibrate leftHand and rightHand in a recipe if they are rolled",
            )
        })
    }

    fn missing_toes(&self) -> Option<Warning> {
        let lacks = |side| {
            self.map.joint_of(Part::Foot, side).is_some()
                && self.map.joint_of(Part::Toes, side).is_none()
        };
        (lacks(Side::Left) || lacks(Side::Right)).then(|| {
            Warning::new(
                "toes-missing",
                "without joints for the toes nothing shows where the feet point; they are taken as pointing ahead",
                "look at the feet; calibrate leftFoot and rightFoot in a recipe if they are turned",
            )
        })
    }
}
