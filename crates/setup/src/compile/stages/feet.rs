//! From two aligned bodies to the stage that plants their feet.

use super::tips::sole_edge;
use crate::align::contact_points;
use crate::align::limbs::{self, SIDES};
use crate::align::{Alignment, Placement, retarget_placements};
use crate::compile::attach::{beside, with_carriers};
use crate::compile::limb::Limb;
use crate::compile::{Both, Mapped};
use crate::feet::FeetChoice;
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Stance};
use crate::root::standing_height;
use glam::DVec3;
use rebone_runtime::contact::{ContactPoints, ContactRules, Touch};
use rebone_runtime::stage::{
    AnkleMotion, FeetStage, Kinematics, Leg, SoleEdge, Stage, StageOp, Stand,
};
use rebone_runtime::{Plan, RotationOp};

/// Bodies whose legs differ by less than this share of the leg are alike, and need no stage.
const ALIKE: f64 = 1e-4;

/// A middle joint nearer to the line than this share of the upper bone shows no side.
const STRAIGHT: f64 = 0.02;

/// The edge of a heel is the furthest point of a foot in this direction: behind and down.
const HEEL: DVec3 = DVec3::new(0.0, -0.87, -0.5);

/// The parts of a leg: thigh, shin, foot.
type Parts = [Part; 3];

/// True where feet are wanted, and the target's legs are more than the source's legs made larger or smaller.
pub(crate) fn are_unlike(
    both: &Both<'_>,
    choice: &FeetChoice,
    hips: Option<(usize, usize)>,
) -> bool {
    let Some(hips) = hips.filter(|_| choice.weight > 0.0) else {
        return false;
    };
    let bodies = Bodies::new(both, None);
    let legs = bodies.legs();
    !legs.is_empty() && !bodies.are_alike(&legs, hips, lift(both, choice))
}

/// By how much the target's legs are longer than k times the source's, target file units.
fn lift(both: &Both<'_>, choice: &FeetChoice) -> f64 {
    standing_height(&both.to.measures, choice.standing)
        - both.factors.y * standing_height(&both.from.measures, choice.standing)
}

/// The stage that plants the feet; `None` where nobody wants it, where a side has no such legs, and where the target's
/// legs are the source's, only larger or smaller: then nothing needs to be corrected.
pub(super) fn stage(
    both: &Both<'_>,
    choice: &FeetChoice,
    rules: &ContactRules,
    hips: Option<(usize, usize)>,
    plan: &Plan,
) -> Option<Stage> {
    let (from_hips, to_hips) = hips.filter(|_| choice.weight > 0.0)?;
    let bodies = Bodies::new(both, Some(plan));
    let legs = bodies.legs();
    let lift = lift(both, choice);
    if legs.is_empty() || bodies.are_alike(&legs, (from_hips, to_hips), lift) {
        return None;
    }
    let source = Kinematics::new(&plan.source, legs.iter().flat_map(Joints::of_source));
    let attached = beside(plan);
    let looked_at = legs.iter().flat_map(Joints::of_target);
    let looked_at = looked_at.chain(with_carriers(&attached)).chain([to_hips]);
    let target = Kinematics::new(&plan.target, looked_at);
    let contacts = bodies.contacts();
    let legs: Option<Vec<Leg>> = legs
        .iter()
        .map(|leg| bodies.leg(leg, &source, &target, &contacts))
        .collect();
    let file_from_canonical = both.to.canonical_from_file.conjugate();
    let target_from_source = both.target_from_source();
    let measures = &both.to.measures;
    let size = measures.stride();
    let stage = FeetStage {
        hips: to_hips,
        hips_frame: bodies.frame(both.to, to_hips),
        linear: target_from_source.matrix3.as_mat3(),
        shift: target_from_source.translation.as_vec3(),
        up: (file_from_canonical * DVec3::Y).as_vec3(),
        left: (file_from_canonical * DVec3::X).as_vec3(),
        floor: both.target_floor as f32,
        size: size as f32,
        anchor: choice.anchor,
        pull: choice.pull as f32,
        signed_pull: choice.signed_pull,
        floor_rule: choice.floor,
        reach: choice.reach.bounds(),
        bend: choice.bend,
        // One slot is the elbow of a dog and the knee of a horse, which bend to opposite sides.
        one_way: bodies.stands_on_four(),
        legs: legs?.into(),
        edges: choice.toes as f32,
        swing: choice
            .swing
            .map(|heights| heights.map(|height| height as f32)),
        lock: choice.lock as f32,
        contacts: contacts.clone(),
        rules: rules.clone(),
        rise: both.factors.y as f32,
        stand: Some(Stand {
            lift: lift as f32,
            least: (0.05 * (measures.leg + measures.hip_width)) as f32,
        }),
        attached,
        source,
        target,
    };
    Some(Stage {
        weight: choice.weight as f32,
        op: StageOp::Feet(stage),
    })
}

