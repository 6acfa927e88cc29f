//! Values as they are typed in arguments.

use crate::failure::Failure;
use crate::files;
use rebone::RootScale;
use rebone::setup::align::PoseChoice;
use rebone::setup::mapping::ProfileChoice;
use rebone::setup::profile::custom::read_profile;

/// Reads `--profile`: the name of a built-in profile, or a file.
pub(crate) fn profile(text: Option<&str>) -> Result<ProfileChoice, Failure> {
    let path = match text {
        None => return Ok(ProfileChoice::Auto),
        Some("humanoid") => return Ok(ProfileChoice::Humanoid),
        Some("quadruped") => return Ok(ProfileChoice::Quadruped),
        Some(path) => std::path::Path::new(path),
    };
    let example =
        "use humanoid, quadruped, or a file as `rebone map FILE --save-profile PROFILE` writes it";
    let text = files::Input::open_text(path, "a profile is", example)?;
    let custom = read_profile(&text).map_err(|error| Failure::at(path, error, example))?;
    Ok(ProfileChoice::Custom(custom))
}

/// Reads a time of a clip.
pub(crate) fn seconds(text: &str) -> Result<f32, String> {
    let text = text.strip_suffix('s').unwrap_or(text);
    let found = text
        .trim()
        .parse()
        .ok()
        .filter(|number: &f32| number.is_finite());
    found.ok_or_else(|| "give seconds, as 1.5".to_owned())
}

/// Reads `--root-scale`.
pub(crate) fn root_scale(text: &str) -> Result<RootScale, String> {
    RootScale::parse(text).ok_or_else(|| {
        "use auto, legs-hips, legs, hips, stature, legs-stature, none, a number of at least 0, or three with commas between".to_owned()
    })
}

/// Reads `--rest-frame`: `12`, `1.5s`.
pub(crate) fn moment(text: &str) -> Result<PoseChoice, String> {
    let seconds = text.strip_suffix('s').map(|number| number.trim().parse());
    match (seconds, text.parse()) {
        (Some(Ok(seconds)), _) if f32::is_finite(seconds) => Ok(PoseChoice::Time(seconds)),
        (None, Ok(number)) => Ok(PoseChoice::FrameNumber(number)),
        _ => Err("give a frame counted from 0, as 12, or seconds, as 1.5s".to_owned()),
    }
}
