//! Which pose of a file becomes the reference pose.

use super::AlignOptions;
use super::body_frame::body_frame;
use super::candidates::{Candidate, candidates, first_frame, frame, frames, neutrality};
use super::given::GivenPose;
use super::placement::Placement;
use super::plausibility::{STANDS, STILL, TRUSTED, asymmetry};
use super::pose_source::{PoseCandidate, PoseChoice, PoseSource};
use super::spaces::Spaces;
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Stance};
use glam::DQuat;
use rebone_model::elementary::Angle as _;
use rebone_model::sampling::sample_track;
use rebone_model::{Character, Clip, Warning};

/// How much better than those before it a pose must be to be taken.
const CLEARLY_BETTER: f64 = 0.08;

/// Joints that differ by less (radians) are turned alike.
const SAME_RADIANS: f64 = 2e-3;

/// An actor never holds both sides quite alike. A pose whose sides differ by less than this share of the distance from the hips
/// was made as a rest pose.
const POSED: f64 = 0.004;

/// The poses among which the reference pose is chosen.
pub(super) struct Poses<'a> {
    character: &'a Character,
    map: &'a RigMap,
    clips: &'a [&'a Clip],
    options: &'a AlignOptions,
    /// The rest pose first. If no pose of the file stands, moments of the clips follow.
    pub(super) all: Vec<Candidate>,
    /// How many of `all` come before the moments of the clips.
    own: usize,
    /// True if the rest pose is a frame of a clip. Files of a motion alone often have one.
    pub(super) rest_moves: bool,
    /// True if a pose that the file states stands, so that derived poses do not count.
    written_stands: bool,
}

impl<'a> Poses<'a> {
    pub(super) fn new(
        character: &'a Character,
        map: &'a RigMap,
        clips: &'a [&'a Clip],
        options: &'a AlignOptions,
    ) -> Self {
        let mut all = candidates(character, map, clips, options);
        let own = all.len();
        let best = all.iter().map(|entry| entry.score).fold(0.0, f64::max);
        if best < TRUSTED {
            all.extend(frames(character, map, clips).map(|entry| Candidate {
                score: entry.score * 0.9,
                ..entry
            }));
        }
        let rest_moves = character.skins.is_empty()
            && clips.iter().any(|clip| is_frame_of(character, map, clip));
        let written_stands = !rest_moves
            && all[..own]
                .iter()
                .any(|entry| !entry.source.is_derived() && entry.score >= TRUSTED);
        Self {
            character,
            map,
            clips,
            options,
            all,
            own,
            rest_moves,
            written_stands,
        }
    }

    /// Index of the pose that shows the body best. The rest pose wins unless another is clearly better; ties go to the first.
    pub(super) fn best(&self) -> usize {
        let mut chosen = if self.rest_moves {
            self.derived_standing().unwrap_or(0)
        } else {
            0
        };
        for index in 1..self.all.len() {
            if self.counts(&self.all[index])
                && self.all[index].score > self.all[chosen].score + CLEARLY_BETTER
            {
                chosen = index;
            }
        }
        if self.all[chosen].score < STANDS && self.map.profile.stance == Stance::Upright {
            self.most_neutral_moment().unwrap_or(chosen)
        } else {
            chosen
        }
    }

    /// The first pose that follows from the axes of the joints and stands: it wins over another moment of the motion.
    fn derived_standing(&self) -> Option<usize> {
        let rest = &self.all[0].pose;
        let is_of_actor = !is_posed(self.map, rest);
        let stands = |entry: &Candidate| {
            let is_clear = entry.score >= STILL || (is_of_actor && entry.score >= TRUSTED);
            entry.source.is_derived() && is_clear && !is_alike(self.map, &entry.pose, rest)
        };
        self.all[..self.own].iter().position(stands)
    }

    /// The moment of the clips that is closest to standing. A body that moves upright shows more of itself than one that is
    /// laid along a line.
    fn most_neutral_moment(&self) -> Option<usize> {
        (self.own..self.all.len())
            .filter_map(|index| Some((neutrality(self.map, &self.all[index].pose)?, index)))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, index)| index)
    }

    fn counts(&self, entry: &Candidate) -> bool {
        !entry.source.is_derived() || !self.written_stands
    }

    /// Index of the pose that the user asked for; a moment of the clip is added first.
    pub(super) fn wanted(&mut self, wanted: PoseChoice) -> Option<usize> {
        let is_wanted = |entry: &Candidate| match wanted {
            PoseChoice::Rest => entry.source == PoseSource::Rest,
            PoseChoice::Bind => entry.source == PoseSource::Bind,
            PoseChoice::Stored => entry.source == PoseSource::Stored,
            PoseChoice::Given => entry.source == PoseSource::Given,
            PoseChoice::First | PoseChoice::Time(_) | PoseChoice::FrameNumber(_) => false,
        };
        let time = match wanted {
            PoseChoice::First => self.clips.first()?.time_span().0,
            PoseChoice::Time(time) => time,
            PoseChoice::FrameNumber(number) => time_of_frame(self.clips.first()?, number)?,
            _ => return self.all.iter().position(is_wanted),
        };
        let clip = self.clips.first()?;
        let (start, end) = clip.time_span();
        if !(start..=end).contains(&time) || clip.animated_joint_count() == 0 {
            return None;
        }
        self.all.push(frame(self.character, self.map, clip, time));
        Some(self.all.len() - 1)
    }

    /// The poses that count, judged, and one moment of the clips: the chosen one or the first frame.
    pub(super) fn judged(&self, chosen: usize, spaces: &Spaces<'_>) -> Vec<PoseCandidate> {
        let mut result: Vec<PoseCandidate> = self.all[..self.own]
            .iter()
            .filter(|entry| self.counts(entry))
            .map(|entry| spaces.judge(entry))
            .collect();
        if chosen >= self.own {
            result.push(spaces.judge(&self.all[chosen]));
        } else if let Some(first) = first_frame(self.character, self.map, self.clips) {
            result.push(spaces.judge(&first));
        }
        result
    }

    /// True if the chosen pose is a moment of a motion.
    pub(super) fn is_moment(&self, chosen: usize) -> bool {
        let source = self.all[chosen].source;
        source.is_of_clip() || (source == PoseSource::Rest && self.rest_moves)
    }

    /// Canonical space from that of the clip's motion. `canonical_from_pose` is the turn of the chosen pose.
    pub(super) fn canonical_from_file(
        &self,
        chosen: usize,
        spaces: &Spaces<'_>,
        canonical_from_pose: DQuat,
        warnings: &mut Vec<Warning>,
    ) -> DQuat {
        let pose = &self.all[chosen];
        let stands_still = pose.source == PoseSource::Rest && pose.score >= STILL;
        match (pose.source, &self.options.given) {
            (
                PoseSource::Given,
                Some(GivenPose {
                    canonical_from_file: Some(known),
                    ..
                }),
            ) => *known,
            // A moment of a motion faces anywhere.
            _ if self.is_moment(chosen) && !stands_still => {
                spaces.conventional(canonical_from_pose)
            }
            _ => spaces.canonical_from_file(&self.all[0], pose, canonical_from_pose, warnings),
        }
    }
}

