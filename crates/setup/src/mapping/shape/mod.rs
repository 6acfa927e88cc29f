//! Mapping by shape and motion alone, for rigs whose names mean nothing.
//!
//! A humanoid has two pairs of twin branches: legs, and above them on the same trunk arms. Twins are known
//! by the lengths of their bones, which no pose changes ([`tree`]); legs are told from arms by how the body
//! stands in the poses that the file has, clips among them ([`stance`]); the best pair of pairs is found by
//! an exact search ([`search`]). What goes on above the arms is neck and head ([`trunk`]), toes, knees,
//! thumbs and steps tell front from back ([`front`]), and fingers are found by the palm ([`hand`]).
//! Animals, whose trunk lies across their legs, are left alone.

mod certainty;
mod front;
mod hand;
mod limbs;
mod palm;
mod poses;
mod search;
mod stance;
mod tree;
mod trunk;

use self::certainty::Certainty;
use self::front::{Front, Signs, front};
use self::hand::{Fingers, fingers};
pub(super) use self::palm::add_fingers;
use self::poses::{Places, Poses};
use self::search::{Guess, guesses};
use self::stance::Limbs;
use self::tree::Tree;
use self::trunk::{Known, Trunk, trunk};
use super::draft::{Draft, FINGERS, SIDES, fill_chains, share_torso};
use super::rig::Rig;
use super::words::tell_something;
use crate::profile::HUMANOID;
use crate::profile::dialect::{finger_parts, sided_name};
use rebone_model::Warning;
use rebone_model::axes::Axis;

/// The mapping that shape and motion suggest; `None` where it is no humanoid's. `forward` is where bodies of the file look.
pub(super) fn map_by_shape(rig: &Rig, forward: Option<Axis>) -> Option<Draft> {
    let poses = Poses::new(rig);
    let tree = Tree::new(rig, &poses);
    let pairs = limbs::pairs(rig, &poses, &tree);
    let guesses = guesses(rig, &tree, &poses, &pairs);
    let best = guesses.first()?;
    if search::has_more_legs(rig, &poses, &pairs, best) {
        return None;
    }
    let body = Body::new(rig, &tree, &poses, best, forward);
    let evidence = if body.front.moved || poses.still.len() < 2 && !poses.moving.is_empty() {
        "shape, motion"
    } else {
        "shape"
    };
    let certainty = Certainty::new(&guesses, &body.front);
    let mut draft = body.draft(&tree, evidence, &certainty);
    fill_chains(rig, &mut draft);
    certainty.rivals(&mut draft, &guesses, body.left);
    draft.warnings.push(Warning::new(
        "mapped-by-shape",
        if tell_something(rig) {
            "the names tell too little of the body; the slots were guessed from the shape"
        } else {
            "no name says what a joint is; the slots were guessed from the shape"
        },
        "check the map, and write what is wrong into a recipe",
    ));
    if !body.front.is_sure() {
        draft.warnings.push(Warning::new(
            "sides-unsure",
            "nothing in the shape tells front from back, so left and right may be swapped",
            "if they are, swap the slots of both sides in a recipe",
        ));
    }
    Some(draft)
}

/// All parts of a guess.
struct Body<'a> {
    limbs: Limbs<'a>,
    trunk: Trunk,
    hands: [Fingers; 2],
    toes: [Vec<usize>; 2],
    front: Front,
    /// Which branch of the legs and of the arms is the left one.
    left: [usize; 2],
}

impl<'a> Body<'a> {
    fn new(
        rig: &Rig,
        tree: &Tree,
        poses: &Poses,
        guess: &Guess<'a>,
        forward: Option<Axis>,
    ) -> Self {
        let limbs = guess.limbs;
        let places = standing(poses, guess);
        let hands = [0, 1].map(|side| {
            let arm = limbs.arms.1;
            arm.end.map_or_else(Fingers::default, |end| {
                fingers(rig, tree, places, end[side], arm.lower[side])
            })
        });
        let toes = [0, 1].map(|side| toes(rig, tree, limbs.foot(side)));
        let known = Known {
            places,
            has_tips: has_tips(&hands, &toes),
        };
        let trunk = trunk(rig, tree, poses, &limbs, &known);
        let neck = trunk.neck.first().or(trunk.torso.last()).copied();
        let signs = Signs {
            toes: toes.clone(),
            thumbs: [0, 1].map(|side| hands[side].thumb.last().copied()),
            neck: neck.zip(trunk.head),
        };
        let front = front(rig, poses, &limbs, &signs, forward);
        let arms = usize::from(!front.is_left());
        let legs = if guess.stance.same_side {
            arms
        } else {
            1 - arms
        };
        Self {
            limbs,
            trunk,
            hands,
            toes,
            front,
            left: [legs, arms],
        }
    }

