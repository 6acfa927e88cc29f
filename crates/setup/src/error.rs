//! Why a retarget cannot be set up.

use rebone_model::{Action, Remedy};

/// What is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The two characters share no slot.
    #[error("source and target have no slot in common; {}", self.remedy())]
    NothingInCommon,
    /// The two characters are of different kinds, and the recipe asks for no chains between them.
    #[error("the source is a {source_kind} and the target a {target_kind}; {}", self.remedy())]
    KindsDiffer {
        /// Name of the source's profile; "body of an unknown kind" if the source was not recognised.
        source_kind: &'static str,
        /// Likewise of the target.
        target_kind: &'static str,
        /// Whether chains by the parts of the body would drive the whole target.
        can_connect: bool,
    },
    /// The character lacks slots without which it cannot be retargeted.
    #[error("{character} has no joint for {}; {}", .slots.join(", "), self.remedy())]
    MissingSlots {
        /// `source` or `target`, with its name.
        character: String,
        /// Names of the slots.
        slots: Vec<String>,
    },
    /// A recipe, or another text that a person wrote, is wrong.
    #[error("{what} (at {place}); {remedy}")]
    Recipe {
        /// What is wrong.
        what: String,
        /// Line or key.
        place: String,
        /// What to do.
        remedy: Remedy,
    },
}

impl Error {
    /// What to do about it.
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::NothingInCommon => {
                Remedy::new("name the joints of both in a recipe", &[Action::NameJoints])
            }
            Self::KindsDiffer {
                can_connect: false, ..
            } => Remedy::new(
                "name the joints of both in a recipe, or link them there by hand ([links])",
                &[Action::NameJoints],
            ),
            Self::KindsDiffer { .. } => Remedy::new(
                "ask for chains between them (arms move front legs, legs hind legs), or choose them in [chains] of a \
                 recipe",
                &[Action::ConnectKinds],
            ),
            Self::MissingSlots { .. } => {
                Remedy::new("name the joints in a recipe", &[Action::NameJoints])
            }
            Self::Recipe { remedy, .. } => remedy.clone(),
        }
    }
}
