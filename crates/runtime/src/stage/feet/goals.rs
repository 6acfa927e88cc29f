//! Where feet shall be, all legs at a time. Source: docs/laws.md, "Goal of the sole", "Goal of the ball" and
//! "Floor under the feet".

use super::lanes::{HoldLanes, LegLanes, Placements, each, rotations};
use super::{
    Anchor, AnkleMotion, FeetStage, FloorRule, Free, Goals, Leg, MOST_LEGS, Placed, View, Work,
};
use crate::lanes::limbs::{LANES, Mask, Numbers, Rotations, Vectors};
use crate::lanes::{matrix_times, smooth};
use glam::{Quat, Vec3, Vec3A};
use rebone_model::Clamp as _;
use rebone_model::elementary::{Elementary as _, Turn as _};
use rebone_model::rotation::slerp;

/// Heights of the toes above their rest, as shares of K, between which the ball of the foot takes over.
const BALL: [f32; 2] = [0.02, 0.06];

/// Depths of the source's feet below the floor, as shares of K, between which the floor is taken to give way. Less is noise.
const SUNK: [f32; 2] = [0.08, 0.14];

/// Lengths of a leg, as shares of that in the retarget pose, between which a body that grows from a point gets there: a shorter leg moves
/// as transferred, because where a foot belongs is said in full lengths.
const SHRUNK: [f32; 2] = [0.2, 0.5];

/// Heights of the source's thigh joints, in leg lengths, below which the target's do not get.
const LOW: f32 = 0.6;

/// Tilt of a foot, radians, at which an ankle that levels its sole bends most, by half of it; a foot that is tilted more goes with the shin.
const BENDING: f32 = 0.9;

/// The share of its tilt by which an ankle bends to level a sole.
fn bending(tilt: f32) -> f32 {
    BENDING * BENDING / (BENDING * BENDING + tilt * tilt)
}

/// Where ankles shall be before they touch anything.
#[derive(Clone, Copy)]
pub(super) struct Unheld {
    ankle: Vectors,
    /// How much the ball counts.
    ball: Numbers,
}

/// Feet as they are seen, whatever holds them.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// From the sole to the ankle.
    sole: Vectors,
    /// Where the ankle belongs by the sole alone.
    ankle: Vectors,
    /// False where only the sole counts.
    has_ball: Mask,
    /// How much higher the toes are than when they stand on the main floor.
    toes_above: Numbers,
    /// See [`Free::roll`].
    roll: Vectors,
    /// Where the source's ankle is seen.
    pub(super) foot: Vectors,
    /// Where the source's thigh joint is seen, where the pair carries the hips.
    pub(super) thigh: Vectors,
    /// Where the joint of the source's toes is seen, on the target's floor.
    toes: Vectors,
}

impl<'a> Work<'a> {
    /// Looks at the feet of a frame; `target` are its joints, placed, and `pitches` what [`Hold::pitch`] is of each.
    #[inline(always)]
    pub(super) fn new(
        stage: &'a FeetStage,
        source: View<'a>,
        target: &'a [Placed],
        pitches: Numbers,
    ) -> Self {
        let legs = &stage.legs;
        let own =
            |of: fn(&Leg) -> usize| Vectors::gather(each(legs, |leg| target[of(leg)].position));
        let mut turned = rotations(legs, |leg| target[leg.foot].rotation);
        let foot = own(|leg| leg.foot) + turned.turned(legs.lanes.end);
        let joints = [own(|leg| leg.thigh), own(|leg| leg.shin), foot];
        let toes = each(legs, |leg| {
            let toes = leg.toes.map(|toes| target[toes].position);
            toes.map_or(Vec3A::ZERO, |toes| toes - target[leg.foot].position)
        });
        let mut toes = Vectors::gather(toes);
        if stage.turns_soles(pitches) {
            let level = stage.level(target, pitches);
            toes = level.turned(toes);
            turned = level * turned;
        }
        let own = Placements::new(joints, toes);
        Self {
            stage,
            target,
            seen: stage.look(&source, target, turned * legs.lanes.foot_frame, &own),
            there: legs.lanes.there(&own),
            own,
        }
    }

