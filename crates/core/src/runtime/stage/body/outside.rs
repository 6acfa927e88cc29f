//! How arms stay outside over a whole clip.

use super::near::{AWAY, Spheres};
use super::solid::PosedSolid;
use super::{BodyArm, BodyStage, MOST_ARMS, ShoulderTurns};
use crate::runtime::stage::kinematics::{Kinematics, Placed};
use crate::runtime::stage::reach::point_of;
use crate::solve::calm::Calm;
use glam::{Affine3A, DVec3, Mat3, Quat, Vec3};
use rebone_model::rotation::exp;

/// Seconds over which the turn of an arm is smoothed.
pub(super) const SECONDS: f64 = 0.1;

/// How often arms are brought out: what the smoothing has brought back in is brought out again.
pub(super) const ROUNDS: usize = 3;

/// How far from the body points stay, in heights.
const ROOM: f32 = 0.004;

/// Blocks that are further than this from the arms, in heights, are not looked at: no arm turns so far out of one that it is in another.
const TURN_AWAY: f32 = 0.15;

/// Seconds after which an arm has forgotten where it left the body.
pub(super) const NEAR: f32 = 0.13;

/// No frame is shorter, seconds.
const SHORTEST: f32 = 1e-3;

/// How much a point in the body counts, against 1 for the turn of the arm.
pub(super) const FIRM: f32 = 300.0;

/// How much it counts that two hands that hold on to each other move alike.
pub(super) const TIED: f32 = 3000.0;

/// How often two arms are looked at in turn in a frame, where their hands hold on to each other.
const TURNS: usize = 3;

/// Arms that turn by less, radians, when they are looked at again have found their turns.
const SETTLED: f32 = 5e-3;

/// How often the faces are searched for by which points leave, in a frame.
const LOOKS: usize = 4;

/// Passes over the first frame, which has no frame before it to begin near.
const FIRST: usize = 20;

/// Steps of Newton between two searches.
const STEPS: usize = 4;

/// The least share of a point that brings an arm out: those near the elbow would turn it too far.
const LEAST_SHARE: f32 = 0.3;

/// A step that changes a turn by less, radians, is the last.
const FOUND: f32 = 1e-4;

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

/// Behind what an arm should turn: turn · row ≥ least.
type Face = (Vec3, f32);

/// What the turn of an arm is to be near, and how much that counts: that of the frame before.
type Near = (Vec3, f32);

/// A step of Newton from `turn` towards the turn that costs least: |turn|² + near |turn − before|², for each face [`FIRM`] times the
/// square of what is missing, and for each row of a tie so many times the square of what it is off.
fn nearest(
    faces: &[Option<Face>],
    (tied, weight): &([Face; 3], f32),
    (before, near): Near,
    turn: Vec3,
) -> Vec3 {
    let mut matrix = Mat3::from_diagonal(Vec3::splat(1.0 + near));
    let mut wanted = before * near;
    let missing = faces.iter().flatten();
    let missing = missing.filter(|(row, least)| row.dot(turn) <= *least);
    let rows = missing.map(|face| (face, FIRM));
    for ((row, value), weight) in rows.chain(tied.iter().map(|row| (row, *weight))) {
        let firm = *row * weight;
        matrix += Mat3::from_cols(firm * row.x, firm * row.y, firm * row.z);
        wanted += firm * *value;
    }
    matrix.inverse() * wanted
}

/// The turn of an arm that is outside: that of the frame before, which counts `near`, on its way to none.
fn forgotten((before, near): Near) -> Vec3 {
    before * (near / (1.0 + near))
}

/// A body in a frame, before its arms turn.
struct BodyFrame<'a> {
    look: &'a [Placed],
    /// The joints again, for points of the skin.
    joints: Vec<Affine3A>,
    /// What of the body may touch the arms.
    solid: PosedSolid,
}

impl<'a> BodyFrame<'a> {
    fn new(stage: &BodyStage, spheres: &Spheres, look: &'a [Placed]) -> Self {
        let joints: Vec<Affine3A> = look.iter().map(Placed::unscaled).collect();
        let near = stage.solid.blocks.iter().zip(&spheres.blocks);
        let near = near.filter(|(_, sphere)| {
            let away = TURN_AWAY * stage.height;
            spheres.is_near(sphere, look, away)
        });
        let room = ROOM * stage.height;
        let blocks = near.map(|(block, _)| block.posed(|joint| joints[joint], room));
        Self {
            solid: PosedSolid {
                blocks: blocks.collect(),
            },
            joints,
            look,
        }
    }
}

