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
use crate::session;
use crate::settings::once_each;
use crate::table::{count, size, some_of};
use rebone::opening::Opening;
use rebone::{Format, RebindPlaces, Role, Warning};
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
    let choices = match &arguments.recipe {
        Some(path) => Choices::open(path)?,
        None => Choices::default(),
    };
    let source = Opening {
        skeleton: arguments.skeleton.as_deref(),
        ..Opening::new(Role::Source)
    };
    let target = Opening {
        skeleton: arguments.target_skeleton.as_deref(),
        meshes: true,
        ..Opening::new(Role::Target)
    };
    let (source, target) =
        session::load_pair((&arguments.source, &source), (&arguments.target, &target))?;
    let names = once_each(&arguments.clip);
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
    let (own, other) = (
        &source.rig.character.skeleton,
        &target.rig.character.skeleton,
    );
    let nodes = &made.bind.rebind.nodes;
    let joints = made.bind.rebind.joints.iter().enumerate();
    let joints: Vec<JointJson> = joints
        .map(|(joint, bound)| JointJson {
            target: other.unique_name(joint),
            source: (nodes[bound.node].source).map(|joint| own.unique_name(joint)),
            driven: bound.is_driven,
        })
        .collect();
    // Every joint of the source has a node, and there is the container.
    let copies = nodes.len() - 1 - own.len();
    let driven = joints.iter().filter(|joint| joint.driven).count();
    let mut text = format!(
        "{driven} of {} of the target follow joints of the source, {} more are rigid with them\n",
        count(joints.len(), "joint"),
        joints
            .iter()
            .filter(|joint| !joint.driven && joint.source.is_some())
            .count(),
    );
    for (clip, deviation) in made.character.clips.iter().zip(&made.deviations) {
        let Some(deviation) = deviation else { continue };
        text.push_str(&format!(
            "\"{}\": vertices {:.3} % of the height from a retarget on average, {:.3} % at most\n",
            clip.name,
            100.0 * deviation.mean,
            100.0 * deviation.largest,
        ));
    }
    let names: Vec<String> = (made.character.clips.iter())
        .map(|clip| format!("\"{}\"", clip.name))
        .collect();
    let held = match names.len() {
        0 => "no clip".to_owned(),
        number => format!("{}: {}", count(number, "clip"), some_of(&names, 6)),
    };
    text.push_str(&format!(
        "wrote {output} ({}; {held})\n",
        size(written.bytes.len())
    ));
    let clips = made.character.clips.iter().zip(&made.deviations);
    let document = RebindJson {
        output: &output,
        clips: clips
            .map(|(clip, deviation)| ClipJson {
                name: &clip.name,
                mean_deviation: deviation.map(|found| found.mean),
                largest_deviation: deviation.map(|found| found.largest),
            })
            .collect(),
        joints,
        copies,
        warnings: json::warnings(&warnings),
    };
    outputs.commit(|| console::answer(&document, &text, &warnings))?;
    Ok(Outcome::Done)
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
