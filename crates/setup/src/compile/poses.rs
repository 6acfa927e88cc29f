//! The retarget poses of a pair: what each character's own alignment becomes beside the other's.

use super::Mapped;
use crate::align::{Aligned, Alignment, align_pair, calibrate};
use crate::chains::{Chains, stand_alike};

/// The alignments of source and target beside each other, each in the words of its own profile.
///
/// `chains` are those between their maps, `None` where both are of one kind. What a person calibrates comes
/// last, so that nothing takes it back.
pub fn retarget_poses(
    source: &Mapped<'_>,
    target: &Mapped<'_>,
    chains: Option<&Chains>,
) -> (Alignment, Alignment) {
    let (mut from, mut to) = (source.alignment.clone(), target.alignment.clone());
    stand_alike((source.map, target.map), (&mut from, &mut to));
    let in_words = chains.map(|chains| (chains.map(source.map), chains.alignment(&from)));
    let (map, alignment) = match &in_words {
        Some((map, alignment)) => (map, alignment),
        None => (source.map, &from),
    };
    let beside = Aligned {
        character: source.character,
        map,
        alignment,
    };
    let own = Aligned {
        character: target.character,
        map: target.map,
        alignment: &to,
    };
    let mut paired = align_pair(&beside, &own);
    calibrate(&mut from, source.map, source.calibrations);
    calibrate(&mut paired, target.map, target.calibrations);
    (from, paired)
}
