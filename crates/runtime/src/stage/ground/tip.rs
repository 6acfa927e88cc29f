//! Trunks that lie: they tip about their thighs, so that the hips rest on the floor as well as the chest and the head.
//!
//! ```text
//! γ_i = (e_i − e_hips) / d_i                                     what a part asks for
//! s_i = γ_i − M (1 / w_i − 1),   w_i = w_hips w_part level
//! γ   = W Σ γ_i exp(s_i / τ) / Σ exp(s_i / τ),   W = 1 − Π (1 − w_i) up, Π w_i down
//! γ   + (Σ x_i⁸)^⅛,   x_i = l_i soft(−b_i − e_hips − γ d_i) / d_i     so that nothing is in the floor
//! tip = γ / (1 + (γ / M)⁴)^¼
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | e, w, b, l, soft | of a part of the trunk, as in [`super`]; l times w_hips and level |
//! | d | how far its joint is from the thighs, seen from above |
//! | level | how level the way from the thighs to it is |
//! | M, τ | [`MOST_TIP`], [`BLUR`] |
//!
//! Source and target lie on parts of other sizes: a large head raises the whole trunk where its slope is the source's, and
//! a small one hangs in the air. Thighs keep their rotations. The rest of the stage works on the tipped body.

use super::GroundStage;
use super::low::{fade, share};
use super::wants::{MOST, Work};
use crate::stage::kinematics::Placed;
use crate::stage::limb::{Before, JointTurn};
use crate::stage::pin::slide;
use glam::{Quat, Vec3};
use rebone_model::Transform;
use rebone_model::elementary::Elementary as _;
use rebone_model::rotation::exp;

/// The most that a trunk tips, radians.
const MOST_TIP: f32 = 0.45;

/// τ, radians.
const BLUR: f32 = 0.03;

/// Level shares of the way from the thighs to a part of the trunk, between which it does not lie, or lies.
const LIES: [f32; 2] = [0.6, 0.85];

/// The shortest d, a share of the target's thickness.
const SHORTEST: f32 = 0.2;

/// What takes a joint of a body along.
#[derive(Clone, Copy, PartialEq)]
enum CarriedBy {
    /// The trunk.
    Trunk,
    /// The leg of this number, which keeps its rotation.
    Leg(usize),
}

impl Work<'_> {
    /// How the trunk tips, a rotation vector in model space.
    pub(super) fn tip(&self) -> Vec3 {
        let stage = self.stage;
        let trunk = self.trunk();
        let (hips, others) = (trunk[0], &trunk[1..]);
        // What keeps legs out of the floor knows those that are whole.
        if hips.weight <= 0.0 || stage.legs.is_empty() {
            return Vec3::ZERO;
        }
        let pivot = stage.pivot(self.target);
        let level = |way: Vec3| way - stage.up * way.dot(stage.up);
        let parts = others.iter().zip(&stage.trunk[1..]);
        let parts = parts.map(|(part, point)| {
            let way = self.target[point.target.joint].position() - pivot;
            let lies = 1.0 - fade(share(level(way).length(), way.length()), LIES);
            (part, way, hips.weight * lies)
        });
        let ahead = level(parts.clone().map(|(_, way, _)| way).sum()).normalize_or_zero();
        let asked = parts.map(|(part, way, lies)| {
            let lever = way.dot(ahead).max(SHORTEST * stage.size());
            Asked {
                angle: (part.too_low() - hips.too_low()) / lever,
                least: -(part.height + hips.too_low()) / lever,
                lever,
                weight: lies * part.weight,
                lowered: lies * part.lowered,
            }
        });
        let most = asked.clone().map(|asked| asked.rank());
        let most = most.fold(f32::NEG_INFINITY, f32::max);
        let (mut sum, mut weights) = (0.0, f32::MIN_POSITIVE);
        let [mut free, mut all] = [1.0; 2];
        for asked in asked.clone() {
            free *= 1.0 - asked.weight;
            all *= asked.weight;
            if asked.weight > 0.0 {
                let counts = ((asked.rank() - most) / BLUR).exponential();
                sum += asked.angle * counts;
                weights += counts;
            }
        }
        // Any part that lies pushes the trunk up; it comes down only where all of it lies.
        let counts = if sum > 0.0 { 1.0 - free } else { all };
        let lying = counts * sum / weights;
        let out = asked.map(|asked| {
            let below = stage.soft((asked.least - lying) * asked.lever);
            (asked.lowered * below / asked.lever).powi(8)
        });
        let tip = (lying + out.sum::<f32>().power(0.125)) / MOST_TIP;
        ahead.cross(stage.up) * (MOST_TIP * tip / (1.0 + tip.powi(4)).sqrt().sqrt())
    }
}

