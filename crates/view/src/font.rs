//! A small stroke font for ASCII, drawn for this crate.
//!
//! Each glyph is a path on a grid with the baseline at 3, small letters up to 9, capitals up to 12
//! (`c`), descenders down to 0. Coordinates are one digit each, base 14. `Mxy` starts a stroke, `xy`
//! draws a line, `~cdxy` a quadratic curve over (c, d). Strokes have round ends, so a line from a
//! point to itself is a dot.

use glam::Vec2;
use rebone_model::Clamp as _;

/// Grid units from the baseline to the top of a capital.
const CAPITAL: f32 = 9.0;
const BASELINE: f32 = 3.0;
/// Grid units between two glyphs.
const GAP: f32 = 2.7;
/// Height of capitals as a share of the font size.
const CAPITAL_SHARE: f32 = 0.70;
/// Stroke width as a share of the font size.
const WEIGHT: f32 = 0.098;

/// Paths of the characters 32 to 126.
const GLYPHS: [&str; 95] = [
    "",
    "M0c 07 M03 03",
    "M0c 0a M2c 2a",
    "M13 2c M43 5c M09 69 M06 66",
    "M6b ~5c3c ~0c0a ~0838 ~6865 ~6333 ~1304 M3d 32",
    "M03 6c M1c ~0c0b ~0a1a ~2a2b ~2c1c M55 ~4544 ~4353 ~6364 ~6555",
    "M63 19 ~0c2c ~5c38 ~0605 ~0323 ~4367",
    "M0c 0a",
    "M2d ~0a07 ~0421",
    "M0d ~2a27 ~2401",
    "M2c 26 M0a 48 M4a 08",
    "M06 66 M33 39",
    "M13 01",
    "M06 46",
    "M03 03",
    "M02 5d",
    "M3c ~0c08 07 ~0333 ~6367 68 ~6c3c",
    "M0a 3c 33",
    "M0a ~0c3c ~6c69 ~6703 63",
    "M0b ~1c3c ~6c6a ~6838 M28 38 ~6865 ~6333 ~1304",
    "M43 4c 05 65",
    "M5c 1c 08 ~1939 ~6966 ~6333 ~1304",
    "M5c ~0b06 ~0333 ~6366 ~6939 ~0906",
    "M0c 6c 23",
    "M38 ~080a ~0c3c ~6c6a ~6838 ~0805 ~0333 ~6365 ~6838",
    "M13 ~6469 ~6c3c ~0c09 ~0636 ~6669",
    "M03 03 M08 08",
    "M13 01 M18 18",
    "M5a 06 52",
    "M05 65 M08 68",
    "M0a 56 02",
    "M0a ~0c2c ~5c5a ~5826 M23 23",
    "M68 ~6a4a ~2a27 ~2545 ~6568 M6a 66 ~6585 ~8588 ~8d4d ~0d07 ~0141 ~6162",
    "M03 3c 63 M16 56",
    "M03 0c 3c ~6c6a ~6838 08 M38 ~6866 ~6333 03",
    "M6a ~6c3c ~0c08 07 ~0333 ~6365",
    "M03 0c 2c ~6c68 67 ~6323 03",
    "M5c 0c 03 53 M08 48",
    "M5c 0c 03 M08 48",
    "M6a ~6c3c ~0c08 07 ~0333 ~6366 67 37",
    "M0c 03 M6c 63 M08 68",
    "M0c 03",
    "M4c 46 ~4323 ~0305",
    "M0c 03 M5c 06 M28 63",
    "M0c 03 53",
    "M03 0c 46 8c 83",
    "M03 0c 63 6c",
    "M3c ~0c08 07 ~0333 ~6367 68 ~6c3c",
    "M03 0c 3c ~6c6a ~6737 07",
    "M3c ~0c08 07 ~0333 ~6367 68 ~6c3c M46 72",
    "M03 0c 3c ~6c6a ~6737 07 M37 63",
    "M6b ~5c3c ~0c0a ~0838 ~6865 ~6333 ~1304",
    "M0c 6c M3c 33",
    "M0c 06 ~0333 ~6366 6c",
    "M0c 33 6c",
    "M0c 23 4a 63 8c",
    "M0c 63 M6c 03",
    "M0c 37 6c M37 33",
    "M0c 6c 03 63",
    "M2d 0d 01 21",
    "M0d 52",
    "M0d 2d 21 01",
    "M09 2c 49",
    "M02 62",
    "M0c 1a",
    "M59 53 M56 ~5939 29 ~0906 ~0323 33 ~5356",
    "M0c 03 M06 ~0929 39 ~5956 ~5333 23 ~0306",
    "M58 ~4939 29 ~0906 ~0323 33 ~4354",
    "M5c 53 M56 ~5939 29 ~0906 ~0323 33 ~5356",
    "M06 56 ~5939 29 ~0906 ~0333 ~4354",
    "M4c ~2c2a 23 M09 49",
    "M59 52 ~5030 20 ~1001 M56 ~5939 29 ~0906 ~0323 33 ~5356",
    "M0c 03 M06 ~0939 ~5956 53",
    "M09 03 M0c 0c",
    "M29 22 ~2000 M2c 2c",
    "M0c 03 M49 05 M17 53",
    "M0c 05 ~0323",
    "M09 03 M06 ~0929 ~4946 43 M46 ~4969 ~8986 83",
    "M09 03 M06 ~0939 ~5956 53",
    "M29 ~0906 ~0323 33 ~5356 ~5939 29",
    "M09 00 M06 ~0929 39 ~5956 ~5333 23 ~0306",
    "M59 50 M56 ~5939 29 ~0906 ~0323 33 ~5356",
    "M09 03 M06 ~0939",
    "M49 29 ~0908 ~0626 ~4644 ~4323 03",
    "M2b 25 ~2343 M09 49",
    "M09 06 ~0323 ~5356 M59 53",
    "M09 33 69",
    "M09 23 48 63 89",
    "M09 53 M59 03",
    "M09 33 M69 33 ~2000",
    "M09 59 03 53",
    "M3d ~1d1a ~1707 ~1714 ~1131",
    "M0d 01",
    "M0d ~2d2a ~2737 ~2724 ~2101",
    "M06 ~1836 ~5467",
];

