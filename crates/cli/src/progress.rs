//! A sign of life for jobs that take longer than a second, where a person watches.

use crate::console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs a job; after a second a spinner with `message` shows that it is still going on.
pub(crate) fn while_running<T>(message: &str, job: impl FnOnce() -> T) -> T {
    if !console::is_watched() {
        return job();
    }
    std::thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        scope.spawn(move || {
            if waiting.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
                .with_elapsed(PATIENCE);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.set_message(console::harmless(message).into_owned());
            bar.enable_steady_tick(Duration::from_millis(100));
            // Ends when the job does, be it with a result or a panic: the sender is dropped.
            let _ = waiting.recv();
            bar.finish_and_clear();
        });
        let result = job();
        drop(done);
        result
    })
}

/// Runs a job for each of many items, with a bar once a second has passed.
pub(crate) fn for_each<T, R, E>(
    message: &str,
    items: &[T],
    mut job: impl FnMut(&T) -> Result<R, E>,
) -> Result<Vec<R>, E> {
    let start = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    let mut results = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        if bar.is_none() && start.elapsed() > PATIENCE && console::is_watched() {
            let new = ProgressBar::with_draw_target(
                Some(items.len() as u64),
                ProgressDrawTarget::stderr(),
            );
            if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos} of {len}") {
                new.set_style(style);
            }
            new.set_message(console::harmless(message).into_owned());
            bar = Some(new);
        }
        if let Some(bar) = &bar {
            bar.set_position(index as u64);
        }
        results.push(job(item)?);
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(results)
}

/// Counts the steps of a long job: a bar with rate and time left where a person watches, else a line every ten seconds.
pub(crate) struct Counter {
    name: &'static str,
    of: usize,
    done: usize,
    start: Instant,
    told: Instant,
    bar: Option<ProgressBar>,
}

/// Time between two lines.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

impl Counter {
    /// No step of `of` is done.
    pub(crate) fn new(name: &'static str, of: usize) -> Self {
        let start = Instant::now();
        Self {
            name,
            of,
            done: 0,
            start,
            told: start,
            bar: None,
        }
    }

    /// A step is done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        if console::is_watched() {
            if self.bar.is_none() && self.start.elapsed() > PATIENCE {
                self.bar = Some(self.new_bar());
            }
            if let Some(bar) = &self.bar {
                bar.set_position(self.done as u64);
            }
        } else if self.told.elapsed() > BETWEEN_LINES {
            self.told = Instant::now();
            let rate = self.done as f64 / self.start.elapsed().as_secs_f64();
            console::remark(&format!(
                "{}: {} of {} done, {rate:.1} per second, about {:.0} s left",
                self.name,
                self.done,
                self.of,
                (self.of - self.done) as f64 / rate
            ));
        }
    }

    fn new_bar(&self) -> ProgressBar {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(self.of as u64), target)
            .with_elapsed(self.start.elapsed());
        let template = "{msg} {bar:30} {pos} of {len}, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(self.name);
        bar
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
