//! The reference pose: the pose of the file from which directions are read (E28).

use super::AlignOptions;
use super::body_frame::body_frame;
use super::candidates::{Candidate, candidates, first_frame, frame, frames};
use super::canonical::{candidate_axes, canonical, upright};
use super::feet::put_flat;
use super::given::GivenPose;
use super::measures::{RestKind, rest_kind};
use super::motion_up::motion_up;
use super::placement::Placement;
use super::pose_source::{PoseCandidate, PoseChoice, PoseSource};
use crate::mapping::RigMap;
use glam::{DQuat, DVec3};
use rebone_model::elementary::Angle as _;
use rebone_model::elementary::Elementary as _;
use rebone_model::{Action, Character, Clip, Remedy, Warning};

/// The chosen pose.
pub(crate) struct Reference {
    pub(crate) source: PoseSource,
    pub(crate) plausibility: f64,
    /// Canonical.
    pub(crate) placements: Vec<Placement>,
    pub(crate) canonical_from_pose: DQuat,
    /// For the clip's motion and for writing.
    pub(crate) canonical_from_file: DQuat,
    /// True where the pose is no plain standing pose and the torso needs correction too.
    pub(crate) correct_torso: bool,
    /// True where the pose is a moment of a motion in which nobody stands still: then trunk and hands are
    /// judged by all moments.
    pub(crate) moves: bool,
    /// Everything that was considered.
    pub(crate) candidates: Vec<PoseCandidate>,
}

/// Below this plausibility no pose is trusted if the clip has a better one.
const TRUSTED: f64 = 0.35;

/// How much better than those before it a pose must be to be taken.
const CLEARLY_BETTER: f64 = 0.08;

/// Below this plausibility nobody stands: then the arms tell no kind of pose, and a rest pose does not show
/// the axes in which the file's motion stands.
const STANDS: f64 = 0.05;

/// From this plausibility on, a moment of a clip is one in which somebody stands still.
const STILL: f64 = 0.85;

/// A body that only shows which of the file's axes are meant may lean and turn as far as this.
const LEANING_DEGREES: f64 = 44.0;

pub(crate) fn choose(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    options: &AlignOptions,
    warnings: &mut Vec<Warning>,
) -> Reference {
    let mut all = candidates(character, map, clips, options);
    let own = all.len();
    let best = all.iter().map(|entry| entry.score).fold(0.0, f64::max);
    if best < TRUSTED {
        all.extend(frames(character, map, clips).map(|entry| Candidate {
            score: entry.score * 0.9,
            ..entry
        }));
    }
    // The rest pose wins unless another is clearly better; ties go to the first.
    let mut chosen = 0;
    for index in 1..all.len() {
        if all[index].score > all[chosen].score + CLEARLY_BETTER {
            chosen = index;
        }
    }
    if let Some(wanted) = options.pose {
        chosen = wanted_pose(character, map, clips, wanted, &mut all).unwrap_or_else(|| {
            warnings.push(Warning::new(
                "pose-missing",
                format!("\"{}\" has no {}", character.name, wanted.describe()),
                "another pose is used; check source.pose and target.pose in the recipe",
            ));
            chosen
        });
    }
    let space = Spaces::new(character, map, clips, options, &all[0].pose);
    let mut considered: Vec<PoseCandidate> =
        all[..own].iter().map(|entry| space.judge(entry)).collect();
    let mut is_moment = all[chosen].source.is_of_clip();
    if chosen >= own {
        considered.push(space.judge(&all[chosen]));
    } else if let Some(first) = first_frame(character, map, clips) {
        considered.push(space.judge(&first));
        // Files of a motion alone often have the first frame for a rest pose.
        is_moment |= all[chosen].source == PoseSource::Rest
            && character.skins.is_empty()
            && same_rotations(map, &all[chosen].pose, &first.pose);
    }
    let canonical_from_pose = space.canonical_from(&all[chosen]);
    let canonical_from_file = match (all[chosen].source, &options.given) {
        (
            PoseSource::Given,
            Some(GivenPose {
                canonical_from_file: Some(known),
                ..
            }),
        ) => *known,
        _ => space.canonical_from_file(&all[0], &all[chosen], canonical_from_pose, warnings),
    };
    let Candidate {
        score,
        source,
        pose,
    } = all.swap_remove(chosen);
    if options.pose.is_none() {
        tell(source, warnings);
    }
    tell_frame(map, &pose, warnings);
    let mut placements: Vec<Placement> = pose
        .into_iter()
        .map(|placement| placement.turned(canonical_from_pose))
        .collect();
    let stands = score >= TRUSTED || (score >= STANDS && !source.is_of_clip());
    if options.pose.is_none() && !stands {
        put_flat(character, map, clips, canonical_from_file, &mut placements);
        if source == PoseSource::Rest && body_frame(map, &placements).is_some() {
            warnings.push(Warning::new(
                "rest-not-standing",
                "no pose of the file is one in which a person stands; the rest pose is used",
                Remedy::new(
"give another file of the same rig in a T-pose, or choose a better moment of the clip",
&[Action::GiveRestPose, Action::ChooseRestFrame],
),
            ));
        }
    }
    Reference {
        source,
        plausibility: score,
        placements,
        canonical_from_pose,
        canonical_from_file,
        correct_torso: source.is_of_clip(),
        moves: score < TRUSTED || (is_moment && score < STILL),
        candidates: considered,
    }
}

