//! Profiles: vocabularies of slots, the places that joints of different characters share.
pub mod custom;
pub mod dialect;
pub(crate) mod dialects;
mod humanoid;
pub(crate) mod parts;
pub(crate) mod pattern;
mod quadruped;
mod rows;

pub use humanoid::HUMANOID;
pub use quadruped::QUADRUPED;

/// A place in a profile, such as `leftUpperArm`: an index into [`Profile::slots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u8);

/// Which side of the body a slot is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// On the plane of symmetry.
    Center,
    /// The character's own left.
    Left,
    /// The character's own right.
    Right,
}

impl Side {
    /// +1 for left, -1 for right, 0 on the plane: the sign of X where the body faces +Z.
    pub fn sign(self) -> f32 {
        match self {
            Self::Center => 0.0,
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }
}

/// What a slot does in the body; slots of one part are treated alike. A front leg has the parts of an arm,
/// a hind leg those of a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Part {
    Hips,
    Torso,
    Neck,
    Head,
    Face,
    Shoulder,
    UpperArm,
    LowerArm,
    Hand,
    Thumb,
    Finger,
    UpperLeg,
    LowerLeg,
    Foot,
    Toes,
    /// Metacarpus or metatarsus: a third long bone in an animal's leg.
    Cannon,
    Ear,
    Trunk,
    Tail,
    /// Any other chain of a creature of its own kind.
    Limb,
}

/// One slot of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotInfo {
    /// Name as in VRM 1.0.
    pub name: &'static str,
    /// Index of the slot above; smaller than the slot's own.
    pub parent: Option<u8>,
    /// Without it there is no such character.
    pub required: bool,
    /// Side of the body.
    pub side: Side,
    /// What it does in the body.
    pub part: Part,
}

/// A slot of a built-in profile.
const fn row(
    name: &'static str,
    parent: Option<u8>,
    required: bool,
    side: Side,
    part: Part,
) -> SlotInfo {
    SlotInfo {
        name,
        parent,
        required,
        side,
        part,
    }
}

/// How the bodies of a profile stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// On two legs, the trunk upright.
    Upright,
    /// On four legs, the trunk level.
    FourLegged,
    /// In no known way.
    Free,
}

/// A vocabulary of slots.
#[derive(Debug, PartialEq, Eq)]
pub struct Profile {
    /// `humanoid`, `quadruped`, or a name of the user's.
    pub name: &'static str,
    /// How its bodies stand.
    pub stance: Stance,
    /// The slots, parents before children.
    pub slots: &'static [SlotInfo],
}

impl Profile {
    /// All slots.
    pub fn all(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..self.slots.len() as u8).map(Slot)
    }

    /// What a slot is.
    pub fn info(&self, slot: Slot) -> &'static SlotInfo {
        &self.slots[usize::from(slot.0)]
    }

    /// The slot above.
    pub fn parent(&self, slot: Slot) -> Option<Slot> {
        self.info(slot).parent.map(Slot)
    }

    /// The slot of this name.
    pub fn find(&self, name: &str) -> Option<Slot> {
        self.all().find(|&slot| self.info(slot).name == name)
    }

    /// The slot that does the same on the other side, by name: `leftHand` and `rightHand`, `hindLeftLeg` and
    /// `hindRightLeg`. A slot on the plane is its own twin, and so is one whose other side the profile lacks.
    pub fn twin(&self, slot: Slot) -> Slot {
        let info = self.info(slot);
        let words = [("left", "right"), ("Left", "Right")];
        let names = words.map(|(left, right)| match info.side {
            Side::Center => None,
            Side::Left => Some((left, right)),
            Side::Right => Some((right, left)),
        });
        names
            .into_iter()
            .flatten()
            .filter(|(own, _)| info.name.contains(own))
            .find_map(|(own, other)| self.find(&info.name.replacen(own, other, 1)))
            .unwrap_or(slot)
    }
}
