//! The figures of a report by name, with their units, and what is good enough.
//!
//! A figure is judged by its value, or by how much more it is than the source's: what the source does the target may do.

mod table;

pub use table::FIGURES;

use super::Report;

/// A verdict on a figure, a clip or a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nobody will see anything.
    #[default]
    Pass,
    /// Worth a look.
    Look,
    /// Wrong.
    Fail,
}

impl Verdict {
    /// `pass`, `look`, `fail`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Look => "look",
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
    read: fn(&Report) -> Option<table::Reading>,
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
            value if value > warn => Verdict::Look,
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

#[cfg(test)]
mod tests {
    use super::Judged::{Above, Below, Not, OverSource};
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
        assert_eq!(judged.verdict(30.0, Some(25.0)), Verdict::Look);
        assert_eq!(judged.verdict(30.0, None), Verdict::Fail);
        assert_eq!(
            Below {
                warn: 0.9,
                fail: 0.7
            }
            .verdict(0.8, None),
            Verdict::Look
        );
    }

    #[test]
    fn a_report_of_nothing_has_no_figures() {
        assert!(figures(&Report::default()).is_empty());
        assert_eq!(verdict(&Report::default()), Verdict::Pass);
    }
}
