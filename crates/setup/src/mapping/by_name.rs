//! Mapping by a known naming convention.

use super::RunnerUp;
use super::draft::{Draft, FINGERS, SIDES, fill_chains, may_be_chain, share_torso};
use super::fingers::{find_face, find_fingers, speaks_of_fingers};
use super::rig::Rig;
use super::shape::add_fingers;
use super::topology::violations;
use super::words::read_words;
use crate::profile::dialect::{Dialect, DialectFile, DialectName, finger_parts, sided_name};
use crate::profile::{HUMANOID, Part, Slot};

/// Fewest required slots with which a convention counts as recognised.
const FEWEST_REQUIRED: usize = 9;

/// Fewest joints that are called fingers with which the fingers of a known convention are looked for by shape: two of three
/// fingers on both hands. With fewer, one joint may stand for all fingers.
const FEWEST_FINGER_JOINTS: usize = 12;

/// What a convention makes of a rig, and how well it fits.
struct Fit {
    draft: Draft,
    /// Joints whose names the convention knows.
    explained: usize,
    /// Whether a name begins as only this convention's do.
    marked: bool,
    score: f32,
}

/// The mapping of the convention that fits best; `None` where none fits well enough.
pub(super) fn map_by_name(rig: &Rig, files: &[DialectFile]) -> Option<Draft> {
    let joints = (0..rig.len()).filter(|&joint| rig.is_joint(joint)).count();
    let mut best: Option<Fit> = None;
    for dialect in files.iter().filter_map(DialectFile::get) {
        let Some(fit) = fit(rig, dialect) else {
            continue;
        };
        // Another convention may explain as much and bear its own mark besides.
        let whole = fit.explained == joints && (fit.marked || dialect.marks.is_empty());
        if best.as_ref().is_none_or(|known| fit.score > known.score) {
            best = Some(fit);
        }
        if whole {
            break;
        }
    }
    let mut draft = best?.draft;
    // Fingers and eyes are often a maker's own addition to a convention.
    let said = read_words(rig);
    find_fingers(rig, &said, &mut draft);
    let fingers = (0..rig.len()).filter(|&joint| speaks_of_fingers(rig, joint));
    if fingers.count() >= FEWEST_FINGER_JOINTS {
        add_fingers(rig, &said, &mut draft);
    }
    find_face(rig, &said, &mut draft);
    fill_chains(rig, &mut draft);
    Some(draft)
}

fn fit(rig: &Rig, dialect: &Dialect) -> Option<Fit> {
    // Most conventions are ruled out by a few names; the spine is named elsewhere.
    let required = dialect
        .slots
        .iter()
        .filter(|(slot, _)| HUMANOID.info(*slot).required);
    let named = required.filter(|(_, names)| names.iter().any(|name| rig.has(&name.key)));
    if named.count() + 1 < FEWEST_REQUIRED {
        return None;
    }
    let mut draft = Draft::new(&HUMANOID, &dialect.name, "name");
    let mut explained = Explained::default();
    let mut required_of_dialect = usize::from(!dialect.torso.is_empty());
    for (slot, names) in &dialect.slots {
        let info = HUMANOID.info(*slot);
        required_of_dialect += usize::from(info.required);
        if let Some(chain) = choose(rig, &draft, *slot, names, &mut explained) {
            let rival = namesake(rig, &chain, names);
            draft.put(info.name, chain, 1.0);
            draft.rival(info.name, rival);
        }
    }
    let torso = torso(rig, &draft, &dialect.torso, &mut explained);
    for (slot, chain) in share_torso(&torso) {
        draft.put(slot, chain.to_vec(), 1.0);
    }
    for name in &dialect.others {
        for joint in rig.find(&name.key) {
            explained.add(rig, joint, name);
        }
    }
    drop_loose_fingers(rig, &mut draft);
    let required = draft.required();
    let wrong = violations(rig, &draft).len();
    if required < FEWEST_REQUIRED || required * 10 < required_of_dialect * 8 || wrong > 2 {
        return None;
    }
    let marked = dialect.marks.iter().any(|mark| {
        let mut joints = rig.skeleton.joints().iter();
        joints.any(|joint| joint.name.starts_with(mark.as_str()))
    });
    explained.joints.sort_unstable();
    explained.joints.dedup();
    let missing = required_of_dialect.saturating_sub(required);
    let confidence = (0.99 - 0.02 * missing as f32 - 0.08 * wrong as f32).max(0.7);
    for found in draft.slots.values_mut() {
        found.confidence = confidence;
    }
    let score = 4.0 * (required as f32 - wrong as f32)
        + explained.joints.len() as f32
        + 0.5 * explained.spelled as f32 / explained.joints.len().max(1) as f32
        + if marked { 3.0 } else { 0.0 };
    Some(Fit {
        draft,
        explained: explained.joints.len(),
        marked,
        score,
    })
}

