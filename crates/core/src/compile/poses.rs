//! The retarget poses of a pair: what each character's own alignment becomes beside the other's.

use super::Mapped;
use crate::align::{Aligned, Alignment, align_pair, calibrate};
use crate::chains::{Chains, stand_alike};
use crate::mapping::RigMap;

/// The alignments of source and target, the source's in the words of the target's profile.
///
/// `words` is the source's map in those words; it is the source's own where there are no `chains`. What a
/// person calibrates comes last, so that nothing takes it back.
pub(super) fn retarget_poses(
    source: &Mapped<'_>,
    words: &RigMap,
    target: &Mapped<'_>,
    chains: Option<&Chains>,
) -> (Alignment, Alignment) {
    let (mut from, mut to) = (source.alignment.clone(), target.alignment.clone());
    stand_alike((source.map, target.map), (&mut from, &mut to));
    let in_words = |own: &Alignment| match chains {
        Some(chains) => chains.alignment(own),
        None => own.clone(),
    };
    let beside = Aligned {
        character: source.character,
        map: words,
        alignment: &in_words(&from),
    };
    let own = Aligned {
        character: target.character,
        map: target.map,
        alignment: &to,
    };
    let mut paired = align_pair(&beside, &own);
    calibrate(&mut from, source.map, source.calibrations);
    calibrate(&mut paired, target.map, target.calibrations);
    (in_words(&from), paired)
}
