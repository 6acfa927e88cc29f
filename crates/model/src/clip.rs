//! A motion: tracks per joint.

use crate::curve::Curve;
use crate::track::{Track, same_times};
use glam::{Quat, Vec3};

/// The tracks of one joint, in its local space. A channel without track keeps the rest value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointTracks {
    /// Metres.
    pub translation: Option<Track<Vec3>>,
    /// Unit quaternions.
    pub rotation: Option<Track<Quat>>,
    /// Factors.
    pub scale: Option<Track<Vec3>>,
}

impl JointTracks {
    /// True where no channel has a track.
    pub fn is_empty(&self) -> bool {
        self.translation.is_none() && self.rotation.is_none() && self.scale.is_none()
    }

    fn all_times(&self) -> impl Iterator<Item = &[f32]> {
        let translation = self.translation.as_ref().map(Track::times);
        let rotation = self.rotation.as_ref().map(Track::times);
        let scale = self.scale.as_ref().map(Track::times);
        [translation, rotation, scale].into_iter().flatten()
    }
}

/// A motion of one skeleton. Stored joint-major: one contiguous array a track.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// The file's own name for it.
    pub name: String,
    /// Tracks in joint order, one entry a joint of the skeleton.
    pub joints: Vec<JointTracks>,
    /// Motions of other things than joints.
    pub curves: Vec<Curve>,
    /// Frames a second where the file states it (BVH, FBX).
    pub rate_hz: Option<f64>,
}

impl Clip {
    /// A clip without any track.
    pub fn new(name: impl Into<String>, joint_count: usize) -> Self {
        Self {
            name: name.into(),
            joints: vec![JointTracks::default(); joint_count],
            curves: Vec::new(),
            rate_hz: None,
        }
    }

    /// Time of the first and the last key, seconds; `(0, 0)` without keys.
    pub fn time_span(&self) -> (f32, f32) {
        let mut span: Option<(f32, f32)> = None;
        for times in self.joints.iter().flat_map(JointTracks::all_times) {
            let (first, last) = (times[0], times[times.len() - 1]);
            span = Some(span.map_or((first, last), |(start, end)| {
                (start.min(first), end.max(last))
            }));
        }
        for times in self.curves.iter().map(Curve::times) {
            let (first, last) = (times[0], times[times.len() - 1]);
            span = Some(span.map_or((first, last), |(start, end)| {
                (start.min(first), end.max(last))
            }));
        }
        span.unwrap_or((0.0, 0.0))
    }

    /// Time of the last key, seconds: how long a player takes that starts at 0.
    pub fn seconds(&self) -> f32 {
        self.time_span().1
    }

    /// Number of different key times over all tracks of joints.
    pub fn frame_count(&self) -> usize {
        self.key_times().len()
    }

    /// All different key times of joints, rising.
    pub fn key_times(&self) -> Vec<f32> {
        let mut longest: &[f32] = &[];
        for times in self.joints.iter().flat_map(JointTracks::all_times) {
            if times.len() > longest.len() {
                longest = times;
            }
        }
        let mut times = longest.to_vec();
        times.dedup();
        let mut others: Vec<f32> = Vec::new();
        for track_times in self.joints.iter().flat_map(JointTracks::all_times) {
            if same_times(track_times, longest) {
                continue;
            }
            others.extend(track_times.iter().filter(|time| {
                times
                    .binary_search_by(|probe| probe.total_cmp(time))
                    .is_err()
            }));
        }
        if !others.is_empty() {
            times.extend(others);
            times.sort_by(f32::total_cmp);
            times.dedup();
        }
        times
    }

    /// The same clip, later by so many seconds. What gets a time that is not finite is left out.
    #[must_use]
    pub fn shifted(&self, by: f64) -> Self {
        let joint = |tracks: &JointTracks| JointTracks {
            translation: tracks
                .translation
                .as_ref()
                .and_then(|track| track.shifted(by)),
            rotation: tracks.rotation.as_ref().and_then(|track| track.shifted(by)),
            scale: tracks.scale.as_ref().and_then(|track| track.shifted(by)),
        };
        let curves = self.curves.iter().filter_map(|curve| curve.shifted(by));
        Self {
            name: self.name.clone(),
            joints: self.joints.iter().map(joint).collect(),
            curves: curves.collect(),
            rate_hz: self.rate_hz,
        }
    }

    /// Number of joints with at least one track.
    pub fn animated_joint_count(&self) -> usize {
        self.joints
            .iter()
            .filter(|tracks| !tracks.is_empty())
            .count()
    }

    /// True where no joint has a track and nothing else moves.
    pub fn is_empty(&self) -> bool {
        self.curves.is_empty() && self.joints.iter().all(JointTracks::is_empty)
    }
}

/// The clip of this name; else the first of this name in other letter case; else the only one whose name ends so behind a
/// `|`, where Blender and others put the object's own name in front (`Armature|Walk`).
pub fn find_clip<'a>(clips: &'a [Clip], name: &str) -> Option<&'a Clip> {
    let lower = name.to_lowercase();
    let exact = clips.iter().find(|clip| clip.name == name);
    let any_case = || clips.iter().find(|clip| clip.name.to_lowercase() == lower);
    if let Some(found) = exact.or_else(any_case) {
        return Some(found);
    }
    let is_short = |clip: &&Clip| {
        let own = clip.name.rsplit_once('|');
        own.is_some_and(|(_, own)| own == name)
    };
    let mut short = clips.iter().filter(is_short);
    short.next().filter(|_| short.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::Interpolation;

    #[test]
    fn key_times_are_the_union_of_all_tracks() {
        let mut clip = Clip::new("a", 2);
        let track = |times: &[f32]| {
            Track::new(
                Interpolation::Linear,
                times.into(),
                vec![Vec3::ZERO; times.len()],
            )
            .unwrap()
        };
        clip.joints[0].translation = Some(track(&[0.0, 1.0, 2.0]));
        clip.joints[1].scale = Some(track(&[0.5, 1.0]));
        assert_eq!(clip.key_times(), [0.0, 0.5, 1.0, 2.0]);
        assert_eq!(clip.time_span(), (0.0, 2.0));
        assert_eq!(clip.animated_joint_count(), 2);
        assert_eq!(Clip::new("empty", 3).key_times(), Vec::<f32>::new());
    }

    #[test]
    fn clips_are_found_without_the_name_of_their_armature() {
        let clips =
            ["Rig|Walk", "Rig|Run", "Other|Run", "Idle", "Rig|Idle"].map(|n| Clip::new(n, 0));
        let found = |name: &str| find_clip(&clips, name).map(|clip| clip.name.as_str());
        assert_eq!(found("Walk"), Some("Rig|Walk"));
        assert_eq!(found("Rig|Walk"), Some("Rig|Walk"));
        assert_eq!(found("Idle"), Some("Idle"));
        assert_eq!(found("Run"), None);
        assert_eq!(found("walk"), None);
    }
}
