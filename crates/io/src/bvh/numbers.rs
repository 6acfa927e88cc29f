//! Decimal numbers out of text, eight digits at a time.
//!
//! A number of the common form `-123.456789` (up to 7 digits before and 8 after the point) is read as
//! one integer of at most 15 digits and divided by a power of ten: both are exact in `f64`, so the
//! quotient is the correctly rounded value. Everything else (exponents, long numbers, a plus sign) goes
//! through `fast-float2`, which is exact as well.

/// Where a number was expected and something else is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadNumber {
    /// Byte offset of the word.
    pub(super) at: usize,
}

/// Numbers separated by white space; line ends have no meaning.
pub(super) struct NumberStream<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The fast path looks this far ahead: up to 15 characters, and eight from any of them on.
const WINDOW: usize = 24;

const POWERS: [u64; 9] = [
    1,
    10,
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
];

const FLOAT_POWERS: [f64; 9] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

impl<'a> NumberStream<'a> {
    /// Reads on from byte `at`.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Number of bytes that are left.
    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Fills `values` as far as there are numbers and returns how many were read.
    pub(super) fn fill(&mut self, values: &mut [f64]) -> Result<usize, BadNumber> {
        let bytes = self.bytes;
        let mut at = self.at;
        for (index, value) in values.iter_mut().enumerate() {
            loop {
                match bytes.get(at) {
                    Some(byte) if *byte <= b' ' => at += 1,
                    Some(_) => break,
                    None => {
                        self.at = at;
                        return Ok(index);
                    }
                }
            }
            if let Some((number, length)) = common_number(&bytes[at..]) {
                *value = number;
                at += length;
            } else {
                let end = bytes[at..].iter().position(|byte| *byte <= b' ');
                let end = end.map_or(bytes.len(), |length| at + length);
                *value = parse(&bytes[at..end]).ok_or(BadNumber { at })?;
                at = end;
            }
        }
        self.at = at;
        Ok(values.len())
    }
}

/// The number that a whole word spells; `None` where it spells none, or one that is NaN, infinite or
/// beyond the range of `f32`.
pub(super) fn parse(word: &[u8]) -> Option<f64> {
    let number: f64 = fast_float2::parse(word).ok()?;
    (number.abs() <= f64::from(f32::MAX)).then_some(number)
}

/// The number at the start of `bytes` and its length, where it has the common form and is followed by
/// white space.
///
/// Finding the end first, without looking at sign and point, keeps the way from one number to the next
/// short; the processor works on the digits of several numbers at once.
#[inline(always)]
fn common_number(bytes: &[u8]) -> Option<(f64, usize)> {
    let window: &[u8; WINDOW] = bytes.first_chunk()?;
    let (first, second) = (word_at(window, 0)?, word_at(window, 8)?);
    let spaces = u128::from(spaces(second)) << 64 | u128::from(spaces(first));
    let length = spaces.trailing_zeros() / 8;
    let negative = u32::from(window[0] == b'-');
    let first = first >> (8 * negative);
    let whole_digits = leading_digits(first);
    if length == 16 || whole_digits == 8 {
        return None;
    }
    let after_whole = negative + whole_digits;
    let number = if after_whole == length {
        exact_float(digits_value(first, whole_digits))
    } else {
        // Where another sign than the point ends the digits, this is no common number.
        if window[after_whole as usize] != b'.' {
            return None;
        }
        let decimals = length - after_whole - 1;
        let power = decimals as usize;
        let digits = if length <= 8 {
            let before_point = (1 << (8 * whole_digits)) - 1;
            let without_point = (first & before_point) | ((first >> 8) & !before_point);
            if leading_digits(without_point) != whole_digits + decimals {
                return None;
            }
            digits_value(without_point, whole_digits + decimals)
        } else {
            let fraction = word_at(window, after_whole as usize + 1)?;
            if leading_digits(fraction) != decimals {
                return None;
            }
            digits_value(first, whole_digits) * POWERS.get(power)?
                + digits_value(fraction, decimals)
        };
        exact_float(digits) / FLOAT_POWERS.get(power)?
    };
    if whole_digits == 0 && length <= negative + 1 {
        return None;
    }
    let sign = u64::from(negative) << 63;
    Some((f64::from_bits(number.to_bits() | sign), length as usize))
}