/// The joints of a leg, of both rigs.
struct Joints {
    side: Side,
    parts: Parts,
    carries: bool,
    source: Limb,
    source_toes: Option<usize>,
    target: Limb,
    toes: Option<usize>,
}

impl Joints {
    fn of_source(&self) -> impl Iterator<Item = usize> + use<> {
        let thigh = self.carries.then_some(self.source.upper);
        [thigh, Some(self.source.end.joint), self.source_toes]
            .into_iter()
            .flatten()
    }

    fn of_target(&self) -> impl Iterator<Item = usize> + use<> {
        self.target.joints().into_iter().chain(self.toes)
    }
}

impl Joints {
    /// What turns the target's sole.
    fn ankle(&self) -> AnkleMotion {
        match (self.source.has_end(), self.target.has_end()) {
            (_, false) => AnkleMotion::Absent,
            (false, true) => AnkleMotion::Levels,
            (true, true) => AnkleMotion::AsSource,
        }
    }
}

/// Both bodies in their retarget poses, on their floors.
struct Bodies<'a> {
    both: &'a Both<'a>,
    source: Vec<Placement>,
    target: Vec<Placement>,
    /// What drives the target, where that is known.
    plan: Option<&'a Plan>,
}

/// To which side of the line from end to end the middle joint of a leg is; `None` of a straight one.
fn knee_side([thigh, shin, foot]: [DVec3; 3]) -> Option<DVec3> {
    let line = (foot - thigh).normalize_or_zero();
    let knee = shin - thigh;
    let off = knee - line * knee.dot(line);
    let is_bent = off.length() > STRAIGHT * knee.length();
    off.try_normalize().filter(|_| is_bent)
}

impl<'a> Bodies<'a> {
    fn new(both: &'a Both<'a>, plan: Option<&'a Plan>) -> Self {
        Self {
            both,
            source: retarget_placements(both.source.character, both.source.map, both.from),
            target: retarget_placements(both.target.character, both.target.map, both.to),
            plan,
        }
    }

    /// The points of the source that touch the floor.
    fn contacts(&self) -> ContactPoints {
        let source = self.both.source;
        let floor = self.both.source_floor;
        contact_points(source.character, source.map, self.both.from, floor)
    }

    /// The legs that both bodies stand on, pair by pair; none where they stand in different ways.
    fn legs(&self) -> Vec<Joints> {
        let [from, to] = [self.both.source, self.both.target].map(|side| side.map.profile.stance);
        if from != to || to == Stance::Free {
            return Vec::new();
        }
        let mut pairs = vec![limbs::LEG];
        if to == Stance::FourLegged {
            pairs.push(limbs::ARM);
        }
        let legs = pairs.iter().enumerate();
        legs.flat_map(|(pair, parts)| self.joints(*parts, pair == 0))
            .collect()
    }

