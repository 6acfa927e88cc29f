//! The trunk from the limbs: pelvis, torso, neck and head.

use super::draft::{Draft, share_torso};
use super::rig::Rig;
use super::words::{HEAD_WORDS, HIPS_WORDS, NECK_WORDS, Said};

/// Where the limbs begin, left and right.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limbs {
    pub(super) arms: [Option<usize>; 2],
    pub(super) legs: [Option<usize>; 2],
}

/// Fills the slots of the trunk; without words for joints (`said`) by the tree alone. `None` where
/// limbs are missing or no pelvis is found.
pub(super) fn put_trunk(
    rig: &Rig,
    said: Option<&[Said]>,
    limbs: Limbs,
    confidence: f32,
    draft: &mut Draft,
) -> Option<()> {
    let arms = [limbs.arms[0]?, limbs.arms[1]?];
    let legs = [limbs.legs[0]?, limbs.legs[1]?];
    let says = |joint: usize, words: &[&str]| {
        said.is_some_and(|said| {
            let at = &said[joint];
            !at.helper && at.side.is_none() && words.contains(&at.core.as_str())
        })
    };
    let hips = find_hips(rig, said, arms, legs)?;
    let shoulders = rig.common_ancestor(&arms)?;
    let head = (0..rig.len())
        .filter(|&joint| says(joint, &HEAD_WORDS) && !rig.is_within(joint, hips))
        .max_by_key(|&joint| (rig.in_skin[joint], rig.below[joint], usize::MAX - joint));

    // The joints from the pelvis up to the shoulders, or to the head where arms hang elsewhere.
    let mut path = match head {
        Some(head) => rig.skeleton.ancestors(head).collect(),
        None => rig.up_from(shoulders),
    };
    path.reverse();
    path.retain(|&joint| {
        joint != hips
            && rig.is_joint(joint)
            && !rig.is_within(joint, hips)
            && !says(joint, &["hips", "pelvis", "hip"])
            && !said.is_some_and(|said| said[joint].helper)
    });
    let named_neck = path.iter().position(|&joint| says(joint, &NECK_WORDS));
    let after_shoulders = path
        .iter()
        .position(|&joint| joint == shoulders)
        .map(|at| at + 1);
    let torso_end = match (named_neck, after_shoulders) {
        (Some(neck), Some(after)) if after <= neck => neck,
        (Some(neck), _) => neck,
        (None, Some(after)) => after,
        (None, None) => path.len(),
    };
    let torso = &path[..torso_end];
    let mut neck: Vec<usize> = path[torso_end..].to_vec();
    let mut top = head;
    if head.is_none() {
        let base = neck.last().or(torso.last()).copied().unwrap_or(shoulders);
        let mut above = upward_chain(rig, base, &arms, hips);
        top = above.pop().or_else(|| neck.pop());
        neck.extend(above);
    }
    draft.put("hips", vec![hips], confidence);
    for (slot, joints) in share_torso(torso) {
        draft.put(slot, joints.to_vec(), confidence);
    }
    draft.put("neck", neck, confidence);
    draft.put("head", top.into_iter().collect(), confidence);
    Some(())
}

/// The joint that carries legs and trunk: by its word where it has one, and by what it carries.
fn find_hips(
    rig: &Rig,
    said: Option<&[Said]>,
    arms: [usize; 2],
    legs: [usize; 2],
) -> Option<usize> {
    let all = [arms[0], arms[1], legs[0], legs[1]];
    let carries = |joint: usize, limbs: &[usize]| {
        limbs
            .iter()
            .all(|&limb| rig.skeleton.is_ancestor(joint, limb))
    };
    let worded = said.into_iter().flat_map(|said| {
        said.iter().enumerate().filter_map(|(joint, says)| {
            let fit = HIPS_WORDS.iter().find(|(word, _)| *word == says.core)?.1;
            let trunk = !says.helper && says.side.is_none() && !all.contains(&joint);
            let carried = u8::from(carries(joint, &legs)) + u8::from(carries(joint, &arms));
            (trunk && carried > 0).then_some((fit + f32::from(carried), joint))
        })
    });
    let best = worded
        .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
        .map(|(_, joint)| joint);
    best.or_else(|| {
        rig.common_ancestor(&all)
            .filter(|&joint| rig.is_joint(joint))
    })
}

/// The chain that goes on upwards from the shoulders: neck and head. Face joints, hair and end
/// points above the head are left out.
fn upward_chain(rig: &Rig, base: usize, arms: &[usize; 2], hips: usize) -> Vec<usize> {
    let up = (rig.rest[base] - rig.rest[hips]).normalize_or_zero();
    let mut chain = Vec::new();
    let mut at = base;
    loop {
        let children = rig.children[at].iter().copied().filter(|&child| {
            let sided = rig.own_keys[child].side.is_some();
            rig.is_joint(child) && !sided && !arms.iter().any(|&arm| rig.is_within(child, arm))
        });
        let children: Vec<usize> = children.collect();
        // A head with several children, or a chain grown long, ends the search.
        if chain.len() >= 2 && (children.len() != 1 || chain.len() > 3) {
            break;
        }
        let rise = |joint: usize| (rig.rest[joint] - rig.rest[at]).dot(up);
        let higher = children.into_iter().filter(|&child| rise(child) >= 0.0);
        let Some(next) = higher.max_by(|&a, &b| {
            rig.below[a]
                .cmp(&rig.below[b])
                .then(rise(a).total_cmp(&rise(b)))
                .then(b.cmp(&a))
        }) else {
            break;
        };
        chain.push(next);
        at = next;
    }
    // An end point above the head.
    if let [.., neck, head, last] = chain[..] {
        // The skull is longer than a joint of the neck.
        let length = |from: usize, to: usize| rig.rest[from].distance(rig.rest[to]);
        let is_leaf = rig.below[last] == 0 && rig.skeleton.joints()[last].end.is_none();
        if is_leaf && (!rig.in_skin[last] || length(head, last) > 1.4 * length(neck, head)) {
            chain.pop();
        }
    }
    chain
}
