//! The slots of four-legged animals: dogs, cats, horses, cattle, deer, elephants and creatures like them.
//!
//! A front leg is scapula, upper leg (humerus), lower leg (radius), metacarpus, paw, toes; a hind leg upper
//! leg (femur), lower leg (tibia), metatarsus, paw, toes. Every slot may hold a chain, from parent to child.

use super::{Part, Profile, Side, SlotInfo, Stance};

/// The profile of four-legged animals.
pub static QUADRUPED: Profile = Profile {
    name: "quadruped",
    stance: Stance::FourLegged,
    slots: &[
        row("hips", None, true, Side::Center, Part::Hips),
        row("spine", Some(0), true, Side::Center, Part::Torso),
        row("chest", Some(1), false, Side::Center, Part::Torso),
        row("neck", Some(2), false, Side::Center, Part::Neck),
        row("head", Some(3), true, Side::Center, Part::Head),
        row("jaw", Some(4), false, Side::Center, Part::Face),
        row("leftEye", Some(4), false, Side::Left, Part::Face),
        row("rightEye", Some(4), false, Side::Right, Part::Face),
        row("leftEar", Some(4), false, Side::Left, Part::Ear),
        row("rightEar", Some(4), false, Side::Right, Part::Ear),
        row("trunk", Some(4), false, Side::Center, Part::Trunk),
        row("tail", Some(0), false, Side::Center, Part::Tail),
        row(
            "leftFrontScapula",
            Some(2),
            false,
            Side::Left,
            Part::Shoulder,
        ),
        row(
            "leftFrontUpperLeg",
            Some(12),
            true,
            Side::Left,
            Part::UpperArm,
        ),
        row(
            "leftFrontLowerLeg",
            Some(13),
            true,
            Side::Left,
            Part::LowerArm,
        ),
        row(
            "leftFrontMetacarpus",
            Some(14),
            false,
            Side::Left,
            Part::Cannon,
        ),
        row("leftFrontPaw", Some(15), true, Side::Left, Part::Hand),
        row("leftFrontToes", Some(16), false, Side::Left, Part::Toes),
        row(
            "leftHindUpperLeg",
            Some(0),
            true,
            Side::Left,
            Part::UpperLeg,
        ),
        row(
            "leftHindLowerLeg",
            Some(18),
            true,
            Side::Left,
            Part::LowerLeg,
        ),
        row(
            "leftHindMetatarsus",
            Some(19),
            false,
            Side::Left,
            Part::Cannon,
        ),
        row("leftHindPaw", Some(20), true, Side::Left, Part::Foot),
        row("leftHindToes", Some(21), false, Side::Left, Part::Toes),
        row(
            "rightFrontScapula",
            Some(2),
            false,
            Side::Right,
            Part::Shoulder,
        ),
        row(
            "rightFrontUpperLeg",
            Some(23),
            true,
            Side::Right,
            Part::UpperArm,
        ),
        row(
            "rightFrontLowerLeg",
            Some(24),
            true,
            Side::Right,
            Part::LowerArm,
        ),
        row(
            "rightFrontMetacarpus",
            Some(25),
            false,
            Side::Right,
            Part::Cannon,
        ),
        row("rightFrontPaw", Some(26), true, Side::Right, Part::Hand),
        row("rightFrontToes", Some(27), false, Side::Right, Part::Toes),
        row(
            "rightHindUpperLeg",
            Some(0),
            true,
            Side::Right,
            Part::UpperLeg,
        ),
        row(
            "rightHindLowerLeg",
            Some(29),
            true,
            Side::Right,
            Part::LowerLeg,
        ),
        row(
            "rightHindMetatarsus",
            Some(30),
            false,
            Side::Right,
            Part::Cannon,
        ),
        row("rightHindPaw", Some(31), true, Side::Right, Part::Foot),
        row("rightHindToes", Some(32), false, Side::Right, Part::Toes),
    ],
};

const fn row(
    name: &'static str,
    parent: Option<u8>,
    required: bool,
    side: Side,
    part: Part,
) -> SlotInfo {
    SlotInfo {
        name,
        parent,
        required,
        side,
        part,
    }
}
