//! Feet that stay where they touch the floor while a motion runs: what is known is the past.
//!
//! ```text
//! o(t) = level(r (A_b − P_b(t)) + (1 − r) (A_h − P_h(t)))     while ball b or heel h touch
//! o'' = −2 ω o' − ω² o                                        else: a spring without overshoot
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | P_b, P_h | ball of the foot, and sole below the ankle, as the goals of sole and ball put them |
//! | A | P + o in the frame in which the touch was told: a foot never jumps to its place. Also where the other point has left |
//! | r | goes to 1 over [`ROLL`] seconds where the ball touches, back where it does not |
//! | ω | 6 / [`FADE`]: after that time hardly anything is left |
//!
//! Touches are those of [`Watch`], told two frames late. An anchor that is more than [`FAR`] leg lengths away is dragged
//! along: that is no stand. Source: docs/laws.md, "Foot lock".

use super::lanes::HoldLanes;
use super::lock::FADE;
use super::smooth;
use super::stance::{FAR, ROLL};
use super::{FeetStage, MOST_LEGS, View, Work};
use crate::contact::{DetectOptions, Watch};
use crate::lanes::Lanes;
use crate::lanes::limbs::{Numbers, Vectors};
use glam::Vec3;
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;

/// What the feet of one character remember.
#[derive(Clone, Debug)]
pub(crate) struct CausalFeet {
    watch: Watch,
    /// Of each contact point that may touch its joint's place in [`FeetStage::source`].
    joints: Vec<Option<usize>>,
    /// Of each contact point where it is: canonical, file units.
    places: Vec<Vec3>,
    feet: [CausalFoot; MOST_LEGS],
}

/// One foot; the heel first, then the ball.
#[derive(Clone, Copy, Debug, Default)]
struct CausalFoot {
    /// Which of its points touch.
    on: [bool; 2],
    anchors: [Option<Vec3>; 2],
    offset: Vec3,
    /// How fast the offset changes, units a second.
    velocity: Vec3,
    /// Goes to 1 where the foot touches and back over [`FADE`] seconds.
    touch: f32,
    /// r.
    roll: f32,
}

impl CausalFeet {
    /// `None` where nothing is to be held.
    pub(in crate::stage) fn new(stage: &FeetStage) -> Option<Self> {
        let points = &stage.contacts.points;
        let watch = Watch::new(&stage.contacts, &DetectOptions::default());
        let looked_at = points.iter().enumerate().map(|(index, point)| {
            let joint = stage.source.find(point.joint);
            joint.filter(|_| watch.watches(index))
        });
        (stage.lock > 0.0).then(|| Self {
            joints: looked_at.collect(),
            places: vec![Vec3::NAN; points.len()],
            feet: Default::default(),
            watch: watch.clone(),
        })
    }

    /// The next frame, so many seconds later.
    pub(super) fn step(
        &mut self,
        work: &Work<'_>,
        source: &View<'_>,
        seconds: f32,
        is_first: bool,
    ) -> HoldLanes {
        let stage = work.stage;
        if is_first {
            self.watch.restart();
            self.feet = Default::default();
        }
        let points = self.joints.iter().zip(&stage.contacts.points);
        for (place, (joint, point)) in self.places.iter_mut().zip(points) {
            if let Some(joint) = *joint {
                let there = source.point(joint, point.offset);
                *place = stage.contacts.canonical_from_file * there;
            }
        }
        let touches = self.watch.step(&self.places, seconds);
        let of = |point: Option<usize>| {
            point.is_some_and(|point| touches.get(point).copied().unwrap_or(false))
        };
        let mut balls = [0.0; MOST_LEGS];
        let legs = stage.legs.iter().zip(&mut self.feet);
        for (ball, (leg, foot)) in balls.iter_mut().zip(legs) {
            foot.on = [of(leg.heel_point), of(leg.ball_point)];
            let to = if foot.on == [false; 2] { 0.0 } else { 1.0 };
            foot.touch = towards(foot.touch, to, seconds / FADE);
            *ball = smooth(foot.touch);
        }
        let ball = Lanes(balls);
        let mut holds = HoldLanes {
            hold: ball * stage.lock,
            ball,
            ..HoldLanes::NONE
        };
        let [heels, toes] = work
            .points(&work.unheld(&holds))
            .map(Vectors::scattered::<Vec3>);
        let mut offsets = [Vec3::ZERO; MOST_LEGS];
        for (lane, (leg, foot)) in stage.legs.iter().zip(&mut self.feet).enumerate() {
            foot.step([heels[lane], toes[lane]], seconds, FAR * leg.length);
            foot.offset -= stage.up * foot.offset.dot(stage.up);
            offsets[lane] = foot.offset;
        }
        holds.offset = Vectors::gather(offsets) * Numbers::splat(stage.lock);
        holds
    }
}

impl CausalFoot {
    /// `places` is where heel and ball would be.
    fn step(&mut self, places: [Vec3; 2], seconds: f32, far: f32) {
        let on = self.on;
        let had = self.anchors.map(|anchor| anchor.is_some());
        let has_left = (had[0] && !on[0]) || (had[1] && !on[1]);
        for ((anchor, place), on) in self.anchors.iter_mut().zip(places).zip(on) {
            let is_kept = anchor.is_some() && !has_left;
            if !on {
                *anchor = None;
            } else if !is_kept {
                *anchor = Some(place + self.offset);
            }
        }
        let off = |point: usize| self.anchors[point].map(|anchor| anchor - places[point]);
        let held = match [off(0), off(1)] {
            [Some(heel), Some(ball)] => {
                self.roll = towards(self.roll, 1.0, seconds / ROLL);
                heel.lerp(ball, smooth(self.roll))
            }
            [Some(heel), None] => {
                self.roll = 0.0;
                heel
            }
            [None, Some(ball)] => {
                self.roll = 1.0;
                ball
            }
            [None, None] => return self.let_go(seconds),
        };
        let offset = held.clamp_length_max(far);
        for anchor in self.anchors.iter_mut().flatten() {
            *anchor += offset - held;
        }
        if seconds > 0.0 {
            self.velocity = (offset - self.offset) / seconds;
        }
        self.offset = offset;
    }

    fn let_go(&mut self, seconds: f32) {
        let rate = 6.0 / FADE;
        let left = (-rate * seconds).exponential();
        let growth = self.velocity + self.offset * rate;
        let (offset, velocity) = (self.offset, self.velocity);
        self.offset = (offset + growth * seconds) * left;
        self.velocity = (velocity - growth * (rate * seconds)) * left;
    }
}

/// From one number towards another, by so much at most.
fn towards(from: f32, to: f32, most: f32) -> f32 {
    from + (to - from).clamped(-most, most)
}
