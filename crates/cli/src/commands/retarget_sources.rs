//! What `rebone retarget` reads, and each of its sources retargeted.

use crate::advice::worded;
use crate::choices;
use crate::console;
use crate::failure::{Failure, NO_MOTION, Said};
use crate::files::name_of;
use crate::report_file;
use crate::session::{self, Loaded, milliseconds};
use crate::settings::RetargetSettings;
use crate::sources;
use crate::table::count;
use rebone::opening::Opening;
use rebone::pairing::links_by_hand;
use rebone::setup::profile::{Part, Side};
use rebone::stillness::moves;
use rebone::takes::{best_take, needs_rest, with_rest_of_take};
use rebone::{Clip, Motion, Recipe, Retarget, Role, Warning};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The retarget of one source file.
pub(crate) struct Performed<'a> {
    pub(crate) source: &'a Loaded,
    /// The source's clips, in the order of the results.
    pub(crate) clips: Vec<&'a Clip>,
    pub(crate) recipe: Recipe,
    pub(crate) result: Motion<'a>,
}

/// The files that the command writes, as far as they are known before the clips are.
pub(crate) fn written_files(settings: &RetargetSettings) -> impl Iterator<Item = &Path> {
    let others = [&settings.save_recipe, &settings.report, &settings.root_path];
    let others = others.into_iter().flatten().map(PathBuf::as_path);
    settings.destination.known_file().into_iter().chain(others)
}

/// The sources, at least one, and the target.
pub(crate) fn load(settings: &RetargetSettings) -> Result<(Vec<Loaded>, Loaded), Failure> {
    // The page shows bodies.
    let meshes = settings.report.as_deref().is_some_and(report_file::is_page);
    let source_wanted = Opening {
        meshes,
        skeleton: settings.skeleton.as_deref(),
        profile: settings.profile,
        ..Opening::new(Role::Source)
    };
    let target_wanted = Opening {
        meshes,
        skeleton: settings.target_skeleton.as_deref(),
        written_as: Some(settings.format),
        profile: settings.profile,
        ..Opening::new(Role::Target)
    };
    let mut apart: Vec<&Path> = written_files(settings).collect();
    apart.push(&settings.target);
    apart.extend(settings.rest.as_deref());
    session::both(
        || {
            let sources = sources::load(
                &settings.sources,
                settings.recursive,
                &apart,
                &source_wanted,
            )?;
            let Some(rest) = settings.rest.as_deref() else {
                return with_better_takes(sources);
            };
            let rest = session::load_rest(rest, settings.profile)?;
            sources
                .into_iter()
                .map(|source| session::with_rest_of(source, &rest))
                .collect()
        },
        || {
            session::load_at_rest_of(
                &settings.target,
                &target_wanted,
                settings.target_rest.as_deref(),
            )
        },
    )
}

/// The sources, those in which nobody stands still with the pose of another take of their rig.
fn with_better_takes(mut sources: Vec<Loaded>) -> Result<Vec<Loaded>, Failure> {
    for number in 0..sources.len() {
        let rig = &sources[number].rig;
        if !needs_rest(rig) {
            continue;
        }
        if let Some(best) = best_take(rig, sources.iter().map(|source| &source.rig)) {
            let path = &sources[best].input.path;
            let made = with_rest_of_take(rig.clone(), &sources[best].rig, &name_of(path));
            sources[number].rig =
                made.map_err(|error| Failure::in_file(path, Said::from(error)))?;
        }
    }
    Ok(sources)
}

/// Retargets the chosen clips of every source.
pub(crate) fn retarget<'a>(
    sources: &'a [Loaded],
    target: &'a Loaded,
    settings: &RetargetSettings,
) -> Result<Vec<Performed<'a>>, Failure> {
    let name = sources::name_of_all(&settings.sources);
    let chosen = session::clips_of_any(sources, &name, &settings.clips)?;
    let clips: Vec<&Clip> = chosen.iter().flatten().copied().collect();
    if let [source] = sources {
        check_order(source, &clips, target)?;
        if clips.is_empty() {
            return Err(no_motion(source));
        }
    }
    let mut results = Vec::with_capacity(sources.len());
    for (source, clips) in sources.iter().zip(chosen) {
        if clips.is_empty() {
            continue;
        }
        let names: Vec<String> = clips.iter().map(|clip| clip.name.clone()).collect();
        let (recipe, result) = retarget_one(source, target, &names, settings)?;
        results.push(Performed {
            source,
            clips,
            recipe,
            result,
        });
    }
    Ok(results)
}

