//! What a pose asks of feet, hands and elbows: see [`super`] for the formulas.

use super::arm::{Bent, bones};
use super::low::{fade, share};
use super::wants::{THERE, Work};
use super::{GroundLeg, Lift};
use crate::solve::steady::{Moves, SteadyLimbs};
use crate::solve::two_bone::Reach;
use crate::stage::limb::{steady_arms, within_reach};
use glam::Vec3;
use rebone_model::rotation::exp;

/// Heights of the lowest skin of a foot, shares of T, between which it no longer takes its height from the floor.
const FOOT: [f32; 2] = [0.4, 1.2];

/// The same of a hand.
const HAND: [f32; 2] = [0.3, 0.9];

/// Heights of a hand, shares of T, between which the body is on the floor because of it.
const LEANS: [f32; 2] = [0.2, 0.6];

/// Heights of a palm, shares of that of an arm that hangs, between which it no longer counts.
const HANGING: [f32; 2] = [0.4, 0.8];

/// Distances from shoulder to floor, shares of an arm's length, from which on it does not try to get there.
const REACH: [f32; 2] = [1.0, 1.2];

/// Depths of a hand of an upright body in the floor, shares of the arm, from which on it stays there.
const TOO_LONG: [f32; 2] = [0.25, 0.6];

/// Depths of a foot that lies in the floor, shares of the leg, between which it comes to stay there: the leg would fold up.
const TOO_DEEP: [f32; 2] = [0.2, 0.4];

/// Cosines of a sole's slope between which a foot lies or stands.
const LEVEL: [f32; 2] = [0.9, 0.98];

/// The same between which a foot lies on its back or stands on its ball.
const ON_BACK: [f32; 2] = [0.0, 0.5];

/// The straightest that an arm is on the floor, of its length.
const STRAIGHT: f32 = 0.995;

/// The most that the trunk bends, radians.
const MOST_LEAN: f32 = 0.45;

/// Bends that are wanted, shares of the most, between which nobody bends.
const TOO_FAR: [f32; 2] = [0.8, 1.6];

/// A shoulder is at least so far before the waist, of the arm's length.
const SHORTEST: f32 = 0.3;

