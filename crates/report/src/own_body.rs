//! Forearms and hands in the own body.
//!
//! Points of the skin that stand out and are outside of trunk and head in the retarget pose count, but for those near the elbow; one is in
//! the body where it is deeper than [`DEEP`] of the height. Trunk and head are the blocks of [`Solid`]. The source is measured the same way
//! where it has a skin; where it has none and the motion is copied onto its own rig, with the target's. At most [`FRAMES`] frames are looked
//! at, and none in which one of both bodies is shrunk, for blocks do not shrink.

use super::body::Body;
use super::moments::Worst;
use super::{Pair, Sides};
use glam::{Affine3A, Vec3};
use rebone_model::HullPoint;
use rebone_runtime::stage::{SkinLanes, Solid, SolidLanes};
use rebone_setup::align::limbs::{ARM, SIDES, joint};
use rebone_setup::align::{Placement, retarget_placements};
use rebone_setup::compile::own_body::{arm_points, solid};

/// Frames that are looked at.
const FRAMES: usize = 40;

/// What is less deep, as a share of the height, is not seen.
const DEEP: f64 = 0.005;

/// Forearms and hands in trunk and head.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OwnBodyFigures {
    /// Share of the arms' points that are in the body, over all looked-at frames, percent; of a source without a skin 0, or the target's where
    /// the motion is copied.
    pub percent: Sides,
    /// The deepest, percent of the height.
    pub deepest_percent: Sides,
}

/// A body is shrunk where an upper arm is shorter than this share of its length in the retarget pose.
const SHRUNK: f32 = 0.75;

/// Figures, and the worst frame.
pub(super) struct Measured {
    pub(super) figures: OwnBodyFigures,
    pub(super) worst: Option<Worst>,
}

/// What of a body can be in which.
pub(super) struct OwnBody {
    solid: Solid,
    arms: Vec<HullPoint>,
    /// Shoulder and elbow of each side, and how far apart they are in the retarget pose.
    upper_arms: Vec<([usize; 2], f32)>,
}

impl OwnBody {
    /// `None` where there is no skin.
    pub(super) fn new(body: &super::Performance<'_>) -> Option<Self> {
        let placed = retarget_placements(body.character, body.map, body.alignment);
        let rest = |joint: usize| {
            let Placement { position, rotation } = placed[joint];
            Affine3A::from_rotation_translation(rotation.as_quat(), position.as_vec3())
        };
        let solid = solid(body.character, body.map, rest)?;
        let points = |side| arm_points(body.character, body.map, side, &solid, rest);
        let arms = SIDES.into_iter().flat_map(points);
        let arms: Vec<HullPoint> = arms.map(|counted| counted.point).collect();
        let upper_arms = SIDES.into_iter().filter_map(|side| {
            let [shoulder, elbow, _] = ARM.map(|part| joint(body.map, part, side));
            let ends = [shoulder?, elbow?];
            let [from, to] = ends.map(|end| rest(end).translation);
            Some((ends, from.distance(to)))
        });
        let upper_arms = upper_arms.collect();
        (!arms.is_empty()).then_some(Self {
            solid,
            arms,
            upper_arms,
        })
    }

    /// The joints whose places must be known.
    pub(super) fn joints(&self) -> impl Iterator<Item = usize> {
        let parts = self.arms.iter().flat_map(HullPoint::parts);
        let ends = self.upper_arms.iter().flat_map(|(ends, _)| *ends);
        self.solid
            .joints()
            .chain(parts.map(|part| part.joint))
            .chain(ends)
    }

    /// True where the body is not shrunk, with its joints at these places.
    fn is_whole(&self, place: impl Fn(usize) -> Vec3) -> bool {
        let is_long = |([shoulder, elbow], rest): &([usize; 2], f32)| {
            place(*shoulder).distance(place(*elbow)) >= SHRUNK * rest
        };
        self.upper_arms.iter().all(is_long)
    }
}

/// Percent of the points that are in the body, over all frames that are looked at; and the deepest of each frame, percent of the height.
/// `None` without a skin or frames.
fn depths(body: &Body<'_>, frames: &[usize]) -> Option<(f64, Vec<f64>)> {
    let own = body.own_body.as_ref()?;
    let (mut count, mut deepest) = (0, Vec::new());
    let mut joints: Vec<usize> = own.joints().collect();
    joints.sort_unstable();
    joints.dedup();
    let mut placed = vec![Affine3A::IDENTITY; body.sampled.positions.len()];
    let (solid, arms) = (
        SolidLanes::new(&own.solid.blocks),
        SkinLanes::new(&own.arms),
    );
    for &frame in frames {
        for &joint in &joints {
            placed[joint] = body.sampled.placed(joint, frame);
        }
        let at = |joint: usize| placed[joint];
        let mut most = 0.0_f64;
        let posed = solid.posed(at, 0.0);
        posed.depths(&arms.placed(at), |_, depth, _| {
            let share = f64::from(depth) / body.height;
            if share > DEEP {
                count += 1;
                most = most.max(share);
            }
        });
        deepest.push(100.0 * most);
    }
    let all = frames.len() * own.arms.len();
    (all > 0).then(|| (100.0 * count as f64 / all as f64, deepest))
}

/// `copies` is true where the motion is copied onto the source's own rig.
pub(super) fn measure(pair: &Pair<'_>, copies: bool) -> Option<Measured> {
    let is_whole = |body: &Body<'_>, frame: usize| {
        let place = |joint: usize| body.sampled.positions[joint][frame];
        body.own_body.as_ref().is_none_or(|own| own.is_whole(place))
    };
    let mut frames = pair.frames.spread(FRAMES);
    frames.retain(|&frame| is_whole(&pair.source, frame) && is_whole(&pair.target, frame));
    let target = depths(&pair.target, &frames)?;
    let source = depths(&pair.source, &frames);
    // Of a source without skin nothing is known; that of its own rig is the target's.
    let source = source.unwrap_or_else(|| {
        if copies {
            target.clone()
        } else {
            (0.0, vec![0.0; frames.len()])
        }
    });
    let mut worst = None;
    for (index, &frame) in frames.iter().enumerate() {
        let found = Worst {
            frame,
            value: target.1[index] - source.1[index],
            slot: None,
            point: None,
        };
        Worst::keep(&mut worst, found);
    }
    let most = |depths: &[f64]| depths.iter().copied().fold(0.0, f64::max);
    Some(Measured {
        figures: OwnBodyFigures {
            percent: Sides {
                source: source.0,
                target: target.0,
            },
            deepest_percent: Sides {
                source: most(&source.1),
                target: most(&target.1),
            },
        },
        worst,
    })
}
