//! Numbers and names as BVH text.

/// Digits behind the point of angles, and of lengths where the body is larger than a unit.
pub(super) const DECIMALS: usize = 6;

const POWERS: [f64; 10] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/// Digits behind the point for lengths on a body of this size: more for bodies smaller than a unit.
pub(super) fn length_decimals(size: f64) -> usize {
    let mut decimals = DECIMALS;
    while decimals < POWERS.len() - 1 && size * POWERS[decimals - DECIMALS] < 1.0 {
        decimals += 1;
    }
    decimals
}

/// Appends a finite number, rounded to `decimals` (at most 9) digits behind the point, without
/// trailing zeros.
pub(super) fn push_number(text: &mut Vec<u8>, value: f64, decimals: usize) {
    let power = POWERS[decimals.min(POWERS.len() - 1)];
    let scaled = value.abs() * power + 0.5;
    if scaled >= 1e17 {
        text.extend_from_slice(format!("{value}").as_bytes());
        return;
    }
    let mut integer = scaled as u64;
    if integer == 0 {
        text.push(b'0');
        return;
    }
    // Written from the right end.
    let mut digits = [0u8; 24];
    let mut at = digits.len();
    let mut is_tail = true;
    let mut place = 0;
    while integer > 0 || place <= decimals {
        if place == decimals && at < digits.len() {
            at -= 1;
            digits[at] = b'.';
        }
        let digit = (integer % 10) as u8;
        integer /= 10;
        is_tail &= digit == 0 && place < decimals;
        if !is_tail {
            at -= 1;
            digits[at] = b'0' + digit;
        }
        place += 1;
    }
    if value < 0.0 {
        at -= 1;
        digits[at] = b'-';
    }
    text.extend_from_slice(&digits[at..]);
}

/// Appends seconds a frame with as many digits as make the difference.
pub(super) fn push_frame_time(text: &mut Vec<u8>, frame_time: f64) {
    // The reciprocal of a reciprocal is off in the 17th digit; 15 digits hide that.
    let rounded = format!("{frame_time:.15}");
    let same = rounded
        .parse::<f64>()
        .is_ok_and(|again| (again - frame_time).abs() <= 1e-12 * frame_time);
    if same {
        let trimmed = rounded.trim_end_matches('0').trim_end_matches('.');
        text.extend_from_slice(trimmed.as_bytes());
    } else {
        text.extend_from_slice(format!("{frame_time}").as_bytes());
    }
}

/// A name without what BVH readers stumble over: white space, control characters and braces become
/// underscores.
pub(super) fn safe_name(name: &str) -> String {
    name.trim()
        .chars()
        .map(|character| match character {
            '{' | '}' => '_',
            other if other.is_whitespace() || other.is_control() => '_',
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64, decimals: usize) -> String {
        let mut text = Vec::new();
        push_number(&mut text, value, decimals);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_are_short_and_rounded() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.000_000_4, "0"),
            (0.000_000_6, "0.000001"),
            (1.0, "1"),
            (-17.3198, "-17.3198"),
            (100.0, "100"),
            (0.5, "0.5"),
            (-120.05, "-120.05"),
            (999.999_999_9, "1000"),
            (1e30, "1000000000000000000000000000000"),
        ] {
            assert_eq!(number(value, 6), text);
        }
        assert_eq!(number(0.000_000_012, 9), "0.000000012");
        for step in 0..20_000 {
            let value = f64::from(step - 10_000) * 0.137_931_7;
            let again: f64 = number(value, 6).parse().unwrap();
            assert!((again - value).abs() <= 5.01e-7);
        }
        assert_eq!(length_decimals(170.0), 6);
        assert_eq!(length_decimals(0.017), 8);
        assert_eq!(length_decimals(0.0), 9);
    }

    #[test]
    fn frame_times_are_as_stated() {
        for stated in ["0.0083333", "0.0417083750417", "0.04", "2", "0.008342"] {
            let mut text = Vec::new();
            push_frame_time(&mut text, 1.0 / (1.0 / stated.parse::<f64>().unwrap()));
            assert_eq!(String::from_utf8(text).unwrap(), stated);
        }
    }
}
