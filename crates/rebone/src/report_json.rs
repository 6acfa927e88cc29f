//! The figures of a clip as JSON. What stands here is a contract: add, never change.

use crate::json::slot_name;
use rebone_report::{
    ConstantError, Moment, Report, Sides, SlotError, SlotHits, figures, point_name,
};
use rebone_runtime::contact::ContactPoint;
use rebone_setup::mapping::RigMap;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// The figures of one clip; angles in degrees, lengths and shares in percent of what their names say.
#[derive(Debug, Serialize)]
pub struct ReportJson<'a> {
    mean_direction_degrees: f64,
    max_direction_degrees: f64,
    #[serde(serialize_with = "object")]
    direction: Vec<(&'a str, DirectionJson)>,
    constant: Vec<ConstantJson<'a>>,
    verdict: &'static str,
    frames: usize,
    frames_measured: usize,
    #[serde(serialize_with = "object")]
    figures: Vec<(&'static str, FigureJson)>,
    feet: Option<FeetJson>,
    contacts: Option<ContactsJson>,
    #[serde(serialize_with = "object")]
    penetration_max_percent: Vec<(String, SidesJson)>,
    #[serde(serialize_with = "object")]
    limits: Vec<(&'a str, HitsJson)>,
    #[serde(serialize_with = "object")]
    step_max_degrees: Vec<(&'a str, SidesJson)>,
    moments: Vec<MomentJson<'a>>,
}

#[derive(Debug, Serialize)]
struct DirectionJson {
    mean_degrees: f64,
    max_degrees: f64,
}

impl From<&SlotError> for DirectionJson {
    fn from(error: &SlotError) -> Self {
        Self {
            mean_degrees: rounded(error.mean_degrees),
            max_degrees: rounded(error.max_degrees),
        }
    }
}

#[derive(Debug, Serialize)]
struct ConstantJson<'a> {
    slot: &'a str,
    kind: &'static str,
    degrees: f64,
}

/// One figure: the target's value, the source's where it has one.
#[derive(Debug, Serialize)]
struct FigureJson {
    value: f64,
    source: Option<f64>,
    unit: &'static str,
    verdict: &'static str,
}

#[derive(Debug, Serialize)]
struct SidesJson {
    source: f64,
    target: f64,
}

impl From<Sides> for SidesJson {
    fn from(sides: Sides) -> Self {
        Self {
            source: rounded(sides.source),
            target: rounded(sides.target),
        }
    }
}

#[derive(Debug, Serialize)]
struct FeetJson {
    #[serde(serialize_with = "object")]
    points: Vec<(String, PointJson)>,
    contacts: Vec<ContactJson>,
}

#[derive(Debug, Serialize)]
struct PointJson {
    contact_seconds: f64,
    slide_percent_per_second: SidesJson,
    drift_percent: SidesJson,
}

#[derive(Debug, Serialize)]
struct ContactJson {
    point: String,
    start_seconds: f32,
    end_seconds: f32,
    slide_percent_per_second: SidesJson,
    drift_percent: SidesJson,
}

/// When which point of the source touches; heights in its own file.
#[derive(Debug, Serialize)]
struct ContactsJson {
    ground_meters: f64,
    /// To the left and forwards.
    drift_meters_per_second: [f64; 2],
    #[serde(serialize_with = "object")]
    points: Vec<(&'static str, Vec<TouchJson>)>,
}

#[derive(Debug, Serialize)]
struct TouchJson {
    start_seconds: f64,
    end_seconds: f64,
    height_meters: f64,
    how: &'static str,
}

#[derive(Debug, Serialize)]
struct HitsJson {
    frames_percent: f64,
    max_degrees: f64,
}

impl From<&SlotHits> for HitsJson {
    fn from(hits: &SlotHits) -> Self {
        Self {
            frames_percent: rounded(hits.frames_percent),
            max_degrees: rounded(hits.max_degrees),
        }
    }
}

#[derive(Debug, Serialize)]
struct MomentJson<'a> {
    kind: &'static str,
    seconds: f32,
    value: f64,
    unit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    slot: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<String>,
}

/// Puts a report into its shape.
pub fn report<'a>(report: &Report, map: &'a RigMap) -> ReportJson<'a> {
    let slot = |slot| slot_name(map, slot);
    let directions = report.direction.iter();
    let depths = report.floor.iter().flat_map(|floor| &floor.points);
    let hits = report.limits.iter().flat_map(|limits| &limits.slots);
    let steps = report.pops.iter().flat_map(|pops| &pops.slots);
    let constant = |error: &ConstantError| ConstantJson {
        slot: slot(error.slot),
        kind: error.kind.name(),
        degrees: rounded(error.degrees),
    };
    let moment = |moment: &Moment| MomentJson {
        kind: moment.kind.name(),
        seconds: moment.seconds,
        value: rounded(moment.value),
        unit: moment.kind.unit(),
        slot: moment.slot.map(slot),
        point: moment.point.as_ref().map(point_name),
    };
    ReportJson {
        mean_direction_degrees: rounded(report.mean_direction_degrees),
        max_direction_degrees: rounded(report.max_direction_degrees),
        direction: directions
            .map(|error| (slot(error.slot), error.into()))
            .collect(),
        constant: report.constant.iter().map(constant).collect(),
        verdict: rebone_report::verdict(report).name(),
        frames: report.frames,
        frames_measured: report.frames_measured,
        figures: figures(report).iter().map(figure).collect(),
        feet: report.feet.as_ref().map(feet),
        contacts: report.contacts.as_ref().map(contacts),
        penetration_max_percent: depths
            .map(|depth| (point_name(&depth.point), depth.max_percent.into()))
            .collect(),
        limits: hits.map(|hits| (slot(hits.slot), hits.into())).collect(),
        step_max_degrees: steps
            .map(|step| (slot(step.slot), step.step_max_degrees.into()))
            .collect(),
        moments: report.moments.iter().map(moment).collect(),
    }
}

