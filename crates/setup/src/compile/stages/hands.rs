//! From two aligned bodies to the stage that brings hands to what they touch.

use super::arms::Body;
use crate::align::limbs::ARM;
use crate::compile::attach::{beside, with_carriers};
use crate::compile::{Both, CompileOptions, Mapped};
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

/// What joints of props are called.
const PROPS: [&str; 16] = [
    "weapon", "weapons", "prop", "props", "item", "gun", "rifle", "sword", "staff", "axe",
    "shield", "tool", "bow", "ball", "box", "handle",
];

/// The stage. `None` if the recipe switches hands off, or if a side lacks an arm; also if the target's arms are the source's, only longer or
/// shorter, and the hands hold no prop.
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
    let bodies = Body::new(both.source, both.from).zip(Body::new(both.target, both.to));
    let Some((source, target)) = bodies else {
        return Ok(None);
    };
    let is_driven = |joint: &usize| !matches!(plan.rotations[*joint], RotationOp::Rest);
    if !target.arms.iter().flat_map(|arm| &arm.limb).all(is_driven) {
        return Ok(None);
    }
    let pairs = props(both, options, choice)?;
    let are_alike = source.is_like(&target, target.span / source.span);
    if are_alike && pairs.is_empty() {
        return Ok(None);
    }
    let meeting = Meeting {
        both,
        held: [0, 1].map(|arm| source.held(arm)),
        gripping: Gripping::new(&source, choice.mode == HandsMode::Auto && !are_alike),
        source,
        target,
        pairs,
        are_alike,
    };
    let weight = choice.weight.clamped(0.0, 1.0) as f32;
    let stage = meeting.stage(choice, plan);
    Ok(stage.map(|stage| Stage {
        weight,
        op: StageOp::Reach(stage),
    }))
}

/// What hands that meet are moved by.
struct Meeting<'a> {
    both: &'a Both<'a>,
    source: Body<'a>,
    target: Body<'a>,
    /// Props, of source and target.
    pairs: Vec<(usize, usize)>,
    /// What each hand of the source holds.
    held: [Vec<usize>; 2],
    gripping: Option<Gripping>,
    are_alike: bool,
}

/// The joints of the source that tell whether both hands grip one thing.
struct Gripping {
    chest: usize,
    /// `None` of a body whose hips are the chest.
    hips: Option<usize>,
}

impl Gripping {
    /// `None` if grips are not wanted, or if the source has no chest.
    fn new(source: &Body<'_>, is_wanted: bool) -> Option<Self> {
        let chest = source.chest.as_ref().filter(|_| is_wanted)?.joint;
        let hips = source.side.map.joint_of(Part::Hips, Side::Center);
        Some(Self {
            chest,
            hips: hips.filter(|hips| *hips != chest),
        })
    }

    fn joints(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::once(self.chest).chain(self.hips)
    }
}

impl Meeting<'_> {
    /// `None` where an arm is missing in the plan.
    fn stage(&self, choice: &HandsChoice, plan: &Plan) -> Option<ReachStage> {
        let held = self.held.iter().flatten().copied();
        let gripping = self.gripping.iter().flat_map(Gripping::joints);
        let props = self.pairs.iter().map(|pair| pair.0);
        let looked_at = self.source.hands().chain(held).chain(gripping).chain(props);
        let source = Kinematics::new(&plan.source, looked_at);
        let attached = beside(plan);
        let props = self.pairs.iter().map(|pair| pair.1);
        let looked_at = self.target.joints().chain(with_carriers(&attached));
        let target = Kinematics::new(&plan.target, looked_at.chain(props));
        let (near, far) = match choice.mode {
            HandsMode::Always => (f64::from(f32::MAX), f64::from(f32::MAX)),
            _ => (
                choice.near * self.source.span,
                choice.far() * self.source.span,
            ),
        };
        let scale = self.target.span / self.source.span;
        Some(ReachStage {
            linear: Mat3::from_quat(plan.target_from_source) * scale as f32,
            near: near as f32,
            far: far as f32,
            arms: vec![
                self.arm(0, &source, &target)?,
                self.arm(1, &source, &target)?,
            ],
            hold: (!self.are_alike).then_some(0.5),
            grip: self.grip_rule(&source),
            touches: self.touches(&source, &target),
            chest: self.chest(&target),
            assist: choice.assist as f32,
            reach: Reach::SOFT,
            attached,
            source,
            target,
        })
    }

    fn arm(&self, index: usize, source: &Kinematics, target: &Kinematics) -> Option<Arm> {
        let Both { from, to, .. } = *self.both;
        let (own, other) = (&self.source.arms[index], &self.target.arms[index]);
        let [upper, lower, hand] = other.limb.map(|joint| target.find(joint));
        let forward = to.retarget_rotation(other.limb[0]).conjugate() * DVec3::NEG_Z;
        let facing = from.retarget_rotation(own.limb[2]).conjugate() * DVec3::NEG_Y;
        let held = self.held[index].iter();
        Some(Arm {
            source_hand: source.find(own.limb[2])?,
            source_upper: source.find(own.limb[0])?,
            source_palm: own.palm.as_vec3(),
            source_facing: facing.as_vec3(),
            source_props: held.filter_map(|&joint| source.find(joint)).collect(),
            clavicle: other.clavicle.and_then(|joint| target.find(joint)),
            upper: upper?,
            lower: lower?,
            hand: hand?,
            palm: other.palm.as_vec3(),
            forward: forward.as_vec3(),
        })
    }

    /// Both hands touch props.
    fn touches(&self, source: &Kinematics, target: &Kinematics) -> Vec<Touch> {
        let pairs = self.pairs.iter();
        let places = pairs.filter_map(|&(from, to)| source.find(from).zip(target.find(to)));
        let touches = places.flat_map(|(source, target)| {
            [0, 1].map(|arm| Touch {
                arm,
                source,
                target,
            })
        });
        touches.collect()
    }

    fn chest(&self, target: &Kinematics) -> Option<Chest> {
        let chest = self.target.chest.as_ref()?;
        let necks = chest.necks.iter();
        Some(Chest {
            joint: target.find(chest.joint)?,
            kept: necks.filter_map(|&joint| target.find(joint)).collect(),
        })
    }

    fn grip_rule(&self, source: &Kinematics) -> Option<GripRule> {
        let Gripping { chest, hips } = *self.gripping.as_ref()?;
        let from = self.both.from;
        let frame = |joint: usize| from.retarget_rotation(joint).conjugate().as_quat();
        Some(GripRule {
            chest: source.find(chest)?,
            chest_frame: frame(chest),
            hips: hips.and_then(|hips| Some((source.find(hips)?, frame(hips)))),
            span: self.source.span as f32,
        })
    }
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
