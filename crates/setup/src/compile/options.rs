//! What a pair is compiled with.

use crate::align::SameRig;
use crate::by_hand::HandLinks;
use crate::feet::FeetChoice;
use crate::hands::HandsChoice;
use crate::limits::Limits;
use crate::recipe::Recipe;

/// What a pair is compiled with: the user's recipe, and what was found for these two rigs.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// The user's choices. Its links and limits are not read here: they name joints and slots, which the fields below hold as found.
    pub recipe: Recipe,
    /// Joints that a person has linked; they win over slots. Default: none.
    pub by_hand: HandLinks,
    /// How far the target's slots may turn. Default: none is limited.
    pub limits: Limits,
    /// How the joints go together where both files hold one rig: then the target does exactly what the source does, at the
    /// source's heights. Default `None`.
    pub same_rig: Option<SameRig>,
}

impl CompileOptions {
    /// How feet are planted; `None` where legs move as transferred.
    pub(super) fn feet(&self) -> Option<FeetChoice> {
        self.recipe.feet().filter(|_| self.is_wanted("feet"))
    }

    /// How hands that touch each other or a prop are brought together; `None` where arms move as transferred.
    pub(super) fn hands(&self) -> Option<HandsChoice> {
        self.recipe.hands().filter(|_| self.is_wanted("hands"))
    }

    /// How much bodies that lie, sit, kneel or crawl are kept on the floor, 0 to 1.
    pub(super) fn ground(&self) -> f64 {
        self.weight("ground", self.recipe.ground())
    }

    /// How much forearms and hands are kept out of trunk and head, 0 to 1.
    pub(super) fn own_body(&self) -> f64 {
        self.weight("own_body", self.recipe.own_body())
    }

    fn weight(&self, key: &str, weight: f64) -> f64 {
        if self.is_wanted(key) { weight } else { 0.0 }
    }

    /// Where one rig is copied, what makes bodies of unlike measures fit is done only if the recipe speaks of it.
    fn is_wanted(&self, key: &str) -> bool {
        self.same_rig.is_none() || self.recipe.asks_for(key)
    }
}
