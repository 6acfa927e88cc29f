//! From two aligned bodies to the stage that keeps the target on the floor where it lies, sits, kneels or crawls.

use super::attach::beside;
use super::hands::knuckles;
use super::{Both, Mapped};
use crate::align::limbs::{self, ARM, LEG, SIDES};
use crate::align::{Alignment, Placement, in_pose, retarget_placements};
use crate::ground::GroundChoice;
use crate::profile::{Part, Side, Slot, Stance};
use glam::{DVec3, Vec3};
use rebone_model::{HullPart, HullPoint, furthest};
use rebone_runtime::stage::{
    GroundArm, GroundLeg, GroundPart, GroundPoint, GroundStage, Kinematics, MOST_JOINTS, PinLimb,
    SkinPoint, Stage, StageOp, Waist,
};
use rebone_runtime::{Plan, RotationOp};
use std::collections::BTreeSet;

/// Bounds of the hips, of chest and head, as shares of the body's thickness.
const HIPS: [f32; 2] = [0.2, 0.9];
/// See [`HIPS`].
const TRUNK: [f32; 2] = [0.25, 0.95];

/// Bodies whose thickness differs from the scale of their travel by less than this share are alike, if nothing else
/// is done about their legs.
const ALIKE: f64 = 1e-4;

/// The stage; `None` where nobody wants it, where a side has no hips or does not stand upright, and where the
/// target is the source, only larger or smaller.
pub(super) fn stage(
    both: &Both<'_>,
    choice: &GroundChoice,
    (hips, are_unlike): (Option<(usize, usize)>, bool),
    plan: &Plan,
) -> Option<Stage> {
    let (own_hips, hips) = hips.filter(|_| choice.weight > 0.0)?;
    let stances = [both.source, both.target].map(|side| side.map.profile.stance);
    if stances != [Stance::Upright; 2] {
        return None;
    }
    let [own_thickness, thickness] = [both.from, both.to].map(thickness);
    let scale = thickness / own_thickness;
    let is_as_scaled = (scale - both.factors.y).abs() < ALIKE * both.factors.y;
    if !(scale.is_finite() && scale > 0.0) || (is_as_scaled && !are_unlike) {
        return None;
    }
    let bodies = Bodies {
        both,
        plan,
        source: retarget_placements(both.source.character, both.source.map, both.from),
        target: retarget_placements(both.target.character, both.target.map, both.to),
    };
    let legs = bodies.limbs(LEG);
    let arms = bodies.limbs(ARM);
    let mut trunk = vec![(Region::Hips, own_hips, hips, HIPS)];
    let chest = |side: &Mapped<'_>| {
        let parts = [Part::Shoulder, Part::UpperArm];
        let arms = parts.map(|part| limbs::joint(side.map, part, Side::Left));
        let shoulder = arms.into_iter().flatten().next()?;
        side.character.skeleton.parent(shoulder)
    };
    let head = |side: &Mapped<'_>| side.map.joint_of(Part::Head, Side::Center);
    for (region, find) in [
        (
            Region::Chest,
            &chest as &dyn Fn(&Mapped<'_>) -> Option<usize>,
        ),
        (Region::Head, &head),
    ] {
        if let (Some(own), Some(other)) = (find(both.source), find(both.target)) {
            trunk.push((region, own, other, TRUNK));
        }
    }
    let skins = [
        Skin::new(both.source, both.from, &bodies.source, chest(both.source)),
        Skin::new(both.target, both.to, &bodies.target, chest(both.target)),
    ];
    let sides = [both.source, both.target];
    let limbs_of = |which: usize| {
        let all = legs.iter().chain(&arms);
        let of_skin = skins[which].points.iter();
        let of_skin = of_skin.flat_map(|(_, point)| point.parts().map(|part| part.joint));
        all.flat_map(move |(_, joints)| joints[which])
            .chain(of_skin)
    };
    let waist = waist(both.target, hips);
    let waist_joints = waist.iter();
    let waist_joints = waist_joints.flat_map(|&(joint, neck)| std::iter::once(joint).chain(neck));
    let attached = beside(plan);
    let both_of = attached
        .iter()
        .flat_map(|&(joint, carrier)| [joint, carrier]);
    let source = Kinematics::new(
        &plan.source,
        limbs_of(0).chain(trunk.iter().map(|point| point.1)),
    );
    let target = Kinematics::new(
        &plan.target,
        limbs_of(1)
            .chain(trunk.iter().map(|point| point.2))
            .chain(waist_joints)
            .chain(both_of),
    );
    let limb = |[upper, lower, end]: [usize; 3], forward: DVec3| {
        Some(PinLimb {
            upper: target.find(upper)?,
            lower: target.find(lower)?,
            end: target.find(end)?,
            forward: (both.to.retarget_rotation(upper).conjugate() * forward).as_vec3(),
        })
    };
    let at = |joint: usize| bodies.source[joint].position.y;
    let standing = legs.iter().map(|(_, [own, _])| at(own[0]) - at(own[2]));
    let standing = standing.fold(0.0, f64::max);
    let ankles = [both.from, both.to].map(|side| side.measures.ankle_height as f32);
    let thick = [own_thickness, thickness];
    let parts = |region: Region, joints: [usize; 2]| -> Option<[GroundPart; 2]> {
        let [own, other] = [0, 1].map(|which: usize| {
            let further = match region {
                Region::Foot(of) => limbs::joint(sides[which].map, Part::Toes, of),
                _ => None,
            };
            let all = (joints[which], further);
            skins[which].part(region, all, [&source, &target][which], thick[which])
        });
        Some([own?, other?])
    };
    let leg = |&(of, [own, other]): &(Side, [[usize; 3]; 2])| {
        let frame = both.to.retarget_rotation(other[2]).conjugate() * both.to.canonical_from_file;
        Some(GroundLeg {
            source_thigh: source.find(own[0])?,
            knees: parts(Region::Knee(of), [own[1], other[1]])?,
            standing_knee: at(own[1]) as f32,
            feet: parts(Region::Foot(of), [own[2], other[2]])?,
            limb: limb(other, DVec3::Z)?,
            foot_frame: frame.as_quat(),
            ankle_heights: ankles,
        })
    };
    let arm = |&(of, [own, other]): &(Side, [[usize; 3]; 2])| {
        let palm = knuckles(both.source, &bodies.source, [own[1], own[2]], of);
        let place = |joint: usize| bodies.source[joint].position;
        let arm = [place(own[0]), place(own[1]), place(own[2])];
        let length = arm[0].distance(arm[1]) + arm[1].distance(arm[2]) + palm.length();
        Some(GroundArm {
            hands: parts(Region::Hand(of), [own[2], other[2]])?,
            source_arm: [source.find(own[0])?, source.find(own[1])?],
            elbow: parts(Region::Elbow(of), [own[1], other[1]])?[1].clone(),
            source_palm: palm.as_vec3(),
            hanging: (arm[0].y - length) as f32,
            limb: limb(other, DVec3::NEG_Z)?,
        })
    };
    let up = |side: &Alignment| (side.canonical_from_file.conjugate() * DVec3::Y).as_vec3();
    let stage = GroundStage {
        source_up: up(both.from),
        source_floor: (both.source_floor - both.shift.y) as f32,
        up: up(both.to),
        floor: both.target_floor as f32,
        thickness: own_thickness as f32,
        scale: scale as f32,
        standing: standing as f32,
        hips: target.find(hips)?,
        trunk: trunk
            .iter()
            .filter_map(|&(region, own, other, range)| {
                let [source, target] = parts(region, [own, other])?;
                Some(GroundPoint {
                    source,
                    target,
                    range,
                    standing: at(own) as f32,
                })
            })
            .collect(),
        waist: waist.and_then(|(joint, neck)| {
            Some(Waist {
                joint: target.find(joint)?,
                kept: neck.and_then(|neck| target.find(neck)),
            })
        }),
        legs: legs.iter().filter_map(leg).collect(),
        arms: arms.iter().filter_map(arm).collect(),
        attached,
        source,
        target,
    };
    Some(Stage {
        weight: choice.weight as f32,
        op: StageOp::Ground(stage),
    })
}

