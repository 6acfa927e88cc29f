//! From two aligned bodies to the stage that brings hands to what they touch.

use super::attach::beside;
use super::{Both, CompileOptions, Mapped};
use crate::align::limbs::{ARM, SIDES};
use crate::align::{Alignment, Placement, retarget_placements};
use crate::error::Error;
use crate::hands::{HandsChoice, HandsMode};
use crate::links::named_pairs;
use crate::names::tokens;
use crate::profile::{Part, Side, Stance};
use glam::{DVec3, Mat3};
use rebone_model::Clamp as _;
use rebone_runtime::solve::two_bone::Reach;
use rebone_runtime::stage::{Arm, Chest, GripRule, Kinematics, ReachStage, Stage, StageOp, Touch};
use rebone_runtime::{Plan, RotationOp};

/// Arms that differ by less than this share of the span are alike.
const ALIKE: f64 = 1e-4;

/// From wrist to knuckles, as a share of the forearm, where a rig has no fingers.
const KNUCKLES: f64 = 0.38;

/// A hand holds no more joints than these that are looked at.
const MOST_PROPS: usize = 8;

/// What joints of props are called.
const PROPS: [&str; 16] = [
    "weapon", "weapons", "prop", "props", "item", "gun", "rifle", "sword", "staff", "axe",
    "shield", "tool", "bow", "ball", "box", "handle",
];

/// The stage; `None` where nobody wants it, where a side lacks an arm, and where the target's arms are the source's,
/// only longer or shorter, and nothing else is touched.
///
/// Fails with [`Error::Recipe`] where a prop that was named is no joint of the target.
pub(super) fn stage(
    both: &Both<'_>,
    options: &CompileOptions,
    plan: &Plan,
) -> Result<Option<Stage>, Error> {
    let Some(choice) = &options.hands() else {
        return Ok(None);
    };
    let stances = [both.source, both.target].map(|side| side.map.profile.stance);
    if choice.mode == HandsMode::Off || choice.weight <= 0.0 || stances != [Stance::Upright; 2] {
        return Ok(None);
    }
    let (Some(source), Some(target)) = (
        Body::new(both.source, both.from),
        Body::new(both.target, both.to),
    ) else {
        return Ok(None);
    };
    let is_driven = |arm: &ArmJoints| {
        let joints = arm.limb.iter();
        joints
            .into_iter()
            .all(|&joint| !matches!(plan.rotations[joint], RotationOp::Rest))
    };
    if !target.arms.iter().all(is_driven) {
        return Ok(None);
    }
    let scale = target.span / source.span;
    let pairs = props(both, options, choice)?;
    let are_alike = source.is_like(&target, scale);
    if are_alike && pairs.is_empty() {
        return Ok(None);
    }
    let held = [0, 1].map(|arm| source.held(arm));
    let grips = choice.mode == HandsMode::Auto && !are_alike;
    let own_chest = source.chest.as_ref().map(|(chest, _)| *chest);
    let own_chest = own_chest.filter(|_| grips);
    let own_hips = both.source.map.joint_of(Part::Hips, Side::Center);
    let own_hips = own_hips.filter(|hips| own_chest.is_some_and(|chest| chest != *hips));
    let looked_at = source.hands().chain(held.iter().flatten().copied());
    let looked_at = looked_at.chain(own_chest).chain(own_hips);
    let source_joints = Kinematics::new(
        &plan.source,
        looked_at.chain(pairs.iter().map(|pair| pair.0)),
    );
    let attached = beside(plan);
    let both_of = attached
        .iter()
        .flat_map(|&(joint, carrier)| [joint, carrier]);
    let looked_at = target.joints().chain(both_of);
    let target_joints = Kinematics::new(
        &plan.target,
        looked_at.chain(pairs.iter().map(|pair| pair.1)),
    );
    let arm = |index: usize| {
        let (own, other) = (&source.arms[index], &target.arms[index]);
        let [upper, lower, hand] = other.limb.map(|joint| target_joints.find(joint));
        let forward = both.to.retarget_rotation(other.limb[0]).conjugate() * DVec3::NEG_Z;
        let facing = both.from.retarget_rotation(own.limb[2]).conjugate() * DVec3::NEG_Y;
        let held = held[index].iter();
        Some(Arm {
            source_hand: source_joints.find(own.limb[2])?,
            source_upper: source_joints.find(own.limb[0])?,
            source_palm: own.palm.as_vec3(),
            source_facing: facing.as_vec3(),
            source_props: held
                .filter_map(|&joint| source_joints.find(joint))
                .collect(),
            clavicle: other.clavicle.and_then(|joint| target_joints.find(joint)),
            upper: upper?,
            lower: lower?,
            hand: hand?,
            palm: other.palm.as_vec3(),
            forward: forward.as_vec3(),
        })
    };
    let (Some(left), Some(right)) = (arm(0), arm(1)) else {
        return Ok(None);
    };
    let touches = pairs.iter().flat_map(|&(from, to)| {
        let places = source_joints.find(from).zip(target_joints.find(to));
        [0, 1].into_iter().filter_map(move |arm| {
            let (source, target) = places?;
            Some(Touch {
                arm,
                source,
                target,
            })
        })
    });
    let touches = touches.collect();
    let chest = target.chest.and_then(|(chest, necks)| {
        Some(Chest {
            joint: target_joints.find(chest)?,
            kept: necks
                .into_iter()
                .filter_map(|joint| target_joints.find(joint))
                .collect(),
        })
    });
    let grip = own_chest.and_then(|chest| {
        let frame = |joint: usize| both.from.retarget_rotation(joint).conjugate().as_quat();
        let hips = own_hips.and_then(|hips| Some((source_joints.find(hips)?, frame(hips))));
        Some(GripRule {
            chest: source_joints.find(chest)?,
            chest_frame: frame(chest),
            hips,
            span: source.span as f32,
        })
    });
    let (near, far) = match choice.mode {
        HandsMode::Always => (f64::from(f32::MAX), f64::from(f32::MAX)),
        _ => (choice.near * source.span, choice.far() * source.span),
    };
    let stage = ReachStage {
        linear: Mat3::from_quat(plan.target_from_source) * scale as f32,
        near: near as f32,
        far: far as f32,
        arms: vec![left, right],
        hold: (!are_alike).then_some(0.5),
        grip,
        touches,
        chest,
        assist: choice.assist as f32,
        reach: Reach::SOFT,
        attached,
        source: source_joints,
        target: target_joints,
    };
    Ok(Some(Stage {
        weight: choice.weight.clamped(0.0, 1.0) as f32,
        op: StageOp::Reach(stage),
    }))
}

