//! Joints that turn suddenly.
//!
//! ```text
//! step of a slot   = angle between V(t − 1) and V(t)                      degrees a frame, V the model-space turn of its joint
//! added            = step of the target − step of the source
//! bend of a knee   = θ(t − 1) − 2 θ(t) + θ(t + 1)                         degrees a frame², θ the angle between thigh and shin
//! ```
//!
//! The figures are the largest of all slots and frames. Fingers and face are left out: they are quicker than all others. Ratios are
//! of the largest, both at least [`STILL_DEGREES`], of knees [`JOLT_DEGREES`]: what steps less stands. Source: docs/laws.md,
//! "Report figures".
//!
//! Degenerate cases: a knee whose thigh or shin has no length does not count; legs are those with thigh, knee and ankle on both
//! sides, of animals the hind legs.

use super::moments::Worst;
use super::{Pair, Sides};
use glam::{Quat, Vec3};
use rebone_model::elementary::Elementary as _;
use rebone_setup::align::limbs::{LEG, SIDES, joint};
use rebone_setup::profile::Slot;

/// Steps smaller than this, degrees a frame, are none.
pub(super) const STILL_DEGREES: f64 = 0.1;

/// Jolts of knees smaller than this, degrees a frame², count as this: nobody sees them.
const JOLT_DEGREES: f64 = 1.0;

/// Figures of sudden turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PopFigures {
    /// Largest turn from a frame to the next, degrees.
    pub step_max_degrees: Sides,
    /// Target's divided by source's.
    pub step_ratio: f64,
    /// Most that a slot turns more than the source's from a frame to the next, degrees.
    pub step_added_degrees: f64,
    /// Largest second difference of a knee's angle, degrees a frame². `None` without knees or with fewer than three frames.
    pub knee_max_degrees: Option<Sides>,
    /// Target's divided by source's.
    pub knee_ratio: Option<f64>,
    /// Largest step of each slot.
    pub slots: Vec<SlotStep>,
}

/// Largest step of a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotStep {
    /// The slot.
    pub slot: Slot,
    /// Degrees.
    pub step_max_degrees: Sides,
}

pub(super) struct Measured {
    pub(super) figures: PopFigures,
    pub(super) worst: Option<Worst>,
}

pub(super) fn measure(pair: &Pair<'_>) -> Option<Measured> {
    pair.frames.steps().next()?;
    let mut figures = PopFigures::default();
    let mut worst: Option<Worst> = None;
    for shared in &pair.shared {
        let from = &pair.source.sampled.rotations[shared.joints.0];
        let to = &pair.target.sampled.rotations[shared.joints.1];
        let mut own = [0.0f32; 2];
        let mut added = (0.0f32, 0);
        for run in &pair.frames.runs {
            let pairs = from[run.clone()].windows(2).zip(to[run.clone()].windows(2));
            for (index, (from, to)) in pairs.enumerate() {
                let steps = [turn(from[0], from[1]), turn(to[0], to[1])];
                own = [own[0].max(steps[0]), own[1].max(steps[1])];
                if steps[1] - steps[0] > added.0 {
                    added = (steps[1] - steps[0], run.start + index + 1);
                }
            }
        }
        let own = Sides {
            source: f64::from(own[0]).to_degrees(),
            target: f64::from(own[1]).to_degrees(),
        };
        let most = &mut figures.step_max_degrees;
        most.source = most.source.max(own.source);
        most.target = most.target.max(own.target);
        figures.slots.push(SlotStep {
            slot: shared.slot,
            step_max_degrees: own,
        });
        let value = f64::from(added.0).to_degrees();
        Worst::keep(
            &mut worst,
            Worst {
                frame: added.1,
                value,
                slot: Some(shared.slot),
                point: None,
            },
        );
    }
    if figures.slots.is_empty() {
        return None;
    }
    figures.step_ratio = figures.step_max_degrees.ratio(STILL_DEGREES);
    figures.step_added_degrees = worst.map_or(0.0, |worst| worst.value);
    figures.knee_max_degrees = knees(pair);
    figures.knee_ratio = figures
        .knee_max_degrees
        .map(|knees| knees.ratio(JOLT_DEGREES));
    Some(Measured { figures, worst })
}

/// The angle between two rotations, radians.
pub(super) fn turn(one: Quat, other: Quat) -> f32 {
    angle(chord(one, other))
}

/// Half the sine of a quarter of the angle would do; this is the length of the straight way between both quaternions.
fn chord(one: Quat, other: Quat) -> f32 {
    let [a, b] = [one.to_array(), other.to_array()];
    let square = |sign: f32| {
        let way = [0, 1, 2, 3].map(|axis: usize| a[axis] - sign * b[axis]);
        way.iter().map(|step| step * step).sum::<f32>()
    };
    square(1.0).min(square(-1.0)).sqrt()
}

/// The angle between rotations whose unit quaternions are so far apart: 4 asin(chord / 2), radians.
fn angle(chord: f32) -> f32 {
    let half = (0.5 * chord).min(1.0);
    if half < 0.05 {
        // The series is exact to single precision there, and most steps are small.
        let square = half * half;
        return 4.0 * half * (1.0 + square * (1.0 / 6.0 + square * 0.075));
    }
    4.0 * half.arc_sine()
}

fn knees(pair: &Pair<'_>) -> Option<Sides> {
    let mut most: Option<Sides> = None;
    for side in SIDES {
        let both = [&pair.source, &pair.target].map(|body| {
            let map = body.performance.map;
            Some(LEG.map(|part| joint(map, part, side)))
        });
        let [Some(from), Some(to)] = both else {
            continue;
        };
        let ([Some(a), Some(b), Some(c)], [Some(d), Some(e), Some(f)]) = (from, to) else {
            continue;
        };
        let (Some(source), Some(target)) = (
            second_difference(
                pair,
                &knee_degrees(&pair.source.sampled.positions, [a, b, c]),
            ),
            second_difference(
                pair,
                &knee_degrees(&pair.target.sampled.positions, [d, e, f]),
            ),
        ) else {
            continue;
        };
        let known = most.unwrap_or_default();
        most = Some(Sides {
            source: known.source.max(source),
            target: known.target.max(target),
        });
    }
    most
}

/// The angle of a knee in each frame, degrees: 0 where the leg is straight. NaN where it has none.
pub(super) fn knee_degrees(positions: &[Vec<Vec3>], [hip, knee, ankle]: [usize; 3]) -> Vec<f64> {
    let frames = positions[knee].len();
    (0..frames)
        .map(|frame| {
            let thigh = (positions[knee][frame] - positions[hip][frame]).as_dvec3();
            let shin = (positions[ankle][frame] - positions[knee][frame]).as_dvec3();
            let (across, along) = (thigh.cross(shin).length(), thigh.dot(shin));
            if thigh.length_squared() * shin.length_squared() > 1e-30 {
                across.arc_tangent(along).to_degrees()
            } else {
                f64::NAN
            }
        })
        .collect()
}

/// Largest second difference; `None` where there are no three frames with an angle.
fn second_difference(pair: &Pair<'_>, angles: &[f64]) -> Option<f64> {
    let runs = pair.frames.runs.iter();
    runs.flat_map(|run| angles[run.clone()].windows(3))
        .map(|three| (three[0] - 2.0 * three[1] + three[2]).abs())
        .filter(|bend| bend.is_finite())
        .reduce(f64::max)
}
