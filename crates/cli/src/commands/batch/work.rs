//! One job of a batch: a source onto a target.

use super::manifest::{ClipEntry, Entry, ErrorEntry, Inputs, Manifest, OutputFile, Rest, sha256};
use super::plan::{Job, Plan};
use super::takes::Takes;
use crate::avatar;
use crate::checks;
use crate::commands::doubts;
use crate::commands::retarget_results::{Made, comparisons};
use crate::commands::retarget_sources::retarget;
use crate::destination::{self, Named, Written};
use crate::failure::Failure;
use crate::figures::Check;
use crate::files::Input;
use crate::outputs::{Existing, Outputs};
use crate::session::{self, Loaded};
use crate::settings::RetargetSettings;
use crate::summary;
use crate::temporary;
use rebone::disk::folder_of;
use rebone::json::{self, SCHEMA};
use rebone::opening::Opening;
use rebone::report::{Moment, figures, verdict, worst_moment};
use rebone::saving::take_root_paths;
use rebone::{Role, Warning};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How a job ended.
pub(super) struct Ended {
    pub(super) entry: Entry,
    /// An earlier run had done it.
    pub(super) was_up_to_date: bool,
    /// Its source was named, and not found in a folder.
    pub(super) is_named: bool,
}

/// What all workers share.
pub(super) struct Shared<'a> {
    pub(super) plan: &'a Plan,
    pub(super) targets: Vec<LoadedTarget>,
    pub(super) manifest: Mutex<Manifest>,
    pub(super) replaces: bool,
    pub(super) takes: Takes,
}

/// A target as it was read, with the hashes of its file and of all choices.
pub(super) struct LoadedTarget {
    loaded: Result<Loaded, Failure>,
    sha256: String,
    recipe_sha256: String,
}

impl LoadedTarget {
    pub(super) fn new(settings: &RetargetSettings) -> Self {
        let input = Input::open(&settings.target);
        let sha256 = input.as_ref().map(hash_of).unwrap_or_default();
        let wanted = Opening {
            skeleton: settings.target_skeleton.as_deref(),
            written_as: Some(settings.format),
            profile: settings.profile,
            ..Opening::new(Role::Target)
        };
        let loaded = input
            .and_then(|input| session::from_input(input, &wanted))
            .and_then(|target| at_rest(target, settings.target_rest.as_deref(), settings));
        let loaded = loaded.and_then(|target| {
            let path = settings.destination.path();
            avatar::check_formats(&target.rig, &settings.target, settings.format, path)?;
            Ok(target)
        });
        Self {
            loaded,
            sha256,
            recipe_sha256: hash_of_choices(settings),
        }
    }
}

/// A worker, with the source that it read last: the next job is often about the same.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    last: Option<(usize, Arc<Read>)>,
}

/// A source file, read as far as it was needed.
struct Read {
    sha256: String,
    input: Result<Input, Failure>,
    loaded: Mutex<Option<Result<Completed, Failure>>>,
}

