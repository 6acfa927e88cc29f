//! Translations and scales of single joints.

use super::attach::is_detached;
use super::{Both, Mapped, SlideMode, hips_of};
use crate::align::rotation_arc;
use crate::by_hand::HandLinks;
use crate::links::Link;
use crate::profile::Part;
use glam::{DMat3, Vec3};
use rebone_model::kinematics::model_pose;
use rebone_model::{Character, Clip};
use rebone_runtime::{LinearOp, RotationOp, ScaleOp};

/// How far a joint slides at most, in lengths of its bone, where it slides in proportion to the bone. A robot's head that flies off
/// would stretch the neck of a skin without end.
const FARTHEST: f64 = 1.0;

/// Difference of two bones' lengths, as shares of their bodies' heights, below which they are taken for bones of one rig. Those have no
/// limit, so that a rig's own clips come back as they were.
const ALIKE: f64 = 1e-3;

/// Two joints that go together.
pub(super) struct Pair {
    source: usize,
    target: usize,
    is_hips: bool,
}

/// Joints of slots with equally many joints on both sides, joints of equal names, and a person's own pairs.
pub(super) fn pairs(
    target: &Mapped<'_>,
    links: &[Link],
    named: &[(usize, usize)],
    by_hand: &HandLinks,
) -> Vec<Pair> {
    let hips = hips_of(target.map);
    let linked = links
        .iter()
        .filter(|link| link.source.len() == link.target.len())
        .flat_map(|link| {
            let is_hips = target.map.profile.info(link.slot).part == Part::Hips;
            link.source
                .iter()
                .zip(&link.target)
                .map(move |(&source, &target)| Pair {
                    source,
                    target,
                    is_hips,
                })
        });
    let named = named.iter().map(|&(source, target)| Pair {
        source,
        target,
        is_hips: false,
    });
    let by_slots_and_names = linked
        .chain(named)
        .filter(|pair| !by_hand.decides(pair.target));
    let own = by_hand.pairs.iter().map(|&(source, target)| Pair {
        source,
        target,
        is_hips: hips == Some(target),
    });
    by_slots_and_names.chain(own).collect()
}

/// Joints that slide or stretch in the source do so in the target (E24): by bone length, and with the
/// scale factors against rest.
pub(super) fn slides_and_scales(
    both: &Both<'_>,
    clips: &[&Clip],
    pairs: &[Pair],
    rotations: &[RotationOp],
    modes: &[SlideMode],
) -> (Vec<LinearOp>, Vec<ScaleOp>) {
    let Both {
        source,
        from,
        target,
        to,
        ratio: travel_ratio,
        ..
    } = *both;
    let (source_sizes, target_sizes) = (sizes(source.character), sizes(target.character));
    let (mut slides, mut scales) = (Vec::new(), Vec::new());
    for pair in pairs {
        let (joint, driven) = (pair.source, pair.target);
        if matches!(rotations[driven], RotationOp::Rest) {
            continue;
        }
        let frame = from.retarget_rotation(joint).conjugate() * to.retarget_rotation(driven);
        scales.push(ScaleOp {
            source: joint,
            target: driven,
            frame: crate::align::unit(frame).as_quat(),
            matrices: None,
        });
        if pair.is_hips || is_detached(source, joint) || is_detached(target, driven) {
            continue;
        }
        let Some((above, target_above)) = source
            .character
            .skeleton
            .parent(joint)
            .zip(target.character.skeleton.parent(driven))
        else {
            continue;
        };
        let own = reference_translation(both, clips, joint);
        let rest = target.character.skeleton.joints()[driven].rest.translation;
        let (length, target_length) = (f64::from(own.length()), f64::from(rest.length()));
        let (size, target_size) = (source_sizes[above], target_sizes[target_above]);
        // A bone of no length says nothing: then the joint slides as far as the body travels.
        let has_length = length * size >= 1e-5 * from.measures.height
            && target_length * target_size >= 1e-5 * to.measures.height;
        let sizes = size / target_size.max(1e-12);
        let ratio = match modes[driven] {
            SlideMode::None => continue,
            SlideMode::Absolute => sizes * source.meters_per_unit / target.meters_per_unit,
            SlideMode::Stretch if has_length => {
                let of_height = length * size / from.measures.height;
                let target_of_height = target_length * target_size / to.measures.height;
                let is_of_one_rig = (target_of_height / of_height - 1.0).abs() < ALIKE;
                let far = if is_of_one_rig {
                    0.0
                } else {
                    farthest(clips, joint, own) / length
                };
                target_length / length / (far / FARTHEST).max(1.0)
            }
            SlideMode::OrientAndScale if has_length => target_length / length,
            _ => travel_ratio * sizes,
        };
        if modes[driven] == SlideMode::OrientAndScale && has_length {
            let arc = rotation_arc(own.as_dvec3(), rest.as_dvec3());
            slides.push(LinearOp {
                source: joint,
                target: driven,
                linear: (DMat3::from_quat(arc) * ratio).as_mat3(),
                offset: Vec3::ZERO,
            });
            continue;
        }
        let turn = to.retarget_rotation(target_above).conjugate() * from.retarget_rotation(above);
        // Local lengths already hold each side's scale, so their quotient is all that is needed.
        let linear = (DMat3::from_quat(turn) * ratio).as_mat3();
        slides.push(LinearOp {
            source: joint,
            target: driven,
            linear,
            offset: rest - linear * own,
        });
    }
    (slides, scales)
}

/// How far a source joint gets from its place in the reference pose, in these clips; units of its parent.
fn farthest(clips: &[&Clip], joint: usize, own: Vec3) -> f64 {
    let tracks = clips
        .iter()
        .filter_map(|clip| clip.joints.get(joint)?.translation.as_ref());
    let places = tracks.flat_map(|track| (0..track.key_count()).map(|key| track.key_value(key)));
    let far = places.map(|place| f64::from(place.distance(own)));
    far.fold(0.0, f64::max)
}

/// Local translation of a source joint in the reference pose.
pub(super) fn reference_translation(both: &Both<'_>, clips: &[&Clip], joint: usize) -> Vec3 {
    let rest = both.source.character.skeleton.joints()[joint]
        .rest
        .translation;
    both.from.pose_source.time().map_or(rest, |time| {
        clips
            .first()
            .and_then(|clip| clip.joints.get(joint)?.translation.as_ref())
            .map_or(rest, |track| {
                rebone_model::sampling::sample_track(track, time)
            })
    })
}

/// How much each joint enlarges what is below it, in the rest pose.
fn sizes(character: &Character) -> Vec<f64> {
    let pose = model_pose(&character.skeleton, &character.skeleton.rest_pose());
    (0..pose.len())
        .map(|joint| f64::from(rebone_runtime::size_of(&pose.model_from_joint(joint))))
        .collect()
}

/// Size of the node above a joint in the rest pose.
pub(super) fn size_above(character: &Character, joint: usize) -> f32 {
    let pose = model_pose(&character.skeleton, &character.skeleton.rest_pose());
    character.skeleton.parent(joint).map_or(1.0, |above| {
        rebone_runtime::size_of(&pose.model_from_joint(above))
    })
}
