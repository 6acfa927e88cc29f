//! A sign of life for jobs that take longer than a second, where a person watches.

use crate::console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

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
            bar.set_message(message.to_owned());
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
    let start = std::time::Instant::now();
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
            new.set_message(message.to_owned());
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
