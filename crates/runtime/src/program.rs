//! A plan made ready to run: which joints have to be known in model space, and which need one matrix.

use super::needs::Needs;
use super::op::Plan;
use super::sliders::{Slider, SliderRest, sliders};
use super::turns::{Follows, Turn, bend_of, turns};
use glam::{Affine3A, Mat4, Quat};

/// How a target joint's model-space rotation is found, where it is needed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    /// Nobody needs it.
    Unused,
    /// With `Turn::Model`, on the way to the local one.
    AsModel,
    /// W of a source joint, times a constant.
    Source(usize, Quat),
    /// It never changes.
    Still(Quat),
    /// The parent's, times the local one.
    Parent,
}

/// One target joint whose local rotation is a constant matrix by a source joint's, and of which nobody needs more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direct {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) matrix: Mat4,
}

/// One other target joint.
#[derive(Clone, Debug)]
pub(super) struct TargetStep {
    pub(super) joint: usize,
    pub(super) parent: Option<usize>,
    pub(super) turn: Turn,
    pub(super) seen: Seen,
    /// Its model-space matrix is needed.
    pub(super) has_affine: bool,
    /// It carries the travel.
    pub(super) travels: bool,
    /// The attachments that place it, in the plan's order.
    pub(super) attachments: Vec<usize>,
    /// It has a share of the same bend as the last step before it that spreads one.
    pub(super) keeps_bend: bool,
}

/// One source joint whose rotation in model space is needed.
#[derive(Clone, Debug)]
pub(super) struct SourceStep {
    pub(super) joint: usize,
    pub(super) parent: Option<usize>,
    /// Where it is is needed too.
    pub(super) is_placed: bool,
}

/// The steps of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// From pose to pose, in any order.
    pub(super) direct: Vec<Direct>,
    /// Parents first.
    pub(super) source: Vec<SourceStep>,
    /// In the plan's order. Direct ones and joints that nothing asks for are left out.
    pub(super) target: Vec<TargetStep>,
    /// Target joints whose rotation may leave the rest by steps.
    pub(super) turning_outputs: Vec<usize>,
    /// Target joints whose translation and scale are needed, as slides and scales leave them.
    pub(super) placed_targets: Vec<usize>,
    /// Those of them that travel or are attached.
    pub(super) placed_outputs: Vec<usize>,
    /// Source joints that slide or stretch target joints.
    pub(super) sliders: Vec<Slider>,
    /// For each of them what leaves the targets at rest: apart, because every frame looks at it and hardly any goes on.
    pub(super) slider_rests: Vec<SliderRest>,
    /// Those of the sliders that move some of `placed_targets`.
    pub(super) placing_sliders: Vec<usize>,
    /// Target's file space to the travelling joint's parent, where nothing above it moves.
    pub(super) still_above_travel: Option<Affine3A>,
}

impl Program {
    /// True for each source joint that the steps read.
    pub(super) fn source_joints(&self, plan: &Plan) -> Vec<bool> {
        let mut is_read = vec![false; plan.source.len()];
        let chained = self.target.iter().flat_map(|step| match &step.turn {
            Turn::Chain(chain) => chain.joints.as_slice(),
            Turn::Keep | Turn::Model(_) => &[],
        });
        let sliders = self.placing_sliders.iter();
        let sliders = sliders.map(|&index| self.slider_rests[index].source as usize);
        let attachments = plan.attachments.iter();
        let attached = attachments.flat_map(|attach| attach.only_if_sliding.iter().copied());
        let seen = self.source.iter().map(|step| step.joint);
        for joint in seen.chain(chained.copied()).chain(sliders).chain(attached) {
            is_read[joint] = true;
        }
        is_read
    }

    pub(super) fn new(plan: &Plan) -> Self {
        let (mut turns, follows) = turns(plan);
        let (slider_rests, sliders): (_, Vec<Slider>) = sliders(plan).into_iter().unzip();
        let mut needs = Needs::new(plan);
        needs.ask(plan, &turns, &follows);
        let changes = Changes::new(plan, &turns);
        let direct = take_direct(&mut turns, &needs);
        let placed_targets: Vec<usize> = (0..plan.target.len())
            .filter(|&joint| changes.places[joint] || needs.target_affine[joint])
            .collect();
        let places = |slider: &Slider| {
            let slides = slider.slides.iter().map(|&index| plan.slides[index].target);
            let scales = slider.scales.iter().map(|&index| plan.scales[index].target);
            let mut moved = slides.chain(scales);
            moved.any(|joint| placed_targets.contains(&joint))
        };
        Self {
            target: target_steps(plan, &turns, &follows, &needs),
            source: source_steps(plan, &needs),
            turning_outputs: listed(&turns, |turn| !matches!(turn, Turn::Keep)),
            direct,
            placing_sliders: listed(&sliders, places),
            placed_targets,
            placed_outputs: listed(&changes.places, |&flag| flag),
            sliders,
            slider_rests,
            still_above_travel: changes.still_above_travel(plan),
        }
    }
}

