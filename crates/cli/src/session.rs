//! Files that a command works on, opened.

use crate::console;
use crate::failure::{Failure, Said, shown};
use crate::files::Input;
use crate::summary::naming;
use crate::table::{count, some_of};
use rebone::model::skeleton::edit_distance;
use rebone::opening::Opening;
use rebone::setup::mapping::ProfileChoice;
use rebone::{Clip, Document, Rig, Role, Warning};
use std::path::Path;
use std::time::Instant;

pub(crate) use rebone::doubts::distinct;

/// A character with the file it is from.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    /// The file.
    pub(crate) input: Input,
    /// The character.
    pub(crate) rig: Rig,
}

/// Milliseconds since a moment.
pub(crate) fn milliseconds(start: Instant) -> f64 {
    1e3 * start.elapsed().as_secs_f64()
}

/// Opens a file and takes one character from it.
pub(crate) fn load(path: &Path, wanted: &Opening<'_>) -> Result<Loaded, Failure> {
    from_input(Input::open(path)?, wanted)
}

/// Takes one character from an open file.
pub(crate) fn from_input(input: Input, wanted: &Opening<'_>) -> Result<Loaded, Failure> {
    let start = Instant::now();
    let rig = input.file.rig(wanted);
    let rig = rig.map_err(|error| Failure::in_file(&input.path, error))?;
    console::detail(|| {
        format!(
            "read {}: {}, {}, {}, recognised by {} ({:.1} ms)",
            shown(&input.path),
            rig.format.name().to_uppercase(),
            count(rig.character.skeleton.len(), "joint"),
            count(rig.character.clips.len(), "clip"),
            naming(&rig.map),
            milliseconds(start)
        )
    });
    Ok(Loaded { input, rig })
}

/// Takes one character from what was read of a file.
pub(crate) fn from_document(
    input: Input,
    document: Document,
    wanted: &Opening<'_>,
) -> Result<Loaded, Failure> {
    let rig = input.file.rig_of(document, wanted);
    let rig = rig.map_err(|error| Failure::in_file(&input.path, error))?;
    Ok(Loaded { input, rig })
}

/// Runs two jobs at once. Where both fail the first one's error is told.
pub(crate) fn both<A: Send, B: Send>(
    first: impl FnOnce() -> Result<A, Failure>,
    second: impl FnOnce() -> Result<B, Failure> + Send,
) -> Result<(A, B), Failure> {
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(second);
        let first = first();
        let second = other
            .join()
            .unwrap_or_else(|cause| std::panic::resume_unwind(cause));
        (first, second)
    });
    Ok((first?, second?))
}

/// The same file, aligned from the pose of another file of its rig.
pub(crate) fn with_rest_of(loaded: Loaded, rest: &Loaded) -> Result<Loaded, Failure> {
    let Loaded { input, rig } = loaded;
    let rig = rig.with_rest_of(&rest.rig).map_err(|error| {
        let about = format!("it cannot give the rest pose of {}: ", input.path.display());
        Failure::in_file(&rest.input.path, Said::from(error).after(&about))
    })?;
    Ok(Loaded { input, rig })
}

/// Opens a file and takes one character from it; aligned from the pose of another file of its rig, where one is named.
pub(crate) fn load_at_rest_of(
    path: &Path,
    wanted: &Opening<'_>,
    rest: Option<&Path>,
) -> Result<Loaded, Failure> {
    let loaded = load(path, wanted)?;
    match rest {
        Some(rest) => with_rest_of(loaded, &load_rest(rest, wanted.profile)?),
        None => Ok(loaded),
    }
}

/// The file that gives a pose.
pub(crate) fn load_rest(path: &Path, profile: ProfileChoice) -> Result<Loaded, Failure> {
    let wanted = Opening {
        profile,
        ..Opening::new(Role::Target)
    };
    load(path, &wanted)
}

