//! Unit and axes of a file, stated or guessed.

use rebone_core::align::Alignment;
use rebone_io::{FileSpace, Format};
use rebone_model::axes::Axis;
use rebone_model::{Character, Warning};

/// Unit and axes of one character's file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// Metres a unit of length.
    pub meters_per_unit: f64,
    /// True where the format or the file states the unit; false where it is guessed from the body.
    pub unit_is_stated: bool,
    /// The direction away from the floor.
    pub up: Axis,
    /// The direction in which the character looks.
    pub forward: Axis,
}

/// Units that exporters use, the likelier first: metre, centimetre, inch, decimetre, millimetre, foot,
/// and the unit of the CMU files (an inch over 0.45).
const UNITS: [f64; 7] = [1.0, 0.01, 0.0254, 0.1, 0.001, 0.3048, 0.056_44];

/// Heights of bodies, metres, within which a guess is taken.
const BODY_HEIGHT: std::ops::RangeInclusive<f64> = 1.2..=2.3;

/// Takes what the file states and guesses the rest from the body.
pub fn detect(
    stated: &FileSpace,
    format: Format,
    character: &Character,
    alignment: &Alignment,
) -> (Space, Vec<Warning>) {
    let mut warnings = Vec::new();
    let height = alignment.measures.height;
    let meters_per_unit = stated.meters_per_unit.unwrap_or_else(|| guess_unit(height));
    let body = height * meters_per_unit;
    if stated.meters_per_unit.is_none() {
        warnings.push(Warning::new(
            "unit-guessed",
            format!(
                "{} states no unit; a body {height:.4} units high is taken as {body:.2} m, so a unit is {meters_per_unit} m",
                format.name().to_uppercase()
            ),
            "the guess matters only for converting and for pictures, not for retargeting",
        ));
    } else if body > 20.0 && character.skeleton.len() > 3 {
        warnings.push(Warning::new(
            "unit-unlikely",
            format!("the character is {body:.0} m high by the unit that the file states"),
            "its numbers may be centimetres; retargeting is not affected",
        ));
    }
    let up = stated
        .up
        .unwrap_or_else(|| Axis::nearest(alignment.up().as_vec3()));
    let forward = stated
        .forward
        .unwrap_or_else(|| Axis::nearest(alignment.forward().as_vec3()));
    let space = Space {
        meters_per_unit,
        unit_is_stated: stated.meters_per_unit.is_some(),
        up,
        forward,
    };
    (space, warnings)
}

/// The unit in which a body of this height has a human size.
pub(crate) fn guess_unit(height: f64) -> f64 {
    if !(height.is_finite() && height > 0.0) {
        return 1.0;
    }
    if let Some(unit) = UNITS
        .into_iter()
        .find(|unit| BODY_HEIGHT.contains(&(height * unit)))
    {
        return unit;
    }
    // No usual unit gives a usual body: a small creature in metres, or the unit that comes nearest.
    if (0.2..1.2).contains(&height) {
        return 1.0;
    }
    let distance = |unit: &f64| (height * unit / 1.7).ln().abs();
    UNITS
        .into_iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .filter(|unit| distance(unit) < 1.0)
        .unwrap_or_else(|| 10f64.powf((1.7 / height).log10().round()))
}

#[cfg(test)]
mod tests {
    use super::guess_unit;

    #[test]
    fn usual_units_are_recognised() {
        assert_eq!(guess_unit(1.75), 1.0);
        assert_eq!(guess_unit(175.0), 0.01);
        assert_eq!(guess_unit(68.0), 0.0254);
        assert_eq!(guess_unit(1750.0), 0.001);
        assert_eq!(guess_unit(24.0), 0.056_44);
        assert_eq!(guess_unit(0.5), 1.0);
        assert_eq!(guess_unit(0.0), 1.0);
    }
}
