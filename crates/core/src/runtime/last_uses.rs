//! When the frames of a joint are needed for the last time while a clip is applied, so that their memory
//! can be used again: most of the time of a baked clip is otherwise spent on memory never touched before.

use super::op::{Plan, RotationOp};

/// Source and target joints that are needed no more after each step of the plan's order. A source joint
/// freed too early costs time only; a target joint would be lost.
pub(super) struct LastUses {
    source: Vec<(usize, usize)>,
    target: Vec<(usize, usize)>,
}

impl LastUses {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut source = vec![None; plan.source.len()];
        let mut target = vec![None; plan.target.len()];
        for (step, &joint) in plan.order.iter().enumerate() {
            target[joint] = Some(step);
            let mut carriers = [plan.target.parents[joint], None];
            if let RotationOp::Carried { carrier, .. } = plan.rotations[joint] {
                carriers[1] = Some(carrier);
            }
            for carrier in carriers.into_iter().flatten() {
                target[carrier] = Some(step);
            }
            plan.for_each_source(&plan.rotations[joint], |from| {
                // A joint's frames are made from those of the joints above it.
                let mut at = Some(from);
                while let Some(above) = at {
                    source[above] = Some(step);
                    at = plan.source.parents[above];
                }
            });
        }
        if let Some(travel) = plan.travel {
            // The travel comes after all rotations and needs that of the hips.
            target[travel.target] = None;
        }
        Self {
            source: sorted(&source),
            target: sorted(&target),
        }
    }

    /// Source joints that no step after this one needs.
    pub(super) fn source(&self, step: usize) -> impl Iterator<Item = usize> + '_ {
        of(&self.source, step)
    }

    /// Target joints that no step after this one needs.
    pub(super) fn target(&self, step: usize) -> impl Iterator<Item = usize> + '_ {
        of(&self.target, step)
    }
}

fn sorted(steps: &[Option<usize>]) -> Vec<(usize, usize)> {
    let mut sorted: Vec<(usize, usize)> = steps
        .iter()
        .enumerate()
        .filter_map(|(joint, step)| Some(((*step)?, joint)))
        .collect();
    sorted.sort_unstable();
    sorted
}

fn of(sorted: &[(usize, usize)], step: usize) -> impl Iterator<Item = usize> + '_ {
    let start = sorted.partition_point(|entry| entry.0 < step);
    sorted[start..]
        .iter()
        .take_while(move |entry| entry.0 == step)
        .map(|entry| entry.1)
}
