//! How well a retarget went, in words.

use crate::console::{self, Stream};
use crate::json;
use crate::table::{Align, Table, count, some_of};
use clap::builder::styling::AnsiColor;
use rebone::report::{
    Judged, Moment, MomentKind, Report, SlotError, Verdict, figures, point_name, verdict,
    worst_moment,
};
use rebone::setup::mapping::Kind;
use rebone::setup::profile::{HUMANOID, QUADRUPED};
use rebone::{Clip, RigMap};

/// Figures of all clips: a line for one, a table for several.
pub(crate) fn clips(clips: &[Clip], reports: &[Report], map: &RigMap) -> String {
    if let ([clip], [report]) = (clips, reports) {
        return format!("{}: {}\n", clip.name, line(clip, report, map));
    }
    let mut table = Table::new(&[
        ("CLIP", Align::Left),
        ("SECONDS", Align::Right),
        ("FRAMES", Align::Right),
        ("LIMBS OFF (MEAN)", Align::Right),
        ("(WORST)", Align::Right),
        ("AT", Align::Left),
    ]);
    for (clip, report) in clips.iter().zip(reports) {
        table.row(vec![
            clip.name.clone(),
            format!("{:.2}", clip.seconds()),
            clip.frame_count().to_string(),
            format!("{:.1}°", report.mean_direction_degrees),
            format!("{:.1}°", report.max_direction_degrees),
            worst(report)
                .map(|worst| json::slot_name(map, worst.slot).to_owned())
                .unwrap_or_default(),
        ]);
    }
    table.text(0)
}

/// Figures that the text names as the reason of a verdict.
const REASONS: usize = 4;

/// The verdict on all clips with the figures that decide it, and the worst moment: what to look at first.
pub(crate) fn verdict_on(clips: &[Clip], reports: &[Report], map: &RigMap) -> String {
    let of_several = clips.len() > 1;
    let severity = |report| worst_moment(report).map_or(0.0, Moment::severity);
    let worst = clips.iter().zip(reports).max_by(|(_, one), (_, other)| {
        let by_verdict = verdict(one).cmp(&verdict(other));
        by_verdict.then(severity(one).total_cmp(&severity(other)))
    });
    let Some((clip, report)) = worst else {
        return String::new();
    };
    let verdict = verdict(report);
    let color = match verdict {
        Verdict::Pass => AnsiColor::Green,
        Verdict::Look => AnsiColor::Yellow,
        Verdict::Fail => AnsiColor::Red,
    };
    let mut text = format!(
        "verdict {}",
        console::painted(Stream::Output, color, verdict.name())
    );
    let of_clip = if of_several {
        let alike = reports
            .iter()
            .filter(|other| self::verdict(other) == verdict);
        text.push_str(&format!(
            " ({} of {})",
            alike.count(),
            count(clips.len(), "clip")
        ));
        format!(" of \"{}\"", clip.name)
    } else {
        String::new()
    };
    let reasons = reasons(report, verdict);
    if !reasons.is_empty() {
        text.push_str(&format!("{of_clip}: {}", some_of(&reasons, REASONS)));
    }
    text.push('\n');
    if let Some(moment) = worst_moment(report) {
        text.push_str(&format!(
            "worst moment{of_clip}: {}\n",
            moment_in_words(moment, map)
        ));
    }
    text
}

/// The figures to which a clip owes its verdict, in words.
pub(crate) fn reasons(report: &Report, verdict: Verdict) -> Vec<String> {
    if verdict == Verdict::Pass {
        return Vec::new();
    }
    let of_verdict = figures(report).into_iter();
    of_verdict
        .filter(|figure| figure.verdict == verdict)
        .map(|figure| {
            let unit = figure.kind.unit;
            let space = if unit.is_empty() || unit == "°" {
                ""
            } else {
                " "
            };
            let good = match figure.kind.judged {
                Judged::Not => String::new(),
                Judged::Above { warn, .. } => format!(" (good: at most {warn}{space}{unit})"),
                Judged::Below { warn, .. } => format!(" (good: at least {warn}{space}{unit})"),
                Judged::OverSource { .. } => {
                    let source = figure.source.unwrap_or(0.0);
                    format!(" (source: {source:.2}{space}{unit})")
                }
            };
            format!(
                "{} {:.2}{space}{unit}{good}",
                figure.kind.title, figure.value
            )
        })
        .collect()
}

