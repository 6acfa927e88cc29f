//! `rebone render`: pictures.

use super::render_rows::{Row, check_clip_names, pose_rows, reading_rows, remark_on_clip, rows};
use crate::Outcome;
use crate::commands::doubts;
use crate::console;
use crate::failure::Failure;
use crate::json::{self, WarningJson};
use crate::outputs::Outputs;
use crate::progress;
use crate::session::{self, Loaded};
use crate::settings::{INDEX, Picture, RenderSettings};
use crate::table::size;
use rebone::disk::folder_of;
use rebone::opening::Opening;
use rebone::readings::readings;
use rebone::setup::hands::HandsMode;
use rebone::setup::profile::{Part, SlotInfo};
use rebone::setup::recipe::SideRecipe;
use rebone::view::{
    Actor, Error, FilmstripOptions, GifOptions, Look, filmstrip_png, filmstrip_svg, playback_gif,
    playback_pngs, turntable_gif,
};
use rebone::{Clip, Recipe, Retarget, Role, Warning, retarget_pose_clip, retarget_poses};
use serde::Serialize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Metres that a body may be high without a word about a guessed unit.
const USUAL_HEIGHT: RangeInclusive<f64> = 1.2..=2.2;

/// Ways to read a file that are drawn.
const READINGS: usize = 2;

/// Runs the command.
pub(crate) fn run(settings: &RenderSettings) -> Result<Outcome, Failure> {
    let mut outputs = Outputs::new(settings.files.iter().map(PathBuf::as_path));
    // The number of files of an animation is known once it is drawn.
    if settings.picture != Picture::Sequence {
        outputs.announce(&settings.output)?;
    }
    let wanted = Opening {
        skeleton: settings.skeleton.as_deref(),
        meshes: true,
        ..Opening::new(Role::Target)
    };
    let mut loaded = progress::for_each("reading", &settings.files, |path| {
        session::load(path, &wanted)
    })?;
    check_clip_names(&loaded, settings)?;
    let (poses, doubts) = retarget_pose_clips(&mut loaded, settings)?;
    let abouts = if settings.readings {
        read_differently(&mut loaded)
    } else {
        Vec::new()
    };
    let rows = if settings.retarget_pose {
        pose_rows(&loaded, &poses)
    } else if settings.readings {
        reading_rows(&loaded, &abouts, &settings.clips)
    } else {
        rows(&loaded, &settings.clips)
    };
    let body = settings.on_target.then(|| body_of(&loaded)).transpose()?;
    let worn = rows
        .iter()
        .map(|row| on_body(row, body))
        .collect::<Result<Vec<_>, Failure>>()?;
    let actors = rows
        .iter()
        .zip(&worn)
        .map(|(row, worn)| row_actor(row, worn.as_ref(), settings))
        .collect::<Result<Vec<_>, Failure>>()?;
    let pictures = progress::while_running("drawing", || draw(&actors, settings))
        .map_err(|error| failure(error, settings))?;
    let paths = stage(&pictures, settings, &mut outputs)?;
    if !console::wants_json() {
        rows.iter().for_each(remark_on_clip);
    }
    let of_files = loaded.iter().flat_map(warnings_of);
    let warnings = session::distinct(doubts.iter().chain(of_files));
    let bytes = pictures.iter().map(Vec::len).sum();
    let text = written_in_words(&paths, bytes);
    let document = RenderJson {
        output: paths.first().map_or("", String::as_str),
        outputs: &paths,
        bytes,
        rows: rows.iter().map(RowJson::from).collect(),
        warnings: json::warnings(&warnings),
    };
    outputs.commit(|| console::answer(&document, &text, &warnings))?;
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct RenderJson<'a> {
    output: &'a str,
    /// Every file, where an animation has one per image.
    #[serde(skip_serializing_if = "is_one")]
    outputs: &'a [String],
    bytes: usize,
    rows: Vec<RowJson<'a>>,
    warnings: Vec<WarningJson<'a>>,
}

fn is_one(outputs: &&[String]) -> bool {
    outputs.len() < 2
}

#[derive(Serialize)]
struct RowJson<'a> {
    file: String,
    clip: Option<&'a str>,
}

impl<'a> From<&Row<'a>> for RowJson<'a> {
    fn from(row: &Row<'a>) -> Self {
        Self {
            file: row.file.input.path.display().to_string(),
            clip: row.clip.map(|clip| clip.name.as_str()),
        }
    }
}

