//! What is known beforehand where a clip is known as a whole: where feet touch the
//! floor, and the path that goes to the root.

use super::op::Plan;
use super::root_path::{self, Paths};
use super::stage::{
    FeetStage, Foot, FootStand, Free, Held, Hold, MOST_LEGS, Placed, StageMemory, StageOp,
    touch_shares,
};
use crate::contact::{ContactMotion, DetectOptions, Interval, detect};
use rebone_model::Clip;
use rebone_model::sampling::sample_joint;
use std::ops::Range;
use std::sync::Arc;

/// What the stages of a plan are told about the frames of a clip.
pub(super) struct Foresight {
    times: Arc<[f32]>,
    pub(super) paths: Paths,
    holds: Holds,
}

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
        }
    }

    /// What some of the stages are told; `made` is the clip before them.
    pub(super) fn look(
        plan: &Plan,
        clip: &Clip,
        times: &Arc<[f32]>,
        stages: Range<usize>,
        made: &Clip,
    ) -> Self {
        let mut known = Self::none(times);
        for index in stages.clone() {
            let stage = &plan.stages[index];
            if let (StageOp::Feet(feet), true) = (&stage.op, stage.weight > 0.0)
                && feet.lock > 0.0
            {
                known
                    .holds
                    .push((index, holds(plan, clip, times, feet, made)));
            }
        }
        root_path::find(plan, clip, stages, made, &mut known);
        known
    }

    /// Tells the stages what is known about a frame.
    pub(super) fn give(&self, frame: usize, memories: &mut [StageMemory]) {
        for memory in memories.iter_mut() {
            memory.given.seconds = self.times.get(frame).copied();
        }
        self.give_holds(frame, memories);
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

/// How the feet of a clip are held: the contacts of the source, and where the target's feet would be.
fn holds(plan: &Plan, clip: &Clip, times: &[f32], stage: &FeetStage, made: &Clip) -> Vec<Held> {
    let motion = ContactMotion::new(&stage.contacts, &plan.source, clip, times);
    let contacts = detect(&stage.contacts, &motion, &DetectOptions::default());
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
    let mut source = plan.source.rest.clone();
    let mut pose = plan.target.rest.clone();
    let mut scratch = vec![Placed::ROOT; stage.source.len() + stage.target.len()];
    for (&time, touches) in times.iter().zip(&touches) {
        for joint in stage.source.joints() {
            source[joint] = sample_joint(&clip.joints[joint], plan.source.rest[joint], time);
        }
        for joint in stage.target.joints() {
            pose[joint] = sample_joint(&made.joints[joint], plan.target.rest[joint], time);
        }
        free.push(stage.free(&source, &pose, *touches, &mut scratch));
    }
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
            };
        }
    }
    let carried = stage.carry(times, &free, &holds);
    let held = holds.into_iter().zip(carried);
    held.map(|(feet, hips)| Held { feet, hips }).collect()
}