/// True where the joints of all slots are turned alike.
fn same_rotations(map: &RigMap, one: &[Placement], other: &[Placement]) -> bool {
    let joints = || map.slots.values().flat_map(|found| &found.joints);
    let same = |&joint: &usize| one[joint].rotation.angle_apart(other[joint].rotation) < 1e-3;
    joints().next().is_some() && joints().all(same)
}

/// What is known of axes before a pose is chosen.
struct Spaces<'a> {
    character: &'a Character,
    map: &'a RigMap,
    clips: &'a [&'a Clip],
    options: &'a AlignOptions,
    stated_up: Option<DVec3>,
    axes: Vec<DQuat>,
}

impl<'a> Spaces<'a> {
    fn new(
        character: &'a Character,
        map: &'a RigMap,
        clips: &'a [&'a Clip],
        options: &'a AlignOptions,
        rest: &[Placement],
    ) -> Self {
        Self {
            character,
            map,
            clips,
            options,
            stated_up: options.up.map(|axis| axis.direction().as_dvec3()),
            axes: candidate_axes(character, map, rest),
        }
    }

    /// Canonical space from that of a pose.
    fn canonical_from(&self, entry: &Candidate) -> DQuat {
        let frame = body_frame(self.map, &entry.pose);
        match entry.source {
            PoseSource::Rest | PoseSource::Offsets(_) => {
                canonical(frame, self.stated_up, &self.axes, 20.0)
            }
            // The others stand in spaces of their own.
            PoseSource::Bind | PoseSource::Stored | PoseSource::First(_) | PoseSource::Frame(_) => {
                canonical(frame, None, &self.axes, 12.0)
            }
            // The other file's alignment has turned it already.
            PoseSource::Given => DQuat::IDENTITY,
        }
    }

    /// Canonical space from that of the motion, read off its most plausible moment.
    fn canonical_from_motion(&self) -> Option<DQuat> {
        let best = frames(self.character, self.map, self.clips)
            .filter(|entry| entry.score > 0.0)
            .max_by(|a, b| a.score.total_cmp(&b.score))?;
        let frame = body_frame(self.map, &best.pose);
        Some(canonical(
            frame,
            self.stated_up,
            &self.axes,
            LEANING_DEGREES,
        ))
    }

    /// Canonical space from that in which the clip moves. `rest` is the rest pose and `taken` the reference pose, with
    /// its own turn to canonical space.
    fn canonical_from_file(
        &self,
        rest: &Candidate,
        taken: &Candidate,
        canonical_from_pose: DQuat,
        warnings: &mut Vec<Warning>,
    ) -> DQuat {
        let seen = match taken.source {
            // A frame of the clip stands in the space of the motion.
            source if source.is_of_clip() => return upright(canonical_from_pose, self.stated_up),
            PoseSource::Rest | PoseSource::Offsets(_) => canonical_from_pose,
            source => {
                let rest_frame = body_frame(self.map, &rest.pose);
                let rest_lies = self.lies(rest_frame.as_ref().map(|frame| frame.up));
                let unshown = rest.score < STANDS && (source == PoseSource::Given || rest_lies);
                let seen = if unshown {
                    self.canonical_from_motion()
                        .or_else(|| self.canonical_from_upright(taken))
                } else {
                    None
                };
                seen.unwrap_or_else(|| {
                    canonical(rest_frame, self.stated_up, &self.axes, LEANING_DEGREES)
                })
            }
        };
        motion_up(
            self.character,
            self.map,
            self.clips,
            seen,
            self.options,
            warnings,
        )
    }

    /// True where a body's own up, if it has one, is not the one that the file states.
    fn lies(&self, up: Option<DVec3>) -> bool {
        self.stated_up.is_some_and(|stated| {
            up.is_none_or(|up| up.dot(stated) < LEANING_DEGREES.to_radians().cosine())
        })
    }

    /// Canonical space from that of a pose which stands as the file states; `None` where it does not.
    fn canonical_from_upright(&self, entry: &Candidate) -> Option<DQuat> {
        let frame = body_frame(self.map, &entry.pose);
        let stands = !self.lies(frame.as_ref().map(|frame| frame.up));
        stands.then(|| canonical(frame, self.stated_up, &self.axes, LEANING_DEGREES))
    }

    fn judge(&self, entry: &Candidate) -> PoseCandidate {
        let turn = self.canonical_from(entry);
        let turned: Vec<Placement> = entry.pose.iter().map(|place| place.turned(turn)).collect();
        PoseCandidate {
            source: entry.source,
            plausibility: entry.score,
            rest_kind: if entry.score < STANDS {
                RestKind::Unknown
            } else {
                rest_kind(self.map, &turned)
            },
        }
    }
}

