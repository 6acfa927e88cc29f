//! An end of the body that a person pins: to its source's path, to a point, to another joint, or to a changed path of
//! its own.
//!
//! ```text
//! g  = own p,  S(a),  a point,  or the place of a joint                what it is pinned to
//! g' = c + Y C Y⁻¹ (g − c) + o                                         stretched about the spot below the hips, and offset
//! p' = p + s (g' − p),   s = smooth((t − t0 + i) / i) smooth((t1 + j − t) / j)
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | p, p' | the point that is pinned, before and after: a palm, the sole below an ankle, any other joint itself |
//! | a, S | the same point of the source; from its file space to the target's, scaled as the travel is |
//! | c, Y, C | the spot on the floor below the hips, their heading, a scale along left, up and forwards |
//! | o | the offset; carried by the joint where g is a joint |
//! | t0, t1, i, j | from when until when it counts in full; seconds of blending before and after |
//!
//! Hands, feet and head are moved by the two long bones above them, and keep their rotation in model space. The hips are
//! moved as they are, and the feet stay where they were. A joint of no slot slides in its parent.
//!
//! A clip says what time it is. Where nobody does, a pin with a span does nothing; a game says it with
//! [`StageState::set_seconds`](super::StageState::set_seconds).
//!
//! Degenerate cases: a goal out of reach is approached as far as the limb allows, softly; a limb without length stays.
//! Sources: docs/laws.md, "Pinned ends"; the pin, offset, warp and scale operations of Unreal's retargeter.

use super::View;
use super::kinematics::{Kinematics, Placed};
use super::limb::{Before, JointTurn, bent};
use super::{Frame, Operation};
use crate::check::{Checked, Sizes, ensure, pairs_within, within};
use crate::op::Plan;
use crate::solve::smooth;
use glam::{Mat3, Quat, Vec3};
use rebone_model::Transform;
use rebone_model::rotation::swing_twist;
use serde::{Deserialize, Serialize};

/// Pins one end of the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PinStage {
    /// What is moved.
    pub end: PinEnd,
    /// The point of the end that is pinned, in the end's axes, target file units.
    pub point: Vec3,
    /// What it is pinned to.
    pub goal: PinGoal,
    /// o: in the target's file space; in the joint's axes for [`PinGoal::Joint`].
    pub offset: Vec3,
    /// How the way from the spot below the hips is stretched. `None`: not at all.
    pub stretch: Option<PinStretch>,
    /// When it counts. `None`: always.
    pub span: Option<PinSpan>,
    /// Target joints that hang beside the body from another joint, carriers before the carried.
    pub attached: Vec<(usize, usize)>,
    /// Source joints looked at.
    pub source: Kinematics,
    /// Target joints looked at.
    pub target: Kinematics,
}

/// What is moved; joints are places in [`PinStage::target`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PinEnd {
    /// The end of a limb.
    Limb(PinLimb),
    /// The hips, with the legs that keep their feet where they were.
    Hips {
        /// The joint that carries the body.
        hips: usize,
        /// The legs.
        legs: Vec<PinLimb>,
    },
    /// A joint that slides in its parent.
    Joint {
        /// It.
        joint: usize,
    },
}

/// Two long bones and their end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PinLimb {
    /// Where the upper bone begins.
    pub upper: usize,
    /// Where the lower bone begins.
    pub lower: usize,
    /// Where it ends; `lower` again of a leg without a foot.
    pub end: usize,
    /// Where the end is in the axes of `end`, target file units: zero but for a leg without a foot.
    pub tip: Vec3,
    /// To which side the limb bends where it is straight, in the axes of `upper`, unit.
    pub forward: Vec3,
}

/// What an end is pinned to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum PinGoal {
    /// Where it is anyway.
    Own,
    /// The path of the source's joint: S of a point in its axes.
    Source {
        /// Its place in [`PinStage::source`].
        joint: usize,
        /// The point, in its axes, source file units.
        point: Vec3,
        /// S: turn and scale.
        linear: Mat3,
        /// S: from floor to floor, target file units.
        shift: Vec3,
    },
    /// A point of the target's model space.
    Point(Vec3),
    /// A joint, a place in [`PinStage::target`].
    Joint(usize),
}

/// C, Y and c.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PinStretch {
    /// C, in the target's file space.
    pub scale: Mat3,
    /// The joint that carries the body, a place in [`PinStage::target`].
    pub hips: usize,
    /// Inverse of its rotation in the retarget pose, file space.
    pub hips_frame: Quat,
    /// Up, in the target's file space, unit.
    pub up: Vec3,
    /// Height of the target's floor along `up`.
    pub floor: f32,
}

