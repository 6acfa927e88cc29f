//! From two aligned characters to a plan.

use crate::align::{AlignOptions, Alignment, PoseSource, align, align_pair};
use crate::error::Error;
use crate::links::{Link, links, named_pairs};
use crate::mapping::RigMap;
use crate::profile::Part;
use crate::root::{RootScale, travel};
use crate::runtime::{AttachOp, AttachSource, LinearOp, Plan, Rig, RotationOp, ScaleOp, TravelOp};
use crate::transfer::{Method, channels, model_delta, parent_delta, rest_delta};
use glam::{DMat3, DVec3};
use rebone_model::kinematics::model_pose;
use rebone_model::{Character, Clip, Warning};

/// One character with the map of its joints.
#[derive(Clone, Copy, Debug)]
pub struct Mapped<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its slots.
    pub map: &'a RigMap,
    /// Metres a file unit. Default 1.
    pub meters_per_unit: f64,
    /// What alignment may be told.
    pub align: &'a AlignOptions,
}

/// The user's choices.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompileOptions {
    /// How rotations are transferred.
    pub method: Method,
    /// The law of the motion scale.
    pub root_scale: RootScale,
    /// Which containers count, for [`Method::RestDelta`].
    pub embedding: rest_delta::Embedding,
}

/// A plan with what is worth knowing about it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The constants.
    pub plan: Plan,
    /// Which joints drive which.
    pub links: Vec<Link>,
    /// Joints in no slot that go together by name.
    pub named: Vec<(usize, usize)>,
    /// The source in its retarget pose.
    pub source: Alignment,
    /// The target in its retarget pose.
    pub target: Alignment,
    /// Target metres of travel a source metre.
    pub root_scale: f64,
    /// Doubts, of both sides.
    pub warnings: Vec<Warning>,
}

/// Aligns both characters and fills a plan.
///
/// `clips` are the source's motions, consulted for its floor, its up axis and, where its rest pose is no
/// standing pose, for a reference pose.
pub fn compile(
    source: &Mapped<'_>,
    target: &Mapped<'_>,
    clips: &[&Clip],
    options: &CompileOptions,
) -> Result<Compiled, Error> {
    let links = links(source.map, target.map);
    if links.is_empty() {
        return Err(Error::MissingSlots {
            character: "neither character, in common,".to_owned(),
            slots: vec!["any slot".to_owned()],
        });
    }
    let named = named_pairs(
        (source.character, source.map),
        (target.character, target.map),
    );
    let mut warnings = Vec::new();
    for (side, mapped) in [("source", source), ("target", target)] {
        let missing = mapped.map.missing_required();
        if mapped.map.joint_named("hips").is_none() {
            return Err(Error::MissingSlots {
                character: format!("the {side} \"{}\"", mapped.character.name),
                slots: missing.iter().map(ToString::to_string).collect(),
            });
        }
        if !missing.is_empty() {
            warnings.push(Warning::new(
                "slot-missing",
                format!("the {side} has no joint for {}", missing.join(", ")),
                "name the joints in a recipe if the rig has them",
            ));
        }
    }
    let source_alignment = align(source.character, source.map, clips, source.align);
    let target_clips: Vec<&Clip> = target.character.clips.iter().collect();
    let mut target_alignment = align(target.character, target.map, &target_clips, target.align);
    align_pair(&source_alignment, &mut target_alignment, target.map);
    let (from, to) = (&source_alignment, &target_alignment);
    let aligned_source = (source.character, from);
    let aligned_target = (target.character, to);

    let unit_ratio = target.meters_per_unit / source.meters_per_unit;
    let ratio = options.root_scale.ratio(from, to, unit_ratio);
    let floors = (
        motion_floor(source, from, clips),
        motion_floor(target, to, &target_clips),
    );
    let (linear, offset) = travel(from, to, ratio, floors);
    let hips = source
        .map
        .joint_named("hips")
        .zip(target.map.joint_named("hips"));
    let travel = hips.map(|(source_joint, target)| TravelOp {
        source: source_joint,
        target,
        linear: linear.as_mat3(),
        offset: offset.as_vec3(),
        parent_size: size_above(source.character, source_joint),
    });
    let rotations = match options.method {
        Method::ModelDelta => model_delta::rotations(from, to, target.map, &links, &named),
        Method::RestDelta => {
            rest_delta::rotations(aligned_source, aligned_target, &links, options.embedding)
        }
        Method::Channels => channels::rotations(aligned_source, aligned_target, &links),
        Method::ParentDelta => parent_delta::rotations(aligned_source, aligned_target, &links),
    };
    let (travel, slides, scales) = if options.method == Method::Channels {
        let (slides, scales) =
            channels::translations_and_scales(source.character, target.character, &links);
        (None, slides, scales)
    } else {
        let (slides, scales) = slides_and_scales(
            source,
            from,
            target,
            to,
            clips,
            &pairs(target, &links, &named),
            ratio,
            &rotations,
        );
        (travel, slides, scales)
    };
    let plan = Plan {
        source: Rig::new(&source.character.skeleton),
        target: Rig::new(&target.character.skeleton),
        target_from_source: crate::align::unit(
            to.canonical_from_file.conjugate() * from.canonical_from_file,
        )
        .as_quat(),
        attachments: attachments(source, from, target, to, ratio, &rotations),
        rotations,
        travel,
        slides,
        scales,
    };
    warnings.extend(from.warnings.iter().cloned());
    warnings.extend(to.warnings.iter().cloned());
    Ok(Compiled {
        plan,
        links,
        named,
        root_scale: ratio * unit_ratio,
        source: source_alignment,
        target: target_alignment,
        warnings,
    })
}

