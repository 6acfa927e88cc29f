//! The parts of two bodies that hands may touch.

use super::arms::{arms_are_alike, knuckles};
use super::own_body::skin_of;
use crate::align::limbs::{ARM, SIDES, joint};
use crate::align::{Alignment, Placement, retarget_placements};
use crate::compile::{Both, Mapped};
use crate::profile::{Part, Side};
use glam::{Affine3A, DVec3, Vec3};
use rebone_model::Clamp as _;
use rebone_model::HullPoint;
use rebone_model::elementary::Elementary as _;
use rebone_model::hull::slices;
use rebone_runtime::stage::{
    ALONG, AROUND, BodyPart, PartKind, PartPair, PosedSolid, Solid, SolidLanes, TouchingHand,
};
use std::f32::consts::{PI, TAU};

/// Half sizes of people across their limbs, in heights: thigh, shin, upper arm, forearm.
const LIMBS: [(Part, f64); 4] = [
    (Part::UpperLeg, 0.048),
    (Part::LowerLeg, 0.033),
    (Part::UpperArm, 0.027),
    (Part::LowerArm, 0.023),
];

/// Half the depth of their trunk; how much wider than the thigh joints their hips are on each side.
const TRUNK: [f64; 2] = [0.062, 0.045];

/// Their heads above the joint: half width, height, and how far behind and before it.
const HEAD: [f64; 4] = [0.045, 0.13, -0.05, 0.065];

/// How high the joint of a person's head is, in heights.
const HEAD_AT: f64 = 0.88;

/// Half sizes across, in heights, between which a skin is that of a part, and not of what it wears.
const SKIN: [f32; 2] = [0.008, 0.2];

/// A head is at most so many times as high as it is wide and deep: the rest are ears and hats.
const TALLEST: f32 = 1.3;

/// How far the skin is from where the box around it would have it, as shares of that: what is further off is not the part itself.
const OFF: [f32; 2] = [0.4, 1.5];

/// The axis around which a part is measured, from its joint; a ball has no length.
struct Tube {
    origin: Vec3,
    axis: Vec3,
    length: f32,
    /// Half sizes of the box around it.
    half: Vec3,
}

/// A body in its retarget pose.
struct Body<'a> {
    side: &'a Mapped<'a>,
    alignment: &'a Alignment,
    places: Vec<Placement>,
}

/// The hands of both bodies that are among these arms of the target, with what they may touch, by the joints of source and target; and how
/// tall the source is.
pub(super) fn hands(both: &Both<'_>, arms: &[[usize; 3]]) -> (Vec<TouchingHand>, f64) {
    // Where arms are alike and nothing is known of the source's flesh, it is the target's.
    if both.source.character.hull.is_empty() && arms_are_alike(both) {
        return Default::default();
    }
    let source = Body::new(both.source, both.from);
    let target = Body::new(both.target, both.to);
    let hand = |side: Side| {
        let limbs = [&source, &target].map(|body| ARM.map(|part| joint(body.side.map, part, side)));
        let [
            [_, Some(from_lower), Some(from)],
            [_, Some(lower), Some(hand)],
        ] = limbs
        else {
            return None;
        };
        let arm = arms.iter().position(|arm| arm[2] == hand)?;
        let parts = parts(side).into_iter();
        let pair = |(part, side): (Part, Side)| {
            Some(PartPair {
                kind: kind(part),
                source: source.part(part, side)?,
                target: target.part(part, side)?,
            })
        };
        Some(TouchingHand {
            arm,
            source_hand: from,
            source_palm: source.palm([from_lower, from], side),
            palm: target.palm([lower, hand], side),
            parts: parts.filter_map(pair).collect(),
        })
    };
    let hands = SIDES.into_iter().filter_map(hand).collect();
    (hands, source.height())
}

fn kind(part: Part) -> PartKind {
    match part {
        Part::UpperArm | Part::LowerArm => PartKind::Arm,
        Part::UpperLeg => PartKind::Thigh,
        Part::LowerLeg => PartKind::Shin,
        Part::Hips => PartKind::Hips,
        _ => PartKind::Trunk,
    }
}

/// What the hand of a side may touch.
fn parts(side: Side) -> Vec<(Part, Side)> {
    let trunk = [Part::Head, Part::Torso, Part::Hips].map(|part| (part, Side::Center));
    let legs = [Part::UpperLeg, Part::LowerLeg];
    let legs = SIDES
        .into_iter()
        .flat_map(|side| legs.map(|part| (part, side)));
    let others = SIDES.into_iter().filter(|other| *other != side);
    let arms = others.flat_map(|side| [Part::UpperArm, Part::LowerArm].map(|part| (part, side)));
    trunk.into_iter().chain(legs).chain(arms).collect()
}