/// What an arm sees in a frame, before it turns.
struct ArmFrame<'a> {
    solid: &'a PosedSolid,
    shoulder: Vec3,
    /// How what carries the shoulder is turned. Points, turns and the line are in its axes.
    above: Quat,
    /// The arm's points, from the shoulder, and how much each counts.
    points: Vec<(Vec3, f32)>,
    /// The palm, from the shoulder.
    palm: Vec3,
    /// How long the arm is when it is straight.
    length: f32,
    /// From shoulder to wrist, in arm lengths.
    line: Vec3,
}

impl<'a> ArmFrame<'a> {
    fn new(
        (arm, kinematics): (&BodyArm, &Kinematics),
        palm: Vec3,
        body: &'a BodyFrame<'_>,
    ) -> Self {
        let look = body.look;
        let [shoulder, elbow, wrist] = arm.joints.map(|place| look[place].position());
        let above = kinematics.above(arm.joints[0]);
        let above = above.map_or(Quat::IDENTITY, |above| look[above].rotation);
        let own = |place: Vec3| above.conjugate() * (place - shoulder);
        let at = |joint: usize| body.joints[joint];
        let points = arm.points.iter().filter(|point| point.share >= LEAST_SHARE);
        let length = shoulder.distance(elbow) + elbow.distance(wrist);
        Self {
            solid: &body.solid,
            shoulder,
            above,
            points: points
                .map(|point| (own(point.point.place(at)), point.share))
                .collect(),
            palm: own(point_of(&look[arm.joints[2]], palm)),
            length,
            line: own(wrist) / length.max(f32::MIN_POSITIVE),
        }
    }

    /// True where the arm has a length, and is no further than this from the body.
    fn is_near(&self, away: f32) -> bool {
        let place = |(own, _): &(Vec3, f32)| self.shoulder + self.above * *own;
        let places: Vec<Vec3> = self.points.iter().map(place).collect();
        self.length > 0.0 && self.solid.is_near(&places, away)
    }

    /// How a turn moves the palm.
    fn moved(&self, turn: Vec3) -> Vec3 {
        self.above * (exp(turn) * self.palm - self.palm)
    }

    /// What a turn, beyond the one that is known, must be for the palm to move as another does, about this turn; and how much that counts.
    fn tie(&self, tied: Option<(Vec3, f32)>, known: Vec3, turn: Vec3) -> ([Face; 3], f32) {
        let Some((moved, held)) = tied else {
            return Default::default();
        };
        let palm = self.above * (exp(known + turn) * self.palm) / self.length;
        let off = (moved - self.moved(known + turn)) / self.length;
        let rows = [0, 1, 2].map(|axis| {
            let row = self.above.conjugate() * palm.cross(Vec3::AXES[axis]);
            (row, row.dot(turn) + off[axis])
        });
        (rows, held.powi(4) * TIED)
    }

    /// The turn of the arm, beyond the one that is known, that brings its points out as well as can be; near that of the frame before, and
    /// such that the hand moves as the other does to which it is tied.
    fn out_of(&self, (known, start): (Vec3, Vec3), near: Near, tied: Option<(Vec3, f32)>) -> Vec3 {
        let mut turn = start;
        let mut faces: Vec<Option<Face>> = vec![None; self.points.len()];
        let mut places = Vec::with_capacity(self.points.len());
        for _ in 0..LOOKS {
            let turned = self.above * exp(known + turn);
            places.clear();
            places.extend(
                self.points
                    .iter()
                    .map(|(own, _)| self.shoulder + turned * *own),
            );
            let mut is_any = false;
            self.solid.depths(&places, |number, depth, normal| {
                let share = self.points[number].1 / self.length;
                let from_shoulder = places[number] - self.shoulder;
                let row = self.above.conjugate() * from_shoulder.cross(normal) * share;
                faces[number] = Some((row, depth * share + row.dot(turn)));
                is_any = true;
            });
            if tied.is_none() && !is_any && faces.iter().all(Option::is_none) {
                return forgotten(near);
            }
            let start = turn;
            for _ in 0..STEPS {
                let last = turn;
                turn = nearest(&faces, &self.tie(tied, known, turn), near, turn);
                if turn.distance(last) < FOUND {
                    break;
                }
            }
            if turn.distance(start) < FOUND {
                break;
            }
        }
        turn
    }
}

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
                (*held > 0.0 || frame.is_near(AWAY * self.height)).then_some(frame)
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
