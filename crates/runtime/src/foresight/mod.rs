//! What is known beforehand where a clip is known as a whole: where feet touch the
//! floor, when hands hold one thing, and the path that goes to the root.

mod feet;
mod hands;

use super::notes::{ClipContacts, TurnedJoints};
use super::op::Plan;
use super::rig_frames::RigFrames;
use super::root_path::Paths;
use super::stage::{
    self, ArmTurns, BodyStage, FeetStage, GroundLook, GroundMotion, GroundStage, HeldHands,
    Kinematics, MOST_TIPS, Placed, ReachStage, RootMotionStage, RootPlace, Sights, StageMemory,
    StageOp, StageState,
};
use crate::solve::steady::{Moves, settle_stretches};
use feet::HeldFrames;
use glam::Vec3;
use hands::HandFrames;
use rebone_model::Transform;
use rebone_model::rotation::{exp, log};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A clip at its frames, on its way through some of the stages of a plan.
pub(super) struct ClipFrames<'a> {
    pub(super) plan: &'a Plan,
    /// Name of the clip.
    pub(super) name: &'a str,
    pub(super) times: &'a Arc<[f32]>,
    pub(super) source: &'a RigFrames<'a>,
    /// The target before these stages.
    pub(super) made: &'a RigFrames<'a>,
    pub(super) stages: Range<usize>,
}

/// A clip with the frames in which it jumps.
struct Looking<'a> {
    clip: ClipFrames<'a>,
    /// The frames in which the source jumps.
    cuts: Vec<usize>,
    /// The times of the frames, with [`APART`] added from each jump on.
    apart: Vec<f32>,
}

/// Seconds that are added to the times at each jump: smoothers break there, and no fade reaches across.
const APART: f32 = 10.0;

impl<'a> Looking<'a> {
    fn new(clip: ClipFrames<'a>) -> Self {
        let cuts = clip.source.cuts();
        let frames = clip.times.iter().enumerate();
        let late = |frame: usize| cuts.partition_point(|cut| *cut <= frame) as f32 * APART;
        let apart = frames.map(|(frame, time)| time + late(frame)).collect();
        Self { clip, cuts, apart }
    }

    fn frames(&self) -> Range<usize> {
        0..self.clip.times.len()
    }

    /// The stages that count, each with its number.
    fn stages(&self) -> impl Iterator<Item = (usize, &'a StageOp)> + use<'a> {
        let plan = self.clip.plan;
        let stages = self
            .clip
            .stages
            .clone()
            .map(|index| (index, &plan.stages[index]));
        stages
            .filter(|(_, stage)| stage.weight > 0.0)
            .map(|(index, stage)| (index, &stage.op))
    }
}

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
    tips: TipTurns,
}

/// Of each stage that turns tips, by its number, how far each turns.
type TipTurns = Vec<(usize, Vec<[f32; MOST_TIPS]>)>;

/// Of each stage that keeps arms out of the body, by its number, how they turn.
type Arms = Vec<(usize, Vec<Option<ArmTurns>>)>;

/// Of each stage that puts bodies on the floor, by its number, what they do there.
type Lifts = Vec<(usize, GroundMotion)>;

/// Of each stage of hands, by its number, what it is told.
type Grips = Vec<(usize, HandFrames)>;

