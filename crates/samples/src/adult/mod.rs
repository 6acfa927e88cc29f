//! The adult: 1.8 m, names and axes as Mixamo gives them, T-pose.

mod clothes;
mod head;
mod joints;

use crate::body::{Body, character};
use crate::weights::named;
use clothes::{belt, hands, shirt, shoes, stripe, trousers};
use head::{face, hair, head};
pub(super) use joints::rig;
use joints::{CHAINS, hand};
use rebone_model::Character;

const SKIN: u32 = 0xe3a883;
const SHIRT: u32 = 0x2f8f8b;
const TROUSERS: u32 = 0x35405e;
const SHOES: u32 = 0xe9e4da;
const HAIR: u32 = 0x4a2c1d;

/// The adult with its skin.
pub(super) fn adult() -> Character {
    let rig = rig();
    let mut pieces = vec![head(), shirt(&rig), trousers(&rig)];
    pieces.push(hair());
    pieces.extend(face());
    for piece in pieces.iter_mut().filter(|piece| piece.is_of("head")) {
        *piece = piece.clone().scaled([0.0, 1.53, -0.01], 1.1);
    }
    pieces.extend([stripe(), belt(), hands(&rig), shoes()]);
    let mut chains = named(CHAINS);
    chains.extend(hand().chains());
    character(Body {
        name: "adult",
        rig: &rig,
        chains,
        pieces,
    })
}

/// Places among the pieces of those on which others lie.
const HEAD: usize = 0;
const SHIRT_PIECE: usize = 1;
const TROUSERS_PIECE: usize = 2;
