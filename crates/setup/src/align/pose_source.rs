//! Poses from which alignment may start: what may be asked for, what was found, what was taken.

use super::measures::RestKind;

/// What a user may ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseChoice {
    /// The file's default transforms.
    Rest,
    /// The pose in which the skin was bound.
    Bind,
    /// A pose that the file stores beside the others (FBX `Pose`).
    Stored,
    /// The first frame of the clip.
    First,
    /// A moment of the clip, seconds.
    Time(f32),
    /// A frame of the clip, counted from 0: by the clip's rate where the file states one, else by its
    /// key times.
    FrameNumber(u32),
    /// The pose in [`AlignOptions::given`](super::AlignOptions::given).
    Given,
}

impl PoseChoice {
    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Self::Rest => "rest pose".to_owned(),
            Self::Bind => "bind pose".to_owned(),
            Self::Stored => "stored pose".to_owned(),
            Self::First => "first frame of a clip".to_owned(),
            Self::Time(time) => format!("clip at {time:.2} s"),
            Self::FrameNumber(number) => format!("frame {number} in its clip"),
            Self::Given => "pose of another file".to_owned(),
        }
    }
}

/// Where a reference pose comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseSource {
    /// The file's default transforms.
    Rest,
    /// The pose in which the skin was bound.
    Bind,
    /// A pose that the file stores beside the others (FBX `Pose`).
    Stored,
    /// The rest rotations with the joints where the clip puts them, seconds: for files whose position
    /// channels replace offsets that mean something else.
    Offsets(f32),
    /// The first frame of the clip, seconds.
    First(f32),
    /// A frame of the clip, seconds.
    Frame(f32),
    /// The T-pose of the rig's system, from what is known of the axes of its joints.
    Known,
    /// The joints where the rest pose or the clip puts them, with no joint turned.
    Zero,
    /// The reference pose of another file of the same rig.
    Given,
}

impl PoseSource {
    /// `rest`, `bind`, `stored`, `offsets`, `first`, `frame`, `known`, `zero`, `given`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Bind => "bind",
            Self::Stored => "stored",
            Self::Offsets(_) => "offsets",
            Self::First(_) => "first",
            Self::Frame(_) => "frame",
            Self::Known => "known",
            Self::Zero => "zero",
            Self::Given => "given",
        }
    }

    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Self::Rest => "rest pose".to_owned(),
            Self::Bind => "bind pose".to_owned(),
            Self::Stored => "stored pose".to_owned(),
            Self::Offsets(_) => "rest pose with the joints where the clip puts them".to_owned(),
            Self::First(_) => "first frame of the clip".to_owned(),
            Self::Frame(time) => format!("clip at {time:.2} s"),
            Self::Known => "known pose of this system".to_owned(),
            Self::Zero => "pose with all angles zero".to_owned(),
            Self::Given => "pose of the other file".to_owned(),
        }
    }

    /// The moment of the clip that gives the joints their places, where one does.
    pub fn time(&self) -> Option<f32> {
        match self {
            Self::Offsets(time) | Self::First(time) | Self::Frame(time) => Some(*time),
            Self::Rest | Self::Bind | Self::Stored | Self::Known | Self::Zero | Self::Given => None,
        }
    }

    /// True for a pose of the clip, which stands in the space of the motion and need not stand straight.
    pub(crate) fn is_of_clip(&self) -> bool {
        matches!(self, Self::First(_) | Self::Frame(_))
    }

    /// True for a pose that the file does not state: it follows from the axes of the joints, and its place is no floor.
    pub(crate) fn is_derived(&self) -> bool {
        matches!(self, Self::Known | Self::Zero)
    }
}

/// A pose that was considered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseCandidate {
    /// Where it comes from.
    pub source: PoseSource,
    /// How much it looks like a person standing, 0 to 1.
    pub plausibility: f64,
    /// T-pose, A-pose or arms down; [`RestKind::Unknown`] where nobody stands like that.
    pub rest_kind: RestKind,
}

/// The poses that a file holds and the one that was taken, in one line.
///
/// The chosen one comes first: `bind pose is a T-pose; rest pose has the arms down; using the first`.
/// Moments of a clip are told only where one was taken.
pub fn explain(candidates: &[PoseCandidate], chosen: PoseSource) -> String {
    let mut ordered: Vec<&PoseCandidate> = Vec::with_capacity(candidates.len());
    ordered.extend(candidates.iter().filter(|entry| entry.source == chosen));
    ordered.extend(
        candidates
            .iter()
            .filter(|entry| entry.source != chosen && entry.source.time().is_none()),
    );
    let phrases: Vec<String> = ordered
        .iter()
        .map(|entry| {
            format!(
                "{} {}",
                entry.source.describe(),
                kind_in_words(entry.rest_kind)
            )
        })
        .collect();
    match phrases.len() {
        0 => format!("using the {}", chosen.describe()),
        1 => phrases.concat(),
        _ => format!("{}; using the first", phrases.join("; ")),
    }
}

fn kind_in_words(kind: RestKind) -> &'static str {
    match kind {
        RestKind::TPose => "is a T-pose",
        RestKind::APose => "is an A-pose",
        RestKind::ArmsDown => "has the arms down",
        RestKind::FourLegged => "stands on four legs",
        RestKind::Unknown => "is no standing pose",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_pose_is_told_first() {
        let entry = |source, rest_kind| PoseCandidate {
            source,
            plausibility: 1.0,
            rest_kind,
        };
        let rest = entry(PoseSource::Rest, RestKind::ArmsDown);
        let bind = entry(PoseSource::Bind, RestKind::TPose);
        assert_eq!(
            explain(&[rest, bind], PoseSource::Bind),
            "bind pose is a T-pose; rest pose has the arms down; using the first"
        );
        assert_eq!(
            explain(&[rest], PoseSource::Rest),
            "rest pose has the arms down"
        );
    }
}
