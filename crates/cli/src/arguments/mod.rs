//! The command line as typed.

mod batch;
mod layer;
mod mirror;
mod pair;
mod rebind;
mod recipe;
mod render;
mod report;
mod retarget;
mod shortcuts;
mod studio;

pub(crate) use batch::Batch;
pub(crate) use layer::{From as LayerFrom, Layer};
pub(crate) use mirror::Mirror;
pub(crate) use pair::Pair;
pub(crate) use rebind::{Places, Rebind};
pub(crate) use recipe::{Recipe, Settings};
pub(crate) use render::{CameraMotion, Render, Style, View};
pub(crate) use report::Report;
pub(crate) use retarget::{Apply, Compile, Output, Retarget};
pub(crate) use studio::Studio;

use crate::console::Manner;
use crate::figures;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use rebone::Format;
use rebone::setup::foreign::Tool;
use std::path::PathBuf;

/// Headings of options: what to choose in general, how clips come out, how source and target are read, and how good a result is.
const CHOICES: &str = "Choices";
const MOTION: &str = "Motion";
const RIGS: &str = "Source and target";
const QUALITY: &str = "Quality";

/// Heading of the options that every command has.
const EVERYWHERE: &str = "Everywhere";

const OVERVIEW: &str = "\
Formats (known by content): read and write FBX, glTF, GLB, VRM, VRMA, BVH; robots are read from URDF and MJCF.
Slots are called as in VRM 1.0: hips, spine, head, leftUpperArm, leftHand, ...
Exit codes: 0 done; 1 done, but a --fail-on check was not met; 2 error, nothing was written.

Start here:
  rebone demo
  rebone inspect hero.glb
  rebone retarget walk.bvh hero.glb -o hero_walk.glb";

const SETTINGS_EXAMPLES: &str = "\
Examples:
  rebone settings feet
  rebone retarget walk.bvh hero.glb -o hero_walk.glb --set feet.lock=0.5 --set preset=mixamo";

const RETARGET_EXAMPLES: &str = "\
All options: rebone retarget --help. Everything that can be chosen: rebone settings.

Examples:
  rebone retarget dance.bvh hero.vrm -o hero_dance.vrm --fail-on 'mean_direction>5'
  rebone retarget moves/ hero.glb -o hero_moves.glb
  rebone retarget run.fbx hero.glb -o hero_run.glb --rest runner_in_t_pose.fbx";

const BATCH_EXAMPLES: &str = "\
A second run skips what is up to date, so a run that was stopped goes on when it is started again. One broken file does \
not stop the others. DIR/manifest.jsonl has a line of JSON per source and target: hashes, outputs, verdict, seconds, \
figures, warnings. Exit codes: 1 if a --fail-on check is not met anywhere, 2 if a file could not be read or written.

Examples:
  rebone batch mocap/ --recursive -t hero.glb -o out
  rebone batch 'mocap/*.bvh' -t hero.vrm -t brute.fbx -o out --report overview.html
  rebone batch @clips.txt -t heroes/ -o 'out/{target}/{source}_{clip}.glb' --shard 3/8";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  rebone completions bash > ~/.local/share/bash-completion/completions/rebone
  rebone completions zsh > ~/.zfunc/_rebone
  rebone completions fish > ~/.config/fish/completions/rebone.fish
  rebone completions powershell >> $PROFILE";

const MIRROR_EXAMPLES: &str = "\
Examples:
  rebone mirror wave.glb -o wave_mirrored.glb
  rebone mirror guard.fbx -o guard_mirrored.fbx --twins ShieldArm=SwordArm";

const REBIND_EXAMPLES: &str = "\
Examples:
  rebone rebind walk.bvh hero.glb -o hero_on_walk.glb
  rebone rebind walk.bvh hero.glb -o hero_on_walk.glb --places raw
  rebone rebind walk.bvh hero.glb -o hero_on_walk.glb --root-scale 1,1,0";

const RECIPE_EXAMPLES: &str = "\
Examples:
  rebone recipe hero.toml
  rebone recipe hero.toml hero_with_wider_arms.toml
  rebone recipe --schema > recipe.schema.json";

const LAYER_EXAMPLES: &str = "\
Examples:
  rebone layer walk.glb breathe.glb -o walk_breathing.glb --from first
  rebone layer run.bvh wave.bvh -o run_waving.bvh --blend --below RightArm";

const STUDIO_EXAMPLES: &str = "\
Examples:
  rebone studio
  rebone studio walk.fbx hero.vrm
  rebone studio walk.fbx hero.vrm brute.glb hero.toml --port 8080 --no-open";

/// Moves skeletal animation from any character to any other.
#[derive(Debug, Parser)]
#[command(name = "rebone", version, about, after_help = OVERVIEW, arg_required_else_help = true)]
#[command(max_term_width = 100, propagate_version = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print one JSON document, also for an error
    #[arg(long = "json", global = true, help_heading = EVERYWHERE)]
    _json: bool,
    /// Replace files that exist [default: ask at a terminal, else refuse]
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) force: bool,
    /// Say what is done, with times
    #[arg(short, long, global = true, help_heading = EVERYWHERE, conflicts_with = "quiet")]
    verbose: bool,
    /// Say nothing but errors, and data that was asked for
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    quiet: bool,
    /// Colours: auto looks for a terminal and heeds NO_COLOR
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "WHEN", value_enum, default_value_t)]
    color: Color,
}

