//! The legs of a body side by side, one a lane: what is known of each, and what each is told.

use super::lock::Shares;
use super::{Hold, Leg, MOST_LEGS};
use crate::solve::four::{LANES, Rotations, Vectors};
use glam::{BVec4A, Quat, Vec3, Vec4};
use std::ops::Deref;

const _: () = assert!(MOST_LEGS == LANES);

/// The legs of a body.
#[derive(Clone, Debug)]
pub struct Legs {
    list: Vec<Leg>,
    pub(super) lanes: Box<LegLanes>,
}

/// [`Leg`] of each; lanes without a leg are zero and false.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegLanes {
    pub(super) is_leg: BVec4A,
    pub(super) carries: BVec4A,
    /// Of each that carries and shows the source's thigh the same weight; all of them make 1, or none is there.
    pub(super) weights: Vec4,
    pub(super) has_thigh: BVec4A,
    pub(super) has_toes: BVec4A,
    pub(super) has_source_toes: BVec4A,
    pub(super) has_along: bool,
    pub(super) foot_frame: Rotations,
    pub(super) forward: Vectors,
    pub(super) sole: Vec4,
    pub(super) aside: Vec4,
    pub(super) along: Vectors,
    pub(super) ankle_height: Vec4,
    pub(super) ball: Vec4,
    pub(super) ahead: Vectors,
    pub(super) toes_height: Vec4,
    pub(super) length: Vec4,
}

impl LegLanes {
    fn new(list: &[Leg]) -> Self {
        let vectors = |of: fn(&Leg) -> Vec3| Vectors::new(each(list, of));
        let numbers = |of: fn(&Leg) -> f32| Vec4::from(each(list, of));
        let flags = |of: fn(&Leg) -> bool| BVec4A::from_array(each(list, of));
        let weights = numbers(|leg| {
            let shows = leg.carries && leg.source_thigh.is_some();
            if shows { 1.0 } else { 0.0 }
        });
        Self {
            is_leg: flags(|_| true),
            carries: flags(|leg| leg.carries),
            weights: weights / weights.element_sum().max(1.0),
            has_thigh: flags(|leg| leg.source_thigh.is_some()),
            has_toes: flags(|leg| leg.toes.is_some()),
            has_source_toes: flags(|leg| leg.source_toes.is_some()),
            has_along: list.iter().any(|leg| leg.along != Vec3::ZERO),
            foot_frame: Rotations::new(each(list, |leg| leg.foot_frame)),
            forward: vectors(|leg| leg.forward),
            sole: numbers(|leg| leg.sole),
            aside: numbers(|leg| leg.aside),
            along: vectors(|leg| leg.along),
            ankle_height: numbers(|leg| leg.ankle_height),
            ball: numbers(|leg| leg.ball),
            ahead: vectors(|leg| leg.ahead),
            toes_height: numbers(|leg| leg.toes_height),
            length: numbers(|leg| leg.length),
        }
    }
}

/// Of each leg; the default without.
pub(super) fn each<T: Copy + Default>(list: &[Leg], of: impl Fn(&Leg) -> T) -> [T; LANES] {
    let mut all = [T::default(); LANES];
    for (one, leg) in all.iter_mut().zip(list) {
        *one = of(leg);
    }
    all
}

impl From<Vec<Leg>> for Legs {
    fn from(list: Vec<Leg>) -> Self {
        Self {
            lanes: Box::new(LegLanes::new(&list)),
            list,
        }
    }
}

impl Deref for Legs {
    type Target = [Leg];

    fn deref(&self) -> &[Leg] {
        &self.list
    }
}

impl<'a> IntoIterator for &'a Legs {
    type Item = &'a Leg;
    type IntoIter = std::slice::Iter<'a, Leg>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl PartialEq for Legs {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

/// [`Hold`] of each leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct HoldLanes {
    pub(super) offset: Vectors,
    pub(super) hold: Vec4,
    pub(super) below: Vec4,
    pub(super) ball: Vec4,
    /// How much higher than the main floor the one below the foot is, where that is known.
    pub(super) level: Vec4,
    pub(super) is_shared: BVec4A,
    /// [`Shares`] where they are known.
    pub(super) share_of_ball: Vec4,
    pub(super) share_of_place: Vec4,
}

impl HoldLanes {
    pub(super) const NONE: Self = Self {
        offset: Vectors::ZERO,
        hold: Vec4::ZERO,
        below: Vec4::ZERO,
        ball: Vec4::ZERO,
        level: Vec4::ZERO,
        is_shared: BVec4A::FALSE,
        share_of_ball: Vec4::ZERO,
        share_of_place: Vec4::ZERO,
    };

    pub(super) fn new(holds: &[Hold; MOST_LEGS]) -> Self {
        let numbers = |of: fn(&Hold) -> f32| Vec4::from(holds.each_ref().map(of));
        Self {
            offset: Vectors::new(holds.map(|hold| hold.offset)),
            hold: numbers(|hold| hold.hold),
            below: numbers(|hold| hold.below),
            ball: numbers(|hold| hold.ball),
            level: Vec4::ZERO,
            is_shared: BVec4A::from_array(holds.map(|hold| hold.shares.is_some())),
            share_of_ball: numbers(|hold| hold.shares.map_or(0.0, |shares| shares.ball)),
            share_of_place: numbers(|hold| hold.shares.map_or(0.0, |shares| shares.place)),
        }
    }

    /// Leg by leg.
    pub(super) fn scattered(&self) -> [Hold; MOST_LEGS] {
        let offsets = self.offset.scattered();
        std::array::from_fn(|lane| Hold {
            offset: offsets[lane],
            hold: self.hold[lane],
            below: self.below[lane],
            ball: self.ball[lane],
            shares: self.is_shared.test(lane).then(|| Shares {
                ball: self.share_of_ball[lane],
                place: self.share_of_place[lane],
            }),
        })
    }
}

/// Joints of the target that legs are made of, in one frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placements {
    pub(super) thigh: Vectors,
    pub(super) shin: Vectors,
    pub(super) foot: Vectors,
    /// From the ankle to the toes; zero without.
    pub(super) toes: Vectors,
    /// How long upper and lower legs are.
    pub(super) bones: [Vec4; 2],
    /// How far ankles are from thighs.
    pub(super) length: Vec4,
}

impl Placements {
    pub(super) fn new([thigh, shin, foot]: [Vectors; 3], toes: Vectors) -> Self {
        Self {
            bones: [(shin - thigh).length(), (foot - shin).length()],
            length: (foot - thigh).length(),
            thigh,
            shin,
            foot,
            toes,
        }
    }
}

/// Rotations of one joint of each leg.
pub(super) fn rotations(list: &[Leg], of: impl Fn(&Leg) -> Quat) -> Rotations {
    Rotations::new(each(list, of))
}
