//! Joints that are placed by the joint they belong to in the body, not by their own parent.

use super::{Both, Mapped};
use crate::align::{Alignment, rotation_arc};
use crate::profile::Part;
use glam::{DMat3, DVec3, Mat3};
use rebone_model::{Character, Clip};
use rebone_runtime::{AttachOp, AttachSource, Plan, RotationOp, is_at_rest};

/// True where the joint of the nearest slot above is no ancestor of this joint.
pub(super) fn is_detached(side: &Mapped<'_>, joint: usize) -> bool {
    carrier(side, joint).is_some_and(|above| !side.character.skeleton.is_ancestor(above, joint))
}

/// The joint of the nearest slot above a joint's own slot.
fn carrier(side: &Mapped<'_>, joint: usize) -> Option<usize> {
    let (slot, _) = side
        .map
        .slots
        .iter()
        .find(|(_, found)| found.joints.first() == Some(&joint))?;
    let above = side.map.present_parent(*slot)?;
    // The torso is one chain; what hangs from it hangs from the joint that carries it in the file.
    let joints = &side.map.slots.get(&above)?.joints;
    joints
        .iter()
        .rev()
        .find(|&&candidate| side.character.skeleton.is_ancestor(candidate, joint))
        .or(joints.first())
        .copied()
}

/// Joints of slots that must be placed by the slot above.
///
/// A foot that hangs beside its leg, and of which the source says nothing, is carried by the leg.
pub(super) fn attachments(
    both: &Both<'_>,
    clips: &[&Clip],
    rotations: &mut [RotationOp],
) -> Vec<AttachOp> {
    let Both {
        source, target, to, ..
    } = *both;
    let mut result = Vec::new();
    for (slot, found) in &target.map.slots {
        let Some(&joint) = found.joints.first() else {
            continue;
        };
        let detached = is_detached(target, joint);
        let is_unmoved = matches!(rotations[joint], RotationOp::Rest);
        if target.map.profile.info(*slot).part == Part::Hips || is_unmoved && !detached {
            continue;
        }
        let Some(carrier) = carrier(target, joint) else {
            continue;
        };
        if is_unmoved {
            rotations[joint] = carried(to, carrier, joint);
        }
        let pair = source
            .map
            .joint(*slot)
            .and_then(|from| Some((from, self::carrier(source, from)?)));
        let between = pair.map_or_else(Vec::new, |(from, above)| {
            unmapped_between(source, above, from)
        });
        if !detached && between.is_empty() {
            continue;
        }
        let pair = pair.filter(|&(from, _)| !detached || is_detached(source, from));
        result.push(AttachOp {
            target: joint,
            carrier,
            offset: offset_between(to, carrier, joint).as_vec3(),
            source: pair.map(|pair| {
                let mut source = attach_source(both, pair, (joint, carrier));
                if !between.is_empty() {
                    swing_alike(&mut source, offset_between(to, carrier, joint));
                }
                source
            }),
            only_if_sliding: match detached || slides_in(clips, source, &between) {
                true => Vec::new(),
                false => between,
            },
        });
    }
    result
}

/// The rotation of a joint that another one carries.
fn carried(to: &Alignment, carrier: usize, joint: usize) -> RotationOp {
    let frame = to.retarget_rotation(carrier).conjugate() * to.retarget_rotation(joint);
    RotationOp::Carried {
        carrier,
        frame: crate::align::unit(frame).as_quat(),
    }
}

/// What two source joints do to two target joints, each a joint and its carrier.
fn attach_source(both: &Both<'_>, source: (usize, usize), target: (usize, usize)) -> AttachSource {
    let own = offset_between(both.from, source.1, source.0);
    let offset = offset_between(both.to, target.1, target.0);
    let turn =
        both.to.retarget_rotation(target.1).conjugate() * both.from.retarget_rotation(source.1);
    let least = 1e-3 * both.from.measures.leg;
    let ratio = if own.length() < least || offset.length() < 1e-9 {
        both.ratio
    } else {
        offset.length() / own.length()
    };
    AttachSource {
        joint: source.0,
        carrier: source.1,
        offset: own.as_vec3(),
        linear: (DMat3::from_quat(turn) * ratio).as_mat3(),
    }
}

