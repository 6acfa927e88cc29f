//! From two characters, whose joints are connected, to a plan.

use super::stages::root_motion::follow;
use super::{
    Both, CompileOptions, attach, by_hand, copying, hips_of, places, slides, stages, turns,
};
use crate::error::Error;
use crate::links::Link;
use crate::root_motion::{RootJoint, RootMode};
use crate::transfer::{Method, Turns, channels};
use rebone_model::{Clip, Warning};
use rebone_runtime::{AttachOp, LinearOp, Plan, Rig, RotationOp, ScaleOp, TravelOp};

/// Two characters with what goes together in them.
pub(super) struct Connected<'a> {
    pub(super) both: &'a Both<'a>,
    /// The source's motions.
    pub(super) clips: &'a [&'a Clip],
    pub(super) options: &'a CompileOptions,
    pub(super) links: Vec<Link>,
    /// Joints in no slot that go together by name, of source and target.
    pub(super) named: Vec<(usize, usize)>,
    /// Of source and target.
    pub(super) hips: Option<(usize, usize)>,
    pub(super) source_root: Option<RootJoint>,
    pub(super) target_root: Option<RootJoint>,
}

/// A plan with the scale of its travel.
pub(super) struct Planned {
    pub(super) plan: Plan,
    /// Target file units per source file unit of rigs without hips; `None` of bodies, which travel by their measures.
    pub(super) own_ratio: Option<f64>,
}

/// What moves joints from their places.
struct Moves {
    travel: Option<TravelOp>,
    slides: Vec<LinearOp>,
    scales: Vec<ScaleOp>,
    /// Target file units per source file unit of rigs without hips; `None` of bodies.
    own_ratio: Option<f64>,
}

impl Connected<'_> {
    pub(super) fn plan(&self, warnings: &mut Vec<Warning>) -> Result<Planned, Error> {
        let (both, options) = (self.both, self.options);
        let (source, target) = (both.source.character, both.target.character);
        let modes = turns::modes(both, &self.links, options, warnings)?;
        let Turns {
            mut rotations,
            blends,
        } = turns::turns(both, &self.links, &self.named, &modes, options);
        by_hand::rotations(both.from, both.to, &options.by_hand, &mut rotations);
        let mut moves = self.moves(&rotations)?;
        let attachments = self.attachments(&mut rotations);
        self.follow_root(&mut moves, &mut rotations);
        let target_from_source =
            both.to.canonical_from_file.conjugate() * both.from.canonical_from_file;
        let mut plan = Plan {
            source: Rig::new(&source.skeleton),
            target: Rig::new(&target.skeleton),
            target_from_source: crate::align::unit(target_from_source).as_quat(),
            order: attach::order(target, &attachments),
            rotations,
            blends,
            travel: moves.travel,
            slides: moves.slides,
            scales: moves.scales,
            attachments,
            stages: Vec::new(),
        };
        if let Some(same) = &options.same_rig {
            copying::copy(same, both, self.clips, &mut plan);
        }
        plan.stages = stages::stages(both, options, self.hips, self.target_root, &plan, warnings)?;
        let own_ratio = moves.own_ratio;
        Ok(Planned { plan, own_ratio })
    }

    fn moves(&self, rotations: &[RotationOp]) -> Result<Moves, Error> {
        let (both, recipe, by_hand) = (self.both, &self.options.recipe, &self.options.by_hand);
        let (source, target) = (both.source, both.target);
        let skeleton = &target.character.skeleton;
        let modes = slides::slide_modes(skeleton, target.map, &recipe.translations)?;
        let (travel, (mut slides, scales)) = if recipe.method == Method::Channels {
            let (source, target) = (source.character, target.character);
            let moves = channels::translations_and_scales(source, target, &self.links);
            (None, moves)
        } else {
            let travel = self.hips.map(|hips| both.travel(hips, self.options));
            let pairs = places::pairs(target, &self.links, &self.named, by_hand);
            let moves = places::slides_and_scales(both, self.clips, &pairs, rotations, &modes);
            (travel, moves)
        };
        let mut sides = [source, target].into_iter();
        let own_ratio = sides.all(|side| hips_of(side.map).is_none()).then(|| {
            let (own, own_ratio) = by_hand::travel(both, self.clips, by_hand, recipe.root_scale);
            slides.retain(|slide| own.iter().all(|other| other.target != slide.target));
            slides.extend(own);
            own_ratio
        });
        Ok(Moves {
            travel,
            slides,
            scales,
            own_ratio,
        })
    }

    /// Lets the target's root do what the source's does, if that is wanted and both stand on the floor.
    fn follow_root(&self, moves: &mut Moves, rotations: &mut [RotationOp]) {
        let recipe = &self.options.recipe;
        if let (RootMode::AsSource, Some(from), Some(to)) =
            (recipe.root_motion.mode, self.source_root, self.target_root)
            && recipe.method != Method::Channels
            && moves.travel.is_some()
            && from.on_floor
            && to.on_floor
            && !self.options.by_hand.decides(to.joint)
        {
            follow(self.both, (from, to), rotations, &mut moves.slides);
        }
    }

    /// What is placed by another joint than its parent.
    fn attachments(&self, rotations: &mut [RotationOp]) -> Vec<AttachOp> {
        let (both, by_hand) = (self.both, &self.options.by_hand);
        let mut found = attach::attachments(both, self.clips, rotations);
        if self.options.recipe.method == Method::ModelDelta {
            found.extend(attach::loose_joints(both, &self.named, rotations));
            // A loose joint moves with the trunk, unless a person wants it otherwise.
            found.retain(|attach| !by_hand.left_out.contains(&attach.target));
            by_hand::rotations(both.from, both.to, by_hand, rotations);
        }
        for attach in &mut found {
            // Its place was that of the slot's source joint, which no longer drives it.
            if by_hand.decides(attach.target) {
                attach.source = None;
            }
        }
        found
    }
}
