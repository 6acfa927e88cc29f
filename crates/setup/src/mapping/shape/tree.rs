//! The tree of joints with lengths, and which of its branches are each other's mirror image.
//!
//! Lengths do not change with the pose. So twin branches are known by their lengths, whatever pose the
//! file rests in:
//!
//! `shared(a, b) = min(l_a, l_b) + Σ shared(matched children)`, `likeness = 2 shared / (total_a + total_b)`
//!
//! | symbol | meaning |
//! |---|---|
//! | `l_a` | distance of joint `a` from its parent |
//! | `total_a` | sum of all such distances in the branch that begins with `a` |

use super::limbs::is_tip;
use super::poses::Poses;
use crate::mapping::rig::Rig;

/// Least likeness of two branches that may be twins.
const LEAST_LIKENESS: f32 = 0.8;

/// Joints of one branch with their twins in the other.
pub(super) type Pairs = Vec<(usize, usize)>;

/// Two children that may be twins: how well they go together, and what is below them.
type Match = (f32, usize, usize, Pairs);

/// Lengths along the tree. One place more than there are nodes stands for what carries all roots.
pub(super) struct Tree {
    /// Joint children of each node; nodes above the skeleton are passed through.
    pub(super) children: Vec<Vec<usize>>,
    /// Distance from the parent joint; 0 for topmost joints.
    pub(super) length: Vec<f32>,
    /// Length of the longest way down.
    pub(super) reach: Vec<f32>,
    /// Sum of all lengths in the branch.
    pub(super) total: Vec<f32>,
}

impl Tree {
    pub(super) fn new(rig: &Rig, poses: &Poses) -> Self {
        let count = rig.len();
        let mut tree = Self {
            children: vec![Vec::new(); count + 1],
            length: vec![0.0; count],
            reach: vec![0.0; count],
            total: vec![0.0; count],
        };
        let counts = |joint: &usize| rig.is_joint(*joint) && !is_tip(rig, *joint);
        for joint in (0..count).rev().filter(counts) {
            let parent = rig
                .skeleton
                .parent(joint)
                .filter(|&parent| rig.is_joint(parent));
            tree.children[parent.unwrap_or(count)].insert(0, joint);
            let length = parent.map_or(0.0, |parent| poses.distance(joint, parent));
            tree.length[joint] = length;
            tree.reach[joint] += length;
            tree.total[joint] += length;
            if let Some(parent) = parent {
                tree.reach[parent] = tree.reach[parent].max(tree.reach[joint]);
                tree.total[parent] += tree.total[joint];
            }
        }
        tree
    }

    /// The node that carries all roots.
    pub(super) fn top(&self) -> usize {
        self.length.len()
    }

    /// The longest way down from a joint, its own length left out.
    pub(super) fn below(&self, joint: usize) -> f32 {
        let ways = self.children[joint].iter().map(|&child| self.reach[child]);
        ways.fold(0.0, f32::max)
    }

    /// The joints from `first` down to `last`, both in it.
    pub(super) fn path(&self, rig: &Rig, first: usize, last: usize) -> Vec<usize> {
        let mut path = vec![last];
        let above = rig.skeleton.ancestors(last);
        path.extend(
            above
                .take_while(|_| last != first)
                .scan(false, |done, joint| {
                    let keep = !*done;
                    *done = joint == first;
                    keep.then_some(joint)
                }),
        );
        path.reverse();
        path
    }

    /// Sum of lengths from one joint down to another.
    pub(super) fn way(&self, path: &[usize]) -> f32 {
        path.iter().skip(1).map(|&joint| self.length[joint]).sum()
    }

    /// How alike two branches are, 0 to 1, and which joint of the first is which of the second.
    pub(super) fn twins(&self, a: usize, b: usize) -> Option<(f32, Pairs)> {
        let both = self.total[a] + self.total[b];
        let most = 2.0 * self.total[a].min(self.total[b]);
        if both <= 0.0 || most < LEAST_LIKENESS * both {
            return None;
        }
        let mut pairs = Vec::new();
        let likeness = 2.0 * self.shared(a, b, &mut pairs) / both;
        (likeness >= LEAST_LIKENESS).then_some((likeness, pairs))
    }

    fn shared(&self, a: usize, b: usize, pairs: &mut Pairs) -> f32 {
        pairs.push((a, b));
        let mut sum = self.length[a].min(self.length[b]);
        let (ours, theirs) = (&self.children[a], &self.children[b]);
        let mut options: Vec<Match> = Vec::new();
        for &one in ours {
            for &other in theirs {
                let mut below = Vec::new();
                let shared = self.shared(one, other, &mut below);
                let unlike = self.total[one] + self.total[other] - 2.0 * shared;
                options.push((shared - 0.5 * unlike, one, other, below));
            }
        }
        options.sort_by(|x, y| y.0.total_cmp(&x.0));
        let mut taken: Vec<usize> = Vec::new();
        for (_, one, other, below) in options {
            if taken.contains(&one) || taken.contains(&other) {
                continue;
            }
            taken.extend([one, other]);
            let mut more = below;
            sum += self.shared_of(&more);
            pairs.append(&mut more);
        }
        sum
    }

    fn shared_of(&self, pairs: &[(usize, usize)]) -> f32 {
        let least = |&(a, b): &(usize, usize)| self.length[a].min(self.length[b]);
        pairs.iter().map(least).sum()
    }
}