/// Joints whose names a dialect knows.
#[derive(Default)]
struct Explained {
    joints: Vec<usize>,
    /// How many are spelled as the convention spells them.
    spelled: usize,
}

impl Explained {
    fn add(&mut self, rig: &Rig, joint: usize, name: &DialectName) {
        self.joints.push(joint);
        self.spelled += usize::from(rig.text(joint).ends_with(&name.text));
    }
}

/// The joints of one slot: the first name that the rig has, and further ones below it.
fn choose(
    rig: &Rig,
    draft: &Draft,
    slot: Slot,
    names: &[DialectName],
    explained: &mut Explained,
) -> Option<Vec<usize>> {
    let above = above(draft, slot);
    let mut chain: Vec<usize> = Vec::new();
    for name in names {
        let candidates = rig.find(&name.key);
        for &joint in &candidates {
            explained.add(rig, joint, name);
        }
        let below_parent = |joint: &&usize| above.is_none_or(|above| rig.is_within(above, **joint));
        match chain.last() {
            None => {
                let free = || candidates.iter().filter(|joint| !draft.uses(**joint));
                let best = free().find(below_parent).or_else(|| free().next());
                chain.extend(best);
            }
            Some(&last) if may_be_chain(HUMANOID.info(slot).part) => {
                let next = candidates
                    .iter()
                    .find(|joint| rig.skeleton.is_ancestor(last, **joint));
                chain.extend(next);
            }
            Some(_) => {}
        }
    }
    (!chain.is_empty()).then_some(chain)
}

/// Another joint of the same name: copies for controls, meshes, second skeletons.
fn namesake(rig: &Rig, chain: &[usize], names: &[DialectName]) -> Option<RunnerUp> {
    let first = *chain.first()?;
    let known = names.iter().find_map(|name| {
        let found = rig.find(&name.key);
        found.contains(&first).then_some(found)
    })?;
    let joint = known.into_iter().find(|joint| !chain.contains(joint))?;
    let margin = if rig.in_skin[first] && !rig.in_skin[joint] {
        0.5
    } else {
        0.1
    };
    Some(RunnerUp { joint, margin })
}

/// The joint of the nearest slot above that is filled.
fn above(draft: &Draft, slot: Slot) -> Option<usize> {
    let mut at = HUMANOID.parent(slot);
    while let Some(above) = at {
        if let Some(found) = draft.slots.get(&above) {
            return found.joints.first().copied();
        }
        at = HUMANOID.parent(above);
    }
    None
}

/// The torso's joints from below: those on the way up from neck, head or arms.
fn torso(rig: &Rig, draft: &Draft, names: &[DialectName], explained: &mut Explained) -> Vec<usize> {
    let mut known: Vec<usize> = Vec::new();
    for name in names {
        for joint in rig.find(&name.key) {
            explained.add(rig, joint, name);
            known.push(joint);
        }
    }
    let top = ["neck", "head", "leftUpperArm", "rightUpperArm"]
        .iter()
        .find_map(|slot| draft.first(slot));
    let Some(top) = top else {
        return Vec::new();
    };
    let mut path: Vec<usize> = rig.skeleton.ancestors(top).collect();
    path.reverse();
    path.retain(|joint| known.contains(joint) && !draft.uses(*joint));
    path
}

/// Takes fingers out that do not hang from their own arm: some files name them on the wrong side.
pub(super) fn drop_loose_fingers(rig: &Rig, draft: &mut Draft) {
    for side in SIDES {
        let arm = ["LowerArm", "UpperArm"];
        let Some(arm) = arm.iter().find_map(|slot| draft.sided(side, slot)) else {
            continue;
        };
        for finger in FINGERS {
            let slots =
                finger_parts(finger).map(|part| sided_name(side, &format!("{finger}{part}")));
            let mut above = arm;
            for slot in slots.iter().filter_map(|name| HUMANOID.find(name)) {
                debug_assert!(matches!(
                    HUMANOID.info(slot).part,
                    Part::Thumb | Part::Finger
                ));
                let first = draft
                    .slots
                    .get(&slot)
                    .and_then(|found| found.joints.first());
                match first {
                    Some(&joint) if rig.skeleton.is_ancestor(above, joint) => above = joint,
                    Some(_) => {
                        draft.slots.remove(&slot);
                    }
                    None => {}
                }
            }
        }
    }
}