/// True where the target's arms are the source's, only longer or shorter.
pub(super) fn arms_are_alike(both: &Both<'_>) -> bool {
    let bodies = Body::new(both.source, both.from).zip(Body::new(both.target, both.to));
    bodies.is_some_and(|(source, target)| source.is_like(&target, target.span / source.span))
}

/// Props that no hand carries, of source and target: joints in no slot that go together by name or by a person's link,
/// and that are called so.
fn props(
    both: &Both<'_>,
    options: &CompileOptions,
    choice: &HandsChoice,
) -> Result<Vec<(usize, usize)>, Error> {
    let (source, target) = (both.source, both.target);
    let mut named = Vec::new();
    for name in &choice.props {
        let joint = target.character.skeleton.find(name);
        named.push(joint.map_err(|error| Error::Recipe {
            what: format!("in the target, {error}"),
            place: "hands.props".to_owned(),
            remedy: "name a joint of the target that is a prop, or take it out of the list".into(),
        })?);
    }
    let mut pairs = named_pairs(
        (source.character, source.map),
        (target.character, target.map),
    );
    pairs.retain(|pair| !options.by_hand.decides(pair.1));
    pairs.extend(&options.by_hand.pairs);
    pairs.retain(|&(from, to)| {
        let joint = &target.character.skeleton.joints()[to];
        let words = tokens(&joint.name);
        let is_prop = named.contains(&to)
            || words
                .iter()
                .any(|word| PROPS.contains(&word.to_ascii_lowercase().as_str()));
        is_prop && is_free(source, from) && is_free(target, to)
    });
    pairs.sort_unstable();
    pairs.dedup();
    Ok(pairs)
}

/// True for a joint in no slot that hangs from no arm.
fn is_free(side: &Mapped<'_>, joint: usize) -> bool {
    let slots = || side.map.slots.iter();
    let in_slot = slots().any(|(_, found)| found.joints.contains(&joint));
    let in_arm = side.character.skeleton.ancestors(joint).any(|above| {
        slots().any(|(slot, found)| {
            let part = side.map.profile.info(*slot).part;
            let is_arm = matches!(part, Part::Shoulder | Part::Thumb | Part::Finger);
            (is_arm || ARM.contains(&part)) && found.joints.contains(&above)
        })
    });
    !in_slot && !in_arm
}

/// The arms of one side in the retarget pose.
struct Body<'a> {
    side: &'a Mapped<'a>,
    places: Vec<Placement>,
    arms: [ArmJoints; 2],
    /// Both arms and the distance of the shoulders.
    span: f64,
    /// What carries both shoulders, with the joints of the neck that hang from it.
    chest: Option<(usize, Vec<usize>)>,
}

struct ArmJoints {
    clavicle: Option<usize>,
    limb: [usize; 3],
    /// From the hand to its knuckles, in the hand's axes.
    palm: DVec3,
}

impl<'a> Body<'a> {
    /// `None` where an arm is not whole.
    fn new(side: &'a Mapped<'a>, alignment: &Alignment) -> Option<Self> {
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
    fn hands(&self) -> impl Iterator<Item = usize> + '_ {
        self.arms.iter().flat_map(|arm| [arm.limb[0], arm.limb[2]])
    }

    fn joints(&self) -> impl Iterator<Item = usize> + '_ {
        let arms = self.arms.iter();
        let of_arms = arms.flat_map(|arm| arm.limb.into_iter().chain(arm.clavicle));
        let of_chest = self.chest.iter();
        of_arms.chain(
            of_chest
                .flat_map(|(chest, necks)| std::iter::once(*chest).chain(necks.iter().copied())),
        )
    }

    /// Joints in no slot that hang from a hand: what it holds.
    fn held(&self, arm: usize) -> Vec<usize> {
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
    fn is_like(&self, other: &Self, scale: f64) -> bool {
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

/// The lowest joint of the torso that carries both arms, with the joints that hang from it and carry the head.
fn chest(side: &Mapped<'_>, arms: &[ArmJoints; 2]) -> Option<(usize, Vec<usize>)> {
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
    if !skeleton.is_ancestor(chest, head) {
        return Some((chest, Vec::new()));
    }
    let mut path = std::iter::once(head).chain(skeleton.ancestors(head));
    let neck = path.find(|&joint| skeleton.parent(joint) == Some(chest));
    Some((chest, neck.into_iter().collect()))
}