/// What a part of the trunk asks for, radians.
#[derive(Clone, Copy)]
struct Asked {
    /// The tip with which it is as high as the source's where the hips are.
    angle: f32,
    /// The least with which it is not in the floor then.
    least: f32,
    /// How far the part's joint is ahead of the thighs, seen from above, target file units (d).
    lever: f32,
    /// How much the part and the hips lie on the floor, 0 to 1 (w).
    weight: f32,
    /// How much the part is kept out of the floor, 0 to 1 (l).
    lowered: f32,
}

impl Asked {
    /// How far the part comes before others: its angle, less the less it lies, radians (s).
    fn rank(&self) -> f32 {
        match self.weight > 0.0 {
            true => self.angle - MOST_TIP * (1.0 / self.weight - 1.0),
            false => f32::NEG_INFINITY,
        }
    }
}

impl GroundStage {
    /// The middle of the thighs.
    fn pivot(&self, placed: &[Placed]) -> Vec3 {
        let thighs = self.thighs().map(|thigh| placed[thigh].position());
        thighs.sum::<Vec3>() / self.legs.len().max(1) as f32
    }

    fn thighs(&self) -> impl Iterator<Item = usize> + '_ {
        self.legs.iter().map(|leg| leg.limb.upper)
    }

    /// Tips the trunk of a pose, which `placed` shows, and the joints there with it.
    pub(super) fn tip(&self, tip: Vec3, placed: &mut [Placed], pose: &mut [Transform]) {
        if tip == Vec3::ZERO {
            return;
        }
        let before = Before {
            joints: &self.target,
            placed,
        };
        let turn = exp(tip);
        let hips = placed[self.hips].position() - self.pivot(placed);
        slide(self.hips, turn * hips - hips, &before, pose);
        for turn in self.tip_turns(turn) {
            before.turn(turn, pose);
        }
        self.tip_placed(tip, placed);
    }

    /// How hips and thighs turn where the trunk tips.
    pub(super) fn tip_turns(&self, turn: Quat) -> impl Iterator<Item = JointTurn> + '_ {
        let keeps = self
            .thighs()
            .map(move |thigh| JointTurn::new(thigh, Quat::IDENTITY, turn));
        std::iter::once(JointTurn::new(self.hips, turn, Quat::IDENTITY)).chain(keeps)
    }

    /// Tips the trunk of a body whose joints are placed.
    pub(super) fn tip_placed(&self, tip: Vec3, placed: &mut [Placed]) {
        if tip == Vec3::ZERO {
            return;
        }
        let turn = exp(tip);
        let pivot = self.pivot(placed);
        let mut ways = [Vec3::ZERO; MOST];
        for (way, thigh) in ways.iter_mut().zip(self.thighs()) {
            let thigh = placed[thigh].position() - pivot;
            *way = turn * thigh - thigh;
        }
        for (place, joint) in placed.iter_mut().enumerate() {
            match self.carried_by(place) {
                Some(CarriedBy::Trunk) => joint.turn_about(pivot, turn),
                Some(CarriedBy::Leg(leg)) => joint.shift(ways[leg]),
                None => {}
            }
        }
    }

    /// What takes a joint along; `None` where nothing does.
    fn carried_by(&self, place: usize) -> Option<CarriedBy> {
        let mut above = Some(place);
        while let Some(place) = above {
            if place == self.hips {
                return Some(CarriedBy::Trunk);
            }
            if let Some(leg) = self.thighs().position(|thigh| thigh == place) {
                return Some(CarriedBy::Leg(leg));
            }
            let joint = self.target.joint(place);
            let hangs = self.attached.iter().find(|(own, _)| *own == joint);
            above = match hangs {
                Some(&(_, carrier)) => self.target.find(carrier),
                None => self.target.above(place),
            };
        }
        None
    }
}
