//! What is known beforehand where a clip is known as a whole: where feet touch the
//! floor, when hands hold one thing, and the path that goes to the root.

use super::notes::ClipContacts;
use super::op::Plan;
use super::rig_frames::RigFrames;
use super::root_path::{self, Paths};
use super::stage::{
    FeetStage, Foot, FootStand, Free, GripMotion, Held, Hold, Kinematics, MOST_LEGS, Placed,
    ReachStage, StageMemory, StageOp, touch_shares,
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
}

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
                let contacts = contacts(plan, (clip, source), times, feet);
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
                && let Some(shares) = grips(source, times, reach)
            {
                known.grips.push((index, shares));
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
fn grips(source: &RigFrames<'_>, times: &[f32], stage: &ReachStage) -> Option<Vec<f32>> {
    let rule = stage.grip.filter(|_| stage.arms.len() >= 2)?;
    let mut placed = vec![Placed::ROOT; stage.source.len()];
    let mut motion = GripMotion::default();
    for frame in 0..times.len() {
        let local = |joint: usize| source.joints[joint].at(frame);
        stage.source.place_by(local, &mut placed);
        stage.look_at_grip(&rule, &placed, &mut motion);
    }
    let shares = motion.shares(times);
    shares.iter().any(|share| *share > 0.0).then_some(shares)
}

/// What touches in the source.
fn contacts(
    plan: &Plan,
    (clip, source): (&str, &RigFrames<'_>),
    times: &[f32],
    stage: &FeetStage,
) -> Contacts {
    let motion = ContactMotion::of_frames(&stage.contacts, &plan.source, &source.joints, times);
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
    let mut scratch = vec![Placed::ROOT; stage.source.len() + stage.target.len()];
    for (frame, touches) in touches.iter().enumerate() {
        let (placed_source, placed) = scratch.split_at_mut(stage.source.len());
        let place = |frames: &RigFrames<'_>, of: &Kinematics, placed: &mut [Placed]| {
            of.place_by(|joint| frames.joints[joint].at(frame), placed);
        };
        place(source, &stage.source, placed_source);
        place(made, &stage.target, placed);
        free.push(stage.free(placed_source, placed, *touches));
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
