//! The reference pose: the pose of the file from which directions are read (E28).

use super::AlignOptions;
use super::body_frame::body_frame;
use super::candidates::{Candidate, candidates, first_frame, frame, frames, neutrality};
use super::canonical::{rotation_arc, standing};
use super::feet::put_flat;
use super::given::GivenPose;
use super::limbs::{LEG, SIDES, joint};
use super::placement::{Placement, unit};
use super::plausibility::asymmetry;
use super::pose_source::{PoseCandidate, PoseChoice, PoseSource};
use super::spaces::Spaces;
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Stance};
use glam::{DQuat, DVec3};
use rebone_model::elementary::Angle as _;
use rebone_model::sampling::sample_track;
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
    /// True if the pose is a frame of a clip whose legs do not point down.
    pub(crate) is_guessed: bool,
    /// Height of the lowest joint above the floor over the length of a leg, where it is known.
    pub(crate) sole: Option<f64>,
    /// Everything that was considered.
    pub(crate) candidates: Vec<PoseCandidate>,
}

/// Below this plausibility no pose is trusted if the clip has a better one.
const TRUSTED: f64 = 0.35;

/// How much better than those before it a pose must be to be taken.
const CLEARLY_BETTER: f64 = 0.08;

/// Below this plausibility nobody stands: then the arms tell no kind of pose, and a rest pose does not show
/// the axes in which the file's motion stands.
pub(super) const STANDS: f64 = 0.05;

/// Joints that differ by less (radians) are turned alike.
const SAME_RADIANS: f64 = 2e-3;

/// Legs that point down by less than this on average carry nobody: about 45 degrees at hips and knees.
const ON_LEGS: f64 = 0.7;

/// An actor never holds both sides quite alike. A pose whose sides differ by less than this share of the distance from the hips
/// was made as a rest pose.
const POSED: f64 = 0.004;

/// From this plausibility on, a moment of a clip is one in which somebody stands still.
const STILL: f64 = 0.85;

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
    // Files of a motion alone often have one of its frames for a rest pose.
    let rest_moves =
        character.skins.is_empty() && clips.iter().any(|clip| is_frame_of(character, map, clip));
    let is_written =
        |entry: &Candidate| !matches!(entry.source, PoseSource::Known | PoseSource::Zero);
    let written_stands = !rest_moves
        && all[..own]
            .iter()
            .any(|entry| is_written(entry) && entry.score >= TRUSTED);
    // The rest pose wins unless another is clearly better; ties go to the first. A pose that follows from the axes of the
    // joints wins over another moment of the motion.
    let mut chosen = 0;
    if rest_moves {
        let is_of_actor = !is_posed(map, &all[0].pose);
        let stands = |entry: &Candidate| {
            let is_clear = entry.score >= STILL || (is_of_actor && entry.score >= TRUSTED);
            !is_written(entry) && is_clear && !is_alike(map, &entry.pose, &all[0].pose)
        };
        chosen = all[..own].iter().position(stands).unwrap_or(0);
    }
    for index in 1..all.len() {
        let may_be = is_written(&all[index]) || !written_stands;
        if may_be && all[index].score > all[chosen].score + CLEARLY_BETTER {
            chosen = index;
        }
    }
    if all[chosen].score < STANDS && map.profile.stance == Stance::Upright {
        // A body that moves upright shows more of itself than one that is laid along a line.
        let of_clip =
            (own..all.len()).filter_map(|index| Some((neutrality(map, &all[index].pose)?, index)));
        if let Some((_, best)) = of_clip.max_by(|a, b| a.0.total_cmp(&b.0)) {
            chosen = best;
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
    let mut considered: Vec<PoseCandidate> = all[..own]
        .iter()
        .filter(|entry| is_written(entry) || !written_stands)
        .map(|entry| space.judge(entry))
        .collect();
    if chosen >= own {
        considered.push(space.judge(&all[chosen]));
    } else if let Some(first) = first_frame(character, map, clips) {
        considered.push(space.judge(&first));
    }
    let is_rest = all[chosen].source == PoseSource::Rest;
    let is_moment = all[chosen].source.is_of_clip() || (is_rest && rest_moves);
    let faces_anywhere = is_moment && !(is_rest && all[chosen].score >= STILL);
    let canonical_from_pose = space.canonical_from(&all[chosen]);
    let canonical_from_file = match (all[chosen].source, &options.given) {
        (
            PoseSource::Given,
            Some(GivenPose {
                canonical_from_file: Some(known),
                ..
            }),
        ) => *known,
        _ if faces_anywhere => space.conventional(canonical_from_pose),
        _ => space.canonical_from_file(&all[0], &all[chosen], canonical_from_pose, warnings),
    };
    let canonical_from_file = as_chosen(canonical_from_file, options);
    let Candidate {
        score,
        source,
        pose,
        sole,
    } = all.swap_remove(chosen);
    if options.pose.is_none() {
        tell(source, warnings);
    }
    let is_upright = map.profile.stance == Stance::Upright;
    if is_rest && rest_moves && options.pose.is_none() && is_upright && !is_posed(map, &pose) {
        warnings.push(Warning::new(
            "rest-is-moment",
            "the rest pose is a moment of the motion; the roll of arms, the height of soles and the length of legs that slide \
             are estimated",
            Remedy::new(
                "nothing has to be done if hands and feet look right; another file of the same rig may show a pose that stands",
                &[Action::GiveRestPose],
            ),
        ));
    }
    tell_frame(map, &pose, warnings);
    let is_guessed = source.is_of_clip()
        && map.profile.stance == Stance::Upright
        && legs_down(map, &pose, canonical_from_file) < ON_LEGS;
    let mut placements: Vec<Placement> = pose
        .into_iter()
        .map(|placement| placement.turned(canonical_from_pose))
        .collect();
    if matches!(source, PoseSource::Known | PoseSource::Zero) {
        hang(map, &mut placements);
    }
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
        is_guessed,
        sole,
        candidates: considered,
    }
}

