//! Results as JSON. `types.d.ts` says the same to TypeScript, and the tests of the package compare both.

use rebone::audit::Finding;
use rebone::json::{MapJson, RootScaleJson, TransformJson, WarningJson, slot_name};
use rebone::model::{JointKind, Skeleton};
use rebone::report::{Series, point_name};
use rebone::report_json::ReportJson;
use rebone::runtime::contact::ContactPoint;
use rebone::{Clip, RigMap};
use serde::Serialize;

/// What is in a file.
#[derive(Serialize)]
pub(crate) struct RigJson<'a> {
    pub(crate) name: &'a str,
    pub(crate) format: &'a str,
    pub(crate) skeleton: &'a str,
    pub(crate) skeletons: &'a [String],
    pub(crate) meters_per_unit: f64,
    pub(crate) unit_is_stated: bool,
    pub(crate) up: &'a str,
    pub(crate) forward: &'a str,
    /// Rotation x, y, z, w.
    pub(crate) canonical_from_file: [f32; 4],
    /// Metres.
    pub(crate) height: f64,
    pub(crate) nodes: Vec<NodeJson<'a>>,
    pub(crate) map: MapJson<'a>,
    pub(crate) clips: Vec<ClipJson<'a>>,
    pub(crate) skins: usize,
    pub(crate) space: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
pub(crate) struct NodeJson<'a> {
    name: &'a str,
    parent: Option<usize>,
    is_joint: bool,
    rest: TransformJson,
}

#[derive(Serialize)]
pub(crate) struct ClipJson<'a> {
    name: &'a str,
    start: f32,
    seconds: f32,
    frames: usize,
    joints: usize,
}

#[derive(Serialize)]
pub(crate) struct FindingJson<'a> {
    code: &'a str,
    joint: Option<&'a str>,
    message: &'a str,
}

pub(crate) fn nodes(skeleton: &Skeleton) -> Vec<NodeJson<'_>> {
    let joints = skeleton.joints().iter().enumerate();
    joints
        .map(|(index, joint)| NodeJson {
            name: skeleton.unique_name(index),
            parent: joint.parent,
            is_joint: joint.kind == JointKind::Joint,
            rest: joint.rest.into(),
        })
        .collect()
}

pub(crate) fn clip(clip: &Clip) -> ClipJson<'_> {
    ClipJson {
        name: &clip.name,
        start: clip.time_span().0,
        seconds: clip.seconds(),
        frames: clip.frame_count(),
        joints: clip.animated_joint_count(),
    }
}

pub(crate) fn findings(found: &[Finding]) -> Vec<FindingJson<'_>> {
    let shape = |finding| {
        let Finding {
            code,
            joint,
            message,
        }: &Finding = finding;
        FindingJson {
            code,
            joint: joint.as_deref(),
            message,
        }
    };
    found.iter().map(shape).collect()
}

/// What a retarget has made.
#[derive(Serialize)]
pub(crate) struct ResultJson<'a> {
    pub(crate) clips: Vec<MadeJson<'a>>,
    pub(crate) root_scale: RootScaleJson,
    pub(crate) warnings: SidesJson<'a>,
}

#[derive(Serialize)]
pub(crate) struct MadeJson<'a> {
    pub(crate) name: &'a str,
    pub(crate) start: f32,
    pub(crate) seconds: f32,
    pub(crate) frames: usize,
    pub(crate) verdict: &'static str,
    pub(crate) report: ReportJson<'a>,
}

/// Doubts by what they are about.
#[derive(Serialize)]
pub(crate) struct SidesJson<'a> {
    pub(crate) source: Vec<WarningJson<'a>>,
    pub(crate) target: Vec<WarningJson<'a>>,
    pub(crate) pair: Vec<WarningJson<'a>>,
}

/// What the figures are made of, over time.
#[derive(Serialize)]
pub(crate) struct SeriesJson<'a> {
    seconds: &'a [f32],
    starts: &'a [usize],
    feet: Vec<FootJson<'a>>,
    direction_degrees: &'a [f64],
    knees: Vec<KneeJson<'a>>,
    /// To the left and forwards, legs.
    hips_path: BothJson<Vec<[f64; 2]>>,
    hips_height: BothJson<&'a [f64]>,
}

#[derive(Serialize)]
struct BothJson<T> {
    source: T,
    target: T,
}

#[derive(Serialize)]
struct FootJson<'a> {
    point: String,
    height_percent: BothJson<&'a [f64]>,
    speed_percent_per_second: BothJson<&'a [f64]>,
    /// First and last frames.
    contacts: BothJson<&'a [(usize, usize)]>,
}

#[derive(Serialize)]
struct KneeJson<'a> {
    slot: &'a str,
    degrees: BothJson<&'a [f64]>,
}

fn both(lists: &[Vec<f64>; 2]) -> BothJson<&[f64]> {
    BothJson {
        source: &lists[0],
        target: &lists[1],
    }
}

pub(crate) fn series<'a>(series: &'a Series, map: &'a RigMap) -> SeriesJson<'a> {
    let name = |point: &ContactPoint| point_name(point);
    let [source, target] = [0, 1].map(|side| {
        series.paths[side]
            .iter()
            .map(|way| [way.x, way.y])
            .collect()
    });
    SeriesJson {
        seconds: &series.seconds,
        starts: &series.starts,
        feet: series
            .points
            .iter()
            .map(|own| FootJson {
                point: name(&own.point),
                height_percent: both(&own.height_percent),
                speed_percent_per_second: both(&own.speed_percent_per_second),
                contacts: BothJson {
                    source: &own.contacts,
                    target: &own.target_contacts,
                },
            })
            .collect(),
        direction_degrees: &series.direction_degrees,
        knees: series
            .knees
            .iter()
            .map(|own| KneeJson {
                slot: slot_name(map, own.slot),
                degrees: both(&own.degrees),
            })
            .collect(),
        hips_path: BothJson { source, target },
        hips_height: both(&series.hips_height),
    }
}