/// Two joints that go together.
struct Pair {
    source: usize,
    target: usize,
    is_hips: bool,
}

fn pairs(target: &Mapped<'_>, links: &[Link], named: &[(usize, usize)]) -> Vec<Pair> {
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
    linked.chain(named).collect()
}

/// Joints that slide or stretch in the source do so in the target (E24): by bone length, and with the
/// scale factors against rest.
fn slides_and_scales(
    source: &Mapped<'_>,
    from: &Alignment,
    target: &Mapped<'_>,
    to: &Alignment,
    clips: &[&Clip],
    pairs: &[Pair],
    travel_ratio: f64,
    rotations: &[RotationOp],
) -> (Vec<LinearOp>, Vec<ScaleOp>) {
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
        let own = source.character.skeleton.joints()[joint].rest.translation;
        let own = match from.pose_source {
            PoseSource::Frame(time) => clips
                .first()
                .and_then(|clip| clip.joints.get(joint)?.translation.as_ref())
                .map_or(own, |track| {
                    rebone_model::sampling::sample_track(track, time)
                }),
            _ => own,
        };
        let rest = target.character.skeleton.joints()[driven].rest.translation;
        let (length, target_length) = (own.length(), rest.length());
        let ratio = if length < 1e-6 || target_length < 1e-6 {
            travel_ratio
        } else {
            f64::from(target_length / length)
        };
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

/// Size of the node above a joint in the rest pose.
fn size_above(character: &Character, joint: usize) -> f32 {
    let pose = model_pose(&character.skeleton, &character.skeleton.rest_pose());
    character.skeleton.parent(joint).map_or(1.0, |above| {
        pose.model_from_joint(above)
            .matrix3
            .determinant()
            .abs()
            .cbrt()
    })
}

/// True where the joint of the nearest slot above is no ancestor of this joint.
fn is_detached(side: &Mapped<'_>, joint: usize) -> bool {
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

fn attachments(
    source: &Mapped<'_>,
    source_alignment: &Alignment,
    target: &Mapped<'_>,
    alignment: &Alignment,
    travel_ratio: f64,
    rotations: &[RotationOp],
) -> Vec<AttachOp> {
    let mut result = Vec::new();
    for (slot, found) in &target.map.slots {
        let Some(&joint) = found.joints.first() else {
            continue;
        };
        if target.map.profile.info(*slot).part == Part::Hips
            || matches!(rotations[joint], RotationOp::Rest)
        {
            continue;
        }
        let Some(carrier) = carrier(target, joint) else {
            continue;
        };
        let detached = is_detached(target, joint);
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
        let offset = offset_between(alignment, carrier, joint);
        let from = pair
            .filter(|&(from, _)| !detached || is_detached(source, from))
            .map(|(from, above)| {
                let own = offset_between(source_alignment, above, from);
                let turn = alignment.retarget_rotation(carrier).conjugate()
                    * source_alignment.retarget_rotation(above);
                let least = 1e-3 * source_alignment.measures.leg;
                let ratio = if own.length() < least || offset.length() < 1e-9 {
                    travel_ratio
                } else {
                    offset.length() / own.length()
                };
                AttachSource {
                    joint: from,
                    carrier: above,
                    offset: own.as_vec3(),
                    linear: (DMat3::from_quat(turn) * ratio).as_mat3(),
                }
            });
        result.push(AttachOp {
            target: joint,
            carrier,
            offset: offset.as_vec3(),
            source: from,
            only_if_sliding: if detached { Vec::new() } else { between },
        });
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

/// Position of a joint in its carrier's axes, in the reference pose.
fn offset_between(alignment: &Alignment, carrier: usize, joint: usize) -> DVec3 {
    let (own, above) = (&alignment.reference[joint], &alignment.reference[carrier]);
    above.rotation.conjugate() * (own.position - above.position)
}

/// Height of the floor in a character's motions, canonical: that of its rest pose where it stands on the
/// origin; else that of its rest pose or the origin, whichever is nearer to where its feet go; where both
/// are far off, where its feet go.
fn motion_floor(side: &Mapped<'_>, alignment: &Alignment, clips: &[&Clip]) -> f64 {
    let measures = &alignment.measures;
    if measures.floor == 0.0 {
        return 0.0;
    }
    let feet: Vec<usize> = ["leftFoot", "rightFoot", "leftToes", "rightToes"]
        .iter()
        .filter_map(|slot| side.map.joint_named(slot))
        .collect();
    let Some(standing) = feet
        .iter()
        .map(|&foot| alignment.reference[foot].position.y - measures.floor)
        .min_by(f64::total_cmp)
    else {
        return measures.floor;
    };
    let mut lowest = Vec::new();
    for clip in clips.iter().take(16) {
        let (start, end) = clip.time_span();
        for step in 0..24 {
            let time = start + (end - start) * step as f32 / 23.0;
            let pose = rebone_model::sampling::sample_clip(&side.character.skeleton, clip, time);
            let model = model_pose(&side.character.skeleton, &pose);
            let height = |joint: &usize| {
                (alignment.canonical_from_file * model.position(*joint).as_dvec3()).y
            };
            if let Some(low) = feet.iter().map(height).min_by(f64::total_cmp) {
                lowest.push(low - standing);
            }
        }
    }
    lowest.sort_by(f64::total_cmp);
    let Some(&found) = lowest.get(lowest.len() / 8) else {
        return measures.floor;
    };
    let near = 0.3 * measures.leg.max(1e-9);
    let (rest, origin) = ((found - measures.floor).abs(), found.abs());
    if rest <= origin && rest < near {
        measures.floor
    } else if origin < near {
        0.0
    } else {
        found
    }
}
