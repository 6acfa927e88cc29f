//! Warnings of a retarget, each told once.

use crate::rig::Rig;
use rebone_model::Warning;
use rebone_setup::align::{Alignment, doubts};
use rebone_setup::compile::Compiled;
use std::collections::BTreeSet;

/// Warnings without repetition, in their order.
pub fn distinct<'a>(warnings: impl IntoIterator<Item = &'a Warning>) -> Vec<Warning> {
    let mut seen = BTreeSet::new();
    warnings
        .into_iter()
        .filter(|warning| seen.insert((warning.code, &warning.joint, &warning.message)))
        .cloned()
        .collect()
}

/// What is said of a rig, but for what a recipe may have changed and the retarget itself tells: missing slots,
/// and the pose that was taken.
pub fn of_file(rig: &Rig) -> impl Iterator<Item = &Warning> {
    let told_later = |warning: &&Warning| {
        warning.code != "slot-missing" && !rig.alignment.warnings.contains(warning)
    };
    rig.warnings.iter().filter(told_later)
}

/// What about the pose in which a rig is compared deserves a look, although alignment copes with it: sides that differ,
/// bent knees, unknown palms, missing toes.
pub fn of_pose(rig: &Rig, alignment: &Alignment) -> Vec<Warning> {
    doubts(&rig.character, &rig.map, alignment)
}

/// The warnings of one retarget: of the source, of the target, and of the pair, of which `warnings` are those that it gave.
pub fn of_pair(
    [source, target]: [&Rig; 2],
    compiled: &Compiled,
    warnings: &[Warning],
) -> [Vec<Warning>; 3] {
    let alignments = [&compiled.source, &compiled.target];
    let [of_source, of_target] =
        [(source, alignments[0]), (target, alignments[1])].map(|(rig, alignment)| {
            let of_pose = of_pose(rig, alignment);
            distinct(of_file(rig).chain(&alignment.warnings).chain(&of_pose))
        });
    let told = |warning: &&Warning| {
        let lists = [&source.warnings, &target.warnings];
        let of_poses = alignments.map(|alignment| &alignment.warnings);
        lists
            .into_iter()
            .chain(of_poses)
            .any(|list| list.contains(warning))
    };
    let of_pair = distinct(warnings.iter().filter(|warning| !told(warning)));
    [of_source, of_target, of_pair]
}