/// The lowest joint above the hips that carries both arms and no leg, and the one in which the trunk ends below the head.
fn waist(side: &Mapped<'_>, hips: usize) -> Option<(usize, Option<usize>)> {
    let skeleton = &side.character.skeleton;
    let is_torso = |joint: usize| {
        side.map.slots.iter().any(|(slot, found)| {
            side.map.profile.info(*slot).part == Part::Torso && found.joints.contains(&joint)
        })
    };
    let [left, right] = SIDES.map(|of| limbs::joint(side.map, Part::UpperArm, of));
    let (left, right) = (left?, right?);
    let legs = SIDES.map(|of| limbs::joint(side.map, Part::UpperLeg, of));
    let carries_a_leg = |joint: usize| {
        let mut legs = legs.iter().flatten();
        legs.any(|&leg| skeleton.is_ancestor(joint, leg))
    };
    let of_trunk = skeleton.ancestors(left);
    let of_trunk =
        of_trunk.filter(|&joint| is_torso(joint) && joint != hips && !carries_a_leg(joint));
    let waist = of_trunk
        .filter(|&joint| skeleton.is_ancestor(joint, right))
        .last()?;
    let head = side.map.joint_of(Part::Head, Side::Center);
    let mut path = head
        .into_iter()
        .flat_map(|head| std::iter::once(head).chain(skeleton.ancestors(head)));
    let neck = path.find(|&joint| skeleton.parent(joint).is_some_and(is_torso));
    Some((
        waist,
        neck.filter(|&neck| skeleton.is_ancestor(waist, neck)),
    ))
}

