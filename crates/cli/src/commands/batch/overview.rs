//! What a batch says at its end: how many passed, and the worst first.

use super::manifest::{ClipEntry, Entry, ErrorEntry};
use super::plan::Plan;
use super::work::Ended;
use crate::Outcome;
use crate::console::{self, Stream};
use crate::failure::NO_MOTION;
use crate::table::{count, some_of};
use clap::builder::styling::AnsiColor;
use rebone::report::Verdict;
use rebone::view::{OverviewPage, OverviewRow, overview_page};
use serde::Serialize;
use std::path::Path;

/// Clips that the text lists.
const LISTED: usize = 10;

/// Figures that the text names of each of them.
const REASONS: usize = 2;

/// How the jobs ended.
pub(super) struct Overview {
    /// Every clip is kept, not only the worst.
    keeps_all: bool,
    jobs: usize,
    up_to_date: usize,
    /// Jobs about files of a folder in which nothing moves.
    without_motion: usize,
    /// Clips that pass, are worth a look, and fail.
    verdicts: [usize; 3],
    /// Kept clips.
    clips: Vec<ClipLine>,
    failures: Vec<FailureLine>,
    /// Clips for which a check of `--fail-on` is not met.
    checks_failed: usize,
}

/// A clip of a source on a target.
#[derive(Clone, Debug, Serialize)]
struct ClipLine {
    #[serde(skip)]
    job: usize,
    source: String,
    target: String,
    #[serde(flatten)]
    clip: ClipEntry,
}

/// A job without a result.
#[derive(Clone, Debug, Serialize)]
struct FailureLine {
    #[serde(skip)]
    job: usize,
    source: String,
    target: String,
    code: String,
    message: String,
}

/// The document of `--json`.
#[derive(Serialize)]
pub(super) struct OverviewJson<'a> {
    manifest: String,
    jobs: usize,
    up_to_date: usize,
    without_motion: usize,
    pass: usize,
    look: usize,
    fail: usize,
    checks_failed: usize,
    failed: &'a [FailureLine],
    worst: &'a [ClipLine],
}

/// The document of a JSON report: every clip.
#[derive(Serialize)]
pub(super) struct FullJson<'a> {
    failed: &'a [FailureLine],
    clips: &'a [ClipLine],
}

impl Overview {
    pub(super) fn new(keeps_all: bool) -> Self {
        Self {
            keeps_all,
            jobs: 0,
            up_to_date: 0,
            without_motion: 0,
            verdicts: [0; 3],
            clips: Vec::new(),
            failures: Vec::new(),
            checks_failed: 0,
        }
    }

    /// Takes a job in. Jobs may come in any order.
    pub(super) fn add(&mut self, job: usize, ended: Ended) {
        let Ended {
            entry,
            was_up_to_date,
            is_named,
        } = ended;
        let Entry {
            source,
            target,
            clips,
            checks_failed,
            error,
            ..
        } = entry;
        self.jobs += 1;
        self.up_to_date += usize::from(was_up_to_date);
        self.checks_failed += checks_failed.len();
        // A folder may hold characters and props beside the motions.
        let lacks_motion = |error: &ErrorEntry| !is_named && error.code == NO_MOTION;
        if error.as_ref().is_some_and(lacks_motion) {
            self.without_motion += 1;
        } else if let Some(error) = error {
            self.failures.push(FailureLine {
                job,
                source: source.clone(),
                target: target.clone(),
                code: error.code,
                message: error.message,
            });
            self.failures.sort_by_key(|failure| failure.job);
        }
        for clip in clips {
            self.verdicts[rank(&clip.verdict)] += 1;
            self.clips.push(ClipLine {
                job,
                source: source.clone(),
                target: target.clone(),
                clip,
            });
        }
        if !self.keeps_all && self.clips.len() > 8 * LISTED {
            self.sort();
            self.clips.truncate(LISTED);
        }
    }

    /// Worst first; equal ones in the order of the jobs.
    pub(super) fn sort(&mut self) {
        self.clips.sort_by(|one, other| {
            let by_verdict = rank(&other.clip.verdict).cmp(&rank(&one.clip.verdict));
            let by_eye = other.clip.severity.total_cmp(&one.clip.severity);
            by_verdict.then(by_eye).then(one.job.cmp(&other.job))
        });
    }

