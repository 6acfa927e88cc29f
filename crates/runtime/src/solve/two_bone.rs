//! A limb of two bones whose end shall be elsewhere.
//!
//! ```text
//! Q  = shortest arc from u + l to g                      the limb as it is, swung towards the goal
//! d' = soft(|g|)                                         how far the end may be
//! x  = (|u|² + d'² − |l|²) / 2d',  y = √(|u|² − x²)      the middle joint along the way, and off it
//! u' = x ĝ + y n,  l' = d' ĝ − u'                        n ⊥ ĝ: the side to which it bends
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | u, l | upper and lower bone now: shoulder to elbow to hand, hip to knee to ankle |
//! | g, ĝ | from the limb's root to the goal, and its direction |
//! | n | where the middle joint of the swung limb is, seen from the line ĝ |
//!
//! So twist is kept as far as a swing can keep it, and the limb bends in the plane in which it was bent. A straight limb shows no plane:
//! there n is `forward`, swung by Q. How that comes about depends on the reach:
//!
//! - Without a soft zone, n is `forward` at once where the middle joint is nearer to the line than 2 % of |u|, as the reference tools
//!   seem to do it.
//! - With one, n goes over little by little: it is along `o + m f`, with o = off / |u|, f = `forward` at right angles to the line, and m
//!   by how much further off the middle joint goes than |o|, less and less as |o| goes from 0.05 to 0.35 (a limb that is bent surely
//!   shows its plane). So a middle joint that passes through straight does not jump, and one that hardly moves keeps its plane.
//!
//! soft: see [`Reach`].
//!
//! Degenerate cases: a goal as far away as the end is now only swings the limb; bones without length, a goal on the root, a limb folded onto its root keep what they have.
//! Source: docs/laws.md, "Two-bone limb".

pub use super::reach::Reach;
use crate::lanes::{Lanes, Mask, Rotations, Vectors, smooth};
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// How limbs get to their goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bend {
    /// Each frame by itself, by the law of cosines; the plane of a straight limb changes from one frame to the next.
    Switch,
    /// As they are, as nearly as the goal allows, and steadily over time: thighs, shins and hips are found together.
    #[default]
    Steady,
}

/// How far off the line a middle joint must be, as a share of the upper bone, to show the plane of its limb at once.
const AT_ONCE: f32 = 0.02;

/// How far off it a middle joint begins to show the plane little by little, and surely does.
const SHOWN: [f32; 2] = [0.05, 0.35];

/// A limb as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limb {
    /// From the root to the middle joint.
    pub upper: Vec3,
    /// From the middle joint to the end.
    pub lower: Vec3,
    /// To which side it bends where it is straight; need not be at right angles to it.
    pub forward: Vec3,
}

/// What brings a limb's end to its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// How the upper bone turns.
    pub upper: Quat,
    /// How the lower bone turns; not on top of `upper`.
    pub lower: Quat,
    /// Where the end then is, from the root.
    pub end: Vec3,
}

/// Brings the end of a limb to a goal, given from its root; `None` where nothing can be done.
pub fn solve(limb: &Limb, goal: Vec3, reach: &Reach) -> Option<Solved> {
    solve_lanes(&Limbs::new([*limb]), Vectors::<1>::splat(goal), reach).lane(0)
}

/// N limbs, each as a [`Limb`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limbs<const N: usize> {
    pub(crate) upper: Vectors<N>,
    pub(crate) lower: Vectors<N>,
    pub(crate) forward: Vectors<N>,
}

impl<const N: usize> Limbs<N> {
    fn new(limbs: [Limb; N]) -> Self {
        Self {
            upper: Vectors::gather(limbs.map(|limb| limb.upper)),
            lower: Vectors::gather(limbs.map(|limb| limb.lower)),
            forward: Vectors::gather(limbs.map(|limb| limb.forward)),
        }
    }
}

/// What brings N limbs to their goals, each as [`Solved`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolvedLimbs<const N: usize> {
    pub(crate) upper: Rotations<N>,
    pub(crate) lower: Rotations<N>,
    pub(crate) end: Vectors<N>,
    /// False where nothing can be done; the rest then means nothing.
    pub(crate) can_be: Mask<N>,
}

impl<const N: usize> SolvedLimbs<N> {
    fn lane(&self, lane: usize) -> Option<Solved> {
        self.can_be.test(lane).then(|| Solved {
            upper: self.upper.lane(lane),
            lower: self.lower.lane(lane),
            end: self.end.lane(lane),
        })
    }
}

