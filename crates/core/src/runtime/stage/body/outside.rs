//! How arms stay outside over a whole clip.

use super::solid::PosedSolid;
use super::{BodyArm, BodyStage};
use crate::lanes::limbs::LANES;
use crate::runtime::stage::kinematics::Placed;
use crate::runtime::stage::limb::{steady_arms, within_reach};
use crate::solve::calm::Calm;
use crate::solve::steady::{Moves, settle_stretches};
use crate::solve::two_bone::Reach;
use glam::{DVec3, Mat3, Quat, Vec3};

/// T: seconds over which the way of a wrist is smoothed.
pub(super) const SECONDS: f64 = 0.08;

/// How often wrists are brought out and arms follow.
pub(super) const ROUNDS: usize = 3;

/// How far from the body points stay, in heights.
const ROOM: f32 = 0.004;

/// τ: seconds after which a wrist has forgotten where it left the body.
pub(super) const NEAR: f32 = 0.13;

/// No frame is shorter, seconds.
const SHORTEST: f32 = 1e-3;

/// W: how much a point in the body counts, against 1 for the way of the wrist.
pub(super) const FIRM: f32 = 300.0;

/// How often the faces are searched for by which points leave, in a frame.
const LOOKS: usize = 4;

/// Passes over the first frame, which has no frame before it to begin near.
const FIRST: usize = 20;

/// Steps of Newton between two searches.
const STEPS: usize = 4;

/// The least share of a point that brings a wrist out: those near the elbow would move it too far.
const LEAST_SHARE: f32 = 0.3;

/// A wrist that moves by less, in heights, stays.
const THERE: f32 = 1e-5;

/// An arm that is longer than this share of its bones, and than it was, is too straight.
const STRETCHED: f32 = 0.96;

/// Behind what a wrist should go: o · n ≥ least. n is as long as the share of the point.
type Face = (Vec3, f32);

/// A step of Newton towards the least of |o|² + τ/h |o − before|² + W Σ max(0, least − o · n)², from `way`.
fn nearest(faces: &[Option<Face>], (before, near): (Vec3, f32), way: Vec3) -> Vec3 {
    let mut matrix = Mat3::from_diagonal(Vec3::splat(1.0 + near));
    let mut wanted = before * near;
    for (normal, least) in faces.iter().flatten() {
        if normal.dot(way) <= *least {
            let firm = *normal * FIRM;
            matrix += Mat3::from_cols(firm * normal.x, firm * normal.y, firm * normal.z);
            wanted += firm * *least;
        }
    }
    matrix.inverse() * wanted
}

/// An arm in a frame.
struct PosedArm {
    /// Its points, and how far each goes along with the wrist.
    points: Vec<(Vec3, f32)>,
    /// From the shoulder to the wrist, and how far that may be.
    from_shoulder: Vec3,
    reach: f32,
}

impl PosedArm {
    /// The way of the wrist that brings the points out, as well as can be; near that of the frame before, which counts τ/h.
    fn out_of(&self, solid: &PosedSolid, (before, near): (Vec3, f32)) -> Vec3 {
        let mut way = before;
        let mut faces: Vec<Option<Face>> = vec![None; self.points.len() + 1];
        for _ in 0..LOOKS {
            for ((place, share), face) in self.points.iter().zip(&mut faces) {
                if let Some((depth, normal)) = solid.depth(*place + way * *share) {
                    let normal = normal * *share;
                    *face = Some((normal, depth + normal.dot(way)));
                }
            }
            let from_shoulder = self.from_shoulder + way;
            let (back, far) = (-from_shoulder.normalize_or_zero(), from_shoulder.length());
            if far > self.reach {
                faces[self.points.len()] = Some((back, far - self.reach + back.dot(way)));
            }
            if faces.iter().all(Option::is_none) {
                return before * (near / (1.0 + near));
            }
            for _ in 0..STEPS {
                way = nearest(&faces, (before, near), way);
            }
        }
        way
    }
}

