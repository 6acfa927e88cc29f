//! How the feet of a clip move: by the motion laws, or with the contacts of the source.

use super::Looking;
use crate::contact::{ContactMotion, Contacts, Interval};
use crate::solve::steady::{SteadyLimbs, settle};
use crate::solve::two_bone::Bend;
use crate::stage::{
    FeetStage, Foot, FootStand, Free, Held, Hold, LawLegs, LegMoves, MOST_LEGS, Placed,
    floor_levels, gentle_pitches, touch_shares, without_jumps,
};
use glam::Vec3;

/// [`Held`] of all frames.
#[derive(Default)]
pub(super) struct HeldFrames {
    /// Leg by leg.
    feet: Vec<Vec<Hold>>,
    /// Nothing where legs follow the laws.
    hips: Vec<Vec3>,
    /// How hips and legs move; nothing where each frame is found by itself.
    legs: Vec<LegMoves>,
}

impl HeldFrames {
    pub(super) fn at(&self, frame: usize) -> Option<Held> {
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

    /// How the legs follow the motion laws.
    pub(super) fn by_laws(looking: &Looking<'_>, stage: &FeetStage) -> Self {
        let (source, made) = (looking.clip.source, looking.clip.made);
        let mut placed = vec![Placed::ROOT; stage.target.len()];
        let by_law = |frame: usize| {
            made.placed.read(frame, &stage.target, &mut placed);
            stage.by_law(source.placed.view(frame, &stage.source), &placed)
        };
        let frames: Vec<LawLegs> = looking.frames().map(by_law).collect();
        Self {
            legs: without_jumps(&looking.apart, &frames),
            ..Self::default()
        }
    }

    /// How the feet are held: by the contacts of the source, and where the target's feet would be.
    pub(super) fn of_contacts(
        looking: &Looking<'_>,
        stage: &FeetStage,
        contacts: &Contacts,
    ) -> Self {
        let standing = StandingFeet::new(looking, stage, contacts);
        let pitches = pitches(looking, stage);
        let mut free = standing.free(looking, stage, &pitches);
        stage.roll(&looking.apart, &standing.touches, &mut free);
        let drift = stage.contacts.canonical_from_file.conjugate() * contacts.drift;
        let mut feet = standing.holds(&looking.apart, stage, &free, stage.linear * drift);
        for (holds, turns) in feet.iter_mut().zip(&pitches) {
            for (hold, turn) in holds.iter_mut().zip(turns) {
                hold.pitch = *turn;
            }
        }
        let mut held = Self {
            hips: stage.carry(&looking.apart, &free, &feet),
            feet,
            legs: Vec::new(),
        };
        if stage.bend == Bend::Steady {
            held.legs = held.steady_legs(looking, stage);
        }
        held
    }

    /// How legs move that bend steadily.
    fn steady_legs(&self, looking: &Looking<'_>, stage: &FeetStage) -> Vec<LegMoves> {
        let (source, made) = (looking.clip.source, looking.clip.made);
        let mut placed = vec![Placed::ROOT; stage.target.len()];
        let limbs = |frame: usize| {
            let known = self.at(frame).unwrap_or_default();
            made.placed.read(frame, &stage.target, &mut placed);
            let view = source.placed.view(frame, &stage.source);
            stage.steady(view, &placed, &known.feet, known.hips)
        };
        let (limbs, shifts): (Vec<SteadyLimbs>, Vec<Vec3>) = looking.frames().map(limbs).unzip();
        let moves = settle(&looking.apart, &limbs);
        let all = limbs.iter().zip(&moves).zip(&shifts);
        let legs = all.map(|((limbs, moves), shift)| LegMoves::new(limbs, moves, *shift));
        legs.collect()
    }
}

/// How far feet turn for the edges of their soles to be out of the floor, leg by leg.
fn pitches(looking: &Looking<'_>, stage: &FeetStage) -> Vec<Vec<f32>> {
    let (source, made) = (looking.clip.source, looking.clip.made);
    let mut bounds = vec![Vec::with_capacity(looking.frames().len()); stage.legs.len()];
    let mut placed = vec![Placed::ROOT; stage.target.len()];
    for frame in looking.frames() {
        made.placed.read(frame, &stage.target, &mut placed);
        let now = stage.pitches(&source.placed.view(frame, &stage.source), &placed);
        for (bounds, now) in bounds.iter_mut().zip(now) {
            bounds.push(now);
        }
    }
    let legs = bounds.iter();
    legs.map(|bounds| gentle_pitches(&looking.apart, bounds))
        .collect()
}

/// What touches in the source.
pub(super) fn contacts(looking: &Looking<'_>, stage: &FeetStage) -> Contacts {
    let placed = &looking.clip.source.placed;
    let motion = ContactMotion::of_placed(&stage.contacts, placed, looking.clip.times);
    stage
        .rules
        .find(&stage.contacts, &motion, looking.clip.name)
}

/// How feet stand in the frames of a clip, leg by leg.
struct StandingFeet {
    /// The stands of heel and ball.
    stands: Vec<[Vec<FootStand>; 2]>,
    /// How much each foot touches, frame by frame.
    touches: Vec<Vec<f32>>,
    /// How much higher than the main floor the one below each foot is, frame by frame.
    levels: Vec<Vec<f32>>,
}

impl StandingFeet {
    fn new(looking: &Looking<'_>, stage: &FeetStage, contacts: &Contacts) -> Self {
        let stands_at = |point: Option<usize>| {
            let intervals = point.and_then(|point| contacts.points.get(point));
            let stands_in = |interval: &Interval| {
                let height = (interval.height - contacts.ground) * stage.rise;
                stands(interval, height, &looking.cuts)
            };
            intervals.map_or_else(Vec::new, |found| found.iter().flat_map(stands_in).collect())
        };
        let legs = stage.legs.iter();
        let stands: Vec<[Vec<FootStand>; 2]> = legs
            .map(|leg| [stands_at(leg.heel_point), stands_at(leg.ball_point)])
            .collect();
        let times = &looking.apart;
        let touches = |[heel, ball]: &[Vec<FootStand>; 2]| touch_shares(times, heel, ball);
        let levels = |[heel, ball]: &[Vec<FootStand>; 2]| floor_levels(times, heel, ball);
        Self {
            touches: stands.iter().map(touches).collect(),
            levels: stands.iter().map(levels).collect(),
            stands,
        }
    }

