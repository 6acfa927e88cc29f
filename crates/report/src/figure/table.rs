//! Every figure: how it is called, its unit, what is good enough, and where it stands in a report.

use super::Judged::{Above, Below, Not, OverSource};
use super::{FigureKind, Judged};
use crate::{ConstantKind, Report, Sides, jerk};

/// The target's value, and the source's where there is one.
pub(super) type Reading = (f64, Option<f64>);

const fn kind(
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    judged: Judged,
    read: fn(&Report) -> Option<Reading>,
) -> FigureKind {
    FigureKind {
        name,
        title,
        unit,
        judged,
        read,
    }
}

fn both(sides: Sides) -> Option<Reading> {
    Some((sides.target, Some(sides.source)))
}

fn one(value: f64) -> Option<Reading> {
    Some((value, None))
}

/// What of a constant error is good enough.
const fn constant(kind: ConstantKind) -> Judged {
    Above {
        warn: kind.good_to(),
        fail: kind.fails_from(),
    }
}

fn worst(report: &Report, kind: ConstantKind) -> Option<Reading> {
    let mut errors = report.constant.iter();
    one(errors.find(|error| error.kind == kind)?.degrees)
}

/// Every figure there is.
pub static FIGURES: [FigureKind; 41] = [
    kind(
        "mean_direction",
        "limbs off, mean",
        "°",
        Above {
            warn: 10.0,
            fail: 30.0,
        },
        |report| (!report.direction.is_empty()).then_some((report.mean_direction_degrees, None)),
    ),
    kind("max_direction", "limbs off, worst", "°", Not, |report| {
        (!report.direction.is_empty()).then_some((report.max_direction_degrees, None))
    }),
    kind(
        "arm_constant",
        "an arm off all the time",
        "°",
        constant(ConstantKind::Arm),
        |report| worst(report, ConstantKind::Arm),
    ),
    kind(
        "leg_constant",
        "a leg off all the time",
        "°",
        constant(ConstantKind::Leg),
        |report| worst(report, ConstantKind::Leg),
    ),
    kind(
        "head_constant",
        "the head off all the time",
        "°",
        constant(ConstantKind::Head),
        |report| worst(report, ConstantKind::Head),
    ),
    kind(
        "palm_constant",
        "a palm off all the time",
        "°",
        constant(ConstantKind::Palm),
        |report| worst(report, ConstantKind::Palm),
    ),
    kind(
        "slide",
        "slide of standing feet",
        "% leg/s",
        Not,
        |report| both(report.feet.as_ref()?.slide_percent_per_second),
    ),
    kind(
        "slide_ratio",
        "slide, times the source's",
        "×",
        Above {
            warn: 1.05,
            fail: 2.0,
        },
        |report| one(report.feet.as_ref()?.slide_ratio),
    ),
    kind(
        "drift",
        "drift of a standing foot, worst",
        "% leg",
        OverSource {
            warn: 2.0,
            fail: 8.0,
        },
        |report| both(report.feet.as_ref()?.drift_percent),
    ),
    kind(
        "contact_f1",
        "contacts kept",
        "",
        Below {
            warn: 0.95,
            fail: 0.8,
        },
        |report| one(report.feet.as_ref()?.contact_f1),
    ),
    kind(
        "penetration",
        "feet in the floor, worst",
        "% height",
        OverSource {
            warn: 0.3,
            fail: 1.5,
        },
        |report| both(report.floor.as_ref()?.penetration_max_percent),
    ),
    kind(
        "penetration_mean",
        "feet in the floor, mean",
        "% height",
        Not,
        |report| both(report.floor.as_ref()?.penetration_mean_percent),
    ),
    kind(
        "penetration_frames",
        "frames with feet in the floor",
        "%",
        OverSource {
            warn: 1.0,
            fail: 10.0,
        },
        |report| both(report.floor.as_ref()?.penetration_frames_percent),
    ),
    kind(
        "float",
        "standing feet above the floor",
        "%",
        OverSource {
            warn: 2.0,
            fail: 20.0,
        },
        |report| both(report.floor.as_ref()?.float_frames_percent?),
    ),
    kind(
        "float_max",
        "standing feet above the floor, worst",
        "% leg",
        Not,
        |report| both(report.floor.as_ref()?.float_max_percent?),
    ),
    kind(
        "skin_floor",
        "frames with skin in the floor",
        "%",
        Not,
        |report| both(report.skin_floor.as_ref()?.frames_percent),
    ),
    kind(
        "skin_floor_max",
        "skin in the floor, worst",
        "% height",
        // Tips of shoes are often so deep where a heel rises.
        OverSource {
            warn: 4.0,
            fail: 8.0,
        },
        |report| both(report.skin_floor.as_ref()?.deepest_percent),
    ),
    kind(
        "own_body",
        "arms in the own body",
        "%",
        OverSource {
            warn: 1.5,
            fail: 10.0,
        },
        |report| both(report.own_body.as_ref()?.percent),
    ),
    kind(
        "own_body_max",
        "arms in the own body, worst",
        "% height",
        OverSource {
            warn: 1.5,
            fail: 5.0,
        },
        |report| both(report.own_body.as_ref()?.deepest_percent),
    ),
    kind(
        "limits",
        "frames beyond joint limits",
        "%",
        OverSource {
            warn: 10.0,
            fail: 60.0,
        },
        |report| both(report.limits.as_ref()?.frames_percent),
    ),
    kind(
        "limits_mean",
        "beyond joint limits, mean",
        "°",
        Not,
        |report| both(report.limits.as_ref()?.mean_degrees),
    ),
    kind(
        "limits_max",
        "beyond joint limits, worst",
        "°",
        OverSource {
            warn: 10.0,
            fail: 45.0,
        },
        |report| both(report.limits.as_ref()?.max_degrees),
    ),
    kind(
        "step",
        "turn from frame to frame, worst",
        "°",
        Not,
        |report| both(report.pops.as_ref()?.step_max_degrees),
    ),
    kind(
        "step_ratio",
        "worst turn, times the source's",
        "×",
        Above {
            warn: 1.3,
            fail: 3.0,
        },
        |report| one(report.pops.as_ref()?.step_ratio),
    ),
    kind(
        "step_added",
        "added turn from frame to frame, worst",
        "°",
        Above {
            warn: 10.0,
            fail: 45.0,
        },
        |report| one(report.pops.as_ref()?.step_added_degrees),
    ),
    kind("knee", "knee's jolt, worst", "°/frame²", Not, |report| {
        both(report.pops.as_ref()?.knee_max_degrees?)
    }),
    kind(
        "knee_ratio",
        "knee's jolt, times the source's",
        "×",
        Above {
            warn: 1.5,
            fail: 5.0,
        },
        |report| one(report.pops.as_ref()?.knee_ratio?),
    ),
    kind(
        "jerk_ratio",
        "jitter, times the source's",
        "×",
        Above {
            warn: 1.15,
            fail: 2.0,
        },
        |report| one(report.jerk?.ratio(jerk::STILL)),
    ),
    kind(
        "root_path",
        "way off the source's, worst",
        "% height",
        Above {
            warn: 3.0,
            fail: 15.0,
        },
        |report| one(report.root_path.filter(|path| !path.stays)?.max_percent),
    ),
    kind(
        "root_path_mean",
        "way off the source's, mean",
        "% height",
        Not,
        |report| one(report.root_path.filter(|path| !path.stays)?.mean_percent),
    ),
    kind(
        "length_drift",
        "lengths of bones change",
        "% leg",
        OverSource {
            warn: 0.5,
            fail: 3.0,
        },
        |report| both(report.length_drift_percent?),
    ),
    kind(
        "distances",
        "distances between joints off",
        "",
        Not,
        |report| one(report.distances?),
    ),
    kind(
        "tips",
        "tips of toes in the floor, worst",
        "% height",
        OverSource {
            warn: 0.5,
            fail: 3.0,
        },
        |report| both(report.floor.as_ref()?.tips?.max_percent),
    ),
    kind(
        "tips_frames",
        "frames with tips of toes in the floor",
        "%",
        Not,
        |report| both(report.floor.as_ref()?.tips?.frames_percent),
    ),
    kind(
        "stretched",
        "frames with a leg straighter than the source's",
        "%",
        Above {
            warn: 5.0,
            fail: 50.0,
        },
        |report| one(report.stretch?.frames_percent),
    ),
    kind("stretch", "longest leg", "% leg", Not, |report| {
        both(report.stretch?.max_percent)
    }),
    kind(
        "scale",
        "travel along the ground, times the source's",
        "×",
        Not,
        |report| one(report.proportions?.scale_along),
    ),
    kind(
        "scale_up",
        "travel upwards, times the source's",
        "×",
        Not,
        |report| one(report.proportions?.scale_up),
    ),
    kind(
        "lift",
        "lift of the hips along the legs",
        "% leg",
        Not,
        |report| report.stretch.and(one(report.proportions?.lift_percent)),
    ),
    kind(
        "ankle",
        "height of the ankles when standing",
        "% leg",
        Not,
        |report| report.stretch.and(both(report.proportions?.ankle_percent)),
    ),
    kind(
        "reach",
        "frames with a goal out of reach",
        "%",
        Above {
            warn: 5.0,
            fail: 50.0,
        },
        |report| one(report.reach_failures_percent?),
    ),
];
