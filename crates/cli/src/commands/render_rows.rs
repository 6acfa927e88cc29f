//! `rebone render`: which clip of which file each row of a picture shows.

use crate::console;
use crate::failure::Failure;
use crate::session::{self, Loaded};
use crate::settings::RenderSettings;
use rebone::Clip;
use rebone::model::clip::find_clip;

/// What one row shows.
pub(super) struct Row<'a> {
    pub(super) file: &'a Loaded,
    /// `None`: the rest pose.
    pub(super) clip: Option<&'a Clip>,
    /// What stands above it instead of the names of file and clip.
    pub(super) title: Option<String>,
    /// Why this clip was chosen. Only set if the file has several clips and the user named none.
    reason: Option<&'static str>,
}

/// The rows: of each file the clips that were asked for, else one that goes with the first row's.
pub(super) fn rows<'a>(loaded: &'a [Loaded], names: &[String]) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    for file in loaded {
        let asked: Vec<&Clip> = names
            .iter()
            .flat_map(|name| asked_for(file, name))
            .collect();
        if asked.is_empty() {
            let row = match rows.first() {
                None => first_row(file, loaded.get(1..).unwrap_or_default()),
                Some(first) => row_beside(file, first),
            };
            rows.push(row);
            continue;
        }
        rows.extend(asked.into_iter().map(|clip| Row {
            file,
            clip: Some(clip),
            title: None,
            reason: None,
        }));
    }
    rows
}

/// A row for each file in its retarget pose.
pub(super) fn pose_rows<'a>(loaded: &'a [Loaded], poses: &'a [Clip]) -> Vec<Row<'a>> {
    let row = |(file, pose): (&'a Loaded, &'a Clip)| Row {
        file,
        clip: Some(pose),
        title: None,
        reason: None,
    };
    loaded.iter().zip(poses).map(row).collect()
}

/// A row for each way to read a file, all with the clip that would be shown of it.
pub(super) fn reading_rows<'a>(
    loaded: &'a [Loaded],
    abouts: &[String],
    names: &[String],
) -> Vec<Row<'a>> {
    let titled = |(file, about): (&'a Loaded, &String)| {
        let rows = rows(std::slice::from_ref(file), names).into_iter();
        let about = about.clone();
        rows.map(move |row| Row {
            title: Some(about.clone()),
            ..row
        })
    };
    loaded.iter().zip(abouts).flat_map(titled).collect()
}

/// The last, because `retarget` appends its clips to those that the target already has.
fn last_named<'a>(file: &'a Loaded, name: &str) -> Option<&'a Clip> {
    let clips = &file.rig.character.clips;
    let exact = clips.iter().rev().find(|clip| clip.name == name);
    exact.or_else(|| find_clip(clips, name))
}

/// The clips that a name or a pattern means; of clips with one name the last.
fn asked_for<'a>(file: &'a Loaded, name: &str) -> Vec<&'a Clip> {
    if let Some(clip) = last_named(file, name) {
        return vec![clip];
    }
    let clips = &file.rig.character.clips;
    let is_last = |(index, clip): &(usize, &Clip)| {
        !clips[index + 1..]
            .iter()
            .any(|later| later.name == clip.name)
    };
    let mut found: Vec<_> = clips.iter().enumerate().filter(is_last).collect();
    found.retain(|(_, clip)| session::matches_pattern(clip, name));
    found.into_iter().map(|(_, clip)| clip).collect()
}

/// Chooses the first row's clip if the user named none. This is the first clip that all files have, so that a source
/// stands beside its own result. If they share none, it is the file's first clip.
fn first_row<'a>(file: &'a Loaded, others: &[Loaded]) -> Row<'a> {
    let clips = &file.rig.character.clips;
    let is_shared = |clip: &&Clip| {
        !others.is_empty()
            && others
                .iter()
                .all(|other| last_named(other, &clip.name).is_some())
    };
    let shared = clips.iter().find(is_shared);
    let is_later = shared.is_some_and(|clip| clip.name != clips[0].name);
    Row {
        file,
        clip: shared.or(clips.first()),
        title: None,
        reason: (clips.len() > 1).then_some(if is_later {
            "which the other files have too,"
        } else {
            "the first"
        }),
    }
}

/// A row below the first whose clip nobody asked for: the one that is named as the first row's, else the
/// file's last, which is the newest where the file is a result.
fn row_beside<'a>(file: &'a Loaded, first: &Row<'_>) -> Row<'a> {
    let clips = &file.rig.character.clips;
    let same = first.clip.and_then(|clip| last_named(file, &clip.name));
    let (clip, reason) = match same {
        Some(clip) => (Some(clip), "named as in the first row,"),
        None => (clips.last(), "the last"),
    };
    Row {
        file,
        clip,
        title: None,
        reason: (clips.len() > 1).then_some(reason),
    }
}

/// Fails where a name that was asked for is in no file.
pub(super) fn check_clip_names(
    loaded: &[Loaded],
    settings: &RenderSettings,
) -> Result<(), Failure> {
    for name in &settings.clips {
        let found = loaded.iter().any(|file| !asked_for(file, name).is_empty());
        if !found {
            let paths: Vec<String> = settings
                .files
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            let clips = loaded.iter().flat_map(|file| &file.rig.character.clips);
            return Err(Failure::new(
                format_args!("no clip is named \"{name}\" in {}", paths.join(", ")),
                session::instead_of(&clips.collect::<Vec<_>>(), name),
            ));
        }
    }
    Ok(())
}

/// Says which clip is shown where one was chosen.
pub(super) fn remark_on_clip(row: &Row<'_>) {
    if let (Some(clip), Some(reason)) = (row.clip, row.reason) {
        console::remark(&format!(
            "{}: showing \"{}\", {reason} of {} clips (--clip NAME chooses)",
            row.file.input.path.display(),
            clip.name,
            row.file.rig.character.clips.len()
        ));
    }
}
