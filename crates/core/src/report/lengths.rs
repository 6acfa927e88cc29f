//! Bodies that change their size.
//!
//! ```text
//! drift of a joint = (longest − shortest) / longest               percent, of its distance from its parent over the frames
//! ```
//!
//! The figure is the largest of all joints of slots below the hips that have tracks of translation or scale, at or above them up to
//! their parent's; others cannot change. Joints nearer to their parents than a hundredth of the height do not count. Source: Q15 of
//! the project's algorithm notes.

use super::body::Body;
use super::{Pair, Sides};
use crate::profile::{Part, Side};

/// A joint nearer to its parent than this share of the height tells nothing.
const SHORT: f64 = 0.01;

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
    let joints = performance
        .map
        .slots
        .values()
        .flat_map(|found| &found.joints);
    let drifts = joints.filter_map(|&joint| {
        let parent = skeleton.parent(joint)?;
        let counts = slides(joint) && (parent == hips || skeleton.is_ancestor(hips, parent));
        if !counts || positions[joint].is_empty() {
            return None;
        }
        let places = positions[joint].iter().zip(&positions[parent]);
        let (shortest, longest) = places
            .map(|(own, above)| f64::from(own.distance(*above)))
            .fold((f64::INFINITY, 0.0f64), |(low, high), long| {
                (low.min(long), high.max(long))
            });
        (longest > SHORT * body.height).then(|| 100.0 * (longest - shortest) / longest)
    });
    drifts.fold(0.0, f64::max)
}