/// When a pin counts, seconds of the clip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PinSpan {
    /// In full from here on; `None` from the beginning.
    pub from: Option<f32>,
    /// In full until here; `None` to the end.
    pub until: Option<f32>,
    /// How long it takes before `from`.
    pub blend_in: f32,
    /// How long it takes after `until`.
    pub blend_out: f32,
}

impl PinSpan {
    /// How much a pin counts at a time.
    pub fn share(&self, seconds: f32) -> f32 {
        let ramp = |over: f32, blend: f32| {
            if over >= 0.0 {
                1.0
            } else if blend > 0.0 {
                smooth(1.0 + over / blend)
            } else {
                0.0
            }
        };
        let begun = self
            .from
            .map_or(1.0, |from| ramp(seconds - from, self.blend_in));
        let left = self
            .until
            .map_or(1.0, |until| ramp(until - seconds, self.blend_out));
        begun * left
    }
}

impl PinLimb {
    pub(super) fn places(&self) -> [usize; 3] {
        [self.upper, self.lower, self.end]
    }

    /// Where it begins, bends and ends.
    pub(super) fn positions(&self, placed: &[Placed]) -> [Vec3; 3] {
        let [upper, lower] = [self.upper, self.lower].map(|place| placed[place].position());
        [upper, lower, self.ends_at(placed)]
    }

    /// Where it ends.
    pub(super) fn ends_at(&self, placed: &[Placed]) -> Vec3 {
        let end = &placed[self.end];
        end.position() + end.rotation * self.tip
    }
}

impl PinStage {
    fn take_along(&self, before: &Before<'_>, plan: &Plan, pose: &mut [Transform]) {
        let moved = match &self.end {
            // What is beside the body and is pinned itself must not be taken back.
            PinEnd::Joint { joint } => Some(self.target.joint(*joint)),
            _ => None,
        };
        if self.attached.iter().all(|&(joint, _)| Some(joint) != moved) {
            before.attach(&self.attached, plan, pose);
        }
    }

    /// Where the point shall be.
    fn goal(&self, set: Option<Vec3>, own: Vec3, source: &View<'_>, target: &[Placed]) -> Vec3 {
        if let Some(point) = set {
            return point + self.offset;
        }
        let goal = match self.goal {
            PinGoal::Own => own,
            PinGoal::Source {
                joint,
                point,
                linear,
                shift,
            } => linear * source.point(joint, point) + shift,
            PinGoal::Point(point) => return point + self.offset,
            PinGoal::Joint(joint) => {
                return target[joint].position() + target[joint].rotation * self.offset;
            }
        };
        let stretched = self.stretch.as_ref().map_or(goal, |stretch| {
            let hips = &target[stretch.hips];
            let (_, yaw) = swing_twist(hips.rotation * stretch.hips_frame, stretch.up);
            let place = hips.position();
            let spot = place + stretch.up * (stretch.floor - place.dot(stretch.up));
            spot + yaw * (stretch.scale * (yaw.conjugate() * (goal - spot)))
        });
        stretched + self.offset
    }
}

impl PinLimb {
    /// Brings the end to a goal in model space; its rotation stays. Tells how far it stays from there, as a share of the
    /// limb; `None` where nothing has moved.
    pub(super) fn reach(
        &self,
        goal: Vec3,
        before: &Before<'_>,
        pose: &mut [Transform],
    ) -> Option<f32> {
        let solved = bent(self, before.placed, goal)?;
        let turns = [solved.upper, solved.lower];
        self.turn(turns, Quat::IDENTITY, before, pose);
        let [upper, lower, end] = self.positions(before.placed);
        let whole = upper.distance(lower) + lower.distance(end);
        let off = (goal - upper).distance(solved.end);
        Some(off / whole.max(f32::MIN_POSITIVE))
    }

    /// Turns both bones in model space, where what they hang from has turned by `trunk`; the rotation of the end stays.
    pub(super) fn turn(
        &self,
        bones: [Quat; 2],
        trunk: Quat,
        before: &Before<'_>,
        pose: &mut [Transform],
    ) {
        for turn in self.turns(bones, trunk, before.joints) {
            before.turn(turn, pose);
        }
    }

