//! How a command ends that was given checks (`--fail-on`).

use crate::Outcome;
use crate::console;
use crate::figures::Check;
use rebone::report::Report;

/// Clips with their figures, by name.
pub(crate) type Named<'a> = [(&'a str, &'a Report)];

/// What is not met, in words; `warnings` are those of the whole run.
pub(crate) fn failures(checks: &[Check], clips: &Named<'_>, warnings: usize) -> Vec<String> {
    let failure = |check: &Check| check.failure(clips, warnings);
    checks.iter().filter_map(failure).collect()
}

/// Says on standard error which checks hold nowhere and which are not met, and ends the command.
pub(crate) fn ending(checks: &[Check], clips: &Named<'_>, failed: &[String]) -> Outcome {
    for remark in checks.iter().filter_map(|check| check.remark(clips)) {
        console::remark(&remark);
    }
    for failure in failed {
        console::note(&format!("check not met: {failure}"));
    }
    if failed.is_empty() {
        Outcome::Done
    } else {
        Outcome::CheckFailed
    }
}
