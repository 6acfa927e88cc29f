//! From two aligned characters to a plan.

mod attach;
mod both;
mod by_hand;
mod copying;
mod floor;
mod limb;
mod options;
mod places;
mod plan;
mod poses;
mod slides;
mod stages;
mod still_hips;
mod turns;

pub use options::CompileOptions;
pub use poses::retarget_poses;
pub use stages::{body_skin, own_body};

use crate::align::{Aligned, Alignment, Calibrations};
use crate::chains::Chains;
use crate::error::Error;
use crate::links::{Link, links, named_pairs};
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use crate::recipe::Recipe;
use crate::root::RootScale;
use crate::transfer::chain;
use both::Both;
use glam::{DAffine3, DQuat, DVec3};
use plan::{Connected, Planned};
use rebone_model::elementary::Turn as _;
use rebone_model::kinematics::model_pose;
use rebone_model::{Action, Character, Clip, Remedy, Warning};
use rebone_runtime::Plan;
use rebone_runtime::contact::ContactRules;

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
    let chains = chains_between(source, target, clips, options)?;
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
    let sides = [("source", own), ("target", target)];
    let mut warnings = both::missing_slots(sides, !by_hand.pairs.is_empty())?;
    let (from, to) = poses(own, target, chains.as_ref(), &options.recipe);
    let recipe = &options.recipe;
    let contacts = both::contact_rules(own, &from, clips, recipe);
    let mut both = Both::new([source, target], [&from, &to], recipe, contacts);
    both.find_floors(own, clips, options);
    let both = &both;
    let source_root = recipe.source.root.as_deref();
    let target_root = recipe.target.root.as_deref();
    let connected = Connected {
        hips: by_hand::hips(both, by_hand),
        source_root: stages::root_motion::root_of(source, &from, clips, source_root, "source")?,
        target_root: stages::root_motion::root_of(target, &to, &[], target_root, "target")?,
        both,
        clips,
        options,
        links,
        named,
    };
    warnings.extend(hips_on_floor(both, recipe));
    warnings.extend(still_hips::still_hips(own, &from, clips));
    let Planned { plan, own_ratio } = connected.plan(&mut warnings)?;
    warnings.extend(from.warnings.iter().cloned());
    warnings.extend(to.warnings.iter().cloned());
    let units = target.meters_per_unit / own.meters_per_unit;
    Ok(Compiled {
        plan,
        copies: options.same_rig.is_some(),
        links: connected.links,
        named: connected.named,
        source_meters_per_unit: own.meters_per_unit,
        root_scale: own_ratio.unwrap_or(both.ratio) * units,
        root_scales: own_ratio.map_or(both.factors, DVec3::splat) * units,
        floors: (both.source_floor, both.target_floor),
        contacts: both.contacts.clone(),
        source_map: source.map.clone(),
        source: from.clone(),
        target: to.clone(),
        warnings,
    })
}

/// How bodies of different kinds are connected; `None` for two of one kind.
fn chains_between(
    source: &Mapped<'_>,
    target: &Mapped<'_>,
    clips: &[&Clip],
    options: &CompileOptions,
) -> Result<Option<Chains>, Error> {
    let chosen = options.recipe.chains();
    match Chains::between_bodies(&source.aligned(), &target.aligned(), clips, chosen.as_ref()) {
        Err(Error::KindsDiffer { .. }) if !options.by_hand.pairs.is_empty() => {
            Ok(Some(Chains::none(source.map, target.map)))
        }
        found => found,
    }
}

/// The retarget poses of both, the source's in the words of the target's profile and turned as a whole where that is asked for.
fn poses(
    source: &Mapped<'_>,
    target: &Mapped<'_>,
    chains: Option<&Chains>,
    recipe: &Recipe,
) -> (Alignment, Alignment) {
    let (own, to) = retarget_poses(source, target, chains);
    let mut from = match chains {
        Some(chains) => chains.alignment(&own),
        None => own,
    };
    let degrees = recipe.source.place.turn_degrees;
    if degrees != 0.0 {
        let turn = DQuat::about_y(degrees.to_radians());
        from.canonical_from_file = crate::align::unit(turn * from.canonical_from_file);
    }
    (from, to)
}

/// Tells of hips whose height says nothing, where steps are to be scaled by it.
fn hips_on_floor(both: &Both<'_>, recipe: &Recipe) -> Option<Warning> {
    let mut sides = [both.from, both.to].into_iter();
    let lies = |side: &Alignment| side.measures.hips_height < 0.2 * side.measures.leg;
    (recipe.root_scale == RootScale::Hips && sides.any(lies)).then(|| {
        Warning::new(
            "hips-on-floor",
            "the hips joint of one side lies on the floor, so its height says nothing; the legs are taken instead",
            Remedy::new("choose the root scale \"auto\"", &[Action::ScaleByLegs]),
        )
    })
}

fn hips_of(map: &RigMap) -> Option<usize> {
    map.joint_of(Part::Hips, Side::Center)
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
