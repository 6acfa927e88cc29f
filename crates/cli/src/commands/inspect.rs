//! `rebone inspect`: what is in a file.

use crate::Outcome;
use crate::arguments::Inspect;
use crate::commands::inspect_text;
use crate::console;
use crate::failure::Failure;
use crate::files::Input;
use crate::json::{self, TransformJson, WarningJson};
use crate::session;
use crate::values;
use rebone::audit::{Finding, audit};
use rebone::io::FileSpace;
use rebone::model::kinematics::model_pose;
use rebone::model::{Clip, Interpolation, JointKind, Mat4, Transform};
use rebone::setup::align::PoseCandidate;
use rebone::setup::mapping::ProfileChoice;
use rebone::{Document, Format, Rig, Warning};
use serde::Serialize;

/// Everything found in a file.
pub(crate) struct Findings {
    pub(crate) name: String,
    pub(crate) format: Format,
    pub(crate) stated: FileSpace,
    pub(crate) rigs: Vec<Rig>,
    /// What is worth knowing about the space of each rig.
    pub(crate) space: Vec<Vec<Finding>>,
    pub(crate) warnings: Vec<Warning>,
}

impl Findings {
    /// The rig that tells unit and axes where the file does not.
    pub(crate) fn main_rig(&self) -> Option<&Rig> {
        self.rigs
            .iter()
            .max_by_key(|rig| (rig.map.slots.len(), rig.character.skeleton.len()))
    }

    /// The unit of the numbers in the file, metres; guessed where the file does not state it.
    pub(crate) fn meters_per_unit(&self) -> Option<f64> {
        let guessed = self.main_rig().map(|rig| rig.space.meters_per_unit);
        self.stated.meters_per_unit.or(guessed)
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Inspect) -> Result<Outcome, Failure> {
    let profile = values::profile(arguments.profile.as_deref())?;
    let input = Input::open(&arguments.file)?;
    let document = input.document(false)?;
    let findings = findings(input.path.display().to_string(), document, profile);
    if console::wants_json() {
        console::document(&document_json(&findings))?;
    } else {
        console::data(&inspect_text::text(&findings, arguments.joints))?;
        // The text says these already, in its lines about space and map.
        let holds_body = findings.rigs.iter().any(|rig| !rig.map.slots.is_empty());
        let in_text = |w: &Warning| match w.code {
            "unit-guessed" | "unit-unlikely" => true,
            "body-frame-unknown" => !holds_body,
            _ => false,
        };
        let told = findings.warnings.iter();
        let told: Vec<Warning> = told.filter(|&w| !in_text(w)).cloned().collect();
        console::warnings("", &told);
    }
    Ok(Outcome::Done)
}

fn findings(name: String, document: Document, profile: ProfileChoice) -> Findings {
    let Document {
        format,
        space,
        file_space,
        characters,
        mut warnings,
    } = document;
    let mut rigs = Vec::with_capacity(characters.len());
    for character in characters {
        let rig =
            Rig::from_character(character, format, space, Vec::new()).in_file_space(file_space);
        rigs.push(rig.mapped_as(profile));
    }
    let holds_body = rigs.iter().any(|rig| !rig.map.slots.is_empty());
    for rig in &rigs {
        // Cameras and props beside a body have no body, and need none.
        let beside = holds_body && rig.map.slots.is_empty();
        let matters = |w: &&Warning| !(beside && w.code == "body-frame-unknown");
        warnings.extend(rig.warnings.iter().filter(matters).cloned());
    }
    if rigs.is_empty() {
        warnings.push(Warning::new(
            "no-skeleton",
            "the file holds no skeleton and no animation of joints",
            "give a skinned character or a motion file if you want to retarget",
        ));
    }
    Findings {
        name,
        format,
        stated: file_space,
        space: rigs.iter().map(audit).collect(),
        rigs,
        warnings: session::distinct(&warnings),
    }
}

#[derive(Serialize)]
struct InspectJson<'a> {
    file: &'a str,
    format: &'a str,
    meters_per_unit: Option<f64>,
    up: Option<&'a str>,
    forward: Option<&'a str>,
    skeletons: Vec<SkeletonJson<'a>>,
    space: Vec<FindingJson<'a>>,
    clips: Vec<ClipJson<'a>>,
    warnings: Vec<WarningJson<'a>>,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    code: &'a str,
    skeleton: &'a str,
    joint: Option<&'a str>,
    message: &'a str,
}

#[derive(Serialize)]
struct SkeletonJson<'a> {
    name: &'a str,
    profile: &'a str,
    kind: &'a str,
    confidence: f32,
    rest_pose: &'a str,
    reference_pose: String,
    pose_choice: String,
    poses: Vec<PoseJson>,
    height: f64,
    skins: usize,
    joints: Vec<JointJson<'a>>,
    ancestors: Vec<JointJson<'a>>,
}

#[derive(Serialize)]
struct PoseJson {
    source: &'static str,
    seconds: Option<f32>,
    kind: &'static str,
    plausibility: f64,
    used: bool,
}

#[derive(Serialize)]
struct JointJson<'a> {
    name: &'a str,
    parent: Option<usize>,
    rest: TransformJson,
    rest_position: [f32; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    bind: Option<TransformJson>,
}

#[derive(Serialize)]
struct ClipJson<'a> {
    name: &'a str,
    skeleton: &'a str,
    seconds: f32,
    frames: usize,
    joints: usize,
    start: f32,
    keys: usize,
    interpolation: Vec<&'static str>,
}

