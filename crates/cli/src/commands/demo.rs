//! `rebone demo`: the main job on built-in files.

use crate::Outcome;
use crate::arguments::Demo;
use crate::commands::render::actor;
use crate::console;
use crate::failure::Failure;
use crate::files::Input;
use crate::json::{self, RootScaleJson, WarningJson};
use crate::outputs::Outputs;
use crate::report_json::{self, ReportJson};
use crate::session::{self, Loaded};
use crate::summary;
use rebone::opening::Opening;
use rebone::view::{Actor, FilmstripOptions, filmstrip_png, filmstrip_svg};
use rebone::{Format, InputFile, Retarget, RetargetedClip, Role, Warning};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A file that the program holds.
struct BuiltIn {
    name: &'static str,
    bytes: &'static [u8],
}

impl BuiltIn {
    /// Reads it with its meshes.
    fn load(&self, role: Role) -> Result<Loaded, Failure> {
        let input = Input {
            path: PathBuf::from(self.name),
            file: InputFile::new(self.name, self.bytes.to_vec()),
        };
        let wanted = Opening {
            meshes: true,
            ..Opening::new(role)
        };
        session::from_input(input, &wanted)
    }
}

const SOURCE: BuiltIn = BuiltIn {
    name: "walk.bvh",
    bytes: include_bytes!(concat!(env!("OUT_DIR"), "/walk.bvh")),
};

const TARGETS: [BuiltIn; 3] = [
    BuiltIn {
        name: "adult.glb",
        bytes: include_bytes!(concat!(env!("OUT_DIR"), "/adult.glb")),
    },
    BuiltIn {
        name: "brute.glb",
        bytes: include_bytes!(concat!(env!("OUT_DIR"), "/brute.glb")),
    },
    BuiltIn {
        name: "chibi.vrm",
        bytes: include_bytes!(concat!(env!("OUT_DIR"), "/chibi.vrm")),
    },
];

/// One of the three results.
struct Performed {
    target: Loaded,
    clips: Vec<RetargetedClip>,
    root_scale: f64,
    warnings: Vec<Warning>,
    path: PathBuf,
    bytes: Vec<u8>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Demo) -> Result<Outcome, Failure> {
    let source = SOURCE.load(Role::Source)?;
    let results = in_parallel(&TARGETS, |target| {
        retarget_onto(&source, target, &arguments.output)
    })?;
    let mut actors = vec![Actor {
        title: "walk.bvh, the source".to_owned(),
        ..actor(&source, source.rig.character.clips.first())
    }];
    actors.extend(results.iter().map(|result| {
        let clip = result.clips.first().map(|done| &done.clip);
        actor(&result.target, clip)
    }));
    let (png, svg) = pictures(&actors)?;

    Outputs::make_folder(&arguments.output)?;
    let reports: Vec<DemoClipJson<'_>> = results.iter().map(report_json).collect();
    let mut files: Vec<(PathBuf, &[u8])> = results
        .iter()
        .map(|result| (result.path.clone(), result.bytes.as_slice()))
        .collect();
    let report = console::json_text(&ReportsJson { results: &reports })?;
    files.push((arguments.output.join("filmstrip.png"), &png));
    files.push((arguments.output.join("filmstrip.svg"), svg.as_bytes()));
    files.push((arguments.output.join("report.json"), report.as_bytes()));
    let mut outputs = Outputs::new([]);
    for (path, _) in &files {
        outputs.announce(path)?;
    }
    for (path, bytes) in &files {
        outputs.stage(path, bytes)?;
    }
    let document = DemoJson {
        files: files
            .iter()
            .map(|(path, _)| path.display().to_string())
            .collect(),
        results: &reports,
    };
    let text = text(&source, &results, &files);
    outputs.commit(|| console::answer(&document, &text, &[]))?;
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct DemoJson<'a> {
    files: Vec<String>,
    results: &'a [DemoClipJson<'a>],
}

#[derive(Serialize)]
struct ReportsJson<'a> {
    results: &'a [DemoClipJson<'a>],
}

#[derive(Serialize)]
struct DemoClipJson<'a> {
    target: String,
    name: &'a str,
    seconds: f32,
    frames: usize,
    output: String,
    report: ReportJson<'a>,
    root_scale: RootScaleJson,
    warnings: Vec<WarningJson<'a>>,
}

fn retarget_onto(source: &Loaded, file: &BuiltIn, folder: &Path) -> Result<Performed, Failure> {
    let target = file.load(Role::Target)?;
    let in_file = |error: rebone::Error| Failure::in_file(&target.input.path, error);
    let motion = Retarget::new(&source.rig, &target.rig).run();
    let motion = motion.map_err(in_file)?;
    let bytes = motion.write(Format::Glb).map_err(in_file)?.bytes;
    let root_scale = motion.compiled.root_scale;
    let (clips, warnings) = (motion.clips, motion.warnings);
    let path = folder.join(target.input.stem()).with_extension("glb");
    Ok(Performed {
        target,
        clips,
        root_scale,
        warnings,
        path,
        bytes,
    })
}

fn pictures(actors: &[Actor<'_>]) -> Result<(Vec<u8>, String), Failure> {
    let options = FilmstripOptions::default();
    let (png, svg) = std::thread::scope(|scope| {
        let svg = scope.spawn(|| filmstrip_svg(actors, &options));
        let png = filmstrip_png(actors, &options);
        let svg = svg
            .join()
            .unwrap_or_else(|cause| std::panic::resume_unwind(cause));
        (png, svg)
    });
    let in_picture = |error| Failure::in_file(Path::new("filmstrip"), error);
    Ok((png.map_err(in_picture)?, svg.map_err(in_picture)?))
}

/// Does a job for each item on a thread of its own; results in the items' order.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    job: impl Fn(&T) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    std::thread::scope(|scope| {
        let running: Vec<_> = items.iter().map(|item| scope.spawn(|| job(item))).collect();
        running
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|cause| std::panic::resume_unwind(cause))
            })
            .collect()
    })
}

fn report_json(result: &Performed) -> DemoClipJson<'_> {
    let empty = ("", 0.0, 0);
    let done = result.clips.first();
    let (name, seconds, frames) = done.map_or(empty, |done| {
        (
            done.clip.name.as_str(),
            done.clip.seconds(),
            done.clip.frame_count(),
        )
    });
    let nothing = rebone::report::Report::default();
    DemoClipJson {
        target: result.target.input.path.display().to_string(),
        name,
        seconds,
        frames,
        output: result.path.display().to_string(),
        report: report_json::report(
            done.map_or(&nothing, |done| &done.report),
            &result.target.rig.map,
        ),
        root_scale: result.root_scale.into(),
        warnings: json::warnings(&result.warnings),
    }
}

fn text(source: &Loaded, results: &[Performed], files: &[(PathBuf, &[u8])]) -> String {
    let mut text = "A built-in walk, retargeted onto three built-in characters:\n".to_owned();
    for result in results {
        for done in &result.clips {
            text.push_str(&format!(
                "  {}: {}\n",
                result.target.input.stem(),
                summary::line(&done.clip, &done.report, &source.rig.map)
            ));
        }
    }
    text.push_str("\nWrote\n");
    for (path, _) in files {
        text.push_str(&format!("  {}\n", path.display()));
    }
    text.push_str(
        "\nLook at the filmstrip, open a .glb in any viewer, then try your own:\n  \
         rebone retarget SOURCE TARGET -o OUT.glb\n",
    );
    text
}
