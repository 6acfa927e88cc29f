//! From two aligned bodies to the stage that keeps the target on the floor where it lies, sits, kneels or crawls.

mod skin;

use super::arms::knuckles;
use crate::align::limbs::{self, ARM, LEG, SIDES};
use crate::align::{Alignment, Placement, retarget_placements};
use crate::compile::attach::{beside, with_carriers};
use crate::compile::limb::Limb;
use crate::compile::{Both, Mapped};
use crate::profile::{Part, Side, Stance};
use glam::DVec3;
use rebone_runtime::stage::{
    GroundArm, GroundLeg, GroundPart, GroundPoint, GroundStage, Kinematics, PinLimb, Stage,
    StageOp, Waist,
};
use rebone_runtime::{Plan, RotationOp};
pub use skin::body_skin;
pub(super) use skin::held_points;
use skin::{Region, Skin};

/// How high the source's hips are above the floor, in thicknesses of its body: up to the first they count in full, from the second on not at all.
const HIPS: [f32; 2] = [0.2, 0.9];
/// The same for chest and head.
const TRUNK: [f32; 2] = [0.25, 0.95];

/// Hands that hang lower than this share of the height of the shoulders may be in the floor: bodies sway, and knees bend.
const HANGS_LOW: f64 = 0.15;

/// Bodies whose thickness differs from the scale of their travel by less than this share are alike, if nothing else
/// is done about their legs.
const ALIKE: f64 = 1e-4;

/// Makes the stage.
///
/// There is none where its weight is 0, where a side has no hips or does not stand upright, and where the target is the source at another size.
pub(super) fn stage(
    both: &Both<'_>,
    weight: f64,
    hips: Option<(usize, usize)>,
    are_unlike: bool,
    plan: &Plan,
) -> Option<Stage> {
    let (own_hips, hips) = hips.filter(|_| weight > 0.0)?;
    let stances = [both.source, both.target].map(|side| side.map.profile.stance);
    if stances != [Stance::Upright; 2] {
        return None;
    }
    let thick = [both.from, both.to].map(thickness);
    let scale = thick[1] / thick[0];
    let is_as_scaled = (scale - both.factors.y).abs() < ALIKE * both.factors.y;
    if !(scale.is_finite() && scale > 0.0) || (is_as_scaled && !are_unlike) {
        return None;
    }
    let bodies = Bodies::new(both, plan);
    let joints = Joints {
        trunk: bodies.trunk([own_hips, hips]),
        legs: bodies.limbs(LEG),
        arms: bodies.limbs(ARM),
        waist: waist(both.target, hips),
    };
    let attached = beside(plan);
    let of_target = joints.looked_at(&bodies, 1).chain(joints.of_waist());
    let parts = Parts {
        source: Kinematics::new(&plan.source, joints.looked_at(&bodies, 0)),
        target: Kinematics::new(&plan.target, of_target.chain(with_carriers(&attached))),
        thick,
        bodies: &bodies,
    };
    let (legs, arms, trunk) = (joints.legs.iter(), joints.arms.iter(), joints.trunk.iter());
    let up = |side: &Alignment| (side.canonical_from_file.conjugate() * DVec3::Y).as_vec3();
    let stage = GroundStage {
        source_up: up(both.from),
        source_floor: (both.source_floor - both.shift.y) as f32,
        up: up(both.to),
        floor: both.target_floor as f32,
        thickness: thick[0] as f32,
        scale: scale as f32,
        standing: bodies.standing(&joints.legs) as f32,
        hips: parts.target.find(hips)?,
        trunk: trunk.filter_map(|part| parts.trunk(part)).collect(),
        waist: joints.waist.as_ref().and_then(|waist| parts.waist(waist)),
        hands_hang_low: joints.arms.iter().any(|arm| bodies.hangs_low(arm)),
        legs: legs.filter_map(|leg| parts.leg(leg)).collect(),
        arms: arms.filter_map(|arm| parts.arm(arm)).collect(),
        attached,
        source: parts.source,
        target: parts.target,
    };
    Some(Stage {
        weight: weight as f32,
        op: StageOp::Ground(stage),
    })
}

/// The joints that the stage is about.
struct Joints {
    trunk: Vec<TrunkPart>,
    legs: Vec<Pair>,
    arms: Vec<Pair>,
    waist: Option<WaistJoints>,
}

impl Joints {
    /// Those of the source (0) or of the target (1), with what moves its skin.
    fn looked_at<'a>(
        &'a self,
        bodies: &'a Bodies<'_>,
        which: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let limbs = self.legs.iter().chain(&self.arms);
        let of_limbs = limbs.flat_map(move |limb| limb.limbs[which].joints());
        let of_trunk = self.trunk.iter().map(move |part| part.joints[which]);
        of_limbs.chain(bodies.skins[which].joints()).chain(of_trunk)
    }

    fn of_waist(&self) -> impl Iterator<Item = usize> + '_ {
        let waist = self.waist.iter();
        waist.flat_map(|waist| std::iter::once(waist.joint).chain(waist.neck))
    }
}

