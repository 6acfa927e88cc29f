//! From the target's skin to the stage that bends toes out of the floor.

use crate::align::limbs::{SIDES, below, joint};
use crate::align::{in_pose, retarget_placements};
use crate::compile::Both;
use crate::feet::FeetChoice;
use crate::profile::{Part, Stance};
use glam::{DVec3, Vec3};
use rebone_runtime::Plan;
use rebone_runtime::stage::{BendingToes, Kinematics, Stage, StageOp, ToesStage};

/// Directions in which the outermost points of toes are looked for, seen from the side: ahead and down.
const WAYS: [[f64; 2]; 5] = [
    [0.0, 1.0],
    [0.5, 0.87],
    [0.87, 0.5],
    [1.0, 0.17],
    [1.0, -0.17],
];

/// Points nearer to the joint than this share of the way to the tip hardly rise where toes bend.
const NEAREST: f64 = 0.4;

/// The stage that bends toes; `None` where toes shall not bend, for animals, and for toes without a skin.
pub(super) fn stage(both: &Both<'_>, choice: &FeetChoice, plan: &Plan) -> Option<Stage> {
    let map = both.target.map;
    if choice.toes <= 0.0 || map.profile.stance != Stance::Upright {
        return None;
    }
    // A foot without toes turns as a whole.
    let parts = SIDES.map(|side| match below(map, Part::Foot, Part::Toes, side) {
        Some(toes) => Some((toes, None)),
        None => {
            let knee = joint(map, Part::LowerLeg, side)?;
            Some((joint(map, Part::Foot, side)?, Some(knee)))
        }
    });
    let parts = parts.into_iter().flatten();
    let joints = parts
        .clone()
        .flat_map(|(joint, knee)| knee.into_iter().chain([joint]));
    let target = Kinematics::new(&plan.target, joints);
    let toes = parts.filter_map(|part| toes(both, part, &target));
    let toes: Vec<BendingToes> = toes.collect();
    let up = both.to.canonical_from_file.conjugate() * DVec3::Y;
    (!toes.is_empty()).then(|| Stage {
        weight: (choice.weight * choice.toes) as f32,
        op: StageOp::Toes(ToesStage {
            up: up.as_vec3(),
            floor: both.target_floor as f32,
            toes,
            source: Kinematics::default(),
            target,
        }),
    })
}

/// The toes below a joint, or the whole foot; `None` without a skin.
fn toes(
    both: &Both<'_>,
    (joint, knee): (usize, Option<usize>),
    target: &Kinematics,
) -> Option<BendingToes> {
    let character = both.target.character;
    let places = retarget_placements(character, both.target.map, both.to);
    let own = places[joint];
    let is_own = |of: usize| of == joint || character.skeleton.is_ancestor(joint, of);
    let skin = character.hull.iter();
    let skin = skin.filter(|point| is_own(point.parts[0].joint));
    let ways = skin.map(|point| in_pose(point, &places) - own.position);
    let mut ways: Vec<DVec3> = ways.collect();
    let tip = ways.iter().map(|way| way.z).fold(0.0, f64::max);
    ways.retain(|way| way.z > NEAREST * tip);
    let mut points: Vec<Vec3> = Vec::new();
    for aside in [-0.3, 0.3] {
        for [down, ahead] in WAYS {
            let towards = DVec3::new(aside, -down, ahead);
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
    let in_axes = |way: DVec3| (own.rotation.conjugate() * way).as_vec3();
    Some(BendingToes {
        joint: target.find(joint)?,
        axis: in_axes(DVec3::NEG_X),
        up: in_axes(DVec3::Y),
        height: own.position.y.max(0.0) as f32,
        knee: knee.and_then(|knee| target.find(knee)),
        points,
    })
}
