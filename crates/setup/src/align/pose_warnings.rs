//! What is said about the choice of the reference pose.

use super::body_frame::body_frame;
use super::placement::Placement;
use super::pose_source::{PoseChoice, PoseSource};
use crate::mapping::RigMap;
use rebone_model::{Action, Character, Remedy, Warning};

/// The character lacks the pose that the user asked for.
pub(super) fn pose_missing(character: &Character, wanted: PoseChoice) -> Warning {
    Warning::new(
        "pose-missing",
        format!("\"{}\" has no {}", character.name, wanted.describe()),
        "another pose is used; check source.pose and target.pose in the recipe",
    )
}

/// The rest pose, which was taken, is a frame of the clip.
pub(super) fn rest_is_moment() -> Warning {
    Warning::new(
        "rest-is-moment",
        "the rest pose is a moment of the motion; the roll of arms, the height of soles and the length of legs that slide \
         are estimated",
        Remedy::new(
            "nothing has to be done if hands and feet look right; another file of the same rig may show a pose that stands",
            &[Action::GiveRestPose],
        ),
    )
}

/// The rest pose was taken for want of a standing one.
pub(super) fn rest_not_standing() -> Warning {
    Warning::new(
        "rest-not-standing",
        "no pose of the file is one in which a person stands; the rest pose is used",
        Remedy::new(
            "give another file of the same rig in a T-pose, or choose a better moment of the clip",
            &[Action::GiveRestPose, Action::ChooseRestFrame],
        ),
    )
}

/// Says which pose was taken if it is not the rest pose.
pub(super) fn pose_taken(source: PoseSource) -> Option<Warning> {
    Some(match source {
        PoseSource::Rest | PoseSource::Given => return None,
        PoseSource::Zero => Warning::new(
            "rest-from-zero",
            "nobody stands in the rest pose, but the joints stand with all angles at zero; that pose is used",
            Remedy::new(
                "nothing has to be done if the result looks right; where joints of the legs slide, another file of the same rig \
                 may show how long they are",
                &[Action::GiveRestPose],
            ),
        ),
        PoseSource::Known => Warning::new(
            "rest-from-system",
            "the file shows no rest pose; how its joints lie is what is known of the system that made it, by their names",
            Remedy::new(
                "nothing has to be done if the result looks right; another file of the same rig may show it",
                &[Action::GiveRestPose],
            ),
        ),
        PoseSource::Offsets(_) => Warning::new(
            "rest-from-offsets",
            "the joints of the rest pose do not form a standing body, but they do where the clip puts them",
            "nothing has to be done if the result looks right",
        ),
        PoseSource::Bind => Warning::new(
            "rest-from-bind",
            "the file's rest pose is less like a T-pose than the pose in which the skin was bound; the latter is used",
            "render source and result side by side, and compare",
        ),
        PoseSource::Stored => Warning::new(
            "rest-from-stored",
            "the file's rest pose is less like a T-pose than a pose that the file stores beside it; the latter is used",
            "compare the results with source.pose and target.pose = \"rest\" in a recipe if something is off",
        ),
        PoseSource::First(time) | PoseSource::Frame(time) => Warning::new(
            "rest-from-clip",
            format!(
                "neither rest nor bind pose is a standing pose; the clip at {time:.2} s is used"
            ),
            Remedy::new(
                "check hands and feet; you can choose another moment, or the rest pose of another file of the same rig",
                &[Action::ChooseRestFrame, Action::GiveRestPose],
            ),
        ),
    })
}

/// Says if the joints do not show which way the body is up and faces, or if the toes point backwards.
pub(super) fn body_frame_unsure(map: &RigMap, pose: &[Placement]) -> Option<Warning> {
    let Some(frame) = body_frame(map, pose) else {
        return Some(Warning::new(
            "body-frame-unknown",
            "the joints do not show which way the body is up and faces; the file's axes are used",
            "map both upper legs and both upper arms",
        ));
    };
    let points_back = frame.toes_forward.is_some_and(|toes| toes < -0.3);
    points_back.then(|| {
        Warning::new(
            "facing-unsure",
            "the toes point backwards, so left and right may be swapped",
            "check the sides of the map",
        )
    })
}