/// A source, and the file that gave it its rest pose.
type Completed = (Arc<Loaded>, Option<Rest>);

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        Self { shared, last: None }
    }

    /// Does a job. Whatever happens in it ends in its entry.
    pub(super) fn run(&mut self, job: Job) -> Ended {
        let start = Instant::now();
        let plan = self.shared.plan;
        let (source, target) = (&plan.sources[job.source], &plan.targets[job.target]);
        let read = self.read(job.source);
        let of_target = &self.shared.targets[job.target];
        let mut entry = Entry {
            schema: SCHEMA,
            source: source.path.display().to_string(),
            target: target.settings.target.display().to_string(),
            inputs: Inputs {
                source_sha256: read.sha256.clone(),
                target_sha256: of_target.sha256.clone(),
                recipe_sha256: of_target.recipe_sha256.clone(),
            },
            ..Entry::default()
        };
        let known = self.known(&entry);
        if let Some(known) = known
            .as_ref()
            .filter(|known| self.is_up_to_date(known, &entry))
        {
            for output in &known.outputs {
                temporary::sweep(folder_of(&self.shared.plan.folder.join(&output.path)));
            }
            return Ended {
                entry: known.clone(),
                was_up_to_date: true,
                is_named: source.is_named,
            };
        }
        let made = catch_unwind(AssertUnwindSafe(|| {
            self.make(job, &read, known.as_ref(), &mut entry)
        }));
        let made = made.unwrap_or_else(|cause| Err(Failure::of_panic(cause.as_ref())));
        if let Err(failure) = made {
            entry.error = Some(ErrorEntry {
                code: failure.code().to_owned(),
                message: failure.to_string(),
            });
        }
        entry.seconds = (1e3 * start.elapsed().as_secs_f64()).round() / 1e3;
        Ended {
            entry,
            was_up_to_date: false,
            is_named: source.is_named,
        }
    }

    fn manifest(&self) -> MutexGuard<'_, Manifest> {
        let manifest = self.shared.manifest.lock();
        manifest.unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, entry: &Entry) -> Option<Entry> {
        self.manifest().entry(&entry.source, &entry.target)
    }

    fn is_up_to_date(&self, known: &Entry, wanted: &Entry) -> bool {
        let manifest = self.manifest();
        let rest = known.rest.as_ref();
        known.error.is_none()
            && known.inputs == wanted.inputs
            && manifest.has_outputs(known)
            && rest.is_none_or(|rest| self.shared.takes.is_as_it_was(rest))
    }

    fn read(&mut self, number: usize) -> Arc<Read> {
        if let Some((_, read)) = self.last.as_ref().filter(|(last, _)| *last == number) {
            return Arc::clone(read);
        }
        let input = Input::open(&self.shared.plan.sources[number].path);
        let read = Arc::new(Read {
            sha256: input.as_ref().map(hash_of).unwrap_or_default(),
            input,
            loaded: Mutex::new(None),
        });
        self.last = Some((number, Arc::clone(&read)));
        read
    }

    fn make(
        &self,
        job: Job,
        read: &Read,
        known: Option<&Entry>,
        entry: &mut Entry,
    ) -> Result<(), Failure> {
        let plan = self.shared.plan;
        let of_source = &plan.sources[job.source];
        let of_target = &plan.targets[job.target];
        let settings = &of_target.settings;
        let (source, rest) = self.loaded(read, settings)?;
        entry.rest = rest;
        let target = self.shared.targets[job.target]
            .loaded
            .as_ref()
            .map_err(Clone::clone)?;
        let mut results = retarget(std::slice::from_ref(&*source), target, settings)?;
        let mut made = Made::taken_from(&mut results);
        take_root_paths(&mut made.clips);
        if settings.needs_figures() {
            made.measure_all(&comparisons(&results, target));
        }
        let mut outputs = self.outputs(&source, settings);
        let named = Named::all(&of_source.name, &of_target.name, &made.clips);
        let hashes = RefCell::new(Vec::new());
        let written = destination::write(
            &mut outputs,
            &settings.destination,
            settings.format,
            &made.clips,
            &named,
            |clips| {
                let output = rebone::write(&target.rig, clips, settings.format)?;
                hashes.borrow_mut().push(sha256(&[&output.bytes]));
                Ok(output)
            },
        )?;
        if let Some(known) = known {
            let manifest = self.manifest();
            let files = written.files.iter().map(|(path, _)| path);
            outputs.let_replace(files.filter(|path| manifest.is_own(known, path)));
        }
        outputs.commit(|| Ok(()))?;
        entry.outputs = output_files(&written, hashes.into_inner(), &plan.folder);
        let mut warnings = doubts::of_finished(
            &results,
            &target.rig,
            &made.clips,
            settings.format,
            &written.warnings,
        );
        warnings.extend(doubts::failing(&made.clips, &made.reports));
        tell(entry, target, &made, &warnings, settings);
        Ok(())
    }

    /// The source as a character, read when the first of its jobs needs it.
    fn loaded(&self, read: &Read, settings: &RetargetSettings) -> Result<Completed, Failure> {
        let mut known = read.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .get_or_insert_with(|| {
                let input = read.input.as_ref().map_err(Clone::clone)?;
                let wanted = Opening {
                    skeleton: settings.skeleton.as_deref(),
                    profile: settings.profile,
                    ..Opening::new(Role::Source)
                };
                let source = session::from_input(input.clone(), &wanted)?;
                let (source, rest) = match settings.rest.as_deref() {
                    Some(rest) => (at_rest(source, Some(rest), settings)?, None),
                    None => self
                        .shared
                        .takes
                        .complete(self.shared.plan, source, &wanted)?,
                };
                Ok((Arc::new(source), rest))
            })
            .clone()
    }

    fn outputs(&self, source: &Loaded, settings: &RetargetSettings) -> Outputs {
        let inputs = [source.input.path.as_path(), settings.target.as_path()];
        let existing = if self.shared.replaces {
            Existing::Replace
        } else {
            Existing::Keep
        };
        Outputs::new(inputs).with_existing(existing)
    }
}

