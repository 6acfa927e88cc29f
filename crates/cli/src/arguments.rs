//! The command line as typed.

use crate::figures::Check;
use crate::settings;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use rebone::core::align::PoseChoice;
use rebone::core::foreign::Tool;
use rebone::{Method, Preset, RootScale};
use std::path::PathBuf;

const OVERVIEW: &str = "\
Formats (known by content): read and write FBX, glTF, GLB, VRM, VRMA, BVH.
Slots are called as in VRM 1.0: hips, spine, head, leftUpperArm, leftHand, ...
Exit codes: 0 done; 1 done, but a --fail-on check was not met; 2 error, nothing was written.

Start here:
  rebone demo
  rebone inspect hero.glb
  rebone retarget walk.bvh hero.glb -o hero_walk.glb";

const RETARGET_EXAMPLES: &str = "\
Examples:
  rebone retarget dance.bvh hero.vrm -o hero_dance.vrm --fail-on 'mean_direction>5'
  rebone retarget walk_without_skin.fbx hero.fbx -o hero_walk.fbx
  rebone retarget moves/ hero.glb -o hero_moves.glb
  rebone retarget run.fbx hero.glb -o hero_run.glb --rest runner_in_t_pose.fbx";

const MIRROR_EXAMPLES: &str = "\
Examples:
  rebone mirror wave.glb -o wave_mirrored.glb
  rebone mirror guard.fbx -o guard_mirrored.fbx --twins ShieldArm=SwordArm";

const ROOT_SCALES: &str = "\
Law of the size of steps [default: auto, but none with the preset match-source]

Possible values:
- auto:         by leg length plus hip width, so that strides fit the target's legs
- legs:         by leg length alone
- hips:         by the height of the hips when standing
- stature:      by the height of the head
- legs-stature: by the mean of legs and stature: between equal strides and equal heights
- none:         steps as long as the source's, in metres
- a number:     target metres a source metre";

/// Moves skeletal animation from any character to any other.
#[derive(Debug, Parser)]
#[command(name = "rebone", version, about, after_help = OVERVIEW, arg_required_else_help = true)]
#[command(max_term_width = 100, propagate_version = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Retarget the built-in walk onto three built-in characters
    #[command(after_help = "Example:\n  rebone demo -o tour")]
    Demo(Demo),
    /// Show what is in a file: units, axes, skeletons, clips
    #[command(after_help = "Example:\n  rebone inspect hero.vrm --joints")]
    Inspect(Inspect),
    /// Show which joint is which slot: of one rig, or between two
    #[command(
        after_help = "Examples:\n  rebone map hero.glb\n  rebone map walk.bvh hero.glb -o hero.toml\n  rebone map hero.glb -o hero.tres"
    )]
    Map(Map),
    /// Show the pose in which characters are compared: what was corrected, and why
    #[command(
        after_help = "Examples:\n  rebone align hero.glb\n  rebone align walk.bvh hero.glb\n  \
                      rebone render --retarget-pose walk.bvh hero.glb -o pose.png"
    )]
    Align(Align),
    /// Move the animation of SOURCE onto TARGET
    #[command(after_help = RETARGET_EXAMPLES)]
    Retarget(Box<Retarget>),
    /// Compile a pair into a .retarget file, which runs on any clip of the same source rig
    #[command(after_help = "Example:\n  rebone compile walk.bvh hero.glb -o hero.retarget")]
    Compile(Compile),
    /// Run a .retarget file on a clip
    #[command(after_help = "Example:\n  rebone apply hero.retarget dance.bvh -o hero_dance.glb")]
    Apply(Apply),
    /// Write the same motion in another format
    #[command(after_help = "Example:\n  rebone convert dance.bvh dance.glb")]
    Convert(Convert),
    /// Mirror clips: what was done with the left is done with the right
    #[command(after_help = MIRROR_EXAMPLES)]
    Mirror(Mirror),
    /// Draw files: a filmstrip (svg, png) or an animated picture (gif)
    #[command(
        after_help = "Example:\n  rebone render walk.bvh hero_walk.glb -o compare.png --frames 6"
    )]
    Render(Render),
}