/// How much thighs and shins point down, on average, -1 to 1.
fn legs_down(map: &RigMap, pose: &[Placement], canonical_from_file: DQuat) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for side in SIDES {
        let at = |part: Part| Some(pose[joint(map, part, side)?].position);
        let places: Vec<DVec3> = LEG.into_iter().filter_map(at).collect();
        for bone in places.windows(2) {
            let way = canonical_from_file * (bone[1] - bone[0]).normalize_or_zero();
            sum -= way.y;
            count += 1;
        }
    }
    sum / f64::from(count.max(1))
}

/// The turn to canonical space with the axes that the user states.
fn as_chosen(found: DQuat, options: &AlignOptions) -> DQuat {
    let turned = options.chosen_up.map_or(found, |up| {
        unit(rotation_arc(found * up.direction().as_dvec3(), DVec3::Y) * found)
    });
    match options.chosen_forward {
        Some(forward) => standing(turned.conjugate() * DVec3::Y, Some(forward)),
        None => turned,
    }
}

/// Puts the hips of a pose that stands nowhere on the origin, as most BVH files do: its place is no floor.
fn hang(map: &RigMap, placements: &mut [Placement]) {
    if let Some(hips) = map.joint_of(Part::Hips, Side::Center) {
        let place = placements[hips].position;
        for placement in placements {
            placement.position -= place;
        }
    }
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

/// Says which pose was taken where it is not the rest pose. Who asked for one need not be told.
fn tell(source: PoseSource, warnings: &mut Vec<Warning>) {
    match source {
        PoseSource::Rest | PoseSource::Given => {}
        PoseSource::Zero => warnings.push(Warning::new(
            "rest-from-zero",
            "nobody stands in the rest pose, but the joints stand with all angles at zero; that pose is used",
            Remedy::new(
                "nothing has to be done if the result looks right; where joints of the legs slide, another file of the same rig \
                 may show how long they are",
                &[Action::GiveRestPose],
            ),
        )),
        PoseSource::Known => warnings.push(Warning::new(
            "rest-from-system",
            "the file shows no rest pose; how its joints lie is what is known of the system that made it, by their names",
            Remedy::new(
                "nothing has to be done if the result looks right; another file of the same rig may show it",
                &[Action::GiveRestPose],
            ),
        )),
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

/// True for a pose that somebody made as a rest pose, and that is no moment of a motion.
fn is_posed(map: &RigMap, pose: &[Placement]) -> bool {
    let apart = body_frame(map, pose).and_then(|frame| asymmetry(map, pose, &frame));
    apart.is_none_or(|apart| apart < POSED)
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
