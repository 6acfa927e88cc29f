//! At most 255 colours for all frames of an animation.
//!
//! Median cut: the box of colours with the largest spread (weighted by how often they occur) is split
//! at its middle until there are enough boxes; the mean of each is a colour.

use rebone_model::Clamp as _;

/// Bits of each channel that are told apart.
const BITS: u32 = 6;
const BINS: usize = 1 << (3 * BITS);
/// Colours; one more index stays free for what did not change.
const COLORS: usize = 255;

/// Counts colours over frames.
pub(crate) struct Histogram {
    counts: Vec<u32>,
}

/// Colours and, for every bin, the nearest of them.
pub(crate) struct Palette {
    pub(crate) colors: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Entry {
    color: [u8; 3],
    count: u32,
}

fn bin(color: [u8; 3]) -> usize {
    color.iter().fold(0, |bin, &value| {
        (bin << BITS) | usize::from(value >> (8 - BITS))
    })
}

fn color_of(bin: usize) -> [u8; 3] {
    let mask = (1 << BITS) - 1;
    [2 * BITS, BITS, 0].map(|shift| {
        let value = ((bin >> shift) & mask) as u32;
        // The middle of the bin, with black and white kept.
        ((value * 255 + mask as u32 / 2) / mask as u32) as u8
    })
}

impl Histogram {
    pub(crate) fn new() -> Self {
        Self {
            counts: vec![0; BINS],
        }
    }

    pub(crate) fn add(&mut self, pixels: &[[u8; 3]]) {
        for &pixel in pixels {
            let count = &mut self.counts[bin(pixel)];
            *count = count.saturating_add(1);
        }
    }

    pub(crate) fn palette(&self) -> Palette {
        let mut entries: Vec<Entry> = self
            .counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(bin, &count)| Entry {
                color: color_of(bin),
                count,
            })
            .collect();
        let colors = median_cut(&mut entries);
        let mut nearest = vec![0; BINS];
        for (bin, _) in self
            .counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            nearest[bin] = nearest_of(&colors, color_of(bin));
        }
        Palette { colors, nearest }
    }
}

impl Palette {
    /// Index of the colour nearest to one that was counted.
    #[inline]
    pub(crate) fn index(&self, color: [u8; 3]) -> u8 {
        self.nearest[bin(color)]
    }
}

fn median_cut(entries: &mut [Entry]) -> Vec<[u8; 3]> {
    // Ranges of `entries`, each with its score and the channel to split along.
    let mut boxes: Vec<(f64, usize, std::ops::Range<usize>)> = Vec::new();
    let whole = 0..entries.len();
    if !whole.is_empty() {
        boxes.push(scored(entries, whole));
    }
    while boxes.len() < COLORS {
        let best = boxes
            .iter()
            .enumerate()
            .filter(|(_, (_, _, range))| range.len() > 1)
            .max_by(|a, b| a.1.0.total_cmp(&b.1.0).then(b.0.cmp(&a.0)))
            .map(|(at, _)| at);
        let Some(best) = best else { break };
        let (_, channel, range) = boxes.swap_remove(best);
        let part = &mut entries[range.clone()];
        part.sort_by_key(|entry| (entry.color[channel], entry.color));
        let mean = mean_of(part)[channel];
        let split = part
            .partition_point(|entry| f64::from(entry.color[channel]) <= mean)
            .clamped(1, part.len() - 1);
        let middle = range.start + split;
        boxes.push(scored(entries, range.start..middle));
        boxes.push(scored(entries, middle..range.end));
    }
    boxes
        .into_iter()
        .map(|(_, _, range)| mean_of(&entries[range]).map(|value| (value + 0.5) as u8))
        .collect()
}

fn mean_of(entries: &[Entry]) -> [f64; 3] {
    let mut sums = [0.0; 3];
    let mut total = 0.0;
    for entry in entries {
        total += f64::from(entry.count);
        for (sum, value) in sums.iter_mut().zip(entry.color) {
            *sum += f64::from(value) * f64::from(entry.count);
        }
    }
    sums.map(|sum: f64| sum / f64::max(total, 1.0))
}

fn scored(
    entries: &[Entry],
    range: std::ops::Range<usize>,
) -> (f64, usize, std::ops::Range<usize>) {
    let part = &entries[range.clone()];
    let mean = mean_of(part);
    let mut variance = [0.0; 3];
    for entry in part {
        // Rare colours are often the ones looked at: the weight grows slower than the count.
        let weight = f64::from(entry.count).sqrt();
        for channel in 0..3 {
            let off = f64::from(entry.color[channel]) - mean[channel];
            variance[channel] += weight * off * off;
        }
    }
    let channel = (0..3)
        .max_by(|&a, &b| variance[a].total_cmp(&variance[b]))
        .unwrap_or(0);
    (variance[channel], channel, range)
}

fn nearest_of(colors: &[[u8; 3]], wanted: [u8; 3]) -> u8 {
    let distance = |color: &[u8; 3]| {
        let off = |channel: usize| i32::from(color[channel]) - i32::from(wanted[channel]);
        3 * off(0) * off(0) + 5 * off(1) * off(1) + 2 * off(2) * off(2)
    };
    let best = colors
        .iter()
        .enumerate()
        .min_by_key(|(_, color)| distance(color));
    best.map_or(0, |(index, _)| index as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_and_many_are_near() {
        let mut histogram = Histogram::new();
        histogram.add(&[[255, 255, 255], [0, 0, 0], [255, 0, 0]]);
        let palette = histogram.palette();
        assert_eq!(palette.colors.len(), 3);
        assert_eq!(
            palette.colors[usize::from(palette.index([255, 0, 0]))],
            [255, 0, 0]
        );
        let mut histogram = Histogram::new();
        let ramp: Vec<[u8; 3]> = (0..=255u8)
            .flat_map(|a| (0..=255u8).step_by(16).map(move |b| [a, b, 128]))
            .collect();
        histogram.add(&ramp);
        let palette = histogram.palette();
        assert_eq!(palette.colors.len(), COLORS);
        for color in ramp {
            let found = palette.colors[usize::from(palette.index(color))];
            let off = (0..3).map(|channel| found[channel].abs_diff(color[channel]));
            assert!(off.max().unwrap() < 24);
        }
        assert!(Histogram::new().palette().colors.is_empty());
    }
}
