//! The legs of an animal: mirrored pairs of chains, their detached paws, and which joint is which part.
//!
//! | symbol | meaning |
//! |---|---|
//! | x | across: from the second leg of a pair to the first |
//! | g | along the ground, from the paws of one pair to those of the other |
//! | u = ± x × g | up; the sign is that which makes legs go down |
//!
//! A leg is cut by its heights above the ground: the paw is the first joint close to it. Of the joints
//! above, a hind leg has thigh, shin and perhaps the metatarsus, a front leg perhaps the scapula, upper and
//! lower leg and perhaps the metacarpus. A first joint that only leads sideways is a stub: a scapula in
//! front, no slot behind.

use super::quadruped_words::{Word, is};
use super::rig::Rig;
use rebone_model::Clamp as _;
use rebone_model::Vec3;

/// Share of a leg's height below which a joint orients a paw.
const PAW_HEIGHT: f32 = 0.22;

/// Of the chains that hang from one joint the longest are tried as legs: strands of hair come in hundreds, and
/// every two of them may mirror each other.
const MOST_AT_ONE: usize = 40;

/// Most pairs that are tried as legs, the longest.
const MOST_PAIRS: usize = 64;

/// How the legs of a pose stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stand {
    /// Side by side, as at rest.
    Still,
    /// Nearly so: the mean pose of clips, in which the swings of a gait cancel out but for a rest. There legs mirror each
    /// other best where they leave the body.
    Mean,
}

impl Stand {
    /// How far two joints may be from mirroring each other, over the size of the body.
    fn tolerance(self) -> f32 {
        match self {
            Self::Still => 0.05,
            Self::Mean => 0.12,
        }
    }
}

/// Two legs that mirror each other, from the body outwards.
#[derive(Clone, Debug)]
pub(super) struct LegPair {
    pub(super) legs: [Vec<usize>; 2],
    /// From the second leg to the first, a unit vector.
    pub(super) across: Vec3,
    /// Number of joints that hang in the body's own tree; what follows hangs beside it.
    pub(super) attached: usize,
}

impl LegPair {
    /// Middle of both joints at a place of the chains, counted from the body.
    pub(super) fn middle(&self, positions: &[Vec3], place: usize) -> Vec3 {
        let at = |leg: &Vec<usize>| leg.get(place).map_or(Vec3::ZERO, |&joint| positions[joint]);
        (at(&self.legs[0]) + at(&self.legs[1])) / 2.0
    }

    /// Middles of both legs' joints, from the body outwards.
    fn middles(&self, positions: &[Vec3]) -> Vec<Vec3> {
        let places = 0..self.count();
        places.map(|place| self.middle(positions, place)).collect()
    }

    /// Number of joints a leg.
    pub(super) fn count(&self) -> usize {
        self.legs[0].len()
    }

    pub(super) fn top(&self, positions: &[Vec3]) -> Vec3 {
        self.middle(positions, 0)
    }

    pub(super) fn bottom(&self, positions: &[Vec3]) -> Vec3 {
        self.middle(positions, self.count() - 1)
    }

    /// From the body along the joints to the end.
    pub(super) fn length(&self, positions: &[Vec3]) -> f32 {
        length(positions, &self.legs[0])
    }

    pub(super) fn uses(&self, joint: usize) -> bool {
        self.legs.iter().any(|leg| leg.contains(&joint))
    }
}

/// Way along the joints of a chain.
fn length(positions: &[Vec3], chain: &[usize]) -> f32 {
    let steps = chain.windows(2);
    steps
        .map(|step| positions[step[0]].distance(positions[step[1]]))
        .sum()
}

/// Leaves the longest of some, in the order in which they were.
fn retain_longest<T>(all: &mut Vec<T>, most: usize, length: impl Fn(&T) -> f32) {
    if all.len() <= most {
        return;
    }
    let mut lengths: Vec<f32> = all.iter().map(&length).collect();
    lengths.sort_by(|a, b| b.total_cmp(a));
    let least = lengths[most - 1];
    all.retain(|one| length(one).total_cmp(&least).is_ge());
    all.truncate(most);
}

/// All pairs of mirrored chains that can be legs, with what hangs beside the body but belongs to them.
pub(super) fn leg_pairs(rig: &Rig, positions: &[Vec3], stand: Stand) -> Vec<LegPair> {
    let size = rig.size_in(positions);
    let all = mirrored_pairs(rig, positions, stand);
    let mut legs: Vec<LegPair> = all
        .iter()
        .filter(|pair| pair.count() >= 2)
        .cloned()
        .collect();
    retain_longest(&mut legs, MOST_PAIRS, |pair| pair.length(positions));
    extend(rig, positions, &all, &mut legs);
    legs.retain(|pair| pair.count() >= 3 && pair.length(positions) > 0.1 * size);
    legs
}

