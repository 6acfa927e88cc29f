//! Both sides of a compile: how far the target travels where the source does, and where their floors are.

use super::stages::feet;
use super::{CompileOptions, Mapped, by_hand, floor, hips_of, places};
use crate::align::{Alignment, limbs};
use crate::error::Error;
use crate::profile::Part;
use crate::recipe::{Recipe, SourceFloor};
use crate::root::{Standing, TravelJoints, travel, world_from_source};
use glam::{DAffine3, DMat3, DVec3};
use rebone_model::{Clip, Warning};
use rebone_runtime::TravelOp;
use rebone_runtime::contact::ContactRules;

/// Both sides of a compile.
pub(super) struct Both<'a> {
    pub(super) source: &'a Mapped<'a>,
    pub(super) from: &'a Alignment,
    pub(super) target: &'a Mapped<'a>,
    pub(super) to: &'a Alignment,
    /// Target file units of travel a source file unit.
    pub(super) ratio: f64,
    /// The same to the left, up and forwards.
    pub(super) factors: DVec3,
    /// Where the whole source is shifted to, canonical, source file units.
    pub(super) shift: DVec3,
    /// Height of the source's floor, canonical, source file units.
    pub(super) source_floor: f64,
    /// Height of the target's floor, canonical, target file units.
    pub(super) target_floor: f64,
    /// How contacts of the source are found, with the height of its floor if that is known or stated; metres.
    pub(super) contacts: ContactRules,
}

impl<'a> Both<'a> {
    /// Both sides with floors at 0; [`Both::find_floors`] finds them.
    pub(super) fn new(
        [source, target]: [&'a Mapped<'a>; 2],
        [from, to]: [&'a Alignment; 2],
        recipe: &Recipe,
        contacts: ContactRules,
    ) -> Self {
        let place = &recipe.source.place;
        let units = target.meters_per_unit / source.meters_per_unit;
        Self {
            source,
            from,
            target,
            to,
            ratio: recipe.root_scale.ratio(from, to, units) * place.scale,
            factors: recipe.root_scale.factors(from, to, units) * place.scale,
            shift: DVec3::from_array(place.shift) / source.meters_per_unit,
            source_floor: 0.0,
            target_floor: 0.0,
            contacts,
        }
    }

    /// Finds the floors of the source's motion and of the target's. `own` is the source with its own map.
    pub(super) fn find_floors(
        &mut self,
        own: &Mapped<'_>,
        clips: &[&Clip],
        options: &CompileOptions,
    ) {
        let Self {
            from,
            target,
            to,
            factors,
            ..
        } = *self;
        let rules = self.contacts_in_source_units();
        let stated = rules.options.sound().ground;
        let target_clips: Vec<&Clip> = target.character.clips.iter().collect();
        self.source_floor = stated.map_or_else(|| floor::motion_floor(own, from, clips), f64::from);
        self.target_floor = floor::motion_floor(target, to, &target_clips);
        let is_under_zero = stated.is_none() && from.shows_floor() && self.source_floor != 0.0;
        if options.same_rig.is_some() {
            self.target_floor = factors.y * self.source_floor;
        } else if is_under_zero {
            // Nothing shows where the floor of such a motion is, so heights are scaled and nothing else.
            self.target_floor += factors.y * self.source_floor;
        }
        let hips = by_hand::hips(self, &options.by_hand);
        if stated.is_none()
            && let Some(choice) = &options.feet()
            && feet::are_unlike(self, choice, hips)
            && let Some(found) = floor::source_floor(own, from, clips, choice, &rules)
            && !is_under_zero
        {
            self.source_floor = found;
        }
    }

    /// How contacts of the source are found, in its file units.
    pub(super) fn contacts_in_source_units(&self) -> ContactRules {
        self.contacts
            .in_units(1.0 / self.source.meters_per_unit as f32)
    }

    /// Height of the target's floor over the source's, scaled; target file units.
    pub(super) fn floor(&self) -> f64 {
        self.target_floor - self.factors.y * self.source_floor
    }

    /// From places in the source's file space to where the target is then, in its file space.
    pub(super) fn target_from_source(&self) -> DAffine3 {
        let file_from_canonical = self.to.canonical_from_file.conjugate();
        let scale = DMat3::from_diagonal(self.factors);
        let shift = self.factors * self.shift + DVec3::Y * self.floor();
        DAffine3 {
            matrix3: world_from_source(file_from_canonical, scale, self.from),
            translation: file_from_canonical * shift,
        }
    }

    /// How these hips, of source and target, travel.
    pub(super) fn travel(&self, hips: (usize, usize), options: &CompileOptions) -> TravelOp {
        let standing = options.feet().map_or(Standing::Rest, |feet| feet.standing);
        let feet = limbs::both(self.source.map, Part::Foot);
        let joints = TravelJoints {
            source_hips: hips.0,
            target_hips: hips.1,
            source_feet: feet,
        };
        let (from, to) = (self.from, self.to);
        let travel = travel(from, to, self.factors, self.floor(), standing, joints);
        let shift = to.canonical_from_file.conjugate() * (self.factors * self.shift);
        TravelOp {
            parent_size: places::size_above(self.source.character, hips.0),
            offset: travel.offset + shift.as_vec3(),
            ..travel
        }
    }
}

/// How contacts are found, with the height of the lowest floor where that is asked for; lengths in metres.
pub(super) fn contact_rules(
    source: &Mapped<'_>,
    from: &Alignment,
    clips: &[&Clip],
    recipe: &Recipe,
) -> ContactRules {
    let mut rules = recipe.contacts.rules();
    if recipe.contacts.ground == Some(SourceFloor::Lowest) && rules.options.ground.is_none() {
        let lowest = floor::lowest_floor(source, from, clips);
        rules.options.ground = lowest.map(|lowest| (lowest * source.meters_per_unit) as f32);
    }
    rules
}

/// Tells of slots that a side lacks. Fails where that is the hips, unless joints are linked by hand.
pub(super) fn missing_slots(
    sides: [(&str, &Mapped<'_>); 2],
    are_linked_by_hand: bool,
) -> Result<Vec<Warning>, Error> {
    let mut warnings = Vec::new();
    for (side, mapped) in sides {
        let missing = mapped.map.missing_required();
        if hips_of(mapped.map).is_none() {
            if are_linked_by_hand {
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
    Ok(warnings)
}