/// [`solve`] of N limbs, which do not know of each other.
pub(crate) fn solve_lanes<const N: usize>(
    limbs: &Limbs<N>,
    goal: Vectors<N>,
    reach: &Reach,
) -> SolvedLimbs<N> {
    let Limbs {
        upper,
        lower,
        forward,
    } = *limbs;
    let (a, b) = (upper.length(), lower.length());
    let now = upper + lower;
    let (now_length, wanted) = (now.length(), goal.length());
    let least = (a + b) * 1e-6;
    let is_limb = a.cmpgt(least) & b.cmpgt(least) & now_length.cmpgt(least);
    let is_possible = is_limb & wanted.cmpgt(least) & wanted.cmplt(Lanes::splat(f32::INFINITY));
    let along = goal * wanted.recip();
    let swing = Rotations::arc(now * now_length.recip(), along, upper.cross(lower));
    let (upper, lower, forward) = (
        swing.turned(upper),
        swing.turned(lower),
        swing.turned(forward),
    );
    let is_there = (wanted - now_length).abs().cmple(least);
    let length = reach.length_lanes([a, b], now_length, wanted);
    let x = ((a * a - b * b) / length + length) * 0.5;
    let x = x.max(-a).min(a);
    let y = ((a - x) * (a + x)).max(Lanes::ZERO).root();
    let shorter = a.recip();
    let own = upper * shorter;
    let side = side(
        [own, forward],
        along,
        (!reach.is_hard()).then(|| y * shorter),
    );
    let bent = along * x + side * y;
    let end = along * length;
    let axis = along.cross(side);
    let upper = Rotations::arc(own, bent * shorter, axis) * swing;
    let (below, is_nothing) = (end - bent).normalized();
    let bend_back = Rotations::arc(lower * b.recip(), below, axis) * swing;
    let bend_back = Rotations::select(is_nothing, swing, bend_back);
    SolvedLimbs {
        upper: Rotations::select(is_there, swing, upper.normalized()),
        lower: Rotations::select(is_there, swing, bend_back.normalized()),
        end: Vectors::select(is_there, goal, end),
        can_be: is_possible,
    }
}