/// Stages the pictures and returns the names of their files.
fn stage(
    pictures: &[Vec<u8>],
    settings: &RenderSettings,
    outputs: &mut Outputs,
) -> Result<Vec<String>, Failure> {
    let mut paths = Vec::with_capacity(pictures.len());
    for (index, picture) in pictures.iter().enumerate() {
        let path = match settings.picture {
            Picture::Sequence => numbered(&settings.output, index + 1, pictures.len()),
            _ => settings.output.clone(),
        };
        if settings.picture == Picture::Sequence {
            Outputs::make_folder(folder_of(&path))?;
            outputs.announce(&path)?;
        }
        outputs.stage(&path, picture)?;
        paths.push(path.display().to_string());
    }
    Ok(paths)
}

fn written_in_words(paths: &[String], bytes: usize) -> String {
    let size = size(bytes);
    match paths {
        [first, .., last] => format!("wrote {} files, {first} to {last} ({size})\n", paths.len()),
        _ => format!("wrote {} ({size})\n", paths.concat()),
    }
}

/// The warnings of a file that matter for a picture.
fn warnings_of(file: &Loaded) -> impl Iterator<Item = &Warning> {
    file.rig.warnings.iter().filter(|warning| {
        let matters = doubts::concerns_looks(warning) || warning.code.starts_with("unit");
        matters && (console::wants_json() || is_surprising(file, warning))
    })
}

/// Puts the likeliest ways to read a file in its place; what is to be said of each.
fn read_differently(loaded: &mut Vec<Loaded>) -> Vec<String> {
    let [file] = loaded.as_slice() else {
        return Vec::new();
    };
    let found = readings(&file.rig, READINGS);
    let abouts = found.iter().map(|reading| reading.about.clone()).collect();
    let read = found.into_iter().map(|reading| Loaded {
        input: file.input.clone(),
        rig: reading.rig,
    });
    *loaded = read.collect();
    abouts
}

/// Each file in its retarget pose: the first as a source, the others as its targets. None where nobody asked.
fn retarget_pose_clips(
    loaded: &mut [Loaded],
    settings: &RenderSettings,
) -> Result<(Vec<Clip>, Vec<Warning>), Failure> {
    let (mut poses, mut doubts) = (Vec::new(), Vec::new());
    if !settings.retarget_pose {
        return Ok((poses, doubts));
    }
    let choices = &settings.choices;
    let first = loaded[0].clone();
    let alone = loaded.len() == 1;
    for (index, file) in loaded.iter_mut().enumerate() {
        let (mut recipe, own) = if alone {
            choices.for_one(file)
        } else {
            choices.for_pair(&first, file)
        };
        doubts.extend(own);
        let is_source = index == 0 && !alone;
        if is_source {
            // What it stands beside changes nothing about a source.
            recipe.target = SideRecipe::default();
        }
        if alone {
            recipe.source = SideRecipe::default();
        }
        let [from, to] = retarget_poses(&first.rig, &file.rig, &recipe)
            .map_err(|error| choices.failure(&file.input.path, error))?;
        let (side, pose) = if is_source {
            (&recipe.source, from)
        } else {
            (&recipe.target, to)
        };
        let own = choices.with_slots(file.clone(), side)?;
        poses.push(retarget_pose_clip(&own.rig, &own.rig.map, &pose));
        *file = own;
    }
    Ok((poses, session::distinct(&doubts)))
}

/// A usual size needs no words.
fn is_surprising(file: &Loaded, warning: &Warning) -> bool {
    warning.code != "unit-guessed" || !USUAL_HEIGHT.contains(&file.rig.height_meters())
}

/// The file's name, and the clip's where it tells more.
fn title(file: &Loaded, clip: Option<&Clip>) -> String {
    let stem = file.input.stem();
    match clip {
        Some(clip) if clip.name != stem => format!("{stem}: {}", clip.name),
        _ => stem,
    }
}

/// A character of a file as an actor.
pub(crate) fn actor<'a>(file: &'a Loaded, clip: Option<&'a Clip>) -> Actor<'a> {
    rebone::report_page::actor(&file.rig, clip, file.input.stem())
}

/// Library options become those of the command line.
fn failure(error: Error, settings: &RenderSettings) -> Failure {
    let Error::TooLarge { pixels, limit } = error else {
        return Failure::in_file(&settings.output, error);
    };
    let million = |pixels: u64| pixels.div_ceil(1_000_000);
    Failure::at(
        &settings.output,
        format_args!(
            "the picture would have {} million pixels, more than the {} million that are drawn",
            million(pixels),
            million(limit)
        ),
        match settings.picture {
            Picture::Gif | Picture::Sequence => {
                "give a smaller --size, a shorter time (--from, --to), or fewer files"
            }
            _ => "give a smaller --size, fewer --frames, or fewer files",
        },
    )
}