    /// What [`Self::turn`] does with each joint.
    pub(super) fn turns(
        &self,
        [upper, lower]: [Quat; 2],
        trunk: Quat,
        joints: &Kinematics,
    ) -> [JointTurn; 3] {
        // An end that hangs from elsewhere is not turned along.
        let mut above = joints.above(self.end);
        while let Some(place) = above.filter(|&place| place > self.lower) {
            above = joints.above(place);
        }
        let turned = match above == Some(self.lower) {
            true => lower,
            false => Quat::IDENTITY,
        };
        let of_lower = JointTurn::new(self.lower, lower, upper);
        let of_end = match self.end == self.lower {
            true => of_lower,
            false => JointTurn::new(self.end, Quat::IDENTITY, turned),
        };
        [JointTurn::new(self.upper, upper, trunk), of_lower, of_end]
    }
}

/// Moves a joint in model space.
pub(super) fn slide(place: usize, way: Vec3, before: &Before<'_>, pose: &mut [Transform]) {
    let local = match before.joints.above(place) {
        Some(above) => before.placed[above].local_way(way),
        None => way,
    };
    if local.is_finite() && local != Vec3::ZERO {
        pose[before.joints.joint(place)].translation += local;
    }
}

impl PinLimb {
    /// `joints` is how many are looked at.
    pub(super) fn check(&self, joints: usize) -> Checked {
        within([self.upper, self.lower, self.end], joints)
    }
}

impl Operation for PinStage {
    fn joints(&self) -> Vec<usize> {
        let mut all = match &self.end {
            PinEnd::Limb(limb) => limb.places().to_vec(),
            PinEnd::Hips { hips, legs } => {
                let legs = legs.iter().flat_map(PinLimb::places);
                std::iter::once(*hips).chain(legs).collect()
            }
            PinEnd::Joint { joint } => vec![*joint],
        };
        for place in &mut all {
            *place = self.target.joint(*place);
        }
        all.extend(self.attached.iter().map(|&(joint, _)| joint));
        all.sort_unstable();
        all.dedup();
        all
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        let share = match (&self.span, frame.given.seconds) {
            (None, _) => 1.0,
            (Some(span), Some(seconds)) => span.share(seconds),
            (Some(_), None) => 0.0,
        };
        if share <= 0.0 {
            return;
        }
        let source = frame.sights.source(&self.source);
        let target = &mut *frame.scratch;
        frame.sights.place_target(&self.target, frame.pose, target);
        let target: &[Placed] = target;
        let end = match &self.end {
            PinEnd::Limb(limb) => limb.end,
            PinEnd::Hips { hips, .. } => *hips,
            PinEnd::Joint { joint } => *joint,
        };
        let own = target[end].position() + target[end].rotation * self.point;
        let way = (self.goal(frame.point, own, &source, target) - own) * share;
        let before = Before {
            joints: &self.target,
            placed: target,
        };
        match &self.end {
            PinEnd::Limb(limb) => {
                let off = limb.reach(limb.ends_at(target) + way, &before, frame.pose);
                frame.off = off.unwrap_or(0.0);
            }
            PinEnd::Hips { hips, legs } => {
                slide(*hips, way, &before, frame.pose);
                for leg in legs {
                    // The foot stays, so as seen from the thigh it goes the other way.
                    let off = leg.reach(leg.ends_at(target) - way, &before, frame.pose);
                    frame.off = frame.off.max(off.unwrap_or(0.0));
                }
            }
            PinEnd::Joint { joint } => slide(*joint, way, &before, frame.pose),
        }
        self.take_along(&before, frame.plan, frame.pose);
    }

    fn check(&self, sizes: Sizes) -> Checked {
        self.source.check(sizes.source)?;
        self.target.check(sizes.target)?;
        let (sources, targets) = (self.source.len(), self.target.len());
        match &self.end {
            PinEnd::Limb(limb) => limb.check(targets)?,
            PinEnd::Hips { hips, legs } => {
                within([*hips], targets)?;
                legs.iter().try_for_each(|leg| leg.check(targets))?;
            }
            PinEnd::Joint { joint } => within([*joint], targets)?,
        }
        match self.goal {
            PinGoal::Source { joint, .. } => within([joint], sources)?,
            PinGoal::Joint(joint) => within([joint], targets)?,
            PinGoal::Own | PinGoal::Point(_) => {}
        }
        within(self.stretch.iter().map(|stretch| stretch.hips), targets)?;
        let is_negative = |span: &PinSpan| span.blend_in < 0.0 || span.blend_out < 0.0;
        ensure(
            !self.span.as_ref().is_some_and(is_negative),
            "a pin takes a negative time to count",
        )?;
        pairs_within(&self.attached, sizes.target)
    }

    fn kinematics(&self) -> Option<[&Kinematics; 2]> {
        Some([&self.source, &self.target])
    }

    fn has_goals(&self) -> bool {
        true
    }
}