    /// By how much of this the hips move: by none where the whole body is shrunk.
    pub(super) fn shift(&self, wanted: Vec3) -> Vec3 {
        let there = Numbers::select(self.stage.legs.lanes.is_leg, self.there, Numbers::ZERO);
        wanted * there.largest()
    }

    pub(super) fn height(&self, places: Vectors) -> Numbers {
        self.stage.height(places)
    }

    /// Where the ankles shall be, before they touch anything.
    pub(super) fn unheld(&self, holds: &HoldLanes) -> Unheld {
        let seen = &self.seen;
        let above = (seen.toes_above - holds.level) * (1.0 / self.stage.size);
        let away = smooth((above - BALL[0]) * (1.0 / (BALL[1] - BALL[0])));
        let by_height = Numbers::ONE - away * (Numbers::ONE - holds.ball);
        let ball = Numbers::select(holds.is_shared, holds.share_of_ball, by_height);
        let ball = Numbers::select(seen.has_ball, ball, Numbers::ZERO);
        Unheld {
            ankle: seen.ankle + seen.roll * ball,
            ball,
        }
    }

    /// The soles below the ankles, and the toes; the sole again of a foot without.
    pub(super) fn points(&self, unheld: &Unheld) -> [Vectors; 2] {
        let heel = unheld.ankle - self.seen.sole;
        let toes = unheld.ankle + self.own.toes;
        let has_toes = self.stage.legs.lanes.has_toes;
        [heel, Vectors::select(has_toes, toes, heel)]
    }

    /// How much a foot goes by its place in the world: 1 near the floor, 0 high above it, where the leg moves as it was
    /// transferred.
    fn share(&self, unheld: &Unheld, holds: &HoldLanes) -> Numbers {
        let Some([low, high]) = self.stage.swing else {
            return Numbers::ONE;
        };
        let legs = &self.stage.legs.lanes;
        let [sole, ball] = self.points(unheld).map(|points| self.height(points));
        let above = (ball - legs.toes_height).min(sole);
        let above = Numbers::select(legs.has_toes, above, sole) - holds.level;
        let t = (above * (1.0 / self.stage.size) - low) * (1.0 / (high - low));
        (Numbers::ONE - smooth(t)).max(holds.hold)
    }

    /// Where the points of the feet would be without a lock; `raw` is the shift of the hips to Ĥ, `shift` that with the pull of
    /// short legs.
    pub(super) fn free_feet(
        &self,
        holds: &HoldLanes,
        [raw, shift]: [Vec3; 2],
    ) -> [Free; MOST_LEGS] {
        let unheld = self.unheld(holds);
        let [heel, ball] = self.points(&unheld).map(Vectors::scattered::<Vec3>);
        let ankle = unheld.ankle.scattered::<Vec3>();
        let thigh = self.own.thigh.scattered::<Vec3>();
        let roll = self.seen.roll.scattered::<Vec3>();
        let (bones, own) = (self.own.bones, self.own.length);
        let [least, reach] = self.stage.reach.free_lanes(bones, own);
        let whole = bones[0] + bones[1];
        // What is known of a whole clip is smoothed: tiny legs must not reach into frames in which the body is there.
        let share = self.share(&unheld, holds) * self.there;
        let low = self.low();
        let lowest = self.source_height();
        let gives_way = self.gives_way(lowest);
        let mut free = [Free::default(); MOST_LEGS];
        for (lane, free) in free.iter_mut().enumerate().take(self.stage.legs.len()) {
            *free = Free {
                heel: heel[lane],
                ball: ball[lane],
                ankle: ankle[lane],
                hip: thigh[lane] + shift,
                reach: reach[lane],
                thigh: thigh[lane] + raw,
                least: least[lane],
                own: own[lane],
                share: share[lane],
                whole: whole[lane],
                low: low[lane],
                there: self.there[lane],
                stands: unheld.ball[lane],
                roll: roll[lane],
                source_height: lowest[lane],
                gives_way: gives_way[lane],
            };
        }
        free
    }