/// Slices of what a joint moves, of each of which a part of the body has the points that stand out.
const SLICES: usize = 2;

/// Shares of a bone's length beyond which what goes with it is a sleeve or a skirt.
const PAST_END: f64 = 1.4;

/// Long parts that twist joints belong to.
const LIMBS: [Part; 4] = [
    Part::UpperArm,
    Part::LowerArm,
    Part::UpperLeg,
    Part::LowerLeg,
];

/// A part of the body that may touch the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    Hips,
    Chest,
    Head,
    Knee(Side),
    Foot(Side),
    Elbow(Side),
    Hand(Side),
}

impl Region {
    /// How thick a body of no known skin is around the joint of a part, shares of its thickness.
    fn flesh(self) -> f64 {
        match self {
            Self::Hips => 0.6,
            Self::Chest | Self::Head => 0.65,
            Self::Knee(_) => 0.25,
            Self::Foot(_) | Self::Elbow(_) => 0.15,
            Self::Hand(_) => 0.12,
        }
    }
}

/// What is known of a body's skin.
struct Skin<'a> {
    /// The points that stand out, each with the part that it is of.
    points: Vec<(Region, &'a HullPoint)>,
    /// The joints of fingers.
    fingers: BTreeSet<usize>,
}

impl<'a> Skin<'a> {
    fn new(
        side: &Mapped<'a>,
        alignment: &Alignment,
        places: &[Placement],
        chest: Option<usize>,
    ) -> Self {
        let hull = &side.character.hull;
        let of_body = body_joints(side);
        let at = |joint: usize| places[joint].position;
        let first = |slot: Slot| side.map.slots.get(&slot)?.joints.first().copied();
        let hips = limbs::joint(side.map, Part::Hips, Side::Center);
        let [thigh, knee] = [Part::UpperLeg, Part::LowerLeg]
            .map(|part| Some(at(limbs::joint(side.map, part, Side::Left)?).y));
        let middle_of_thighs = thigh.zip(knee).map(|(thigh, knee)| 0.5 * (thigh + knee));
        // The part of the body that a point is of; `None` of cloth, hair and what a hand holds.
        let region = |point: &HullPoint| {
            let joint = point.parts[0].joint;
            let slot = alignment.slot_of_joint[joint]?;
            let info = side.map.profile.info(slot);
            // Other joints in an arm or a leg are twist joints.
            if !of_body[joint] && !LIMBS.contains(&info.part) {
                return None;
            }
            let place = in_pose(point, places);
            // How far it is on the way from one joint to another.
            let along = |from: Option<usize>, to: Option<usize>| {
                let (Some(from), Some(to)) = (from, to) else {
                    return 0.0;
                };
                let way = at(to) - at(from);
                (place - at(from)).dot(way) / way.length_squared().max(f64::MIN_POSITIVE)
            };
            let joint_of = |part: Part| limbs::joint(side.map, part, info.side);
            let near_far = |next: Part, near: Region, far: Region| {
                let share = along(first(slot), joint_of(next));
                match share {
                    ..0.5 => Some(near),
                    ..PAST_END => Some(far),
                    _ => None,
                }
            };
            let hangs = |from: Option<f64>| from.is_some_and(|from| place.y < from);
            match info.part {
                Part::Hips | Part::Torso | Part::Shoulder if hangs(middle_of_thighs) => None,
                Part::Hips => Some(Region::Hips),
                Part::Torso if along(hips, chest) < 0.5 => Some(Region::Hips),
                Part::Torso | Part::Shoulder => Some(Region::Chest),
                Part::Neck | Part::Head if hangs(chest.map(|chest| at(chest).y)) => None,
                Part::Neck | Part::Head => Some(Region::Head),
                Part::UpperArm => near_far(Part::LowerArm, Region::Chest, Region::Elbow(info.side)),
                Part::LowerArm => near_far(
                    Part::Hand,
                    Region::Elbow(info.side),
                    Region::Hand(info.side),
                ),
                Part::Hand | Part::Finger | Part::Thumb => Some(Region::Hand(info.side)),
                Part::UpperLeg => near_far(Part::LowerLeg, Region::Hips, Region::Knee(info.side)),
                Part::LowerLeg => {
                    near_far(Part::Foot, Region::Knee(info.side), Region::Foot(info.side))
                }
                Part::Foot | Part::Toes => Some(Region::Foot(info.side)),
                _ => None,
            }
        };
        let points = hull.iter();
        let points = points.filter_map(|point| Some((region(point)?, point)));
        let fingers = side.map.slots.iter().filter(|(slot, _)| {
            let part = side.map.profile.info(**slot).part;
            matches!(part, Part::Finger | Part::Thumb)
        });
        Self {
            points: points.collect(),
            fingers: fingers
                .flat_map(|(_, found)| found.joints.iter().copied())
                .collect(),
        }
    }

