//! The legs of a body side by side, one a lane: what is known of each, and what each is told.

use super::lock::Shares;
use super::{AnkleMotion, Hold, Leg, MOST_LEGS};
use crate::lanes::Lanes;
use crate::lanes::limbs::{LANES, Mask, Numbers, Rotations, Vectors};
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

const _: () = assert!(MOST_LEGS == LANES);

/// The legs of a body.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<Leg>", into = "Vec<Leg>")]
pub struct Legs {
    list: Vec<Leg>,
    pub(super) lanes: Box<LegLanes>,
}

/// [`Leg`] of each; lanes without a leg are zero and false.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegLanes {
    pub(super) is_leg: Mask,
    pub(super) carries: Mask,
    /// Of each that carries and shows the source's thigh the same weight; all of them make 1, or none is there.
    pub(super) weights: Numbers,
    pub(super) has_thigh: Mask,
    pub(super) has_toes: Mask,
    pub(super) has_source_toes: Mask,
    pub(super) has_along: bool,
    /// Soles that do not turn as the source's.
    pub(super) levels: Mask,
    /// [`Leg::end`].
    pub(super) end: Vectors,
    pub(super) foot_frame: Rotations,
    pub(super) forward: Vectors,
    pub(super) sole: Numbers,
    pub(super) aside: Numbers,
    pub(super) along: Vectors,
    pub(super) ankle_height: Numbers,
    pub(super) ball: Numbers,
    pub(super) ahead: Vectors,
    pub(super) toes_height: Numbers,
    pub(super) length: Numbers,
}

impl LegLanes {
    fn new(list: &[Leg]) -> Self {
        let vectors = |of: fn(&Leg) -> Vec3| Vectors::gather(each(list, of));
        let numbers = |of: fn(&Leg) -> f32| Lanes(each(list, of));
        let flags = |of: fn(&Leg) -> bool| Mask::new(each(list, of));
        let weights = numbers(|leg| {
            let shows = leg.carries && leg.source_thigh.is_some();
            if shows { 1.0 } else { 0.0 }
        });
        Self {
            is_leg: flags(|_| true),
            carries: flags(|leg| leg.carries),
            weights: weights * weights.sum().max(1.0).recip(),
            has_thigh: flags(|leg| leg.source_thigh.is_some()),
            has_toes: flags(|leg| leg.toes.is_some()),
            has_source_toes: flags(|leg| leg.source_toes.is_some()),
            has_along: list.iter().any(|leg| leg.along != Vec3::ZERO),
            levels: flags(|leg| leg.ankle != AnkleMotion::AsSource),
            end: vectors(|leg| leg.end),
            foot_frame: Rotations::gather(each(list, |leg| leg.foot_frame)),
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

impl From<Legs> for Vec<Leg> {
    fn from(legs: Legs) -> Self {
        legs.list
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
    pub(super) hold: Numbers,
    pub(super) below: Numbers,
    pub(super) ball: Numbers,
    /// How much higher than the main floor the one below the foot is, where that is known.
    pub(super) level: Numbers,
    pub(super) pitch: Numbers,
    pub(super) is_shared: Mask,
    /// [`Shares`] where they are known.
    pub(super) share_of_ball: Numbers,
    pub(super) share_of_place: Numbers,
}

impl HoldLanes {
    pub(super) const NONE: Self = Self {
        offset: Vectors::ZERO,
        hold: Numbers::ZERO,
        below: Numbers::ZERO,
        ball: Numbers::ZERO,
        level: Numbers::ZERO,
        pitch: Numbers::ZERO,
        is_shared: Mask::FALSE,
        share_of_ball: Numbers::ZERO,
        share_of_place: Numbers::ZERO,
    };

    pub(super) fn new(holds: &[Hold; MOST_LEGS]) -> Self {
        let numbers = |of: fn(&Hold) -> f32| Lanes(holds.each_ref().map(of));
        Self {
            offset: Vectors::gather(holds.map(|hold| hold.offset)),
            hold: numbers(|hold| hold.hold),
            below: numbers(|hold| hold.below),
            ball: numbers(|hold| hold.ball),
            level: Numbers::ZERO,
            pitch: numbers(|hold| hold.pitch),
            is_shared: Mask::new(holds.map(|hold| hold.shares.is_some())),
            share_of_ball: numbers(|hold| hold.shares.map_or(0.0, |shares| shares.ball)),
            share_of_place: numbers(|hold| hold.shares.map_or(0.0, |shares| shares.place)),
        }
    }

    /// Leg by leg.
    pub(super) fn scattered(&self) -> [Hold; MOST_LEGS] {
        let offsets = self.offset.scattered::<Vec3>();
        std::array::from_fn(|lane| Hold {
            offset: offsets[lane],
            hold: self.hold[lane],
            below: self.below[lane],
            ball: self.ball[lane],
            pitch: self.pitch[lane],
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
    pub(super) bones: [Numbers; 2],
    /// How far ankles are from thighs.
    pub(super) length: Numbers,
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
    Rotations::gather(each(list, of))
}