    /// How high the source's feet are above where they stand on the main floor.
    fn source_height(&self) -> Numbers {
        let legs = &self.stage.legs.lanes;
        let sole = self.height(self.seen.foot) + legs.sole - legs.ankle_height;
        let toes = self.height(self.seen.toes) - legs.toes_height;
        let toes = Numbers::select(legs.has_source_toes, toes, sole);
        sole.min(toes)
    }

    /// How much what is below the source's feet gives way, 0 to 1: they are so far below the main floor.
    fn gives_way(&self, height: Numbers) -> Numbers {
        smooth((height * (-1.0 / self.stage.size) - SUNK[0]) * (1.0 / (SUNK[1] - SUNK[0])))
    }

    /// How low the thigh's joints may get: the source's height above the floor (on stairs down, where the lower foot is) as
    /// longer or shorter legs show it, and some less.
    pub(super) fn low(&self) -> Numbers {
        let nothing = Numbers::splat(f32::MIN);
        let Some(stand) = &self.stage.stand else {
            return nothing;
        };
        let legs = &self.stage.legs.lanes;
        let soles = self.height(self.seen.foot) + legs.sole - legs.ankle_height;
        let soles = Numbers::select(legs.carries, soles, Numbers::ZERO);
        let ground = Numbers::splat(soles.smallest().min(0.0));
        let length = legs.length - (Numbers::splat(stand.lift) - legs.sole);
        let thigh = self.height(self.seen.thigh) - ground;
        let low = ground + thigh * legs.length * LOW / length;
        Numbers::select(legs.has_thigh & length.cmpgt(Numbers::ZERO), low, nothing)
    }

    /// Where the ankles shall be.
    pub(super) fn goals(&self, holds: &HoldLanes) -> Goals {
        let unheld = self.unheld(holds);
        let places = unheld.ankle + holds.offset;
        let shares = if holds.is_shared.all() {
            holds.share_of_place
        } else {
            let by_height = self.share(&unheld, holds);
            Numbers::select(holds.is_shared, holds.share_of_place, by_height)
        };
        Goals {
            places: self.raised(places, holds),
            held: places,
            shares,
        }
    }

    /// Where the ankles go, once the hips have moved: between their places in the world and where the legs bring them, but
    /// never into the floor.
    pub(super) fn reached(&self, goals: &Goals, holds: &HoldLanes, shift: Vectors) -> Vectors {
        let is_full = goals.shares.cmpge(Numbers::ONE);
        let is_there = self.there.cmpge(Numbers::ONE);
        if (is_full & is_there).all() {
            return goals.places;
        }
        let own = self.own.foot + shift;
        let brought = own * (Numbers::ONE - goals.shares);
        let places = self.raised(brought + goals.places * goals.shares, holds);
        let places = Vectors::select(is_full, goals.places, places);
        let shrunk = own + (places - own) * self.there;
        Vectors::select(is_there, places, shrunk)
    }

    /// Goals that are not in the floor.
    fn raised(&self, goals: Vectors, holds: &HoldLanes) -> Vectors {
        let rise = (self.lowest(holds) - self.height(goals)).max(Numbers::ZERO);
        goals + Vectors::splat(self.stage.up) * rise
    }

    /// How high ankles must be for no part of their feet to be in the floor.
    pub(super) fn lowest(&self, holds: &HoldLanes) -> Numbers {
        let legs = &self.stage.legs.lanes;
        let up = Vectors::splat(self.stage.up);
        let (by_sole, toes) = match self.stage.floor_rule {
            FloorRule::Off => return Numbers::splat(f32::MIN),
            FloorRule::AsSource => {
                let own = self.height(self.seen.foot) + legs.sole;
                let toes = self.height(self.seen.toes).min(legs.toes_height);
                let toes = Numbers::select(legs.has_source_toes, toes, legs.toes_height);
                (legs.ankle_height.min(own), toes)
            }
            FloorRule::Soles => (
                self.seen.sole.dot(up) - holds.below,
                legs.toes_height - holds.below,
            ),
        };
        let by_toes = toes - self.own.toes.dot(up);
        by_sole.max(Numbers::select(legs.has_toes, by_toes, by_sole))
    }
}