fn figure(figure: &rebone_report::Figure) -> (&'static str, FigureJson) {
    let entry = FigureJson {
        value: rounded(figure.value),
        source: figure.source.map(rounded),
        unit: figure.kind.unit,
        verdict: figure.verdict.name(),
    };
    (figure.kind.name, entry)
}

fn feet(feet: &rebone_report::FeetFigures) -> FeetJson {
    let name = |point: &ContactPoint| point_name(point);
    FeetJson {
        points: feet
            .points
            .iter()
            .map(|own| {
                let entry = PointJson {
                    contact_seconds: rounded(own.seconds),
                    slide_percent_per_second: own.slide_percent_per_second.into(),
                    drift_percent: own.drift_percent.into(),
                };
                (name(&own.point), entry)
            })
            .collect(),
        contacts: feet
            .contacts
            .iter()
            .map(|contact| ContactJson {
                point: name(&contact.point),
                start_seconds: contact.start_seconds,
                end_seconds: contact.end_seconds,
                slide_percent_per_second: contact.slide_percent_per_second.into(),
                drift_percent: contact.drift_percent.into(),
            })
            .collect(),
    }
}

fn contacts(contacts: &rebone_report::ContactFigures) -> ContactsJson {
    let touch = |touch: &rebone_report::TouchTime| TouchJson {
        start_seconds: rounded(f64::from(touch.start_seconds)),
        end_seconds: rounded(f64::from(touch.end_seconds)),
        height_meters: rounded(touch.height_meters),
        how: touch.how.name(),
    };
    let point = |own: &rebone_report::PointTouches| {
        let touches = own.touches.iter().map(touch).collect();
        (own.point.name(), touches)
    };
    ContactsJson {
        ground_meters: rounded(contacts.ground_meters),
        drift_meters_per_second: contacts.drift_meters_per_second.map(rounded),
        points: contacts.points.iter().map(point).collect(),
    }
}

/// What is beyond a ten-thousandth tells nothing.
pub fn rounded(value: f64) -> f64 {
    // Adding 0 makes -0 a 0.
    (value * 1e4).round() / 1e4 + 0.0
}

/// Pairs as an object, in their order.
fn object<S: Serializer, K: AsRef<str>, T: Serialize>(
    pairs: &[(K, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(Some(pairs.len()))?;
    for (name, value) in pairs {
        object.serialize_entry(name.as_ref(), value)?;
    }
    object.end()
}