/// Opens two files at once. Where both fail the first one's error is told.
pub(crate) fn load_pair(
    source: (&Path, &Opening<'_>),
    target: (&Path, &Opening<'_>),
) -> Result<(Loaded, Loaded), Failure> {
    both(|| load(source.0, source.1), || load(target.0, target.1))
}

/// The warnings of one side of a pair, marked as such.
pub(crate) fn on_side(side: &str, warnings: &[Warning]) -> Vec<Warning> {
    let mut result = warnings.to_vec();
    for warning in &mut result {
        warning.message = format!("{side}: {}", warning.message);
    }
    result
}

/// The clips with these names, or all where no name is given.
pub(crate) fn clips_named<'a>(
    loaded: &'a Loaded,
    names: &[String],
) -> Result<Vec<&'a Clip>, Failure> {
    let chosen = clips_of_any(std::slice::from_ref(loaded), &loaded.input.path, names)?;
    Ok(chosen.into_iter().flatten().collect())
}

/// The names of the clips that `wanted` selects, each once.
pub(crate) fn names_of_clips(loaded: &Loaded, wanted: &[String]) -> Result<Vec<String>, Failure> {
    let chosen = clips_named(loaded, wanted)?;
    let names: Vec<String> = chosen.iter().map(|clip| clip.name.clone()).collect();
    Ok(once_each(&names))
}

/// Names without repetition, in their order.
pub(crate) fn once_each(names: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        if !kept.contains(name) {
            kept.push(name.clone());
        }
    }
    kept
}

/// For each file its clips with these names, each once, or all where no name is given. A name is, in this order, a clip's
/// own name, its own name in other letter case, the part behind `|` of exactly one clip of the file (`Armature|Walk`), or
/// a pattern with `*`, `?` and `[...]`. `path` is what a message names: the file, or the folder of all.
pub(crate) fn clips_of_any<'a>(
    loaded: &'a [Loaded],
    path: &Path,
    names: &[String],
) -> Result<Vec<Vec<&'a Clip>>, Failure> {
    let lists: Vec<&[Clip]> = loaded
        .iter()
        .map(|file| file.rig.character.clips.as_slice())
        .collect();
    if names.is_empty() {
        return Ok(lists.iter().map(|clips| clips.iter().collect()).collect());
    }
    let mut chosen: Vec<Vec<&Clip>> = vec![Vec::new(); lists.len()];
    for name in names {
        // A clip's full name in one file is no short name in another.
        let best = lists
            .iter()
            .filter_map(|clips| Likeness::best(clips, name))
            .min();
        let Some(best) = best else {
            let all: Vec<&Clip> = lists.iter().copied().flatten().collect();
            return Err(no_such_clip(path, &all, name));
        };
        for (chosen, clips) in chosen.iter_mut().zip(&lists) {
            if Likeness::best(clips, name) != Some(best) {
                continue;
            }
            for clip in clips.iter() {
                let is_new = !chosen.iter().any(|known| std::ptr::eq(*known, clip));
                if is_new && Likeness::of(clip, name) == Some(best) {
                    chosen.push(clip);
                    if best == Likeness::Own {
                        // Of clips with one name the first is meant.
                        break;
                    }
                }
            }
        }
    }
    Ok(chosen)
}

/// Whether a text is a pattern (`walk_*`) that fits the clip's name, in any letter case.
pub(crate) fn matches_pattern(clip: &Clip, text: &str) -> bool {
    let pattern = glob::Pattern::new(&text.to_lowercase()).ok();
    text.contains(['*', '?', '['])
        && pattern.is_some_and(|pattern| pattern.matches(&clip.name.to_lowercase()))
}

/// How a clip's name is like a wanted one; the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// The same.
    Own,
    /// The same but for letter case.
    AnyCase,
    /// The part behind `|`.
    Short,
    /// It matches a pattern.
    Pattern,
}

impl Likeness {
    fn of(clip: &Clip, wanted: &str) -> Option<Self> {
        let (name, wanted_lower) = (clip.name.to_lowercase(), wanted.to_lowercase());
        let is_short = |(_, short): (&str, &str)| short == wanted_lower;
        if clip.name == wanted {
            Some(Self::Own)
        } else if name == wanted_lower {
            Some(Self::AnyCase)
        } else if name.rsplit_once('|').is_some_and(is_short) {
            Some(Self::Short)
        } else if matches_pattern(clip, wanted) {
            Some(Self::Pattern)
        } else {
            None
        }
    }

