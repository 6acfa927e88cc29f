//! Alignment: bringing both characters into a common **retarget pose**.
//!
//! For every joint the retarget pose gives a model-space rotation, in *canonical* space: +Y up, the
//! body facing +Z, its left towards +X. Where two characters in their retarget poses look alike, the
//! transfer `V = W · A⁻¹ · B` makes them move alike.
//!
//! | symbol | meaning |
//! |---|---|
//! | R_j | rotation of joint j in the reference pose (rest, bind, a frame of the clip, ...), canonical |
//! | X_s | correction of slot s: what turns the reference pose into the retarget pose |
//! | A_j = X_s · R_j | retarget-pose rotation; s is the slot of j or of the nearest slot above it |
//!
//! Source: docs/laws.md, "Body axes" and the laws after it.

mod best_pose;
mod body_frame;
mod calibration;
mod candidates;
mod canonical;
mod contact_points;
mod correction;
mod doubts;
mod evidence;
mod feet;
mod given;
mod known;
pub mod limbs;
mod look;
mod measures;
mod motion_up;
mod pair;
pub mod palm;
mod placement;
mod plausibility;
mod pose_source;
mod pose_warnings;
mod posing;
mod reference;
mod same_rig;
mod soles;
mod spaces;
mod standing;

pub use body_frame::{BodyFrame, body_frame};
pub use calibration::{Calibration, CalibrationAxes, Calibrations, calibrate};
pub use canonical::rotation_arc;
pub(crate) use contact_points::FLOOR_WITHIN;
pub use contact_points::contact_points;
pub use doubts::doubts;
pub use evidence::{Evidence, Reason};
pub use given::{GivenPose, given_pose};
pub use look::level_head;
pub use measures::{Measures, RestKind};
pub(crate) use motion_up::sampled;
pub use pair::{Aligned, align_pair};
pub use placement::{Placement, unit};
pub(crate) use placement::{affine, clip_placements, placements};
pub use pose_source::{PoseCandidate, PoseChoice, PoseSource, explain};
pub use posing::{angles_of, mirrored, t_pose, turned};
pub use same_rig::{ChangeOfAxes, SameRig, same_rig};
pub use soles::Found;
pub(crate) use soles::{LimbEnd, in_pose};
pub use standing::retarget_placements;

use crate::mapping::RigMap;
use crate::profile::{Slot, Stance};
use glam::{DQuat, DVec3};
use rebone_model::axes::Axis;
use rebone_model::{Character, Clip, Warning};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How much of a stance is corrected towards the retarget pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Correction {
    /// Limbs, hands, fingers and the feet's direction.
    #[default]
    Full,
    /// Upper arms and forearms only, each by the shortest arc to ±X.
    Arms,
    /// Nothing: both stances are taken as alike.
    None,
}

/// What alignment may be told.
#[derive(Clone, Debug, Default)]
pub struct AlignOptions {
    /// The up axis, where the file states it (glTF: +Y). Default: found from the body.
    pub up: Option<Axis>,
    /// The up axis that the user states, whatever the file and the body say.
    pub chosen_up: Option<Axis>,
    /// The axis towards which characters look where they stand at rest, where the user states it. Default: found
    /// from a rest pose; where there is none, +Z in files with +Y up and -Y in files with +Z up.
    pub chosen_forward: Option<Axis>,
    /// The pose to start from. Default: chosen by plausibility.
    pub pose: Option<PoseChoice>,
    /// A pose from another file of the same rig, for [`PoseChoice::Given`]; it is also considered where
    /// no pose is asked for. Default: none.
    pub given: Option<GivenPose>,
    /// How much is corrected. Default: everything.
    pub correction: Correction,
}

/// One character in its retarget pose.
#[derive(Clone, Debug)]
pub struct Alignment {
    /// Where the reference pose came from.
    pub pose_source: PoseSource,
    /// All poses that were considered; the first is the rest pose.
    pub candidates: Vec<PoseCandidate>,
    /// How plausible the reference pose is as a standing pose, 0 to 1.
    pub plausibility: f64,
    /// True if the reference pose is a frame of a clip whose legs do not point down. Nothing then shows how the joints lie.
    pub is_guessed: bool,
    /// T-pose, A-pose or arms down, judged on the reference pose.
    pub rest_kind: RestKind,
    /// Turns the space of the reference pose to canonical space.
    pub canonical_from_pose: DQuat,
    /// Turns the file's space, in which the clip moves, to canonical space.
    pub canonical_from_file: DQuat,
    /// Placement of every joint in the reference pose, canonical, file units.
    pub reference: Vec<Placement>,
    /// Correction X of each slot that has one, before the dead-band of the pair.
    pub corrections: BTreeMap<Slot, DQuat>,
    /// What was done to each slot that has a correction, and what showed it.
    pub reasons: BTreeMap<Slot, Reason>,
    /// For every joint the nearest mapped slot at or above it.
    pub slot_of_joint: Vec<Option<Slot>>,
    /// Lengths of the body, file units.
    pub measures: Measures,
    /// How much was corrected.
    pub correction: Correction,
    /// Doubts.
    pub warnings: Vec<Warning>,
}