/// Where the trunk of the target bends.
struct WaistJoints {
    /// The lowest joint above the hips that carries both arms and no leg.
    joint: usize,
    /// The one in which the trunk ends below the head.
    neck: Option<usize>,
}

fn waist(side: &Mapped<'_>, hips: usize) -> Option<WaistJoints> {
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
    Some(WaistJoints {
        joint: waist,
        neck: neck.filter(|&neck| skeleton.is_ancestor(waist, neck)),
    })
}

/// T: how thick a body is, as its joints show it.
fn thickness(alignment: &Alignment) -> f64 {
    let measures = &alignment.measures;
    0.5 * (measures.hip_width + 0.5 * measures.shoulder_width)
}

/// Both bodies in their retarget poses.
struct Bodies<'a> {
    both: &'a Both<'a>,
    plan: &'a Plan,
    /// The joints of both.
    source: Vec<Placement>,
    target: Vec<Placement>,
    skins: [Skin<'a>; 2],
}

/// A limb of both bodies.
struct Pair {
    side: Side,
    /// Of source and target.
    limbs: [Limb; 2],
}

/// A part of both trunks.
struct TrunkPart {
    region: Region,
    /// Of source and target.
    joints: [usize; 2],
    /// The bounds of how much it counts.
    range: [f32; 2],
}

impl<'a> Bodies<'a> {
    fn new(both: &'a Both<'a>, plan: &'a Plan) -> Self {
        let source = retarget_placements(both.source.character, both.source.map, both.from);
        let target = retarget_placements(both.target.character, both.target.map, both.to);
        let skins = [
            Skin::new(both.source, both.from, &source, chest(both.source)),
            Skin::new(both.target, both.to, &target, chest(both.target)),
        ];
        Self {
            both,
            plan,
            source,
            target,
            skins,
        }
    }

    /// True where the target's arm is so long that its hand, hanging, is near the floor or in it.
    fn hangs_low(&self, limb: &Pair) -> bool {
        let arm = limb.limbs[1].joints();
        let palm = knuckles(self.both.target, &self.target, [arm[1], arm[2]], limb.side);
        let [shoulder, elbow, wrist] = arm.map(|joint| self.target[joint].position);
        // Fingers are about as long as the palm.
        let length = shoulder.distance(elbow) + elbow.distance(wrist) + 2.0 * palm.length();
        shoulder.y - length < HANGS_LOW * shoulder.y
    }

    /// Hips, chest and head, as far as both have them.
    fn trunk(&self, hips: [usize; 2]) -> Vec<TrunkPart> {
        let sides = [self.both.source, self.both.target];
        let head = |side: &Mapped<'_>| side.map.joint_of(Part::Head, Side::Center);
        let [chests, heads] = [sides.map(chest), sides.map(head)];
        let mut trunk = vec![TrunkPart {
            region: Region::Hips,
            joints: hips,
            range: HIPS,
        }];
        for (region, joints) in [(Region::Chest, chests), (Region::Head, heads)] {
            if let [Some(own), Some(other)] = joints {
                trunk.push(TrunkPart {
                    region,
                    joints: [own, other],
                    range: TRUNK,
                });
            }
        }
        trunk
    }

    /// The limbs of these parts that both bodies have and that are whole in the target (an end that hangs from elsewhere must
    /// be carried along), joints of source and target.
    fn limbs(&self, parts: [Part; 3]) -> Vec<Pair> {
        let skeleton = &self.both.target.character.skeleton;
        let carried = beside(self.plan);
        let is_carried = |end: usize| carried.iter().any(|&(joint, _)| joint == end);
        let is_driven = |joint: usize| !matches!(self.plan.rotations[joint], RotationOp::Rest);
        let is_whole = |[own, other]: &[Limb; 2]| {
            let [upper, lower, end] = other.joints();
            let is_below = skeleton.is_ancestor(lower, end) || is_carried(end);
            // A foot that the source does not have goes with its shin.
            skeleton.is_ancestor(upper, lower)
                && (is_below || !other.has_end())
                && is_driven(upper)
                && is_driven(lower)
                && (is_driven(end) || !own.has_end())
        };
        SIDES
            .into_iter()
            .filter_map(|side| {
                let own = Limb::new(self.both.source, &self.source, parts, side)?;
                let other = Limb::new(self.both.target, &self.target, parts, side)?;
                let limbs = [own, other];
                is_whole(&limbs).then_some(Pair { side, limbs })
            })
            .collect()
    }

