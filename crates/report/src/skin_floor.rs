//! The skin in the floor: of the whole body, not of the soles alone.
//!
//! ```text
//! depth of a frame = max(0, floor − min y of the points) / h     percent
//! ```
//!
//! The points are those of the skin that stand out, without cloth, hair and what the body holds. A frame counts from [`DEEP`] on. The
//! floor is the lowest of those below the feet in that frame, and no higher than the lowest skin of the body that stands in its
//! retarget pose: soles that are thicker than the file's floor allows are no fault of the motion. A source without a skin is taken
//! to be in no floor; where the motion is copied onto its own rig, it has the target's. At most [`FRAMES`] frames are looked at.

use super::body::Body;
use super::floor::floors;
use super::moments::Worst;
use super::{Pair, Sides};
use glam::Affine3A;
use rebone_model::HullPoint;
use rebone_runtime::stage::SkinLanes;
use rebone_setup::align::retarget_placements;
use rebone_setup::compile::body_skin;
use rebone_setup::profile::Slot;

/// Frames that are looked at.
const FRAMES: usize = 200;

/// What is less deep, percent of the height, is not seen.
const DEEP: f64 = 0.5;

/// Skin in the floor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SkinFloorFigures {
    /// Share of the frames in which it is, of those that are looked at, percent; 0 of a source without a skin.
    pub frames_percent: Sides,
    /// The deepest, percent of the height.
    pub deepest_percent: Sides,
}

/// Figures, and the worst frame.
pub(super) struct Measured {
    pub(super) figures: SkinFloorFigures,
    pub(super) worst: Option<Worst>,
}

/// The skin of a body that may come into the floor.
pub(super) struct BodySkin {
    points: Vec<HullPoint>,
    /// The joints that move it, each once.
    pub(super) joints: Vec<usize>,
    /// How far it is below the floor where the body stands in its retarget pose, file units.
    below: f64,
}

impl BodySkin {
    /// `None` where there is no skin.
    pub(super) fn new(body: &super::Performance<'_>) -> Option<Self> {
        let points = body_skin(body.character, body.map, body.alignment);
        let parts = points.iter().flat_map(HullPoint::parts);
        let mut joints: Vec<usize> = parts.map(|part| part.joint).collect();
        joints.sort_unstable();
        joints.dedup();
        let placed = retarget_placements(body.character, body.map, body.alignment);
        let at = |joint: usize| {
            let (turn, place) = (&placed[joint].rotation, &placed[joint].position);
            Affine3A::from_rotation_translation(turn.as_quat(), place.as_vec3())
        };
        let lowest = lowest(&SkinLanes::new(&points), at);
        (!points.is_empty()).then_some(Self {
            points,
            joints,
            below: (-lowest).max(0.0),
        })
    }
}

/// Height of the lowest point.
fn lowest(points: &SkinLanes, at: impl Fn(usize) -> Affine3A) -> f64 {
    f64::from(points.placed(at).bounds()[0].y)
}

/// How deep the skin is in each frame, percent of the height, over floors at these heights.
fn depths(body: &Body<'_>, frames: &[usize], floor: impl Fn(usize) -> f64) -> Option<Vec<f64>> {
    let skin = body.skin.as_ref()?;
    let points = SkinLanes::new(&skin.points);
    let sampled = &body.sampled;
    let mut placed = vec![Affine3A::IDENTITY; sampled.positions.len()];
    let depth = |&frame: &usize| {
        for &joint in &skin.joints {
            placed[joint] = sampled.placed(joint, frame);
        }
        let above = lowest(&points, |joint| placed[joint]) - (floor(frame) - skin.below);
        100.0 * (-above).max(0.0) / body.height
    };
    Some(frames.iter().map(depth).collect())
}

/// The slot whose skin is lowest in a frame.
fn lowest_slot(body: &Body<'_>, frame: usize) -> Option<Slot> {
    let points = body.skin.iter().flat_map(|skin| &skin.points);
    let height = |point: &HullPoint| point.place(|joint| body.sampled.placed(joint, frame)).y;
    let lowest = points.min_by(|one, other| height(one).total_cmp(&height(other)))?;
    body.performance.alignment.slot_of_joint[lowest.parts[0].joint]
}

/// `None` where the target has no skin. `copies` is true where the motion is copied onto the source's own rig.
pub(super) fn measure(pair: &Pair<'_>, copies: bool) -> Option<Measured> {
    let frames = pair.frames.spread(FRAMES);
    let ground = pair.touching.ground;
    let below_feet = pair.touching.feet.iter();
    let below_feet: Vec<Vec<f64>> = below_feet
        .map(|foot| floors(foot, ground, pair.frames.len()))
        .collect();
    let floor = |frame: usize| {
        below_feet
            .iter()
            .map(|floors| floors[frame])
            .fold(ground, f64::min)
    };
    let target = depths(&pair.target, &frames, |frame| {
        pair.target_height(floor(frame))
    })?;
    let source = depths(&pair.source, &frames, floor).unwrap_or_else(|| {
        if copies {
            target.clone()
        } else {
            vec![0.0; frames.len()]
        }
    });
    let mut worst = None;
    for (index, &frame) in frames.iter().enumerate() {
        let found = Worst {
            frame,
            value: target[index] - source[index],
            slot: None,
            point: None,
        };
        Worst::keep(&mut worst, found);
    }
    if let Some(worst) = &mut worst {
        worst.slot = lowest_slot(&pair.target, worst.frame);
    }
    let share = |depths: &[f64]| {
        let deep = depths.iter().filter(|depth| **depth > DEEP).count();
        100.0 * deep as f64 / frames.len().max(1) as f64
    };
    let most = |depths: &[f64]| depths.iter().copied().fold(0.0, f64::max);
    Some(Measured {
        figures: SkinFloorFigures {
            frames_percent: Sides {
                source: share(&source),
                target: share(&target),
            },
            deepest_percent: Sides {
                source: most(&source),
                target: most(&target),
            },
        },
        worst,
    })
}
