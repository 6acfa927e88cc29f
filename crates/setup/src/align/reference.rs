//! The reference pose: the pose of the file from which directions are read. Source: docs/laws.md, "Plausibility of a pose".

use super::AlignOptions;
use super::best_pose::{Poses, is_posed};
use super::body_frame::body_frame;
use super::candidates::Candidate;
use super::canonical::{rotation_arc, standing};
use super::feet::put_flat;
use super::limbs::{LEG, SIDES, joint};
use super::placement::{Placement, unit};
use super::plausibility::{STANDS, STILL, TRUSTED};
use super::pose_source::{PoseCandidate, PoseSource};
use super::pose_warnings::{
    body_frame_unsure, pose_missing, pose_taken, rest_is_moment, rest_not_standing,
};
use super::spaces::Spaces;
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Stance};
use glam::{DQuat, DVec3};
use rebone_model::{Character, Clip, Warning};

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

/// Legs that point down by less than this on average carry nobody: about 45 degrees at hips and knees.
const ON_LEGS: f64 = 0.7;

/// Chooses the reference pose and turns it to canonical space.
pub(crate) fn choose(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    options: &AlignOptions,
    warnings: &mut Vec<Warning>,
) -> Reference {
    let mut poses = Poses::new(character, map, clips, options);
    let mut chosen = poses.best();
    if let Some(wanted) = options.pose {
        chosen = poses.wanted(wanted).unwrap_or_else(|| {
            warnings.push(pose_missing(character, wanted));
            chosen
        });
    }
    let spaces = Spaces::new(character, map, clips, options, &poses.all[0].pose);
    let considered = poses.judged(chosen, &spaces);
    let canonical_from_pose = spaces.canonical_from(&poses.all[chosen]);
    let found = poses.canonical_from_file(chosen, &spaces, canonical_from_pose, warnings);
    let canonical_from_file = as_chosen(found, options);
    let is_moment = poses.is_moment(chosen);
    let Candidate {
        score,
        source,
        pose,
        sole,
    } = poses.all.swap_remove(chosen);
    let is_upright = map.profile.stance == Stance::Upright;
    let is_rest = source == PoseSource::Rest;
    if options.pose.is_none() {
        warnings.extend(pose_taken(source));
        if is_rest && poses.rest_moves && is_upright && !is_posed(map, &pose) {
            warnings.push(rest_is_moment());
        }
    }
    warnings.extend(body_frame_unsure(map, &pose));
    let is_guessed =
        source.is_of_clip() && is_upright && legs_down(map, &pose, canonical_from_file) < ON_LEGS;
    let pose = pose.into_iter();
    let mut placements: Vec<Placement> = pose.map(|at| at.turned(canonical_from_pose)).collect();
    if source.is_derived() {
        hang(map, &mut placements);
    }
    let stands = score >= TRUSTED || (score >= STANDS && !source.is_of_clip());
    if options.pose.is_none() && !stands {
        put_flat(character, map, clips, canonical_from_file, &mut placements);
        if is_rest && body_frame(map, &placements).is_some() {
            warnings.push(rest_not_standing());
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
