//! A plan made ready to run: which joints have to be known in model space, and which need one matrix.

use super::needs::Needs;
use super::op::Plan;
use super::sliders::{Slider, SliderRest, sliders};
use super::turns::{Turn, bend_of, turns};
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
    /// In the plan's order, without direct ones and joints of which nothing has to be computed.
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
        let (turns, follows) = turns(plan);
        let (slider_rests, sliders) = sliders(plan).into_iter().unzip();
        let mut needs = Needs::new(plan);
        needs.ask(plan, &turns, &follows);
        let source = (0..plan.source.len()).filter_map(|joint| {
            let step = SourceStep {
                joint,
                parent: plan.source.parents[joint],
                is_placed: needs.source_place[joint],
            };
            (step.is_placed || needs.source_rotation[joint]).then_some(step)
        });
        let source: Vec<SourceStep> = source.collect();
        let mut turns_out = vec![false; plan.target.len()];
        let mut slides_out = vec![false; plan.target.len()];
        let mut places_out = vec![false; plan.target.len()];
        let mut direct = Vec::new();
        let mut is_direct = vec![false; plan.target.len()];
        for (joint, turn) in turns.iter().enumerate() {
            turns_out[joint] = !matches!(turn, Turn::Keep);
            if let Turn::Chain(chain) = turn
                && let [source] = chain.joints[..]
            {
                let is_needed = needs.target_affine[joint] || needs.target_rotation[joint];
                if !is_needed {
                    is_direct[joint] = true;
                    direct.push(Direct {
                        source,
                        target: joint,
                        matrix: chain.matrix,
                    });
                }
            }
        }
        for to in plan.slides.iter().map(|op| op.target) {
            slides_out[to] = true;
        }
        for to in plan.scales.iter().map(|op| op.target) {
            slides_out[to] = true;
        }
        if let Some(travel) = &plan.travel {
            places_out[travel.target] = true;
        }
        for attach in &plan.attachments {
            places_out[attach.target] = true;
        }
        let mut still = vec![false; plan.target.len()];
        for &joint in &plan.order {
            still[joint] = !turns_out[joint]
                && !slides_out[joint]
                && !places_out[joint]
                && plan.target.parents[joint].is_none_or(|up| still[up]);
        }
        let still_above_travel = plan.travel.and_then(|travel| {
            let above = plan.target.parents[travel.target];
            let is_still = above.is_none_or(|up| still[up]);
            is_still.then(|| plan.target.model_affine(&plan.target.rest, above).inverse())
        });
        let mut bend = None;
        let target = plan.order.iter().filter_map(|&joint| {
            let own = bend_of(&turns[joint]);
            let keeps_bend = own.is_some() && own == bend;
            bend = own.or(bend);
            let step = TargetStep {
                joint,
                parent: plan.target.parents[joint],
                turn: if is_direct[joint] {
                    Turn::Keep
                } else {
                    turns[joint].clone()
                },
                seen: needs.seen(joint, &turns, &follows),
                has_affine: needs.target_affine[joint],
                travels: plan.travel.is_some_and(|travel| travel.target == joint),
                attachments: listed(&plan.attachments, |attach| attach.target == joint),
                keeps_bend,
            };
            let is_idle =
                is_direct[joint] || matches!((&step.turn, step.seen), (Turn::Keep, Seen::Unused));
            let is_placed = step.travels || step.has_affine || !step.attachments.is_empty();
            (!is_idle || is_placed).then_some(step)
        });
        let placed_targets: Vec<usize> = (0..plan.target.len())
            .filter(|&joint| places_out[joint] || needs.target_affine[joint])
            .collect();
        let places = |slider: &Slider| {
            let slides = slider.slides.iter().map(|&index| plan.slides[index].target);
            let scales = slider.scales.iter().map(|&index| plan.scales[index].target);
            let mut moved = slides.chain(scales);
            moved.any(|joint| placed_targets.contains(&joint))
        };
        let sliders: Vec<Slider> = sliders;
        Self {
            target: target.collect(),
            source,
            turning_outputs: (0..plan.target.len())
                .filter(|&joint| turns_out[joint] && !is_direct[joint])
                .collect(),
            direct,
            placing_sliders: listed(&sliders, places),
            placed_targets,
            placed_outputs: listed(&places_out, |&flag| flag),
            sliders,
            slider_rests,
            still_above_travel,
        }
    }
}

/// Places in a list of what fits.
pub(super) fn listed<T>(list: &[T], fits: impl Fn(&T) -> bool) -> Vec<usize> {
    (0..list.len()).filter(|&at| fits(&list[at])).collect()
}
