//! From two aligned characters to a plan.

mod attach;
mod by_hand;
mod copying;
mod feet;
mod floor;
mod ground;
mod hands;
mod options;
pub mod own_body;
mod pins;
mod places;
mod poses;
mod procedural;
mod root_motion;
mod slides;
mod stages;
mod touches;
mod twist;
mod weights;

pub use options::CompileOptions;
pub use poses::retarget_poses;
pub use slides::{SlideMode, SlideModes};
pub use twist::TwistChoice;
pub use weights::MOST_WEIGHT;

use crate::align::{Aligned, Alignment, Calibrations, limbs};
use crate::chains::Chains;
use crate::error::Error;
use crate::links::{Link, links, named_pairs};
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use crate::root::{RootScale, Standing, travel};
use crate::root_motion::RootMode;
use crate::transfer::chain::{self, SlotModes};
use crate::transfer::{Method, Turns, channels, model_delta, parent_delta, rest_delta};
use glam::{DAffine3, DQuat, DVec3};
use rebone_model::elementary::Turn as _;
use rebone_model::kinematics::model_pose;
use rebone_model::{Action, Character, Clip, Remedy, Warning};
use rebone_runtime::contact::ContactRules;
use rebone_runtime::{Plan, Rig, TravelOp};

/// One character with the map of its joints and its retarget pose.
#[derive(Clone, Copy, Debug)]
pub struct Mapped<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its slots.
    pub map: &'a RigMap,
    /// Metres a file unit. Default 1.
    pub meters_per_unit: f64,
    /// Its own retarget pose, of [`align`](crate::align::align) with this map.
    pub alignment: &'a Alignment,
    /// A person's own turns of the retarget pose. Default: none ([`NO_CALIBRATIONS`]).
    pub calibrations: &'a Calibrations,
}

impl<'a> Mapped<'a> {
    /// The body without its unit and what a person turned.
    pub fn aligned(&self) -> Aligned<'a> {
        Aligned {
            character: self.character,
            map: self.map,
            alignment: self.alignment,
        }
    }

    fn side(&self, alignment: &'a Alignment) -> chain::Side<'a> {
        chain::Side {
            skeleton: &self.character.skeleton,
            map: self.map,
            alignment,
        }
    }
}

/// Nothing is turned.
pub static NO_CALIBRATIONS: Calibrations = Calibrations::new();

/// A plan with what is worth knowing about it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The constants.
    pub plan: Plan,
    /// True where both files hold one rig, and the motion is copied.
    pub copies: bool,
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
    /// Metres a file unit of the source.
    pub source_meters_per_unit: f64,
    /// Target metres of travel a source metre; the mean where axes differ.
    pub root_scale: f64,
    /// The same to the left, up and forwards.
    pub root_scales: DVec3,
    /// Heights of the floor in the motions of source and target, canonical, file units of each.
    pub floors: (f64, f64),
    /// How contacts of the source are found, with the height of its floor if that is known or stated. Lengths in metres.
    pub contacts: ContactRules,
    /// Doubts, of both sides.
    pub warnings: Vec<Warning>,
}