/// `rebone demo`.
#[derive(Args, Debug)]
pub(crate) struct Demo {
    /// Folder for the results; made if it does not exist
    #[arg(short, long, value_name = "DIR", default_value = "rebone-demo")]
    pub(crate) output: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// `rebone inspect`.
#[derive(Args, Debug)]
pub(crate) struct Inspect {
    /// The file to look into
    pub(crate) file: PathBuf,
    /// Profile by which joints are found: humanoid, quadruped, or a file [default: what it looks like]
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// List all joints, with slot and rest position
    #[arg(long)]
    pub(crate) joints: bool,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// `rebone map`.
#[derive(Args, Debug)]
pub(crate) struct Map {
    /// The rig, or the source where there are two
    #[arg(value_name = "FILE")]
    pub(crate) source: PathBuf,
    /// The target
    pub(crate) target: Option<PathBuf>,
    /// Write the mapping as a recipe, to edit and give to `retarget --recipe`; or as the map of another tool,
    /// known by --as or by the name (.tres, .meta, .xml, .bmap, .bonemap)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The tool whose map is written
    #[arg(long = "as", value_name = "TOOL", requires = "output", value_parser = tool_parser())]
    pub(crate) tool: Option<Tool>,
    /// Choices about slots and links to put on top: a recipe, or the map of another tool
    #[arg(long, value_name = "FILE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Profile by which joints are found: humanoid, quadruped, or a file [default: what it looks like]
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// Write the profile of the first file with the names of its joints, to edit and give to --profile
    #[arg(long, value_name = "PROFILE")]
    pub(crate) save_profile: Option<PathBuf>,
    /// Also carry limbs over between kinds: arms to front legs, legs to hind legs
    #[arg(long, requires = "target")]
    pub(crate) across_kinds: bool,
    /// Skeleton of the first file, where it holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Skeleton of the target, where it holds several
    #[arg(long, value_name = "NAME", requires = "target")]
    pub(crate) target_skeleton: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// Only names of tools are accepted, and listed in the help.
fn tool_parser() -> impl TypedValueParser<Value = Tool> {
    PossibleValuesParser::new(
        Tool::ALL.map(|tool| PossibleValue::new(tool.name()).help(tool.title())),
    )
    .try_map(|name| Tool::parse(&name).ok_or("there is no such tool"))
}

/// `rebone align`.
#[derive(Args, Debug)]
pub(crate) struct Align {
    /// The rig, or the source where there are two
    pub(crate) file: PathBuf,
    /// The target, shown as it is beside the source
    pub(crate) other: Option<PathBuf>,
    /// Choices and corrections whose effect is to be seen; of one file those of the target
    #[arg(long, value_name = "RECIPE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Skeleton of the first file, where it holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Skeleton of the target, where it holds several
    #[arg(long, value_name = "NAME", requires = "other")]
    pub(crate) target_skeleton: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// `rebone retarget`.
#[derive(Args, Debug)]
pub(crate) struct Retarget {
    /// The file with the motion, or a folder of such files, all of whose clips are taken
    pub(crate) source: PathBuf,
    /// The file with the character that is to move
    pub(crate) target: PathBuf,
    /// The result: the target with the new clips (fbx, glb, gltf, vrm), or a motion file (bvh, vrma)
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Choices and corrections, as `rebone map SOURCE TARGET -o RECIPE` writes them; or the map of another tool
    /// (Unreal, Unity, Godot, HumanIK, Auto-Rig Pro, ...)
    #[arg(long, value_name = "RECIPE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Write the choices of this run, with every joint it used
    #[arg(long, value_name = "RECIPE")]
    pub(crate) save_recipe: Option<PathBuf>,
    /// Clip of the source; may be given several times [default: all clips]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Skeleton of the source, where it holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Skeleton of the target, where it holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) target_skeleton: Option<String>,
    /// Another file of the source's rig, from whose pose the source is compared with the target
    #[arg(long, value_name = "FILE", conflicts_with = "rest_frame")]
    pub(crate) rest: Option<PathBuf>,
    /// The same for the target
    #[arg(long, value_name = "FILE", conflicts_with = "target_rest_frame")]
    pub(crate) target_rest: Option<PathBuf>,
    /// Frame of the source's first clip to compare from: a number counted from 0, or seconds as 1.5s
    #[arg(long, value_name = "N", value_parser = settings::moment)]
    pub(crate) rest_frame: Option<PoseChoice>,
    /// The same for the target
    #[arg(long, value_name = "N", value_parser = settings::moment)]
    pub(crate) target_rest_frame: Option<PoseChoice>,
    /// How rotations are transferred [default: model-delta]
    #[arg(long, value_name = "METHOD", value_parser = method_parser())]
    pub(crate) method: Option<Method>,
    /// A named set of choices [default: faithful]
    #[arg(long, value_name = "PRESET", value_parser = preset_parser())]
    pub(crate) preset: Option<Preset>,
    /// Law of the size of steps: auto, legs, hips, stature, legs-stature, none, or a number [default: auto]
    #[arg(long, value_name = "SCALE", value_parser = settings::root_scale, allow_negative_numbers = true)]
    #[arg(long_help = ROOT_SCALES)]
    pub(crate) root_scale: Option<RootScale>,
    /// Profile by which joints are found: humanoid, quadruped, or a file [default: what it looks like]
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// Also between kinds: arms move front legs, legs hind legs, and the other way round
    #[arg(long)]
    pub(crate) across_kinds: bool,
    /// Frames a second of the result [default: the source's own keys]
    #[arg(long, value_name = "N", value_parser = settings::rate_hz, allow_negative_numbers = true)]
    pub(crate) fps: Option<f64>,
    /// Write the quality figures as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// End with exit code 1 if this holds, as mean_direction>5 (degrees); several after commas
    #[arg(long, value_name = "EXPR", value_delimiter = ',', value_parser = Check::parse)]
    pub(crate) fail_on: Vec<Check>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// `rebone compile`.
#[derive(Args, Debug)]
pub(crate) struct Compile {
    /// The rig that will move, with or without clips
    pub(crate) source: PathBuf,
    /// The rig that will be moved
    pub(crate) target: PathBuf,
    /// The .retarget file
    #[arg(short, long, value_name = "X.retarget")]
    pub(crate) output: PathBuf,
    /// Choices: a recipe, or the map of another tool
    #[arg(long, value_name = "FILE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Clip of the source to look at for floor and pose; may be given several times [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Skeleton of the source, where the file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Skeleton of the target, where the file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) target_skeleton: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// `rebone apply`.
#[derive(Args, Debug)]
pub(crate) struct Apply {
    /// What `rebone compile` wrote
    #[arg(value_name = "X.retarget")]
    pub(crate) asset: PathBuf,
    /// A file with clips of the source rig
    #[arg(value_name = "CLIP")]
    pub(crate) clips: PathBuf,
    /// The result: the target's skeleton with the clips; its extension chooses the format
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Which clip; may be given several times [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// The skeleton, where the file of clips holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// `rebone convert`.
#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// The file to convert
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The result; its extension chooses the format
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The clip, for formats that hold only one; may be given several times for the others
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// The skeleton, where the file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// `rebone mirror`.
#[derive(Args, Debug)]
pub(crate) struct Mirror {
    /// The file with the clips
    pub(crate) file: PathBuf,
    /// The result; its extension chooses the format
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The clip; may be given several times [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Two joints that are each other's twins, or one that is its own (Tail=Tail), where they were not
    /// found; may be given several times
    #[arg(long, value_name = "JOINT=JOINT", value_parser = pair_of_names)]
    pub(crate) twins: Vec<(String, String)>,
    /// The skeleton, where the file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// `A=B`.
fn pair_of_names(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((first, second)) if !first.is_empty() && !second.is_empty() => {
            Ok((first.to_owned(), second.to_owned()))
        }
        _ => Err("give two joints as LEFT=RIGHT".to_owned()),
    }
}

/// `rebone render`.
#[derive(Args, Debug)]
pub(crate) struct Render {
    /// The files, in the order of their rows
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The picture: svg or png (filmstrip), or gif (playback; a turntable where nothing moves)
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The clip to show; may be given several times, each a row of its own [default: the first that all
    /// files have, else the first of the first file and the last of each further one]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Draw the files side by side in the pose in which `retarget` compares them: the first as the source,
    /// the others as its targets
    #[arg(long, conflicts_with = "clip")]
    pub(crate) retarget_pose: bool,
    /// Choices and corrections whose effect on the retarget pose is to be seen; of one file those of the target
    #[arg(long, value_name = "RECIPE", requires = "retarget_pose")]
    pub(crate) recipe: Option<PathBuf>,
    /// The skeleton, where a file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Pictures a row of a filmstrip
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) frames: u16,
    /// Where the camera stands
    #[arg(long, value_enum, default_value_t)]
    pub(crate) view: View,
    /// What of the characters is drawn
    #[arg(long, value_enum, default_value_t)]
    pub(crate) style: Style,
    /// Height of a picture in pixels [default: 300, gif: 360]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(32..=4096))]
    pub(crate) size: Option<u32>,
    /// Draw all characters equally tall [default: true sizes, unless one is over 3 times as tall]
    #[arg(long)]
    pub(crate) same_height: bool,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// Camera places by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// Straight in front
    Front,
    /// On the right of the character
    Side,
    /// In between
    #[default]
    ThreeQuarter,
}

/// What is drawn, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Meshes where there are some, else the skeleton
    #[default]
    Auto,
    /// Meshes
    Mesh,
    /// Skeleton
    Skeleton,
    /// Meshes with the skeleton shining through
    Both,
}

fn method_parser() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(method_value))
        .try_map(|name| Method::parse(&name).ok_or("there is no such method"))
}

fn preset_parser() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(preset_value))
        .try_map(|name| Preset::parse(&name).ok_or("there is no such preset"))
}

fn method_value(method: Method) -> PossibleValue {
    PossibleValue::new(method.name()).help(match method {
        Method::ModelDelta => {
            "How far each joint turned from the common pose, seen from the whole body"
        }
        Method::RestDelta => "The same from both files' rest poses, as they are",
        Method::Channels => {
            "Translation, rotation and scale of every joint, each by a constant matrix"
        }
        Method::ParentDelta => "Only the difference between the parents' rest poses is taken out",
    })
}

fn preset_value(preset: Preset) -> PossibleValue {
    PossibleValue::new(preset.name()).help(match preset {
        Preset::Faithful => {
            "Both characters are first brought into one pose, so that limbs point alike"
        }
        Preset::Humanik => "Both stances are taken as equal, as HumanIK does",
        Preset::Mixamo => "Only the arms are brought into one pose, as Mixamo does",
        Preset::MatchSource => "As faithful, but steps are as long as the source's",
    })
}