    /// A part around a joint, which further joints of the body belong to where it has no skin; `thickness` is that of the body.
    fn part(
        &self,
        region: Region,
        (joint, further): (usize, Option<usize>),
        joints: &Kinematics,
        thickness: f64,
    ) -> Option<GroundPart> {
        let place = joints.find(joint)?;
        let mut part = GroundPart {
            joint: place,
            ..GroundPart::default()
        };
        let own = self.points.iter().filter(|(of, _)| *of == region);
        let own: Vec<HullPoint> = own.map(|(_, point)| **point).collect();
        let by_joint = own.chunk_by(|one, other| one.parts[0].joint == other.parts[0].joint);
        let standing_out = |points: &[HullPoint]| {
            let is_of_finger = self.fingers.contains(&points[0].parts[0].joint);
            match is_of_finger {
                true => furthest_along_axes(points),
                false => furthest(points, SLICES),
            }
        };
        for point in by_joint.flat_map(standing_out) {
            if part.joints.len() + point.parts.len() > MOST_JOINTS {
                break;
            }
            let mut own = SkinPoint::default();
            for (own, of_hull) in own.parts.iter_mut().zip(point.parts()) {
                let joint = joints.find(of_hull.joint)?;
                let known = part.joints.iter().position(|known| *known == joint);
                let number = known.unwrap_or(part.joints.len());
                if known.is_none() {
                    part.joints.push(joint);
                }
                *own = (number, of_hull.weight, of_hull.place * of_hull.weight);
            }
            part.points.push(own);
        }
        if part.points.is_empty() {
            let further = further.and_then(|joint| joints.find(joint));
            let all = std::iter::once(place).chain(further);
            part = GroundPart::of_points(all.map(|joint| (joint, Vec3::ZERO)));
            part.flesh = (region.flesh() * thickness) as f32;
        }
        Some(part)
    }
}