/// Fills a plan from two aligned characters.
///
/// `clips` are the source's motions, consulted for its floor and for joints that slide.
pub fn compile(
    source: &Mapped<'_>,
    target: &Mapped<'_>,
    clips: &[&Clip],
    options: &CompileOptions,
) -> Result<Compiled, Error> {
    let by_hand = &options.by_hand;
    let found = Chains::between_bodies(
        &source.aligned(),
        &target.aligned(),
        clips,
        options.chains.as_ref(),
    );
    let chains = match found {
        Err(Error::KindsDiffer { .. }) if !by_hand.pairs.is_empty() => {
            Some(Chains::none(source.map, target.map))
        }
        found => found?,
    };
    let own = source;
    let source_map = chains
        .as_ref()
        .map_or_else(|| own.map.clone(), |chains| chains.map(own.map));
    let source = &Mapped {
        map: &source_map,
        ..*own
    };
    let links = links(source.map, target.map);
    if links.is_empty() && by_hand.pairs.is_empty() {
        return Err(Error::NothingInCommon);
    }
    let mut named = named_pairs(
        (source.character, source.map),
        (target.character, target.map),
    );
    named.retain(|pair| !by_hand.decides(pair.1));
    let mut warnings = Vec::new();
    for (side, mapped) in [("source", own), ("target", target)] {
        let missing = mapped.map.missing_required();
        if hips_of(mapped.map).is_none() {
            if !by_hand.pairs.is_empty() {
                continue;
            }
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
    let target_clips: Vec<&Clip> = target.character.clips.iter().collect();
    let (own_alignment, target_alignment) = retarget_poses(own, target, chains.as_ref());
    let mut source_alignment = match &chains {
        Some(chains) => chains.alignment(&own_alignment),
        None => own_alignment,
    };
    let place = &options.source_place;
    let turn = DQuat::about_y(place.turn_degrees.to_radians());
    if place.turn_degrees != 0.0 {
        let own = source_alignment.canonical_from_file;
        source_alignment.canonical_from_file = crate::align::unit(turn * own);
    }
    let (from, to) = (&source_alignment, &target_alignment);
    let aligned_source = (source.character, from);
    let aligned_target = (target.character, to);

    let unit_ratio = target.meters_per_unit / source.meters_per_unit;
    let ratio = options.root_scale.ratio(from, to, unit_ratio) * place.scale;
    let factors = options.root_scale.factors(from, to, unit_ratio) * place.scale;
    let mut contacts = options.contacts.clone();
    if options.lowest_floor && contacts.options.ground.is_none() {
        let lowest = floor::lowest_floor(own, from, clips);
        contacts.options.ground = lowest.map(|lowest| (lowest * own.meters_per_unit) as f32);
    }
    let rules = contacts.in_units(1.0 / source.meters_per_unit as f32);
    let by_hand_floor = rules.options.sound().ground;
    let mut floors = (
        by_hand_floor.map_or_else(|| floor::motion_floor(own, from, clips), f64::from),
        floor::motion_floor(target, to, &target_clips),
    );
    let is_under_zero = by_hand_floor.is_none() && from.shows_floor() && floors.0 != 0.0;
    if options.same_rig.is_some() {
        floors.1 = factors.y * floors.0;
    } else if is_under_zero {
        // Nothing shows where the floor of such a motion is, so heights are scaled and nothing else.
        floors.1 += factors.y * floors.0;
    }
    let mut both = Both {
        source,
        from,
        target,
        to,
        ratio,
        factors,
        shift: place.shift / source.meters_per_unit,
        floor: floors.1 - factors.y * floors.0,
        source_floor: floors.0,
        target_floor: floors.1,
    };
    let hips = by_hand::hips(&both, by_hand);
    if by_hand_floor.is_none()
        && let Some(choice) = &options.feet
        && feet::are_unlike(&both, choice, hips)
        && let Some(found) = floor::source_floor(own, from, clips, (choice, &rules))
        && !is_under_zero
    {
        floors.0 = found;
        both.source_floor = found;
        both.floor = floors.1 - factors.y * found;
    }
    let options = &CompileOptions {
        contacts: contacts.clone(),
        ..options.clone()
    };
    let both = both;
    let roots = (
        root_motion::root_of(source, from, clips, (options.roots[0].as_deref(), "source"))?,
        root_motion::root_of(target, to, &[], (options.roots[1].as_deref(), "target"))?,
    );
    let feet = limbs::both(source.map, Part::Foot);
    let travel = hips.map(|hips| {
        let standing = options.feet.map_or(Standing::Rest, |feet| feet.standing);
        let travel = travel(from, to, factors, (floors, standing), hips, feet);
        let shift = to.canonical_from_file.conjugate() * (factors * both.shift);
        TravelOp {
            parent_size: places::size_above(source.character, hips.0),
            offset: travel.offset + shift.as_vec3(),
            ..travel
        }
    });
    if options.root_scale == RootScale::Hips
        && [from, to]
            .iter()
            .any(|side| side.measures.hips_height < 0.2 * side.measures.leg)
    {
        warnings.push(Warning::new(
            "hips-on-floor",
            "the hips joint of one side lies on the floor, so its height says nothing; the legs are taken instead",
            Remedy::new(
"choose the root scale \"auto\"",
&[Action::ScaleByLegs],
),
        ));
    }
    let modes = SlotModes::new(target.map, &options.chain_modes)?;
    let unused = if options.method == Method::ModelDelta {
        SlotModes::unused(target.map, &options.chain_modes, &links)
    } else {
        options.chain_modes.keys().cloned().collect()
    };
    if !unused.is_empty() {
        warnings.push(Warning::new(
            "chain-mode-unused",
            format!(
                "the mode chosen for {} changes nothing: {}",
                unused.join(", "),
                if options.method == Method::ModelDelta {
                    "the rigs have no such chain in common"
                } else {
                    "only the method model-delta shares chains out"
                }
            ),
            "delete the line, or give the slots joints in the recipe",
        ));
    }
    let Turns {
        mut rotations,
        blends,
    } = match options.method {
        Method::ModelDelta => {
            let sides = (source.side(from), target.side(to));
            model_delta::rotations(sides, &links, &named, &modes)
        }
        Method::RestDelta => {
            rest_delta::rotations(aligned_source, aligned_target, &links, options.embedding).into()
        }
        Method::Channels => channels::rotations(aligned_source, aligned_target, &links).into(),
        Method::ParentDelta => {
            parent_delta::rotations(aligned_source, aligned_target, &links).into()
        }
    };
    by_hand::rotations(from, to, by_hand, &mut rotations);
    let target_skeleton = &target.character.skeleton;
    let slide_modes = slides::slide_modes(target_skeleton, target.map, &options.translations)?;
    let (travel, mut slides, scales) = if options.method == Method::Channels {
        let (slides, scales) =
            channels::translations_and_scales(source.character, target.character, &links);
        (None, slides, scales)
    } else {
        let pairs = places::pairs(target, &links, &named, by_hand);
        let (slides, scales) =
            places::slides_and_scales(&both, clips, &pairs, &rotations, &slide_modes);
        (travel, slides, scales)
    };
    let no_bodies = [source, target]
        .iter()
        .all(|side| hips_of(side.map).is_none());
    let own_ratio = no_bodies.then(|| {
        let (own, own_ratio) = by_hand::travel(&both, clips, by_hand, options.root_scale);
        slides.retain(|slide| own.iter().all(|other| other.target != slide.target));
        slides.extend(own);
        own_ratio
    });
    let mut attachments = attach::attachments(&both, clips, &mut rotations);
    if options.method == Method::ModelDelta {
        attachments.extend(attach::loose_joints(&both, &named, &mut rotations));
        // A loose joint moves with the trunk, unless a person wants it otherwise.
        attachments.retain(|attach| !by_hand.left_out.contains(&attach.target));
        by_hand::rotations(from, to, by_hand, &mut rotations);
    }
    for attach in &mut attachments {
        // Its place was that of the slot's source joint, which no longer drives it.
        if by_hand.decides(attach.target) {
            attach.source = None;
        }
    }
    if let (RootMode::AsSource, Some(from), Some(to)) = (options.root_motion.mode, roots.0, roots.1)
        && options.method != Method::Channels
        && travel.is_some()
        && from.on_floor
        && to.on_floor
        && !by_hand.decides(to.joint)
    {
        root_motion::follow(&both, (from, to), &mut rotations, &mut slides);
    }
    let mut plan = Plan {
        source: Rig::new(&source.character.skeleton),
        target: Rig::new(&target.character.skeleton),
        target_from_source: crate::align::unit(
            to.canonical_from_file.conjugate() * from.canonical_from_file,
        )
        .as_quat(),
        order: attach::order(target.character, &attachments),
        rotations,
        blends,
        travel,
        slides,
        scales,
        attachments,
        stages: Vec::new(),
    };
    if let Some(same) = &options.same_rig {
        copying::copy(same, &both, clips, &mut plan);
    }
    plan.stages = stages::stages(&both, options, (hips, roots.1), &plan, &mut warnings)?;
    warnings.extend(from.warnings.iter().cloned());
    warnings.extend(to.warnings.iter().cloned());
    Ok(Compiled {
        plan,
        copies: options.same_rig.is_some(),
        links,
        source_map,
        named,
        source_meters_per_unit: own.meters_per_unit,
        root_scale: own_ratio.unwrap_or(ratio) * unit_ratio,
        root_scales: own_ratio.map_or(factors, DVec3::splat) * unit_ratio,
        floors,
        contacts,
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
    /// The same to the left, up and forwards.
    factors: DVec3,
    /// Where the whole source is shifted to, canonical, source file units.
    shift: DVec3,
    /// Height of the target's floor over the source's, scaled; target file units.
    floor: f64,
    /// Height of the source's floor, canonical, source file units.
    source_floor: f64,
    /// Height of the target's floor, canonical, target file units.
    target_floor: f64,
}

/// What the nodes above a joint make of a place, in the rest pose.
fn above_at_rest(side: &Mapped<'_>, joint: usize) -> DAffine3 {
    let skeleton = &side.character.skeleton;
    let pose = model_pose(skeleton, &skeleton.rest_pose());
    let above = skeleton
        .parent(joint)
        .map(|above| pose.model_from_joint(above));
    above.map_or(DAffine3::IDENTITY, |affine| DAffine3 {
        matrix3: affine.matrix3.as_dmat3(),
        translation: glam::Vec3::from(affine.translation).as_dvec3(),
    })
}
