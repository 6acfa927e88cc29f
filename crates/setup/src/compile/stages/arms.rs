//! The arms of a body in its retarget pose.

use crate::align::limbs::{ARM, SIDES};
use crate::align::{Alignment, Placement, retarget_placements};
use crate::compile::{Both, Mapped};
use crate::profile::{Part, Side};
use glam::DVec3;

/// Arms that differ by less than this share of the span are alike.
const ALIKE: f64 = 1e-4;

/// From wrist to knuckles, as a share of the forearm, where a rig has no fingers.
const KNUCKLES: f64 = 0.38;

/// A hand holds no more joints than these that are looked at.
const MOST_PROPS: usize = 8;

/// True where the target's arms are the source's, only longer or shorter.
pub(super) fn arms_are_alike(both: &Both<'_>) -> bool {
    let bodies = Body::new(both.source, both.from).zip(Body::new(both.target, both.to));
    bodies.is_some_and(|(source, target)| source.is_like(&target, target.span / source.span))
}

/// The arms of one side in the retarget pose.
pub(super) struct Body<'a> {
    pub(super) side: &'a Mapped<'a>,
    places: Vec<Placement>,
    pub(super) arms: [ArmJoints; 2],
    /// Both arms and the distance of the shoulders.
    pub(super) span: f64,
    pub(super) chest: Option<ChestJoints>,
}

pub(super) struct ArmJoints {
    pub(super) clavicle: Option<usize>,
    pub(super) limb: [usize; 3],
    /// From the hand to its knuckles, in the hand's axes.
    pub(super) palm: DVec3,
}

/// What carries both shoulders.
pub(super) struct ChestJoints {
    pub(super) joint: usize,
    /// Joints that hang from it and carry the head.
    pub(super) necks: Vec<usize>,
}

impl<'a> Body<'a> {
    /// `None` where an arm is not whole.
    pub(super) fn new(side: &'a Mapped<'a>, alignment: &Alignment) -> Option<Self> {
        let places = retarget_placements(side.character, side.map, alignment);
        let [left, right] = SIDES.map(|of| arm(side, &places, of));
        let arms = [left?, right?];
        let at = |joint: usize| places[joint].position;
        let length = |arm: &ArmJoints| {
            let [upper, lower, hand] = arm.limb;
            at(upper).distance(at(lower)) + at(lower).distance(at(hand))
        };
        let shoulders = at(arms[0].limb[0]).distance(at(arms[1].limb[0]));
        let span = shoulders + length(&arms[0]) + length(&arms[1]);
        let chest = chest(side, &arms);
        (span > 0.0 && span.is_finite()).then_some(Self {
            side,
            places,
            arms,
            span,
            chest,
        })
    }

    /// Hands and upper arms.
    pub(super) fn hands(&self) -> impl Iterator<Item = usize> + '_ {
        self.arms.iter().flat_map(|arm| [arm.limb[0], arm.limb[2]])
    }

    pub(super) fn joints(&self) -> impl Iterator<Item = usize> + '_ {
        let arms = self.arms.iter();
        let of_arms = arms.flat_map(|arm| arm.limb.into_iter().chain(arm.clavicle));
        let of_chest = self.chest.iter();
        of_arms.chain(
            of_chest
                .flat_map(|chest| std::iter::once(chest.joint).chain(chest.necks.iter().copied())),
        )
    }

    /// Joints in no slot that hang from a hand: what it holds.
    pub(super) fn held(&self, arm: usize) -> Vec<usize> {
        let hand = self.arms[arm].limb[2];
        let skeleton = &self.side.character.skeleton;
        let is_held = |joint: &&usize| {
            skeleton.is_ancestor(hand, **joint)
                && skeleton
                    .ancestors(**joint)
                    .take_while(|&above| above != hand)
                    .all(|above| {
                        self.side
                            .map
                            .slots
                            .values()
                            .all(|found| !found.joints.contains(&above))
                    })
        };
        let unmapped = self.side.map.unmapped.iter();
        unmapped.filter(is_held).take(MOST_PROPS).copied().collect()
    }

    /// True where every joint of the other body's arms is where this one's is, times `scale`.
    pub(super) fn is_like(&self, other: &Self, scale: f64) -> bool {
        let ways = |body: &Self| {
            let at = |joint: usize| body.places[joint].position;
            let chest = |arm: &ArmJoints| arm.clavicle.unwrap_or(arm.limb[0]);
            let mut ways = vec![at(chest(&body.arms[1])) - at(chest(&body.arms[0]))];
            for arm in &body.arms {
                let [upper, lower, hand] = arm.limb;
                let palm = body.places[hand].rotation * arm.palm;
                ways.extend([
                    at(upper) - at(chest(arm)),
                    at(lower) - at(upper),
                    at(hand) - at(lower),
                    palm,
                ]);
            }
            ways
        };
        let (own, others) = (ways(self), ways(other));
        let near = |(a, b): (&DVec3, &DVec3)| (*a * scale).distance(*b) < ALIKE * other.span;
        own.iter().zip(&others).all(near)
    }
}

