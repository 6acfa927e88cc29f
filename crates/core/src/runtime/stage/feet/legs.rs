//! Legs that reach their goals (F5), and what hangs from them.

use super::goals::smooth;
use super::{FeetStage, Goal, Hold, MOST_LEGS, Work};
use crate::runtime::op::Plan;
use crate::solve::two_bone::{Bend, Limb, Solved, bend_their_way, solve_four};
use glam::{Quat, Vec3};
use rebone_model::Transform;
use rebone_model::rotation::renormalized;

/// A foot that is nearer to its goal than this share of its leg stays.
const THERE: f32 = 1e-6;

/// Shares of its whole length between which a leg becomes a straight one.
const STRAIGHT: [f32; 2] = [0.98, 0.995];

/// Whole lengths by which a straight leg may miss its goal for the sake of a still knee.
const ROOM: f32 = 3e-4;

impl Work<'_> {
    /// How each leg turns, once the hips have moved; and how far the worst foot stays from its goal, as a share of the leg.
    pub(super) fn legs(
        &self,
        goals: &[Goal; MOST_LEGS],
        holds: &[Hold; MOST_LEGS],
        shift: Vec3,
    ) -> ([Option<Solved>; MOST_LEGS], f32) {
        let mut limbs = [Limb::default(); MOST_LEGS];
        for (limb, leg) in limbs.iter_mut().zip(&self.stage.legs) {
            let [thigh, shin, foot] = self.joints(leg);
            *limb = Limb {
                upper: shin - thigh,
                lower: foot - shin,
                forward: self.target[leg.thigh].rotation * leg.forward,
            };
        }
        let bend_wrongly = match self.stage.bend {
            Bend::OneWay => bend_their_way(&limbs).map(|is_right| !is_right),
            Bend::Blend | Bend::Switch => [false; MOST_LEGS],
        };
        let mut ways = [Vec3::ZERO; MOST_LEGS];
        let reach = &self.stage.reach;
        let wanted = goals.iter().zip(holds).zip(&self.feet);
        let legs = self.stage.legs.iter().zip(wanted).enumerate();
        for (index, (leg, ((goal, hold), seen))) in legs {
            let goal = self.reached((leg, seen), goal, hold, shift);
            let [thigh, _, foot] = self.joints(leg);
            let (limb, way) = (&mut limbs[index], &mut ways[index]);
            *way = goal - (thigh + shift);
            let whole = limb.upper.length() + limb.lower.length();
            let is_there = goal.distance(foot + shift) <= THERE * whole;
            if is_there && !bend_wrongly[index] {
                // A limb without bones is left as it is.
                *limb = Limb::default();
            } else if reach.soft_from < reach.most {
                *way = quieted(*way, foot.distance(thigh), whole);
            }
        }
        let turns = solve_four(&limbs, &ways, reach, self.stage.bend);
        let mut off = 0.0f32;
        for ((turn, limb), way) in turns.iter().zip(&limbs).zip(&ways) {
            let end = turn.map_or(limb.upper + limb.lower, |solved| solved.end);
            let whole = limb.upper.length() + limb.lower.length();
            if whole > 0.0 {
                off = off.max(way.distance(end) / whole);
            }
        }
        (turns, off)
    }

    /// Puts it all into the pose.
    pub(super) fn write(
        &self,
        shift: Vec3,
        turns: &[Option<Solved>; MOST_LEGS],
        plan: &Plan,
        pose: &mut [Transform],
    ) {
        let stage = self.stage;
        if shift.length() > THERE * stage.size {
            let above = stage
                .target
                .find(stage.hips)
                .and_then(|hips| stage.target.above(hips));
            let local = match above {
                Some(above) => self.target[above].local_way(shift),
                None => shift,
            };
            pose[stage.hips].translation += local;
        }
        for (leg, solved) in stage.legs.iter().zip(turns) {
            if let Some(solved) = solved {
                self.turn(leg.thigh, solved.upper, Quat::IDENTITY, pose);
                self.turn(leg.shin, solved.lower, solved.upper, pose);
                self.turn(leg.foot, Quat::IDENTITY, solved.lower, pose);
            }
        }
        let moved = shift.length() > THERE * stage.size || turns.iter().any(Option::is_some);
        if moved && !stage.attached.is_empty() {
            stage.attach(self, plan, pose);
        }
    }

    /// Turns a joint in model space by `by`, where what it hangs from has turned by `above`.
    fn turn(&self, place: usize, by: Quat, above: Quat, pose: &mut [Transform]) {
        let joint = self.stage.target.joint(place);
        let parent = self.stage.target.above(place);
        let parent = parent.map_or(Quat::IDENTITY, |parent| self.target[parent].rotation);
        let own = self.target[place].rotation;
        let is_beside = self.stage.attached.iter().any(|&(other, _)| other == joint);
        let above = if is_beside { Quat::IDENTITY } else { above };
        let local = (above * parent).conjugate() * by * own;
        pose[joint].rotation = renormalized(local);
    }
}

/// The way from thigh to goal for a leg that is `own` long as transferred and `whole` long when straight. What a straight leg
/// lacks or has too much of its own length is mostly noise, and its knee makes a multiple of it: a length that differs by
/// less than [`ROOM`] hardly counts.
fn quieted(way: Vec3, own: f32, whole: f32) -> Vec3 {
    let straight = smooth((own / whole - STRAIGHT[0]) / (STRAIGHT[1] - STRAIGHT[0]));
    let (room, length) = (ROOM * whole * straight, way.length());
    if room <= 0.0 || length <= 0.0 {
        return way;
    }
    let more = length - own;
    let kept = more * (more * more / (more * more + room * room));
    way * ((own + kept) / length)
}

impl FeetStage {
    /// Brings joints that hang beside the body to where they are carried: each keeps its place in its carrier's axes.
    fn attach(&self, before: &Work<'_>, plan: &Plan, pose: &mut [Transform]) {
        for &(joint, carrier) in &self.attached {
            let (Some(own), Some(from)) = (self.target.find(joint), self.target.find(carrier))
            else {
                continue;
            };
            let offset = before.target[from]
                .affine()
                .inverse()
                .transform_point3(before.target[own].position());
            let place = model(plan, pose, Some(carrier)).transform_point3(offset);
            let above = model(plan, pose, plan.target.parents[joint]);
            pose[joint].translation = above.inverse().transform_point3(place);
        }
    }
}

/// Model space from the space of a target joint, as the pose now is.
fn model(plan: &Plan, pose: &[Transform], joint: Option<usize>) -> glam::Affine3A {
    let (mut affine, mut at) = (glam::Affine3A::IDENTITY, joint);
    while let Some(joint) = at {
        affine = pose[joint].to_affine() * affine;
        at = plan.target.parents[joint];
    }
    affine
}