fn mirrored_pairs(rig: &Rig, positions: &[Vec3], stand: Stand) -> Vec<LegPair> {
    let size = rig.size_in(positions);
    let mut pairs = Vec::new();
    let roots: Vec<usize> = (0..rig.len())
        .filter(|&joint| rig.skeleton.parent(joint).is_none())
        .collect();
    let families = (0..rig.len()).map(|parent| rig.children[parent].clone());
    for family in families.chain([roots]) {
        let mut chains: Vec<Vec<usize>> = family
            .into_iter()
            .filter(|&child| rig.is_joint(child))
            .map(|child| chain_from(rig, child))
            .collect();
        retain_longest(&mut chains, MOST_AT_ONE, |chain| length(positions, chain));
        for (at, first) in chains.iter().enumerate() {
            for second in &chains[at + 1..] {
                pairs.extend(mirrored(positions, [first, second], size, stand));
            }
        }
    }
    pairs
}

/// Down from a joint for as long as one way leads on. Leaves beside the way do not count as ways, unless one alone is called a
/// paw: the legs of robots have other parts there.
pub(super) fn chain_from(rig: &Rig, first: usize) -> Vec<usize> {
    let mut chain = vec![first];
    let mut at = first;
    loop {
        let children = || rig.children[at].iter().copied();
        let joints: Vec<usize> = children().filter(|&child| rig.is_joint(child)).collect();
        let deep: Vec<usize> = joints
            .iter()
            .copied()
            .filter(|&child| rig.below[child] > 0)
            .collect();
        let is_paw = |child: &usize| is(rig, *child, Word::Paw);
        let paws: Vec<usize> = joints.iter().copied().filter(is_paw).collect();
        at = match (paws.as_slice(), deep.as_slice(), joints.as_slice()) {
            ([only], ..) | (_, [only], _) | (_, [], [only]) => *only,
            _ => return chain,
        };
        chain.push(at);
    }
}

fn mirrored(
    positions: &[Vec3],
    chains: [&Vec<usize>; 2],
    size: f32,
    stand: Stand,
) -> Option<LegPair> {
    let tolerance = stand.tolerance() * size;
    let count = chains[0].len().min(chains[1].len());
    if chains[0].len().abs_diff(chains[1].len()) > 1 {
        return None;
    }
    let apart = |place: usize| positions[chains[0][place]] - positions[chains[1][place]];
    let sum: Vec3 = (0..count).map(apart).sum();
    let first = apart(0);
    let is_wide = first.length() * count as f32 > 0.5 * sum.length();
    let by_top = stand == Stand::Mean && is_wide;
    let across = if by_top { first } else { sum }.try_normalize()?;
    let fits = (0..count).all(|place| {
        apart(place).reject_from_normalized(across).length() < tolerance
            && apart(place).dot(across) > 0.0
    });
    fits.then_some(LegPair {
        attached: count,
        legs: chains.map(|chain| chain[..count].to_vec()),
        across,
    })
}

/// Lengthens legs that end in the air by the nearest mirrored pair that hangs beside the body (paws under IK
/// joints). Each pair beside the body goes to the leg that it is nearest to.
fn extend(rig: &Rig, positions: &[Vec3], all: &[LegPair], legs: &mut [LegPair]) {
    let mut wishes: Vec<(f32, usize, usize, bool)> = Vec::new();
    for (leg, pair) in legs.iter().enumerate() {
        let (Some(&first), Some(&last)) = (pair.legs[0].first(), pair.legs[0].last()) else {
            continue;
        };
        let reach = 2.5 * pair.length(positions);
        for (other, beside) in all.iter().enumerate() {
            let root = beside.legs[0][0];
            let turned = beside.across.dot(pair.across);
            let siblings = rig.skeleton.parent(first) == rig.skeleton.parent(root);
            if siblings || turned.abs() < 0.95 {
                continue;
            }
            let crossed = turned < 0.0;
            let nearest = positions[beside.legs[usize::from(crossed)][0]];
            let way = nearest - positions[last];
            let sideways = way.dot(pair.across).abs();
            let downwards = way.dot(positions[last] - positions[first]);
            let is_near = way.length() < reach && sideways < 0.4 * way.length() && downwards > 0.0;
            // Whatever shares the leg's own branch of the body is no detached paw.
            let is_beside = || !rig.is_within(first, root) && !rig.is_within(root, first);
            if is_near && is_beside() {
                wishes.push((way.length(), leg, other, crossed));
            }
        }
    }
    wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut given: Vec<usize> = Vec::new();
    let mut done: Vec<usize> = Vec::new();
    for (_, leg, other, crossed) in wishes {
        if given.contains(&other) || done.contains(&leg) {
            continue;
        }
        given.push(other);
        done.push(leg);
        for side in 0..2 {
            let from = if crossed { 1 - side } else { side };
            legs[leg].legs[side].extend(&all[other].legs[from]);
        }
    }
}

