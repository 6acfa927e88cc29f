//! From the target's skin to the stages that turn tips out of the floor: of toes, and of what hands hold; and the edges of soles.

use super::ground::held_points;
use crate::align::limbs::{SIDES, below, joint};
use crate::align::{Placement, in_pose, retarget_placements};
use crate::compile::Both;
use crate::feet::FeetChoice;
use crate::profile::{Part, Stance};
use glam::{DVec3, Vec3};
use rebone_model::HullPoint;
use rebone_runtime::Plan;
use rebone_runtime::stage::{Kinematics, SoleEdge, Stage, StageOp, Tip, TipKind, TipsStage};

/// Directions in which the outermost points of a tip are looked for, seen from the side: ahead and down.
const WAYS: [[f64; 2]; 5] = [
    [0.0, 1.0],
    [0.5, 0.87],
    [0.87, 0.5],
    [1.0, 0.17],
    [1.0, -0.17],
];

/// Points nearer to the joint than this share of the way to the tip hardly rise where it turns.
const NEAREST: f64 = 0.4;

/// Skin that is higher above the floor than this share of the ankle's height, or of its own distance ahead or behind, is no sole.
const SOLE: f64 = 0.3;

/// What a hand holds is at least so long, shares of the forearm.
const SHORTEST_HELD: f64 = 0.5;

/// Cosine between a forearm and what its hand holds, beyond which turning the hand does not lift it.
const ALONG_FOREARM: f64 = 0.9;

/// The stage that turns toes; `None` where they shall not, for animals, and without a skin.
pub(super) fn feet(both: &Both<'_>, choice: &FeetChoice, plan: &Plan) -> Option<Stage> {
    let map = both.target.map;
    let toes = SIDES.map(|side| below(map, Part::Foot, Part::Toes, side));
    let toes = toes.into_iter().flatten();
    let target = Kinematics::new(&plan.target, toes.clone());
    let tips = toes.filter_map(|toes| toe_tip(both, toes, &target));
    let tips = tips.collect();
    stage(both, choice.weight * choice.toes, tips, target)
}

/// The stage that turns hands which hold something; `None` where they shall not, for animals, and where they hold nothing.
pub(super) fn held(both: &Both<'_>, weight: f64, plan: &Plan) -> Option<Stage> {
    let hands = SIDES.map(|side| joint(both.target.map, Part::Hand, side));
    let target = Kinematics::new(&plan.target, hands.into_iter().flatten());
    let places = retarget_placements(both.target.character, both.target.map, both.to);
    let held = held_points(both.target, both.to);
    let tips = SIDES.into_iter().filter_map(|side| {
        let hand = joint(both.target.map, Part::Hand, side)?;
        let elbow = joint(both.target.map, Part::LowerArm, side)?;
        let own = held.iter().copied();
        let own = own.filter(|point| is_at_or_below(both, point, hand));
        let ways = ways(own, &places, hand);
        let longest = ways.iter().copied();
        let longest =
            longest.max_by(|one, other| one.length_squared().total_cmp(&other.length_squared()))?;
        let forearm = places[hand].position - places[elbow].position;
        let [down, ahead] = [forearm, longest].map(DVec3::normalize_or_zero);
        let is_short = longest.length() < SHORTEST_HELD * forearm.length();
        if is_short || down.dot(ahead).abs() > ALONG_FOREARM {
            return None;
        }
        let axis = down.cross(ahead).normalize_or_zero();
        let joint = target.find(hand)?;
        tip(
            &places[hand],
            joint,
            [axis, -down, ahead],
            ways,
            TipKind::Held,
        )
    });
    let tips = tips.collect();
    stage(both, weight, tips, target)
}

/// Whether a joint or one below it moves a point of the target's skin most.
fn is_at_or_below(both: &Both<'_>, point: &HullPoint, joint: usize) -> bool {
    let of = point.parts[0].joint;
    of == joint || both.target.character.skeleton.is_ancestor(joint, of)
}

