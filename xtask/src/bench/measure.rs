//! Time and memory of a process.

use super::Call;
use anyhow::{Context, Result, bail};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a command once and says how long it took from start to end.
pub(super) fn once(call: &Call) -> Result<Duration> {
    let mut command = call.command();
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::piped());
    let start = Instant::now();
    let output = command
        .output()
        .with_context(|| format!("{} does not start", call.program.display()))?;
    let time = start.elapsed();
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        bail!("{} fails: {}", call.program.display(), told.trim());
    }
    Ok(time)
}

/// The most memory that a run held, where the system can tell.
pub(super) fn peak_memory_mb(call: &Call) -> Option<f64> {
    let output = Command::new("/usr/bin/time")
        .args(["-f", "%M"])
        .arg(&call.program)
        .args(&call.arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .ok()?;
    let told = String::from_utf8_lossy(&output.stderr);
    let kilobytes: f64 = told.lines().last()?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// The middle value; of an even number the mean of both. Zero for none.
pub(super) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        count if count % 2 == 1 => values[count / 2],
        count => (values[count / 2 - 1] + values[count / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&mut []), 0.0);
    }
}
