//! From two aligned characters to a plan.

mod attach;
mod floor;
mod places;

use crate::align::limbs;
use crate::align::{AlignOptions, Alignment, align, align_pair};
use crate::chains::{ChainChoices, Chains, stand_alike};
use crate::error::Error;
use crate::links::{Link, links, named_pairs};
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use crate::root::{RootScale, travel};
use crate::runtime::{Plan, Rig, TravelOp};
use crate::transfer::{Method, channels, model_delta, parent_delta, rest_delta};
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
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// How rotations are transferred.
    pub method: Method,
    /// The law of the motion scale.
    pub root_scale: RootScale,
    /// Which containers count, for [`Method::RestDelta`].
    pub embedding: rest_delta::Embedding,
    /// Chains between characters of different kinds: `None` where nobody asked for them, empty for those
    /// that go together by themselves. Default `None`.
    pub chains: Option<ChainChoices>,
}

/// A plan with what is worth knowing about it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The constants.
    pub plan: Plan,
    /// Which joints drive which.
    pub links: Vec<Link>,
    /// The source's slots in the words of the target's profile; its own map where both are of one kind.
    pub source_map: RigMap,
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
    let chains = Chains::between(source.map, target.map, options.chains.as_ref())?;
    let own = source;
    let source_map = chains
        .as_ref()
        .map_or_else(|| own.map.clone(), |chains| chains.map(own.map));
    let source = &Mapped {
        map: &source_map,
        ..*own
    };
    let links = links(source.map, target.map);
    if links.is_empty() {
        return Err(Error::NothingInCommon);
    }
    let named = named_pairs(
        (source.character, source.map),
        (target.character, target.map),
    );
    let mut warnings = Vec::new();
    for (side, mapped) in [("source", own), ("target", target)] {
        let missing = mapped.map.missing_required();
        if hips_of(mapped.map).is_none() {
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
    let mut source_alignment = align(own.character, own.map, clips, own.align);
    let target_clips: Vec<&Clip> = target.character.clips.iter().collect();
    let mut target_alignment = align(target.character, target.map, &target_clips, target.align);
    stand_alike(
        (own.map, target.map),
        (&mut source_alignment, &mut target_alignment),
    );
    if let Some(chains) = &chains {
        source_alignment = chains.alignment(&source_alignment);
    }
    align_pair(&source_alignment, &mut target_alignment, target.map);
    let (from, to) = (&source_alignment, &target_alignment);
    let aligned_source = (source.character, from);
    let aligned_target = (target.character, to);

    let unit_ratio = target.meters_per_unit / source.meters_per_unit;
    let ratio = options.root_scale.ratio(from, to, unit_ratio);
    let floors = (
        floor::motion_floor(own, from, clips),
        floor::motion_floor(target, to, &target_clips),
    );
    let both = Both {
        source,
        from,
        target,
        to,
        ratio,
    };
    let hips = hips_of(source.map).zip(hips_of(target.map));
    let feet = limbs::both(source.map, Part::Foot);
    let travel = hips.map(|hips| TravelOp {
        parent_size: places::size_above(source.character, hips.0),
        ..travel(from, to, ratio, floors, hips, feet)
    });
    if options.root_scale == RootScale::Hips
        && [from, to]
            .iter()
            .any(|side| side.measures.hips_height < 0.2 * side.measures.leg)
    {
        warnings.push(Warning::new(
            "hips-on-floor",
            "the hips joint of one side lies on the floor, so its height says nothing; the legs are taken instead",
            "use --root-scale auto",
        ));
    }
    let mut rotations = match options.method {
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
        let pairs = places::pairs(target, &links, &named);
        let (slides, scales) = places::slides_and_scales(&both, clips, &pairs, &rotations);
        (travel, slides, scales)
    };
    let mut attachments = attach::attachments(&both, &rotations);
    if options.method == Method::ModelDelta {
        attachments.extend(attach::loose_joints(&both, &named, &mut rotations));
    }
    let plan = Plan {
        source: Rig::new(&source.character.skeleton),
        target: Rig::new(&target.character.skeleton),
        target_from_source: crate::align::unit(
            to.canonical_from_file.conjugate() * from.canonical_from_file,
        )
        .as_quat(),
        order: attach::order(target.character, &attachments),
        rotations,
        travel,
        slides,
        scales,
        attachments,
    };
    warnings.extend(from.warnings.iter().cloned());
    warnings.extend(to.warnings.iter().cloned());
    Ok(Compiled {
        plan,
        links,
        source_map,
        named,
        root_scale: ratio * unit_ratio,
        source: source_alignment,
        target: target_alignment,
        warnings,
    })
}

fn hips_of(map: &RigMap) -> Option<usize> {
    map.joint_of(Part::Hips, Side::Center)
}

/// Both sides of a compile.
struct Both<'a> {
    source: &'a Mapped<'a>,
    from: &'a Alignment,
    target: &'a Mapped<'a>,
    to: &'a Alignment,
    /// Target file units of travel a source file unit.
    ratio: f64,
}