/// True for a pose that somebody made as a rest pose, and that is no moment of a motion.
pub(super) fn is_posed(map: &RigMap, pose: &[Placement]) -> bool {
    let apart = body_frame(map, pose).and_then(|frame| asymmetry(map, pose, &frame));
    apart.is_none_or(|apart| apart < POSED)
}

/// True where all mapped joints are turned alike in two poses, each against the hips.
fn is_alike(map: &RigMap, one: &[Placement], other: &[Placement]) -> bool {
    let Some(hips) = map.joint_of(Part::Hips, Side::Center) else {
        return false;
    };
    let turned =
        |pose: &[Placement], joint: usize| pose[hips].rotation.conjugate() * pose[joint].rotation;
    let mut joints = map.slots.values().flat_map(|found| &found.joints);
    joints.all(|&joint| turned(one, joint).angle_apart(turned(other, joint)) < SAME_RADIANS)
}

/// True where the rest pose is a frame of a clip: all mapped joints below the hips are turned as they are there.
fn is_frame_of(character: &Character, map: &RigMap, clip: &Clip) -> bool {
    let hips = map.joint_of(Part::Hips, Side::Center);
    let joints = map.slots.values().flat_map(|found| &found.joints);
    let tracks: Vec<_> = joints
        .filter(|joint| Some(**joint) != hips)
        .filter_map(|&joint| {
            let track = clip.joints.get(joint)?.rotation.as_ref()?;
            Some((track, character.skeleton.joints()[joint].rest.rotation))
        })
        .collect();
    let is_there = |time: f32| {
        tracks.iter().all(|(track, rest)| {
            let turned = sample_track(track, time).as_dquat();
            turned.angle_apart(rest.as_dquat()) < SAME_RADIANS
        })
    };
    !tracks.is_empty() && clip.key_times().into_iter().any(is_there)
}

/// When a frame is, seconds; `None` where the clip is shorter.
fn time_of_frame(clip: &Clip, number: u32) -> Option<f32> {
    let Some(rate_hz) = clip.rate_hz.filter(|rate| *rate > 0.0) else {
        return clip.key_times().get(number as usize).copied();
    };
    let (start, end) = clip.time_span();
    let time = f64::from(start) + f64::from(number) / rate_hz;
    let slack = 0.5 / rate_hz;
    (time <= f64::from(end) + slack).then_some((time as f32).min(end))
}
