//! What profiles of a user's own call the parts of a body.

use super::Part;

/// Parts as a profile calls them.
pub(crate) const PARTS: [(&str, Part); 20] = [
    ("hips", Part::Hips),
    ("torso", Part::Torso),
    ("neck", Part::Neck),
    ("head", Part::Head),
    ("face", Part::Face),
    ("shoulder", Part::Shoulder),
    ("upper-arm", Part::UpperArm),
    ("lower-arm", Part::LowerArm),
    ("hand", Part::Hand),
    ("thumb", Part::Thumb),
    ("finger", Part::Finger),
    ("upper-leg", Part::UpperLeg),
    ("lower-leg", Part::LowerLeg),
    ("foot", Part::Foot),
    ("toes", Part::Toes),
    ("cannon", Part::Cannon),
    ("ear", Part::Ear),
    ("trunk", Part::Trunk),
    ("tail", Part::Tail),
    ("limb", Part::Limb),
];

pub(crate) fn part_named(name: &str) -> Option<Part> {
    PARTS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, part)| *part)
}

/// A part as a profile calls it.
pub(crate) fn part_name(part: Part) -> &'static str {
    PARTS
        .iter()
        .find(|(_, known)| *known == part)
        .map_or("limb", |(name, _)| name)
}
