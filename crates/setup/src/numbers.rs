//! Lists of so and so many numbers. The reader of TOML by itself passes over what is too much.

use serde::de::{Deserialize, Deserializer, Error};

/// Just `N` numbers.
pub(crate) fn exactly<'de, D: Deserializer<'de>, const N: usize>(
    reader: D,
) -> Result<Option<[f64; N]>, D::Error> {
    let numbers = Vec::<f64>::deserialize(reader)?;
    let given = numbers.len();
    let wrong = |_| D::Error::custom(format!("{given} numbers stand here, but {N} are expected"));
    numbers.try_into().map(Some).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use crate::recipe::Recipe;

    #[test]
    fn too_many_are_as_wrong_as_too_few() {
        for (text, expected) in [
            (
                "[target.look_at]\npitch = [1, 2, 3]",
                "3 numbers stand here, but 2 are expected (at line 2)",
            ),
            (
                "[source.place]\nshift = [1, 2, 3, 4]",
                "but 3 are expected (at line 2)",
            ),
            (
                "[source.place]\nshift = [1, 2]",
                "but 3 are expected (at line 2)",
            ),
            (
                "[target.calibration]\nhead = { local = [1, 2, 3, 4] }",
                "4 numbers",
            ),
            (
                "[limits.slots]\nhead = { bend = [1, 2, 3] }",
                "limits are \"none\", or",
            ),
        ] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
