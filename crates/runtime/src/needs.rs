//! What of a plan has to be known in model space, and by whom.

use super::op::{Plan, RotationOp};
use super::program::Seen;
use super::turns::{Follows, Turn};

/// What has to be known in model space.
pub(super) struct Needs {
    pub(super) source_rotation: Vec<bool>,
    /// Where it is, and how it is turned.
    pub(super) source_place: Vec<bool>,
    pub(super) target_rotation: Vec<bool>,
    pub(super) target_affine: Vec<bool>,
}

impl Needs {
    pub(super) fn new(plan: &Plan) -> Self {
        let (source, target) = (
            vec![false; plan.source.len()],
            vec![false; plan.target.len()],
        );
        Self {
            source_rotation: source.clone(),
            source_place: source,
            target_rotation: target.clone(),
            target_affine: target,
        }
    }

    /// Fills in what the operations ask for, and what that asks for in turn.
    pub(super) fn ask(&mut self, plan: &Plan, turns: &[Turn], follows: &[Follows]) {
        self.ask_for_travel(plan);
        let stages = plan.stages.iter();
        for look in stages.filter_map(|stage| stage.op.operation().kinematics()) {
            let [of_source, _] = look;
            for joint in of_source.joints() {
                self.source_place[joint] = true;
            }
        }
        self.ask_for_attachments(plan);
        self.ask_for_turns(plan, turns);
        self.ask_above(plan, turns, follows);
    }

    fn ask_for_travel(&mut self, plan: &Plan) {
        let Some(travel) = &plan.travel else {
            return;
        };
        self.source_place[travel.source] = true;
        if let Some(above) = plan.source.parents[travel.source] {
            self.source_place[above] = true;
        }
        if let Some(above) = plan.target.parents[travel.target] {
            self.target_affine[above] = true;
        }
        if let Some(legs) = &travel.legs {
            self.source_place[legs.feet[0]] = true;
            self.source_place[legs.feet[1]] = true;
            self.source_rotation[travel.source] = true;
            self.target_rotation[travel.target] = true;
        }
    }

    fn ask_for_attachments(&mut self, plan: &Plan) {
        for attach in &plan.attachments {
            self.target_affine[attach.carrier] = true;
            self.target_rotation[attach.carrier] = true;
            if let Some(above) = plan.target.parents[attach.target] {
                self.target_affine[above] = true;
            }
            if let Some(from) = &attach.source {
                self.source_place[from.joint] = true;
                self.source_place[from.carrier] = true;
                self.source_rotation[from.carrier] = true;
            }
        }
    }

    fn ask_for_turns(&mut self, plan: &Plan, turns: &[Turn]) {
        for (joint, turn) in turns.iter().enumerate() {
            let Turn::Model(operation) = turn else {
                continue;
            };
            if let Some(parent) = plan.target.parents[joint] {
                self.target_rotation[parent] = true;
            }
            if let RotationOp::Carried { carrier, .. } = operation {
                self.target_rotation[*carrier] = true;
            }
            plan.for_each_source(operation, |source| self.source_rotation[source] = true);
        }
    }

    /// Fills in what the joints that are known by now ask of those above them.
    fn ask_above(&mut self, plan: &Plan, turns: &[Turn], follows: &[Follows]) {
        for &joint in plan.order.iter().rev() {
            if self.target_affine[joint]
                && let Some(parent) = plan.target.parents[joint]
            {
                self.target_affine[parent] = true;
            }
            match self.seen(joint, turns, follows) {
                Seen::Parent => {
                    if let Some(parent) = plan.target.parents[joint] {
                        self.target_rotation[parent] = true;
                    }
                }
                Seen::Source(source, _) => self.source_rotation[source] = true,
                Seen::Unused | Seen::AsModel | Seen::Still(_) => {}
            }
        }
        for joint in (0..plan.source.len()).rev() {
            let Some(parent) = plan.source.parents[joint] else {
                continue;
            };
            self.source_rotation[parent] |= self.source_rotation[joint];
            self.source_place[parent] |= self.source_place[joint];
        }
    }

    pub(super) fn seen(&self, joint: usize, turns: &[Turn], follows: &[Follows]) -> Seen {
        if !self.target_rotation[joint] {
            return Seen::Unused;
        }
        match (&turns[joint], follows[joint]) {
            (Turn::Model(_), _) => Seen::AsModel,
            (_, Follows::Source(source, constant)) => Seen::Source(source, constant),
            (_, Follows::Still(rotation)) => Seen::Still(rotation),
            (_, Follows::Free) => Seen::Parent,
        }
    }
}
