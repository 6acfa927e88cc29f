//! What a pose asks of the body: see [`super`] for the formulas. What it asks of the limbs is in [`super::limbs`].

use super::arm::Bent;
use super::low::{Low, fade, share};
use super::{GroundLeg, GroundPart, GroundStage, Lift};
use crate::stage::View;
use crate::stage::kinematics::Placed;
use crate::stage::limb::bent;
use glam::{Quat, Vec3};
use rebone_model::elementary::Elementary as _;

/// Bounds of knees, shares of T.
const KNEE: [f32; 2] = [0.1, 0.35];

/// Heights of a knee, and of a part of the trunk, shares of what they are when standing, between which they no longer
/// count.
const STANDING_KNEE: [f32; 2] = [0.3, 0.55];
/// See [`STANDING_KNEE`].
const STANDING: [f32; 2] = [0.4, 0.8];

/// Shares of the target's thickness: what is moved at all, the width of soft(x), and τ.
pub(super) const THERE: f32 = 1e-5;
/// See [`THERE`].
const SOFT: f32 = 0.01;
/// See [`THERE`].
const BLUR: f32 = 0.05;

/// Distance of thigh and ankle, of the length of the leg, and of what it was without the rise, below which hips that come down
/// wait for the foot to go out.
const FOLD: f32 = 0.36;
/// See [`FOLD`].
const OWN: f32 = 0.9;

/// How often hips and knees are found.
const ROUNDS: usize = 3;

/// No body has more points of one kind that carry it.
pub(super) const MOST: usize = 4;

/// What the stage works with in a frame.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) stage: &'a GroundStage,
    pub(super) source: View<'a>,
    pub(super) target: &'a [Placed],
    pub(super) low: Low,
    pub(super) heights: Heights,
}

/// How high the lowest skin of each part is over the floor, of source and target.
#[derive(Clone, Copy, Default)]
pub(super) struct Heights {
    trunk: [[f32; 2]; MOST],
    knees: [[f32; 2]; MOST],
    pub(super) feet: [[f32; 2]; MOST],
    pub(super) hands: [[f32; 2]; MOST],
    /// Of the target alone.
    pub(super) elbows: [f32; MOST],
}

/// What a pose asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Want {
    pub(super) lift: Lift,
    /// W.
    pub(super) carried: f32,
    /// How much a palm lies on the floor, the most of both.
    pub(super) palms: f32,
}

/// What may carry the body. What there is not weighs nothing.
#[derive(Clone, Copy)]
struct Supports {
    trunk: [Support; MOST],
    knees: [Support; MOST],
    hands: [Support; MOST],
}

/// A part that may carry the body.
#[derive(Clone, Copy)]
pub(super) struct Support {
    /// How much the source's is lower than when standing, and its legs are not upright.
    pub(super) lowered: f32,
    /// How much it lies on the floor, 0 to 1 (w).
    pub(super) weight: f32,
    /// Where it should be: κ a.
    wanted: f32,
    /// How high its lowest skin is above the floor, target file units (b).
    pub(super) height: f32,
}

impl Support {
    const NONE: Self = Self {
        lowered: 0.0,
        weight: 0.0,
        wanted: 0.0,
        height: f32::INFINITY,
    };

    /// How much too low it is, target file units; negative where it is too high (e).
    pub(super) fn too_low(&self) -> f32 {
        self.wanted - self.height
    }
}

impl Supports {
    fn all(&self) -> impl Iterator<Item = &Support> + Clone {
        self.trunk.iter().chain(&self.knees).chain(&self.hands)
    }

    /// What must not be in the floor: hands come out of it by themselves.
    fn body(&self) -> impl Iterator<Item = &Support> + Clone {
        self.trunk.iter().chain(&self.knees)
    }

    /// How much the trunk may bend: nothing of it lies on the floor, from where arms would push it up.
    fn hinges(&self) -> f32 {
        1.0 - carried(self.trunk.iter())
    }

