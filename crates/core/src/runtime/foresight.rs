//! What is known beforehand where a clip is known as a whole: where feet touch the
//! floor, when hands hold one thing, and the path that goes to the root.

use super::notes::ClipContacts;
use super::op::Plan;
use super::rig_frames::RigFrames;
use super::root_path::{self, Paths};
use super::stage::{
    self, FeetStage, Foot, FootStand, Free, GripMotion, GroundLook, GroundStage, Held, Hold, Lift,
    MOST_LEGS, Placed, ReachStage, Sights, StageMemory, StageOp, StageState, touch_shares,
};
use crate::contact::{ContactMotion, Contacts, Interval};
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
}

/// Of each stage that puts bodies on the floor, by its number, how far they go up in each frame.
type Lifts = Vec<(usize, Vec<Lift>)>;

/// Of each stage of hands, by its number, how much hands hold one thing in each frame.
type Grips = Vec<(usize, Vec<f32>)>;

/// Of each stage of feet, by its number, what it is told about each frame.
type Holds = Vec<(usize, Vec<Held>)>;

impl Foresight {
    /// True where a stage of the plan looks ahead.
    pub(super) fn is_asked(plan: &Plan) -> bool {
        plan.stages.iter().any(|stage| {
            stage.weight > 0.0
                && match &stage.op {
                    StageOp::RootMotion(_) => true,
                    StageOp::Feet(feet) => feet.lock > 0.0,
                    StageOp::Reach(reach) => reach.grip.is_some(),
                    StageOp::Ground(_) => true,
                    _ => false,
                }
        })
    }

