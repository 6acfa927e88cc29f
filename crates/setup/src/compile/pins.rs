//! From a person's pins to stages, one each.

use super::arms::knuckles;
use super::attach::beside;
use super::{Both, CompileOptions, Mapped};
use crate::align::limbs::{self, ARM, LEG, SIDES};
use crate::align::{Alignment, Placement, retarget_placements};
use crate::error::Error;
use crate::mirror::MirrorChoice;
use crate::pins::{Pin, PinTo};
use crate::profile::{Part, Side, Slot};
use crate::root::world_from_source;
use glam::{DMat3, DVec3};
use rebone_runtime::Plan;
use rebone_runtime::stage::{
    Kinematics, PinEnd, PinGoal, PinLimb, PinSpan, PinStage, PinStretch, Stage, StageOp,
};

/// The stages, in the order in which the pins were told.
///
/// Fails with [`Error::Recipe`] where a pin names what the rigs do not have, or what cannot be pinned.
pub(super) fn stages(
    both: &Both<'_>,
    options: &CompileOptions,
    hips: Option<(usize, usize)>,
    plan: &Plan,
) -> Result<Vec<Stage>, Error> {
    if options.recipe.pins.is_empty() {
        return Ok(Vec::new());
    }
    let pinning = Pinning {
        both,
        options,
        hips: hips.map(|(_, target)| target),
        plan,
        source: retarget_placements(both.source.character, both.source.map, both.from),
        target: retarget_placements(both.target.character, both.target.map, both.to),
    };
    let pins = options.recipe.pins.iter().enumerate();
    pins.map(|(number, pin)| pinning.stage(number, pin))
        .collect()
}

struct Pinning<'a> {
    both: &'a Both<'a>,
    options: &'a CompileOptions,
    hips: Option<usize>,
    plan: &'a Plan,
    /// Both bodies in their retarget poses, on their floors.
    source: Vec<Placement>,
    target: Vec<Placement>,
}

/// What is moved, in joints of the target.
enum End {
    Limb([usize; 3]),
    Hips(usize, Vec<[usize; 3]>),
    Joint(usize),
}

fn refused(number: usize, key: &str, what: String, remedy: &str) -> Error {
    Error::Recipe {
        what,
        place: format!("pins[{number}].{key}"),
        remedy: remedy.into(),
    }
}

