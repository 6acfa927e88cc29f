//! `rebone render`: pictures.

use crate::Outcome;
use crate::console;
use crate::failure::Failure;
use crate::files::Outputs;
use crate::json::{self, WarningJson};
use crate::progress;
use crate::session::{self, Loaded, Wanted};
use crate::settings::{Picture, RenderSettings};
use crate::table::size;
use rebone::view::{
    Actor, FilmstripOptions, GifOptions, filmstrip_png, filmstrip_svg, playback_gif, turntable_gif,
};
use rebone::{Clip, Role, Warning};
use serde::Serialize;

/// Runs the command.
pub(crate) fn run(settings: &RenderSettings) -> Result<Outcome, Failure> {
    let mut outputs = Outputs::new(settings.files.iter().map(std::path::PathBuf::as_path));
    outputs.announce(&settings.output)?;
    let wanted = Wanted {
        skeleton: settings.skeleton.as_deref(),
        meshes: true,
        ..Wanted::new(Role::Target)
    };
    let loaded = progress::for_each("reading", &settings.files, |path| {
        session::load(path, &wanted)
    })?;
    let shown: Vec<Option<&Clip>> = loaded
        .iter()
        .map(|file| clip_of(file, &settings.clips))
        .collect();
    check_clip_names(&loaded, settings)?;
    let actors: Vec<Actor<'_>> = loaded
        .iter()
        .zip(&shown)
        .map(|(file, clip)| Actor {
            title: title(file, *clip),
            ..actor(file, *clip)
        })
        .collect();
    let picture = progress::while_running("drawing", || draw(&actors, settings))
        .map_err(|error| Failure::in_file(&settings.output, error))?;
    outputs.stage(&settings.output, &picture)?;
    outputs.commit()?;
    let mut warnings = Vec::new();
    for (file, clip) in loaded.iter().zip(&shown) {
        warnings.extend(file.rig.warnings.iter().filter(|w| concerns_pictures(w)));
        if !settings.json {
            remark_on_clip(file, *clip, settings);
        }
    }
    let warnings = session::distinct(warnings);
    let output = settings.output.display().to_string();
    if settings.json {
        console::document(&RenderJson {
            output: &output,
            bytes: picture.len(),
            rows: loaded
                .iter()
                .zip(&shown)
                .map(|(file, clip)| RowJson {
                    file: file.input.path.display().to_string(),
                    clip: clip.map(|clip| clip.name.as_str()),
                })
                .collect(),
            warnings: json::warnings(&warnings),
        })?;
    } else {
        console::data(&format!("wrote {output} ({})\n", size(picture.len())))?;
        console::warnings("", &warnings);
    }
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct RenderJson<'a> {
    output: &'a str,
    bytes: usize,
    rows: Vec<RowJson<'a>>,
    warnings: Vec<WarningJson<'a>>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    file: String,
    clip: Option<&'a str>,
}

/// The clip that a row shows: the last one with a wanted name, else the file's first. The last, because
/// `retarget` appends its clips to those that the target already has.
fn clip_of<'a>(file: &'a Loaded, names: &[String]) -> Option<&'a Clip> {
    let clips = &file.rig.character.clips;
    names
        .iter()
        .find_map(|name| clips.iter().rev().find(|clip| clip.name == *name))
        .or(clips.first())
}

/// Fails where a name that was asked for is in no file.
fn check_clip_names(loaded: &[Loaded], settings: &RenderSettings) -> Result<(), Failure> {
    for name in &settings.clips {
        let found = loaded
            .iter()
            .any(|file| file.rig.character.clips.iter().any(|c| c.name == *name));
        if !found {
            let paths: Vec<String> = settings
                .files
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            return Err(Failure::new(
                format_args!("no clip is named \"{name}\" in {}", paths.join(", ")),
                "`rebone inspect FILE` lists the clips",
            ));
        }
    }
    Ok(())
}

/// Says which clip is shown where that is not obvious.
fn remark_on_clip(file: &Loaded, clip: Option<&Clip>, settings: &RenderSettings) {
    let Some(clip) = clip else {
        return;
    };
    let number = file.rig.character.clips.len();
    if number > 1 && !settings.clips.contains(&clip.name) {
        console::note(&format!(
            "{}: showing \"{}\", the first of {number} clips (--clip NAME chooses)",
            file.input.path.display(),
            clip.name
        ));
    }
}

/// Doubts about mapping and retargeting do not matter for pictures.
fn concerns_pictures(warning: &Warning) -> bool {
    ["mesh", "image", "texture", "material", "unit"]
        .iter()
        .any(|topic| warning.code.starts_with(topic))
}

/// The file's name, and the clip's where it tells more.
fn title(file: &Loaded, clip: Option<&Clip>) -> String {
    let stem = file.input.stem();
    match clip {
        Some(clip) if clip.name != stem => format!("{stem}: {}", clip.name),
        _ => stem,
    }
}

/// A character as an actor, standing upright and in metres.
pub(crate) fn actor<'a>(file: &'a Loaded, clip: Option<&'a Clip>) -> Actor<'a> {
    Actor {
        canonical_from_file: file.rig.canonical_from_file().as_quat(),
        scale: file.rig.space.meters_per_unit as f32,
        ..Actor::new(&file.rig.character, clip, file.input.stem())
    }
}

fn draw(actors: &[Actor<'_>], settings: &RenderSettings) -> Result<Vec<u8>, rebone::view::Error> {
    let strip = FilmstripOptions::default();
    let strip = FilmstripOptions {
        frames: settings.frames,
        panel_height: settings.size.unwrap_or(strip.panel_height),
        style: settings.style,
        view: settings.view,
        ..strip
    };
    match settings.picture {
        Picture::Svg => filmstrip_svg(actors, &strip).map(String::into_bytes),
        Picture::Png => filmstrip_png(actors, &strip),
        Picture::Gif => {
            let gif = GifOptions::default();
            let gif = GifOptions {
                panel_height: settings.size.unwrap_or(gif.panel_height),
                style: settings.style,
                view: settings.view,
                ..gif
            };
            if actors.iter().any(|actor| actor.clip.is_some()) {
                playback_gif(actors, &gif)
            } else {
                turntable_gif(actors, &gif)
            }
        }
    }
}