impl<'a> Body<'a> {
    fn new(side: &'a Mapped<'a>, alignment: &'a Alignment) -> Self {
        Self {
            side,
            alignment,
            places: retarget_placements(side.character, side.map, alignment),
        }
    }

    /// How tall a person is whose head is as high: ends of chains, which make a body taller, are often odd.
    fn height(&self) -> f64 {
        let measures = &self.alignment.measures;
        if measures.head_height > 0.0 {
            measures.head_height / HEAD_AT
        } else {
            measures.height
        }
    }

    fn palm(&self, forearm_and_hand: [usize; 2], side: Side) -> Vec3 {
        knuckles(self.side, &self.places, forearm_and_hand, side).as_vec3()
    }

    /// Where a joint is, in canonical axes.
    fn at(&self, joint: usize) -> DVec3 {
        self.places[joint].position
    }

    /// The joints of the trunk above the hips, from below.
    fn torso(&self) -> Vec<usize> {
        let map = self.side.map;
        let slots = map.slots.iter();
        let slots = slots.filter(|(slot, _)| map.profile.info(**slot).part == Part::Torso);
        slots
            .filter_map(|(_, found)| found.joints.first().copied())
            .collect()
    }

    /// A part as its skin is, or as that of a person. The lower half of the trunk goes with the hips.
    fn part(&self, part: Part, side: Side) -> Option<BodyPart> {
        let map = self.side.map;
        let torso = self.torso();
        let own = match part {
            Part::Torso => *torso.last()?,
            _ => joint(map, part, side)?,
        };
        let half = torso.len() / 2;
        let skin_joints: Vec<usize> = match part {
            Part::Torso => torso[half..].to_vec(),
            Part::Hips => std::iter::once(own)
                .chain(torso[..half].iter().copied())
                .collect(),
            _ => vec![own],
        };
        let skin = self.skin(part, side, own, &skin_joints);
        let (corners, solid) = match skin {
            Some((corners, solid)) => (corners, Some(solid)),
            None => (self.usual(part, side, own)?, None),
        };
        let tube = Tube::new(corners, self.bone(part, side), part == Part::Head);
        let place = self.places[own].position.as_vec3();
        Some(BodyPart {
            joint: own,
            axes: self.alignment.retarget_rotation(own).as_quat(),
            origin: tube.origin,
            axis: tube.axis,
            length: tube.length,
            radii: tube.radii(|from, way| solid.as_ref()?.exit(place + from, way)),
        })
    }

    /// Joint to joint, the end of a limb's bone from its joint.
    fn bone(&self, part: Part, side: Side) -> Option<DVec3> {
        let next = match part {
            Part::UpperLeg => Part::LowerLeg,
            Part::LowerLeg => Part::Foot,
            Part::UpperArm => Part::LowerArm,
            Part::LowerArm => Part::Hand,
            _ => return None,
        };
        let [from, to] = [part, next].map(|part| joint(self.side.map, part, side));
        Some(self.at(to?) - self.at(from?))
    }

    /// The least and the largest corner of the skin of a part, and the skin.
    fn skin(
        &self,
        part: Part,
        side: Side,
        own: usize,
        joints: &[usize],
    ) -> Option<([Vec3; 2], PosedSolid)> {
        let height = self.height() as f32;
        let all = skin_of(
            self.side.character,
            self.side.map,
            side,
            &[part, Part::Torso],
        );
        let rest = |joint: usize| {
            let Placement { position, rotation } = self.places[joint];
            Affine3A::from_rotation_translation(rotation.as_quat(), position.as_vec3())
        };
        let origin = self.places[own].position.as_vec3();
        let mut boxes = Vec::new();
        let of_part = |points: &Vec<HullPoint>| {
            let first = points.first();
            first.is_some_and(|point| joints.contains(&point.parts[0].joint))
        };
        let all: Vec<Vec<HullPoint>> = all.into_iter().filter(of_part).collect();
        for points in &all {
            for slice in slices(points) {
                let none = [Vec3::INFINITY, Vec3::NEG_INFINITY];
                boxes.push(slice.iter().fold(none, |[low, high], point| {
                    let place = point.place(rest) - origin;
                    [low.min(place), high.max(place)]
                }));
            }
        }
        let count = boxes.len() as f32;
        let whole = boxes
            .iter()
            .copied()
            .reduce(|[low, high], [a, b]| [low.min(a), high.max(b)])?;
        let mean = boxes.iter().fold([Vec3::ZERO; 2], |[low, high], [a, b]| {
            [low + *a / count, high + *b / count]
        });
        let [mut low, mut high] = mean;
        if let Some(bone) = self.bone(part, side) {
            let along = usize::from(!ARM.contains(&part));
            let end = bone[along] as f32;
            (low[along], high[along]) = (end.min(0.0), end.max(0.0));
        } else {
            (low.y, high.y) = (whole[0].y, whole[1].y);
            if part == Part::Head {
                // From its joint on: what hangs lower is a beard, or the neck.
                low.y = low.y.max(0.0);
                let size = high - low;
                high.y = high.y.min(low.y + TALLEST * 0.5 * (size.x + size.z));
            }
        }
        let half = (high - low) * 0.5 / height;
        let is_usable = half.min_element() > SKIN[0] && half.x.min(half.z) < SKIN[1];
        let solid = SolidLanes::new(&Solid::new(&all, rest)?.blocks).posed(rest, 0.0);
        is_usable.then_some(([low, high], solid))
    }

