//! How arms stay outside over a whole clip.

use super::arm_clip::{ArmClip, ends_as_it_began};
use super::near::{AWAY, Spheres};
use super::outside::{ArmFrame, ArmSkin, BodyFrame, HandFrame, Near, TIED, TOUCHING, forgotten};
use super::posed::SolidLanes;
use super::{ArmTurns, BodyStage, JOINTS, MOST_ARMS, Touches};
use crate::solve::calm::Calm;
use crate::solve::smooth;
use crate::stage::kinematics::Placed;
use crate::stage::reach::faded;
use glam::{DVec3, Vec3};

/// Seconds over which the turn of an arm is smoothed.
pub(super) const SECONDS: f64 = 0.1;

/// How often arms are brought out: what the smoothing has brought back in is brought out again.
pub(super) const ROUNDS: usize = 3;

/// Seconds after which an arm has forgotten where it left the body.
pub(super) const NEAR: f32 = 0.13;

/// Shortest time from frame to frame, seconds; shorter ones are taken as this.
const SHORTEST: f32 = 1e-3;

/// How often two arms whose hands hold on to each other are solved one after the other, in a frame.
const TURNS: usize = 3;

/// Two arms are solved when none turns by more, radians, in such a pass.
const SETTLED: f32 = 5e-3;

/// Passes over the first frame, which has no frame before it to begin near.
const FIRST: usize = 20;

/// An arm that turns by less, radians, stays.
const STILL: f32 = 1e-5;

/// How fast a forearm may turn about its elbow, against an arm about its shoulder: both add up.
const ELBOW_PACE: f32 = 0.5;

/// Forearms that are further than this from the body once the shoulder has turned are not looked at, in heights.
const ELBOW_AWAY: f32 = 0.01;

/// How far an arm turns at most, radians: further, and a gesture is no longer the same.
pub(super) const FURTHEST: f32 = 0.8;

/// Hands that hold on to each other and stay deeper in the body than the first, in heights, begin to let go of each other; from the second on
/// they have: above a wide head, or before a wide belly, they cannot meet.
pub(super) const LET_GO: [f32; 2] = [0.02, 0.04];

/// An arm is shrunk where it is shorter than this share of its greatest length in the clip.
const SHRUNK: f32 = 0.75;

/// Frames that are further apart, seconds, have a cut between them.
const CUT: f32 = 1.0;

/// How much of a clip that is a loop a pass runs through before it begins, seconds.
const AROUND: f32 = 1.0;

/// How the shoulders of all arms turn, or their elbows.
type Turns = [Vec3; MOST_ARMS];

/// What the hands of a clip do.
pub(crate) struct HeldHands {
    /// How much two hands hold on to each other, in each frame: then they move alike.
    pub held: Vec<f32>,
    /// How much they hold one rigid thing, in each frame: then they also keep their rotations in model space.
    pub gripped: Vec<f32>,
    /// How much each of them stays, in each frame.
    pub stay: Vec<[f32; 2]>,
    /// Their target joints, and the palms in the axes of these.
    pub palms: [(usize, Vec3); 2],
}