/// n: the direction in which the middle joint shall stand off the line; unit, at right angles to it. From the direction of the upper
/// bone and `forward`; little by little by how far off it shall stand, in upper bones, or at once.
fn side<const N: usize>(
    [upper, forward]: [Vectors<N>; 2],
    along: Vectors<N>,
    gentle: Option<Lanes<N>>,
) -> Vectors<N> {
    let off = upper.across(along);
    let share = off.length();
    let (own, is_straight) = off.normalized();
    let (ahead, is_blind) = forward.across(along).normalized();
    let mut side = match gentle {
        None => Vectors::select(share.cmpge(Lanes::splat(AT_ONCE)), own, ahead),
        Some(wanted) => {
            let shown = smooth((share - SHOWN[0]) * (1.0 / (SHOWN[1] - SHOWN[0])));
            let further = (wanted - share).max(Lanes::ZERO) * (Lanes::ONE - shown);
            let (side, is_none) = (off + ahead * further).normalized();
            Vectors::select(is_none, own, side)
        }
    };
    let is_odd = is_straight | is_blind;
    if is_odd.any() {
        let any = |lane: usize| along.lane(lane).any_orthonormal_vector().try_normalize();
        for lane in (0..N).filter(|&lane| is_odd.test(lane)) {
            let known = [(is_straight, own), (is_blind, ahead)];
            let known = known.into_iter().find(|(is_none, _)| !is_none.test(lane));
            let known = known.map(|(_, side)| side.lane(lane)).or_else(|| any(lane));
            side.set_lane(lane, known.unwrap_or(Vec3::X));
        }
    }
    side
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::limbs::LANES;

    fn limbs() -> impl Iterator<Item = (Limb, Vec3)> {
        let mut state = 1u32;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        (0..500).map(move |_| {
            let mut vector = || Vec3::new(next(), next(), next());
            let limb = Limb {
                upper: vector(),
                lower: vector(),
                forward: vector(),
            };
            (limb, vector() * 2.0)
        })
    }

    #[test]
    fn the_end_is_where_it_says_and_bones_keep_their_lengths() {
        for (limb, goal) in limbs() {
            for reach in [Reach::HARD, Reach::SOFT] {
                let Some(solved) = solve(&limb, goal, &reach) else {
                    continue;
                };
                let end = solved.upper * limb.upper + solved.lower * limb.lower;
                assert!(end.distance(solved.end) < 2e-5, "{limb:?} {goal}");
                assert!(end.angle_between(goal) < 2e-3, "{limb:?} {goal}");
            }
        }
    }

    #[test]
    fn a_goal_within_reach_is_reached_and_nothing_moves_where_the_end_is() {
        for (limb, goal) in limbs() {
            let whole = limb.upper.length() + limb.lower.length();
            let least = (limb.upper.length() - limb.lower.length()).abs();
            let far = goal.length() / whole;
            if far < 0.98 && goal.length() > least + 0.13 * (whole - least) {
                let solved = solve(&limb, goal, &Reach::SOFT).unwrap();
                assert!(solved.end.distance(goal) < 1e-5);
            }
            let there = limb.upper + limb.lower;
            let solved = solve(&limb, there, &Reach::HARD).unwrap();
            let turned = solved.upper * limb.upper;
            // A straight limb may be bent to its own side.
            let off = limb.upper.reject_from(there).length() / limb.upper.length();
            if off > 0.021 {
                assert!(turned.distance(limb.upper) < 1e-4, "{limb:?} {turned}");
            }
        }
    }

    /// Four limbs that go together are those that go alone, lane by lane.
    #[test]
    fn limbs_do_not_know_of_each_other() {
        let all: Vec<(Limb, Vec3)> = limbs().collect();
        for four in all.chunks_exact(LANES) {
            for reach in [Reach::HARD, Reach::SOFT] {
                let mut limbs: [Limb; LANES] = std::array::from_fn(|lane| four[lane].0);
                // A lane without a limb disturbs nobody.
                limbs[3] = Limb::default();
                let goals = std::array::from_fn(|lane| four[lane].1);
                let goal = Vectors::gather(goals);
                let together = solve_lanes(&Limbs::new(limbs), goal, &reach);
                assert_eq!(together.lane(3), None);
                for lane in 0..3 {
                    let alone = solve(&limbs[lane], goals[lane], &reach);
                    assert_eq!(together.lane(lane), alone);
                }
            }
        }
    }

    /// A limb whose plane is noise bends to the side of `forward`, one that is bent keeps its plane.
    #[test]
    fn what_is_bent_further_bends_as_it_is_built() {
        let knee = |off: f32, shorter: f32| {
            let along = (0.25 - off * off).sqrt();
            let limb = Limb {
                upper: Vec3::new(off, -along, 0.0),
                lower: Vec3::new(-off, -along, 0.0),
                forward: Vec3::Z,
            };
            let goal = Vec3::new(0.0, -2.0 * along * shorter, 0.0);
            solve(&limb, goal, &Reach::SOFT).unwrap().upper * limb.upper
        };
        let from_forward = |knee: Vec3| knee.x.atan2(knee.z).to_degrees();
        assert!(from_forward(knee(0.005, 0.95)) < 3.0);
        assert!(from_forward(knee(0.02, 0.95)) < 12.0);
        assert!(from_forward(knee(0.2, 0.95)) > 89.9);
        assert!(from_forward(knee(0.02, 1.0)) > 89.9);
        let mut last = from_forward(knee(0.02, 1.0));
        for step in 1..1000 {
            let now = from_forward(knee(0.02, 1.0 - step as f32 * 1e-4));
            assert!((now - last).abs() < 5.0, "{step}: {last} to {now}");
            last = now;
        }
    }

    /// From one length to the next, a limb that is nearly straight moves its middle joint little.
    #[test]
    fn a_nearly_straight_limb_does_not_jump() {
        for off in [0.0005f32, 0.004, 0.03, 0.08] {
            let limb = Limb {
                upper: Vec3::new(off, -0.5, 0.0),
                lower: Vec3::new(-off, -0.5, 0.0),
                forward: Vec3::Z,
            };
            let knee = |shorter: f32| {
                let goal = Vec3::new(0.0, -1.0 + shorter, 0.0);
                solve(&limb, goal, &Reach::SOFT).unwrap().upper * limb.upper
            };
            assert!(knee(0.0).distance(limb.upper) < 1e-6);
            let mut before = knee(0.0);
            for step in 1..500 {
                let now = knee(step as f32 * 2e-6);
                assert!(now.distance(before) < 2e-3, "{off} {step}");
                before = now;
            }
        }
    }
}
