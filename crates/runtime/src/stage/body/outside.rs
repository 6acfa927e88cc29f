//! How an arm leaves the body in a frame.

use super::clip::FURTHEST;
use super::near::Spheres;
use super::posed::{PosedSolid, SolidLanes};
use super::skin::{PointLanes, SkinLanes};
use super::{BodyArm, BodyPoint, BodyStage};
use crate::solve::smooth;
use crate::stage::kinematics::{Kinematics, Placed};
use crate::stage::reach::point_of;
use glam::{Affine3A, Mat3, Quat, Vec3};
use rebone_model::elementary::Elementary as _;
use rebone_model::rotation::{exp, log};

/// How far from the body points stay, in heights.
const ROOM: f32 = 0.004;

/// Blocks that are further than this from the arms, in heights, are not looked at: no arm turns so far out of one that it is in another.
const TURN_AWAY: f32 = 0.15;

/// How much a point in the body counts, against 1 for the turn of the arm.
pub(super) const FIRM: f32 = 300.0;

/// How much it counts that two hands that hold on to each other move alike.
pub(super) const TIED: f32 = 3000.0;

/// How much it counts that a hand touches what the source's does.
pub(super) const TOUCHING: f32 = 300.0;

/// How often the faces are searched for by which points leave, in a frame.
const LOOKS: usize = 4;

/// Steps of Newton between two searches.
const STEPS: usize = 4;

/// Bends of elbows, radians. One that is bent by less than the first does not turn, and none opens to less: a straight elbow shows by
/// nothing to which side it bends. From the second on an elbow turns as far as a shoulder.
const BENDS: [f32; 2] = [0.35, 0.8];

/// Forearms that are shorter than this share of the arm show no elbow.
const LEAST_FOREARM: f32 = 0.01;

/// How stiff an elbow is sideways, times the square of the sine of its bend.
const SIDEWAYS: f32 = 30.0;

/// A step that changes a turn by less, radians, is the last.
const FOUND: f32 = 1e-3;

/// Behind what an arm should turn: turn · row ≥ least.
type Face = (Vec3, f32);

/// The turn that an arm is to be near: that of the frame before.
#[derive(Clone, Copy)]
pub(super) struct Near {
    pub(super) turn: Vec3,
    /// How much that counts; being near no turn at all counts 1.
    pub(super) weight: f32,
}

/// By how much the palm shall move, and how much that counts.
pub(super) type Tie = (Vec3, f32);

/// A step of Newton from `turn` towards the turn that costs least: |turn|², more about stiff axes, and near |turn − near.turn|²; for each
/// face [`FIRM`] times the square of what is missing, and for each row of a tie so many times the square of what it is off.
fn nearest(faces: &[Face], ties: &[([Face; 3], f32)], near: Near, stiff: Mat3, turn: Vec3) -> Vec3 {
    let mut matrix = Mat3::from_diagonal(Vec3::splat(1.0 + near.weight)) + stiff;
    let mut wanted = near.turn * near.weight;
    let missing = faces.iter();
    let missing = missing.filter(|(row, least)| row.dot(turn) <= *least);
    let rows = missing.map(|face| (face, FIRM));
    let ties = ties.iter().filter(|(_, weight)| *weight > 0.0);
    let tied = ties.flat_map(|(rows, weight)| rows.iter().map(|row| (row, *weight)));
    for ((row, value), weight) in rows.chain(tied) {
        let firm = *row * weight;
        matrix += Mat3::from_cols(firm * row.x, firm * row.y, firm * row.z);
        wanted += firm * *value;
    }
    matrix.inverse() * wanted
}

/// The turn of an arm that is outside: that of the frame before, on its way to none.
pub(super) fn forgotten(near: Near) -> Vec3 {
    near.turn * (near.weight / (1.0 + near.weight))
}

/// A body in a frame, before its arms turn.
pub(super) struct BodyFrame<'a> {
    look: &'a [Placed],
    /// The joints again, for points of the skin.
    joints: Vec<Affine3A>,
    /// What of trunk and head may touch the arms.
    trunk: PosedSolid,
    /// The same with the legs, where an arm is to leave them.
    whole: Option<PosedSolid>,
}

