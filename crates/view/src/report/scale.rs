//! Axes of plots: nice steps, and lines with fewer points than a screen has columns.

use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;
/// Steps of 1, 2 or 5 times a power of ten that divide a span into about `count` parts.
pub(super) fn step(span: f64, count: usize) -> f64 {
    if !(span.is_finite() && span > 0.0) {
        return 1.0;
    }
    let rough = span / count.max(1) as f64;
    let power = 10f64.power(rough.decimal_logarithm().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| factor * power >= rough);
    power * factor.unwrap_or(10.0)
}

/// A number as short as its step allows.
pub(super) fn label(value: f64, step: f64) -> String {
    let digits = (-step.decimal_logarithm().floor()).clamped(0.0, 6.0) as usize;
    let text = format!("{value:.digits$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() {
        return "0".to_owned();
    }
    text
}

/// Least and most of some numbers; `None` without any.
pub(super) fn span<'a>(values: impl Iterator<Item = &'a f64>) -> Option<(f64, f64)> {
    values
        .copied()
        .filter(|value| value.is_finite())
        .fold(None, |span, value| match span {
            None => Some((value, value)),
            Some((low, high)) => Some((value.min(low), value.max(high))),
        })
}

/// Frames that show a curve on `columns` columns: of each column the lowest and the highest, so that no peak is lost.
pub(super) fn telling(values: &[f64], columns: usize) -> Vec<usize> {
    if values.len() <= 2 * columns {
        return (0..values.len()).collect();
    }
    let mut frames = Vec::with_capacity(2 * columns);
    for column in 0..columns {
        let start = column * values.len() / columns;
        let end = (column + 1) * values.len() / columns;
        let by = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
        let ends = [(start..end).min_by(by), (start..end).max_by(by)];
        let mut ends: Vec<usize> = ends.into_iter().flatten().collect();
        ends.sort_unstable();
        ends.dedup();
        frames.extend(ends);
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(step(10.0, 5), 2.0);
        assert_eq!(step(0.9, 4), 0.5);
        assert_eq!(step(f64::NAN, 4), 1.0);
        assert_eq!(label(0.30000001, 0.1), "0.3");
        assert_eq!(label(-0.0001, 0.1), "0");
        assert_eq!(label(150.0, 50.0), "150");
    }

    #[test]
    fn peaks_are_kept() {
        let mut values = vec![0.0; 10_000];
        values[4321] = 9.0;
        let frames = telling(&values, 300);
        assert!(frames.len() <= 600 && frames.contains(&4321));
        assert!(frames.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