/// The images: one, or each of an animation.
fn draw(actors: &[Actor<'_>], settings: &RenderSettings) -> Result<Vec<Vec<u8>>, Error> {
    let sized = |usual: Look| Look {
        panel_height: settings.size.unwrap_or(usual.panel_height),
        max_pixels: usual.max_pixels,
        ..settings.look.clone()
    };
    let strip = FilmstripOptions {
        frames: settings.frames,
        side_by_side: settings.retarget_pose,
        look: sized(Look::default()),
    };
    let usual = GifOptions::default();
    let animation = GifOptions {
        rate_hz: settings.rate_hz.unwrap_or(usual.rate_hz),
        look: sized(usual.look.clone()),
        ..usual
    };
    let moves = actors.iter().any(|actor| actor.clip.is_some()) && !settings.retarget_pose;
    let image = match settings.picture {
        Picture::Svg => filmstrip_svg(actors, &strip)?.into_bytes(),
        Picture::Png => filmstrip_png(actors, &strip)?,
        Picture::Gif if moves => playback_gif(actors, &animation)?,
        Picture::Gif => turntable_gif(actors, &animation)?,
        Picture::Sequence => return playback_pngs(actors, &animation),
    };
    Ok(vec![image])
}

/// The name of image `number` of `count`.
fn numbered(pattern: &Path, number: usize, count: usize) -> PathBuf {
    let digits = count.to_string().len().max(4);
    let number = format!("{number:0digits$}");
    pattern.to_string_lossy().replace(INDEX, &number).into()
}

/// The first file with a mesh.
fn body_of(loaded: &[Loaded]) -> Result<&Loaded, Failure> {
    let has_mesh = |file: &&Loaded| !file.rig.character.meshes.is_empty();
    loaded.iter().find(has_mesh).ok_or_else(|| {
        Failure::new(
            "no file has a mesh in whose body the others could be drawn",
            "add a character with a mesh to the files, or leave --on-target out",
        )
    })
}

/// A motion in the body of another file.
struct Worn<'a> {
    body: &'a Loaded,
    clip: Clip,
}

/// A row of a file without a mesh in another's body: the plain turns, with no feet planted and no hands brought together,
/// so that it shows what the source does.
fn on_body<'a>(row: &Row<'_>, body: Option<&'a Loaded>) -> Result<Option<Worn<'a>>, Failure> {
    let (Some(body), Some(clip)) = (body, row.clip) else {
        return Ok(None);
    };
    if !row.file.rig.character.meshes.is_empty() {
        return Ok(None);
    }
    let mut recipe = Recipe::default();
    recipe.feet.weight = 0.0;
    recipe.hands.mode = HandsMode::Off;
    recipe.ground = 0.0;
    let made = Retarget::new(&row.file.rig, &body.rig)
        .clips([&clip.name])
        .recipe(recipe)
        .run()
        .map_err(|error| Failure::in_file(&row.file.input.path, error))?;
    let worn = made.clips.into_iter().next();
    Ok(worn.map(|made| Worn {
        body,
        clip: made.clip,
    }))
}

/// What a row shows.
fn row_actor<'a>(
    row: &Row<'a>,
    worn: Option<&'a Worn<'a>>,
    settings: &RenderSettings,
) -> Result<Actor<'a>, Failure> {
    let (file, clip) = match worn {
        Some(worn) => (worn.body, Some(&worn.clip)),
        None => (row.file, row.clip),
    };
    let mut title = match &row.title {
        Some(title) => title.clone(),
        None if settings.retarget_pose => row.file.input.stem(),
        None => title(row.file, row.clip),
    };
    if worn.is_some() {
        title.push_str(&format!(" (in the body of {})", file.input.stem()));
    }
    let zoom = settings.zoom.as_deref();
    Ok(Actor {
        title,
        close_up: zoom.map_or(Ok(Vec::new()), |part| close_up(file, part))?,
        ..actor(file, clip)
    })
}

/// The joints of a part that a person names.
fn close_up(file: &Loaded, part: &str) -> Result<Vec<usize>, Failure> {
    let map = &file.rig.map;
    let parts: &[Part] = match part.to_lowercase().as_str() {
        "hands" | "hand" => &[Part::Hand],
        "feet" | "foot" => &[Part::Foot],
        "head" => &[Part::Head],
        _ => &[],
    };
    let is_meant =
        |info: &SlotInfo| parts.contains(&info.part) || info.name.eq_ignore_ascii_case(part);
    let joints: Vec<usize> = map
        .slots
        .iter()
        .filter(|(slot, _)| is_meant(map.profile.info(**slot)))
        .filter_map(|(_, found)| found.joints.first().copied())
        .collect();
    if !joints.is_empty() {
        return Ok(joints);
    }
    let known = map.slots.keys().map(|&slot| map.profile.info(slot).name);
    Err(Failure::at(
        &file.input.path,
        format_args!("it has no \"{part}\" to come close to"),
        format_args!(
            "use hands, feet, head, or one of its slots: {}",
            known.collect::<Vec<_>>().join(", ")
        ),
    ))
}