impl<'a> BodyFrame<'a> {
    /// A body of a height, whose joints `look` places. `with_legs` says whether some arm is to leave the legs.
    pub(super) fn new(
        solid: &SolidLanes,
        spheres: &Spheres,
        height: f32,
        with_legs: bool,
        look: &'a [Placed],
    ) -> Self {
        let joints: Vec<Affine3A> = look.iter().map(Placed::unscaled).collect();
        let near = spheres.near(look, TURN_AWAY * height);
        let posed = |is_wanted: &dyn Fn(usize) -> bool| {
            solid.posed_where(is_wanted, |joint| joints[joint], ROOM * height)
        };
        Self {
            trunk: posed(&|block| !spheres.is_leg(block) && near(block)),
            whole: with_legs.then(|| posed(&near)),
            joints,
            look,
        }
    }
}

/// An arm of a body, ready to be looked at in many frames.
pub(super) struct ArmSkin<'a> {
    /// Its place in [`BodyStage::arms`].
    pub(super) number: usize,
    arm: &'a BodyArm,
    kinematics: &'a Kinematics,
    skin: SkinLanes,
    /// How much each point goes with the hand, 0 to 1.
    of_hand: Vec<f32>,
}

impl<'a> ArmSkin<'a> {
    /// The arm of a stage with this number.
    pub(super) fn new(number: usize, stage: &'a BodyStage) -> Self {
        let (arm, kinematics) = (&stage.arms[number], &stage.target);
        let [_, lower, hand] = arm.joints;
        let is_in_hand = |joint: usize| {
            let mut up = std::iter::successors(Some(joint), |joint| kinematics.above(*joint));
            hand != lower && up.any(|joint| joint == hand)
        };
        let of_hand = |point: &BodyPoint| {
            let parts = point.point.parts();
            let own = parts.filter(|part| is_in_hand(part.joint));
            own.map(|part| part.weight).sum()
        };
        Self {
            number,
            arm,
            kinematics,
            skin: SkinLanes::new(arm.points.iter().map(|point| &point.point)),
            of_hand: arm.points.iter().map(of_hand).collect(),
        }
    }

    /// How the hand turns back when shoulder and elbow turn, so that it keeps so much of its rotation in model space: a rotation vector in the
    /// axes of what carries it.
    pub(super) fn turn_back(
        &self,
        look: &[Placed],
        [shoulder, elbow]: [Vec3; 2],
        keeps_rotation: f32,
    ) -> Vec3 {
        let above = self.arm.joints.map(|joint| {
            let above = self.kinematics.above(joint);
            above.map_or(Quat::IDENTITY, |above| look[above].rotation)
        });
        let back = |above: Quat, turn: Vec3| above * exp(-turn) * above.conjugate();
        let whole = back(above[1], elbow) * back(above[0], shoulder);
        above[2].conjugate() * log(whole) * keeps_rotation
    }
}

/// What is known of a hand in a frame.
#[derive(Clone, Copy)]
pub(super) struct HandFrame {
    /// The palm in the hand's axes.
    pub(super) palm: Vec3,
    /// How much the hand keeps its rotation in model space when the arm turns, 0 to 1.
    pub(super) keeps_rotation: f32,
    /// True where the arm leaves legs, too.
    pub(super) leaves_legs: bool,
}

/// What an arm sees in a frame, before it turns about its shoulder, or a forearm about its elbow.
pub(super) struct ArmFrame<'a> {
    solid: &'a PosedSolid,
    /// The shoulder, or the elbow.
    pivot: Vec3,
    /// How what carries the pivot is turned. Points, turns and the line are in its axes.
    above: Quat,
    /// The arm's points, from the pivot. Of a hand that keeps its rotation these are at its wrist.
    points: PointLanes,
    /// What such points keep, in model space: their way from the wrist. `None` of a hand that turns with the arm.
    kept: Option<PointLanes>,
    /// The arm again, which says how much each of them counts.
    arm: &'a BodyArm,
    /// The palm, from the pivot; the wrist of a hand that keeps its rotation.
    palm: Vec3,
    /// The elbow, from the shoulder, and how what carries it is turned against what carries the shoulder. `None` where it turns itself, or
    /// does not hang from the upper arm.
    elbow: Option<(Vec3, Quat)>,
    /// How stiff the pivot is, beside 1 about any axis.
    stiff: Mat3,
    /// The hinge of an elbow, and how far it is bent: turns about it fold. `None` of a shoulder.
    bend: Option<(Vec3, f32)>,
    /// How long the arm is when it is straight, or the forearm.
    length: f32,
    /// From the pivot to the wrist, in such lengths.
    pub(super) line: Vec3,
}

