//! A plan made ready for single frames: which joints have to be known in model space, and which need one matrix.
//!
//! Where a target joint follows a source joint and their parents follow each other, its local rotation is
//! v = C_p⁻¹ · w · C, with constants C_p and C (E5): one matrix by the source's own local rotation, and no model
//! space at all. For rigs that go together joint by joint that is nearly every joint.

use super::kernel::sandwich_matrix;
use super::needs::Needs;
use super::op::{LinearOp, Plan, RotationOp};
use glam::{Affine3A, BVec4A, Mat4, Quat, Vec4};
use rebone_model::Transform;

/// Where a target joint's local rotation comes from.
#[derive(Clone, Debug)]
pub(super) enum Turn {
    /// It stays at rest.
    Keep,
    /// A constant matrix by the source joint's local rotation.
    Matrix(usize, Mat4),
    /// The operation gives V in model space; the parent's brings it to local space.
    Model(RotationOp),
}

/// How a target joint's model-space rotation is found, where it is needed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    /// Nobody needs it.
    Unused,
    /// With `Turn::Model`, on the way to the local one.
    AsModel,
    /// W of a source joint, times a constant.
    Source(usize, Quat),
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

/// Where a source joint leaves target joints at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct SliderRest {
    pub(super) source: u32,
    /// Translation and scale as [`numbers`](Self::numbers) says them; not a number where no translation does.
    rest: [Vec4; 2],
}

impl SliderRest {
    /// A translation and a scale in two vectors that lie in memory as they lie in a transform.
    #[inline(always)]
    fn numbers(of: &Transform) -> [Vec4; 2] {
        let (way, scale) = (of.translation, of.scale);
        [
            Vec4::new(way.x, way.y, way.z, scale.x),
            Vec4::new(way.z, scale.x, scale.y, scale.z),
        ]
    }

    /// True where the translation of the source joint, now so, leaves its targets' at rest.
    pub(super) fn keeps_place(&self, now: &Transform) -> bool {
        now.translation == self.rest[0].truncate()
    }

    /// All true where the source joint, now so, leaves its targets at rest.
    #[inline(always)]
    pub(super) fn keeps(&self, now: &Transform) -> BVec4A {
        let [first, second] = Self::numbers(now);
        first.cmpeq(self.rest[0]) & second.cmpeq(self.rest[1])
    }
}

/// What the translation and scale of a source joint move.
#[derive(Clone, Debug)]
pub(super) struct Slider {
    /// Slides of the plan.
    pub(super) slides: Vec<usize>,
    /// Scales of the plan.
    pub(super) scales: Vec<usize>,
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
    /// Target's file space to the travelling joint's parent, where nothing above it moves.
    pub(super) still_above_travel: Option<Affine3A>,
}

/// How a target joint's model-space rotation follows from the source, whatever the source does.
#[derive(Clone, Copy)]
pub(super) enum Follows {
    /// W of a source joint, times a constant.
    Source(usize, Quat),
    /// Anything else.
    Free,
}

impl Program {
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
            if let Turn::Matrix(from, matrix) = turn {
                let is_needed = needs.target_affine[joint] || needs.target_rotation[joint];
                if !is_needed {
                    is_direct[joint] = true;
                    direct.push(Direct {
                        source: *from,
                        target: joint,
                        matrix: *matrix,
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
            is_still.then(|| rest_affine(plan, above).inverse())
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
        Self {
            target: target.collect(),
            source,
            turning_outputs: (0..plan.target.len())
                .filter(|&joint| turns_out[joint] && !is_direct[joint])
                .collect(),
            direct,
            placed_targets: (0..plan.target.len())
                .filter(|&joint| places_out[joint] || needs.target_affine[joint])
                .collect(),
            placed_outputs: listed(&places_out, |&flag| flag),
            sliders,
            slider_rests,
            still_above_travel,
        }
    }
}

/// The ends of the bend that a joint has a share of, and what turns them.
fn bend_of(turn: &Turn) -> Option<(usize, usize, Quat, Quat)> {
    match *turn {
        Turn::Model(RotationOp::Spread {
            first,
            last,
            first_inverse,
            last_inverse,
            ..
        }) => Some((first, last, first_inverse, last_inverse)),
        _ => None,
    }
}

fn sliders(plan: &Plan) -> Vec<(SliderRest, Slider)> {
    let sources = plan.slides.iter().map(|op| op.source);
    let mut sources: Vec<usize> = sources
        .chain(plan.scales.iter().map(|op| op.source))
        .collect();
    sources.sort_unstable();
    sources.dedup();
    let slider = |source: usize| {
        let slides = listed(&plan.slides, |op| op.source == source);
        let rest = plan.source.rest[source];
        let keeps = |&index: &usize| {
            let slide: &LinearOp = &plan.slides[index];
            let rest = plan.target.rest[slide.target].translation;
            let made = slide.linear * plan.source.rest[source].translation + slide.offset;
            made.abs_diff_eq(rest, 1e-5 * rest.length())
        };
        let mut at_rest = SliderRest {
            source: source as u32,
            rest: SliderRest::numbers(&rest),
        };
        if !slides.iter().all(keeps) {
            // Equal to nothing, not even itself.
            at_rest.rest[0].x = f32::NAN;
        }
        let slider = Slider {
            slides,
            scales: listed(&plan.scales, |op| op.source == source),
        };
        (at_rest, slider)
    };
    sources.into_iter().map(slider).collect()
}

/// Places in a list of what fits.
fn listed<T>(list: &[T], fits: impl Fn(&T) -> bool) -> Vec<usize> {
    (0..list.len()).filter(|&at| fits(&list[at])).collect()
}

fn rest_affine(plan: &Plan, joint: Option<usize>) -> Affine3A {
    let mut product = Affine3A::IDENTITY;
    let mut at = joint;
    while let Some(index) = at {
        product = plan.target.rest[index].to_affine() * product;
        at = plan.target.parents[index];
    }
    product
}

fn turns(plan: &Plan) -> (Vec<Turn>, Vec<Follows>) {
    let count = plan.target.len();
    let mut turns = vec![Turn::Keep; count];
    let mut follows = vec![Follows::Free; count];
    for &joint in &plan.order {
        let above = plan.target.parents[joint].map(|parent| follows[parent]);
        let operation = match plan.rotations[joint] {
            RotationOp::Carried { carrier, frame } => match follows[carrier] {
                Follows::Source(source, constant) => RotationOp::Model {
                    source,
                    frame: constant * frame,
                },
                Follows::Free => RotationOp::Carried { carrier, frame },
            },
            other => other,
        };
        match operation {
            RotationOp::Rest => {
                if let Some(Follows::Source(source, constant)) = above {
                    let rest = plan.target.rest[joint].rotation;
                    follows[joint] = Follows::Source(source, constant * rest);
                }
            }
            RotationOp::Local {
                source,
                left,
                right,
            } => turns[joint] = Turn::Matrix(source, sandwich_matrix(left, right)),
            RotationOp::Model { source, frame } => {
                follows[joint] = Follows::Source(source, frame);
                turns[joint] = match above {
                    Some(Follows::Source(up, constant))
                        if plan.source.parents[source] == Some(up) =>
                    {
                        Turn::Matrix(source, sandwich_matrix(constant.conjugate(), frame))
                    }
                    _ => Turn::Model(operation),
                };
            }
            other => turns[joint] = Turn::Model(other),
        }
    }
    (turns, follows)
}
