//! What a pose asks of the body, of its feet and of its hands: see [`super`] for the formulas.

use super::low::{Low, fade};
use super::{GroundArm, GroundLeg, GroundStage, Lift};
use crate::runtime::stage::View;
use crate::runtime::stage::kinematics::Placed;
use crate::runtime::stage::limb::bent;
use glam::Vec3;
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;

/// Bounds of knees, of ankles and of palms, shares of T.
const KNEE: [f32; 2] = [0.35, 0.6];
/// See [`KNEE`].
const FOOT: [f32; 2] = [0.8, 1.6];
/// See [`KNEE`].
const PALM: [f32; 2] = [0.4, 1.0];

/// Heights of a knee, and of a point of the trunk, shares of what they are when standing, between which they no longer
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

/// No body has more points that carry it.
const MOST: usize = 8;

/// What the stage works with in a frame.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) stage: &'a GroundStage,
    pub(super) source: View<'a>,
    pub(super) target: &'a [Placed],
    low: Low,
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

/// The points that may carry the body, those of the trunk first.
#[derive(Clone, Copy)]
struct Supports {
    all: [Support; MOST],
    trunk: usize,
    count: usize,
}

/// A point that may carry the body.
#[derive(Clone, Copy, Default)]
struct Support {
    /// w.
    weight: f32,
    /// Where it should be: κ a.
    wanted: f32,
    /// b.
    height: f32,
}

impl GroundStage {
    /// Thickness of the target's body.
    pub(super) fn size(&self) -> f32 {
        self.scale * self.thickness
    }

    /// x, without a corner where it begins.
    fn soft(&self, below: f32) -> f32 {
        if below > 0.0 {
            below * below / (below + SOFT * self.size())
        } else {
            0.0
        }
    }

    /// A way up or down (negative), of which no more than `room` goes down: slowed on its last part.
    fn above_floor(&self, way: f32, room: f32) -> f32 {
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
    fn out(&self, below: impl IntoIterator<Item = f32>) -> f32 {
        let below = below.into_iter().map(|below| self.soft(below).powi(8));
        below.sum::<f32>().power(0.125)
    }

    pub(super) fn source_height(&self, place: Vec3) -> f32 {
        place.dot(self.source_up) - self.source_floor
    }

    fn height(&self, place: Vec3) -> f32 {
        place.dot(self.up) - self.floor
    }
}

impl<'a> Work<'a> {
    pub(super) fn new(
        stage: &'a GroundStage,
        source: View<'a>,
        target: &'a [Placed],
        low: Low,
    ) -> Self {
        Self {
            stage,
            source,
            target,
            low,
        }
    }

    /// A point as it is before the body is moved.
    fn support(&self, source: usize, target: usize, range: [f32; 2], share: f32) -> Support {
        let stage = self.stage;
        let own = stage.source_height(self.source.position(source));
        Support {
            weight: share * fade(own / stage.thickness.max(f32::MIN_POSITIVE), range),
            wanted: stage.scale * own,
            height: stage.height(self.target[target].position()),
        }
    }

    /// How much a joint of the source is lower than when standing.
    fn lowered(&self, source: usize, standing: f32, range: [f32; 2]) -> f32 {
        let own = self.stage.source_height(self.source.position(source));
        fade(own / standing.max(f32::MIN_POSITIVE), range)
    }

    /// Everything that the pose asks for.
    pub(super) fn want(&self) -> Want {
        let (rise, feet, carried) = self.body();
        let lift = self.with_hands(Lift {
            rise,
            feet,
            hands: [0.0; 4],
        });
        let palms = self.stage.arms.iter().map(|arm| self.palm_weight(arm));
        Want {
            lift,
            carried,
            palms: palms.fold(0.0, f32::max),
        }
    }

    /// What feet and hands do where the body goes up by `rise`.
    pub(super) fn with_rise(&self, rise: f32) -> Lift {
        let supports = self.supports();
        let free = carried(&supports.all[..supports.trunk]);
        let mut lift = Lift {
            rise,
            ..Lift::default()
        };
        for (foot, leg) in lift.feet.iter_mut().zip(&self.stage.legs) {
            *foot = self.foot(leg, free, rise);
        }
        self.with_hands(lift)
    }

    fn with_hands(&self, mut lift: Lift) -> Lift {
        for (hand, arm) in lift.hands.iter_mut().zip(&self.stage.arms) {
            *hand = self.hand(arm, lift.rise);
        }
        lift
    }

    /// How much further the body must go up so that nothing of it is in the floor.
    pub(super) fn lack(&self, lift: &Lift) -> f32 {
        let mut supports = self.supports();
        self.bend_knees(&mut supports, lift.rise, &lift.feet);
        self.out_of(&supports.all[..supports.count], lift.rise)
    }