    /// The closest likeness of a file's clips; a short name that several clips have says nothing.
    fn best(clips: &[Clip], wanted: &str) -> Option<Self> {
        let found: Vec<Self> = clips
            .iter()
            .filter_map(|clip| Self::of(clip, wanted))
            .collect();
        let best = found.iter().min().copied()?;
        let is_unique = found.iter().filter(|other| **other == best).count() == 1;
        (best != Self::Short || is_unique).then_some(best)
    }
}

fn no_such_clip(path: &Path, clips: &[&Clip], name: &str) -> Failure {
    let remedy = instead_of(clips, name);
    Failure::at(path, format_args!("no clip is named \"{name}\""), remedy)
}

/// What to ask for where no clip is named so: the clip that was probably meant, and what there is.
pub(crate) fn instead_of(clips: &[&Clip], name: &str) -> String {
    if clips.is_empty() {
        return "there are no clips".to_owned();
    }
    let there_is = format!("there is {}", quoted_names(clips.iter().copied()));
    let wanted = name.to_lowercase();
    let part = |clip: &&&Clip| {
        let other = clip.name.to_lowercase();
        other.contains(&wanted) || wanted.contains(&other)
    };
    // A typing error or two, but not another word.
    let allowed = 1 + wanted.chars().count() / 4;
    let mistyped = || {
        clips
            .iter()
            .map(|clip| (edit_distance(&wanted, &clip.name.to_lowercase()), clip))
            .filter(|(distance, _)| *distance <= allowed)
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, clip)| clip)
    };
    match clips.iter().find(part).or_else(mistyped) {
        Some(clip) => format!("did you mean \"{}\"? {there_is}", clip.name),
        None => there_is,
    }
}

/// The first few names, in quotation marks.
pub(crate) fn quoted_names<'a>(clips: impl Iterator<Item = &'a Clip>) -> String {
    some_of(&in_quotes(clips.map(|clip| clip.name.as_str())), 8)
}

/// Each name in quotation marks.
pub(crate) fn in_quotes<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let names = names.into_iter();
    names.map(|name| format!("\"{name}\"")).collect()
}

/// `no clip`, `2 clips: "Walk", "Run"`.
pub(crate) fn clips_in_words<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names = in_quotes(names);
    match names.len() {
        0 => "no clip".to_owned(),
        number => format!("{}: {}", count(number, "clip"), some_of(&names, 6)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_name_wins() {
        let names = [
            "Walk",
            "walk",
            "Walk_Fast",
            "Armature|Run",
            "Other|Jump",
            "Third|Jump",
            "WALK_SLOW",
        ];
        let clips: Vec<Clip> = names.iter().map(|&name| Clip::new(name, 0)).collect();
        let best = |wanted: &str| {
            let best = Likeness::best(&clips, wanted)?;
            let found = clips
                .iter()
                .filter(|clip| Likeness::of(clip, wanted) == Some(best));
            Some(found.map(|clip| clip.name.as_str()).collect::<Vec<_>>())
        };
        assert_eq!(best("walk"), Some(vec!["walk"]));
        assert_eq!(
            best("walk_fast"),
            Some(vec!["Walk_Fast"]),
            "letter case, not a part"
        );
        assert_eq!(best("run"), Some(vec!["Armature|Run"]));
        assert_eq!(best("jump"), None, "two clips have this short name");
        assert_eq!(best("walk_*"), Some(vec!["Walk_Fast", "WALK_SLOW"]));
        assert_eq!(best("*|?ump"), Some(vec!["Other|Jump", "Third|Jump"]));
        assert_eq!(best("crawl"), None);
    }

    #[test]
    fn what_exists_is_listed() {
        let clips = [Clip::new("Walk", 0), Clip::new("Idle", 0)];
        let clips: Vec<&Clip> = clips.iter().collect();
        let text = instead_of(&clips, "wlak");
        assert_eq!(text, "did you mean \"Walk\"? there is \"Walk\", \"Idle\"");
        assert_eq!(instead_of(&clips, "crawl"), "there is \"Walk\", \"Idle\"");
    }
}
