//! Many characters in one call, eight at a time.

use super::op::Plan;
use super::program::Program;
use super::stage::{self, Sight, StageState};
use super::transfer_frame::{Work, begin, transfer};
use crate::lanes::{Kernel, WIDTH};
use rebone_model::{LocalPose, Transform};
use std::sync::Arc;

/// What [`apply_poses`] keeps between frames: scratch memory, and what the stages remember of each character.
#[derive(Clone, Debug)]
pub struct Batch {
    program: Arc<Program>,
    work: Work<WIDTH>,
    /// Where the source's joints are of the last eight.
    sight: Sight,
    characters: Vec<StageState>,
}

impl Batch {
    /// A batch of so many characters for a plan.
    pub fn new(plan: &Plan, characters: usize) -> Self {
        Self::sharing(plan, Arc::new(Program::new(plan)), characters)
    }

    pub(super) fn sharing(plan: &Plan, program: Arc<Program>, characters: usize) -> Self {
        Self {
            program,
            work: Work::new(plan),
            sight: stage::sight_of_poses(plan, WIDTH),
            characters: vec![StageState::new(plan); characters],
        }
    }

    /// Number of characters.
    pub fn len(&self) -> usize {
        self.characters.len()
    }

    /// True for no characters.
    pub fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    /// What the stages know of one character: its weights, its point, and the frames before. `None` where there are
    /// not as many characters.
    pub fn character(&mut self, character: usize) -> Option<&mut StageState> {
        self.characters.get_mut(character)
    }
}

/// Retargets one pose of each character. The targets are overwritten in every joint, with the same bits as by
/// [`apply_pose`](super::apply_pose()).
///
/// # Panics
/// Where there are not as many sources and targets as characters in the batch, a pose has fewer joints than the
/// plan, or the batch is that of another plan.
pub fn apply_poses(
    plan: &Plan,
    sources: &[LocalPose],
    targets: &mut [LocalPose],
    batch: &mut Batch,
) {
    assert!(
        sources.len() == batch.len() && targets.len() == batch.len(),
        "one source and one target a character"
    );
    let eights = sources.chunks(WIDTH).zip(targets.chunks_mut(WIDTH));
    for (eight, (from, to)) in eights.enumerate() {
        Eight {
            plan,
            program: &batch.program,
            work: &mut batch.work,
            sight: &mut batch.sight,
            sources: from,
            targets: to,
        }
        .run_widest();
        let characters = batch.characters[eight * WIDTH..].iter_mut();
        for (lane, (to, stages)) in to.iter_mut().zip(characters).enumerate() {
            let pose = to.transforms_mut();
            stage::run_pose(plan, pose, &mut stages.memories, &batch.sight, lane);
        }
    }
}

/// Up to eight characters.
struct Eight<'a> {
    plan: &'a Plan,
    program: &'a Program,
    work: &'a mut Work<WIDTH>,
    sight: &'a mut Sight,
    sources: &'a [LocalPose],
    targets: &'a mut [LocalPose],
}

impl Kernel for Eight<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            plan,
            program,
            work,
            sight,
            sources,
            targets,
        } = self;
        // What is missing of eight goes along and is thrown away.
        let source = |lane: usize| sources[lane.min(sources.len() - 1)].transforms();
        let sources: [&[Transform]; WIDTH] = std::array::from_fn(source);
        for (source, target) in sources.iter().zip(targets.iter_mut()) {
            begin(plan, program, source, target.transforms_mut());
        }
        for &joint in &program.placed_targets {
            for (lane, target) in targets.iter().enumerate() {
                let (from, to) = (&target.transforms()[joint], &mut work.target[joint]);
                to.translation.set_lane(lane, from.translation);
                to.scale.set_lane(lane, from.scale);
            }
        }
        transfer(plan, program, &sources, work);
        if !plan.stages.is_empty() {
            work.show(sight);
        }
        for &joint in &program.turning_outputs {
            let made = work.target[joint].rotation.scattered();
            for (target, made) in targets.iter_mut().zip(made) {
                target.transforms_mut()[joint].rotation = made;
            }
        }
        for &joint in &program.placed_outputs {
            for (lane, target) in targets.iter_mut().enumerate() {
                let to = &mut target.transforms_mut()[joint];
                to.translation = work.target[joint].translation.lane(lane);
                to.scale = work.target[joint].scale.lane(lane);
            }
        }
    }
}
