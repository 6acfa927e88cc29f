//! How arms stay outside over a whole clip.

use super::near::{AWAY, Spheres};
use super::outside::{ArmFrame, BodyFrame, forgotten};
use super::{BodyStage, MOST_ARMS, ShoulderTurns};
use crate::runtime::stage::kinematics::Placed;
use crate::solve::calm::Calm;
use glam::{DVec3, Vec3};

/// Seconds over which the turn of an arm is smoothed.
pub(super) const SECONDS: f64 = 0.1;

/// How often arms are brought out: what the smoothing has brought back in is brought out again.
pub(super) const ROUNDS: usize = 3;

/// Seconds after which an arm has forgotten where it left the body.
pub(super) const NEAR: f32 = 0.13;

/// No frame is shorter, seconds.
const SHORTEST: f32 = 1e-3;

/// How often two arms are looked at in turn in a frame, where their hands hold on to each other.
const TURNS: usize = 3;

/// Arms that turn by less, radians, when they are looked at again have found their turns.
const SETTLED: f32 = 5e-3;

/// Passes over the first frame, which has no frame before it to begin near.
const FIRST: usize = 20;

/// An arm that turns by less, radians, stays.
const STILL: f32 = 1e-5;

/// How fast an arm may turn while the source's is still: radians a second. It is 1.9 degrees in a frame at 24 frames a second.
pub(super) const SLOW: f32 = 0.8;

/// How much faster it may turn where the arm itself moves, as a share of its speed: nobody sees a turn in a fast motion.
pub(super) const SPEED_SHARE: f32 = 0.25;

/// How far an arm turns at most, radians: further, and a gesture is no longer the same.
pub(super) const FURTHEST: f32 = 0.8;

/// How much of the end of a clip that is a loop comes before its beginning, seconds.
const AROUND: f32 = 1.0;

/// A wrist that is off by less, in arm lengths, is where it was.
const SAME: f32 = 0.03;

/// What the hands of a clip do.
#[derive(Clone, Copy)]
pub(in crate::runtime) struct HeldHands<'a> {
    /// How much two hands hold on to each other, in each frame: then they move alike.
    pub held: &'a [f32],
    /// How much each of them stays, in each frame.
    pub stay: &'a [[f32; 2]],
    /// Their target joints, and the palms in the axes of these.
    pub palms: [(usize, Vec3); 2],
}