    /// The same of a person.
    fn usual(&self, part: Part, side: Side, own: usize) -> Option<[Vec3; 2]> {
        let measures = &self.alignment.measures;
        let height = self.height();
        let box_of = |low: DVec3, high: DVec3| Some([low.as_vec3(), high.as_vec3()]);
        if let Some((_, radius)) = LIMBS.into_iter().find(|(limb, _)| *limb == part) {
            let bone = self.bone(part, side)?;
            let around = DVec3::splat(radius * height);
            let along = usize::from(!ARM.contains(&part));
            let (mut low, mut high) = (bone * 0.5 - around, bone * 0.5 + around);
            (low[along], high[along]) = (bone[along].min(0.0), bone[along].max(0.0));
            return box_of(low, high);
        }
        if part == Part::Head {
            let [wide, high, back, front] = HEAD.map(|share| share * height);
            return box_of(DVec3::new(-wide, 0.0, back), DVec3::new(wide, high, front));
        }
        let [deep, beside] = TRUNK.map(|share| share * height);
        let middle = |part: Part| {
            let [one, other] = SIDES.map(|side| joint(self.side.map, part, side));
            Some((self.at(one?) + self.at(other?)) * 0.5 - self.at(own))
        };
        let (thighs, shoulders) = (middle(Part::UpperLeg)?, middle(Part::UpperArm)?);
        let waist = (thighs + shoulders) * 0.5;
        let wide = 0.5 * measures.hip_width + beside;
        let (from, to, wide) = if part == Part::Hips {
            (thighs, waist, wide)
        } else {
            (
                waist,
                shoulders,
                wide.max(0.5 * measures.shoulder_width - 0.01 * height),
            )
        };
        let around = DVec3::new(wide, 0.0, deep);
        let centre = (from + to) * 0.5;
        let tall = DVec3::Y * (0.5 * (to.y - from.y).abs());
        box_of(centre - around - tall, centre + around + tall)
    }
}

impl Tube {
    fn new([low, high]: [Vec3; 2], bone: Option<DVec3>, is_ball: bool) -> Self {
        let (centre, half) = ((low + high) * 0.5, (high - low) * 0.5);
        if let Some(bone) = bone {
            let bone = bone.as_vec3();
            return Self {
                origin: Vec3::ZERO,
                axis: bone.normalize_or(Vec3::NEG_Y),
                length: bone.length(),
                half,
            };
        }
        Self {
            origin: if is_ball {
                centre
            } else {
                centre.with_y(low.y)
            },
            axis: Vec3::Y,
            length: if is_ball { 0.0 } else { high.y - low.y },
            half,
        }
    }

    /// How far the skin is: `exit` says it from a place on a way; where it does not, as the ellipse in the box.
    fn radii(&self, exit: impl Fn(Vec3, Vec3) -> Option<f32>) -> [[f32; AROUND]; ALONG] {
        let [forward, aside] = BodyPart::around(self.axis);
        std::array::from_fn(|row| {
            let share = row as f32 / (ALONG - 1) as f32;
            std::array::from_fn(|turn| {
                let (sine, cosine) = (turn as f32 / AROUND as f32 * TAU).sine_cosine();
                let around = forward * cosine + aside * sine;
                let (from, way) = if self.length > 0.0 {
                    (self.origin + self.axis * (share * self.length), around)
                } else {
                    let (up, level) = ((share - 0.5) * PI).sine_cosine();
                    (self.origin, self.axis * up + around * level)
                };
                let across = if self.length > 0.0 {
                    way.reject_from(self.axis)
                } else {
                    way
                };
                let usual = (across / self.half).length().recip();
                let [least, most] = OFF.map(|share| share * usual);
                exit(from, way).unwrap_or(usual).clamped(least, most)
            })
        })
    }
}