impl Pinning<'_> {
    fn stage(&self, number: usize, pin: &Pin) -> Result<Stage, Error> {
        let (end, slot) = self.end(number, &pin.end)?;
        let joint = match &end {
            End::Limb([_, _, joint]) | End::Hips(joint, _) | End::Joint(joint) => *joint,
        };
        let from = match pin.to {
            PinTo::Source => Some(self.source_joint(number, pin, slot, joint)?),
            _ => None,
        };
        let to = pin.joint.as_ref();
        let to = to
            .map(|name| self.goal_joint(number, name, &end))
            .transpose()?;
        let attached = beside(self.plan);
        let mut looked_at = vec![joint];
        match &end {
            End::Limb(limb) => looked_at.extend(limb),
            End::Hips(_, legs) => looked_at.extend(legs.iter().flatten()),
            End::Joint(_) => {}
        }
        looked_at.extend(to.iter().chain(&self.hips));
        looked_at.extend(
            attached
                .iter()
                .flat_map(|&(joint, carrier)| [joint, carrier]),
        );
        let target = Kinematics::new(&self.plan.target, looked_at);
        let source = Kinematics::new(&self.plan.source, from);
        let place = |joint: usize| target.find(joint).unwrap_or_default();
        let limb = |limb: &[usize; 3]| PinLimb {
            upper: place(limb[0]),
            lower: place(limb[1]),
            end: place(limb[2]),
            forward: self.forward(limb).as_vec3(),
        };
        let file = self.both.to.canonical_from_file.conjugate();
        let meters = 1.0 / self.both.target.meters_per_unit.max(1e-12);
        let in_file = |metres: [f64; 3]| file * (DVec3::from_array(metres) * meters);
        let offset = match to {
            None => in_file(pin.offset),
            // Carried by the joint.
            Some(to) => {
                let own = self.both.to.retarget_rotation(to).conjugate();
                own * (DVec3::from_array(pin.offset) * meters)
            }
        };
        let goal = match (pin.to, from, to) {
            (PinTo::Source, Some(from), _) => {
                let factors = self.both.factors;
                let shift = factors * self.both.shift + DVec3::Y * self.both.floor();
                let scale = DMat3::from_diagonal(factors);
                let point = self.point(self.both.source, self.both.from, &self.source, from, slot);
                PinGoal::Source {
                    joint: source.find(from).unwrap_or_default(),
                    point: point.as_vec3(),
                    linear: world_from_source(file, scale, self.both.from).as_mat3(),
                    shift: (file * shift).as_vec3(),
                }
            }
            (PinTo::Point, ..) => PinGoal::Point(in_file(pin.point.unwrap_or_default()).as_vec3()),
            (PinTo::Joint, _, Some(to)) => PinGoal::Joint(place(to)),
            _ => PinGoal::Own,
        };
        let stretch = self.hips.filter(|_| pin.scale != [1.0; 3]).map(|hips| {
            let turn = DMat3::from_quat(file);
            let own = self.both.to.retarget_rotation(hips).conjugate();
            let scale = DMat3::from_diagonal(DVec3::from_array(pin.scale));
            PinStretch {
                scale: (turn * scale * turn.transpose()).as_mat3(),
                hips: place(hips),
                hips_frame: (own * self.both.to.canonical_from_file).as_quat(),
                up: (file * DVec3::Y).as_vec3(),
                floor: self.both.target_floor as f32,
            }
        });
        let span = (pin.from.is_some() || pin.until.is_some()).then_some(PinSpan {
            from: pin.from.map(|seconds| seconds as f32),
            until: pin.until.map(|seconds| seconds as f32),
            blend_in: pin.blend_in as f32,
            blend_out: pin.blend_out as f32,
        });
        let point = self.point(self.both.target, self.both.to, &self.target, joint, slot);
        let stage = PinStage {
            end: match &end {
                End::Limb(joints) => PinEnd::Limb(limb(joints)),
                End::Hips(hips, legs) => PinEnd::Hips {
                    hips: place(*hips),
                    legs: legs.iter().map(limb).collect(),
                },
                End::Joint(joint) => PinEnd::Joint {
                    joint: place(*joint),
                },
            },
            point: point.as_vec3(),
            goal,
            offset: offset.as_vec3(),
            stretch,
            span,
            attached,
            source,
            target,
        };
        Ok(Stage {
            weight: pin.weight as f32,
            op: StageOp::Pin(stage),
        })
    }

    /// What moves where this is pinned.
    fn end(&self, number: usize, name: &str) -> Result<(End, Option<Slot>), Error> {
        let (map, skeleton) = (self.both.target.map, &self.both.target.character.skeleton);
        const REMEDY: &str =
            "pin a hand, a foot, the head or the hips by its slot, or a joint that is in no slot";
        let slot = map.profile.find(name);
        let joint = match slot {
            Some(slot) => map.joint(slot).ok_or_else(|| {
                refused(number, "end", format!("the target has no {name}"), REMEDY)
            })?,
            None => skeleton.find(name).map_err(|error| {
                refused(number, "end", format!("in the target, {error}"), REMEDY)
            })?,
        };
        let own_slot = map
            .slots
            .iter()
            .find(|(_, found)| found.joints.contains(&joint))
            .map(|(slot, _)| *slot);
        let Some(slot) = slot.or(own_slot) else {
            return Ok((End::Joint(joint), None));
        };
        let info = map.profile.info(slot);
        let limb = |parts: [Part; 3], side: Side| {
            let [upper, lower, end] = parts.map(|part| limbs::joint(map, part, side));
            let limb = [upper?, lower?, end?];
            let is_whole =
                skeleton.is_ancestor(limb[0], limb[1]) && skeleton.is_ancestor(limb[1], limb[2]);
            is_whole.then_some(limb)
        };
        let whole = |limb: Option<[usize; 3]>| {
            limb.map(End::Limb).ok_or_else(|| {
                let what = format!(
                    "the limb of {name} is not whole: its joints do not hang from each other"
                );
                refused(number, "end", what, REMEDY)
            })
        };
        let end = match info.part {
            Part::Hand => whole(limb(ARM, info.side))?,
            Part::Foot => whole(limb(LEG, info.side))?,
            Part::Head => whole(self.trunk(joint))?,
            Part::Hips => {
                let mut legs: Vec<_> = SIDES
                    .into_iter()
                    .filter_map(|side| limb(LEG, side))
                    .collect();
                if map.profile.stance == crate::profile::Stance::FourLegged {
                    legs.extend(SIDES.into_iter().filter_map(|side| limb(ARM, side)));
                }
                End::Hips(joint, legs)
            }
            _ => {
                let what = format!("{name} cannot be pinned");
                return Err(refused(number, "end", what, REMEDY));
            }
        };
        Ok((end, Some(slot)))
    }

    /// The trunk as two bones: from its lowest joint to the neck, and on to the head.
    fn trunk(&self, head: usize) -> Option<[usize; 3]> {
        let (map, skeleton) = (self.both.target.map, &self.both.target.character.skeleton);
        let part_of = |joint: usize| {
            let mut slots = map.slots.iter();
            let found = slots.find(|(_, found)| found.joints.contains(&joint))?;
            Some(map.profile.info(*found.0).part)
        };
        let path: Vec<usize> = skeleton
            .ancestors(head)
            .take_while(|&joint| Some(joint) != self.hips)
            .filter(|&joint| matches!(part_of(joint), Some(Part::Torso | Part::Neck)))
            .collect();
        let lowest = *path.last()?;
        let middle = *path.first().filter(|&&joint| joint != lowest)?;
        Some([lowest, middle, head])
    }

    fn source_joint(
        &self,
        number: usize,
        pin: &Pin,
        slot: Option<Slot>,
        joint: usize,
    ) -> Result<usize, Error> {
        if self.options.recipe.mirror != MirrorChoice::Off {
            return Err(refused(
                number,
                "to",
                "the source's path is not mirrored, so nothing can be pinned to it in the mirror"
                    .to_owned(),
                "pin to own, or leave the mirror out",
            ));
        }
        let by_slot = slot.and_then(|slot| self.both.source.map.joint(slot));
        let by_hand = || self.options.by_hand.source_of(joint);
        let by_name = || {
            let pairs = crate::links::named_pairs(
                (self.both.source.character, self.both.source.map),
                (self.both.target.character, self.both.target.map),
            );
            pairs
                .into_iter()
                .find(|pair| pair.1 == joint)
                .map(|pair| pair.0)
        };
        by_slot.or_else(by_hand).or_else(by_name).ok_or_else(|| {
            refused(
                number,
                "to",
                format!("the source has nothing that goes with {}", pin.end),
                "link it below [links], or pin it to a point, a joint, or its own path",
            )
        })
    }

    /// The joint that is pinned to.
    fn goal_joint(&self, number: usize, name: &str, end: &End) -> Result<usize, Error> {
        let (map, skeleton) = (self.both.target.map, &self.both.target.character.skeleton);
        let slot = map.profile.find(name);
        let by_slot = slot.and_then(|slot| map.joint(slot));
        let joint = match by_slot {
            Some(joint) => joint,
            None => skeleton.find(name).map_err(|error| {
                refused(
                    number,
                    "joint",
                    format!("in the target, {error}"),
                    "name a slot or a joint of the target",
                )
            })?,
        };
        let top = match end {
            End::Limb([upper, ..]) => *upper,
            End::Hips(hips, _) => *hips,
            End::Joint(joint) => *joint,
        };
        if joint == top || skeleton.is_ancestor(top, joint) {
            return Err(refused(
                number,
                "joint",
                format!("{name} moves with what shall be pinned to it"),
                "pin to a joint that does not hang from the same limb",
            ));
        }
        Ok(joint)
    }

    /// The point of an end that is pinned, in its axes: palm, sole, or the joint itself.
    fn point(
        &self,
        side: &Mapped<'_>,
        alignment: &Alignment,
        places: &[Placement],
        joint: usize,
        slot: Option<Slot>,
    ) -> DVec3 {
        let info = slot.map(|slot| self.both.target.map.profile.info(slot));
        let Some(info) = info else { return DVec3::ZERO };
        let level = side.map.profile.stance == crate::profile::Stance::FourLegged;
        let own = alignment.retarget_rotation(joint).conjugate();
        match info.part {
            Part::Foot => own * -(DVec3::Y * places[joint].position.y.max(0.0)),
            Part::Hand if level => own * -(DVec3::Y * places[joint].position.y.max(0.0)),
            Part::Hand => {
                let forearm = limbs::joint(side.map, Part::LowerArm, info.side);
                forearm.map_or(DVec3::ZERO, |forearm| {
                    knuckles(side, places, [forearm, joint], info.side)
                })
            }
            _ => DVec3::ZERO,
        }
    }

    /// To which side a limb bends where it is straight, in the axes of its upper joint.
    fn forward(&self, limb: &[usize; 3]) -> DVec3 {
        let [upper, lower, end] = limb.map(|joint| self.target[joint].position);
        let line = (end - upper).normalize_or_zero();
        let off = (lower - upper) - line * (lower - upper).dot(line);
        let map = self.both.target.map;
        let is_arm = SIDES
            .into_iter()
            .any(|side| limbs::joint(map, Part::UpperArm, side) == Some(limb[0]));
        let usual = if is_arm { DVec3::NEG_Z } else { DVec3::Z };
        let is_bent = off.length() > 0.05 * (lower - upper).length();
        let side = if is_bent {
            off.normalize_or(usual)
        } else {
            usual
        };
        self.both.to.retarget_rotation(limb[0]).conjugate() * side
    }
}