impl BodyStage {
    /// How the arms turn in each frame of a clip, so that they leave the body. `looks` says where the target's joints are before, in frames
    /// in which arms are near the body. `None` in frames in which no arm turns.
    pub(in crate::runtime) fn outside(
        &self,
        times: &[f32],
        looks: &[Option<Vec<Placed>>],
        (spheres, hands): (&Spheres, Option<HeldHands<'_>>),
    ) -> Vec<Option<ShoulderTurns>> {
        let bodies = looks.iter();
        let bodies = bodies.map(|look| Some(BodyFrame::new(self, spheres, look.as_deref()?)));
        let bodies: Vec<Option<BodyFrame<'_>>> = bodies.collect();
        let held = hands.map_or_else(|| vec![0.0; times.len()], |hands| hands.held.to_vec());
        let mut pair = [None; 2];
        let mut arms = Vec::with_capacity(self.arms.len());
        for (number, arm) in self.arms.iter().enumerate().take(MOST_ARMS) {
            let joint = self.target.joint(arm.joints[2]);
            let hand = hands.and_then(|hands| {
                let hand = hands.palms.iter().position(|palm| palm.0 == joint)?;
                pair[hand] = Some(number);
                Some((hand, hands))
            });
            let palm = hand.map_or(Vec3::ZERO, |(hand, hands)| hands.palms[hand].1);
            let stay = hand.map_or_else(
                || vec![0.0; times.len()],
                |(hand, hands)| hands.stay.iter().map(|stay| stay[hand]).collect(),
            );
            let frames = bodies.iter().zip(&held).map(|(body, held)| {
                let frame = ArmFrame::new((arm, &self.target), palm, body.as_ref()?);
                frame.may_turn(*held, AWAY * self.height).then_some(frame)
            });
            let frames: Vec<Option<ArmFrame<'_>>> = frames.collect();
            let allowed = allowed(times, &frames, &stay);
            arms.push(ArmClip {
                frames,
                allowed,
                stay,
            });
        }
        let clip = Clip {
            times,
            held,
            pair: pair[0].zip(pair[1]).map(|(one, other)| [one, other]),
            arms,
        };
        let mut known = vec![ShoulderTurns::default(); looks.len()];
        for _ in 0..ROUNDS {
            if !clip.turn_further(&mut known) {
                break;
            }
        }
        for (number, arm) in clip.arms.iter().enumerate() {
            for (turns, stay) in known.iter_mut().zip(&arm.stay) {
                turns[number] *= 1.0 - stay;
            }
        }
        let is_still = |turn: &Vec3| turn.length() <= STILL;
        let turned = |turns: ShoulderTurns| (!turns.iter().all(is_still)).then_some(turns);
        known.into_iter().map(turned).collect()
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

/// An arm in all frames of a clip.
struct ArmClip<'a> {
    /// `None` where it is not near the body.
    frames: Vec<Option<ArmFrame<'a>>>,
    /// How far it may turn.
    allowed: Vec<f32>,
    /// How much its hand stays.
    stay: Vec<f32>,
}

/// True where the arm is in the last frame where it was in the first.
fn ends_as_it_began(frames: &[Option<ArmFrame<'_>>]) -> bool {
    match frames {
        [Some(first), .., Some(last)] => first.line.distance(last.line) < SAME,
        _ => false,
    }
}

/// How far an arm may turn between two frames, so many seconds apart.
fn most(one: Option<&ArmFrame<'_>>, other: Option<&ArmFrame<'_>>, seconds: f32) -> f32 {
    let lines = one.zip(other);
    let moved = lines.map_or(0.0, |(one, other)| one.line.distance(other.line));
    SLOW * seconds + SPEED_SHARE * moved
}

/// How far an arm may turn in each frame of a clip: not at all where its hand stays, and from there on as fast as it may.
fn allowed(times: &[f32], frames: &[Option<ArmFrame<'_>>], stay: &[f32]) -> Vec<f32> {
    let free = |stay: &f32| if *stay > 0.0 { 0.0 } else { FURTHEST };
    let mut allowed: Vec<f32> = stay.iter().map(free).collect();
    let mut follow = |[before, frame]: [usize; 2]| {
        let [one, other] = [before, frame].map(|frame| frames[frame].as_ref());
        let bound = allowed[before] + most(one, other, (times[frame] - times[before]).abs());
        allowed[frame] = allowed[frame].min(bound);
    };
    (1..times.len()).for_each(|frame| follow([frame - 1, frame]));
    (1..times.len())
        .rev()
        .for_each(|frame| follow([frame, frame - 1]));
    allowed
}

impl Clip<'_> {
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
    fn turn_further(&self, known: &mut [ShoulderTurns]) -> bool {
        let times = self.times;
        let count = times.len();
        let (mut from, mut until) = (count, 0);
        if self.arms.iter().any(|arm| ends_as_it_began(&arm.frames)) {
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
            let size = |turns: &ShoulderTurns, held: f32| {
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
    fn pass(
        &self,
        order: impl Iterator<Item = usize>,
        known: &[ShoulderTurns],
    ) -> Vec<ShoulderTurns> {
        let mut last: Option<(usize, ShoulderTurns)> = None;
        let turn = |frame: usize| {
            let turns = match last {
                // Nothing is before the first frame, so it is near itself.
                None => (0..FIRST).fold(ShoulderTurns::default(), |turns, _| {
                    self.turned((frame, None), turns, known)
                }),
                Some((before, turns)) => self.turned((frame, Some(before)), turns, known),
            };
            last = Some((frame, turns));
            turns
        };
        order.map(turn).collect()
    }

    /// How the arms turn in a frame, beyond what is known, after the frame before in which they turned by `last`.
    fn turned(
        &self,
        (frame, before): (usize, Option<usize>),
        last: ShoulderTurns,
        known: &[ShoulderTurns],
    ) -> ShoulderTurns {
        let times = self.times;
        // The first frame follows on the last as the last on the one before.
        let seconds = before.map(|before| match frame.abs_diff(before) {
            1 => (times[frame] - times[before]).abs(),
            _ => times[1] - times[0],
        });
        let near = seconds.map_or(1.0, |seconds| NEAR / seconds.max(SHORTEST));
        let held = self.held[frame];
        let mut turns = last;
        for _ in 0..if held > 0.0 { TURNS } else { 1 } {
            let before_sweep = turns;
            for (number, arm) in self.arms.iter().enumerate() {
                let (last, known_now) = (last[number], known[frame][number]);
                let own = arm.frames[frame].as_ref();
                let tied = self
                    .partner(number)
                    .filter(|_| held > 0.0)
                    .and_then(|other| {
                        let its = self.arms.get(other)?.frames[frame].as_ref()?;
                        Some((its.moved(known[frame][other] + turns[other]), held))
                    });
                let wanted = own.map_or_else(
                    || forgotten((last, near)),
                    |own| own.out_of((known_now, turns[number]), (last, near), tied),
                );
                let mut whole = known_now + wanted;
                if let (Some(before), Some(seconds)) = (before, seconds) {
                    let most = most(own, arm.frames[before].as_ref(), seconds);
                    let start = known[before][number] + last;
                    whole = start + (whole - start).clamp_length_max(most);
                }
                turns[number] = whole.clamp_length_max(arm.allowed[frame]) - known_now;
            }
            let changed = turns.iter().zip(&before_sweep);
            if changed.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) < SETTLED {
                break;
            }
        }
        turns
    }
}