/// Of each stage of feet, by its number, what it is told.
type Holds = Vec<(usize, HeldFrames)>;

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
            tips: TipTurns::new(),
        }
    }

    /// What the stages are told of a clip.
    pub(super) fn look(clip: ClipFrames<'_>) -> Self {
        let mut known = Self::none(clip.times);
        let looking = Looking::new(clip);
        for (index, stage) in looking.stages() {
            if let StageOp::Feet(feet) = stage {
                known.look_at_feet(&looking, index, feet);
            }
        }
        for (index, stage) in looking.stages() {
            if let StageOp::Reach(reach) = stage
                && reach.looks_ahead()
            {
                let mut hands = HandFrames::find(&looking, reach);
                hands.moves = known.arms_that_reach(&looking, index, reach, &hands.held);
                known.grips.push((index, hands));
            }
        }
        for (index, stage) in looking.stages() {
            if let StageOp::Body(body) = stage {
                let turns = known.arms_out_of_body(&looking, index, body);
                known.arms.push((index, turns));
            }
        }
        for (index, stage) in looking.stages() {
            if let StageOp::Ground(ground) = stage {
                let looks = known.looks_at_ground(&looking, index, ground);
                let lifts = looks.map(|looks| ground.lifts(&looking.apart, looks));
                known.lifts.push((index, lifts.unwrap_or_default()));
            }
        }
        for (index, stage) in looking.stages() {
            if let StageOp::Tips(tips) = stage {
                let placed = known.placed_before(&looking, index, &tips.target, |_| true);
                known
                    .tips
                    .push((index, tips.turns(&looking.apart, &placed)));
            }
        }
        for (index, stage) in looking.stages() {
            if let StageOp::RootMotion(root) = stage
                && !looking.frames().is_empty()
            {
                let path = known.root_path(&looking, index, root);
                known.paths.push((index, path));
            }
        }
        known
    }

    /// How the feet follow the motion laws, or stand where the source's stand.
    fn look_at_feet(&mut self, looking: &Looking<'_>, index: usize, feet: &FeetStage) {
        if feet.follows_laws() {
            let held = HeldFrames::by_laws(looking, feet);
            self.holds.push((index, held));
        } else if feet.looks_ahead() {
            let contacts = feet::contacts(looking, feet);
            let held = HeldFrames::of_contacts(looking, feet, &contacts);
            self.holds.push((index, held));
            self.contacts = Some(ClipContacts {
                times: Arc::clone(&self.times),
                contacts,
            });
        }
    }

    /// How arms turn that reach for something: in each stretch of frames in which they do by itself.
    fn arms_that_reach(
        &self,
        looking: &Looking<'_>,
        index: usize,
        stage: &ReachStage,
        held: &[f32],
    ) -> Vec<Option<Moves>> {
        let view = |frame: usize| looking.clip.source.placed.view(frame, &stage.source);
        let is_asked = |frame: usize| stage.is_asked(held[frame], &view(frame));
        let placed = self.placed_before(looking, index, &stage.target, is_asked);
        let limbs = placed.iter().enumerate().map(|(frame, placed)| {
            let placed = placed.as_ref()?;
            stage.steady(view(frame), placed, held[frame])
        });
        settle_stretches(&looking.apart, limbs)
    }

    /// How arms turn that would be in the body, or that touch it.
    fn arms_out_of_body(
        &self,
        looking: &Looking<'_>,
        index: usize,
        body: &BodyStage,
    ) -> Vec<Option<ArmTurns>> {
        let (source, made) = (looking.clip.source, looking.clip.made);
        let (spheres, mut placed) = (body.spheres(), vec![Placed::ROOT; body.target.len()]);
        let view = |frame: usize| source.placed.view(frame, &body.source);
        let touches = body.touches(&looking.apart, view);
        let near = looking.frames().map(|frame| {
            let mut hands = self.grips.iter();
            let is_led = hands.any(|(_, hands)| hands.moves[frame].is_some());
            made.placed.read(frame, &body.target, &mut placed);
            is_led || touches.is_any(frame) || spheres.touch(&placed, touches.is_drawn_up(frame))
        });
        let is_near: Vec<bool> = near.collect();
        let looks = self.placed_before(looking, index, &body.target, |frame| is_near[frame]);
        let hands = self.held_hands(looking.clip.plan);
        body.outside(&looking.apart, &looks, &spheres, hands, &touches)
    }

    /// What the stage that puts bodies on the floor reads of each frame; `None` for a clip in which nobody lies, sits, kneels or crawls.
    fn looks_at_ground<'a>(
        &self,
        looking: &Looking<'a>,
        index: usize,
        stage: &'a GroundStage,
    ) -> Option<Vec<GroundLook<'a>>> {
        let source = looking.clip.source;
        let view = |frame: usize| source.placed.view(frame, &stage.source);
        let is_any = looking
            .frames()
            .any(|frame| !stage.is_upright(&view(frame)));
        if !is_any {
            return None;
        }
        // Whoever goes down or gets up comes from standing, and goes there.
        let all = self.placed_before(looking, index, &stage.target, |_| true);
        let look = |(frame, target): (usize, Option<Vec<Placed>>)| GroundLook {
            source: view(frame),
            target: target.unwrap_or_default(),
        };
        Some(all.into_iter().enumerate().map(look).collect())
    }

    /// The path that a stage gives to the root or takes out, one point per frame.
    fn root_path(
        &self,
        looking: &Looking<'_>,
        index: usize,
        root: &RootMotionStage,
    ) -> Vec<RootPlace> {
        let mut path: Vec<RootPlace> = Vec::with_capacity(looking.frames().len());
        self.run_before(
            looking,
            index,
            |_| true,
            |_, pose| {
                let last = path.last().map_or(0.0, |place| place.heading);
                path.push(root.measure(looking.clip.plan, pose, last));
            },
        );
        root.smoothed(looking.clip.times, &path)
    }

    /// Where the joints of the target are for a stage, in the frames in which it asks.
    fn placed_before(
        &self,
        looking: &Looking<'_>,
        index: usize,
        joints: &Kinematics,
        is_asked: impl Fn(usize) -> bool,
    ) -> Vec<Option<Vec<Placed>>> {
        let mut result = vec![None; looking.frames().len()];
        if !looking.frames().any(&is_asked) {
            return result;
        }
        self.run_before(looking, index, is_asked, |frame, pose| {
            let mut placed = vec![Placed::ROOT; joints.len()];
            joints.place(pose, &mut placed);
            result[frame] = Some(placed);
        });
        result
    }

    /// Runs the stages before this one, and shows the poses of the frames that are asked for.
    fn run_before(
        &self,
        looking: &Looking<'_>,
        index: usize,
        is_asked: impl Fn(usize) -> bool,
        mut show: impl FnMut(usize, &[Transform]),
    ) {
        let ClipFrames {
            plan, source, made, ..
        } = looking.clip;
        let before = looking.clip.stages.start..index;
        let mut memories = StageState::new(plan).memories;
        let all: Vec<usize> = (0..plan.target.len()).collect();
        let mut poses = made.poses(&all);
        for frame in looking.frames() {
            if !is_asked(frame) {
                continue;
            }
            self.give(frame, &mut memories);
            let pose = poses.go_to(frame);
            let sights = Sights {
                source: (&source.placed.sight, frame),
                target: Some((&made.placed, frame)),
            };
            let (stages, memories) = (&plan.stages[before.clone()], &mut memories[before.clone()]);
            stage::run(plan, stages, pose, memories, sights);
            show(frame, pose);
        }
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
        for (index, turns) in &self.tips {
            if let Some(memory) = memories.get_mut(*index) {
                memory.given.tips = turns.get(frame).copied();
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
}
