//! Bodies that change their size.
//!
//! ```text
//! drift of a joint = (longest − shortest) / ℓ      percent, of its distance from the joint that carries it, over the frames; ℓ leg length
//! ```
//!
//! A joint is carried by its parent; one that hangs beside its limb (a foot from the root, a thumb from the forearm) by the joint of the
//! slot above. The figure is the largest of all joints of slots that are carried from the hips on and have tracks of translation or
//! scale, or hang beside their limb; others cannot change. The drift is not divided by the
//! longest distance: a thigh that slides as far as the source's would then count twice as much where hips are half as wide.
//! Source: docs/laws.md, "Report figures".

use super::body::Body;
use super::{Pair, Sides};
use rebone_setup::profile::{Part, Side};

pub(super) fn measure(pair: &Pair<'_>) -> Option<Sides> {
    (!pair.frames.is_empty()).then(|| Sides {
        source: drift_percent(&pair.source),
        target: drift_percent(&pair.target),
    })
}

fn drift_percent(body: &Body<'_>) -> f64 {
    let performance = &body.performance;
    let skeleton = &performance.character.skeleton;
    let Some(hips) = performance.map.joint_of(Part::Hips, Side::Center) else {
        return 0.0;
    };
    let clip = performance.clip;
    let grows = clip.joints.iter().any(|tracks| tracks.scale.is_some());
    let slides = |joint: usize| {
        let tracks = clip.joints.get(joint);
        grows || tracks.is_some_and(|tracks| tracks.translation.is_some())
    };
    let positions = &body.sampled.positions;
    let map = performance.map;
    let carriers = map.slots.iter().flat_map(|(&slot, found)| {
        let over = map.present_parent(slot).and_then(|slot| map.joint(slot));
        found
            .joints
            .iter()
            .enumerate()
            .filter_map(move |(index, &joint)| {
                let over = over.filter(|&over| index == 0 && !skeleton.is_ancestor(over, joint));
                let carrier = over.or_else(|| skeleton.parent(joint))?;
                Some((joint, carrier, over.is_some()))
            })
    });
    let drifts = carriers.filter_map(|(joint, carrier, is_beside)| {
        let counts = (slides(joint) || is_beside)
            && (carrier == hips || skeleton.is_ancestor(hips, carrier));
        if !counts || positions[joint].is_empty() || positions[carrier].is_empty() {
            return None;
        }
        let places = positions[joint].iter().zip(&positions[carrier]);
        let (shortest, longest) = places
            .map(|(own, above)| f64::from(own.distance(*above)))
            .fold((f64::INFINITY, 0.0f64), |(low, high), long| {
                (low.min(long), high.max(long))
            });
        Some(100.0 * (longest - shortest) / body.leg)
    });
    drifts.fold(0.0, f64::max)
}