/// The same character, aligned from the pose of another file where one is named.
fn at_rest(
    loaded: Loaded,
    rest: Option<&Path>,
    settings: &RetargetSettings,
) -> Result<Loaded, Failure> {
    match rest {
        Some(rest) => session::with_rest_of(loaded, &session::load_rest(rest, settings.profile)?),
        None => Ok(loaded),
    }
}

/// The hash of a file and, for a glTF of several files, of the buffers beside it.
fn hash_of(input: &Input) -> String {
    let mut beside = Vec::new();
    let bytes = input.file.bytes();
    if bytes.first() == Some(&b'{')
        && let Ok(json) = serde_json::from_slice::<serde_json::Value>(bytes)
        && let Some(buffers) = json["buffers"].as_array()
    {
        let names = buffers.iter().filter_map(|buffer| buffer["uri"].as_str());
        let files = names.filter(|name| !name.starts_with("data:"));
        beside.extend(files.filter_map(|name| input.file.beside(name).ok()));
    }
    let mut parts = vec![bytes];
    parts.extend(beside.iter().map(Vec::as_slice));
    sha256(&parts)
}

/// The hash of all that a result depends on beside the two files.
fn hash_of_choices(settings: &RetargetSettings) -> String {
    let file = |path: &Option<std::path::PathBuf>| {
        let bytes = path.as_ref().and_then(|path| std::fs::read(path).ok());
        bytes.map(|bytes| sha256(&[&bytes]))
    };
    let checks: Vec<&str> = settings.checks.iter().map(Check::text).collect();
    let text = format!(
        "{} {:?}",
        env!("CARGO_PKG_VERSION"),
        (
            (&settings.choices, &settings.profile, &settings.clips),
            (
                &settings.destination,
                settings.format,
                settings.report.is_some()
            ),
            (&settings.skeleton, &settings.target_skeleton, checks),
            (file(&settings.rest), file(&settings.target_rest)),
        )
    );
    sha256(&[text.as_bytes()])
}

/// The files of a result, relative to the folder of the manifest.
fn output_files(written: &Written, hashes: Vec<String>, folder: &Path) -> Vec<OutputFile> {
    let below = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_owned();
    let files = written.files.iter().zip(hashes);
    files
        .map(|((path, bytes), sha256)| OutputFile {
            path: below(path),
            bytes: *bytes as u64,
            sha256,
        })
        .collect()
}

/// Puts into an entry how its clips went.
fn tell(
    entry: &mut Entry,
    target: &Loaded,
    made: &Made<'_>,
    warnings: &[Warning],
    settings: &RetargetSettings,
) {
    entry.clips = made
        .clips
        .iter()
        .zip(&made.reports)
        .map(|(clip, report)| ClipEntry {
            name: clip.name.clone(),
            seconds: clip.seconds(),
            frames: clip.frame_count(),
            verdict: verdict(report).name().to_owned(),
            severity: worst_moment(report).map_or(0.0, Moment::severity),
            reasons: summary::reasons(report, verdict(report)),
            worst: worst_moment(report)
                .map(|worst| summary::moment_in_words(worst, &target.rig.map)),
            figures: figures(report)
                .iter()
                .map(|figure| (figure.kind.name.to_owned(), figure.value))
                .collect(),
        })
        .collect();
    entry.verdict = Some(
        made.reports
            .iter()
            .map(verdict)
            .max()
            .unwrap_or_default()
            .name()
            .to_owned(),
    );
    entry.checks_failed = checks::failures(&settings.checks, &made.named_reports(), warnings.len());
    entry.warnings = json::warnings(warnings)
        .iter()
        .filter_map(|warning| serde_json::to_value(warning).ok())
        .collect();
}