    pub(super) fn document(&self, manifest: &Path) -> OverviewJson<'_> {
        let [pass, look, fail] = self.verdicts;
        OverviewJson {
            manifest: manifest.display().to_string(),
            jobs: self.jobs,
            up_to_date: self.up_to_date,
            without_motion: self.without_motion,
            pass,
            look,
            fail,
            checks_failed: self.checks_failed,
            failed: &self.failures,
            worst: &self.clips[..self.clips.len().min(LISTED)],
        }
    }

    pub(super) fn full(&self) -> FullJson<'_> {
        FullJson {
            failed: &self.failures,
            clips: &self.clips,
        }
    }

    /// The page over all clips.
    pub(super) fn page(&self, plan: &Plan) -> String {
        let rows = self.clips.iter().map(|line| OverviewRow {
            source: &line.source,
            target: &line.target,
            clip: &line.clip.name,
            seconds: line.clip.seconds,
            verdict: verdict_of(&line.clip.verdict),
            reasons: &line.clip.reasons,
            worst: line.clip.worst.as_deref(),
        });
        let failures = self.failures.iter();
        overview_page(&OverviewPage {
            title: format!(
                "{} onto {}",
                count(plan.sources.len(), "file"),
                count(plan.targets.len(), "character")
            ),
            rows: rows.collect(),
            failures: failures.map(|failure| failure.message.as_str()).collect(),
            more: "`rebone report SOURCE RESULT -o page.html` shows one of them in pictures and plots.",
        })
    }

    pub(super) fn text(&self) -> String {
        let mut text = self.counts_in_words();
        text.push_str(&self.worst_in_words());
        if self.checks_failed > 0 {
            text.push_str(&format!("{} not met\n", count(self.checks_failed, "check")));
        }
        if !self.failures.is_empty() {
            text.push_str(&self.failures_in_words());
        }
        text
    }

    /// How many clips have each verdict, and how many jobs were skipped.
    fn counts_in_words(&self) -> String {
        let [pass, look, fail] = self.verdicts;
        let painted = |color, number: usize, name: &str| {
            let text = format!("{number} {name}");
            if number == 0 {
                text
            } else {
                console::painted(Stream::Output, color, &text)
            }
        };
        let mut text = format!(
            "{}: {}, {}, {}",
            count(pass + look + fail, "clip"),
            painted(AnsiColor::Green, pass, "pass"),
            painted(AnsiColor::Yellow, look, "look"),
            painted(AnsiColor::Red, fail, "fail"),
        );
        if self.up_to_date > 0 {
            text.push_str(&format!(
                "; {} of {} were up to date",
                self.up_to_date,
                count(self.jobs, "job")
            ));
        }
        if self.without_motion > 0 {
            text.push_str(&format!(
                "; left out, without motion: {}",
                count(self.without_motion, "job")
            ));
        }
        text + "\n"
    }

    /// One line per clip that does not pass, the worst first.
    fn worst_in_words(&self) -> String {
        let [_, look, fail] = self.verdicts;
        let noteworthy = |line: &&ClipLine| rank(&line.clip.verdict) > 0;
        let mut text = String::new();
        for line in self.clips.iter().filter(noteworthy).take(LISTED) {
            let reasons = some_of(&line.clip.reasons, REASONS);
            text.push_str(&format!(
                "  {} \"{}\" of {} onto {}: {reasons}\n",
                line.clip.verdict, line.clip.name, line.source, line.target
            ));
        }
        text + &unlisted_in_words(look + fail, "--report page.html lists all")
    }

    /// One line per reason why jobs have no result.
    fn failures_in_words(&self) -> String {
        let mut text = format!("{} without result:\n", count(self.failures.len(), "job"));
        // A file that cannot be read fails once per target.
        let mut messages: Vec<&str> = Vec::new();
        for failure in &self.failures {
            if !messages.contains(&failure.message.as_str()) {
                messages.push(&failure.message);
            }
        }
        for message in messages.iter().take(LISTED) {
            text.push_str(&format!("  {message}\n"));
        }
        text + &unlisted_in_words(messages.len(), "the manifest has all")
    }

    /// A job without result is an error, a check that is not met the weaker ending.
    pub(super) fn outcome(&self) -> Outcome {
        if !self.failures.is_empty() {
            Outcome::PartlyFailed
        } else if self.checks_failed > 0 {
            Outcome::CheckFailed
        } else {
            Outcome::Done
        }
    }
}

/// Says how many of `all` are not listed, and where to find them.
fn unlisted_in_words(all: usize, place: &str) -> String {
    match all.saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("  and {more} more; {place}\n"),
    }
}

fn verdict_of(name: &str) -> Verdict {
    let all = [Verdict::Pass, Verdict::Look, Verdict::Fail];
    let known = all.into_iter().find(|verdict| verdict.name() == name);
    known.unwrap_or_default()
}

fn rank(verdict: &str) -> usize {
    verdict_of(verdict) as usize
}