/// Which places of a leg are which part; `None` where the rig has no such joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LegParts {
    pub(super) scapula: Option<usize>,
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) cannon: Option<usize>,
    pub(super) paw: usize,
    pub(super) toes: Option<usize>,
}

impl LegParts {
    /// The parts that the leg has, by the ends of their slots' names.
    pub(super) fn named(&self, is_front: bool) -> impl Iterator<Item = (&'static str, usize)> {
        let cannon_name = if is_front { "Metacarpus" } else { "Metatarsus" };
        let parts = [
            ("Scapula", self.scapula),
            ("UpperLeg", Some(self.upper)),
            ("LowerLeg", Some(self.lower)),
            (cannon_name, self.cannon),
            ("Paw", Some(self.paw)),
            ("Toes", self.toes),
        ];
        parts
            .into_iter()
            .filter_map(|(name, place)| Some((name, place?)))
    }
}

/// Directions in which a leg stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub(super) up: Vec3,
    pub(super) forward: Vec3,
    /// Height of the ground along `up`.
    pub(super) height: f32,
}

/// A body that stands on two pairs of legs.
pub(super) struct Animal<'a> {
    pub(super) rig: &'a Rig<'a>,
    pub(super) positions: &'a [Vec3],
    pub(super) hind: &'a LegPair,
    pub(super) front: &'a LegPair,
    pub(super) ground: Ground,
}

/// Cuts a leg into its parts; `None` where it has too few joints.
pub(super) fn parts_of(
    pair: &LegPair,
    positions: &[Vec3],
    ground: &Ground,
    is_front: bool,
) -> Option<LegParts> {
    let count = pair.count();
    let points = pair.middles(positions);
    let own: Vec<Vec3> = pair.legs[0].iter().map(|&joint| positions[joint]).collect();
    let length = pair.length(positions);
    let is_stub = |place: usize| {
        let way = own[place + 1] - own[place];
        way.length() < 0.25 * length && way.dot(pair.across).abs() > 0.7 * way.length()
    };
    let first = (0..count - 2).find(|&place| !is_stub(place))?;
    let stub = first.checked_sub(1);
    let height = |place: usize| points[place].dot(ground.up) - ground.height;
    let tall = height(first);
    let paw = (first + 2..count)
        .find(|&place| height(place) < PAW_HEIGHT * tall)
        .unwrap_or(count - 1);
    let toes = (paw + 1 < count).then_some(paw + 1);
    let ahead = |place: usize| bulge(&points, place, ground.forward) / length;
    let parts = LegParts {
        paw,
        toes,
        ..LegParts::default()
    };
    let long = paw - first;
    Some(match (is_front, long) {
        (_, 0 | 1) => return None,
        (_, 2) => LegParts {
            scapula: stub.filter(|_| is_front),
            upper: first,
            lower: first + 1,
            ..parts
        },
        (false, _) => LegParts {
            // A hip bone that leads down a little is none of the leg's long ones.
            upper: paw - 3,
            lower: paw - 2,
            cannon: Some(paw - 1),
            ..parts
        },
        // The point of the shoulder lies in front, the elbow behind.
        (true, 3) if stub.is_none() && ahead(first + 1) > 0.02 => LegParts {
            scapula: Some(first),
            upper: first + 1,
            lower: first + 2,
            ..parts
        },
        (true, 3) => LegParts {
            scapula: stub,
            upper: first,
            lower: first + 1,
            cannon: Some(first + 2),
            ..parts
        },
        (true, _) => LegParts {
            scapula: Some(paw - 4),
            upper: paw - 3,
            lower: paw - 2,
            cannon: Some(paw - 1),
            ..parts
        },
    })
}

/// How far a point sticks out from between its neighbours, along `forward`.
fn bulge(points: &[Vec3], place: usize, forward: Vec3) -> f32 {
    let along = (points[place + 1] - points[place - 1]).normalize_or_zero();
    let off = (points[place] - points[place - 1]).reject_from(along);
    off.dot(forward)
}

/// How far the knees tell that a leg walks along `forward`: positive where the first bend points forwards and
/// the second backwards, as stifle and hock do; where toes lead on from the paw, they count as well.
pub(super) fn knees_forward(pair: &LegPair, positions: &[Vec3], forward: Vec3) -> f32 {
    let points = pair.middles(positions);
    let length = pair.length(positions).max(f32::MIN_POSITIVE);
    let off = |place: usize| bulge(&points, place, forward) / length;
    let bends: Vec<f32> = (1..points.len() - 1).map(off).collect();
    bends
        .windows(2)
        .map(|pair| (pair[0] - pair[1]).clamped(-0.3, 0.3))
        .filter(|zigzag| zigzag.abs() > 0.05)
        .fold(0.0, |best: f32, zigzag| {
            if zigzag.abs() > best.abs() {
                zigzag
            } else {
                best
            }
        })
}