impl<'a> ArmFrame<'a> {
    pub(super) fn new(limb: &ArmSkin<'a>, hand: HandFrame, body: &'a BodyFrame<'_>) -> Self {
        let look = body.look;
        let ArmSkin {
            arm, kinematics, ..
        } = *limb;
        let [shoulder, elbow, wrist] = arm.joints.map(|place| look[place].position());
        let [above, middle] = [arm.joints[0], arm.joints[1]].map(|joint| {
            let above = kinematics.above(joint);
            above.map_or(Quat::IDENTITY, |above| look[above].rotation)
        });
        let mut up = std::iter::successors(Some(arm.joints[1]), |joint| kinematics.above(*joint));
        let is_chain = up.any(|joint| joint == arm.joints[0]);
        let own = |place: Vec3| above.conjugate() * (place - shoulder);
        let mut points = limb.skin.placed(|joint| body.joints[joint]);
        let mut palm = point_of(&look[arm.joints[2]], hand.palm);
        let keeps = hand.keeps_rotation;
        let kept = (keeps > 0.0).then(|| {
            palm = palm.lerp(wrist, keeps);
            let kept = points.map(|number, point| (point - wrist) * (keeps * limb.of_hand[number]));
            points = points.map(|number, point| point - kept.point(number));
            kept
        });
        let points = points.moved(shoulder, Mat3::from_quat(above.conjugate()), Vec3::ZERO);
        let (elbow, mut wrist) = (own(elbow), own(wrist));
        // An arm of two joints ends where its skin does.
        if arm.joints[1] == arm.joints[2] {
            let way = |place: &Vec3| place.distance_squared(elbow);
            let places = (0..points.count()).map(|number| points.point(number));
            wrist = places.fold(
                wrist,
                |end, place| if way(&place) > way(&end) { place } else { end },
            );
        }
        let length = elbow.length() + elbow.distance(wrist);
        Self {
            solid: body
                .whole
                .as_ref()
                .filter(|_| hand.leaves_legs)
                .unwrap_or(&body.trunk),
            pivot: shoulder,
            above,
            elbow: is_chain.then(|| (elbow, above.conjugate() * middle)),
            stiff: Mat3::ZERO,
            bend: None,
            points,
            kept,
            arm,
            palm: own(palm),
            length,
            line: wrist / length.max(f32::MIN_POSITIVE),
        }
    }

    /// The same of the forearm, once the arm has turned about its shoulder. `None` without such an elbow.
    pub(super) fn at_elbow(&self, turn: Vec3) -> Option<Self> {
        let (elbow, middle) = self.elbow?;
        let turned = self.above * exp(turn);
        let own = |place: Vec3| middle.conjugate() * (place - elbow);
        let wrist = own(self.line * self.length);
        let [upper, lower] = [middle.conjugate() * elbow, wrist].map(Vec3::normalize_or_zero);
        let hinge = upper.cross(lower);
        let outer = |way: Vec3| Mat3::from_cols(way * way.x, way * way.y, way * way.z);
        let length = wrist.length();
        if length < LEAST_FOREARM * self.length {
            return None;
        }
        Some(Self {
            solid: self.solid,
            pivot: self.pivot + turned * elbow,
            above: turned * middle,
            points: self
                .points
                .moved(elbow, Mat3::from_quat(middle.conjugate()), Vec3::ZERO),
            kept: self.kept.clone(),
            arm: self.arm,
            palm: own(self.palm),
            elbow: None,
            stiff: outer(hinge.cross(upper)) * SIDEWAYS,
            bend: Some((
                hinge.normalize_or_zero(),
                hinge.length().arc_tangent(upper.dot(lower)),
            )),
            length,
            line: wrist / length,
        })
    }

