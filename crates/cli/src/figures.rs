//! The figures of a retarget, and checks on them (`--fail-on`).

use rebone::report::{FIGURES, FigureKind, Judged, Report};

/// A figure that is no clip's: how many warnings the run gave.
const WARNINGS: &str = "warnings";

/// The figures and what is good enough, for the help.
pub(crate) fn help() -> String {
    let mut text = "\
Figures, by the names that --fail-on takes, and what is good. Where the source's is added, what the source does itself is
not held against the result:
"
    .to_owned();
    for kind in &FIGURES {
        let (least, judged) = match kind.judged {
            Judged::Not => ("", String::new()),
            Judged::Above { warn, .. } => ("<= ", warn.to_string()),
            Judged::Below { warn, .. } => (">= ", warn.to_string()),
            Judged::OverSource { warn, .. } => ("<= ", format!("source's + {warn}")),
        };
        let unit = if kind.unit.is_empty() { "" } else { ", " };
        text.push_str(&format!(
            "  {:<19} {}{unit}{}  {}\n",
            kind.name,
            kind.title,
            kind.unit,
            if judged.is_empty() {
                String::new()
            } else {
                format!("({least}{judged})")
            }
        ));
    }
    text.push_str(&format!("  {WARNINGS:<19} number of warnings\n"));
    text.push_str(
        "\nExamples:\n  rebone report dance.bvh hero_dance.glb\n  rebone report dance.bvh hero_dance.glb -o dance.html\n  \
         rebone report dance.bvh after.glb --compare before.glb -o change.html\n  \
         rebone report dance.bvh hero_dance.glb --fail-on 'slide>2,penetration>0.5'",
    );
    text
}

/// A figure by name.
#[derive(Clone, Copy, Debug)]
enum Named {
    /// Of a clip; the worst clip counts.
    Figure(&'static FigureKind),
    /// Of the run.
    Warnings,
}

impl Named {
    fn find(name: &str) -> Option<Self> {
        match name {
            WARNINGS => Some(Self::Warnings),
            name => FigureKind::find(name).map(Self::Figure),
        }
    }

    /// Its value for one clip, `None` where it has no meaning there; `warnings` are those of the whole run.
    fn value(self, report: &Report, warnings: usize) -> Option<f64> {
        match self {
            Self::Figure(kind) => Some(kind.of(report)?.value),
            Self::Warnings => Some(warnings as f64),
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
#[derive(Clone, Debug)]
pub(crate) struct Check {
    text: String,
    figure: Named,
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
        let Some(figure) = Named::find(name) else {
            let names: Vec<&str> = FIGURES.iter().map(|kind| kind.name).collect();
            return Err(format!(
                "there is no figure \"{name}\"; the figures are {}, {WARNINGS}",
                names.join(", ")
            ));
        };
        let bound = bound.trim();
        match bound.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Self {
                text: text.trim().to_owned(),
                figure,
                comparison,
                bound: number,
            }),
            _ => Err(format!("\"{bound}\" is no number")),
        }
    }

    /// Says for which clip and value the check is not met, if any.
    pub(crate) fn failure(&self, clips: &[(&str, &Report)], warnings: usize) -> Option<String> {
        clips.iter().find_map(|(clip, report)| {
            let value = self.figure.value(report, warnings)?;
            let failed = self.comparison.holds(value, self.bound);
            failed.then(|| format!("{} (clip \"{clip}\": {value:.2})", self.text))
        })
    }

    /// As it was typed.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Says that no clip has the figure, if so: a check that nothing can fail is not noticed otherwise.
    pub(crate) fn remark(&self, clips: &[(&str, &Report)]) -> Option<String> {
        let has = |(_, report): &(&str, &Report)| self.figure.value(report, 0).is_some();
        let mute = !clips.iter().any(has);
        mute.then(|| {
            format!(
                "{}: no clip has this figure, so it holds nowhere",
                self.text
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_and_evaluated() {
        let hand = rebone::setup::profile::HUMANOID.find("leftHand").unwrap();
        let report = Report {
            direction: vec![rebone::report::SlotError {
                slot: hand,
                mean_degrees: 4.0,
                max_degrees: 20.0,
            }],
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
            ("slide>0", false),
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
