//! No sine of the system's in what ships: results are the same to the bit on every machine.

use super::Texts;
use super::source::{LIBRARIES, line_of, shipped};

/// Functions that differ in the last bit from system to system, as they are called.
const BANNED: [&str; 39] = [
    ".sin()",
    ".cos()",
    ".tan()",
    ".sin_cos()",
    ".asin()",
    ".acos()",
    ".atan()",
    ".atan2(",
    ".sinh()",
    ".cosh()",
    ".tanh()",
    ".exp()",
    ".exp2()",
    ".exp_m1()",
    ".ln()",
    ".ln_1p()",
    ".log(",
    ".log2()",
    ".log10()",
    ".powf(",
    ".cbrt()",
    ".hypot(",
    "f32::sin)",
    "f32::cos)",
    "f64::sin)",
    "f64::cos)",
    ".slerp(",
    ".angle_between(",
    ".to_axis_angle(",
    ".to_scaled_axis(",
    ".to_euler(",
    "::from_axis_angle",
    "::from_rotation_x",
    "::from_rotation_y",
    "::from_rotation_z",
    "::from_rotation_axes",
    "::from_scaled_axis",
    "::from_euler",
    "::from_angle",
];

/// Their home, which compares itself with them.
const HOME: &str = "crates/model/src/elementary.rs";

pub(super) fn check(texts: &Texts) -> Vec<String> {
    let mut errors = Vec::new();
    for (path, text) in shipped(texts, &LIBRARIES).filter(|(path, _)| *path != HOME) {
        for word in BANNED {
            for (at, _) in text.match_indices(word) {
                let line = line_of(&text, at);
                errors.push(format!(
                    "{path}:{line}: {word} differs from machine to machine; use rebone_model::elementary"
                ));
            }
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> usize {
        check(&[(path.to_owned(), text.to_owned())].into()).len()
    }

    #[test]
    fn only_functions_with_the_same_bits_everywhere() {
        for text in [
            "let y = x.sin();",
            "let angle = y.atan2(x);",
            "let turn = Quat::from_rotation_y(angle);",
            "let middle = first.slerp(last, 0.5);",
            "let sines = angles.map(f64::sin);",
        ] {
            assert_eq!(complaints("crates/setup/src/a.rs", text), 1, "{text}");
            assert_eq!(complaints("crates/testkit/src/a.rs", text), 0, "{text}");
        }
        for text in [
            "let y = x.sine();",
            "let y = x.sqrt().round().abs();",
            "let middle = slerp(first, last, 0.5);",
            "let turn = Quat::about_y(angle);",
            "#[cfg(test)]\nmod tests {\n    let y = x.sin();\n}\n",
        ] {
            assert_eq!(complaints("crates/setup/src/a.rs", text), 0, "{text}");
        }
    }
}
