//! `rebone rebind`: the target's skin on the source's skeleton.

use crate::Outcome;
use crate::arguments::{Places, Rebind};
use crate::choices::Choices;
use crate::console;
use crate::failure::Failure;
use crate::files;
use crate::json::{self, WarningJson};
use crate::losses;
use crate::outputs::Outputs;
use crate::session::{self, Loaded};
use crate::table::{count, size};
use rebone::opening::Opening;
use rebone::{Format, RebindPlaces, RebindResult, Role, Warning};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct RebindJson<'a> {
    output: &'a str,
    clips: Vec<ClipJson<'a>>,
    joints: Vec<JointJson<'a>>,
    copies: usize,
    warnings: Vec<WarningJson<'a>>,
}

#[derive(Serialize)]
struct ClipJson<'a> {
    name: &'a str,
    /// Distance of vertices from those of a retarget, parts of the height.
    mean_deviation: Option<f64>,
    largest_deviation: Option<f64>,
}

#[derive(Serialize)]
struct JointJson<'a> {
    target: &'a str,
    source: Option<&'a str>,
    /// False for a joint that is rigid with the source's joint.
    driven: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Rebind) -> Result<Outcome, Failure> {
    let format = files::format_of(&arguments.output)?;
    check_format(format, &arguments.output)?;
    let mut outputs = Outputs::new([arguments.source.as_path(), arguments.target.as_path()]);
    outputs.announce(&arguments.output)?;
    let choices = Choices::open(arguments.recipe.as_deref())?;
    let (source, target) = load(arguments)?;
    let names = session::once_each(&arguments.clip);
    session::clips_named(&source, &names)?;
    let (mut recipe, mut warnings) = choices.for_pair(&source, &target);
    if let Some(scale) = arguments.root_scale {
        recipe.root_scale = scale;
    }
    let places = match arguments.places {
        Places::Fitted => RebindPlaces::Fitted,
        Places::Raw => RebindPlaces::Raw,
    };
    let mut made = rebone::rebind(&source.rig, &target.rig, &names, &recipe, places)
        .map_err(|error| choices.failure(&arguments.target, error))?;
    if arguments.without_clips {
        made.character.clips.clear();
        made.deviations.clear();
    }
    let written = rebone::write_motion(&target.rig, made.character.clone(), format)
        .map_err(|error| Failure::in_file(&arguments.output, error))?;
    warnings.extend(made.warnings.iter().cloned());
    warnings.extend(losses::of_rebind(&target.rig, format));
    warnings.extend(written.warnings);
    let warnings: Vec<Warning> = session::distinct(&warnings);
    outputs.stage(&arguments.output, &written.bytes)?;
    let output = arguments.output.display().to_string();
    let document = RebindJson {
        output: &output,
        clips: clips_json(&made),
        joints: joints_json(&made, &source, &target),
        // Every joint of the source has a node, and there is the container.
        copies: made.bind.rebind.nodes.len() - 1 - source.rig.character.skeleton.len(),
        warnings: json::warnings(&warnings),
    };
    let mut text = following_in_words(&document.joints);
    text.push_str(&deviations_in_words(&document.clips));
    let names = made.character.clips.iter().map(|clip| clip.name.as_str());
    text.push_str(&format!(
        "wrote {output} ({}; {})\n",
        size(written.bytes.len()),
        session::clips_in_words(names)
    ));
    outputs.commit(|| console::answer(&document, &text, &warnings))?;
    Ok(Outcome::Done)
}

/// Reads the source, and the target with its skin.
fn load(arguments: &Rebind) -> Result<(Loaded, Loaded), Failure> {
    let source = Opening {
        skeleton: arguments.skeleton.as_deref(),
        ..Opening::new(Role::Source)
    };
    let target = Opening {
        skeleton: arguments.target_skeleton.as_deref(),
        meshes: true,
        ..Opening::new(Role::Target)
    };
    session::load_pair((&arguments.source, &source), (&arguments.target, &target))
}

fn clips_json(made: &RebindResult) -> Vec<ClipJson<'_>> {
    let clips = made.character.clips.iter().zip(&made.deviations);
    clips
        .map(|(clip, deviation)| ClipJson {
            name: &clip.name,
            mean_deviation: deviation.map(|found| found.mean),
            largest_deviation: deviation.map(|found| found.largest),
        })
        .collect()
}

fn joints_json<'a>(
    made: &RebindResult,
    source: &'a Loaded,
    target: &'a Loaded,
) -> Vec<JointJson<'a>> {
    let [from, to] = [source, target].map(|side| &side.rig.character.skeleton);
    let rebind = &made.bind.rebind;
    let joints = rebind.joints.iter().enumerate();
    joints
        .map(|(joint, bound)| JointJson {
            target: to.unique_name(joint),
            source: (rebind.nodes[bound.node].source).map(|joint| from.unique_name(joint)),
            driven: bound.is_driven,
        })
        .collect()
}

/// Says how many joints of the target follow joints of the source.
fn following_in_words(joints: &[JointJson<'_>]) -> String {
    let driven = joints.iter().filter(|joint| joint.driven).count();
    let rigid = joints
        .iter()
        .filter(|joint| !joint.driven && joint.source.is_some())
        .count();
    format!(
        "{driven} of {} of the target follow joints of the source, {rigid} more are rigid with them\n",
        count(joints.len(), "joint")
    )
}

/// One line per clip that was compared with a retarget.
fn deviations_in_words(clips: &[ClipJson<'_>]) -> String {
    let line = |clip: &ClipJson<'_>| {
        Some(format!(
            "\"{}\": vertices {:.3} % of the height from a retarget on average, {:.3} % at most\n",
            clip.name,
            100.0 * clip.mean_deviation?,
            100.0 * clip.largest_deviation?,
        ))
    };
    clips.iter().filter_map(line).collect()
}

fn check_format(format: Format, output: &Path) -> Result<(), Failure> {
    match format {
        Format::Glb | Format::Gltf | Format::Fbx => Ok(()),
        Format::Vrm => Err(Failure::at(
            output,
            "an avatar's expressions, springs and gaze speak of its own joints, which a re-based skin no longer has",
            "name the output *.glb, or use `rebone retarget` for a .vrm",
        )),
        Format::Bvh | Format::Vrma | Format::Urdf | Format::Mjcf => Err(Failure::at(
            output,
            format_args!("a .{} holds no skin", format.name()),
            "name the output *.glb or *.fbx",
        )),
    }
}