/// Says which pose was taken where it is not the rest pose. Who asked for one need not be told.
fn tell(source: PoseSource, warnings: &mut Vec<Warning>) {
    match source {
        PoseSource::Rest | PoseSource::Given => {}
        PoseSource::Offsets(_) => warnings.push(Warning::new(
            "rest-from-offsets",
            "the joints of the rest pose do not form a standing body, but they do where the clip puts them",
            "nothing has to be done if the result looks right",
        )),
        PoseSource::Bind => warnings.push(Warning::new(
            "rest-from-bind",
            "the file's rest pose is less like a T-pose than the pose in which the skin was bound; the latter is used",
            "render source and result side by side, and compare",
        )),
        PoseSource::Stored => warnings.push(Warning::new(
            "rest-from-stored",
            "the file's rest pose is less like a T-pose than a pose that the file stores beside it; the latter is used",
            "compare the results with source.pose and target.pose = \"rest\" in a recipe if something is off",
        )),
        PoseSource::First(time) | PoseSource::Frame(time) => warnings.push(Warning::new(
            "rest-from-clip",
            format!("neither rest nor bind pose is a standing pose; the clip at {time:.2} s is used"),
            Remedy::new(
"check hands and feet; you can choose another moment, or the rest pose of another file of the same rig",
&[Action::ChooseRestFrame, Action::GiveRestPose],
),
        )),
    }
}

fn tell_frame(map: &RigMap, pose: &[Placement], warnings: &mut Vec<Warning>) {
    let frame = body_frame(map, pose);
    if frame.is_none() {
        warnings.push(Warning::new(
            "body-frame-unknown",
            "the joints do not show which way the body is up and faces; the file's axes are used",
            "map both upper legs and both upper arms",
        ));
    } else if frame
        .and_then(|frame| frame.toes_forward)
        .is_some_and(|toes| toes < -0.3)
    {
        warnings.push(Warning::new(
            "facing-unsure",
            "the toes point backwards, so left and right may be swapped",
            "check the sides of the map",
        ));
    }
}

/// Index of the pose that the user asked for; a moment of the clip is added first.
fn wanted_pose(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    wanted: PoseChoice,
    all: &mut Vec<Candidate>,
) -> Option<usize> {
    let is_wanted = |entry: &Candidate| match wanted {
        PoseChoice::Rest => entry.source == PoseSource::Rest,
        PoseChoice::Bind => entry.source == PoseSource::Bind,
        PoseChoice::Stored => entry.source == PoseSource::Stored,
        PoseChoice::Given => entry.source == PoseSource::Given,
        PoseChoice::First | PoseChoice::Time(_) | PoseChoice::FrameNumber(_) => false,
    };
    let time = match wanted {
        PoseChoice::First => clips.first()?.time_span().0,
        PoseChoice::Time(time) => time,
        PoseChoice::FrameNumber(number) => time_of_frame(clips.first()?, number)?,
        _ => return all.iter().position(is_wanted),
    };
    let clip = clips.first()?;
    let (start, end) = clip.time_span();
    if !(start..=end).contains(&time) || clip.animated_joint_count() == 0 {
        return None;
    }
    all.push(frame(character, map, clip, time));
    Some(all.len() - 1)
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
