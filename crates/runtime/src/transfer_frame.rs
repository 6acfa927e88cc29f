//! The transfer of N frames or characters at once, by the steps of a [`Program`].

use super::affine_lanes::{Affines, Transforms};
use super::op::{AttachOp, GROWTH, Plan, RotationOp, TravelOp};
use super::placed_lanes::PlacedLanes;
use super::program::{Program, Seen, TargetStep};
use super::rig::local_place;
use super::sliders::{Slider, SliderRest};
use super::sources::Sources;
use super::stage::Sight;
use super::turns::Turn;
use crate::lanes::{Rotations, Vectors, matrix_times};
use glam::{Affine3A, BVec4A, Quat, Vec3, Vec4};
use rebone_model::Transform;
use rebone_model::elementary::Elementary as _;
use rebone_model::rotation::{exp, log};

/// Sliding joints that are looked at together: hardly any slides.
const FEW: usize = 8;

/// What is needed of N frames on the way, and what comes out.
#[derive(Clone, Debug)]
pub(super) struct Work<const N: usize> {
    /// Local transforms of the target; those of `Program::placed_targets` go in as [`begin`] left them.
    pub(super) target: Vec<Transforms<N>>,
    /// Source joints in model space, as the program asks for them.
    source: Vec<PlacedLanes<N>>,
    /// Rotations of target joints in the axes of the source's file.
    target_rotations: Vec<Rotations<N>>,
    target_affines: Vec<Affines<N>>,
    /// D_first and log(D_first⁻¹ · D_last) of the last bend that was spread.
    bend: [(Quat, Vec3); N],
    /// The target's hips have grown with what is above the source's.
    pub(super) has_grown: bool,
}

impl<const N: usize> Work<N> {
    pub(super) fn new(plan: &Plan) -> Self {
        let rotation = Rotations::splat(Quat::IDENTITY);
        let affine = Affines::splat(&Affine3A::IDENTITY);
        Self {
            target: plan.target.rest.iter().map(Transforms::splat).collect(),
            source: vec![PlacedLanes::root(); plan.source.len()],
            target_rotations: vec![rotation; plan.target.len()],
            target_affines: vec![affine; plan.target.len()],
            bend: [(Quat::IDENTITY, Vec3::ZERO); N],
            has_grown: false,
        }
    }

    /// Shows stages where the source's joints are.
    #[inline(always)]
    pub(super) fn show(&self, sight: &mut Sight) {
        sight.renew(|joint| {
            let joint = &self.source[joint];
            (joint.rotation.scattered(), joint.position.scattered())
        });
    }
}

/// What comes before the steps: the target at rest, but for joints that slide or stretch in the source, and for those
/// that turn as a source joint does.
pub(super) fn begin(
    plan: &Plan,
    program: &Program,
    source: &[Transform],
    target: &mut [Transform],
) {
    target.copy_from_slice(&plan.target.rest);
    for step in &program.direct {
        let rotation = Vec4::from(source[step.source].rotation);
        target[step.target].rotation = Quat::from_vec4(step.matrix * rotation);
    }
    let now = |rest: &SliderRest| &source[rest.source as usize];
    let sliders = program
        .slider_rests
        .chunks(FEW)
        .zip(program.sliders.chunks(FEW));
    for (rests, sliders) in sliders {
        let keeps = rests.iter().map(|rest| rest.keeps(now(rest)));
        if keeps
            .fold(BVec4A::splat(true), |all, keeps| all & keeps)
            .all()
        {
            continue;
        }
        for (rest, slider) in rests.iter().zip(sliders) {
            if !rest.keeps(now(rest)).all() {
                slide(plan, slider, rest, now(rest), target);
            }
        }
    }
}

#[cold]
fn slide(
    plan: &Plan,
    slider: &Slider,
    rest: &SliderRest,
    now: &Transform,
    target: &mut [Transform],
) {
    for (joint, place) in slider.slid(plan, rest, now) {
        target[joint].translation = place;
    }
    for (joint, scale) in slider.stretched(plan, rest, now) {
        target[joint].scale = scale;
    }
}

/// What [`begin`] does, for frames of a clip, of which only `Program::placed_targets` are needed.
#[inline(always)]
pub(super) fn begin_frames<const N: usize>(
    plan: &Plan,
    program: &Program,
    sources: &impl Sources<N>,
    work: &mut Work<N>,
) {
    for &joint in &program.placed_targets {
        let rest = &plan.target.rest[joint];
        work.target[joint].translation = Vectors::splat(rest.translation);
        work.target[joint].scale = Vectors::splat(rest.scale);
    }
    for &index in &program.placing_sliders {
        let (rest, slider) = (&program.slider_rests[index], &program.sliders[index]);
        let from = sources.local(rest.source as usize);
        for lane in 0..N {
            let now = from.lane(lane);
            for (joint, place) in slider.slid(plan, rest, &now) {
                work.target[joint].translation.set_lane(lane, place);
            }
            for (joint, scale) in slider.stretched(plan, rest, &now) {
                work.target[joint].scale.set_lane(lane, scale);
            }
        }
    }
}

