//! What is known beforehand where a clip is known as a whole: where feet touch the
//! floor, when hands hold one thing, and the path that goes to the root.

use super::notes::{ClipContacts, TurnedJoints};
use super::op::Plan;
use super::rig_frames::RigFrames;
use super::root_path::{self, Paths};
use super::stage::{
    self, ArmTurns, FeetStage, Foot, FootStand, Free, GripMotion, GroundLook, GroundMotion,
    GroundStage, Held, HeldHands, Hold, Kinematics, LawLegs, LegMoves, Placed, ReachStage, Sights,
    StageMemory, StageOp, StageState, faded, floor_levels, touch_shares, without_jumps,
};
use crate::contact::{ContactMotion, Contacts, Interval};
use crate::solve::steady::{Moves, SteadyLimbs, settle, settle_stretches};
use crate::solve::two_bone::Bend;
use glam::Vec3;
use rebone_model::rotation::{exp, log};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// What the stages of a plan are told about the frames of a clip.
pub(super) struct Foresight {
    times: Arc<[f32]>,
    pub(super) paths: Paths,
    holds: Holds,
    /// What touches in the source, where a stage looked for it.
    pub(super) contacts: Option<ClipContacts>,
    grips: Grips,
    lifts: Lifts,
    arms: Arms,
}

/// Of each stage that keeps arms out of the body, by its number, how they turn.
type Arms = Vec<(usize, Vec<Option<ArmTurns>>)>;

/// Of each stage that puts bodies on the floor, by its number, what they do there.
type Lifts = Vec<(usize, GroundMotion)>;

/// Of each stage of hands, by its number, what it is told.
type Grips = Vec<(usize, HandFrames)>;

/// What is known of the hands of a clip.
struct HandFrames {
    /// How much two hands hold on to each other, in each frame.
    held: Vec<f32>,
    /// How much they grip one rigid thing.
    gripped: Vec<f32>,
    /// How much each of them touches something, and stays.
    stay: Vec<[f32; 2]>,
    /// How arms turn that reach for something; nothing where nobody does.
    moves: Vec<Option<Moves>>,
}

/// Of each stage of feet, by its number, what it is told.
type Holds = Vec<(usize, HeldFrames)>;

/// [`Held`] of all frames.
#[derive(Default)]
struct HeldFrames {
    /// Leg by leg.
    feet: Vec<Vec<Hold>>,
    /// Nothing where legs follow the laws.
    hips: Vec<Vec3>,
    /// How hips and legs move; nothing where each frame is found by itself.
    legs: Vec<LegMoves>,
}

impl HeldFrames {
    fn at(&self, frame: usize) -> Option<Held> {
        let mut held = Held {
            hips: self.hips.get(frame).copied().unwrap_or_default(),
            legs: self.legs.get(frame).copied(),
            ..Held::default()
        };
        for (foot, frames) in held.feet.iter_mut().zip(&self.feet) {
            *foot = *frames.get(frame)?;
        }
        Some(held)
    }
}

impl Foresight {
    /// Nothing is known but the time.
    pub(super) fn none(times: &Arc<[f32]>) -> Self {
        Self {
            times: Arc::clone(times),
            paths: Paths::new(),
            holds: Holds::new(),
            contacts: None,
            grips: Grips::new(),
            lifts: Lifts::new(),
            arms: Arms::new(),
        }
    }

