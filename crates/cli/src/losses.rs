//! What a format has no place for.

use crate::table::count;
use rebone::model::CurveTarget;
use rebone::setup::align::{PoseCandidate, PoseSource};
use rebone::{Clip, Format, Rig, Warning};

/// Plausibilities that differ by less belong to poses that look alike.
const ALIKE: f64 = 0.05;

/// What a character loses where it is written anew in another format, the clips named `kept` with it.
pub(crate) fn of_conversion(rig: &Rig, kept: &[String], format: Format) -> Option<Warning> {
    let character = &rig.character;
    let mut lost = Vec::new();
    let holds_meshes = !matches!(format, Format::Bvh | Format::Vrma);
    if !holds_meshes && !character.skins.is_empty() {
        lost.push("meshes".to_owned());
        lost.push("skins".to_owned());
        if bind_differs(rig) {
            lost.push("the bind pose, which differs from the rest pose".to_owned());
        }
    }
    if holds_meshes {
        lost.extend(character.left_out.iter().map(|&name| name.to_owned()));
    }
    let others = character.clips.len().saturating_sub(kept.len());
    if others > 0 {
        lost.push(count(others, "other clip"));
    }
    let clips = character
        .clips
        .iter()
        .filter(|clip| kept.contains(&clip.name));
    lost.extend(curves(clips, format));
    if !character.labels.is_empty() && matches!(format, Format::Bvh | Format::Fbx) {
        lost.push("the table of which joint is which part of the body".to_owned());
    }
    if rig.format == Format::Fbx && format == Format::Fbx {
        lost.push("anything but skeleton, meshes, skins, base colours and clips".to_owned());
    }
    if rig.format == Format::Vrm && format != Format::Vrma {
        lost.push("the avatar's VRM data".to_owned());
    }
    let what = in_words(&lost)?;
    Some(Warning::new(
        "convert-lost",
        format!("the {} does not hold {what}", format.name().to_uppercase()),
        if holds_meshes {
            "keep the original"
        } else {
            "keep the original, or convert to GLB"
        },
    ))
}

/// What a character loses where its skin is written anew on another skeleton.
pub(crate) fn of_rebind(rig: &Rig, format: Format) -> Option<Warning> {
    let character = &rig.character;
    let mut lost: Vec<String> = (character.left_out.iter())
        .map(|&name| name.to_owned())
        .collect();
    if !character.clips.is_empty() {
        lost.push(count(character.clips.len(), "clip"));
    }
    if rig.format == Format::Vrm {
        lost.push("the avatar's VRM data".to_owned());
    }
    let what = in_words(&lost)?;
    Some(Warning::new(
        "convert-lost",
        format!(
            "of the target the {} does not hold {what}",
            format.name().to_uppercase()
        ),
        "keep the original",
    ))
}

/// Motions of other things than joints that have no place. The writers of the other formats tell it
/// themselves, by name.
fn curves<'a>(clips: impl Iterator<Item = &'a Clip>, format: Format) -> Vec<String> {
    if format != Format::Bvh {
        return Vec::new();
    }
    let mut found = [false; 4];
    for curve in clips.flat_map(|clip| &clip.curves) {
        found[match curve.target() {
            CurveTarget::Morph { .. } => 0,
            CurveTarget::Expression { .. } => 1,
            CurveTarget::LookAt { .. } => 2,
            CurveTarget::Property { .. } => 3,
        }] = true;
    }
    let names = [
        "motions of morph targets",
        "expressions",
        "where the eyes look",
        "motions of other properties",
    ];
    let lost = names.iter().zip(found).filter(|(_, is_there)| *is_there);
    lost.map(|(name, _)| (*name).to_owned()).collect()
}

/// True where the skin was bound in another pose than the rest pose.
fn bind_differs(rig: &Rig) -> bool {
    let find = |source: PoseSource| -> Option<&PoseCandidate> {
        let mut all = rig.alignment.candidates.iter();
        all.find(|candidate| candidate.source == source)
    };
    match (find(PoseSource::Rest), find(PoseSource::Bind)) {
        (Some(rest), Some(bind)) => {
            rest.rest_kind != bind.rest_kind
                || (rest.plausibility - bind.plausibility).abs() > ALIKE
        }
        _ => false,
    }
}

/// `a, b and c`; `None` for nothing.
fn in_words(parts: &[String]) -> Option<String> {
    let (last, others) = parts.split_last()?;
    if others.is_empty() {
        return Some(last.clone());
    }
    Some(format!("{} and {last}", others.join(", ")))
}