/// Fills the target's local transforms from the source's.
///
/// Inlined, so that a caller for a processor with wider registers gets code of its own.
#[inline(always)]
pub(super) fn transfer<const N: usize>(
    plan: &Plan,
    program: &Program,
    sources: &impl Sources<N>,
    work: &mut Work<N>,
) {
    see_source(program, sources, work);
    for step in &program.target {
        turn(plan, step, sources, work);
        if let Some(travel) = plan.travel.as_ref().filter(|_| step.travels) {
            place(plan, program, travel, work);
            grow(plan, travel, work);
        }
        for &index in &step.attachments {
            attach(plan, &plan.attachments[index], sources, work);
        }
        if step.has_affine {
            let local = work.target[step.joint].affine();
            work.target_affines[step.joint] = match step.parent {
                Some(parent) => work.target_affines[parent].times(&local),
                None => local,
            };
        }
    }
}

/// Source joints in model space.
#[inline(always)]
fn see_source<const N: usize>(program: &Program, sources: &impl Sources<N>, work: &mut Work<N>) {
    let root = PlacedLanes::root();
    for step in &program.source {
        let (before, own) = work.source.split_at_mut(step.joint);
        let above = step.parent.map_or(&root, |parent| &before[parent]);
        if step.is_placed {
            own[0].put_below(above, &sources.local(step.joint));
        } else {
            own[0].rotation = above.rotation * sources.rotation(step.joint);
        }
    }
}

#[inline(always)]
fn turn<const N: usize>(
    plan: &Plan,
    step: &TargetStep,
    sources: &impl Sources<N>,
    work: &mut Work<N>,
) {
    let joint = step.joint;
    match &step.turn {
        Turn::Keep => {}
        Turn::Chain(chain) => {
            let turns = chain.joints.iter().map(|&joint| sources.rotation(joint));
            let product = turns.reduce(|product, turn| product * turn);
            let product = product.unwrap_or(Rotations::splat(Quat::IDENTITY));
            work.target[joint].rotation = product.sandwiched(&chain.matrix);
        }
        Turn::Model(operation) => {
            let model = match operation {
                RotationOp::Model { source, frame } => {
                    work.source[*source].rotation * Rotations::splat(*frame)
                }
                RotationOp::Carried { carrier, frame } => {
                    work.target_rotations[*carrier] * Rotations::splat(*frame)
                }
                RotationOp::Spread {
                    frame, fraction, ..
                } => {
                    if !step.keeps_bend {
                        work.bend = bend(operation, work);
                    }
                    let mut model = Rotations::splat(*frame);
                    for (lane, (first, way)) in work.bend.iter().enumerate() {
                        model.set_lane(lane, *first * exp(*way * *fraction) * *frame);
                    }
                    model
                }
                other => one_by_one(plan, other, work),
            };
            let local = match step.parent {
                Some(parent) => work.target_rotations[parent].conjugate() * model,
                None => Rotations::splat(plan.target_from_source) * model,
            };
            work.target[joint].rotation = local.normalized();
            work.target_rotations[joint] = model;
        }
    }
    match step.seen {
        Seen::Unused | Seen::AsModel => {}
        Seen::Source(source, constant) => {
            work.target_rotations[joint] =
                work.source[source].rotation * Rotations::splat(constant);
        }
        Seen::Still(rotation) => work.target_rotations[joint] = Rotations::splat(rotation),
        Seen::Parent => {
            let local = match step.turn {
                Turn::Keep => Rotations::splat(plan.target.rest[joint].rotation),
                _ => work.target[joint].rotation,
            };
            work.target_rotations[joint] = match step.parent {
                Some(parent) => work.target_rotations[parent] * local,
                None => Rotations::splat(plan.target_from_source.conjugate()) * local,
            };
        }
    }
}

/// Operations with angles in them: lane by lane.
fn one_by_one<const N: usize>(plan: &Plan, operation: &RotationOp, work: &Work<N>) -> Rotations<N> {
    let mut result = Rotations::splat(Quat::IDENTITY);
    for lane in 0..N {
        let source = |joint: usize| work.source[joint].rotation.lane(lane);
        result.set_lane(lane, model_rotation(plan, operation, source));
    }
    result
}