    /// Nothing is known but the time.
    pub(super) fn none(times: &Arc<[f32]>) -> Self {
        Self {
            times: Arc::clone(times),
            paths: Paths::new(),
            holds: Holds::new(),
            contacts: None,
            grips: Grips::new(),
            lifts: Lifts::new(),
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
        for index in stages.clone() {
            let stage = &plan.stages[index];
            if let (StageOp::Feet(feet), true) = (&stage.op, stage.weight > 0.0)
                && feet.lock > 0.0
            {
                let contacts = contacts((clip, source), times, feet);
                let holds = holds(source, times, feet, (made, &contacts));
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
                && let Some(shares) = grips((clip, source), times, reach)
            {
                known.grips.push((index, shares));
            }
        }
        for index in stages.clone() {
            let stage = &plan.stages[index];
            if let (StageOp::Ground(ground), true) = (&stage.op, stage.weight > 0.0) {
                let before = &(stages.start..index);
                let looks = looks(plan, (source, made), ground, (before, &known));
                let lifts = looks.map(|looks| ground.lifts(times, &looks));
                known.lifts.push((index, lifts.unwrap_or_default()));
            }
        }
        root_path::find(plan, source, stages, made, &mut known);
        known
    }

    /// Tells the stages what is known about a frame.
    pub(super) fn give(&self, frame: usize, memories: &mut [StageMemory]) {
        for memory in memories.iter_mut() {
            memory.given.seconds = self.times.get(frame).copied();
        }
        self.give_holds(frame, memories);
        for (index, shares) in &self.grips {
            if let Some(memory) = memories.get_mut(*index) {
                memory.given.grip = shares.get(frame).copied();
            }
        }
        for (index, lifts) in &self.lifts {
            if let Some(memory) = memories.get_mut(*index) {
                // Where there is nothing to lift, that is known too.
                memory.given.lift = Some(lifts.get(frame).copied().unwrap_or_default());
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
                memory.given.holds = holds.get(frame).copied();
            }
        }
    }

    pub(super) fn times(&self) -> &Arc<[f32]> {
        &self.times
    }
}

/// How much the hands of a clip hold one rigid thing, frame by frame; `None` where they never do.
fn grips(
    (clip, source): (&str, &RigFrames<'_>),
    times: &[f32],
    stage: &ReachStage,
) -> Option<Vec<f32>> {
    let rule = stage.grip.filter(|_| stage.arms.len() >= 2)?;
    let mut motion = GripMotion::default();
    for frame in 0..times.len() {
        let view = source.placed.view(frame, &stage.source);
        stage.look_at_grip(&rule, &view, &mut motion);
    }
    let shares = motion.shares(times, clip);
    shares.iter().any(|share| *share > 0.0).then_some(shares)
}

/// What a stage that puts bodies on the floor sees of a clip; `None` where nobody is low. The stages before it run first.
fn looks<'a>(
    plan: &Plan,
    (source, made): (&'a RigFrames<'_>, &RigFrames<'_>),
    stage: &'a GroundStage,
    (before, known): (&Range<usize>, &Foresight),
) -> Option<Vec<GroundLook<'a>>> {
    let frames = 0..known.times.len();
    let view = |frame: usize| source.placed.view(frame, &stage.source);
    if frames.clone().all(|frame| stage.is_upright(&view(frame))) {
        return None;
    }
    let look = |frame: usize| GroundLook {
        source: view(frame),
        target: None,
    };
    let mut looks: Vec<GroundLook<'a>> = frames.map(look).collect();
    let mut memories = StageState::new(plan).memories;
    let mut pose = made.pose();
    let all: Vec<usize> = (0..pose.len()).collect();
    let mut placed = vec![Placed::ROOT; stage.target.len()];
    for (frame, look) in looks.iter_mut().enumerate() {
        if stage.is_upright(&look.source) {
            continue;
        }
        known.give(frame, &mut memories);
        made.fill(frame, &all, &mut pose);
        let sights = Sights {
            source: (&source.placed, frame),
            target: Some((&made.placed, frame)),
        };
        let state = (&mut memories[before.clone()], sights);
        stage::run(plan, &plan.stages[before.clone()], &mut pose, state);
        stage.target.place(&pose, &mut placed);
        look.target = Some(placed.clone());
    }
    Some(looks)
}

/// What touches in the source.
fn contacts((clip, source): (&str, &RigFrames<'_>), times: &[f32], stage: &FeetStage) -> Contacts {
    let motion = ContactMotion::of_placed(&stage.contacts, &source.placed, times);
    stage.rules.find(&stage.contacts, &motion, clip)
}

/// How the feet of a clip are held: the contacts of the source, and where the target's feet would be.
fn holds(
    source: &RigFrames<'_>,
    times: &[f32],
    stage: &FeetStage,
    (made, contacts): (&RigFrames<'_>, &Contacts),
) -> Vec<Held> {
    let stands = |point: Option<usize>| -> Vec<FootStand> {
        let intervals = point.and_then(|point| contacts.points.get(point));
        let stand = |interval: &Interval| FootStand {
            first: interval.first,
            last: interval.last,
            height: (interval.height - contacts.ground) * stage.rise,
        };
        intervals.map_or_else(Vec::new, |found| found.iter().map(stand).collect())
    };
    let feet: Vec<[Vec<FootStand>; 2]> = stage
        .legs
        .iter()
        .map(|leg| [stands(leg.heel_point), stands(leg.ball_point)])
        .collect();
    let mut touches = vec![[0.0; MOST_LEGS]; times.len()];
    for (leg, [heel, ball]) in feet.iter().enumerate() {
        for (all, own) in touches.iter_mut().zip(touch_shares(times, heel, ball)) {
            all[leg] = own;
        }
    }
    let mut free = Vec::with_capacity(times.len());
    let mut placed = vec![Placed::ROOT; stage.target.len()];
    for (frame, touches) in touches.iter().enumerate() {
        let view = source.placed.view(frame, &stage.source);
        made.placed.read(frame, &stage.target, &mut placed);
        free.push(stage.free(view, &placed, *touches));
    }
    stage.roll(times, &touches, &mut free);
    let drift = stage.contacts.canonical_from_file.conjugate() * contacts.drift;
    let mut holds = vec![[Hold::default(); MOST_LEGS]; times.len()];
    for (index, leg) in stage.legs.iter().enumerate() {
        let own: Vec<Free> = free.iter().map(|free| free[index]).collect();
        let foot = Foot {
            times,
            free: &own,
            heel: &feet[index][0],
            ball: &feet[index][1],
            up: stage.up,
            floor: stage.floor,
            ball_height: leg.toes_height,
            leg: leg.length,
            drift: stage.linear * drift,
        };
        let made = foot.holds();
        for ((holds, own), touches) in holds.iter_mut().zip(made).zip(&touches) {
            holds[index] = Hold {
                ball: touches[index],
                offset: own.offset * stage.lock,
                hold: own.hold * stage.lock,
                below: own.below,
                shares: own.shares,
            };
        }
    }
    let carried = stage.carry(times, &free, &holds);
    let held = holds.into_iter().zip(carried);
    held.map(|(feet, hips)| Held { feet, hips }).collect()
}