impl LegLanes {
    /// How much each leg is there, 0 to 1: a body that appears out of nothing has tiny legs at first.
    fn there(&self, own: &Placements) -> Numbers {
        let long =
            (own.bones[0] + own.bones[1]) / self.length.max(Numbers::splat(f32::MIN_POSITIVE));
        let [none, full] = SHRUNK;
        let there = smooth((long - none) * (1.0 / (full - none)));
        Numbers::select(self.is_leg, there, Numbers::ONE)
    }
}

impl FeetStage {
    /// True where soles turn otherwise than the source's.
    pub(super) fn turns_soles(&self, pitches: Numbers) -> bool {
        (self.legs.lanes.levels | pitches.cmpgt(Numbers::ZERO) | pitches.cmplt(Numbers::ZERO)).any()
    }

    /// By how much soles turn beyond the transfer; `pitches` is what [`Hold::pitch`](super::Hold::pitch) is of each.
    pub(super) fn level(&self, target: &[Placed], pitches: Numbers) -> Rotations {
        let mut turns = Rotations::splat(Quat::IDENTITY);
        for (lane, leg) in self.legs.iter().enumerate().take(LANES) {
            let sole = target[leg.foot].rotation * leg.foot_frame;
            let turn = match leg.ankle {
                AnkleMotion::AsSource => Quat::about(sole * self.left, pitches[lane]),
                AnkleMotion::Levels => self.towards_level(sole, bending),
                AnkleMotion::Absent => self.towards_level(sole, |_| 1.0),
            };
            turns.set_lane(lane, turn);
        }
        turns
    }

    /// How a sole turns by a share of its tilt, which the tilt decides, until it is level.
    fn towards_level(&self, sole: Quat, share: impl Fn(f32) -> f32) -> Quat {
        let upright = Quat::from_rotation_arc((sole * self.up).normalize_or_zero(), self.up);
        let tilt = 2.0 * upright.w.clamped(-1.0, 1.0).arc_cosine();
        slerp(Quat::IDENTITY, upright, share(tilt))
    }

    /// Feet that have turned by `turn` since the retarget pose.
    #[inline(always)]
    fn look(
        &self,
        source: &View<'_>,
        target: &[Placed],
        turn: Rotations,
        own: &Placements,
    ) -> Seen {
        let legs = &self.legs.lanes;
        let seen = |joints: [Vec3A; LANES]| {
            matrix_times(&self.linear, Vectors::gather(joints)) + Vectors::splat(self.shift)
        };
        let place = |joint: Option<usize>| joint.map_or(Vec3A::ZERO, |joint| source.place(joint));
        let foot = seen(each(&self.legs, |leg| match leg.source_end {
            Vec3::ZERO => source.place(leg.source_foot),
            end => source.point(leg.source_foot, end).into(),
        }));
        let thigh = seen(each(&self.legs, |leg| place(leg.source_thigh)));
        let toes = seen(each(&self.legs, |leg| place(leg.source_toes)));
        let up = Vectors::splat(self.up);
        let toes = toes + up * legs.ball;
        let own_up = turn.turned(up);
        let yaw = turn.about_axis(up);
        let mut aside = turn.turned(Vectors::splat(self.left)).across(up) * legs.aside;
        if legs.has_along {
            let trunk = Rotations::splat(self.hips_turn(target));
            aside = aside + trunk.turned(legs.along).across(up);
        }
        let ankle = foot + own_up * legs.sole + aside;
        let roll = toes + yaw.turned(legs.ahead) + aside - own.toes - ankle;
        let has_ball = match self.anchor {
            Anchor::Sole => Mask::FALSE,
            Anchor::Ball => legs.has_toes & legs.has_source_toes,
        };
        Seen {
            sole: own_up * legs.ankle_height,
            ankle,
            has_ball,
            toes_above: self.height(toes) - legs.toes_height,
            roll: Vectors::select(has_ball, roll, Vectors::ZERO),
            foot,
            thigh,
            toes,
        }
    }

    /// Above the floor.
    #[inline(always)]
    fn height(&self, places: Vectors) -> Numbers {
        places.dot(Vectors::splat(self.up)) - self.floor
    }
}