/// What a bend that is spread is made of, lane by lane.
fn bend<const N: usize>(operation: &RotationOp, work: &Work<N>) -> [(Quat, Vec3); N] {
    let RotationOp::Spread {
        first,
        last,
        first_inverse,
        last_inverse,
        ..
    } = *operation
    else {
        return work.bend;
    };
    std::array::from_fn(|lane| {
        let source = |joint: usize| work.source[joint].rotation.lane(lane);
        let low = source(first) * first_inverse;
        (low, log(low.conjugate() * (source(last) * last_inverse)))
    })
}

/// V of an operation that looks at source joints only; the identity for the others.
fn model_rotation(plan: &Plan, operation: &RotationOp, source: impl Fn(usize) -> Quat) -> Quat {
    match *operation {
        RotationOp::Blend { blend } => plan.blends[blend].rotation(source),
        RotationOp::Model {
            source: from,
            frame,
        } => source(from) * frame,
        RotationOp::Rest
        | RotationOp::Spread { .. }
        | RotationOp::Carried { .. }
        | RotationOp::Local { .. } => Quat::IDENTITY,
    }
}

#[inline(always)]
fn place<const N: usize>(plan: &Plan, program: &Program, travel: &TravelOp, work: &mut Work<N>) {
    let from = work.source[travel.source].position;
    let mut place = matrix_times(&travel.linear, from);
    if let Some(legs) = &travel.legs {
        let [left, right] = legs.feet;
        let feet = work.source[left].position + work.source[right].position;
        let feet = matrix_times(&travel.linear, feet);
        for lane in 0..N {
            let own = legs.place(
                place.lane(lane),
                0.5 * feet.lane(lane),
                plan.target_from_source * work.source[travel.source].rotation.lane(lane),
                plan.target_from_source * work.target_rotations[travel.target].lane(lane),
            );
            place.set_lane(lane, own);
        }
    }
    place = place + Vectors::splat(travel.offset);
    let parent = plan.target.parents[travel.target];
    work.target[travel.target].translation = match &program.still_above_travel {
        Some(above) => Affines::splat(above).point(place),
        None => from_model(parent, place, work),
    };
}

/// A place in the axes of a target joint that moves.
fn from_model<const N: usize>(
    parent: Option<usize>,
    place: Vectors<N>,
    work: &Work<N>,
) -> Vectors<N> {
    let Some(parent) = parent else {
        return place;
    };
    let mut result = place;
    for lane in 0..N {
        let above = work.target_affines[parent].lane(lane);
        result.set_lane(lane, local_place(&above, place.lane(lane)));
    }
    result
}

/// Where nodes above the source's hips grow or shrink, the target's hips do.
fn grow<const N: usize>(plan: &Plan, travel: &TravelOp, work: &mut Work<N>) {
    if travel.parent_size <= 1e-12 {
        return;
    }
    let above = plan.source.parents[travel.source];
    let volume = travel.parent_size.powi(3);
    for lane in 0..N {
        let now = above.map_or(1.0, |above| work.source[above].volume(lane));
        let own = &mut work.target[travel.target].scale;
        let grows = (now / volume - 1.0).abs() > 3.0 * GROWTH;
        work.has_grown |= grows;
        let growth = if grows {
            (now / volume).cube_root()
        } else {
            1.0
        };
        own.set_lane(lane, own.lane(lane) * growth);
    }
}

fn attach<const N: usize>(
    plan: &Plan,
    attach: &AttachOp,
    sources: &impl Sources<N>,
    work: &mut Work<N>,
) {
    let parent = plan.target.parents[attach.target];
    for lane in 0..N {
        let translation = |joint: usize| sources.local(joint).translation.lane(lane);
        let share = attach.share(&plan.source, translation);
        if share <= 0.0 {
            continue;
        }
        let place = attached(plan, attach, work, lane);
        let place = match parent {
            Some(parent) => {
                let above = work.target_affines[parent].lane(lane);
                local_place(&above, place)
            }
            None => place,
        };
        let own = &mut work.target[attach.target].translation;
        let place = match share < 1.0 {
            true => own.lane(lane).lerp(place, share),
            false => place,
        };
        own.set_lane(lane, place);
    }
}

/// Where an attached joint is, in model space.
fn attached<const N: usize>(plan: &Plan, attach: &AttachOp, work: &Work<N>, lane: usize) -> Vec3 {
    let carrier = work.target_affines[attach.carrier].translation.lane(lane);
    let offset = attach.source.map_or(attach.offset, |from| {
        let [own, above] =
            [from.joint, from.carrier].map(|joint| work.source[joint].position.lane(lane));
        let turn = work.source[from.carrier].rotation.lane(lane);
        attach.offset + from.linear * (turn.conjugate() * (own - above) - from.offset)
    });
    let turn = plan.target_from_source * work.target_rotations[attach.carrier].lane(lane);
    carrier + turn * offset
}