impl BodyStage {
    /// How the arms turn in each frame of a clip, so that they leave the body. `looks` says where the target's joints are before. `None`
    /// in frames in which no wrist moves.
    pub(in crate::runtime) fn outside(
        &self,
        times: &[f32],
        looks: &[Vec<Placed>],
    ) -> Vec<Option<Moves>> {
        let mut moves: Vec<Option<Moves>> = vec![None; looks.len()];
        let mut ways = vec![[Vec3::ZERO; LANES]; looks.len()];
        let solids: Vec<PosedSolid> = looks
            .iter()
            .map(|look| {
                let at = |place: usize| (look[place].position(), look[place].rotation);
                self.solid.posed(at, ROOM * self.height)
            })
            .collect();
        for _ in 0..ROUNDS {
            let mut is_any = false;
            for (number, arm) in self.arms.iter().enumerate().take(LANES) {
                let frames = looks.iter().zip(&moves);
                let frames = frames.map(|(look, moves)| arm.posed(number, look, moves.as_ref()));
                let frames: Vec<PosedArm> = frames.collect();
                let further = further(times, &solids, &frames);
                for (ways, further) in ways.iter_mut().zip(further) {
                    is_any |= further != Vec3::ZERO;
                    ways[number] += further;
                }
            }
            if !is_any {
                break;
            }
            let limbs = looks.iter().zip(&ways).map(|(look, ways)| {
                let is_still = |way: &Vec3| way.length() <= THERE * self.height;
                if ways.iter().all(is_still) {
                    return None;
                }
                let arms = self.arms.iter().zip(ways).map(|(arm, way)| {
                    let bones = arm.limb.bones(look);
                    let wanted = bones[0] + bones[1] + *way;
                    (!is_still(way)).then(|| (bones, within_reach(&Reach::SOFT, bones, wanted)))
                });
                Some(steady_arms(arms, Vec3::Y))
            });
            moves = settle_stretches(times, limbs);
        }
        moves
    }
}

/// By how much a wrist moves further, in each frame, so that no point is inside.
fn further(times: &[f32], solids: &[PosedSolid], arms: &[PosedArm]) -> Vec<Vec3> {
    let mut way = Vec3::ZERO;
    if let (Some(solid), Some(arm)) = (solids.first(), arms.first()) {
        // Nothing is before the first frame, so it is near itself.
        for _ in 0..FIRST {
            way = arm.out_of(solid, (way, 1.0));
        }
    }
    let mut before = times.first().copied().unwrap_or_default();
    let frames = solids.iter().zip(arms).zip(times);
    let ways = frames.map(|((solid, arm), &time)| {
        let seconds = time - std::mem::replace(&mut before, time);
        way = arm.out_of(solid, (way, NEAR / seconds.max(SHORTEST)));
        way.as_dvec3()
    });
    let ways: Vec<DVec3> = ways.collect();
    if ways.iter().all(|way| *way == DVec3::ZERO) {
        return vec![Vec3::ZERO; times.len()];
    }
    let weights = vec![1.0; times.len()];
    let ways = Calm::new(times, &weights, SECONDS).calm(&ways);
    ways.into_iter().map(DVec3::as_vec3).collect()
}

impl BodyArm {
    /// Where it is when it has turned.
    fn posed(&self, number: usize, look: &[Placed], moves: Option<&Moves>) -> PosedArm {
        let [upper, lower] = moves.map_or([Quat::IDENTITY; 2], |moves| moves.rotations_of(number));
        let bones = self.limb.bones(look);
        let [shoulder, elbow, wrist] = self.limb.places().map(|place| look[place].position());
        let new_elbow = shoulder + upper * bones[0];
        let shift = new_elbow + lower * bones[1] - wrist;
        let at = |place: usize| (look[place].position(), look[place].rotation);
        let place = |point: &super::BodyPoint| {
            let own = point.point.place(at);
            let share = point.share;
            let moved = if share < 1.0 {
                new_elbow + lower * (own - elbow)
            } else {
                own + shift
            };
            (moved, share)
        };
        let counting = self
            .points
            .iter()
            .filter(|point| point.share >= LEAST_SHARE);
        let length = bones[0].length() + bones[1].length();
        let from_shoulder = upper * bones[0] + lower * bones[1];
        PosedArm {
            points: counting.map(place).collect(),
            from_shoulder,
            reach: (STRETCHED * length).max((bones[0] + bones[1]).length()),
        }
    }
}
