//! What the hands of a clip do.

use super::Looking;
use crate::solve::steady::Moves;
use crate::stage::{GripMotion, ReachStage, faded};

/// What is known of the hands of a clip.
pub(super) struct HandFrames {
    /// How much two hands hold on to each other, in each frame.
    pub(super) held: Vec<f32>,
    /// How much they grip one rigid thing.
    pub(super) gripped: Vec<f32>,
    /// How much each of them touches something, and stays.
    pub(super) stay: Vec<[f32; 2]>,
    /// How the arms turn, frame by frame; empty for a clip in which no hand reaches for anything.
    pub(super) moves: Vec<Option<Moves>>,
}

impl HandFrames {
    /// What the hands do; how arms then turn is not known yet.
    pub(super) fn find(looking: &Looking<'_>, stage: &ReachStage) -> Self {
        let (source, times) = (looking.clip.source, &looking.apart[..]);
        let view = |frame: usize| source.placed.view(frame, &stage.source);
        let fade = |shares: &[f32]| {
            let is_any = shares.iter().any(|share| *share > 0.0);
            if is_any {
                faded(times, shares)
            } else {
                shares.to_vec()
            }
        };
        let frames = looking.frames();
        let touches = [0, 1].map(|arm| {
            let touches = frames.clone().map(|frame| stage.touches(&view(frame), arm));
            fade(&touches.collect::<Vec<f32>>())
        });
        let mut hands = Self {
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
            shares = motion.shares(times, looking.clip.name);
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
}