    /// Where the target's feet would be if nothing held them, leg by leg.
    fn free(
        &self,
        looking: &Looking<'_>,
        stage: &FeetStage,
        pitches: &[Vec<f32>],
    ) -> Vec<Vec<Free>> {
        let (source, made) = (looking.clip.source, looking.clip.made);
        let frames = looking.frames();
        let mut free: Vec<Vec<Free>> = vec![Vec::with_capacity(frames.len()); self.stands.len()];
        let mut placed = vec![Placed::ROOT; stage.target.len()];
        for frame in frames {
            let view = source.placed.view(frame, &stage.source);
            made.placed.read(frame, &stage.target, &mut placed);
            let now = |all: &[Vec<f32>]| -> [f32; MOST_LEGS] {
                std::array::from_fn(|leg| all.get(leg).map_or(0.0, |frames| frames[frame]))
            };
            let all = stage.free(
                view,
                &placed,
                [&self.touches, &self.levels, pitches].map(now),
            );
            for (free, own) in free.iter_mut().zip(all) {
                free.push(own);
            }
        }
        free
    }

    /// How the feet are held, leg by leg, on a floor that drifts.
    fn holds(
        &self,
        times: &[f32],
        stage: &FeetStage,
        free: &[Vec<Free>],
        drift: Vec3,
    ) -> Vec<Vec<Hold>> {
        let mut holds: Vec<Vec<Hold>> = Vec::with_capacity(self.stands.len());
        for (index, leg) in stage.legs.iter().enumerate() {
            let foot = Foot {
                times,
                free: &free[index],
                heel: &self.stands[index][0],
                ball: &self.stands[index][1],
                up: stage.up,
                floor: stage.floor,
                ball_height: leg.toes_height,
                leg: leg.length,
                drift,
            };
            let mut made = foot.holds();
            let frames = self.touches[index].iter().zip(&free[index]);
            for (hold, (touches, free)) in made.iter_mut().zip(frames) {
                let lock = stage.lock * free.there;
                hold.ball = *touches;
                hold.offset *= lock;
                hold.hold *= lock;
            }
            holds.push(made);
        }
        holds
    }
}

/// The stands of a point that touches at this height: one, and one more per jump of the clip within it.
fn stands(interval: &Interval, height: f32, cuts: &[usize]) -> Vec<FootStand> {
    let inside = |cut: &&usize| (interval.first + 1..=interval.last).contains(*cut);
    let firsts = cuts.iter().filter(inside).copied();
    let ends = firsts.clone().map(|first| first - 1).chain([interval.last]);
    let firsts = std::iter::once(interval.first).chain(firsts);
    let stand = |(first, last)| FootStand {
        first,
        last,
        height,
    };
    firsts.zip(ends).map(stand).collect()
}