    /// How much the legs are free to go with the body.
    fn free(&self) -> f32 {
        carried(self.trunk.iter().chain(&self.hands))
    }
}

impl GroundStage {
    /// Thickness of the target's body.
    pub(super) fn size(&self) -> f32 {
        self.scale * self.thickness
    }

    /// x, without a corner where it begins.
    pub(super) fn soft(&self, below: f32) -> f32 {
        if below > 0.0 {
            below * below / (below + SOFT * self.size())
        } else {
            0.0
        }
    }

    /// A way up or down (negative), of which no more than `room` goes down: slowed on its last part.
    pub(super) fn above_floor(&self, way: f32, room: f32) -> f32 {
        let straight = (room - SOFT * self.size()).max(0.0);
        let (soft, further) = (room - straight, -way - straight);
        if further <= 0.0 {
            return way;
        }
        if soft <= 0.0 {
            return -straight;
        }
        -straight - soft * (1.0 - (-further / soft).exponential())
    }

    /// How far points go up that are so far below where they may be: as far as the lowest must, nearly.
    pub(super) fn out(&self, below: impl IntoIterator<Item = f32>) -> f32 {
        let below = below.into_iter().map(|below| self.soft(below).powi(8));
        below.sum::<f32>().power(0.125)
    }

    pub(super) fn source_height(&self, place: Vec3) -> f32 {
        place.dot(self.source_up) - self.source_floor
    }

    pub(super) fn height(&self, place: Vec3) -> f32 {
        place.dot(self.up) - self.floor
    }

    /// How high a part should be whose source is so high. What the source has in the floor is a slip.
    pub(super) fn wanted(&self, own: f32) -> f32 {
        self.scale * own.max(0.0)
    }
}

impl<'a> Work<'a> {
    pub(super) fn new(
        stage: &'a GroundStage,
        source: View<'a>,
        target: &'a [Placed],
        low: Low,
    ) -> Self {
        let own = |part: &GroundPart| part.of_source(stage.source_up, &source) - stage.source_floor;
        let height = |part: &GroundPart| part.of_target(stage.up, target) - stage.floor;
        let both = |[one, other]: &[GroundPart; 2]| [own(one), height(other)];
        let mut heights = Heights::default();
        for (heights, point) in heights.trunk.iter_mut().zip(&stage.trunk) {
            *heights = [own(&point.source), height(&point.target)];
        }
        for (number, leg) in stage.legs.iter().enumerate() {
            heights.knees[number] = both(&leg.knees);
            heights.feet[number] = both(&leg.feet);
        }
        for (number, arm) in stage.arms.iter().enumerate() {
            heights.hands[number] = both(&arm.hands);
            heights.elbows[number] = height(&arm.elbow);
        }
        Self {
            stage,
            source,
            target,
            low,
            heights,
        }
    }

    /// A part as it is before the body is moved.
    fn support(&self, [own, height]: [f32; 2], range: [f32; 2], lowered: f32) -> Support {
        Support {
            lowered,
            weight: lowered * fade(share(own, self.stage.thickness), range),
            wanted: self.stage.wanted(own),
            height,
        }
    }

    /// How much a joint of the source is lower than when standing.
    fn lowered(&self, part: &GroundPart, standing: f32, range: [f32; 2]) -> f32 {
        let own = self.source.position(part.joint);
        fade(share(self.stage.source_height(own), standing), range)
    }

    /// Everything that the pose asks for.
    pub(super) fn want(&self) -> Want {
        let (rise, feet, carried) = self.body();
        let lean = self.lean(rise, self.supports().hinges());
        let lift = self.with_hands(Lift {
            rise,
            lean,
            feet,
            ..Lift::default()
        });
        let palms = (0..self.stage.arms.len()).map(|arm| self.hand_weight(arm));
        Want {
            lift,
            carried,
            palms: palms.fold(0.0, f32::max),
        }
    }