impl Alignment {
    /// Retarget-pose rotation A of a joint, canonical.
    pub fn retarget_rotation(&self, joint: usize) -> DQuat {
        let rotation = self.reference[joint].rotation;
        match self.slot_of_joint[joint].and_then(|slot| self.corrections.get(&slot)) {
            Some(correction) => *correction * rotation,
            None => rotation,
        }
    }

    /// Rotation of a joint in the reference pose, in the space of that pose.
    pub fn pose_rotation(&self, joint: usize) -> DQuat {
        self.canonical_from_pose.conjugate() * self.reference[joint].rotation
    }

    /// The poses that were considered and the one that was taken, in one line.
    pub fn explain_pose(&self) -> String {
        explain(&self.candidates, self.pose_source)
    }

    /// The file's up direction.
    pub fn up(&self) -> DVec3 {
        self.canonical_from_file.conjugate() * DVec3::Y
    }

    /// Whether the rest or bind pose stands on the zero plane of its file.
    pub fn shows_floor(&self) -> bool {
        let is_at_rest = matches!(self.pose_source, PoseSource::Rest | PoseSource::Bind);
        is_at_rest && self.measures.floor == 0.0
    }

    /// The direction in which the body looks, in the file's space.
    pub fn forward(&self) -> DVec3 {
        self.canonical_from_file.conjugate() * DVec3::Z
    }
}

/// Finds the reference pose, the body's own axes and the corrections of one character.
///
/// `clips` are used only where neither rest nor bind pose is a plausible standing pose, and to tell
/// which way is up in a file that does not say.
pub fn align(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    options: &AlignOptions,
) -> Alignment {
    let mut warnings = Vec::new();
    let mut reference = reference::choose(character, map, clips, options, &mut warnings);
    let slot_of_joint = nearest_slots(character, map);
    let subject = correction::Subject {
        character,
        map,
        clips,
        reference: &reference,
    };
    // Animals stand with legs bent by nature, each kind in its own way: both natural stances are taken as
    // alike, but for the tail.
    let is_upright = map.profile.stance == Stance::Upright;
    let corrections = match options.correction {
        Correction::Full if is_upright => correction::corrections(&subject),
        Correction::Full if map.profile.stance == Stance::FourLegged => {
            correction::tail_corrections(&subject)
        }
        Correction::Arms if is_upright => correction::arm_corrections(&subject),
        _ => correction::Corrections::default(),
    };
    let mut measures = measures::measure(character, map, clips, &reference);
    if reference.sole.is_some() {
        // A pose that is known of the system has no place of its own; clips of such systems stand on their zero plane.
        for placement in &mut reference.placements {
            placement.position.y -= measures.floor;
        }
        measures.floor = 0.0;
    }
    if measures.ankle_found == Found::Table {
        warnings.push(Warning::new(
            "ankle-height-guessed",
            "the rig ends at its ankles and shows nowhere how high they are above the floor; that of a usual person is taken",
            "look at the feet of the result; a skin, toes, or a rest pose that stands on the origin would tell",
        ));
    }
    let rest_kind = measures::rest_kind(map, &reference.placements);
    Alignment {
        pose_source: reference.source,
        candidates: reference.candidates,
        plausibility: reference.plausibility,
        is_guessed: reference.is_guessed,
        rest_kind,
        canonical_from_pose: reference.canonical_from_pose,
        canonical_from_file: reference.canonical_from_file,
        reference: reference.placements,
        corrections: corrections.turns,
        reasons: corrections.reasons,
        slot_of_joint,
        measures,
        correction: options.correction,
        warnings,
    }
}

fn nearest_slots(character: &Character, map: &RigMap) -> Vec<Option<Slot>> {
    let mut own: Vec<Option<Slot>> = vec![None; character.skeleton.len()];
    for (slot, found) in &map.slots {
        for &joint in &found.joints {
            own[joint] = Some(*slot);
        }
    }
    for joint in 0..own.len() {
        if own[joint].is_none() {
            own[joint] = character
                .skeleton
                .parent(joint)
                .and_then(|parent| own[parent]);
        }
    }
    own
}
