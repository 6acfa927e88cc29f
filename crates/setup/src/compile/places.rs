//! Translations and scales of single joints.

use super::attach::is_detached;
use super::{Both, Mapped, hips_of};
use crate::align::rotation_arc;
use crate::by_hand::HandLinks;
use crate::links::Link;
use crate::profile::Part;
use crate::translations::SlideMode;
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

/// Joints that slide or stretch in the source do so in the target: by bone length, and with the
/// scale factors against rest.
pub(super) fn slides_and_scales(
    both: &Both<'_>,
    clips: &[&Clip],
    pairs: &[Pair],
    rotations: &[RotationOp],
    modes: &[SlideMode],
) -> (Vec<LinearOp>, Vec<ScaleOp>) {
    let (from, to) = (both.from, both.to);
    let sliding = Sliding {
        both,
        clips,
        source_sizes: sizes(both.source.character),
        target_sizes: sizes(both.target.character),
    };
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
        slides.extend(sliding.slide(pair, modes[driven]));
    }
    (slides, scales)
}

/// Both sides with the sizes of their joints.
struct Sliding<'a> {
    both: &'a Both<'a>,
    clips: &'a [&'a Clip],
    source_sizes: Vec<f64>,
    target_sizes: Vec<f64>,
}

/// The bones from two joints that go together to those above them.
struct Bones {
    /// The joints above, of source and target.
    above: [usize; 2],
    /// From there to the joints, local: in the source's reference pose and in the target's rest pose.
    ways: [Vec3; 2],
    /// Their lengths, local.
    lengths: [f64; 2],
    /// Their lengths as shares of their bodies' heights.
    of_height: [f64; 2],
    /// Size of the source's joint above over that of the target's.
    sizes: f64,
    /// A bone of no length says nothing: then the joint slides as far as the body travels.
    has_length: bool,
}

impl Sliding<'_> {
    /// How the target's joint slides; `None` of one that does not.
    fn slide(&self, pair: &Pair, mode: SlideMode) -> Option<LinearOp> {
        let Both {
            source,
            from,
            target,
            to,
            ..
        } = *self.both;
        let is_beside = is_detached(source, pair.source) || is_detached(target, pair.target);
        if pair.is_hips || is_beside {
            return None;
        }
        let bones = self.bones(pair)?;
        let ratio = self.ratio(pair, &bones, mode)?;
        let [own, rest] = bones.ways;
        if mode == SlideMode::OrientAndScale && bones.has_length {
            let arc = rotation_arc(own.as_dvec3(), rest.as_dvec3());
            return Some(LinearOp {
                source: pair.source,
                target: pair.target,
                linear: (DMat3::from_quat(arc) * ratio).as_mat3(),
                offset: Vec3::ZERO,
            });
        }
        let [above, target_above] = bones.above;
        let turn = to.retarget_rotation(target_above).conjugate() * from.retarget_rotation(above);
        // Local lengths already hold each side's scale, so their quotient is all that is needed.
        let linear = (DMat3::from_quat(turn) * ratio).as_mat3();
        Some(LinearOp {
            source: pair.source,
            target: pair.target,
            linear,
            offset: rest - linear * own,
        })
    }

    /// `None` of joints with nothing above them.
    fn bones(&self, pair: &Pair) -> Option<Bones> {
        let both = self.both;
        let target = &both.target.character.skeleton;
        let above = both.source.character.skeleton.parent(pair.source)?;
        let target_above = target.parent(pair.target)?;
        let own = reference_translation(both, self.clips, pair.source);
        let rest = target.joints()[pair.target].rest.translation;
        let (length, target_length) = (f64::from(own.length()), f64::from(rest.length()));
        let (size, target_size) = (self.source_sizes[above], self.target_sizes[target_above]);
        let heights = [both.from, both.to].map(|side| side.measures.height);
        let (whole, target_whole) = (length * size, target_length * target_size);
        Some(Bones {
            above: [above, target_above],
            ways: [own, rest],
            lengths: [length, target_length],
            of_height: [whole / heights[0], target_whole / heights[1]],
            sizes: size / target_size.max(1e-12),
            has_length: whole >= 1e-5 * heights[0] && target_whole >= 1e-5 * heights[1],
        })
    }

    /// Local target units of sliding per local source unit; `None` of a joint that does not slide.
    fn ratio(&self, pair: &Pair, bones: &Bones, mode: SlideMode) -> Option<f64> {
        let [length, target_length] = bones.lengths;
        let [own, other] = [self.both.source, self.both.target].map(|side| side.meters_per_unit);
        let ratio = match mode {
            SlideMode::None => return None,
            SlideMode::Absolute => bones.sizes * own / other,
            SlideMode::Stretch if bones.has_length => {
                let [of_height, target_of_height] = bones.of_height;
                let is_of_one_rig = (target_of_height / of_height - 1.0).abs() < ALIKE;
                let far = if is_of_one_rig {
                    0.0
                } else {
                    farthest(self.clips, pair.source, bones.ways[0]) / length
                };
                target_length / length / (far / FARTHEST).max(1.0)
            }
            SlideMode::OrientAndScale if bones.has_length => target_length / length,
            _ => self.both.ratio * bones.sizes,
        };
        Some(ratio)
    }
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
