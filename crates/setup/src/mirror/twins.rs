//! Which joint is which joint's twin on the other side.

use crate::align::Alignment;
use crate::mapping::RigMap;
use crate::names::{NameKey, NameSide, key_of};
use crate::profile::Side;
use glam::DVec3;
use rebone_model::{Action, Character, JointKind, Remedy, Skeleton, Warning};

/// How far from its mirror image a twin may be, of the body's height.
const NEAR: f64 = 0.04;

/// Names in a warning, at most.
const SHOWN: usize = 6;

/// The twin of each joint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twins {
    twins: Vec<Option<usize>>,
}

impl Twins {
    /// The joint that does the same on the other side; the joint itself on the plane of symmetry; `None`
    /// for what one side alone has.
    pub fn of(&self, joint: usize) -> Option<usize> {
        self.twins.get(joint).copied().flatten()
    }

    /// Makes two joints twins of each other, or one its own twin. Joints that were paired with them have
    /// none afterwards.
    pub fn pair(&mut self, first: usize, second: usize) {
        for twin in &mut self.twins {
            if *twin == Some(first) || *twin == Some(second) {
                *twin = None;
            }
        }
        self.twins[first] = Some(second);
        self.twins[second] = Some(first);
    }

    /// Leaves a joint, and the one it was paired with, without twin.
    pub fn separate(&mut self, joint: usize) {
        if let Some(twin) = self.of(joint) {
            self.twins[twin] = None;
        }
        self.twins[joint] = None;
    }

    /// The warning `twin-missing` about joints without twin.
    pub fn lonely(&self, skeleton: &Skeleton) -> Option<Warning> {
        let lonely: Vec<&str> = (0..skeleton.len())
            .filter(|&joint| self.of(joint).is_none())
            .map(|joint| skeleton.unique_name(joint))
            .collect();
        let shown = lonely[..lonely.len().min(SHOWN)].join(", ");
        let more = match lonely.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!lonely.is_empty()).then(|| {
            Warning::new(
                "twin-missing",
                format!("these joints have no twin on the other side: {shown}{more}"),
                Remedy::new(
                    "they rest in the mirrored motion; say which joints are twins",
                    &[Action::NameTwins],
                ),
            )
        })
    }
}

/// Finds the twins: by slots, then by names that differ in the side alone, then by place.
///
/// Joints that only one side has are told by the warning `twin-missing`.
pub fn find_twins(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
) -> (Twins, Vec<Warning>) {
    let skeleton = &character.skeleton;
    let mut search = Search {
        skeleton,
        alignment,
        keys: skeleton
            .joints()
            .iter()
            .map(|joint| key_of(&joint.name))
            .collect(),
        twins: Twins {
            twins: vec![None; skeleton.len()],
        },
        near: NEAR * alignment.measures.height,
    };
    for (joint, at) in skeleton.joints().iter().enumerate() {
        if at.kind == JointKind::Ancestor {
            search.twins.pair(joint, joint);
        }
    }
    search.by_slots(map);
    // Parents come before children, so a joint's parent has found its twin before.
    for joint in 0..skeleton.len() {
        if search.twins.of(joint).is_none() {
            search.by_name_or_place(joint);
        }
    }
    let warnings = search.twins.lonely(skeleton).into_iter().collect();
    (search.twins, warnings)
}

struct Search<'a> {
    skeleton: &'a Skeleton,
    alignment: &'a Alignment,
    keys: Vec<NameKey>,
    twins: Twins,
    /// File units.
    near: f64,
}

impl Search<'_> {
    fn by_slots(&mut self, map: &RigMap) {
        for (slot, found) in &map.slots {
            let twin = map.profile.twin(*slot);
            let side = map.profile.info(*slot).side;
            // What has a side is not its own twin, even where the profile has no other.
            if side == Side::Right || (side == Side::Left && twin == *slot) {
                continue;
            }
            let Some(other) = map.slots.get(&twin) else {
                continue;
            };
            for (&joint, &across) in found.joints.iter().zip(&other.joints) {
                self.twins.pair(joint, across);
            }
        }
    }

    fn by_name_or_place(&mut self, joint: usize) {
        let parent = self.skeleton.parent(joint);
        let parent_twin = match parent {
            None => None,
            Some(parent) => match self.twins.of(parent) {
                Some(twin) => Some(twin),
                // Below a joint without twin nothing has one.
                None => return,
            },
        };
        let candidates: Vec<usize> = (0..self.skeleton.len())
            .filter(|&other| {
                self.skeleton.parent(other) == parent_twin && self.twins.of(other).is_none()
            })
            .collect();
        let named = self.twin_by_name(joint, &candidates);
        let found = named.or_else(|| self.twin_by_place(joint, parent == parent_twin, &candidates));
        if let Some(twin) = found {
            self.twins.pair(joint, twin);
        }
    }

    /// The only candidate of the same name on the other side.
    fn twin_by_name(&self, joint: usize, candidates: &[usize]) -> Option<usize> {
        let key = &self.keys[joint];
        let wanted = match key.side? {
            NameSide::Left => NameSide::Right,
            NameSide::Right => NameSide::Left,
        };
        let mut named = candidates.iter().copied().filter(|&other| {
            self.keys[other].side == Some(wanted) && self.keys[other].word == key.word
        });
        let first = named.next()?;
        named.next().is_none().then_some(first)
    }

    /// The nearest candidate to the joint's mirror image; a joint without side whose parent is its own twin
    /// is, on the plane, its own twin too.
    fn twin_by_place(&self, joint: usize, on_plane: bool, candidates: &[usize]) -> Option<usize> {
        let position = |at: usize| self.alignment.reference[at].position;
        let own = position(joint);
        let mirrored = DVec3::new(-own.x, own.y, own.z);
        let distance = |other: usize| position(other).distance(mirrored);
        if on_plane && self.keys[joint].side.is_none() && distance(joint) < self.near {
            return Some(joint);
        }
        let is_other = |other: &usize| {
            // What says that it is on the same side is no twin.
            *other != joint
                && (self.keys[*other].side.is_none()
                    || self.keys[*other].side != self.keys[joint].side)
        };
        let nearest = candidates
            .iter()
            .copied()
            .filter(is_other)
            .min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
        (distance(nearest) < self.near).then_some(nearest)
    }
}