    /// The rise below which a leg that comes down would fold further than legs are glad to; `free` of that counts.
    pub(super) fn folded(&self, lift: &Lift, free: f32) -> Option<f32> {
        let least = |(leg, foot): (&GroundLeg, &f32)| {
            let [upper, lower, end] = leg.limb.places().map(|place| self.target[place].position());
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
        let mut all = [Support::default(); MOST];
        let trunk = stage.trunk.len().min(MOST - 4);
        for (support, point) in all.iter_mut().zip(stage.trunk.iter().take(trunk)) {
            let share = self.low.shares[0] * self.lowered(point.source, point.standing, STANDING);
            *support = self.support(point.source, point.target, point.range, share);
        }
        for (support, leg) in all[trunk..].iter_mut().zip(&stage.legs) {
            let lowered = self.lowered(leg.source_knee, leg.standing_knee, STANDING_KNEE);
            let share = self.low.shares[2] * lowered;
            *support = self.support(leg.source_knee, leg.limb.lower, KNEE, share);
        }
        Supports {
            all,
            trunk,
            count: trunk + stage.legs.len().min(4),
        }
    }

    /// Puts knees where they are when hips and feet have gone up.
    fn bend_knees(&self, supports: &mut Supports, rise: f32, feet: &[f32; 4]) {
        let knees = &mut supports.all[supports.trunk..supports.count];
        for ((foot, leg), knee) in feet.iter().zip(&self.stage.legs).zip(knees) {
            let places = leg.limb.places().map(|place| self.target[place].position());
            let goal = places[2] + self.stage.up * (foot - rise);
            let bent = bent(&leg.limb, self.target, goal);
            let middle = bent.map_or(places[1], |turned| {
                places[0] + turned.upper * (places[1] - places[0])
            });
            // Without the rise, which is added again.
            knee.height = self.stage.height(middle);
        }
    }

    /// How far the body goes up, and each foot; and W.
    fn body(&self) -> (f32, [f32; 4], f32) {
        let mut supports = self.supports();
        let free = carried(&supports.all[..supports.trunk]);
        let share = carried(&supports.all[..supports.count]);
        let (mut rise, mut feet) = (0.0, [0.0; 4]);
        for _ in 0..ROUNDS {
            rise = self.rise(&supports.all[..supports.count]);
            for (foot, leg) in feet.iter_mut().zip(&self.stage.legs) {
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
    fn bent(&self) -> f32 {
        self.low.shares.into_iter().fold(0.0, f32::max)
    }

    /// y.
    fn rise(&self, supports: &[Support]) -> f32 {
        let blur = (BLUR * self.stage.size()).max(f32::MIN_POSITIVE);
        let counting = || supports.iter().filter(|support| support.weight > 0.0);
        let off = |support: &Support| support.wanted - support.height;
        // A point that hardly counts must be far too low to be the one that carries.
        let rank =
            |support: &Support| off(support) - self.stage.size() * (1.0 / support.weight - 1.0);
        let most = counting().map(rank).fold(f32::NEG_INFINITY, f32::max);
        let (mut sum, mut weights) = (0.0, 0.0);
        for support in counting() {
            let weight = ((rank(support) - most) / blur).exponential();
            sum += weight * off(support);
            weights += weight;
        }
        let rise = if weights > 0.0 {
            carried(supports) * sum / weights
        } else {
            0.0
        };
        rise + self.out_of(supports, rise)
    }

    fn out_of(&self, supports: &[Support], rise: f32) -> f32 {
        let below = supports.iter();
        let below = below.map(|support| support.wanted.min(0.0) - support.height - rise);
        self.bent() * self.stage.out(below)
    }

    /// How far an ankle goes up where the body goes up by `rise`.
    fn foot(&self, leg: &GroundLeg, free: f32, rise: f32) -> f32 {
        if free <= 0.0 {
            return 0.0;
        }
        let stage = self.stage;
        let foot = &self.target[leg.limb.end];
        let own = stage.source_height(self.source.position(leg.source_foot));
        let weight = fade(own / stage.thickness.max(f32::MIN_POSITIVE), FOOT);
        let level = self.level(leg);
        let [own_ankle, ankle] = leg.ankle_heights;
        let height = stage.height(foot.position());
        let wanted = stage.scale * own + level * (ankle - stage.scale * own_ankle);
        let way = free * (weight * (wanted - height) + (1.0 - weight) * rise);
        stage.above_floor(way, self.room(leg))
    }

    /// How far an ankle may go down until its sole is on the floor.
    pub(super) fn room(&self, leg: &GroundLeg) -> f32 {
        let foot = &self.target[leg.limb.end];
        (self.stage.height(foot.position()) - self.level(leg) * leg.ankle_heights[1]).max(0.0)
    }

    /// How much a foot stands on its sole.
    fn level(&self, leg: &GroundLeg) -> f32 {
        let foot = &self.target[leg.limb.end];
        let up = self.stage.up;
        let level = (foot.rotation * leg.foot_frame * up).dot(up);
        level.clamped(0.0, 1.0)
    }

    /// How much a palm counts as on the floor.
    fn palm_weight(&self, arm: &GroundArm) -> f32 {
        let palm = self.source.point(arm.source_hand, arm.source_palm);
        let own = self.stage.source_height(palm);
        let thickness = self.stage.thickness.max(f32::MIN_POSITIVE);
        self.low.shares[1] * self.low.grounded * fade(own / thickness, PALM)
    }

    /// How far a hand goes up as seen from its shoulder, where the body goes up by `rise`.
    fn hand(&self, arm: &GroundArm, rise: f32) -> f32 {
        let stage = self.stage;
        let hand = &self.target[arm.limb.end];
        // Of a point of the hand: where it should be, and where it is.
        let heights = |own: Vec3, other: Vec3| {
            let own = self.source.point(arm.source_hand, own);
            let other = hand.position() + hand.rotation * other;
            let wanted = stage.scale * stage.source_height(own);
            (wanted, stage.height(other) + rise)
        };
        let (wanted, height) = heights(arm.source_palm, arm.palm);
        let weight = self.palm_weight(arm);
        let way = weight * (wanted - height);
        let (wanted_wrist, wrist) = heights(Vec3::ZERO, Vec3::ZERO);
        let below = [(wanted, height), (wanted_wrist, wrist)];
        let below = below.map(|(wanted, height)| wanted.min(0.0) - height - way);
        way + self.bent() * stage.out(below)
    }
}

/// W.
fn carried(supports: &[Support]) -> f32 {
    1.0 - supports
        .iter()
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
