//! Arms that reach: chest and collar bones help.

use super::{Arm, ArmTurns, Goals, MOST_ARMS, Reaching, Turns, Work};
use crate::solve::steady::Moves;
use crate::stage::limb::{Before, JointTurn, steady_arms, within_reach};
use glam::{Quat, Vec3};
use rebone_model::Transform;
use rebone_model::elementary::Elementary as _;
use rebone_model::rotation::exp;

/// Shares of the arm's length: chest and collar bone begin to help where the goal is further away than the first, and
/// do so in full beyond the second.
const FAR: [f32; 2] = [0.95, 1.0];

/// The share of what is missing that the chest makes up for.
const OF_CHEST: f32 = 0.4;

/// How far the chest turns at most, radians.
const MOST_OF_CHEST: f32 = 0.14;

/// How far a collar bone turns at most, radians.
const MOST_OF_CLAVICLE: f32 = 0.44;

/// Levers shorter than this share of the arm help less.
const SHORT_LEVER: f32 = 0.2;

/// How often what one hand could not reach is given to the other.
const PASSES: usize = 2;

/// A palm that is nearer to its goal than this share of the arm stays.
const THERE: f32 = 1e-6;

impl Work<'_> {
    fn at(&self, place: usize) -> Vec3 {
        self.target[place].position()
    }

    pub(super) fn length(&self, arm: &Arm) -> f32 {
        self.bones(arm).into_iter().map(Vec3::length).sum()
    }

    /// What arms reach for; `None` where everything is already where it shall be.
    pub(super) fn reaching(&self, held: f32) -> Option<Reaching> {
        let arms = &self.stage.arms;
        // From goals of palms to goals of wrists: hands keep their rotations.
        let mut wrists = self.goals(held);
        for (index, (wrist, arm)) in wrists.iter_mut().zip(arms).enumerate() {
            *wrist = wrist.map(|goal| goal - self.palm(index) + self.at(arm.hand));
        }
        let is_there = |arm: &Arm, goal: Vec3| {
            // False for what is no number, too.
            let is_off = goal.distance(self.at(arm.hand)) > THERE * self.length(arm);
            !is_off
        };
        let mut goals = wrists.iter().zip(arms);
        if goals.all(|(goal, arm)| goal.is_none_or(|goal| is_there(arm, goal))) {
            return None;
        }
        let wanted = wrists;
        let chest = self.chest(&wrists);
        let mut shoulders = [None; MOST_ARMS];
        for (shoulder, (arm, goal)) in shoulders.iter_mut().zip(arms.iter().zip(&wanted)) {
            *shoulder = goal.map(|goal| self.clavicle(arm, chest, goal));
        }
        // From the shoulder, as far as the arm goes.
        let way = |index: usize, goals: &Goals| {
            let (shoulder, goal): (Option<(Quat, Vec3)>, _) = (shoulders[index], goals[index]);
            let (arm, (_, shoulder), goal) = (arms.get(index)?, shoulder?, goal?);
            let bones = self.bones(arm);
            Some((
                shoulder,
                within_reach(&self.stage.reach, bones, goal - shoulder),
            ))
        };
        for _ in 0..PASSES {
            let both = [0, 1].map(|arm: usize| Some((way(arm, &wrists)?, wrists[arm]?)));
            if let ([Some((first, own)), Some((second, other))], true) = (both, held > 0.0) {
                let short = [own - first.0 - first.1, other - second.0 - second.1];
                wrists[0] = Some(own - short[1] * held);
                wrists[1] = Some(other - short[0] * held);
            }
        }
        let limbs = arms.iter().enumerate().map(|(index, arm)| {
            let (_, way) = way(index, &wrists)?;
            Some((self.bones(arm), way))
        });
        let limbs = steady_arms(limbs, Vec3::Y);
        Some(Reaching {
            chest,
            shoulders,
            wanted,
            held,
            limbs,
        })
    }

    /// How everything turns by these moves, and how far the worst hand stays from its goal (of two that hold on to each other: how
    /// far their distance stays from what it shall be), as a share of the arm.
    pub(super) fn turned(&self, reaching: &Reaching, moves: &Moves) -> (Turns, f32) {
        let mut turns = Turns {
            chest: reaching.chest,
            arms: [None; MOST_ARMS],
        };
        let mut missing = [Vec3::ZERO; MOST_ARMS];
        for (index, arm) in self.stage.arms.iter().enumerate() {
            let (shoulder, goal) = (reaching.shoulders[index], reaching.wanted[index]);
            let (Some((clavicle, shoulder)), Some(goal)) = (shoulder, goal) else {
                continue;
            };
            let [upper, lower] = moves.rotations_of(index);
            let turned = ArmTurns {
                clavicle,
                upper,
                lower,
            };
            let [u, v] = self.bones(arm);
            missing[index] = goal - (shoulder + turned.upper * u + turned.lower * v);
            turns.arms[index] = Some(turned);
        }
        let mut off = 0.0f32;
        for (index, arm) in self.stage.arms.iter().enumerate() {
            let way = match index {
                // What one hand lacks the other has made up for.
                0 | 1 if reaching.held > 0.0 => missing[0] - missing[1],
                index => missing[index],
            };
            off = off.max(way.length() / self.length(arm).max(f32::MIN_POSITIVE));
        }
        (turns, off)
    }

    /// Upper and lower arm.
    fn bones(&self, arm: &Arm) -> [Vec3; 2] {
        let [upper, lower, hand] = [arm.upper, arm.lower, arm.hand].map(|place| self.at(place));
        [lower - upper, hand - lower]
    }

    /// How far a shoulder should come nearer to a goal. An arm that is stretched already asks for no help as far as it reaches.
    fn lack(&self, arm: &Arm, shoulder: Vec3, goal: Vec3) -> f32 {
        let length = self.length(arm);
        let [from, full] = FAR.map(|share| share * length);
        let stretched = self.at(arm.hand).distance(self.at(arm.upper));
        let over = (goal.distance(shoulder) - from.max(stretched)).max(0.0);
        // Begins level, so that nothing jerks where it sets in.
        let eased = if over < full - from {
            0.5 * over * over / (full - from).max(f32::MIN_POSITIVE)
        } else {
            over - 0.5 * (full - from)
        };
        eased * self.stage.assist
    }

    /// The rotation vector about `pivot` that brings an arm's `shoulder` towards `goal`, by as much as it should come nearer. A
    /// short lever brings it less far: it would have to turn too much.
    fn towards(&self, arm: &Arm, pivot: Vec3, [shoulder, goal]: [Vec3; 2], share: f32) -> Vec3 {
        let lever = shoulder - pivot;
        let length = lever.length().max(SHORT_LEVER * self.length(arm));
        let way = (goal - shoulder).normalize_or_zero() * self.lack(arm, shoulder, goal) * share;
        lever.cross(way) / (length * length).max(f32::MIN_POSITIVE)
    }

    /// How the chest turns for all arms together.
    fn chest(&self, wrists: &Goals) -> Quat {
        let Some(chest) = &self.stage.chest else {
            return Quat::IDENTITY;
        };
        let mut vector = Vec3::ZERO;
        for (arm, goal) in self.stage.arms.iter().zip(wrists) {
            if let Some(goal) = goal {
                let shoulder = self.at(arm.upper);
                vector += self.towards(arm, self.at(chest.joint), [shoulder, *goal], OF_CHEST);
            }
        }
        exp(bounded(vector, MOST_OF_CHEST))
    }

    /// How a collar bone turns (on top of the chest), and where its shoulder then is.
    fn clavicle(&self, arm: &Arm, chest: Quat, goal: Vec3) -> (Quat, Vec3) {
        let pivot = |point: Vec3| match &self.stage.chest {
            Some(joint) => {
                let center = self.at(joint.joint);
                center + chest * (point - center)
            }
            None => point,
        };
        let shoulder = pivot(self.at(arm.upper));
        let Some(clavicle) = arm.clavicle.map(|place| pivot(self.at(place))) else {
            return (Quat::IDENTITY, shoulder);
        };
        let vector = self.towards(arm, clavicle, [shoulder, goal], 1.0);
        let turn = exp(bounded(vector, MOST_OF_CLAVICLE));
        (turn, clavicle + turn * (shoulder - clavicle))
    }

    /// Puts it all into the pose.
    pub(super) fn write(&self, turns: &Turns, pose: &mut [Transform]) {
        let before = Before {
            joints: &self.stage.target,
            placed: self.target,
        };
        let still = Quat::IDENTITY;
        // The chest moves nothing that has no goal by more than its own turn; where it rests, bits stay.
        if let Some(chest) = self.stage.chest.as_ref().filter(|_| turns.chest != still) {
            before.turn(JointTurn::new(chest.joint, turns.chest, still), pose);
            for &kept in &chest.kept {
                before.turn(JointTurn::new(kept, still, turns.chest), pose);
            }
        }
        for (arm, turns_of_arm) in self.stage.arms.iter().zip(&turns.arms) {
            let Some(turned) = turns_of_arm else { continue };
            let mut above = turns.chest;
            if let Some(clavicle) = arm.clavicle
                && turned.clavicle != still
            {
                before.turn(
                    JointTurn::new(clavicle, turned.clavicle * above, above),
                    pose,
                );
                above = turned.clavicle * above;
            }
            before.turn(JointTurn::new(arm.upper, turned.upper, above), pose);
            before.turn(JointTurn::new(arm.lower, turned.lower, turned.upper), pose);
            before.turn(JointTurn::new(arm.hand, still, turned.lower), pose);
        }
    }
}

/// A rotation vector that is as it is where it is short, and never longer than `most`.
fn bounded(vector: Vec3, most: f32) -> Vec3 {
    let length = vector.length();
    if length > 1e-9 {
        vector * (most * (1.0 - (-length / most).exponential()) / length)
    } else {
        vector
    }
}