/// Fails if a character without motion is to move a motion without a body: then the two files stand in the wrong order.
pub(crate) fn check_order(
    source: &Loaded,
    clips: &[&Clip],
    target: &Loaded,
) -> Result<(), Failure> {
    let has_body = |loaded: &Loaded| !loaded.rig.character.skins.is_empty();
    let is_character = has_body(source) && !clips.iter().any(|clip| moves(clip));
    let is_motion = !has_body(target) && target.rig.character.clips.iter().any(moves);
    if !(is_character && is_motion) {
        return Ok(());
    }
    let (source, target) = (&source.input.path, &target.input.path);
    Err(Failure::between(
        source,
        target,
        Said::request(
            "the source is a character without motion and the target a motion without a mesh: they seem to be swapped",
            format_args!(
                "the motion comes first: `rebone retarget {} {} -o OUT`",
                target.display(),
                source.display()
            ),
        ),
    ))
}

fn no_motion(source: &Loaded) -> Failure {
    let path = &source.input.path;
    let compressed = |warning: &&Warning| warning.code == "animation-compressed";
    if let Some(warning) = source.rig.warnings.iter().find(compressed) {
        return Failure::at(path, &warning.message, worded(&warning.remedy));
    }
    let what = format!(
        "no clip moves a joint of the skeleton \"{}\"",
        source.rig.character.name
    );
    let remedy = "give the file with the animation first and the character that is to move second; \
         `rebone inspect FILE` shows skeletons and clips";
    Failure::at(path, what, remedy).with_code(NO_MOTION)
}

fn retarget_one<'t>(
    source: &Loaded,
    target: &'t Loaded,
    clips: &[String],
    settings: &RetargetSettings,
) -> Result<(Recipe, Motion<'t>), Failure> {
    let (recipe, doubts) = settings.choices.for_pair(source, target);
    // Joints linked by hand, or by names that both have, need no body.
    let links = links_by_hand(&source.rig, &target.rig, &recipe);
    // A recipe with a wrong link is refused below.
    let needs_bodies = links.is_ok_and(|links| !links.moves_joints());
    for (side, loaded, own) in [
        ("source", source, &recipe.source),
        ("target", target, &recipe.target),
    ] {
        let map = choices::overridden(loaded, own)?;
        if needs_bodies && map.joint_of(Part::Hips, Side::Center).is_none() {
            return Err(nothing_to_match(side, loaded, settings));
        }
    }
    let start = Instant::now();
    let mut result = Retarget::new(&source.rig, &target.rig)
        .clips(clips)
        .recipe(recipe.clone())
        .run()
        .map_err(|error| Failure::between(&source.input.path, &target.input.path, error))?;
    console::detail(|| {
        format!(
            "retargeted {} of {}: {} ({:.1} ms)",
            count(result.clips.len(), "clip"),
            source.input.path.display(),
            count(
                result
                    .clips
                    .iter()
                    .map(|done| done.clip.frame_count())
                    .sum(),
                "frame"
            ),
            milliseconds(start)
        )
    });
    result.warnings.extend(doubts);
    if settings.moment_is_asked_for {
        // A frame of the command line must be there; one of a recipe is a wish.
        for (loaded, alignment) in [
            (source, &result.compiled.source),
            (target, &result.compiled.target),
        ] {
            let missing = |warning: &&Warning| warning.code == "pose-missing";
            if let Some(warning) = alignment.warnings.iter().find(missing) {
                return Err(Failure::at(
                    &loaded.input.path,
                    &warning.message,
                    "`rebone inspect FILE` shows how long its clips are and how many frames they have",
                ));
            }
        }
    }
    Ok((recipe, result))
}

fn nothing_to_match(side: &str, loaded: &Loaded, settings: &RetargetSettings) -> Failure {
    let character = &loaded.rig.character;
    let (what, remedy) = if loaded.rig.map.slots.is_empty() {
        (
            "is recognised neither as a humanoid nor as a four-legged animal",
            "if it is one, name its joints; if not, link its joints in [links]",
        )
    } else {
        ("has no hips that could be found", "name its joints")
    };
    // Of a folder it is one file that does not fit.
    let name = sources::name_of_all(&settings.sources);
    let (source, aside) = if side == "source" && !name.is_file() {
        let aside = "; a file that is none of the character's motions may also be left out";
        (&loaded.input.path, aside)
    } else {
        (&name, "")
    };
    Failure::at(
        &loaded.input.path,
        format_args!("the skeleton \"{}\" {what}", character.name),
        format_args!(
            "{remedy}: `rebone map {} {} -o recipe.toml`, fill in [{side}.slots], then add --recipe recipe.toml{aside}",
            source.display(),
            settings.target.display()
        ),
    )
}