impl BodyStage {
    /// How the arms turn in each frame of a clip, so that they leave the body. `looks` says where the target's joints are before, in frames
    /// in which arms are near the body. `None` in frames in which no arm turns.
    pub(crate) fn outside(
        &self,
        times: &[f32],
        looks: &[Option<Vec<Placed>>],
        spheres: &Spheres,
        hands: Option<HeldHands>,
        touches: &Touches,
    ) -> Vec<Option<ArmTurns>> {
        let solid = &SolidLanes::new(self.solid.blocks.iter().chain(&self.legs.blocks));
        let bodies = looks.iter().enumerate().map(|(frame, look)| {
            let look = look.as_deref()?;
            let mut arms = 0..self.arms.len();
            let with_legs = arms.any(|arm| touches.leaves_legs(arm, frame));
            Some(BodyFrame::new(solid, spheres, self.height, with_legs, look))
        });
        let bodies: Vec<Option<BodyFrame<'_>>> = bodies.collect();
        let hands = hands.as_ref();
        let held = hands.map_or_else(|| vec![0.0; times.len()], |hands| hands.held.clone());
        let limbs = 0..self.arms.len().min(MOST_ARMS);
        let limbs: Vec<ArmSkin<'_>> = limbs.map(|arm| ArmSkin::new(arm, self)).collect();
        let mut pair = [None; 2];
        let mut arms = Vec::with_capacity(limbs.len());
        for (number, limb) in limbs.iter().enumerate() {
            let joint = self.target.joint(self.arms[number].joints[2]);
            let mut palms = hands.iter().flat_map(|hands| hands.palms);
            let hand = palms.position(|palm| palm.0 == joint);
            if let Some(hand) = hand {
                pair[hand] = Some(number);
            }
            let hands = hands.zip(hand);
            arms.push(self.arm_clip(times, looks, limb, &bodies, hands, touches));
        }
        let pair = pair[0].zip(pair[1]).map(|(one, other)| [one, other]);
        if let Some(pair) = pair {
            let loops = pair.iter().any(|arm| arms[*arm].loops);
            for arm in pair {
                arms[arm].loops = loops;
            }
        }
        let mut clip = Clip {
            times,
            held,
            pair,
            arms,
        };
        let mut shoulders = clip.turns(Vec::new(), ROUNDS);
        if clip.let_go(&shoulders, self.height) {
            shoulders = clip.turns(shoulders, ROUNDS - 1);
        }
        clip.go_to_elbows(&shoulders, self.height);
        let elbows = clip.turns(Vec::new(), ROUNDS);
        let is_still = |turn: &Vec3| turn.length() <= STILL;
        let turned = |(frame, look): (usize, &Option<Vec<Placed>>)| {
            let mut all = ArmTurns::default();
            for (number, (limb, arm)) in limbs.iter().zip(&clip.arms).enumerate() {
                let turns = [shoulders[frame][number], elbows[frame][number]];
                let keeps = arm.keeps_rotation[frame];
                let hand = look.as_deref().filter(|_| keeps > 0.0);
                let hand = hand.map(|look| limb.turn_back(look, turns, keeps));
                all[JOINTS * number..][..2].copy_from_slice(&turns);
                all[JOINTS * number + 2] = hand.unwrap_or_default();
            }
            (!all.iter().all(is_still)).then_some(all)
        };
        looks.iter().enumerate().map(turned).collect()
    }

    /// An arm, about its shoulder. `hands` says what the hands do, and which of the two is this arm's.
    fn arm_clip<'a>(
        &self,
        times: &[f32],
        looks: &[Option<Vec<Placed>>],
        limb: &ArmSkin<'a>,
        bodies: &'a [Option<BodyFrame<'_>>],
        hands: Option<(&HeldHands, usize)>,
        touches: &Touches,
    ) -> ArmClip<'a> {
        let number = limb.number;
        let joints = self.arms[number].joints;
        let own = self.hands.iter().find(|hand| hand.arm == number);
        let palm = hands.map(|(hands, hand)| hands.palms[hand].1);
        let palm = palm.or(own.map(|own| own.palm)).unwrap_or_default();
        let shares = |of: &dyn Fn(&HeldHands, usize, usize) -> f32| {
            let share = |frame: usize| hands.map_or(0.0, |(hands, hand)| of(hands, hand, frame));
            (0..times.len()).map(share).collect::<Vec<f32>>()
        };
        let held = shares(&|hands, _, frame| hands.held[frame]);
        let stay = shares(&|hands, hand, frame| hands.stay[frame][hand]);
        let has_hand = joints[1] != joints[2];
        let gripped =
            |hands: &HeldHands, _, frame: usize| hands.gripped[frame] * f32::from(has_hand);
        let keeps_rotation = shares(&gripped);
        let frames = bodies.iter().enumerate().map(|(frame, body)| {
            let hand = HandFrame {
                palm,
                keeps_rotation: keeps_rotation[frame],
                leaves_legs: touches.leaves_legs(number, frame),
            };
            Some(ArmFrame::new(limb, hand, body.as_ref()?))
        });
        let mut frames: Vec<Option<ArmFrame<'_>>> = frames.collect();
        // Hands that hold on to each other or stay touch nothing else.
        let pulls = looks.iter().zip(&frames).enumerate();
        let pulls = pulls.map(|(index, (look, frame))| {
            let (Some(look), Some(frame)) = (look, frame) else {
                return Default::default();
            };
            let (way, weight) = touches.pull(own, index, look, joints[2], frame.length());
            (way, weight * (1.0 - held[index]) * (1.0 - stay[index]))
        });
        let pulls: Vec<(Vec3, f32)> = pulls.collect();
        let lengths = frames.iter().flatten().map(ArmFrame::length);
        // An arm of a body that appears or vanishes is shrunk; the blocks are not.
        let least = SHRUNK * lengths.fold(0.0, f32::max);
        for (frame, (held, pull)) in frames.iter_mut().zip(held.iter().zip(&pulls)) {
            let tied = held.max(pull.1);
            let counts = |frame: &ArmFrame<'_>| {
                frame.length() > least && frame.is_near(tied, AWAY * self.height)
            };
            *frame = frame.take().filter(counts);
        }
        let mut arm = ArmClip {
            loops: ends_as_it_began(&frames),
            allowed: vec![FURTHEST; times.len()],
            frames,
            pulls,
            stay,
            keeps_rotation,
            pace: 1.0,
        };
        arm.allow(times);
        arm
    }
}