    /// How far the pivot may turn: an elbow less, the straighter it is.
    pub(super) fn furthest(&self) -> f32 {
        self.bend.map_or(FURTHEST, |(_, bend)| {
            FURTHEST * smooth((bend - BENDS[0]) / (BENDS[1] - BENDS[0]))
        })
    }

    /// A turn that opens no elbow so far that it is nearly straight.
    pub(super) fn kept_bent(&self, turn: Vec3) -> Vec3 {
        self.bend.map_or(turn, |(hinge, bend)| {
            let least = (BENDS[0] - bend).min(0.0);
            turn - hinge * (turn.dot(hinge) - least).min(0.0)
        })
    }

    /// How long the arm is when it is straight, or the forearm.
    pub(super) fn length(&self) -> f32 {
        self.length
    }

    /// True where what turns is no further than this from the body, or its hand is tied to something: another hand, or what it touches.
    pub(super) fn is_near(&self, tied: f32, away: f32) -> bool {
        tied > 0.0 || self.solid.is_near(&self.turned(Vec3::ZERO), away)
    }

    /// How deep the deepest point is in the body, once it has turned.
    pub(super) fn depth(&self, turn: Vec3) -> f32 {
        let mut most = 0.0_f32;
        let places = self.turned(turn);
        self.solid
            .depths(&places, |_, depth, _| most = most.max(depth));
        most
    }

    /// Where the points are once it has turned.
    fn turned(&self, turn: Vec3) -> PointLanes {
        let turned = Mat3::from_quat(self.above * exp(turn));
        let turned = self.points.moved(Vec3::ZERO, turned, self.pivot);
        match &self.kept {
            Some(kept) => turned.map(|number, point| point + kept.point(number)),
            None => turned,
        }
    }

    /// How a turn moves the palm.
    pub(super) fn moved(&self, turn: Vec3) -> Vec3 {
        self.above * (exp(turn) * self.palm - self.palm)
    }

    /// What a turn, beyond the one that is known, must be for the palm to move by so much, about this turn.
    fn tie(&self, moved: Vec3, known: Vec3, turn: Vec3) -> [Face; 3] {
        let palm = self.above * (exp(known + turn) * self.palm) / self.length;
        let off = (moved - self.moved(known + turn)) / self.length;
        [0, 1, 2].map(|axis| {
            let row = self.above.conjugate() * palm.cross(Vec3::AXES[axis]);
            (row, row.dot(turn) + off[axis])
        })
    }

    /// The turn of the arm, beyond the one that is known, that brings its points out as well as can be; near that of the frame before, and
    /// such that the hand moves as the other does to which it is tied.
    pub(super) fn out_of(&self, known: Vec3, start: Vec3, near: Near, ties: &[Tie; 2]) -> Vec3 {
        let mut turn = start;
        // Of each point that was inside, behind which face it should be.
        let mut faces: Vec<Option<Face>> = vec![None; self.points.count()];
        let mut known_faces = Vec::new();
        for _ in 0..LOOKS {
            let places = self.turned(known + turn);
            self.solid.depths(&places, |number, depth, normal| {
                let share = self.arm.points[number].share / self.length;
                let kept = self.kept.as_ref().map(|kept| kept.point(number));
                let from_pivot = places.point(number) - kept.unwrap_or_default() - self.pivot;
                let row = self.above.conjugate() * from_pivot.cross(normal) * share;
                faces[number] = Some((row, depth * share + row.dot(turn)));
            });
            known_faces.clear();
            known_faces.extend(faces.iter().flatten().copied());
            let is_tied = ties.iter().any(|tie| tie.1 > 0.0);
            if !is_tied && known_faces.is_empty() {
                return forgotten(near);
            }
            let start = turn;
            for _ in 0..STEPS {
                let last = turn;
                turn = nearest(
                    &known_faces,
                    &ties.map(|(moved, weight)| (self.tie(moved, known, turn), weight)),
                    near,
                    self.stiff,
                    turn,
                );
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