fn arm(side: &Mapped<'_>, places: &[Placement], of: Side) -> Option<ArmJoints> {
    let (map, skeleton) = (side.map, &side.character.skeleton);
    let [upper, lower, hand] = ARM.map(|part| map.joint_of(part, of));
    let limb = [upper?, lower?, hand?];
    // A hand that hangs from elsewhere is moved by what it hangs from.
    let is_whole = skeleton.is_ancestor(limb[0], limb[1]) && skeleton.is_ancestor(limb[1], limb[2]);
    let clavicle = map.joint_of(Part::Shoulder, of);
    is_whole.then_some(ArmJoints {
        clavicle: clavicle.filter(|&joint| skeleton.is_ancestor(joint, limb[0])),
        limb,
        palm: knuckles(side, places, [limb[1], limb[2]], of),
    })
}

/// From a hand to the middle of its knuckles, in the hand's axes; without fingers to where they would be. `joints` are
/// forearm and hand.
pub(super) fn knuckles(
    side: &Mapped<'_>,
    places: &[Placement],
    [forearm, hand]: [usize; 2],
    of: Side,
) -> DVec3 {
    let (map, skeleton) = (side.map, &side.character.skeleton);
    let at = |joint: usize| places[joint].position;
    let fingers = map.slots.iter().filter(|(slot, found)| {
        let info = map.profile.info(**slot);
        let base = map
            .present_parent(**slot)
            .map(|above| map.profile.info(above).part);
        let below = found
            .joints
            .first()
            .is_some_and(|&joint| skeleton.is_ancestor(hand, joint));
        info.part == Part::Finger && info.side == of && base == Some(Part::Hand) && below
    });
    let knuckles: Vec<DVec3> = fingers
        .filter_map(|(_, found)| found.joints.first().map(|&joint| at(joint)))
        .collect();
    let palm = if knuckles.is_empty() {
        at(hand) + (at(hand) - at(forearm)) * KNUCKLES
    } else {
        knuckles.iter().sum::<DVec3>() / knuckles.len() as f64
    };
    let place = places[hand];
    place.rotation.conjugate() * (palm - place.position)
}

/// The lowest joint of the torso that carries both arms; `None` of a body without one, or without a head.
fn chest(side: &Mapped<'_>, arms: &[ArmJoints; 2]) -> Option<ChestJoints> {
    let skeleton = &side.character.skeleton;
    let shoulder = |arm: &ArmJoints| arm.clavicle.unwrap_or(arm.limb[0]);
    let is_torso = |joint: &usize| {
        side.map.slots.iter().any(|(slot, found)| {
            side.map.profile.info(*slot).part == Part::Torso && found.joints.contains(joint)
        })
    };
    let [left, right] = [0, 1].map(|index: usize| shoulder(&arms[index]));
    let carries_both = |joint: &usize| skeleton.is_ancestor(*joint, right);
    let chest = skeleton
        .ancestors(left)
        .filter(is_torso)
        .find(carries_both)?;
    let head = side.map.joint_of(Part::Head, Side::Center)?;
    let mut path = std::iter::once(head).chain(skeleton.ancestors(head));
    let neck = path.find(|&joint| skeleton.parent(joint) == Some(chest));
    Some(ChestJoints {
        joint: chest,
        necks: neck.into_iter().collect(),
    })
}