    /// What some of the stages are told, from the name of the clip, the source's frames and the target's before these stages.
    pub(super) fn look(
        plan: &Plan,
        (clip, source): (&str, &RigFrames<'_>),
        times: &Arc<[f32]>,
        stages: Range<usize>,
        made: &RigFrames<'_>,
    ) -> Self {
        let mut known = Self::none(times);
        let cuts = source.cuts();
        let apart = &apart(times, &cuts)[..];
        for index in stages.clone() {
            let stage = &plan.stages[index];
            let (StageOp::Feet(feet), true) = (&stage.op, stage.weight > 0.0) else {
                continue;
            };
            if feet.follows_laws() {
                let legs = law_legs(source, apart, feet, made);
                known.holds.push((
                    index,
                    HeldFrames {
                        legs,
                        ..HeldFrames::default()
                    },
                ));
            } else if feet.looks_ahead() {
                let contacts = contacts((clip, source), times, feet);
                let holds = holds(source, (apart, &cuts), feet, (made, &contacts));
                known.holds.push((index, holds));
                known.contacts = Some(ClipContacts {
                    times: Arc::clone(times),
                    contacts,
                });
            }
        }
        for index in stages.clone() {
            let stage = &plan.stages[index];
            if let (StageOp::Reach(reach), true) = (&stage.op, stage.weight > 0.0)
                && reach.looks_ahead()
            {
                let mut hands = grips((clip, source), apart, reach);
                let before = &(stages.start..index);
                let held_at = (&hands.held[..], apart);
                hands.moves = arms(plan, (source, made), reach, held_at, (before, &known));
                known.grips.push((index, hands));
            }
        }
        for index in stages.clone() {
            let stage = &plan.stages[index];
            if let (StageOp::Body(body), true) = (&stage.op, stage.weight > 0.0) {
                let (spheres, mut placed) = (body.spheres(), vec![Placed::ROOT; body.target.len()]);
                let touches = body.touches(apart, |frame| source.placed.view(frame, &body.source));
                let near = (0..times.len()).map(|frame| {
                    let mut hands = known.grips.iter();
                    let is_led = hands.any(|(_, hands)| hands.moves[frame].is_some());
                    made.placed.read(frame, &body.target, &mut placed);
                    is_led
                        || touches.is_any(frame)
                        || spheres.touch(&placed, touches.is_drawn_up(frame))
                });
                let is_near: Vec<bool> = near.collect();
                let before = &(stages.start..index);
                let asked = (&body.target, |frame: usize| is_near[frame]);
                let looks = placed_before(plan, (source, made), (before, &known), asked);
                let hands = known.held_hands(plan);
                let turns = body.outside(apart, &looks, &spheres, (hands, &touches));
                known.arms.push((index, turns));
            }
        }
        for index in stages.clone() {
            let stage = &plan.stages[index];
            if let (StageOp::Ground(ground), true) = (&stage.op, stage.weight > 0.0) {
                let before = &(stages.start..index);
                let looks = looks(plan, (source, made), ground, (before, &known));
                let lifts = looks.map(|looks| ground.lifts(apart, looks));
                known.lifts.push((index, lifts.unwrap_or_default()));
            }
        }
        root_path::find(plan, source, stages, made, &mut known);
        known
    }

    /// What the hands do that reach for each other or for something, as far as it counts.
    fn held_hands(&self, plan: &Plan) -> Option<HeldHands> {
        let (index, hands) = self.grips.first()?;
        let stage = &plan.stages[*index];
        let StageOp::Reach(reach) = &stage.op else {
            return None;
        };
        let weight = stage.weight;
        let weighted = |shares: &[f32]| shares.iter().map(|share| weight * share).collect();
        let stay = hands.stay.iter();
        Some(HeldHands {
            held: weighted(&hands.held),
            gripped: weighted(&hands.gripped),
            stay: stay.map(|stay| stay.map(|stay| weight * stay)).collect(),
            palms: reach.palms()?,
        })
    }

    /// Tells the stages what is known about a frame.
    pub(super) fn give(&self, frame: usize, memories: &mut [StageMemory]) {
        for memory in memories.iter_mut() {
            memory.given.seconds = self.times.get(frame).copied();
        }
        self.give_holds(frame, memories);
        for (index, hands) in &self.grips {
            if let Some(memory) = memories.get_mut(*index) {
                memory.given.held = hands.held.get(frame).copied();
                memory.given.arms = hands.moves.get(frame).copied().flatten();
            }
        }
        for (index, ground) in &self.lifts {
            if let Some(memory) = memories.get_mut(*index) {
                // Where there is nothing to lift, that is known too.
                memory.given.lift = Some(ground.lifts.get(frame).copied().unwrap_or_default());
                memory.given.arms = ground.arms.get(frame).copied().flatten();
            }
        }
        for (index, turns) in &self.arms {
            if let Some(memory) = memories.get_mut(*index) {
                memory.given.turns = turns.get(frame).copied().flatten();
            }
        }
        for (index, path) in &self.paths {
            if let Some(memory) = memories.get_mut(*index) {
                memory.given.place = path.get(frame).copied();
            }
        }
    }

    fn give_holds(&self, frame: usize, memories: &mut [StageMemory]) {
        for (index, holds) in &self.holds {
            if let Some(memory) = memories.get_mut(*index) {
                memory.given.holds = holds.at(frame);
            }
        }
    }

    /// How joints turn so that arms leave the body, and bodies rest on the floor.
    pub(super) fn turned_joints(&self, plan: &Plan) -> Option<TurnedJoints> {
        let mut joints: BTreeMap<usize, Vec<Vec3>> = BTreeMap::new();
        // Bodies are put on the floor behind.
        let mut add = |index: usize, joint: usize, turns: &mut dyn Iterator<Item = Vec3>| {
            let weight = plan.stages[index].weight;
            let all = joints.entry(joint);
            let all = all.or_insert_with(|| vec![Vec3::ZERO; self.times.len()]);
            for (all, turn) in all.iter_mut().zip(turns) {
                *all = log(exp(weight * turn) * exp(*all));
            }
        };
        for (index, frames) in &self.arms {
            let StageOp::Body(stage) = &plan.stages[*index].op else {
                continue;
            };
            for (number, joint) in stage.turning().enumerate() {
                let turns = frames.iter();
                let mut turns = turns.map(|turns| turns.map_or(Vec3::ZERO, |turns| turns[number]));
                add(*index, joint, &mut turns);
            }
        }
        for (index, ground) in &self.lifts {
            for (joint, turns) in &ground.turned {
                add(*index, *joint, &mut turns.iter().copied());
            }
        }
        joints.retain(|_, turns| turns.iter().any(|turn| *turn != Vec3::ZERO));
        (!joints.is_empty()).then(|| TurnedJoints {
            times: Arc::clone(&self.times),
            joints: joints.into_iter().collect(),
        })
    }

    pub(super) fn times(&self) -> &Arc<[f32]> {
        &self.times
    }
}

/// Seconds that are added to the times at each jump: smoothers break there, and no fade reaches across.
const APART: f32 = 10.0;

/// The times of the frames, with [`APART`] added from each of these frames on.
fn apart(times: &[f32], cuts: &[usize]) -> Vec<f32> {
    let frames = times.iter().enumerate();
    let late = |frame: usize| cuts.partition_point(|cut| *cut <= frame) as f32 * APART;
    frames.map(|(frame, time)| time + late(frame)).collect()
}

/// What the hands of a clip do; how arms then turn is not known yet.
fn grips((clip, source): (&str, &RigFrames<'_>), times: &[f32], stage: &ReachStage) -> HandFrames {
    let view = |frame: usize| source.placed.view(frame, &stage.source);
    let fade = |shares: &[f32]| {
        let is_any = shares.iter().any(|share| *share > 0.0);
        if is_any {
            faded(times, shares)
        } else {
            shares.to_vec()
        }
    };
    let frames = 0..times.len();
    let touches = [0, 1].map(|arm| {
        let touches = frames.clone().map(|frame| stage.touches(&view(frame), arm));
        fade(&touches.collect::<Vec<f32>>())
    });
    let mut hands = HandFrames {
        held: vec![0.0; times.len()],
        gripped: vec![0.0; times.len()],
        stay: frames
            .map(|frame| touches.each_ref().map(|own| own[frame]))
            .collect(),
        moves: Vec::new(),
    };
    if !stage.can_hold() {
        return hands;
    }
    let mut shares = vec![0.0; times.len()];
    let mut motion = GripMotion::default();
    if let Some(rule) = &stage.grip {
        for frame in 0..times.len() {
            stage.look_at_grip(rule, &view(frame), &mut motion);
        }
        shares = motion.shares(times, clip);
    }
    let mut gripped = shares.clone();
    for (frame, share) in shares.iter_mut().enumerate() {
        *share = share.max(stage.held(&view(frame)));
    }
    // Hands that shall hold at any distance hold one thing.
    if stage.holds_at_any_distance() {
        gripped.clone_from(&shares);
    }
    hands.held = fade(&shares);
    hands.gripped = fade(&gripped);
    hands
}

/// How the arms of a clip turn that reach for something: in each stretch of frames in which they do by itself. The stages before run
/// first.
fn arms(
    plan: &Plan,
    (source, made): (&RigFrames<'_>, &RigFrames<'_>),
    stage: &ReachStage,
    (held, times): (&[f32], &[f32]),
    (before, known): (&Range<usize>, &Foresight),
) -> Vec<Option<Moves>> {
    let view = |frame: usize| source.placed.view(frame, &stage.source);
    let is_asked = |frame: usize| stage.is_asked(held[frame], &view(frame));
    let placed = placed_before(
        plan,
        (source, made),
        (before, known),
        (&stage.target, is_asked),
    );
    let limbs = placed.iter().enumerate().map(|(frame, placed)| {
        let placed = placed.as_ref()?;
        stage.steady(view(frame), placed, held[frame])
    });
    settle_stretches(times, limbs)
}

/// Where the joints of the target are for a stage, in the frames of a clip in which it asks. The stages before it run first.
fn placed_before(
    plan: &Plan,
    (source, made): (&RigFrames<'_>, &RigFrames<'_>),
    (before, known): (&Range<usize>, &Foresight),
    (joints, is_asked): (&Kinematics, impl Fn(usize) -> bool),
) -> Vec<Option<Vec<Placed>>> {
    let mut result = vec![None; known.times.len()];
    if !(0..result.len()).any(&is_asked) {
        return result;
    }
    let mut memories = StageState::new(plan).memories;
    let all: Vec<usize> = (0..plan.target.len()).collect();
    let mut poses = made.poses(&all);
    for (frame, result) in result.iter_mut().enumerate() {
        if !is_asked(frame) {
            continue;
        }
        known.give(frame, &mut memories);
        let pose = poses.go_to(frame);
        let sights = Sights {
            source: (&source.placed.sight, frame),
            target: Some((&made.placed, frame)),
        };
        let state = (&mut memories[before.clone()], sights);
        stage::run(plan, &plan.stages[before.clone()], pose, state);
        let mut placed = vec![Placed::ROOT; joints.len()];
        joints.place(pose, &mut placed);
        *result = Some(placed);
    }
    result
}

/// What a stage that puts bodies on the floor sees of a clip; `None` where nobody is low. The stages before it run first.
fn looks<'a>(
    plan: &Plan,
    (source, made): (&'a RigFrames<'_>, &RigFrames<'_>),
    stage: &'a GroundStage,
    (before, known): (&Range<usize>, &Foresight),
) -> Option<Vec<GroundLook<'a>>> {
    let view = |frame: usize| source.placed.view(frame, &stage.source);
    let mut frames = 0..known.times.len();
    let is_any = frames.any(|frame| !stage.is_upright(&view(frame)));
    if !is_any {
        return None;
    }
    // Whoever goes down or gets up comes from standing, and goes there.
    let all = placed_before(
        plan,
        (source, made),
        (before, known),
        (&stage.target, |_| true),
    );
    let look = |(frame, target): (usize, Option<Vec<Placed>>)| GroundLook {
        source: view(frame),
        target: target.unwrap_or_default(),
    };
    Some(all.into_iter().enumerate().map(look).collect())
}

/// What touches in the source.
fn contacts((clip, source): (&str, &RigFrames<'_>), times: &[f32], stage: &FeetStage) -> Contacts {
    let motion = ContactMotion::of_placed(&stage.contacts, &source.placed, times);
    stage.rules.find(&stage.contacts, &motion, clip)
}

/// How the legs of a clip follow the motion laws.
fn law_legs(
    source: &RigFrames<'_>,
    times: &[f32],
    stage: &FeetStage,
    made: &RigFrames<'_>,
) -> Vec<LegMoves> {
    let mut placed = vec![Placed::ROOT; stage.target.len()];
    let by_law = |frame: usize| {
        made.placed.read(frame, &stage.target, &mut placed);
        stage.by_law(source.placed.view(frame, &stage.source), &placed)
    };
    let frames: Vec<LawLegs> = (0..times.len()).map(by_law).collect();
    without_jumps(times, &frames)
}

/// How the feet of a clip are held: the contacts of the source, and where the target's feet would be.
fn holds(
    source: &RigFrames<'_>,
    (times, cuts): (&[f32], &[usize]),
    stage: &FeetStage,
    (made, contacts): (&RigFrames<'_>, &Contacts),
) -> HeldFrames {
    let stands = |point: Option<usize>| -> Vec<FootStand> {
        let intervals = point.and_then(|point| contacts.points.get(point));
        let stands = |interval: &Interval| {
            let height = (interval.height - contacts.ground) * stage.rise;
            let inside = |cut: &&usize| (interval.first + 1..=interval.last).contains(*cut);
            let firsts = cuts.iter().filter(inside).copied();
            let ends = firsts.clone().map(|first| first - 1).chain([interval.last]);
            let firsts = std::iter::once(interval.first).chain(firsts);
            let stand = |(first, last)| FootStand {
                first,
                last,
                height,
            };
            firsts.zip(ends).map(stand).collect::<Vec<_>>()
        };
        intervals.map_or_else(Vec::new, |found| found.iter().flat_map(stands).collect())
    };
    let feet: Vec<[Vec<FootStand>; 2]> = stage
        .legs
        .iter()
        .map(|leg| [stands(leg.heel_point), stands(leg.ball_point)])
        .collect();
    let touches: Vec<Vec<f32>> = feet
        .iter()
        .map(|[heel, ball]| touch_shares(times, heel, ball))
        .collect();
    let levels: Vec<Vec<f32>> = feet
        .iter()
        .map(|[heel, ball]| floor_levels(times, heel, ball))
        .collect();
    let mut free: Vec<Vec<Free>> = vec![Vec::with_capacity(times.len()); feet.len()];
    let mut placed = vec![Placed::ROOT; stage.target.len()];
    for frame in 0..times.len() {
        let view = source.placed.view(frame, &stage.source);
        made.placed.read(frame, &stage.target, &mut placed);
        let now = |all: &[Vec<f32>]| {
            std::array::from_fn(|leg| all.get(leg).map_or(0.0, |frames| frames[frame]))
        };
        let all = stage.free(view, &placed, (now(&touches), now(&levels)));
        for (free, own) in free.iter_mut().zip(all) {
            free.push(own);
        }
    }
    stage.roll(times, &touches, &mut free);
    let drift = stage.contacts.canonical_from_file.conjugate() * contacts.drift;
    let mut holds: Vec<Vec<Hold>> = Vec::with_capacity(feet.len());
    for (index, leg) in stage.legs.iter().enumerate() {
        let foot = Foot {
            times,
            free: &free[index],
            heel: &feet[index][0],
            ball: &feet[index][1],
            up: stage.up,
            floor: stage.floor,
            ball_height: leg.toes_height,
            leg: leg.length,
            drift: stage.linear * drift,
        };
        let mut made = foot.holds();
        let frames = touches[index].iter().zip(&free[index]);
        for (hold, (touches, free)) in made.iter_mut().zip(frames) {
            let lock = stage.lock * free.there;
            hold.ball = *touches;
            hold.offset *= lock;
            hold.hold *= lock;
        }
        holds.push(made);
    }
    let hips = stage.carry(times, &free, &holds);
    let mut held = HeldFrames {
        feet: holds,
        hips,
        legs: Vec::new(),
    };
    if stage.bend == Bend::Steady {
        let limbs = |frame: usize| {
            let known = held.at(frame).unwrap_or_default();
            made.placed.read(frame, &stage.target, &mut placed);
            let view = source.placed.view(frame, &stage.source);
            stage.steady(view, &placed, (&known.feet, known.hips))
        };
        let (limbs, shifts): (Vec<SteadyLimbs>, Vec<Vec3>) = (0..times.len()).map(limbs).unzip();
        let moves = settle(times, &limbs);
        let all = limbs.iter().zip(&moves).zip(&shifts);
        let legs = all.map(|((limbs, moves), shift)| LegMoves::new(limbs, moves, *shift));
        held.legs = legs.collect();
    }
    held
}
