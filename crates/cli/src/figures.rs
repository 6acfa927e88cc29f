//! The figures of a retarget, and checks on them (`--fail-on`).

use rebone::core::report::Report;

/// A figure of a report, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Figure {
    /// Mean of the slots' mean direction errors, degrees; the worst clip counts.
    MeanDirection,
    /// Worst direction error of any slot at any time, degrees; the worst clip counts.
    MaxDirection,
    /// Number of warnings.
    Warnings,
}

impl Figure {
    const ALL: [(&'static str, Self); 3] = [
        ("mean_direction", Self::MeanDirection),
        ("max_direction", Self::MaxDirection),
        ("warnings", Self::Warnings),
    ];

    /// Its value for one clip; `warnings` are those of the whole run.
    fn value(self, report: &Report, warnings: usize) -> f64 {
        match self {
            Self::MeanDirection => report.mean_direction_degrees,
            Self::MaxDirection => report.max_direction_degrees,
            Self::Warnings => warnings as f64,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Above,
    AtLeast,
    Below,
    AtMost,
}

impl Comparison {
    /// The longer ones first.
    const ALL: [(&'static str, Self); 4] = [
        (">=", Self::AtLeast),
        ("<=", Self::AtMost),
        (">", Self::Above),
        ("<", Self::Below),
    ];

    fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Self::Above => value > bound,
            Self::AtLeast => value >= bound,
            Self::Below => value < bound,
            Self::AtMost => value <= bound,
        }
    }
}

/// One expression of `--fail-on`: where it holds, the check is not met.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Check {
    text: String,
    figure: Figure,
    comparison: Comparison,
    bound: f64,
}

impl Check {
    /// Reads `mean_direction>5`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let found = Comparison::ALL
            .iter()
            .find_map(|(sign, comparison)| Some((text.split_once(sign)?, *comparison)));
        let Some(((name, bound), comparison)) = found else {
            return Err("write FIGURE>NUMBER, as mean_direction>5 (put it in quotes)".to_owned());
        };
        let name = name.trim();
        let name = name.strip_suffix("_degrees").unwrap_or(name);
        let known = Figure::ALL.iter().find(|(known, _)| *known == name);
        let Some((_, figure)) = known else {
            let names: Vec<&str> = Figure::ALL.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "there is no figure \"{name}\"; the figures are {}",
                names.join(", ")
            ));
        };
        let bound = bound.trim();
        match bound.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Self {
                text: text.trim().to_owned(),
                figure: *figure,
                comparison,
                bound: number,
            }),
            _ => Err(format!("\"{bound}\" is no number")),
        }
    }

    /// Says for which clip and value the check is not met, if any.
    pub(crate) fn failure(&self, clips: &[(&str, &Report)], warnings: usize) -> Option<String> {
        clips.iter().find_map(|(clip, report)| {
            let value = self.figure.value(report, warnings);
            let failed = self.comparison.holds(value, self.bound);
            failed.then(|| format!("{} (clip \"{clip}\": {value:.2})", self.text))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_and_evaluated() {
        let report = Report {
            mean_direction_degrees: 4.0,
            max_direction_degrees: 20.0,
            ..Report::default()
        };
        for (text, fails) in [
            ("mean_direction>5", false),
            ("mean_direction > 3.5", true),
            ("max_direction>=20", true),
            ("max_direction<20", false),
            ("warnings>0", true),
        ] {
            let check = Check::parse(text).unwrap();
            assert_eq!(
                check.failure(&[("a", &report)], 1).is_some(),
                fails,
                "{text}"
            );
        }
        for text in [
            "speed>1",
            "mean_direction",
            "mean_direction>x",
            "mean_direction>nan",
        ] {
            assert!(Check::parse(text).is_err(), "{text}");
        }
    }
}