    /// What trunk and feet do where the body goes up by `rise`.
    pub(super) fn with_rise(&self, rise: f32) -> Lift {
        let supports = self.supports();
        let free = supports.free();
        let mut lift = Lift {
            rise,
            lean: self.lean(rise, supports.hinges()),
            ..Lift::default()
        };
        for leg in 0..self.stage.legs.len() {
            lift.feet[leg] = self.foot(leg, free, rise);
        }
        lift
    }

    /// How much further the body must go up so that nothing of it is in the floor.
    pub(super) fn lack(&self, lift: &Lift) -> f32 {
        let mut supports = self.supports();
        self.bend_knees(&mut supports, lift.rise, &lift.feet);
        self.out_of(&supports, lift.rise)
    }

    /// The rise below which a leg that comes down would fold further than legs are glad to; `free` of that counts.
    pub(super) fn folded(&self, lift: &Lift, free: f32) -> Option<f32> {
        let least = |(leg, foot): (&GroundLeg, &f32)| {
            let [upper, lower, end] = leg.limb.positions(self.target);
            let whole = upper.distance(lower) + lower.distance(end);
            let way = end - upper;
            let below = way.dot(self.stage.up);
            let apart = way.length_squared() - below * below;
            let shortest = (OWN * way.length()).min(FOLD * whole) * free;
            let room = shortest * shortest - apart;
            (below < 0.0 && room > 0.0).then(|| below + foot + room.sqrt())
        };
        let legs = self.stage.legs.iter().zip(&lift.feet);
        legs.filter_map(least).reduce(f32::max)
    }

    fn supports(&self) -> Supports {
        let stage = self.stage;
        let [of_trunk, of_knees] = self.low.shares;
        let mut all = Supports {
            trunk: [Support::NONE; MOST],
            knees: [Support::NONE; MOST],
            hands: [Support::NONE; MOST],
        };
        for (number, point) in stage.trunk.iter().enumerate() {
            let lowered = of_trunk * self.lowered(&point.source, point.standing, STANDING);
            all.trunk[number] = self.support(self.heights.trunk[number], point.range, lowered);
        }
        for (number, leg) in stage.legs.iter().enumerate() {
            let knee = &leg.knees[0];
            let lowered = of_knees * self.lowered(knee, leg.standing_knee, STANDING_KNEE);
            all.knees[number] = self.support(self.heights.knees[number], KNEE, lowered);
        }
        // Hands carry who stands on them alone.
        let alone = self.low.off_feet * (1.0 - carried(all.body()));
        if alone > 0.0 {
            for number in 0..stage.arms.len() {
                let [own, height] = self.heights.hands[number];
                all.hands[number] = Support {
                    lowered: 0.0,
                    weight: alone * self.hand_weight(number),
                    wanted: stage.wanted(own),
                    height,
                };
            }
        }
        all
    }

    /// How much the trunk lies: its hips, and its chest or head with them.
    pub(super) fn lies(&self) -> f32 {
        let [hips, others @ ..] = self.supports().trunk;
        hips.weight * carried(others.iter())
    }

    /// What of the trunk may carry the body.
    pub(super) fn trunk(&self) -> [Support; MOST] {
        self.supports().trunk
    }

    /// How much each hand carries the body.
    pub(super) fn hands_that_carry(&self) -> [f32; MOST] {
        self.supports().hands.map(|hand| hand.weight)
    }

    /// Where a hand is, in the source and in the target.
    pub(super) fn hand_places(&self, number: usize) -> [Vec3; 2] {
        let arm = &self.stage.arms[number];
        let own = self.source.position(arm.hands[0].joint);
        [own, self.target[arm.limb.end].position()]
    }

    /// Puts knees where they are when hips and feet have gone up.
    fn bend_knees(&self, supports: &mut Supports, rise: f32, feet: &[f32; 4]) {
        for (number, (foot, leg)) in feet.iter().zip(&self.stage.legs).enumerate() {
            let places = leg.limb.positions(self.target);
            let goal = places[2] + self.stage.up * (foot - rise);
            let bent = bent(&leg.limb, self.target, goal);
            let middle = bent.map_or(places[1], |turned| {
                places[0] + turned.upper * (places[1] - places[0])
            });
            // Without the rise, which is added again.
            let higher = (middle - places[1]).dot(self.stage.up);
            supports.knees[number].height = self.heights.knees[number][1] + higher;
        }
    }