/// Where joints between carrier and joint turn, the source's joint swings about its carrier. The target's swings as far then, without a
/// change of its distance: the source's own way from the carrier stands for the target's. Ways that point apart have no such turn.
fn swing_alike(source: &mut AttachSource, offset: DVec3) {
    let own = (source.linear * source.offset).as_dvec3();
    if own.dot(offset) > 0.0 {
        source.linear = Mat3::from_quat(rotation_arc(own, offset).as_quat()) * source.linear;
    }
}

/// Joints of the target that belong to the body but hang beside it (a belly beside the hips): each is
/// carried by the nearest joint of the trunk, and follows its namesake of the source if there is one.
///
/// Controls of animation tools (IK, poles) deform nothing and stay where they are.
pub(super) fn loose_joints(
    both: &Both<'_>,
    named: &[(usize, usize)],
    rotations: &mut [RotationOp],
) -> Vec<AttachOp> {
    let Both {
        source, target, to, ..
    } = *both;
    let mut result = Vec::new();
    for joint in loose(target) {
        let Some(carrier) = nearest_trunk_joint(target, to, joint) else {
            continue;
        };
        let namesake = named.iter().find(|pair| pair.1 == joint).map(|pair| pair.0);
        let pair =
            namesake.and_then(|from| Some((from, nearest_trunk_joint(source, both.from, from)?)));
        if pair.is_none() {
            rotations[joint] = carried(to, carrier, joint);
        }
        result.push(AttachOp {
            target: joint,
            carrier,
            offset: offset_between(to, carrier, joint).as_vec3(),
            source: pair.map(|pair| attach_source(both, pair, (joint, carrier))),
            only_if_sliding: Vec::new(),
        });
    }
    result
}

/// Topmost skin joints that are neither in a slot, nor above or below one, nor controls.
fn loose(side: &Mapped<'_>) -> Vec<usize> {
    let skeleton = &side.character.skeleton;
    let mut in_slot = vec![false; skeleton.len()];
    for &joint in side.map.slots.values().flat_map(|found| &found.joints) {
        in_slot[joint] = true;
    }
    let mut touched = in_slot.clone();
    for joint in (0..skeleton.len()).rev() {
        if let Some(parent) = skeleton.parent(joint).filter(|_| touched[joint]) {
            touched[parent] = true;
        }
    }
    // Now above: everything that carries a slot. Below: everything that a slot carries.
    let skinned = |joint: usize| {
        side.character
            .skins
            .iter()
            .any(|skin| skin.joints.contains(&joint))
    };
    let mut below = in_slot;
    let mut result = Vec::new();
    for joint in 0..skeleton.len() {
        if let Some(parent) = skeleton.parent(joint) {
            below[joint] |= below[parent];
        }
        if below[joint] || touched[joint] || !skinned(joint) {
            continue;
        }
        below[joint] = true;
        if !is_control(&skeleton.joints()[joint].name) {
            result.push(joint);
        }
    }
    result
}

fn is_control(name: &str) -> bool {
    const CONTROLS: [&str; 9] = [
        "ik", "control", "ctrl", "pole", "target", "helper", "knee", "elbow", "handle",
    ];
    crate::names::tokens(name)
        .iter()
        .any(|token| CONTROLS.contains(&token.as_str()))
}

fn nearest_trunk_joint(side: &Mapped<'_>, alignment: &Alignment, joint: usize) -> Option<usize> {
    let place = alignment.reference[joint].position;
    let trunk = [Part::Hips, Part::Torso];
    side.map
        .slots
        .iter()
        .filter(|(slot, _)| trunk.contains(&side.map.profile.info(**slot).part))
        .flat_map(|(_, found)| found.joints.iter().copied())
        .min_by(|&a, &b| {
            let distance = |joint: usize| alignment.reference[joint].position.distance(place);
            distance(a).total_cmp(&distance(b))
        })
}