fn document_json(findings: &Findings) -> InspectJson<'_> {
    let main = findings.main_rig();
    let stated = &findings.stated;
    let up = stated.up.or(main.map(|rig| rig.space.up));
    let forward = stated.forward.or(main.map(|rig| rig.space.forward));
    InspectJson {
        file: &findings.name,
        format: findings.format.name(),
        meters_per_unit: findings.meters_per_unit(),
        up: up.map(rebone::model::axes::Axis::name),
        forward: forward.map(rebone::model::axes::Axis::name),
        skeletons: findings.rigs.iter().map(skeleton_json).collect(),
        space: findings
            .rigs
            .iter()
            .zip(&findings.space)
            .flat_map(|(rig, found)| {
                found.iter().map(|finding| FindingJson {
                    code: finding.code,
                    skeleton: &rig.character.name,
                    joint: finding.joint.as_deref(),
                    message: &finding.message,
                })
            })
            .collect(),
        clips: findings
            .rigs
            .iter()
            .flat_map(|rig| rig.character.clips.iter().map(|clip| clip_json(rig, clip)))
            .collect(),
        warnings: json::warnings(&findings.warnings),
    }
}

fn skeleton_json(rig: &Rig) -> SkeletonJson<'_> {
    let skeleton = &rig.character.skeleton;
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let bind = bind_transforms(rig);
    let places = json::places_by_kind(skeleton);
    let of_kind = |kind: JointKind| {
        skeleton
            .joints()
            .iter()
            .enumerate()
            .filter(|(_, joint)| joint.kind == kind)
            .map(|(index, joint)| JointJson {
                name: skeleton.unique_name(index),
                parent: joint
                    .parent
                    .filter(|&parent| skeleton.joints()[parent].kind == kind)
                    .map(|parent| places[parent]),
                rest: joint.rest.into(),
                rest_position: (rest.position(index) * rig.space.meters_per_unit as f32).to_array(),
                bind: bind[index].map(TransformJson::from),
            })
            .collect()
    };
    SkeletonJson {
        name: &rig.character.name,
        profile: &rig.map.dialect,
        kind: rig.map.kind.name(),
        confidence: rig.map.confidence,
        rest_pose: pose_kind(rig),
        reference_pose: rig.alignment.pose_source.describe(),
        pose_choice: rig.alignment.explain_pose(),
        poses: rig
            .alignment
            .candidates
            .iter()
            .map(|entry| pose_json(rig, entry))
            .collect(),
        height: rig.height_meters(),
        skins: rig.character.skins.len(),
        joints: of_kind(JointKind::Joint),
        ancestors: of_kind(JointKind::Ancestor),
    }
}

/// What kind of pose the reference pose is; `unknown` too where its arms hang, but nobody stands like that.
pub(crate) fn pose_kind(rig: &Rig) -> &'static str {
    let alignment = &rig.alignment;
    let mut candidates = alignment.candidates.iter();
    candidates
        .find(|candidate| candidate.source == alignment.pose_source)
        .map_or(alignment.rest_kind, |candidate| candidate.rest_kind)
        .name()
}

fn pose_json(rig: &Rig, candidate: &PoseCandidate) -> PoseJson {
    PoseJson {
        source: candidate.source.name(),
        seconds: candidate.source.time(),
        kind: candidate.rest_kind.name(),
        plausibility: (candidate.plausibility * 1e3).round() / 1e3,
        used: candidate.source == rig.alignment.pose_source,
    }
}

/// Where each joint was, relative to the mesh, when the largest skin was bound to it.
fn bind_transforms(rig: &Rig) -> Vec<Option<Transform>> {
    let mut result = vec![None; rig.character.skeleton.len()];
    let skins = rig.character.skins.iter();
    let Some(skin) = skins.max_by_key(|skin| skin.joints.len()) else {
        return result;
    };
    for (&joint, joint_from_mesh) in skin.joints.iter().zip(&skin.inverse_bind) {
        let (transform, _) = Transform::from_matrix(Mat4::from(joint_from_mesh.inverse()));
        if transform.is_usable()
            && let Some(place) = result.get_mut(joint)
        {
            *place = Some(transform);
        }
    }
    result
}

fn clip_json<'a>(rig: &'a Rig, clip: &'a Clip) -> ClipJson<'a> {
    let keys = keys(clip);
    ClipJson {
        name: &clip.name,
        skeleton: &rig.character.name,
        seconds: clip.seconds(),
        frames: clip.frame_count(),
        joints: clip.animated_joint_count(),
        start: clip.time_span().0,
        keys: keys.count,
        interpolation: keys.interpolation,
    }
}

/// How a clip is keyed.
pub(crate) struct Keys {
    /// Over all tracks.
    pub(crate) count: usize,
    /// Names of the interpolations that occur.
    pub(crate) interpolation: Vec<&'static str>,
}

/// Counts the keys of a clip.
pub(crate) fn keys(clip: &Clip) -> Keys {
    let mut count = 0;
    let mut used = [false; 3];
    for tracks in &clip.joints {
        let channels = [
            tracks
                .translation
                .as_ref()
                .map(|track| (track.interpolation(), track.times().len())),
            tracks
                .rotation
                .as_ref()
                .map(|track| (track.interpolation(), track.times().len())),
            tracks
                .scale
                .as_ref()
                .map(|track| (track.interpolation(), track.times().len())),
        ];
        for (interpolation, keys) in channels.into_iter().flatten() {
            count += keys;
            used[match interpolation {
                Interpolation::Step => 0,
                Interpolation::Linear => 1,
                Interpolation::CubicSpline => 2,
            }] = true;
        }
    }
    let names = ["step", "linear", "cubic"];
    Keys {
        count,
        interpolation: names
            .into_iter()
            .zip(used)
            .filter_map(|(name, used)| used.then_some(name))
            .collect(),
    }
}
