//! From a person's pins to stages, one each.

use super::arms::knuckles;
use super::pinned::{End, Naming, Pinned};
use crate::align::limbs::{self, SIDES};
use crate::align::{Alignment, Placement, retarget_placements};
use crate::compile::attach::{beside, with_carriers};
use crate::compile::{Both, CompileOptions, Mapped};
use crate::error::Error;
use crate::pins::{Pin, PinTo};
use crate::profile::{Part, Slot};
use glam::{DMat3, DVec3, Vec3};
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
    let hips = hips.map(|(_, target)| target);
    let pinning = Pinning {
        both,
        hips,
        plan,
        source: retarget_placements(both.source.character, both.source.map, both.from),
        target: retarget_placements(both.target.character, both.target.map, both.to),
    };
    let pins = options.recipe.pins.iter().enumerate();
    let stages = pins.map(|(number, pin)| {
        let naming = Naming {
            both,
            options,
            hips,
            number,
        };
        Ok(pinning.stage(&naming.pinned(pin)?))
    });
    stages.collect()
}

struct Pinning<'a> {
    both: &'a Both<'a>,
    hips: Option<usize>,
    plan: &'a Plan,
    /// Both bodies in their retarget poses, on their floors.
    source: Vec<Placement>,
    target: Vec<Placement>,
}

/// When the pin holds; `None` of one that always does.
fn span(pin: &Pin) -> Option<PinSpan> {
    (pin.from.is_some() || pin.until.is_some()).then_some(PinSpan {
        from: pin.from.map(|seconds| seconds as f32),
        until: pin.until.map(|seconds| seconds as f32),
        blend_in: pin.blend_in as f32,
        blend_out: pin.blend_out as f32,
    })
}

impl Pinning<'_> {
    fn stage(&self, pinned: &Pinned<'_>) -> Stage {
        let pin = pinned.pin;
        let joint = pinned.end.joint();
        let attached = beside(self.plan);
        let limbs = pinned.end.limbs().iter().flatten().copied();
        let looked_at = std::iter::once(joint)
            .chain(limbs)
            .chain(pinned.to)
            .chain(self.hips);
        let looked_at = looked_at.chain(with_carriers(&attached));
        let target = Kinematics::new(&self.plan.target, looked_at);
        let source = Kinematics::new(&self.plan.source, pinned.from);
        let place = |joint: usize| target.find(joint).unwrap_or_default();
        let limb = |limb: &[usize; 3]| PinLimb {
            upper: place(limb[0]),
            lower: place(limb[1]),
            end: place(limb[2]),
            tip: Vec3::ZERO,
            forward: self.forward(limb).as_vec3(),
        };
        let (side, slot) = (self.both.target, pinned.slot);
        let point = self.point(side, self.both.to, &self.target, joint, slot);
        let stage = PinStage {
            end: match &pinned.end {
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
            goal: self.goal(pinned, &source, &target),
            offset: self.offset(pinned).as_vec3(),
            stretch: self.stretch(pin, &target),
            span: span(pin),
            attached,
            source,
            target,
        };
        Stage {
            weight: pin.weight as f32,
            op: StageOp::Pin(stage),
        }
    }

    /// A length in metres along the body's axes, in file units.
    fn in_units(&self, metres: [f64; 3]) -> DVec3 {
        let units = 1.0 / self.both.target.meters_per_unit.max(1e-12);
        DVec3::from_array(metres) * units
    }

    /// The same in file space.
    fn in_file(&self, metres: [f64; 3]) -> DVec3 {
        self.both.to.canonical_from_file.conjugate() * self.in_units(metres)
    }

    fn offset(&self, pinned: &Pinned<'_>) -> DVec3 {
        match pinned.to {
            None => self.in_file(pinned.pin.offset),
            // Carried by the joint.
            Some(to) => {
                let own = self.both.to.retarget_rotation(to).conjugate();
                own * self.in_units(pinned.pin.offset)
            }
        }
    }

    fn goal(&self, pinned: &Pinned<'_>, source: &Kinematics, target: &Kinematics) -> PinGoal {
        match (pinned.pin.to, pinned.from, pinned.to) {
            (PinTo::Source, Some(from), _) => {
                let (side, slot) = (self.both.source, pinned.slot);
                let point = self.point(side, self.both.from, &self.source, from, slot);
                let target_from_source = self.both.target_from_source();
                PinGoal::Source {
                    joint: source.find(from).unwrap_or_default(),
                    point: point.as_vec3(),
                    linear: target_from_source.matrix3.as_mat3(),
                    shift: target_from_source.translation.as_vec3(),
                }
            }
            (PinTo::Point, ..) => {
                let point = self.in_file(pinned.pin.point.unwrap_or_default());
                PinGoal::Point(point.as_vec3())
            }
            (PinTo::Joint, _, Some(to)) => PinGoal::Joint(target.find(to).unwrap_or_default()),
            _ => PinGoal::Own,
        }
    }

    /// How the path is stretched about the hips; `None` where it is not.
    fn stretch(&self, pin: &Pin, target: &Kinematics) -> Option<PinStretch> {
        let hips = self.hips.filter(|_| pin.scale != [1.0; 3])?;
        let file = self.both.to.canonical_from_file.conjugate();
        let turn = DMat3::from_quat(file);
        let own = self.both.to.retarget_rotation(hips).conjugate();
        let scale = DMat3::from_diagonal(DVec3::from_array(pin.scale));
        Some(PinStretch {
            scale: (turn * scale * turn.transpose()).as_mat3(),
            hips: target.find(hips).unwrap_or_default(),
            hips_frame: (own * self.both.to.canonical_from_file).as_quat(),
            up: (file * DVec3::Y).as_vec3(),
            floor: self.both.target_floor as f32,
        })
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