/// Commands of many options, of which `-h` shows the [frequent](FREQUENT) ones.
const LONG: [&str; 3] = ["retarget", "batch", "compile"];

/// Options that most people need.
const FREQUENT: [&str; 12] = [
    "output",
    "recipe",
    "set",
    "preset",
    "clip",
    "fps",
    "mirror",
    "in-place",
    "root-scale",
    "report",
    "fail_on",
    "jobs",
];

impl Arguments {
    /// The whole command line.
    pub(crate) fn described() -> clap::Command {
        let shorten = |command: clap::Command| {
            command.mut_args(|option| {
                let is_frequent = FREQUENT.contains(&option.get_id().as_str());
                let is_shown = option.is_positional() || is_frequent;
                option.hide_short_help(!is_shown)
            })
        };
        let all = Self::command();
        LONG.iter()
            .fold(all, |all, name| all.mut_subcommand(name, shorten))
    }

    /// How much is said, and whether in colour.
    pub(crate) fn manner(&self) -> Manner {
        Manner {
            quiet: self.quiet,
            verbose: self.verbose,
            color: match self.color {
                Color::Auto => None,
                Color::Always => Some(true),
                Color::Never => Some(false),
            },
        }
    }
}

/// Values of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
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
    /// Move many clips onto many characters: in parallel, continued where a run was stopped
    #[command(after_help = BATCH_EXAMPLES)]
    Batch(Box<Batch>),
    /// Measure a finished retarget, whoever made it: feet, floor, pops, limits, directions
    #[command(after_help = figures::help())]
    Report(Report),
    /// Compile a pair into a .retarget file, which runs on any clip of the same source rig
    #[command(after_help = "Example:\n  rebone compile walk.bvh hero.glb -o hero.retarget")]
    Compile(Box<Compile>),
    /// Run a .retarget file on a clip
    #[command(after_help = "Example:\n  rebone apply hero.retarget dance.bvh -o hero_dance.glb")]
    Apply(Apply),
    /// Check a recipe, tell what differs between two, or print the schema that editors use
    #[command(after_help = RECIPE_EXAMPLES)]
    Recipe(Recipe),
    /// List what a recipe and --set can say, or what speaks of a WORD
    #[command(after_help = SETTINGS_EXAMPLES)]
    Settings(Settings),
    /// Hang the skin of TARGET from the skeleton of SOURCE, whose own rotations then move it
    #[command(after_help = REBIND_EXAMPLES)]
    Rebind(Rebind),
    /// Write the same motion in another format
    #[command(after_help = "Example:\n  rebone convert dance.bvh -o dance.glb")]
    Convert(Convert),
    /// Mirror clips: what was done with the left is done with the right
    #[command(after_help = MIRROR_EXAMPLES)]
    Mirror(Mirror),
    /// Add a motion to others of the same rig, or blend it with them
    #[command(after_help = LAYER_EXAMPLES)]
    Layer(Layer),
    /// Draw files: a filmstrip (svg, png) or an animated picture (gif)
    #[command(
        after_help = "Example:\n  rebone render walk.bvh hero_walk.glb -o compare.png --frames 6"
    )]
    Render(Render),
    /// Open the studio, a page in the browser: see the result, correct it, take it away
    #[command(after_help = STUDIO_EXAMPLES)]
    Studio(Studio),
    /// Print the licence of this program, and the notices of other people's code inside
    #[command(
        alias = "licenses",
        after_help = "Example:\n  rebone licences > NOTICES.txt"
    )]
    Licences,
    /// Print what a shell needs to complete commands, options and files
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(Completions),
    /// Write the pages for `man`
    #[command(hide = true)]
    Manual(Manual),
}

/// `rebone completions`.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// `rebone manual`.
#[derive(Args, Debug)]
pub(crate) struct Manual {
    /// Folder for the pages; made if it does not exist
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

/// `rebone demo`.
#[derive(Args, Debug)]
pub(crate) struct Demo {
    /// Folder for the results; made if it does not exist
    #[arg(short, long, value_name = "DIR", default_value = "rebone-demo")]
    pub(crate) output: PathBuf,
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
}

/// `rebone convert`.
#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// The files to convert: files, folders of files, patterns with *, or @LIST, a text file that names them
    #[arg(value_name = "IN", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// The result; its name chooses the format. A folder as out/ or a name with {clip}, {index} or {source} gives several
    /// files; - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the result [default: by the name of OUT]
    #[arg(long, value_name = "FORMAT", value_parser = retarget::format_parser())]
    pub(crate) format: Option<Format>,
    /// Also take the files in the folders of a folder
    #[arg(long)]
    pub(crate) recursive: bool,
    /// The clip, for formats that hold only one; may be given several times for the others
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// The skeleton, where the file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
}