/// `leftLowerArm points 34.1° away from the source at 1.23 s`.
pub(crate) fn moment_in_words(moment: &Moment, map: &RigMap) -> String {
    let slot = || {
        moment
            .slot
            .map_or("a joint", |slot| json::slot_name(map, slot))
    };
    let foot = || {
        moment
            .point
            .as_ref()
            .map_or_else(|| "a foot".to_owned(), point_name)
    };
    let (value, unit) = (moment.value, moment.kind.unit());
    let what = match moment.kind {
        MomentKind::Direction => format!("{} points {value:.1}° away from the source", slot()),
        MomentKind::Pop => {
            format!(
                "{} turns {value:.1}° further than the source within a frame",
                slot()
            )
        }
        MomentKind::Penetration => {
            format!(
                "{} is {value:.2} {unit} deeper in the floor than the source",
                foot()
            )
        }
        MomentKind::OwnBody => {
            format!("an arm is {value:.2} {unit} deeper in the body than the source's")
        }
        MomentKind::SkinFloor => {
            let whose = moment
                .slot
                .map_or_else(|| "the skin".to_owned(), |_| format!("{}'s skin", slot()));
            format!("{whose} is {value:.2} {unit} deeper in the floor than the source's")
        }
        MomentKind::Slide => format!("{} slides {value:.1} {unit} faster than the source", foot()),
    };
    format!("{what} at {:.2} s", moment.target_seconds)
}

/// All figures of a clip: of the source, of its result and, where two are compared, of the other.
pub(crate) fn report(clip: &Clip, reports: &[&Report]) -> String {
    let Some(first) = reports.first() else {
        return String::new();
    };
    let mut columns = vec![
        ("FIGURE", Align::Left),
        ("SOURCE", Align::Right),
        ("RESULT", Align::Right),
    ];
    columns.extend((reports.len() > 1).then_some(("OTHER", Align::Right)));
    columns.extend([("UNIT", Align::Left), ("", Align::Left)]);
    let mut table = Table::new(&columns);
    for figure in figures(first) {
        let value = |value: Option<f64>| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
        };
        let mut row = vec![
            figure.kind.name.to_owned(),
            figure
                .source
                .map_or_else(String::new, |source| format!("{source:.2}")),
        ];
        let values = reports
            .iter()
            .map(|report| figure.kind.of(report).map(|figure| figure.value));
        row.extend(values.map(value));
        row.push(figure.kind.unit.to_owned());
        row.push(match figure.kind.judged {
            Judged::Not => String::new(),
            _ => figure.verdict.name().to_owned(),
        });
        table.row(row);
    }
    let measured = if first.frames_measured < first.frames {
        format!(" ({} measured)", first.frames_measured)
    } else {
        String::new()
    };
    format!(
        "{}: {}; {:.2} s, {}{measured}\n{}",
        clip.name,
        verdict(first).name(),
        clip.seconds(),
        count(first.frames, "frame"),
        table.text(2)
    )
}

/// `1.03 s, 32 frames; limbs 0.4° off on average, 2.1° at worst (leftFoot)`.
pub(crate) fn line(clip: &Clip, report: &Report, map: &RigMap) -> String {
    let mut line = format!(
        "{:.2} s, {}",
        clip.seconds(),
        count(clip.frame_count(), "frame")
    );
    let Some(worst) = worst(report) else {
        return line;
    };
    line.push_str(&format!(
        "; limbs {:.1}° off on average",
        report.mean_direction_degrees
    ));
    if worst.max_degrees >= 0.05 {
        line.push_str(&format!(
            ", {:.1}° at worst ({})",
            worst.max_degrees,
            json::slot_name(map, worst.slot)
        ));
    }
    let missed = report.reach_failures_percent.unwrap_or(0.0);
    if missed >= 0.05 {
        line.push_str(&format!(
            "; goals out of reach in {missed:.1} % of the frames"
        ));
    }
    line
}

fn worst(report: &Report) -> Option<&SlotError> {
    report
        .direction
        .iter()
        .max_by(|a, b| a.max_degrees.total_cmp(&b.max_degrees))
}

/// What a rig is: its kind, or the profile that a person wrote for it.
pub(crate) fn kind(map: &RigMap) -> &'static str {
    let built_in = [HUMANOID.name, QUADRUPED.name];
    if map.kind == Kind::Other && !built_in.contains(&map.profile.name) {
        map.profile.name
    } else {
        map.kind.name()
    }
}

/// How the joints of a rig were recognised.
pub(crate) fn naming(map: &RigMap) -> String {
    match map.dialect.as_str() {
        "none" => "no known naming".to_owned(),
        dialect => format!("{dialect} names"),
    }
}