    /// How far the body goes up, and each foot; and W.
    fn body(&self) -> (f32, [f32; 4], f32) {
        let mut supports = self.supports();
        let free = supports.free();
        let share = carried(supports.all());
        let (mut rise, mut feet) = (0.0, [0.0; 4]);
        for _ in 0..ROUNDS {
            rise = self.rise(&supports);
            for (leg, foot) in feet.iter_mut().enumerate().take(self.stage.legs.len()) {
                *foot = self.foot(leg, free, rise);
            }
            self.bend_knees(&mut supports, rise, &feet);
            if rise == 0.0 && feet == [0.0; 4] {
                break;
            }
        }
        (rise, feet, share)
    }

    /// How much nothing may go into the floor: who is upright and lower than it walks on another, down stairs.
    pub(super) fn bent(&self) -> f32 {
        self.low.shares.into_iter().fold(0.0, f32::max)
    }

    /// How far the body goes up, target file units (y).
    fn rise(&self, supports: &Supports) -> f32 {
        let blur = (BLUR * self.stage.size()).max(f32::MIN_POSITIVE);
        let counting = || supports.all().filter(|support| support.weight > 0.0);
        // A point that hardly counts must be far too low to be the one that carries.
        let rank = |support: &Support| {
            support.too_low() - self.stage.size() * (1.0 / support.weight - 1.0)
        };
        let most = counting().map(rank).fold(f32::NEG_INFINITY, f32::max);
        let (mut sum, mut weights) = (0.0, 0.0);
        for support in counting() {
            let weight = ((rank(support) - most) / blur).exponential();
            sum += weight * support.too_low();
            weights += weight;
        }
        let rise = if weights > 0.0 {
            carried(supports.all()) * sum / weights
        } else {
            0.0
        };
        rise + self.out_of(supports, rise)
    }

    fn out_of(&self, supports: &Supports, rise: f32) -> f32 {
        let body = supports.trunk.iter().chain(&supports.knees);
        let body = body.map(|part| (part.lowered, part.height));
        // A steep upper arm props the body up, a level one gives way.
        let elbows = self.stage.arms.iter().zip(self.heights.elbows);
        let elbows = elbows.map(|(arm, height)| {
            let prop =
                Bent::new(0, &arm.limb, self.target, Quat::IDENTITY, None).steepness(self.stage.up);
            (self.low.shares[0] * prop, height)
        });
        let parts = body.chain(elbows);
        self.stage
            .out(parts.map(|(counts, height)| counts * (-height - rise)))
    }
}

/// W.
fn carried<'a>(supports: impl Iterator<Item = &'a Support>) -> f32 {
    1.0 - supports
        .map(|support| 1.0 - support.weight)
        .product::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sole goes down as far as it should where there is room, and never into the floor; without a jump.
    #[test]
    fn a_foot_ends_on_the_floor() {
        let stage = GroundStage {
            scale: 1.0,
            thickness: 0.2,
            ..GroundStage::default()
        };
        for room in [0.0, 0.001, 0.002, 0.05] {
            let mut last = stage.above_floor(0.1, room);
            for way in (0..=4000).map(|step| 0.1 - 5e-5 * step as f32) {
                let made = stage.above_floor(way, room);
                assert!(made >= -room && made >= way - 1e-6, "{way} {room}: {made}");
                assert!((-1e-7..6e-5).contains(&(last - made)), "{way} {room}");
                if -way < room - 0.002 {
                    assert_eq!(made, way);
                }
                last = made;
            }
            assert!(last < -0.99 * room + 1e-6, "{room}: {last}");
        }
    }
}
