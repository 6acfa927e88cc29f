//! The figures of a report by name, with their units, and what is good enough.
//!
//! A figure is judged by its value, or by how much more it is than the source's: what the source does the target may do.

use super::{Report, Sides};

/// A verdict on a figure, a clip or a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nobody will see anything.
    #[default]
    Pass,
    /// Worth a look.
    Warn,
    /// Wrong.
    Fail,
}

impl Verdict {
    /// `pass`, `warn`, `fail`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// How a figure is judged; each with the bounds beyond which it warns and fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// It is told, not judged.
    Not,
    /// Small is good.
    Above {
        /// From here on worth a look.
        warn: f64,
        /// From here on wrong.
        fail: f64,
    },
    /// Large is good.
    Below {
        /// From here on worth a look.
        warn: f64,
        /// From here on wrong.
        fail: f64,
    },
    /// What is more than the source's counts.
    OverSource {
        /// From here on worth a look.
        warn: f64,
        /// From here on wrong.
        fail: f64,
    },
}

/// The target's value, and the source's where there is one.
type Reading = (f64, Option<f64>);

/// What a figure is.
#[derive(Clone, Copy, Debug)]
pub struct FigureKind {
    /// Stable name in snake_case.
    pub name: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// Unit; empty for a plain number.
    pub unit: &'static str,
    /// How it is judged.
    pub judged: Judged,
    /// Reads it.
    read: fn(&Report) -> Option<Reading>,
}

/// A figure of a report.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// What it is.
    pub kind: &'static FigureKind,
    /// Of the target, or of the pair.
    pub value: f64,
    /// The same of the source, where it has a meaning there.
    pub source: Option<f64>,
    /// Good enough or not.
    pub verdict: Verdict,
}

impl FigureKind {
    /// The figure of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        FIGURES.iter().find(|kind| kind.name == name)
    }

    /// The figure of a report; `None` where it has no meaning there.
    pub fn of(&'static self, report: &Report) -> Option<Figure> {
        let (value, source) = (self.read)(report)?;
        let is_number = value.is_finite() && source.is_none_or(f64::is_finite);
        is_number.then(|| Figure {
            kind: self,
            value,
            source,
            verdict: self.judged.verdict(value, source),
        })
    }
}

impl Judged {
    fn verdict(self, value: f64, source: Option<f64>) -> Verdict {
        let judge = |value: f64, warn: f64, fail: f64| match value {
            value if value > fail => Verdict::Fail,
            value if value > warn => Verdict::Warn,
            _ => Verdict::Pass,
        };
        match self {
            Self::Not => Verdict::Pass,
            Self::Above { warn, fail } => judge(value, warn, fail),
            Self::Below { warn, fail } => judge(-value, -warn, -fail),
            Self::OverSource { warn, fail } => judge(value - source.unwrap_or(0.0), warn, fail),
        }
    }
}

/// All figures of a report that have a meaning, in their order.
pub fn figures(report: &Report) -> Vec<Figure> {
    FIGURES.iter().filter_map(|kind| kind.of(report)).collect()
}

/// The worst verdict on any figure of a report.
pub fn verdict(report: &Report) -> Verdict {
    let verdicts = figures(report).into_iter().map(|figure| figure.verdict);
    verdicts.max().unwrap_or_default()
}

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

use Judged::{Above, Below, Not, OverSource};

/// Every figure there is.
pub static FIGURES: [FigureKind; 25] = [
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
        |report| one(report.jerk?.ratio(super::jerk::STILL)),
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
        "%",
        OverSource {
            warn: 0.1,
            fail: 5.0,
        },
        |report| both(report.length_drift_percent?),
    ),
    kind(
        "distances",
        "distances between joints (Q19)",
        "",
        Not,
        |report| one(report.distances?),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unlike_and_bounds_in_order() {
        for (index, kind) in FIGURES.iter().enumerate() {
            assert!(
                FIGURES[index + 1..]
                    .iter()
                    .all(|other| other.name != kind.name)
            );
            match kind.judged {
                Above { warn, fail } | OverSource { warn, fail } => assert!(warn < fail),
                Below { warn, fail } => assert!(fail < warn),
                Not => {}
            }
        }
    }

    #[test]
    fn what_the_source_does_is_not_held_against_the_target() {
        let judged = OverSource {
            warn: 1.0,
            fail: 10.0,
        };
        assert_eq!(judged.verdict(30.0, Some(29.5)), Verdict::Pass);
        assert_eq!(judged.verdict(30.0, Some(25.0)), Verdict::Warn);
        assert_eq!(judged.verdict(30.0, None), Verdict::Fail);
        assert_eq!(
            Below {
                warn: 0.9,
                fail: 0.7
            }
            .verdict(0.8, None),
            Verdict::Warn
        );
    }

    #[test]
    fn a_report_of_nothing_has_no_figures() {
        assert!(figures(&Report::default()).is_empty());
        assert_eq!(verdict(&Report::default()), Verdict::Pass);
    }
}