/// Of points that one joint moves those that are furthest along its axes, as if it moved them alone: enough of something small.
fn furthest_along_axes(points: &[HullPoint]) -> Vec<HullPoint> {
    let ways = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| [axis, -axis]);
    let mut found: Vec<HullPoint> = Vec::new();
    for way in ways.as_flattened() {
        let far = |point: &HullPoint| point.parts[0].place.dot(*way);
        let furthest = points
            .iter()
            .max_by(|one, other| far(one).total_cmp(&far(other)));
        if let Some(mut point) = furthest.copied() {
            let [main, others @ ..] = &mut point.parts;
            main.weight = 1.0;
            others.fill(HullPart::default());
            if !found.contains(&point) {
                found.push(point);
            }
        }
    }
    found
}

/// Which joints are of the body: those of slots, and those between them.
fn body_joints(side: &Mapped<'_>) -> Vec<bool> {
    let skeleton = &side.character.skeleton;
    let mut is_body = vec![false; skeleton.len()];
    for joint in side.map.slots.values().flat_map(|found| &found.joints) {
        is_body[*joint] = true;
        skeleton
            .ancestors(*joint)
            .for_each(|above| is_body[above] = true);
    }
    is_body
}

/// T: how thick a body is, as its joints show it.
fn thickness(alignment: &Alignment) -> f64 {
    let measures = &alignment.measures;
    0.5 * (measures.hip_width + 0.5 * measures.shoulder_width)
}

struct Bodies<'a> {
    both: &'a Both<'a>,
    plan: &'a Plan,
    source: Vec<Placement>,
    target: Vec<Placement>,
}

impl Bodies<'_> {
    /// The limbs of these parts that both bodies have and that are whole in the target (an end that hangs from elsewhere must
    /// be carried along), joints of source and target.
    fn limbs(&self, parts: [Part; 3]) -> Vec<(Side, [[usize; 3]; 2])> {
        let of = |side: &Mapped<'_>, which: Side| {
            let [upper, lower, end] = parts.map(|part| limbs::joint(side.map, part, which));
            Some([upper?, lower?, end?])
        };
        let skeleton = &self.both.target.character.skeleton;
        let carried = beside(self.plan);
        let is_carried = |end: usize| carried.iter().any(|&(joint, _)| joint == end);
        let is_whole = |joints: &[usize; 3]| {
            skeleton.is_ancestor(joints[0], joints[1])
                && (skeleton.is_ancestor(joints[1], joints[2]) || is_carried(joints[2]))
                && joints
                    .iter()
                    .all(|&joint| !matches!(self.plan.rotations[joint], RotationOp::Rest))
        };
        SIDES
            .into_iter()
            .filter_map(|side| {
                let (own, other) = (of(self.both.source, side)?, of(self.both.target, side)?);
                is_whole(&other).then_some((side, [own, other]))
            })
            .collect()
    }
}
