//! `rebone batch`: many clips onto many characters, on all processors, continued where a run was stopped.

mod manifest;
mod overview;
mod plan;
mod takes;
mod work;

use crate::Outcome;
use crate::arguments::Batch;
use crate::console;
use crate::failure::Failure;
use crate::outputs::{self, Existing, Outputs};
use crate::progress::Counter;
use crate::report_file;
use manifest::Manifest;
use overview::Overview;
use plan::{Job, Plan};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use takes::Takes;
use work::{Ended, LoadedTarget, Shared, Worker};

/// Runs the command.
pub(crate) fn run(arguments: &Batch) -> Result<Outcome, Failure> {
    let plan = Plan::new(arguments)?;
    let mut reports = Outputs::new(arguments.pair.inputs().map(PathBuf::as_path));
    if let Some(path) = &arguments.report {
        reports.announce(path)?;
    }
    let manifest = Manifest::open(&plan.folder, &plan.manifest)?;
    let shared = Shared {
        targets: plan
            .targets
            .iter()
            .map(|target| LoadedTarget::new(&target.settings))
            .collect(),
        plan: &plan,
        manifest: Mutex::new(manifest),
        replaces: outputs::existing() == Existing::Replace,
        takes: Takes::default(),
    };
    let mut overview = Overview::new(arguments.report.is_some());
    work(&shared, arguments.jobs.map(usize::from), &mut overview)?;
    let manifest = shared.manifest.into_inner();
    manifest.unwrap_or_else(PoisonError::into_inner).finish()?;

    overview.sort();
    let document = overview.document(&plan.folder.join(&plan.manifest));
    if let Some(path) = &arguments.report {
        let text = if report_file::is_page(path) {
            overview.page(&plan)
        } else {
            console::json_text(&overview.full())?
        };
        reports.stage(path, text.as_bytes())?;
    }
    let text = overview.text();
    reports.commit(|| console::answer(&document, &text, &[]))?;
    Ok(overview.outcome())
}

/// Jobs of one source that a worker takes at once, at most: it reads the source once for all of them, and many targets
/// of one source still occupy all workers.
const JOBS_TAKEN: usize = 8;

/// Does all jobs and adds each to the manifest and the overview as it ends.
fn work(shared: &Shared<'_>, jobs: Option<usize>, overview: &mut Overview) -> Result<(), Failure> {
    let all = &shared.plan.jobs;
    let mut first = 0;
    let groups: Vec<(usize, &[Job])> = all
        .chunk_by(|one, other| one.source == other.source)
        .flat_map(|of_source| of_source.chunks(JOBS_TAKEN))
        .map(|group| {
            let numbered = (first, group);
            first += group.len();
            numbered
        })
        .collect();
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    // An eighth of its time a worker waits for the disk.
    let busy = processors + processors.div_ceil(8);
    let workers = jobs.unwrap_or(busy).min(groups.len());
    let next = AtomicUsize::new(0);
    let mut counter = Counter::new("batch", all.len());
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel::<(usize, Ended)>(workers);
        for _ in 0..workers {
            let (sender, next, groups) = (sender.clone(), &next, &groups);
            scope.spawn(move || {
                let mut worker = Worker::new(shared);
                while let Some((first, group)) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for (number, job) in (*first..).zip(*group) {
                        if sender.send((number, worker.run(*job))).is_err() {
                            // The manifest cannot be written.
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        for (number, ended) in receiver {
            if !ended.was_up_to_date {
                let mut manifest = shared
                    .manifest
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                manifest.add(&ended.entry)?;
            }
            counter.step();
            overview.add(number, ended);
        }
        Ok(())
    })
}
