//! The brute: 2 m and broad, names and axes as Unreal gives them, A-pose, five spine joints, twists.

mod clothes;
mod head;
mod joints;

use crate::body::{Body, character};
use crate::weights::named;
use clothes::{arms, hands, leather, trousers, vest};
use head::{beard, face, head};
use joints::{CHAINS, hand, rig};
use rebone_model::Character;

const SKIN: u32 = 0xc98a68;
const VEST: u32 = 0x7a3b2e;
const TROUSERS: u32 = 0x4c4a42;
const LEATHER: u32 = 0x3a2a20;
const BEARD: u32 = 0x9c4f22;

const HEAD: usize = 0;
const TROUSERS_PIECE: usize = 1;

/// The brute with its skin.
pub(super) fn brute() -> Character {
    let rig = rig();
    let mut pieces = vec![head(), trousers(&rig), arms(), hands(), vest(&rig), beard()];
    pieces.extend(face());
    pieces.extend(leather());
    let mut chains = named(CHAINS);
    chains.extend(hand().chains());
    character(Body {
        name: "brute",
        rig: &rig,
        chains,
        pieces,
    })
}