#[inline(always)]
fn word_at(window: &[u8; WINDOW], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*window.get(at..)?.first_chunk()?))
}

/// The top bit of each byte that is white space.
#[inline(always)]
fn spaces(characters: u64) -> u64 {
    const TOP: u64 = 0x8080_8080_8080_8080;
    let visible = ((characters & !TOP) + 0x5F5F_5F5F_5F5F_5F5F) | characters;
    !visible & TOP
}

/// An integer below 2^52 as float.
#[inline(always)]
fn exact_float(integer: u64) -> f64 {
    // The integer becomes the mantissa of 2^52 + integer. The processor's own conversion would wait
    // for the number before this one.
    const TWO_TO_52: u64 = 0x4330_0000_0000_0000;
    f64::from_bits(TWO_TO_52 | integer) - f64::from_bits(TWO_TO_52)
}

/// How many of the eight characters are digits before the first that is none.
#[inline(always)]
fn leading_digits(characters: u64) -> u32 {
    let values = characters ^ 0x3030_3030_3030_3030;
    // A value above 9 carries into its top bit. A carry out of a byte only disturbs later characters.
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    others.trailing_zeros() / 8
}

/// The number that the first `count` (0 to 8) characters spell, all digits.
#[inline(always)]
fn digits_value(characters: u64, count: u32) -> u64 {
    const PAIRS: u64 = 0x0000_00FF_0000_00FF;
    let values = (characters ^ 0x3030_3030_3030_3030).unbounded_shl(64 - 8 * count);
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8);
    let upper = (pairs & PAIRS).wrapping_mul(0x000F_4240_0000_0064);
    let lower = ((pairs >> 16) & PAIRS).wrapping_mul(0x0000_2710_0000_0001);
    upper.wrapping_add(lower) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<f64>, BadNumber> {
        let mut values = vec![0.0; 64];
        let count = NumberStream::new(text.as_bytes(), 0).fill(&mut values)?;
        values.truncate(count);
        Ok(values)
    }

    #[test]
    fn every_form_is_exact() {
        let words = [
            "0",
            "-0",
            "7",
            "-17.3198",
            "179.842245",
            ".0083333",
            "-.5",
            "5.",
            "1234567.12345678",
            "12345678.5",
            "0.123456789",
            "0.1234567890123456789",
            "1e-5",
            "-9.23872e-007",
            "+3.5",
            "1E3",
            "99999999",
            "0000000000012.5",
            "3.4e38",
            "-0.000001",
            "1.5e+2",
        ];
        for padding in ["", " ", "                                     "] {
            for word in words {
                let text = format!("{padding}{word}{padding}");
                let expected: f64 = word.parse().unwrap();
                let found = all(&text).unwrap();
                assert_eq!(found.len(), 1, "{word}");
                assert_eq!(found[0].to_bits(), expected.to_bits(), "{word}");
            }
        }
        let joined = words.join("\r\n\t ");
        let expected: Vec<f64> = words.iter().map(|word| word.parse().unwrap()).collect();
        assert_eq!(all(&joined), Ok(expected));
    }

    #[test]
    fn other_words_are_errors() {
        for word in [
            "nan", "inf", "-inf", "1e39", "-", ".", "-.", "1.2.3", "1,5", "--1", "0x10", "1.#IND",
            "12a", "}", "1e", "1e999",
        ] {
            for padding in ["", "                                "] {
                let text = format!("1 {word} {padding}");
                assert_eq!(all(&text), Err(BadNumber { at: 2 }), "{word}");
            }
        }
    }

    #[test]
    fn all_lengths_of_digits() {
        for whole in 0..10usize {
            for decimals in 0..12usize {
                if whole + decimals == 0 {
                    continue;
                }
                let text = format!(
                    "-{}.{} {}",
                    &"9876543210"[..whole],
                    &"123456789012"[..decimals],
                    " ".repeat(30)
                );
                let expected: f64 = text.trim().parse().unwrap();
                assert_eq!(all(&text), Ok(vec![expected]), "{text}");
            }
        }
    }
}