    /// How high the source's thighs are over their feet, at most.
    fn standing(&self, legs: &[Pair]) -> f64 {
        let standing = legs.iter().map(|leg| {
            let [thigh, _, ankle] = leg.limbs[0].at(&self.source);
            thigh.y - ankle.y
        });
        standing.fold(0.0, f64::max)
    }
}

/// Parts of both bodies by the joints that the stage looks at.
struct Parts<'a> {
    bodies: &'a Bodies<'a>,
    source: Kinematics,
    target: Kinematics,
    /// How thick both are.
    thick: [f64; 2],
}

impl Parts<'_> {
    /// A part of source and target around their joints.
    fn of(&self, region: Region, joints: [usize; 2]) -> Option<[GroundPart; 2]> {
        let both = self.bodies.both;
        let part = |which: usize, side: &Mapped<'_>, seen: &Kinematics| {
            let further = match region {
                Region::Foot(of) => limbs::joint(side.map, Part::Toes, of),
                _ => None,
            };
            let (skin, thickness) = (&self.bodies.skins[which], self.thick[which]);
            skin.part(region, joints[which], further, seen, thickness)
        };
        Some([
            part(0, both.source, &self.source)?,
            part(1, both.target, &self.target)?,
        ])
    }

    /// A limb of the target, whose middle joint bends towards `forward`, canonical.
    fn limb(&self, Limb { upper, lower, end }: Limb, forward: DVec3) -> Option<PinLimb> {
        let to = self.bodies.both.to;
        Some(PinLimb {
            upper: self.target.find(upper)?,
            lower: self.target.find(lower)?,
            end: self.target.find(end.joint)?,
            tip: end.offset.as_vec3(),
            forward: (to.retarget_rotation(upper).conjugate() * forward).as_vec3(),
        })
    }

    fn trunk(&self, part: &TrunkPart) -> Option<GroundPoint> {
        let [source, target] = self.of(part.region, part.joints)?;
        Some(GroundPoint {
            source,
            target,
            range: part.range,
            standing: self.bodies.source[part.joints[0]].position.y as f32,
        })
    }

    fn waist(&self, waist: &WaistJoints) -> Option<Waist> {
        Some(Waist {
            joint: self.target.find(waist.joint)?,
            kept: waist.neck.and_then(|neck| self.target.find(neck)),
        })
    }

    fn leg(&self, pair: &Pair) -> Option<GroundLeg> {
        let (of, [own, other]) = (pair.side, pair.limbs);
        let Both { from, to, .. } = *self.bodies.both;
        let frame = to.retarget_rotation(other.end.joint).conjugate() * to.canonical_from_file;
        let sole = |leg: &Limb, body: &Alignment| leg.ankle_height(body.measures.ankle_height);
        Some(GroundLeg {
            source_thigh: self.source.find(own.upper)?,
            source_end: own.end.offset.as_vec3(),
            knees: self.of(Region::Knee(of), [own.lower, other.lower])?,
            standing_knee: self.bodies.source[own.lower].position.y as f32,
            feet: self.of(Region::Foot(of), [own.end.joint, other.end.joint])?,
            limb: self.limb(other, DVec3::Z)?,
            foot_frame: frame.as_quat(),
            ankle_heights: [sole(&own, from) as f32, sole(&other, to) as f32],
        })
    }

    fn arm(&self, pair: &Pair) -> Option<GroundArm> {
        let (of, [_, limb]) = (pair.side, pair.limbs);
        let [own, other] = pair.limbs.map(|limb| limb.joints());
        let places = &self.bodies.source;
        let palm = knuckles(self.bodies.both.source, places, [own[1], own[2]], of);
        let arm = own.map(|joint| places[joint].position);
        let length = arm[0].distance(arm[1]) + arm[1].distance(arm[2]) + palm.length();
        Some(GroundArm {
            hands: self.of(Region::Hand(of), [own[2], other[2]])?,
            source_arm: [self.source.find(own[0])?, self.source.find(own[1])?],
            elbow: self.of(Region::Elbow(of), [own[1], other[1]])?[1].clone(),
            source_palm: palm.as_vec3(),
            hanging: (arm[0].y - length) as f32,
            limb: self.limb(limb, DVec3::NEG_Z)?,
        })
    }
}

/// The joint that carries the shoulders.
fn chest(side: &Mapped<'_>) -> Option<usize> {
    let parts = [Part::Shoulder, Part::UpperArm];
    let arms = parts.map(|part| limbs::joint(side.map, part, Side::Left));
    let shoulder = arms.into_iter().flatten().next()?;
    side.character.skeleton.parent(shoulder)
}