/// Which target joints a plan changes, and how.
struct Changes {
    /// Those whose rotation may leave the rest.
    turns: Vec<bool>,
    /// Those that slide or stretch.
    slides: Vec<bool>,
    /// Those that travel or are attached.
    places: Vec<bool>,
}

impl Changes {
    fn new(plan: &Plan, turns: &[Turn]) -> Self {
        let marked = |joints: &mut dyn Iterator<Item = usize>| {
            let mut is_marked = vec![false; plan.target.len()];
            joints.for_each(|joint| is_marked[joint] = true);
            is_marked
        };
        let slides = plan.slides.iter().map(|op| op.target);
        let scales = plan.scales.iter().map(|op| op.target);
        let travels = plan.travel.iter().map(|op| op.target);
        let attached = plan.attachments.iter().map(|op| op.target);
        Self {
            turns: turns
                .iter()
                .map(|turn| !matches!(turn, Turn::Keep))
                .collect(),
            slides: marked(&mut slides.chain(scales)),
            places: marked(&mut travels.chain(attached)),
        }
    }

    /// Target's file space to the travelling joint's parent; `None` if something above it moves.
    fn still_above_travel(&self, plan: &Plan) -> Option<Affine3A> {
        let mut still = vec![false; plan.target.len()];
        for &joint in &plan.order {
            still[joint] = !self.turns[joint]
                && !self.slides[joint]
                && !self.places[joint]
                && plan.target.parents[joint].is_none_or(|up| still[up]);
        }
        let above = plan.target.parents[plan.travel.as_ref()?.target];
        let is_still = above.is_none_or(|up| still[up]);
        is_still.then(|| plan.target.model_affine(&plan.target.rest, above).inverse())
    }
}

fn source_steps(plan: &Plan, needs: &Needs) -> Vec<SourceStep> {
    let steps = (0..plan.source.len()).filter_map(|joint| {
        let step = SourceStep {
            joint,
            parent: plan.source.parents[joint],
            is_placed: needs.source_place[joint],
        };
        (step.is_placed || needs.source_rotation[joint]).then_some(step)
    });
    steps.collect()
}

/// Takes out the turns from pose to pose, which need no other step.
fn take_direct(turns: &mut [Turn], needs: &Needs) -> Vec<Direct> {
    let mut direct = Vec::new();
    for (target, turn) in turns.iter_mut().enumerate() {
        let is_needed = needs.target_affine[target] || needs.target_rotation[target];
        if let Turn::Chain(chain) = turn
            && let [source] = chain.joints[..]
            && !is_needed
        {
            direct.push(Direct {
                source,
                target,
                matrix: chain.matrix,
            });
            *turn = Turn::Keep;
        }
    }
    direct
}

/// What is computed for each target joint, in the plan's order. Joints that nothing asks for are left out.
fn target_steps(
    plan: &Plan,
    turns: &[Turn],
    follows: &[Follows],
    needs: &Needs,
) -> Vec<TargetStep> {
    let mut bend = None;
    let steps = plan.order.iter().filter_map(|&joint| {
        let own = bend_of(&turns[joint]);
        let keeps_bend = own.is_some() && own == bend;
        bend = own.or(bend);
        let step = TargetStep {
            joint,
            parent: plan.target.parents[joint],
            turn: turns[joint].clone(),
            seen: needs.seen(joint, turns, follows),
            has_affine: needs.target_affine[joint],
            travels: plan.travel.is_some_and(|travel| travel.target == joint),
            attachments: listed(&plan.attachments, |attach| attach.target == joint),
            keeps_bend,
        };
        let is_idle = matches!((&step.turn, step.seen), (Turn::Keep, Seen::Unused));
        let is_placed = step.travels || step.has_affine || !step.attachments.is_empty();
        (!is_idle || is_placed).then_some(step)
    });
    steps.collect()
}

/// Places in a list of what fits.
pub(super) fn listed<T>(list: &[T], fits: impl Fn(&T) -> bool) -> Vec<usize> {
    (0..list.len()).filter(|&at| fits(&list[at])).collect()
}