/// A stage of tips; `None` where there are none, for animals, and of weight 0.
fn stage(both: &Both<'_>, weight: f64, tips: Vec<Tip>, target: Kinematics) -> Option<Stage> {
    let is_upright = both.target.map.profile.stance == Stance::Upright;
    let up = both.to.canonical_from_file.conjugate() * DVec3::Y;
    (weight > 0.0 && is_upright && !tips.is_empty()).then(|| Stage {
        weight: weight as f32,
        op: StageOp::Tips(TipsStage {
            up: up.as_vec3(),
            floor: both.target_floor as f32,
            tips,
            source: Kinematics::default(),
            target,
        }),
    })
}

/// The tip of toes; `None` without a skin.
fn toe_tip(both: &Both<'_>, joint: usize, target: &Kinematics) -> Option<Tip> {
    let character = both.target.character;
    let places = retarget_placements(character, both.target.map, both.to);
    let own = places[joint];
    let skin = character.hull.iter();
    let skin = skin.filter(|point| is_at_or_below(both, point, joint));
    let kind = TipKind::Toes {
        up: (own.rotation.conjugate() * DVec3::Y).as_vec3(),
        height: own.position.y.max(0.0) as f32,
    };
    tip(
        &own,
        target.find(joint)?,
        [DVec3::NEG_X, DVec3::Y, DVec3::Z],
        ways(skin, &places, joint),
        kind,
    )
}

/// The point of a foot's skin that is furthest in a direction from the foot's joint; none without a sole on that side.
pub(super) fn sole_edge(
    both: &Both<'_>,
    places: &[Placement],
    foot: usize,
    towards: DVec3,
) -> SoleEdge {
    let skin = both.target.character.hull.iter();
    let skin = skin.filter(|point| is_at_or_below(both, point, foot));
    let ways = ways(skin, places, foot).into_iter();
    let edge = ways.max_by(|one, other| one.dot(towards).total_cmp(&other.dot(towards)));
    let ankle = places[foot].position.y;
    let is_sole = |way: &DVec3| ankle + way.y < SOLE * ankle.max(way.z.abs());
    let edge = edge.filter(|way| way.z * towards.z > 0.0 && is_sole(way));
    let edge = edge.map(|way| SoleEdge {
        place: (places[foot].rotation.conjugate() * way).as_vec3(),
        height: way.y as f32,
    });
    edge.unwrap_or_default()
}

/// The ways from a joint to points of the skin, in the retarget pose.
fn ways<'a>(
    skin: impl Iterator<Item = &'a HullPoint>,
    places: &[Placement],
    joint: usize,
) -> Vec<DVec3> {
    let ways = skin.map(|point| in_pose(point, places) - places[joint].position);
    ways.collect()
}

/// A tip of these points, with its axis, and with the directions up and ahead at right angles to it; `None` without points.
fn tip(
    own: &Placement,
    joint: usize,
    [axis, up, ahead]: [DVec3; 3],
    mut ways: Vec<DVec3>,
    kind: TipKind,
) -> Option<Tip> {
    let furthest = ways.iter().map(|way| way.dot(ahead)).fold(0.0, f64::max);
    ways.retain(|way| way.dot(ahead) > NEAREST * furthest);
    let mut points: Vec<Vec3> = Vec::new();
    for aside in [0.3, -0.3] {
        for [down, forward] in WAYS {
            let towards = aside * axis - down * up + forward * ahead;
            let far = |way: &&DVec3| way.dot(towards);
            let furthest = ways
                .iter()
                .max_by(|one, other| far(one).total_cmp(&far(other)));
            let point = (own.rotation.conjugate() * *furthest?).as_vec3();
            if !points.contains(&point) {
                points.push(point);
            }
        }
    }
    Some(Tip {
        joint,
        axis: (own.rotation.conjugate() * axis).as_vec3(),
        points,
        kind,
    })
}