/// All joints of the target, each behind its parent and behind what carries it.
pub(super) fn order(target: &Character, attachments: &[AttachOp]) -> Vec<usize> {
    let mut carrier = vec![None; target.skeleton.len()];
    for attach in attachments {
        carrier[attach.target] = Some(attach.carrier);
    }
    let mut started = vec![false; carrier.len()];
    let mut done = vec![false; carrier.len()];
    let mut result = Vec::with_capacity(carrier.len());
    for first in 0..carrier.len() {
        let mut open = vec![first];
        while let Some(&joint) = open.last() {
            started[joint] = true;
            let needed = [target.skeleton.parent(joint), carrier[joint]]
                .into_iter()
                .flatten()
                .find(|&other| !started[other]);
            if let Some(other) = needed {
                open.push(other);
                continue;
            }
            open.pop();
            if !done[joint] {
                done[joint] = true;
                result.push(joint);
            }
        }
    }
    result
}

/// Joints strictly between a joint and its carrier: they are in no slot.
fn unmapped_between(side: &Mapped<'_>, carrier: usize, joint: usize) -> Vec<usize> {
    let skeleton = &side.character.skeleton;
    if !skeleton.is_ancestor(carrier, joint) {
        return Vec::new();
    }
    skeleton
        .ancestors(joint)
        .take_while(|&above| above != carrier)
        .collect()
}

/// True where one of these joints slides in a clip. The choice is made once for all frames: a joint that changed its carrier on
/// the way would jump.
fn slides_in(clips: &[&Clip], side: &Mapped<'_>, joints: &[usize]) -> bool {
    let slides = |(clip, &joint): (&&Clip, &usize)| {
        let rest = side.character.skeleton.joints()[joint].rest.translation;
        let track = clip.joints.get(joint);
        let track = track.and_then(|tracks| tracks.translation.as_ref());
        track.is_some_and(|track| {
            let mut keys = (0..track.key_count()).map(|key| track.key_value(key));
            keys.any(|now| !is_at_rest(now, rest))
        })
    };
    let mut pairs = clips
        .iter()
        .flat_map(|clip| joints.iter().map(move |joint| (clip, joint)));
    pairs.any(slides)
}

/// Position of a joint in its carrier's axes, in the reference pose.
fn offset_between(alignment: &Alignment, carrier: usize, joint: usize) -> DVec3 {
    let (own, above) = (&alignment.reference[joint], &alignment.reference[carrier]);
    above.rotation.conjugate() * (own.position - above.position)
}

/// Target joints that hang beside the body from another joint, carriers before the carried: what a stage that moves
/// limbs takes along.
pub(super) fn beside(plan: &Plan) -> Vec<(usize, usize)> {
    let beside = plan.attachments.iter();
    let beside = beside.filter(|attach| plan.is_beside(attach));
    beside
        .map(|attach| (attach.target, attach.carrier))
        .collect()
}

/// The joints that a stage takes along, each with its carrier.
pub(super) fn with_carriers(attached: &[(usize, usize)]) -> impl Iterator<Item = usize> + '_ {
    let pairs = attached.iter();
    pairs.flat_map(|&(joint, carrier)| [joint, carrier])
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use rebone_model::rotation::exp;

    /// A thigh that swings about the hips keeps its distance from them, whichever way it lies.
    #[test]
    fn what_swings_keeps_its_distance() {
        let own = Vec3::new(0.1, -0.02, 0.01);
        let turn = Quat::from_rotation_x(1.2);
        let offset = turn * Vec3::new(0.17, 0.11, 0.0);
        let ratio = offset.length() / own.length();
        let mut source = AttachSource {
            joint: 1,
            carrier: 0,
            offset: own,
            linear: Mat3::from_quat(turn) * ratio,
        };
        let changed = |source: &AttachSource, swing: Vec3| {
            let place = offset + source.linear * (exp(swing) * own - own);
            (place.length() / offset.length() - 1.0).abs()
        };
        let swings = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| 0.4 * axis);
        assert!(swings.iter().any(|swing| changed(&source, *swing) > 0.1));
        swing_alike(&mut source, offset.as_dvec3());
        for swing in swings {
            assert!(changed(&source, swing) < 1e-5, "{swing}");
        }
        // A way that points to the other side is left as it is.
        let before = source;
        swing_alike(&mut source, -offset.as_dvec3());
        assert_eq!(source, before);
    }
}