/// The arms of a body in all frames of a clip.
struct Clip<'a> {
    times: &'a [f32],
    /// How much the hands of two of them hold on to each other.
    held: Vec<f32>,
    /// Which two, if they are among them.
    pair: Option<[usize; 2]>,
    arms: Vec<ArmClip<'a>>,
}

impl Clip<'_> {
    /// How the arms turn in each frame, about their shoulders or their elbows, in so many rounds from what is known on.
    fn turns(&self, mut known: Vec<Turns>, rounds: usize) -> Vec<Turns> {
        known.resize(self.times.len(), Turns::default());
        for _ in 0..rounds {
            if !self.turn_further(&mut known) {
                break;
            }
        }
        for (number, arm) in self.arms.iter().enumerate() {
            for (turns, stay) in known.iter_mut().zip(&arm.stay) {
                let turn = turns[number] * (1.0 - stay);
                turns[number] = turn.clamp_length_max(FURTHEST);
            }
        }
        known
    }

    /// Makes the elbows what turns, where the shoulders have turned by this, of a body so high.
    fn go_to_elbows(&mut self, shoulders: &[Turns], height: f32) {
        for (number, arm) in self.arms.iter_mut().enumerate() {
            let frames = arm.frames.iter().zip(shoulders);
            let elbows = frames.map(|(frame, turns)| frame.as_ref()?.at_elbow(turns[number]));
            let elbows: Vec<Option<ArmFrame<'_>>> = elbows.collect();
            // An elbow that is far from the body has to be as it was.
            let furthest =
                |elbow: &Option<ArmFrame<'_>>| elbow.as_ref().map_or(0.0, ArmFrame::furthest);
            arm.allowed = elbows.iter().map(furthest).collect();
            let before = arm.frames.iter().zip(shoulders);
            for (pull, (frame, turns)) in arm.pulls.iter_mut().zip(before) {
                pull.0 -= frame
                    .as_ref()
                    .map_or(Vec3::ZERO, |frame| frame.moved(turns[number]));
            }
            let tied = self.held.iter().zip(&arm.pulls);
            let tied: Vec<f32> = tied.map(|(held, pull)| held.max(pull.1)).collect();
            let near = elbows.into_iter().zip(&tied);
            // One that may not turn is needed where the other hand holds on to its hand: that one must not turn alone.
            let is_needed = |elbow: &ArmFrame<'_>, held: f32| {
                (held > 0.0 || elbow.furthest() > 0.0) && elbow.is_near(held, ELBOW_AWAY * height)
            };
            let near = near.map(|(elbow, held)| elbow.filter(|elbow| is_needed(elbow, *held)));
            arm.frames = near.collect();
            arm.pace = ELBOW_PACE;
            arm.allow(self.times);
        }
    }

    /// Hands that hold on to each other and are still far in a body so high, once the shoulders have turned, let go of each other there; false
    /// where none is.
    fn let_go(&mut self, shoulders: &[Turns], height: f32) -> bool {
        let [least, most] = LET_GO;
        let mut kept = vec![1.0_f32; self.times.len()];
        for (frame, kept) in kept.iter_mut().enumerate() {
            if self.held[frame] == 0.0 {
                continue;
            }
            for (number, arm) in self.arms.iter().enumerate() {
                let depth = |arm: &ArmFrame<'_>| arm.depth(shoulders[frame][number]) / height;
                let depth = arm.frames[frame].as_ref().map_or(0.0, depth);
                *kept = kept.min(1.0 - smooth((depth - least) / (most - least)));
            }
        }
        if kept.iter().all(|kept| *kept == 1.0) {
            return false;
        }
        for (held, kept) in self.held.iter_mut().zip(faded(self.times, &kept)) {
            *held *= kept;
        }
        true
    }

    /// The number of the arm to whose hand the hand of another may hold on.
    fn partner(&self, number: usize) -> Option<usize> {
        match self.pair? {
            [one, other] if number == one => Some(other),
            [one, other] if number == other => Some(one),
            _ => None,
        }
    }

    /// Turns the arms further, in each frame, so that no point is inside; false where none is. It is looked for forwards and backwards in
    /// time, so that an arm begins to turn before it has to. Where it ends as it began, it begins as it ends, so that a clip that is
    /// played in a loop has no jump.
    fn turn_further(&self, known: &mut [Turns]) -> bool {
        let times = self.times;
        let count = times.len();
        let (mut from, mut until) = (count, 0);
        if self.arms.iter().any(|arm| arm.loops) {
            from = times.partition_point(|time| *time < times[count - 1] - AROUND);
            until = times.partition_point(|time| *time <= times[0] + AROUND);
        }
        let mut forwards = self.pass((from..count).chain(0..count), known);
        let order = (0..until).rev().chain((0..count).rev());
        let mut backwards = self.pass(order, known);
        forwards.drain(..count - from);
        backwards.drain(..until);
        backwards.reverse();
        let mut is_any = false;
        for number in 0..self.arms.len() {
            // The larger of the two counts more; of hands that hold on to each other that of both.
            let size = |turns: &Turns, held: f32| {
                let other = self
                    .partner(number)
                    .map_or(Vec3::ZERO, |other| turns[other]);
                turns[number].length_squared() + held * other.length_squared()
            };
            let both = forwards.iter().zip(&backwards).zip(&self.held);
            let both = both.map(|((one, other), held)| {
                let (first, second) = (size(one, *held), size(other, *held));
                let sum = one[number] * first + other[number] * second;
                (sum / (first + second).max(f32::MIN_POSITIVE)).as_dvec3()
            });
            let turns: Vec<DVec3> = both.collect();
            if turns.iter().all(|turn| *turn == DVec3::ZERO) {
                continue;
            }
            is_any = true;
            let weights = vec![1.0; count];
            let turns = Calm::new(times, &weights, SECONDS).calm(&turns);
            for (known, turn) in known.iter_mut().zip(turns) {
                known[number] += turn.as_vec3();
            }
        }
        is_any
    }

    /// One pass over the frames, in this order: each begins near the frame before, and turns no faster and no further than it may.
    fn pass(&self, order: impl Iterator<Item = usize>, known: &[Turns]) -> Vec<Turns> {
        let mut last: Option<(usize, Turns)> = None;
        let turn = |frame: usize| {
            let turns = self.turned(frame, last, known);
            last = Some((frame, turns));
            turns
        };
        order.map(turn).collect()
    }

    /// How the arms turn in a frame, beyond what is known; `last` is the frame before, and how they turned there.
    fn turned(&self, frame: usize, last: Option<(usize, Turns)>, known: &[Turns]) -> Turns {
        let times = self.times;
        // The first frame follows on the last as the last on the one before.
        let follows = |before: usize| frame.abs_diff(before) == 1;
        let seconds = |before: usize| {
            let [one, other] = if follows(before) {
                [frame, before]
            } else {
                [1, 0]
            };
            (times[one] - times[other]).abs().max(SHORTEST)
        };
        let held = self.held[frame];
        let mut turns = last.map_or_else(Turns::default, |(_, turns)| turns);
        for _ in 0..if held > 0.0 { TURNS } else { 1 } {
            let before_sweep = turns;
            for (number, arm) in self.arms.iter().enumerate() {
                let known_now = known[frame][number];
                let own = arm.frames[frame].as_ref();
                let tied = self.partner(number).filter(|_| held > 0.0);
                let tied = tied.and_then(|other| {
                    let its = self.arms.get(other)?.frames[frame].as_ref()?;
                    let moved = its.moved(known[frame][other] + turns[other]);
                    Some((moved, TIED * held.powi(4)))
                });
                let (way, weight) = arm.pulls[frame];
                let ties = [tied.unwrap_or_default(), (way, TOUCHING * weight * weight)];
                let out_of = |start: Vec3, turn: Vec3, weight: f32| {
                    let near = Near { turn, weight };
                    own.map_or_else(
                        || forgotten(near),
                        |own| own.out_of(known_now, start, near, &ties),
                    )
                };
                let bent = |whole: Vec3| own.map_or(whole, |own| own.kept_bent(whole));
                let within =
                    |whole: Vec3| bent(whole).clamp_length_max(arm.allowed[frame]) - known_now;
                let last = last.filter(|(before, _)| {
                    (arm.loops || follows(*before)) && seconds(*before) < CUT
                });
                turns[number] = match last {
                    // Nothing is before the first frame of a clip or behind a cut, so it is near itself.
                    None => (0..FIRST).fold(Vec3::ZERO, |turn, _| {
                        within(known_now + out_of(turn, turn, 1.0))
                    }),
                    Some((before, last)) => {
                        let seconds = seconds(before);
                        let wanted = out_of(turns[number], last[number], NEAR / seconds);
                        let most = arm.most(frame, before, seconds);
                        let start = known[before][number] + last[number];
                        within(start + (known_now + wanted - start).clamp_length_max(most))
                    }
                };
            }
            let changed = turns.iter().zip(&before_sweep);
            if changed.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) < SETTLED {
                break;
            }
        }
        turns
    }
}
