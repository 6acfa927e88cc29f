//! From two aligned bodies to the stage that keeps the target on the floor where it lies, sits, kneels or crawls.

use super::attach::beside;
use super::hands::knuckles;
use super::{Both, Mapped};
use crate::align::limbs::{self, ARM, LEG, SIDES};
use crate::align::{Alignment, Placement, retarget_placements};
use crate::ground::GroundChoice;
use crate::profile::{Part, Side, Stance};
use crate::runtime::{
    GroundArm, GroundLeg, GroundPoint, GroundStage, Kinematics, PinLimb, Plan, RotationOp, Stage,
    StageOp,
};
use glam::DVec3;

/// Bounds of the hips, of chest and head, as shares of the body's thickness.
const HIPS: [f32; 2] = [0.8, 1.5];
/// See [`HIPS`].
const TRUNK: [f32; 2] = [0.9, 1.6];

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
    let mut trunk = vec![(own_hips, hips, HIPS)];
    let chest = |side: &Mapped<'_>| {
        let parts = [Part::Shoulder, Part::UpperArm];
        let arms = parts.map(|part| limbs::joint(side.map, part, Side::Left));
        let shoulder = arms.into_iter().flatten().next()?;
        side.character.skeleton.parent(shoulder)
    };
    let head = |side: &Mapped<'_>| side.map.joint_of(Part::Head, Side::Center);
    for find in [&chest as &dyn Fn(&Mapped<'_>) -> Option<usize>, &head] {
        if let (Some(own), Some(other)) = (find(both.source), find(both.target)) {
            trunk.push((own, other, TRUNK));
        }
    }
    let limbs_of = |which: usize| {
        let all = legs.iter().chain(&arms);
        all.flat_map(move |(_, joints)| joints[which])
    };
    let attached = beside(plan);
    let both_of = attached
        .iter()
        .flat_map(|&(joint, carrier)| [joint, carrier]);
    let source = Kinematics::new(
        &plan.source,
        limbs_of(0).chain(trunk.iter().map(|point| point.0)),
    );
    let target = Kinematics::new(
        &plan.target,
        limbs_of(1)
            .chain(trunk.iter().map(|point| point.1))
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
    let ankle = legs.iter().map(|(_, [own, _])| at(own[2]));
    let standing = at(own_hips) - ankle.fold(f64::INFINITY, f64::min).min(at(own_hips));
    let ankles = [both.from, both.to].map(|side| side.measures.ankle_height as f32);
    let leg = |&(_, [own, other]): &(Side, [[usize; 3]; 2])| {
        let frame = both.to.retarget_rotation(other[2]).conjugate() * both.to.canonical_from_file;
        Some(GroundLeg {
            source_knee: source.find(own[1])?,
            standing_knee: at(own[1]) as f32,
            source_foot: source.find(own[2])?,
            limb: limb(other, DVec3::Z)?,
            foot_frame: frame.as_quat(),
            ankle_heights: ankles,
        })
    };
    let arm = |&(of, [own, other]): &(Side, [[usize; 3]; 2])| {
        Some(GroundArm {
            source_hand: source.find(own[2])?,
            source_palm: knuckles(both.source, &bodies.source, [own[1], own[2]], of).as_vec3(),
            limb: limb(other, DVec3::NEG_Z)?,
            palm: knuckles(both.target, &bodies.target, [other[1], other[2]], of).as_vec3(),
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
            .filter_map(|&(own, other, range)| {
                Some(GroundPoint {
                    source: source.find(own)?,
                    target: target.find(other)?,
                    range,
                    standing: at(own) as f32,
                })
            })
            .collect(),
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
