//! Unit and axes of a file, stated or guessed.

use rebone_io::{FileSpace, Format};
use rebone_model::Warning;
use rebone_model::axes::Axis;
use rebone_model::elementary::Elementary as _;
use rebone_setup::align::Alignment;

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

/// Above this a character is taller than anybody would build one, metres.
const GIANT: f64 = 20.0;

/// Below this a human is smaller than anybody would build one, metres.
const SPECK: f64 = 0.1;

/// Heights of creatures that are no humans, metres.
const CREATURE_HEIGHT: std::ops::RangeInclusive<f64> = 0.1..=5.0;

/// What of a body tells the unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    /// Units.
    pub(crate) height: f64,
    /// Joints of its skeleton.
    pub(crate) joints: usize,
    /// True where parts of a human body were found.
    pub(crate) is_humanoid: bool,
    /// True where it is a body of another kind.
    pub(crate) is_animal: bool,
}

/// Takes what is stated and guesses the rest from the body.
///
/// `stated` is about the numbers of the character, `file_space` about those in the file.
pub(crate) fn detect(
    stated: &FileSpace,
    file_space: &FileSpace,
    format: Format,
    body: &Body,
    alignment: &Alignment,
) -> (Space, Vec<Warning>) {
    let mut warnings = Vec::new();
    let meters_per_unit = stated
        .meters_per_unit
        .unwrap_or_else(|| guess_unit_of(body));
    let meters = body.height * meters_per_unit;
    if stated.meters_per_unit.is_none() {
        warnings.push(Warning::new(
            "unit-guessed",
            format!(
                "{} states no unit; a body {:.4} units high is taken as {meters:.2} m, so a unit is {meters_per_unit} m",
                format.name().to_uppercase(),
                body.height
            ),
            "the guess matters only for converting and for pictures, not for retargeting",
        ));
    } else if let Some(likely) = likely_unit(file_space, body, meters) {
        warnings.push(Warning::new(
            "unit-unlikely",
            format!(
                "the character is {} high by the unit that the file states ({}); its numbers are rather {}",
                length(meters),
                unit_name(likely.stated),
                unit_name(likely.unit)
            ),
            "retargeting is not affected, since travel is scaled by the bodies' sizes",
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

/// A unit that the body contradicts, and the one that fits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LikelyUnit {
    /// Metres a unit, as the file states it.
    pub(crate) stated: f64,
    /// Metres a unit, as the body shows it.
    pub(crate) unit: f64,
}

/// Where a body of this many metres cannot be: the unit that it shows.
pub(crate) fn likely_unit(file_space: &FileSpace, body: &Body, meters: f64) -> Option<LikelyUnit> {
    let giant = meters > GIANT && body.joints > 3;
    let speck = body.is_humanoid && meters > 0.0 && meters < SPECK;
    if !giant && !speck {
        return None;
    }
    let stated = file_space.meters_per_unit.unwrap_or(1.0);
    let units = meters / stated;
    // Of a creature only so much is known: it is neither a mouse nor a whale, and centimetres are usual.
    let is_creature = !body.is_humanoid && CREATURE_HEIGHT.contains(&(units * 0.01));
    Some(LikelyUnit {
        stated,
        unit: if is_creature { 0.01 } else { guess_unit(units) },
    })
}

/// `1.70 m`, `1.7 cm`.
pub(crate) fn length(meters: f64) -> String {
    match meters.abs() {
        far if far >= 20.0 => format!("{meters:.0} m"),
        near if near >= 0.1 => format!("{meters:.2} m"),
        _ => format!("{:.1} cm", 100.0 * meters),
    }
}

/// `centimetres`, `units of 0.0001 m`.
pub(crate) fn unit_name(meters_per_unit: f64) -> String {
    let known = [
        (1.0, "metres"),
        (0.01, "centimetres"),
        (0.0254, "inches"),
        (0.1, "decimetres"),
        (0.001, "millimetres"),
        (0.3048, "feet"),
    ];
    known
        .iter()
        .find(|(unit, _)| (unit - meters_per_unit).abs() < 1e-6 * unit)
        .map_or_else(
            || format!("units of {} m", (meters_per_unit * 1e9).round() / 1e9),
            |(_, name)| (*name).to_owned(),
        )
}

/// The unit in which a body has a usual size: a person that of a person, an animal that of any.
fn guess_unit_of(body: &Body) -> f64 {
    let fits = |unit: &f64| CREATURE_HEIGHT.contains(&(body.height * unit));
    let usual = [1.0, 0.01].into_iter().find(fits);
    match usual {
        Some(unit) if body.is_animal => unit,
        _ => guess_unit(body.height),
    }
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
    let distance = |unit: &f64| (height * unit / 1.7).logarithm().abs();
    UNITS
        .into_iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .filter(|unit| distance(unit) < 1.0)
        .unwrap_or_else(|| 10f64.power((1.7 / height).decimal_logarithm().round()))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn animals_are_of_any_size() {
        let dog = |height| {
            guess_unit_of(&Body {
                height,
                joints: 20,
                is_humanoid: false,
                is_animal: true,
            })
        };
        assert_eq!(dog(68.0), 0.01);
        assert_eq!(dog(0.3), 1.0);
        assert_eq!(dog(2400.0), 0.001);
    }

    #[test]
    fn a_stated_unit_is_doubted_only_where_nobody_is_so_large() {
        let human = |height| Body {
            height,
            joints: 20,
            is_humanoid: true,
            is_animal: false,
        };
        let stated = |unit| FileSpace {
            meters_per_unit: Some(unit),
            ..FileSpace::default()
        };
        let likely = |unit, meters| likely_unit(&stated(unit), &human(meters), meters);
        assert_eq!(likely(1.0, 1.7), None);
        assert_eq!(likely(1.0, 0.4), None);
        let told = likely(1.0, 170.0).unwrap();
        assert_eq!(unit_name(told.unit), "centimetres");
        let told = likely(0.01, 170.0).unwrap();
        assert_eq!(unit_name(told.unit), "units of 0.0001 m");
        let told = likely(0.01, 0.017).unwrap();
        assert_eq!(unit_name(told.unit), "metres");
        assert_eq!(length(0.017), "1.7 cm");
    }
}