/// Straight pieces of a glyph in grid units, and its width.
fn glyph(letter: char) -> (Vec<(Vec2, Vec2)>, f32) {
    let index = (letter as usize).wrapping_sub(32);
    let path = GLYPHS.get(index).unwrap_or(&GLYPHS['?' as usize - 32]);
    let mut pieces = Vec::new();
    let mut width = 0.0f32;
    let mut pen = Vec2::ZERO;
    for token in path.split(' ').filter(|token| !token.is_empty()) {
        let mut points = token
            .bytes()
            .filter(u8::is_ascii_hexdigit)
            .map(|digit| match digit {
                b'0'..=b'9' => f32::from(digit - b'0'),
                _ => f32::from(digit - b'a') + 10.0,
            });
        let mut point = || {
            let (x, y) = (points.next().unwrap_or(0.0), points.next().unwrap_or(0.0));
            width = width.max(x);
            Vec2::new(x, y)
        };
        if token.starts_with('M') {
            pen = point();
        } else if token.starts_with('~') {
            let (over, end) = (point(), point());
            let start = pen;
            for step in 1..=8 {
                let t = step as f32 / 8.0;
                let next = start.lerp(over, t).lerp(over.lerp(end, t), t);
                pieces.push((pen, next));
                pen = next;
            }
        } else {
            let next = point();
            pieces.push((pen, next));
            pen = next;
        }
    }
    if letter == ' ' {
        width = 1.6;
    }
    (pieces, width)
}

fn scale(size: f32) -> f32 {
    size * CAPITAL_SHARE / CAPITAL
}

/// Width of a text in pixels.
pub(crate) fn text_width(text: &str, size: f32) -> f32 {
    let units: f32 = text.chars().map(|letter| glyph(letter).1 + GAP).sum();
    ((units - GAP) * scale(size)).max(0.0)
}

/// The text, cut with an ellipsis so that it is no wider than `room` pixels.
pub(crate) fn fit(text: &str, size: f32, room: f32) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let mut cut: String = text.to_owned();
    while cut.pop().is_some() {
        let shorter = format!("{}...", cut.trim_end());
        if text_width(&shorter, size) <= room {
            return shorter;
        }
    }
    String::new()
}

/// Calls `visit` with every pixel (x, y) that a text touches and how much of it, 0 to 1. `left` and
/// `baseline` are in pixels.
pub(crate) fn draw_text(
    text: &str,
    left: f32,
    baseline: f32,
    size: f32,
    mut visit: impl FnMut(i32, i32, f32),
) {
    let scale = scale(size);
    let half = (WEIGHT * size * 0.5).max(0.55);
    let mut pen = left;
    for letter in text.chars() {
        let (pieces, width) = glyph(letter);
        let place = |point: Vec2| {
            Vec2::new(
                pen + point.x * scale,
                baseline - (point.y - BASELINE) * scale,
            )
        };
        let pieces: Vec<(Vec2, Vec2)> = pieces
            .into_iter()
            .map(|(from, to)| (place(from), place(to)))
            .collect();
        if !pieces.is_empty() {
            let x_range = (
                (pen - 2.0 - half) as i32,
                (pen + width * scale + 2.0 + half) as i32,
            );
            let y_range = (
                (baseline - 11.0 * scale - 2.0) as i32,
                (baseline + 3.5 * scale + 2.0) as i32,
            );
            for y in y_range.0..=y_range.1 {
                for x in x_range.0..=x_range.1 {
                    let point = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                    let distance = pieces
                        .iter()
                        .map(|&(from, to)| distance_to(point, from, to))
                        .fold(f32::INFINITY, f32::min);
                    let share = (half + 0.5 - distance).clamped(0.0, 1.0);
                    if share > 0.0 {
                        visit(x, y, share);
                    }
                }
            }
        }
        pen += (width + GAP) * scale;
    }
}

fn distance_to(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    let along = to - from;
    let length = along.length_squared();
    let t = if length > 0.0 {
        ((point - from).dot(along) / length).clamped(0.0, 1.0)
    } else {
        0.0
    };
    point.distance(from + along * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_character_has_its_own_glyph() {
        for code in 33..127u8 {
            let (pieces, width) = glyph(code as char);
            assert!(!pieces.is_empty(), "{}", code as char);
            assert!(width <= 8.0);
        }
        assert_eq!(glyph('é').0, glyph('?').0);
        assert_eq!(glyph('\n').0, glyph('?').0);
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(fit("short", 14.0, 500.0), "short");
        let cut = fit("a very long title that does not fit", 14.0, 100.0);
        assert!(cut.ends_with("...") && text_width(&cut, 14.0) <= 100.0);
        assert_eq!(fit("anything", 14.0, 1.0), "");
    }
}