    /// The legs of a pair that both bodies have.
    fn joints(&self, parts: Parts, carries: bool) -> Vec<Joints> {
        let leg = |body: &Mapped<'_>, places: &[Placement], side: Side| {
            let toes = limbs::below(body.map, parts[2], Part::Toes, side);
            Some((Limb::new(body, places, parts, side)?, toes))
        };
        let skeleton = &self.both.target.character.skeleton;
        SIDES
            .into_iter()
            .filter_map(|side| {
                let (source, source_toes) = leg(self.both.source, &self.source, side)?;
                let (target, toes) = leg(self.both.target, &self.target, side)?;
                // A foot that the source does not have goes with its shin.
                let foot = source.has_end().then_some(target.end.joint);
                let is_driven = [target.upper, target.lower]
                    .into_iter()
                    .chain(foot)
                    .all(|joint| {
                        let own = self.plan.map(|plan| &plan.rotations[joint]);
                        !matches!(own, Some(RotationOp::Rest))
                    });
                // Toes that do not hang from the foot say nothing about where it stands.
                let toes = toes.filter(|&toes| skeleton.is_ancestor(target.end.joint, toes));
                is_driven.then_some(Joints {
                    side,
                    parts,
                    carries,
                    source,
                    source_toes,
                    target,
                    toes,
                })
            })
            .collect()
    }

    /// Target units a source unit along the ground.
    fn along(&self) -> f64 {
        0.5 * (self.both.factors.x + self.both.factors.z)
    }

    /// True where every joint of the target's legs is where the source's is, times k.
    fn are_alike(&self, legs: &[Joints], hips: (usize, usize), lift: f64) -> bool {
        let k = self.both.factors;
        let room = ALIKE * self.both.to.measures.leg;
        let far = |a: DVec3, b: DVec3| (k * a).distance(b) >= room;
        let at = |places: &[Placement], joint: usize| places[joint].position;
        let unlike = |leg: &Joints| {
            let (a, b) = (leg.source.at(&self.source), leg.target.at(&self.target));
            let thigh = [(&self.source, hips.0, a), (&self.target, hips.1, b)]
                .map(|(places, hips, leg)| leg[0] - at(places, hips));
            let toes = leg
                .source_toes
                .zip(leg.toes)
                .map(|(own, other)| [at(&self.source, own) - a[2], at(&self.target, other) - b[2]]);
            leg.source.has_end() != leg.target.has_end()
                || (leg.carries && far(thigh[0], thigh[1]))
                || far(a[1] - a[0], b[1] - b[0])
                || far(a[2] - a[1], b[2] - b[1])
                || (k.y * a[2].y - b[2].y).abs() >= room
                || toes.is_some_and(|[own, other]| far(own, other))
        };
        lift.abs() < room && !legs.iter().any(unlike)
    }

    /// Inverse of a target joint's rotation in the retarget pose, file space.
    fn frame(&self, to: &Alignment, joint: usize) -> glam::Quat {
        (to.retarget_rotation(joint).conjugate() * to.canonical_from_file).as_quat()
    }

    fn leg(
        &self,
        joints: &Joints,
        source: &Kinematics,
        target: &Kinematics,
        contacts: &ContactPoints,
    ) -> Option<Leg> {
        let (from, to) = (self.both.from, self.both.to);
        let file_from_canonical = to.canonical_from_file.conjugate();
        let vertical = self.both.factors.y;
        let side = joints.side.sign() as i8;
        let [thigh, shin, foot] = joints.target.joints();
        let (ankle_a, ankle_b) = self.ankle_heights(joints);
        let (width_a, width_b) = if joints.carries {
            (from.measures.hip_width, to.measures.hip_width)
        } else {
            (from.measures.shoulder_width, to.measures.shoulder_width)
        };
        let toes = joints.source_toes.zip(joints.toes);
        let [ball, toes_height] = self.toes(joints);
        let [heel, tip] = self.edges(joints);
        Some(Leg {
            carries: joints.carries,
            source_thigh: source.find(joints.source.upper).filter(|_| joints.carries),
            source_foot: source.find(joints.source.end.joint)?,
            source_end: joints.source.end.offset.as_vec3(),
            source_toes: toes.and_then(|(own, _)| source.find(own)),
            thigh: target.find(thigh)?,
            shin: target.find(shin)?,
            foot: target.find(foot)?,
            end: joints.target.end.offset.as_vec3(),
            ankle: joints.ankle(),
            heel,
            tip,
            toes: joints.toes.and_then(|toes| target.find(toes)),
            foot_frame: self.frame(to, foot),
            forward: (to.retarget_rotation(thigh).conjugate() * self.forward(joints)).as_vec3(),
            sole: (ankle_b - vertical * ankle_a) as f32,
            aside: (f64::from(joints.side.sign()) * 0.5 * (width_b - self.along() * width_a))
                as f32,
            along: (file_from_canonical * DVec3::Z * self.along_body(joints)).as_vec3(),
            ankle_height: ankle_b as f32,
            ball: ball as f32,
            ahead: (file_from_canonical * self.ahead(joints)).as_vec3(),
            toes_height: toes_height as f32,
            length: if joints.carries {
                to.measures.leg
            } else {
                to.measures.front_leg
            } as f32,
            heel_point: contacts.find(Touch::Heel, side, !joints.carries),
            ball_point: toes.and_then(|_| contacts.find(Touch::Toes, side, !joints.carries)),
        })
    }

    /// The edges of the target's sole behind the ankle, and of a foot without toes ahead of it.
    fn edges(&self, joints: &Joints) -> [SoleEdge; 2] {
        if self.stands_on_four() || !joints.target.has_end() {
            return [SoleEdge::default(); 2];
        }
        let edge =
            |towards: DVec3| sole_edge(self.both, &self.target, joints.target.end.joint, towards);
        let ahead = DVec3::new(-HEEL.x, HEEL.y, -HEEL.z);
        let tip = joints.toes.is_none().then(|| edge(ahead));
        [edge(HEEL), tip.unwrap_or_default()]
    }

    /// τ_B − k τ_A, and τ_B.
    fn toes(&self, joints: &Joints) -> [f64; 2] {
        let height = |places: &[Placement], joint: usize| places[joint].position.y.max(0.0);
        let own = joints.toes.map_or(0.0, |toes| height(&self.target, toes));
        let source = joints.source_toes.filter(|_| joints.toes.is_some());
        let ball = source.map_or(0.0, |toes| {
            own - self.both.factors.y * height(&self.source, toes)
        });
        [ball, own]
    }

    /// ρ, canonical.
    fn ahead(&self, joints: &Joints) -> DVec3 {
        let Some((own, other)) = joints.source_toes.zip(joints.toes) else {
            return DVec3::ZERO;
        };
        let way_a = self.source[own].position - joints.source.end.at(&self.source);
        let way_b = self.target[other].position - joints.target.end.at(&self.target);
        (way_b - self.along() * way_a) * DVec3::new(1.0, 0.0, 1.0)
    }

    /// Where the knee points to, canonical.
    fn forward(&self, joints: &Joints) -> DVec3 {
        let seen = || {
            knee_side(joints.target.at(&self.target))
                .or_else(|| knee_side(joints.source.at(&self.source)))
        };
        let seen = self.stands_on_four().then(seen).flatten();
        seen.unwrap_or(DVec3::Z)
    }

    fn stands_on_four(&self) -> bool {
        self.both.target.map.profile.stance == Stance::FourLegged
    }

    /// λ: how much further ahead of the hips a pair of an animal's feet stands than k times the source's.
    fn along_body(&self, joints: &Joints) -> f64 {
        if !self.stands_on_four() {
            return 0.0;
        }
        let ahead = |map: &RigMap, places: &[Placement]| {
            let middle = |part: Part| {
                let [left, right] = limbs::both(map, part)?;
                Some(0.5 * (places[left].position.z + places[right].position.z))
            };
            Some(middle(joints.parts[2])? - middle(limbs::LEG[0])?)
        };
        let own = ahead(self.both.source.map, &self.source);
        let other = ahead(self.both.target.map, &self.target);
        match (own, other) {
            (Some(own), Some(other)) => other - self.both.factors.z * own,
            _ => 0.0,
        }
    }

    /// η of both: one value a character for the pair that carries the body.
    fn ankle_heights(&self, joints: &Joints) -> (f64, f64) {
        if joints.carries {
            let own = |leg: &Limb, body: &Alignment| leg.ankle_height(body.measures.ankle_height);
            return (
                own(&joints.source, self.both.from),
                own(&joints.target, self.both.to),
            );
        }
        let largest = |map: &RigMap, places: &[Placement]| {
            SIDES
                .into_iter()
                .filter_map(|side| limbs::joint(map, joints.parts[2], side))
                .map(|foot| places[foot].position.y)
                .fold(0.0, f64::max)
        };
        (
            largest(self.both.source.map, &self.source),
            largest(self.both.target.map, &self.target),
        )
    }
}
