//! How arms stay outside over a whole clip.

use super::near::{AWAY, Spheres};
use super::solid::PosedSolid;
use super::{BodyArm, BodyStage, MOST_ARMS, ShoulderTurns};
use crate::runtime::stage::kinematics::{Kinematics, Placed};
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

/// How much of the end of a clip that is a loop comes before its beginning, seconds.
const AROUND: f32 = 1.0;

/// A wrist that is off by less, in arm lengths, is where it was.
const SAME: f32 = 0.03;

/// Behind what an arm should turn: turn · row ≥ least.
type Face = (Vec3, f32);

/// A step of Newton from `turn` towards the turn that costs least: |turn|² + near |turn − before|² and, for each face, [`FIRM`] times the
/// square of what is missing.
fn nearest(faces: &[Option<Face>], (before, near): (Vec3, f32), turn: Vec3) -> Vec3 {
    let mut matrix = Mat3::from_diagonal(Vec3::splat(1.0 + near));
    let mut wanted = before * near;
    for (row, least) in faces.iter().flatten() {
        if row.dot(turn) <= *least {
            let firm = *row * FIRM;
            matrix += Mat3::from_cols(firm * row.x, firm * row.y, firm * row.z);
            wanted += firm * *least;
        }
    }
    matrix.inverse() * wanted
}

/// The turn of an arm that is outside: that of the frame before, which counts `near`, on its way to none.
fn forgotten(before: Vec3, near: f32) -> Vec3 {
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
    /// How long the arm is when it is straight.
    length: f32,
    /// From shoulder to wrist, in arm lengths.
    line: Vec3,
}

impl<'a> ArmFrame<'a> {
    fn new((arm, kinematics): (&BodyArm, &Kinematics), body: &'a BodyFrame<'_>) -> Self {
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

    /// The turn of the arm, beyond the one that is known, that brings its points out as well as can be; near that of the frame before, which
    /// counts `near`.
    fn out_of(&self, known: Vec3, (before, near): (Vec3, f32)) -> Vec3 {
        let mut turn = before;
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
            if !is_any && faces.iter().all(Option::is_none) {
                return forgotten(before, near);
            }
            let start = turn;
            for _ in 0..STEPS {
                let last = turn;
                turn = nearest(&faces, (before, near), turn);
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

impl BodyStage {
    /// How the arms turn in each frame of a clip, so that they leave the body. `looks` says where the target's joints are before, in frames
    /// in which arms are near the body. `None` in frames in which no arm turns.
    pub(in crate::runtime) fn outside(
        &self,
        times: &[f32],
        looks: &[Option<Vec<Placed>>],
        spheres: &Spheres,
    ) -> Vec<Option<ShoulderTurns>> {
        let bodies = looks.iter();
        let bodies = bodies.map(|look| Some(BodyFrame::new(self, spheres, look.as_deref()?)));
        let bodies: Vec<Option<BodyFrame<'_>>> = bodies.collect();
        let mut turns = vec![ShoulderTurns::default(); looks.len()];
        for (number, arm) in self.arms.iter().enumerate().take(MOST_ARMS) {
            let frames = bodies.iter().map(|body| {
                let frame = ArmFrame::new((arm, &self.target), body.as_ref()?);
                frame.is_near(AWAY * self.height).then_some(frame)
            });
            let frames: Vec<Option<ArmFrame<'_>>> = frames.collect();
            let mut known = vec![Vec3::ZERO; looks.len()];
            for _ in 0..ROUNDS {
                let Some(further) = further(times, &frames, &known) else {
                    break;
                };
                for (known, further) in known.iter_mut().zip(further) {
                    *known += further;
                }
            }
            for (turns, known) in turns.iter_mut().zip(known) {
                turns[number] = known;
            }
        }
        let is_still = |turn: &Vec3| turn.length() <= STILL;
        let turned = |turns: ShoulderTurns| (!turns.iter().all(is_still)).then_some(turns);
        turns.into_iter().map(turned).collect()
    }
}

/// By how much an arm turns further, in each frame, so that no point is inside; `None` where none is. It is looked for forwards and
/// backwards in time, so that an arm begins to turn before it has to. Where it ends as it began, it begins as it ends, so that a clip that is
/// played in a loop has no jump.
fn further(times: &[f32], frames: &[Option<ArmFrame<'_>>], known: &[Vec3]) -> Option<Vec<Vec3>> {
    let count = times.len();
    let (mut from, mut until) = (count, 0);
    if ends_as_it_began(frames) {
        from = times.partition_point(|time| *time < times[count - 1] - AROUND);
        until = times.partition_point(|time| *time <= times[0] + AROUND);
    }
    let mut forwards = pass((from..count).chain(0..count), times, frames, known);
    let order = (0..until).rev().chain((0..count).rev());
    let mut backwards = pass(order, times, frames, known);
    forwards.drain(..count - from);
    backwards.drain(..until);
    backwards.reverse();
    let both = forwards.iter().zip(&backwards);
    // The larger of the two counts more.
    let both = both.map(|(one, other)| {
        let (first, second) = (one.length_squared(), other.length_squared());
        let sum = *one * first + *other * second;
        (sum / (first + second).max(f32::MIN_POSITIVE)).as_dvec3()
    });
    let turns: Vec<DVec3> = both.collect();
    if turns.iter().all(|turn| *turn == DVec3::ZERO) {
        return None;
    }
    let weights = vec![1.0; times.len()];
    let turns = Calm::new(times, &weights, SECONDS).calm(&turns);
    Some(turns.into_iter().map(DVec3::as_vec3).collect())
}

/// True where the arm is in the last frame where it was in the first.
fn ends_as_it_began(frames: &[Option<ArmFrame<'_>>]) -> bool {
    match frames {
        [Some(first), .., Some(last)] => first.line.distance(last.line) < SAME,
        _ => false,
    }
}

/// One pass over the frames, in this order: each begins near the frame before, and turns no faster than it may.
fn pass(
    order: impl Iterator<Item = usize>,
    times: &[f32],
    frames: &[Option<ArmFrame<'_>>],
    known: &[Vec3],
) -> Vec<Vec3> {
    let mut last: Option<(usize, Vec3)> = None;
    let turn = |frame: usize| {
        let (own, known_now) = (frames[frame].as_ref(), known[frame]);
        let out_of = |before: Vec3, near: f32| {
            own.map_or_else(
                || forgotten(before, near),
                |own| own.out_of(known_now, (before, near)),
            )
        };
        let turn = match last {
            // Nothing is before the first frame, so it is near itself.
            None => (0..FIRST).fold(Vec3::ZERO, |turn, _| out_of(turn, 1.0)),
            Some((before, turn)) => {
                // The first frame follows on the last as the last on the one before.
                let steps = if frame.abs_diff(before) > 1 {
                    [1, 0]
                } else {
                    [frame, before]
                };
                let seconds = (times[steps[0]] - times[steps[1]]).abs();
                let wanted = out_of(turn, NEAR / seconds.max(SHORTEST));
                let lines = own.zip(frames[before].as_ref());
                let speed = lines.map_or(0.0, |(own, before)| own.line.distance(before.line));
                let most = SLOW * seconds + SPEED_SHARE * speed;
                let start = known[before] + turn;
                let step = known_now + wanted - start;
                start + step.clamp_length_max(most) - known_now
            }
        };
        last = Some((frame, turn));
        turn
    };
    order.map(turn).collect()
}