    fn draft(&self, tree: &Tree, evidence: &'static str, sure: &Certainty) -> Draft {
        let mut draft = Draft::new(&HUMANOID, "none", evidence);
        let trunk = &self.trunk;
        draft.put("hips", trunk.hips.into_iter().collect(), sure.trunk);
        for (slot, joints) in share_torso(&trunk.torso) {
            draft.put(slot, joints.to_vec(), sure.trunk);
        }
        draft.put("neck", trunk.neck.clone(), sure.trunk);
        draft.put("head", trunk.head.into_iter().collect(), sure.trunk);
        for (index, side) in SIDES.into_iter().enumerate() {
            let [legs, arms] = self
                .left
                .map(|left| if index == 0 { left } else { 1 - left });
            let mut put = |slot: &str, joints: Vec<usize>, sure: f32| {
                draft.put(&sided_name(side, slot), joints, sure);
            };
            let leg = self.limbs.legs.1;
            put("UpperLeg", vec![leg.upper[legs]], sure.legs);
            put("LowerLeg", vec![leg.lower[legs]], sure.legs);
            let foot = leg.end.or(self.limbs.feet).map(|feet| feet[legs]);
            put("Foot", foot.into_iter().collect(), sure.legs);
            if foot.is_some() {
                let toes = self.toes[legs].first().copied();
                put("Toes", toes.into_iter().collect(), sure.details);
            }
            let arm = self.limbs.arms.1;
            put("Shoulder", self.shoulder(tree, arms), sure.details);
            put("UpperArm", vec![arm.upper[arms]], sure.arms);
            put("LowerArm", vec![arm.lower[arms]], sure.arms);
            let hand = arm.end.map(|end| end[arms]);
            put("Hand", hand.into_iter().collect(), sure.arms);
            let fingers = &self.hands[arms];
            let thumb = std::iter::once(&fingers.thumb);
            for (finger, chain) in FINGERS.into_iter().zip(thumb.chain(&fingers.others)) {
                for (part, &joint) in finger_parts(finger).into_iter().zip(chain) {
                    put(&format!("{finger}{part}"), vec![joint], sure.details);
                }
            }
        }
        draft
    }

    /// The clavicle with what else lies before the upper arm; dummies in the middle are none.
    fn shoulder(&self, tree: &Tree, side: usize) -> Vec<usize> {
        let before = &self.limbs.arms.1.before[side];
        let upper = self.limbs.arms.1.upper[side];
        let dummy = |joint: usize, next: usize| tree.length[joint] < 0.05 * tree.length[next];
        let first = (0..before.len()).find(|&at| {
            let next = before.get(at + 1).copied().unwrap_or(upper);
            at + 1 == before.len() || !dummy(before[at], next)
        });
        first.map_or_else(Vec::new, |first| before[first..].to_vec())
    }
}

/// The pose in which the body stands best.
fn standing<'p>(poses: &'p Poses, guess: &Guess) -> &'p Places {
    let limbs = &guess.limbs;
    let stand = |places: &Places| stance::frame(limbs, places).map_or(-1.0, |frame| frame.stand);
    let still = &poses.still[guess.stance.best];
    if stand(still) > 0.6 {
        return still;
    }
    let moving = poses.moving.iter().map(|moment| &moment.now);
    moving
        .max_by(|a, b| stand(a).total_cmp(&stand(b)))
        .unwrap_or(still)
}

/// Whether leaves mark ends of joints, going by fingers and toes; `None` where there are neither.
fn has_tips(hands: &[Fingers; 2], toes: &[Vec<usize>; 2]) -> Option<bool> {
    let fingers = hands.iter().any(|hand| !hand.others.is_empty());
    let by_hand = hands.iter().any(|hand| hand.has_tips);
    let by_foot = toes.iter().all(|toes| toes.len() > 1);
    let known = fingers || toes.iter().any(|toes| !toes.is_empty());
    known.then_some(by_hand || by_foot)
}

/// What goes on from a foot: toes and what lies beyond them, heels left out.
fn toes(rig: &Rig, tree: &Tree, foot: usize) -> Vec<usize> {
    let mut chain = Vec::new();
    let mut at = foot;
    while let Some(&next) = tree.children[at]
        .iter()
        .max_by(|&&a, &&b| tree.reach[a].total_cmp(&tree.reach[b]).then(b.cmp(&a)))
    {
        if limbs::is_tip(rig, next) || chain.len() > 3 {
            break;
        }
        chain.push(next);
        at = next;
    }
    chain
}