impl Work<'_> {
    /// The same lift with what hands then do.
    pub(super) fn with_hands(&self, mut lift: Lift) -> Lift {
        for arm in 0..self.stage.arms.len() {
            let [_, hand] = self.leaned(arm, &lift);
            lift.hands[arm] = self.hand(arm, &lift, lift.rise + hand);
        }
        lift
    }

    /// How the trunk turns where the body goes up by `rise`: so far that arms whose hands are on the floor are as straight as the
    /// source's.
    pub(super) fn lean(&self, rise: f32, free: f32) -> Vec3 {
        let Some(waist) = &self.stage.waist else {
            return Vec3::ZERO;
        };
        let up = self.stage.up;
        let pivot = self.target[waist.joint].position();
        let (mut sum, mut weights, mut most) = (Vec3::ZERO, f32::MIN_POSITIVE, 0.0f32);
        for (number, arm) in self.stage.arms.iter().enumerate() {
            let weight = free * self.hand_weight(number);
            if weight <= 0.0 {
                continue;
            }
            let [own, height] = self.heights.hands[number];
            let way = self.stage.wanted(own) - height - rise;
            let bones = bones(&arm.limb, self.target);
            let to_hand = bones[0] + bones[1] + up * way;
            let whole = bones[0].length() + bones[1].length();
            let reach = self.straightness(number).min(STRAIGHT) * whole;
            let down = -to_hand.dot(up);
            let apart = (to_hand + up * down).length();
            let lack = down - (reach * reach - apart * apart).max(0.0).sqrt();
            let shoulder = self.target[arm.limb.upper].position() - pivot;
            let ahead = shoulder - up * shoulder.dot(up);
            let lever = ahead.length().max(SHORTEST * whole);
            let wanted = lack / (lever * MOST_LEAN).max(f32::MIN_POSITIVE);
            // What is too far away for any bend is not reached for.
            let weight = weight * fade(wanted, TOO_FAR);
            let angle = MOST_LEAN * wanted / (1.0 + wanted.powi(4)).sqrt().sqrt();
            // Turns what is ahead downwards.
            sum += up.cross(ahead.normalize_or_zero()) * (angle * weight);
            weights += weight;
            most = most.max(weight);
        }
        sum * (most / weights)
    }

    /// How far the source's hand is from its shoulder, of its arm's length.
    fn straightness(&self, number: usize) -> f32 {
        let arm = &self.stage.arms[number];
        let [upper, lower] = arm.source_arm.map(|joint| self.source.position(joint));
        let hand = self.source.position(arm.hands[0].joint);
        let whole = upper.distance(lower) + lower.distance(hand);
        share(upper.distance(hand), whole)
    }

    /// How far the elbow and the hand of an arm go up as the trunk leans.
    fn leaned(&self, number: usize, lift: &Lift) -> [f32; 2] {
        let Some(waist) = self
            .stage
            .waist
            .as_ref()
            .filter(|_| lift.lean != Vec3::ZERO)
        else {
            return [0.0; 2];
        };
        let pivot = self.target[waist.joint].position();
        let limb = &self.stage.arms[number].limb;
        [limb.lower, limb.end].map(|place| {
            let own = self.target[place].position() - pivot;
            (exp(lift.lean) * own - own).dot(self.stage.up)
        })
    }

    /// The arms whose hands go up or down; `None` where no hand does.
    pub(super) fn arms(&self, lift: &Lift) -> Option<SteadyLimbs> {
        let room = THERE * self.stage.size();
        if lift.hands.iter().all(|hand| hand.abs() <= room) {
            return None;
        }
        let up = self.stage.up;
        let arms = self.stage.arms.iter().zip(lift.hands);
        let arms = arms.map(|(arm, rise)| {
            let bones = bones(&arm.limb, self.target).map(|bone| exp(lift.lean) * bone);
            let way = bones[0] + bones[1] + up * rise;
            Some((bones, within_reach(&Reach::SOFT, bones, way)))
        });
        Some(steady_arms(arms, up))
    }

    /// What elbows do where body and hands are known, and how arms turn.
    pub(super) fn with_elbows(&self, mut lift: Lift, moves: Option<&Moves>) -> Lift {
        for (number, arm) in self.stage.arms.iter().enumerate() {
            let lean = exp(lift.lean);
            let bent = Bent::new(number, &arm.limb, self.target, lean, moves);
            // The upper arm has turned with the trunk, and its shoulder has gone with it.
            let with_trunk = Bent::new(number, &arm.limb, self.target, lean, None);
            let [elbow, _] = self.leaned(number, &lift);
            let further = bent.elbow_rise(self.stage.up) - with_trunk.elbow_rise(self.stage.up);
            let rise = lift.rise + elbow + further;
            lift.elbows[number] = self.out_of_floor(number, self.heights.elbows[number] + rise);
        }
        lift
    }

    /// How far an ankle goes up where the body goes up by `rise`, and legs are so free to go with it.
    pub(super) fn foot(&self, number: usize, free: f32, rise: f32) -> f32 {
        let way = if free > 0.0 {
            self.foot_with_body(number, free, rise)
        } else {
            0.0
        };
        way + self.foot_out(number, way)
    }

    /// How far an ankle goes up whose foot lies on its back in the floor, where it has gone up by `way`.
    fn foot_out(&self, number: usize, way: f32) -> f32 {
        let leg = &self.stage.legs[number];
        let [_, low] = self.heights.feet[number];
        let out = self.stage.out([-low - way]);
        let bones = bones(&leg.limb, self.target);
        let whole: f32 = bones.into_iter().map(Vec3::length).sum();
        let lies = fade(self.slope(leg), ON_BACK);
        self.bent() * lies * fade(share(out, whole), TOO_DEEP) * out
    }

    fn foot_with_body(&self, number: usize, free: f32, rise: f32) -> f32 {
        let stage = self.stage;
        let leg = &stage.legs[number];
        let [own_low, low] = self.heights.feet[number];
        let weight = fade(share(own_low, stage.thickness), FOOT);
        // A foot that stands is as high as its ankle says, one that lies as its skin does.
        let own_ankle = stage.source_height(leg.source_ankle(&self.source));
        let [own_sole, sole] = leg.ankle_heights;
        let stands = stage.scale * (own_ankle - own_sole) - (self.ankle(leg) - sole);
        let lies = stage.wanted(own_low) - low;
        let level = self.level(leg);
        let wanted = level * stands + (1.0 - level) * lies;
        let way = free * (weight * wanted + (1.0 - weight) * rise);
        stage.above_floor(way, self.room(number))
    }

    /// How high the target's ankle is.
    fn ankle(&self, leg: &GroundLeg) -> f32 {
        self.stage.height(leg.limb.ends_at(self.target))
    }

    /// How far an ankle may go down until its foot is on the floor.
    pub(super) fn room(&self, number: usize) -> f32 {
        let leg = &self.stage.legs[number];
        let level = self.level(leg);
        let stands = self.ankle(leg) - leg.ankle_heights[1];
        (level * stands + (1.0 - level) * self.heights.feet[number][1]).max(0.0)
    }

    /// How much a foot stands on its sole.
    fn level(&self, leg: &GroundLeg) -> f32 {
        1.0 - fade(self.slope(leg), LEVEL)
    }

    /// The cosine of the slope of a sole: 1 where it is level, -1 where it looks up.
    fn slope(&self, leg: &GroundLeg) -> f32 {
        let foot = &self.target[leg.limb.end];
        let up = self.stage.up;
        (foot.rotation * leg.foot_frame * up).dot(up)
    }

    /// How much a hand counts as on the floor.
    pub(super) fn hand_weight(&self, number: usize) -> f32 {
        let arm = &self.stage.arms[number];
        let low = share(self.heights.hands[number][0], self.stage.thickness);
        let palm = self.source.point(arm.hands[0].joint, arm.source_palm);
        let hangs = fade(share(self.stage.source_height(palm), arm.hanging), HANGING);
        let leans = self.low.grounded.max(fade(low, LEANS));
        self.low.risen * leans * hangs * fade(low, HAND)
    }

    /// How far a hand goes up as seen from its shoulder, where the body has taken it up by `rise`.
    fn hand(&self, number: usize, lift: &Lift, rise: f32) -> f32 {
        let [own, height] = self.heights.hands[number];
        let weight = self.hand_weight(number);
        if weight <= 0.0 {
            return self.hand_out(number, rise);
        }
        let way = self.stage.wanted(own) - height - rise;
        let [upper, lower] = bones(&self.stage.arms[number].limb, self.target);
        let [upper, lower] = [upper, lower].map(|bone| exp(lift.lean) * bone);
        let far = (upper + lower + self.stage.up * way).length();
        let whole = upper.length() + lower.length();
        let way = weight * fade(share(far, whole), REACH) * way;
        way + self.hand_out(number, rise + way)
    }

    /// The least that a hand goes up as seen from its shoulder, so that it is not in the floor.
    pub(super) fn least_of_hand(&self, number: usize, lift: &Lift) -> f32 {
        let [_, hand] = self.leaned(number, lift);
        self.hand_out(number, lift.rise + hand)
    }

    /// How far a hand goes up that is in the floor, where it has gone up by `rise`.
    fn hand_out(&self, number: usize, rise: f32) -> f32 {
        self.out_of_floor(number, self.heights.hands[number][1] + rise)
    }

    /// How far a part of an arm goes up that is so high.
    fn out_of_floor(&self, number: usize, height: f32) -> f32 {
        let bent = self.bent();
        if bent.max(self.low.hands) <= 0.0 {
            return 0.0;
        }
        // Who is upright and lower than the floor stands on another.
        let soles = self.stage.legs.iter();
        let soles = soles.map(|leg| self.ankle(leg) - leg.ankle_heights[1]);
        let floor = (1.0 - bent) * soles.fold(0.0, f32::min);
        let out = self.stage.out([floor - height]);
        // Arms that are too long for the legs below them hang in the floor.
        let bones = bones(&self.stage.arms[number].limb, self.target);
        let arm: f32 = bones.into_iter().map(Vec3::length).sum();
        let hangs = self.low.hands * fade(share(out, arm), TOO_LONG);
        bent.max(hangs) * out
    }
}
