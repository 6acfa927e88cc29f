//! The spaces of a file: that of a pose and that of the motion, each turned to canonical space.

use super::AlignOptions;
use super::body_frame::body_frame;
use super::candidates::{Candidate, frames};
use super::canonical::{candidate_axes, canonical, standing, upright};
use super::measures::{RestKind, rest_kind};
use super::motion_up::{motion_up, up_of_motion};
use super::placement::Placement;
use super::plausibility::STANDS;
use super::pose_source::{PoseCandidate, PoseSource};
use crate::mapping::RigMap;
use glam::{DQuat, DVec3};
use rebone_model::axes::Axis;
use rebone_model::elementary::Elementary as _;
use rebone_model::{Character, Clip, Warning};

/// A body that only shows which of the file's axes are meant may lean and turn as far as this.
const LEANING_DEGREES: f64 = 44.0;

/// What is known of axes before a pose is chosen.
pub(super) struct Spaces<'a> {
    character: &'a Character,
    map: &'a RigMap,
    clips: &'a [&'a Clip],
    options: &'a AlignOptions,
    stated_up: Option<DVec3>,
    axes: Vec<DQuat>,
}

impl<'a> Spaces<'a> {
    pub(super) fn new(
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
            stated_up: options
                .chosen_up
                .or(options.up)
                .map(|axis| axis.direction().as_dvec3()),
            axes: candidate_axes(character, map, rest),
        }
    }

    /// Canonical space from that of a pose.
    pub(super) fn canonical_from(&self, entry: &Candidate) -> DQuat {
        let frame = body_frame(self.map, &entry.pose);
        match entry.source {
            PoseSource::Rest | PoseSource::Offsets(_) => {
                canonical(frame, self.stated_up, &self.axes, 20.0)
            }
            PoseSource::Zero => canonical(frame, None, &self.axes, 20.0),
            // The others stand in spaces of their own.
            PoseSource::Bind | PoseSource::Stored => canonical(frame, None, &self.axes, 12.0),
            // A motion may face anywhere, so that a heading near an axis is no sign of that axis.
            PoseSource::First(_) | PoseSource::Frame(_) => frame.map_or(DQuat::IDENTITY, |frame| {
                upright(frame.canonical_from_file(), None)
            }),
            // These have been turned already.
            PoseSource::Given | PoseSource::Known => DQuat::IDENTITY,
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

    /// Canonical space from that in which the clip moves, where no pose shows which way the file faces: up is what the file
    /// states, else what the motion shows, else what a `pose` of it shows; forward what is usual with that.
    pub(super) fn conventional(&self, canonical_from_pose: DQuat) -> DQuat {
        let up = self.stated_up.or_else(|| {
            let found = up_of_motion(self.character, self.map, self.clips);
            Some(found?.direction().as_dvec3())
        });
        let up = up.unwrap_or_else(|| {
            let up = canonical_from_pose.conjugate() * DVec3::Y;
            Axis::nearest(up.as_vec3()).direction().as_dvec3()
        });
        standing(up, self.options.chosen_forward)
    }

    /// Canonical space from that in which the clip moves. `rest` is the rest pose and `taken` the reference pose, with
    /// its own turn to canonical space.
    pub(super) fn canonical_from_file(
        &self,
        rest: &Candidate,
        taken: &Candidate,
        canonical_from_pose: DQuat,
        warnings: &mut Vec<Warning>,
    ) -> DQuat {
        let seen = match taken.source {
            PoseSource::Rest | PoseSource::Offsets(_) => canonical_from_pose,
            PoseSource::Zero if self.lies(Some(canonical_from_pose.conjugate() * DVec3::Y)) => {
                return self.conventional(canonical_from_pose);
            }
            PoseSource::Zero => canonical_from_pose,
            PoseSource::Known => return self.conventional(DQuat::IDENTITY),
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

    pub(super) fn judge(&self, entry: &Candidate) -> PoseCandidate {
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
