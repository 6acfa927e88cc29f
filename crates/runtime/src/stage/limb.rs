//! What stages that move limbs have in common: turning joints of a pose in model space, and taking along what hangs
//! beside the body.

use super::kinematics::{Kinematics, Placed};
use super::pin::PinLimb;
use crate::lanes::limbs::{LANES, Numbers, Vectors};
use crate::op::Plan;
use crate::rig::local_place;
use crate::solve::smooth;
use crate::solve::steady::{SteadyLimbs, Wanted, shortest_arm};
use crate::solve::two_bone::{Limb, Reach, Solved, solve};
use glam::{Quat, Vec3};
use rebone_model::Transform;
use rebone_model::rotation::renormalized;

/// Joints as they were before a stage changed the pose.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) joints: &'a Kinematics,
    pub(super) placed: &'a [Placed],
}

/// How a joint turns in model space.
#[derive(Clone, Copy)]
pub(super) struct JointTurn {
    /// Its place among the joints that are looked at.
    pub(super) place: usize,
    /// Its own turn.
    pub(super) by: Quat,
    /// The turn of what it hangs from.
    pub(super) above: Quat,
}

impl JointTurn {
    pub(super) fn new(place: usize, by: Quat, above: Quat) -> Self {
        Self { place, by, above }
    }
}

impl Before<'_> {
    /// Turns a joint.
    pub(super) fn turn(&self, turn: JointTurn, pose: &mut [Transform]) {
        let JointTurn { place, by, above } = turn;
        let parent = self.joints.above(place);
        let parent = parent.map_or(Quat::IDENTITY, |parent| self.placed[parent].rotation);
        let local = (above * parent).conjugate() * by * self.placed[place].rotation;
        pose[self.joints.joint(place)].rotation = renormalized(local);
    }

    /// Brings joints that hang beside the body to where they are carried: each keeps its place in its carrier's axes.
    /// Pairs of joint and carrier, carriers before the carried.
    pub(super) fn attach(&self, pairs: &[(usize, usize)], plan: &Plan, pose: &mut [Transform]) {
        for &(joint, carrier) in pairs {
            let (Some(own), Some(from)) = (self.joints.find(joint), self.joints.find(carrier))
            else {
                continue;
            };
            let offset = local_place(&self.placed[from].affine(), self.placed[own].position());
            let place = plan
                .target
                .model_affine(pose, Some(carrier))
                .transform_point3(offset);
            let above = plan.target.model_affine(pose, plan.target.parents[joint]);
            pose[joint].translation = local_place(&above, place);
        }
    }
}

/// How far an end must move, as a share of its limb, before a straight limb bends to its usual side.
const FAR: f32 = 0.1;

/// How far off its line the middle of a limb must be to show a side, as a share of the limb.
const SHOWN: f32 = 1e-5;

/// The limb from `upper` over `lower` to `end` whose end goes to `goal`. To which side it bends where it is nearly straight
/// must not change at once where the end begins to move: `forward` takes over from the own side little by little.
pub(super) fn limb([upper, lower, end]: [Vec3; 3], forward: Vec3, goal: Vec3) -> Limb {
    let (first, second) = (lower - upper, end - lower);
    let whole = first.length() + second.length();
    let along = (end - upper).normalize_or_zero();
    let off = first - along * first.dot(along);
    let share = smooth(goal.distance(end) / (FAR * whole).max(f32::MIN_POSITIVE));
    // The side of a limb that is quite straight is rounding.
    let shown = smooth(off.length() / (SHOWN * whole).max(f32::MIN_POSITIVE));
    let own = forward * (1.0 - shown) + off.normalize_or_zero() * shown;
    Limb {
        upper: first,
        lower: second,
        forward: own * (1.0 - share) + forward * share,
    }
}

/// Weight of a hand that has a goal.
const HAND: f32 = 1e4;

/// Sine of an elbow's angle from which on it shows to which side it bends.
const BENT: f32 = 0.1;

/// Arms of a frame that reach: upper and lower bone, and the way from the shoulder to the goal; `None` for an arm that stays.
pub(super) fn steady_arms(
    arms: impl Iterator<Item = Option<([Vec3; 2], Vec3)>>,
    up: Vec3,
) -> SteadyLimbs {
    let (mut bones, mut forward, mut goals) = ([Vectors::ZERO; 2], Vectors::ZERO, Vectors::ZERO);
    for (lane, arm) in arms.enumerate().take(LANES) {
        if let Some((own, way)) = arm {
            bones[0].set_lane(lane, own[0]);
            bones[1].set_lane(lane, own[1]);
            forward.set_lane(lane, side(own));
            goals.set_lane(lane, way);
        }
    }
    let limbs = SteadyLimbs::new(&Wanted {
        bones,
        forward,
        one_way: false,
        goals,
        weights: Numbers::splat(HAND),
        up,
        lowest: Numbers::splat(f32::MIN),
        stiffness: 0.0,
    });
    limbs.as_arms()
}

/// A way from the shoulder, no longer or shorter than the arm can be.
pub(super) fn within_reach(reach: &Reach, [upper, lower]: [Vec3; 2], way: Vec3) -> Vec3 {
    let (wanted, now) = (way.length(), (upper + lower).length());
    let length = reach.length([upper.length(), lower.length()], now, wanted);
    way.normalize_or_zero() * length.max(shortest_arm([upper, lower]))
}

/// To which side an elbow stands: away from the lower arm. Zero where the arm is nearly straight, and shows no side.
fn side([upper, lower]: [Vec3; 2]) -> Vec3 {
    let sine = upper.cross(lower).length();
    let is_shown = sine > BENT * upper.length() * lower.length();
    if is_shown { -lower } else { Vec3::ZERO }
}

/// A point that is nearer to its goal than this share of its limb stays.
const THERE: f32 = 1e-6;

/// What brings the end of a limb to a goal in model space; `None` where it is there, or nothing can be done.
pub(super) fn bent(of: &PinLimb, placed: &[Placed], goal: Vec3) -> Option<Solved> {
    let places = of.positions(placed);
    let [upper, _, end] = places;
    let limb = limb(places, placed[of.upper].rotation * of.forward, goal);
    let whole = limb.upper.length() + limb.lower.length();
    // False for what is no number, too.
    let is_off = goal.distance(end) > THERE * whole;
    is_off.then(|| solve(&limb, goal - upper, &Reach::SOFT))?
}
